// An immutable value held by reference: what many attributes pass on and few change, such as the
// symbols in scope. Copying costs eight bytes, however large the value is.
#pragma once

#include <type_traits>

#include "arena.hpp"

namespace lala {

// nil stands for T's default value. To change one: copy the value, change the copy, return that.
//   inline Env skip(const Env& from) {
//     EnvData env = *from;
//     ++env.next;
//     return env;
//   }
template <typename T>
class Shared {
 public:
  static_assert(std::is_trivially_copyable_v<T>);

  Shared() = default;
  Shared(const T& value) : value_(New<T>(value)) {}  // NOLINT: implicit on purpose

  const T& operator*() const { return value_ ? *value_ : Nothing(); }
  const T* operator->() const { return &**this; }
  friend bool operator==(const Shared& a, const Shared& b) { return a.value_ == b.value_ || *a == *b; }

 private:
  static const T& Nothing() {
    static const T nothing{};
    return nothing;
  }
  const T* value_ = nullptr;
};

}  // namespace lala
