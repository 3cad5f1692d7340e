// A checked specification as C++: structs for the slots, one function per rule, local, generator
// and print command, and the tables of runtime.hpp. Meant to be read; #line leads compiler errors
// and debuggers back to the specification.
#pragma once

#include <string>

#include "grammar/check.hpp"

namespace assay::grammar {

struct TranslateOptions {
  std::string name;         // of the language; the table's name
  std::string symbol;       // the extern "C" function that returns the table
  std::string output_name;  // of the C++ file, for #line; empty: no #line at all
};

// Requires checked.Good() and that all modules were found.
std::string Translate(const Checked& checked, const TranslateOptions& options);

}  // namespace assay::grammar
