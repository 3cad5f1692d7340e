#include "exec/containment.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <string_view>
#include <vector>

namespace assay::exec {

std::string DescribeGaps(const Containment& containment) {
  std::vector<std::string_view> missing, kept, lost;
  auto promise = [&](bool holds, std::string_view what) { (holds ? kept : lost).push_back(what); };
  if (!containment.process_namespace) missing.push_back("namespaces");
  if (containment.landlock_version == 0) missing.push_back("Landlock");
  if (!containment.syscall_filter) missing.push_back("seccomp");
  const bool files = containment.read_only_files || containment.landlock_version > 0;
  const bool alone = containment.process_namespace || containment.landlock_version >= 6 || containment.syscall_filter;
  promise(files, "they write only in their own folder");
  promise(containment.network_namespace || containment.syscall_filter, "no network");
  promise(alone, "no signals to Assay");
  promise(containment.process_namespace || containment.landlock_version > 0,
          "no tracing of other processes, nor a look into their memory");
  promise(containment.process_namespace, "nothing outlives its test, whatever it does");
  promise(containment.process_namespace, "other processes are out of sight");
  promise(containment.private_tmp, "a private /tmp");
  kept.insert(kept.begin(), "limits on time, memory, output and processes");
  const char* advice = ::geteuid() == 0 ? "allow this container to make namespaces (docker: --cap-add SYS_ADMIN "
                                          "--security-opt seccomp=unconfined)"
                                        : "run as root, or let users make namespaces";
  return fmt::format(
      "compilers are contained less well here, without {}. Kept: {}. Not kept: {}. To have it all, {}; "
      "docs/security.md has the details",
      fmt::join(missing, " and "), fmt::join(kept, "; "), fmt::join(lost, "; "), advice);
}

}  // namespace assay::exec
