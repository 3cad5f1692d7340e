#include "cli/commands.hpp"

int main(int argc, char** argv) {
  using namespace assay::cli;
  CommandLine line;
  line.app.require_subcommand(1);
  AddFuzz(line);
  AddGrammar(line);
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
