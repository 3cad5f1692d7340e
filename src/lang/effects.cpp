#include "lang/effects.hpp"

#include "lang/constraints.hpp"

namespace assay::lang {
namespace {

class EffectCollector {
 public:
  explicit EffectCollector(const Program& program) : program_(program), volatile_(program.types.Size()) {}

  void Function(const lang::Function& function, Effects& effects) {
    effects_ = &effects;
    for (VarId param : function.params) Access(program_.vars[param].type);
    RunBlock(function.body);
  }

  void Static(InitId init, Effects& effects) {
    effects_ = &effects;
    Initialiser(init);
  }

 private:
  void Initialiser(InitId id) {
    const Init& init = program_.inits[id];
    if (init.expr) Expression(init.expr);
    for (const InitItem& item : init.items) Initialiser(item.init);
  }

  void RunBlock(BlockId id) {
    for (StmtId stmt : program_.blocks[id].stmts) Statement(program_.stmts[stmt]);
  }

  void Statement(const Stmt& stmt) {
    if (stmt.kind == StmtKind::Barrier) effects_->writes = true;
    if (stmt.kind == StmtKind::GotoTable) effects_->has_label_table = true;
    for (ExprId e : {stmt.expr, stmt.init, stmt.step}) {
      if (e) Expression(e);
    }
    if (stmt.var) {
      const Variable& var = program_.vars[stmt.var];
      Access(var.type);
      if (var.IsStatic()) effects_->writes = true;
      if (var.vla_length) {
        effects_->has_vla = true;
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
    if (!effects_->writes) Access(e.type);  // or else nothing worse is to be known
    switch (e.kind) {
      case ExprKind::Call:
        if (program_.exprs[e.lhs].kind == ExprKind::Function) {
          effects_->callees.push_back(program_.exprs[e.lhs].Func());
          for (uint32_t i = 0; i < e.args.count; ++i) Expression(program_.Arg(e, i));
          return Visited::Pass;  // the designator is a callee, not an address
        }
        effects_->writes = true;
        break;
      case ExprKind::Function: effects_->addressed.push_back(e.Func()); return Visited::Pass;
      case ExprKind::CompoundLiteral:
        if (program_.vars[e.Var()].init) Initialiser(program_.vars[e.Var()].init);
        break;
      case ExprKind::Variable:
        if (program_.vars[e.Var()].IsStatic()) effects_->reads = true;
        return Visited::Pass;
      case ExprKind::Deref:
      case ExprKind::String: effects_->reads = true; break;
      case ExprKind::Index:
        if (const TypeKind base = program_.types.Kind(program_.exprs[e.lhs].type); !IsArray(base) && !IsVector(base)) {
          effects_->reads = true;
        }
        break;
      case ExprKind::Assign:
      case ExprKind::CompoundAssign:
      case ExprKind::IncDec:
        if (!effects_->writes && !IsOwn(BaseVariable(program_, e.lhs))) effects_->writes = true;
        break;
      case ExprKind::Builtin:
        if (!Info(e.GetBuiltin()).pure) effects_->writes = true;
        break;
      case ExprKind::Guard: effects_->writes = true; break;
      case ExprKind::Constant:
      case ExprKind::EnumConstant:
      case ExprKind::SizeofType: return Visited::Pass;
      case ExprKind::Unary:
      case ExprKind::Binary:
      case ExprKind::LogicalAnd:
      case ExprKind::LogicalOr:
      case ExprKind::Conditional:
      case ExprKind::Comma:
      case ExprKind::Cast:
      case ExprKind::AddressOf:
      case ExprKind::Member:
      case ExprKind::SizeofExpr:
      case ExprKind::kCount: break;
    }
    return Visited::Descend;
  }

  bool IsOwn(VarId id) const {
    return id && !program_.vars[id].IsStatic() && program_.vars[id].storage != Storage::Literal;
  }

  // An object of the type, or a part of it, is accessed.
  void Access(TypeId type) {
    Known& known = volatile_[type.index];
    if (known == Known::NotAsked) known = HasQualifier(program_, type, kVolatile) ? Known::Yes : Known::No;
    if (known == Known::Yes) effects_->writes = true;
  }

  enum class Known : uint8_t { NotAsked, No, Yes };

  const Program& program_;
  std::vector<Known> volatile_;  // by TypeId: whether a part of it is volatile
  Effects* effects_ = nullptr;
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
  EffectCollector collector(program);
  for (FunctionId id : program.function_order) collector.Function(program.functions[id], effects[id.index]);
  for (const Variable& var : program.vars) {
    if (var.IsStatic() && var.init) collector.Static(var.init, statics);
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
  if (variadic || own.has_vla || own.has_label_table || effects.addressed[id.index] || effects.recursive[id.index])
    untrue |= kFnAlwaysInline;
  return untrue;
}

}  // namespace assay::lang
