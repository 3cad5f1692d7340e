// Vectors of GNU C (docs/vectors.md): types, objects, expressions and statements of them.
//
// What a lane might trap on is written so that it does not: sums and products in unsigned lanes and cast back, or of
// lanes that a mask keeps small; counts of shifts constant or masked, divisors odd or constant. Some are written as
// they are where that is defined now; what traps on them later is repaired as other values are (RepairVector).
#pragma once

#include "gen/want.hpp"

namespace assay::gen {

// Whether this program has vectors: as often as the knob says.
void DrawVectors(knobs::Knobs& knobs, const lang::Program& program, choice::Choices& choices);
void MakeVectorTypes(Writer& w);  // w.vectors: none if the program has none
// Objects of them, alone, in arrays and in records.
void MakeVectorGlobals(Writer& w);
// One of the program's.
TypeId VectorType(Writer& w);

// What Expression does for the class: a value of exactly want.type.
ExprId VectorValue(Writer& w, const Want& want);
// A lane, as a row of integers and of floating numbers; invalid where the program has no such vector.
ExprId IntegerLane(Writer& w, const Want& want);
ExprId FloatLane(Writer& w, const Want& want);
// A list of constants for each lane, or for the first of them.
InitId VectorInitializer(Writer& w, TypeId type);
// Whether the lvalue is a lane. Nothing may point at it.
bool IsLane(const lang::Program& program, ExprId lvalue);

// Statements: = and op= of vectors and lanes, declarations; loops over lanes and over arrays; copies, and the bytes of
// a union.
void WriteVector(Writer& w);
void WriteVectorLoop(Writer& w);
void WriteVectorCopy(Writer& w);

}  // namespace assay::gen
