// Helpers for the machine's tests: small programs with one function, built node by node.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

#include "lang/builder.hpp"
#include "machine/machine.hpp"

namespace assay::machine::testing {

using namespace assay::lang;

// A program whose entry is `void f(void)`; statements are appended to the current block.
struct Tiny {
  explicit Tiny(DataModelKind model = DataModelKind::Lp64) : b(p) {
    p.model = model;
    entry = b.Function(T().Function(Void(), {}));
    p.entry = entry;
    block = p.functions[entry].body;
  }

  TypeTable& T() { return p.types; }
  TypeId Basic(TypeKind kind) { return p.types.Basic(kind); }
  TypeId Void() { return Basic(TypeKind::Void); }
  TypeId Int() { return Basic(TypeKind::Int); }
  TypeId Ptr(TypeId type) { return p.types.Pointer(type); }
  ExprId I(int64_t value) { return b.Int(value); }
  ExprId C(TypeKind kind, uint64_t value) { return b.Constant(kind, value); }
  ExprId V(VarId var) { return b.Var(var); }

  InitId InitInt(int64_t value) { return b.InitExpr(I(value)); }
  VarId Global(TypeId type, InitId init = {}) { return b.Global(type, init); }
  VarId GlobalInt(int64_t value = 0) { return b.Global(Int(), InitInt(value)); }
  VarId Local(TypeId type, InitId init = {}, Storage storage = Storage::Auto) {
    VarId var = b.Local(p.blocks[block].function, type, storage, init);
    Do(b.Decl(var));
    return var;
  }
  VarId LocalInt(int64_t value) { return Local(Int(), InitInt(value)); }

  StmtId Do(StmtId stmt) {
    b.Append(block, stmt);
    return stmt;
  }
  StmtId Do(ExprId expr) { return Do(b.ExprStatement(expr)); }
  StmtId Set(VarId var, ExprId value) { return Do(b.Assign(V(var), value)); }
  StmtId Add(StmtKind kind, ExprId expr = {}, BlockId body = {}, BlockId other = {}) {
    Stmt stmt;
    stmt.kind = kind;
    stmt.expr = expr;
    stmt.body = body;
    stmt.other = other;
    return Do(b.Statement(stmt));
  }
  StmtId Return(ExprId expr = {}) { return Add(StmtKind::Return, expr); }
  BlockId NewBlock() { return b.NewBlock(p.blocks[block].function); }
  // Runs `fill` with `inner` as the current block.
  template <typename Fill>
  void In(BlockId inner, Fill&& fill) {
    const BlockId outer = block;
    block = inner;
    fill();
    block = outer;
  }
  template <typename Fill>
  FunctionId Function(TypeId result, std::vector<TypeId> params, Fill&& fill, bool variadic = false) {
    FunctionId f = b.Function(T().Function(result, std::move(params), variadic));
    In(p.functions[f].body, [&] { fill(f); });
    return f;
  }
  VarId Param(FunctionId f, uint32_t i) { return p.functions[f].params[i]; }
  ExprId Call(FunctionId f, std::initializer_list<ExprId> args = {}) { return b.Call(f, std::vector<ExprId>(args)); }

  RecordId Struct(std::vector<Member> members, bool packed = false) {
    return p.types.AddRecord({false, packed, std::move(members)});
  }
  RecordId Union(std::vector<Member> members) { return p.types.AddRecord({true, false, std::move(members)}); }

  RunResult Run(const Options& options = {}) {
    Machine machine(p, options);
    return machine.Run();
  }
  TrapKind Trap(const Options& options = {}) { return Run(options).trap.kind; }

  Program p;
  Builder b;
  FunctionId entry;
  BlockId block;
};

inline int64_t FinalOf(const RunResult& result, VarId var, size_t which = 0) {
  for (const FinalScalar& scalar : result.finals) {
    if (scalar.var == var && which-- == 0) return static_cast<int64_t>(scalar.value);
  }
  ADD_FAILURE() << "no final value of variable " << var.index;
  return 0;
}

}  // namespace assay::machine::testing
