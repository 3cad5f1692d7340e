// How `assay fuzz` shows a campaign: a status line on a terminal, plain lines elsewhere, one JSON
// object a line with
// --json.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "campaign/campaign.hpp"

namespace assay::cli {

class FuzzProgress : public campaign::Observer {
 public:
  // Everything is over; `bugs` are all of the campaign with their files, `report` the page made, or empty.
  virtual void Ended(const campaign::Summary& summary, const std::vector<store::Bug>& bugs,
                     const std::string& report) = 0;
};

// A status line if stderr is a terminal, else log lines.
std::unique_ptr<FuzzProgress> TextProgress();
std::unique_ptr<FuzzProgress> JsonProgress();

}  // namespace assay::cli
