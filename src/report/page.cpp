#include "report/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "report/bundle.hpp"
#include "report/chart.hpp"
#include "report/description.hpp"
#include "report/markdown.hpp"
#include "report/ranking.hpp"
#include "report/repro.hpp"
#include "report/words.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace assay::report {
namespace {

constexpr int kRefreshSeconds = 15;

constexpr const char* kStyle = R"(
:root { color-scheme: light dark; --ink: #1d2433; --quiet: #667085; --paper: #fff; --card: #f5f6f8; --edge: #dde1e7;
  --s0: #2563eb; --s1: #dc2626; --s2: #d97706; --s3: #059669; --s4: #7c3aed; --s5: #0891b2; --s6: #be185d; --s7: #4b5563; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ef; --quiet: #98a2b3; --paper: #12151b; --card: #1c212b; --edge: #313846; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1rem; font: 16px/1.5 system-ui, sans-serif; color: var(--ink);
  background: var(--paper); overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: .5rem 0; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
.quiet { color: var(--quiet); }
.tiles, .charts { display: grid; gap: .75rem; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); }
.charts { grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); }
.tile, .card, details { background: var(--card); border: 1px solid var(--edge); border-radius: .5rem; padding: .75rem; }
.tile b { display: block; font-size: 1.4rem; }
.card h3 { margin: 0 0 .5rem; font-size: .95rem; }
svg { width: 100%; height: auto; display: block; } svg text { fill: var(--quiet); font-size: 13px; }
.grid { stroke: var(--edge); } .line { fill: none !important; stroke-width: 2.5; } .area { opacity: .15; }
.legend { margin: .5rem 0 0; font-size: .85rem; } .legend span { margin-right: 1rem; white-space: nowrap; }
.legend i { display: inline-block; width: .8rem; height: .8rem; border-radius: .2rem; margin-right: .3rem; }
details { margin: .5rem 0; } summary { cursor: pointer; } summary b { margin-right: .5rem; }
.kind { display: inline-block; font-size: .8rem; padding: 0 .5rem; border-radius: 1rem; border: 1px solid currentColor; }
pre { overflow: auto; max-height: 26rem; background: var(--paper); border: 1px solid var(--edge); border-radius: .4rem;
  padding: .6rem; font-size: .82rem; line-height: 1.4; overflow-wrap: normal; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; } .wide { overflow-x: auto; }
th, td { text-align: left; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--edge); vertical-align: top;
  overflow-wrap: normal; }
td.n, th.n { text-align: right; } td.n { white-space: nowrap; } td.name { min-width: 8rem; overflow-wrap: anywhere; }
.files a { margin-right: .8rem; white-space: nowrap; }
)";

std::string Colours() {
  std::string css;
  for (int i = 0; i < 8; ++i) {
    css += fmt::format(
        ".s{0} {{ fill: var(--s{0}); stroke: var(--s{0}); }} i.s{0} {{ background: var(--s{0}); "
        "}}\n",
        i);
  }
  return css + "rect { stroke: none !important; }\n";
}

int64_t Counter(const PageData& data, const std::string& name) {
  for (const store::Counter& counter : data.counters) {
    if (counter.name == name) return counter.amount;
  }
  return 0;
}

bool IsShownAsBug(const store::Bug& bug) { return store::IsBugKind(bug.kind) && !bug.known && bug.IsEntry(); }

std::string Tile(const std::string& value, const std::string& name) {
  return fmt::format("<div class=\"tile\"><b>{}</b>{}</div>", Escape(value), Escape(name));
}

// Time in which at least one process worked: charts leave out the pauses between runs. The end of a
// run that was killed is its last sample.
class WorkingTime {
 public:
  explicit WorkingTime(const PageData& data) {
    for (size_t i = 0; i < data.runs.size(); ++i) {
      const store::Run& run = data.runs[i];
      int64_t next_start = i + 1 < data.runs.size() ? data.runs[i + 1].started_ms : INT64_MAX;
      int64_t end = std::max(run.started_ms, run.ended_ms);
      if (run.ended_ms == 0) {
        auto after = std::lower_bound(data.samples.begin(), data.samples.end(), next_start,
                                      [](const store::Sample& sample, int64_t time) { return sample.time_ms < time; });
        if (after != data.samples.begin()) end = std::max(end, std::prev(after)->time_ms);
      }
      spans_.push_back({run.started_ms, end});
    }
  }
  int64_t At(int64_t time_ms) const {
    int64_t worked = 0, covered = 0;
    for (auto [start, end] : spans_) {
      start = std::max(start, covered);
      end = std::min(end, time_ms);
      if (end > start) worked += end - start;
      covered = std::max(covered, end);
    }
    return worked;
  }

 private:
  std::vector<std::pair<int64_t, int64_t>> spans_;  // in order of their start
};

std::string Tiles(const PageData& data) {
  int64_t suspects = 0, flaky = 0, known = 0;
  for (const store::Bug& bug : data.bugs) {
    suspects += bug.kind == "suspect";
    flaky += bug.kind == "flaky";
    known += bug.known;
  }
  int64_t own = 0, target = 0;
  for (const store::Run& run : data.runs) {
    own += run.own_cpu_us;
    target += run.child_cpu_us;
  }
  WorkingTime working(data);
  std::string html = "<div class=\"tiles\">" + Tile(Thousands(data.totals.bugs), "bugs") +
                     Tile(Thousands(data.totals.finds), "finds") + Tile(Thousands(data.totals.tests), "tests") +
                     Tile(Thousands(Counter(data, "compiles")), "compiles") +
                     Tile(Thousands(Counter(data, "runs")), "runs") +
                     Tile(Duration(working.At(data.totals.time_ms)), "of work");
  if (own + target > 0) {
    double share = 100.0 * static_cast<double>(target) / static_cast<double>(own + target);
    html += Tile(fmt::format("{:.1f} %", share), "of CPU in targets");
  }
  html += Tile(Thousands(suspects), "suspects") + Tile(Thousands(flaky), "flaky");
  if (known > 0) html += Tile(Thousands(known), "known bugs");
  return html + "</div>\n";
}

std::string Card(const std::string& title, const std::string& content) {
  return fmt::format("<div class=\"card\"><h3>{}</h3>{}</div>\n", title, content);
}

std::string Charts(const PageData& data) {
  WorkingTime working(data);
  std::vector<Point> tests = {{0, 0}}, finds = {{0, 0}}, bugs = {{0, 0}};
  for (const store::Sample& sample : data.samples) {
    double x = static_cast<double>(working.At(sample.time_ms));
    tests.push_back({x, static_cast<double>(sample.tests)});
    finds.push_back({x, static_cast<double>(sample.finds)});
    bugs.push_back({x, static_cast<double>(sample.bugs)});
  }
  std::set<std::string> kinds;
  std::map<std::string, std::map<std::string, double>> by_target;
  for (const store::Bug& bug : data.bugs) {
    if (!IsShownAsBug(bug)) continue;
    kinds.insert(bug.kind);
    ++by_target[bug.target][bug.kind];
  }
  std::vector<std::string> series(kinds.begin(), kinds.end());
  std::vector<Bar> bars;
  for (auto& [target, counts] : by_target) {
    Bar bar{target, {}};
    for (const std::string& kind : series) bar.parts.push_back(counts[kind]);
    bars.push_back(bar);
  }
  return "<div class=\"charts\">" + Card("Tests over time", TimeChart(tests, 0)) +
         Card("Finds over time", TimeChart(finds, 1)) + Card("Different bugs over time", TimeChart(bugs, 4)) +
         Card("Bugs by target and kind", BarChart(series, bars)) + "</div>\n";
}

// The folder of a bug, as a link where it is beside the page: in a shared campaign another machine may
// have it.
std::string FolderLink(const PageData& data, const store::Bug& bug) {
  const std::string folder = BundleFolder("", bug).string();
  if (!data.folders_here.contains(bug.name)) return Escape(folder);
  return fmt::format("<a href=\"{}\">{}</a>", Link(folder + "/bug.md"), Escape(folder));
}

// The files that are sent to the makers of a compiler.
std::string FileLinks(const PageData& data, const store::Bug& bug) {
  if (!data.folders_here.contains(bug.name)) return {};
  const std::string folder = BundleFolder("", bug).string();
  std::vector<std::string> names = {"bug.md", "repro.sh"};
  for (const store::BugFile& file : bug.files) {
    if (file.role == (IsReduced(bug) ? "reduced" : "program")) names.push_back(SafeName(file.name));
  }
  std::string html = "<p class=\"files\">";
  for (const std::string& name : names) {
    html += fmt::format("<a href=\"{}\">{}</a> ", Link(folder + "/" + name), Escape(name));
  }
  return html + "</p>\n";
}

std::string Preformatted(const std::string& heading, const store::BugFile& file, const Extent& extent) {
  return fmt::format("<p>{}</p><pre>{}</pre>\n", Escape(heading),
                     Escape(Shortened(file.content, extent, SafeName(file.name))));
}

// What is known of the reason, in a line or two.
std::string TriageText(const store::Triage& triage) {
  std::string text =
      "needs <code>" + Escape(triage.flags.empty() ? "no flags" : support::OneLine(triage.flags)) + "</code>";
  if (!triage.pass.empty()) {
    text += " · pass <code>" + Escape(support::OneLine(triage.pass)) + "</code>";
    if (!triage.place.empty()) text += " on " + Escape(support::OneLine(triage.place));
  }
  for (const std::string& line : Lines(triage.versions)) text += " · " + Escape(support::OneLine(line));
  if (!triage.note.empty()) text += " · not known: " + Escape(support::OneLine(triage.note));
  return "<p>" + text + "</p>\n";
}

std::string BugCard(const PageData& data, const store::Bug& bug) {
  const store::Bug shown = ShownForm(bug);
  std::string html = fmt::format(
      "<details><summary><b>{}</b> <span class=\"kind\">{}</span> {} time{}<br><span "
      "class=\"quiet\">{}</span></summary>\n",
      Escape(bug.target), Escape(bug.kind), Thousands(TotalCount(bug)), TotalCount(bug) == 1 ? "" : "s",
      Escape(support::OneLine(shown.title)));
  html += FileLinks(data, bug);
  html +=
      fmt::format("<p>{} · seed {} · first seen {}<br>{}: <code>{}</code></p>\n", FolderLink(data, bug), bug.first_seed,
                  IsoTime(bug.first_seen_ms), Escape(support::NameAndVersion(bug.target, bug.version)),
                  Escape(support::OneLine(bug.configuration)));
  html += fmt::format("<p class=\"quiet\">{}</p>\n", Escape(support::OneLine(bug.signature)));
  if (!bug.doubt.empty()) html += fmt::format("<p>{}</p>\n", Escape(support::OneLine(bug.doubt)));
  if (bug.triage) html += TriageText(*bug.triage);
  for (const store::Twin& twin : bug.twins) {
    html +=
        fmt::format("<p class=\"quiet\">the same bug: <code>{}</code> · seed {} · {} time{} · {}</p>\n",
                    Escape(support::OneLine(twin.name)), twin.seed, Thousands(twin.count), twin.count == 1 ? "" : "s",
                    twin.reason.empty() ? "not looked at" : Escape(support::OneLine(twin.reason)));
  }
  if (bug.reduction) {
    html +=
        fmt::format("<p class=\"quiet\">reduction: {}</p>\n", Escape(support::OneLine(ReductionText(*bug.reduction))));
    if (!bug.reduction->explanation.empty()) {
      html += fmt::format("<p>{}</p>\n", Escape(support::OneLine(bug.reduction->explanation)));
    }
  }
  const Extent program{.lines = 400, .line_bytes = 1000, .bytes = 20000};
  const bool reduced = IsReduced(bug);
  if (reduced) html += Preformatted("Test case", shown.files[0], program);
  html += fmt::format("<pre>{}</pre>\n", Escape(support::Beginning(CommandsByHand(shown), 4000)));
  for (const store::BugFile& file : shown.files) {
    if (IsOutput(file.role) && !file.content.empty()) html += Preformatted(HeadingOfRole(file.role), file, {});
  }
  for (const store::BugFile& file : bug.files) {
    if (!reduced && file.role == "program") html += Preformatted(file.name, file, program);
  }
  return html + "</details>\n";
}

std::string BugList(const PageData& data, const std::string& title, bool (*wanted)(const store::Bug&)) {
  std::vector<const store::Bug*> bugs;
  for (const store::Bug& bug : data.bugs) {
    if (wanted(bug)) bugs.push_back(&bug);
  }
  if (bugs.empty()) return {};
  MostDifferentFirst(bugs);
  std::string html = fmt::format("<h2>{}</h2>\n", title);
  for (const store::Bug* bug : bugs) {
    if (bug->IsEntry()) html += BugCard(data, *bug);
  }
  return html;
}

std::string VerdictTable(const PageData& data) {
  std::set<std::string> verdicts;
  std::map<std::string, std::map<std::string, int64_t>> rows;
  for (const store::Tally& tally : data.tallies) {
    verdicts.insert(tally.verdict);
    rows[tally.target][tally.verdict] = tally.amount;
  }
  if (rows.empty()) return {};
  std::string html = "<h2>Verdicts</h2>\n<div class=\"wide\"><table><tr><th>target</th>";
  for (const std::string& verdict : verdicts) html += fmt::format("<th class=\"n\">{}</th>", Escape(verdict));
  html += "</tr>\n";
  for (auto& [target, counts] : rows) {
    html += fmt::format("<tr><td class=\"name\">{}</td>", Escape(target));
    for (const std::string& verdict : verdicts) {
      html += fmt::format("<td class=\"n\">{}</td>", counts[verdict] ? Thousands(counts[verdict]) : "");
    }
    html += "</tr>\n";
  }
  return html + "</table></div>\n";
}

std::string ConfigurationTable(const PageData& data) {
  if (data.configurations.empty()) return {};
  std::string html =
      "<h2>Configurations</h2>\n<div "
      "class=\"wide\"><table><tr><th>configuration</th><th>version</th><th>data "
      "model</th></tr>\n";
  for (const store::Configuration& item : data.configurations) {
    html += fmt::format("<tr><td class=\"name\">{}</td><td class=\"name\">{}</td><td>{}</td></tr>\n", Escape(item.name),
                        Escape(item.version), Escape(item.data_model));
  }
  return html + "</table></div>\n";
}

}  // namespace

support::Result<PageData> ReadPageData(store::Store& store) {
  ASSIGN_OR_RETURN(auto campaign, store.Info());
  ASSIGN_OR_RETURN(auto totals, store.Totals());
  ASSIGN_OR_RETURN(auto samples, store.Samples());
  ASSIGN_OR_RETURN(auto bugs, store.Bugs(true));
  ASSIGN_OR_RETURN(auto finds, store.Finds());
  ASSIGN_OR_RETURN(auto tallies, store.Tallies());
  ASSIGN_OR_RETURN(auto counters, store.Counters());
  ASSIGN_OR_RETURN(auto configurations, store.Configurations());
  ASSIGN_OR_RETURN(auto runs, store.Runs());
  return PageData{.campaign = campaign,
                  .totals = totals,
                  .samples = samples,
                  .bugs = bugs,
                  .finds = finds,
                  .tallies = tallies,
                  .counters = counters,
                  .configurations = configurations,
                  .runs = runs};
}

std::string RenderPage(const PageData& data) {
  std::string html =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">";
  if (data.running) html += fmt::format("<meta http-equiv=\"refresh\" content=\"{}\">", kRefreshSeconds);
  html += "<title>Assay: campaign</title>\n<style>";
  html += kStyle + Colours() + "</style></head><body>\n";
  html += fmt::format(
      "<h1>Assay campaign</h1><p class=\"quiet\">programs: {} · seed {} · begun {} · this page "
      "{}{}</p>\n",
      Escape(support::OneLine(data.campaign.source)), data.campaign.seed, IsoTime(data.campaign.created_ms),
      IsoTime(data.totals.time_ms), data.running ? " · running" : "");
  html += Tiles(data) + "<h2>Progress</h2>\n" + Charts(data);
  html += BugList(data, "Bugs", IsShownAsBug);
  html += BugList(data, "Suspects: most likely our own mistakes",
                  [](const store::Bug& bug) { return bug.kind == "suspect"; });
  html += BugList(data, "Flaky: did not happen again", [](const store::Bug& bug) { return bug.kind == "flaky"; });
  html += BugList(data, "Known bugs", [](const store::Bug& bug) { return bug.known != 0; });
  return html + VerdictTable(data) + ConfigurationTable(data) + "</body></html>\n";
}

support::Result<std::filesystem::path> WriteReport(const std::filesystem::path& folder, store::Store& store,
                                                   bool running) {
  ASSIGN_OR_RETURN(auto data, ReadPageData(store));
  data.running = running;
  for (const store::Bug& bug : data.bugs) {
    std::error_code code;
    if (std::filesystem::exists(BundleFolder(folder, bug) / "bug.md", code)) data.folders_here.insert(bug.name);
  }
  std::filesystem::path page = folder / "report.html";
  RETURN_IF_ERROR(support::WriteFile(page, RenderPage(data), support::Durability::Process));
  return page;
}

support::Result<std::filesystem::path> WriteEverything(const std::filesystem::path& folder, store::Store& store) {
  ASSIGN_OR_RETURN(auto bugs, store.Bugs(true));
  for (const store::Bug& bug : bugs) {
    if (bug.known == 0) RETURN_IF_ERROR(WriteBundle(folder, bug));
  }
  return WriteReport(folder, store, false);
}

}  // namespace assay::report
