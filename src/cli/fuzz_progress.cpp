#include "cli/fuzz_progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "report/repro.hpp"
#include "report/shape.hpp"
#include "report/words.hpp"

namespace assay::cli {
namespace {

using campaign::Ending;
using campaign::Status;

std::string_view Words(Ending ending) {
  switch (ending) {
    case Ending::TestsDone:
      return "all tests are done";
    case Ending::TimeUp:
      return "the time is up";
    case Ending::BugFound:
      return "a bug was found";
    case Ending::Interrupted:
      return "interrupted";
    case Ending::Failed:
      return "stopped by a problem";
  }
  return "";
}

std::string Kinds(const Status& status) {
  std::string text;
  for (const auto& [kind, count] : status.bugs_by_kind) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, kind);
  }
  return text;
}

std::string StatusText(const Status& status) {
  std::string text =
      fmt::format("{} tests, {:.1f}/s, {:.1f} % CPU in targets, {} {}",
                  report::Thousands(status.tests), status.TestsPerSecond(),
                  100 * status.TargetShare(), status.bugs, status.bugs == 1 ? "bug" : "bugs");
  if (std::string kinds = Kinds(status); !kinds.empty()) text += " (" + kinds + ")";
  if (status.seconds_left) {
    text += fmt::format(", {} left",
                        report::Duration(static_cast<int64_t>(*status.seconds_left * 1000)));
  }
  return text;
}

class Text : public FuzzProgress {
 public:
  Text() : terminal_(isatty(STDERR_FILENO) != 0) {}
  ~Text() override { ClearLine(); }

  void Started(const campaign::Plan& plan) override {
    fmt::print("campaign folder: {}{}\n", plan.folder.string(), plan.resumed ? " (resumed)" : "");
    fmt::print("programs: {}; seed {}; {} configurations; {} {}; sanitizer check: {}\n",
               plan.source, plan.seed, plan.configurations.size(), plan.jobs,
               plan.jobs == 1 ? "worker" : "workers",
               plan.sanitizer.empty() ? "none available" : plan.sanitizer);
    std::fflush(stdout);
  }

  void Progress(const Status& status) override {
    if (terminal_) {
      line_shown_ = true;
      fmt::print(stderr, "\r\033[K{}", StatusText(status));
      std::fflush(stderr);
    } else if (status.seconds_here >= next_log_) {
      next_log_ = status.seconds_here + kLogSeconds;
      fmt::print("{:6.0f} s: {}\n", status.seconds_here, StatusText(status));
      std::fflush(stdout);
    }
  }

  void Found(const store::Bug& bug, const std::filesystem::path& folder) override {
    ClearLine();
    fmt::print("{} {}\n  {}\n", store::IsBugKind(bug.kind) ? "bug:" : bug.kind + ":", bug.title,
               folder.string());
    std::fflush(stdout);
  }

  void Reduced(const store::Bug& bug, const std::filesystem::path& folder) override {
    ClearLine();
    std::filesystem::path shown = folder;
    for (const store::BugFile& file : bug.files) {
      if (file.role == "reduced") shown = folder / file.name;
    }
    fmt::print("reduced: {}: {}\n  {}\n", bug.name, report::ReductionText(*bug.reduction),
               shown.string());
    std::fflush(stdout);
  }

  void Lost(const std::string& target, const std::string& why) override {
    ClearLine();
    fmt::print("{} is gone, the campaign goes on without it: {}\n", target, why);
    std::fflush(stdout);
  }
  void Ended(const campaign::Summary& summary, const std::vector<store::Bug>& bugs,
             const std::string& report) override {
    ClearLine();
    const Status& status = summary.status;
    fmt::print("\n{}: {} tests in {}; campaign total {} tests\n", Words(summary.ending),
               report::Thousands(status.tests_here),
               report::Duration(static_cast<int64_t>(status.seconds_here * 1000)),
               report::Thousands(status.tests));
    fmt::print("compiles {}, runs {}, runs saved (identical code) {}\n",
               report::Thousands(status.compiles_here), report::Thousands(status.runs_here),
               report::Thousands(status.runs_saved_here));
    double all = status.target_cpu_seconds + status.generator_cpu_seconds +
                 status.reducer_cpu_seconds + status.harness_cpu_seconds;
    double percent = all > 0 ? 100 / all : 0;
    fmt::print(
        "CPU time {:.1f} s: {:.1f} % compilers and programs, {:.1f} % generator, {:.1f} % "
        "reducer, {:.1f} % assay\n",
        all, status.target_cpu_seconds * percent, status.generator_cpu_seconds * percent,
        status.reducer_cpu_seconds * percent, status.harness_cpu_seconds * percent);
    fmt::print("bugs {}, finds {}{}\n", status.bugs, status.finds,
               status.bugs_by_kind.empty() ? "" : ": " + Kinds(status));
    if (status.no_program > 0) fmt::print("seeds without a program: {}\n", status.no_program);
    auto twins = report::Twins(bugs);
    for (const store::Bug& bug : bugs) {
      auto twin = twins.find(bug.name);
      fmt::print("  {:>5} x {}{}{}\n", bug.count, bug.name, bug.known ? " (known)" : "",
                 twin == twins.end() ? "" : " (looks like " + twin->second + ")");
    }
    if (status.not_reduced > 0) {
      fmt::print("{} {} not reduced to the end: the same command with --dir goes on\n",
                 status.not_reduced, status.not_reduced == 1 ? "bug is" : "bugs are");
    }
    if (!report.empty()) fmt::print("report: {}\n", report);
    std::fflush(stdout);
  }

 private:
  static constexpr double kLogSeconds = 10;

  void ClearLine() {
    if (line_shown_) fmt::print(stderr, "\r\033[K");
    line_shown_ = false;
    std::fflush(stderr);
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

class Json : public FuzzProgress {
 public:
  void Started(const campaign::Plan& plan) override {
    Print({{"event", "start"},
           {"folder", plan.folder.string()},
           {"resumed", plan.resumed},
           {"source", plan.source},
           {"seed", plan.seed},
           {"jobs", plan.jobs},
           {"sanitizer", plan.sanitizer},
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
  void Lost(const std::string& target, const std::string& why) override {
    Print({{"event", "lost"}, {"target", target}, {"why", why}});
  }
  void Ended(const campaign::Summary& summary, const std::vector<store::Bug>& bugs,
             const std::string& report) override {
    nlohmann::ordered_json event = {{"event", "end"}, {"reason", Words(summary.ending)}};
    if (!summary.trouble.empty()) event["trouble"] = summary.trouble;
    event.update(ToJson(summary.status));
    event["report"] = report;
    auto list = nlohmann::ordered_json::array();
    auto twins = report::Twins(bugs);
    for (const store::Bug& bug : bugs) {
      list.push_back({{"name", bug.name},
                      {"kind", bug.kind},
                      {"count", bug.count},
                      {"known", bug.known != 0}});
      if (auto twin = twins.find(bug.name); twin != twins.end()) {
        list.back()["looks_like"] = twin->second;
      }
    }
    event["all_bugs"] = list;
    Print(event);
  }

 private:
  static void Print(const nlohmann::ordered_json& event) {
    fmt::print("{}\n", event.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    std::fflush(stdout);
  }
};

}  // namespace

std::unique_ptr<FuzzProgress> TextProgress() {
  return std::make_unique<Text>();
}
std::unique_ptr<FuzzProgress> JsonProgress() {
  return std::make_unique<Json>();
}

}  // namespace assay::cli
