// Reading bugs within a transaction. Internal to the store.
#pragma once

#include <soci/soci.h>

#include <vector>

#include "store/records.hpp"

namespace assay::store {

// All bugs of the family and kind of this one, with their files, in the order they were seen.
std::vector<Bug> BugsLike(soci::session& session, const Bug& bug);

}  // namespace assay::store
