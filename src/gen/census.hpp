// A census of programs: which constructs each uses, how much of it runs, how much is repaired.
#pragma once

#include <array>
#include <bitset>
#include <string>
#include <vector>

#include "gen/generate.hpp"
#include "support/table.hpp"

namespace assay::gen {

// Every construct the generator must be able to write; `least` is the share of default programs that should use it.
enum class Construct : uint8_t {
  Bool,
  Char,
  Short,
  Int,
  Long,
  LongLong,
  FixedWidth,
  Enum,
  Struct,
  NestedStruct,
  PackedStruct,
  BitField,
  UnnamedBitField,
  ZeroWidthBitField,
  Union,
  Array1,
  Array2,
  Array3,
  Pointer1,
  Pointer2,
  Pointer3,
  Pointer4,
  ConstObject,
  VolatileObject,
  ConstArray,
  VolatileArray,
  ConstLocal,
  VolatileLocal,
  ConstMember,
  VolatileMember,
  ConstBitField,
  VolatileBitField,
  UnionBitField,
  PointerArray,
  LocalPointerArray,
  ConstPointee,
  VolatilePointee,
  Restrict,
  FunctionPointer,
  FunctionPointerArray,
  FunctionPointerMember,
  StaticLocal,
  AutoLocal,
  RegisterLocal,
  Parameter,
  Heap,
  Vla,
  CompoundLiteral,
  StringLiteral,
  NoInitializer,
  Designated,
  ExprStatement,
  If,
  IfElse,
  For,
  ForDeclaration,
  While,
  DoWhile,
  Switch,
  FallThrough,
  DefaultNotLast,
  GotoForward,
  GotoBackward,
  GotoIntoBlock,
  GotoOutOfBlock,
  GotoOverInitializer,
  Break,
  Continue,
  EarlyReturn,
  NestedBlock,
  DeclarationAfterStatement,
  NestedLoop,
  UnaryPlus,
  UnaryMinus,
  BitNot,
  LogicalNot,
  Add,
  Sub,
  Mul,
  Div,
  Rem,
  Shl,
  Shr,
  BitAnd,
  BitOr,
  BitXor,
  Compare,
  Popcount,
  Parity,
  Ffs,
  Clz,
  Ctz,
  Clrsb,
  Abs,
  Bswap,
  Rotate,
  Overflow,
  OverflowTest,
  Expect,
  AssumeAligned,
  Unreachable,
  EitherWay,
  Barrier,
  CaseRange,
  NoClone,
  NoIpa,
  Flatten,
  Cold,
  Hot,
  Used,
  Section,
  NoReorder,
  OptimizeNone,
  OptimizeMost,
  Weak,
  Hidden,
  NonNull,
  ReturnsNonNull,
  AlignedResult,
  Atomic,
  StringFunction,
  Unroll,
  ComputedGoto,
  ThreadLocal,
  VariableUsed,
  VariableSection,
  VariableWeak,
  VariableHidden,
  Assignment,
  CompoundAssignment,
  PreIncDec,
  PostIncDec,
  LogicalAnd,
  LogicalOr,
  Conditional,
  Comma,
  Cast,
  Sizeof,
  AddressOf,
  AddressOfLocal,
  AddressOfParameter,
  Dereference,
  Subscript,
  ComputedSubscript,
  NestedSubscript,
  ByteAccess,
  SwappedSubscript,
  MemberAccess,
  DirectCall,
  IndirectCall,
  RecordArgument,
  RecordResult,
  RecordAssignment,
  PointerArithmetic,
  PointerStep,
  PointerComparison,
  PointerDifference,
  HexConstant,
  OctalConstant,
  CharacterConstant,
  SuffixedConstant,
  Memcpy,
  Memset,
  Memmove,
  Memcmp,
  Variadic,
  Recursion,
  MutualRecursion,
  Inline,
  NoInline,
  AlwaysInline,
  ConstAttribute,
  PureAttribute,
  Aligned,
  Guard,
  WrapperCall,
  UnsignedForm,
  DeadCode,
  DeadCodeInLoop,
  Float,
  Double,
  FloatMember,
  FloatArray,
  FloatInUnion,
  FloatParameter,
  FloatResult,
  FloatVariadic,
  FloatSum,
  FloatProduct,
  FloatQuotient,
  FloatNegation,
  FloatComparison,
  FloatTruth,
  FloatConditional,
  FloatAssignment,
  FloatCompound,
  FloatStep,
  FloatToInteger,
  IntegerToFloat,
  FloatNarrowing,
  FloatConstant,
  FloatHexConstant,
  FloatInLoop,
  MathSign,
  MathRounding,
  MathExtreme,
  MathRoot,
  MathFused,
  MathScaled,
  FloatClassified,
  FloatOrdered,
  Vector,
  VectorConversion,
  VectorShuffle,
  VectorOperator,
  VectorComparison,
  VectorConditional,
  VectorCast,
  VectorLiteral,
  VectorLane,
  VectorCompound,
  VectorParameter,
  VectorResult,
  VectorArray,
  VectorMember,
  VectorInUnion,
  Wide,
  WideOperator,
  WideDivision,
  WideShift,
  WideComparison,
  WideToFloat,
  WideParameter,
  WideResult,
  WideMember,
  WideInUnion,
  kCount
};

struct ConstructRow {
  Construct kind;
  std::string_view name;
  uint8_t least;  // percent of default programs
};
extern const std::array<ConstructRow, static_cast<size_t>(Construct::kCount)> kConstructs;

using ConstructSet = std::bitset<static_cast<size_t>(Construct::kCount)>;

struct Sizes {
  uint64_t statements = 0, executed_statements = 0;
  uint64_t operations = 0, repaired_operations = 0;  // arithmetic: + - * / % << >>, unary -, ++, --, compound forms
  uint64_t changed_globals = 0;
  uint64_t steps = 0;
  uint64_t loops = 0, entered_loops = 0;      // written; entered in the clean run
  uint64_t live_loops = 0, long_loops = 0;    // at least 2, at least 16 iterations for each entry
  uint64_t counted_loops = 0, cut_loops = 0;  // with a counter of ours in the condition, at the begin of the body
  uint64_t blocks = 0, hot_blocks = 0;        // executed; executed 100 times or more
};

struct ProgramCensus {
  ConstructSet uses;
  Sizes sizes;
};

ProgramCensus TakeCensus(const Generated& made);

// Sums over a batch.
class Census {
 public:
  void Add(const ProgramCensus& one, size_t tokens);
  std::string Text() const;
  double Share(Construct construct) const;  // of programs, in percent
  double ExecutedShare() const;             // of statements, in percent
  double RepairedShare() const;             // of arithmetic operations, in percent
  double TenGlobalsShare() const;           // of programs that change ten or more globals, in percent
  const Sizes& Total() const { return total_; }
  size_t Programs() const { return tokens_.size(); }

 private:
  std::array<uint64_t, static_cast<size_t>(Construct::kCount)> counts_{};
  Sizes total_;
  uint64_t ten_globals_ = 0;
  std::vector<size_t> tokens_;
};

}  // namespace assay::gen
