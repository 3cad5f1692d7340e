// Programs of our own C generator, with what they must print.
//
// A program is written for one data model, so each seed draws one of the models of the targets
// under test; the targets of other models sit that test out. Some compilers cannot take some
// constructs (missing_knobs of their profile): half of the programs do without these constructs,
// the other half are not given to these compilers.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "campaign/source.hpp"
#include "knobs/knobs.hpp"
#include "lang/data_model.hpp"

namespace assay::campaign {

// The median size of a campaign's programs where neither the profile nor the knobs say one: many
// configurations try each program, and many smaller programs find more than few large ones.
inline constexpr int32_t kCampaignTokens = 2000;

class CSource : public ProgramSource {
 public:
  // Targets whose data model the generator does not know are left out; with no other left, an
  // Error.
  static Result<std::unique_ptr<ProgramSource>> Make(const SourceOptions& options,
                                                     const std::vector<target::Target>& targets);

  Result<std::optional<TestCase>> Make(int64_t seed) override;
  std::string Description() const override { return description_; }
  double ChildCpuSeconds() const override { return cpu_seconds_; }

 private:
  struct Model {
    lang::DataModelKind kind;
    knobs::Knobs common;               // what every target of the model can take
    std::vector<std::string> limited;  // targets that cannot take all knobs
  };

  std::string description_;
  std::atomic<double> cpu_seconds_ = 0;
  knobs::Knobs knobs_;
  std::vector<Model> models_;  // the first is drawn most
};

}  // namespace assay::campaign
