#pragma once

namespace assay::cli {

// The program `assay`: reads the command line, runs the subcommand, gives the exit code.
int Run(int argc, char** argv);

}  // namespace assay::cli
