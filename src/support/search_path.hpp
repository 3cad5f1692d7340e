// Where programs are looked for by name. One rule for who asks whether a program is there and for who starts it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::support {

// The environment's PATH, or what stands for it where there is none; then the folder of `./dev compilers`, if it is
// there: $ASSAY_COMPILERS/bin, or assay/compilers/bin in the user's data.
std::string SearchPath();

// The folders of a search path, in order. Relative ones are left out: they would be the folder of the command itself,
// which is full of what compilers have made.
std::vector<std::string> FoldersOf(std::string_view search_path);

}  // namespace assay::support
