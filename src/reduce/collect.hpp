// The collecting functions of the passes, for the table in passes.cpp: each looks at a program and says where its edits
// could apply, most promising first. One file per family, as the edits themselves.
#pragma once

#include "reduce/passes.hpp"

namespace assay::reduce::collect {

using Edits = std::vector<Edit>;

template <typename Id>
Edit Make(EditKind kind, Id node, uint32_t other = 0, uint64_t value = 0) {
  return {kind, node.index, other, value};
}

// collect_statements.cpp
Edits DeadCode(const Survey& survey);
Edits Statements(const Survey& survey);
Edits Bodies(const Survey& survey);
Edits Conditions(const Survey& survey);
Edits Cases(const Survey& survey);
Edits FlattenBlocks(const Survey& survey);
Edits Loops(const Survey& survey);
Edits Effects(const Survey& survey);

// collect_functions.cpp
Edits EmptyFunctions(const Survey& survey);
Edits UnusedFunctions(const Survey& survey);
Edits UnusedVariables(const Survey& survey);
Edits Inline(const Survey& survey);
Edits Looks(const Survey& survey);
Edits Parameters(const Survey& survey);
Edits Initialise(const Survey& survey);
Edits Initialisers(const Survey& survey);

// collect_expressions.cpp
Edits Constants(const Survey& survey);
Edits Operands(const Survey& survey);
Edits Targets(const Survey& survey);
Edits Zeros(const Survey& survey);
Edits Ones(const Survey& survey);
Edits SmallConstants(const Survey& survey);
Edits Spelling(const Survey& survey);
Edits Assignments(const Survey& survey);
Edits Lanes(const Survey& survey);

// collect_types.cpp
Edits Aggregates(const Survey& survey);
Edits Arrays(const Survey& survey);
Edits Members(const Survey& survey);
Edits Kinds(const Survey& survey);
Edits Qualifiers(const Survey& survey);
Edits Variables(const Survey& survey);
Edits Attributes(const Survey& survey);
Edits VectorSizes(const Survey& survey);

}  // namespace assay::reduce::collect
