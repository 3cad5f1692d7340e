#include "cli/fuzz_progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "cli/output.hpp"
#include "gen/generate.hpp"
#include "report/repro.hpp"
#include "report/words.hpp"
#include "support/text.hpp"

namespace assay::cli {
namespace {

using campaign::Status;
using support::OneLine;
using support::Printable;

std::string Kinds(const Status& status) {
  std::string text;
  for (const auto& [kind, count] : status.bugs_by_kind) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, kind);
  }
  return text;
}

std::string StatusText(const Status& status) {
  std::string text =
      fmt::format("{} tests, {:.1f}/s, {:.1f} % CPU in targets, {} {}", report::Thousands(status.tests),
                  status.TestsPerSecond(), 100 * status.TargetShare(), status.bugs, status.bugs == 1 ? "bug" : "bugs");
  if (std::string kinds = Kinds(status); !kinds.empty()) text += " (" + kinds + ")";
  if (status.seconds_left) {
    text += fmt::format(", {} left", report::Duration(static_cast<int64_t>(*status.seconds_left * 1000)));
  }
  return text;
}

class Text : public FuzzProgress {
 public:
  Text() : terminal_(isatty(STDERR_FILENO) != 0) {}
  ~Text() override { ClearLine(); }

  void Started(const campaign::Plan& plan) override {
    Say("campaign folder: {}{}\n", Printable(plan.folder.string()), plan.resumed ? " (resumed)" : "");
    Say("programs: {}; seed {}; {} configurations; {} {}; sanitizer check: {}\n", Printable(plan.source), plan.seed,
        plan.configurations.size(), plan.jobs, plan.jobs == 1 ? "worker" : "workers",
        plan.sanitizer.empty() ? "none available" : plan.sanitizer);
    FlushOutput();
  }

  void Progress(const Status& status) override {
    if (terminal_) {
      line_shown_ = true;
      Warn("\r\033[K{}", StatusText(status));
    } else if (status.seconds_here >= next_log_) {
      next_log_ = status.seconds_here + kLogSeconds;
      Say("{:6.0f} s: {}\n", status.seconds_here, StatusText(status));
      FlushOutput();
    }
  }

  void Found(const store::Bug& bug, const std::filesystem::path& folder) override {
    ClearLine();
    Say("{} {}{}{}\n  {}\n", store::IsBugKind(bug.kind) ? "bug:" : bug.kind + ":", OneLine(bug.title),
        bug.doubt.empty() ? "" : " (" + bug.doubt + ")",
        bug.tracked.empty() ? "" : " (it is back: " + OneLine(bug.tracked) + ")", Printable(folder.string()));
    FlushOutput();
  }

  void Reduced(const store::Bug& bug, const std::filesystem::path& folder) override {
    ClearLine();
    std::filesystem::path shown = folder;
    for (const store::BugFile& file : bug.files) {
      if (file.role == "reduced") shown = folder / file.name;
    }
    Say("reduced: {}: {}\n  {}\n", Printable(bug.name), OneLine(report::ReductionText(*bug.reduction)),
        Printable(shown.string()));
    FlushOutput();
  }

  void Recognised(const store::Bug& bug) override {
    ClearLine();
    Say("known: {}: {}\n", Printable(bug.name), OneLine(bug.tracked));
    FlushOutput();
  }

  void Lost(const std::string& target, const std::string& why) override {
    ClearLine();
    Say("{} is gone, the campaign goes on without it: {}\n", Printable(target), OneLine(why));
    FlushOutput();
  }
  void Refused(const std::string& configuration, const std::string& why) override {
    ClearLine();
    Warn("assay: {} is not tested: its flags do not work, not even with a trivial program: {}\n",
         OneLine(configuration), OneLine(why));
  }
  void Waiting(const std::string& why) override {
    ClearLine();
    fmt::print("the campaign's database cannot be reached, waiting for it: {}\n", OneLine(why));
    std::fflush(stdout);
  }
  void Ended(const campaign::Summary& summary, const std::vector<store::Bug>& bugs,
             const std::string& report) override {
    ClearLine();
    const Status& status = summary.status;
    Say("\n{}: {} tests in {}; campaign total {} tests\n", campaign::Info(summary.ending).words,
        report::Thousands(status.tests_here), report::Duration(static_cast<int64_t>(status.seconds_here * 1000)),
        report::Thousands(status.tests));
    Say("compiles {}, runs {}, runs saved (identical code) {}\n", report::Thousands(status.compiles_here),
        report::Thousands(status.runs_here), report::Thousands(status.runs_saved_here));
    double all = status.target_cpu_seconds + status.generator_cpu_seconds + status.reducer_cpu_seconds +
                 status.harness_cpu_seconds;
    double percent = all > 0 ? 100 / all : 0;
    Say("CPU time {:.1f} s: {:.1f} % compilers and programs, {:.1f} % generator, {:.1f} % "
        "reducer, {:.1f} % assay\n",
        all, status.target_cpu_seconds * percent, status.generator_cpu_seconds * percent,
        status.reducer_cpu_seconds * percent, status.harness_cpu_seconds * percent);
    Say("bugs {}, finds {}{}\n", status.bugs, status.finds, status.bugs_by_kind.empty() ? "" : ": " + Kinds(status));
    if (status.no_program > 0) Say("seeds without a program: {}\n", status.no_program);
    for (const campaign::LeftOut& one : summary.never_tested) Say("never tested: {}: {}\n", one.target, one.why);
    for (const store::Bug& bug : bugs) {
      if (!bug.IsEntry()) continue;
      Say("  {:>5} x {}{}{}\n", report::TotalCount(bug), Printable(bug.name), bug.known ? " (known)" : "",
          bug.doubt.empty() ? "" : " (" + bug.doubt + ")");
    }
    if (status.not_reduced > 0) {
      Say("{} {} not reduced to the end: the same command with --dir goes on\n", status.not_reduced,
          status.not_reduced == 1 ? "bug is" : "bugs are");
    }
    if (!report.empty()) Say("report: {}\n", Printable(report));
    FlushOutput();
  }

 private:
  static constexpr double kLogSeconds = 10;

  void ClearLine() {
    if (line_shown_) Warn("\r\033[K");
    line_shown_ = false;
  }

  bool terminal_;
  bool line_shown_ = false;
  double next_log_ = kLogSeconds;
};

nlohmann::ordered_json ToJson(const Status& status) {
  nlohmann::ordered_json json = {{"tests", status.tests},
                                 {"tests_here", status.tests_here},
                                 {"seconds", status.seconds_here},
                                 {"tests_per_second", status.TestsPerSecond()},
                                 {"tested", status.tested},
                                 {"no_program", status.no_program},
                                 {"compiles", status.compiles_here},
                                 {"runs", status.runs_here},
                                 {"runs_saved", status.runs_saved_here},
                                 {"target_cpu_seconds", status.target_cpu_seconds},
                                 {"generator_cpu_seconds", status.generator_cpu_seconds},
                                 {"reducer_cpu_seconds", status.reducer_cpu_seconds},
                                 {"harness_cpu_seconds", status.harness_cpu_seconds},
                                 {"target_cpu_share", status.TargetShare()},
                                 {"bugs", status.bugs},
                                 {"not_reduced", status.not_reduced},
                                 {"finds", status.finds},
                                 {"bugs_by_kind", status.bugs_by_kind}};
  if (status.seconds_left) json["seconds_left"] = *status.seconds_left;
  return json;
}

nlohmann::ordered_json ToJson(const std::vector<campaign::LeftOut>& targets) {
  auto list = nlohmann::ordered_json::array();
  for (const campaign::LeftOut& one : targets) list.push_back({{"target", one.target}, {"why", one.why}});
  return list;
}

// The end in one word; the exit codes 3, 1, 3 and 0.
std::string_view Outcome(const campaign::Summary& summary) {
  if (summary.ending == campaign::Ending::Failed) return "failed";
  if (summary.status.bugs > 0) return "bugs-found";
  return summary.untested.empty() ? "no-bugs" : "untested";
}

// docs/json.md describes the objects.
class Json : public FuzzProgress {
 public:
  void Started(const campaign::Plan& plan) override {
    auto targets = nlohmann::ordered_json::array();
    for (const target::Target& target : plan.targets) {
      targets.push_back({{"name", target.name},
                         {"family", target.family},
                         {"version", target.version},
                         {"data_model", target.language == "c" ? target.data_model : ""}});
    }
    Print({{"event", "start"},
           {"assay", gen::ProgramVersion()},
           {"folder", plan.folder.string()},
           {"resumed", plan.resumed},
           {"source", plan.source},
           {"seed", plan.seed},
           {"jobs", plan.jobs},
           {"sanitizer", plan.sanitizer},
           {"targets", targets},
           {"left_out", ToJson(plan.left_out)},
           {"lacking", ToJson(plan.lacking)},
           {"configurations", plan.configurations}});
  }
  void Progress(const Status& status) override {
    nlohmann::ordered_json event = {{"event", "progress"}};
    event.update(ToJson(status));
    Print(event);
  }
  void Found(const store::Bug& bug, const std::filesystem::path& folder) override {
    Print({{"event", "found"},
           {"name", bug.name},
           {"kind", bug.kind},
           {"confirmed", bug.doubt.empty()},
           {"target", bug.target},
           {"configuration", bug.configuration},
           {"signature", bug.signature},
           {"title", bug.title},
           {"seed", bug.first_seed},
           {"folder", folder.string()}});
  }
  void Reduced(const store::Bug& bug, const std::filesystem::path& folder) override {
    Print({{"event", "reduced"},
           {"name", bug.name},
           {"state", bug.reduction->state},
           {"note", bug.reduction->note},
           {"folder", folder.string()}});
  }
  void Recognised(const store::Bug& bug) override {
    Print({{"event", "recognised"}, {"name", bug.name}, {"tracked", bug.tracked}});
  }
  void Lost(const std::string& target, const std::string& why) override {
    Print({{"event", "lost"}, {"target", target}, {"why", why}});
  }
  void Refused(const std::string& configuration, const std::string& why) override {
    Print({{"event", "refused-flags"}, {"configuration", configuration}, {"why", why}});
  }
  void Waiting(const std::string& why) override { Print({{"event", "waiting"}, {"why", why}}); }
  void Ended(const campaign::Summary& summary, const std::vector<store::Bug>& bugs,
             const std::string& report) override {
    nlohmann::ordered_json event = {
        {"event", "end"}, {"outcome", Outcome(summary)}, {"reason", campaign::Info(summary.ending).name}};
    if (!summary.trouble.empty()) event["trouble"] = summary.trouble;
    if (!summary.untested.empty()) event["untested"] = summary.untested;
    event["never_tested"] = ToJson(summary.never_tested);
    event.update(ToJson(summary.status));
    event["report"] = report;
    auto list = nlohmann::ordered_json::array();
    for (const store::Bug& bug : bugs) {
      list.push_back({{"name", bug.name},
                      {"kind", bug.kind},
                      {"count", bug.count},
                      {"known", bug.known != 0},
                      {"confirmed", bug.doubt.empty()}});
      if (!bug.IsEntry()) list.back()["same_as"] = bug.same_as;
    }
    event["all_bugs"] = list;
    Print(event);
  }

 private:
  static void Print(const nlohmann::ordered_json& event) {
    Say("{}\n", event.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
    FlushOutput();
  }
};

}  // namespace

std::unique_ptr<FuzzProgress> TextProgress() { return std::make_unique<Text>(); }
std::unique_ptr<FuzzProgress> JsonProgress() { return std::make_unique<Json>(); }

}  // namespace assay::cli
