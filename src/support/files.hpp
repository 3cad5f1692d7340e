// Files of ours: read whole, write whole. A write is atomic (a temporary beside the file, synced, renamed), so a
// reader or a crash never sees half a file. Links are followed; devices and pipes are written to, not replaced.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "support/result.hpp"

namespace assay::support {

// A file that is not there, or is a folder, was named wrongly: wrong usage. Any other failure is the system's.
Result<std::string> ReadFile(const std::filesystem::path& path);
// What a written file survives: the end of this process, however it ends, or also that of the machine (slower).
enum class Durability { Process, Machine };

// All of it or nothing: a reader never sees half a file.
Result<void> WriteFile(const std::filesystem::path& path, std::string_view content,
                       Durability durability = Durability::Machine);
// Removes, in the folder and below, what WriteFile was writing when its process was killed.
void RemoveStaleTemporaries(const std::filesystem::path& folder);

Result<void> MakeFolder(const std::filesystem::path& path);

}  // namespace assay::support
