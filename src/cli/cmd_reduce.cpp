// assay reduce: make a failing case small.
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/reduce_grammar.hpp"
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
};

volatile std::sig_atomic_t interrupted = 0;  // set by the handler; nothing else can be
void OnSignal(int) {
  interrupted = 1;
}

std::vector<std::string> Words(const std::string& text) {
  std::vector<std::string> words;
  for (size_t at = 0; (at = text.find_first_not_of(' ', at)) != std::string::npos;) {
    const size_t end = std::min(text.find(' ', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

// The case in a file: a model, a case saved by an interrupted reduction, or a program that this
// version can make again. Nothing for a file that is none of these.
Result<std::optional<reduce::Case>> ReadCase(const fs::path& file) {
  auto text = support::ReadFile(file);
  if (!text) return text.GetError();
  if (text->starts_with("assay-")) {
    auto loaded = reduce::LoadCase(*text);
    if (!loaded) return UsageError(fmt::format("{}: {}", file.string(), loaded.GetError().message));
    return std::optional(std::move(loaded).Value());
  }
  const std::optional<emit::Header> header = emit::ReadHeader(*text);
  if (!header) return std::optional<reduce::Case>();
  if (header->provenance.version != gen::kVersion) {
    return UsageError(fmt::format(
        "{} was made by version {} of assay, this one makes other programs: give the model that is "
        "stored beside it",
        file.string(), header->provenance.version));
  }
  auto knobs = knobs::Parse(header->provenance.knobs);
  if (!knobs) return knobs.GetError();
  return std::optional(reduce::Case{
      gen::Generate(header->provenance.seed, *knobs, header->model).program, std::nullopt});
}

// The configuration is said by a bug's folder (bug.json, by the campaign) and by the folder of an
// interrupted reduction (kNote, by us): "tcc -O2".
constexpr const char* kNote = "reduction.json";

void ReadConfiguration(const fs::path& folder, ReduceFlags& flags) {
  for (const char* name : {kNote, "bug.json"}) {
    auto text = support::ReadFile(folder / name);
    if (!text) continue;
    const auto json = nlohmann::json::parse(*text, nullptr, false);
    if (json.is_discarded() || !json.contains("configuration")) continue;
    const std::vector<std::string> words = Words(json["configuration"].get<std::string>());
    if (words.empty()) continue;
    if (flags.target.empty()) flags.target = words[0];
    if (flags.flags.empty())
      flags.flags = fmt::format("{}", fmt::join(words.begin() + 1, words.end(), " "));
    return;
  }
}

Result<fs::path> FindInput(ReduceFlags& flags) {
  const fs::path input = flags.inputs.front();
  if (!fs::is_directory(input)) return input;
  ReadConfiguration(input, flags);
  for (std::string_view name : {reduce::kBestFile, std::string_view("model.txt"), std::string_view("program.c")}) {
    if (fs::exists(input / name)) return input / name;
  }
  return UsageError(fmt::format("{} has no best.case, model.txt or program.c", input.string()));
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
    fmt::print("{}\n", json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    return;
  }
  if (flags.out.empty()) fmt::print("{}", reduced.source);
  fmt::print(stderr,
             "{} -> {} tokens, {} lines; {} compilations in {:.1f} s; {} candidates: {} not "
             "programs, {} seen before, {} "
             "rejected by the machine, {} kept{}\n",
             reduced.tokens_before, reduced.tokens, reduced.lines, stats.compilations,
             stats.seconds, stats.candidates, stats.malformed, stats.cached, stats.invalid,
             stats.accepted, stats.finished ? "" : "; stopped early: run again to go on");
}

Result<ExitCode> ReduceOthers(const fs::path& test, const ReduceFlags& flags,
                              exec::Executor& executor) {
  const std::vector<fs::path> files(flags.inputs.begin(), flags.inputs.end());
  auto tool =
      reduce::ReduceForeign(test, files, {flags.tool, flags.threads, flags.seconds}, executor);
  if (!tool) return tool.GetError();
  fmt::print("reduced by {}: {}\n", *tool, fmt::join(flags.inputs, " "));
  return ExitCode::BugsFound;
}

// A C file that is not ours: the test is made here.
Result<ExitCode> ReduceWithTest(const fs::path& file, const target::Configuration& configuration,
                                const ReduceFlags& flags, exec::Executor& executor) {
  auto find = reduce::JudgeForeign(configuration, file, executor);
  if (!find) return find.GetError();
  auto folder = exec::Scratch::Make();
  if (!folder) return folder.GetError();
  const fs::path test = folder->Path() / "test.sh";
  if (auto done = reduce::WriteInterestingnessTest(configuration, file, *find, test); !done)
    return done.GetError();
  return ReduceOthers(test, flags, executor);
}

Result<ExitCode> ReduceOurs(ReduceFlags flags, exec::Executor& executor) {
  auto input = FindInput(flags);
  if (!input) return input.GetError();
  if (flags.target.empty())
    return UsageError("which compiler? give --target NAME (assay targets lists them)");
  auto subject = ReadCase(*input);
  if (!subject) return subject.GetError();
  // No smoke test: that the program fails in the same way as before says more.
  auto found = target::DetectTargets(
      executor, {.language = "c", .targets_file = flags.targets_file, .smoke_test = false});
  if (!found) return found.GetError();
  auto targets = target::SelectTargets(*found, flags.target);
  if (!targets) return targets.GetError();
  const target::Configuration configuration{&targets->front(), Words(flags.flags)};
  if (!*subject) return ReduceWithTest(*input, configuration, flags, executor);
  reduce::ReduceOptions options;
  options.any_bug = flags.any_bug;
  options.tries = flags.tries;
  options.search.seconds = flags.seconds;
  options.search.threads = flags.threads;
  options.search.folder = flags.out;
  options.search.stop = [] { return interrupted != 0; };
  if (!flags.quiet && !flags.json) {
    options.search.progress = [](std::string_view line) { fmt::print(stderr, "{}\n", line); };
  }
  if (!flags.out.empty()) {
    if (auto made = support::MakeFolder(flags.out); !made) return made.GetError();
    const nlohmann::json note = {{"configuration", configuration.Name()}};
    if (auto done = support::WriteFile(fs::path(flags.out) / kNote, note.dump() + "\n"); !done)
      return done.GetError();
  }
  std::signal(SIGINT, OnSignal);
  std::signal(SIGTERM, OnSignal);
  auto reduced = reduce::ReduceFrom(std::move(**subject), configuration, executor, options);
  if (!reduced) return reduced.GetError();
  if (!flags.out.empty()) {
    const fs::path out = flags.out;
    if (auto done = support::WriteFile(out / "reduced.c", reduced->source); !done)
      return done.GetError();
    if (auto done = support::WriteFile(out / reduce::kBestFile, reduce::SaveCase(reduced->subject));
        !done)
      return done.GetError();
  }
  Print(*reduced, flags);
  if (flags.explain && reduced->subject.check) {
    reduce::Judge judge(executor, configuration);
    auto why = reduce::Explain(reduced->subject, judge, options.search.machine);
    if (!why) return why.GetError();
    if (why->statement.empty()) {
      fmt::print(stderr, "explain: the bug does not survive cutting the program off\n");
    } else {
      fmt::print(stderr, "explain: {} is first wrong after `{}`: must be {}, is {}\n",
                 why->variable, why->statement, why->expected, why->actual);
    }
  }
  return ExitCode::BugsFound;
}

}  // namespace

void AddReduce(CommandLine& line) {
  auto flags = std::make_shared<ReduceFlags>();
  CLI::App* command = line.app.add_subcommand("reduce", "Make a failing case small");
  command->footer(
      "examples:\n  assay reduce bugs/tcc-1 --out small\n  assay reduce model.txt --target tcc\n"
      "  assay reduce --test interesting.sh foreign.c");
  command
      ->add_option("input", flags->inputs,
                   "A bug's folder, the --out of an earlier reduction, a model, a program of ours, "
                   "or another C file; with --test: C files")
      ->required();
  command->add_option("--target", flags->target, "The compiler that fails");
  command->add_option("--flags", flags->flags, "Its flags, as one word");
  command->add_option("--targets-file", flags->targets_file, "TOML file with more targets");
  command->add_option("--out", flags->out,
                      "Folder for reduced.c and the best so far (to go on: give it as input)");
  command->add_option("--seconds", flags->seconds,
                      "Stop after so many seconds with the best so far (0: at the fixpoint)");
  command->add_option("--threads", flags->threads, "Candidates tried at once (0: all cores)");
  command->add_option("--tries", flags->tries,
                      "Runs at the start, to see whether the bug is flaky");
  command->add_flag("--any-bug", flags->any_bug,
                    "Every misbehaviour will do, not only the one there is now");
  command->add_flag("--explain", flags->explain, "Say which variable and statement first go wrong");
  command->add_option("--test", flags->test,
                      "Script that exits with 0 for interesting files (C-Reduce's convention)");
  command->add_option("--tool", flags->tool, "With --test: cvise or creduce");
  command->add_flag("--quiet", flags->quiet, "No progress");
  command->add_flag("--json", flags->json, "The result as one JSON object");
  command->callback([&line, flags] {
    exec::Executor executor;
    auto code = !flags->test.empty() ? ReduceOthers(flags->test, *flags, executor)
                : IsGrammarBug(flags->inputs.front())
                    ? ReduceGrammarBug(
                          {flags->inputs.front(), flags->targets_file, flags->out, flags->seconds})
                    : ReduceOurs(*flags, executor);
    line.exit_code = code ? static_cast<int>(*code) : Fail(code.GetError());
  });
}

}  // namespace assay::cli
