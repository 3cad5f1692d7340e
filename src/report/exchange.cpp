#include "report/exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

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
    Json result = {{"ruleId", bug.kind},
                   {"level", "error"},
                   {"message", {{"text", support::OneLine(ShownForm(bug).title, 1000)}}},
                   {"locations",
                    {{{"physicalLocation",
                       {{"artifactLocation", {{"uri", Link(ProgramOf(bug))}}}, {"region", {{"startLine", 1}}}}}}}},
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
  return sarif.dump(2, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
}

std::map<std::string, std::string> LostLately(const std::vector<store::Run>& runs) {
  std::map<std::string, std::string> lost;
  if (runs.empty()) return lost;
  const store::Run& last = *std::max_element(
      runs.begin(), runs.end(), [](const store::Run& a, const store::Run& b) { return a.started_ms < b.started_ms; });
  for (const store::Run& run : runs) {
    if (run.owner != last.owner && run.ended_ms <= last.started_ms) continue;
    std::istringstream lines(run.lost);
    for (std::string line; std::getline(lines, line);) {
      const size_t colon = line.find(": ");
      if (colon != std::string::npos) lost.emplace(line.substr(0, colon), line.substr(colon + 2));
    }
  }
  return lost;
}

std::string JUnit(const std::vector<store::Bug>& bugs, const std::vector<store::Tally>& tallies,
                  const std::function<bool(const std::string& verdict)>& tells,
                  const std::map<std::string, std::string>& lost) {
  struct Case {
    int64_t told = 0;
    std::string verdicts;  // all of them, in words
    std::vector<const store::Bug*> failures;
  };
  std::map<std::string, Case> cases;  // by target
  for (const store::Tally& tally : tallies) {
    Case& one = cases[tally.target];
    if (tells(tally.verdict)) one.told += tally.amount;
    one.verdicts += fmt::format("{}{} {}", one.verdicts.empty() ? "" : ", ", tally.amount, tally.verdict);
  }
  for (const store::Bug& bug : bugs) {
    if (IsTold(bug)) cases[bug.target].failures.push_back(&bug);
  }
  for (const auto& [target, why] : lost) cases.try_emplace(target);
  size_t failed = 0, skipped = 0, errors = 0;
  std::string text;
  for (const auto& [target, one] : cases) {
    text += fmt::format("  <testcase classname=\"assay\" name=\"{}\">\n", Escape(target));
    for (const store::Bug* bug : one.failures) {
      text += fmt::format("    <failure type=\"{}\" message=\"{}\">{}: seen {} times; {}</failure>\n",
                          Escape(bug->kind), Escape(support::OneLine(ShownForm(*bug).title, 1000)), Escape(bug->name),
                          TotalCount(*bug), Escape(ProgramOf(*bug)));
    }
    failed += !one.failures.empty();
    const auto gone = lost.find(target);
    if (gone != lost.end()) {
      ++errors;
      text += fmt::format("    <error message=\"lost in mid-campaign, not tested to the end: {}\"/>\n",
                          Escape(support::OneLine(gone->second, 1000)));
    } else if (one.told == 0 && one.failures.empty()) {
      ++skipped;
      text += fmt::format("    <skipped message=\"never tested: {}\"/>\n", Escape(one.verdicts));
    }
    if (one.told > 0) text += fmt::format("    <system-out>{} compilations judged</system-out>\n", one.told);
    text += "  </testcase>\n";
  }
  const bool nothing = skipped == cases.size();
  errors += nothing;
  if (nothing) {
    text +=
        "  <testcase classname=\"assay\" name=\"campaign\">\n    <error message=\"nothing was tested\"/>\n"
        "  </testcase>\n";
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"assay\" tests=\"{}\" failures=\"{}\" "
      "errors=\"{}\" "
      "skipped=\"{}\">\n{}</testsuite>\n",
      cases.size() + nothing, failed, errors, skipped, text);
}

}  // namespace assay::report
