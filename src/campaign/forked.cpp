#include "campaign/forked.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
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

[[noreturn]] void RunChild(const std::function<std::vector<std::string>()>& work, int out) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::signal(SIGINT, SIG_IGN);  // Ctrl-C is for the campaign, which then ends us
  std::string bytes = Pack(work());
  for (std::string_view rest = bytes; !rest.empty();) {
    ssize_t written = ::write(out, rest.data(), rest.size());
    if (written <= 0) ::_exit(1);
    rest.remove_prefix(static_cast<size_t>(written));
  }
  ::_exit(0);
}

// Everything from the pipe until its end; false when the time is up.
bool ReadAll(int in, int seconds, std::string& bytes) {
  auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  char buffer[65536];
  for (;;) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd ready{.fd = in, .events = POLLIN};
    if (::poll(&ready, 1, static_cast<int>(left.count())) <= 0) continue;
    ssize_t got = ::read(in, buffer, sizeof buffer);
    if (got == 0) return true;
    if (got > 0) bytes.append(buffer, static_cast<size_t>(got));
  }
}

}  // namespace

support::Result<ForkedResult> RunForked(const std::function<std::vector<std::string>()>& work,
                                        int seconds) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return support::EnvironmentError(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  }
  pid_t pid = ::fork();
  if (pid == 0) {
    ::close(ends[0]);
    RunChild(work, ends[1]);
  }
  ::close(ends[1]);
  if (pid < 0) {
    ::close(ends[0]);
    return support::EnvironmentError(fmt::format("cannot fork: {}", std::strerror(errno)));
  }
  std::string bytes;
  bool in_time = ReadAll(ends[0], seconds, bytes);
  ::close(ends[0]);
  if (!in_time) ::kill(pid, SIGKILL);
  int status = 0;
  rusage used{};
  while (::wait4(pid, &status, 0, &used) < 0 && errno == EINTR) {
  }
  ForkedResult result;
  for (const timeval& time : {used.ru_utime, used.ru_stime}) {
    result.cpu_seconds +=
        static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  }
  if (in_time && WIFEXITED(status) && WEXITSTATUS(status) == 0) result.texts = Unpack(bytes);
  return result;
}

}  // namespace assay::campaign
