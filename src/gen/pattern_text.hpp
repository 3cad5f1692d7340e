// The text of a pattern, read while the compiler compiles: a row with a mistake in it does not compile.
//
//   a … h       operands: pure, never a constant, the same tree wherever the letter stands
//   A … Z       constants, drawn once for the whole pattern; what each is stands in ConstantSlot
//   12          a number
//   (wide) …    casts, see kCastNames; "same" is the type the operands have
//   operators   as in C: unary - ~ ! +, binary, && || ?:
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "lang/ops.hpp"

namespace assay::gen {

// T is the type of the operands after promotion.
enum class ConstantSlot : uint8_t {
  Any1,     // C: any
  Any2,     // D
  Any3,     // E
  Count1,   // K: from 1 to the width of T less 1
  Count2,   // L
  Rest,     // R: the width of T less K
  Width,    // N: the width of T
  Top,      // B: the width of T less 1
  Power,    // P: a power of two
  Low,      // M: P - 1
  High,     // Q: ~M
  Log,      // S: the exponent of P
  Most,     // X: the largest of T
  Least,    // Y: the smallest of T
  Divisor,  // J: not 0 and not -1
  Factor,   // F: small, at least 2
  Now,      // G: the value of operand a now, where that is known
  Near,     // H: one off
  Byte,     // O: 8 times 1, 2, ... below the width
  NotAny1,  // V: ~C
  NegAny1,  // W: -C
  kCount
};

enum class PatternCast : uint8_t { Same, Unsigned, Signed, Wide, UnsignedWide, Narrow, Bool, Byte, SignedByte, kCount };
inline constexpr std::array<std::string_view, static_cast<size_t>(PatternCast::kCount)> kCastNames = {
    "same", "unsigned", "signed", "wide", "uwide", "narrow", "bool", "byte", "sbyte"};

struct PatternNode {
  enum class Kind : uint8_t { Operand, Constant, Number, Unary, Binary, And, Or, Conditional, Cast };
  Kind kind = Kind::Number;
  uint8_t op = 0;  // UnaryOp, BinaryOp, PatternCast; which operand; which constant
  int8_t lhs = -1, rhs = -1, third = -1;
  int32_t number = 0;
};

inline constexpr uint32_t kMostPatternNodes = 64, kMostOperands = 8;

// Nodes in the order in which they are made: children first, the root last.
struct PatternTree {
  std::array<PatternNode, kMostPatternNodes> nodes{};
  uint8_t count = 0, operands = 0, constants = 0;  // operands: the number of letters, from a
};

class PatternParser {
 public:
  constexpr explicit PatternParser(std::string_view text) : text_(text) {}

  constexpr PatternTree Parse() {
    Conditional();
    if (Peek() != '\0') Fail();
    return tree_;
  }

 private:
  using Kind = PatternNode::Kind;

  // Not constexpr: reaching it is an error while compiling.
  static void Fail() {}

  constexpr char Peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  constexpr bool Take(std::string_view token) {
    Peek();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }
  constexpr int8_t Make(PatternNode node) {
    if (tree_.count >= kMostPatternNodes) Fail();
    tree_.nodes[tree_.count] = node;
    return static_cast<int8_t>(tree_.count++);
  }

  constexpr int8_t Conditional() {
    const int8_t condition = Binary(0);
    if (!Take("?")) return condition;
    const int8_t yes = Conditional();
    if (!Take(":")) Fail();
    const int8_t no = Conditional();
    return Make({.kind = Kind::Conditional, .lhs = condition, .rhs = yes, .third = no});
  }

  struct Infix {
    std::string_view spelling;
    Kind kind = Kind::Number;  // Number: none
    uint8_t op = 0;
    int precedence = -1;
  };
  // The longest operator here, not taken.
  constexpr Infix NextInfix() {
    Peek();
    Infix best;
    const auto consider = [&](Infix infix) {
      if (text_.substr(at_, infix.spelling.size()) == infix.spelling && infix.spelling.size() > best.spelling.size())
        best = infix;
    };
    consider({"||", Kind::Or, 0, 0});
    consider({"&&", Kind::And, 0, 1});
    for (const lang::BinaryOpInfo& row : lang::kBinaryOps) {
      if (row.shape == lang::OperatorShape::Infix)
        consider({row.spelling, Kind::Binary, static_cast<uint8_t>(row.kind), row.precedence});
    }
    return best;
  }
  constexpr int8_t Binary(int least) {
    int8_t lhs = Unary();
    for (;;) {
      const Infix infix = NextInfix();
      if (infix.precedence < least) return lhs;
      at_ += infix.spelling.size();
      const int8_t rhs = Binary(infix.precedence + 1);
      lhs = Make({.kind = infix.kind, .op = infix.op, .lhs = lhs, .rhs = rhs});
    }
  }

  constexpr int8_t Unary() {
    const char c = Peek();
    if (c >= '0' && c <= '9') return Number(1);
    if (c == '-' && at_ + 1 < text_.size() && text_[at_ + 1] >= '0' && text_[at_ + 1] <= '9') {
      ++at_;
      return Number(-1);
    }
    for (const lang::UnaryOpInfo& row : lang::kUnaryOps) {
      if (row.shape == lang::OperatorShape::Prefix && Take(row.spelling)) {
        const int8_t operand = Unary();
        return Make({.kind = Kind::Unary, .op = static_cast<uint8_t>(row.kind), .lhs = operand});
      }
    }
    if (c == '(') return Parenthesis();
    ++at_;
    if (c >= 'a' && c < static_cast<char>('a' + kMostOperands)) {
      const uint8_t index = static_cast<uint8_t>(c - 'a');
      if (index >= tree_.operands) tree_.operands = index + 1;
      return Make({.kind = Kind::Operand, .op = index});
    }
    constexpr std::string_view kSlots = "CDEKLRNBPMQSXYJFGHOVW";
    static_assert(kSlots.size() == static_cast<size_t>(ConstantSlot::kCount));
    const size_t slot = kSlots.find(c);
    if (slot == std::string_view::npos) Fail();
    return Make({.kind = Kind::Constant, .op = static_cast<uint8_t>(slot)});
  }

  constexpr int8_t Parenthesis() {
    Take("(");
    for (size_t i = 0; i < kCastNames.size(); ++i) {
      const size_t before = at_;
      if (Take(kCastNames[i]) && Take(")")) {
        const int8_t operand = Unary();
        return Make({.kind = Kind::Cast, .op = static_cast<uint8_t>(i), .lhs = operand});
      }
      at_ = before;
    }
    const int8_t inner = Conditional();
    if (!Take(")")) Fail();
    return inner;
  }

  constexpr int8_t Number(int32_t sign) {
    int32_t value = 0;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') value = value * 10 + (text_[at_++] - '0');
    return Make({.kind = Kind::Number, .number = sign * value});
  }

  std::string_view text_;
  size_t at_ = 0;
  PatternTree tree_;
};

consteval PatternTree ParsePattern(std::string_view text) { return PatternParser(text).Parse(); }

}  // namespace assay::gen
