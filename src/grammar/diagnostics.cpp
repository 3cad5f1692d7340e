#include "grammar/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "support/edit_distance.hpp"

namespace assay::grammar {

namespace {

std::string_view NameOf(Severity severity) {
  switch (severity) {
    case Severity::Note: return "note";
    case Severity::Warning: return "warning";
    case Severity::Error: return "error";
  }
  return "";
}

std::vector<std::string_view> Lines(std::string_view source) {
  std::vector<std::string_view> lines;
  size_t begin = 0;
  while (begin <= source.size()) {
    size_t end = std::min(source.find('\n', begin), source.size());
    lines.push_back(source.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

}  // namespace

size_t Diagnostics::Count(Severity severity) const {
  return static_cast<size_t>(
      std::ranges::count_if(items_, [&](const Diagnostic& item) { return InfoOf(item.kind).severity == severity; }));
}

bool Diagnostics::Has(DiagnosticKind kind) const {
  return std::ranges::any_of(items_, [&](const Diagnostic& item) { return item.kind == kind; });
}

std::string Diagnostics::Render(std::string_view file, std::string_view source) const {
  std::vector<std::string_view> lines = Lines(source);
  std::vector<const Diagnostic*> order;
  for (const Diagnostic& item : items_) order.push_back(&item);
  std::ranges::stable_sort(order, [](const Diagnostic* a, const Diagnostic* b) {
    return std::pair(a->place.line, a->place.column) < std::pair(b->place.line, b->place.column);
  });
  std::string out;
  for (const Diagnostic* item : order) {
    const DiagnosticKindInfo& info = InfoOf(item->kind);
    out += fmt::format("{}:{}:{}: {}: {} [{}]\n", file, item->place.line, item->place.column, NameOf(info.severity),
                       item->message, info.name);
    if (item->place.line >= 1 && item->place.line <= lines.size()) {
      std::string_view line = lines[item->place.line - 1];
      std::string marker;
      for (size_t i = 0; i + 1 < item->place.column && i < line.size(); ++i) {
        marker += line[i] == '\t' ? '\t' : ' ';
      }
      size_t room = line.size() > marker.size() ? line.size() - marker.size() : 1;
      marker += '^';
      marker.append(std::min<size_t>(std::max(item->place.length, 1u), room) - 1, '~');
      out += fmt::format("    {}\n    {}\n", line, marker);
    }
    if (!item->hint.empty()) out += fmt::format("    hint: {}\n", item->hint);
  }
  return out;
}

std::string DidYouMean(std::string_view name, const std::vector<std::string>& candidates) {
  size_t best = std::max<size_t>(2, name.size() / 3) + 1;
  const std::string* nearest = nullptr;
  if (name.size() > 200) return {};
  for (const std::string& candidate : candidates) {
    if (candidate.size() > 200) continue;
    size_t distance = support::EditDistance(name, candidate);
    if (distance < best) {
      best = distance;
      nearest = &candidate;
    }
  }
  return nearest ? fmt::format("did you mean '{}'?", *nearest) : std::string();
}

}  // namespace assay::grammar
