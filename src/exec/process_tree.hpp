// What a jail knows of the processes below it, read from /proc; and the end of all of them.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace assay::exec {

struct TreeUsage {
  uint32_t processes = 0;
  uint64_t resident_bytes = 0;
  double cpu_seconds = 0;  // of living processes and the children they have waited for
};

// Surveys all descendants of the calling process. In a process namespace of its own
// (`own_namespace`) every other process is a descendant, and counting stops early beyond
// `process_limit` (0: none); otherwise the lists of children are followed, or parents.
TreeUsage SurveyTree(bool own_namespace, uint32_t process_limit);

// Has any descendant of the calling process a thread that runs, would run if there were a processor for it, or waits
// for a disk?
bool TreeHasWork(bool own_namespace);

// What shows that a process is alive.
struct Pulse {
  uint64_t turns = 0;  // how often it has left a processor
  bool wants = false;  // it runs or would if there were a processor for it, or waits for a disk
};
Pulse PulseOf(pid_t pid);

// The threads of all processes of the calling user.
int64_t CountThreadsOfUser();

// Kills every descendant of the calling process, which must be a sub-reaper or the first of its
// process namespace, and waits for them all. When it returns the caller has no child.
void KillTree(bool own_namespace);

// For the tree of a jail without a namespace that died before it could kill it: kills the processes of our user that
// work in the folder or were started with it as TMPDIR.
void KillStrays(const std::string& folder);

}  // namespace assay::exec
