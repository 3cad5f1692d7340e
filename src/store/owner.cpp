#include "store/owner.hpp"

#include <fmt/format.h>
#include <limits.h>
#include <unistd.h>

#include <chrono>
#include <string>

#include "store/store.hpp"
#include "support/files.hpp"

namespace assay::store {
namespace {

std::string MachineName() {
  char host[HOST_NAME_MAX + 1] = {};
  ::gethostname(host, sizeof host - 1);
  std::string boot = "unknown";
  if (auto text = support::ReadFile("/proc/sys/kernel/random/boot_id")) boot = text->substr(0, 8);
  char space[64] = {};
  ssize_t length = ::readlink("/proc/self/ns/pid", space, sizeof space - 1);
  return fmt::format("{} {} {}", host, boot, length > 0 ? space : "unknown");
}

// The start time of a process in clock ticks since boot, or nothing when there is no such process
// (or only its zombie). Field 22 of /proc/PID/stat; the name in field 2 may hold spaces and ends
// with the last ')'.
std::string StartTime(std::string_view pid) {
  auto stat = support::ReadFile(fmt::format("/proc/{}/stat", pid));
  if (!stat) return {};
  size_t at = stat->rfind(')');
  if (at == std::string::npos || at + 2 >= stat->size()) return {};
  if ((*stat)[at + 2] == 'Z' || (*stat)[at + 2] == 'X') return {};
  for (int field = 2; field < 22 && at != std::string::npos; ++field) at = stat->find(' ', at + 1);
  if (at == std::string::npos) return {};
  return stat->substr(at + 1, stat->find(' ', at + 1) - at - 1);
}

}  // namespace

std::string NewOwner() {
  std::string pid = std::to_string(::getpid());
  auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  return fmt::format("{} {} {} {}", MachineName(), pid, StartTime(pid), now);
}

bool OwnerIsGone(std::string_view owner) {
  std::string machine = MachineName() + " ";
  if (!owner.starts_with(machine)) return false;
  std::string_view rest = owner.substr(machine.size());
  size_t pid_end = rest.find(' ');
  if (pid_end == std::string_view::npos) return false;
  size_t start_end = rest.find(' ', pid_end + 1);
  if (start_end == std::string_view::npos) return false;
  return StartTime(rest.substr(0, pid_end)) != rest.substr(pid_end + 1, start_end - pid_end - 1);
}

bool IsFree(const std::string& holder, int64_t heartbeat_ms, const std::string& wanting, int64_t now_ms) {
  return holder.empty() || now_ms - heartbeat_ms > kLeaseExpiryMs || (holder != wanting && OwnerIsGone(holder));
}

}  // namespace assay::store
