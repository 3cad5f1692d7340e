// The regular expressions of literal classes: alternation, parentheses, [...] with ranges,
// {min,max} after ) or ]. There is no * + ?, and . is an ordinary character. A backslash makes the
// next character ordinary.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "choice/choices.hpp"
#include "support/result.hpp"

namespace assay::grammar {

class Regex {
 public:
  // The message of the error says what is wrong.
  static support::Result<Regex> Parse(std::string_view text);

  // One string of the language: a uniform choice at every alternative, set and repetition.
  std::string Draw(choice::Choices& choices) const;

  // Up to `count` different strings, in the order drawn.
  std::vector<std::string> Pool(uint32_t count, choice::Choices& choices) const;

 private:
  struct Item;
  struct Node {
    enum class Kind : uint8_t { Text, Set, Sequence, Alternation, Repeat } kind = Kind::Text;
    std::string text;  // Text; Set: all its characters
    std::vector<Node> parts;
    uint32_t least = 1;
    uint32_t most = 1;
  };
  class Reader;

  static void Draw(const Node& node, choice::Choices& choices, std::string& out);

  Node root_;
};

}  // namespace assay::grammar
