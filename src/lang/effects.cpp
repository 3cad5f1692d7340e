#include "lang/effects.hpp"

#include "lang/constraints.hpp"

namespace assay::lang {
namespace {

class EffectCollector {
 public:
  EffectCollector(const Program& program, Effects& effects) : program_(program), effects_(effects) {}

  void Run(const Function& function) {
    for (VarId param : function.params) {
      if (HasVolatile(program_.vars[param].type)) effects_.writes = true;
    }
    RunBlock(function.body);
  }

  void Initialiser(InitId id) {
    const Init& init = program_.inits[id];
    if (init.expr) Expression(init.expr);
    for (const InitItem& item : init.items) Initialiser(item.init);
  }

 private:
  void RunBlock(BlockId id) {
    for (StmtId stmt : program_.blocks[id].stmts) Statement(program_.stmts[stmt]);
  }

  void Statement(const Stmt& stmt) {
    for (ExprId e : {stmt.expr, stmt.init, stmt.step}) {
      if (e) Expression(e);
    }
    if (stmt.var) {
      const Variable& var = program_.vars[stmt.var];
      if (var.IsStatic() || HasVolatile(var.type)) effects_.writes = true;
      if (var.vla_length) {
        effects_.has_vla = true;
        Expression(var.vla_length);
      }
      if (var.init) Initialiser(var.init);
    }
    if (stmt.body) RunBlock(stmt.body);
    if (stmt.other) RunBlock(stmt.other);
  }

  void Expression(ExprId id) {
    Walk(program_, id, [this](const Expr& e) { return Visit(e); });
  }

  Visited Visit(const Expr& e) {
    switch (e.kind) {
      case ExprKind::Call:
        if (program_.exprs[e.lhs].kind == ExprKind::Function) {
          effects_.callees.push_back(program_.exprs[e.lhs].Func());
          for (uint32_t i = 0; i < e.args.count; ++i) Expression(program_.args[e.args.first + i]);
          if (HasVolatile(e.type)) effects_.writes = true;
          return Visited::Pass;  // the designator is a callee, not an address
        }
        effects_.writes = true;
        break;
      case ExprKind::Function: effects_.addressed.push_back(e.Func()); break;
      case ExprKind::CompoundLiteral:
        if (program_.vars[e.Var()].init) Initialiser(program_.vars[e.Var()].init);
        if (HasVolatile(program_.vars[e.Var()].type)) effects_.writes = true;
        break;
      default: break;
    }
    if (!effects_.writes) Touch(e);  // or else nothing worse is to be known
    return Visited::Descend;
  }

  void Touch(const Expr& e) {
    switch (e.kind) {
      case ExprKind::Variable:
        if (program_.vars[e.Var()].IsStatic()) effects_.reads = true;
        break;
      case ExprKind::Deref:
      case ExprKind::String: effects_.reads = true; break;
      case ExprKind::Index:
        if (!IsArray(program_.types.Kind(program_.exprs[e.lhs].type))) effects_.reads = true;
        break;
      case ExprKind::Assign:
      case ExprKind::CompoundAssign:
      case ExprKind::IncDec:
        if (!IsOwn(BaseVariable(program_, e.lhs))) effects_.writes = true;
        break;
      case ExprKind::Builtin:
      case ExprKind::Guard: effects_.writes = true; break;
      default: break;
    }
    if (HasVolatile(e.type)) effects_.writes = true;
  }

  bool IsOwn(VarId id) const {
    return id && !program_.vars[id].IsStatic() && program_.vars[id].storage != Storage::Literal;
  }
  bool HasVolatile(TypeId type) const { return HasQualifier(program_, type, kVolatile); }

  const Program& program_;
  Effects& effects_;
};

std::vector<bool> InCycles(const std::vector<Effects>& effects) {
  std::vector<bool> result(effects.size());
  for (size_t start = 0; start < effects.size(); ++start) {
    std::vector<bool> seen(effects.size());
    std::vector<FunctionId> work = effects[start].callees;
    while (!work.empty() && !result[start]) {
      const FunctionId id = work.back();
      work.pop_back();
      if (id.index == start) result[start] = true;
      if (seen[id.index]) continue;
      seen[id.index] = true;
      work.insert(work.end(), effects[id.index].callees.begin(), effects[id.index].callees.end());
    }
  }
  return result;
}

}  // namespace

ProgramEffects EffectsOf(const Program& program) {
  ProgramEffects result;
  std::vector<Effects>& effects = result.functions;
  effects.resize(program.functions.Size());
  Effects statics;
  for (FunctionId id : program.function_order) EffectCollector(program, effects[id.index]).Run(program.functions[id]);
  for (const Variable& var : program.vars) {
    if (var.IsStatic() && var.init) EffectCollector(program, statics).Initialiser(var.init);
  }
  // Effects spread from callees to callers until nothing changes.
  for (bool changed = true; changed;) {
    changed = false;
    for (FunctionId id : program.function_order) {
      Effects& own = effects[id.index];
      for (FunctionId callee : own.callees) {
        const Effects& other = effects[callee.index];
        if ((other.writes && !own.writes) || (other.reads && !own.reads)) changed = true;
        own.writes = own.writes || other.writes;
        own.reads = own.reads || other.reads;
      }
    }
  }
  result.recursive = InCycles(effects);
  result.addressed.resize(program.functions.Size());
  for (const Effects& e : effects) {
    for (FunctionId id : e.addressed) result.addressed[id.index] = true;
  }
  for (FunctionId id : statics.addressed) result.addressed[id.index] = true;
  return result;
}

uint8_t UntrueAttributes(const Program& program, const ProgramEffects& effects, FunctionId id) {
  const Effects& own = effects.functions[id.index];
  const Type& type = program.types[program.functions[id].type];
  const bool variadic = program.types.GetSignature(type.signature).variadic;
  uint8_t untrue = 0;
  if (own.writes || program.types.Kind(type.element) == TypeKind::Void) untrue |= kFnPure | kFnConst;
  if (own.reads) untrue |= kFnConst;
  if (variadic || own.has_vla || effects.addressed[id.index] || effects.recursive[id.index]) untrue |= kFnAlwaysInline;
  return untrue;
}

}  // namespace assay::lang
