// The writers: every way to write a statement or an expression is a row here, with its weight and its counters. What a
// row does stands in the table of its class: kStatements in stmt.cpp, kIntegers in expr.cpp, kFloats in floats.cpp,
// kPointers and kAddresses in access.cpp, kRecords in call.cpp, kVectors in vectors.cpp, kWides in
// wide.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "knobs/knobs.hpp"
#include "lang/ids.hpp"
#include "support/table.hpp"

namespace assay::gen {

enum class WriterClass : uint8_t { Statement, Integer, Float, Vector, Wide, Condition, Pointer, Record };

enum class WriterId : uint8_t {
  // Statements, in the order of kStatements.
  Assign,
  CompoundAssign,
  IncDec,
  Call,
  Declaration,
  PointerAssign,
  LocalPointer,
  RecordAssign,
  Memory,
  Variadic,
  Nest,
  Reduction,
  Idiom,
  IfChain,
  ValueSwitch,
  Threads,
  StateMachine,
  BitTests,
  Clamp,
  Redundant,
  Stores,
  StoreRun,
  TailRecursion,
  Verdict,
  Exact,
  FloatStatement,
  VectorStatement,
  VectorLoop,
  VectorCopy,
  WideStatement,
  WideIdiom,
  WideCopy,
  Checked,
  Atomic,
  String,
  Barrier,
  Break,
  Continue,
  Return,
  If,
  Switch,
  For,
  While,
  Do,
  Block,
  GotoForward,
  GotoBackward,
  GotoInto,
  GotoOver,
  GotoTable,
  Bait,
  // Statements that are not drawn.
  Empty,
  LastReturn,
  DepthCheck,
  BaitedHazard,
  // Hazards, in the order of kHazards (hazards.cpp); their weights are drawn per program.
  NullAccess,
  DanglingAccess,
  WildPointer,
  Uninitialized,
  OversizedCopy,
  WildIndex,
  OnePastLoop,
  ZeroDivisor,
  WildShift,
  Overflow,
  EndlessLoop,
  EndlessRecursion,
  WrongType,
  MisalignedAccess,
  UnsequencedStores,
  FreeLocal,
  UseAfterFree,
  PastInitializer,
  StringStore,
  ConstStore,
  NullCall,
  ForeignPointers,
  Unreachable,
  // Integers, in the order of kIntegers; then those that come before the draw.
  Unary,
  Binary,
  Logical,
  Conditional,
  Comma,
  InnerAssign,
  InnerIncDec,
  Cast,
  Sizeof,
  InnerCall,
  PointerToInteger,
  Pattern,
  Logic,
  Safe,
  FloatTest,
  FloatClass,
  LaneOfVector,
  PartOfWide,
  OverflowTest,
  ExpectedValue,
  EitherValue,
  Leaf,
  Constant,
  KnownConstant,
  Object,
  Copy,
  // Floating numbers, in the order of kFloats (floats.cpp); then those that come before the draw.
  FloatBinary,
  FloatUnary,
  FloatCast,
  FloatConditional,
  FloatEffect,
  FloatCall,
  FloatWrap,
  FloatFunction,
  FloatShape,
  FloatLane,
  FloatOfWide,
  FloatLeaf,
  FloatLiteral,
  FloatObject,
  // Vectors, in the order of kVectors (vectors.cpp).
  VectorBinary,
  VectorUnary,
  VectorCompare,
  VectorBlend,
  VectorSelect,
  VectorCast,
  VectorConvert,
  VectorShuffle,
  VectorLiteral,
  VectorLeaf,
  // Wide integers, in the order of kWides (wide.cpp).
  WideBinary,
  WideUnary,
  WideCast,
  WideJoin,
  WideProduct,
  WideSelect,
  WideOfFloat,
  WideCall,
  WideLeaf,
  // Conditions.
  Comparison,
  Truth,
  TestPattern,
  Opaque,
  EarlierCondition,
  FloatCondition,
  ExpectedCondition,
  // Pointers.
  Null,
  FunctionAddress,
  StringLiteral,
  OtherPointer,
  ObjectAddress,
  GlobalAddress,
  // Records.
  RecordCall,
  CompoundLiteral,
  RecordObject,
  RecordGlobal,
  kCount
};

constexpr bool IsHazard(WriterId id) { return id >= WriterId::BaitedHazard && id <= WriterId::Unreachable; }

struct WriterRow {
  WriterId kind;
  std::string_view name;
  WriterClass of;
  int32_t knobs::Knobs::*weight;  // null: the weight below
  uint32_t fixed;                 // relative to the others of its class; 0: the place decides, not a weight

  uint32_t Weight(const knobs::Knobs& knobs) const {
    return weight == nullptr ? fixed : static_cast<uint32_t>(knobs.*weight);
  }
};

inline constexpr size_t kWriterCount = static_cast<size_t>(WriterId::kCount);
extern const std::array<WriterRow, kWriterCount> kWriters;
inline const WriterRow& Info(WriterId id) { return kWriters[static_cast<size_t>(id)]; }

// Whether rows of a table, each with its `kind`, are those that follow each other in WriterId: then their weights do,
// too.
template <typename Rows>
constexpr bool AreInARow(const Rows& rows) {
  for (size_t i = 0; i < rows.size(); ++i) {
    if (static_cast<size_t>(rows[i].kind) != static_cast<size_t>(rows[0].kind) + i) return false;
  }
  return true;
}

struct WriterCounters {
  uint64_t tried = 0;     // asked to write here
  uint64_t written = 0;   // and did (a statement that does not fit here is drawn again)
  uint64_t repaired = 0;  // rewrites and repairs of what it wrote itself; of a statement, anywhere in it
  uint64_t executed = 0;  // of those written, how many ran in the clean run
};
using WriterTable = std::array<WriterCounters, kWriterCount>;
void Add(WriterTable& sum, const WriterTable& one);
// The names of the rows of which something was executed, one a line.
std::string ExecutedWriters(const WriterTable& table);
// One line for each row: class, name, weight under these knobs, counters.
std::string TextOf(const WriterTable& table, const knobs::Knobs& knobs);

// What one row wrote: the new expressions [first, end) except those of the rows it asked in turn, and its root.
struct Written {
  uint32_t first = 0, end = 0;
  uint32_t root = 0;  // the ExprId, of a statement's row the StmtId of the first statement it appended
  WriterId by = WriterId::kCount;
};

// In the order in which the rows were done: an inner one stands before the one that asked it.
class WrittenLog {
 public:
  void Reserve(size_t count) { log_.reserve(count); }
  void Add(const Written& written) { log_.push_back(written); }
  const std::vector<Written>& All() const { return log_; }
  // The row that wrote the expression, and the row of its statement; kCount where no row did.
  struct Origin {
    WriterId expression = WriterId::kCount, statement = WriterId::kCount;
  };
  Origin OriginOf(lang::ExprId expr) const;

 private:
  std::vector<Written> log_;
};

}  // namespace assay::gen
