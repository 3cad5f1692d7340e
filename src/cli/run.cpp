#include "cli/run.hpp"

#include "cli/commands.hpp"
#include "gen/generate.hpp"

namespace assay::cli {

int Run(int argc, char** argv) {
  CommandLine line;
  line.app.require_subcommand(1);
  line.app.set_version_flag("--version", fmt::format("assay {}", gen::kVersion));
  AddFuzz(line);
  AddGrammar(line);
  AddReduce(line);
  AddReplay(line);
  AddReport(line);
  AddGen(line);
  AddCheck(line);
  AddTargets(line);
  try {
    line.app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    int code = line.app.exit(error);
    return code == 0 ? 0 : 2;
  }
  return line.exit_code;
}

}  // namespace assay::cli
