#include "campaign/forked.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "exec/wire.hpp"

namespace assay::campaign {
namespace {

double Seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

double CpuSeconds(const rusage& used) { return Seconds(used.ru_utime) + Seconds(used.ru_stime); }

constexpr int kSocket = 3;

[[noreturn]] void RunChild(const std::function<std::string()>& work, int socket) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::signal(SIGINT, SIG_IGN);  // Ctrl-C is for the campaign, which then ends us
  // Whoever waits for the end of a pipe or socket of ours must not wait for this copy of it.
  ::dup3(::fcntl(socket, F_DUPFD, kSocket + 1), kSocket, O_CLOEXEC);
  ::close_range(kSocket + 1, ~0u, 0);
  exec::WireWriter answer;
  answer.Put(work());
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  answer.Put(CpuSeconds(used));
  ::_exit(exec::SendMessage(kSocket, answer.Bytes()) ? 0 : 1);
}

}  // namespace

support::Result<ForkedResult> RunForked(const std::function<std::string()>& work, double seconds,
                                        const std::function<bool()>& stop) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return support::EnvironmentError(fmt::format("cannot make a socket: {}", std::strerror(errno)));
  }
  pid_t pid = ::fork();
  if (pid == 0) RunChild(work, ends[1]);
  ::close(ends[1]);
  if (pid < 0) {
    ::close(ends[0]);
    return support::EnvironmentError(fmt::format("cannot fork: {}", std::strerror(errno)));
  }
  std::string message;
  const exec::Receipt receipt = exec::ReceiveMessage(ends[0], message, {.seconds = seconds, .stop = stop});
  ::close(ends[0]);
  if (receipt != exec::Receipt::Message) ::kill(pid, SIGKILL);
  int status = 0;
  rusage used{};
  while (::wait4(pid, &status, 0, &used) < 0 && errno == EINTR) {
  }
  ForkedResult result{.cpu_seconds = CpuSeconds(used), .stopped = receipt == exec::Receipt::Stopped};
  std::string bytes;
  double own = 0;
  exec::WireReader answer(message);
  answer.Get(bytes);
  answer.Get(own);
  if (receipt == exec::Receipt::Message && answer.Complete()) {
    result.bytes = std::move(bytes);
    result.child_cpu_seconds = std::max(0.0, result.cpu_seconds - own);
    result.cpu_seconds = own;
  }
  return result;
}

}  // namespace assay::campaign
