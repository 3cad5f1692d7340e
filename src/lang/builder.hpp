// The one way to make nodes: sets the types and links, so that a program stays well formed while it grows.
#pragma once

#include <initializer_list>
#include <span>

#include "lang/program.hpp"
#include "lang/typing.hpp"

namespace assay::lang {

class Builder {
 public:
  explicit Builder(Program& program) : program_(program) {}
  Program& Get() { return program_; }

  // Expressions. Types follow from the operands; operands are ids of existing nodes used exactly once in the program.
  ExprId Constant(TypeKind kind, uint64_t value, ConstantSpelling spelling = ConstantSpelling::Decimal);
  // A constant of type int, or of the next type that has the value: int may have 16 bits.
  ExprId Int(int64_t value);
  ExprId NullPointer(TypeId pointer_type);  // (T*)0
  // A constant expression of a wide kind, which has no constants: (T)low, or the high half shifted and the low one.
  ExprId Wide(TypeKind kind, uint64_t low, uint64_t high);
  ExprId EnumConstant(EnumId enumeration, uint32_t index);
  ExprId String(StringId string);
  ExprId Var(VarId var);
  ExprId Func(FunctionId function);
  ExprId Unary(UnaryOp op, ExprId operand);
  ExprId Binary(BinaryOp op, ExprId lhs, ExprId rhs);
  ExprId LogicalAnd(ExprId lhs, ExprId rhs);
  ExprId LogicalOr(ExprId lhs, ExprId rhs);
  ExprId Conditional(ExprId condition, ExprId yes, ExprId no);
  ExprId Comma(ExprId lhs, ExprId rhs);
  ExprId Assign(ExprId lvalue, ExprId value);
  ExprId CompoundAssign(BinaryOp op, ExprId lvalue, ExprId value);
  ExprId IncDec(IncDecOp op, ExprId lvalue);
  ExprId Cast(TypeId type, ExprId operand);
  ExprId AddressOf(ExprId lvalue);
  ExprId Deref(ExprId pointer);
  ExprId Index(ExprId base, ExprId index, bool swapped = false);
  ExprId Member(ExprId record, uint32_t member);
  ExprId SizeofType(TypeId type);
  ExprId SizeofExpr(ExprId operand);
  ExprId Call(ExprId callee, std::span<const ExprId> arguments);
  ExprId Call(FunctionId function, std::span<const ExprId> arguments) { return Call(Func(function), arguments); }
  ExprId CompoundLiteral(VarId object);
  ExprId BuiltinCall(Builtin builtin, TypeId type, TypeId ref_type, std::span<const ExprId> arguments);
  ExprId Guard(ExprId value, ExprId otherwise, VarId counter, uint64_t limit, ExprId temporary = {});

  ExprId Add(Expr e);          // any node; computes its type when the children determine it
  ExprId CopyTree(ExprId id);  // a deep copy (sub-expressions; objects are shared)

  // Objects and functions.
  VarId Global(TypeId type, InitId init = {});
  VarId Local(FunctionId function, TypeId type, Storage storage = Storage::Auto,
              InitId init = {});  // takes a slot, adds no Decl
  VarId Temporary(FunctionId function, TypeId type);
  FunctionId Function(TypeId type);  // with parameters as locals and an empty, closed body

  // Initialisers.
  InitId InitExpr(ExprId expr);
  InitId InitList(std::vector<InitItem> items, bool designated = false);
  InitId InitString(StringId string);

  // Statements: made free, then placed by Append or Insert.
  LabelList Labels(std::span<const LabelId> labels);
  StmtId Statement(Stmt stmt);
  StmtId ExprStatement(ExprId expr);
  StmtId Decl(VarId var);
  BlockId NewBlock(FunctionId function);    // unlinked until it becomes the body of a placed statement
  void Append(BlockId block, StmtId stmt);  // links the bodies of stmt to the block
  void Insert(BlockId block, size_t position, StmtId stmt);
  LabelId NewLabel();

 private:
  void LinkBodies(BlockId block, StmtId stmt);
  Program& program_;
};

}  // namespace assay::lang
