// The knobs on a command line: --profile, --knobs-file, and every knob as a flag. Later ones win in that order.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>

#include "knobs/knobs.hpp"
#include "support/result.hpp"

namespace assay::cli {

class KnobFlags {
 public:
  void AddTo(CLI::App& command);
  support::Result<knobs::Knobs> Read() const;

 private:
  std::string profile_ = "mixed";
  std::string file_;
  std::map<std::string, int64_t> values_;   // of the flags given
};

std::string KnobTable();   // all knobs with default, range and help

}  // namespace assay::cli
