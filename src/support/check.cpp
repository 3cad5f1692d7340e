#include "support/check.hpp"

#include <cstdio>
#include <cstdlib>

namespace assay::support {

void CheckFailed(const char* file, int line, std::string_view condition, std::string_view context) {
  fmt::print(stderr, "assay: internal error at {}:{}: {}{}{}\n", file, line, condition, context.empty() ? "" : ": ",
             context);
  std::fflush(stderr);
  std::abort();
}

}  // namespace assay::support
