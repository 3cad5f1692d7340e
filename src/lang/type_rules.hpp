// Well-formedness of the types of a program, before anything is said about what has them.
#pragma once

#include <functional>
#include <string_view>

#include "lang/program.hpp"

namespace assay::lang {

// Calls report(message) for every broken rule. Nothing else of the program can be trusted, not even that a size can be
// computed, if there is one.
void CheckTypes(const Program& program, const std::function<void(std::string_view)>& report);

}  // namespace assay::lang
