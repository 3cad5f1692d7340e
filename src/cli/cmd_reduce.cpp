// assay reduce: make a failing case small.
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "campaign/confirm.hpp"
#include "campaign/source.hpp"
#include "cli/commands.hpp"
#include "cli/reduce_grammar.hpp"
#include "cli/vocabulary.hpp"
#include "emit/header.hpp"
#include "exec/scratch.hpp"
#include "gen/generate.hpp"
#include "reduce/explain.hpp"
#include "reduce/foreign.hpp"
#include "reduce/reduce.hpp"
#include "support/files.hpp"
#include "target/detect.hpp"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;
using support::ExitCode;
using support::Result;
using support::UsageError;

struct ReduceFlags {
  std::vector<std::string> inputs;
  std::string target, flags, targets_file, out, test, tool;
  double seconds = 0;
  unsigned threads = 0;
  int tries = 8;
  bool any_bug = false, explain = false, quiet = false, json = false;
  // What the folder says of the bug; empty: nothing.
  std::string kind, signature, found_on;
};

volatile std::sig_atomic_t interrupted = 0;  // set by the handler; nothing else can be
void OnSignal(int) { interrupted = 1; }

// The case in a file: a model, a case saved by an interrupted reduction, or a program that this
// version can make again. Nothing for a file that is none of these.
Result<std::optional<reduce::Case>> ReadCase(const fs::path& file) {
  ASSIGN_OR_RETURN(auto text, support::ReadFile(file));
  if (text.starts_with("assay-")) {
    auto loaded = reduce::LoadCase(text);
    if (!loaded) return UsageError(fmt::format("{}: {}", file.string(), loaded.GetError().message));
    return std::optional(std::move(loaded).Value());
  }
  const std::optional<emit::Header> header = emit::ReadHeader(text);
  if (!header) return std::optional<reduce::Case>();
  if (!gen::IsOfThisRevision(header->provenance.version)) {
    return UsageError(
        fmt::format("{} was made by version {} of assay, this one makes other programs: give the model that is "
                    "stored beside it",
                    file.string(), header->provenance.version));
  }
  ASSIGN_OR_RETURN(auto knobs, knobs::Parse(header->provenance.knobs));
  return std::optional(
      reduce::Case{gen::Generate(header->provenance.seed, knobs, header->model).program, std::nullopt});
}

// The configuration is said by a bug's folder (bug.json, by the campaign) and by the folder of an
// interrupted reduction (kNote, by us): its target's name, and its flags as words of a shell; and which bug it is.
constexpr const char* kNote = "reduction.json";

void ReadConfiguration(const fs::path& folder, ReduceFlags& flags) {
  for (const char* name : {kNote, "bug.json"}) {
    auto text = support::ReadFile(folder / name);
    if (!text) continue;
    const auto json = nlohmann::json::parse(*text, nullptr, false);
    if (!json.is_object() || !json.contains("target") || !json.contains("flags")) continue;
    if (!json["target"].is_string() || !json["flags"].is_string()) continue;
    if (flags.target.empty()) flags.target = json["target"].get<std::string>();
    if (flags.flags.empty()) flags.flags = json["flags"].get<std::string>();
    flags.found_on = json["target"].get<std::string>();
    for (const auto& [key, value] : {std::pair{"kind", &flags.kind}, {"signature", &flags.signature}}) {
      if (json.contains(key) && json[key].is_string()) *value = json[key].get<std::string>();
    }
    return;
  }
}

Result<fs::path> FindInput(ReduceFlags& flags) {
  const fs::path input = flags.inputs.front();
  std::error_code ignored;
  if (!fs::is_directory(input, ignored)) return input;
  ReadConfiguration(input, flags);
  for (std::string_view name : {reduce::kBestFile, std::string_view("model.txt"), std::string_view("program.c")}) {
    if (fs::exists(input / name, ignored)) return input / name;
  }
  return UsageError(fmt::format("{} has no best.case, model.txt or program.c", input.string()));
}

// The compiler may fail in another way by now, or be broken altogether: that is not this bug.
void AskForTheBug(const ReduceFlags& flags, const target::Target& target, reduce::ReduceOptions& options) {
  const auto verdict = oracle::VerdictNamed(flags.kind);
  if (!verdict || !oracle::IsFind(*verdict)) return;
  const std::string words = fmt::format("{} {} ", flags.kind, target.family);
  if (!campaign::IsAboutRun(*verdict) && flags.signature.starts_with(words)) {
    options.verdict = verdict;
    options.signature = flags.signature.substr(words.size());
  } else if (target.name == flags.found_on) {
    options.verdict = verdict;
  }
}

void Print(const reduce::Reduced& reduced, const ReduceFlags& flags) {
  const reduce::SearchStats& stats = reduced.stats;
  if (flags.json) {
    nlohmann::ordered_json json = {{"verdict", oracle::Name(reduced.bug.verdict)},
                                   {"expected", reduced.expected},
                                   {"actual", reduced.actual},
                                   {"tokens_before", reduced.tokens_before},
                                   {"tokens", reduced.tokens},
                                   {"lines", reduced.lines},
                                   {"compilations", stats.compilations},
                                   {"candidates", stats.candidates},
                                   {"rejected_by_machine", stats.invalid},
                                   {"seconds", stats.seconds},
                                   {"finished", stats.finished},
                                   {"source", reduced.source}};
    Say("{}\n", json.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
    return;
  }
  if (flags.out.empty()) Say("{}", reduced.source);
  Warn(
      "{} -> {} tokens, {} lines; {} compilations in {:.1f} s; {} candidates: {} not "
      "programs, {} seen before, {} "
      "rejected by the machine, {} kept{}\n",
      reduced.tokens_before, reduced.tokens, reduced.lines, stats.compilations, stats.seconds, stats.candidates,
      stats.malformed, stats.cached, stats.invalid, stats.accepted,
      stats.finished ? "" : "; stopped early: run again to go on");
}

Result<ExitCode> ReduceOthers(const fs::path& test, const ReduceFlags& flags, exec::Executor& executor) {
  const std::vector<fs::path> files(flags.inputs.begin(), flags.inputs.end());
  ASSIGN_OR_RETURN(auto tool, reduce::ReduceForeign(test, files, {flags.tool, flags.threads, flags.seconds}, executor));
  Say("reduced by {}: {}\n", tool, fmt::join(flags.inputs, " "));
  return ExitCode::BugsFound;
}

// A C file that is not ours: the test is made here.
Result<ExitCode> ReduceWithTest(const fs::path& file, const target::Configuration& configuration,
                                const ReduceFlags& flags, exec::Executor& executor) {
  ASSIGN_OR_RETURN(auto find, reduce::JudgeForeign(configuration, file, executor));
  ASSIGN_OR_RETURN(auto folder, exec::Scratch::Make());
  const fs::path test = folder.Path() / "test.sh";
  RETURN_IF_ERROR(reduce::WriteInterestingnessTest(configuration, file, find, test));
  return ReduceOthers(test, flags, executor);
}

Result<ExitCode> ReduceOurs(ReduceFlags flags, exec::Executor& executor) {
  ASSIGN_OR_RETURN(auto input, FindInput(flags));
  if (flags.target.empty()) return UsageError("which compiler? give --target NAME (assay targets lists them)");
  ASSIGN_OR_RETURN(auto subject, ReadCase(input));
  // No smoke test: that the program fails in the same way as before says more.
  auto found = target::DetectTargets(executor, {.language = "c",
                                                .targets_file = flags.targets_file,
                                                .vocabulary = TargetVocabulary(),
                                                .names = flags.target,
                                                .smoke_test = false});
  if (!found) return found.GetError();
  ASSIGN_OR_RETURN(auto targets, target::SelectTargets(*found, flags.target));
  ASSIGN_OR_RETURN(auto words, campaign::SplitWords(flags.flags));
  const target::Configuration configuration{&targets.front(), words};
  if (!subject) return ReduceWithTest(input, configuration, flags, executor);
  reduce::ReduceOptions options;
  options.any_bug = flags.any_bug;
  AskForTheBug(flags, *configuration.target, options);
  options.tries = flags.tries;
  options.search.seconds = flags.seconds;
  options.search.threads = flags.threads;
  options.search.folder = flags.out;
  options.search.stop = [] { return interrupted != 0; };
  if (!flags.quiet && !flags.json) {
    options.search.progress = [](std::string_view line) { Warn("{}\n", line); };
  }
  if (!flags.out.empty()) {
    RETURN_IF_ERROR(support::MakeFolder(flags.out));
    const nlohmann::json note = {{"target", configuration.target->name},
                                 {"flags", campaign::JoinWords(configuration.flags)},
                                 {"kind", options.verdict ? flags.kind : ""},
                                 {"signature", flags.signature}};
    RETURN_IF_ERROR(support::WriteFile(fs::path(flags.out) / kNote,
                                       note.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n"));
  }
  std::signal(SIGINT, OnSignal);
  std::signal(SIGTERM, OnSignal);
  ASSIGN_OR_RETURN(auto reduced, reduce::ReduceFrom(std::move(*subject), configuration, executor, options));
  if (!flags.out.empty()) {
    const fs::path out = flags.out;
    RETURN_IF_ERROR(support::WriteFile(out / "reduced.c", reduced.source));
    RETURN_IF_ERROR(support::WriteFile(out / reduce::kBestFile, reduce::SaveCase(reduced.subject)));
  }
  Print(reduced, flags);
  if (flags.explain && reduced.subject.check) {
    reduce::Judge judge(executor, configuration);
    ASSIGN_OR_RETURN(auto why, reduce::Explain(reduced.subject, judge, options.search.machine));
    if (why.statement.empty()) {
      Warn("explain: the bug does not survive cutting the program off\n");
    } else {
      Warn("explain: {} is first wrong after `{}`: must be {}, is {}\n", why.variable, why.statement, why.expected,
           why.actual);
    }
  }
  return ExitCode::BugsFound;
}

}  // namespace

void AddReduce(CommandLine& line) {
  auto flags = std::make_shared<ReduceFlags>();
  CLI::App* command = line.app.add_subcommand("reduce", "Make a failing case small");
  command->footer(
      "Exit code 1: the bug shows, and was made small. 0: it does not show here, nothing was done. 2: wrong usage, or\n"
      "not a program. 3: something outside failed.\n"
      "examples:\n  assay reduce bugs/tcc-1 --out small\n  assay reduce model.txt --target tcc\n"
      "  assay reduce --test interesting.sh foreign.c");
  command
      ->add_option("input", flags->inputs,
                   "A bug's folder, the --out of an earlier reduction, a model, a program of ours, "
                   "or another C file; with --test: C files")
      ->required();
  command->add_option("--target", flags->target, "The compiler that fails");
  command->add_option("--flags", flags->flags, "Its flags, as a shell would read them: '-O2 -g'");
  command->add_option("--targets-file", flags->targets_file, "TOML file with more targets");
  command->add_option("--out", flags->out, "Folder for reduced.c and the best so far (to go on: give it as input)");
  command
      ->add_option("--seconds", flags->seconds, "Stop after so many seconds with the best so far (0: at the fixpoint)")
      ->check(Between(0, 1e9));
  command->add_option("--threads", flags->threads, "Candidates tried at once (0: all cores)")
      ->check(CLI::Range(0u, 1024u));
  command->add_option("--tries", flags->tries, "Runs at the start, to see whether the bug is flaky")
      ->check(CLI::Range(1, 1000));
  command->add_flag("--any-bug", flags->any_bug, "Every misbehaviour will do, not only the one there is now");
  command->add_flag("--explain", flags->explain, "Say which variable and statement first go wrong");
  command->add_option("--test", flags->test, "Script that exits with 0 for interesting files (C-Reduce's convention)");
  command->add_option("--tool", flags->tool, "With --test: cvise or creduce");
  command->add_flag("--quiet", flags->quiet, "No progress");
  command->add_flag("--json", flags->json, "The result as one JSON object");
  command->callback([&line, flags] {
    exec::Executor executor;
    auto code = !flags->test.empty() ? ReduceOthers(flags->test, *flags, executor)
                : IsGrammarBug(flags->inputs.front())
                    ? ReduceGrammarBug({flags->inputs.front(), flags->targets_file, flags->out, flags->seconds})
                    : ReduceOurs(*flags, executor);
    line.exit_code = code ? static_cast<int>(*code) : Fail(code.GetError());
  });
}

}  // namespace assay::cli
