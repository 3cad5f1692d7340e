#include "gen/attributes.hpp"

#include "lang/effects.hpp"

namespace assay::gen {

void WriteAttributes(Writer& w) {
  lang::Program& program = w.program;
  const lang::ProgramEffects effects = lang::EffectsOf(program);
  for (FunctionId id : program.function_order) {
    lang::Function& function = program.functions[id];
    const uint8_t untrue = lang::UntrueAttributes(program, effects, id);
    function.attrs &= static_cast<uint8_t>(~(untrue & lang::kFnAlwaysInline));
    const bool variadic = program.types.GetSignature(program.types[function.type].signature).variadic;
    if ((untrue & lang::kFnPure) || variadic || effects.recursive[id.index] || id == program.entry) continue;
    if (!w.choices.Percent(w.knobs.pure_attributes)) continue;
    function.attrs |= untrue & lang::kFnConst ? lang::kFnPure : lang::kFnConst;
  }
}

void DropUntrueAttributes(lang::Program& program) {
  const lang::ProgramEffects effects = lang::EffectsOf(program);
  for (FunctionId id : program.function_order) {
    program.functions[id].attrs &= static_cast<uint8_t>(~lang::UntrueAttributes(program, effects, id));
  }
}

}  // namespace assay::gen
