#include "gen/stmt.hpp"

#include <algorithm>

#include "gen/access.hpp"
#include "gen/call.hpp"
#include "gen/control.hpp"
#include "gen/declare.hpp"
#include "gen/exact.hpp"
#include "gen/expr.hpp"
#include "gen/floats.hpp"
#include "gen/flow.hpp"
#include "gen/gnu.hpp"
#include "gen/hazards.hpp"
#include "gen/loops.hpp"
#include "gen/memory.hpp"
#include "gen/nest.hpp"
#include "gen/operators.hpp"
#include "gen/types.hpp"
#include "gen/vectors.hpp"
#include "gen/wide.hpp"

namespace assay::gen {
namespace {

using lang::Stmt;
using lang::Storage;

void WriteAssign(Writer& w) {
  const ExprId target = IntLvalue(w, Access::Write);
  if (!target) return;
  AppendExpr(w, w.build.Assign(target, IntExpr(w, DrawDepth(w))));
}

void WriteCompoundAssign(Writer& w) {
  const ExprId target = IntLvalue(w, Access::Update);
  if (!target || !IsPure(w.program, target) || lang::IsPromotionUnclear(w.program, target)) return;
  const BinaryOp op = CompoundOperator(w);
  AppendExpr(w, w.build.CompoundAssign(op, target, IntExpr(w, DrawDepth(w) - 1)));
}

void WriteIncDec(Writer& w) {
  const ExprId target = IntLvalue(w, Access::Update);
  if (!target || !CanStep(w, target) || !IsPure(w.program, target)) return;
  AppendExpr(w, w.build.IncDec(DrawIncDec(w), target));
}

void WriteCall(Writer& w) {
  const ExprId call = AnyCall(w, 2);
  if (!call) return;
  const TypeId type = w.program.exprs[call].type;
  ExprId target;
  if (w.Kind(type) != TypeKind::Void && w.choices.Percent(75)) {
    target = lang::IsInteger(w.Kind(type)) ? IntLvalue(w, Access::Write) : LvalueOfType(w, type, Access::Write);
  }
  AppendExpr(w, target ? w.build.Assign(target, call) : call);
}

// p++, --p, p += k or p -= k, inside the array p points into (one past its end included, rarely). False if there is no
// room.
bool StepPointer(Writer& w, ExprId target) {
  if (!w.Live() || !IsPure(w.program, target)) return false;
  const TypeId element = w.program.types[w.program.exprs[target].type].element;
  const uint32_t size = w.Kind(element) == TypeKind::Void ? 0 : w.layouts.SizeOf(element);
  const std::optional<machine::Value> value = w.Probe(target);
  if (!value || size == 0) return false;
  const machine::PointerView view = w.machine->View(*value);
  if (view.kind != machine::PointerView::Kind::Object || !view.live) return false;
  const int64_t before = (view.offset - view.low) / size, after = (view.high - view.offset) / size;
  const int64_t last = after > 1 && !w.choices.Percent(5) ? after - 1 : after;
  const bool down = last == 0 || (before > 0 && w.choices.Coin());
  const int64_t room = down ? before : last;
  if (room == 0) return false;
  const int64_t distance = w.choices.Percent(60) ? 1 : w.choices.Between(1, room);
  if (distance == 1 && w.choices.Percent(70)) {
    const bool prefix = w.choices.Coin();
    const lang::IncDecOp op = down ? (prefix ? lang::IncDecOp::PreDec : lang::IncDecOp::PostDec)
                                   : (prefix ? lang::IncDecOp::PreInc : lang::IncDecOp::PostInc);
    AppendExpr(w, w.build.IncDec(op, target));
  } else {
    AppendExpr(w, w.build.CompoundAssign(down ? BinaryOp::Sub : BinaryOp::Add, target, w.build.Int(distance)));
  }
  return true;
}

void WritePointer(Writer& w) {
  const bool function = w.choices.Percent(15);
  const ExprId target = PointerLvalue(w, function);
  if (!target) return;
  if (!function && w.choices.Percent(35) && StepPointer(w, target)) return;
  VarId holder = RootVariable(w.program, target);
  if (!holder) holder = w.program.globals.front();  // reached through a pointer: the object may live for ever
  const TypeId type = w.program.types.Unqualified(w.program.exprs[target].type);
  AppendExpr(w, w.build.Assign(target, PointerExpr(w, type, holder, true)));
}

void WriteRecord(Writer& w) {
  if (w.record_types.empty()) return;
  const TypeId type = w.choices.Pick(w.record_types);
  const ExprId target = LvalueOfType(w, type, Access::Write);
  if (!target) return;
  AppendExpr(w, w.build.Assign(target, ValueFor(w, type, {}, 2)));
}

bool MayBeUninitialized(Writer& w, TypeId type) {
  // Integers, integer arrays and records of them: what the machine and the writer watch closely.
  while (lang::IsArray(w.Kind(type))) type = w.program.types[type].element;
  return w.Kind(type) != TypeKind::Pointer;
}

void WriteDeclaration(Writer& w) {
  const knobs::Knobs& k = w.knobs;
  switch (w.choices.Weighted({static_cast<uint32_t>(k.auto_locals) + 1, static_cast<uint32_t>(k.static_locals),
                              static_cast<uint32_t>(k.register_locals), static_cast<uint32_t>(k.vla),
                              static_cast<uint32_t>(k.heap)})) {
    case 0: {
      TypeId type = ObjectType(w);
      if (w.layouts.SizeOf(type) > 2048) type = IntegerType(w);
      // There are fewer of them than of globals.
      if (w.choices.Percent(std::min(60, 3 * k.volatile_objects)))
        type = w.program.types.Qualified(type, lang::kVolatile);
      const bool constant = w.choices.Percent(std::min(60, 2 * k.const_objects));
      if (constant) type = w.program.types.Qualified(type, lang::kConst);
      InitId init;
      if (constant || !MayBeUninitialized(w, type) || !w.choices.Percent(k.uninitialized)) {
        const TypeKind kind = w.Kind(type);
        init = lang::IsInteger(kind)       ? w.build.InitExpr(IntExpr(w, DrawDepth(w) - 1))
               : lang::IsFloat(kind)       ? w.build.InitExpr(FloatExpr(w, type, DrawDepth(w) - 1))
               : kind == TypeKind::Pointer ? w.build.InitExpr(PointerExpr(w, type, {}, w.choices.Percent(20)))
                                           : Initializer(w, type, false);
      }
      DeclareLocal(w, type, init);
      return;
    }
    case 1: {
      TypeId type = ObjectType(w);
      if (w.static_bytes + w.layouts.SizeOf(type) > static_cast<uint32_t>(k.static_bytes)) type = IntegerType(w);
      w.static_bytes += w.layouts.SizeOf(type);
      DeclareLocal(w, type, Initializer(w, type, true), Storage::StaticLocal);
      return;
    }
    case 2: {
      const TypeId type = NumberType(w);
      DeclareLocal(w, type, w.build.InitExpr(ValueFor(w, type, {}, 1)), Storage::Register);
      return;
    }
    case 3: WriteVla(w); return;
    default: WriteHeap(w); return;
  }
}

constexpr uint32_t kGroupTokens = 150;  // about what a group of statements takes, with its function

struct StatementRow {
  WriterId kind;
  void (*write)(Writer&);
  bool nests;           // opens blocks: not beyond the block depth
  bool loops = false;   // writes a loop
  uint32_t tokens = 0;  // of the program that must be left: for what is written whole
};

constexpr std::array kStatements = {
    StatementRow{WriterId::Assign, WriteAssign, false},
    StatementRow{WriterId::CompoundAssign, WriteCompoundAssign, false},
    StatementRow{WriterId::IncDec, WriteIncDec, false},
    StatementRow{WriterId::Call, WriteCall, false},
    StatementRow{WriterId::Declaration, WriteDeclaration, false},
    StatementRow{WriterId::PointerAssign, WritePointer, false},
    StatementRow{WriterId::LocalPointer, WriteLocalPointer, false},
    StatementRow{WriterId::RecordAssign, WriteRecord, false},
    StatementRow{WriterId::Memory, [](Writer& w) { WriteMemory(w); }, false},
    StatementRow{WriterId::Variadic, WriteVariadic, false},
    StatementRow{WriterId::Nest, WriteNest, false, true},
    StatementRow{WriterId::Reduction, WriteReduction, false, true},
    StatementRow{WriterId::Idiom, WriteIdiom, false, true},
    StatementRow{WriterId::IfChain, WriteIfChain, false, false, kGroupTokens},
    StatementRow{WriterId::ValueSwitch, WriteValueSwitch, false, false, kGroupTokens},
    StatementRow{WriterId::Threads, WriteThreads, false, false, kGroupTokens},
    StatementRow{WriterId::StateMachine, WriteStateMachine, true, true, kGroupTokens},
    StatementRow{WriterId::BitTests, WriteBitTests, false, false, kGroupTokens},
    StatementRow{WriterId::Clamp, WriteClamp, false, false, kGroupTokens},
    StatementRow{WriterId::Redundant, WriteRedundant, false, false, kGroupTokens},
    StatementRow{WriterId::Stores, WriteStores, false, false, kGroupTokens},
    StatementRow{WriterId::StoreRun, WriteStoreRun, false, false, kGroupTokens},
    StatementRow{WriterId::TailRecursion, WriteRecursion, false, false, kGroupTokens},
    StatementRow{WriterId::Verdict, WriteVerdict, false, false, kGroupTokens},
    StatementRow{WriterId::Exact, WriteExact, false, false, kGroupTokens},
    StatementRow{WriterId::FloatStatement, WriteFloat, false},
    StatementRow{WriterId::VectorStatement, WriteVector, false},
    StatementRow{WriterId::VectorLoop, WriteVectorLoop, false, true},
    StatementRow{WriterId::VectorCopy, WriteVectorCopy, false},
    StatementRow{WriterId::WideStatement, WriteWide, false},
    StatementRow{WriterId::WideIdiom, WriteWideIdiom, false, true},
    StatementRow{WriterId::WideCopy, WriteWideCopy, false},
    StatementRow{WriterId::Checked, WriteChecked, true},
    StatementRow{WriterId::Atomic, WriteAtomic, false},
    StatementRow{WriterId::String, WriteString, false},
    StatementRow{WriterId::Barrier, WriteBarrier, false},
    StatementRow{WriterId::Break, WriteBreak, false},
    StatementRow{WriterId::Continue, WriteContinue, false},
    StatementRow{WriterId::Return, WriteEarlyReturn, false},
    StatementRow{WriterId::If, WriteIf, true},
    StatementRow{WriterId::Switch, WriteSwitch, true},
    StatementRow{WriterId::For, WriteFor, true, true},
    StatementRow{WriterId::While, WriteWhile, true, true},
    StatementRow{WriterId::Do, WriteDo, true, true},
    StatementRow{WriterId::Block, WriteBlock, true},
    StatementRow{WriterId::GotoForward, WriteGotoForward, true},
    StatementRow{WriterId::GotoBackward, WriteGotoBackward, true, true},
    StatementRow{WriterId::GotoInto, WriteGotoInto, true},
    StatementRow{WriterId::GotoOver, WriteGotoOver, false},
    StatementRow{WriterId::GotoTable, WriteGotoTable, true},
    StatementRow{WriterId::Bait, WriteBait, true},
};
static_assert(support::InEnumOrder(kStatements, WriterId::Empty));

}  // namespace

bool WriteStatementRow(Writer& w, WriterId by, void (*write)(Writer&)) {
  WriterCounters& counters = w.counters.writers[static_cast<size_t>(by)];
  ++counters.tried;
  const uint32_t first = w.program.exprs.Size();
  const size_t before = w.program.blocks[w.scope.block].stmts.size();
  {
    const Room room(w, w.StatementRoom());
    write(w);
  }
  w.Measure();
  const std::vector<StmtId>& after = w.program.blocks[w.scope.block].stmts;
  if (after.size() == before) return false;
  ++counters.written;
  w.written.Add({first, w.program.exprs.Size(), after[before].index, by});
  const Meter meter(w.program);
  for (size_t i = before; i < after.size(); ++i) w.Wrote(meter.Statement(after[i]));
  return true;
}

StatementWeights StatementDraw(const Writer& w) {
  StatementWeights draw;
  for (bool live : {false, true}) {
    for (bool deep : {false, true}) {
      std::array<uint32_t, kStatements.size()> weights;
      for (size_t i = 0; i < weights.size(); ++i) {
        weights[i] = deep && kStatements[i].nests ? 0 : w.weights[i];
        if (!live && kStatements[i].loops) weights[i] = (weights[i] + 2) / 3;  // loops are there to run
      }
      draw[live][deep] = choice::Weights(weights);
    }
  }
  return draw;
}

void WriteStatement(Writer& w) {
  ++w.counters.statements;
  const bool deep = w.scope.depth >= static_cast<uint32_t>(w.knobs.block_depth);
  const auto& weights = w.statement_draw[w.Live()][deep];
  for (int tries = 0; tries < 6 && !weights.Empty(); ++tries) {
    DrawStatementPolicy(w);
    const StatementRow& row = kStatements[weights.Draw(w.choices)];
    if (row.tokens > w.TokensLeft()) continue;
    if (WriteStatementRow(w, row.kind, row.write)) return;
  }
  WriteStatementRow(w, WriterId::Empty, [](Writer& writer) {
    writer.build.Append(writer.scope.block, writer.build.Statement({.kind = StmtKind::Empty}));
  });
}

void WriteReturn(Writer& w) {
  DrawStatementPolicy(w);
  WriteStatementRow(w, WriterId::LastReturn, [](Writer& writer) {
    Stmt stmt{.kind = StmtKind::Return};
    stmt.expr = ReturnValue(writer);
    writer.build.Append(writer.scope.block, writer.build.Statement(stmt));
  });
}

VarId DeclareLocal(Writer& w, TypeId type, InitId init, Storage storage) {
  const VarId var = w.build.Local(w.scope.function, type, storage, init);
  w.build.Append(w.scope.block, w.build.Decl(var));
  Declare(w, w.scope.block, var);
  return var;
}

void AppendExpr(Writer& w, ExprId expr) { w.build.Append(w.scope.block, w.build.ExprStatement(expr)); }

void AppendIf(Writer& w, ExprId condition, Stmt then) {
  Stmt stmt{.kind = StmtKind::If, .expr = condition};
  stmt.body = w.build.NewBlock(w.scope.function);
  w.build.Append(w.scope.block, w.build.Statement(stmt));
  w.build.Append(stmt.body, w.build.Statement(then));
}

uint32_t DrawDepth(Writer& w) {
  const uint32_t most = static_cast<uint32_t>(w.knobs.expression_depth);
  return 1 + std::max(w.choices.Below(most), w.choices.Below(most));
}

}  // namespace assay::gen
