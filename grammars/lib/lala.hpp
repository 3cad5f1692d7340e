// The run-time library of LaLa specifications: everything a run-time module (a header found by `use
// X;`) may build on.
//
// The contract between the three parties:
// - The engine opens one lala::Session per program. Every value made while it is open lives in the
// session's arena and
//   is freed with it, at once. So all values below are small trivially copyable handles; copying
//   one is free.
// - A module is a header X.hpp with its types and free functions in namespace X. Functions are
// pure: they take values,
//   return values and change nothing a caller can see. They may throw lala::Error; the engine
//   reports class, production and rule.
// - A type used as an attribute is default-constructible, trivially copyable and has operator==.
// Its default value is
//   `nil`. A type that may be the value of a print command has a Print (see code.hpp) in its own
//   namespace.
//
// Nothing here draws random numbers except through a Node (node.hpp), so the same seed gives the
// same program.
#pragma once

#include "lala/arena.hpp"
#include "lala/bigint.hpp"
#include "lala/code.hpp"
#include "lala/list.hpp"
#include "lala/map.hpp"
#include "lala/node.hpp"
#include "lala/shared.hpp"
#include "lala/string.hpp"

namespace lala {

// `isNil` of the language: is this the default value of its type?
template <typename T>
bool IsNil(const T& value) {
  return value == T{};
}

}  // namespace lala
