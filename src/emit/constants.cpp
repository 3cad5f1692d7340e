#include "emit/constants.hpp"

#include "emit/names.hpp"
#include "lang/typing.hpp"

namespace assay::emit {

using namespace lang;  // NOLINT: the model's names

namespace {

void AppendSuffix(Text& out, TypeKind kind, bool lower) {
  const std::string_view suffix = Info(kind).suffix;
  CHECK_MSG(suffix != kNoLiteral, "no constant has the type kind {}", static_cast<int>(kind));
  if (!lower) {
    out += suffix;
  } else {
    for (char c : suffix) out += static_cast<char>(c + ('a' - 'A'));
  }
}

void AppendInBase(Text& out, uint64_t value, unsigned bits_per_digit, const char* digits) {
  char buffer[24];
  size_t at = sizeof buffer;
  do {
    buffer[--at] = digits[value & ((1u << bits_per_digit) - 1)];
    value >>= bits_per_digit;
  } while (value != 0);
  out.Append(buffer + at, sizeof buffer - at);
}

void AppendMagnitude(Text& out, TypeKind kind, uint64_t value, ConstantSpelling spelling) {
  switch (spelling) {
    case ConstantSpelling::Hex:
      out += "0x";
      AppendInBase(out, value, 4, "0123456789abcdef");
      break;
    case ConstantSpelling::HexUpper:
      out += "0X";
      AppendInBase(out, value, 4, "0123456789ABCDEF");
      break;
    case ConstantSpelling::Octal:
      out += '0';
      if (value != 0) AppendInBase(out, value, 3, "01234567");
      break;
    case ConstantSpelling::Decimal:
    case ConstantSpelling::DecimalLowerSuffix:
    case ConstantSpelling::Character:
    case ConstantSpelling::kCount: AppendNumber(out, value); break;
  }
  AppendSuffix(out, kind, spelling == ConstantSpelling::DecimalLowerSuffix);
}

// Appends one character of a literal. Octal escapes have three digits, so that what follows never
// joins them.
void AppendEscaped(Text& out, char c, char quote) {
  const auto byte = static_cast<unsigned char>(c);
  if (c == quote || c == '\\') {
    out += '\\';
    out += c;
  } else if (c == '\n') {
    out += "\\n";
  } else if (byte < 32 || byte > 126 || c == '?') {  // ? could begin a trigraph
    out += '\\';
    out += static_cast<char>('0' + (byte >> 6));
    out += static_cast<char>('0' + ((byte >> 3) & 7));
    out += static_cast<char>('0' + (byte & 7));
  } else {
    out += c;
  }
}

// True if the constant can be, and is to be, written as a character constant.
bool IsCharacter(TypeKind kind, uint64_t value, ConstantSpelling spelling, const DataModel& model) {
  if (spelling != ConstantSpelling::Character || kind != TypeKind::Int) return false;
  const auto v = static_cast<int64_t>(value);
  return model.Properties().char_is_signed ? v >= -128 && v <= 127 : v >= 0 && v <= 255;
}

}  // namespace

ConstantShape ShapeOf(TypeKind kind, uint64_t value, ConstantSpelling spelling, const DataModel& model) {
  if (IsFloat(kind)) return (value & SignBit(kind)) != 0 ? ConstantShape::Negated : ConstantShape::Literal;
  if (static_cast<int64_t>(value) >= 0) return ConstantShape::Literal;
  const IntegerInfo info = IntegerInfoOf(kind, model);
  if (!info.is_signed || IsCharacter(kind, value, spelling, model)) return ConstantShape::Literal;
  return static_cast<int64_t>(value) == info.Min() ? ConstantShape::Minimum : ConstantShape::Negated;
}

void AppendConstant(Text& out, TypeKind kind, uint64_t value, ConstantSpelling spelling, const DataModel& model) {
  if (IsFloat(kind)) return AppendFloatConstant(out, kind, value, spelling);
  if (IsCharacter(kind, value, spelling, model)) {
    out += '\'';
    AppendEscaped(out, static_cast<char>(value), '\'');
    out += '\'';
    return;
  }
  switch (ShapeOf(kind, value, spelling, model)) {
    case ConstantShape::Literal: AppendMagnitude(out, kind, value, spelling); return;
    case ConstantShape::Negated:
      out += '-';
      AppendMagnitude(out, kind, 0 - value, spelling);
      return;
    case ConstantShape::Minimum:  // its magnitude is not a value of the type
      out += '-';
      AppendMagnitude(out, kind, 0 - (value + 1), spelling);
      out += " - 1";
      return;
  }
}

void AppendString(Text& out, std::string_view text) {
  out += '"';
  for (char c : text) AppendEscaped(out, c, '"');
  out += '"';
}

}  // namespace assay::emit
