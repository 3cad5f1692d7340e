// Integers of 128 bits: objects, expressions and statements of them (docs/wide-integers.md).
//
// What might trap is written so that it does not: sums, products and left shifts of signed ones in the unsigned type
// and cast back, or of operands that are small; counts of shifts constant or masked, divisors odd or constant. Some
// are written as they are where that is defined now; what traps on them later is repaired as other values are
// (RepairVector).
#pragma once

#include "gen/want.hpp"

namespace assay::gen {

// Whether this program has wide integers: as often as the knob says.
void DrawWide(knobs::Knobs& knobs, const lang::Program& program, choice::Choices& choices);
// Objects of them, alone, in arrays and in records.
void MakeWideGlobals(Writer& w);
// One of the two.
TypeId WideType(Writer& w);

// What Expression does for the class: a value of exactly want.type.
ExprId WideValue(Writer& w, const Want& want);
ExprId WideConstantFor(Writer& w, TypeId type);
// What becomes of one, as a row of integers and of floating numbers; the second is invalid where that fits nowhere.
ExprId IntegerOfWide(Writer& w, const Want& want);
ExprId FloatOfWide(Writer& w, const Want& want);

// Statements: =, op= and ++ of them, declarations, pointers to them; idioms of two-word arithmetic; copies, and the
// words of a union.
void WriteWide(Writer& w);
void WriteWideIdiom(Writer& w);
void WriteWideCopy(Writer& w);

}  // namespace assay::gen
