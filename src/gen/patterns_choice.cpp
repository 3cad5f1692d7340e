#include "gen/patterns.hpp"

namespace assay::gen {
namespace {

using enum PatternTypes;
using enum PatternUse;

// clang-format off
constexpr PatternRow kPatterns[] = {
    {"minimum", Any, Value, "a < b ? a : b", 0, 30},
    {"maximum", Any, Value, "a > b ? a : b", 0, 30},
    {"minimum, equal", Any, Value, "a <= b ? a : b", 0, 12},
    {"maximum, equal", Any, Value, "b >= a ? b : a", 0, 12},
    {"minimum with a constant", Any, Value, "a < C ? a : C", 0, 8},
    {"maximum with a constant", Any, Value, "a > C ? a : C", 0, 8},
    {"minimum with a near constant", Any, Value, "a <= G ? a : H"},
    {"clamp", Any, Value, "a < C ? C : a > D ? D : a", 0, 5},
    {"clamp to a mask", Signed, Value, "a < 0 ? 0 : a > M ? M : a"},
    {"clamp by variables", Any, Value, "a < b ? b : a > c ? c : a", 0, 4},
    {"minimum of three", Any, Value, "(a < b ? a : b) < c ? (a < b ? a : b) : c", 0, 10},
    {"maximum of a minimum", Any, Value, "(a < b ? a : b) > c ? (a < b ? a : b) : c"},
    {"minimum less maximum", Any, Value, "(a > b ? a : b) - (a < b ? a : b)"},
    {"minimum and maximum", Any, Value, "(a > b ? a : b) ^ (a < b ? a : b)"},
    {"minimum of complements", Any, Value, "~a < ~b ? ~a : ~b"},
    {"minimum of sums", Unsigned, Value, "a + C < b + C ? a + C : b + C"},
    {"minimum of widened", Any, Value, "(wide)a < (wide)b ? (wide)a : (wide)b"},
    {"absolute", Signed, Value, "a < 0 ? -a : a", 0, 5},
    {"absolute, other way", Signed, Value, "a > 0 ? a : -a"},
    {"negative absolute", Signed, Value, "a < 0 ? a : -a"},
    {"absolute, equal", Signed, Value, "a >= 0 ? a : -a"},
    {"absolute difference", Any, Value, "a > b ? a - b : b - a", 0, 4},
    {"absolute of a narrow", Any, Value, "(sbyte)a < 0 ? -(sbyte)a : (sbyte)a"},
    {"absolute of absolute", Signed, Value, "(a < 0 ? -a : a) < 0 ? 0 : (a < 0 ? -a : a)"},
    {"signum", Signed, Value, "(a > 0) - (a < 0)"},
    {"signum by choice", Signed, Value, "a > 0 ? 1 : a < 0 ? -1 : 0"},
    {"three-way", Any, Value, "a < b ? -1 : a > b"},
    {"three-way by difference", Any, Value, "(a > b) - (a < b)"},
    {"conditional negation by choice", Unsigned, Value, "b ? -a : a"},
    {"conditional complement", Any, Value, "b < c ? ~a : a"},
    {"conditional increment", Unsigned, Value, "a + (b > c)"},
    {"conditional decrement", Unsigned, Value, "a - (b == c)"},
    {"conditional sum", Unsigned, Value, "b > c ? a + d : a"},
    {"conditional and", Any, Value, "b > c ? a & d : a"},
    {"conditional or", Any, Value, "b == c ? a | d : a"},
    {"conditional xor", Any, Value, "b & P ? a ^ C : a"},
    {"conditional shift", Unsigned, Value, "b > c ? a << 1 : a"},
    {"sum in both arms", Unsigned, Value, "a < b ? a + c : b + c"},
    {"product in both arms", Unsigned, Value, "a ? b * c : b * d"},
    {"operation in both arms", Any, Value, "a < b ? c & C : c & D"},
    {"one or zero", Any, Value, "a < b ? 1 : 0"},
    {"zero or one", Any, Value, "a < b ? 0 : 1"},
    {"minus one or zero", Any, Value, "a == b ? -1 : 0"},
    {"constants one apart", Any, Value, "a != b ? 7 : 8"},
    {"constants a power apart", Any, Value, "a > C ? 32 : 0"},
    {"equal to one of them", Any, Value, "a == b ? a : b"},
    {"not equal to one of them", Any, Value, "a != b ? a : b"},
    {"equal to a constant", Any, Value, "a == C ? C : a"},
    {"zero guards a quotient", Any, Value, "b != 0 ? a / b : 0"},
    {"zero guards a product", Unsigned, Value, "a == 0 ? 0 : a * b"},
    {"zero guards a shift", Unsigned, Value, "(b & B) == 0 ? a : a << (b & B)"},
    {"zero guards a rotation", Unsigned, Value, "(b & B) == 0 ? a : a << (b & B) | a >> (N - (b & B) & B)"},
    {"zero guards a minimum", Any, Value, "a ? a : b"},
    {"choice of choices", Any, Value, "a < b ? (c < d ? a : b) : (c < d ? b : a)"},
    {"choice in a choice", Any, Value, "a < b ? (a < b ? c : d) : c"},
    {"choice implied", Any, Value, "a < C ? (a < D ? b : c) : b"},
    {"choice of a choice's condition", Any, Value, "(a < b ? c : d) ? c : d"},
    {"choice compared", Any, Test, "(a < b ? C : D) == C"},
    {"choice compared with an arm", Any, Test, "(a < b ? a : b) == a"},
    {"choice by and", Any, Value, "a > b && a > c ? a : d"},
    {"choice by or", Any, Value, "a == b || a == c ? b : d"},
    {"choice by a bit", Any, Value, "a & P ? b : c"},
    {"choice by a mask", Any, Value, "(-(a < b) & c) | (~-(a < b) & d)"},
    {"choice by a product", Unsigned, Value, "(a < b) * c + (a >= b) * d"},
    {"mask of a truth", Any, Value, "-(a != 0) & b"},
    {"even up", Unsigned, Value, "a & 1 ? a + 1 : a"},
    {"quotient rounded by choice", Signed, Value, "a % J < 0 ? a / J - 1 : a / J"},
    {"power of two by choice", Signed, Value, "(a < 0 ? a + M : a) >> S"},
    {"sign of a choice", Signed, Test, "(a < 0 ? b : c) < 0"},
    {"table of choices", Any, Value, "a == 0 ? C : a == 1 ? D : a == 2 ? E : b"},
    {"unsigned range choice", Unsigned, Value, "a - C < D ? a : b"},
    {"bit field choice", Unsigned, Value, "(a & 3) == 0 ? b : (a & 3) == 1 ? c : (a & 3) == 2 ? d : b ^ c"},
    {"hexadecimal digit", Unsigned, Value, "(a & 15) < 10 ? (a & 15) + 48 : (a & 15) + 87"},
    {"upper case", Any, Value, "a >= 97 && a <= 122 ? a - 32 : a"},
};
// clang-format on

}  // namespace

std::span<const PatternRow> ChoicePatterns() { return kPatterns; }

}  // namespace assay::gen
