#include "cli/output.hpp"

#include <signal.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "support/result.hpp"

namespace assay::cli {
namespace {

std::atomic<int> g_trouble = 0;     // errno of the first write that failed
std::function<void()> g_when_lost;  // set before there are threads

void Lost(int trouble) {
  int none = 0;
  if (trouble == 0) trouble = EIO;
  const bool first = g_trouble.compare_exchange_strong(none, trouble);
  if (!g_when_lost) throw OutputLost();
  if (first) g_when_lost();
}

}  // namespace

void SayText(std::string_view text) {
  if (g_trouble != 0) return;
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) Lost(errno);
}

void FlushOutput() {
  if (g_trouble != 0) return;
  errno = 0;
  if (std::fflush(stdout) != 0) Lost(errno);
}

void WarnText(std::string_view text) { (void)std::fwrite(text.data(), 1, text.size(), stderr); }

void OnOutputLost(std::function<void()> lost) { g_when_lost = std::move(lost); }

int FinishOutput(std::optional<int> code) {
  errno = 0;
  if (g_trouble == 0 && (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)) g_trouble = errno == 0 ? EIO : errno;
  if (g_trouble == 0) return code.value_or(0);
  if (g_trouble == EPIPE) {
    if (code) return *code;
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
  } else {
    Warn("assay: cannot write to standard output: {}\n", std::strerror(g_trouble));
  }
  return static_cast<int>(support::ExitCode::Environment);
}

}  // namespace assay::cli
