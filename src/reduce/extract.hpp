// An expression on its own: the smallest program that computes it from the operands it had.
#pragma once

#include <optional>

#include "reduce/edit.hpp"

namespace assay::reduce {

enum class Operands : uint8_t {
  Variables,  // globals that hold the values
  Constants,
};

// A program whose entry function stores `expr` in a global, which is the one checked. The operators
// down to `depth` are kept; what stands below them, reads of objects and calls become the values
// seen in the run. Nothing if the expression has operands that are no integers.
std::optional<Case> MakeExtract(const Case& subject, const MachineRun& run, lang::ExprId expr, uint32_t depth,
                                Operands operands);

}  // namespace assay::reduce
