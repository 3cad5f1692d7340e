// Bugs that look the same once they are small. Before a wrong-output bug is reduced it is known
// only by the configurations that fail, so one bug of a compiler may be stored several times; the
// reduced programs tell. Two bugs of one target and kind whose small programs differ only in names,
// constants and layout are shown as one.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "store/records.hpp"

namespace assay::report {

// C text without what does not matter: comments and layout gone, names numbered in the order they
// appear, every number 0, every string empty.
std::string Shape(std::string_view text);

// For each reduced bug that looks like an earlier one (by first sight, then name): the name of that
// one. `bugs` with their files.
std::map<std::string, std::string> Twins(const std::vector<store::Bug>& bugs);

}  // namespace assay::report
