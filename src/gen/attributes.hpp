// Function attributes that must be true: pure and const where the body proves it, always_inline only where every
// compiler can inline (lang/effects.hpp), nonnull and the like where the calls kept it.
#pragma once

#include "gen/writer.hpp"

namespace assay::gen {

// `calls`: those of the writing run, by FunctionId.
void WriteAttributes(Writer& w, std::span<const machine::CallsSeen> calls);

// After late repairs: takes away those that are true no longer.
void DropUntrueAttributes(lang::Program& program);

}  // namespace assay::gen
