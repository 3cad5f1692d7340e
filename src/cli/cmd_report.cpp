// assay report: one page and a text per bug, from what is stored.
#include "cli/commands.hpp"
#include "report/bundle.hpp"
#include "report/page.hpp"
#include "store/store.hpp"

namespace assay::cli {
namespace {

support::Result<void> RunReport(const std::string& folder) {
  if (!store::Store::Exists(folder)) {
    return support::UsageError(fmt::format("no campaign in {}", folder));
  }
  auto store = store::Store::Open(folder);
  if (!store) return store.GetError();
  auto bugs = (*store)->Bugs(true);
  if (!bugs) return bugs.GetError();
  for (const store::Bug& bug : *bugs) {
    if (bug.known) continue;
    if (auto written = report::WriteBundle(folder, bug); !written) return written;
    fmt::print("{}\n", (report::BundleFolder(folder, bug) / "bug.md").string());
  }
  auto page = report::WriteReport(folder, **store);
  if (!page) return page.GetError();
  fmt::print("{}\n", page->string());
  return {};
}

}  // namespace

void AddReport(CommandLine& line) {
  auto folder = std::make_shared<std::string>();
  CLI::App* command = line.app.add_subcommand(
      "report", "Write report.html and a bug.md per bug into the campaign's folder");
  command->add_option("folder,--dir", *folder, "The campaign's folder")->required();
  command->callback([&line, folder] {
    auto done = RunReport(*folder);
    line.exit_code = done ? 0 : Fail(done.GetError());
  });
}

}  // namespace assay::cli
