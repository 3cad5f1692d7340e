// Who holds a lease. An owner's name says host, boot, process-id namespace, process and start time,
// so that another process of the same machine can tell at once that the holder died, without
// waiting for its lease to expire.
#pragma once

#include <string>
#include <string_view>

namespace assay::store {

// The name of this process. The same in every call.
std::string ThisOwner();

// True only if `owner` named a process of this machine and namespace that does not exist any more.
bool OwnerIsGone(std::string_view owner);

}  // namespace assay::store
