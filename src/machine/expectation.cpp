#include "machine/expectation.hpp"

#include <fmt/format.h>

#include "lang/float_kinds.hpp"

namespace assay::machine {

FinalForm FormOf(const lang::Program& program, const FinalScalar& scalar) {
  if (scalar.state == FinalScalar::State::Unreadable) return FinalForm::Unseen;
  const lang::TypeKind kind = program.types.Kind(scalar.type);
  switch (lang::ClassOf(kind)) {
    case lang::TypeClass::Integer:
      return lang::IntegerInfoOf(kind, program.Model()).is_signed ? FinalForm::Signed : FinalForm::Unsigned;
    case lang::TypeClass::Pointer: return FinalForm::Pointer;
    case lang::TypeClass::Float: return lang::FormatOf(kind).bytes == 4 ? FinalForm::Float : FinalForm::Double;
    case lang::TypeClass::Complex:
    case lang::TypeClass::Vector:
    case lang::TypeClass::Wide:
    case lang::TypeClass::Record:
    case lang::TypeClass::Array:
    case lang::TypeClass::Function:
    case lang::TypeClass::Void:
    case lang::TypeClass::VaList:
    case lang::TypeClass::kCount: break;
  }
  CHECK_MSG(false, "no final has the kind {}", lang::Info(kind).name);
  return FinalForm::Unseen;
}

Value MixedValue(const FinalScalar& scalar) {
  switch (scalar.state) {
    case FinalScalar::State::Value: return scalar.value;
    case FinalScalar::State::NullPointer:
    case FinalScalar::State::Pointer:
    case FinalScalar::State::FunctionPointer: return 1;
    case FinalScalar::State::Unreadable: break;
  }
  CHECK(false);
  return 0;
}

uint64_t Checksum(const RunResult& result) {
  uint64_t hash = kChecksumStart;
  for (const FinalScalar& scalar : result.finals) {
    if (scalar.state != FinalScalar::State::Unreadable) hash = ChecksumMix(hash, MixedValue(scalar));
  }
  return hash;
}

std::string ExpectedOutput(const RunResult& result) { return fmt::format("checksum = {:016x}\n", Checksum(result)); }

}  // namespace assay::machine
