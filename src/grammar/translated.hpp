// What the C++ of a translated specification builds on, besides the tables: the built-in functions
// of LaLa.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "grammar/runtime.hpp"
#include "lala.hpp"

namespace assay::grammar::translated {

// `nil`: the default value of whatever type is wanted.
struct Nil {
  template <typename T>
  operator T() const {
    return T{};
  }
};

template <typename T>
T& At(std::byte* place) {
  static_assert(std::is_trivially_copyable_v<T>, "attributes must be trivially copyable");
  return *reinterpret_cast<T*>(place);
}

inline int64_t Int(int64_t value) { return value; }
inline int64_t Int(bool value) { return value ? 1 : 0; }
inline int64_t Int(char value) { return value; }
inline int64_t Int(lala::String text) {
  std::string_view view = text.view();
  int64_t value = 0;
  auto [end, error] = std::from_chars(view.data(), view.data() + view.size(), value);
  if (error != std::errc() || end != view.data() + view.size()) {
    throw lala::Error("int: \"" + text.str() + "\" is not a number");
  }
  return value;
}

template <typename T>
int64_t Len(const T& value) {
  return static_cast<int64_t>(value.size());
}

template <typename T>
auto Add(const T& a, const std::type_identity_t<T>& b) {
  return a + b;
}
inline lala::String Add(lala::String a, lala::String b) { return lala::Concat(a, b); }

template <typename T>
T Divide(const T& a, const std::type_identity_t<T>& b) {
  if (b == T(0)) throw lala::Error("division by zero");
  return a / b;
}

template <typename T>
T Max(const T& a, const std::type_identity_t<T>& b) {
  return a < b ? b : a;
}
template <typename T>
T Min(const T& a, const std::type_identity_t<T>& b) {
  return b < a ? b : a;
}

// A local: computed when first asked for.
template <typename T, typename Compute>
const T& Once(bool& computed, T& slot, Compute compute) {
  if (!computed) {
    slot = compute();
    computed = true;
  }
  return slot;
}

// The values of a generator, for the engine.
template <typename T>
uint32_t Values(const lala::List<T>& list, const void** values) {
  *values = list.begin();
  return list.size();
}
// The same where the engine takes one value at once and never looks again: a list made for the
// purpose is free then. (Long lists of candidates would otherwise be most of a program's memory.)
template <typename T>
uint32_t Values(const lala::List<T>& list, lala::Arena::Mark since, const void** values) {
  list.Release(since);
  return Values(list, values);
}

inline void* OpenSession() {
  lala::Session* before = lala::Session::Bind(nullptr);
  auto* session = new lala::Session();
  lala::Session::Bind(before);
  return session;
}
inline void CloseSession(void* session) {
  lala::Session* before = lala::Session::Bind(nullptr);
  delete static_cast<lala::Session*>(session);
  lala::Session::Bind(before == session ? nullptr : before);
}
inline void ResetSession(void* session, uint64_t seed) { static_cast<lala::Session*>(session)->Reset(seed); }
inline void BindSession(void* session) { lala::Session::Bind(static_cast<lala::Session*>(session)); }

}  // namespace assay::grammar::translated
