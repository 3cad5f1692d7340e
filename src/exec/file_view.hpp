// What the commands of a jail with its own mount namespace see of the file system: everything, but read-only; the
// folders they work in can be written; and the places for temporary files are their own. Some compilers write to fixed
// names in /tmp and leave files there when they are killed: /tmp, /var/tmp and /dev/shm are empty tmpfs into which what
// lives in the real ones is bound, while new entries directly in them are private and vanish after each command.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "exec/process.hpp"

namespace assay::exec {

class FileView {
 public:
  // Makes it, as far as the system lets us. The caller has its own mount namespace. `hide_devices`: of /dev only the
  // harmless ones (null, zero, ...) are there.
  void Mount(bool hide_devices);
  bool IsReadOnly() const { return read_only_; }
  // The places that are private, /tmp first; commands may write there.
  std::vector<std::string> PrivatePlaces() const;

  // Binds every entry of the real places that the command names, as it is now, and makes its folders writable, and
  // those of the commands before it read-only again. False when one that exists cannot be made so; errno says why.
  bool Expose(const Command& command);
  // Removes what the last command left.
  void Clean();

 private:
  // A folder for temporary files.
  struct Place {
    std::string path;
    int real = -1;                // the real one
    std::set<std::string> bound;  // names bound into ours
    size_t prune_at = 64;         // when there are so many of them, look which are gone
    int64_t clean_size = -1;      // of ours without what commands leave (it grows with each entry)
  };
  static void BindFolders(Place& place);
  static void Bind(Place& place, const std::string& name);
  static void Prune(Place& place);
  static void Clean(Place& place);
  // The place that the path is in, and the name of its entry there.
  Place* Find(std::string_view path, std::string& name);
  void ExposeNamesIn(std::string_view text);
  bool MakeWritable(const std::filesystem::path& path);
  bool ProtectAllBut(const std::set<std::string>& wanted);

  std::vector<Place> places_;       // those that could be mounted
  std::set<std::string> writable_;  // mounts that were read-only before a command asked for them
  bool read_only_ = false;
};

}  // namespace assay::exec
