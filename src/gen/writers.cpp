#include "gen/writers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace assay::gen {

namespace {

using enum WriterClass;
using K = knobs::Knobs;

constexpr std::string_view kClassNames[] = {"statement", "integer",   "floating", "vector",
                                            "wide",      "condition", "pointer",  "record"};

}  // namespace

constexpr std::array<WriterRow, kWriterCount> kWriters = {{
    {WriterId::Assign, "assign", Statement, &K::stmt_assign, 0},
    {WriterId::CompoundAssign, "compound assign", Statement, &K::stmt_compound_assign, 0},
    {WriterId::IncDec, "++ and --", Statement, &K::stmt_incdec, 0},
    {WriterId::Call, "call", Statement, &K::stmt_call, 0},
    {WriterId::Declaration, "declaration", Statement, &K::stmt_declare, 0},
    {WriterId::PointerAssign, "pointer assign", Statement, &K::stmt_pointer, 0},
    {WriterId::LocalPointer, "pointer to a local", Statement, &K::stmt_local_pointer, 0},
    {WriterId::RecordAssign, "record assign", Statement, &K::stmt_record, 0},
    {WriterId::Memory, "memory function", Statement, &K::stmt_memory, 0},
    {WriterId::Variadic, "variadic call", Statement, &K::stmt_variadic, 0},
    {WriterId::Nest, "loop nest", Statement, &K::stmt_nest, 0},
    {WriterId::Reduction, "reduction", Statement, &K::stmt_reduction, 0},
    {WriterId::Idiom, "idiom", Statement, &K::stmt_idiom, 0},
    {WriterId::IfChain, "if chain", Statement, &K::stmt_if_chain, 0},
    {WriterId::ValueSwitch, "switch of values", Statement, &K::stmt_value_switch, 0},
    {WriterId::Threads, "jump threading", Statement, &K::stmt_threads, 0},
    {WriterId::StateMachine, "state machine", Statement, &K::stmt_state_machine, 0},
    {WriterId::BitTests, "bit tests", Statement, &K::stmt_bit_tests, 0},
    {WriterId::Clamp, "clamp", Statement, &K::stmt_clamp, 0},
    {WriterId::Redundant, "redundant expression", Statement, &K::stmt_redundant, 0},
    {WriterId::Stores, "stores", Statement, &K::stmt_stores, 0},
    {WriterId::StoreRun, "run of stores", Statement, &K::stmt_store_run, 0},
    {WriterId::TailRecursion, "tail recursion", Statement, &K::stmt_recursion, 0},
    {WriterId::Verdict, "verdict", Statement, &K::stmt_verdict, 0},
    {WriterId::Exact, "exact expression", Statement, &K::stmt_exact, 0},
    {WriterId::FloatStatement, "floating statement", Statement, &K::stmt_float, 0},
    {WriterId::VectorStatement, "vector statement", Statement, &K::stmt_vector, 0},
    {WriterId::VectorLoop, "loop over lanes", Statement, &K::stmt_vector_loop, 0},
    {WriterId::VectorCopy, "copy of a vector", Statement, &K::stmt_vector_copy, 0},
    {WriterId::WideStatement, "wide integer", Statement, &K::stmt_wide, 0},
    {WriterId::WideIdiom, "two-word arithmetic", Statement, &K::stmt_wide_idiom, 0},
    {WriterId::WideCopy, "copy of a wide integer", Statement, &K::stmt_wide_copy, 0},
    {WriterId::Checked, "checked arithmetic", Statement, &K::stmt_checked, 0},
    {WriterId::Atomic, "atomic operation", Statement, &K::stmt_atomic, 0},
    {WriterId::String, "string function", Statement, &K::stmt_string, 0},
    {WriterId::Barrier, "barrier", Statement, &K::stmt_barrier, 0},
    {WriterId::Break, "break", Statement, &K::stmt_break, 0},
    {WriterId::Continue, "continue", Statement, &K::stmt_continue, 0},
    {WriterId::Return, "early return", Statement, &K::stmt_return, 0},
    {WriterId::If, "if", Statement, &K::stmt_if, 0},
    {WriterId::Switch, "switch", Statement, &K::stmt_switch, 0},
    {WriterId::For, "for", Statement, &K::stmt_for, 0},
    {WriterId::While, "while", Statement, &K::stmt_while, 0},
    {WriterId::Do, "do", Statement, &K::stmt_do, 0},
    {WriterId::Block, "block", Statement, &K::stmt_block, 0},
    {WriterId::GotoForward, "goto forward", Statement, &K::stmt_goto_forward, 0},
    {WriterId::GotoBackward, "goto backward", Statement, &K::stmt_goto_backward, 0},
    {WriterId::GotoInto, "goto into a block", Statement, &K::stmt_goto_into, 0},
    {WriterId::GotoOver, "goto over declarations", Statement, &K::stmt_goto_over, 0},
    {WriterId::GotoTable, "computed goto", Statement, &K::stmt_goto_table, 0},
    {WriterId::Bait, "bait", Statement, &K::stmt_bait, 0},
    {WriterId::Empty, "empty statement", Statement, nullptr, 0},
    {WriterId::LastReturn, "last return", Statement, nullptr, 0},
    {WriterId::DepthCheck, "check of the depth", Statement, nullptr, 0},
    {WriterId::BaitedHazard, "baited hazard", Statement, nullptr, 0},
    {WriterId::NullAccess, "null access", Statement, nullptr, 0},
    {WriterId::DanglingAccess, "dangling access", Statement, nullptr, 0},
    {WriterId::WildPointer, "wild pointer", Statement, nullptr, 0},
    {WriterId::Uninitialized, "uninitialised read", Statement, nullptr, 0},
    {WriterId::OversizedCopy, "oversized copy", Statement, nullptr, 0},
    {WriterId::WildIndex, "wild index", Statement, nullptr, 0},
    {WriterId::OnePastLoop, "loop past the end", Statement, nullptr, 0},
    {WriterId::ZeroDivisor, "division by zero", Statement, nullptr, 0},
    {WriterId::WildShift, "wild shift", Statement, nullptr, 0},
    {WriterId::Overflow, "overflow", Statement, nullptr, 0},
    {WriterId::EndlessLoop, "endless loop", Statement, nullptr, 0},
    {WriterId::EndlessRecursion, "endless recursion", Statement, nullptr, 0},
    {WriterId::WrongType, "wrong type", Statement, nullptr, 0},
    {WriterId::MisalignedAccess, "misaligned access", Statement, nullptr, 0},
    {WriterId::UnsequencedStores, "unsequenced stores", Statement, nullptr, 0},
    {WriterId::FreeLocal, "free of a local", Statement, nullptr, 0},
    {WriterId::UseAfterFree, "use after free", Statement, nullptr, 0},
    {WriterId::PastInitializer, "past an initialiser", Statement, nullptr, 0},
    {WriterId::StringStore, "store to a string", Statement, nullptr, 0},
    {WriterId::ConstStore, "store to a const", Statement, nullptr, 0},
    {WriterId::NullCall, "null call", Statement, nullptr, 0},
    {WriterId::ForeignPointers, "foreign pointers", Statement, nullptr, 0},
    {WriterId::Unreachable, "unreachable", Statement, nullptr, 0},
    {WriterId::Unary, "unary", Integer, &K::expr_unary, 0},
    {WriterId::Binary, "binary", Integer, &K::expr_binary, 0},
    {WriterId::Logical, "&& and ||", Integer, &K::expr_logical, 0},
    {WriterId::Conditional, "?:", Integer, &K::expr_conditional, 0},
    {WriterId::Comma, "comma", Integer, &K::expr_comma, 0},
    {WriterId::InnerAssign, "inner assign", Integer, &K::expr_assign, 0},
    {WriterId::InnerIncDec, "inner ++ and --", Integer, &K::expr_incdec, 0},
    {WriterId::Cast, "cast", Integer, &K::expr_cast, 0},
    {WriterId::Sizeof, "sizeof", Integer, &K::expr_sizeof, 0},
    {WriterId::InnerCall, "inner call", Integer, &K::expr_call, 0},
    {WriterId::PointerToInteger, "pointer to integer", Integer, &K::expr_pointer, 0},
    {WriterId::Pattern, "pattern", Integer, &K::expr_pattern, 0},
    {WriterId::Logic, "deep logic", Integer, &K::expr_logic, 0},
    {WriterId::Safe, "safe operator", Integer, &K::expr_safe, 0},
    {WriterId::FloatTest, "floating as an integer", Integer, &K::expr_float, 0},
    {WriterId::FloatClass, "class of a floating number", Integer, &K::expr_classify, 0},
    {WriterId::LaneOfVector, "lane of a vector", Integer, &K::expr_vector, 0},
    {WriterId::PartOfWide, "part of a wide integer", Integer, &K::expr_wide, 0},
    {WriterId::OverflowTest, "overflow test", Integer, &K::expr_overflow_test, 0},
    {WriterId::ExpectedValue, "expected value", Integer, &K::expr_expect, 0},
    {WriterId::EitherValue, "value either way", Integer, &K::expr_either_way, 0},
    {WriterId::Leaf, "leaf", Integer, nullptr, 1},
    {WriterId::Constant, "constant", Integer, nullptr, 0},
    {WriterId::KnownConstant, "known constant", Integer, &K::known_values, 0},
    {WriterId::Object, "object", Integer, nullptr, 0},
    {WriterId::Copy, "copy", Integer, nullptr, 0},
    {WriterId::FloatBinary, "floating binary", Float, nullptr, 60},
    {WriterId::FloatUnary, "floating unary", Float, nullptr, 8},
    {WriterId::FloatCast, "to floating", Float, nullptr, 16},
    {WriterId::FloatConditional, "floating ?:", Float, nullptr, 8},
    {WriterId::FloatEffect, "floating effect", Float, nullptr, 5},
    {WriterId::FloatCall, "floating call", Float, nullptr, 6},
    {WriterId::FloatWrap, "floating remainder", Float, nullptr, 6},
    {WriterId::FloatFunction, "floating function", Float, &K::expr_math, 0},
    {WriterId::FloatShape, "floating shape", Float, &K::expr_math, 0},
    {WriterId::FloatLane, "floating lane", Float, &K::expr_vector, 0},
    {WriterId::FloatOfWide, "floating of a wide integer", Float, &K::expr_wide, 0},
    {WriterId::FloatLeaf, "floating leaf", Float, nullptr, 12},
    {WriterId::FloatLiteral, "floating constant", Float, nullptr, 0},
    {WriterId::FloatObject, "floating object", Float, nullptr, 0},
    {WriterId::VectorBinary, "vector binary", Vector, nullptr, 50},
    {WriterId::VectorUnary, "vector unary", Vector, nullptr, 8},
    {WriterId::VectorCompare, "vector comparison", Vector, nullptr, 9},
    {WriterId::VectorBlend, "vector blend", Vector, nullptr, 7},
    {WriterId::VectorSelect, "vector ?:", Vector, nullptr, 6},
    {WriterId::VectorCast, "vector cast", Vector, nullptr, 8},
    {WriterId::VectorConvert, "vector conversion", Vector, nullptr, 10},
    {WriterId::VectorShuffle, "vector shuffle", Vector, nullptr, 12},
    {WriterId::VectorLiteral, "vector literal", Vector, nullptr, 6},
    {WriterId::VectorLeaf, "vector leaf", Vector, nullptr, 8},
    {WriterId::WideBinary, "wide binary", Wide, nullptr, 50},
    {WriterId::WideUnary, "wide unary", Wide, nullptr, 8},
    {WriterId::WideCast, "wide cast", Wide, nullptr, 12},
    {WriterId::WideJoin, "two words joined", Wide, nullptr, 14},
    {WriterId::WideProduct, "whole product", Wide, nullptr, 12},
    {WriterId::WideSelect, "wide ?:", Wide, nullptr, 8},
    {WriterId::WideOfFloat, "wide of a floating number", Wide, nullptr, 5},
    {WriterId::WideCall, "wide call", Wide, nullptr, 8},
    {WriterId::WideLeaf, "wide leaf", Wide, nullptr, 8},
    {WriterId::Comparison, "comparison", Condition, nullptr, 45},
    {WriterId::Truth, "truth of an integer", Condition, nullptr, 22},
    {WriterId::TestPattern, "pattern of a test", Condition, &K::condition_pattern, 0},
    {WriterId::Opaque, "opaque", Condition, &K::condition_opaque, 0},
    {WriterId::EarlierCondition, "earlier condition", Condition, &K::condition_earlier, 0},
    {WriterId::FloatCondition, "floating condition", Condition, &K::condition_float, 0},
    {WriterId::ExpectedCondition, "expected condition", Condition, &K::condition_expect, 0},
    {WriterId::Null, "null", Pointer, nullptr, 0},
    {WriterId::FunctionAddress, "address of a function", Pointer, nullptr, 0},
    {WriterId::StringLiteral, "string literal", Pointer, nullptr, 0},
    {WriterId::OtherPointer, "another pointer", Pointer, nullptr, 0},
    {WriterId::ObjectAddress, "address of an object", Pointer, nullptr, 0},
    {WriterId::GlobalAddress, "address of a global", Pointer, nullptr, 0},
    {WriterId::RecordCall, "call for a record", Record, nullptr, 0},
    {WriterId::CompoundLiteral, "compound literal", Record, nullptr, 0},
    {WriterId::RecordObject, "record object", Record, nullptr, 0},
    {WriterId::RecordGlobal, "record global", Record, nullptr, 0},
}};
static_assert(support::InEnumOrder(kWriters, WriterId::kCount));

void Add(WriterTable& sum, const WriterTable& one) {
  for (size_t i = 0; i < kWriterCount; ++i) {
    sum[i].tried += one[i].tried;
    sum[i].written += one[i].written;
    sum[i].repaired += one[i].repaired;
    sum[i].executed += one[i].executed;
  }
}

std::string ExecutedWriters(const WriterTable& table) {
  std::string names;
  for (const WriterRow& row : kWriters) {
    if (table[static_cast<size_t>(row.kind)].executed == 0) continue;
    if (!names.empty()) names += '\n';
    names += row.name;
  }
  return names;
}

std::string TextOf(const WriterTable& table, const knobs::Knobs& knobs) {
  std::string text = fmt::format("writers:\n  {:<10} {:<22} {:>6} {:>10} {:>10} {:>10} {:>10}\n", "class", "writer",
                                 "weight", "tried", "written", "repaired", "executed");
  for (const WriterRow& row : kWriters) {
    const WriterCounters& c = table[static_cast<size_t>(row.kind)];
    const uint32_t weight = row.Weight(knobs);
    const bool drawn = weight > 0 || row.weight != nullptr;
    text += fmt::format("  {:<10} {:<22} {:>6} {:>10} {:>10} {:>10} {:>10}\n", kClassNames[static_cast<size_t>(row.of)],
                        row.name, drawn ? fmt::to_string(weight) : "-", c.tried, c.written, c.repaired, c.executed);
  }
  return text;
}

// The first row done after the expression was made is the one that made it, or a later sibling inside that one.
WrittenLog::Origin WrittenLog::OriginOf(lang::ExprId expr) const {
  Origin origin;
  auto at = std::upper_bound(log_.begin(), log_.end(), expr.index,
                             [](uint32_t index, const Written& written) { return index < written.end; });
  for (; at != log_.end(); ++at) {
    const bool statement = Info(at->by).of == Statement;
    if (at->first <= expr.index) {
      if (statement) {
        origin.statement = at->by;
        return origin;
      }
      if (origin.expression == WriterId::kCount) origin.expression = at->by;
    } else if (statement) {
      return origin;  // of a later statement: no row made it
    }
  }
  return origin;
}

}  // namespace assay::gen
