// The attributes of functions, one row each, in the order of their bits.
#pragma once

#include <array>
#include <bit>
#include <string_view>

#include "lang/program.hpp"

namespace assay::lang {

struct FunctionAttrInfo {
  FunctionAttr attr;
  std::string_view name;      // in the text form
  std::string_view spelling;  // inside __attribute__((…)), before its number if it has one; empty: a word of C
};

inline constexpr std::array kFunctionAttrs = {
    FunctionAttrInfo{kFnStatic, "static", ""},
    FunctionAttrInfo{kFnInline, "inline", ""},
    FunctionAttrInfo{kFnNoInline, "noinline", "noinline"},
    FunctionAttrInfo{kFnAlwaysInline, "always_inline", "always_inline"},
    FunctionAttrInfo{kFnConst, "const", "const"},
    FunctionAttrInfo{kFnPure, "pure", "pure"},
    FunctionAttrInfo{kFnNoClone, "noclone", "noclone"},
    FunctionAttrInfo{kFnNoIpa, "noipa", "noipa"},
    FunctionAttrInfo{kFnFlatten, "flatten", "flatten"},
    FunctionAttrInfo{kFnCold, "cold", "cold"},
    FunctionAttrInfo{kFnHot, "hot", "hot"},
    FunctionAttrInfo{kFnUsed, "used", "used"},
    FunctionAttrInfo{kFnSection, "section", "section(\".text.assay\")"},
    FunctionAttrInfo{kFnNoReorder, "no_reorder", "no_reorder"},
    FunctionAttrInfo{kFnOptimizeNone, "optimize-none", "optimize(\"O0\")"},
    FunctionAttrInfo{kFnOptimizeMost, "optimize-most", "optimize(\"O3\")"},
    FunctionAttrInfo{kFnWeak, "weak", "weak"},
    FunctionAttrInfo{kFnHidden, "hidden", "visibility(\"hidden\")"},
    FunctionAttrInfo{kFnReturnsNonNull, "returns_nonnull", "returns_nonnull"},
    FunctionAttrInfo{kFnAssumeAligned, "assume_aligned", "assume_aligned"},
};
// Whether it promises nothing.
constexpr bool IsHint(FunctionAttr attr) { return attr > kFnPure && attr <= kFnHidden; }
static_assert([] {
  uint32_t all = 0;
  for (const FunctionAttrInfo& row : kFunctionAttrs) {
    if (row.attr != all + 1) return false;
    all |= row.attr;
  }
  return kFunctionAttrs.back().attr == kFnAssumeAligned;
}());

struct VariableAttrInfo {
  VariableAttr attr;
  std::string_view name;      // in the text form
  std::string_view spelling;  // inside __attribute__((…)); empty: not of the variable
};

inline constexpr std::array kVariableAttrs = {
    VariableAttrInfo{kVarUsed, "used", "used"},
    VariableAttrInfo{kVarSection, "section", "section(\".data.assay\")"},
    VariableAttrInfo{kVarWeak, "weak", "weak"},
    VariableAttrInfo{kVarHidden, "hidden", "visibility(\"hidden\")"},
    VariableAttrInfo{kVarThreadLocal, "thread", ""},
    VariableAttrInfo{kVarNonNull, "nonnull", ""},  // an attribute of the function, with the numbers of its parameters
};
static_assert([] {
  uint32_t all = 0;
  for (const VariableAttrInfo& row : kVariableAttrs) {
    if (row.attr != all + 1) return false;
    all |= row.attr;
  }
  return kVariableAttrs.back().attr == kVarNonNull;
}());

// Of two attributes that no function has together.
struct ExclusiveAttributes {
  uint32_t one, other;
  std::string_view message;
};
inline constexpr std::array kExclusiveAttributes = {
    ExclusiveAttributes{kFnAlwaysInline, kFnNoInline | kFnNoIpa, "noinline and always_inline together"},
    ExclusiveAttributes{kFnAlwaysInline, kFnOptimizeNone | kFnOptimizeMost, "always_inline with a level of its own"},
    ExclusiveAttributes{kFnOptimizeNone, kFnOptimizeMost, "two levels of optimisation"},
    ExclusiveAttributes{kFnCold, kFnHot, "hot and cold together"},
    ExclusiveAttributes{kFnWeak | kFnHidden, kFnStatic | kFnInline,
                        "a weak or hidden function that is static or inline"},
};

}  // namespace assay::lang
