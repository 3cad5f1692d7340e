#include "emit/dialect.hpp"

#include <fmt/format.h>

#include "lang/builtin_families.hpp"
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
    case ASSAY_MEMORY_BUILTINS:
    case ASSAY_CHECKED_BUILTINS:
    case ASSAY_HINT_BUILTINS:
    case ASSAY_ATOMIC_BUILTINS:
    case ASSAY_STRING_BUILTINS:
    case ASSAY_FLOATING_BUILTINS:
    case ASSAY_CLASSIFYING_BUILTINS:
    case ASSAY_VECTOR_BUILTINS:
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
  if (!usage.vectors.empty() && !dialect.has_gnu_builtins) return why("vectors");
  const bool wide = usage.Uses(TypeKind::Int128) || usage.Uses(TypeKind::UInt128);
  if (wide && !dialect.has_gnu_builtins) return why("integers of 128 bits");
  if (usage.label_tables && !dialect.has_gnu_builtins) return why("computed goto");
  for (RecordId record : usage.records) {
    if (program.types.GetRecord(record).packed && dialect.packed.empty()) return why("packed records");
  }
  return "";
}

}  // namespace assay::emit
