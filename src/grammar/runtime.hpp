// The tables a translated specification consists of: what the engine knows of a language.
// Self-contained (standard headers only), because it is also compiled into specifications loaded at
// run time.
//
// Layout of a tree. The values of a node's attributes are its slots: one struct per class, laid out
// by the C++ compiler. The slots of all children of a node, followed by the node's locals, are one
// block: one struct per production. So every rule reads and writes at offsets known at translation.
// All values are trivially copyable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace assay::grammar::runtime {

inline constexpr uint32_t kInterfaceVersion = 2;
inline constexpr uint32_t kNone = 0xffffffffu;
inline constexpr uint16_t kUnlimited = 0xffff;

struct Node {
  uint64_t known = 0;  // bit i: attribute i of the class has its value
  std::byte* slots = nullptr;
  std::byte* block = nullptr;  // slots of the children, and locals; null if not expanded
  uint32_t parent = kNone;
  uint32_t first_child = kNone;  // the children are consecutive nodes
  uint32_t production = kNone;   // kNone: not expanded
  uint32_t value = kNone;        // literals and generators: which of the values
  uint32_t serial = 0;           // identity: what randomness in rules depends on
  uint32_t generation = 0;       // changes when the node is freed
  uint32_t list_length = 0;      // list classes: elements up to and including this one
  uint16_t class_id = 0;
  uint16_t place = 0;            // which child of its parent
  uint16_t height = kUnlimited;  // allowed
  bool done = false;             // sub-problems: built
};

// What the functions of a specification are given.
struct Context {
  std::byte* self;
  std::byte* block;
  uint64_t self_id;
  const Node* children;

  uint64_t ChildId(uint32_t child) const { return uint64_t{children[child].serial} + 1; }
};

enum class AttributeKind : uint8_t { Inherited, Synthesized, Guard };

struct AttributeRow {
  const char* name;
  const char* type;
  AttributeKind kind;
  uint32_t offset;  // in the slots
  uint32_t size;
};

// Attributes of one node of a production: 0 is the node itself, i + 1 its i-th child.
struct SourceRow {
  uint32_t node;
  uint64_t attributes;
};

struct RuleRow {
  uint32_t node;  // the target
  uint32_t attribute;
  uint32_t line;  // in the specification
  const SourceRow* sources;
  uint32_t source_count;
  void (*evaluate)(const Context&);  // null: a copy, from offset to offset
  bool from_block;
  bool to_block;
  uint32_t from;
  uint32_t to;
  uint32_t size;
};

enum class PartKind : uint8_t { Text, NewLine, Indent, Dedent, Child, Print };

struct PartRow {
  PartKind kind;
  const char* text;
  uint32_t length;
  uint32_t child;
  bool parenthesised;
  void (*print)(const Context&, std::string& out, int level);
};

struct ChildRow {
  const char* name;
  uint32_t class_id;
  uint32_t offset;  // of its slots in the block
};

struct ProductionRow {
  const char* name;
  uint32_t class_id;
  uint32_t line;
  uint32_t weight;
  uint32_t min_height;
  bool recursive;
  bool hidden;
  bool has_precedence;
  int64_t precedence;
  uint32_t block_bytes;
  uint32_t flags_offset;  // of the bytes in the block that say which locals are computed
  uint32_t flags_count;
  const ChildRow* children;
  uint32_t child_count;
  const uint32_t* alternative_order;
  const RuleRow* rules;
  uint32_t rule_count;
  const PartRow* parts;
  uint32_t part_count;
  // Generators: the values for this node. If the class has no guard, they live until anything else
  // is evaluated, otherwise as long as the session. Literals: always the same ones.
  uint32_t (*generate)(const Context&, const void** values);
  uint64_t generator_sources;  // inherited attributes the call uses
  const void* values;
  const uint32_t* value_weights;
  uint32_t value_count;
  uint32_t shortest;      // literals: the first of the shortest values
  uint32_t value_offset;  // of the chosen value in the slots
  uint32_t value_size;
};

struct ClassRow {
  const char* name;
  uint32_t first_production;
  uint32_t production_count;
  const AttributeRow* attributes;
  uint32_t attribute_count;
  uint32_t slot_bytes;
  uint32_t min_height;
  uint32_t max_height;        // kNone: no cap
  uint32_t max_alternatives;  // kNone: no cap
  uint32_t list_limit;        // kNone: no limit
  bool list;
  bool sub_problem;
  bool hidden;
  bool literal;
  bool generator;
};

struct Table {
  uint32_t version;
  const char* name;
  const char* file;
  const ClassRow* classes;  // the first is the root
  uint32_t class_count;
  const ProductionRow* productions;
  uint32_t production_count;
  // The memory of one program (a lala::Session). Bind makes it the current one of this thread
  // (null: none).
  void* (*open_session)();
  void (*close_session)(void*);
  void (*reset_session)(void*, uint64_t seed);
  void (*bind_session)(void*);
};

}  // namespace assay::grammar::runtime
