#include "reduce/type_map.hpp"

namespace assay::reduce {

using namespace lang;  // NOLINT: the model's names

TypeId TypeMap::Map(TypeId id) {
  if (!id) return id;
  if (id.index < done_.size() && done_[id.index]) return done_[id.index];
  Type type = program_.types[id];
  if (type.element) type.element = Map(type.element);
  if (type.signature) {
    Signature signature = program_.types.GetSignature(type.signature);
    for (TypeId& param : signature.params) param = Map(param);
    type.signature = program_.types.InternSignature(std::move(signature));
  }
  change_(type);
  const TypeId result = program_.types.Intern(type);
  if (done_.size() <= id.index) done_.resize(id.index + 1);
  done_[id.index] = result;
  return result;
}

void TypeMap::MapProgram() {
  for (Variable& var : program_.vars) var.type = Map(var.type);
  for (Function& function : program_.functions) function.type = Map(function.type);
  const int int_bits = program_.Model().Properties().int_bytes * 8;
  for (uint32_t i = 0; i < program_.types.RecordCount(); ++i) {
    for (Member& member : program_.types.GetRecord(RecordId(i)).members) {
      if (member.bit_width <= int_bits) member.type = Map(member.type);
    }
  }
  for (Expr& e : program_.exprs) {
    if (e.kind == ExprKind::Cast || e.kind == ExprKind::Builtin) e.type = Map(e.type);
    const bool names_type = e.kind == ExprKind::SizeofType || e.kind == ExprKind::Builtin;
    if (names_type && e.RefType()) e.ref = Map(e.RefType()).index;
  }
}

}  // namespace assay::reduce
