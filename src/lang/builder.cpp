#include "lang/builder.hpp"

namespace assay::lang {
namespace {

Expr Node(ExprKind kind, ExprId lhs = {}, ExprId rhs = {}, ExprId third = {}) {
  Expr e;
  e.kind = kind;
  e.lhs = lhs;
  e.rhs = rhs;
  e.third = third;
  return e;
}

Expr Reference(ExprKind kind, uint32_t ref) {
  Expr e;
  e.kind = kind;
  e.ref = ref;
  return e;
}

template <typename Op>
Expr WithOp(Expr e, Op op) {
  e.op = static_cast<uint8_t>(op);
  return e;
}

}  // namespace

ExprId Builder::Add(Expr e) {
  e.type = TypeOf(program_, e);
  return program_.exprs.Add(e);
}

ExprId Builder::Constant(TypeKind kind, uint64_t value, ConstantSpelling spelling) {
  Expr e;
  e.kind = ExprKind::Constant;
  e.type = program_.types.Basic(kind);
  e.value = value;
  e.detail = static_cast<uint8_t>(spelling);
  return program_.exprs.Add(e);
}

ExprId Builder::Int(int64_t value) {
  for (TypeKind kind : {TypeKind::Int, TypeKind::Long}) {
    const IntegerInfo info = IntegerInfoOf(kind, program_.Model());
    if (value >= info.Min() && value <= static_cast<int64_t>(info.Max()))
      return Constant(kind, static_cast<uint64_t>(value));
  }
  return Constant(TypeKind::LLong, static_cast<uint64_t>(value));
}

ExprId Builder::Wide(TypeKind kind, uint64_t low, uint64_t high) {
  const TypeId type = program_.types.Basic(kind), bits = program_.types.Basic(TypeKind::UInt128);
  const bool negative = (low >> 63) != 0;
  if (high == 0 && low <= 0x7fff) return Cast(type, Int(static_cast<int64_t>(low)));
  if (high == 0) return Cast(type, Constant(TypeKind::ULLong, low));
  if (negative && high == ~uint64_t{0}) return Cast(type, Constant(TypeKind::LLong, low));
  // Of an unsigned type: a shift of a negative number, or one that makes it negative, is undefined.
  const ExprId shifted = Binary(BinaryOp::Shl, Cast(bits, Constant(TypeKind::ULLong, high)), Int(64));
  const ExprId value = low == 0 ? shifted : Binary(BinaryOp::BitOr, shifted, Constant(TypeKind::ULLong, low));
  return kind == TypeKind::UInt128 ? value : Cast(type, value);
}

ExprId Builder::NullPointer(TypeId pointer_type) { return Cast(pointer_type, Int(0)); }

ExprId Builder::EnumConstant(EnumId enumeration, uint32_t index) {
  Expr e = Reference(ExprKind::EnumConstant, enumeration.index);
  e.value = index;
  return Add(e);
}

ExprId Builder::String(StringId string) { return Add(Reference(ExprKind::String, string.index)); }
ExprId Builder::Var(VarId var) {
  Expr e = Reference(ExprKind::Variable, var.index);
  e.type = program_.vars[var].type;
  return program_.exprs.Add(e);
}
ExprId Builder::Func(FunctionId function) { return Add(Reference(ExprKind::Function, function.index)); }
ExprId Builder::Unary(UnaryOp op, ExprId operand) { return Add(WithOp(Node(ExprKind::Unary, operand), op)); }
ExprId Builder::Binary(BinaryOp op, ExprId lhs, ExprId rhs) {
  return Add(WithOp(Node(ExprKind::Binary, lhs, rhs), op));
}
ExprId Builder::LogicalAnd(ExprId lhs, ExprId rhs) { return Add(Node(ExprKind::LogicalAnd, lhs, rhs)); }
ExprId Builder::LogicalOr(ExprId lhs, ExprId rhs) { return Add(Node(ExprKind::LogicalOr, lhs, rhs)); }
ExprId Builder::Conditional(ExprId condition, ExprId yes, ExprId no) {
  return Add(Node(ExprKind::Conditional, condition, yes, no));
}
ExprId Builder::Comma(ExprId lhs, ExprId rhs) { return Add(Node(ExprKind::Comma, lhs, rhs)); }
ExprId Builder::Assign(ExprId lvalue, ExprId value) { return Add(Node(ExprKind::Assign, lvalue, value)); }
ExprId Builder::CompoundAssign(BinaryOp op, ExprId lvalue, ExprId value) {
  return Add(WithOp(Node(ExprKind::CompoundAssign, lvalue, value), op));
}
ExprId Builder::IncDec(IncDecOp op, ExprId lvalue) { return Add(WithOp(Node(ExprKind::IncDec, lvalue), op)); }

ExprId Builder::Cast(TypeId type, ExprId operand) {
  Expr e = Node(ExprKind::Cast, operand);
  e.type = type;
  return Add(e);
}

ExprId Builder::AddressOf(ExprId lvalue) { return Add(Node(ExprKind::AddressOf, lvalue)); }
ExprId Builder::Deref(ExprId pointer) { return Add(Node(ExprKind::Deref, pointer)); }

ExprId Builder::Index(ExprId base, ExprId index, bool swapped) {
  Expr e = Node(ExprKind::Index, base, index);
  e.detail = swapped ? 1 : 0;
  return Add(e);
}

ExprId Builder::Member(ExprId record, uint32_t member) {
  Expr e = Node(ExprKind::Member, record);
  e.ref = member;
  return Add(e);
}

ExprId Builder::SizeofType(TypeId type) { return Add(Reference(ExprKind::SizeofType, type.index)); }
ExprId Builder::SizeofExpr(ExprId operand) { return Add(Node(ExprKind::SizeofExpr, operand)); }

ExprId Builder::Call(ExprId callee, std::span<const ExprId> arguments) {
  Expr e = Node(ExprKind::Call, callee);
  e.args = {static_cast<uint32_t>(program_.args.size()), static_cast<uint32_t>(arguments.size())};
  program_.args.insert(program_.args.end(), arguments.begin(), arguments.end());
  return Add(e);
}

ExprId Builder::CompoundLiteral(VarId object) { return Add(Reference(ExprKind::CompoundLiteral, object.index)); }

ExprId Builder::BuiltinCall(Builtin builtin, TypeId type, TypeId ref_type, std::span<const ExprId> arguments) {
  CHECK(TakesArguments(builtin, arguments.size()));
  Expr e = Reference(ExprKind::Builtin, ref_type.index);
  e.op = static_cast<uint8_t>(builtin);
  e.type = type;
  e.args = {static_cast<uint32_t>(program_.args.size()), static_cast<uint32_t>(arguments.size())};
  program_.args.insert(program_.args.end(), arguments.begin(), arguments.end());
  return Add(e);
}

ExprId Builder::Guard(ExprId value, ExprId otherwise, VarId counter, uint64_t limit, ExprId temporary) {
  Expr e = Node(ExprKind::Guard, value, otherwise, temporary);
  e.type = OperandType(program_, value);
  e.ref = counter.index;
  e.value = limit;
  e.detail = temporary ? 1 : 0;
  e.repaired = true;
  return Add(e);
}

ExprId Builder::CopyTree(ExprId id) {
  Expr e = program_.exprs[id];
  const ExprKindInfo& info = Info(e.kind);
  if (info.children > 0) e.lhs = CopyTree(e.lhs);
  if (info.children > 1) e.rhs = CopyTree(e.rhs);
  if (info.children > 2 || (e.kind == ExprKind::Guard && e.detail == 1)) e.third = CopyTree(e.third);
  if (info.has_args) {
    std::vector<ExprId> copies;
    for (uint32_t i = 0; i < e.args.count; ++i) copies.push_back(CopyTree(program_.args[e.args.first + i]));
    e.args.first = static_cast<uint32_t>(program_.args.size());
    program_.args.insert(program_.args.end(), copies.begin(), copies.end());
  }
  return program_.exprs.Add(e);
}

VarId Builder::Global(TypeId type, InitId init) {
  Variable var;
  var.type = type;
  var.storage = Storage::Global;
  var.init = init;
  VarId id = program_.vars.Add(var);
  program_.globals.push_back(id);
  return id;
}

VarId Builder::Local(FunctionId function, TypeId type, Storage storage, InitId init) {
  lang::Function& owner = program_.functions[function];
  Variable var;
  var.type = type;
  var.storage = storage;
  var.function = function;
  var.init = init;
  if (storage != Storage::StaticLocal) var.slot = static_cast<uint32_t>(owner.locals.size());
  VarId id = program_.vars.Add(var);
  if (storage != Storage::StaticLocal) owner.locals.push_back(id);
  return id;
}

VarId Builder::Temporary(FunctionId function, TypeId type) {
  VarId id = Local(function, type);
  program_.vars[id].role = VarRole::Temporary;
  program_.functions[function].temporaries.push_back(id);
  return id;
}

FunctionId Builder::Function(TypeId type) {
  FunctionId id = program_.functions.Add({});
  program_.functions[id].type = type;
  const std::vector<TypeId>& params = program_.types.GetSignature(program_.types[type].signature).params;
  program_.functions[id].params.reserve(params.size());
  program_.functions[id].locals.reserve(params.size() + 8);
  for (TypeId param : params) {
    VarId var = Local(id, param, Storage::Param);
    program_.functions[id].params.push_back(var);
  }
  BlockId body = NewBlock(id);
  program_.functions[id].body = body;
  program_.function_order.push_back(id);
  return id;
}

InitId Builder::InitExpr(ExprId expr) {
  Init init;
  init.kind = InitKind::Expr;
  init.expr = expr;
  return program_.inits.Add(std::move(init));
}

InitId Builder::InitList(std::vector<InitItem> items, bool designated) {
  Init init;
  init.kind = InitKind::List;
  init.items = std::move(items);
  init.designated = designated;
  return program_.inits.Add(std::move(init));
}

InitId Builder::InitString(StringId string) {
  Init init;
  init.kind = InitKind::String;
  init.string = string;
  return program_.inits.Add(std::move(init));
}

StmtId Builder::Statement(Stmt stmt) { return program_.stmts.Add(stmt); }

StmtId Builder::ExprStatement(ExprId expr) {
  Stmt stmt;
  stmt.kind = StmtKind::Expr;
  stmt.expr = expr;
  return Statement(stmt);
}

StmtId Builder::Decl(VarId var) {
  Stmt stmt;
  stmt.kind = StmtKind::Decl;
  stmt.var = var;
  return Statement(stmt);
}

BlockId Builder::NewBlock(FunctionId function) {
  Block block;
  block.function = function;
  return program_.blocks.Add(std::move(block));
}

void Builder::LinkBodies(BlockId block, StmtId id) {
  const Stmt stmt = program_.stmts[id];
  for (BlockId body : {stmt.body, stmt.other}) {
    if (!body) continue;
    program_.blocks[body].outer = block;
    program_.blocks[body].owner = id;
    program_.blocks[body].function = program_.blocks[block].function;
  }
  if (stmt.kind == StmtKind::Label) program_.labels[stmt.label].block = block;
}

void Builder::Append(BlockId block, StmtId stmt) {
  std::vector<StmtId>& stmts = program_.blocks[block].stmts;
  if (stmts.capacity() == 0) stmts.reserve(8);  // few blocks are smaller
  stmts.push_back(stmt);
  LinkBodies(block, stmt);
}

void Builder::Insert(BlockId block, size_t position, StmtId stmt) {
  std::vector<StmtId>& stmts = program_.blocks[block].stmts;
  stmts.insert(stmts.begin() + static_cast<std::ptrdiff_t>(position), stmt);
  LinkBodies(block, stmt);
}

LabelList Builder::Labels(std::span<const LabelId> labels) {
  const LabelList list{static_cast<uint32_t>(program_.label_lists.size()), static_cast<uint32_t>(labels.size())};
  program_.label_lists.insert(program_.label_lists.end(), labels.begin(), labels.end());
  return list;
}

LabelId Builder::NewLabel() { return program_.labels.Add({}); }

}  // namespace assay::lang
