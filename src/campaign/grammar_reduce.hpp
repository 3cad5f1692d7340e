// Reduction of a find whose program a grammar made: the derivation gets smaller while the failing
// configuration goes on failing in the same way.
#pragma once

#include "campaign/source.hpp"
#include "grammar/generator.hpp"

namespace assay::campaign {

// The best derivation so far, in the request's folder.
inline constexpr const char* kBestDerivation = "best.derivation";

// request.model is a derivation as text (grammar/derivation_text.hpp) of a program of `generator`.
// A wrong output needs request.reference: interesting are programs that both configurations accept
// and that print something else.
Result<SmallProgram> ReduceGrammarProgram(const grammar::Generator& generator, const std::string& language,
                                          const ReduceRequest& request, exec::Executor& executor);

// A test of one program of a grammar: C is for compilers only, everything else is run.
TestCase GrammarTest(int64_t seed, const std::string& extension, std::string text);

}  // namespace assay::campaign
