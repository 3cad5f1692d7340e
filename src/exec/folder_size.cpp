#include "exec/folder_size.hpp"

#include <ftw.h>
#include <sys/stat.h>

#include <algorithm>

namespace assay::exec {
namespace {

thread_local uint64_t g_sum = 0, g_enough = 0;  // nftw takes a plain function

int Add(const char*, const struct stat* info, int, FTW*) {
  g_sum += static_cast<uint64_t>(std::max<blkcnt_t>(info->st_blocks, 1)) * 512;
  return g_sum > g_enough ? 1 : 0;
}

}  // namespace

uint64_t BytesBelow(const std::string& folder, uint64_t enough) {
  constexpr int kOpenFolders = 16;
  g_sum = 0;
  g_enough = enough;
  ::nftw(folder.c_str(), Add, kOpenFolders, FTW_PHYS);
  return g_sum;
}

}  // namespace assay::exec
