#include "reduce/walk.hpp"

namespace assay::reduce {

using namespace lang;  // NOLINT: the model's names

namespace {

class Walker {
 public:
  Walker(const Program& program, const std::function<void(const Place&)>& visit) : program_(program), visit_(visit) {}

  void Run() {
    for (VarId var : program_.globals) Object(var, {});
    for (FunctionId function : program_.function_order) {
      for (VarId var : program_[function].temporaries) Object(var, {.function = function});
      if (program_[function].body) Walk(program_[function].body, function);
    }
  }

 private:
  void Walk(BlockId block, FunctionId function) {
    for (StmtId id : program_[block].stmts) {
      const Stmt stmt = program_[id];
      const Place here{.stmt = id, .function = function};
      if (stmt.var) Object(stmt.var, here);
      if (stmt.init) Root(stmt.init, here, true);
      if (stmt.expr) Root(stmt.expr, here, stmt.kind == StmtKind::Expr, stmt.kind == StmtKind::Barrier);
      if (stmt.step) Root(stmt.step, here, true);
      if (stmt.body) Walk(stmt.body, function);
      if (stmt.other) Walk(stmt.other, function);
    }
  }

  void Root(ExprId id, Place place, bool discarded, bool lvalue = false) {
    place.id = id;
    place.lvalue = lvalue;
    place.discarded = discarded;
    Walk(place);
  }

  void Object(VarId id, Place place) {
    const Variable var = program_[id];
    place.constant = var.IsStatic();
    if (var.vla_length) Root(var.vla_length, place, false);
    if (var.init) Initialiser(var.init, place);
  }

  void Initialiser(InitId id, const Place& place) {
    const Init init = program_.inits[id];
    if (init.kind == InitKind::Expr) Root(init.expr, place, false);
    for (const InitItem& item : init.items) Initialiser(item.init, place);
  }

  void Walk(const Place& place) {
    visit_(place);
    const Expr e = program_[place.id];  // a copy: visit may change the program
    if (e.kind == ExprKind::CompoundLiteral) Object(e.Var(), place);
    const ExprKindInfo& info = Info(e.kind);
    if (info.children > 0) Child(place, e, e.lhs, 0);
    if (info.children > 1) Child(place, e, e.rhs, 1);
    if (info.children > 2 || (e.kind == ExprKind::Guard && e.detail == 1)) Child(place, e, e.third, 2);
    if (info.has_args) {
      for (uint32_t i = 0; i < e.args.count; ++i) {
        Child(place, e, program_.Arg(e, i), static_cast<uint8_t>(3 + i));
      }
    }
  }

  void Child(const Place& parent, const Expr& e, ExprId id, uint8_t operand) {
    Place place = parent;
    place.id = id;
    place.parent = parent.id;
    place.operand = operand;
    place.discarded = (e.kind == ExprKind::Comma && operand == 0) || (e.kind == ExprKind::Comma && parent.discarded);
    place.lvalue = NeedsLvalue(e, id, operand) || (parent.lvalue && IsLane(e) && operand == 0);
    // Nothing may be stored in what the compiler need not evaluate.
    const bool either_way = e.kind == ExprKind::Builtin && IsEitherWay(e.GetBuiltin());
    place.unevaluated = parent.unevaluated || e.kind == ExprKind::SizeofExpr || either_way;
    Walk(place);
  }

  bool IsLane(const Expr& e) const {
    return e.kind == ExprKind::Index && IsVector(program_.types.Kind(program_[e.lhs].type));
  }

  bool NeedsLvalue(const Expr& e, ExprId child, uint8_t operand) const {
    switch (e.kind) {
      case ExprKind::Assign:
      case ExprKind::CompoundAssign:
      case ExprKind::IncDec:
      case ExprKind::AddressOf: return operand == 0;
      case ExprKind::Member: return IsLvalue(program_, child);
      case ExprKind::Index: return operand == 0 && IsArray(program_.types.Kind(program_[child].type));
      case ExprKind::Guard: return operand == 2;
      case ExprKind::Builtin: return TakesLvalue(e.GetBuiltin());
      case ExprKind::Constant:
      case ExprKind::EnumConstant:
      case ExprKind::String:
      case ExprKind::Variable:
      case ExprKind::Function:
      case ExprKind::Unary:
      case ExprKind::Binary:
      case ExprKind::LogicalAnd:
      case ExprKind::LogicalOr:
      case ExprKind::Conditional:
      case ExprKind::Comma:
      case ExprKind::Cast:
      case ExprKind::Deref:
      case ExprKind::SizeofType:
      case ExprKind::SizeofExpr:
      case ExprKind::Call:
      case ExprKind::CompoundLiteral:
      case ExprKind::kCount: break;
    }
    return false;
  }

  const Program& program_;
  const std::function<void(const Place&)>& visit_;
};

void WalkBlock(const Program& program, BlockId block, uint32_t depth,
               const std::function<void(StmtId, BlockId, uint32_t)>& visit) {
  const std::vector<StmtId> stmts = program[block].stmts;
  for (StmtId id : stmts) {
    visit(id, block, depth);
    const Stmt stmt = program[id];
    if (stmt.body) WalkBlock(program, stmt.body, depth + 1, visit);
    if (stmt.other) WalkBlock(program, stmt.other, depth + 1, visit);
  }
}

}  // namespace

void ForEachPlace(const Program& program, const std::function<void(const Place&)>& visit) {
  Walker(program, visit).Run();
}

void ForEachStmt(const Program& program, const std::function<void(StmtId, BlockId, uint32_t)>& visit) {
  for (FunctionId function : program.function_order) {
    if (program[function].body) WalkBlock(program, program[function].body, 0, visit);
  }
}

Mentions CountMentions(const Program& program) {
  Mentions result;
  result.vars.resize(program.vars.Size());
  result.functions.resize(program.functions.Size());
  result.addresses.resize(program.functions.Size());
  result.labels.resize(program.labels.Size());
  ForEachPlace(program, [&](const Place& place) {
    const Expr& e = program[place.id];
    if (e.kind == ExprKind::Variable || e.kind == ExprKind::CompoundLiteral || e.kind == ExprKind::Guard) {
      ++result.vars[e.ref];
    }
    if (e.kind != ExprKind::Function) return;
    ++result.functions[e.ref];
    const bool called = place.parent && place.operand == 0 && program[place.parent].kind == ExprKind::Call;
    if (!called) ++result.addresses[e.ref];
  });
  ForEachStmt(program, [&](StmtId id, BlockId, uint32_t) {
    const Stmt& stmt = program[id];
    if (stmt.kind == StmtKind::Goto) ++result.labels[stmt.label.index];
    for (uint32_t i = 0; i < stmt.labels.count; ++i) ++result.labels[program.LabelOf(stmt, i).index];
  });
  return result;
}

std::vector<bool> ReachableFunctions(const Program& program) {
  std::vector<std::vector<FunctionId>> calls(program.functions.Size());
  std::vector<FunctionId> work = {program.entry};
  ForEachPlace(program, [&](const Place& place) {
    const Expr& e = program[place.id];
    if (e.kind != ExprKind::Function) return;
    if (place.function) {
      calls[place.function.index].push_back(e.Func());
    } else {
      work.push_back(e.Func());
    }
  });
  std::vector<bool> reached(program.functions.Size());
  while (!work.empty()) {
    const FunctionId function = work.back();
    work.pop_back();
    if (reached[function.index]) continue;
    reached[function.index] = true;
    work.insert(work.end(), calls[function.index].begin(), calls[function.index].end());
  }
  return reached;
}

}  // namespace assay::reduce
