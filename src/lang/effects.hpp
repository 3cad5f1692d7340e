// What a function does to the world outside its own automatic objects, told from its text, and which attributes that
// allows. The one definition for who writes attributes (gen) and who checks them (verify).
//
// Safe in one direction only: a function may do less than its text says, never more. What is skipped at run time
// counts, every builtin and guard counts as a write, and so does every store through a pointer.
#pragma once

#include <vector>

#include "lang/program.hpp"

namespace assay::lang {

struct Effects {
  bool writes = false;  // static objects, through a pointer, or a volatile access of either kind
  bool reads = false;   // static objects, or anything through a pointer
  bool has_vla = false;
  bool has_label_table = false;       // gcc inlines no function that jumps through one
  std::vector<FunctionId> callees;    // called by name
  std::vector<FunctionId> addressed;  // functions whose address is taken
};

struct ProgramEffects {
  std::vector<Effects> functions;  // by FunctionId; reads and writes include those of the callees
  std::vector<bool> addressed;     // by FunctionId: its address is taken somewhere
  std::vector<bool> recursive;     // by FunctionId: can, by calls, come back to itself
};
ProgramEffects EffectsOf(const Program& program);

// The attributes that the function may not have, of those that promise something: kFnPure and kFnConst (GCC's manual:
// a value, nothing changed, for const nothing read that may change, no volatile access, only callees of the same kind)
// and kFnAlwaysInline, which compilers refuse where they cannot inline: variadic and recursive functions, those with a
// variable-length array or a computed goto, or whose address is taken.
uint8_t UntrueAttributes(const Program& program, const ProgramEffects& effects, FunctionId function);

}  // namespace assay::lang
