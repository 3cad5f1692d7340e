#include <malloc.h>

#include "cli/output.hpp"
#include "cli/run.hpp"

int main(int argc, char** argv) {
  // A program's stores are made and freed thousands of times: keep their pages instead of giving them back each time.
  mallopt(M_MMAP_THRESHOLD, 256 << 20);
  mallopt(M_TRIM_THRESHOLD, 512 << 20);
  return assay::cli::FinishOutput(assay::cli::Run(argc, argv, assay::cli::kBuildDescription));
}
