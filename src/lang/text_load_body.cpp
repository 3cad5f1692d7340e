// The text form: initialisers, expressions and statements.
#include <algorithm>

#include "lang/text_loader.hpp"

namespace assay::lang {

void TextLoader::Values() {
  while (!in_.Failed()) {
    if (in_.TakeIf("length")) {
      const VarId var = VarRef();
      const ExprId length = Expression();
      if (in_.Failed()) return;
      if (types_.Kind(program_.vars[var].type) != TypeKind::Vla) return in_.Fail("a length of something not a VLA");
      if (!IsInteger(types_.Kind(program_[length].type))) return in_.Fail("a length that is not an integer");
      program_.vars[var].vla_length = length;
    } else if (in_.TakeIf("init")) {
      const VarId var = VarRef();
      if (in_.Failed()) return;
      if (program_.vars[var].init) return in_.Fail("a second initialiser");
      const InitId init = Initialiser(program_.vars[var].type);
      program_.vars[var].init = init;
    } else {
      return;
    }
    in_.EndLine();
  }
}

InitId TextLoader::Initialiser(TypeId id) {
  const Nesting nesting(*this);
  if (!nesting.Entered()) return {};
  const Type type = types_[id];
  if (in_.TakeIf("str")) {
    const StringId string(in_.Ref(program_.strings.Size(), "string"));
    if (in_.Failed()) return {};
    if (type.kind != TypeKind::Array || !IsCharacter(types_.Kind(type.element)) ||
        type.length <= program_.strings[string].size()) {
      in_.Fail("the string does not fit what it initialises");
    }
    return builder_.InitString(string);
  }
  if (!in_.TakeIf("{")) {
    const ExprId value = Expression();
    if (!in_.Failed() && !IsAssignable(program_, id, value)) in_.Fail("the value does not fit what it initialises");
    return in_.Failed() ? InitId() : builder_.InitExpr(value);
  }
  const bool counted = type.kind == TypeKind::Array || IsVector(type.kind);
  if (!counted && !IsRecord(type.kind)) in_.Fail("a list for a scalar");
  const bool designated = in_.TakeIf("designated");
  std::vector<InitItem> items;
  while (!in_.Failed() && !in_.TakeIf("}")) {
    const uint32_t index = in_.Ref(counted ? type.length : MemberCount(type), "part");
    in_.Expect(":");
    if (in_.Failed()) break;
    TypeId part = type.element;
    if (IsRecord(type.kind)) {
      const Member& member = types_.GetRecord(type.record).members[index];
      if (!member.named) in_.Fail("an initialiser for an unnamed member");
      part = member.type;
    }
    items.push_back({index, Initialiser(part)});
  }
  return builder_.InitList(std::move(items), designated);
}

size_t TextLoader::MemberCount(const Type& type) const {
  return IsRecord(type.kind) ? types_.GetRecord(type.record).members.size() : 0;
}

void TextLoader::Details(Expr& e) {
  switch (e.kind) {
    case ExprKind::Constant:
      e.type = ReadType();
      e.value = in_.Word().starts_with('-') ? static_cast<uint64_t>(in_.Signed()) : in_.Unsigned();
      e.detail = Find(words::kSpellings, "a spelling of constants");
      return;
    case ExprKind::EnumConstant:
      e.ref = in_.Ref(types_.EnumCount(), "enum");
      e.value = in_.Unsigned();
      return;
    case ExprKind::String: e.ref = in_.Ref(program_.strings.Size(), "string"); return;
    case ExprKind::Variable:
    case ExprKind::CompoundLiteral: e.ref = VarRef().index; return;
    case ExprKind::Function: e.ref = in_.Ref(program_.functions.Size(), "function"); return;
    case ExprKind::Unary: e.op = FindSpelling(kUnaryOps, "a unary operator"); return;
    case ExprKind::Binary:
    case ExprKind::CompoundAssign: e.op = FindSpelling(kBinaryOps, "a binary operator"); return;
    case ExprKind::IncDec: e.op = FindSpelling(kIncDecOps, "an increment"); return;
    case ExprKind::Cast: e.type = ReadType(); return;
    case ExprKind::Index: e.detail = in_.TakeIf("swapped") ? 1 : 0; return;
    case ExprKind::Member: e.ref = static_cast<uint32_t>(in_.Unsigned(TextReader::kMaxCount)); return;
    case ExprKind::SizeofType: e.ref = ReadType().index; return;
    case ExprKind::Builtin:
      e.op = FindSpelling(kBuiltins, "a builtin");
      e.type = ReadType();
      e.ref = in_.TakeIf("none") ? TypeId().index : ReadType().index;
      return;
    case ExprKind::Guard:
      e.type = ReadType();
      e.ref = VarRef().index;
      e.value = in_.Unsigned();
      return;
    case ExprKind::LogicalAnd:
    case ExprKind::LogicalOr:
    case ExprKind::Conditional:
    case ExprKind::Comma:
    case ExprKind::Assign:
    case ExprKind::AddressOf:
    case ExprKind::Deref:
    case ExprKind::SizeofExpr:
    case ExprKind::Call: return;
    case ExprKind::kCount: in_.Fail("not an expression of a finished program");
  }
}

ExprId TextLoader::Expression() {
  const Nesting nesting(*this);
  in_.Expect("(");
  std::string_view word = in_.Take();
  if (!nesting.Entered()) return {};
  Expr e;
  if (word.ends_with('!')) {
    e.repaired = true;
    word.remove_suffix(1);
  }
  size_t kind = 0;
  while (kind < kExprKinds.size() && kExprKinds[kind].name != word) ++kind;
  if (kind == kExprKinds.size()) {
    in_.Fail(fmt::format("'{}' is not a kind of expression", TextReader::Clip(word)));
    return {};
  }
  e.kind = static_cast<ExprKind>(kind);
  Details(e);
  const ExprKindInfo& info = Info(e.kind);
  if (info.children > 0) e.lhs = Expression();
  if (info.children > 1) e.rhs = Expression();
  if (e.kind == ExprKind::Guard && in_.Word() == "(") e.detail = 1;
  if (info.children > 2 || (e.kind == ExprKind::Guard && e.detail == 1)) e.third = Expression();
  if (info.has_args) {
    std::vector<ExprId> arguments;
    while (!in_.Failed() && in_.Word() == "(") arguments.push_back(Expression());
    e.args = {static_cast<uint32_t>(program_.args.size()), static_cast<uint32_t>(arguments.size())};
    program_.args.insert(program_.args.end(), arguments.begin(), arguments.end());
  }
  in_.Expect(")");
  if (in_.Failed()) return {};
  if (const std::string_view problem = OperandProblem(program_, e); !problem.empty()) {
    in_.Fail(fmt::format("{}: {}", info.name, problem));
    return {};
  }
  return builder_.Add(e);
}

void TextLoader::Body() {
  in_.Expect("body");
  function_ = FunctionId(in_.Ref(program_.functions.Size(), "function"));
  in_.EndLine();
  if (in_.Failed()) return;
  if (has_body_[function_.index]) return in_.Fail("a second body");
  has_body_[function_.index] = true;
  Statements(program_.functions[function_].body, "end");
  Relink(program_);
}

void TextLoader::Statements(BlockId block, std::string_view end) {
  const Nesting nesting(*this);
  while (nesting.Entered() && !in_.Failed() && !in_.TakeIf(end)) Statement(block);
  in_.EndLine();
}

BlockId TextLoader::Braces() {
  in_.Expect("{");
  in_.EndLine();
  const BlockId block = builder_.NewBlock(function_);
  Statements(block, "}");
  return block;
}

LabelId TextLoader::LabelRef() {
  const uint32_t number = in_.Ref(program_.labels.Size() + 1, "label");
  if (!in_.Failed() && number == program_.labels.Size()) builder_.NewLabel();
  return LabelId(number);
}

void TextLoader::Statement(BlockId block) {
  const std::string_view word = in_.Take();
  size_t kind = 0;
  while (kind < kStmtKinds.size() && kStmtKinds[kind].name != word) ++kind;
  if (kind == kStmtKinds.size()) return in_.Fail(fmt::format("'{}' is not a statement", TextReader::Clip(word)));
  Stmt stmt;
  stmt.kind = static_cast<StmtKind>(kind);
  bool body = false;
  switch (stmt.kind) {
    case StmtKind::Empty:
    case StmtKind::Break:
    case StmtKind::Continue:
    case StmtKind::Default: break;
    case StmtKind::Expr: stmt.expr = Expression(); break;
    case StmtKind::Decl: stmt.var = VarRef(); break;
    case StmtKind::Block: body = true; break;
    case StmtKind::If:
    case StmtKind::While:
    case StmtKind::DoWhile:
    case StmtKind::Switch:
      stmt.expr = Expression();
      body = true;
      break;
    case StmtKind::For:
      if (in_.TakeIf("var")) stmt.var = VarRef();
      if (in_.TakeIf("init")) stmt.init = Expression();
      if (in_.TakeIf("while")) stmt.expr = Expression();
      if (in_.TakeIf("step")) stmt.step = Expression();
      body = true;
      break;
    case StmtKind::Case:
      stmt.value = in_.Signed();
      if (!in_.AtLineEnd()) stmt.span = in_.Unsigned();
      break;
    case StmtKind::GotoTable: {
      stmt.value = in_.TakeIf("static") ? 1 : 0;
      if (stmt.value == 0) in_.Expect("auto");
      std::vector<LabelId> labels;
      while (!in_.Failed() && in_.Word() != "(") labels.push_back(LabelRef());
      stmt.labels = builder_.Labels(labels);
      stmt.expr = Expression();
      break;
    }
    case StmtKind::Barrier: {
      const std::string_view name = in_.Take();
      const auto row =
          std::find_if(kBarriers.begin(), kBarriers.end(), [&](const BarrierInfo& b) { return b.name == name; });
      if (row == kBarriers.end()) return in_.Fail(fmt::format("'{}' is not a barrier", TextReader::Clip(name)));
      stmt.value = static_cast<int64_t>(row->kind);
      if (!in_.AtLineEnd()) stmt.expr = Expression();
      break;
    }
    case StmtKind::Label:
    case StmtKind::Goto: stmt.label = LabelRef(); break;
    case StmtKind::Return:
      if (!in_.AtLineEnd()) stmt.expr = Expression();
      break;
    case StmtKind::kCount: break;
  }
  if (Info(stmt.kind).loop && in_.TakeIf("unroll")) stmt.span = in_.Unsigned();
  in_.EndLine();
  if (body && !in_.Failed()) stmt.body = Braces();
  if (stmt.kind == StmtKind::If && in_.TakeIf("else")) {
    in_.EndLine();
    stmt.other = Braces();
  }
  if (in_.Failed()) return;
  if (stmt.kind == StmtKind::Label && program_.labels[stmt.label].block) return in_.Fail("a label for the second time");
  builder_.Append(block, builder_.Statement(stmt));
}

}  // namespace assay::lang
