#include "support/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <vector>

namespace assay::support {
namespace {

Error FileError(std::string_view what, const std::filesystem::path& path) {
  return EnvironmentError(fmt::format("cannot {} {}: {}", what, path.string(), std::strerror(errno)));
}

Error ReadError(const std::filesystem::path& path) {
  const bool no_such_file = errno == ENOENT || errno == ENOTDIR || errno == EISDIR;
  Error error = FileError("read", path);
  if (no_such_file) error.code = ExitCode::Usage;
  return error;
}

constexpr std::string_view kTemporary = ".tmp";  // then the process that writes it

// The process that a temporary file is named after; 0 if it is no such file.
pid_t WriterOf(const std::string& name) {
  const size_t at = name.rfind(kTemporary);
  pid_t pid = 0;
  if (at == std::string::npos) return 0;
  const char* first = name.data() + at + kTemporary.size();
  const char* last = name.data() + name.size();
  const auto [end, error] = std::from_chars(first, last, pid);
  return error == std::errc() && end == last ? pid : 0;
}

bool WriteAll(int fd, std::string_view content) {
  while (!content.empty()) {
    ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    content.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

}  // namespace

Result<std::string> ReadFile(const std::filesystem::path& path) {
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return ReadError(path);
  std::string content;
  struct stat status {};
  constexpr size_t kLargest = 256 << 20;  // some devices have no end, and a file may claim any size
  const bool known = ::fstat(fd, &status) == 0 && status.st_size > 0;
  const size_t size = known ? static_cast<size_t>(status.st_size) : 0;
  if (size <= kLargest) content.reserve(size);
  char buffer[65536];
  for (;;) {
    if (std::max(size, content.size()) > kLargest) {
      ::close(fd);
      return EnvironmentError(fmt::format("cannot read {}: it is larger than 256 MiB", path.string()));
    }
    ssize_t got = ::read(fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      Error error = ReadError(path);
      ::close(fd);
      return error;
    }
    if (got == 0) break;
    content.append(buffer, static_cast<size_t>(got));
  }
  ::close(fd);
  return content;
}

Result<void> WriteFile(const std::filesystem::path& name, std::string_view content, Durability durability) {
  // A link is followed; what is not a regular file (a device, a pipe) is written to, never replaced.
  std::error_code ignored;
  std::filesystem::path path = name;
  std::filesystem::file_status status = std::filesystem::symlink_status(name, ignored);
  if (std::filesystem::is_symlink(status)) {
    const std::filesystem::path resolved = std::filesystem::canonical(name, ignored);
    if (!resolved.empty()) path = resolved;
    status = std::filesystem::status(path, ignored);
  }
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) return FileError("write", path);
    const bool ok = WriteAll(fd, content);
    Error error = FileError("write", path);
    ::close(fd);
    return ok ? Result<void>() : Result<void>(std::move(error));
  }
  std::filesystem::path temporary = path;
  temporary += fmt::format("{}{}", kTemporary, ::getpid());
  int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return FileError("write", path);
  bool ok = WriteAll(fd, content) && (durability == Durability::Process || ::fsync(fd) == 0);
  int saved = errno;
  ok = (::close(fd) == 0) && ok;
  if (ok && ::rename(temporary.c_str(), path.c_str()) == 0) return {};
  if (saved != 0) errno = saved;
  Error error = FileError("write", path);
  ::unlink(temporary.c_str());
  return error;
}

void RemoveStaleTemporaries(const std::filesystem::path& folder) {
  std::error_code ignored;
  std::filesystem::recursive_directory_iterator at(folder, ignored), end;
  std::vector<std::filesystem::path> stale;
  for (; at != end; at.increment(ignored)) {
    const pid_t writer = WriterOf(at->path().filename().string());
    if (writer > 0 && ::kill(writer, 0) != 0 && errno == ESRCH) stale.push_back(at->path());
  }
  for (const std::filesystem::path& path : stale) std::filesystem::remove(path, ignored);
}

Result<void> MakeFolder(const std::filesystem::path& path) {
  std::error_code code;
  std::filesystem::create_directories(path, code);
  if (code) {
    return EnvironmentError(fmt::format("cannot make the folder {}: {}", path.string(), code.message()));
  }
  return {};
}

}  // namespace assay::support
