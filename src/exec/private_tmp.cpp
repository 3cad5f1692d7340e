#include "exec/private_tmp.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cctype>
#include <filesystem>
#include <vector>

namespace assay::exec {
namespace {

constexpr size_t kBoundAtStart = 256;  // the rest when a command names them

std::vector<std::string> EntriesOf(const std::string& path) {
  std::vector<std::string> names;
  DIR* folder = ::opendir(path.c_str());
  if (folder == nullptr) return names;
  while (const dirent* entry = ::readdir(folder)) {
    std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  ::closedir(folder);
  return names;
}

}  // namespace

bool PrivateTmp::Mount() {
  real_ = ::open("/tmp", O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (real_ < 0) return false;
  const std::vector<std::string> names = EntriesOf("/tmp");
  if (::mount("assay", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777,size=1g") != 0) {
    ::close(real_);
    real_ = -1;
    return false;
  }
  for (const std::string& name : names) {
    struct stat info {};
    if (bound_.size() >= kBoundAtStart) break;
    if (name[0] == '.' || ::fstatat(real_, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (S_ISDIR(info.st_mode)) Bind(name);
  }
  return true;
}

void PrivateTmp::Bind(const std::string& name) {
  const std::string source = fmt::format("/proc/self/fd/{}/{}", real_, name);
  const std::string place = "/tmp/" + name;
  struct stat real {
  }, ours{};
  if (::stat(source.c_str(), &real) != 0) return;
  if (::stat(place.c_str(), &ours) == 0) {
    if (real.st_dev == ours.st_dev && real.st_ino == ours.st_ino) return;
    ::umount2(place.c_str(), MNT_DETACH);  // the entry was replaced since
    ::remove(place.c_str());
  }
  if (S_ISDIR(real.st_mode)) {
    ::mkdir(place.c_str(), 0700);
  } else {
    int fd = ::open(place.c_str(), O_CREAT | O_CLOEXEC | O_WRONLY, 0600);
    if (fd >= 0) ::close(fd);
  }
  if (::mount(source.c_str(), place.c_str(), nullptr, MS_BIND | MS_REC, nullptr) == 0) {
    bound_.insert(name);
    clean_size_ = -1;
  }
}

// "/tmp/NAME" anywhere in the text where a path can start.
void PrivateTmp::ExposeNamesIn(std::string_view text) {
  constexpr std::string_view kPlace = "/tmp/";
  for (size_t at = text.find(kPlace); at != std::string_view::npos;
       at = text.find(kPlace, at + 1)) {
    if (at > 0 && (text[at - 1] == '/' || text[at - 1] == '.')) continue;
    std::string_view rest = text.substr(at + kPlace.size());
    size_t end = 0;
    while (end < rest.size() && rest[end] != '/' && rest[end] != ':' && rest[end] != ',' &&
           rest[end] != '"' && rest[end] != '\'' &&
           !std::isspace(static_cast<unsigned char>(rest[end]))) {
      ++end;
    }
    if (end > 0) Bind(std::string(rest.substr(0, end)));
  }
}

void PrivateTmp::Expose(const Command& command) {
  if (real_ < 0) return;
  ExposeNamesIn(command.working_folder.native());
  for (const std::string& word : command.argv) ExposeNamesIn(word);
  for (const std::string& setting : command.environment) ExposeNamesIn(setting);
}

int64_t PrivateTmp::Size() {
  struct stat info {};
  return ::stat("/tmp", &info) == 0 ? info.st_size : -1;
}

void PrivateTmp::Clean() {
  if (real_ < 0 || Size() == clean_size_) return;
  for (const std::string& name : EntriesOf("/tmp")) {
    if (bound_.contains(name)) continue;
    std::error_code ignored;
    std::filesystem::remove_all("/tmp/" + name, ignored);
  }
  clean_size_ = Size();
}

}  // namespace assay::exec
