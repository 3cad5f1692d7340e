// Small pieces of text that all reports share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "store/records.hpp"

namespace assay::report {

std::vector<std::string> Lines(std::string_view text);
// 2026-01-31 12:00:00 UTC
std::string IsoTime(int64_t ms);
// 20260131-120000, for names of files.
std::string FileTime(int64_t ms);
// 45 s, 12 min, 3.5 h
std::string Duration(int64_t ms);
// 1,234,567
std::string Thousands(int64_t number);
// "What it printed" for the role "actual", and so on.
std::string HeadingOfRole(std::string_view role);
// Is a file with this role something that a compiler or program printed, or should have?
bool IsOutput(std::string_view role);
// "2104 to 24 tokens in 6 s", "waits", "failed: ..."
std::string ReductionText(const store::Reduction& reduction);
// Text for HTML, attributes included; control characters are shown, not sent.
std::string Escape(std::string_view text);
// A path for a link, relative to the page.
std::string Link(std::string_view path);
// A name from a store or a file of targets as the name of one file or folder: itself if it can be one,
// else another that no other name gives.
std::string SafeName(std::string_view name);

// Of Triage::versions: those that do this ("fails", "right"), in one line.
std::string VersionsThat(const std::string& versions, std::string_view what);

// How often a bug was seen, under whatever name.
int64_t TotalCount(const store::Bug& bug);

}  // namespace assay::report
