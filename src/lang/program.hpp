// A whole program: value type, all nodes in stores, freed or copied at once. Names do not exist here: emit makes them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lang/data_model.hpp"
#include "lang/expr.hpp"
#include "lang/float_kinds.hpp"
#include "lang/ids.hpp"
#include "lang/stmt.hpp"
#include "lang/types.hpp"

namespace assay::lang {

enum class Storage : uint8_t {
  Global,       // file scope
  StaticLocal,  // static in a function's block; initialised once, lives for ever
  Auto,
  Register,  // its address is never taken
  Param,
  Literal,  // the anonymous object of a compound literal in a function (automatic)
};

// Why an object exists; objects that only serve repairs are not part of the checksum.
enum class VarRole : uint8_t { Plain, Counter, Temporary };

// Of globals, the last one of parameters; a bit set, a row each in lang/attributes.hpp.
enum VariableAttr : uint8_t {
  kVarUsed = 1,
  kVarSection = 2,
  kVarWeak = 4,
  kVarHidden = 8,
  kVarThreadLocal = 16,  // there is one thread; its address is no constant
  kVarNonNull = 32,      // Param: no call passes a null pointer
};

struct Variable {
  TypeId type;
  Storage storage = Storage::Auto;
  VarRole role = VarRole::Plain;
  bool internal_linkage = false;  // Global: static
  uint8_t align = 0;              // __attribute__((aligned(n))), 0 for none
  uint8_t attrs = 0;
  FunctionId function;  // the owner; none for Global
  uint32_t slot = 0;    // index in Function::locals, for automatic objects and parameters
  InitId init;          // none: indeterminate (automatic) or zero (static storage)
  ExprId vla_length;    // type Vla: evaluated when the declaration is reached
  bool IsStatic() const { return storage == Storage::Global || storage == Storage::StaticLocal; }
};

// A bit set; a row each in lang/attributes.hpp.
enum FunctionAttr : uint32_t {
  kFnStatic = 1,
  kFnInline = 2,
  kFnNoInline = 4,
  kFnAlwaysInline = 8,
  kFnConst = 16,
  kFnPure = 32,
  // What promises nothing.
  kFnNoClone = 1 << 6,
  kFnNoIpa = 1 << 7,
  kFnFlatten = 1 << 8,
  kFnCold = 1 << 9,
  kFnHot = 1 << 10,
  kFnUsed = 1 << 11,
  kFnSection = 1 << 12,
  kFnNoReorder = 1 << 13,
  kFnOptimizeNone = 1 << 14,
  kFnOptimizeMost = 1 << 15,
  kFnWeak = 1 << 16,
  kFnHidden = 1 << 17,
  // What holds in every execution; the machine traps where it does not.
  kFnReturnsNonNull = 1 << 18,
  kFnAssumeAligned = 1 << 19,  // the pointer returned has the alignment of what it points at
};

struct Function {
  TypeId type;  // a Function type
  std::vector<VarId> params;
  std::vector<VarId> locals;       // every object with a slot: parameters first, in slot order
  std::vector<VarId> temporaries;  // role Temporary: declared at the top of the body by emit
  BlockId body;
  uint32_t attrs = kFnStatic;
};

// What a program says about its own making; printed in the header comment, not interpreted here.
struct Provenance {
  std::string version;
  uint64_t seed = 0;
  std::string knobs;  // the knobs that differ from their defaults, in their serialised form
};

struct Program {
  DataModel model;
  FloatMode floats = FloatMode::Exact;
  TypeTable types;
  support::Store<VarId, Variable> vars;
  support::Store<FunctionId, Function> functions;
  support::Store<ExprId, Expr> exprs;
  std::vector<ExprId> args;          // argument lists of calls, see ArgList
  std::vector<LabelId> label_lists;  // of computed gotos, see LabelList
  support::Store<StmtId, Stmt> stmts;
  support::Store<BlockId, Block> blocks;
  support::Store<InitId, Init> inits;
  support::Store<LabelId, Label> labels;
  support::Store<StringId, std::string> strings;
  std::vector<VarId> globals;              // Storage::Global, in declaration order
  std::vector<FunctionId> function_order;  // in definition order; all are declared before any definition
  FunctionId entry;                        // called once, without arguments, by main
  Provenance provenance;

  const DataModel& Model() const { return model; }
  const Expr& operator[](ExprId id) const { return exprs[id]; }
  const Stmt& operator[](StmtId id) const { return stmts[id]; }
  const Block& operator[](BlockId id) const { return blocks[id]; }
  const Variable& operator[](VarId id) const { return vars[id]; }
  const Function& operator[](FunctionId id) const { return functions[id]; }
  const Type& operator[](TypeId id) const { return types[id]; }
  LabelId LabelOf(const Stmt& stmt, uint32_t i) const { return label_lists[stmt.labels.first + i]; }
  ExprId Arg(const Expr& e, uint32_t i) const { return args[e.args.first + i]; }
};

// Calls visit(ExprId) for every direct child, in evaluation order of the machine (left to right).
template <typename Visit>
void ForEachChild(const Program& program, const Expr& e, Visit&& visit) {
  const ExprKindInfo& info = Info(e.kind);
  if (info.children > 0) visit(e.lhs);
  if (info.children > 1) visit(e.rhs);
  if (info.children > 2 || (e.kind == ExprKind::Guard && e.detail == 1)) visit(e.third);
  if (info.has_args) {
    for (uint32_t i = 0; i < e.args.count; ++i) visit(program.args[e.args.first + i]);
  }
}

// What a visitor of Walk wants next: the children, the rest without the children, or nothing more.
enum class Visited : uint8_t { Descend, Pass, Stop };

// Calls visit(const Expr&) for the expression and all below it, parents first, in the order of ForEachChild. False if
// the visitor stopped. Operands wait in a short list, not in calls: trees are walked often.
template <typename Visit>
bool Walk(const Program& program, ExprId id, Visit&& visit) {
  constexpr size_t kMost = 32;
  uint32_t waiting[kMost];
  size_t count = 0;
  for (;;) {
    const Expr& e = program.exprs[id];
    const Visited next = visit(e);
    if (next == Visited::Stop) return false;
    const ExprKindInfo& info = Info(e.kind);
    if (next == Visited::Descend && (info.has_args || count + 2 > kMost)) [[unlikely]] {
      bool on = true;
      ForEachChild(program, e, [&](ExprId child) { on = on && Walk(program, child, visit); });
      if (!on) return false;
    } else if (next == Visited::Descend && info.children > 0) {
      if (info.children > 2 || (e.kind == ExprKind::Guard && e.detail == 1)) waiting[count++] = e.third.index;
      if (info.children > 1) waiting[count++] = e.rhs.index;
      id = e.lhs;
      continue;
    }
    if (count == 0) return true;
    id = ExprId(waiting[--count]);
  }
}

// Recomputes the links of blocks (function, outer, owner) and labels from the statement lists.
void Relink(Program& program);

bool IsLvalue(const Program& program, ExprId id);

}  // namespace assay::lang
