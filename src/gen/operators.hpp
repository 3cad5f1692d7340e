// What the generator knows of operators, builtins and integer kinds beyond their rows in lang: how often each is drawn,
// to which families an operator belongs, and which construct of the census it is. One row per kind; the draws read the
// rows.
#pragma once

#include "gen/census.hpp"
#include "gen/writer.hpp"

namespace assay::gen {

// How often something is drawn: a knob's value, or a number.
class Weight {
 public:
  constexpr Weight(uint32_t number) : number_(number) {}
  constexpr Weight(int32_t knobs::Knobs::*knob) : knob_(knob) {}
  constexpr uint32_t Of(const knobs::Knobs& knobs) const {
    return knob_ == nullptr ? number_ : static_cast<uint32_t>(knobs.*knob_);
  }
  constexpr int32_t knobs::Knobs::*Knob() const { return knob_; }
  friend constexpr bool operator==(Weight, Weight) = default;

 private:
  uint32_t number_ = 0;
  int32_t knobs::Knobs::*knob_ = nullptr;
};

// A set of families; every operator is also in OperatorContext::All.
constexpr uint8_t Families(std::initializer_list<OperatorContext> contexts) {
  uint8_t set = 1u << static_cast<uint8_t>(OperatorContext::All);
  for (OperatorContext context : contexts) set |= static_cast<uint8_t>(1u << static_cast<uint8_t>(context));
  return set;
}

// Operators with the same knob stand side by side: they are one entry of the draw, then one of them is drawn evenly.
struct BinaryOpDraw {
  BinaryOp kind;
  int32_t knobs::Knobs::*knob;
  uint8_t families;
  Construct construct;
};
extern const std::array<BinaryOpDraw, static_cast<size_t>(BinaryOp::kCount)> kBinaryOpDraws;

struct UnaryOpDraw {
  lang::UnaryOp kind;
  Weight weight;
  uint8_t families;
  Construct construct;
};
extern const std::array<UnaryOpDraw, static_cast<size_t>(lang::UnaryOp::kCount)> kUnaryOpDraws;

struct BuiltinUse {
  lang::Builtin kind;
  Construct construct;
};
extern const std::array<BuiltinUse, static_cast<size_t>(lang::Builtin::kCount)> kBuiltinUses;

// Kinds with the same knob stand side by side, as operators do. Kinds that are not integers have no knob here: floating
// ones are drawn by gen/floats.cpp, the others made by gen/types.cpp; census.cpp looks at their parts.
struct TypeKindDraw {
  TypeKind kind;
  int32_t knobs::Knobs::*knob;
  uint32_t literals;  // weight among the kinds of constants
  Construct construct;
};
extern const std::array<TypeKindDraw, static_cast<size_t>(TypeKind::kCount)> kTypeKindDraws;

OperatorWeights OperatorDraw(const knobs::Knobs& knobs);
BinaryOp DrawOperator(Writer& w);    // of the families of w.context
BinaryOp DrawComparison(Writer& w);  // evenly
lang::UnaryOp DrawUnary(Writer& w);  // of the families of w.context
lang::IncDecOp DrawIncDec(Writer& w);
TypeId DrawIntegerType(Writer& w);
TypeKind DrawLiteralKind(Writer& w);  // by weight
TypeKind DrawLiteralKindEvenly(Writer& w);

}  // namespace assay::gen
