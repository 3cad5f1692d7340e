#include "gen/attributes.hpp"

#include "gen/access.hpp"
#include "lang/constraints.hpp"

namespace assay::gen {
namespace {

using lang::Expr;
using lang::Stmt;

// What a function's text does to the world outside its own automatic objects; a safe over-approximation.
struct Effects {
  bool writes = false;     // or volatile, or builtins, or guards
  bool reads = false;      // static objects, or anything through a pointer
  bool has_vla = false;
  std::vector<FunctionId> callees;
  std::vector<FunctionId> addressed;  // functions whose address is taken
};

class Collector {
 public:
  Collector(const lang::Program& program, Effects& effects) : program_(program), effects_(effects) {}

  void Function(const lang::Function& function) {
    for (VarId param : function.params) {
      if (HasVolatile(program_.vars[param].type)) effects_.writes = true;
    }
    Block(function.body);
  }

  void Block(BlockId id) {
    for (StmtId stmt : program_.blocks[id].stmts) Statement(program_.stmts[stmt]);
  }

  void Init(InitId id) {
    const lang::Init& init = program_.inits[id];
    if (init.expr) Expression(init.expr);
    for (const lang::InitItem& item : init.items) Init(item.init);
  }

 private:
  void Statement(const Stmt& stmt) {
    for (ExprId e : {stmt.expr, stmt.init, stmt.step}) {
      if (e) Expression(e);
    }
    if (stmt.var) {
      const lang::Variable& var = program_.vars[stmt.var];
      if (var.IsStatic() || HasVolatile(var.type)) effects_.writes = true;
      if (var.vla_length) {
        effects_.has_vla = true;
        Expression(var.vla_length);
      }
      if (var.init) Init(var.init);
    }
    if (stmt.body) Block(stmt.body);
    if (stmt.other) Block(stmt.other);
  }

  void Expression(ExprId id) {
    lang::Walk(program_, id, [this](const Expr& e) { return Visit(e); });
  }

  lang::Visited Visit(const Expr& e) {
    switch (e.kind) {
      case ExprKind::Call:
        if (program_.exprs[e.lhs].kind == ExprKind::Function) {
          effects_.callees.push_back(program_.exprs[e.lhs].Func());
          for (uint32_t i = 0; i < e.args.count; ++i) Expression(program_.args[e.args.first + i]);
          if (HasVolatile(e.type)) effects_.writes = true;
          return lang::Visited::Pass;  // the designator is a callee, not an address
        }
        effects_.writes = true;
        break;
      case ExprKind::Function:
        effects_.addressed.push_back(e.Func());
        break;
      case ExprKind::CompoundLiteral:
        if (program_.vars[e.Var()].init) Init(program_.vars[e.Var()].init);
        if (HasVolatile(program_.vars[e.Var()].type)) effects_.writes = true;
        break;
      default:
        break;
    }
    if (!effects_.writes) Touch(e);  // or else nothing worse is to be known
    return lang::Visited::Descend;
  }

  void Touch(const Expr& e) {
    switch (e.kind) {
      case ExprKind::Variable:
        if (program_.vars[e.Var()].IsStatic()) effects_.reads = true;
        break;
      case ExprKind::Deref:
      case ExprKind::String:
        effects_.reads = true;
        break;
      case ExprKind::Index:
        if (!lang::IsArray(program_.types.Kind(program_.exprs[e.lhs].type))) effects_.reads = true;
        break;
      case ExprKind::Assign:
      case ExprKind::CompoundAssign:
      case ExprKind::IncDec: {
        const VarId root = RootVariable(program_, e.lhs);
        if (!root || program_.vars[root].IsStatic()) effects_.writes = true;
        break;
      }
      case ExprKind::Builtin:
      case ExprKind::Guard:
        effects_.writes = true;
        break;
      default:
        break;
    }
    if (HasVolatile(e.type)) effects_.writes = true;
  }

  bool HasVolatile(TypeId type) const { return lang::HasQualifier(program_, type, lang::kVolatile); }

  const lang::Program& program_;
  Effects& effects_;
};

// The functions that can, by calls, come back to themselves.
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

void SettleAttributes(Writer& w) {
  lang::Program& program = w.program;
  std::vector<Effects> effects(program.functions.Size());
  Effects statics;
  for (FunctionId id : program.function_order) Collector(program, effects[id.index]).Function(program.functions[id]);
  for (const lang::Variable& var : program.vars) {
    if (var.IsStatic() && var.init) Collector(program, statics).Init(var.init);
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
  const std::vector<bool> cyclic = InCycles(effects);
  std::vector<bool> addressed(program.functions.Size());
  for (const Effects& e : effects) {
    for (FunctionId id : e.addressed) addressed[id.index] = true;
  }
  for (FunctionId id : statics.addressed) addressed[id.index] = true;
  for (FunctionId id : program.function_order) {
    lang::Function& function = program.functions[id];
    const Effects& own = effects[id.index];
    const lang::Type type = program.types[function.type];
    const bool variadic = program.types.GetSignature(type.signature).variadic;
    if (addressed[id.index] || own.has_vla || variadic || cyclic[id.index]) {
      function.attrs &= static_cast<uint8_t>(~lang::kFnAlwaysInline);
    }
    if (program.types.Kind(type.element) == TypeKind::Void || own.writes || variadic || cyclic[id.index] || id == program.entry) continue;
    if (!w.choices.Percent(w.knobs.pure_attributes)) continue;
    function.attrs |= own.reads ? lang::kFnPure : lang::kFnConst;
  }
}

}  // namespace assay::gen
