// Bug folders: everything about one bug, ready to attach to a report. Rendered from the store
// alone, so a folder that is missing (the campaign was killed, the disk was full) can be written
// again at any time.
#pragma once

#include <filesystem>
#include <string>

#include "store/records.hpp"
#include "support/result.hpp"

namespace assay::report {

// Has the bug a folder? Not while it is only supposed to be the same as another.
bool HasBundle(const store::Bug& bug);

// Where the folder of a bug stands in the campaign's folder: bugs/NAME, suspects/NAME, flaky/NAME, or same/NAME if it
// turned out to be another one.
std::filesystem::path BundleFolder(const std::filesystem::path& campaign, const store::Bug& bug);

// Writes the folder as a whole (it appears complete or not at all): the program, what was expected
// and seen, repro.sh, bug.json and bug.md. In a folder that already exists what is missing or has
// changed is written. A bug without a folder of its own loses the one it may have had.
support::Result<void> WriteBundle(const std::filesystem::path& campaign, const store::Bug& bug);

// Is the folder there with all that the store has for it?
bool BundleIsComplete(const std::filesystem::path& campaign, const store::Bug& bug);

// Removes half-written folders of processes that were killed, and the folder they stand in. Call it
// when a campaign begins and ends.
void RemovePartialBundles(const std::filesystem::path& campaign);

}  // namespace assay::report
