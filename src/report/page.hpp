// report.html: one page about a campaign. Self-contained (no script, no outside resource), readable
// on a phone.
#pragma once

#include <filesystem>
#include <map>
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
  std::map<std::string, std::string> twins;  // see shape.hpp
};

support::Result<PageData> ReadPageData(store::Store& store);
std::string RenderPage(const PageData& data);

// Writes FOLDER/report.html; returns its path.
support::Result<std::filesystem::path> WriteReport(const std::filesystem::path& folder,
                                                   store::Store& store);

}  // namespace assay::report
