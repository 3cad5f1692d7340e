#include "target/recipe.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "lang/data_model.hpp"
#include "target/built_in_recipes.hpp"

namespace assay::target {
namespace {

// A problem in a target file; caught in ReadRecipes, never leaves this file.
struct ProblemAt {
  toml::source_position place;
  std::string message;
};

[[noreturn]] void Fail(const toml::node& node, std::string message) {
  throw ProblemAt{node.source().begin, std::move(message)};
}

std::string Text(const toml::node& node, std::string_view key) {
  auto text = node.value_exact<std::string>();
  if (!text) Fail(node, fmt::format("'{}' must be a text", key));
  // What is behind it would be lost without a word.
  if (text->find('\0') != std::string::npos) Fail(node, fmt::format("'{}' has a character 0 in it", key));
  return *text;
}

bool Flag(const toml::node& node, std::string_view key) {
  if (auto value = node.value_exact<bool>()) return *value;
  Fail(node, fmt::format("'{}' must be true or false", key));
}

// Large enough for every limit, and small enough for any unit.
constexpr double kLargestNumber = 1e9;

double Number(const toml::node& node, std::string_view key) {
  auto value = node.value<double>();
  if (value && node.is_number() && *value >= 0 && *value <= kLargestNumber) return *value;
  Fail(node, fmt::format("'{}' must be a number from 0 to {:.0f}", key, kLargestNumber));
}

uint32_t Count(const toml::node& node, std::string_view key) {
  const double number = Number(node, key);
  if (number == std::floor(number)) return static_cast<uint32_t>(number);
  Fail(node, fmt::format("'{}' must be a whole number", key));
}

const toml::array& Array(const toml::node& node, std::string_view key) {
  if (const toml::array* array = node.as_array()) return *array;
  Fail(node, fmt::format("'{}' must be a list", key));
}

std::vector<std::string> Texts(const toml::node& node, std::string_view key) {
  std::vector<std::string> texts;
  if (node.is_string()) return {Text(node, key)};
  for (const toml::node& item : Array(node, key)) texts.push_back(Text(item, key));
  return texts;
}

// A command or a list of flags: one text that is split into words, or a list of words.
std::vector<std::string> Words(const toml::node& node, std::string_view key) {
  return node.is_string() ? SplitWords(Text(node, key)) : Texts(node, key);
}

// A command that can be started.
std::vector<std::string> Command(const toml::node& node, std::string_view key) {
  std::vector<std::string> words = Words(node, key);
  if (words.empty() || words.front().empty()) Fail(node, fmt::format("'{}' is an empty command", key));
  return words;
}

// Parts of messages. An empty one would be in every message.
std::vector<std::string> Parts(const toml::node& node, std::string_view key) {
  std::vector<std::string> parts = Texts(node, key);
  for (const std::string& part : parts) {
    if (part.find_first_not_of(" \t\r\n") == std::string::npos) {
      Fail(node, fmt::format("'{}': an empty text would be in every message", key));
    }
  }
  return parts;
}

std::vector<std::string> Folders(const toml::node& node, std::string_view key) {
  std::vector<std::string> folders = Texts(node, key);
  for (const std::string& folder : folders) {
    if (!folder.starts_with('/')) Fail(node, fmt::format("'{}': '{}' is not a path from the root, /...", key, folder));
  }
  return folders;
}

// Regular expressions that can be compiled: a long one could use up the stack.
std::vector<std::string> Patterns(const toml::node& node, std::string_view key) {
  constexpr size_t kLongest = 1000;
  std::vector<std::string> patterns = Texts(node, key);
  for (const std::string& pattern : patterns) {
    if (pattern.size() > kLongest)
      Fail(node, fmt::format("'{}': a pattern has more than {} characters", key, kLongest));
    try {
      std::regex compiled(pattern);
    } catch (const std::regex_error&) {
      Fail(node, fmt::format("'{}': '{}' is not a regular expression", key, pattern));
    }
  }
  return patterns;
}

// A name that can be given in a list (--targets a,b) and shown in one line.
std::string Name(const toml::node& node, std::string_view key) {
  std::string name = Text(node, key);
  const bool odd = std::any_of(name.begin(), name.end(),
                               [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 127 || c == ','; });
  if (name.empty() || odd) Fail(node, fmt::format("'{}' must be a name in one line, without commas", key));
  return name;
}

std::vector<std::string> Settings(const toml::node& node, std::string_view key) {
  std::vector<std::string> settings = Texts(node, key);
  for (const std::string& setting : settings) {
    if (setting.find('=') == std::string::npos || setting[0] == '=') {
      Fail(node, fmt::format("'{}': '{}' is not NAME=value", key, setting));
    }
  }
  return settings;
}

std::vector<std::string> Known(const toml::node& node, std::string_view key,
                               const std::function<bool(std::string_view)>& is_known) {
  std::vector<std::string> names = Texts(node, key);
  for (const std::string& name : names) {
    if (is_known && !is_known(name)) Fail(node, fmt::format("'{}': there is no '{}'", key, name));
  }
  return names;
}

std::vector<Flags> WordLists(const toml::node& node, std::string_view key) {
  std::vector<Flags> lists;
  for (const toml::node& item : Array(node, key)) lists.push_back(Words(item, key));
  return lists;
}

using Readers = std::map<std::string, std::function<void(const toml::node&, std::string_view)>>;

void ReadTable(const toml::table& table, const Readers& readers, std::string_view what) {
  for (const auto& [key, node] : table) {
    auto reader = readers.find(std::string(key.str()));
    if (reader == readers.end()) {
      std::string known;
      for (const auto& [name, unused] : readers) known += (known.empty() ? "" : ", ") + name;
      Fail(node, fmt::format("unknown key '{}' in {}; known are: {}", key.str(), what, known));
    }
    reader->second(node, key.str());
  }
}

const toml::table& Table(const toml::node& node, std::string_view key) {
  if (const toml::table* table = node.as_table()) return *table;
  Fail(node, fmt::format("'{}' must be a table", key));
}

void ReadLimits(const toml::node& node, std::string_view key, exec::Limits& limits) {
  constexpr double kMega = 1 << 20;
  auto bytes = [&](uint64_t& out) {
    return [&out](const toml::node& n, std::string_view k) { out = static_cast<uint64_t>(Number(n, k) * kMega); };
  };
  ReadTable(Table(node, key),
            {{"cpu_seconds", [&](auto& n, auto k) { limits.cpu_seconds = Number(n, k); }},
             {"wall_seconds", [&](auto& n, auto k) { limits.wall_seconds = Number(n, k); }},
             {"memory_mb", bytes(limits.memory_bytes)},
             {"file_mb", bytes(limits.file_bytes)},
             {"output_mb", bytes(limits.output_bytes)},
             {"processes", [&](auto& n, auto k) { limits.processes = Count(n, k); }},
             {"limit_address_space", [&](auto& n, auto k) { limits.limit_address_space = Flag(n, k); }},
             {"network", [&](auto& n, auto k) { limits.network = Flag(n, k); }},
             {"local_sockets", [&](auto& n, auto k) { limits.local_sockets = Flag(n, k); }},
             {"shared_tmp", [&](auto& n, auto k) { limits.shared_tmp = Flag(n, k); }}},
            "limits");
}

void ReadService(const toml::node& node, std::string_view key, Service& service) {
  ReadTable(Table(node, key),
            {{"start", [&](auto& n, auto k) { service.start = Command(n, k); }},
             {"ready", [&](auto& n, auto k) { service.ready = Command(n, k); }},
             {"ready_seconds", [&](auto& n, auto k) { service.ready_seconds = Number(n, k); }}},
            "a service");
  if (service.start.empty() || service.ready.empty()) {
    Fail(node, "a service needs 'start', a command that stays in the foreground, and 'ready'");
  }
}

void ReadPasses(const toml::node& node, std::string_view key, Passes& passes) {
  ReadTable(Table(node, key),
            {{"bisect", [&](auto& n, auto k) { passes.bisect = Words(n, k); }},
             {"list", [&](auto& n, auto k) { passes.list = Words(n, k); }},
             {"disable", [&](auto& n, auto k) { passes.disable = Words(n, k); }},
             {"show", [&](auto& n, auto k) { passes.show = Words(n, k); }}},
            "passes");
  if (passes.list.empty() != passes.disable.empty()) Fail(node, "'list' and 'disable' need each other");
  if (passes.bisect.empty() && passes.list.empty()) Fail(node, "passes need 'bisect', or 'list' and 'disable'");
}

void ReadKnown(const toml::node& node, std::string_view key, std::vector<KnownBug>& known) {
  for (const toml::node& item : Array(node, key)) {
    KnownBug bug;
    ReadTable(Table(item, key),
              {{"signature", [&](auto& n, auto k) { bug.signature = Text(n, k); }},
               {"version", [&](auto& n, auto k) { bug.version = Text(n, k); }},
               {"program", [&](auto& n, auto k) { bug.program = Text(n, k); }},
               {"reason", [&](auto& n, auto k) { bug.reason = Text(n, k); }}},
              "a known bug");
    if (bug.signature.find_first_not_of(" \t\r\n") == std::string::npos)
      Fail(item, "a known bug needs a 'signature', or a part of it");
    if (bug.reason.empty()) Fail(item, "a known bug needs a 'reason': where is it documented?");
    known.push_back(std::move(bug));
  }
}

void ReadPools(const toml::node& node, std::string_view key, Recipe& recipe, const Vocabulary& vocabulary) {
  for (const toml::node& item : Array(node, key)) {
    ListedPool listed;
    FlagPool& pool = listed.pool;
    pool.name = fmt::format("pool-{}", recipe.target.pools.size() + recipe.listed_pools.size());
    ReadTable(Table(item, key),
              {{"name", [&](auto& n, auto k) { pool.name = Text(n, k); }},
               {"bases", [&](auto& n, auto k) { pool.bases = WordLists(n, k); }},
               {"flags", [&](auto& n, auto k) { pool.flags = Texts(n, k); }},
               {"draw_min", [&](auto& n, auto k) { pool.draw_min = Count(n, k); }},
               {"draw_max", [&](auto& n, auto k) { pool.draw_max = Count(n, k); }},
               {"cpu", [&](auto& n, auto k) { pool.cpu = Words(n, k); }},
               {"missing_knobs", [&](auto& n, auto k) { pool.missing_knobs = Known(n, k, vocabulary.is_knob); }},
               {"list_command", [&](auto& n, auto k) { listed.command = Command(n, k); }},
               {"exclude", [&](auto& n, auto k) { listed.exclude = Patterns(n, k); }}},
              "a pool");
    if (pool.draw_min > pool.draw_max) Fail(item, "draw_min is larger than draw_max");
    if (pool.flags.empty() && listed.command.empty()) {
      Fail(item, "a pool needs 'flags' or a 'list_command' that prints them");
    }
    if (listed.command.empty()) {
      recipe.target.pools.push_back(pool);
    } else {
      recipe.listed_pools.push_back(listed);
    }
  }
}

void ReadKind(const toml::node& node, std::string_view key, Target& target) {
  const std::string name = Text(node, key);
  for (const KindInfo& row : kKinds) {
    if (row.name != name) continue;
    target.kind = row.kind;
    return;
  }
  Fail(node, "'kind' must be \"compiler\" or \"interpreter\"");
}

std::string ReadDataModel(const toml::node& node, std::string_view key) {
  auto model = lang::ParseDataModel(Text(node, key));
  if (!model) Fail(node, model.GetError().message);
  return model->Name();
}

// Of flag lists and matrices together; the largest number there is when it is larger still.
uint64_t CountConfigurations(const Target& target) {
  uint64_t sum = target.flag_lists.size();
  for (const FlagMatrix& matrix : target.matrices) {
    uint64_t product = 1;
    for (const auto& axis : matrix.axes) {
      if (__builtin_mul_overflow(product, axis.size(), &product)) return UINT64_MAX;
    }
    if (__builtin_add_overflow(sum, product, &sum)) return UINT64_MAX;
  }
  return sum;
}

void CheckComplete(const toml::node& node, const Recipe& recipe) {
  const Target& target = recipe.target;
  auto mentions = [](const std::vector<std::string>& words, std::string_view what) {
    for (const std::string& word : words) {
      if (word.find(what) != std::string::npos) return true;
    }
    return false;
  };
  if (target.name.empty() && recipe.detect.empty()) Fail(node, "a target needs a 'name'");
  if (const uint64_t count = CountConfigurations(target); count > kMostConfigurations) {
    Fail(node, fmt::format("{}{} configurations are too many: every program is compiled by each; at most {}",
                           count == UINT64_MAX ? "more than " : "", count, kMostConfigurations));
  }
  if (target.kind == Kind::Compiler) {
    if (target.compile.empty()) Fail(node, "a compiler needs 'compile', its command");
    if (!mentions(target.compile, "{source}")) Fail(node, "'compile' does not mention {source}");
    if (!mentions(target.compile, "{output}")) Fail(node, "'compile' does not mention {output}");
  } else if (!target.source_on_stdin && !mentions(target.run, "{source}")) {
    Fail(node, "'run' does not mention {source}, and source_on_stdin is not set");
  }
}

Recipe ReadRecipe(const toml::node& node, const Vocabulary& vocabulary) {
  Recipe recipe;
  Target& target = recipe.target;
  ReadTable(Table(node, "target"),
            {{"name", [&](auto& n, auto k) { target.name = Name(n, k); }},
             {"family", [&](auto& n, auto k) { target.family = Name(n, k); }},
             {"language", [&](auto& n, auto k) { target.language = Name(n, k); }},
             {"kind", [&](auto& n, auto k) { ReadKind(n, k, target); }},
             {"compile", [&](auto& n, auto k) { target.compile = Command(n, k); }},
             {"run", [&](auto& n, auto k) { target.run = Command(n, k); }},
             {"run_prefix", [&](auto& n, auto k) { target.run_prefix = Words(n, k); }},
             {"source_on_stdin", [&](auto& n, auto k) { target.source_on_stdin = Flag(n, k); }},
             {"data_model", [&](auto& n, auto k) { target.data_model = ReadDataModel(n, k); }},
             {"compile_limits", [&](auto& n, auto k) { ReadLimits(n, k, target.compile_limits); }},
             {"run_limits", [&](auto& n, auto k) { ReadLimits(n, k, target.run_limits); }},
             {"environment", [&](auto& n, auto k) { target.environment = Settings(n, k); }},
             {"split_flags", [&](auto& n, auto k) { target.split_flags = Parts(n, k); }},
             {"writable", [&](auto& n, auto k) { target.writable = Folders(n, k); }},
             {"flags", [&](auto& n, auto k) { target.flag_lists = WordLists(n, k); }},
             {"matrix",
              [&](auto& n, auto k) {
                FlagMatrix matrix;
                for (const toml::node& axis : Array(n, k)) matrix.axes.push_back(WordLists(axis, k));
                target.matrices.push_back(std::move(matrix));
              }},
             {"service", [&](auto& n, auto k) { ReadService(n, k, target.service); }},
             {"known", [&](auto& n, auto k) { ReadKnown(n, k, target.known); }},
             {"passes", [&](auto& n, auto k) { ReadPasses(n, k, target.passes); }},
             {"tracker", [&](auto& n, auto k) { target.tracker = Name(n, k); }},
             {"pool", [&](auto& n, auto k) { ReadPools(n, k, recipe, vocabulary); }},
             {"missing_knobs", [&](auto& n, auto k) { target.missing_knobs = Known(n, k, vocabulary.is_knob); }},
             {"unsupported", [&](auto& n, auto k) { target.unsupported_diagnostics = Parts(n, k); }},
             {"undecided", [&](auto& n, auto k) { target.undecided = Parts(n, k); }},
             {"crashes", [&](auto& n, auto k) { target.crash_diagnostics = Parts(n, k); }},
             {"detect", [&](auto& n, auto k) { recipe.detect = Patterns(n, k); }},
             {"name_suffix", [&](auto& n, auto k) { recipe.name_suffix = Text(n, k); }},
             {"version",
              [&](auto& n, auto k) {
                for (const std::string& command : Texts(n, k)) {
                  recipe.version_commands.push_back(SplitWords(command));
                  const Flags& words = recipe.version_commands.back();
                  if (words.empty() || words.front().empty()) Fail(n, "'version' is an empty command");
                }
              }},
             {"emulators", [&](auto& n, auto k) { recipe.emulators = Texts(n, k); }},
             {"optional", [&](auto& n, auto k) { recipe.optional = Flag(n, k); }},
             {"smoke_program", [&](auto& n, auto k) { recipe.target.smoke_program = Text(n, k); }},
             {"smoke_output", [&](auto& n, auto k) { recipe.target.smoke_output = Text(n, k); }}},
            "a target");
  if (target.family.empty()) target.family = target.name;
  CheckComplete(node, recipe);
  return recipe;
}

std::vector<Recipe> ReadDocument(const toml::table& document, const Vocabulary& vocabulary) {
  std::vector<Recipe> recipes;
  std::set<std::string> names;
  ReadTable(document,
            {{"target",
              [&](const toml::node& node, std::string_view key) {
                for (const toml::node& item : Array(node, key)) {
                  recipes.push_back(ReadRecipe(item, vocabulary));
                  const std::string& name = recipes.back().target.name;
                  if (!name.empty() && !names.insert(name).second) {
                    Fail(item, fmt::format("there are two targets named '{}'", name));
                  }
                }
              }}},
            "a target file");
  return recipes;
}

}  // namespace

support::Result<std::vector<Recipe>> ReadRecipes(std::string_view text, const std::string& file_name,
                                                 const Vocabulary& vocabulary) {
  try {
    return ReadDocument(toml::parse(text, file_name), vocabulary);
  } catch (const toml::parse_error& error) {
    return support::UsageError(
        fmt::format("{}:{}: {}", file_name, error.source().begin.line, std::string(error.description())));
  } catch (const ProblemAt& problem) {
    return support::UsageError(fmt::format("{}:{}: {}", file_name, problem.place.line, problem.message));
  }
}

std::vector<Recipe> BuiltInRecipes() {
  std::vector<Recipe> all;
  for (const RecipeFile& file : BuiltInRecipeFiles()) {
    auto recipes = ReadRecipes(file.text, file.name);
    CHECK_MSG(recipes.Ok(), "{}", recipes.GetError().message);
    for (Recipe& recipe : *recipes) all.push_back(std::move(recipe));
  }
  return all;
}

std::vector<std::string> SplitWords(std::string_view text) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;
  for (char c : text) {
    if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        words.back() += c;
      }
    } else if (c == ' ' || c == '\t' || c == '\n') {
      in_word = false;
    } else {
      if (!in_word) words.emplace_back();
      in_word = true;
      if (c == '\'' || c == '"') {
        quote = c;
      } else {
        words.back() += c;
      }
    }
  }
  return words;
}

Flags FlagsInListing(std::string_view listing, const std::vector<std::string>& exclude) {
  std::vector<std::regex> unwanted;
  for (const std::string& pattern : exclude) unwanted.emplace_back(pattern);
  Flags flags;
  auto add = [&](const std::string& flag) {
    for (const std::regex& pattern : unwanted) {
      if (std::regex_match(flag, pattern)) return;
    }
    flags.push_back(flag);
  };
  static const std::regex kSwitch("^  -f([a-z0-9-]+)(?:[ \t].*)?$");
  static const std::regex kEnumeration("^  (-f[a-z0-9-]+=)\\[([^\\]]+)\\](?:[ \t].*)?$");
  // A parameter with its range; one without may have any number. Larger ones than this only cost time.
  static const std::regex kParameter("^  (--param=[a-z0-9-]+=)(?:<([0-9]+),([0-9]+)>)?(?:[ \t].*)?$");
  constexpr int64_t kLargest = 300;
  std::istringstream in{std::string(listing)};
  for (std::string line; std::getline(in, line);) {
    constexpr size_t kLongest = 1000;  // an expression takes stack for every character
    if (line.size() > kLongest) continue;
    std::smatch match;
    if (std::regex_match(line, match, kSwitch)) {
      add("-f" + match[1].str());
      if (!match[1].str().starts_with("no-")) add("-fno-" + match[1].str());
    } else if (std::regex_match(line, match, kParameter)) {
      const int64_t low = match[2].matched ? std::strtoll(match[2].str().c_str(), nullptr, 10) : 0;
      const int64_t high = match[3].matched ? std::strtoll(match[3].str().c_str(), nullptr, 10) : kLargest;
      add(fmt::format("{}<{},{}>", match[1].str(), low, std::clamp(high, low, std::max(low, kLargest))));
    } else if (std::regex_match(line, match, kEnumeration)) {
      std::istringstream values(match[2].str());
      for (std::string value; std::getline(values, value, '|');) add(match[1].str() + value);
    }
  }
  return flags;
}

}  // namespace assay::target
