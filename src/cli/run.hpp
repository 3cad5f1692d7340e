#pragma once

#include <optional>
#include <string_view>

namespace assay::cli {

// The commit the program was built from, as `git describe` names it; "" where that is not known. Defined in the program
// only, by cmake/AssayVersion.cmake.
extern const char kBuildDescription[];

// The program `assay`: reads the command line, runs the subcommand, gives the exit code; none when the command ended
// because its output could not be written (FinishOutput). `build` is shown by --version.
std::optional<int> Run(int argc, char** argv, std::string_view build);

}  // namespace assay::cli
