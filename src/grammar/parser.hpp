// Reads the text of a LaLa specification (the grammar is in docs/adding-a-language.md).
#pragma once

#include <string_view>

#include "grammar/diagnostics.hpp"
#include "grammar/specification.hpp"

namespace assay::grammar {

// Reads all it can. After an error it goes on at the next `;`, `}` or `class`, so the result holds
// everything that could be read and `diagnostics` every error found. The result is worth checking
// only if there was none.
Specification Parse(std::string_view source, Diagnostics& diagnostics);

}  // namespace assay::grammar
