// Expressions: plain data. What the fields of a node mean depends on its kind; the table says which are children.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "lang/ids.hpp"
#include "lang/ops.hpp"
#include "support/table.hpp"

namespace assay::lang {

enum class ExprKind : uint8_t {
  Constant,         // value; type is int … unsigned long long; detail = ConstantSpelling
  EnumConstant,     // ref = EnumId, value = index of the enumerator; type int
  String,           // ref = StringId; an lvalue of type char[length], static storage, never modified
  Variable,         // ref = VarId; an lvalue
  Function,         // ref = FunctionId; a function designator (used as callee, or decays to a pointer)
  Unary,            // op = UnaryOp; lhs
  Binary,           // op = BinaryOp; lhs, rhs; also pointer +- integer, pointer - pointer, pointer comparison
  LogicalAnd,       // lhs, rhs
  LogicalOr,        // lhs, rhs
  Conditional,      // lhs ? rhs : third
  Comma,            // lhs, rhs
  Assign,           // lhs (modifiable lvalue) = rhs; also records
  CompoundAssign,   // op = BinaryOp; lhs op= rhs; also pointer += integer
  IncDec,           // op = IncDecOp; lhs
  Cast,             // (type) lhs
  AddressOf,        // &lhs
  Deref,            // *lhs; an lvalue
  Index,            // lhs[rhs]: lhs is an array lvalue or a pointer; detail 1: written rhs[lhs]; an lvalue
  Member,           // lhs.member, ref = member index; printed -> when lhs is a Deref; an lvalue if lhs is one
  SizeofType,       // sizeof(T): ref = TypeId
  SizeofExpr,       // sizeof lhs: lhs is not evaluated (never a VLA)
  Call,             // lhs = Function designator or pointer to function; args
  CompoundLiteral,  // (T){…}: ref = VarId of its anonymous object (Storage::Literal), whose init is evaluated here
  Builtin,          // op = Builtin; args; ref = TypeId where the table in ops.hpp says ref_type
  Guard,            // (counter++ < value ? lhs : rhs): ref = VarId of the counter. If detail is 1, lhs is evaluated
                    // first into the temporary third (a Variable): (third = lhs, counter++ < value ? third : rhs)
  kCount
};

// Whether an expression of the kind designates an object.
enum class Lvalue : uint8_t { No, Yes, AsOperand };

struct ExprKindInfo {
  ExprKind kind;
  std::string_view name;  // in the text form and the census
  uint8_t children;       // of lhs, rhs, third: how many are used
  bool has_args;
  Lvalue lvalue;
};

ROWS_BEGIN
inline constexpr std::array kExprKinds = {
    ExprKindInfo{ExprKind::Constant, "const", 0, false, Lvalue::No},
    ExprKindInfo{ExprKind::EnumConstant, "enumconst", 0, false, Lvalue::No},
    ExprKindInfo{ExprKind::String, "string", 0, false, Lvalue::Yes},
    ExprKindInfo{ExprKind::Variable, "var", 0, false, Lvalue::Yes},
    ExprKindInfo{ExprKind::Function, "func", 0, false, Lvalue::No},
    ExprKindInfo{ExprKind::Unary, "unary", 1, false, Lvalue::No},
    ExprKindInfo{ExprKind::Binary, "binary", 2, false, Lvalue::No},
    ExprKindInfo{ExprKind::LogicalAnd, "andand", 2, false, Lvalue::No},
    ExprKindInfo{ExprKind::LogicalOr, "oror", 2, false, Lvalue::No},
    ExprKindInfo{ExprKind::Conditional, "cond", 3, false, Lvalue::No},
    ExprKindInfo{ExprKind::Comma, "comma", 2, false, Lvalue::No},
    ExprKindInfo{ExprKind::Assign, "assign", 2, false, Lvalue::No},
    ExprKindInfo{ExprKind::CompoundAssign, "opassign", 2, false, Lvalue::No},
    ExprKindInfo{ExprKind::IncDec, "incdec", 1, false, Lvalue::No},
    ExprKindInfo{ExprKind::Cast, "cast", 1, false, Lvalue::No},
    ExprKindInfo{ExprKind::AddressOf, "addr", 1, false, Lvalue::No},
    ExprKindInfo{ExprKind::Deref, "deref", 1, false, Lvalue::Yes},
    ExprKindInfo{ExprKind::Index, "index", 2, false, Lvalue::Yes},
    ExprKindInfo{ExprKind::Member, "member", 1, false, Lvalue::AsOperand},
    ExprKindInfo{ExprKind::SizeofType, "sizeoftype", 0, false, Lvalue::No},
    ExprKindInfo{ExprKind::SizeofExpr, "sizeofexpr", 1, false, Lvalue::No},
    ExprKindInfo{ExprKind::Call, "call", 1, true, Lvalue::No},
    ExprKindInfo{ExprKind::CompoundLiteral, "literal", 0, false, Lvalue::Yes},
    ExprKindInfo{ExprKind::Builtin, "builtin", 0, true, Lvalue::No},
    ExprKindInfo{ExprKind::Guard, "guard", 2, false, Lvalue::No},
};
ROWS_END
static_assert(support::InEnumOrder(kExprKinds, ExprKind::kCount));

constexpr const ExprKindInfo& Info(ExprKind kind) { return kExprKinds[static_cast<size_t>(kind)]; }

// How a constant is written. The suffix always follows from the type and value; these are the free choices.
enum class ConstantSpelling : uint8_t { Decimal, Hex, Octal, HexUpper, DecimalLowerSuffix, Character, kCount };

// A run of argument ids in Program::args.
struct ArgList {
  uint32_t first, count;
};

struct Expr {
  ExprKind kind = ExprKind::Constant;
  uint8_t op = 0;
  uint8_t detail = 0;
  bool repaired = false;  // made by a repair or rewrite of gen/repairs; for the census and the reducer
  TypeId type;            // of the expression: an lvalue's type keeps its qualifiers, an rvalue's has none
  ExprId lhs, rhs, third;
  uint32_t ref = 0;
  // Kinds with arguments (ExprKindInfo::has_args) have no value. Half a cache line in all: there are thousands, and
  // they are read all the time.
  union {
    uint64_t value = 0;  // Constant: canonical, that is sign- or zero-extended from its type to 64 bits
    ArgList args;
  };

  lang::UnaryOp Unary() const { return static_cast<lang::UnaryOp>(op); }
  lang::BinaryOp Binary() const { return static_cast<lang::BinaryOp>(op); }
  lang::IncDecOp IncDec() const { return static_cast<lang::IncDecOp>(op); }
  lang::Builtin GetBuiltin() const { return static_cast<lang::Builtin>(op); }
  VarId Var() const { return VarId(ref); }
  FunctionId Func() const { return FunctionId(ref); }
  TypeId RefType() const { return TypeId(ref); }
  uint32_t MemberIndex() const { return ref; }
};

static_assert(sizeof(Expr) == 32);

}  // namespace assay::lang
