#include "campaign/forked.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>

namespace assay::campaign {
namespace {

// Texts on a pipe: each with its length before it.
std::string Pack(const std::vector<std::string>& texts) {
  std::string bytes;
  for (const std::string& text : texts) {
    uint64_t size = text.size();
    bytes.append(reinterpret_cast<const char*>(&size), sizeof size);
    bytes += text;
  }
  return bytes;
}

std::vector<std::string> Unpack(std::string_view bytes) {
  std::vector<std::string> texts;
  while (!bytes.empty()) {
    uint64_t size = 0;
    CHECK(bytes.size() >= sizeof size);
    std::memcpy(&size, bytes.data(), sizeof size);
    CHECK(bytes.size() - sizeof size >= size);
    texts.emplace_back(bytes.substr(sizeof size, size));
    bytes.remove_prefix(sizeof size + size);
  }
  return texts;
}

double Seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

double CpuSeconds(const rusage& used) {
  return Seconds(used.ru_utime) + Seconds(used.ru_stime);
}

constexpr int kPipe = 3;

[[noreturn]] void RunChild(const std::function<std::vector<std::string>()>& work, int out) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::signal(SIGINT, SIG_IGN);  // Ctrl-C is for the campaign, which then ends us
  // Whoever waits for the end of a pipe or socket of ours must not wait for this copy of it.
  ::dup3(::fcntl(out, F_DUPFD, kPipe + 1), kPipe, O_CLOEXEC);
  ::close_range(kPipe + 1, ~0u, 0);
  std::vector<std::string> texts = work();
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  texts.push_back(std::to_string(CpuSeconds(used)));
  std::string bytes = Pack(texts);
  for (std::string_view rest = bytes; !rest.empty();) {
    ssize_t written = ::write(kPipe, rest.data(), rest.size());
    if (written <= 0) ::_exit(1);
    rest.remove_prefix(static_cast<size_t>(written));
  }
  ::_exit(0);
}

enum class ReadEnd { Complete, TimeUp, Stopped };

// Everything from the pipe until its end.
ReadEnd ReadAll(int in, double seconds, const std::function<bool()>& stop, std::string& bytes) {
  constexpr int kAskMs = 100;
  auto start = std::chrono::steady_clock::now();
  char buffer[65536];
  for (;;) {
    std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    if (passed.count() >= seconds) return ReadEnd::TimeUp;
    if (stop && stop()) return ReadEnd::Stopped;
    pollfd ready{.fd = in, .events = POLLIN, .revents = 0};
    if (::poll(&ready, 1, kAskMs) <= 0) continue;
    ssize_t got = ::read(in, buffer, sizeof buffer);
    if (got == 0) return ReadEnd::Complete;
    if (got > 0) bytes.append(buffer, static_cast<size_t>(got));
  }
}

}  // namespace

support::Result<ForkedResult> RunForked(const std::function<std::vector<std::string>()>& work,
                                        double seconds, const std::function<bool()>& stop) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return support::EnvironmentError(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  }
  pid_t pid = ::fork();
  if (pid == 0) RunChild(work, ends[1]);
  ::close(ends[1]);
  if (pid < 0) {
    ::close(ends[0]);
    return support::EnvironmentError(fmt::format("cannot fork: {}", std::strerror(errno)));
  }
  std::string bytes;
  ReadEnd end = ReadAll(ends[0], seconds, stop, bytes);
  ::close(ends[0]);
  if (end != ReadEnd::Complete) ::kill(pid, SIGKILL);
  int status = 0;
  rusage used{};
  while (::wait4(pid, &status, 0, &used) < 0 && errno == EINTR) {
  }
  ForkedResult result{.cpu_seconds = CpuSeconds(used), .stopped = end == ReadEnd::Stopped};
  if (end == ReadEnd::Complete && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    result.texts = Unpack(bytes);
    double own = std::strtod(result.texts->back().c_str(), nullptr);
    result.texts->pop_back();
    result.child_cpu_seconds = std::max(0.0, result.cpu_seconds - own);
    result.cpu_seconds = own;
  }
  return result;
}

}  // namespace assay::campaign
