#include "campaign/reductions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>

#include "campaign/confirm.hpp"
#include "campaign/describe.hpp"
#include "campaign/forked.hpp"
#include "campaign/replay.hpp"
#include "support/files.hpp"
#include "triage/signature.hpp"

namespace assay::campaign {
namespace {

namespace fs = std::filesystem;
using oracle::Verdict;

constexpr double kShareOfTime = 0.5;    // of all workers' time, while there are tests to do
constexpr double kGraceSeconds = 30;    // for the reducer to end after its time is up
constexpr double kShortestSeconds = 6;  // with less time left it is not worth to begin
constexpr double kMarginSeconds = 3;    // before the campaign's time is up, to show what there is

const store::BugFile* FileOf(const store::Bug& bug, std::string_view role) {
  for (const store::BugFile& file : bug.files) {
    if (file.role == role) return &file;
  }
  return nullptr;
}

// Does the small program show the same bug? For wrong output it may also say so by abort().
bool ShowsSame(const store::Bug& bug, const TestCase& small, const oracle::Outcome& outcome) {
  const target::Target& target = *outcome.configuration.target;
  std::optional<Verdict> wanted = oracle::VerdictNamed(bug.kind);
  if (!wanted) return false;
  if (!IsAboutRun(*wanted)) {
    return outcome.compile && oracle::JudgeCompile(outcome).verdict == *wanted &&
           triage::FindKey(target, *wanted, *outcome.compile, "") == bug.signature;
  }
  if (!outcome.run) return false;
  Verdict seen = oracle::JudgeRun(*small.expectations.For(target.data_model), *outcome.run).verdict;
  bool aborts = outcome.run->ending == exec::Ending::Signaled && outcome.run->signal == SIGABRT;
  return seen == *wanted || (*wanted == Verdict::WrongOutput && aborts);
}

// The reducer's answer as texts for the way between processes, and back.
std::vector<std::string> Pack(Result<SmallProgram> small) {
  if (!small) return {small.GetError().message};
  return {small->file.name, small->file.text, small->expected,
          small->model,     small->note,      small->finished ? "finished" : ""};
}

Result<SmallProgram> Unpack(std::vector<std::string> texts) {
  if (texts.size() == 1) return support::Error{texts[0], support::ExitCode::Nothing};
  CHECK(texts.size() == 6);
  return SmallProgram{.file = {texts[0], texts[1]},
                      .expected = texts[2],
                      .model = texts[3],
                      .note = texts[4],
                      .finished = !texts[5].empty()};
}

std::optional<target::Configuration> FindConfiguration(const std::vector<target::Target>& targets,
                                                       const std::string& name) {
  for (const target::Target& target : targets) {
    bool whole = name == target.name;
    if (!whole && !name.starts_with(target.name + " ")) continue;
    auto flags = SplitWords(std::string_view(name).substr(target.name.size()));
    if (flags) return target::Configuration{.target = &target, .flags = *flags};
  }
  return {};
}

// Believes the small program, or says why not. Fills in what its report needs.
Result<std::optional<std::string>> Believe(Lab& lab, const Sanitizer& sanitizer, store::Bug& bug,
                                           const SmallProgram& small,
                                           const target::Configuration& configuration) {
  TestCase test = StoredProgram(bug);
  test.files = {small.file};
  test.data_model = configuration.target->data_model;
  test.expectations.Add(test.data_model, {small.expected, 0});
  test.has_expectation = true;
  auto outcome = lab.Try(test, configuration);
  if (!outcome) return outcome.GetError();
  if (!ShowsSame(bug, test, *outcome)) {
    return std::optional<std::string>("the small program does not show the bug by itself");
  }
  auto complaint = sanitizer.Complaint(lab, test);
  if (!complaint) return complaint.GetError();
  if (*complaint) return std::optional("the sanitizer complains: " + **complaint);

  store::Reduction& reduction = *bug.reduction;
  std::tie(reduction.compile_command, reduction.run_command) =
      CommandsText(test, configuration, outcome->run.has_value());
  if (outcome->run) {
    reduction.ending = exec::Describe(*outcome->run);
  } else {
    reduction.ending = exec::Describe(*outcome->compile);
    reduction.evidence = Evidence(*configuration.target, *outcome->compile);
  }
  return std::optional<std::string>();
}

}  // namespace

ReductionQueue::ReductionQueue(store::Store& store, const Options& options, const Budget& budget,
                               std::string owner)
    : store_(store), options_(options), budget_(budget), owner_(std::move(owner)) {}

void ReductionQueue::Add(int64_t bugs) {
  std::lock_guard lock(mutex_);
  waiting_ += bugs;
}

Result<std::optional<store::Bug>> ReductionQueue::Take(bool tests_left) {
  std::optional<store::Bug> none;
  if (!options_.reduce || !budget_.MayReduce(kShortestSeconds)) return none;
  {
    std::lock_guard lock(mutex_);
    if (waiting_ <= 0) return none;
    double share = kShareOfTime * options_.jobs * budget_.Elapsed();
    if (tests_left && (active_ >= std::max(1, options_.jobs / 2) || spent_seconds_ > share)) {
      return none;
    }
    ++active_;
    --waiting_;
  }
  auto bug = store_.TakeReduction(owner_);
  if (!bug || !*bug) Done(0);  // another process was faster
  return bug;
}

void ReductionQueue::Done(double seconds) {
  std::lock_guard lock(mutex_);
  --active_;
  spent_seconds_ += seconds;
}

unsigned ReductionQueue::Threads(bool tests_left) {
  std::lock_guard lock(mutex_);
  if (tests_left) return 1;
  int64_t busy = std::clamp<int64_t>(active_ + waiting_, 1, options_.jobs);
  return static_cast<unsigned>(options_.jobs / busy);
}

Result<ReductionOutcome> ReduceBug(Lab& lab, const ProgramSource& source,
                                   const std::vector<target::Target>& targets,
                                   const Sanitizer& sanitizer, const Options& options,
                                   const Budget& budget, unsigned threads,
                                   const store::Bug& found) {
  ReductionOutcome result{.bug = found};
  store::Bug& bug = result.bug;
  const store::BugFile* model = FileOf(bug, "reduced-case");
  if (model == nullptr) model = FileOf(bug, "model");
  auto configuration = FindConfiguration(targets, bug.configuration);
  if (model == nullptr || !configuration) return result;  // for a run with its target
  ReduceRequest request{
      .model = model->content,
      .configuration = *configuration,
      .reference = FindConfiguration(targets, bug.reference),
      .verdict = *oracle::VerdictNamed(bug.kind),
      .folder = options.folder / "reducing" / bug.name,
      .seconds = std::min(options.reduce_seconds, budget.Left().value_or(1e9) - kMarginSeconds),
      .threads = threads};
  if (auto made = support::MakeFolder(request.folder); !made) return made.GetError();

  auto forked = RunForked(
      [&] {
        exec::Executor executor;
        return Pack(source.Reduce(request, executor));
      },
      request.seconds + kGraceSeconds, [&] { return !budget.MayReduce(-kGraceSeconds); });
  if (!forked) return forked.GetError();
  result.reducer_seconds = forked->cpu_seconds;
  (source.ReducesByOtherTools() ? result.reducer_seconds : result.target_seconds) +=
      forked->child_cpu_seconds;
  if (forked->stopped) return result;  // the best so far stays in the folder
  result.progress = true;
  Result<SmallProgram> small =
      support::Error{"the reducer died or did not end; try `assay reduce` on the bug's folder",
                     support::ExitCode::Nothing};
  if (forked->texts) small = Unpack(std::move(*forked->texts));
  std::optional<std::string> doubt;
  if (small) {
    auto asked = Believe(lab, sanitizer, bug, *small, *configuration);
    if (!asked) return asked.GetError();
    doubt = *asked;
  } else {
    doubt = small.GetError().message;
  }
  std::error_code ignored;
  fs::remove_all(request.folder, ignored);
  fs::remove(request.folder.parent_path(), ignored);  // only if it is empty
  if (doubt) {
    bug.reduction = store::Reduction{.state = "failed", .note = *doubt};
    return result;
  }
  bool out_of_time = !small->finished && request.seconds < options.reduce_seconds;
  bug.reduction->state = out_of_time ? "open" : "done";
  bug.reduction->note = small->note + (small->finished ? "" : "; not finished");
  std::erase_if(bug.files, [](const auto& file) { return file.role.starts_with("reduced"); });
  bug.files.push_back({"reduced", small->file.name, small->file.text});
  bug.files.push_back({"reduced-expected", "reduced_expected.txt", small->expected});
  bug.files.push_back({"reduced-case", "best.case", small->model});
  return result;
}

}  // namespace assay::campaign
