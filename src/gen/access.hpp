// Lvalues and pointers: how code reaches objects. In a live place the choices follow the real values: a pointer that is
// dereferenced points at a live object now, an index is in range now.
#pragma once

#include "gen/want.hpp"

namespace assay::gen {

enum class Access : uint8_t { Read, Write, Update };  // Update reads and writes

// Whether code may do this to the variable, as far as its use (VarUse) goes.
bool MayAccess(const Writer& w, VarId var, Access access);
// A side-effect-free lvalue of integer type, or invalid if none was found in a few tries.
ExprId IntLvalue(Writer& w, Access access);
// The same of any floating type.
ExprId FloatLvalue(Writer& w, Access access);
// A side-effect-free lvalue of exactly the type (qualifiers of the object may exceed it for reads), or invalid.
ExprId LvalueOfType(Writer& w, TypeId type, Access access);
// A pointer variable (or member, element) that may be assigned, of those to functions or of the others; invalid if
// none.
ExprId PointerLvalue(Writer& w, bool to_function);
// A side-effect-free lvalue that points at the function now. If none is found a global is made for it; a program has a
// few of these at most, then it is invalid.
ExprId PointerAt(Writer& w, FunctionId id);
// The variable at the root of an lvalue without a dereference; invalid otherwise.
VarId RootVariable(const lang::Program& program, ExprId lvalue);

// A value of the pointer type. `holder` is the object it will be stored in (invalid: used at once, any lifetime will
// do). Never dangling now; null only if `may_be_null`.
inline ExprId PointerExpr(Writer& w, TypeId type, VarId holder, bool may_be_null) {
  return Expression(w, Want::Pointer(w.program.types.Unqualified(type), holder, may_be_null));
}
// The same as a constant expression: for static initialisers and repairs.
inline ExprId StaticAddress(Writer& w, TypeId type, bool may_be_null = true) {
  Want want = Want::Pointer(w.program.types.Unqualified(type), {}, may_be_null);
  want.state = Want::State::Constant;
  return Expression(w, want);
}
// What Expression does for pointers.
ExprId PointerValue(Writer& w, const Want& want);
ExprId AddressValue(Writer& w, const Want& want);
// The address of a visible object, or null, for an item in the initialiser of an automatic object declared here. The
// items of a list have no order: no index in it that has to be evaluated.
ExprId AutomaticAddress(Writer& w, TypeId pointer_type);
// The address of a part of the object that has the pointee type up to qualifiers; there is one.
ExprId AddressInside(Writer& w, VarId object, TypeId pointee);
// Whether the address of the lvalue may be taken, and used by any pointer: no bit-field, no lane, no register, not in a
// packed struct or a union.
bool MayTakeAddress(const Writer& w, ExprId lvalue);
// The address of a global that has exactly the pointee type, made if necessary. Always succeeds.
ExprId FallbackAddress(Writer& w, TypeId pointer_type);

// An index expression for an array of `length` elements, in range now.
ExprId IndexExpr(Writer& w, uint32_t length);
// A lane of the vector, with such an index that is no _Bool.
ExprId LaneOf(Writer& w, ExprId vector);

}  // namespace assay::gen
