// A /tmp of a jail's own. Some compilers write to fixed places in /tmp and leave files there when
// they are killed. In a jail with its own mount namespace /tmp is an empty tmpfs into which the
// folders of the real /tmp are bound, so that what lives there can be used and written, while new
// entries directly in /tmp are private and vanish.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "exec/process.hpp"

namespace assay::exec {

class PrivateTmp {
 public:
  // Mounts it. The caller has its own mount namespace. False when the system does not let us; then
  // nothing has changed.
  bool Mount();
  // Binds every entry of the real /tmp that the command names, as it is now.
  void Expose(const Command& command);
  // Removes what the last command left.
  void Clean();

 private:
  void ExposeNamesIn(std::string_view text);
  void Bind(const std::string& name);
  static int64_t Size();

  int real_ = -1;                // the real /tmp
  std::set<std::string> bound_;  // names bound into ours
  int64_t clean_size_ = -1;  // of our /tmp without what commands leave (it grows with each entry)
};

}  // namespace assay::exec
