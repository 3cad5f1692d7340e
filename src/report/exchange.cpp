#include "report/exchange.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "report/bundle.hpp"
#include "report/description.hpp"
#include "report/repro.hpp"
#include "report/words.hpp"
#include "store/store.hpp"
#include "support/text.hpp"

namespace assay::report {
namespace {

using Json = nlohmann::ordered_json;

bool IsTold(const store::Bug& bug) { return store::IsBugKind(bug.kind) && bug.known == 0 && bug.IsEntry(); }

// Where the bug can be seen: the small program if there is one, in the campaign's folder.
std::string ProgramOf(const store::Bug& bug) {
  const store::Bug shown = ShownForm(bug);
  const std::string name = shown.files.empty() ? "bug.md" : SafeName(shown.files[0].name);
  return (BundleFolder("", bug) / name).string();
}

}  // namespace

std::string Sarif(const std::vector<store::Bug>& bugs, const std::string& version) {
  Json rules = Json::array(), results = Json::array();
  std::set<std::string> kinds;
  for (const store::Bug& bug : bugs) {
    if (!IsTold(bug)) continue;
    if (kinds.insert(bug.kind).second) rules.push_back({{"id", bug.kind}});
    Json result = {
        {"ruleId", bug.kind},
        {"level", "error"},
        {"message", {{"text", support::OneLine(ShownForm(bug).title, 1000)}}},
        {"locations",
         {{{"physicalLocation", {{"artifactLocation", {{"uri", ProgramOf(bug)}}}, {"region", {{"startLine", 1}}}}}}}},
        {"partialFingerprints", {{"assayBug/v1", bug.name}}},
        {"occurrenceCount", TotalCount(bug)}};
    result["properties"] = {{"target", bug.target}, {"version", bug.version}, {"configuration", bug.configuration}};
    if (bug.triage) {
      result["properties"]["flags"] = bug.triage->flags;
      result["properties"]["pass"] = bug.triage->pass;
    }
    results.push_back(std::move(result));
  }
  const Json sarif = {
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs",
       {{{"tool", {{"driver", {{"name", "assay"}, {"version", version}, {"rules", rules}}}}}, {"results", results}}}}};
  return sarif.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string JUnit(const std::vector<store::Bug>& bugs, const std::vector<store::Tally>& tallies) {
  std::map<std::string, int64_t> tests;  // by target
  for (const store::Tally& tally : tallies) tests[tally.target] += tally.amount;
  std::map<std::string, std::vector<const store::Bug*>> failures;
  for (const store::Bug& bug : bugs) {
    if (!IsTold(bug)) continue;
    failures[bug.target].push_back(&bug);
    tests.try_emplace(bug.target, 0);
  }
  const size_t failed = failures.size();
  std::string cases;
  for (const auto& [target, count] : tests) {
    cases += fmt::format("  <testcase classname=\"assay\" name=\"{}\">\n", Escape(target));
    for (const store::Bug* bug : failures[target]) {
      cases += fmt::format("    <failure type=\"{}\" message=\"{}\">{}: seen {} times; {}</failure>\n",
                           Escape(bug->kind), Escape(support::OneLine(ShownForm(*bug).title, 1000)), Escape(bug->name),
                           TotalCount(*bug), Escape(ProgramOf(*bug)));
    }
    if (count > 0) cases += fmt::format("    <system-out>{} compilations judged</system-out>\n", count);
    cases += "  </testcase>\n";
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"assay\" tests=\"{}\" failures=\"{}\">\n{}"
      "</testsuite>\n",
      tests.size(), failed, cases);
}

}  // namespace assay::report
