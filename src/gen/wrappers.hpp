// Wrapper functions: a op b where that is defined, a otherwise. Ordinary functions of the program, made when a repair
// first needs them, one for each operator and type.
#pragma once

#include "gen/writer.hpp"

namespace assay::gen {

// For + - * / % on a promoted integer kind.
FunctionId WrapperFor(Writer& w, BinaryOp op, TypeKind kind);

}  // namespace assay::gen
