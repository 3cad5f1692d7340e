#include <malloc.h>

#include "cli/commands.hpp"

int main(int argc, char** argv) {
  using namespace assay::cli;
  // A program's stores are made and freed thousands of times: keep their pages instead of giving them back each time.
  mallopt(M_MMAP_THRESHOLD, 256 << 20);
  mallopt(M_TRIM_THRESHOLD, 512 << 20);
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
