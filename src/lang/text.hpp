// The stable text form of a program: saved beside every find, so that a stored case can be checked
// and reduced after the generator that made it has changed. Line-oriented and versioned; docs: the
// essay below is the format.
//
//   assay-program 1                 the version of the format
//   version "0.1.0"                 provenance of the program
//   seed 42
//   knobs "a=1"
//   model lp64
//   string 0 "abc\0a"               escapes: \" \\ and \ with two hexadecimal digits
//   enum 0 -1 5                     the values of the enumerators
//   record 0 struct packed          all records first (a type may refer to any), then their members
//   members 0
//     int
//     uint : 5
//     int : 3 unnamed
//   global 0 internal align 16 const array 3 int
//   global 1 vector 4 int           of GNU C
//   function 0 static inline fn int ( ptr int ... )
//     param 1 ptr int               the objects of the function; numbers are unique in the program
//     auto 2 int
//     temporary 3 int               the prefix word is the storage; counter and temporary are roles
//   entry 0
//   length 4 (var 2)                of a VLA
//   init 0 { 0 : (const int 5 dec) 2 : { designated 1 : str 0 } }
//   body 0
//     decl 2
//     if (var 2)
//     {
//       expr (assign (var 2) (const int 5 hex))
//     }
//     else
//     {
//     }
//   end
//
// A type is a prefix form: qualifiers, then a basic name, `ptr T`, `array N T`, `vla T`, `record
// N`, `enum N` or `fn T ( T T ... )`. An expression is `(kind details operands)`; `kind!` marks one
// made by a repair. Types that follow from operands are not written. Numbers are dense and in the
// order of declaration.
#pragma once

#include <string>
#include <string_view>

#include "lang/program.hpp"
#include "support/result.hpp"

namespace assay::lang {

inline constexpr int kTextVersion = 1;

// The program must be well formed (verify.hpp). What nothing refers to is left out; everything is
// numbered afresh.
std::string Save(const Program& program);

// Safe on any input: the error says the line and what is wrong. What it returns has right types and
// links but may still break rules that concern more than one node (verify.hpp). Save(*Load(text))
// == text for every text made by Save.
support::Result<Program> Load(std::string_view text);

}  // namespace assay::lang
