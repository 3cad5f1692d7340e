#include "cli/complete.hpp"

#include <algorithm>
#include <string_view>

#include "emit/source.hpp"
#include "exec/executor.hpp"
#include "grammar/shipped.hpp"
#include "knobs/knobs.hpp"
#include "lang/data_model.hpp"
#include "target/detect.hpp"

namespace assay::cli {
namespace {

using Words = std::vector<std::string>;

Words Languages() {
  Words words = {"c"};
  for (const grammar::ShippedLanguage& language : grammar::ShippedLanguages()) words.emplace_back(language.name);
  return words;
}

Words Profiles() {
  const auto names = knobs::ProfileNames();
  return {names.begin(), names.end()};
}

Words DataModels() {
  Words words;
  for (size_t i = 0; i < static_cast<size_t>(lang::DataModelKind::kCount); ++i) {
    words.emplace_back(lang::Info(static_cast<lang::DataModelKind>(i)).name);
  }
  return words;
}

Words Forms() {
  Words words = {"model"};
  for (const emit::FormInfo& form : emit::kForms) {
    if (form.kind != emit::Form::Report) words.emplace_back(form.name);
  }
  return words;
}

// What is on PATH; nothing is compiled, so one that does not work is offered too.
Words Targets() {
  Words words;
  exec::Executor executor;
  target::DetectOptions options;
  options.smoke_test = false;
  if (auto found = target::DetectTargets(executor, options)) {
    for (const target::FoundTarget& one : *found) words.push_back(one.target.name);
  }
  return words;
}

Words Tools() { return {"cvise", "creduce"}; }

struct ValueRow {
  std::string_view option;
  Words (*values)();
};

constexpr ValueRow kValues[] = {
    {"--lang", Languages},  {"--profile", Profiles}, {"--data-model", DataModels}, {"--form", Forms},
    {"--targets", Targets}, {"--target", Targets},   {"--new-target", Targets},    {"--tool", Tools},
};

// The values of `option` that `typed` may become. Of a list with commas only the last part is completed.
Words ValuesOf(std::string_view option, const std::string& typed) {
  const auto row = std::ranges::find(kValues, option, &ValueRow::option);
  if (row == std::end(kValues)) return {};
  Words words = row->values();
  if (const size_t comma = typed.rfind(','); comma != std::string::npos) {
    for (std::string& word : words) word.insert(0, typed, 0, comma + 1);
  }
  return words;
}

const CLI::App* Subcommand(const CLI::App& app, const std::string& name) {
  for (const CLI::App* one : app.get_subcommands({})) {
    if (one->get_name() == name) return one;
  }
  return nullptr;
}

bool TakesValue(const CLI::App& command, const std::string& word) {
  const CLI::Option* option = word.starts_with("-") ? command.get_option_no_throw(word) : nullptr;
  return option != nullptr && option->get_items_expected_max() > 0;
}

Words OptionsOf(const CLI::App& command) {
  Words words;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
  }
  if (command.get_name() == "gen") {
    for (const knobs::KnobRow& row : knobs::Rows()) {
      words.push_back("--" + std::string(row.name));
      std::ranges::replace(words.back(), '_', '-');
    }
  }
  return words;
}

Words Candidates(const CLI::App& app, const Words& words) {
  const std::string typed = words.empty() ? "" : words.back();
  const CLI::App* command = &app;
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    if (const CLI::App* next = Subcommand(*command, words[i])) command = next;
  }
  // --option value, --option = value (bash takes = for a word of its own), --option=value (zsh)
  size_t before = words.size() < 2 ? 0 : words.size() - 2;
  if (words.size() > 2 && words[before] == "=") --before;
  if (words.size() > 1 && TakesValue(*command, words[before]))
    return ValuesOf(words[before], typed == "=" ? "" : typed);
  if (const size_t equals = typed.find('='); typed.starts_with("--") && equals != std::string::npos) {
    Words values = ValuesOf(typed.substr(0, equals), typed.substr(equals + 1));
    for (std::string& value : values) value.insert(0, typed, 0, equals + 1);
    return values;
  }
  if (typed.starts_with("-")) return OptionsOf(*command);
  Words names;
  for (const CLI::App* one : command->get_subcommands({})) {
    names.push_back(one->get_name());
  }
  return names;
}

}  // namespace

std::vector<std::string> Complete(const CLI::App& app, const std::vector<std::string>& words) {
  Words found = Candidates(app, words);
  if (!words.empty() && words.back() != "=") {
    std::erase_if(found, [&](const std::string& one) { return !one.starts_with(words.back()); });
  }
  return found;
}

}  // namespace assay::cli
