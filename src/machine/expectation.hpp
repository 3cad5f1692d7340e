// What a program must print: one checksum over the final values of its globals. The emitted main computes the same
// from the real objects, in the order of RunResult::finals.
#pragma once

#include <string>

#include "machine/machine.hpp"

namespace assay::machine {

// h starts at kChecksumStart; for every final that is not Unreadable, h = Mix(h, v) with v the value (sign- or
// zero-extended to 64 bits) or, for pointers, 1 (the emitted text compares them with what they must point at).
inline constexpr uint64_t kChecksumStart = 0x9e3779b97f4a7c15u;
constexpr uint64_t ChecksumMix(uint64_t h, uint64_t v) {
  h = (h ^ v) * 0x100000001b3u;
  return h ^ (h >> 29);
}

uint64_t Checksum(const RunResult& result);
// The exact standard output of a program in its checksum form: "checksum = %016llx\n".
std::string ExpectedOutput(const RunResult& result);

}  // namespace assay::machine
