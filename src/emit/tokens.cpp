#include "emit/tokens.hpp"

#include <array>
#include <cstdint>

namespace assay::emit {
namespace {

enum class Class : uint8_t { Space, Word, Digit, Quote, Other };

constexpr Class Classify(int c) {
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c >= 128) return Class::Word;
  if (c >= '0' && c <= '9') return Class::Digit;
  if (c == ' ' || (c >= '\t' && c <= '\r') || c == 0) return Class::Space;
  if (c == '"' || c == '\'') return Class::Quote;
  return Class::Other;
}

constexpr std::array<Class, 256> kClasses = [] {
  std::array<Class, 256> classes{};
  for (int c = 0; c < 256; ++c) classes[static_cast<size_t>(c)] = Classify(c);
  return classes;
}();

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  size_t Count() {
    size_t count = 0;
    while (at_ < text_.size()) {
      switch (ClassOf(text_[at_])) {
        case Class::Space: ++at_; continue;
        case Class::Word: SkipWord(); break;
        case Class::Digit: SkipNumber(); break;
        case Class::Quote: SkipLiteral(); break;
        case Class::Other:
          if (SkipComment()) continue;
          SkipPunctuator();
          break;
      }
      ++count;
    }
    return count;
  }

 private:
  static Class ClassOf(char c) { return kClasses[static_cast<unsigned char>(c)]; }
  static bool IsWord(char c) { return ClassOf(c) == Class::Word || ClassOf(c) == Class::Digit; }
  char Peek(size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void SkipWord() {
    while (at_ < text_.size() && IsWord(text_[at_])) ++at_;
  }

  void SkipNumber() {  // a pp-number: the sign of an exponent belongs to it, also in 0x1e+3
    while (at_ < text_.size() && (IsWord(text_[at_]) || text_[at_] == '.')) {
      const char letter = static_cast<char>(text_[at_] | 0x20);
      ++at_;
      if ((letter == 'e' || letter == 'p') && (Peek(0) == '+' || Peek(0) == '-')) ++at_;
    }
  }

  void SkipLiteral() {
    const char quote = text_[at_++];
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
      at_ += text_[at_] == '\\' ? 2 : 1;
    }
    ++at_;
  }

  bool SkipComment() {
    if (text_[at_] == '\\' && Peek(1) == '\n') {
      at_ += 2;
      return true;
    }
    if (text_[at_] != '/') return false;
    if (Peek(1) == '/') {
      const size_t end = text_.find('\n', at_);
      at_ = end == std::string_view::npos ? text_.size() : end;
      return true;
    }
    if (Peek(1) == '*') {
      const size_t end = text_.find("*/", at_ + 2);
      at_ = end == std::string_view::npos ? text_.size() : end + 2;
      return true;
    }
    return false;
  }

  void SkipPunctuator() {
    const auto is_in = [](char c, std::string_view set) { return set.find(c) != std::string_view::npos; };
    const char a = text_[at_], b = Peek(1), c = Peek(2);
    size_t length = 1;
    if ((a == '.' && b == '.' && c == '.') || (is_in(a, "<>") && b == a && c == '=')) {
      length = 3;
    } else if ((b == '=' && is_in(a, "<>=!+-*/%&|^")) || (b == a && is_in(a, "<>+-&|#")) || (a == '-' && b == '>')) {
      length = 2;
    }
    at_ += length;
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

size_t CountTokens(std::string_view text) { return Scanner(text).Count(); }

}  // namespace assay::emit
