// The constraints of C on the operands of one expression (C17 6.5): what a compiler has to
// diagnose. A node that passes may be given to TypeOf.
#pragma once

#include <string_view>

#include "lang/program.hpp"

namespace assay::lang {

// What is wrong with the node, whose children exist, are right and have their types; empty if
// nothing is.
std::string_view OperandProblem(Program& program, const Expr& e);

// True if the value of the expression can be assigned to an object of the type without a cast.
// Qualifiers may be added to what a pointer points at. Conversions from and to void *, and those of
// floating numbers that may lose something, are always casts in our programs: there the machine checks them.
bool IsAssignable(Program& program, TypeId to, ExprId from);

// Complete, of constant size: can be the type of an object other than a VLA.
bool IsObjectType(const Program& program, TypeId type);

// True if an object of the type can be assigned to: not const, no const member at any depth, not an
// array.
bool IsModifiable(const Program& program, TypeId type);

// True if the type or any part of it has one of the qualifiers.
bool HasQualifier(const Program& program, TypeId type, uint8_t quals);
// Evaluating the expression, or not, makes no difference beyond its value: nothing is stored, called or volatile.
bool HasNoEffects(const Program& program, ExprId id);

// Can be the length of a VLA: an integer and, if it is a constant expression, one that can be seen to be positive
// without computing (C17 6.7.6.2p1).
bool IsVlaLength(const Program& program, ExprId id);

// Vectors: of 8 to 64 bytes, of integers other than _Bool and enums and of floating numbers. In the mode `robust` there
// are none of those: what a compiler may do to a lane there is not known. 8 bytes would be MMX registers on 32-bit x86,
// where gcc leaves the x87 stack unusable behind them; no compiler with an int of 16 bits has vectors.
inline constexpr uint32_t kMostVectorBytes = 64;
bool IsVectorType(const Program& program, TypeKind lane, uint32_t lanes);
uint32_t LaneBytes(const Program& program, TypeKind lane);
uint32_t VectorBytes(const Program& program, TypeId vector);
// True if the type is a vector or a part of it is.
bool HasVector(const Program& program, TypeId type);

// True if the type is a wide integer or a part of it is.
bool HasWide(const Program& program, TypeId type);
// What is wrong with a wide integer where the data model has none.
inline constexpr std::string_view kNoWide = "a wide integer on a machine that has none";

// A string literal can initialise an array of it.
constexpr bool IsCharacter(TypeKind kind) {
  return Info(kind).width == Width::Char || Info(kind).width == Width::Exactly8;
}

// True if the value is known before the program starts, so that it may initialise an object with
// static storage: an integer constant expression, an address constant, or an address constant with
// a constant offset (C17 6.6).
bool IsConstantExpression(const Program& program, ExprId id);

// The variable whose storage an lvalue is part of, if it can be told without executing (no
// dereference in between).
VarId BaseVariable(const Program& program, ExprId lvalue);

}  // namespace assay::lang
