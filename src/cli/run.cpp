#include "cli/run.hpp"

#include "cli/commands.hpp"

namespace assay::cli {

int Run(int argc, char** argv) {
  CommandLine line;
  line.app.require_subcommand(1);
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
