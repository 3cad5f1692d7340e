// The spelling of constants and string literals.
#pragma once

#include <string>
#include <string_view>

#include "emit/text.hpp"
#include "lang/data_model.hpp"
#include "lang/expr.hpp"
#include "lang/types.hpp"

namespace assay::emit {

// How a constant appears: a literal, a negated literal, or a difference (the minimum of a signed
// type).
enum class ConstantShape : uint8_t { Literal, Negated, Minimum };

ConstantShape ShapeOf(lang::TypeKind kind, uint64_t value, lang::ConstantSpelling spelling,
                      const lang::DataModel& model);

// Appends a constant of the standard kind Int … ULLong, or of a floating kind, with exactly that type and value
// (canonical). There are no parentheses around the whole; the shape says what operator it ends up
// with.
void AppendConstant(Text& out, lang::TypeKind kind, uint64_t value, lang::ConstantSpelling spelling,
                    const lang::DataModel& model);

// The same for a floating kind.
void AppendFloatConstant(Text& out, lang::TypeKind kind, uint64_t bits, lang::ConstantSpelling spelling);

// "text" with escapes; every byte is kept exactly.
void AppendString(Text& out, std::string_view text);

}  // namespace assay::emit
