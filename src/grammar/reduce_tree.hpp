// Reduction of grammar-made programs on their derivation tree. Every candidate is built by the
// engine under the grammar's rules and guards, so every candidate is a valid program of its
// language.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "grammar/generator.hpp"
#include "support/result.hpp"

namespace assay::grammar {

struct TreeReduceOptions {
  uint64_t most_tests = 5000;  // calls of `interesting`
  std::function<bool()> stop;  // asked between candidates: end with the best so far?
  std::function<void(const Derivation&, const std::string& text)> better;  // after each success
};

struct TreeReduction {
  std::string text;
  Derivation derivation;
  bool finished = true;  // false: stopped, or out of tests; there may be something smaller
  size_t nodes_before = 0;
  size_t nodes_after = 0;
  uint64_t candidates = 0;  // tried
  uint64_t tests = 0;       // valid ones, given to `interesting`
  uint64_t accepted = 0;
};

// Makes the program of this derivation as small as it can while `interesting` says yes to its text.
// Lists lose elements, nodes are replaced by a descendant of their class or by a small new
// derivation, literals become short; what no longer fits elsewhere (the use of a variable that is
// gone) is derived anew. Fails if the program itself is not interesting.
support::Result<TreeReduction> ReduceTree(const Generator& generator, const Derivation& program,
                                          const std::function<bool(const std::string&)>& interesting,
                                          const TreeReduceOptions& options = {});

}  // namespace assay::grammar
