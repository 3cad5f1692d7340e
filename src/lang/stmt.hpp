// Statements, blocks and initialisers: plain data, as in expr.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "lang/ids.hpp"
#include "support/table.hpp"

namespace assay::lang {

enum class StmtKind : uint8_t {
  Empty,    // ;
  Expr,     // expr;
  Decl,     // var: the object's lifetime in its block starts at the block's entry, its initialiser runs here
  Block,    // body
  If,       // if (expr) body [else other]
  For,      // for (init or declaration of var; expr; step) body; each part may be absent
  While,    // while (expr) body
  DoWhile,  // do body while (expr)
  Switch,   // switch (expr) body; Case and Default stand directly in body's list
  Case,     // case value: (a marker in the switch's own list)
  Default,  // default:
  Label,    // label: (a marker)
  Goto,     // goto label
  Break,
  Continue,
  Return,     // return [expr]
  Barrier,    // asm volatile of nothing, an opaque copy of expr, or none: value = BarrierKind
  GotoTable,  // goto *table[expr]: the table has the addresses of `labels`; value 1: it is static
  kCount
};

struct StmtKindInfo {
  StmtKind kind;
  std::string_view name;
  bool loop;
};

inline constexpr std::array kStmtKinds = {
    StmtKindInfo{StmtKind::Empty, "empty", false},
    StmtKindInfo{StmtKind::Expr, "expr", false},
    StmtKindInfo{StmtKind::Decl, "decl", false},
    StmtKindInfo{StmtKind::Block, "block", false},
    StmtKindInfo{StmtKind::If, "if", false},
    StmtKindInfo{StmtKind::For, "for", true},
    StmtKindInfo{StmtKind::While, "while", true},
    StmtKindInfo{StmtKind::DoWhile, "dowhile", true},
    StmtKindInfo{StmtKind::Switch, "switch", false},
    StmtKindInfo{StmtKind::Case, "case", false},
    StmtKindInfo{StmtKind::Default, "default", false},
    StmtKindInfo{StmtKind::Label, "label", false},
    StmtKindInfo{StmtKind::Goto, "goto", false},
    StmtKindInfo{StmtKind::Break, "break", false},
    StmtKindInfo{StmtKind::Continue, "continue", false},
    StmtKindInfo{StmtKind::Return, "return", false},
    StmtKindInfo{StmtKind::Barrier, "barrier", false},
    StmtKindInfo{StmtKind::GotoTable, "gototable", false},
};
static_assert(support::InEnumOrder(kStmtKinds, StmtKind::kCount));

constexpr const StmtKindInfo& Info(StmtKind kind) { return kStmtKinds[static_cast<size_t>(kind)]; }

// What an asm without instructions tells the compiler (GCC manual 6.47.2): it may read, and where there is an output
// write, its operand; with a clobber of memory, every object whose address is known outside. What it does is nothing.
enum class BarrierKind : uint8_t {
  Memory,
  Register,        // "+r"(expr)
  RegisterMemory,  // and memory
  Place,           // "+m"(expr)
  PlaceMemory,
  Anywhere,     // "+g"(expr)
  Input,        // "r"(expr), which is only read
  InputMemory,  // and memory: a pointer escapes
  kCount
};

struct BarrierInfo {
  BarrierKind kind;
  std::string_view name;  // in the text form
  std::string_view constraint;
  bool writes, clobbers;
};

inline constexpr std::array kBarriers = {
    BarrierInfo{BarrierKind::Memory, "memory", "", false, true},
    BarrierInfo{BarrierKind::Register, "register", "+r", true, false},
    BarrierInfo{BarrierKind::RegisterMemory, "register-memory", "+r", true, true},
    BarrierInfo{BarrierKind::Place, "place", "+m", true, false},
    BarrierInfo{BarrierKind::PlaceMemory, "place-memory", "+m", true, true},
    BarrierInfo{BarrierKind::Anywhere, "anywhere", "+g", true, false},
    BarrierInfo{BarrierKind::Input, "input", "r", false, false},
    BarrierInfo{BarrierKind::InputMemory, "input-memory", "r", false, true},
};
static_assert(support::InEnumOrder(kBarriers, BarrierKind::kCount));

constexpr const BarrierInfo& Info(BarrierKind kind) { return kBarriers[static_cast<size_t>(kind)]; }
constexpr bool NeedsPlace(BarrierKind kind) { return kind == BarrierKind::Place || kind == BarrierKind::PlaceMemory; }
constexpr bool NeedsRegister(BarrierKind kind) {
  return kind != BarrierKind::Memory && !NeedsPlace(kind) && kind != BarrierKind::Anywhere;
}

// A run of Program::label_lists.
struct LabelList {
  uint32_t first = 0, count = 0;
};

struct Stmt {
  StmtKind kind = StmtKind::Empty;
  ExprId expr;        // condition, controlling expression, value, expression
  ExprId init, step;  // For
  VarId var;          // Decl; For with a declaration
  BlockId body, other;
  LabelId label;
  LabelList labels;   // GotoTable
  int64_t value = 0;  // Case; Barrier; GotoTable
  uint64_t span = 0;  // a loop: how often a pragma tells the compiler to unroll it, 0 for none; Case: also of the
                      // values up to value + span (case a ... b), in the type of the switch
};

// A list of statements between braces. The links are kept by Builder and recomputed by Relink (program.hpp).
struct Block {
  std::vector<StmtId> stmts;
  FunctionId function;
  BlockId outer;      // the block that contains `owner`; none for a function's body
  StmtId owner;       // the statement whose body this is; none for a function's body
  bool open = false;  // generation only: the author may still append here
};

struct Label {
  BlockId block;  // the block with the marker
};

enum class InitKind : uint8_t { Expr, List, String };

struct InitItem;

// An initialiser. Members and elements without an item are zero. A record's or array's list has at most one item per
// member or element; a union's at most one item.
struct Init {
  InitKind kind = InitKind::Expr;
  ExprId expr;      // Expr
  StringId string;  // String: for an array of a character type at least as long as the string with its terminator
  std::vector<InitItem> items;  // List
  bool designated = false;      // List: written with designators (needed when items are not in order without gaps)
};

struct InitItem {
  uint32_t index;  // member or element
  InitId init;
};

}  // namespace assay::lang
