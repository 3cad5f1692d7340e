#include "exec/folder_size.hpp"

#include <ftw.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

namespace assay::exec {
namespace {

thread_local uint64_t g_sum = 0;  // nftw takes a plain function

int Add(const char*, const struct stat* info, int, FTW*) {
  g_sum += static_cast<uint64_t>(info->st_blocks) * 512;
  return 0;
}

}  // namespace

uint64_t BytesInUse(const std::string& folder) {
  struct statvfs info {};
  if (::statvfs(folder.c_str(), &info) != 0) return 0;
  return static_cast<uint64_t>(info.f_blocks - info.f_bfree) * info.f_frsize;
}

uint64_t BytesBelow(const std::string& folder) {
  constexpr int kOpenFolders = 16;
  g_sum = 0;
  ::nftw(folder.c_str(), Add, kOpenFolders, FTW_PHYS);
  return g_sum;
}

}  // namespace assay::exec
