// assay report: one page and a text per bug, from what is stored.
#include "campaign/confirm.hpp"
#include "campaign/same_bug.hpp"
#include "cli/commands.hpp"
#include "gen/generate.hpp"
#include "oracle/verdict.hpp"
#include "report/bundle.hpp"
#include "report/exchange.hpp"
#include "report/page.hpp"
#include "report/writers.hpp"
#include "store/store.hpp"
#include "support/files.hpp"
#include "support/text.hpp"
#include "triage/signature.hpp"

namespace assay::cli {
namespace {

// `out`: where the pages go, if not into the campaign's folder.
support::Result<void> RunReport(const std::string& folder, const std::string& out) {
  ASSIGN_OR_RETURN(auto store, store::Store::OpenToRead(folder));
  const std::string place = out.empty() ? folder : out;
  RETURN_IF_ERROR(support::MakeFolder(place));
  ASSIGN_OR_RETURN(auto page, report::WriteEverything(place, *store));
  ASSIGN_OR_RETURN(auto bugs, store->Bugs(false));
  for (const store::Bug& bug : bugs) {
    if (bug.known == 0) Say("{}\n", support::OneLine((report::BundleFolder(place, bug) / "bug.md").string(), 4096));
  }
  Say("{}\n", support::OneLine(page.string(), 4096));
  return {};
}

support::Result<void> RunWriters(const std::string& folder) {
  ASSIGN_OR_RETURN(auto store, store::Store::OpenToRead(folder));
  ASSIGN_OR_RETURN(auto bugs, store->Bugs(false));
  ASSIGN_OR_RETURN(auto finds, store->Finds());
  Say("{}", report::FindsPerWriter(bugs, finds));
  return {};
}

// Does a target with this verdict count as tested?
bool Tells(const std::string& verdict) {
  const auto known = oracle::VerdictNamed(verdict);
  return known && oracle::SaysSomething(*known);
}

// The bugs in the forms that other programs read.
support::Result<void> RunExchange(const std::string& folder, const std::string& sarif, const std::string& junit) {
  ASSIGN_OR_RETURN(auto store, store::Store::OpenToRead(folder));
  ASSIGN_OR_RETURN(auto bugs, store->Bugs(true));
  ASSIGN_OR_RETURN(auto tallies, store->Tallies());
  if (sarif == junit) return support::UsageError("--sarif and --junit name the same file: " + sarif);
  if (!sarif.empty()) RETURN_IF_ERROR(support::WriteFile(sarif, report::Sarif(bugs, gen::ProgramVersion())));
  if (junit.empty()) return {};
  ASSIGN_OR_RETURN(const auto runs, store->Runs());
  RETURN_IF_ERROR(support::WriteFile(junit, report::JUnit(bugs, tallies, Tells, report::LostLately(runs))));
  return {};
}

// What the file of known bugs says of a bug. Finds of one signature may be several bugs where it only names the
// configurations that fail: there the small program tells.
triage::KnownBug AsKnown(const store::Bug& bug) {
  triage::KnownBug known{.family = bug.family, .kind = bug.kind};
  const auto verdict = oracle::VerdictNamed(bug.kind);
  const bool is_of_compiler = verdict && !campaign::IsAboutRun(*verdict);
  const bool signature_tells = is_of_compiler && triage::SaysWhere(bug.signature);
  if (is_of_compiler) known.signature = bug.signature;
  if (!signature_tells && bug.reduction && bug.reduction->Done()) known.portrait = campaign::PortraitOf(bug);
  if (!signature_tells && known.portrait.constructs.empty()) {
    known.signature.clear();
    known.portrait = {};  // a pass alone says too little
    known.name = bug.name;
  }
  return known;
}

support::Result<void> RunKnown(const std::string& folder, const std::string& file) {
  ASSIGN_OR_RETURN(auto store, store::Store::OpenToRead(folder));
  ASSIGN_OR_RETURN(auto bugs, store->Bugs(true));
  std::string text;
  for (const store::Bug& bug : bugs) {
    if (!store::IsBugKind(bug.kind) || bug.known != 0 || !bug.IsEntry()) continue;
    const std::string& title = bug.reduction && bug.reduction->Done() ? bug.reduction->title : bug.title;
    text += AsKnown(bug).Toml(support::OneLine(title)) + "\n";
  }
  return support::WriteFile(file, text);
}

}  // namespace

void AddReport(CommandLine& line) {
  auto folder = std::make_shared<std::string>();
  auto out = std::make_shared<std::string>();
  CLI::App* command =
      line.app.add_subcommand("report", "Write report.html and a bug.md per bug into the campaign's folder");
  AddFolder(*command, *folder);
  CLI::Option* of_out =
      command->add_option("--out", *out, "Write into this folder instead, when the campaign's cannot be written");
  auto writers = std::make_shared<bool>(false);
  CLI::Option* of_writers = command->add_flag(
      "--writers", *writers, "Instead, print in how many finds code of each writer of the generator ran");
  auto sarif = std::make_shared<std::string>();
  auto junit = std::make_shared<std::string>();
  auto known = std::make_shared<std::string>();
  for (CLI::Option* option :
       {command->add_option("--sarif", *sarif, "Instead, write the bugs to this file as SARIF 2.1.0"),
        command->add_option("--junit", *junit, "Instead, write a test case per target to this file as JUnit XML"),
        command->add_option(
            "--known", *known,
            "Instead, write the bugs to this file (known.toml) for 'assay fuzz --known'; add where they are "
            "reported and in which version they are fixed")}) {
    option->check(NotEmpty())->excludes(of_writers)->excludes(of_out);
  }
  command->callback([&line, folder, out, writers, sarif, junit, known, command] {
    auto done = RequireFolder(*command, *folder);
    const bool exchange = !sarif->empty() || !junit->empty() || !known->empty();
    if (done && !known->empty()) done = RunKnown(*folder, *known);
    if (done && !(sarif->empty() && junit->empty())) done = RunExchange(*folder, *sarif, *junit);
    if (done && !exchange) done = *writers ? RunWriters(*folder) : RunReport(*folder, *out);
    line.exit_code = done ? 0 : Fail(done.GetError());
  });
}

}  // namespace assay::cli
