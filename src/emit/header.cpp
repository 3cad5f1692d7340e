#include "emit/header.hpp"

#include <charconv>

#include "emit/names.hpp"

namespace assay::emit {
namespace {

constexpr std::string_view kStart = "/* assay ";
constexpr std::string_view kSeed = " * seed ";
constexpr std::string_view kModel = " * data-model ";
constexpr std::string_view kKnobs = " * knobs ";

// Cuts the next line off; nothing if it does not begin with the prefix. Returns the rest of the
// line.
std::optional<std::string_view> TakeLine(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return std::nullopt;
  const size_t end = text.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view rest = text.substr(prefix.size(), end - prefix.size());
  text.remove_prefix(end + 1);
  return rest;
}

}  // namespace

void AppendHeader(Text& out, const lang::Program& program) {
  out += kStart;
  out += program.provenance.version;
  out += '\n';
  out += kSeed;
  AppendNumber(out, program.provenance.seed);
  out += '\n';
  out += kModel;
  out += program.Model().Name();
  out += '\n';
  if (!program.provenance.knobs.empty()) {
    out += kKnobs;
    out += program.provenance.knobs;
    out += '\n';
  }
  out += " */\n";
}

std::optional<Header> ReadHeader(std::string_view text) {
  Header header;
  const auto version = TakeLine(text, kStart);
  const auto seed = version ? TakeLine(text, kSeed) : std::nullopt;
  const auto model_name = seed ? TakeLine(text, kModel) : std::nullopt;
  if (!model_name) return std::nullopt;
  header.provenance.version = *version;
  uint64_t& number = header.provenance.seed;
  const auto [end, error] = std::from_chars(seed->data(), seed->data() + seed->size(), number);
  if (error != std::errc() || end != seed->data() + seed->size()) return std::nullopt;
  auto model = lang::ParseDataModel(*model_name);
  if (!model) return std::nullopt;
  header.model = *model;
  if (const auto knobs = TakeLine(text, kKnobs)) header.provenance.knobs = *knobs;
  if (!text.starts_with(" */")) return std::nullopt;
  return header;
}

void AppendComment(Text& out, std::string_view lines) {
  while (lines.ends_with('\n')) lines.remove_suffix(1);
  if (lines.empty()) return;
  out += "/* ";
  for (size_t i = 0; i < lines.size(); ++i) {
    out += lines[i];
    if (lines[i] == '\n') out += " * ";
    if (lines[i] == '*' && i + 1 < lines.size() && lines[i + 1] == '/') out += ' ';
  }
  out += "\n */\n";
}

}  // namespace assay::emit
