#include "gen/nest.hpp"

#include <fmt/format.h>

#include "gen/budget.hpp"
#include "gen/nest_shapes.hpp"
#include "support/table.hpp"

namespace assay::gen {
namespace {

using S = ShapeId;

constexpr uint64_t kLeastSteps = 150;   // below it no nest is worth its text
constexpr uint32_t kLeastTokens = 250;  // about what a nest takes, with its arrays and its function

}  // namespace

ROWS_BEGIN
constexpr std::array<ShapeRow, kShapeCount> kShapes = {{
    {S::Elementwise, "elementwise", WriterId::Nest, 24, shapes::Elementwise},
    {S::Widths, "several widths", WriterId::Nest, 6, shapes::Widths},
    {S::Stencil, "stencil", WriterId::Nest, 6, shapes::Stencil},
    {S::Stride, "stride", WriterId::Nest, 5, shapes::Stride},
    {S::Reverse, "reverse", WriterId::Nest, 3, shapes::Reverse},
    {S::Gather, "gather", WriterId::Nest, 4, shapes::Gather},
    {S::Scatter, "scatter", WriterId::Nest, 3, shapes::Scatter},
    {S::Groups, "groups", WriterId::Nest, 5, shapes::Groups},
    {S::StraightGroups, "groups without a loop", WriterId::Nest, 5, shapes::StraightGroups, false},
    {S::Records, "records", WriterId::Nest, 3, shapes::Records},
    {S::Distance, "distance", WriterId::Nest, 4, shapes::Distance},
    {S::ConditionalStore, "conditional store", WriterId::Nest, 6, shapes::ConditionalStore},
    {S::EarlyExit, "early exit", WriterId::Nest, 4, shapes::EarlyExit},
    {S::SeveralExits, "several exits", WriterId::Nest, 2, shapes::SeveralExits},
    {S::Calls, "calls", WriterId::Nest, 3, shapes::Calls},
    {S::PointerWalk, "pointer walk", WriterId::Nest, 4, shapes::PointerWalk},
    {S::NarrowIndex, "narrow index", WriterId::Nest, 3, shapes::NarrowIndex},
    {S::SeveralInductions, "several inductions", WriterId::Nest, 4, shapes::SeveralInductions},
    {S::Unswitch, "invariant condition", WriterId::Nest, 90, shapes::Unswitch},
    {S::Peel, "special iterations", WriterId::Nest, 30, shapes::Peel},
    {S::Interleave, "interleave", WriterId::Nest, 3, shapes::Interleave},
    {S::Fusion, "fusion", WriterId::Nest, 4, shapes::Fusion},
    {S::Distribution, "distribution", WriterId::Nest, 14, shapes::Distribution},
    {S::LocalArray, "local array", WriterId::Nest, 4, shapes::LocalArray},
    {S::CallAgain, "call again", WriterId::Nest, 8, shapes::CallAgain, false},
    {S::Rows, "rows", WriterId::Nest, 40, shapes::Rows},
    {S::Columns, "columns", WriterId::Nest, 30, shapes::Columns},
    {S::Transpose, "transpose", WriterId::Nest, 12, shapes::Transpose},
    {S::Triangle, "triangle", WriterId::Nest, 14, shapes::Triangle},
    {S::MatrixProduct, "matrix product", WriterId::Nest, 16, shapes::MatrixProduct},
    {S::Plane, "plane stencil", WriterId::Nest, 14, shapes::Plane},
    {S::Cube, "cube", WriterId::Nest, 24, shapes::Cube},
    {S::Imperfect, "imperfect", WriterId::Nest, 12, shapes::Imperfect},
    {S::GuardedInner, "guarded inner loop", WriterId::Nest, 8, shapes::GuardedInner},
    {S::Reuse, "reuse", WriterId::Nest, 20, shapes::Reuse},
    {S::FloatMap, "floating elementwise", WriterId::Nest, 30, shapes::FloatMap, true, true},
    {S::FloatStencil, "floating stencil", WriterId::Nest, 10, shapes::FloatStencil, true, true},
    {S::FloatRows, "floating rows", WriterId::Nest, 12, shapes::FloatRows, true, true},
    {S::Fold, "fold", WriterId::Reduction, 10, shapes::Fold},
    {S::Dot, "dot product", WriterId::Reduction, 5, shapes::Dot},
    {S::Differences, "absolute differences", WriterId::Reduction, 3, shapes::Differences},
    {S::SeveralSums, "several sums", WriterId::Reduction, 4, shapes::SeveralSums},
    {S::ConditionalSum, "conditional sum", WriterId::Reduction, 4, shapes::ConditionalSum},
    {S::Extreme, "minimum and maximum", WriterId::Reduction, 5, shapes::Extreme},
    {S::FindIndex, "index found", WriterId::Reduction, 3, shapes::FindIndex},
    {S::RowSums, "row sums", WriterId::Reduction, 4, shapes::RowSums},
    {S::GlobalSum, "global sum", WriterId::Reduction, 4, shapes::GlobalSum},
    {S::FloatSum, "floating sum", WriterId::Reduction, 14, shapes::FloatSum, true, true},
    {S::FloatExtreme, "floating maximum", WriterId::Reduction, 5, shapes::FloatExtreme, true, true},
    {S::Fill, "fill", WriterId::Idiom, 7, shapes::Fill},
    {S::CopyLoop, "copy", WriterId::Idiom, 4, shapes::CopyLoop},
    {S::StringLength, "string length", WriterId::Idiom, 2, shapes::StringLength},
    {S::PopCount, "bit count", WriterId::Idiom, 2, shapes::PopCount},
    {S::FindFirst, "find first", WriterId::Idiom, 2, shapes::FindFirst},
    {S::Crc, "crc", WriterId::Idiom, 2, shapes::Crc},
    {S::Saturate, "saturate", WriterId::Idiom, 3, shapes::Saturate},
    {S::ClosedForm, "closed form", WriterId::Idiom, 3, shapes::ClosedForm},
    {S::Clamp, "clamp", WriterId::Idiom, 7, shapes::Clamp},
    {S::Bytes, "bytes", WriterId::Idiom, 3, shapes::Bytes, false},
    {S::Rotate, "rotate", WriterId::Idiom, 3, shapes::Rotate},
    {S::Quotients, "quotients and multiples", WriterId::Idiom, 3, shapes::Quotients, false},
}};
ROWS_END
static_assert(support::InEnumOrder(kShapes, ShapeId::kCount));

namespace {

// One shape of the statement, drawn by weight; another one if it does not fit here.
void WriteShape(Writer& w, WriterId of) {
  const uint64_t steps = StepsHere(w);
  if (steps < kLeastSteps || w.TokensLeft() < kLeastTokens) return;
  std::array<uint32_t, kShapeCount> weights{};
  for (size_t i = 0; i < kShapeCount; ++i) {
    const bool wanted = kShapes[i].of == of && (!kShapes[i].floats || w.knobs.floats > 0);
    weights[i] = wanted ? kShapes[i].weight : 0;
  }
  for (int tries = 0; tries < 3; ++tries) {
    const ShapeRow& row = kShapes[w.choices.Weighted(weights)];
    ShapeCounters& counters = w.counters.shapes[static_cast<size_t>(row.kind)];
    ++counters.tried;
    const uint32_t first = w.program.stmts.Size();
    const size_t before = w.program.blocks[w.scope.block].stmts.size();
    class Nest nest(w, steps);
    if (!row.write(nest)) continue;
    nest.End();
    ++counters.written;
    const StmtId place = w.program.blocks[w.scope.block].stmts[before];
    w.nests.written.push_back({row.kind, place.index, first, w.program.stmts.Size()});
    return;
  }
}

}  // namespace

void WriteNest(Writer& w) { WriteShape(w, WriterId::Nest); }
void WriteReduction(Writer& w) { WriteShape(w, WriterId::Reduction); }
void WriteIdiom(Writer& w) { WriteShape(w, WriterId::Idiom); }

void Add(ShapeTable& sum, const ShapeTable& one) {
  for (size_t i = 0; i < kShapeCount; ++i) {
    sum[i].tried += one[i].tried;
    sum[i].written += one[i].written;
    sum[i].executed += one[i].executed;
    sum[i].looped += one[i].looped;
  }
}

std::string TextOf(const ShapeTable& table) {
  std::string text = fmt::format("shapes:\n  {:<10} {:<22} {:>6} {:>10} {:>10} {:>10} {:>10}\n", "statement", "shape",
                                 "weight", "tried", "written", "executed", "looped");
  for (const ShapeRow& row : kShapes) {
    const ShapeCounters& c = table[static_cast<size_t>(row.kind)];
    text += fmt::format("  {:<10} {:<22} {:>6} {:>10} {:>10} {:>10} {:>10}\n", Info(row.of).name, row.name, row.weight,
                        c.tried, c.written, c.executed, c.looped);
  }
  return text;
}

}  // namespace assay::gen
