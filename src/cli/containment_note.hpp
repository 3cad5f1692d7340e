// Says once, on stderr, when compilers cannot be contained as well as docs/security.md promises.
#pragma once

#include <fmt/format.h>

#include <cstdio>

#include "cli/output.hpp"
#include "exec/executor.hpp"

namespace assay::cli {

inline void NoteContainment(exec::Executor& executor) {
  auto containment = executor.Describe();
  if (!containment || containment->IsFull()) return;
  Warn("assay: note: {}\n", exec::DescribeGaps(*containment));
}

}  // namespace assay::cli
