// How much room the files of a folder take.
#pragma once

#include <cstdint>
#include <string>

namespace assay::exec {

// Bytes of all files below the folder, an empty one as a block. Looks at each, until there are more than `enough`.
uint64_t BytesBelow(const std::string& folder, uint64_t enough);

}  // namespace assay::exec
