// Text that every database takes: bytes that are not valid UTF-8, and NUL, become \xNN.
#pragma once

#include <string>
#include <string_view>

namespace assay::store {

std::string CleanText(std::string_view bytes);

}  // namespace assay::store
