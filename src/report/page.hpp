// report.html: one page about a campaign. Self-contained (no script, no outside resource), readable
// on a phone.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "store/store.hpp"
#include "support/result.hpp"

namespace assay::report {

// What the page shows; read from a store.
struct PageData {
  store::CampaignInfo campaign;
  store::Sample totals;
  std::vector<store::Sample> samples;
  std::vector<store::Bug> bugs;
  std::vector<store::Find> finds;
  std::vector<store::Tally> tallies;
  std::vector<store::Counter> counters;
  std::vector<store::Configuration> configurations;
  std::vector<store::Run> runs;
  std::set<std::string> folders_here;  // names of bugs whose folders are beside the page: it links to them
  bool running = false;                // the campaign goes on: the page loads itself again
};

support::Result<PageData> ReadPageData(store::Store& store);
std::string RenderPage(const PageData& data);

// Writes FOLDER/report.html; returns its path.
support::Result<std::filesystem::path> WriteReport(const std::filesystem::path& folder, store::Store& store,
                                                   bool running);

// Brings the folders of all bugs up to date, whoever found them, then writes the page of a campaign that
// does not run; returns the page's path.
support::Result<std::filesystem::path> WriteEverything(const std::filesystem::path& folder, store::Store& store);

}  // namespace assay::report
