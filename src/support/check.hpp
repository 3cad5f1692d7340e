// CHECK: our own bugs. A failed CHECK prints the place, the condition and a context message, and aborts.
// Never use it for bad input or a misbehaving target (see result.hpp).
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace assay::support {

[[noreturn]] void CheckFailed(const char* file, int line, std::string_view condition, std::string_view context);

}  // namespace assay::support

#define CHECK(condition)                                                 \
  do {                                                                   \
    if (!(condition)) [[unlikely]]                                       \
      ::assay::support::CheckFailed(__FILE__, __LINE__, #condition, {}); \
  } while (false)

// CHECK_MSG(condition, "format {}", arguments...)
#define CHECK_MSG(condition, ...)                                                              \
  do {                                                                                         \
    if (!(condition)) [[unlikely]]                                                             \
      ::assay::support::CheckFailed(__FILE__, __LINE__, #condition, fmt::format(__VA_ARGS__)); \
  } while (false)
