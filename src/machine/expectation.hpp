// What a program must print: one checksum over the final values of its globals. The emitted main computes the same
// from the real objects, in the order of RunResult::finals.
#pragma once

#include <string>

#include "machine/machine.hpp"

namespace assay::machine {

// The one definition of the checksum; emit/checks.cpp writes it as C text. h starts at kChecksumStart; for every final
// that is seen, h = ChecksumMix(h, MixedValue).
inline constexpr uint64_t kChecksumStart = 0x9e3779b97f4a7c15u;
inline constexpr uint64_t kChecksumFactor = 0x100000001b3u;
inline constexpr unsigned kChecksumShift = 29;
constexpr uint64_t ChecksumMix(uint64_t h, uint64_t v) {
  h = (h ^ v) * kChecksumFactor;
  return h ^ (h >> kChecksumShift);
}

// How a final takes part, by the class of its type: what is mixed, shown and compared.
enum class FinalForm : uint8_t {
  Unseen,    // cannot be read
  Signed,    // its value, sign-extended to 64 bits
  Unsigned,  // its value, zero-extended to 64 bits
  Float,     // the bits of a float or double that can be seen, zero-extended: one NaN; one zero, unless it has a sign
  Double,
  Pointer,  // 1: the text compares it with what it must point at
  kCount
};
constexpr bool IsFloatForm(FinalForm form) { return form == FinalForm::Float || form == FinalForm::Double; }
FinalForm FormOf(const lang::Program& program, const FinalScalar& scalar);
// What is mixed of a final that is seen.
Value MixedValue(const FinalScalar& scalar);

uint64_t Checksum(const RunResult& result);
// The exact standard output of a program in its checksum form: "checksum = %016llx\n".
std::string ExpectedOutput(const RunResult& result);

}  // namespace assay::machine
