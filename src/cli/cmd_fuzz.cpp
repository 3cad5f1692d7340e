// assay fuzz: the main job.
#include <signal.h>

#include <charconv>
#include <thread>

#include "campaign/campaign.hpp"
#include "campaign/confirm.hpp"
#include "campaign/drawing.hpp"
#include "cli/commands.hpp"
#include "cli/containment_note.hpp"
#include "cli/fuzz_progress.hpp"
#include "cli/vocabulary.hpp"
#include "reduce/foreign.hpp"
#include "report/page.hpp"
#include "report/words.hpp"
#include "support/files.hpp"
#include "target/detect.hpp"
#include "triage/signature.hpp"

namespace assay::cli {
namespace {

using campaign::Ending;
using support::ExitCode;
using support::Result;

struct FuzzFlags {
  std::string folder;
  std::string database;
  int64_t seed = -1;
  std::string time;
  int64_t tests = 0;
  int64_t min_tests = 0;
  bool until_bug = false;
  int jobs = 0;
  std::string configurations = "few";
  bool no_learning = false;
  std::string targets;
  std::string targets_file;
  std::string known_file;
  bool no_reduce = false;
  std::string reduce_time;
  bool json = false;
  bool resume = false;  // always done; the flag only lets scripts say so
  campaign::SourceOptions source;
};

// Set by SIGINT and SIGTERM; the one thing a signal handler can reach.
std::atomic<bool> g_interrupted = false;

// The first signal ends the campaign cleanly, the second one at once.
void HandleSignals() {
  struct sigaction action {};
  action.sa_handler = [](int) { g_interrupted = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  signal(SIGPIPE, SIG_IGN);
  OnOutputLost([] { g_interrupted = true; });
  signal(SIGXFSZ, SIG_IGN);  // a limit on the size of files is then an error of the write
}

// "90", "90s", "10m", "1.5h", "2d" in seconds.
Result<double> ParseTime(const std::string& flag, const std::string& text) {
  char* end = nullptr;
  double amount = std::strtod(text.c_str(), &end);
  std::string unit = end;
  double scale = 0;
  if (unit.empty() || unit == "s") scale = 1;
  if (unit == "m") scale = 60;
  if (unit == "h") scale = 3600;
  if (unit == "d") scale = 86400;
  constexpr double kLongest = 3650.0 * 86400;
  const double seconds = amount * scale;
  if (end == text.c_str() || !(seconds > 0) || seconds > kLongest) {
    return support::UsageError(fmt::format("{} '{}': give a time like 90s, 10m or 2h, at most 3650d", flag, text));
  }
  return seconds;
}

// "few", "all" or a number; 0 is all.
Result<int> ParseConfigurations(const std::string& text) {
  if (text == "few") return campaign::kFewConfigurations;
  if (text == "all") return 0;
  int count = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (code == std::errc() && end == text.data() + text.size() && count >= 1) return count;
  return support::UsageError(fmt::format("--configurations '{}': give few, all or a number of at least 1", text));
}

Result<triage::KnownBugs> ReadKnown(const std::string& file) {
  if (file.empty()) return triage::KnownBugs();
  ASSIGN_OR_RETURN(auto text, support::ReadFile(file));
  return triage::KnownBugs::Parse(text, file);
}

// For what a program does, name and signature are only the configurations that fail, and some signatures only say how a
// compiler ended: whatever else that is true of is counted as known, too.
void WarnOfWideOnes(const triage::KnownBugs& known) {
  const auto is_wide = [](const std::string& text) {
    for (const oracle::VerdictInfo& row : oracle::kVerdicts) {
      const bool is_signature = text.starts_with(fmt::format("{} ", row.name));
      const bool is_name = text.find(fmt::format("-{}-", row.name)) != text.npos;
      if (campaign::IsAboutRun(row.kind) ? is_signature || is_name : is_signature && !triage::SaysWhere(text))
        return true;
    }
    return false;
  };
  std::set<std::string> told;
  for (const triage::KnownBug& bug : known.All()) {
    const std::string& text = bug.name.empty() ? bug.signature : bug.name;
    const bool small_program_tells = bug.name.empty() && !bug.portrait.constructs.empty();
    if (small_program_tells || !is_wide(text) || !told.insert(text).second) continue;
    Warn(
        "assay: note: '{}' says only which configurations fail, or how: other bugs of which it is true are not shown\n",
        support::OneLine(text));
  }
}

Result<campaign::Options> MakeOptions(const FuzzFlags& flags) {
  campaign::Options options{.folder = flags.folder, .database = flags.database, .until_bug = flags.until_bug};
  if (flags.seed >= 0) options.seed = flags.seed;
  options.jobs = flags.jobs > 0 ? flags.jobs : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  if (flags.tests > 0) options.tests = flags.tests;
  ASSIGN_OR_RETURN(options.configurations, ParseConfigurations(flags.configurations));
  options.learn = !flags.no_learning;
  options.min_tests = flags.min_tests;
  if (!flags.time.empty()) {
    ASSIGN_OR_RETURN(options.seconds, ParseTime("--time", flags.time));
  }
  options.reduce = !flags.no_reduce;
  if (!flags.reduce_time.empty()) {
    ASSIGN_OR_RETURN(options.reduce_seconds, ParseTime("--reduce-time", flags.reduce_time));
  }
  ASSIGN_OR_RETURN(options.known, ReadKnown(flags.known_file));
  WarnOfWideOnes(options.known);
  options.targets_file = flags.targets_file;
  return options;
}

// A folder of the campaign's own. To make it is to claim it: others may begin at the same moment.
Result<std::filesystem::path> NewFolder() {
  const std::string name = "assay-campaign-" + report::FileTime(store::NowMs());
  std::filesystem::path folder = name;
  std::error_code code;
  for (int i = 2; !std::filesystem::create_directory(folder, code); ++i) {
    if (code) return support::EnvironmentError(fmt::format("cannot make the folder {}: {}", name, code.message()));
    folder = fmt::format("{}-{}", name, i);
  }
  return folder;
}

// Writes the report page and shows the end of the campaign.
Result<ExitCode> Finish(const campaign::Options& options, const campaign::Summary& summary, FuzzProgress& progress) {
  std::vector<store::Bug> bugs;
  std::string page;
  Result<void> reported;
  auto store = store::Store::Open(options.folder.string(), options.database);
  if (store) {
    if (auto stored = (*store)->Bugs(true)) bugs = *stored;
    auto written = report::WriteEverything(options.folder, **store);
    if (written) page = written->string();
    if (!written) reported = written.GetError();
    auto totals = (*store)->Totals();
    if (totals && totals->tests < summary.status.tests) {  // we have written into a file without a name
      reported = support::EnvironmentError(
          fmt::format("the campaign in {} was removed or replaced while it ran: what it has found is not stored",
                      options.folder.string()));
    }
  } else {
    reported = store.GetError();
  }
  progress.Ended(summary, bugs, page);
  if (summary.ending == Ending::Failed) return support::EnvironmentError(summary.trouble);
  RETURN_IF_ERROR(reported);
  if (summary.status.bugs > 0) return ExitCode::BugsFound;
  if (!summary.untested.empty()) return support::EnvironmentError(summary.untested);
  return ExitCode::Nothing;
}

// The targets that --targets names in full.
std::set<std::string> NamedInFull(const std::vector<target::Target>& targets, const std::string& list) {
  const std::vector<std::string> patterns = target::PatternsIn(list);
  std::set<std::string> named(patterns.begin(), patterns.end());
  std::erase_if(named, [&](const std::string& name) {
    return std::none_of(targets.begin(), targets.end(), [&](const target::Target& one) { return one.name == name; });
  });
  return named;
}

// Notes the targets that will not be tested, one line each. A target that the user has described is there to be tested:
// that it does not work is an error.
Result<void> LeaveOut(const FuzzFlags& flags, const std::vector<target::FoundTarget>& found,
                      campaign::Options& options) {
  bool any_from_file = false;
  for (const target::FoundTarget& one : found) {
    any_from_file |= one.from_file;
    for (const std::string& what : one.lacks) {
      if (!one.works) break;
      Warn("assay: {}: {}\n", support::OneLine(one.target.name), support::OneLine(what));
      options.lacking.push_back({one.target.name, what});
    }
    if (one.works || !one.looked_at) continue;
    if (one.from_file && !one.no_programs) {
      return support::EnvironmentError(
          fmt::format("{} of {} does not work: {}; mend it, or say with --targets what is "
                      "to be tested",
                      one.target.name, flags.targets_file, support::OneLine(one.problem)));
    }
    Warn("assay: {} is left out: {}\n", support::OneLine(one.target.name), support::OneLine(one.problem));
    options.left_out.push_back({one.target.name, one.problem});
  }
  if (flags.targets_file.empty() || !flags.targets.empty() || any_from_file) return {};
  return support::EnvironmentError(
      fmt::format("no target of {} is for these programs and on this machine", flags.targets_file));
}

Result<ExitCode> RunFuzz(const FuzzFlags& flags) {
  ASSIGN_OR_RETURN(auto options, MakeOptions(flags));
  ASSIGN_OR_RETURN(auto language, campaign::TargetLanguage(flags.source));
  HandleSignals();
  exec::Executor executor;
  target::Services services;
  ASSIGN_OR_RETURN(auto found, target::DetectTargets(executor, {.language = language,
                                                                .targets_file = flags.targets_file,
                                                                .vocabulary = TargetVocabulary(),
                                                                .names = flags.targets,
                                                                .services = &services}));
  if (found.empty()) {
    return support::EnvironmentError(
        fmt::format("no target for the language '{}' is on this machine: install one that targets/*.toml "
                    "knows, or describe yours in a file (--targets-file)",
                    language));
  }
  RETURN_IF_ERROR(LeaveOut(flags, found, options));
  ASSIGN_OR_RETURN(auto targets, target::SelectTargets(found, flags.targets));
  options.demanded = NamedInFull(targets, flags.targets);
  for (const target::FoundTarget& one : found) {  // a target that the user has described is there to be tested
    if (one.from_file && one.works) options.demanded.insert(one.target.name);
  }
  if (!flags.source.command.empty() && language == "c" && options.reduce && reduce::InstalledTool().empty()) {
    Warn("assay: bugs will not be made small: neither cvise nor creduce is installed (apt-get install cvise)\n");
  }
  ASSIGN_OR_RETURN(auto source, campaign::MakeSource(flags.source, executor, targets));
  options.services = &services;
  if (flags.folder.empty()) {
    ASSIGN_OR_RETURN(options.folder, NewFolder());
  }
  NoteContainment(executor);
  auto progress = flags.json ? JsonProgress() : TextProgress();
  ASSIGN_OR_RETURN(auto summary, campaign::RunCampaign(options, *source, targets, executor, *progress, g_interrupted));
  return Finish(options, summary, *progress);
}

}  // namespace

void AddFuzz(CommandLine& line) {
  auto flags = std::make_shared<FuzzFlags>();
  CLI::App* command = line.app.add_subcommand(
      "fuzz", "Find bugs: a campaign over the compilers of this machine. Resumes when its folder exists.");
  command->add_option("--dir", flags->folder, "The campaign's folder; default: a new one in the current directory")
      ->check(NotEmpty());
  command
      ->add_option("--database", flags->database,
                   "postgresql:// URL of the campaign's database, when several machines share "
                   "it (its password better in PGPASSWORD or ~/.pgpass); default: SQLite in the folder")
      ->check(NotEmpty());
  command->add_option("--seed", flags->seed, "Seed of the first program; test i uses seed + i")
      ->check(CLI::Range(int64_t{0}, int64_t{1} << 62));
  command->add_option("--time", flags->time, "Stop after this time: 90s, 10m, 2h")->check(NotEmpty());
  command->add_option("--tests", flags->tests, "Stop when the campaign has this many tests")->check(AtLeastOne());
  command
      ->add_option("--min-tests", flags->min_tests,
                   "Exit code 3 if fewer programs than this were tested at the end, and no bug was found")
      ->check(AtLeastOne());
  command->add_flag("--until-bug", flags->until_bug, "Stop at the first new bug");
  command->add_option("--jobs", flags->jobs, "Workers; default: one per core")->check(CLI::Range(1, 1024));
  command
      ->add_option(
          "--configurations", flags->configurations,
          fmt::format(
              "How many configurations each program is tried with, if it knows what it must print: few ({}), all, "
              "or a number",
              campaign::kFewConfigurations))
      ->check(NotEmpty())
      ->capture_default_str();
  command->add_flag("--no-learning", flags->no_learning,
                    "Draw all configurations equally often: the draw then depends on the seed alone");
  command->add_option("--targets", flags->targets, "Only these targets: tcc,gcc-12,clang*")->check(Names());
  command->add_option("--targets-file", flags->targets_file, "TOML file with targets")->check(NotEmpty());
  command
      ->add_option("--known", flags->known_file,
                   "File of known bugs: counted, not stored. Signatures or names, one a line; or TOML, as 'assay "
                   "report --known' writes it")
      ->check(NotEmpty());
  CLI::Option* no_reduce = command->add_flag("--no-reduce", flags->no_reduce, "Do not make new bugs small");
  command->add_option("--reduce-time", flags->reduce_time, "For the reduction of one bug at most; default: 60s")
      ->excludes(no_reduce);
  CLI::Option* foreign = command
                             ->add_option("--source-cmd", flags->source.command,
                                          "Programs from this command's stdout: 'csmith --seed {seed}'")
                             ->check(NotEmpty());
  command->add_option("--source-flags", flags->source.flags, "Flags that its programs need: '-I/usr/include/csmith'")
      ->needs(foreign);
  command->add_option("--profile", flags->source.profile, "Profile of our generator's knobs")
      ->excludes(foreign)
      ->capture_default_str();
  command->add_option("--knobs", flags->source.knobs, "Knobs on top of the profile: 'tokens=500 vla=0'")
      ->excludes(foreign);
  command
      ->add_option("--lang", flags->source.language,
                   "Language of the programs: c (our generator); from a grammar: lua, sql, smt2, c-crash, "
                   "or the path of a .lala file")
      ->capture_default_str();
  command->add_flag("--json", flags->json, "One JSON object a line");
  command->add_flag("--resume", flags->resume, "Accepted for clarity: an existing folder is always resumed");
  command->footer(
      "Exit code 0: no bug. 1: bugs found. 2: wrong usage. 3: something outside failed, or nothing was tested (no\n"
      "program, no target, a target lost, or named or described by you and never tested, fewer than --min-tests).");
  command->callback([&line, flags] {
    auto code = RunFuzz(*flags);
    line.exit_code = code ? static_cast<int>(*code) : Fail(code.GetError());
  });
}

}  // namespace assay::cli
