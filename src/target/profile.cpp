#include "target/profile.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <functional>
#include <map>
#include <regex>
#include <sstream>

#include "target/built_in_profiles.hpp"

namespace assay::target {
namespace {

// A problem in a target file; caught in ReadProfiles, never leaves this file.
struct ProblemAt {
  toml::source_position place;
  std::string message;
};

[[noreturn]] void Fail(const toml::node& node, std::string message) {
  throw ProblemAt{node.source().begin, std::move(message)};
}

std::string Text(const toml::node& node, std::string_view key) {
  if (auto text = node.value_exact<std::string>()) return *text;
  Fail(node, fmt::format("'{}' must be a text", key));
}

bool Flag(const toml::node& node, std::string_view key) {
  if (auto value = node.value_exact<bool>()) return *value;
  Fail(node, fmt::format("'{}' must be true or false", key));
}

double Number(const toml::node& node, std::string_view key) {
  auto value = node.value<double>();
  if (value && node.is_number() && *value >= 0) return *value;
  Fail(node, fmt::format("'{}' must be a number that is not negative", key));
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
    return [&out](const toml::node& n, std::string_view k) {
      out = static_cast<uint64_t>(Number(n, k) * kMega);
    };
  };
  ReadTable(
      Table(node, key),
      {{"cpu_seconds", [&](auto& n, auto k) { limits.cpu_seconds = Number(n, k); }},
       {"wall_seconds", [&](auto& n, auto k) { limits.wall_seconds = Number(n, k); }},
       {"memory_mb", bytes(limits.memory_bytes)},
       {"file_mb", bytes(limits.file_bytes)},
       {"output_mb", bytes(limits.output_bytes)},
       {"processes",
        [&](auto& n, auto k) { limits.processes = static_cast<uint32_t>(Number(n, k)); }},
       {"limit_address_space", [&](auto& n, auto k) { limits.limit_address_space = Flag(n, k); }},
       {"network", [&](auto& n, auto k) { limits.network = Flag(n, k); }}},
      "limits");
}

void ReadService(const toml::node& node, std::string_view key, Service& service) {
  ReadTable(Table(node, key),
            {{"start", [&](auto& n, auto k) { service.start = Words(n, k); }},
             {"ready", [&](auto& n, auto k) { service.ready = Words(n, k); }},
             {"ready_seconds", [&](auto& n, auto k) { service.ready_seconds = Number(n, k); }}},
            "a service");
  if (service.start.empty() || service.ready.empty()) {
    Fail(node, "a service needs 'start', a command that stays in the foreground, and 'ready'");
  }
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
    if (bug.signature.empty()) Fail(item, "a known bug needs a 'signature', or a part of it");
    if (bug.reason.empty()) Fail(item, "a known bug needs a 'reason': where is it documented?");
    known.push_back(std::move(bug));
  }
}

void ReadPools(const toml::node& node, std::string_view key, Profile& profile) {
  for (const toml::node& item : Array(node, key)) {
    ListedPool listed;
    FlagPool& pool = listed.pool;
    pool.name = fmt::format("pool-{}", profile.target.pools.size() + profile.listed_pools.size());
    ReadTable(Table(item, key),
              {{"name", [&](auto& n, auto k) { pool.name = Text(n, k); }},
               {"bases", [&](auto& n, auto k) { pool.bases = WordLists(n, k); }},
               {"flags", [&](auto& n, auto k) { pool.flags = Texts(n, k); }},
               {"draw_min",
                [&](auto& n, auto k) { pool.draw_min = static_cast<uint32_t>(Number(n, k)); }},
               {"draw_max",
                [&](auto& n, auto k) { pool.draw_max = static_cast<uint32_t>(Number(n, k)); }},
               {"list_command", [&](auto& n, auto k) { listed.command = Words(n, k); }},
               {"exclude", [&](auto& n, auto k) { listed.exclude = Texts(n, k); }}},
              "a pool");
    if (pool.draw_min > pool.draw_max) Fail(item, "draw_min is larger than draw_max");
    if (pool.flags.empty() && listed.command.empty()) {
      Fail(item, "a pool needs 'flags' or a 'list_command' that prints them");
    }
    if (listed.command.empty()) {
      profile.target.pools.push_back(pool);
    } else {
      profile.listed_pools.push_back(listed);
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

void CheckComplete(const toml::node& node, const Profile& profile) {
  const Target& target = profile.target;
  auto mentions = [](const std::vector<std::string>& words, std::string_view what) {
    for (const std::string& word : words) {
      if (word.find(what) != std::string::npos) return true;
    }
    return false;
  };
  if (target.name.empty() && profile.detect.empty()) Fail(node, "a target needs a 'name'");
  if (target.kind == Kind::Compiler) {
    if (target.compile.empty()) Fail(node, "a compiler needs 'compile', its command");
    if (!mentions(target.compile, "{source}")) Fail(node, "'compile' does not mention {source}");
    if (!mentions(target.compile, "{output}")) Fail(node, "'compile' does not mention {output}");
  } else if (!target.source_on_stdin && !mentions(target.run, "{source}")) {
    Fail(node, "'run' does not mention {source}, and source_on_stdin is not set");
  }
}

Profile ReadProfile(const toml::node& node) {
  Profile profile;
  Target& target = profile.target;
  ReadTable(
      Table(node, "target"),
      {{"name", [&](auto& n, auto k) { target.name = Text(n, k); }},
       {"family", [&](auto& n, auto k) { target.family = Text(n, k); }},
       {"language", [&](auto& n, auto k) { target.language = Text(n, k); }},
       {"kind", [&](auto& n, auto k) { ReadKind(n, k, target); }},
       {"compile", [&](auto& n, auto k) { target.compile = Words(n, k); }},
       {"run", [&](auto& n, auto k) { target.run = Words(n, k); }},
       {"run_prefix", [&](auto& n, auto k) { target.run_prefix = Words(n, k); }},
       {"source_on_stdin", [&](auto& n, auto k) { target.source_on_stdin = Flag(n, k); }},
       {"data_model", [&](auto& n, auto k) { target.data_model = Text(n, k); }},
       {"compile_limits", [&](auto& n, auto k) { ReadLimits(n, k, target.compile_limits); }},
       {"run_limits", [&](auto& n, auto k) { ReadLimits(n, k, target.run_limits); }},
       {"environment", [&](auto& n, auto k) { target.environment = Texts(n, k); }},
       {"flags", [&](auto& n, auto k) { target.flag_lists = WordLists(n, k); }},
       {"matrix",
        [&](auto& n, auto k) {
          FlagMatrix matrix;
          for (const toml::node& axis : Array(n, k)) matrix.axes.push_back(WordLists(axis, k));
          target.matrices.push_back(std::move(matrix));
        }},
       {"service", [&](auto& n, auto k) { ReadService(n, k, target.service); }},
       {"known", [&](auto& n, auto k) { ReadKnown(n, k, target.known); }},
       {"pool", [&](auto& n, auto k) { ReadPools(n, k, profile); }},
       {"missing_knobs", [&](auto& n, auto k) { target.missing_knobs = Texts(n, k); }},
       {"unsupported", [&](auto& n, auto k) { target.unsupported_diagnostics = Texts(n, k); }},
       {"undecided", [&](auto& n, auto k) { target.undecided = Texts(n, k); }},
       {"crashes", [&](auto& n, auto k) { target.crash_diagnostics = Texts(n, k); }},
       {"detect", [&](auto& n, auto k) { profile.detect = Texts(n, k); }},
       {"name_suffix", [&](auto& n, auto k) { profile.name_suffix = Text(n, k); }},
       {"version",
        [&](auto& n, auto k) {
          for (const std::string& command : Texts(n, k)) {
            profile.version_commands.push_back(SplitWords(command));
          }
        }},
       {"emulators", [&](auto& n, auto k) { profile.emulators = Texts(n, k); }},
       {"optional", [&](auto& n, auto k) { profile.optional = Flag(n, k); }},
       {"smoke_program", [&](auto& n, auto k) { profile.smoke_program = Text(n, k); }},
       {"smoke_output", [&](auto& n, auto k) { profile.smoke_output = Text(n, k); }}},
      "a target");
  if (target.family.empty()) target.family = target.name;
  for (const std::string& pattern : profile.detect) {
    try {
      std::regex compiled(pattern);
    } catch (const std::regex_error&) {
      Fail(node, fmt::format("'detect': '{}' is not a regular expression", pattern));
    }
  }
  CheckComplete(node, profile);
  return profile;
}

std::vector<Profile> ReadDocument(const toml::table& document) {
  std::vector<Profile> profiles;
  ReadTable(document,
            {{"target",
              [&](const toml::node& node, std::string_view key) {
                for (const toml::node& item : Array(node, key)) {
                  profiles.push_back(ReadProfile(item));
                }
              }}},
            "a target file");
  return profiles;
}

}  // namespace

support::Result<std::vector<Profile>> ReadProfiles(std::string_view text,
                                                   const std::string& file_name) {
  try {
    return ReadDocument(toml::parse(text, file_name));
  } catch (const toml::parse_error& error) {
    return support::UsageError(fmt::format("{}:{}: {}", file_name, error.source().begin.line,
                                           std::string(error.description())));
  } catch (const ProblemAt& problem) {
    return support::UsageError(
        fmt::format("{}:{}: {}", file_name, problem.place.line, problem.message));
  }
}

std::vector<Profile> BuiltInProfiles() {
  std::vector<Profile> all;
  for (const ProfileFile& file : BuiltInProfileFiles()) {
    auto profiles = ReadProfiles(file.text, file.name);
    CHECK_MSG(profiles.Ok(), "{}", profiles.GetError().message);
    for (Profile& profile : *profiles) all.push_back(std::move(profile));
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
  std::istringstream in{std::string(listing)};
  for (std::string line; std::getline(in, line);) {
    std::smatch match;
    if (std::regex_match(line, match, kSwitch)) {
      add("-f" + match[1].str());
      if (!match[1].str().starts_with("no-")) add("-fno-" + match[1].str());
    } else if (std::regex_match(line, match, kEnumeration)) {
      std::istringstream values(match[2].str());
      for (std::string value; std::getline(values, value, '|');) add(match[1].str() + value);
    }
  }
  return flags;
}

}  // namespace assay::target
