#include "gen/dead.hpp"

#include "gen/gnu.hpp"
#include "gen/hazards.hpp"
#include "gen/stmt.hpp"

namespace assay::gen {
namespace {

bool IsBody(const Writer& w, BlockId block) { return !w.program.blocks[block].outer; }

// What stands first in a dead place: the hazard that was planned, or now and then any.
void WriteFirst(Writer& w, const Bait& bait) {
  if (w.choices.Percent(w.knobs.unreachable)) {
    WriteStatementRow(w, WriterId::Unreachable, WriteUnreachable);
    return;
  }
  if (bait.kind == Bait::Kind::None) {
    if (w.choices.Percent(w.knobs.dead_hazards)) WriteHazard(w);
    return;
  }
  if (bait.kind == Bait::Kind::Any) return WriteHazard(w);
  WriteStatementRow(w, WriterId::BaitedHazard,
                    [](Writer& writer) { WriteBaitedHazard(writer, writer.Plan(writer.scope.block).bait); });
}

}  // namespace

void FillDeadPlaces(Writer& w) {
  CHECK(!w.Live());
  DrawHazardRates(w);
  // Filling may open further blocks; they come at the end of the store and are filled in their turn, ever shorter.
  const uint32_t written = w.program.blocks.Size();
  for (uint32_t i = 0; i < w.program.blocks.Size(); ++i) {
    const BlockId block(i);
    if (!w.program.blocks[block].open) continue;
    EnterScope(w, block);
    const Bait bait = w.Plan(block).bait;
    uint32_t statements = 0;
    if (w.program.blocks[block].stmts.empty() && w.TokensLeft() >= 40) {
      statements = i < written && w.choices.Percent(20) ? 2 : 1;
    }
    for (uint32_t n = 0; n < statements; ++n) {
      WriteFirst(w, n == 0 ? bait : Bait{});
      if (bait.kind == Bait::Kind::None || w.choices.Percent(30)) WriteStatement(w);
    }
    if (IsBody(w, block)) WriteReturn(w);  // draws its own policy
    w.program.blocks[block].open = false;
  }
}

}  // namespace assay::gen
