// Functions and calls. A function is made when a call needs one; its body is written when it is first executed.
#pragma once

#include "gen/want.hpp"

namespace assay::gen {

// A few function types that pointers to functions may have, each with at least one function.
void MakeSignatures(Writer& w);
FunctionId NewFunction(Writer& w, TypeId type);
FunctionId NewRandomFunction(Writer& w, TypeId result = {});  // of any result if none is given

// A call of integer type; a leaf if no call fits here.
ExprId CallExpr(Writer& w, uint32_t depth);
// A call whose result may be of any type or none; invalid if no call fits here.
ExprId FloatCallExpr(Writer& w, uint32_t depth);  // of a floating result; invalid if there is none
ExprId AnyCall(Writer& w, uint32_t depth);
// A call that returns the given record or wide type; invalid if there is none.
ExprId CallReturning(Writer& w, TypeId type, uint32_t depth);
// The same for pointer and wide types, now and then of a new function.
ExprId CallForPointer(Writer& w, TypeId type, uint32_t depth);
// A value for a return statement of the current function; invalid for void.
ExprId ReturnValue(Writer& w);
// A value that can initialise or be assigned to an object of the type (records: an lvalue, call or compound literal).
ExprId ValueFor(Writer& w, TypeId type, VarId holder, uint32_t depth);
ExprId RecordValue(Writer& w, const Want& want);  // what Expression does for records
// A value of the type without side effects and without state, for what must always be possible.
ExprId PlainValue(Writer& w, TypeId type);

}  // namespace assay::gen
