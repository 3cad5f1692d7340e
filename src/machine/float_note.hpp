// What the mode `robust` knows of a floating value besides the value: bounds for whatever a compiler may compute on the
// way to it that has the freedom of -ffast-math.
//
// A compiler may regroup sums and products, distribute, factor, contract, compute in a wider type or in several partial
// sums. All of these are exact, and so give the same result, if everything that can be computed on the way is a
// multiple of 2^grain and not larger than `bound`, with bound / 2^grain at most 2^precision: such numbers are values of
// the type. The bound of a sum is the sum of the bounds, that of a product their product: the sum over any part of the
// terms is not larger than that of all their magnitudes. With bound >= 1 and grain <= 0 for all values, constants
// included, this also holds for any part of the factors of a product. Optimisers see through variables, so a value
// keeps its note when it is stored (Impl::notes_).
#pragma once

#include <cstdint>
#include <span>

#include "machine/scalar.hpp"

namespace assay::machine {

struct FloatNote {
  double bound = 1;  // at least 1
  int grain = 0;     // at most 0
};

// Of a value that comes from outside of floating arithmetic: a constant, a converted integer, bytes.
FloatNote NoteOfValue(ScalarType type, Value value);
// Of lhs op rhs; comparisons have none.
FloatNote NoteOfResult(lang::BinaryOp op, FloatNote lhs, FloatNote rhs);
// Of a function of <math.h> that gives a floating number; `power` is the second argument of ldexp and scalbn.
FloatNote NoteOfMath(lang::Builtin function, std::span<const FloatNote> arguments, int64_t power);
// Whether all that the note allows is exact in the type.
bool IsRobust(ScalarType type, FloatNote note);
// Of two notes, one that bounds what both do.
FloatNote Wider(FloatNote a, FloatNote b);

}  // namespace assay::machine
