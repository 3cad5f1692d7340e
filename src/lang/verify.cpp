#include "lang/verify.hpp"

#include <algorithm>

#include "lang/attributes.hpp"
#include "lang/constraints.hpp"
#include "lang/effects.hpp"
#include "lang/layout.hpp"
#include "lang/type_rules.hpp"
#include "lang/typing.hpp"

namespace assay::lang {
namespace {

// A set of ids, each of which may be taken once.
template <typename Id>
class Once {
 public:
  explicit Once(uint32_t size) : taken_(size) {}
  bool Contains(Id id) const { return id.index < taken_.size(); }
  bool Taken(Id id) const { return taken_[id.index]; }
  bool Take(Id id) {
    if (taken_[id.index]) return false;
    taken_[id.index] = true;
    return true;
  }
  void Release(Id id) { taken_[id.index] = false; }

 private:
  std::vector<bool> taken_;
};

class Verifier {
 public:
  explicit Verifier(Program& program)
      : program_(program),
        types_(program.types),
        layouts_(program),
        exprs_(program.exprs.Size()),
        stmts_(program.stmts.Size()),
        blocks_(program.blocks.Size()),
        inits_(program.inits.Size()),
        declared_(program.vars.Size()),
        in_scope_(program.vars.Size()),
        functions_(program.functions.Size()),
        labels_(program.labels.Size()) {}

  // `retype`: computes the types of expressions instead of comparing them, and ends at the first problem.
  std::vector<Problem> Run(bool retype) {
    retype_ = retype;
    try {
      Run();
    } catch (const Enough&) {
    }
    return std::move(problems_);
  }

 private:
  struct Enough {};

  void Run() {
    CheckTypes(program_, [&](std::string_view message) { Report(message); });
    if (!problems_.empty()) return;
    for (FunctionId id : program_.function_order) {
      if (!functions_.Contains(id) || !functions_.Take(id))
        Report("a function is in the order twice or does not exist");
    }
    for (FunctionId id : program_.function_order) {
      function_ = id;
      if (!functions_.Contains(id)) continue;
      const TypeId type = program_.functions[id].type;
      Require(type && types_.Kind(type) == TypeKind::Function, "a function without a function type");
    }
    function_ = {};
    if (!problems_.empty()) return;
    Globals();
    for (FunctionId id : program_.function_order) FunctionRules(id);
    Entry();
    if (problems_.empty()) Attributes();
  }

  void Report(std::string_view message) {
    problems_.push_back({message, function_, stmt_, expr_, var_});
    if (retype_) throw Enough();
  }
  bool Require(bool condition, std::string_view message) {
    if (!condition) Report(message);
    return condition;
  }

  // --- objects
  // ----------------------------------------------------------------------------------------------------------
  void Globals() {
    for (VarId id : program_.globals) {
      var_ = id;
      if (!Require(declared_.Contains(id) && declared_.Take(id), "a global is declared twice or does not exist"))
        continue;
      const Variable& var = program_.vars[id];
      Require(var.storage == Storage::Global && !var.function, "a global without the storage of one");
      in_scope_.Take(id);
    }
    for (VarId id : program_.globals) {
      if (!declared_.Contains(id)) continue;
      var_ = id;
      ObjectRules(id);
    }
    var_ = {};
  }

  // Elements are reached by its address.
  bool HasArray(TypeId type) const {
    if (IsArray(types_.Kind(type))) return true;
    if (!IsRecord(types_.Kind(type))) return false;
    const std::vector<Member>& members = types_.GetRecord(types_[type].record).members;
    return std::any_of(members.begin(), members.end(), [&](const Member& member) { return HasArray(member.type); });
  }

  // The rules of any object, its initialiser included.
  void ObjectRules(VarId id) {
    const Variable var = program_.vars[id];
    const bool vla = types_.Kind(var.type) == TypeKind::Vla;
    Require(vla || IsObjectType(program_, var.type), "an object of an incomplete type");
    Require(!IsWide(types_.Kind(var.type)) || program_.Model().HasWide(), kNoWide);
    if (vla) {
      Require(var.storage == Storage::Auto && !var.init, "a VLA that is not automatic, or has an initialiser");
      if (Require(var.vla_length.Valid(), "a VLA without a length") && Expression(var.vla_length)) {
        Require(IsVlaLength(program_, var.vla_length),
                "the length of a VLA is not an integer, or a constant that is not positive");
      }
    } else {
      Require(!var.vla_length, "a length without a VLA");
    }
    if (var.align != 0 && !vla) {
      Require((var.align & (var.align - 1)) == 0 && var.align >= layouts_.Of(var.type).align,
              "an alignment that is not a power of two or less than the type's");
      Require(var.storage != Storage::Register && var.storage != Storage::Param && var.storage != Storage::Literal,
              "an alignment on a register variable, parameter or literal");
    }
    if (var.attrs != 0) {
      const bool nonnull = var.storage == Storage::Param && types_.Kind(var.type) == TypeKind::Pointer;
      Require((var.attrs & kVarNonNull) == 0 || nonnull, "nonnull on what is no parameter of pointer type");
      Require((var.attrs & ~kVarNonNull) == 0 || var.storage == Storage::Global, "attributes of what is no global");
      Require((var.attrs & (kVarWeak | kVarHidden)) == 0 || !var.internal_linkage,
              "a weak or hidden object that is static");
      Require((var.attrs & kVarThreadLocal) == 0 || (var.attrs & (kVarSection | kVarWeak)) == 0,
              "a thread's object that is weak or in a section");
      Require((var.attrs & kVarSection) == 0 || !HasQualifier(program_, var.type, kConst),
              "a const object in the section of others");
    }
    Require((types_[var.type].quals & kRestrict) == 0 || (!var.IsStatic() && var.storage != Storage::Literal),
            "a restrict-qualified object that is not automatic");
    Require(var.storage != Storage::Register || !HasArray(var.type), "an array in a register");
    if (var.init) Initialiser(var.init, var.type, var.IsStatic());
  }

  void Initialiser(InitId id, TypeId type_id, bool constant) {
    if (!Require(inits_.Contains(id) && inits_.Take(id), "an initialiser is used twice or does not exist")) return;
    const Init init = program_.inits[id];
    const Type type = types_[type_id];
    switch (init.kind) {
      case InitKind::Expr:
        if (!Require(init.expr.Valid(), "an initialiser without a value") || !Expression(init.expr)) return;
        Require(IsAssignable(program_, type_id, init.expr), "the value does not fit what it initialises");
        if (constant) Require(IsConstantExpression(program_, init.expr), "a static initialiser that is not constant");
        return;
      case InitKind::String:
        Require(program_.strings.Contains(init.string) && type.kind == TypeKind::Array &&
                    IsCharacter(types_.Kind(type.element)) && type.length > program_.strings[init.string].size(),
                "the string does not fit what it initialises");
        return;
      case InitKind::List: return InitialiserList(init, type, constant);
    }
  }

  void InitialiserList(const Init& init, const Type& type, bool constant) {
    const bool vector = IsVector(type.kind);
    if (!Require(type.kind == TypeKind::Array || IsRecord(type.kind) || vector, "a list for a scalar")) return;
    Require(type.kind != TypeKind::Union || init.items.size() <= 1, "a union with two initialisers");
    const size_t count = IsRecord(type.kind) ? types_.GetRecord(type.record).members.size() : type.length;
    Require(!vector || !init.designated, "a vector's initialiser with designators");
    std::vector<uint32_t> seen;
    for (const InitItem& item : init.items) {
      if (!Require(item.index < count, "an initialiser for a part that does not exist")) continue;
      if (vector) {
        Require(
            item.index == seen.size() && inits_.Contains(item.init) && program_.inits[item.init].kind == InitKind::Expr,
            "the lanes of a vector are not in order, or not expressions");
      }
      seen.push_back(item.index);
      TypeId part = type.element;
      if (IsRecord(type.kind)) {
        const Member& member = types_.GetRecord(type.record).members[item.index];
        Require(member.named, "an initialiser for an unnamed member");
        part = member.type;
      }
      Initialiser(item.init, part, constant);
    }
    std::sort(seen.begin(), seen.end());
    Require(std::adjacent_find(seen.begin(), seen.end()) == seen.end(), "two initialisers for one part");
  }

  // --- expressions
  // ------------------------------------------------------------------------------------------------------ True if the
  // tree is right, so that its type can be used.
  bool Expression(ExprId id) {
    if (!Require(exprs_.Contains(id) && exprs_.Take(id), "an expression is used twice or does not exist")) return false;
    const ExprId outer = expr_;
    expr_ = id;
    const bool right = ExpressionRules(id);
    expr_ = outer;
    return right;
  }

  bool ExpressionRules(ExprId id) {
    Expr e = program_.exprs[id];
    if (!Require(e.kind < ExprKind::kCount, "not an expression of a finished program")) return false;
    if (Info(e.kind).has_args && !Require(e.args.first + size_t{e.args.count} <= program_.args.size(),
                                          "the arguments are outside their store")) {
      return false;
    }
    bool right = true;
    ForEachChild(program_, e, [&](ExprId child) { right &= Expression(child); });
    if (!right) return false;
    if (!Require(e.type.Valid() && e.type.index < types_.Size(), "an expression without a type")) return false;
    if (retype_ && e.kind == ExprKind::Guard) e.type = OperandType(program_, e.lhs);
    const std::string_view problem = OperandProblem(program_, e);
    if (!Require(problem.empty(), problem)) return false;
    if (e.kind == ExprKind::Variable || e.kind == ExprKind::Guard) {
      right &= Require(in_scope_.Taken(e.Var()), "a variable outside its scope");
    }
    if (e.kind == ExprKind::Function) {
      right &= Require(functions_.Taken(e.Func()), "a function that is not in the program's order");
    }
    if (e.kind == ExprKind::CompoundLiteral) Literal(e.Var());
    if (e.kind == ExprKind::Builtin && Info(e.GetBuiltin()).operands == BuiltinOperands::Atomic) {
      const TypeId pointer = ValueType(program_, program_.Arg(e, 0));
      right &= Require(layouts_.Of(types_[pointer].element).size <= layouts_.Of(pointer).size,
                       "an atomic operation on more than a pointer holds");  // or else it may need a library
    }
    if (e.kind == ExprKind::Builtin && (e.GetBuiltin() == Builtin::Malloc || e.GetBuiltin() == Builtin::Calloc)) {
      right &= Require(layouts_.Of(e.RefType()).align <= 2u * program_.Model().Properties().pointer_bytes,
                       "an allocation of a type that is aligned to more than malloc gives");
    }
    if (e.kind == ExprKind::Builtin && e.GetBuiltin() == Builtin::AssumeAligned) {
      right &= Require(program_[program_.Arg(e, 1)].value <= layouts_.Of(e.RefType()).align,
                       "an alignment that the type does not have");
    }
    if (e.kind == ExprKind::Builtin && e.GetBuiltin() == Builtin::VaStart) {
      right &=
          Require(function_ && IsVariadic(function_), "va_start in a function that is not variadic") &&
          Require(LastParameterIsPromoted(function_), "va_start after a parameter whose type is not its promoted type");
    }
    const TypeId type = TypeOf(program_, e);
    if (retype_) {
      program_.exprs[id].type = type;
      return right;
    }
    return Require(type == e.type, "the type is not the one that follows from the operands") && right;
  }

  // 7.16.1.4p4
  bool LastParameterIsPromoted(FunctionId id) const {
    const std::vector<VarId>& params = program_.functions[id].params;
    if (params.empty()) return false;
    const TypeKind kind = types_.Kind(program_.vars[params.back()].type);
    return !IsInteger(kind) || Promote(kind, program_.Model()) == StandardKind(kind, program_.Model());
  }

  bool IsVariadic(FunctionId id) const {
    return types_.GetSignature(types_[program_.functions[id].type].signature).variadic;
  }

  void Literal(VarId id) {
    if (!Require(declared_.Take(id), "the object of a literal is used twice")) return;
    Require(program_.vars[id].function == function_ && function_, "a literal of another function");
    const Variable& var = program_.vars[id];
    const bool whole = IsRecord(types_.Kind(var.type)) || IsVector(types_.Kind(var.type));
    if (whole && inits_.Contains(var.init)) {  // 6.7.9p13, p20: it is written in braces
      Require(program_.inits[var.init].kind == InitKind::List, "a literal that is a copy of a record or vector");
    }
    SlotRule(id);
    ObjectRules(id);
  }

  // --- functions
  // --------------------------------------------------------------------------------------------------------
  void SlotRule(VarId id) {
    const Variable& var = program_.vars[id];
    if (var.IsStatic() || !function_) return;
    const std::vector<VarId>& locals = program_.functions[function_].locals;
    Require(var.slot < locals.size() && locals[var.slot] == id, "an object without its slot");
  }

  // Enters a local into the scope of the moment.
  void Declare(VarId id) {
    var_ = id;
    if (Require(declared_.Contains(id) && declared_.Take(id), "a variable is declared twice or does not exist")) {
      const Variable& var = program_.vars[id];
      Require(var.function == function_ && var.storage != Storage::Global && var.storage != Storage::Literal,
              "a variable declared in a function that is not its own");
      SlotRule(id);
      in_scope_.Take(id);
      scope_.push_back(id);
      if (types_.Kind(var.type) == TypeKind::Vla) vlas_.push_back(id);
      ObjectRules(id);
    }
    var_ = {};
  }

  struct ScopeMark {
    size_t variables, vlas;
  };
  ScopeMark Mark() const { return {scope_.size(), vlas_.size()}; }
  void Leave(ScopeMark mark) {
    for (; scope_.size() > mark.variables; scope_.pop_back()) in_scope_.Release(scope_.back());
    vlas_.resize(mark.vlas);
  }

  void FunctionRules(FunctionId id) {
    function_ = id;
    const Function function = program_.functions[id];
    jumps_.clear();
    targets_.clear();
    for (const auto& [one, other, message] : kExclusiveAttributes) {
      Require((function.attrs & one) == 0 || (function.attrs & other) == 0, message);
    }
    const Signature signature = types_.GetSignature(types_[function.type].signature);
    const Type& result = types_[types_[function.type].element];
    Require((function.attrs & kFnReturnsNonNull) == 0 || result.kind == TypeKind::Pointer,
            "returns_nonnull on a function that returns no pointer");
    Require((function.attrs & kFnAssumeAligned) == 0 ||
                (result.kind == TypeKind::Pointer && IsObjectType(program_, result.element)),
            "assume_aligned on a function that returns no pointer to an object");
    bool match = function.params.size() == signature.params.size();
    for (size_t i = 0; match && i < function.params.size(); ++i) {
      match = program_.vars.Contains(function.params[i]) && program_[function.params[i]].storage == Storage::Param &&
              types_.Unqualified(program_[function.params[i]].type) == types_.Unqualified(signature.params[i]);
    }
    Require(match, "the parameters do not match the type of the function");
    for (VarId var : function.params) Declare(var);
    for (VarId var : function.temporaries) {
      Declare(var);
      if (program_.vars.Contains(var)) {
        Require(types_.Kind(program_[var].type) != TypeKind::Vla, "a temporary that is a VLA");
      }
    }
    if (Require(function.body.Valid(), "a function without a body")) Block(function.body, {}, {}, {});
    Jumps();
    Leave({0, 0});
    function_ = {};
  }

  void Entry() {
    if (!Require(functions_.Contains(program_.entry) && functions_.Taken(program_.entry), "no entry function")) return;
    const TypeId type = program_.functions[program_.entry].type;
    Require(types_.GetSignature(types_[type].signature).params.empty(), "the entry function has parameters");
  }

  // A promise that the text does not keep is a licence to miscompile.
  void Attributes() {
    const uint32_t promises = kFnPure | kFnConst | kFnAlwaysInline;
    const auto& order = program_.function_order;
    if (std::none_of(order.begin(), order.end(), [&](FunctionId id) { return program_[id].attrs & promises; })) return;
    const ProgramEffects effects = EffectsOf(program_);
    for (FunctionId id : order) {
      function_ = id;
      const uint32_t attrs = program_[id].attrs, untrue = attrs & UntrueAttributes(program_, effects, id);
      Require((attrs & kFnPure) == 0 || (attrs & kFnConst) == 0, "pure and const together");
      Require((untrue & kFnPure) == 0, "a pure function that has effects or no value");
      Require((untrue & kFnConst) == 0, "a const function that has effects, reads memory or has no value");
      Require((untrue & kFnAlwaysInline) == 0, "always_inline on a function that cannot always be inlined");
    }
    function_ = {};
  }

  // --- statements
  // -------------------------------------------------------------------------------------------------------
  struct Context {
    bool in_loop = false, in_switch = false;
  };

  void Block(BlockId id, BlockId outer, StmtId owner, Context context) {
    if (!Require(blocks_.Contains(id) && blocks_.Take(id), "a block is used twice or does not exist")) return;
    const lang::Block& block = program_.blocks[id];
    Require(block.function == function_ && block.outer == outer && block.owner == owner,
            "the links of a block are wrong");
    const ScopeMark mark = Mark();
    const bool is_switch = owner && program_[owner].kind == StmtKind::Switch;
    std::vector<std::pair<int64_t, int64_t>> cases;  // from, to; unsigned 64 bits as signed ones, in order all the same
    bool has_default = false;
    for (size_t i = 0; i < program_.blocks[id].stmts.size(); ++i) {
      const StmtId stmt_id = program_.blocks[id].stmts[i];
      stmt_ = stmt_id;
      if (!Require(stmts_.Contains(stmt_id) && stmts_.Take(stmt_id), "a statement is used twice or does not exist")) {
        continue;
      }
      const Stmt stmt = program_.stmts[stmt_id];
      if (stmt.kind == StmtKind::Case || stmt.kind == StmtKind::Default) {
        if (!Require(is_switch, "a case outside the list of a switch")) continue;
        Require(vlas_.size() == mark.vlas, "a case in the scope of a VLA of the switch");
        if (stmt.kind == StmtKind::Case) {
          Case(program_[owner].expr, stmt, cases);
        } else {
          Require(!has_default, "two defaults in a switch");
          has_default = true;
        }
        continue;
      }
      Statement(stmt_id, stmt, id, context);
    }
    stmt_ = owner;
    std::sort(cases.begin(), cases.end());
    Require(std::adjacent_find(cases.begin(), cases.end(),
                               [](const auto& a, const auto& b) { return a.second >= b.first; }) == cases.end(),
            "two equal cases in a switch");
    Leave(mark);
  }

  // The values as the type of the switch orders them; a range must not wrap.
  void Case(ExprId controlling, const Stmt& stmt, std::vector<std::pair<int64_t, int64_t>>& cases) {
    if (!exprs_.Contains(controlling) || !IsInteger(types_.Kind(program_[controlling].type))) return;
    const IntegerInfo info = IntegerInfoOf(PromotedKind(program_, controlling), program_.Model());
    const uint64_t bits = info.bits == 64 ? ~uint64_t{0} : (uint64_t{1} << info.bits) - 1;
    const uint64_t top = uint64_t{1} << (info.bits - 1);
    // Counted from the least value of the type.
    const uint64_t from = ((static_cast<uint64_t>(stmt.value) & bits) + (info.is_signed ? top : 0)) & bits;
    if (!Require(stmt.span <= bits - from, "a range of cases beyond the type of the switch")) return;
    const auto ordered = [](uint64_t value) { return static_cast<int64_t>(value - (uint64_t{1} << 63)); };
    cases.emplace_back(ordered(from), ordered(from + stmt.span));
  }

  void Condition(ExprId id) {
    if (Require(id.Valid(), "a statement without its expression") && Expression(id)) {
      Require(IsScalar(types_.Kind(ValueType(program_, id))), "a condition that is not a scalar");
    }
  }

  void Body(BlockId body, StmtId id, BlockId block, Context context) {
    if (Require(body.Valid(), "a statement without its body")) Block(body, block, id, context);
    stmt_ = id;
  }

  void Statement(StmtId id, const Stmt& stmt, BlockId block, Context context) {
    constexpr uint64_t kMostUnrolling = 64;
    const bool is_loop = stmt.kind < StmtKind::kCount && Info(stmt.kind).loop;
    Require(!is_loop || stmt.span <= kMostUnrolling, "a loop that is unrolled too often");
    switch (stmt.kind) {
      case StmtKind::Empty: return;
      case StmtKind::Expr:
        if (Require(stmt.expr.Valid(), "a statement without its expression")) Expression(stmt.expr);
        return;
      case StmtKind::Decl:
        if (program_.vars.Contains(stmt.var)) {
          Require(program_[stmt.var].storage != Storage::Param, "a parameter is declared in a block");
        }
        return Declare(stmt.var);
      case StmtKind::Block: return Body(stmt.body, id, block, context);
      case StmtKind::If:
        Condition(stmt.expr);
        Body(stmt.body, id, block, context);
        if (stmt.other) Body(stmt.other, id, block, context);
        return;
      case StmtKind::For: {
        const ScopeMark mark = Mark();
        Require(!stmt.var || !stmt.init, "a for with a declaration and an expression");
        if (stmt.var) {
          Declare(stmt.var);
          if (program_.vars.Contains(stmt.var)) {
            const Storage storage = program_[stmt.var].storage;
            Require(storage == Storage::Auto || storage == Storage::Register, "a for that declares a static variable");
          }
        }
        if (stmt.init) Expression(stmt.init);
        if (stmt.expr) Condition(stmt.expr);
        if (stmt.step) Expression(stmt.step);
        Body(stmt.body, id, block, {.in_loop = true, .in_switch = context.in_switch});
        return Leave(mark);
      }
      case StmtKind::While:
      case StmtKind::DoWhile:
        Condition(stmt.expr);
        return Body(stmt.body, id, block, {.in_loop = true, .in_switch = context.in_switch});
      case StmtKind::Switch:
        if (Require(stmt.expr.Valid(), "a statement without its expression") && Expression(stmt.expr)) {
          Require(IsInteger(types_.Kind(program_[stmt.expr].type)), "a switch on something not an integer");
          Require(!IsPromotionUnclear(program_, stmt.expr),
                  "a switch on a bit-field whose promoted type compilers disagree on");
        }
        return Body(stmt.body, id, block, {.in_loop = context.in_loop, .in_switch = true});
      case StmtKind::Label:
        if (!Require(labels_.Contains(stmt.label) && labels_.Take(stmt.label),
                     "a label stands twice or does not exist")) {
          return;
        }
        Require(program_.labels[stmt.label].block == block, "the links of a label are wrong");
        targets_.push_back({stmt.label, id, vlas_});
        return;
      case StmtKind::Goto:
        if (Require(labels_.Contains(stmt.label), "a goto without a label")) jumps_.push_back({stmt.label, id, vlas_});
        return;
      case StmtKind::GotoTable: return ComputedGoto(id, stmt);
      case StmtKind::Break: Require(context.in_loop || context.in_switch, "a break outside a loop or switch"); return;
      case StmtKind::Continue: Require(context.in_loop, "a continue outside a loop"); return;
      case StmtKind::Return: return Return(stmt);
      case StmtKind::Barrier: return Barrier(stmt);
      case StmtKind::Case:
      case StmtKind::Default:
      case StmtKind::kCount: Report("not a statement");
    }
  }

  // What the operand of an asm must be: a scalar object that gcc and clang both take with the constraint.
  void Barrier(const Stmt& stmt) {
    if (!Require(stmt.value >= 0 && stmt.value < static_cast<int64_t>(BarrierKind::kCount), "no such barrier")) return;
    const auto kind = static_cast<BarrierKind>(stmt.value);
    if (!Require(stmt.expr.Valid() == (kind != BarrierKind::Memory), "a barrier without its operand, or with one"))
      return;
    if (!stmt.expr || !Expression(stmt.expr)) return;
    const TypeId type = program_[stmt.expr].type;
    if (!Require(IsLvalue(program_, stmt.expr) && IsScalar(types_.Kind(type)),
                 "a barrier of what is no scalar object")) {
      return;
    }
    Require((types_[type].quals & (kVolatile | kRestrict)) == 0, "a barrier of a volatile or restrict object");
    Require(!Info(kind).writes || IsModifiable(program_, type), "a barrier that writes a const object");
    Require(BitWidthOf(program_, stmt.expr) < 0, "a barrier of a bit-field");
    const VarId base = BaseVariable(program_, stmt.expr);
    Require(!NeedsPlace(kind) || !base || program_[base].storage != Storage::Register,
            "a barrier that needs the place of a register variable");
    const uint32_t size = layouts_.Of(type).size;
    Require(!NeedsRegister(kind) || size <= layouts_.Of(types_.Pointer(type)).size,
            "a barrier of what no register holds");
    Require(kind != BarrierKind::Anywhere || !IsWide(types_.Kind(type)), "a barrier of what no register holds");
  }

  // clang lets no computed goto of a function near the scope of a VLA.
  void ComputedGoto(StmtId id, const Stmt& stmt) {
    if (Require(stmt.expr.Valid(), "a statement without its expression") && Expression(stmt.expr)) {
      Require(IsInteger(types_.Kind(program_[stmt.expr].type)), "an index into a table of labels that is no integer");
    }
    Require(vlas_.empty(), "a computed goto in the scope of a VLA");
    if (!Require(stmt.labels.count > 0 && stmt.labels.first + size_t{stmt.labels.count} <= program_.label_lists.size(),
                 "a computed goto without labels")) {
      return;
    }
    for (uint32_t i = 0; i < stmt.labels.count; ++i) {
      const LabelId label = program_.LabelOf(stmt, i);
      if (Require(labels_.Contains(label), "a goto without a label")) jumps_.push_back({label, id, vlas_});
    }
  }

  void Return(const Stmt& stmt) {
    const TypeId result = types_[program_.functions[function_].type].element;
    const bool is_void = types_.Kind(result) == TypeKind::Void;
    if (!Require(is_void == !stmt.expr, "a return that does not fit the function")) return;
    if (stmt.expr && Expression(stmt.expr)) {
      Require(IsAssignable(program_, result, stmt.expr), "the value does not fit the type of the function");
    }
  }

  struct JumpPoint {
    LabelId label;
    StmtId stmt;
    std::vector<VarId> vlas;  // in whose scope it is
  };

  // The VLAs in scope at a place are a stack: a jump is right if the label's stack is the lower
  // part of its own.
  void Jumps() {
    for (const JumpPoint& jump : jumps_) {
      stmt_ = jump.stmt;
      const auto target = std::find_if(targets_.begin(), targets_.end(),
                                       [&](const JumpPoint& point) { return point.label == jump.label; });
      if (!Require(target != targets_.end(), "the label is not in the function of the goto")) continue;
      Require(target->vlas.size() <= jump.vlas.size() &&
                  std::equal(target->vlas.begin(), target->vlas.end(), jump.vlas.begin()),
              "a jump into the scope of a VLA");
    }
    stmt_ = {};
  }

  Program& program_;
  TypeTable& types_;
  Layouts layouts_;
  Once<ExprId> exprs_;
  Once<StmtId> stmts_;
  Once<BlockId> blocks_;
  Once<InitId> inits_;
  Once<VarId> declared_, in_scope_;
  Once<FunctionId> functions_;
  Once<LabelId> labels_;
  std::vector<VarId> scope_, vlas_;
  std::vector<JumpPoint> jumps_, targets_;
  FunctionId function_;
  StmtId stmt_;
  ExprId expr_;
  VarId var_;
  std::vector<Problem> problems_;
  bool retype_ = false;
};

}  // namespace

std::vector<Problem> Verify(Program& program) { return Verifier(program).Run(false); }

std::optional<Problem> Retype(Program& program) {
  const std::vector<Problem> problems = Verifier(program).Run(true);
  return problems.empty() ? std::nullopt : std::optional(problems.front());
}

std::string Describe(const Problem& problem) {
  std::string text;
  const auto part = [&](std::string_view name, auto id) {
    if (id) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, id.index);
  };
  part("function", problem.function);
  part("statement", problem.stmt);
  part("variable", problem.var);
  part("expression", problem.expr);
  return text + (text.empty() ? "" : ": ") + std::string(problem.message);
}

}  // namespace assay::lang
