// Walks over the words of the text form. The first error is kept with its line, and from then on
// every read returns a harmless default, so that who reads needs no checks of its own except in
// loops.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace assay::lang {

class TextReader {
 public:
  static constexpr uint64_t kMaxCount = 10'000'000;  // of anything numbered

  explicit TextReader(std::string_view text) : text_(text) {}

  bool Failed() const { return failed_; }
  const std::string& Error() const { return error_; }
  void Fail(std::string_view what) {
    if (failed_) return;
    failed_ = true;
    error_ = fmt::format("line {}: {}", line_, what);
  }

  bool AtEnd() {
    SkipSpace();
    return failed_ || at_ == text_.size();
  }
  bool AtLineEnd() {
    SkipSpace();
    return failed_ || at_ == text_.size() || text_[at_] == '\n';
  }
  void EndLine() {
    if (!AtLineEnd()) Fail(fmt::format("unexpected '{}'", Clip(Word())));
    if (!failed_ && at_ < text_.size()) {
      ++at_;
      ++line_;
    }
  }

  // The next word, without taking it: up to a space or the end of the line; parentheses are words
  // of their own.
  std::string_view Word() {
    SkipSpace();
    if (failed_ || at_ == text_.size() || text_[at_] == '\n') return {};
    if (text_[at_] == '(' || text_[at_] == ')') return text_.substr(at_, 1);
    size_t end = at_;
    while (end < text_.size() && !IsBreak(text_[end])) ++end;
    return text_.substr(at_, end - at_);
  }
  std::string_view Take() {
    const std::string_view word = Word();
    if (word.empty()) Fail("the line ends too early");
    at_ += word.size();
    return word;
  }
  bool TakeIf(std::string_view word) {
    if (failed_ || Word() != word) return false;
    at_ += word.size();
    return true;
  }
  void Expect(std::string_view word) {
    if (!TakeIf(word)) Fail(fmt::format("expected '{}', found '{}'", word, Clip(Word())));
  }

  uint64_t Unsigned(uint64_t limit = std::numeric_limits<uint64_t>::max()) {
    const std::string_view word = Take();
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (failed_) return 0;
    if (error != std::errc() || end != word.data() + word.size() || value > limit) {
      Fail(fmt::format("'{}' is not a number that can stand here", Clip(word)));
      return 0;
    }
    return value;
  }
  int64_t Signed() {
    const std::string_view word = Take();
    int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (failed_) return 0;
    if (error != std::errc() || end != word.data() + word.size()) {
      Fail(fmt::format("'{}' is not a number that can stand here", Clip(word)));
      return 0;
    }
    return value;
  }
  // A number below `count`.
  uint32_t Ref(size_t count, std::string_view what) {
    const std::string_view word = Word();
    const uint64_t value = Unsigned();
    if (!failed_ && value >= count) Fail(fmt::format("there is no {} {}", what, Clip(word)));
    return failed_ ? 0 : static_cast<uint32_t>(value);
  }
  // The number of a new thing, which must be the next one.
  void Next(size_t count, std::string_view what) {
    const uint64_t value = Unsigned();
    if (!failed_ && value != count) Fail(fmt::format("expected {} {}, found {}", what, count, value));
    if (count > kMaxCount) Fail("too many");
  }
  std::string Quoted() {
    SkipSpace();
    std::string result;
    if (failed_ || at_ == text_.size() || text_[at_] != '"') {
      Fail("expected a string");
      return result;
    }
    ++at_;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') {
      if (text_[at_] != '\\') {
        result += text_[at_++];
        continue;
      }
      ++at_;
      if (at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\\')) {
        result += text_[at_++];
        continue;
      }
      unsigned value = 0;
      const char* begin = text_.data() + at_;
      if (at_ + 2 > text_.size() || std::from_chars(begin, begin + 2, value, 16).ptr != begin + 2) {
        Fail("wrong escape in a string");
        return result;
      }
      result += static_cast<char>(value);
      at_ += 2;
    }
    if (at_ == text_.size() || text_[at_] != '"') {
      Fail("a string does not end");
    } else {
      ++at_;
    }
    return result;
  }

  static std::string Clip(std::string_view word) {  // printable and short
    std::string text;
    for (char c : word.substr(0, 30)) text += c > 31 && c < 127 ? c : '?';
    return word.size() > 30 ? text + "..." : text;
  }

 private:
  static bool IsBreak(char c) { return c == ' ' || c == '\n' || c == '(' || c == ')'; }
  void SkipSpace() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  std::string_view text_;
  size_t at_ = 0;
  int line_ = 1;
  bool failed_ = false;
  std::string error_;
};

}  // namespace assay::lang
