// Landlock: rules on files that a process lays on itself and its children for good, without any privilege (Linux 5.13
// and later). We use it for what a command may write; everything may be read.
#pragma once

#include <span>
#include <string>

namespace assay::exec {

// The version of the running kernel's interface; 0: there is none, or it is switched off.
int LandlockVersion();

// What a command may write and do, as far as the version can say it (docs/security.md has the table).
struct LandlockRules {
  int version = 0;                       // at most LandlockVersion()
  std::span<const std::string> folders;  // may be written, with all below; those that do not exist are left out
  bool network = false;                  // keep TCP and abstract Unix sockets
};

// A descriptor for landlock_restrict_self, closed when a program is executed; the usual devices (/dev/null, ...) may be
// written too. -1 when the kernel refuses.
int MakeLandlockRules(const LandlockRules& rules);

// Lays the rules on the calling thread, which must have no_new_privs. Only makes a system call. False when refused.
bool EnterLandlock(int rules);

}  // namespace assay::exec
