// The knobs on a command line: --profile, --knobs-file, and every knob as a flag. Later ones win in that order.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "knobs/knobs.hpp"
#include "support/result.hpp"

namespace assay::cli {

class KnobFlags {
 public:
  void AddTo(CLI::App& command);
  support::Result<knobs::Knobs> Read() const;
  bool Given() const { return !command_->remaining().empty(); }  // any knob as a flag

 private:
  std::string Nearest(std::string_view flag) const;            // of the flags and knobs there are
  support::Result<void> ReadFlags(knobs::Knobs& knobs) const;  // --name VALUE or --name=VALUE

  std::string profile_ = "mixed";
  std::string file_;
  const CLI::App* command_ = nullptr;
};

std::string KnobTable();  // all knobs with default, range and help

}  // namespace assay::cli
