// What a program's header comment says about its maker. The version is for people; the revision says which bytes a seed
// gives: it moves with every change of them, and tests/golden_test.cpp fails until it does.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace assay::gen {

inline constexpr std::string_view kVersion = "0.2.0";
inline constexpr uint32_t kRevision = 6;

// As in the provenance of every program: "0.2.0-r4".
inline std::string ProgramVersion() { return fmt::format("{}-r{}", kVersion, kRevision); }

// Whether a program with this provenance has the bytes that its seed gives here.
inline bool IsOfThisRevision(std::string_view program_version) {
  return program_version.ends_with(fmt::format("-r{}", kRevision));
}

}  // namespace assay::gen
