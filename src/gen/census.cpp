#include "gen/census.hpp"

#include <algorithm>

#include "gen/access.hpp"
#include "gen/operators.hpp"

namespace assay::gen {
namespace {

using lang::Expr;
using lang::Stmt;
using lang::Storage;
using lang::TypeClass;

constexpr std::pair<uint32_t, Construct> kFunctionUses[] = {
    {lang::kFnNoClone, Construct::NoClone},
    {lang::kFnNoIpa, Construct::NoIpa},
    {lang::kFnFlatten, Construct::Flatten},
    {lang::kFnCold, Construct::Cold},
    {lang::kFnHot, Construct::Hot},
    {lang::kFnUsed, Construct::Used},
    {lang::kFnSection, Construct::Section},
    {lang::kFnNoReorder, Construct::NoReorder},
    {lang::kFnOptimizeNone, Construct::OptimizeNone},
    {lang::kFnOptimizeMost, Construct::OptimizeMost},
    {lang::kFnWeak, Construct::Weak},
    {lang::kFnHidden, Construct::Hidden},
    {lang::kFnReturnsNonNull, Construct::ReturnsNonNull},
    {lang::kFnAssumeAligned, Construct::AlignedResult},
};

constexpr std::pair<uint32_t, Construct> kVariableUses[] = {
    {lang::kVarUsed, Construct::VariableUsed},       {lang::kVarSection, Construct::VariableSection},
    {lang::kVarWeak, Construct::VariableWeak},       {lang::kVarHidden, Construct::VariableHidden},
    {lang::kVarThreadLocal, Construct::ThreadLocal}, {lang::kVarNonNull, Construct::NonNull},
};

class Walker {
 public:
  explicit Walker(const Generated& made) : made_(made), program_(made.program) {}

  ProgramCensus Run() {
    for (VarId var : program_.globals) {
      if (program_.vars[var].role == lang::VarRole::Plain) Object(var);
    }
    for (FunctionId id : program_.function_order) Function(id);
    for (const lang::Block& block : program_.blocks) {
      const uint64_t runs = block.stmts.empty() ? 0 : Runs(block.stmts.front());
      census_.sizes.blocks += runs > 0;
      census_.sizes.hot_blocks += runs >= 100;
    }
    Recursion();
    census_.sizes.steps = made_.result.steps;
    census_.sizes.changed_globals = ChangedGlobals();
    return census_;
  }

 private:
  void Use(Construct construct) { census_.uses.set(static_cast<size_t>(construct)); }

  void TypeUse(TypeId id) {
    const lang::Type& t = program_.types[id];
    switch (lang::ClassOf(t.kind)) {
      case TypeClass::Integer:
      case TypeClass::Float: Use(kTypeKindDraws[static_cast<size_t>(t.kind)].construct); break;
      case TypeClass::Pointer: PointerUse(id); break;
      case TypeClass::Array: ArrayUse(id); break;
      case TypeClass::Record: RecordUse(t); break;
      case TypeClass::Vector: Use(Construct::Vector); break;
      case TypeClass::Wide: Use(Construct::Wide); break;
      case TypeClass::Complex:
      case TypeClass::Void:
      case TypeClass::Function:
      case TypeClass::VaList:
      case TypeClass::kCount: break;
    }
  }

  uint64_t Runs(StmtId id) const { return id.index < made_.statement_runs.size() ? made_.statement_runs[id.index] : 0; }

  bool IsCounter(ExprId id) const { return id && program_.exprs[id].kind == lang::ExprKind::Guard; }

  // Iterations are the executions of the first statement of the body.
  void Loop(StmtId id, const Stmt& stmt) {
    Sizes& sizes = census_.sizes;
    const std::vector<StmtId>& body = program_.blocks[stmt.body].stmts;
    const uint64_t entries = Runs(id), iterations = body.empty() ? 0 : Runs(body.front());
    ++sizes.loops;
    sizes.entered_loops += entries > 0;
    sizes.live_loops += entries > 0 && iterations >= 2 * entries;
    sizes.long_loops += entries > 0 && iterations >= 16 * entries;
    sizes.counted_loops += IsCounter(stmt.expr);
    sizes.cut_loops += !body.empty() && program_.stmts[body.front()].kind == StmtKind::If &&
                       IsCounter(program_.stmts[body.front()].expr);
  }

  void ArrayUse(TypeId id) {
    if (program_.types.Kind(id) == TypeKind::Vla) return Use(Construct::Vla);
    uint32_t dimensions = 0;
    TypeId element = id;
    for (; program_.types.Kind(element) == TypeKind::Array; element = program_.types[element].element) ++dimensions;
    Use(dimensions == 1 ? Construct::Array1 : dimensions == 2 ? Construct::Array2 : Construct::Array3);
    if (IsFunctionPointer(element)) {
      Use(Construct::FunctionPointerArray);
    } else if (program_.types.Kind(element) == TypeKind::Pointer) {
      Use(Construct::PointerArray);
    }
    if (IsFloat(element)) Use(Construct::FloatArray);
    if (IsVector(element)) Use(Construct::VectorArray);
    TypeUse(element);
  }

  bool IsVector(TypeId id) const { return lang::IsVector(program_.types.Kind(id)); }
  bool IsVector(ExprId id) const { return IsVector(program_.exprs[id].type); }
  bool IsWide(TypeId id) const { return lang::IsWide(program_.types.Kind(id)); }
  bool IsWide(ExprId id) const { return IsWide(program_.exprs[id].type); }
  bool IsFloat(TypeId id) const { return lang::IsFloat(program_.types.Kind(id)); }
  bool IsFloat(ExprId id) const { return IsFloat(program_.exprs[id].type); }

  bool IsFunctionPointer(TypeId id) const {
    const lang::Type& t = program_.types[id];
    return t.kind == TypeKind::Pointer && program_.types.Kind(t.element) == TypeKind::Function;
  }

  void PointerUse(TypeId id) {
    uint32_t depth = 0;
    for (; program_.types.Kind(id) == TypeKind::Pointer; id = program_.types[id].element) {
      ++depth;
      const lang::Type& pointee = program_.types[program_.types[id].element];
      if ((pointee.quals & lang::kConst) != 0) Use(Construct::ConstPointee);
      if ((pointee.quals & lang::kVolatile) != 0) Use(Construct::VolatilePointee);
      if ((program_.types[id].quals & lang::kRestrict) != 0) Use(Construct::Restrict);
    }
    if (program_.types.Kind(id) == TypeKind::Function) return Use(Construct::FunctionPointer);
    static constexpr Construct kDepths[] = {Construct::Pointer1, Construct::Pointer2, Construct::Pointer3,
                                            Construct::Pointer4};
    Use(kDepths[std::min(depth, 4u) - 1]);
  }

  void RecordUse(const lang::Type& t) {
    Use(t.kind == TypeKind::Union ? Construct::Union : Construct::Struct);
    const lang::Record& record = program_.types.GetRecord(t.record);
    if (record.packed) Use(Construct::PackedStruct);
    for (const lang::Member& member : record.members) {
      const uint8_t quals = Qualifiers(member.type);
      if (member.IsBitField()) {
        if ((quals & lang::kConst) != 0) Use(Construct::ConstBitField);
        if ((quals & lang::kVolatile) != 0) Use(Construct::VolatileBitField);
        if (record.is_union) Use(Construct::UnionBitField);
        Use(member.named            ? Construct::BitField
            : member.bit_width == 0 ? Construct::ZeroWidthBitField
                                    : Construct::UnnamedBitField);
        continue;
      }
      if ((quals & lang::kConst) != 0) Use(Construct::ConstMember);
      if ((quals & lang::kVolatile) != 0) Use(Construct::VolatileMember);
      if (lang::IsRecord(program_.types.Kind(member.type))) Use(Construct::NestedStruct);
      if (IsFunctionPointer(member.type)) Use(Construct::FunctionPointerMember);
      if (IsWide(member.type)) Use(record.is_union ? Construct::WideInUnion : Construct::WideMember);
      if (IsVector(member.type)) Use(record.is_union ? Construct::VectorInUnion : Construct::VectorMember);
      if (IsFloat(member.type)) Use(record.is_union ? Construct::FloatInUnion : Construct::FloatMember);
      TypeUse(member.type);
    }
  }

  // Of an object of the type: an array has those of its elements.
  uint8_t Qualifiers(TypeId type) const {
    while (lang::IsArray(program_.types.Kind(type))) type = program_.types[type].element;
    return program_.types[type].quals;
  }

  void Object(VarId id) {
    const lang::Variable& var = program_.vars[id];
    TypeUse(var.type);
    const uint8_t quals = Qualifiers(var.type);
    const bool array = lang::IsArray(program_.types.Kind(var.type)), local = var.storage == Storage::Auto;
    if ((quals & lang::kConst) != 0) {
      Use(Construct::ConstObject);
      if (array) Use(Construct::ConstArray);
      if (local) Use(Construct::ConstLocal);
    }
    if ((quals & lang::kVolatile) != 0) {
      Use(Construct::VolatileObject);
      if (array) Use(Construct::VolatileArray);
      if (local) Use(Construct::VolatileLocal);
    }
    if (array && local) {
      TypeId element = var.type;
      while (lang::IsArray(program_.types.Kind(element))) element = program_.types[element].element;
      if (program_.types.Kind(element) == TypeKind::Pointer) Use(Construct::LocalPointerArray);
    }
    if (var.align != 0) Use(Construct::Aligned);
    for (const auto& [attr, construct] : kVariableUses) {
      if ((var.attrs & attr) != 0) Use(construct);
    }
    switch (var.storage) {
      case Storage::StaticLocal: Use(Construct::StaticLocal); break;
      case Storage::Auto: Use(Construct::AutoLocal); break;
      case Storage::Register: Use(Construct::RegisterLocal); break;
      case Storage::Param: Use(Construct::Parameter); break;
      case Storage::Global:
      case Storage::Literal: break;
    }
    if (var.init) Init(var.init);
    if (!var.init && var.storage == Storage::Auto) Use(Construct::NoInitializer);
    if (var.vla_length) Expression(var.vla_length);
  }

  void Init(InitId id) {
    const lang::Init& init = program_.inits[id];
    if (init.kind == lang::InitKind::String) Use(Construct::StringLiteral);
    if (init.designated) Use(Construct::Designated);
    if (init.expr) Expression(init.expr);
    for (const lang::InitItem& item : init.items) Init(item.init);
  }

  void Function(FunctionId id) {
    const lang::Function& function = program_.functions[id];
    function_ = id;
    const lang::Type& type = program_.types[function.type];
    if (program_.types.GetSignature(type.signature).variadic) Use(Construct::Variadic);
    if (lang::IsRecord(program_.types.Kind(type.element))) Use(Construct::RecordResult);
    if (IsFloat(type.element)) Use(Construct::FloatResult);
    if (IsVector(type.element)) Use(Construct::VectorResult);
    if (IsWide(type.element)) Use(Construct::WideResult);
    for (VarId param : function.params) {
      Object(param);
      if (lang::IsRecord(program_.types.Kind(program_.vars[param].type))) Use(Construct::RecordArgument);
      if (IsFloat(program_.vars[param].type)) Use(Construct::FloatParameter);
      if (IsVector(program_.vars[param].type)) Use(Construct::VectorParameter);
      if (IsWide(program_.vars[param].type)) Use(Construct::WideParameter);
    }
    if ((function.attrs & lang::kFnInline) != 0) Use(Construct::Inline);
    if ((function.attrs & lang::kFnNoInline) != 0) Use(Construct::NoInline);
    if ((function.attrs & lang::kFnAlwaysInline) != 0) Use(Construct::AlwaysInline);
    if ((function.attrs & lang::kFnConst) != 0) Use(Construct::ConstAttribute);
    if ((function.attrs & lang::kFnPure) != 0) Use(Construct::PureAttribute);
    for (const auto& [attr, construct] : kFunctionUses) {
      if ((function.attrs & attr) != 0) Use(construct);
    }
    Block(function.body, 0);
  }

  void Block(BlockId id, uint32_t loops) {
    bool statement_seen = false;
    const lang::Block& block = program_.blocks[id];
    for (size_t i = 0; i < block.stmts.size(); ++i) {
      const Stmt& stmt = program_.stmts[block.stmts[i]];
      if (stmt.kind == StmtKind::Decl && statement_seen) Use(Construct::DeclarationAfterStatement);
      statement_seen = statement_seen || stmt.kind != StmtKind::Decl;
      Statement(block.stmts[i], id, loops);
    }
  }

  void Statement(StmtId id, BlockId block, uint32_t loops) {
    const Stmt& stmt = program_.stmts[id];
    const bool marker = stmt.kind == StmtKind::Case || stmt.kind == StmtKind::Default || stmt.kind == StmtKind::Label ||
                        stmt.kind == StmtKind::Block;
    if (!marker) {
      ++census_.sizes.statements;
      const bool ran = id.index < made_.statement_runs.size() && made_.statement_runs[id.index] > 0;
      census_.sizes.executed_statements += ran;
      if (!ran) Use(loops > 0 ? Construct::DeadCodeInLoop : Construct::DeadCode);
    }
    if (lang::Info(stmt.kind).loop) Loop(id, stmt);
    if (lang::Info(stmt.kind).loop && stmt.span > 0) Use(Construct::Unroll);
    if (lang::Info(stmt.kind).loop && loops > 0) Use(Construct::NestedLoop);
    switch (stmt.kind) {
      case StmtKind::Expr: Use(Construct::ExprStatement); break;
      case StmtKind::Decl: Object(stmt.var); break;
      case StmtKind::Block: Use(Construct::NestedBlock); break;
      case StmtKind::If: Use(stmt.other ? Construct::IfElse : Construct::If); break;
      case StmtKind::For:
        Use(stmt.var ? Construct::ForDeclaration : Construct::For);
        if (stmt.var) Object(stmt.var);
        break;
      case StmtKind::While: Use(Construct::While); break;
      case StmtKind::DoWhile: Use(Construct::DoWhile); break;
      case StmtKind::Switch: Switch(stmt); break;
      case StmtKind::Goto: Goto(id, stmt, block); break;
      case StmtKind::Break:
        if (program_.stmts[program_.blocks[block].owner].kind != StmtKind::Switch) Use(Construct::Break);
        break;
      case StmtKind::Continue: Use(Construct::Continue); break;
      case StmtKind::Return:
        if (program_.blocks[block].outer) Use(Construct::EarlyReturn);
        break;
      case StmtKind::GotoTable: Use(Construct::ComputedGoto); break;
      case StmtKind::Barrier: Use(Construct::Barrier); break;
      case StmtKind::Case:
        if (stmt.span > 0) Use(Construct::CaseRange);
        break;
      case StmtKind::Empty:
      case StmtKind::Default:
      case StmtKind::Label:
      case StmtKind::kCount: break;
    }
    loops_ = loops;
    for (ExprId e : {stmt.init, stmt.expr, stmt.step}) {
      if (e) Expression(e);
    }
    const uint32_t inner = loops + (lang::Info(stmt.kind).loop ? 1 : 0);
    if (stmt.body) Block(stmt.body, inner);
    if (stmt.other) Block(stmt.other, inner);
  }

  void Switch(const Stmt& stmt) {
    Use(Construct::Switch);
    const std::vector<StmtId>& stmts = program_.blocks[stmt.body].stmts;
    for (size_t i = 0; i < stmts.size(); ++i) {
      const StmtKind kind = program_.stmts[stmts[i]].kind;
      const bool label = kind == StmtKind::Case || kind == StmtKind::Default;
      if (label && i > 0 && program_.stmts[stmts[i - 1]].kind == StmtKind::Block) Use(Construct::FallThrough);
      if (kind == StmtKind::Default &&
          std::any_of(stmts.begin() + static_cast<std::ptrdiff_t>(i), stmts.end(),
                      [&](StmtId s) { return program_.stmts[s].kind == StmtKind::Case; })) {
        Use(Construct::DefaultNotLast);
      }
    }
  }

  void Goto(StmtId id, const Stmt& stmt, BlockId block) {
    const BlockId target = program_.labels[stmt.label].block;
    bool inside = false;  // the label's block encloses the goto
    StmtId owner = id;    // of target's list: the statement that contains the goto
    for (BlockId b = block; b; b = program_.blocks[b].outer) {
      if (b == target) {
        inside = true;
        break;
      }
      owner = program_.blocks[b].owner;
    }
    if (!inside) return Use(Construct::GotoIntoBlock);
    const std::vector<StmtId>& stmts = program_.blocks[target].stmts;
    size_t from = 0, to = 0;
    for (size_t i = 0; i < stmts.size(); ++i) {
      if (stmts[i] == owner) from = i;
      if (program_.stmts[stmts[i]].kind == StmtKind::Label && program_.stmts[stmts[i]].label == stmt.label) to = i;
    }
    Use(to > from ? Construct::GotoForward : Construct::GotoBackward);
    for (size_t i = from; i < to; ++i) {
      const Stmt& passed = program_.stmts[stmts[i]];
      if (passed.kind == StmtKind::Decl && program_.vars[passed.var].init) Use(Construct::GotoOverInitializer);
    }
    if (program_.blocks[block].outer != target && block != target) Use(Construct::GotoOutOfBlock);
  }

  void VectorUse(const Expr& e) {
    if (e.kind == ExprKind::Unary) Use(Construct::VectorOperator);
    if (e.kind == ExprKind::Binary)
      Use(lang::IsComparison(e.Binary()) ? Construct::VectorComparison : Construct::VectorOperator);
    if (e.kind == ExprKind::Conditional) Use(Construct::VectorConditional);
    if (e.kind == ExprKind::Cast) Use(Construct::VectorCast);
    if (e.kind == ExprKind::CompoundLiteral) Use(Construct::VectorLiteral);
    if (e.kind == ExprKind::CompoundAssign) Use(Construct::VectorCompound);
  }

  void WideUse(const Expr& e) {
    const bool of_wide = lang::Info(e.kind).children > 0 && e.lhs && IsWide(e.lhs);
    if (e.kind == ExprKind::Cast && (IsFloat(e.type) || (e.lhs && IsFloat(e.lhs))) && (of_wide || IsWide(e.type)))
      Use(Construct::WideToFloat);
    if (e.kind != ExprKind::Binary && e.kind != ExprKind::CompoundAssign) return;
    if (!of_wide && !IsWide(e.rhs)) return;
    const BinaryOp op = e.Binary();
    Use(lang::IsComparison(op)                       ? Construct::WideComparison
        : lang::IsShift(op)                          ? Construct::WideShift
        : op == BinaryOp::Div || op == BinaryOp::Rem ? Construct::WideDivision
                                                     : Construct::WideOperator);
  }

  void Operation() { ++census_.sizes.operations; }

  void FloatUse(const Expr& e) {
    switch (e.kind) {
      case ExprKind::Constant: {
        const bool hex = e.detail == static_cast<uint8_t>(lang::ConstantSpelling::Hex) ||
                         e.detail == static_cast<uint8_t>(lang::ConstantSpelling::HexUpper);
        return Use(hex ? Construct::FloatHexConstant : Construct::FloatConstant);
      }
      case ExprKind::Unary: return Use(Construct::FloatNegation);
      case ExprKind::Binary:
        return Use(e.Binary() == BinaryOp::Mul   ? Construct::FloatProduct
                   : e.Binary() == BinaryOp::Div ? Construct::FloatQuotient
                                                 : Construct::FloatSum);
      case ExprKind::Conditional: return Use(Construct::FloatConditional);
      case ExprKind::Assign: return Use(Construct::FloatAssignment);
      case ExprKind::CompoundAssign:
        if (loops_ > 0) Use(Construct::FloatInLoop);
        return Use(Construct::FloatCompound);
      case ExprKind::IncDec: return Use(Construct::FloatStep);
      case ExprKind::Cast:
        if (!IsFloat(e.lhs)) return Use(Construct::IntegerToFloat);
        if (program_.types.Kind(e.type) == TypeKind::Float) Use(Construct::FloatNarrowing);
        return;
      case ExprKind::Builtin:
        if (e.GetBuiltin() == lang::Builtin::VaArg) Use(Construct::FloatVariadic);
        return;
      case ExprKind::EnumConstant:
      case ExprKind::String:
      case ExprKind::Variable:
      case ExprKind::Function:
      case ExprKind::LogicalAnd:
      case ExprKind::LogicalOr:
      case ExprKind::Comma:
      case ExprKind::AddressOf:
      case ExprKind::Deref:
      case ExprKind::Index:
      case ExprKind::Member:
      case ExprKind::SizeofType:
      case ExprKind::SizeofExpr:
      case ExprKind::Call:
      case ExprKind::CompoundLiteral:
      case ExprKind::Guard:
      case ExprKind::kCount: return;
    }
  }

  void Expression(ExprId id) {
    const Expr& e = program_.exprs[id];
    if (e.repaired && IsArithmeticRepair(e)) ++census_.sizes.repaired_operations;
    if (IsFloat(e.type)) FloatUse(e);
    if (e.type && IsVector(e.type)) VectorUse(e);
    WideUse(e);
    if (e.kind == ExprKind::Index && IsVector(e.lhs)) Use(Construct::VectorLane);
    if (e.kind == ExprKind::Cast && !IsFloat(e.type) && IsFloat(e.lhs)) Use(Construct::FloatToInteger);
    if (e.kind == ExprKind::Binary && lang::IsComparison(e.Binary()) && (IsFloat(e.lhs) || IsFloat(e.rhs)))
      Use(Construct::FloatComparison);
    const bool tests = e.kind == ExprKind::LogicalAnd || e.kind == ExprKind::LogicalOr ||
                       e.kind == ExprKind::Conditional ||
                       (e.kind == ExprKind::Unary && e.Unary() == lang::UnaryOp::LogicalNot);
    if (tests && IsFloat(e.lhs)) Use(Construct::FloatTruth);
    switch (e.kind) {
      case ExprKind::Constant:
        if (!IsFloat(e.type)) ConstantUse(e);
        break;
      case ExprKind::String: Use(Construct::StringLiteral); break;
      case ExprKind::Unary:
        Use(kUnaryOpDraws[e.op].construct);
        if (lang::Info(e.Unary()).hazards != lang::kNoHazard) Operation();
        break;
      case ExprKind::Binary: BinaryUse(e); break;
      case ExprKind::LogicalAnd: Use(Construct::LogicalAnd); break;
      case ExprKind::LogicalOr: Use(Construct::LogicalOr); break;
      case ExprKind::Conditional: Use(Construct::Conditional); break;
      case ExprKind::Comma: Use(Construct::Comma); break;
      case ExprKind::Assign:
        Use(lang::IsRecord(program_.types.Kind(e.type)) ? Construct::RecordAssignment : Construct::Assignment);
        break;
      case ExprKind::CompoundAssign:
        Use(Construct::CompoundAssignment);
        if (program_.types.Kind(e.type) == TypeKind::Pointer) Use(Construct::PointerStep);
        if (lang::Info(e.Binary()).hazards != lang::kNoHazard) Operation();
        break;
      case ExprKind::IncDec:
        Use(lang::Info(e.IncDec()).prefix ? Construct::PreIncDec : Construct::PostIncDec);
        if (program_.types.Kind(e.type) == TypeKind::Pointer) Use(Construct::PointerStep);
        Operation();
        break;
      case ExprKind::Cast:
        Use(Construct::Cast);
        if (e.repaired) Use(Construct::UnsignedForm);
        break;
      case ExprKind::AddressOf: AddressUse(e); break;
      case ExprKind::Deref: Use(Construct::Dereference); break;
      case ExprKind::Index: IndexUse(e); break;
      case ExprKind::Member: Use(Construct::MemberAccess); break;
      case ExprKind::SizeofType:
      case ExprKind::SizeofExpr: Use(Construct::Sizeof); break;
      case ExprKind::Call:
        if (program_.exprs[e.lhs].kind == ExprKind::Function) {
          calls_.push_back({function_, program_.exprs[e.lhs].Func()});
          Use(Construct::DirectCall);
        } else {
          Use(Construct::IndirectCall);
        }
        if (e.repaired) Use(Construct::WrapperCall);
        break;
      case ExprKind::CompoundLiteral:
        Use(Construct::CompoundLiteral);
        if (program_.vars[e.Var()].init) Init(program_.vars[e.Var()].init);
        break;
      case ExprKind::Builtin: Use(kBuiltinUses[e.op].construct); break;
      case ExprKind::Guard: Use(Construct::Guard); break;
      case ExprKind::EnumConstant:
      case ExprKind::Variable:
      case ExprKind::Function:
      case ExprKind::kCount: break;
    }
    lang::ForEachChild(program_, e, [&](ExprId child) { Expression(child); });
  }

  void AddressUse(const Expr& e) {
    Use(Construct::AddressOf);
    const VarId var = RootVariable(program_, e.lhs);
    if (!var) return;
    if (program_.vars[var].storage == Storage::Auto) Use(Construct::AddressOfLocal);
    if (program_.vars[var].storage == Storage::Param) Use(Construct::AddressOfParameter);
  }

  void IndexUse(const Expr& e) {
    Use(e.detail == 1 ? Construct::SwappedSubscript : Construct::Subscript);
    const Expr& base = program_.exprs[e.lhs];
    const Expr& index = program_.exprs[e.rhs];
    if (index.kind == ExprKind::Binary && (index.Binary() == BinaryOp::Add || index.Binary() == BinaryOp::Sub))
      Use(Construct::ComputedSubscript);
    if (index.kind == ExprKind::Index) Use(Construct::NestedSubscript);
    if (base.kind != ExprKind::Cast || program_.exprs[base.lhs].kind != ExprKind::AddressOf) return;
    const TypeId pointee = program_.types[base.type].element;
    if (lang::Info(program_.types.Kind(pointee)).width == lang::Width::Char) Use(Construct::ByteAccess);
  }

  // A repair of arithmetic, as opposed to one of accesses or order.
  bool IsArithmeticRepair(const Expr& e) const {
    switch (e.kind) {
      case ExprKind::Cast:
      case ExprKind::Binary:
      case ExprKind::Call: return true;
      case ExprKind::Guard:
      case ExprKind::Conditional: {
        const Expr& inner = program_.exprs[e.kind == ExprKind::Guard ? e.lhs : e.rhs];
        return inner.kind == ExprKind::Binary || inner.kind == ExprKind::Unary || inner.kind == ExprKind::IncDec;
      }
      case ExprKind::Constant:
      case ExprKind::EnumConstant:
      case ExprKind::String:
      case ExprKind::Variable:
      case ExprKind::Function:
      case ExprKind::Unary:
      case ExprKind::LogicalAnd:
      case ExprKind::LogicalOr:
      case ExprKind::Comma:
      case ExprKind::Assign:
      case ExprKind::CompoundAssign:
      case ExprKind::IncDec:
      case ExprKind::AddressOf:
      case ExprKind::Deref:
      case ExprKind::Index:
      case ExprKind::Member:
      case ExprKind::SizeofType:
      case ExprKind::SizeofExpr:
      case ExprKind::CompoundLiteral:
      case ExprKind::Builtin:
      case ExprKind::kCount: break;
    }
    return false;
  }

  void ConstantUse(const Expr& e) {
    switch (static_cast<lang::ConstantSpelling>(e.detail)) {
      case lang::ConstantSpelling::Hex:
      case lang::ConstantSpelling::HexUpper: Use(Construct::HexConstant); break;
      case lang::ConstantSpelling::Octal: Use(Construct::OctalConstant); break;
      case lang::ConstantSpelling::Character: Use(Construct::CharacterConstant); break;
      case lang::ConstantSpelling::Decimal:
      case lang::ConstantSpelling::DecimalLowerSuffix:
      case lang::ConstantSpelling::kCount: break;
    }
    if (program_.types.Kind(e.type) != TypeKind::Int && !IsFloat(e.type)) Use(Construct::SuffixedConstant);
  }

  void BinaryUse(const Expr& e) {
    auto pointer = [&](ExprId id) {
      const TypeKind kind = program_.types.Kind(program_.exprs[id].type);
      return kind == TypeKind::Pointer || lang::IsArray(kind);
    };
    const bool left = pointer(e.lhs), right = pointer(e.rhs);
    if (left && right)
      return Use(e.Binary() == BinaryOp::Sub ? Construct::PointerDifference : Construct::PointerComparison);
    if (left || right) return Use(Construct::PointerArithmetic);
    Use(kBinaryOpDraws[e.op].construct);
    if (lang::Info(e.Binary()).hazards != lang::kNoHazard) Operation();
  }

  void Recursion() {
    std::vector<std::vector<bool>> reach(program_.functions.Size(), std::vector<bool>(program_.functions.Size()));
    for (auto [from, to] : calls_) {
      if (from == to) Use(Construct::Recursion);
      reach[from.index][to.index] = true;
    }
    for (size_t k = 0; k < reach.size(); ++k) {
      for (size_t i = 0; i < reach.size(); ++i) {
        for (size_t j = 0; reach[i][k] && j < reach.size(); ++j) {
          if (reach[k][j]) reach[i][j] = true;
        }
      }
    }
    for (size_t i = 0; i < reach.size(); ++i) {
      for (size_t j = 0; j < reach.size(); ++j) {
        if (i != j && reach[i][j] && reach[j][i]) Use(Construct::MutualRecursion);
      }
    }
  }

  // Globals whose value at the end is not their initial one: the same program with an empty entry function tells.
  uint64_t ChangedGlobals() const {
    lang::Program still = program_;
    still.blocks[still.functions[still.entry].body].stmts.clear();
    const machine::RunResult initial = machine::Machine(still, {}).Run();
    std::vector<bool> changed(program_.vars.Size());
    size_t at = 0;
    for (const machine::FinalScalar& final : made_.result.finals) {
      while (at < initial.finals.size() && initial.finals[at].var < final.var) ++at;
      const machine::FinalScalar* before = nullptr;
      for (size_t i = at; i < initial.finals.size() && initial.finals[i].var == final.var; ++i) {
        if (initial.finals[i].path == final.path) before = &initial.finals[i];
      }
      if (before == nullptr || before->state != final.state || before->value != final.value ||
          before->target != final.target || before->target_path != final.target_path) {
        changed[final.var.index] = true;
      }
    }
    return static_cast<uint64_t>(std::count(changed.begin(), changed.end(), true));
  }

  const Generated& made_;
  const lang::Program& program_;
  ProgramCensus census_;
  FunctionId function_;
  uint32_t loops_ = 0;  // around the statement
  std::vector<std::pair<FunctionId, FunctionId>> calls_;
};

double Percent(double part, double whole) { return whole == 0 ? 0 : 100 * part / whole; }

}  // namespace

ProgramCensus TakeCensus(const Generated& made) { return Walker(made).Run(); }

void Census::Add(const ProgramCensus& one, size_t tokens) {
  for (size_t i = 0; i < counts_.size(); ++i) counts_[i] += one.uses.test(i);
  for (uint64_t Sizes::*field :
       {&Sizes::statements, &Sizes::executed_statements, &Sizes::operations, &Sizes::repaired_operations,
        &Sizes::changed_globals, &Sizes::steps, &Sizes::loops, &Sizes::entered_loops, &Sizes::live_loops,
        &Sizes::long_loops, &Sizes::counted_loops, &Sizes::cut_loops, &Sizes::blocks, &Sizes::hot_blocks})
    total_.*field += one.sizes.*field;
  ten_globals_ += one.sizes.changed_globals >= 10;
  tokens_.push_back(tokens);
}

double Census::Share(Construct construct) const {
  return Percent(static_cast<double>(counts_[static_cast<size_t>(construct)]), static_cast<double>(Programs()));
}
double Census::ExecutedShare() const {
  return Percent(static_cast<double>(total_.executed_statements), static_cast<double>(total_.statements));
}
double Census::RepairedShare() const {
  return Percent(static_cast<double>(total_.repaired_operations), static_cast<double>(total_.operations));
}
double Census::TenGlobalsShare() const {
  return Percent(static_cast<double>(ten_globals_), static_cast<double>(Programs()));
}

std::string Census::Text() const {
  std::vector<size_t> sorted = tokens_;
  std::sort(sorted.begin(), sorted.end());
  auto quantile = [&](size_t percent) { return sorted.empty() ? 0 : sorted[(sorted.size() - 1) * percent / 100]; };
  std::string text = fmt::format("{} programs; share of programs that use each construct:\n", Programs());
  for (const ConstructRow& row : kConstructs) {
    const double share = Share(row.kind);
    text += fmt::format("  {:<28} {:6.1f} %{}\n", row.name, share, share < row.least ? "   below its least share" : "");
  }
  text += fmt::format("tokens: median {}, 10 % below {}, 90 % below {}, largest {}\n", quantile(50), quantile(10),
                      quantile(90), quantile(100));
  text += fmt::format("statements executed: {:.1f} %\n", ExecutedShare());
  text += fmt::format("arithmetic operations that carry a repair: {:.1f} %\n", RepairedShare());
  text += fmt::format("programs that change ten or more globals: {:.1f} %\n", TenGlobalsShare());
  text += fmt::format("machine steps per program: {}\n", Programs() == 0 ? 0 : total_.steps / Programs());
  const auto of_loops = [&](uint64_t count) {
    return Percent(static_cast<double>(count), static_cast<double>(total_.loops));
  };
  text += fmt::format(
      "loops: {}; entered {:.1f} %, with 2 or more iterations {:.1f} %, with 16 or more {:.1f} %, a counter in the "
      "condition {:.1f} %, "
      "in the body {:.1f} %\n",
      total_.loops, of_loops(total_.entered_loops), of_loops(total_.live_loops), of_loops(total_.long_loops),
      of_loops(total_.counted_loops), of_loops(total_.cut_loops));
  text += fmt::format("executed blocks that run 100 times or more: {:.1f} %\n",
                      Percent(static_cast<double>(total_.hot_blocks), static_cast<double>(total_.blocks)));
  return text;
}

}  // namespace assay::gen
