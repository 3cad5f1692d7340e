#include "campaign/reductions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "campaign/confirm.hpp"
#include "campaign/describe.hpp"
#include "campaign/forked.hpp"
#include "campaign/replay.hpp"
#include "campaign/same_bug.hpp"
#include "campaign/triage_bug.hpp"
#include "exec/wire.hpp"
#include "report/words.hpp"
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

// The reducer's answer on the way between processes.
std::string Encode(const Result<SmallProgram>& small) {
  exec::WireWriter out;
  out.Put(small.Ok());
  if (!small) {
    out.Put(small.GetError().message);
    return out.Bytes();
  }
  const SmallProgram& program = small.Value();
  out.Put(program.file.name);
  out.Put(program.file.text);
  out.Put(program.expected);
  out.Put(program.model);
  out.Put(program.note);
  out.Put(program.finished);
  out.Put(program.explanation);
  out.Put(program.detail);
  return out.Bytes();
}

Result<SmallProgram> Decode(std::string_view bytes) {
  exec::WireReader in(bytes);
  bool ok = false;
  in.Get(ok);
  if (!ok) {
    std::string message;
    in.Get(message);
    return support::Error{message, support::ExitCode::Nothing};
  }
  SmallProgram program;
  in.Get(program.file.name);
  in.Get(program.file.text);
  in.Get(program.expected);
  in.Get(program.model);
  in.Get(program.note);
  in.Get(program.finished);
  in.Get(program.explanation);
  in.Get(program.detail);
  CHECK(in.Complete());
  return program;
}

// What the small program makes of a find, in one line.
std::string DetailOf(const SmallProgram& small, const TestCase& test, const oracle::Outcome& outcome) {
  const oracle::Judgement own = oracle::JudgeCompile(outcome);
  if (own.verdict != Verdict::Ok) return own.detail;
  if (!small.detail.empty()) return small.detail;
  const target::Target& target = *outcome.configuration.target;
  return oracle::JudgeRun(*test.expectations.For(target.data_model), *outcome.run).detail;
}

// The title of a reduced bug once it is known what it needs: those flags and no others, and the guilty pass.
std::string TitleOf(const store::Bug& bug, const target::Configuration& configuration) {
  const std::string& title = bug.reduction->title;
  const size_t mark = title.find(TitleMark(*oracle::VerdictNamed(bug.kind)));
  auto needed = SplitWords(bug.triage->flags);
  if (!needed || mark == std::string::npos) return title;
  const std::string pass = bug.triage->pass.empty() ? "" : " (pass " + bug.triage->pass + ")";
  return TitleName({.target = configuration.target, .flags = *needed}) + pass + title.substr(mark);
}

// Believes the small program, or says why not. Fills in what its report needs: the reduction of the
// bug, and files about it.
Result<std::optional<std::string>> Believe(Lab& lab, const Sanitizer& sanitizer, store::Bug& bug,
                                           const SmallProgram& small, const target::Configuration& configuration,
                                           std::vector<store::BugFile>& files) {
  TestCase test = StoredProgram(bug);
  test.files = {small.file};
  test.data_model = configuration.target->data_model;
  test.expectations.Add(test.data_model, {small.expected, 0});
  test.has_expectation = true;
  ASSIGN_OR_RETURN(auto outcome, lab.Try(test, configuration));
  if (!ShowsSame(bug, test, outcome)) {
    return std::optional<std::string>("the small program does not show the bug by itself");
  }
  ASSIGN_OR_RETURN(auto complaint, sanitizer.Complaint(lab, test, configuration.target));
  if (complaint) return std::optional("the sanitizer complains: " + *complaint);

  store::Reduction& reduction = *bug.reduction;
  std::tie(reduction.compile_command, reduction.run_command) =
      CommandsText(test, configuration, outcome.run.has_value());
  const exec::Observation& seen = outcome.run ? *outcome.run : *outcome.compile;
  reduction.ending = exec::Describe(seen);
  reduction.ended_by = exec::Name(seen.ending);
  reduction.title = Title(configuration, *oracle::VerdictNamed(bug.kind), DetailOf(small, test, outcome));
  reduction.explanation = small.explanation;
  ASSIGN_OR_RETURN(reduction.sanitizer, sanitizer.Statement(lab, test, configuration.target));
  if (!outcome.run || !outcome.compile) reduction.evidence = Evidence(*configuration.target, seen);
  if (outcome.run) {
    files.push_back({"reduced-actual", "reduced_actual.txt", seen.stdout_text});
  } else {
    files.push_back({"reduced-diagnostics", "reduced_diagnostics.txt", seen.stdout_text + seen.stderr_text});
  }
  return std::optional<std::string>();
}

}  // namespace

ReductionQueue::ReductionQueue(store::Store& store, const Options& options, const Budget& budget, std::string owner)
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
  std::set<std::string> except;
  {
    std::lock_guard lock(mutex_);
    except = for_others_;
  }
  auto bug = store_.TakeReduction(owner_, except);
  if (!bug || !*bug) Done(0);  // another process was faster
  return bug;
}

void ReductionQueue::LeaveToOthers(const std::string& bug) {
  std::lock_guard lock(mutex_);
  for_others_.insert(bug);
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

Result<ReductionOutcome> ReduceBug(Lab& lab, const ProgramSource& source, const std::vector<target::Target>& targets,
                                   const Sanitizer& sanitizer, const Options& options, const Budget& budget,
                                   TriageMemory& memory, unsigned threads, const store::Bug& found) {
  ReductionOutcome result{.bug = found};
  store::Bug& bug = result.bug;
  const store::BugFile* model = FileOf(bug, "reduced-case");
  if (model == nullptr) model = FileOf(bug, "model");
  auto configuration = FindConfiguration(targets, bug.target, bug.flags, bug.configuration);
  if (model == nullptr) return result;
  // For a run with its target. A machine that shares the campaign may have another compiler of that name: what that
  // does says nothing about this one.
  const bool is_another = configuration && bug.version != configuration->target->version;
  result.is_for_others = !configuration || (is_another && store::Store::IsOnServer(options.folder));
  if (result.is_for_others) return result;
  ReduceRequest request{
      .model = model->content,
      .configuration = *configuration,
      .reference = FindConfiguration(targets, bug.reference_target, bug.reference_flags, bug.reference),
      .verdict = *oracle::VerdictNamed(bug.kind),
      .folder = options.folder / "reducing" / report::SafeName(bug.name),
      .seconds = std::min(options.reduce_seconds, budget.Left().value_or(1e9) - kMarginSeconds),
      .threads = threads};
  RETURN_IF_ERROR(support::MakeFolder(request.folder));

  auto forked = RunForked(
      [&] {
        exec::Executor executor;
        return Encode(source.Reduce(request, executor));
      },
      request.seconds + kGraceSeconds, [&] { return !budget.MayReduce(-kGraceSeconds); });
  if (!forked) return forked.GetError();
  result.reducer_seconds = forked->cpu_seconds;
  (source.ReducesByOtherTools() ? result.reducer_seconds : result.target_seconds) += forked->child_cpu_seconds;
  if (forked->stopped) return result;  // the best so far stays in the folder
  result.progress = true;
  Result<SmallProgram> small = support::Error{"the reducer died or did not end; try `assay reduce` on the bug's folder",
                                              support::ExitCode::Nothing};
  if (forked->bytes) small = Decode(*forked->bytes);
  std::optional<std::string> doubt;
  std::vector<store::BugFile> files;
  if (small) {
    ASSIGN_OR_RETURN(auto asked, Believe(lab, sanitizer, bug, *small, *configuration, files));
    doubt = asked;
  } else {
    doubt = small.GetError().message;
  }
  const bool out_of_time = small && !small->finished && request.seconds < options.reduce_seconds;
  const auto forget_folder = [&] {
    std::error_code ignored;
    fs::remove_all(request.folder, ignored);
    fs::remove(request.folder.parent_path(), ignored);  // only if it is empty
  };
  if (doubt) {
    forget_folder();
    bug.reduction = store::Reduction{.state = "failed", .note = *doubt};
    return result;
  }
  bug.reduction->state = out_of_time ? "open" : "done";
  bug.reduction->note = small->note + (small->finished ? "" : "; not finished");
  std::erase_if(bug.files, [](const auto& file) { return file.role.starts_with("reduced"); });
  bug.files.push_back({"reduced", small->file.name, small->file.text});
  bug.files.push_back({"reduced-expected", "reduced_expected.txt", small->expected});
  bug.files.insert(bug.files.end(), files.begin(), files.end());
  bug.files.push_back({"reduced-case", "best.case", small->model});
  if (bug.reduction->Done()) {
    // A campaign that is stopped here has the small program in the folder, and looks at it again.
    const TriageLimits limits{.seconds = options.triage_seconds,
                              .must_stop = [&] { return !budget.MayReduce(-kGraceSeconds); }};
    ASSIGN_OR_RETURN(bug.triage, TriageBug(lab, targets, bug, memory, limits));
    bug.reduction->title = TitleOf(bug, *configuration);
  }
  forget_folder();
  return result;
}

}  // namespace assay::campaign
