// Run-time module of the toy language: the variables that exist at a place of the program.
#pragma once

#include "lala.hpp"

namespace Names {

struct Scope {
  lala::List<lala::String> names;
  friend bool operator==(const Scope& a, const Scope& b) { return a.names == b.names; }
};

inline Scope none() { return {}; }
inline Scope add(Scope scope, lala::String name) {
  return scope.names.Contains(name) ? scope : Scope{scope.names.Append(name)};
}
inline bool has(Scope scope, lala::String name) { return scope.names.Contains(name); }
inline lala::List<lala::String> all(Scope scope) { return scope.names; }

}  // namespace Names
