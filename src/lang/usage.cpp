#include "lang/usage.hpp"

#include <algorithm>

namespace assay::lang {
namespace {

class Collector {
 public:
  explicit Collector(const Program& program)
      : program_(program),
        seen_types_(program.types.Size()),
        seen_records_(program.types.RecordCount()),
        seen_enums_(program.types.EnumCount()),
        seen_strings_(program.strings.Size()),
        seen_vars_(program.vars.Size()) {}

  Usage Run() {
    for (VarId var : program_.globals) VisitVar(var);
    for (FunctionId id : program_.function_order) {
      const Function& function = program_.functions[id];
      VisitType(function.type);
      usage_.function_attributes |= (function.attrs & ~uint32_t{kFnStatic | kFnInline}) != 0;
      for (VarId var : function.params) VisitVar(var);
      for (VarId var : function.temporaries) VisitVar(var);
      if (function.body) VisitBlock(function.body);
    }
    for (FunctionId id : program_.function_order) {
      std::vector<VarId>& locals = usage_.locals.emplace_back();
      for (VarId var : program_.functions[id].locals) {
        if (seen_vars_[var.index]) locals.push_back(var);
      }
      for (VarId var : statics_) {
        if (program_.vars[var].function == id) locals.push_back(var);
      }
    }
    OrderRecords();
    std::sort(usage_.enums.begin(), usage_.enums.end());
    // By what they are: the ids of types are others after the text form.
    std::sort(usage_.vectors.begin(), usage_.vectors.end(), [&](TypeId a, TypeId b) {
      const Type &x = program_.types[a], &y = program_.types[b];
      const TypeKind left = program_.types.Kind(x.element), right = program_.types.Kind(y.element);
      return left != right ? left < right : x.length < y.length;
    });
    std::sort(usage_.strings.begin(), usage_.strings.end());
    return std::move(usage_);
  }

 private:
  void VisitType(TypeId id) {
    if (!id || seen_types_[id.index]) return;
    seen_types_[id.index] = true;
    const Type& type = program_.types[id];
    usage_.kinds[static_cast<size_t>(type.kind)] = true;
    VisitType(type.element);
    if (type.signature) {
      for (TypeId param : program_.types.GetSignature(type.signature).params) VisitType(param);
    }
    if (type.enumeration) VisitEnum(type.enumeration);
    if (IsVector(type.kind)) VisitVector(id);
    if (!type.record || seen_records_[type.record.index]) return;
    seen_records_[type.record.index] = true;
    for (const Member& member : program_.types.GetRecord(type.record).members) {
      VisitType(member.type);
    }
  }

  void VisitVector(TypeId id) {
    Type type = program_.types[id];
    type.quals = 0;
    const bool known = std::any_of(usage_.vectors.begin(), usage_.vectors.end(),
                                   [&](TypeId other) { return program_.types[other] == type; });
    if (known) return;
    // A const vector may stand for the plain one: only lanes matter to whoever reads the list.
    usage_.vectors.push_back(id);
  }

  void VisitShuffle(const Expr& e) {
    if (std::find(usage_.shuffled.begin(), usage_.shuffled.end(), e.type) != usage_.shuffled.end()) return;
    usage_.shuffled.push_back(e.type);
    const TypeId mask = program_.exprs[program_.Arg(e, 2)].type;
    VisitType(mask);
    usage_.masks.push_back(mask);
  }

  void VisitEnum(EnumId id) {
    if (seen_enums_[id.index]) return;
    seen_enums_[id.index] = true;
    usage_.enums.push_back(id);
  }

  void VisitString(StringId id) {
    if (seen_strings_[id.index]) return;
    seen_strings_[id.index] = true;
    usage_.strings.push_back(id);
  }

  void VisitVar(VarId id) {
    if (seen_vars_[id.index]) return;
    seen_vars_[id.index] = true;
    const Variable& var = program_.vars[id];
    if (var.storage == Storage::StaticLocal) statics_.push_back(id);
    usage_.function_attributes |= (var.attrs & ~kVarThreadLocal) != 0;
    VisitType(var.type);
    if (var.vla_length) VisitExpr(var.vla_length);
    if (var.init) VisitInit(var.init);
  }

  void VisitInit(InitId id) {
    const Init& init = program_.inits[id];
    if (init.kind == InitKind::Expr) VisitExpr(init.expr);
    if (init.kind == InitKind::String) VisitString(init.string);
    for (const InitItem& item : init.items) VisitInit(item.init);
  }

  void VisitExpr(ExprId id) {
    Walk(program_, id, [this](const Expr& e) {
      switch (e.kind) {
        case ExprKind::EnumConstant: VisitEnum(EnumId(e.ref)); break;
        case ExprKind::String: VisitString(StringId(e.ref)); break;
        case ExprKind::Guard:
        case ExprKind::Cast: VisitType(e.type); break;
        case ExprKind::SizeofType: VisitType(e.RefType()); break;
        case ExprKind::Variable:
        case ExprKind::CompoundLiteral:
          if (!seen_vars_[e.ref]) VisitVar(e.Var());
          return Visited::Pass;
        case ExprKind::Unary: usage_.unary[e.op] = true; break;
        case ExprKind::Binary:
          usage_.binary[e.op] = true;
          if (IsVector(program_.types.Kind(e.type))) VisitType(e.type);  // a comparison is written with its type
          break;
        case ExprKind::Builtin:
          usage_.builtins[e.op] = true;
          if (e.GetBuiltin() == Builtin::Shuffle) VisitShuffle(e);
          VisitType(e.type);
          VisitType(e.RefType());
          break;
        case ExprKind::Constant: return Visited::Pass;
        case ExprKind::Function:
        case ExprKind::LogicalAnd:
        case ExprKind::LogicalOr:
        case ExprKind::Conditional:
        case ExprKind::Comma:
        case ExprKind::Assign:
        case ExprKind::CompoundAssign:
        case ExprKind::IncDec:
        case ExprKind::AddressOf:
        case ExprKind::Deref:
        case ExprKind::Index:
        case ExprKind::Member:
        case ExprKind::SizeofExpr:
        case ExprKind::Call:
        case ExprKind::kCount: break;
      }
      return Visited::Descend;
    });
  }

  void VisitBlock(BlockId id) {
    for (StmtId stmt_id : program_.blocks[id].stmts) {
      const Stmt& stmt = program_.stmts[stmt_id];
      for (ExprId expr : {stmt.init, stmt.expr, stmt.step}) {
        if (expr) VisitExpr(expr);
      }
      usage_.label_tables |= stmt.kind == StmtKind::GotoTable;
      usage_.barriers |= stmt.kind == StmtKind::Barrier;
      usage_.case_ranges |= stmt.kind == StmtKind::Case && stmt.span > 0;
      if (stmt.var) VisitVar(stmt.var);
      if (stmt.body) VisitBlock(stmt.body);
      if (stmt.other) VisitBlock(stmt.other);
    }
  }

  // By index, but each after the records it contains by value.
  void OrderRecords() {
    std::vector<bool> placed(seen_records_.size());
    for (uint32_t i = 0; i < seen_records_.size(); ++i) {
      if (seen_records_[i]) Place(RecordId(i), placed);
    }
  }

  void Place(RecordId id, std::vector<bool>& placed) {
    if (placed[id.index]) return;
    placed[id.index] = true;
    for (const Member& member : program_.types.GetRecord(id).members) {
      TypeId type = member.type;
      while (program_.types.Kind(type) == TypeKind::Array) type = program_.types[type].element;
      if (IsRecord(program_.types.Kind(type))) Place(program_.types[type].record, placed);
    }
    usage_.records.push_back(id);
  }

  const Program& program_;
  std::vector<char> seen_types_, seen_records_, seen_enums_, seen_strings_, seen_vars_;  // no bool: asked at every node
  std::vector<VarId> statics_;
  Usage usage_;
};

}  // namespace

Usage UsageOf(const Program& program) { return Collector(program).Run(); }

}  // namespace assay::lang
