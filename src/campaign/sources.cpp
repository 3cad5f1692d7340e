#include <fmt/format.h>

#include <algorithm>

#include "campaign/c_source.hpp"
#include "campaign/command_source.hpp"
#include "campaign/grammar_source.hpp"
#include "campaign/source.hpp"
#include "report/repro.hpp"

namespace assay::campaign {

std::vector<std::string> TestCase::CompiledNames() const {
  std::vector<std::string> names;
  for (const SourceFile& file : files) {
    if (file.compiled) names.push_back(file.name);
  }
  return names;
}

bool TestCase::CompileOnly() const {
  return std::find(extra_flags.begin(), extra_flags.end(), kCompileOnly) != extra_flags.end();
}

std::set<std::string> MissingKnobs(const target::Target& target) {
  std::set<std::string> missing(target.missing_knobs.begin(), target.missing_knobs.end());
  const bool links_math = std::any_of(target.compile.begin(), target.compile.end(), [](const std::string& word) {
    return word == "-lm" || word == "-c" || word == "-S";
  });
  if (!links_math) missing.insert("expr_math");
  return missing;
}

bool TestCase::IsFor(const target::Target& target, const target::FlagPool* pool) const {
  if (!data_model.empty() && data_model != target.data_model) return false;
  const auto lacks = [&](const std::string& knob) { return does_without->contains(knob); };
  if (!does_without) return pool == nullptr || pool->missing_knobs.empty();
  return std::ranges::all_of(MissingKnobs(target), lacks) &&
         (pool == nullptr || std::ranges::all_of(pool->missing_knobs, lacks));
}

Result<std::vector<std::string>> SplitWords(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    char c = line[i];
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      if (in_word) words.push_back(std::exchange(word, {}));
      in_word = false;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
      in_word = true;
    } else if (c == quote) {
      quote = 0;
    } else if (c == '\\' && quote != '\'' && i + 1 < line.size()) {
      word += line[++i];
      in_word = true;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (quote != 0) return support::UsageError(fmt::format("a quote is not closed: {}", line));
  if (in_word) words.push_back(word);
  return words;
}

std::string JoinWords(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + report::ShellQuote(word);
  return line;
}

Result<std::string> TargetLanguage(const SourceOptions& options) {
  if (!options.command.empty() || options.language == "c") return options.language;
  ASSIGN_OR_RETURN(auto source, GrammarSource::Make(options.language));
  return (source)->Language();
}

Result<std::unique_ptr<ProgramSource>> MakeSource(const SourceOptions& options, exec::Executor& executor,
                                                  const std::vector<target::Target>& targets) {
  if (options.command.empty()) {
    if (options.language == "c") return CSource::Make(options, targets);
    return GrammarSource::Make(options.language);
  }
  ASSIGN_OR_RETURN(auto words, SplitWords(options.command));
  ASSIGN_OR_RETURN(auto flags, SplitWords(options.flags));
  if (words.empty()) return support::UsageError("--source-cmd is empty");
  return std::unique_ptr<ProgramSource>(std::make_unique<CommandSource>(executor, words, flags, options.language));
}

}  // namespace assay::campaign
