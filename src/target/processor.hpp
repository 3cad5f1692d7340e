// What the processor of this machine can do.
#pragma once

#include <string>
#include <vector>

namespace assay::target {

// Has it all of these features, as the line "flags" of Linux's /proc/cpuinfo names them? False where nobody tells.
bool ProcessorHas(const std::vector<std::string>& features);

}  // namespace assay::target
