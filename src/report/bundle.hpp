// Bug folders: everything about one bug, ready to attach to a report. Rendered from the store
// alone, so a folder that is missing (the campaign was killed, the disk was full) can be written
// again at any time.
#pragma once

#include <filesystem>
#include <string>

#include "store/records.hpp"
#include "support/result.hpp"

namespace assay::report {

// Where the folder of a bug stands in the campaign's folder: bugs/NAME, suspects/NAME or
// flaky/NAME.
std::filesystem::path BundleFolder(const std::filesystem::path& campaign, const store::Bug& bug);

// Writes the folder as a whole (it appears complete or not at all): the program, what was expected
// and seen, repro.sh, bug.json and bug.md. In a folder that already exists what is missing or has
// changed is written.
support::Result<void> WriteBundle(const std::filesystem::path& campaign, const store::Bug& bug);

// Is the folder there with all that the store has for it?
bool BundleIsComplete(const std::filesystem::path& campaign, const store::Bug& bug);

// Removes half-written folders of processes that were killed, and the folder they stand in. Call it
// when a campaign begins and ends.
void RemovePartialBundles(const std::filesystem::path& campaign);

}  // namespace assay::report
