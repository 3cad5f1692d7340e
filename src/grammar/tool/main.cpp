// lala_translate: used by the build to make C++ of the shipped specifications.
//   lala_translate translate SPECIFICATION NAME FEATURES LIBRARY_FOLDER OUTPUT
//   lala_translate shipped LIST OUTPUT [INCLUDE_NAME=FILE ...]
#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <vector>

#include "grammar/translate.hpp"
#include "support/files.hpp"

namespace {

using namespace assay;

std::string SymbolOf(std::string name) {
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return "assay_language_" + name;
}

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  for (std::string& part : parts) {
    while (!part.empty() && part.front() == ' ') part.erase(part.begin());
    while (!part.empty() && part.back() == ' ') part.pop_back();
  }
  return parts;
}

int Fail(const std::string& message) {
  fmt::print(stderr, "lala_translate: {}\n", message);
  return 1;
}

// A file that says the same already is left alone, so that the build does not compile it again.
int Save(const std::string& path, const std::string& code) {
  support::Result<std::string> before = support::ReadFile(path);
  if (before && *before == code) return 0;
  support::Result<void> written = support::WriteFile(path, code);
  return written ? 0 : Fail(written.GetError().message);
}

int TranslateOne(char** argv) {
  grammar::CheckOptions options;
  options.features.emplace();
  for (std::string& feature : Split(argv[4], ',')) {
    if (!feature.empty()) options.features->push_back(std::move(feature));
  }
  options.module_folders = {argv[5]};
  support::Result<grammar::Checked> checked = grammar::ReadAndCheck(argv[2], options);
  if (!checked) return Fail(checked.GetError().message);
  for (const grammar::Use& use : checked->specification.uses) {
    if (!checked->modules.Find(use.name)) return Fail(checked->Report());
  }
  if (!checked->Good()) return Fail(checked->Report());
  return Save(argv[6], grammar::Translate(*checked, {argv[3], SymbolOf(argv[3]), argv[6]}));
}

int WriteShipped(int argc, char** argv) {
  support::Result<std::string> list = support::ReadFile(argv[2]);
  if (!list) return Fail(list.GetError().message);
  std::string declarations;
  std::string rows;
  for (const std::string& line : Split(*list, '\n')) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> fields = Split(line, ':');
    if (fields.size() != 5) return Fail(fmt::format("{}: cannot read the row '{}'", argv[2], line));
    std::string symbol = SymbolOf(fields[0]);
    declarations += fmt::format("extern \"C\" const assay::grammar::runtime::Table* {}();\n", symbol);
    rows += fmt::format("    {{\"{}\", \"{}\", \"{}\", {}, \"{}\", {}}},\n", fields[0], fields[1], fields[2], fields[3],
                        fields[4], symbol);
  }
  std::string embedded;
  for (int i = 4; i < argc; ++i) {
    std::string argument = argv[i];
    size_t equals = argument.find('=');
    if (equals == std::string::npos) return Fail(fmt::format("'{}' is not NAME=FILE", argument));
    support::Result<std::string> text = support::ReadFile(argument.substr(equals + 1));
    if (!text) return Fail(text.GetError().message);
    embedded += fmt::format("    {{\"{}\", R\"EMBEDDED({})EMBEDDED\"}},\n", argument.substr(0, equals), *text);
  }
  std::string code = fmt::format(
      "// Generated from grammars/shipped.txt. Do not edit.\n#include "
      "\"grammar/shipped.hpp\"\n\n{}\n"
      "namespace assay::grammar {{\n\nnamespace {{\nconst ShippedLanguage kLanguages[] = "
      "{{\n{}}};\n"
      "const EmbeddedFile kHeaders[] = {{\n{}}};\n}}  // namespace\n\n"
      "std::span<const ShippedLanguage> ShippedLanguages() {{ return kLanguages; }}\n"
      "std::span<const EmbeddedFile> EmbeddedHeaders() {{ return kHeaders; }}\n\n}}  // namespace "
      "assay::grammar\n",
      declarations, rows, embedded);
  return Save(argv[3], code);
}

}  // namespace

int main(int argc, char** argv) {
  std::string mode = argc > 1 ? argv[1] : "";
  if (mode == "translate" && argc == 7) return TranslateOne(argv);
  if (mode == "shipped" && argc >= 4) return WriteShipped(argc, argv);
  return Fail("see the head of src/grammar/tool/main.cpp for the arguments");
}
