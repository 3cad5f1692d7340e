#include "gen/attributes.hpp"

#include "lang/attributes.hpp"
#include "lang/constraints.hpp"
#include "lang/effects.hpp"

namespace assay::gen {

namespace {

constexpr uint32_t kLeastTokens = 500;  // of a program with hints and promises about pointers: they are not planned

constexpr uint32_t kHints[] = {lang::kFnNoClone,      lang::kFnNoIpa,        lang::kFnFlatten, lang::kFnCold,
                               lang::kFnHot,          lang::kFnUsed,         lang::kFnSection, lang::kFnNoReorder,
                               lang::kFnOptimizeNone, lang::kFnOptimizeMost, lang::kFnWeak,    lang::kFnHidden};

bool Excluded(uint32_t attrs) {
  for (const lang::ExclusiveAttributes& row : lang::kExclusiveAttributes) {
    if ((attrs & row.one) != 0 && (attrs & row.other) != 0) return true;
  }
  return false;
}

// What only steers the optimiser. A weak or hidden function is one that other translation units see.
void WriteHints(Writer& w) {
  if (w.token_target < kLeastTokens) return;
  for (FunctionId id : w.program.function_order) {
    if (!w.choices.Percent(w.knobs.hint_attributes)) continue;
    const uint32_t count = 1 + w.choices.Below(3);
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t hint = kHints[w.choices.Below(std::size(kHints))];
      uint32_t attrs = w.program.functions[id].attrs | hint;
      if ((hint & (lang::kFnWeak | lang::kFnHidden)) != 0 && id != w.program.entry) attrs &= ~uint32_t{lang::kFnStatic};
      if (!Excluded(attrs)) w.program.functions[id].attrs = attrs;
    }
  }
}

// Marks the objects that a static initialiser takes the address of.
void MarkAddressed(const lang::Program& program, lang::InitId id, std::vector<bool>& addressed) {
  const lang::Init& init = program.inits[id];
  if (init.expr) {
    lang::Walk(program, init.expr, [&](const lang::Expr& e) {
      if (e.kind == ExprKind::Variable) addressed[e.ref] = true;
      return lang::Visited::Descend;
    });
  }
  for (const lang::InitItem& item : init.items) MarkAddressed(program, item.init, addressed);
}

// Only scalars are of the thread: where code that never runs has an index far outside an array, gcc -O2 writes an
// offset from the thread pointer that does not link ("relocation truncated to fit: R_X86_64_TPOFF32").
bool MayBeOfThread(const lang::Program& program, VarId id, const std::vector<bool>& addressed) {
  return !addressed[id.index] && lang::IsScalar(program.types.Kind(program.vars[id].type));
}

void WriteVariableAttributes(Writer& w) {
  lang::Program& program = w.program;
  std::vector<bool> addressed(program.vars.Size());
  for (const lang::Variable& var : program.vars) {
    if (var.IsStatic() && var.init) MarkAddressed(program, var.init, addressed);
  }
  static constexpr uint8_t kPlain[] = {lang::kVarUsed, lang::kVarSection, lang::kVarWeak, lang::kVarHidden};
  for (VarId id : program.globals) {
    lang::Variable& var = program.vars[id];
    if (MayBeOfThread(program, id, addressed) && w.choices.Percent(w.knobs.thread_locals)) {
      var.attrs = lang::kVarThreadLocal;
    } else if (w.choices.Percent(w.knobs.variable_attributes)) {
      const uint8_t attr = kPlain[w.choices.Below(std::size(kPlain))];
      if (attr == lang::kVarSection && lang::HasQualifier(program, var.type, lang::kConst)) continue;
      if (attr == lang::kVarWeak || attr == lang::kVarHidden) var.internal_linkage = false;
      var.attrs = attr;
    }
  }
}

void WriteUnrolling(Writer& w) {
  static constexpr uint64_t kTimes[] = {1, 2, 3, 4, 8, 16};
  for (lang::Stmt& stmt : w.program.stmts) {
    if (!lang::Info(stmt.kind).loop || !w.choices.Percent(w.knobs.unroll)) continue;
    stmt.span = kTimes[w.choices.Below(std::size(kTimes))];
  }
}

// A function that no execution calls gets none: whatever its text says would be undefined there.
void WritePointerAttributes(Writer& w, std::span<const machine::CallsSeen> calls) {
  if (w.token_target < kLeastTokens) return;
  lang::Program& program = w.program;
  for (FunctionId id : program.function_order) {
    if (id.index >= calls.size() || calls[id.index].calls == 0) continue;
    const machine::CallsSeen& seen = calls[id.index];
    lang::Function& function = program.functions[id];
    for (size_t i = 0; i < function.params.size(); ++i) {
      lang::Variable& param = program.vars[function.params[i]];
      if (w.Kind(param.type) != TypeKind::Pointer || seen.WasNull(i)) continue;
      if (w.choices.Percent(w.knobs.pointer_attributes)) param.attrs |= lang::kVarNonNull;
    }
    const lang::Type result = program.types[program.types[function.type].element];
    if (result.kind != TypeKind::Pointer || seen.results == 0) continue;
    if (!seen.null_result && w.choices.Percent(w.knobs.pointer_attributes)) function.attrs |= lang::kFnReturnsNonNull;
    if (!lang::IsObjectType(program, result.element) || w.layouts.Of(result.element).align == 1) continue;
    if (w.choices.Percent(w.knobs.pointer_attributes)) function.attrs |= lang::kFnAssumeAligned;
  }
}

}  // namespace

void WriteAttributes(Writer& w, std::span<const machine::CallsSeen> calls) {
  lang::Program& program = w.program;
  const lang::ProgramEffects effects = lang::EffectsOf(program);
  for (FunctionId id : program.function_order) {
    lang::Function& function = program.functions[id];
    const uint8_t untrue = lang::UntrueAttributes(program, effects, id);
    function.attrs &= ~(uint32_t{untrue} & lang::kFnAlwaysInline);
    const bool variadic = program.types.GetSignature(program.types[function.type].signature).variadic;
    if ((untrue & lang::kFnPure) || variadic || effects.recursive[id.index] || id == program.entry) continue;
    if (!w.choices.Percent(w.knobs.pure_attributes)) continue;
    function.attrs |= untrue & lang::kFnConst ? lang::kFnPure : lang::kFnConst;
  }
  WriteHints(w);
  WriteVariableAttributes(w);
  WriteUnrolling(w);
  WritePointerAttributes(w, calls);
}

void DropUntrueAttributes(lang::Program& program) {
  const lang::ProgramEffects effects = lang::EffectsOf(program);
  for (FunctionId id : program.function_order) {
    program.functions[id].attrs &= ~uint32_t{lang::UntrueAttributes(program, effects, id)};
  }
}

}  // namespace assay::gen
