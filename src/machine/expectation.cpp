#include "machine/expectation.hpp"

#include <fmt/format.h>

namespace assay::machine {

uint64_t Checksum(const RunResult& result) {
  uint64_t hash = kChecksumStart;
  for (const FinalScalar& scalar : result.finals) {
    switch (scalar.state) {
      case FinalScalar::State::Value: hash = ChecksumMix(hash, scalar.value); break;
      case FinalScalar::State::NullPointer:
      case FinalScalar::State::Pointer:
      case FinalScalar::State::FunctionPointer: hash = ChecksumMix(hash, 1); break;
      case FinalScalar::State::Unreadable: break;
    }
  }
  return hash;
}

std::string ExpectedOutput(const RunResult& result) { return fmt::format("checksum = {:016x}\n", Checksum(result)); }

}  // namespace assay::machine
