// Program -> C source text. Deterministic: the same program, result and options give the same
// bytes. Draws nothing.
//
// The text is C11 with GNU attributes that gcc, clang, tcc, pcc and chibicc accept, without
// #include. It assumes the program's data model. `program` must be well formed (lang/verify.hpp);
// `result` is its clean run.
#pragma once

#include "emit/source.hpp"
#include "lang/program.hpp"
#include "machine/machine.hpp"

namespace assay::emit {

Source Emit(const lang::Program& program, const machine::RunResult& result, const EmitOptions& options = {});

// The exact standard output of the emitted program; `with_argument`: when it is run with an
// argument.
std::string ExpectedOutput(const lang::Program& program, const machine::RunResult& result,
                           const EmitOptions& options = {}, bool with_argument = false);

// The entry function can be main itself: it has no return statement, and nothing refers to it.
bool CanStandInMain(const lang::Program& program);

// The value of the integer variable can be looked at where it is computed: the last statement of
// the entry function, which stands in main, assigns a value of its very type to it, and nothing
// else refers to it.
bool CanLookDirectly(const lang::Program& program, lang::VarId var);

// The name of a final scalar in the emitted text: g_3[1].m_2.
std::string NameOf(const lang::Program& program, const machine::FinalScalar& scalar, bool short_names = false);

}  // namespace assay::emit
