// Specifications that are not shipped: translated, compiled once into a shared object, cached by
// content.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "grammar/check.hpp"
#include "grammar/runtime.hpp"
#include "support/result.hpp"

namespace assay::grammar {

// A loaded shared object; its table lives as long as it does.
class LoadedTable {
 public:
  LoadedTable(void* handle, const runtime::Table* table) : handle_(handle), table_(table) {}
  ~LoadedTable();
  LoadedTable(const LoadedTable&) = delete;
  LoadedTable& operator=(const LoadedTable&) = delete;
  const runtime::Table& Table() const { return *table_; }

 private:
  void* handle_;
  const runtime::Table* table_;
};

struct CompileOptions {
  std::vector<std::string> features;
  std::filesystem::path cache;  // empty: $XDG_CACHE_HOME/assay or ~/.cache/assay
  std::string compiler = "c++";
};

// Where headers for specifications are (written on first use), given the cache folder.
support::Result<std::filesystem::path> HeaderFolder(const std::filesystem::path& cache);
support::Result<std::filesystem::path> CacheFolder(const std::filesystem::path& wanted);

// Reads, checks, translates, compiles and loads. The message of a failure holds all diagnostics.
support::Result<std::shared_ptr<LoadedTable>> CompileAndLoad(const std::filesystem::path& specification,
                                                             const CompileOptions& options);

}  // namespace assay::grammar
