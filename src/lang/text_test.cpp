#include "lang/text.hpp"

#include <gtest/gtest.h>

#include "lang/samples.hpp"

namespace assay::lang {
namespace {

TEST(TextTest, SaveOfLoadIsTheSameText) {
  for (const Sample& sample : AllSamples()) {
    const std::string text = Save(sample.program);
    support::Result<Program> loaded = Load(text);
    ASSERT_TRUE(loaded.Ok()) << sample.name << ": " << loaded.GetError().message;
    EXPECT_EQ(Save(*loaded), text) << sample.name;
  }
}

}  // namespace
}  // namespace assay::lang
