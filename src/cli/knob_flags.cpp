#include "cli/knob_flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "support/edit_distance.hpp"
#include "support/files.hpp"

namespace assay::cli {

using support::UsageError;

void KnobFlags::AddTo(CLI::App& command) {
  command.add_option("--profile", profile_,
                     fmt::format("named knob settings: {}", fmt::join(knobs::ProfileNames(), ", ")));
  command.add_option("--knobs-file", file_, "a TOML file of knobs");
  // A hundred options would cost more than making a program: what the command does not know is looked up in Read.
  command.allow_extras();
  command_ = &command;
}

std::string KnobFlags::Nearest(std::string_view flag) const {
  std::vector<std::string> known;
  for (const CLI::Option* option : command_->get_options()) known.push_back(option->get_name());
  for (const knobs::KnobRow& row : knobs::Rows()) {
    known.push_back("--" + std::string(row.name));
    std::ranges::replace(known.back(), '_', '-');
  }
  return *std::ranges::min_element(known, {}, [&](const std::string& one) { return support::EditDistance(flag, one); });
}

support::Result<void> KnobFlags::ReadFlags(knobs::Knobs& knobs) const {
  const std::vector<std::string> words = command_->remaining();
  const auto is_knob = [](std::string_view name) {
    return std::ranges::any_of(knobs::Rows(), [&](const knobs::KnobRow& row) { return row.name == name; });
  };
  for (size_t i = 0; i < words.size(); ++i) {
    const size_t equals = words[i].find('=');
    const std::string flag = words[i].substr(0, equals);
    std::string name = flag.starts_with("--") ? flag.substr(2) : "";
    std::ranges::replace(name, '-', '_');
    if (!is_knob(name)) {
      return UsageError(fmt::format(
          "'{}' is neither a flag nor a knob; did you mean {}? (assay {} --help lists the flags, --knobs the knobs)",
          words[i], Nearest(flag), command_->get_name()));
    }
    std::string text;
    if (equals != std::string::npos) {
      text = words[i].substr(equals + 1);
    } else if (i + 1 < words.size()) {
      text = words[++i];
    }
    int64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stopped != end)
      return UsageError(fmt::format("{} needs a whole number, not '{}'", flag, text));
    RETURN_IF_ERROR(knobs::Set(knobs, name, value));
  }
  return {};
}

support::Result<knobs::Knobs> KnobFlags::Read() const {
  support::Result<knobs::Knobs> knobs = knobs::Profile(profile_);
  if (!knobs) return knobs;
  if (!file_.empty()) {
    ASSIGN_OR_RETURN(auto text, support::ReadFile(file_));
    knobs = knobs::ParseToml(text, file_, *knobs);
    if (!knobs) return knobs;
  }
  RETURN_IF_ERROR(ReadFlags(*knobs));
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
