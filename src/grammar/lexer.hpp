// Tokens of LaLa, made on demand: the parser decides how the text after a quote is read, because
// templates contain expressions.
#pragma once

#include <string>
#include <string_view>

#include "grammar/diagnostics.hpp"

namespace assay::grammar {

enum class TokenKind : uint8_t { Name, Number, Character, Quote, Symbol, End };

struct Token {
  TokenKind kind = TokenKind::End;
  std::string_view text;
  int64_t number = 0;  // Number, Character
  Place place;
};

class Lexer {
 public:
  // `source` must outlive the lexer and its tokens.
  Lexer(std::string_view source, Diagnostics& diagnostics) : source_(source), diagnostics_(diagnostics) {}

  // The next token. Characters that start none are reported and skipped.
  Token Next();

  // Raw reading, for what stands between quotes.
  bool AtEnd() const { return offset_ >= source_.size(); }
  char Peek(size_t ahead = 0) const { return offset_ + ahead < source_.size() ? source_[offset_ + ahead] : '\0'; }
  char Take();
  Place Here(uint32_t length = 1) const { return {line_, column_, length}; }

 private:
  void SkipBlanks();
  Token Finish(TokenKind kind, size_t begin, Place place) const;
  Token ReadNumber();
  Token ReadCharacter();

  std::string_view source_;
  Diagnostics& diagnostics_;
  size_t offset_ = 0;
  uint32_t line_ = 1;
  uint32_t column_ = 1;
};

}  // namespace assay::grammar
