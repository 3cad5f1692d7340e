// Values that are known for ever, but not to a compiler: the inputs (VarUse::Input) with the values they have. What is
// said of them holds at every execution.
#pragma once

#include "gen/writer.hpp"

namespace assay::gen {

// A condition on inputs that always has the truth; invalid without inputs.
ExprId KnownCondition(Writer& w, bool truth);
// An expression of an input that always has the value, for a constant of the kind; invalid without inputs.
ExprId KnownConstant(Writer& w, TypeKind kind, uint64_t value);

}  // namespace assay::gen
