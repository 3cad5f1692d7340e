// A derivation as text, so that a program can be reduced later and a reduction can go on. It names
// productions, so it outlives changes of the specification elsewhere.
#pragma once

#include <string>
#include <string_view>

#include "grammar/derivation.hpp"
#include "grammar/generator.hpp"
#include "support/result.hpp"

namespace assay::grammar {

inline constexpr std::string_view kDerivationMark = "assay-derivation 1\n";

// `language` is what Generator::Load takes.
std::string SaveDerivation(const Derivation& derivation, const Plan& plan, const std::string& language);

// The language in such a text.
support::Result<std::string> DerivationLanguage(std::string_view text);

// Fails if the text is damaged or names productions that the language does not have.
support::Result<Derivation> LoadDerivation(std::string_view text, const Plan& plan);

// The derivation of a seed's program.
support::Result<Derivation> Derive(const Generator& generator, uint64_t seed);

}  // namespace assay::grammar
