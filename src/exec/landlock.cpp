#include "exec/landlock.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

namespace assay::exec {
namespace {

// Of linux/landlock.h, which on Debian 12 knows only the second version.
constexpr long kCreateRuleset = 444, kAddRule = 445, kRestrictSelf = 446;  // the same on every architecture
constexpr uint32_t kAskVersion = 1;
constexpr int kPathBeneath = 1;

struct RulesetAttributes {
  uint64_t handled_files;
  uint64_t handled_network;  // since version 4
  uint64_t scoped;           // since version 6
};

struct [[gnu::packed]] PathBeneath {
  uint64_t allowed;
  int32_t parent;
};

// Rights on files. Those to read and to execute are never handled: everybody keeps them.
constexpr uint64_t kWriteFile = 1 << 1;
constexpr uint64_t kRemove = 1 << 4 | 1 << 5;
constexpr uint64_t kMakeDevices = 1 << 6 | 1 << 11;
constexpr uint64_t kMakeOthers = 1 << 7 | 1 << 8 | 1 << 9 | 1 << 10 | 1 << 12;
constexpr uint64_t kRefer = 1 << 13;        // rename and link between folders; before version 2 never allowed
constexpr uint64_t kTruncate = 1 << 14;     // since version 3
constexpr uint64_t kIoctlDevice = 1 << 15;  // since version 5
constexpr uint64_t kOfFiles = kWriteFile | kTruncate | kIoctlDevice;

constexpr uint64_t kBindTcp = 1, kConnectTcp = 2;
constexpr uint64_t kAbstractSockets = 1, kSignals = 2;

uint64_t HandledBy(int version) {
  uint64_t rights = kWriteFile | kRemove | kMakeDevices | kMakeOthers;
  if (version >= 2) rights |= kRefer;
  if (version >= 3) rights |= kTruncate;
  if (version >= 5) rights |= kIoctlDevice;
  return rights;
}

void Allow(int ruleset, const char* path, uint64_t rights) {
  const int fd = ::open(path, O_PATH | O_CLOEXEC);
  if (fd < 0) return;
  struct stat info {};
  if (::fstat(fd, &info) == 0) {
    if (!S_ISDIR(info.st_mode)) rights &= kOfFiles;
    PathBeneath rule{rights, fd};
    ::syscall(kAddRule, ruleset, kPathBeneath, &rule, 0);
  }
  ::close(fd);
}

}  // namespace

int LandlockVersion() {
  const long version = ::syscall(kCreateRuleset, nullptr, 0, kAskVersion);
  return version < 0 ? 0 : static_cast<int>(version);
}

int MakeLandlockRules(const LandlockRules& rules) {
  RulesetAttributes attributes{HandledBy(rules.version), 0, 0};
  size_t size = offsetof(RulesetAttributes, handled_network);
  if (rules.version >= 4) {
    size = offsetof(RulesetAttributes, scoped);
    if (!rules.network) attributes.handled_network = kBindTcp | kConnectTcp;
  }
  if (rules.version >= 6) {
    size = sizeof attributes;
    attributes.scoped = kSignals | (rules.network ? 0 : kAbstractSockets);
  }
  const int ruleset = static_cast<int>(::syscall(kCreateRuleset, &attributes, size, 0));
  if (ruleset < 0) return -1;
  for (const char* device : {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}) {
    Allow(ruleset, device, attributes.handled_files);
  }
  for (const std::string& folder : rules.folders) {
    Allow(ruleset, folder.c_str(), attributes.handled_files & ~kMakeDevices);
  }
  return ruleset;
}

bool EnterLandlock(int rules) { return ::syscall(kRestrictSelf, rules, 0) == 0; }

}  // namespace assay::exec
