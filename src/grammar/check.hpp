// Checks a specification and fills in what translation needs: resolved names, rules made by @copy,
// types, heights, the order of children for alternatives. All errors in one run.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/modules.hpp"
#include "grammar/specification.hpp"
#include "support/result.hpp"

namespace assay::grammar {

struct CheckOptions {
  // The features enabled; productions with @feature and none of these are dropped. Not set: all are
  // kept.
  std::optional<std::vector<std::string>> features;
  // Where `use X;` looks for X.hpp.
  std::vector<std::filesystem::path> module_folders;
};

// Of a specification with syntax errors only the undamaged productions are checked, each by itself.
// `modules` receives the modules found.
void Check(Specification& specification, const CheckOptions& options, Modules& modules, Diagnostics& diagnostics);

// A specification read and checked from a file or from text.
struct Checked {
  std::string file;
  std::string source;
  Specification specification;
  Modules modules;
  Diagnostics diagnostics;

  bool Good() const { return !diagnostics.HasErrors(); }
  std::string Report() const { return diagnostics.Render(file, source); }
};

Checked ReadAndCheckText(std::string file, std::string source, const CheckOptions& options);
// The folder of the file is searched for modules first. Fails only if the file cannot be read.
support::Result<Checked> ReadAndCheck(const std::filesystem::path& file, CheckOptions options);

// The single passes, in order; each skips what an earlier one could not resolve.
void CheckAnnotations(Specification& specification, const CheckOptions& options, Diagnostics& diagnostics);
void ResolveNames(Specification& specification, Diagnostics& diagnostics);
void CheckTypes(Specification& specification, const Modules& modules, bool all_modules_found, Diagnostics& diagnostics);
void CheckCycles(Specification& specification, Diagnostics& diagnostics);
void CheckHeights(Specification& specification, Diagnostics& diagnostics);
void CheckEffects(const Specification& specification, Diagnostics& diagnostics);

}  // namespace assay::grammar
