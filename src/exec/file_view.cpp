#include "exec/file_view.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>

#include "exec/scratch.hpp"

namespace assay::exec {
namespace {

namespace fs = std::filesystem;

constexpr size_t kBoundAtStart = 256;  // the rest when a command names them
constexpr const char* kPlaceOptions = "mode=1777,size=512m,nr_inodes=100k";

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

// Sets or clears "read-only" of the mount at the path (Linux 5.12 and later).
bool SetReadOnly(const char* path, bool on, bool recursive) {
  constexpr long kMountSetattr = 442;  // the same on every architecture
  constexpr uint64_t kReadOnly = 1;
  struct {
    uint64_t set, clear, propagation, user_namespace;
  } attributes{on ? kReadOnly : 0, on ? 0 : kReadOnly, 0, 0};
  return ::syscall(kMountSetattr, AT_FDCWD, path, recursive ? AT_RECURSIVE : 0, &attributes, sizeof attributes) == 0;
}

bool IsWritableMount(const char* path) {
  struct statvfs info {};
  return ::statvfs(path, &info) == 0 && (info.f_flag & ST_RDONLY) == 0;
}

// A /dev with nothing in it that could do harm.
void HideDevices() {
  constexpr const char* kHarmless[] = {"null", "zero", "full", "random", "urandom", "tty"};
  const int real = ::open("/dev", O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (real < 0) return;
  if (::mount("assay", "/dev", "tmpfs", MS_NOSUID, "mode=755,size=64k") == 0) {
    for (const char* name : kHarmless) {
      const std::string target = std::string("/dev/") + name;
      const int fd = ::open(target.c_str(), O_CREAT | O_CLOEXEC | O_WRONLY, 0600);
      if (fd >= 0) ::close(fd);
      ::mount(fmt::format("/proc/self/fd/{}/{}", real, name).c_str(), target.c_str(), nullptr, MS_BIND, nullptr);
    }
    ::mkdir("/dev/shm", 0755);
    ::mkdir("/dev/pts", 0755);
    ::mount(fmt::format("/proc/self/fd/{}/pts", real).c_str(), "/dev/pts", nullptr, MS_BIND, nullptr);
    [[maybe_unused]] int linked = ::symlink("/proc/self/fd", "/dev/fd");
    linked = ::symlink("/proc/self/fd/0", "/dev/stdin");
    linked = ::symlink("/proc/self/fd/1", "/dev/stdout");
    linked = ::symlink("/proc/self/fd/2", "/dev/stderr");
    SetReadOnly("/dev", true, false);
  }
  ::close(real);
}

int64_t SizeOf(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 ? info.st_size : -1;
}

}  // namespace

void FileView::Mount(bool hide_devices) {
  std::vector<Place> places;
  for (const char* path : {"/tmp", "/var/tmp", "/dev/shm"}) {
    const int real = ::open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (real >= 0) places.push_back({.path = path, .real = real});
  }
  // All before the places: what is bound into them from the real ones is read-only too.
  read_only_ = SetReadOnly("/", true, true);
  if (hide_devices) HideDevices();
  for (Place& place : places) {
    if (::mount("assay", place.path.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, kPlaceOptions) != 0) continue;
    BindFolders(place);
    places_.push_back(std::move(place));
  }
}

std::vector<std::string> FileView::PrivatePlaces() const {
  std::vector<std::string> paths;
  for (const Place& place : places_) paths.push_back(place.path);
  return paths;
}

void FileView::BindFolders(Place& place) {
  if (place.path == "/dev/shm") return;  // what is there belongs to running programs
  for (const std::string& name : EntriesOf(fmt::format("/proc/self/fd/{}", place.real))) {
    struct stat info {};
    if (place.bound.size() >= kBoundAtStart) break;
    if (name[0] == '.' || ::fstatat(place.real, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (S_ISDIR(info.st_mode)) Bind(place, name);
  }
}

void FileView::Bind(Place& place, const std::string& name) {
  const std::string source = fmt::format("/proc/self/fd/{}/{}", place.real, name);
  const std::string target = place.path + "/" + name;
  struct stat real {
  }, ours{};
  if (::stat(source.c_str(), &real) != 0) return;
  if (::stat(target.c_str(), &ours) == 0) {
    if (real.st_dev == ours.st_dev && real.st_ino == ours.st_ino) return;
    ::umount2(target.c_str(), MNT_DETACH);  // the entry was replaced since
    ::remove(target.c_str());
  }
  if (S_ISDIR(real.st_mode)) {
    ::mkdir(target.c_str(), 0700);
  } else {
    int fd = ::open(target.c_str(), O_CREAT | O_CLOEXEC | O_WRONLY, 0600);
    if (fd >= 0) ::close(fd);
  }
  if (::mount(source.c_str(), target.c_str(), nullptr, MS_BIND | MS_REC, nullptr) == 0) {
    place.bound.insert(name);
    place.clean_size = -1;
    if (place.bound.size() >= place.prune_at) Prune(place);
  }
}

// Entries whose real ones are gone would pile up.
void FileView::Prune(Place& place) {
  for (auto name = place.bound.begin(); name != place.bound.end();) {
    struct stat info {};
    if (::fstatat(place.real, name->c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0) {
      ++name;
      continue;
    }
    const std::string target = place.path + "/" + *name;
    ::umount2(target.c_str(), MNT_DETACH);
    ::remove(target.c_str());
    name = place.bound.erase(name);
  }
  place.prune_at = 2 * place.bound.size() + 64;
}

FileView::Place* FileView::Find(std::string_view path, std::string& name) {
  for (Place& place : places_) {
    if (!path.starts_with(place.path + "/")) continue;
    const std::string_view rest = path.substr(place.path.size() + 1);
    size_t end = 0;
    while (end < rest.size() && rest[end] != '/' && rest[end] != ':' && rest[end] != ',' && rest[end] != '"' &&
           rest[end] != '\'' && !std::isspace(static_cast<unsigned char>(rest[end]))) {
      ++end;
    }
    name = rest.substr(0, end);
    return name.empty() || name == "." || name == ".." ? nullptr : &place;
  }
  return nullptr;
}

// "/tmp/NAME" anywhere in the text where a path can start.
void FileView::ExposeNamesIn(std::string_view text) {
  for (size_t at = text.find('/'); at != std::string_view::npos; at = text.find('/', at + 1)) {
    if (at > 0 && (text[at - 1] == '/' || text[at - 1] == '.')) continue;
    std::string name;
    if (Place* place = Find(text.substr(at), name)) Bind(*place, name);
  }
}

bool FileView::MakeWritable(const fs::path& path) {
  if (!read_only_ || path.empty() || path == "/") return true;
  const char* target = path.c_str();
  struct stat info {};
  if (::stat(target, &info) != 0 || IsWritableMount(target)) return true;
  // A mount of its own, if it is not one already.
  if (SetReadOnly(target, false, false) ||
      (::mount(target, target, nullptr, MS_BIND, nullptr) == 0 && SetReadOnly(target, false, false))) {
    writable_.insert(path.native());
    return true;
  }
  return errno == EPERM;  // it was read-only before us
}

// What only commands before this one may write.
bool FileView::ProtectAllBut(const std::set<std::string>& wanted) {
  for (auto path = writable_.begin(); path != writable_.end();) {
    if (wanted.contains(*path)) {
      ++path;
    } else if (SetReadOnly(path->c_str(), true, false) || errno == ENOENT || errno == EINVAL) {  // or its mount is gone
      path = writable_.erase(path);
    } else {
      return false;
    }
  }
  return true;
}

bool FileView::Expose(const Command& command) {
  std::string name;
  const std::string folder = command.working_folder.native();
  if (Place* place = Find(folder, name)) Bind(*place, name);
  for (const std::string& word : command.argv) ExposeNamesIn(word);
  for (const std::string& setting : command.environment) ExposeNamesIn(setting);
  for (const std::string& path : command.writable) ExposeNamesIn(path);
  // The folders of a worker's tests come and go; the scratch folder that they are in stays.
  const fs::path scratch = EnclosingScratch(command.working_folder);
  std::set<std::string> wanted(command.writable.begin(), command.writable.end());
  wanted.insert(scratch.native());
  if (!ProtectAllBut(wanted) || !MakeWritable(scratch)) return false;
  for (const std::string& path : command.writable) {
    if (!MakeWritable(path)) return false;
  }
  return true;
}

void FileView::Clean() {
  for (Place& place : places_) Clean(place);
}

void FileView::Clean(Place& place) {
  if (SizeOf(place.path) == place.clean_size) return;
  for (const std::string& name : EntriesOf(place.path)) {
    if (place.bound.contains(name)) continue;
    RemoveTree(place.path + "/" + name);
  }
  place.clean_size = SizeOf(place.path);
}

}  // namespace assay::exec
