// The machine on the sample programs, whose results were worked out by hand.
#include "lang/samples.hpp"

#include "machine/testing.hpp"

namespace assay::machine::testing {
namespace {

TEST(Samples, GiveTheResultsWorkedOutByHand) {
  for (Sample& sample : AllSamples()) {
    Machine machine(sample.program, {});
    const RunResult result = machine.Run();
    ASSERT_EQ(Info(result.trap.kind).name, "none") << sample.name << " expr " << result.trap.expr.index;
    for (const SampleFinal& expected : sample.finals) {
      bool found = false;
      for (const FinalScalar& scalar : result.finals) {
        if (scalar.var != expected.var || scalar.path != expected.path) continue;
        found = true;
        EXPECT_EQ(static_cast<int64_t>(scalar.value), expected.value)
            << sample.name << " variable " << expected.var.index;
      }
      EXPECT_TRUE(found) << sample.name << " variable " << expected.var.index;
    }
  }
}

}  // namespace
}  // namespace assay::machine::testing
