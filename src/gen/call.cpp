#include "gen/call.hpp"

#include <algorithm>

#include "gen/access.hpp"
#include "gen/budget.hpp"
#include "gen/expr.hpp"
#include "gen/floats.hpp"
#include "gen/types.hpp"
#include "gen/vectors.hpp"
#include "gen/want.hpp"
#include "gen/wide.hpp"
#include "lang/constraints.hpp"
#include "support/small_vector.hpp"

namespace assay::gen {
namespace {

constexpr uint32_t kMostDepthArgument = 3;
constexpr uint32_t kVectorPercent = 25;        // of parameters, where there are vectors
constexpr uint32_t kWidePercent = 18;          // where there are wide integers
constexpr uint32_t kSmallProgram = 600;        // tokens
constexpr uint64_t kLeastFunctionSteps = 150;  // that a function takes whose body is not written yet

bool Affordable(Writer& w, FunctionId id) {
  if (!w.Live()) return true;
  const FunctionPlan& plan = w.Plan(id);
  return std::max<uint64_t>(plan.cost, plan.done ? 1 : kLeastFunctionSteps) <= StepsLeft(w) / 2;
}

bool MayCall(Writer& w, FunctionId id) {
  const FunctionPlan& plan = w.Plan(id);
  if (plan.helper || plan.own || id == w.program.entry) return false;
  if (id == w.scope.function && !plan.recursive) return false;
  const lang::Type type = w.program.types[w.program.functions[id].type];
  if (w.program.types.GetSignature(type.signature).variadic) return false;
  if (plan.entered && !plan.done) {
    // In progress: a recursive call, possible only from functions that carry the remaining depth.
    if (!plan.recursive || !w.Plan(w.scope.function).recursive) return false;
    if (w.Plan(w.scope.function).self_calls >= 2 || w.scope.loop_depth > 0) return false;
  } else if (plan.recursive && w.scope.loop_depth > 1) {
    return false;
  }
  return Affordable(w, id);
}

using ArgumentList = support::SmallVector<ExprId, 8>;

ArgumentList Arguments(Writer& w, FunctionId id, uint32_t depth) {
  const lang::Type type = w.program.types[w.program.functions[id].type];
  const support::SmallVector<TypeId, 8> params(w.program.types.GetSignature(type.signature).params);
  ArgumentList arguments;
  for (size_t i = 0; i < params.size(); ++i) {
    if (i == 0 && w.Plan(id).recursive) {
      if (w.Plan(w.scope.function).recursive) {
        ++w.Plan(w.scope.function).self_calls;
        const VarId own = w.program.functions[w.scope.function].params.front();
        arguments.push_back(w.build.Binary(BinaryOp::Sub, w.build.Var(own), w.build.Int(1)));
      } else {
        arguments.push_back(w.build.Int(1 + w.choices.Below(kMostDepthArgument)));
      }
      continue;
    }
    arguments.push_back(ValueFor(w, params[i], {}, depth));
  }
  return arguments;
}

// What stands before the parentheses: the function, or a pointer that points at it now.
ExprId Callee(Writer& w, FunctionId id) {
  const bool direct_only = w.Plan(id).recursive || (w.program.functions[id].attrs & lang::kFnAlwaysInline) != 0;
  if (!w.Live() || direct_only || w.knobs.function_pointers == 0 || !w.choices.Percent(w.knobs.indirect_calls))
    return w.build.Func(id);
  const ExprId pointer = PointerAt(w, id);
  if (!pointer) return w.build.Func(id);
  return w.choices.Coin() ? pointer : w.build.Deref(pointer);
}

ExprId CallOf(Writer& w, FunctionId id, uint32_t depth) {
  ++w.calls_in_statement;
  if (!w.Plan(id).entered) w.Plan(id).allowance = std::max(StepsHere(w), StepsLeft(w) / 4);
  const ExprId callee = Callee(w, id);
  const ArgumentList arguments = Arguments(w, id, std::min<uint32_t>(depth, 2));
  return w.build.Call(callee, arguments);
}

bool RoomForFunction(Writer& w) {
  const uint64_t median = 8000;
  const uint64_t most = std::max<uint64_t>(2, static_cast<uint64_t>(w.knobs.functions) * w.token_target / median);
  return w.program.function_order.size() < most + 3 && w.Tokens() * 10 < w.token_target * 9ull &&
         w.scope.loop_depth < 2 && StepsLeft(w) >= 2 * kLeastFunctionSteps &&
         (!w.Live() || w.machine->Depth() + 4 < static_cast<uint32_t>(w.knobs.recursion_depth));
}

// A function whose result the filter accepts: one that exists, or a new one.
template <typename Filter>
FunctionId PickFunction(Writer& w, Filter&& filter) {
  support::SmallVector<FunctionId, 24> candidates;
  for (FunctionId id : w.program.function_order) {
    const TypeId result = w.program.types[w.program.functions[id].type].element;
    if (filter(result) && MayCall(w, id)) candidates.push_back(id);
  }
  const bool fresh = RoomForFunction(w) && w.Live() && (candidates.empty() || w.choices.Percent(50));
  if (fresh) {
    const FunctionId id = NewRandomFunction(w);
    if (filter(w.program.types[w.program.functions[id].type].element)) return id;
  }
  return candidates.empty() ? FunctionId{} : w.choices.Pick(candidates);
}

TypeId ParameterType(Writer& w) {
  if (!w.vectors.empty() && w.choices.Percent(kVectorPercent)) return VectorType(w);
  if (w.knobs.wide_integers > 0 && w.choices.Percent(kWidePercent)) return WideType(w);
  const TypeId type = ScalarOrRecordType(w, true);
  // No temporary brings a record with qualified members in order with other arguments: the copy into volatile members
  // is a volatile access itself, and const ones cannot be assigned.
  if (lang::HasQualifier(w.program, type, lang::kConst | lang::kVolatile)) return IntegerType(w);
  if (lang::IsArithmetic(w.Kind(type)) && w.choices.Percent(w.knobs.const_objects))
    return w.program.types.Qualified(type, lang::kConst);
  return type;
}

TypeId ResultType(Writer& w) {
  switch (w.choices.Weighted({70, 10, w.record_types.empty() ? 0u : 12u, w.knobs.pointers > 0 ? 6u : 0u,
                              w.vectors.empty() ? 0u : 30u, w.knobs.wide_integers > 0 ? 20u : 0u})) {
    case 5: return WideType(w);
    case 4: return VectorType(w);
    case 1: return w.program.types.Basic(TypeKind::Void);
    case 2: return w.choices.Pick(w.record_types);
    case 3: return w.program.types.Unqualified(PointerTypeTo(w));
    default: return NumberType(w);
  }
}

// The rows of records.

ExprId RecordCall(Writer& w, const Want& want) {
  return w.choices.Percent(25) ? CallReturning(w, want.type, want.depth) : ExprId{};
}

ExprId RecordLiteral(Writer& w, const Want& want) {
  if (!w.scope.function || !w.choices.Percent(std::min(100, w.knobs.compound_literals * 5))) return {};
  const VarId object = w.build.Local(w.scope.function, want.type, lang::Storage::Literal);
  const InitId init = Initializer(w, want.type, false);
  w.program.vars[object].init = init;
  return w.build.CompoundLiteral(object);
}

ExprId RecordObject(Writer& w, const Want& want) { return LvalueOfType(w, want.type, Access::Read); }

ExprId RecordGlobal(Writer& w, const Want& want) { return PlainValue(w, want.type); }

constexpr OrderedRow kRecords[] = {
    {WriterId::RecordCall, RecordCall},
    {WriterId::CompoundLiteral, RecordLiteral},
    {WriterId::RecordObject, RecordObject},
    {WriterId::RecordGlobal, RecordGlobal},
};

}  // namespace

FunctionId NewFunction(Writer& w, TypeId type) {
  const FunctionId id = w.build.Function(type);
  w.program.blocks[w.program.functions[id].body].open = true;
  FunctionPlan& plan = w.Plan(id);
  const uint32_t share =
      std::max<uint32_t>(80, w.token_target / std::max<uint32_t>(2, static_cast<uint32_t>(w.knobs.functions)));
  plan.token_limit = share * (30 + w.choices.Below(140)) / 100;
  BlockPlan body;
  body.planned = 0xffffffffu;  // the function's token limit decides
  w.Plan(w.program.functions[id].body) = std::move(body);
  lang::Function& function = w.program.functions[id];
  if (w.choices.Percent(w.knobs.inline_functions)) function.attrs |= lang::kFnInline;
  if (w.choices.Percent(w.knobs.noinline_functions)) {
    function.attrs = (function.attrs & ~lang::kFnInline) | lang::kFnNoInline;
  } else if (w.choices.Percent(w.knobs.always_inline_functions)) {
    function.attrs |= lang::kFnInline | lang::kFnAlwaysInline;
  }
  return id;
}

FunctionId NewRandomFunction(Writer& w, TypeId result) {
  std::vector<TypeId> params;
  const bool recursive = w.choices.Percent(w.knobs.recursion);
  if (recursive) params.push_back(w.program.types.Basic(TypeKind::Int));
  const uint32_t count = std::min(w.choices.Below(static_cast<uint32_t>(w.knobs.parameters) + 1),
                                  std::max(2u, w.token_target / 100));  // each call writes them all
  for (uint32_t i = 0; i < count; ++i) params.push_back(ParameterType(w));
  if (!result) result = ResultType(w);
  const FunctionId id = NewFunction(w, w.program.types.Function(result, params));
  w.Plan(id).recursive = recursive;
  if (recursive) w.program.functions[id].attrs &= ~lang::kFnAlwaysInline;
  return id;
}

void MakeSignatures(Writer& w) {
  if (w.knobs.function_pointers == 0 || w.token_target < kSmallProgram / 2) return;
  const bool small = w.token_target < kSmallProgram;
  const uint32_t count = small ? 1 : 1 + w.choices.Below(2);
  for (uint32_t i = 0; i < count; ++i) {
    std::vector<TypeId> params;
    const uint32_t arity = w.choices.Below(4);
    for (uint32_t j = 0; j < arity; ++j) params.push_back(NumberType(w));
    const TypeId type = w.program.types.Function(NumberType(w), params);
    w.signatures.push_back(type);
    const uint32_t functions = small ? 1 : 1 + w.choices.Below(2);
    for (uint32_t j = 0; j < functions; ++j) {
      const FunctionId id = NewFunction(w, type);
      w.program.functions[id].attrs &= ~lang::kFnAlwaysInline;
    }
  }
}

ExprId CallExpr(Writer& w, uint32_t depth) {
  const FunctionId id = PickFunction(w, [&](TypeId result) { return lang::IsInteger(w.Kind(result)); });
  return id ? CallOf(w, id, depth) : IntLeaf(w);
}

ExprId FloatCallExpr(Writer& w, uint32_t depth) {
  const FunctionId id = PickFunction(w, [&](TypeId result) { return lang::IsFloat(w.Kind(result)); });
  return id ? CallOf(w, id, depth) : ExprId{};
}

ExprId AnyCall(Writer& w, uint32_t depth) {
  const FunctionId id = PickFunction(w, [](TypeId) { return true; });
  return id ? CallOf(w, id, depth) : ExprId{};
}

ExprId CallReturning(Writer& w, TypeId type, uint32_t depth) {
  if (w.calls_in_statement >= 2) return {};
  std::vector<FunctionId> candidates;
  for (FunctionId id : w.program.function_order) {
    if (w.program.types[w.program.functions[id].type].element == type && MayCall(w, id)) candidates.push_back(id);
  }
  return candidates.empty() ? ExprId{} : CallOf(w, w.choices.Pick(candidates), depth);
}

ExprId CallForPointer(Writer& w, TypeId type, uint32_t depth) {
  if (const ExprId call = CallReturning(w, type, depth)) return call;
  if (w.calls_in_statement >= 2 || !w.Live() || !RoomForFunction(w) || !w.choices.Percent(50)) return {};
  return CallOf(w, NewRandomFunction(w, type), depth);
}

ExprId ReturnValue(Writer& w) {
  const TypeId result = w.program.types[w.program.functions[w.scope.function].type].element;
  if (w.Kind(result) == TypeKind::Void) return {};
  if (w.Kind(result) == TypeKind::Pointer) return StaticAddress(w, result, false);  // outlives the function
  return ValueFor(w, result, {}, 2);
}

ExprId RecordValue(Writer& w, const Want& want) { return FirstOf(w, kRecords, want); }

ExprId ValueFor(Writer& w, TypeId type, VarId holder, uint32_t depth) {
  Want want{.type = w.program.types.Unqualified(type), .holder = holder, .depth = depth};
  const TypeKind kind = w.Kind(want.type);
  if (kind == TypeKind::Pointer) {
    want.of = WriterClass::Pointer;
    want.may_be_null = w.choices.Percent(20);
  } else if (lang::IsFloat(kind)) {
    want.of = WriterClass::Float;
  } else if (lang::IsRecord(kind)) {
    want.of = WriterClass::Record;
  } else if (lang::IsVector(kind)) {
    want.of = WriterClass::Vector;
  } else if (lang::IsWide(kind)) {
    want.of = WriterClass::Wide;
  }
  return Expression(w, want);
}

ExprId PlainValue(Writer& w, TypeId type) {
  const TypeId plain = w.program.types.Unqualified(type);
  const TypeKind kind = w.Kind(plain);
  if (kind == TypeKind::Void) return w.build.Cast(plain, w.build.Int(0));
  if (kind == TypeKind::Pointer) return FallbackAddress(w, plain);
  if (!lang::IsRecord(kind) && !lang::IsVector(kind)) return ConstantFor(w, plain);
  const ExprId address = FallbackAddress(w, w.program.types.Pointer(plain));
  return w.program.exprs[address].lhs;  // the global itself
}

}  // namespace assay::gen
