// Changing types throughout a program.
#pragma once

#include <functional>
#include <vector>

#include "lang/program.hpp"

namespace assay::reduce {

// Rebuilds types from their leaves up with `change` applied at every level.
class TypeMap {
 public:
  TypeMap(lang::Program& program, std::function<void(lang::Type&)> change)
      : program_(program), change_(std::move(change)) {}

  lang::TypeId Map(lang::TypeId id);
  // Every variable, function, member, cast, sizeof and builtin. Types of constants stay.
  void MapProgram();

 private:
  lang::Program& program_;
  std::function<void(lang::Type&)> change_;
  std::vector<lang::TypeId> done_;
};

}  // namespace assay::reduce
