#include "grammar/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace assay::grammar {

namespace {

std::string_view NameOf(Severity severity) {
  switch (severity) {
    case Severity::Note:
      return "note";
    case Severity::Warning:
      return "warning";
    case Severity::Error:
      return "error";
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

size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

}  // namespace

size_t Diagnostics::Count(Severity severity) const {
  return static_cast<size_t>(std::ranges::count_if(
      items_, [&](const Diagnostic& item) { return InfoOf(item.kind).severity == severity; }));
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
    out += fmt::format("{}:{}:{}: {}: {} [{}]\n", file, item->place.line, item->place.column,
                       NameOf(info.severity), item->message, info.name);
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
    size_t distance = EditDistance(name, candidate);
    if (distance < best) {
      best = distance;
      nearest = &candidate;
    }
  }
  return nearest ? fmt::format("did you mean '{}'?", *nearest) : std::string();
}

}  // namespace assay::grammar
