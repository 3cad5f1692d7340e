// Who holds a lease. An owner's name says host, boot, process-id namespace, process and start time,
// so that another process of the same machine can tell at once that the holder died, without
// waiting for its lease to expire.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace assay::store {

// A new name for a holder in this process. No two calls return the same one.
std::string NewOwner();

// True only if `owner` named a process of this machine and namespace that does not exist any more.
bool OwnerIsGone(std::string_view owner);

// May `wanting` take what `holder` holds (nobody, someone dead, someone who was not heard of for
// long)?
bool IsFree(const std::string& holder, int64_t heartbeat_ms, const std::string& wanting, int64_t now_ms);

}  // namespace assay::store
