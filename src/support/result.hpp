// Result<T>: what the outside world (files, processes, user input) gives us: a value, or an Error whose message
// says what to do. Our own bugs are CHECKs; a misbehaving target is an ordinary Verdict.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "support/check.hpp"

namespace assay::support {

// The exit codes of the command line (docs/design.md §3).
enum class ExitCode { Nothing = 0, BugsFound = 1, Usage = 2, Environment = 3 };

struct Error {
  std::string message;
  ExitCode code = ExitCode::Environment;
};

inline Error UsageError(std::string message) { return {std::move(message), ExitCode::Usage}; }
inline Error EnvironmentError(std::string message) { return {std::move(message), ExitCode::Environment}; }

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(Error error) : state_(std::move(error)) {}

  bool Ok() const { return state_.index() == 0; }
  explicit operator bool() const { return Ok(); }

  T& Value() & { return Get(); }
  const T& Value() const& { return const_cast<Result*>(this)->Get(); }
  T Value() && { return std::move(Get()); }  // by value: for (x : F().Value()) must not dangle
  T& operator*() & { return Get(); }
  T* operator->() { return &Get(); }

  const Error& GetError() const {
    CHECK(!Ok());
    return std::get<1>(state_);
  }

 private:
  T& Get() {
    CHECK_MSG(Ok(), "{}", std::get<1>(state_).message);
    return std::get<0>(state_);
  }
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  bool Ok() const { return !error_.has_value(); }
  explicit operator bool() const { return Ok(); }
  const Error& GetError() const {
    CHECK(!Ok());
    return *error_;
  }

 private:
  std::optional<Error> error_;
};

}  // namespace assay::support

// Leaves the function with the error of a Result, if it has one.
#define RETURN_IF_ERROR(...)                                \
  do {                                                      \
    if (auto assay_result = (__VA_ARGS__); !assay_result) { \
      return assay_result.GetError();                       \
    }                                                       \
  } while (false)

// Declares or assigns `lhs` from the value of a Result, or leaves the function with its error:
//   ASSIGN_OR_RETURN(auto text, support::ReadFile(path));
// Two statements: braces are needed where a single statement stands, and the compiler asks for them.
#define ASSIGN_OR_RETURN(lhs, ...) ASSAY_ASSIGN_OR_RETURN(ASSAY_CONCAT(assay_result_, __COUNTER__), lhs, __VA_ARGS__)
#define ASSAY_ASSIGN_OR_RETURN(result, lhs, ...) \
  auto result = (__VA_ARGS__);                   \
  if (!result) return result.GetError();         \
  lhs = std::move(result).Value()
#define ASSAY_CONCAT(a, b) ASSAY_CONCAT_(a, b)
#define ASSAY_CONCAT_(a, b) a##b
