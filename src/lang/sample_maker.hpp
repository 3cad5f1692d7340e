// For the files of samples: a program under construction.
#pragma once

#include <utility>

#include "lang/samples.hpp"

namespace assay::lang {

// A sample under construction: an entry function to which statements are appended.
class Maker {
 public:
  explicit Maker(std::string name) : b(sample.program) {
    sample.name = std::move(name);
    sample.program.provenance = {"0.0.0", 7, "sample=" + sample.name};
    entry = b.Function(types().Function(Basic(TypeKind::Void), {}));
    sample.program.entry = entry;
    body = sample.program.functions[entry].body;
  }

  TypeTable& types() { return sample.program.types; }
  TypeId Basic(TypeKind kind) { return types().Basic(kind); }
  Program& program() { return sample.program; }

  void Do(ExprId expr) { b.Append(body, b.ExprStatement(expr)); }

  // A new global that receives the value of an expression and must have the given final value.
  VarId Store(TypeKind kind, ExprId value, int64_t expected) {
    VarId var = b.Global(Basic(kind));
    Do(b.Assign(b.Var(var), value));
    Expect(var, {}, expected);
    return var;
  }
  void StoreInt(ExprId value, int64_t expected) { Store(TypeKind::Int, value, expected); }
  void Expect(VarId var, std::vector<uint32_t> path, int64_t value) {
    sample.finals.push_back({var, std::move(path), value});
  }

  VarId IntLocal(int64_t value) {
    VarId var = b.Local(entry, Basic(TypeKind::Int), Storage::Auto, b.InitExpr(b.Int(value)));
    b.Append(body, b.Decl(var));
    return var;
  }

  Stmt Of(StmtKind kind) {
    Stmt stmt;
    stmt.kind = kind;
    return stmt;
  }

  Sample sample;
  Builder b;
  FunctionId entry;
  BlockId body;
};

inline ExprId Call(Builder& b, FunctionId f, std::initializer_list<ExprId> args) {
  return b.Call(f, std::span<const ExprId>(args.begin(), args.size()));
}

}  // namespace assay::lang
