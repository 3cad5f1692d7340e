#include "gen/patterns.hpp"

#include <gtest/gtest.h>

#include <set>

#include "gen/generate.hpp"

namespace assay::gen {
namespace {

using lang::BinaryOp;
using lang::DataModelKind;
using lang::UnaryOp;

PatternTable SumOf(const knobs::Knobs& knobs, uint64_t seeds) {
  PatternTable sum;
  for (uint64_t seed = 1; seed <= seeds; ++seed) Add(sum, Generate(seed, knobs, DataModelKind::Lp64).patterns);
  return sum;
}

TEST(PatternsTest, DefaultProgramsWriteAndExecuteEveryPattern) {
  const PatternTable sum = SumOf({}, 2200);
  ASSERT_EQ(sum.size(), PatternCount());
  uint32_t rare = 0;
  for (uint32_t i = 0; i < sum.size(); ++i) {
    EXPECT_GT(sum[i].executed, 0u) << PatternOf(i).name;
    rare += sum[i].executed < 5;
  }
  EXPECT_LT(rare, PatternCount() / 8);
}

TEST(PatternsTest, NamesAndTextsAreDifferent) {
  EXPECT_GE(PatternCount(), 300u);
  std::set<std::string_view> names, texts;
  for (uint32_t i = 0; i < PatternCount(); ++i) {
    EXPECT_TRUE(names.insert(PatternOf(i).name).second) << PatternOf(i).name;
    texts.insert(PatternOf(i).text);
  }
  EXPECT_GE(texts.size(), PatternCount() - 5);  // some are tried with signed and with unsigned operands
}

TEST(PatternsTest, BothEndsOfTheKnobs) {
  knobs::Knobs knobs;
  knobs.tokens = 4000;
  knobs.shuffle = knobs.mix = 0;
  knobs.expr_pattern = knobs.condition_pattern = knobs.condition_opaque = 0;
  uint64_t none = 0, many = 0;
  for (const PatternCounters& c : SumOf(knobs, 10)) none += c.written;
  EXPECT_EQ(none, 0u);
  knobs.expr_pattern = knobs.condition_pattern = knobs.condition_opaque = 1000;
  for (const PatternCounters& c : SumOf(knobs, 20)) many += c.written;
  EXPECT_GT(many, 100u);
}

// Facts, in 8 bits and with unsigned operands, by an evaluator of its own.
class Evaluator {
 public:
  std::array<uint32_t, 2> operands{};
  uint32_t constant = 0, count = 1, factor = 2;

  // Of an operator the type: 8 bits unsigned, or int.
  struct Value {
    uint32_t bits;
    bool narrow;
  };
  uint32_t Of(const PatternTree& tree) {
    std::array<Value, kMostPatternNodes> values{};
    for (uint32_t i = 0; i < tree.count; ++i) values[i] = Node(tree.nodes[i], values);
    return values[tree.count - 1].bits;
  }

 private:
  using Kind = PatternNode::Kind;
  static Value Byte(uint32_t bits) { return {bits & 255, true}; }
  static Value Int(uint32_t bits) { return {bits, false}; }

  Value Constant(ConstantSlot slot) const {
    switch (slot) {
      case ConstantSlot::Any1: return Byte(constant);
      case ConstantSlot::Count1: return Int(count);
      case ConstantSlot::Factor: return Byte(factor);
      case ConstantSlot::Most: return Byte(255);
      default: ADD_FAILURE() << "a fact with another constant"; return Int(0);
    }
  }

  static Value NoRule() {
    ADD_FAILURE() << "a pattern has an operator that this evaluator has no rule for";
    return {};
  }

  Value Node(const PatternNode& node, const std::array<Value, kMostPatternNodes>& values) const {
    const auto at = [&](int8_t i) { return values[static_cast<size_t>(i)]; };
    switch (node.kind) {
      case Kind::Operand: return Byte(operands[node.op]);
      case Kind::Constant: return Constant(static_cast<ConstantSlot>(node.op));
      case Kind::Number: return Int(static_cast<uint32_t>(node.number));
      case Kind::Cast: return Int(at(node.lhs).bits & 255);  // (byte): promoted
      case Kind::And: return Int(at(node.lhs).bits != 0 && at(node.rhs).bits != 0);
      case Kind::Or: return Int(at(node.lhs).bits != 0 || at(node.rhs).bits != 0);
      case Kind::Conditional: return at(node.lhs).bits != 0 ? at(node.rhs) : at(node.third);
      case Kind::Unary: {
        const Value v = at(node.lhs);
        const auto typed = [&](uint32_t bits) { return v.narrow ? Byte(bits) : Int(bits); };
        switch (static_cast<UnaryOp>(node.op)) {
          case UnaryOp::Minus: return typed(-v.bits);
          case UnaryOp::BitNot: return typed(~v.bits);
          case UnaryOp::LogicalNot: return Int(v.bits == 0);
          case UnaryOp::Plus: return typed(v.bits);
          case UnaryOp::Popcount:  // a call stands in no pattern
          case UnaryOp::Parity:
          case UnaryOp::Ffs:
          case UnaryOp::Clz:
          case UnaryOp::Ctz:
          case UnaryOp::Clrsb:
          case UnaryOp::Abs:
          case UnaryOp::Bswap16:
          case UnaryOp::Bswap32:
          case UnaryOp::Bswap64:
          case UnaryOp::kCount: break;
        }
        return NoRule();
      }
      case Kind::Binary: break;
    }
    const Value l = at(node.lhs), r = at(node.rhs);
    const BinaryOp op = static_cast<BinaryOp>(node.op);
    const bool narrow = lang::IsShift(op) ? l.narrow : l.narrow || r.narrow;
    const auto typed = [&](uint32_t bits) { return narrow ? Byte(bits) : Int(bits); };
    switch (op) {
      case BinaryOp::Add: return typed(l.bits + r.bits);
      case BinaryOp::Sub: return typed(l.bits - r.bits);
      case BinaryOp::Mul: return typed(l.bits * r.bits);
      case BinaryOp::Div: return typed(l.bits / r.bits);
      case BinaryOp::Rem: return typed(l.bits % r.bits);
      case BinaryOp::Shl: return typed(l.bits << r.bits);
      case BinaryOp::Shr: return typed(l.bits >> r.bits);
      case BinaryOp::BitAnd: return typed(l.bits & r.bits);
      case BinaryOp::BitOr: return typed(l.bits | r.bits);
      case BinaryOp::BitXor: return typed(l.bits ^ r.bits);
      case BinaryOp::Lt: return Int(l.bits < r.bits);
      case BinaryOp::Gt: return Int(l.bits > r.bits);
      case BinaryOp::Le: return Int(l.bits <= r.bits);
      case BinaryOp::Ge: return Int(l.bits >= r.bits);
      case BinaryOp::Eq: return Int(l.bits == r.bits);
      case BinaryOp::Ne: return Int(l.bits != r.bits);
      case BinaryOp::RotateLeft:
      case BinaryOp::kCount: break;
    }
    return NoRule();
  }
};

TEST(PatternsTest, FactsAreTrue) {
  uint32_t facts = 0;
  for (uint32_t i = 0; i < PatternCount(); ++i) {
    const PatternRow& row = PatternOf(i);
    if (row.use != PatternUse::Fact) continue;
    ++facts;
    Evaluator evaluator;
    for (uint32_t a = 0; a < 256; ++a) {
      for (uint32_t b = 0; b < (row.tree.operands > 1 ? 256u : 1u); ++b) {
        evaluator.operands = {a, b};
        evaluator.constant = (a * 37 + b * 11) & 255;
        evaluator.count = 1 + (a + b) % 7;
        evaluator.factor = 2 + (a * 5 + b) % 30;
        ASSERT_EQ(evaluator.Of(row.tree), 1u) << row.name << " for " << a << ", " << b;
      }
    }
  }
  EXPECT_GE(facts, 20u);
}

// A fact is not rewritten: its operands can be read, and no operator of it traps. (A repair may put operands in order,
// most of all volatile ones.)
TEST(PatternsTest, OpaqueConditionsNeedNoRepair) {
  knobs::Knobs knobs;
  knobs.volatile_objects = knobs.qualified_members = 0;
  knobs.condition_opaque = 500;
  knobs.shuffle = knobs.mix = 0;
  uint64_t written = 0, repaired = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    const WriterCounters c =
        Generate(seed, knobs, DataModelKind::Lp64).counters.writers[static_cast<size_t>(WriterId::Opaque)];
    written += c.written;
    repaired += c.repaired;
  }
  EXPECT_GT(written, 800u);
  EXPECT_LT(repaired * 100, written);
}

}  // namespace
}  // namespace assay::gen
