// Who holds a lease. An owner's name says host, boot, process-id namespace, process and start time,
// so that another process of the same machine can tell at once that the holder died, without
// waiting for its lease to expire.
#pragma once

#include <string>
#include <string_view>

namespace assay::store {

// A new name for a holder in this process. No two calls return the same one.
std::string NewOwner();

// True only if `owner` named a process of this machine and namespace that does not exist any more.
bool OwnerIsGone(std::string_view owner);

}  // namespace assay::store
