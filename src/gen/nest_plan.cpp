// What a nest works on: arrays shared by all nests of the program, bounds, invariants; and where it stands: in place,
// or in a function that is called here and perhaps again with other arguments.
#include <algorithm>

#include "gen/access.hpp"
#include "gen/expr.hpp"
#include "gen/floats.hpp"
#include "gen/nest.hpp"
#include "gen/operators.hpp"
#include "gen/stmt.hpp"
#include "gen/types.hpp"

namespace assay::gen {
namespace {

// An integer type that arrays of nests have.
TypeId DrawElement(Writer& w) {
  for (int tries = 0; tries < 8; ++tries) {
    const TypeId type = DrawIntegerType(w);
    if (w.Kind(type) != TypeKind::Bool && w.Kind(type) != TypeKind::Enum) return type;
  }
  return w.program.types.Basic(TypeKind::Int);
}

uint32_t DrawLength(Writer& w, uint32_t least, uint32_t dimensions) {
  static constexpr uint32_t kLengths[] = {8, 16, 17, 20, 32, 33, 40, 48, 64, 65, 100, 128, 200, 256, 300, 512, 1000};
  uint32_t length = least;
  switch (w.choices.Below(4)) {
    case 0: break;
    case 1: length = least + w.choices.Below(8); break;
    default: {
      const uint32_t most = dimensions == 1 ? std::size(kLengths) : dimensions == 2 ? 7 : 3;
      length = kLengths[w.choices.Below(w.choices.Percent(75) ? std::min(most, 10u) : most)];
    }
  }
  return std::max({1u, least, std::min(length, static_cast<uint32_t>(w.knobs.nest_elements))});
}

TypeId TypeOf(Writer& w, const SharedArray& array) {
  TypeId type = array.element;
  for (uint32_t i = array.dimensions; i-- > 0;) type = w.program.types.Array(type, array.lengths[i]);
  return type;
}

// Whether an array may stand where `least` is asked for. The inner lengths of a parameter are part of its type.
bool Serves(const SharedArray& array, const SharedArray& least, bool exactly) {
  if (array.dimensions != least.dimensions || (least.element && array.element != least.element)) return false;
  for (uint32_t i = 0; i < array.dimensions; ++i) {
    if (array.lengths[i] < least.lengths[i] || (exactly && i > 0 && array.lengths[i] != least.lengths[i])) return false;
  }
  return true;
}

bool Keeps(const SharedArray& array, const SharedArray& least) {
  return array.kept && array.low >= least.low && array.high <= least.high;
}

// Some elements get a value: enough that results differ, few enough that the text is not mostly initialisers.
InitId SomeValues(Writer& w, TypeId type, const SharedArray& shared, uint32_t* room) {
  const lang::Type array = w.program.types[type];
  std::vector<lang::InitItem> items;
  for (uint32_t i = 0; i < array.length && (*room > 0 || items.empty()); ++i) {
    if (w.Kind(array.element) == TypeKind::Array) {
      items.push_back({i, SomeValues(w, array.element, shared, room)});
    } else {
      const TypeKind kind = w.Kind(array.element);
      const int64_t number = shared.kept ? w.choices.Between(shared.low, shared.high) : 0;
      const ExprId value = !shared.kept          ? ConstantFor(w, array.element)
                           : lang::IsFloat(kind) ? FloatLiteral(w, kind, static_cast<double>(number))
                                                 : w.build.Int(number);
      items.push_back({i, w.build.InitExpr(value)});
      if (*room > 0) --*room;
    }
  }
  return w.build.InitList(std::move(items), false);
}

}  // namespace

TypeId Nest::ElementType() {
  if (!element) element = DrawElement(w);
  return Percent(75) ? element : DrawElement(w);
}

TypeId Nest::OtherElement() { return DrawElement(w); }

Nest::ArrayId Nest::PlanArray(std::initializer_list<uint32_t> lengths, bool written, TypeId type) {
  Array array;
  array.least.element = type ? type : ElementType();
  array.least.dimensions = static_cast<uint32_t>(lengths.size());
  std::copy(lengths.begin(), lengths.end(), array.least.lengths.begin());
  for (uint32_t& length : array.least.lengths) length = std::max(1u, length);
  array.written = written;
  arrays.push_back(array);
  return arrays.size() - 1;
}

Nest::ArrayId Nest::PlanKept(uint32_t length, bool written, int64_t low, int64_t high) {
  TypeId type = DrawElement(w);
  if (!Fits({low, high}, w.Kind(type))) type = w.program.types.Basic(TypeKind::Int);
  const ArrayId id = PlanArray({length}, written, type);
  arrays[id].least.kept = true;
  arrays[id].least.low = low;
  arrays[id].least.high = high;
  return id;
}

std::optional<SharedArray> Nest::NewShared(const SharedArray& least, bool written) {
  NestNotes& notes = w.nests;
  if (notes.arrays.size() >= 6 + w.token_target / 300) return std::nullopt;
  SharedArray made = least;
  for (uint32_t i = 0; i < made.dimensions; ++i) made.lengths[i] = DrawLength(w, least.lengths[i], made.dimensions);
  if (w.layouts.SizeOf(TypeOf(w, made)) > 8192) made = least;
  const TypeId type = TypeOf(w, made);
  const uint32_t bytes = w.layouts.SizeOf(type), most = static_cast<uint32_t>(w.knobs.static_bytes);
  if (notes.array_bytes + bytes > most / 2 || w.static_bytes + bytes > most) return std::nullopt;
  const lang::IntegerInfo info = w.IntInfo(w.Kind(made.element));
  if (!made.kept && !written && info.is_signed && info.bits >= 16 && Percent(30)) {
    made.kept = true;
    made.high = static_cast<int64_t>(10 + Below(1000));
    made.low = Percent(40) ? 0 : -made.high;
  }
  uint32_t room = std::min(w.token_target / 200 + w.choices.Below(16), 40u);
  made.var = NewGlobal(w, type, SomeValues(w, type, made, &room));
  if (made.kept) w.SetUse(made.var, VarUse::Input);
  notes.array_bytes += bytes;
  notes.arrays.push_back(made);
  return made;
}

bool Nest::Fit(Array& array) {
  const bool apart = restricted_ || Percent(85);
  std::vector<SharedArray> candidates;
  for (const SharedArray& shared : w.nests.arrays) {
    if (!Serves(shared, array.least, false)) continue;
    if (array.written && shared.kept != array.least.kept) continue;
    if (array.least.kept && !Keeps(shared, array.least)) continue;
    // What is written may be anything in the range: the array must promise no less.
    if (array.written && array.least.kept && (shared.low != array.least.low || shared.high != array.least.high))
      continue;
    const bool taken = std::any_of(arrays.begin(), arrays.end(), [&](const Array& other) {
      return other.object.var == shared.var && (array.written || other.written);
    });
    if (!taken || !apart) candidates.push_back(shared);
  }
  if (!candidates.empty() && Percent(75)) {
    array.object = w.choices.Pick(candidates);
    return true;
  }
  if (const std::optional<SharedArray> made = NewShared(array.least, array.written)) {
    array.object = *made;
    return true;
  }
  if (!candidates.empty()) array.object = w.choices.Pick(candidates);
  return !candidates.empty();
}

void Nest::PlanInvariants(uint32_t most, uint32_t least) {
  wanted_invariants_ = least + Below(most - least + 1);
  if (wanted_invariants_ == 0 && most > 0 && Percent(40)) wanted_invariants_ = 1;
}

bool Nest::Begin() {
  first_node_ = w.program.exprs.Size();
  ElementType();
  own_function = Percent(static_cast<uint32_t>(w.knobs.nest_functions)) && w.scope.function &&
                 (!w.Live() || w.machine->Depth() + 4 < static_cast<uint32_t>(w.knobs.recursion_depth));
  restricted_ = own_function && Percent(50);
  for (Array& array : arrays) {
    if (!Fit(array)) return false;
  }
  if (own_function) {
    MakeFunction();
  } else {
    MakePlace();
  }
  for (VarId var : invariants) ReadVar(var);
  return true;
}

// Mostly one that is no constant, however far it is inlined.
ExprId Nest::DrawnInvariant() {
  if (Percent(50)) return GlobalUnknown().expr;
  const ExprId operand = Percent(70) ? PureOperand(w, Want::Integer(1)) : ExprId{};
  return operand ? operand : IntExpr(w, 1 + Below(3));
}

Ranged Nest::Unknown() {
  return invariants.empty() || Percent(10) ? GlobalUnknown() : Of(w.build.Var(w.choices.Pick(invariants)));
}

Ranged Nest::GlobalUnknown() {
  // A static variable that nobody writes is a constant.
  std::vector<VarId> candidates;
  const bool folded = Percent(15);
  const auto consider = [&](VarId var) {
    const lang::Variable& variable = w.program.vars[var];
    const bool known = variable.internal_linkage || (w.program.types[variable.type].quals & lang::kConst) != 0;
    if (folded || !known) candidates.push_back(var);
  };
  for (const KnownInput& input : w.inputs) consider(input.var);
  for (const NestBound& bound : w.nests.bounds) {
    if (bound.member < 0 && w.program.types[w.program.vars[bound.var].type].quals == 0) consider(bound.var);
  }
  if (!candidates.empty()) return Of(w.build.Var(w.choices.Pick(candidates)));
  const NestBound made = NewBound(Below(60));
  const ExprId object = w.build.Var(made.var);
  return Of(made.member < 0 ? object : w.build.Member(object, static_cast<uint32_t>(made.member)));
}

bool Nest::MayWrite(VarId var) const { return w.Use(var) == VarUse::Mixed && !IsProtected(w, var); }

// A global that holds a bound no greater than planned and not much smaller: one that is there, or a new one. Compilers
// do not know its value if it has external linkage, or is volatile.
void Nest::FindLimit(Loop& loop) {
  std::vector<NestBound> candidates;
  const auto consider = [&](const NestBound& bound) {
    const bool exact = loop.compare == BinaryOp::Ne && (loop.step != 1 || bound.value < loop.first);
    const bool less = bound.value < loop.limit_value && bound.value * 2 >= loop.limit_value;
    if (bound.value == loop.limit_value || (!exact && less)) candidates.push_back(bound);
  };
  for (const KnownInput& input : w.inputs) consider({input.var, -1, input.value});
  for (const NestBound& bound : w.nests.bounds) consider(bound);
  if (candidates.empty() || (Percent(40) && w.nests.bounds.size() < 3 + w.token_target / 1000)) {
    if (w.nests.bounds.size() >= 3 + w.token_target / 500 || loop.limit_value < 0) {
      loop.bound = BoundKind::Literal;
      return;
    }
    candidates = {NewBound(loop.limit_value)};
  }
  const NestBound chosen = w.choices.Pick(candidates);
  loop.limit = chosen.var;
  loop.member = chosen.member;
}

NestBound Nest::NewBound(int64_t value) {
  static constexpr TypeKind kKinds[] = {TypeKind::Int,   TypeKind::Int,   TypeKind::UInt,   TypeKind::Long,
                                        TypeKind::ULong, TypeKind::Short, TypeKind::UShort, TypeKind::UChar};
  lang::TypeTable& types = w.program.types;
  const TypeKind drawn = kKinds[Below(8)];
  TypeId type = types.Basic(Fits({0, value}, drawn) ? drawn : TypeKind::Int);
  const auto init = [&](int64_t number) { return w.build.InitExpr(w.build.Int(number)); };
  if (w.knobs.structs > 0 && Percent(20)) {  // two members of a record
    lang::Record record;
    record.members = {{type}, {types.Basic(TypeKind::Int)}};
    type = NewRecordType(w, std::move(record));
    const int64_t other = Below(40);
    const VarId var = NewGlobal(w, type, w.build.InitList({{0, init(value)}, {1, init(other)}}));
    w.SetUse(var, VarUse::Input);
    w.program.vars[var].internal_linkage = Percent(30);
    w.nests.bounds.push_back({var, 1, other});
    w.nests.bounds.push_back({var, 0, value});
    return w.nests.bounds.back();
  }
  if (Percent(std::min(50u, 3 * static_cast<uint32_t>(w.knobs.volatile_objects))))
    type = types.Qualified(type, lang::kVolatile);
  const VarId var = NewGlobal(w, type, init(value));
  w.SetUse(var, VarUse::Input);
  w.program.vars[var].internal_linkage = Percent(30);
  w.nests.bounds.push_back({var, -1, value});
  return w.nests.bounds.back();
}

void Nest::MakePlace() {
  function = w.scope.function;
  block = w.scope.block;
  own_block_ = Percent(25);
  if (own_block_) {
    lang::Stmt stmt{.kind = StmtKind::Block};
    stmt.body = w.build.NewBlock(function);
    w.build.Append(block, w.build.Statement(stmt));
    block = stmt.body;
  }
  for (Array& array : arrays) {
    array.base = array.object.var;
    if (!Percent(20)) continue;
    TypeId to = w.program.types[w.program.vars[array.base].type].element;
    if (!array.written && array.object.dimensions == 1 && Percent(40)) to = w.program.types.Qualified(to, lang::kConst);
    const ExprId first = Percent(60) ? w.build.Var(array.base)
                                     : w.build.AddressOf(w.build.Index(w.build.Var(array.base), w.build.Int(0)));
    array.base = Local(w.program.types.Pointer(to), first);
  }
  for (Loop& loop : loops) {
    if (loop.bound == BoundKind::Parameter) loop.bound = Percent(70) ? BoundKind::Global : BoundKind::Local;
    if (loop.bound == BoundKind::Global) FindLimit(loop);
    if (loop.limit_value < 0) loop.bound = BoundKind::Literal;
    if (loop.bound != BoundKind::Local) continue;
    int64_t mask = 0;
    while (mask * 2 + 1 <= loop.limit_value) mask = mask * 2 + 1;
    const ExprId limited = w.build.Binary(BinaryOp::BitAnd, IntLeaf(w), w.build.Int(mask));
    const int64_t rest = loop.limit_value - mask;
    const bool more = rest > 0 && loop.compare != BinaryOp::Ne;
    const ExprId value = more ? w.build.Binary(BinaryOp::Add, limited, w.build.Int(rest)) : limited;
    loop.limit = Local(w.program.types.Basic(loop.kind), value);
  }
  for (uint32_t i = 0; i < wanted_invariants_; ++i) {
    const TypeId type = ElementType();
    invariants.push_back(Local(type, DrawnInvariant()));
  }
}

// The number, or a global that has it.
ExprId Nest::BoundArgument(int64_t value) {
  for (const NestBound& bound : w.nests.bounds) {
    if (bound.value != value || !Percent(70)) continue;
    const ExprId object = w.build.Var(bound.var);
    return bound.member < 0 ? object : w.build.Member(object, static_cast<uint32_t>(bound.member));
  }
  return w.build.Int(value);
}

void Nest::MakeFunction() {
  lang::TypeTable& types = w.program.types;
  std::vector<TypeId> params;
  NestFunction note;
  for (Array& array : arrays) {
    TypeId to = types[w.program.vars[array.object.var].type].element;
    if (!array.written && array.object.dimensions == 1 && Percent(60)) to = types.Qualified(to, lang::kConst);
    params.push_back(types.Pointer(to, restricted_ ? lang::kRestrict : 0));
    NestFunction::Param param{
        .kind = NestFunction::Param::Kind::Array, .array = array.object, .written = array.written};
    param.array.lengths[0] = array.least.lengths[0];
    note.params.push_back(param);
    arguments_.push_back(w.build.Var(array.object.var));
  }
  for (Loop& loop : loops) {
    if (loop.bound == BoundKind::Local || (loop.bound == BoundKind::Global && Percent(50)))
      loop.bound = BoundKind::Parameter;
    if (loop.bound == BoundKind::Global) FindLimit(loop);
    if (loop.bound != BoundKind::Parameter) continue;
    params.push_back(types.Basic(loop.kind));
    // Any smaller bound will do, except where only the one is met.
    const bool exact = loop.compare == BinaryOp::Ne && loop.step != 1;
    const int64_t low = exact ? loop.limit_value : std::min(loop.limit_value, std::max<int64_t>(0, loop.first));
    note.params.push_back({.kind = NestFunction::Param::Kind::Bound, .low = low, .high = loop.limit_value});
    arguments_.push_back(BoundArgument(loop.limit_value));
  }
  for (uint32_t i = 0; i < wanted_invariants_; ++i) {
    const TypeId type = ElementType();
    params.push_back(type);
    note.params.push_back({});
    arguments_.push_back(DrawnInvariant());
  }
  function = w.build.Function(types.Function(types.Basic(result_kind.value_or(TypeKind::Void)), params));
  FunctionPlan& plan = w.Plan(function);
  plan.own = plan.entered = plan.done = true;
  lang::Function& made = w.program.functions[function];
  if (Percent(std::min(100u, 3 * static_cast<uint32_t>(w.knobs.noinline_functions)))) {
    made.attrs |= lang::kFnNoInline;
  } else if (Percent(static_cast<uint32_t>(w.knobs.inline_functions))) {
    made.attrs |= lang::kFnInline;
  }
  block = made.body;
  size_t next = 0;
  for (Array& array : arrays) array.base = made.params[next++];
  for (Loop& loop : loops) {
    if (loop.bound == BoundKind::Parameter) loop.limit = made.params[next++];
  }
  while (next < made.params.size()) invariants.push_back(made.params[next++]);
  note.function = function;
  note.restricted = restricted_;
  w.nests.functions.push_back(std::move(note));
}

void Nest::Deliver(VarId result) {
  if (own_function) {
    lang::Stmt stmt{.kind = StmtKind::Return};
    stmt.expr = w.build.Var(result);
    Append(w.build.Statement(stmt));
    return;
  }
  if (lang::IsFloat(*result_kind)) return Append(Kept(w.build.Var(result)));
  const bool update = Percent(40);
  const ExprId target = IntLvalue(w, update ? Access::Update : Access::Write);
  if (!target) return;
  const bool plain = !update || !IsPure(w.program, target) || lang::IsPromotionUnclear(w.program, target);
  Append(plain ? w.build.Assign(target, w.build.Var(result))
               : w.build.CompoundAssign(BinaryOp::BitXor, target, w.build.Var(result)));
}

// A floating result, assigned to an object of its type or, as an integer, to another one. It is small.
ExprId Nest::Kept(ExprId value) {
  const TypeId type = w.program.types.Unqualified(w.program.exprs[value].type);
  if (const ExprId target = Percent(70) ? LvalueOfType(w, type, Access::Write) : ExprId{})
    return w.build.Assign(target, value);
  const ExprId target = IntLvalue(w, Access::Write);
  return target ? w.build.Assign(target, w.build.Cast(w.program.types.Basic(TypeKind::Long), value)) : value;
}

void Nest::End() {
  if (!own_function) return;
  w.nests.functions.back().cost = deepest_ * (w.program.exprs.Size() - first_node_);
  const ExprId call = w.build.Call(function, arguments_);
  if (result_kind && lang::IsFloat(*result_kind)) return AppendExpr(w, Kept(call));
  const ExprId target = result_kind ? IntLvalue(w, Access::Write) : ExprId{};
  AppendExpr(w, target ? w.build.Assign(target, call) : call);
}

// static T f(T a, T b) { return …; }
Ranged Nest::CallHelper() {
  const TypeId type = ElementType();
  const std::vector<TypeId> params = {type, type};
  const FunctionId helper = w.build.Function(w.program.types.Function(type, params));
  FunctionPlan& plan = w.Plan(helper);
  plan.own = plan.entered = plan.done = true;
  lang::Function& made = w.program.functions[helper];
  if (w.knobs.noinline_functions > 0 && Percent(40)) {
    made.attrs |= lang::kFnNoInline;
  } else if (w.knobs.inline_functions > 0 && Percent(50)) {
    made.attrs |= lang::kFnInline;
  }
  const VarId first = made.params[0], second = made.params[1];
  const BlockId body = made.body;
  std::vector<Leaf> outer;
  outer.swap(leaves);
  ReadVar(first, 2);
  ReadVar(second, 2);
  lang::Stmt stmt{.kind = StmtKind::Return};
  stmt.expr = Value(2, false).expr;
  w.build.Append(body, w.build.Statement(stmt));
  leaves.swap(outer);
  const Ranged a = DrawnLeaf(false), b = DrawnLeaf();
  const std::array<ExprId, 2> arguments = {a.expr, b.expr};
  return {w.build.Call(helper, arguments), RangeOf(w.Kind(type))};
}

}  // namespace assay::gen
