// assay report: one page and a text per bug, from what is stored.
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
  if (!junit.empty()) RETURN_IF_ERROR(support::WriteFile(junit, report::JUnit(bugs, tallies, Tells)));
  return {};
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
  for (CLI::Option* option :
       {command->add_option("--sarif", *sarif, "Instead, write the bugs to this file as SARIF 2.1.0"),
        command->add_option("--junit", *junit, "Instead, write a test case per target to this file as JUnit XML")}) {
    option->check(NotEmpty())->excludes(of_writers)->excludes(of_out);
  }
  command->callback([&line, folder, out, writers, sarif, junit, command] {
    auto done = RequireFolder(*command, *folder);
    const bool exchange = !sarif->empty() || !junit->empty();
    if (done && exchange) done = RunExchange(*folder, *sarif, *junit);
    if (done && !exchange) done = *writers ? RunWriters(*folder) : RunReport(*folder, *out);
    line.exit_code = done ? 0 : Fail(done.GetError());
  });
}

}  // namespace assay::cli
