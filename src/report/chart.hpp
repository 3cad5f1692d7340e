// Charts as inline SVG, in the page's colours (CSS classes s0, s1, ...).
#pragma once

#include <string>
#include <vector>

namespace assay::report {

struct Point {
  double x = 0;
  double y = 0;
};

// One quantity over time, as a filled line. Points in order of x, in milliseconds since the start.
std::string TimeChart(const std::vector<Point>& points, int colour);

struct Bar {
  std::string name;
  std::vector<double> parts;  // one per series
};

// Stacked horizontal bars with a legend of the series.
std::string BarChart(const std::vector<std::string>& series, const std::vector<Bar>& bars);

}  // namespace assay::report
