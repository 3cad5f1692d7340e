// What the build adds to the program: the specifications of grammars/shipped.txt, translated and
// compiled, and the headers that specifications loaded at run time are compiled against. Defined by
// generated code (rules.cmake).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "grammar/runtime.hpp"

namespace assay::grammar {

struct ShippedLanguage {
  std::string_view name;
  std::string_view file;      // the specification, relative to grammars/
  std::string_view features;  // enabled in the translation, separated by commas
  uint32_t max_height;
  std::string_view extension;  // of the programs' files
  const runtime::Table* (*table)();
};
std::span<const ShippedLanguage> ShippedLanguages();

struct EmbeddedFile {
  std::string_view path;  // as in #include
  std::string_view text;
};
std::span<const EmbeddedFile> EmbeddedHeaders();

}  // namespace assay::grammar
