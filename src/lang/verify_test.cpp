#include "lang/verify.hpp"

#include <gtest/gtest.h>

#include "lang/samples.hpp"
#include "lang/text.hpp"

namespace assay::lang {
namespace {

TEST(VerifyTest, SamplesAreWellFormed) {
  for (Sample& sample : AllSamples()) {
    for (const Problem& problem : Verify(sample.program))
      ADD_FAILURE() << sample.name << ": " << Describe(problem);
    Program loaded = *Load(Save(sample.program));
    for (const Problem& problem : Verify(loaded))
      ADD_FAILURE() << sample.name << ": " << Describe(problem);
  }
}

}  // namespace
}  // namespace assay::lang
