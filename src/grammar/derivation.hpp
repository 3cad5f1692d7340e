// A derivation by itself: which production every node has, independent of engines and sessions. The
// engine can take one from its tree (Capture) and build a tree after one, with edits (Rebuild):
// what the reducer works with.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "grammar/runtime.hpp"

namespace assay::grammar {

struct Derivation {
  struct Entry {
    uint32_t production = 0;
    uint32_t value = runtime::kNone;  // literals and generators
    uint32_t serial = 0;
    uint32_t first_child = 0;  // the children are consecutive entries
    uint32_t size = 1;         // of the sub-tree
    std::string text;          // generators: the value as printed, to find it again when the choice has changed
  };
  std::vector<Entry> entries;  // the root first
  uint64_t session_seed = 0;
  uint32_t next_serial = 0;
};

struct Edit {
  enum class Kind : uint8_t {
    Hoist,   // take the entry `other` instead, with all below it
    Derive,  // make a new, small derivation here
    Switch,  // another production, whose children are those of the entry that `kept` names
    Value,   // another value of a literal
  } kind = Kind::Derive;
  uint32_t other = 0;  // Hoist: the entry; Switch: the production; Value: the value
  std::vector<uint32_t> kept;
};

struct Script {
  const Derivation* base = nullptr;
  std::unordered_map<uint32_t, Edit> edits;  // by entry
  // Where the derivation does not fit any more (a guard is false, a value is gone): derive anew
  // instead of failing.
  bool rederive = false;
};

}  // namespace assay::grammar
