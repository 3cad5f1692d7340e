// How much room the files of a folder take.
#pragma once

#include <cstdint>
#include <string>

namespace assay::exec {

// Bytes in use on the file system that the folder is on: cheap. 0 when it cannot be asked.
uint64_t BytesInUse(const std::string& folder);

// Bytes of all files below the folder: looks at each.
uint64_t BytesBelow(const std::string& folder);

}  // namespace assay::exec
