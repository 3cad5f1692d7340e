// One row per way to trap: the same program built once so that it traps and once so that it does not.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "machine/testing.hpp"

namespace assay::machine::testing {

struct TrapCase {
  TrapKind kind;
  std::string name;
  std::function<void(Tiny&, bool traps)> build;
  DataModelKind model = DataModelKind::Lp64;
  Options options = {};
};

std::vector<TrapCase> ArithmeticCases();
std::vector<TrapCase> PointerCases();
std::vector<TrapCase> MemoryCases();
std::vector<TrapCase> SequenceCases();
std::vector<TrapCase> FloatCases();
std::vector<TrapCase> OtherCases();
std::vector<TrapCase> GnuCases();
std::vector<TrapCase> VectorCases();
std::vector<TrapCase> WideCases();

}  // namespace assay::machine::testing
