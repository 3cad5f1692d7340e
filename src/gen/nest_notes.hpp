// What the writer remembers of loop nests: the arrays they share, the functions made of nests, and which shape was
// written where.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "lang/ids.hpp"

namespace assay::gen {

// The shapes of nests, reductions and idioms, in the order of kShapes (nest.cpp).
enum class ShapeId : uint8_t {
  // Nests.
  Elementwise,
  Widths,
  Stencil,
  Stride,
  Reverse,
  Gather,
  Scatter,
  Groups,
  StraightGroups,
  Records,
  Distance,
  ConditionalStore,
  EarlyExit,
  SeveralExits,
  Calls,
  PointerWalk,
  NarrowIndex,
  SeveralInductions,
  Unswitch,
  Peel,
  Interleave,
  Fusion,
  Distribution,
  LocalArray,
  CallAgain,
  Rows,
  Columns,
  Transpose,
  Triangle,
  MatrixProduct,
  Plane,
  Cube,
  Imperfect,
  GuardedInner,
  Reuse,
  FloatMap,
  FloatStencil,
  FloatRows,
  // Reductions.
  Fold,
  Dot,
  Differences,
  SeveralSums,
  ConditionalSum,
  Extreme,
  FindIndex,
  RowSums,
  GlobalSum,
  FloatSum,
  FloatExtreme,
  // Idioms.
  Fill,
  CopyLoop,
  StringLength,
  PopCount,
  FindFirst,
  Crc,
  Saturate,
  ClosedForm,
  Clamp,
  Bytes,
  Rotate,
  Quotients,
  kCount
};
inline constexpr size_t kShapeCount = static_cast<size_t>(ShapeId::kCount);

struct ShapeCounters {
  uint64_t tried = 0, written = 0;
  uint64_t executed = 0;  // of those written, how many ran in the clean run
  uint64_t looped = 0;    // and in how many of those a body ran twice or more
};
using ShapeTable = std::array<ShapeCounters, kShapeCount>;

// A global array that nests read and write: up to three dimensions of numbers.
struct SharedArray {
  lang::VarId var;
  lang::TypeId element;
  uint32_t dimensions = 1;
  std::array<uint32_t, 3> lengths{1, 1, 1};
  // Only nests write it, and only such values; with the limits of its type anybody may write anything.
  bool kept = false;
  int64_t low = 0, high = 0;
};

// A function made of a nest, to be called again with other arguments.
struct NestFunction {
  struct Param {
    enum class Kind : uint8_t { Array, Bound, Invariant } kind = Kind::Invariant;
    SharedArray array;  // Array: lengths are the least that fit
    bool written = false;
    int64_t low = 0, high = 0;  // Bound: the values it may have
  };
  lang::FunctionId function;
  bool restricted = false;  // its pointers are: what it writes must be reached by one of them only
  std::vector<Param> params;
  uint64_t cost = 0;  // steps of a call, at most
};

// A global that nobody writes, or a member of one, for bounds.
struct NestBound {
  lang::VarId var;
  int32_t member = -1;
  int64_t value = 0;
};

struct WrittenShape {
  ShapeId shape = ShapeId::kCount;
  uint32_t first = 0;                     // the StmtId of what stands in its place: the nest, or a call of it
  uint32_t first_made = 0, end_made = 0;  // the statements made for it, by StmtId
};

struct NestNotes {
  std::vector<SharedArray> arrays;
  std::vector<NestFunction> functions;
  std::vector<NestBound> bounds;
  std::vector<lang::VarId> indices;  // globals that steer loops of nests
  std::vector<WrittenShape> written;
  uint32_t array_bytes = 0;
};

}  // namespace assay::gen
