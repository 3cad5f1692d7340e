#include "reduce/passes.hpp"

#include "reduce/collect.hpp"

namespace assay::reduce {

namespace {

using namespace collect;  // NOLINT: the table reads as a list

constexpr std::array kRows = {
    PassInfo{PassKind::DeadCode, "dead-code", 0, false, false, DeadCode},
    PassInfo{PassKind::EmptyFunctions, "empty-functions", 0, false, false, EmptyFunctions},
    PassInfo{PassKind::Initialise, "initialise", 0, false, true, Initialise},
    PassInfo{PassKind::Statements, "statements", 0, false, false, Statements},
    PassInfo{PassKind::Bodies, "bodies", 0, false, false, Bodies},
    PassInfo{PassKind::UnusedFunctions, "unused-functions", 0, false, false, UnusedFunctions},
    PassInfo{PassKind::UnusedVariables, "unused-variables", 0, false, false, UnusedVariables},
    PassInfo{PassKind::Cases, "cases", 1, false, false, Cases},
    PassInfo{PassKind::Conditions, "conditions", 1, false, false, Conditions},
    PassInfo{PassKind::Constants, "constants", 1, false, false, Constants},
    PassInfo{PassKind::Operands, "operands", 1, false, false, Operands},
    PassInfo{PassKind::Targets, "targets", 1, false, false, Targets},
    PassInfo{PassKind::Flatten, "flatten", 1, false, false, FlattenBlocks},
    PassInfo{PassKind::Loops, "loops", 2, false, true, Loops},
    PassInfo{PassKind::Inline, "inline", 1, true, false, Inline},
    PassInfo{PassKind::Looks, "looks", 1, true, false, Looks},
    PassInfo{PassKind::Effects, "effects", 2, true, false, Effects},
    PassInfo{PassKind::Parameters, "parameters", 2, true, false, Parameters},
    PassInfo{PassKind::Assignments, "assignments", 2, false, false, Assignments},
    PassInfo{PassKind::Aggregates, "aggregates", 2, true, false, Aggregates},
    PassInfo{PassKind::Arrays, "arrays", 2, true, false, Arrays},
    PassInfo{PassKind::Members, "members", 2, true, false, Members},
    PassInfo{PassKind::Kinds, "kinds", 2, true, false, Kinds},
    PassInfo{PassKind::Qualifiers, "qualifiers", 2, true, false, Qualifiers},
    PassInfo{PassKind::Variables, "variables", 2, true, false, Variables},
    PassInfo{PassKind::Attributes, "attributes", 2, false, false, Attributes},
    PassInfo{PassKind::Initialisers, "initialisers", 2, true, false, Initialisers},
    PassInfo{PassKind::Zeros, "zeros", 2, false, false, Zeros},
    PassInfo{PassKind::Ones, "ones", 2, false, false, Ones},
    PassInfo{PassKind::SmallConstants, "small-constants", 2, false, false, SmallConstants},
    PassInfo{PassKind::Spelling, "spelling", 2, false, false, Spelling},
    PassInfo{PassKind::Lanes, "lanes", 1, false, false, Lanes},
    PassInfo{PassKind::VectorSizes, "vector-sizes", 2, true, false, VectorSizes},
};
static_assert(support::InEnumOrder(kRows, PassKind::kCount));

}  // namespace

const std::array<PassInfo, static_cast<size_t>(PassKind::kCount)> kPasses = kRows;

}  // namespace assay::reduce
