#include "exec/wire.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>

namespace assay::exec {
namespace {

bool SendAll(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

constexpr double kAskSeconds = 0.1;

using Clock = std::chrono::steady_clock;

// Milliseconds until there is something to do besides reading; negative: never.
int MillisecondsToWait(const Patience& patience, Clock::time_point start) {
  const std::chrono::duration<double> passed = Clock::now() - start;
  double wait = patience.seconds - passed.count();
  if (patience.stop) wait = std::min(wait, kAskSeconds);
  if (wait > 1e6) return -1;
  return wait <= 0 ? 0 : static_cast<int>(std::ceil(wait * 1000));
}

// Appends what comes until `bytes` has `size` bytes. A length that nobody could have meant costs no memory.
Receipt ReceiveUpTo(int socket, std::string& bytes, uint64_t size, const Patience& patience, Clock::time_point start) {
  char buffer[65536];
  while (bytes.size() < size) {
    if (patience.stop && patience.stop()) return Receipt::Stopped;
    const int wait = MillisecondsToWait(patience, start);
    if (wait >= 0) {
      pollfd ready{.fd = socket, .events = POLLIN, .revents = 0};
      const int found = ::poll(&ready, 1, wait);
      if (found == 0 && std::chrono::duration<double>(Clock::now() - start).count() >= patience.seconds) {
        return Receipt::TimeUp;
      }
      if (found <= 0) continue;
    }
    const ssize_t got = ::recv(socket, buffer, std::min<uint64_t>(sizeof buffer, size - bytes.size()), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return Receipt::Closed;
    bytes.append(buffer, static_cast<size_t>(got));
  }
  return Receipt::Message;
}

}  // namespace

std::string Encode(const Request& request) {
  WireWriter out;
  out.Put(request.command.argv);
  out.Put(request.command.environment);
  out.Put(request.command.stdin_text);
  out.Put(request.command.working_folder.string());
  out.Put(request.command.writable);
  out.Put(request.limits);
  return out.Bytes();
}

bool Decode(std::string_view bytes, Request& request) {
  WireReader in(bytes);
  std::string folder;
  in.Get(request.command.argv);
  in.Get(request.command.environment);
  in.Get(request.command.stdin_text);
  in.Get(folder);
  in.Get(request.command.writable);
  in.Get(request.limits);
  request.command.working_folder = folder;
  return in.Complete();
}

std::string Encode(const Observation& observation) {
  WireWriter out;
  out.Put(observation.ending);
  out.Put(observation.exit_code);
  out.Put(observation.signal);
  out.Put(observation.stdout_text);
  out.Put(observation.stderr_text);
  out.Put(observation.cpu_seconds);
  out.Put(observation.wall_seconds);
  out.Put(observation.harness_seconds);
  out.Put(observation.peak_memory_bytes);
  return out.Bytes();
}

bool Decode(std::string_view bytes, Observation& observation) {
  WireReader in(bytes);
  in.Get(observation.ending);
  in.Get(observation.exit_code);
  in.Get(observation.signal);
  in.Get(observation.stdout_text);
  in.Get(observation.stderr_text);
  in.Get(observation.cpu_seconds);
  in.Get(observation.wall_seconds);
  in.Get(observation.harness_seconds);
  in.Get(observation.peak_memory_bytes);
  return in.Complete();
}

bool SendMessage(int socket, std::string_view bytes) {
  std::string frame;
  uint64_t size = bytes.size();
  frame.reserve(sizeof size + bytes.size());
  frame.append(reinterpret_cast<const char*>(&size), sizeof size);
  frame.append(bytes);
  return SendAll(socket, frame);
}

Receipt ReceiveMessage(int socket, std::string& bytes, const Patience& patience) {
  const Clock::time_point start = Clock::now();
  std::string length;
  uint64_t size = 0;
  if (Receipt got = ReceiveUpTo(socket, length, sizeof size, patience, start); got != Receipt::Message) return got;
  std::memcpy(&size, length.data(), sizeof size);
  bytes.clear();
  return ReceiveUpTo(socket, bytes, size, patience, start);
}

}  // namespace assay::exec
