#include "support/ids.hpp"

#include <gtest/gtest.h>

namespace assay::support {
namespace {

struct Tag;
using SomeId = Id<Tag>;

#if defined(__SANITIZE_ADDRESS__) && !defined(ASSAY_CHECKED_STORES)
#error "a sanitized build must check the ids of stores"
#endif

TEST(StoreTest, AnIdThatIsNotInTheStoreStopsACheckedBuild) {
  Store<SomeId, int> store;
  const SomeId id = store.Add(7);
  EXPECT_EQ(store[id], 7);
#ifdef ASSAY_CHECKED_STORES
  EXPECT_DEATH(store[SomeId(1)] = 1, "id 1 in a store of 1");
  EXPECT_DEATH(store[SomeId()] = 1, "in a store of 1");
#else
  GTEST_SKIP() << "this build does not check: the presets debug and asan do";
#endif
}

}  // namespace
}  // namespace assay::support
