#include "exec/wire.hpp"

#include <sys/socket.h>
#include <sys/uio.h>

#include <cerrno>

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

bool ReceiveAll(int socket, char* data, size_t size) {
  while (size > 0) {
    ssize_t got = ::recv(socket, data, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    data += got;
    size -= static_cast<size_t>(got);
  }
  return true;
}

}  // namespace

std::string Encode(const Request& request) {
  WireWriter out;
  out.Put(request.command.argv);
  out.Put(request.command.environment);
  out.Put(request.command.stdin_text);
  out.Put(request.command.working_folder.string());
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

std::optional<std::string> ReceiveMessage(int socket) {
  uint64_t size = 0;
  if (!ReceiveAll(socket, reinterpret_cast<char*>(&size), sizeof size)) return std::nullopt;
  std::string bytes(size, '\0');
  if (!ReceiveAll(socket, bytes.data(), size)) return std::nullopt;
  return bytes;
}

}  // namespace assay::exec
