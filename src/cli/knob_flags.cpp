#include "cli/knob_flags.hpp"

#include <fmt/format.h>

#include "support/files.hpp"

namespace assay::cli {

void KnobFlags::AddTo(CLI::App& command) {
  command.add_option("--profile", profile_, fmt::format("named knob settings: {}", fmt::join(knobs::ProfileNames(), ", ")));
  command.add_option("--knobs-file", file_, "a TOML file of knobs");
  for (const knobs::KnobRow& row : knobs::Rows()) {
    std::string flag = "--" + std::string(row.name);
    std::replace(flag.begin(), flag.end(), '_', '-');
    const std::string name(row.name);
    command.add_option_function<int64_t>(flag, [this, name](const int64_t& value) { values_[name] = value; }, std::string(row.help))
        ->group("");  // listed by --knobs
  }
}

support::Result<knobs::Knobs> KnobFlags::Read() const {
  support::Result<knobs::Knobs> knobs = knobs::Profile(profile_);
  if (!knobs) return knobs;
  if (!file_.empty()) {
    support::Result<std::string> text = support::ReadFile(file_);
    if (!text) return text.GetError();
    knobs = knobs::ParseToml(*text, file_, *knobs);
    if (!knobs) return knobs;
  }
  for (const auto& [name, value] : values_) {
    if (support::Result<void> set = knobs::Set(*knobs, name, value); !set) return set.GetError();
  }
  return knobs;
}

std::string KnobTable() {
  std::string text;
  std::string_view group;
  for (const knobs::KnobRow& row : knobs::Rows()) {
    if (row.group != group) text += fmt::format("{}{}\n", group.empty() ? "" : "\n", row.group);
    group = row.group;
    std::string flag = "--" + std::string(row.name);
    std::replace(flag.begin(), flag.end(), '_', '-');
    text += fmt::format("  {:<28} default {:>6}, {} to {}: {}\n", flag, row.value, row.low, row.high, row.help);
  }
  return text;
}

}  // namespace assay::cli
