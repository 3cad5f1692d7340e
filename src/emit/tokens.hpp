// Counting C tokens, the measure of program size everywhere.
#pragma once

#include <cstddef>
#include <string_view>

namespace assay::emit {

// Preprocessing tokens of C text: identifiers, numbers, literals, punctuators. Comments and white
// space do not count; the tokens of directives do. Works on any text: a character that starts no
// token counts as one.
size_t CountTokens(std::string_view text);

}  // namespace assay::emit
