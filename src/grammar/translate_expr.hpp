// Expressions of rules as C++.
#pragma once

#include <string>
#include <string_view>

#include "grammar/modules.hpp"
#include "grammar/specification.hpp"

namespace assay::grammar {

// "text" with everything but plain characters as octal escapes.
std::string Quoted(std::string_view text);

// A name of the specification as part of a C++ name.
std::string LocalName(const Class& owner, const Production& production, size_t local);

// `self` and `kids` are the slots of the node and of its children, `c` the Context.
std::string TranslateExpr(const Class& owner, const Production& production, const Expr& expr);

// Does the expression, or a local it uses, need `self`, or `kids`?
struct Needs {
  bool self = false;
  bool kids = false;
};
Needs NeedsOf(const Expr& expr);

// The C++ type of an attribute.
std::string TranslateType(const Modules& modules, const std::string& written);

}  // namespace assay::grammar
