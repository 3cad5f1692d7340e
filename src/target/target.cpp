#include "target/target.hpp"

#include <algorithm>

#include "target/flag_knowledge.hpp"

namespace assay::target {
namespace {

std::string ReplaceAll(std::string text, std::string_view from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

struct Places {
  const std::vector<std::string>& split_flags;
  const Flags& flags;
  const Flags& extra;
  const std::vector<std::string>& sources;
  const std::string& output;
  const std::filesystem::path& folder;
};

// A flag that is drawn, left out and named as one, but may have to be given as two words.
void AppendFlag(std::vector<std::string>& argv, const std::string& flag, const std::vector<std::string>& split_flags) {
  for (const std::string& beginning : split_flags) {
    if (!flag.starts_with(beginning)) continue;
    argv.push_back(beginning.substr(0, beginning.size() - 1));
    argv.push_back(flag.substr(beginning.size()));
    return;
  }
  argv.push_back(flag);
}

void AppendExpanded(std::vector<std::string>& argv, const std::vector<std::string>& words, const Places& places) {
  for (const std::string& word : words) {
    if (word == "{flags}") {
      for (const std::string& flag : places.flags) AppendFlag(argv, flag, places.split_flags);
      argv.insert(argv.end(), places.extra.begin(), places.extra.end());
    } else if (word == "{source}") {
      argv.insert(argv.end(), places.sources.begin(), places.sources.end());
    } else {
      std::string text = ReplaceAll(word, "{output}", places.output);
      text = ReplaceAll(text, "{folder}", places.folder.string());
      if (!places.sources.empty()) text = ReplaceAll(text, "{source}", places.sources.front());
      argv.push_back(text);
    }
  }
}

// As a shell would want it, so that "-a -b" is not taken for two words where it is one.
std::string Quoted(const std::string& word) {
  if (!word.empty() && word.find_first_of(" \t\r\n'\"\\") == std::string::npos) return word;
  return "'" + ReplaceAll(word, "'", "'\\''") + "'";
}

// All products of the axes, the last axis fastest.
void AppendProducts(const Target& target, const FlagMatrix& matrix, size_t axis, Flags so_far,
                    std::vector<Configuration>& out) {
  if (axis == matrix.axes.size()) {
    out.push_back({&target, std::move(so_far)});
    return;
  }
  for (const Flags& alternative : matrix.axes[axis]) {
    Flags longer = so_far;
    longer.insert(longer.end(), alternative.begin(), alternative.end());
    AppendProducts(target, matrix, axis + 1, std::move(longer), out);
  }
}

// "<2,64>" becomes a number from 2 to 64, every order of magnitude as likely as another.
std::string WithNumber(const std::string& flag, choice::Choices& choices) {
  const size_t begin = flag.find('<'), comma = flag.find(',', begin), end = flag.find('>', comma);
  if (end == std::string::npos) return flag;
  const int64_t low = std::strtoll(flag.c_str() + begin + 1, nullptr, 10);
  const int64_t high = std::strtoll(flag.c_str() + comma + 1, nullptr, 10);
  if (high < low) return flag;
  const uint64_t span = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  const int bits = span == 0 ? 0 : 64 - __builtin_clzll(span);
  const uint64_t most = (uint64_t{1} << choices.Below(static_cast<uint32_t>(bits) + 1)) - 1;
  const int64_t number = low + choices.Between(0, static_cast<int64_t>(std::min(span, most)));
  return flag.substr(0, begin) + std::to_string(number) + flag.substr(end + 1);
}

Flags Draw(const FlagPool& pool, choice::Choices& choices) {
  Flags drawn;
  if (!pool.bases.empty()) drawn = choices.Pick(pool.bases);
  const auto available = static_cast<uint32_t>(pool.flags.size());
  const uint32_t low = std::min(pool.draw_min, available);
  const uint32_t high = std::min(std::max(pool.draw_max, low), available);
  uint32_t wanted = static_cast<uint32_t>(choices.Between(low, high));
  // One pass over the pool that keeps its order; each subset of this size is equally likely.
  for (uint32_t i = 0; i < available && wanted > 0; ++i) {
    if (choices.Below(available - i) < wanted) {
      drawn.push_back(WithNumber(pool.flags[i], choices));
      --wanted;
    }
  }
  return drawn;
}

}  // namespace

bool KnownBug::Is(std::string_view find_signature, std::string_view target_version,
                  std::string_view find_program) const {
  return find_signature.find(signature) != std::string_view::npos &&
         target_version.find(version) != std::string_view::npos && find_program.find(program) != std::string_view::npos;
}

std::string Configuration::Name() const {
  std::string name = Quoted(target->name);
  for (const std::string& flag : flags) name += " " + Quoted(flag);
  return name;
}

std::vector<Configuration> FixedConfigurations(const Target& target) {
  std::vector<Configuration> all;
  for (const Flags& flags : target.flag_lists) all.push_back({&target, flags});
  for (const FlagMatrix& matrix : target.matrices) AppendProducts(target, matrix, 0, {}, all);
  if (all.empty() && target.pools.empty()) all.push_back({&target, {}});
  std::vector<Configuration> unique;
  for (Configuration& configuration : all) {
    if (std::find(unique.begin(), unique.end(), configuration) == unique.end()) {
      unique.push_back(std::move(configuration));
    }
  }
  return unique;
}

std::optional<Configuration> DrawConfiguration(const Target& target, const FlagPool& pool,
                                               const choice::Choices& choices, const FlagKnowledge& known) {
  constexpr int kAttempts = 20;
  choice::Choices stream = choices.Derive(target.name).Derive(pool.name);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    Flags flags = Draw(pool, stream);
    if (!known.Rejected(target.name, flags)) return Configuration{&target, std::move(flags), true};
  }
  return {};
}

exec::Command CompileCommand(const Configuration& configuration, const std::vector<std::string>& sources,
                             const std::string& output, const std::filesystem::path& folder, const Flags& extra) {
  const Target& target = *configuration.target;
  exec::Command command{.environment = target.environment, .working_folder = folder, .writable = target.writable};
  AppendExpanded(command.argv, target.compile,
                 {target.split_flags, configuration.flags, extra, sources, output, folder});
  // With -c nothing is linked, and some compilers (tcc, chibicc) take libraries then as an error.
  if (std::find(extra.begin(), extra.end(), "-c") != extra.end()) {
    std::erase_if(command.argv, [](const std::string& word) { return word.starts_with("-l"); });
  }
  return command;
}

exec::Command RunCommand(const Configuration& configuration, const std::vector<std::string>& sources,
                         const std::string& output, const std::filesystem::path& folder, const Flags& extra) {
  const Target& target = *configuration.target;
  exec::Command command{.argv = target.run_prefix,
                        .environment = target.environment,
                        .working_folder = folder,
                        .writable = target.writable};
  // A program in the working folder is named as a path: it is not to be looked up in PATH.
  const std::string program = output.find('/') == std::string::npos ? "./" + output : output;
  AppendExpanded(command.argv, target.run, {target.split_flags, configuration.flags, extra, sources, program, folder});
  return command;
}

}  // namespace assay::target
