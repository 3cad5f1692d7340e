#include "machine/scalar.hpp"

namespace assay::machine {

using lang::TypeClass;

Value ConvertOther(ScalarType from, ScalarType to, Value value) {
  if (from.type_class == TypeClass::Float ||
      (to.type_class == TypeClass::Float && from.type_class == TypeClass::Integer)) {
    if (to.type_class == TypeClass::Void) return value;
    const ScalarResult result = ConvertFloat(from, to, value);
    CHECK_MSG(result.trap == TrapKind::None, "a conversion that is no cast traps: {}", Info(result.trap).name);
    return result.value;
  }
  switch (to.type_class) {
    case TypeClass::Integer:
      // Of pointers only to _Bool; a cast to anything else traps before it gets here.
      CHECK_MSG(from.type_class == TypeClass::Pointer && to.bits == 1, "conversion of class {} to {} bits",
                static_cast<int>(from.type_class), to.bits);
      return value != 0;
    case TypeClass::Pointer:
    case TypeClass::Vector:
    case TypeClass::Wide:                  // to itself
    case TypeClass::Record: return value;  // handles
    case TypeClass::Void: return value;    // is not looked at
    case TypeClass::Float:
    case TypeClass::Complex:
    case TypeClass::Array:
    case TypeClass::Function:
    case TypeClass::VaList:
    case TypeClass::kCount: break;
  }
  CHECK_MSG(false, "there is no conversion to class {}", static_cast<int>(to.type_class));
  return 0;
}

ScalarResult ApplyOther(lang::BinaryOp op, ScalarType type, Value lhs, Value rhs) {
  if (type.type_class == TypeClass::Float) return ApplyFloat(op, type, lhs, rhs);
  CHECK_MSG(false, "there is no {} of class {}", lang::Info(op).spelling, static_cast<int>(type.type_class));
  return {};
}

ScalarResult ApplyOther(lang::UnaryOp op, ScalarType type, Value operand) {
  if (type.type_class == TypeClass::Float) return ApplyFloat(op, type, operand);
  CHECK_MSG(type.type_class == TypeClass::Pointer && op == lang::UnaryOp::LogicalNot, "there is no {} of class {}",
            lang::Info(op).spelling, static_cast<int>(type.type_class));
  return {operand == 0};
}

}  // namespace assay::machine
