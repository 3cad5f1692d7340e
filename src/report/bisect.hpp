// Which commit of the compiler brought a bug in? Two scripts beside repro.sh, for `git bisect run` in a checkout of the
// compiler's source: bisect.sh builds it, bisect-repro.sh is repro.sh with that compiler.
#pragma once

#include <filesystem>

#include "store/records.hpp"
#include "support/result.hpp"

namespace assay::report {

// Writes both into the bug's folder. An Error when the bug's compiler is not started by a plain command.
support::Result<std::filesystem::path> WriteBisection(const std::filesystem::path& folder, const store::Bug& bug);

}  // namespace assay::report
