// Makes a program that is valid and whose result is known.
#pragma once

#include <functional>

#include "gen/patterns.hpp"
#include "gen/revision.hpp"
#include "gen/writer.hpp"

namespace assay::gen {

struct Generated {
  lang::Program program;
  machine::RunResult result;  // of the clean run
  Counters counters;
  PatternTable patterns;
  uint32_t tokens_wanted = 0;            // the size drawn from --tokens and --tokens-spread
  uint32_t tokens_estimated = 0;         // the size it has, as size.hpp sees it
  uint32_t attempts = 1;                 // programs given up on the way, plus one (a trap that no repair covers)
  std::vector<uint64_t> statement_runs;  // by StmtId: executions in the clean run
  std::vector<WrittenShape> shapes;      // the loop nests, in the order they were written
};

// For finding out where a generating run and its clean run part.
struct Watch {
  machine::Tracer* writing = nullptr;
  machine::Tracer* clean = nullptr;
  std::function<void(const lang::Program&)> finished;  // before the two results are compared
};

// The same seed, knobs and data model give the same program on every machine. Aborts (CHECK) with the seed if the clean
// run contradicts the generation: that is a bug of ours.
Generated Generate(uint64_t seed, const knobs::Knobs& knobs, const lang::DataModel& model, const Watch& watch = {});

// The budget under which the machine runs a generated program.
machine::Options RunOptions(const knobs::Knobs& knobs);

}  // namespace assay::gen
