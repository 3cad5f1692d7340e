// The evaluator behind Machine. One class, its functions spread over files by idea:
//   run.cpp     start, finish, the public interface        expr.cpp    operators
//   call.cpp    calls, frames                              assign.cpp  assignment, ++, --
//   stmt.cpp    statements, jump.cpp: goto                 lvalue.cpp  lvalues; pointer_ops.cpp: arithmetic on pointers
//   object.cpp  lifetimes, initialisation                  access.cpp  loads and stores with their checks
//   vectors.cpp operators of vectors, lane by lane         wide.cpp    wide integers
//   repair.cpp  traps: end of the run, or the author       builtins.cpp, finals.cpp
// What is [[gnu::cold]] happens rarely and is kept out of the way of the rest.
//
// While an author is at work the program's stores grow and nodes are rewritten in place under a running evaluation.
// Therefore nodes are copied before their operands are evaluated, and no reference into a store is kept
// across Eval or a call of the author.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lang/constraints.hpp"
#include "lang/typing.hpp"
#include "machine/facts.hpp"
#include "machine/float_note.hpp"
#include "machine/machine.hpp"
#include "machine/memory.hpp"
#include "machine/note_table.hpp"
#include "machine/pointers.hpp"
#include "machine/scalar.hpp"
#include "machine/sequence.hpp"
#include "machine/wide.hpp"

namespace assay::machine {

// Where an lvalue is: an object and the part of it. Made by At; without initialisers, because it is made and copied
// often, mostly without unions around it.
// What a string function has read: where, and the characters before the end.
struct Characters {
  Value pointer;
  std::vector<uint8_t> bytes;
  bool ended = false;  // by a zero, which is not among them
};

struct LValue {
  ObjectId object;
  uint32_t offset;
  uint32_t low, high;   // where a pointer to it may move
  uint32_t tag;         // see Pointer
  uint32_t type_index;  // of its type, with qualifiers
  int16_t bit_width;    // -1: not a bit-field
  uint8_t bit_offset;   // 0 unless it is one
  bool view;            // a character view of something else
  // Unions around it, outermost first: the union's bytes and those of the member the path goes through, with its type.
  struct UnionScope {
    uint32_t begin, end, member_begin, member_end, member, member_type;
  };
  static constexpr uint8_t kMostUnions = 3;
  uint8_t unions;
  UnionScope scopes[kMostUnions];

  LValue() : unions(0) {}
  LValue(const LValue& other) { *this = other; }
  LValue& operator=(const LValue& other) {
    std::memcpy(static_cast<void*>(this), &other, offsetof(LValue, scopes));
    for (uint8_t i = 0; i < unions; ++i) scopes[i] = other.scopes[i];
    return *this;
  }

  lang::TypeId Type() const { return lang::TypeId(type_index); }
  static LValue At(ObjectId object, uint32_t offset, uint32_t low, uint32_t high, lang::TypeId type) {
    LValue lvalue;
    lvalue.object = object;
    lvalue.offset = offset;
    lvalue.low = low;
    lvalue.high = high;
    lvalue.tag = 0;
    lvalue.type_index = type.index;
    lvalue.bit_width = -1;
    lvalue.bit_offset = 0;
    lvalue.view = false;
    lvalue.unions = 0;
    return lvalue;
  }
};

// An operand whose value stands while its operator is evaluated again after a repair.
struct Known {
  lang::ExprId expr;
  Value value = 0;
  bool is_lvalue = false;
  LValue lvalue = {};
  mutable bool used = false;  // the tree it stands in did evaluate it
  FloatNote note = {};        // of a floating value, in the mode `robust`
};

// Ends the run.
struct Stop {
  Trap trap;
};

enum class Flow : uint8_t { Next, Break, Continue, Return, Goto };

struct Frame {
  lang::FunctionId function;
  lang::StmtId stmt;  // being executed
  lang::ExprId call;
  uint32_t slot_base = 0;  // of its objects in slots_
  uint32_t slot_count = 0;
  uint32_t first_serial = 0;  // objects from here on were made by this call
  AccessLog::Mark log_mark = 0;
  AccessLog::Mark folded = 0;  // up to here
  AccessLog::Mark compact_at = 0;
  uint32_t known_base = 0;             // operands known to this frame start here
  uint32_t va_base = 0, va_count = 0;  // its variable arguments in va_values_
  uint32_t restrict_base = 0;          // its restrict-qualified pointers in restricts_ start here
  ObjectId result_object = kNoObject;  // a returned record goes here
  Value result = 0;
  bool has_result = false;
  bool caller_wants_log = false;  // the caller compares this call's accesses with others
};

// One full expression: what its end undoes.
struct FullScope {
  AccessLog::Mark log_mark;
  uint32_t temporaries;
  uint32_t stack_top;
  uint32_t live;
  lang::ExprId lone_call, discarded;
  size_t wide;
};

// Of one vector; the first ones are used.
using Lanes = std::array<Value, lang::kMostVectorBytes>;

class Machine::Impl {
 public:
  Impl(lang::Program& program, const Options& options);

  RunResult Run();
  std::optional<Value> Peek(lang::VarId var, uint32_t offset, lang::TypeId type, int bit_offset, int bit_width);
  std::optional<Value> Probe(lang::ExprId expr, std::vector<Value>* lanes = nullptr);  // lanes: of a vector
  PointerView View(Value pointer) const;
  bool SamePointer(Value a, Value b) const;
  void Define(lang::VarId var, Value value);
  void Moved(lang::ExprId from, lang::ExprId to);

  // --- run.cpp -------------------------------------------------------------------------------------------------
  void Sync();  // after the author was called: arrays grow with the program's stores
  void Tick() {
    if (++steps_ > options_.step_budget) [[unlikely]]
      StopAt(TrapKind::StepBudget, {});
  }

  // --- expr.cpp ------------------------------------------------------------------------------------------------
  // The value of an expression. Leaves are so common that they are evaluated where they stand.
  Value Eval(lang::ExprId id) {
    const lang::Expr& node = program_.exprs[id];
    const bool leaf = node.kind == lang::ExprKind::Constant || node.kind == lang::ExprKind::Variable;
    if (!leaf || knows_ || watches_leaves_) return EvalAny(id);
    Value value;
    if (node.kind == lang::ExprKind::Constant) {
      value = node.value;
    } else if (!LoadVariable(node.Var(), node.type, value)) {
      return EvalAny(id);
    }
    Tick();
    ++counts_[id.index];
    if (author_ != nullptr) ++completed_[id.index];
    return value;
  }
  Value EvalAny(lang::ExprId id);
  Value EvalWatched(lang::ExprId id);
  // By the node's kind. EvalNode is EvalKind for other files: in expr.cpp every evaluation goes through it, without a
  // call.
  Value EvalNode(lang::ExprId id, const lang::Expr& e, uint32_t index);
  [[gnu::always_inline]] Value EvalKind(lang::ExprId id, const lang::Expr& e, uint32_t index);
  bool LoadVariable(lang::VarId var, lang::TypeId type, Value& value);
  bool LoadPointerVariable(lang::VarId var, const TypeFacts& type, Value& value);
  Value EvalLvalueKind(lang::ExprId id, const lang::Expr& e, uint32_t index);
  [[gnu::cold]] TrapKind CheckFound(const LValue& lvalue, AccessLog::Mark start) const;
  Value EvalUnary(lang::ExprId id, const lang::Expr& e, uint32_t index);
  Value EvalBinary(lang::ExprId id, const lang::Expr& e, uint32_t index);
  Value EvalConditional(const lang::Expr& e);
  Value EvalCast(lang::ExprId id, const lang::Expr& e, uint32_t index);
  Value EvalGuard(const lang::Expr& e);
  Value EvalAddressOf(lang::ExprId id, const lang::Expr& e, uint32_t index);
  ScalarType PromotedOf(lang::ExprId operand) const;     // of an integer operand
  static ScalarType Common(ScalarType a, ScalarType b);  // usual arithmetic conversions on promoted types
  TrapKind Operate(const lang::Expr& e, Value a, Value b, Value& out);  // a Binary node on its operands' values
  // An operand, or the whole of a condition, as a truth.
  bool Truth(lang::ExprId id) { return IsTrueOf(id, Eval(id)); }
  bool IsTrueOf(lang::ExprId id, Value value) const {
    return value != 0 && (!MayBeFalse(value) || IsTrueFor(FactsOf(id).scalar, value));
  }
  [[gnu::cold]] bool IsTrueFor(ScalarType type, Value value) const {
    return type.type_class == TypeClass::Wide ? WideBitsOf(value) != 0 : IsTrue(type, value);
  }
  // lhs op rhs on numbers of the given promoted types, one of them floating
  [[gnu::cold]] TrapKind ComputeFloat(lang::BinaryOp op, ScalarType lhs, Value a, ScalarType rhs, Value b, Value& out);
  // lhs op rhs on integers of the given promoted types
  TrapKind Compute(lang::BinaryOp op, ScalarType lhs, Value a, ScalarType rhs, Value b, Value& out) const;
  // lhs op rhs on values of the given types (pointers included); result type as `result`.
  TrapKind Combine(lang::BinaryOp op, lang::TypeId lhs_type, ScalarType lhs, Value a, lang::TypeId rhs_type,
                   ScalarType rhs, Value b, Value& out);
  // The scalar type that the rule of an operator gives for integer operands of these promoted types.
  ScalarType ByRule(lang::TypeRule rule, ScalarType lhs, ScalarType rhs) const;
  const TypeFacts& FactsOf(lang::ExprId id) const { return facts_[program_.exprs[id].type]; }

  // --- assign.cpp ----------------------------------------------------------------------------------------------
  Value EvalAssign(lang::ExprId id, const lang::Expr& e, uint32_t index);
  Value EvalCompoundAssign(lang::ExprId id, const lang::Expr& e, uint32_t index);
  Value EvalIncDec(lang::ExprId id, const lang::Expr& e, uint32_t index);
  // Converts from the type `value` has, checks against writes in the operands (logged since the mark) and stores;
  // `value` becomes what was stored.
  TrapKind Update(const LValue& to, ScalarType from, Value& value, AccessLog::Mark operands);
  bool StoreVariable(lang::VarId var, lang::TypeId type, ScalarType from, Value& value, AccessLog::Mark operands);
  bool SimpleTarget(lang::ExprId target, lang::VarId& var, lang::TypeId& type) const;
  bool Overlaps(lang::ExprId source, const LValue& to) const;

  // --- vectors.cpp ---------------------------------------------------------------------------------------------
  LValue LaneOf(const LValue& vector, uint32_t lane) const;
  [[gnu::cold]] TrapKind LoadVector(const LValue& from, Value& out);
  [[gnu::cold]] TrapKind StoreVector(const LValue& to, Value value);
  // lhs op rhs where one of the types is a vector and the other the same or that of its lanes.
  [[gnu::cold]] TrapKind CombineVectors(lang::BinaryOp op, lang::TypeId lhs_type, Value a, lang::TypeId rhs_type,
                                        Value b, Value& out);
  [[gnu::cold]] TrapKind ApplyToVector(lang::UnaryOp op, const TypeFacts& vector, Value operand, Value& out);
  [[gnu::cold]] TrapKind CastVector(const TypeFacts& from, const TypeFacts& to, Value value, Value& out);
  [[gnu::cold]] TrapKind ConvertLanes(const TypeFacts& from, const TypeFacts& to, Value value, Value& out);
  [[gnu::cold]] Value ShuffleLanes(const lang::Expr& e, const Value* values);
  [[gnu::cold]] Value EvalLane(lang::ExprId id, const lang::Expr& e, uint32_t index);
  bool IsLaneOfValue(const lang::Expr& e) const {
    return FactsOf(e.lhs).cls == TypeClass::Vector && !lang::IsLvalue(program_, e.lhs);
  }
  // The words of a value that is a handle.
  std::span<const Value> LanesOf(Value handle, lang::TypeId type) const {
    return wide_.Words(handle, facts_[type].length);
  }

  // --- wide.cpp ------------------------------------------------------------------------------------------------
  Value MakeWide(WideBits bits) {
    const Value words[] = {LowWord(bits), HighWord(bits)};
    return wide_.Make(words);
  }
  WideBits WideBitsOf(Value handle) const {
    const std::span<const Value> words = wide_.Words(handle, 2);
    return WideOf(words[0], words[1]);
  }
  // An integer, wide or not, as a wide one.
  WideBits Widened(ScalarType from, Value value) const {
    return from.type_class == TypeClass::Wide ? WideBitsOf(value) : WideOf(from, value);
  }
  LValue HalfOf(const LValue& wide, bool high) const;
  [[gnu::cold]] TrapKind LoadWide(const LValue& from, WideBits& out) const;
  [[gnu::cold]] TrapKind StoreWide(const LValue& to, Value value);
  // lhs op rhs on integers of the given promoted types, one of them wide.
  [[gnu::cold]] TrapKind CombineWide(lang::BinaryOp op, ScalarType lhs, Value a, ScalarType rhs, Value b, Value& out);
  [[gnu::cold]] TrapKind ApplyToWide(lang::UnaryOp op, ScalarType type, Value operand, Value& out);
  // A conversion where one of the types is wide and the other a number. Only one with a floating type traps.
  [[gnu::cold]] ScalarResult ConvertWide(ScalarType from, ScalarType to, Value value);
  // A conversion that is no cast, whatever the types.
  Value ConvertAny(ScalarType from, ScalarType to, Value value) {
    if (from.type_class == TypeClass::Wide || to.type_class == TypeClass::Wide) [[unlikely]]
      return ConvertWide(from, to, value).value;
    return Convert(from, to, value);
  }
  bool IsHandle(TypeClass cls) const { return cls == TypeClass::Vector || cls == TypeClass::Wide; }

  // --- lvalue.cpp ----------------------------------------------------------------------------------------------
  LValue EvalLvalue(lang::ExprId id, bool for_address = false);
  // The lvalue of a node of an lvalue kind. On a trap at this very node: sets it and the operands evaluated.
  struct LvalueTrap {
    TrapKind kind = TrapKind::None;
    bool base_is_lvalue;
    LValue base;      // of an element or member, if an lvalue
    Value values[2];  // the pointer; the index
  };
  // The operands for Retry.
  struct OperandList {
    Known known[2];
    uint32_t count = 0;
    operator std::span<const Known>() const { return {known, count}; }
  };
  [[gnu::cold]] static OperandList OperandsOf(const lang::Expr& e, const LvalueTrap& trap);
  LValue LvalueOf(lang::ExprId id, const lang::Expr& e, bool for_address, LvalueTrap& trap);
  LValue VariableLvalue(lang::VarId var, lang::TypeId type);
  LValue DerefLvalue(const lang::Expr& e, bool for_address, LvalueTrap& trap);
  LValue IndexLvalue(const lang::Expr& e, bool for_address, LvalueTrap& trap);
  LValue MemberLvalue(const lang::Expr& e, LvalueTrap& trap);
  LValue Whole(ObjectId object, uint32_t offset, lang::TypeId type) const;
  LValue FromRecordHandle(Value handle, lang::TypeId type) const;
  static Value RecordHandle(ObjectId object, uint32_t offset) { return static_cast<Value>(object) << 32 | offset; }

  // --- pointer_ops.cpp -----------------------------------------------------------------------------------------
  TrapKind FromPointer(Value pointer, lang::TypeId type, bool for_address, LValue& out);
  TrapKind Advance(Value pointer, lang::TypeId element, Value index, bool index_signed, bool subtract, Value& out);
  bool MayBeShared(const Object& object) const;
  TrapKind ComparePointers(lang::BinaryOp op, Value a, Value b, Value& out) const;
  TrapKind SubtractPointers(lang::TypeId element, Value a, Value b, Value& out) const;
  TrapKind CastPointer(Value pointer, lang::TypeId from, lang::TypeId to, Value& out);
  Value PointerTo(const LValue& lvalue);
  Value Decay(const LValue& array);
  bool HasSubobject(lang::TypeId whole, uint32_t offset, lang::TypeId part) const;
  bool Dangles(Value pointer) const;

  // --- access.cpp ----------------------------------------------------------------------------------------------
  TrapKind Load(const LValue& from, Value& out);              // lvalue conversion: arrays decay, records become handles
  TrapKind LoadScalar(const LValue& from, Value& out) const;  // no log, no qualifiers
  TrapKind Store(const LValue& to, Value value);              // value already converted; scalars and records
  TrapKind StoreScalar(const LValue& to, Value value);
  [[gnu::cold]] void LeaveUnions(const LValue& to);  // a part of a union was stored: what it leaves unspecified
  [[gnu::cold]] TrapKind CheckStore(const LValue& to) const;  // const objects and strings
  [[gnu::cold]] TrapKind CheckVolatile(const LValue& lvalue) const;
  [[gnu::cold]] void TraceVolatile(const LValue& lvalue, bool write, Value value);
  // --- robust.cpp ----------------------------------------------------------------------------------------------
  // In the mode `robust` note_ is that of the floating value evaluated last; see machine/float_note.hpp. Whoever
  // evaluates two operands keeps the first one's.
  Value Converted(ScalarType from, ScalarType to, Value value) {
    const Value converted = ConvertAny(from, to, value);
    if (robust_) [[unlikely]]
      NoteConversion(from, to, converted);
    return converted;
  }
  [[gnu::cold]] void NoteConversion(ScalarType from, ScalarType to, Value converted);
  [[gnu::cold]] TrapKind NoteLoad(const LValue& from, Value value);
  [[gnu::cold]] void NoteStore(const LValue& to);
  [[gnu::cold]] TrapKind CheckDivisor(const lang::Expr& e) const;  // of a Binary or CompoundAssign

  // Which bytes of a stored number nobody may see.
  static Memory::Hidden HiddenIn(ScalarType type, Value value) {
    if (!IsFloatZero(type, value)) return IsNaN(type, value) ? Memory::Hidden::All : Memory::Hidden::Nothing;
    const bool sign = type.mode == lang::FloatMode::Robust || (type.mode == lang::FloatMode::Exact && value != 0);
    return sign ? Memory::Hidden::Sign : Memory::Hidden::Nothing;
  }
  uint8_t QualifiersAt(lang::TypeId whole, uint32_t offset, uint32_t bytes, uint8_t wanted) const;
  void BitRange(const LValue& lvalue, uint32_t& begin, uint32_t& end) const {
    const bool field = lvalue.bit_width >= 0;
    begin = lvalue.offset * 8 + lvalue.bit_offset;
    end = begin + (field ? static_cast<uint32_t>(lvalue.bit_width) : SizeOf(lvalue) * 8);
  }
  void LogAccess(const LValue& lvalue, bool write) {
    uint32_t begin, end;
    BitRange(lvalue, begin, end);
    log_.Add(memory_[lvalue.object].serial, begin, end, depth_, write);
  }
  [[gnu::cold]] TrapKind CheckRestrict(const LValue& lvalue, bool write);
  [[gnu::cold]] TrapKind Unreadable(const LValue& from, Readable why) const;
  bool IsPadding(lang::TypeId whole, uint32_t offset) const;
  uint32_t SizeOf(const LValue& lvalue) const {
    const TypeFacts& type = facts_[lvalue.Type()];
    return type.kind == lang::TypeKind::Vla ? memory_[lvalue.object].size : type.size;
  }
  Value Retag(Value pointer, const TypeFacts& type);  // a restrict-qualified pointer of the type gets its value
  [[gnu::cold]] bool IsRestrictedHere(Value pointer) const;

  // --- object.cpp ----------------------------------------------------------------------------------------------
  // The object of a variable, if it has been made.
  ObjectId FindObject(lang::VarId var) const {
    const lang::Variable& v = program_.vars[var];
    const bool is_static = v.IsStatic();
    const ObjectId* const table = is_static ? statics_.data() : slots_.data() + frame_.slot_base;
    const uint32_t index = is_static ? var.index : v.slot;
    if (index >= (is_static ? ~0u : frame_.slot_count)) [[unlikely]]
      return kNoObject;
    return table[index];
  }
  ObjectId ObjectOf(lang::VarId var) {
    const ObjectId id = FindObject(var);
    if (id != kNoObject) [[likely]]
      return id;
    return program_.vars[var].IsStatic() ? StaticObject(var) : LateLocal(var);
  }
  ObjectId StaticObject(lang::VarId var);
  [[gnu::cold]] ObjectId LateLocal(lang::VarId var);  // used before any declaration made it (repairs, mostly)
  ObjectId MakeLocal(lang::VarId var, bool on_stack);
  ObjectId StringObject(lang::ExprId id, const lang::Expr& e);
  ObjectId MakeObject(lang::TypeId type, lang::VarId var, uint32_t size, uint8_t flags, bool on_stack);
  uint32_t& Slot(lang::VarId var);  // of an automatic object in the current frame
  void Declare(lang::VarId var);    // a declaration is reached
  void DeclareVla(lang::VarId var);
  void Skip(lang::VarId var);  // a jump passes a declaration: the object lives, uninitialised
  void EndScope(uint32_t live_mark, uint32_t stack_top);
  ObjectId Renew(lang::VarId var);  // the object of a declaration or literal, made or made indeterminate
  Value InitialValue(const TypeFacts& type, lang::ExprId expr, AccessLog::Mark start);
  void InitializeItem(const LValue& to, lang::InitId init, AccessLog::Mark start);
  void LogInitialisation(const LValue& to);
  void Zero(ObjectId object, uint32_t offset, lang::TypeId type);
  ObjectId LiteralObject(lang::VarId var);

  // --- stmt.cpp, jump.cpp --------------------------------------------------------------------------------------
  FullScope BeginFull(lang::ExprId root);
  void EndFull(const FullScope& scope);
  Value Full(lang::ExprId id, bool discard = false);  // scalar or discarded
  bool FullTruth(lang::ExprId id) {
    const FullScope scope = BeginFull(id);
    const bool truth = Truth(id);
    EndFull(scope);
    return truth;
  }
  bool LoopCondition(lang::StmtId loop);
  Flow ExecBlock(lang::BlockId block, size_t start = 0);
  Flow Exec(lang::StmtId id);
  Flow ExecIf(const lang::Stmt& stmt);
  Flow ExecLoop(lang::StmtId id, const lang::Stmt& stmt);
  Flow ExecSwitch(const lang::Stmt& stmt);
  Flow ExecReturn(const lang::Stmt& stmt);
  void CheckResult(lang::ExprId expr, lang::TypeId pointee);
  Flow ExecBarrier(const lang::Stmt& stmt);
  Flow ExecBody(lang::BlockId block);  // from its start, or from the label being sought
  bool FindTarget(lang::BlockId block, size_t& position) const;
  bool LeadsToLabel(lang::BlockId body) const;
  void Jump(lang::BlockId block, size_t position);  // declarations passed or left
  size_t PositionOf(lang::BlockId block, lang::StmtId stmt, size_t guess) const;

  // --- call.cpp ------------------------------------------------------------------------------------------------
  Value EvalCall(lang::ExprId id, const lang::Expr& e, uint32_t index);
  Value Invoke(lang::ExprId id, const lang::Expr& e, lang::FunctionId function, size_t first_value);
  void EnterFrame(lang::ExprId id, const lang::Expr& e, lang::FunctionId function, size_t first_value);
  void NullPassed(lang::ExprId call, lang::FunctionId function, size_t param);
  void LeaveFrame();
  void PushVariableArguments(const lang::Expr& e, size_t first_value, size_t fixed);
  void RunBody(lang::FunctionId function, bool result_used);

  // --- builtins.cpp --------------------------------------------------------------------------------------------
  Value EvalBuiltin(lang::ExprId id, const lang::Expr& e, uint32_t index);
  TrapKind Atomic(const lang::Expr& e, const Value* values, Value& out);
  TrapKind OfStrings(const lang::Expr& e, const Value* values, Value& out);
  TrapKind ReadString(Value pointer, uint32_t most, bool ends, Characters& out);
  TrapKind WriteString(Value pointer, uint32_t at, const Characters& characters);
  TrapKind Checked(const lang::Expr& e, const Value* values, Value& out);
  Value EvalEitherWay(lang::ExprId id, const lang::Expr& e, uint32_t index);
  Value EvalVaBuiltin(lang::ExprId id, const lang::Expr& e, uint32_t index);
  Value EvalMath(lang::ExprId id, const lang::Expr& e, uint32_t index);  // math.cpp
  TrapKind Allocate(lang::TypeId type, Value count, ScalarType count_type, bool zero, Value& out);
  TrapKind FreeObject(Value pointer);
  TrapKind CopyBytes(lang::Builtin builtin, lang::TypeId type, Value to, Value from);
  TrapKind SetBytes(lang::TypeId type, Value to, Value byte);
  TrapKind CompareBytes(lang::TypeId type, Value a, Value b, Value& out);
  TrapKind VaStart(const LValue& list);
  TrapKind VaEnd(const LValue& list);
  TrapKind VaArg(const LValue& list, lang::TypeId type, Value& out);
  void CheckVaEnd();

  // --- repair.cpp ----------------------------------------------------------------------------------------------
  [[noreturn, gnu::cold]] void StopAt(TrapKind kind, lang::ExprId expr);
  // The operation at `id`, copied as `e` when its execution number `index` began, trapped. Ends the run or evaluates
  // it again with the operands known.
  [[gnu::cold]] Value Retry(TrapKind kind, lang::ExprId id, const lang::Expr& e, uint32_t index,
                            std::span<const Known> operands);
  [[gnu::cold]] LValue RetryLvalue(TrapKind kind, lang::ExprId id, const lang::Expr& e, uint32_t index,
                                   std::span<const Known> operands, bool for_address);
  [[gnu::cold]] lang::ExprId PrepareRetry(TrapKind kind, lang::ExprId id, const lang::Expr& e, uint32_t index,
                                          std::span<const Known> operands, bool lvalue, bool for_address);
  // Whether a repair in an inner execution has put the operands of the node, of which `e` is a copy made at `epoch`, in
  // order while they were evaluated here. This execution then has to go on in the new tree.
  bool Reordered(uint32_t epoch, lang::ExprId id, const lang::Expr& e, uint32_t index) const {
    return epoch != epoch_ && author_ != nullptr && InOrderNow(CurrentPlace(id, e, index), e);
  }
  [[gnu::cold]] bool InOrderNow(lang::ExprId id, const lang::Expr& e) const;
  [[gnu::cold]] lang::ExprId CurrentPlace(lang::ExprId id, const lang::Expr& e, uint32_t index) const;
  // An execution has ended that repairs may have overtaken: it also counts behind the counters put in front of its
  // node.
  [[gnu::cold]] void CompletedBehind(lang::ExprId id, const lang::Expr& e, uint32_t index);
  [[gnu::cold]] Trap MakeTrap(TrapKind kind, lang::ExprId id, uint32_t index, std::span<const Known> operands,
                              bool lvalue);
  bool AskAuthor(const Trap& trap);
  // After a retry: an operand that the new tree did not evaluate was not executed after all, as far as counts go.
  [[gnu::cold]] void Uncount(size_t known_base);
  [[gnu::cold]] const Known* FindKnown(lang::ExprId id) const;
  void KnowAgain() { knows_ = known_.size() > frame_.known_base; }  // after known_ or frame_ changed
  Known KnownValue(lang::ExprId expr, Value value) const { return {expr, value, false, {}, false, note_}; }
  static Known KnownNoted(lang::ExprId expr, Value value, FloatNote note) {
    return {expr, value, false, {}, false, note};
  }
  static Known KnownLvalue(lang::ExprId expr, const LValue& lvalue) { return {expr, 0, true, lvalue, false, {}}; }

  // --- finals.cpp ----------------------------------------------------------------------------------------------
  void CollectFinals(std::vector<FinalScalar>& finals);
  void FinalsOf(FinalScalar& at, const LValue& lvalue, std::vector<FinalScalar>& finals);
  void FinalPointer(FinalScalar& scalar, Value pointer) const;
  bool FindPath(lang::TypeId whole, uint32_t offset, lang::TypeId part, Path& path) const;
  bool ReadableThroughout(const LValue& lvalue) const;
  LValue MemberOf(const LValue& record, uint32_t member) const;
  uint64_t UnionKey(ObjectId object, uint32_t begin, uint32_t end) const {
    return static_cast<uint64_t>(memory_[object].base + begin) << 32 | (end - begin);
  }

  lang::Program& program_;
  Options options_;
  Author* author_;
  bool alone_;  // nobody rewrites nodes under way or asks for their values and ends
  Facts facts_;
  Memory memory_;
  PointerTable pointers_;
  AccessLog log_;
  WideValues wide_;

  uint64_t steps_ = 0;
  uint32_t depth_ = 0;
  uint32_t epoch_ = 0;                                                // calls of the author so far
  std::vector<uint32_t> expr_counts_, stmt_counts_, scratch_counts_;  // with room for nodes to come
  size_t synced_exprs_ = 0;                                           // nodes that existed at the last Sync
  // By ExprId, only kept for an author: executions that have ended; calls whose arguments are evaluated; nodes that
  // no Guard may count (see Moved).
  std::vector<uint32_t> completed_, invoked_;
  std::vector<bool> uncountable_;
  std::vector<CallsSeen> calls_;  // by FunctionId, for an author
  // The repair under way.
  lang::ExprId repairing_;
  lang::ExprKind repairing_kind_ = lang::ExprKind::Constant;
  bool repairing_order_ = false;        // of a sequencing conflict
  bool repairing_in_progress_ = false;  // the node is also being executed in outer calls
  uint32_t* counts_ = nullptr;          // expr_counts_, or scratch_counts_ while probing
  bool probing_ = false, probe_failed_ = false;
  std::vector<Value> observed_;
  std::unordered_map<uint32_t, std::vector<Value>> observed_lanes_;  // of vectors, by ExprId

  Frame frame_;
  std::vector<ObjectId> slots_;        // objects of all frames' automatic variables; the current frame's are last
  std::vector<uint32_t> live_;         // indices into slots_: objects that die with the enclosing blocks
  std::vector<ObjectId> temporaries_;  // records returned by calls, until the end of the full expression
  std::vector<ObjectId> statics_;      // by VarId
  std::unordered_map<uint64_t, uint32_t> active_members_;  // of unions in static objects: last stored, see UnionKey
  std::unordered_map<uint32_t, ObjectId> strings_;         // by ExprId of the literal
  std::vector<Value> arguments_;                           // of the calls being prepared

  std::vector<Known> known_;
  bool knows_ = false;                                    // the current frame has known operands
  uint32_t new_node_count_ = 0, new_node_completed_ = 0;  // what nodes made now start with, see AskAuthor
  lang::ExprId last_repaired_;
  uint32_t idle_repairs_ = 0;           // of last_repaired_, without a change of the node
  lang::ExprId moved_from_, moved_to_;  // the last Moved during a repair

  lang::ExprId lone_call_, discarded_;  // see BeginFull
  lang::ExprId freed_;                  // the argument of free() being evaluated
  lang::LabelId goto_label_;            // Flow::Goto, and while seeking its label
  bool seeking_ = false;

  // The last scalar loaded for an expression, for the overlap rule of assignment.
  lang::ExprId last_load_expr_;
  LValue last_load_ = {};

  struct VaValue {
    lang::TypeId type;
    Value value = 0;
    FloatNote note = {};
  };
  struct VaState {
    uint32_t serial = 0;  // of the va_list object
    uint32_t frame_serial = 0;
    uint32_t next = 0;
  };
  std::vector<VaValue> va_values_;
  std::vector<VaState> va_lists_;

  struct RestrictAccess {
    uint32_t serial, begin, end, tag;
    bool write;
  };
  struct RestrictPointer {
    uint32_t tag;
    uint32_t start;  // in restrict_log_, of what happens in its lifetime
    bool to_const;   // declared to point at a const type
  };
  uint32_t next_tag_ = 1;
  std::vector<RestrictPointer> restricts_;  // alive
  std::vector<RestrictAccess> restrict_log_;
  static constexpr uint32_t kRestrictRecent = 64;
  std::array<uint32_t, kRestrictRecent> restrict_recent_{};  // places in the log, by where and how the access is

  const bool robust_;                        // the mode of the program's floating point
  const bool watches_leaves_;                // leaves are evaluated as all others are
  FloatNote note_, left_note_, right_note_;  // of the last value; of the operands of ComputeFloat
  NoteTable notes_;                          // of stored values
  std::vector<FloatNote> argument_notes_;    // as arguments_

  uint64_t volatile_hash_ = 0;
  std::vector<VolatileAccess> volatile_trace_;
};

}  // namespace assay::machine
