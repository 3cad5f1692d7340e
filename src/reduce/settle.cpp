#include "reduce/settle.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "lang/constraints.hpp"
#include "lang/typing.hpp"
#include "reduce/walk.hpp"

namespace assay::reduce {

using namespace lang;  // NOLINT: the model's names

namespace {

void DropEmpty(Program& program, BlockId block) {
  std::vector<StmtId>& stmts = program.blocks[block].stmts;
  std::erase_if(stmts, [&](StmtId id) { return program[id].kind == StmtKind::Empty; });
  for (StmtId id : std::vector(stmts)) {
    const Stmt stmt = program[id];
    if (stmt.body) DropEmpty(program, stmt.body);
    if (stmt.other) {
      DropEmpty(program, stmt.other);
      if (program[stmt.other].stmts.empty()) program.stmts[id].other = {};
    }
  }
}

// Types of all expressions, from the leaves up; false if an operand does not fit.
bool Retype(Program& program) {
  return ForEachExprUp(program, [&](ExprId id) {
    Expr e = program[id];
    if (e.kind == ExprKind::Guard) e.type = OperandType(program, e.lhs);
    if (!OperandProblem(program, e).empty()) return false;
    e.type = TypeOf(program, e);
    program.exprs[id] = e;
    return true;
  });
}

// Scopes and everything else that concerns more than one node.
class Scopes {
 public:
  explicit Scopes(Program& program)
      : program_(program),
        visible_(program.vars.Size()),
        literals_(program.vars.Size()),
        known_(program.functions.Size()) {}

  bool Run() {
    for (FunctionId function : program_.function_order) known_[function.index] = true;
    if (!program_.entry || !known_[program_.entry.index]) return false;
    for (VarId var : program_.globals) visible_[var.index] = true;
    for (VarId var : program_.globals) {
      if (!Object(var)) return false;
    }
    for (FunctionId function : program_.function_order) {
      if (!RunFunction(function)) return false;
    }
    return true;
  }

 private:
  struct Jump {
    LabelId label;
    std::vector<VarId> vlas;  // in scope where it starts
  };

  bool RunFunction(FunctionId id) {
    function_ = id;
    const Function function = program_[id];
    labels_.clear();
    gotos_.clear();
    std::vector<VarId> declared = function.params;
    declared.insert(declared.end(), function.temporaries.begin(), function.temporaries.end());
    for (VarId var : declared) visible_[var.index] = true;
    bool ok = RunBlock(function.body, false);
    for (VarId var : declared) visible_[var.index] = false;
    for (const Jump& jump : gotos_) ok = ok && CanJump(jump);
    return ok;
  }

  // Into the scope of no variable-length array that it does not come from.
  bool CanJump(const Jump& jump) const {
    const auto target = labels_.find(jump.label.index);
    if (target == labels_.end()) return false;
    const std::vector<VarId>& there = target->second;
    return there.size() <= jump.vlas.size() &&
           std::equal(there.begin(), there.end(), jump.vlas.begin());
  }

  bool RunBlock(BlockId block, bool switch_body) {
    const size_t outer_vlas = vlas_.size();
    std::vector<VarId> declared;
    std::set<int64_t> cases;
    bool has_default = false, ok = true;
    for (StmtId id : program_[block].stmts) {
      const Stmt& stmt = program_[id];
      const bool marker = stmt.kind == StmtKind::Case || stmt.kind == StmtKind::Default;
      ok = ok && (!marker || vlas_.size() == outer_vlas);
      if (stmt.kind == StmtKind::Case) ok = ok && switch_body && cases.insert(stmt.value).second;
      if (stmt.kind == StmtKind::Default) {
        ok = ok && switch_body && !has_default;
        has_default = true;
      }
      ok = ok && RunStatement(stmt, declared);
      if (!ok) break;
    }
    for (VarId var : declared) visible_[var.index] = false;
    vlas_.resize(outer_vlas);
    return ok;
  }

  bool Declare(VarId var, std::vector<VarId>& declared) {
    if (visible_[var.index] || program_[var].function != function_) return false;
    visible_[var.index] = true;
    declared.push_back(var);
    if (program_.types.Kind(program_[var].type) == TypeKind::Vla) vlas_.push_back(var);
    return Object(var);
  }

  bool RunStatement(const Stmt& stmt, std::vector<VarId>& declared) {
    switch (stmt.kind) {
      case StmtKind::Empty:
      case StmtKind::Case:
      case StmtKind::Default:
        return true;
      case StmtKind::Expr:
        return Expression(stmt.expr);
      case StmtKind::Decl:
        return Declare(stmt.var, declared);
      case StmtKind::Block:
        return RunBlock(stmt.body, false);
      case StmtKind::If:
        return Condition(stmt.expr) && RunBlock(stmt.body, false) &&
               (!stmt.other || RunBlock(stmt.other, false));
      case StmtKind::For:
        return RunFor(stmt);
      case StmtKind::While:
      case StmtKind::DoWhile:
        return Condition(stmt.expr) && RunLoopBody(stmt.body);
      case StmtKind::Switch: {
        if (!Expression(stmt.expr) || !IsInteger(program_.types.Kind(program_[stmt.expr].type)) ||
            IsPromotionUnclear(program_, stmt.expr))
          return false;
        ++breakable_;
        const bool ok = RunBlock(stmt.body, true);
        --breakable_;
        return ok;
      }
      case StmtKind::Label:
        return labels_.emplace(stmt.label.index, vlas_).second;
      case StmtKind::Goto:
        gotos_.push_back({stmt.label, vlas_});
        return true;
      case StmtKind::Break:
        return breakable_ > 0;
      case StmtKind::Continue:
        return loops_ > 0;
      case StmtKind::Return: {
        const TypeId result = program_.types[program_[function_].type].element;
        const bool is_void = program_.types.Kind(result) == TypeKind::Void;
        if (!stmt.expr) return is_void;
        return !is_void && Expression(stmt.expr) && IsAssignable(program_, result, stmt.expr);
      }
      case StmtKind::kCount:
        break;
    }
    return false;
  }

  bool RunFor(const Stmt& stmt) {
    std::vector<VarId> declared;
    const bool ok = (!stmt.var || Declare(stmt.var, declared)) &&
                    (!stmt.init || Expression(stmt.init)) && (!stmt.expr || Condition(stmt.expr)) &&
                    (!stmt.step || Expression(stmt.step)) && RunLoopBody(stmt.body);
    for (VarId var : declared) visible_[var.index] = false;
    return ok;
  }

  bool RunLoopBody(BlockId body) {
    ++loops_;
    ++breakable_;
    const bool ok = RunBlock(body, false);
    --loops_;
    --breakable_;
    return ok;
  }

  bool Condition(ExprId id) {
    return Expression(id) && IsScalar(program_.types.Kind(ValueType(program_, id)));
  }

  bool Expression(ExprId id) {
    const Expr& e = program_[id];
    switch (e.kind) {
      case ExprKind::Variable:
        return visible_[e.ref];
      case ExprKind::Guard:
        if (!visible_[e.ref]) return false;
        break;
      case ExprKind::Function:
        return known_[e.ref];
      case ExprKind::CompoundLiteral:
        if (literals_[e.ref]) return false;  // each has an object of its own
        literals_[e.ref] = true;
        return (!function_ || program_[e.Var()].function == function_) && Object(e.Var());
      default:
        break;
    }
    bool ok = true;
    ForEachChild(program_, e, [&](ExprId child) { ok = ok && Expression(child); });
    return ok;
  }

  bool Object(VarId id) {
    const Variable var = program_[id];
    const bool is_vla = program_.types.Kind(var.type) == TypeKind::Vla;
    if (is_vla != var.vla_length.Valid() || (is_vla && (!Expression(var.vla_length) || var.init)))
      return false;
    if (is_vla && !IsVlaLength(program_, var.vla_length)) return false;
    if (!is_vla && !IsObjectType(program_, var.type)) return false;
    return !var.init || Initialiser(var.init, var.type);
  }

  bool Initialiser(InitId id, TypeId type_id) {
    const Init& init = program_.inits[id];
    const Type type = program_.types[type_id];
    switch (init.kind) {
      case InitKind::Expr:
        return Expression(init.expr) && IsAssignable(program_, type_id, init.expr);
      case InitKind::String:
        return type.kind == TypeKind::Array && program_.strings[init.string].size() < type.length &&
               program_.types.Kind(type.element) <= TypeKind::UChar &&
               program_.types.Kind(type.element) != TypeKind::Bool;
      case InitKind::List:
        break;
    }
    if (type.kind != TypeKind::Array && !IsRecord(type.kind)) return false;
    uint32_t next = 0;
    for (const InitItem& item : init.items) {
      while (type.kind == TypeKind::Struct && next < item.index &&
             !program_.types.GetRecord(type.record).members[next].named) {
        ++next;
      }
      const bool in_order = init.designated || type.kind == TypeKind::Union || item.index == next;
      next = item.index + 1;
      if (!in_order) return false;
      TypeId part = type.element;
      if (type.kind == TypeKind::Array) {
        if (item.index >= type.length) return false;
      } else {
        const Record& record = program_.types.GetRecord(type.record);
        if (item.index >= record.members.size() || !record.members[item.index].named) return false;
        part = record.members[item.index].type;
      }
      if (!Initialiser(item.init, part)) return false;
    }
    return true;
  }

  Program& program_;
  std::vector<bool> visible_, literals_, known_;
  FunctionId function_;
  std::vector<VarId> vlas_;                        // variable-length arrays in scope here
  std::map<uint32_t, std::vector<VarId>> labels_;  // the same at each label
  std::vector<Jump> gotos_;
  int loops_ = 0, breakable_ = 0;
};

}  // namespace

bool Settle(Case& subject) {
  Program& program = subject.program;
  for (FunctionId function : program.function_order) {
    if (program[function].body) DropEmpty(program, program[function].body);
  }
  if (subject.check && std::find(program.globals.begin(), program.globals.end(),
                                 subject.check->var) == program.globals.end()) {
    return false;
  }
  Relink(program);
  return Retype(program) && Scopes(program).Run();
}

}  // namespace assay::reduce
