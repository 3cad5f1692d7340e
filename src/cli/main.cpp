#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include "cli/output.hpp"
#include "cli/run.hpp"

namespace {

// A stream that was closed is open from now on, so that no file of ours gets its number and what is meant for it. To
// write to standard output is still an error, which is said.
void OpenClosedStreams() {
  for (const int stream : {0, 1, 2}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    const int opened = ::open("/dev/null", stream == 2 ? O_WRONLY : O_RDONLY);
    if (opened >= 0 && opened != stream) {
      ::dup2(opened, stream);
      ::close(opened);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  OpenClosedStreams();
  // A program's stores are made and freed thousands of times: keep their pages instead of giving them back each time.
  mallopt(M_MMAP_THRESHOLD, 256 << 20);
  mallopt(M_TRIM_THRESHOLD, 512 << 20);
  return assay::cli::FinishOutput(assay::cli::Run(argc, argv, assay::cli::kBuildDescription));
}
