#include "report/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "report/words.hpp"
#include "support/text.hpp"

namespace assay::report {
namespace {

constexpr size_t kMostPoints = 400;  // more would not be seen

// The next number above `value` that is 1, 2 or 5 times a power of ten.
double RoundUp(double value) {
  double power = std::pow(10, std::floor(std::log10(std::max(value, 1.0))));
  for (double factor : {1.0, 2.0, 5.0, 10.0}) {
    if (factor * power >= value) return factor * power;
  }
  return value;
}

std::vector<Point> Thinned(const std::vector<Point>& points) {
  if (points.size() <= kMostPoints) return points;
  std::vector<Point> kept;
  for (size_t i = 0; i < kMostPoints; ++i) kept.push_back(points[i * points.size() / kMostPoints]);
  kept.push_back(points.back());
  return kept;
}

// What fits beside a bar.
std::string ShortName(std::string_view name) {
  constexpr size_t kLongest = 13;
  return name.size() <= kLongest ? std::string(name) : std::string(support::Beginning(name, kLongest - 1)) + "…";
}

}  // namespace

std::string TimeChart(const std::vector<Point>& points, int colour) {
  if (points.empty()) return "<p class=\"quiet\">nothing yet</p>";
  constexpr double kWidth = 440, kHeight = 200, kLeft = 52, kRight = 12, kTop = 12, kBottom = 28;
  double end = std::max(points.back().x, 1.0), top = 1;
  for (const Point& point : points) top = std::max(top, point.y);
  top = RoundUp(top);
  auto x = [&](double value) { return kLeft + value / end * (kWidth - kLeft - kRight); };
  auto y = [&](double value) { return kHeight - kBottom - value / top * (kHeight - kTop - kBottom); };

  std::string svg = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\">", kWidth, kHeight);
  for (double part : {0.0, 0.5, 1.0}) {
    double value = top * part;
    if (part == 0.5 && top < 2) continue;
    svg += fmt::format("<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>", kLeft, kWidth - kRight,
                       y(value), y(value));
    svg += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", kLeft - 6, y(value) + 4,
                       Thousands(static_cast<int64_t>(value)));
  }
  for (double part : {0.0, 0.5, 1.0}) {
    const char* anchor = part == 0 ? "start" : part == 1 ? "end" : "middle";
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"{}\">{}</text>", x(end * part), kHeight - 8, anchor,
                       Duration(static_cast<int64_t>(end * part)));
  }
  std::string line;
  for (const Point& point : Thinned(points)) line += fmt::format(" {:.1f},{:.1f}", x(point.x), y(point.y));
  svg += fmt::format("<polygon class=\"s{} area\" points=\"{:.1f},{:.1f}{} {:.1f},{:.1f}\"/>", colour,
                     x(points.front().x), y(0), line, x(points.back().x), y(0));
  svg += fmt::format("<polyline class=\"s{} line\" points=\"{}\"/></svg>", colour, line.substr(1));
  return svg;
}

std::string BarChart(const std::vector<std::string>& series, const std::vector<Bar>& bars) {
  if (bars.empty()) return "<p class=\"quiet\">nothing yet</p>";
  constexpr double kWidth = 440, kRow = 30, kLeft = 100, kRight = 40;
  double longest = 1;
  for (const Bar& bar : bars) {
    longest = std::max(longest, std::accumulate(bar.parts.begin(), bar.parts.end(), 0.0));
  }
  std::string svg =
      fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\">", kWidth, kRow * static_cast<double>(bars.size()) + 6);
  double top = 4;
  for (const Bar& bar : bars) {
    svg += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\"><title>{}</title>{}</text>", kLeft - 8,
                       top + 16, Escape(bar.name), Escape(ShortName(bar.name)));
    double left = kLeft, total = 0;
    for (size_t i = 0; i < bar.parts.size(); ++i) {
      if (bar.parts[i] <= 0) continue;
      double width = bar.parts[i] / longest * (kWidth - kLeft - kRight);
      svg += fmt::format(
          "<rect class=\"s{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"22\"><title>{}: "
          "{}</title></rect>",
          i, left, top, width, Escape(series[i]), bar.parts[i]);
      left += width;
      total += bar.parts[i];
    }
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", left + 6, top + 16, total);
    top += kRow;
  }
  svg += "</svg><p class=\"legend\">";
  for (size_t i = 0; i < series.size(); ++i) {
    svg += fmt::format("<span><i class=\"s{}\"></i>{}</span> ", i, Escape(series[i]));
  }
  return svg + "</p>";
}

}  // namespace assay::report
