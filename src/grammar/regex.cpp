#include "grammar/regex.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace assay::grammar {

namespace {
constexpr uint32_t kMostRepeats = 1000;
constexpr int kDeepestGroup = 50;
}  // namespace

class Regex::Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  support::Result<Node> Read() {
    Node node = ReadAlternation(0);
    if (error_.empty() && at_ < text_.size()) Fail("')' without '('");
    if (!error_.empty()) return support::UsageError(error_);
    return node;
  }

 private:
  bool More() const { return at_ < text_.size() && error_.empty(); }
  void Fail(std::string message) {
    if (error_.empty()) error_ = std::move(message);
  }

  Node ReadAlternation(int depth) {
    Node node;
    node.kind = Node::Kind::Alternation;
    if (depth > kDeepestGroup) Fail("too many nested groups");
    node.parts.push_back(ReadSequence(depth));
    while (More() && text_[at_] == '|') {
      ++at_;
      node.parts.push_back(ReadSequence(depth));
    }
    if (node.parts.size() == 1) return std::move(node.parts[0]);
    return node;
  }

  Node ReadSequence(int depth) {
    Node node;
    node.kind = Node::Kind::Sequence;
    while (More() && text_[at_] != '|' && text_[at_] != ')') {
      char c = text_[at_];
      if (c == '(') {
        ++at_;
        Node group = ReadAlternation(depth + 1);
        if (!More() || text_[at_] != ')') {
          Fail("'(' without ')'");
          break;
        }
        ++at_;
        node.parts.push_back(ReadRepeat(std::move(group)));
      } else if (c == '[') {
        ++at_;
        Node set = ReadSet();
        node.parts.push_back(ReadRepeat(std::move(set)));
      } else {
        if (c == '\\' && at_ + 1 < text_.size()) ++at_;
        Node text;
        text.text = text_[at_++];
        if (!node.parts.empty() && node.parts.back().kind == Node::Kind::Text) {
          node.parts.back().text += text.text;
        } else {
          node.parts.push_back(std::move(text));
        }
      }
    }
    return node;
  }

  Node ReadSet() {
    Node node;
    node.kind = Node::Kind::Set;
    for (;;) {
      if (!More()) {
        Fail("'[' without ']'");
        return node;
      }
      char first = text_[at_++];
      if (first == ']') break;
      if (first == '\\' && at_ < text_.size()) first = text_[at_++];
      if (at_ + 1 < text_.size() && text_[at_] == '-' && text_[at_ + 1] != ']') {
        ++at_;
        char last = text_[at_++];
        if (last == '\\' && at_ < text_.size()) last = text_[at_++];
        int low = static_cast<unsigned char>(first);
        int high = static_cast<unsigned char>(last);
        if (low > high) Fail(fmt::format("the range {}-{} is empty", first, last));
        for (int c = low; c <= high; ++c) node.text += static_cast<char>(c);
      } else {
        node.text += first;
      }
    }
    if (node.text.empty()) Fail("'[]' contains no character");
    std::string unique;
    for (char c : node.text) {
      if (unique.find(c) == std::string::npos) unique += c;
    }
    node.text = unique;
    return node;
  }

  uint32_t ReadCount() {
    if (!More() || text_[at_] < '0' || text_[at_] > '9') {
      Fail("a repetition is written {min,max}");
      return 0;
    }
    uint32_t value = 0;
    while (More() && text_[at_] >= '0' && text_[at_] <= '9') {
      value = value * 10 + static_cast<uint32_t>(text_[at_++] - '0');
      if (value > kMostRepeats) {
        Fail(fmt::format("a repetition of more than {}", kMostRepeats));
        return 0;
      }
    }
    return value;
  }

  Node ReadRepeat(Node repeated) {
    if (!More() || text_[at_] != '{') return repeated;
    ++at_;
    Node node;
    node.kind = Node::Kind::Repeat;
    node.least = node.most = ReadCount();
    if (More() && text_[at_] == ',') {
      ++at_;
      node.most = ReadCount();
    }
    if (!More() || text_[at_] != '}') {
      Fail("a repetition is written {min,max}");
      return node;
    }
    ++at_;
    if (node.least > node.most) {
      Fail(fmt::format("the repetition {{{},{}}} is empty", node.least, node.most));
    }
    node.parts.push_back(std::move(repeated));
    return node;
  }

  std::string_view text_;
  size_t at_ = 0;
  std::string error_;
};

support::Result<Regex> Regex::Parse(std::string_view text) {
  ASSIGN_OR_RETURN(auto root, Reader(text).Read());
  Regex regex;
  regex.root_ = std::move(root);
  return regex;
}

void Regex::Draw(const Node& node, choice::Choices& choices, std::string& out) {
  constexpr size_t kLongest = 1 << 16;
  switch (node.kind) {
    case Node::Kind::Text: out += node.text; break;
    case Node::Kind::Set: out += node.text[choices.Below(static_cast<uint32_t>(node.text.size()))]; break;
    case Node::Kind::Sequence:
      for (const Node& part : node.parts) Draw(part, choices, out);
      break;
    case Node::Kind::Alternation:
      Draw(node.parts[choices.Below(static_cast<uint32_t>(node.parts.size()))], choices, out);
      break;
    case Node::Kind::Repeat: {
      uint32_t count = node.least + choices.Below(node.most - node.least + 1);
      for (uint32_t i = 0; i < count && out.size() < kLongest; ++i) Draw(node.parts[0], choices, out);
      break;
    }
  }
}

std::string Regex::Draw(choice::Choices& choices) const {
  std::string out;
  Draw(root_, choices, out);
  return out;
}

std::vector<std::string> Regex::Pool(uint32_t count, choice::Choices& choices) const {
  std::vector<std::string> pool;
  // A language smaller than the pool repeats itself: stop after a run of strings seen before.
  uint32_t repeats = 0;
  while (pool.size() < count && repeats < 20) {
    std::string text = Draw(choices);
    if (std::ranges::find(pool, text) == pool.end()) {
      pool.push_back(std::move(text));
      repeats = 0;
    } else {
      ++repeats;
    }
  }
  return pool;
}

}  // namespace assay::grammar
