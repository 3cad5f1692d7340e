// The writers of the shapes, one function each; kShapes in nest.cpp is the table.
#pragma once

#include "gen/nest.hpp"

namespace assay::gen::shapes {

// nest_rows.cpp: one loop.
bool Elementwise(Nest& n);
bool Widths(Nest& n);
bool Stencil(Nest& n);
bool Stride(Nest& n);
bool Reverse(Nest& n);
bool Gather(Nest& n);
bool Scatter(Nest& n);
bool Groups(Nest& n);
bool StraightGroups(Nest& n);
bool Records(Nest& n);
bool Distance(Nest& n);
bool Interleave(Nest& n);
bool Fusion(Nest& n);
bool Distribution(Nest& n);
bool LocalArray(Nest& n);
// nest_flow.cpp: control and induction.
bool ConditionalStore(Nest& n);
bool EarlyExit(Nest& n);
bool SeveralExits(Nest& n);
bool Calls(Nest& n);
bool PointerWalk(Nest& n);
bool NarrowIndex(Nest& n);
bool SeveralInductions(Nest& n);
bool Unswitch(Nest& n);
bool Peel(Nest& n);
bool CallAgain(Nest& n);
// nest_deep.cpp: two and three loops.
bool Rows(Nest& n);
bool Columns(Nest& n);
bool Transpose(Nest& n);
bool Triangle(Nest& n);
bool MatrixProduct(Nest& n);
bool Plane(Nest& n);
bool Cube(Nest& n);
bool Imperfect(Nest& n);
bool GuardedInner(Nest& n);
bool Reuse(Nest& n);
// nest_floats.cpp: of floating numbers.
bool FloatMap(Nest& n);
bool FloatStencil(Nest& n);
bool FloatRows(Nest& n);
bool FloatSum(Nest& n);
bool FloatExtreme(Nest& n);
// reductions.cpp
bool Fold(Nest& n);
bool Dot(Nest& n);
bool Differences(Nest& n);
bool SeveralSums(Nest& n);
bool ConditionalSum(Nest& n);
bool Extreme(Nest& n);
bool FindIndex(Nest& n);
bool RowSums(Nest& n);
bool GlobalSum(Nest& n);
// idioms.cpp
bool Fill(Nest& n);
bool CopyLoop(Nest& n);
bool StringLength(Nest& n);
bool PopCount(Nest& n);
bool FindFirst(Nest& n);
bool Crc(Nest& n);
bool Saturate(Nest& n);
bool ClosedForm(Nest& n);
bool Clamp(Nest& n);
bool Bytes(Nest& n);
bool Rotate(Nest& n);
bool Quotients(Nest& n);

}  // namespace assay::gen::shapes
