// Helpers for the tests of edits, on programs built node by node.
#pragma once

#include "machine/testing.hpp"
#include "reduce/edit.hpp"
#include "reduce/mend.hpp"

namespace assay::reduce::testing {

using machine::testing::FinalOf;
using machine::testing::Tiny;

inline bool Applies(const Case& subject, const Edit& edit) { return Info(edit.kind).applies(subject, edit); }
inline bool Applies(const Tiny& tiny, const Edit& edit) { return Applies(Case{tiny.p, std::nullopt}, edit); }

// Applies the edit and runs what comes out, which must be a valid program.
inline machine::RunResult After(Case& subject, const Edit& edit) {
  EXPECT_TRUE(ApplyEdit(subject, edit));
  EXPECT_TRUE(Mend(subject));
  machine::Machine machine(subject.program, {});
  machine::RunResult result = machine.Run();
  EXPECT_EQ(result.trap.kind, machine::TrapKind::None);
  return result;
}
inline machine::RunResult After(const Tiny& tiny, const Edit& edit) {
  Case subject{tiny.p, std::nullopt};
  return After(subject, edit);
}

}  // namespace assay::reduce::testing
