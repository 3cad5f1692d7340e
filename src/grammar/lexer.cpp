#include "grammar/lexer.hpp"

#include <fmt/format.h>

#include <charconv>

namespace assay::grammar {

namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

std::string Printable(char c) {
  if (c >= 0x20 && c < 0x7f) return fmt::format("'{}'", c);
  return fmt::format("byte 0x{:02x}", static_cast<unsigned char>(c));
}

}  // namespace

char Lexer::Take() {
  char c = source_[offset_++];
  if (c == '\n') {
    ++line_;
    column_ = 1;
  } else {
    ++column_;
  }
  return c;
}

void Lexer::SkipBlanks() {
  while (!AtEnd()) {
    if (IsBlank(Peek())) {
      Take();
    } else if (Peek() == '#') {
      while (!AtEnd() && Peek() != '\n') Take();
    } else {
      return;
    }
  }
}

Token Lexer::Finish(TokenKind kind, size_t begin, Place place) const {
  place.length = static_cast<uint32_t>(offset_ - begin);
  return {kind, source_.substr(begin, offset_ - begin), 0, place};
}

Token Lexer::ReadNumber() {
  size_t begin = offset_;
  Place place = Here();
  if (Peek() == '-') Take();
  while (IsDigit(Peek())) Take();
  Token token = Finish(TokenKind::Number, begin, place);
  auto [end, error] = std::from_chars(token.text.data(), token.text.data() + token.text.size(), token.number);
  if (error != std::errc()) {
    diagnostics_.Add(DiagnosticKind::NumberTooLarge, token.place,
                     fmt::format("the number {} does not fit 64 bits", token.text),
                     "write a number between -9223372036854775808 and 9223372036854775807");
  }
  return token;
}

Token Lexer::ReadCharacter() {
  size_t begin = offset_;
  Place place = Here();
  Take();
  int64_t value = static_cast<unsigned char>(Peek());
  bool good = !AtEnd() && Peek() != '\n' && Peek() != '\'';
  if (good) {
    if (Take() == '\\' && Peek() != '\'') {
      char escaped = Peek();
      value = escaped == 'n' ? '\n' : escaped == 't' ? '\t' : static_cast<unsigned char>(escaped);
      if (!AtEnd() && escaped != '\n') Take();
    }
    good = Peek() == '\'';
  }
  if (good || Peek() == '\'') {
    if (!AtEnd()) Take();
  }
  Token token = Finish(TokenKind::Character, begin, place);
  token.number = value;
  if (!good) {
    diagnostics_.Add(DiagnosticKind::BadCharacterLiteral, token.place,
                     fmt::format("{} is not a character literal", token.text),
                     "write one character between single quotes, for instance 'x'");
  }
  return token;
}

Token Lexer::Next() {
  for (;;) {
    SkipBlanks();
    Place place = Here();
    size_t begin = offset_;
    if (AtEnd()) return {TokenKind::End, {}, 0, place};
    char c = Peek();
    if (IsNameStart(c)) {
      while (IsNameStart(Peek()) || IsDigit(Peek())) Take();
      return Finish(TokenKind::Name, begin, place);
    }
    if (IsDigit(c) || (c == '-' && IsDigit(Peek(1)))) return ReadNumber();
    if (c == '\'') return ReadCharacter();
    if (c == '"') {
      Take();
      return Finish(TokenKind::Quote, begin, place);
    }
    constexpr std::string_view kSingles = "{}().;:,@$=+-*/<>";
    bool two = Peek(1) == '=' && (c == '=' || c == '!' || c == '<' || c == '>');
    if (two) {
      Take();
      Take();
      return Finish(TokenKind::Symbol, begin, place);
    }
    if (kSingles.find(c) != std::string_view::npos) {
      Take();
      return Finish(TokenKind::Symbol, begin, place);
    }
    Take();
    diagnostics_.Add(DiagnosticKind::UnexpectedCharacter, place,
                     fmt::format("{} starts nothing in this language", Printable(c)),
                     "remove it; comments start with #");
  }
}

}  // namespace assay::grammar
