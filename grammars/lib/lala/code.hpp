// Text built by print commands. Code is an immutable rope with structure: pieces, line breaks and
// indentation, so that what a module embeds is indented like what the templates around it print.
//
// Print(out, level, value) is how the value of a print command reaches the output: overloads for
// the types of this library here, for a module's own types in the module's namespace (found by
// argument-dependent lookup).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "bigint.hpp"
#include "list.hpp"
#include "string.hpp"

namespace lala {

class Code {
 public:
  Code() = default;

  [[nodiscard]] Code Add(String text) const { return Code(pieces_.Append({Kind::kText, text, {}})); }
  [[nodiscard]] Code Add(std::string_view text) const { return Add(Text(text)); }
  [[nodiscard]] Code Add(int64_t number) const { return Add(Text(number)); }
  [[nodiscard]] Code Add(const Code& code) const {
    if (code.pieces_.empty()) return *this;
    return Code(pieces_.Append({Kind::kCode, String(), New<Code>(code)}));
  }
  // A line break, followed by the indentation of the moment.
  [[nodiscard]] Code Line() const { return Code(pieces_.Append({Kind::kLine, String(), {}})); }
  // One level in or out for the lines that follow; breaks no line by itself.
  [[nodiscard]] Code Indent() const { return Code(pieces_.Append({Kind::kIndent, String(), {}})); }
  [[nodiscard]] Code Dedent() const { return Code(pieces_.Append({Kind::kDedent, String(), {}})); }

  bool empty() const { return pieces_.empty(); }
  friend bool operator==(const Code& a, const Code& b) { return a.pieces_ == b.pieces_; }

  // Appends the text to `out`, with lines indented to `level` (two spaces each) plus the code's own
  // level.
  void Write(std::string& out, int level) const {
    for (const Piece& piece : pieces_) {
      switch (piece.kind) {
        case Kind::kText: out += piece.text.view(); break;
        case Kind::kCode: piece.code->Write(out, level); break;
        case Kind::kLine:
          out += '\n';
          out.append(static_cast<size_t>(level < 0 ? 0 : level) * 2, ' ');
          break;
        case Kind::kIndent: ++level; break;
        case Kind::kDedent: --level; break;
      }
    }
  }
  std::string str() const {
    std::string out;
    Write(out, 0);
    return out;
  }

 private:
  enum class Kind : uint8_t { kText, kCode, kLine, kIndent, kDedent };
  struct Piece {
    Kind kind;
    String text;
    const Code* code;
    friend bool operator==(const Piece& a, const Piece& b) {
      return a.kind == b.kind && a.text == b.text && (a.code == b.code || (a.code && b.code && *a.code == *b.code));
    }
  };

  explicit Code(List<Piece> pieces) : pieces_(pieces) {}

  List<Piece> pieces_;
};

inline void Print(std::string& out, int, String value) { out += value.view(); }
inline void Print(std::string& out, int, const char* value) { out += value; }
inline void Print(std::string& out, int, int64_t value) { out += std::to_string(value); }
inline void Print(std::string& out, int, bool value) { out += value ? "true" : "false"; }
inline void Print(std::string& out, int, const BigInt& value) { out += value.ToText(); }
inline void Print(std::string& out, int level, const Code& value) { value.Write(out, level); }

}  // namespace lala
