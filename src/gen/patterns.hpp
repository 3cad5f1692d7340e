// Expression patterns that optimisers look for (GCC's match.pd, reassoc, phiopt, ifcombine, VRP, bit-ccp, bswap; LLVM's
// InstCombine, Reassociate, CorrelatedValuePropagation): one row each, in the text of pattern_text.hpp. Operands and
// constants are drawn; the machine makes the rest valid. The tables are in patterns_*.cpp, by family.
#pragma once

#include <span>

#include "gen/pattern_text.hpp"
#include "gen/want.hpp"

namespace assay::gen {

// What the type of the operands is.
enum class PatternTypes : uint8_t {
  Any,       // that of the first operand, or one drawn; the others are converted to it
  Loose,     // each its own
  Unsigned,  // an unsigned type that no operator promotes: nothing overflows
  Signed,    // a signed type that no operator promotes
};

enum class PatternUse : uint8_t {
  Value,
  Test,  // 0 or 1: a condition too
  Fact,  // always 1, whatever the operands are: a condition that no compiler need evaluate
};

struct PatternRow {
  std::string_view name;
  std::string_view text;
  PatternTypes types = PatternTypes::Any;
  PatternUse use = PatternUse::Value;
  uint8_t bits = 0;    // of the type, at least
  uint8_t weight = 1;  // among its kind
  PatternTree tree;

  consteval PatternRow(std::string_view name_, PatternTypes types_, PatternUse use_, std::string_view text_,
                       uint8_t bits_ = 0, uint8_t weight_ = 1)
      : name(name_), text(text_), types(types_), use(use_), bits(bits_), weight(weight_), tree(ParsePattern(text_)) {}
};

// The families.
std::span<const PatternRow> ArithmeticPatterns();  // patterns_arithmetic.cpp
std::span<const PatternRow> BitPatterns();         // patterns_bits.cpp
std::span<const PatternRow> ChoicePatterns();      // patterns_choice.cpp
std::span<const PatternRow> TestPatterns();        // patterns_truth.cpp: comparisons, truth, facts

// All rows: the number of a pattern is its place in this order.
uint32_t PatternCount();
const PatternRow& PatternOf(uint32_t number);

struct PatternCounters {
  uint32_t written = 0, executed = 0;
};
using PatternTable = std::vector<PatternCounters>;  // by number
void Add(PatternTable& sum, const PatternTable& one);
std::string TextOf(const PatternTable& table);

// The rows of writers. `want` is what they ask of their operands.
ExprId PatternValue(Writer& w, const Want& want);  // any pattern; a leaf where none fits
ExprId PatternTest(Writer& w, const Want& want);   // a test; invalid where none fits
// A condition that is always so, whatever happens to its operands; invalid where none fits.
ExprId OpaqueCondition(Writer& w, const Want& want);
// The pattern of the number; invalid where its operands or its room are not to be had.
ExprId WritePattern(Writer& w, const Want& want, uint32_t number);

// A tree of & | ^ ~ + - over few variables.
ExprId DeepLogic(Writer& w, const Want& want);

}  // namespace assay::gen
