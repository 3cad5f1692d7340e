// What GNU C adds: checked arithmetic, what the compiler is told to expect, values that it may choose, barriers.
#pragma once

#include "gen/want.hpp"

namespace assay::gen {

void WriteChecked(Writer& w);  // x = __builtin_add_overflow(a, b, &y), or the condition of an if
void WriteAtomic(Writer& w);   // x = __atomic_fetch_add(&y, e, order)
void WriteBarrier(Writer& w);  // an asm of nothing that may read or write something

// Rows of integers. Invalid if nothing fits.
ExprId OverflowTest(Writer& w, const Want& want);  // __builtin_add_overflow_p(a, b, (T)0)
ExprId ExpectedValue(Writer& w, const Want& want);
ExprId EitherValue(Writer& w, const Want& want);  // (__builtin_constant_p(x) ? a : b), where a and b are the same

ExprId ExpectedCondition(Writer& w, const Want& want);

// The pointer, sometimes told to be aligned as every pointer to its type is.
ExprId MaybeAligned(Writer& w, ExprId pointer);

// Functions on strings: on arrays that only they write, so that they always hold one (strings.cpp).
void WriteString(Writer& w);

// What makes the place a fact: control never comes here.
void WriteUnreachable(Writer& w);

}  // namespace assay::gen
