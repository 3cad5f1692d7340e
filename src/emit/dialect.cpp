#include "emit/dialect.hpp"

#include <fmt/format.h>

#include "lang/usage.hpp"

namespace assay::emit {

using namespace lang;  // NOLINT: the model's names

std::string_view Dialect::Spelling(TypeKind type) const {
  return type == TypeKind::VaList ? va_list : kTypeKinds[static_cast<size_t>(type)].spelling;
}

std::string_view Dialect::Spelling(Builtin builtin) const {
  switch (builtin) {
    case Builtin::VaStart: return va_start;
    case Builtin::VaEnd: return va_end;
    case Builtin::VaArg: return va_arg;
    case Builtin::Malloc:
    case Builtin::Calloc:
    case Builtin::Free:
    case Builtin::Memcpy:
    case Builtin::Memmove:
    case Builtin::Memset:
    case Builtin::Memcmp:
    case Builtin::AddOverflow:
    case Builtin::SubOverflow:
    case Builtin::MulOverflow:
    case Builtin::AddOverflowP:
    case Builtin::SubOverflowP:
    case Builtin::MulOverflowP:
    case Builtin::Expect:
    case Builtin::ExpectProbability:
    case Builtin::AssumeAligned:
    case Builtin::ConstantP:
    case Builtin::ObjectSize:
    case Builtin::Unreachable:
    case Builtin::Trap:
    case Builtin::AtomicLoad:
    case Builtin::AtomicStore:
    case Builtin::AtomicExchange:
    case Builtin::AtomicFetchAdd:
    case Builtin::AtomicFetchSub:
    case Builtin::AtomicFetchAnd:
    case Builtin::AtomicFetchOr:
    case Builtin::AtomicFetchXor:
    case Builtin::AtomicFetchNand:
    case Builtin::AtomicAddFetch:
    case Builtin::AtomicXorFetch:
    case Builtin::SyncFetchAdd:
    case Builtin::SyncFetchSub:
    case Builtin::SyncSwap:
    case Builtin::SyncCompareSwap:
    case Builtin::Strlen:
    case Builtin::Strcmp:
    case Builtin::Strncmp:
    case Builtin::Strchr:
    case Builtin::Memchr:
    case Builtin::Strcpy:
    case Builtin::Strcat:
    case Builtin::Fabs:
    case Builtin::CopySign:
    case Builtin::Floor:
    case Builtin::Ceil:
    case Builtin::Trunc:
    case Builtin::Rint:
    case Builtin::NearbyInt:
    case Builtin::Round:
    case Builtin::Fmin:
    case Builtin::Fmax:
    case Builtin::Sqrt:
    case Builtin::Fma:
    case Builtin::Ldexp:
    case Builtin::Scalbn:
    case Builtin::IsNaN:
    case Builtin::IsInf:
    case Builtin::IsFinite:
    case Builtin::SignBit:
    case Builtin::IsGreater:
    case Builtin::IsGreaterEqual:
    case Builtin::IsLess:
    case Builtin::IsLessEqual:
    case Builtin::IsLessGreater:
    case Builtin::IsUnordered:
    case Builtin::kCount: break;
  }
  return lang::Info(builtin).spelling;  // a library function has one name
}

std::string WhyNotIn(const Dialect& dialect, const Program& program) {
  if (dialect.has_gnu_builtins && !dialect.packed.empty()) return "";  // it has words for everything
  const Usage usage = UsageOf(program);
  const auto lacks = [&](const auto& row, std::string_view word) {
    return row.needs == Availability::Gnu && !dialect.has_gnu_builtins && usage.Uses(row.kind) && word == row.spelling;
  };
  const auto why = [&](std::string_view word) { return fmt::format("{} has no {}", dialect.name, word); };
  for (const UnaryOpInfo& row : kUnaryOps) {
    if (lacks(row, row.spelling)) return why(row.spelling);
  }
  for (const BinaryOpInfo& row : kBinaryOps) {
    if (lacks(row, row.spelling)) return why(row.spelling);
  }
  for (const BuiltinInfo& row : kBuiltins) {
    if (lacks(row, dialect.Spelling(row.kind))) return why(row.spelling);
  }
  if (usage.barriers && !dialect.has_gnu_builtins) return why("asm");
  if (usage.case_ranges && !dialect.has_gnu_builtins) return why("ranges of cases");
  if (usage.label_tables && !dialect.has_gnu_builtins) return why("computed goto");
  for (RecordId record : usage.records) {
    if (program.types.GetRecord(record).packed && dialect.packed.empty()) return why("packed records");
  }
  return "";
}

}  // namespace assay::emit
