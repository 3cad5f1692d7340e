// Immutable text. A String is one pointer to a record that knows its length, its hash and its first
// eight bytes, so that unequal strings are told apart, and ordered, without touching their
// characters.
//
// Where the record lives: in the session's arena (Text, Concat, Join), in static memory (a Literal,
// for the constants of generated code) or in a StringPool that outlives sessions (the pools of
// literal classes). Equality is by content and the same for all three.
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arena.hpp"

namespace lala {

namespace detail {

struct StringRecord {
  uint32_t length = 0;
  uint32_t hash = 0;
  uint64_t prefix = 0;  // the first eight bytes, big-endian, zero-padded: compares like memcmp

  const char* text() const { return reinterpret_cast<const char*>(this + 1); }
};

constexpr uint64_t MixBits(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

constexpr StringRecord MakeRecord(const char* text, size_t length) {
  uint64_t hash = 0xcbf29ce484222325u;
  uint64_t prefix = 0;
  for (size_t i = 0; i < length; ++i) {
    unsigned char c = static_cast<unsigned char>(text[i]);
    hash = (hash ^ c) * 0x100000001b3u;
    if (i < 8) prefix |= uint64_t{c} << (56 - 8 * i);
  }
  return {static_cast<uint32_t>(length), static_cast<uint32_t>(MixBits(hash)), prefix};
}

}  // namespace detail

// The record of a constant, made at compile time: `static constexpr lala::Literal kPlus("+");`.
template <size_t N>
struct Literal {
  detail::StringRecord record;
  char text[N] = {};

  constexpr Literal(const char (&from)[N])  // NOLINT: implicit on purpose
      : record(detail::MakeRecord(from, N - 1)) {
    for (size_t i = 0; i < N; ++i) text[i] = from[i];
  }
};

class String {
 public:
  constexpr String() = default;
  template <size_t N>
  constexpr String(const Literal<N>& literal) : record_(&literal.record) {}  // NOLINT: implicit on purpose
  constexpr explicit String(const detail::StringRecord* record) : record_(record) {}

  size_t size() const { return record_ ? record_->length : 0; }
  bool empty() const { return size() == 0; }
  std::string_view view() const {
    return record_ ? std::string_view(record_->text(), record_->length) : std::string_view();
  }
  std::string str() const { return std::string(view()); }
  uint32_t hash() const { return record_ ? record_->hash : 0; }

  // nil and "" are different values.
  friend bool operator==(String a, String b) {
    if (a.record_ == b.record_) return true;
    if (!a.record_ || !b.record_) return false;
    return a.record_->hash == b.record_->hash && a.record_->prefix == b.record_->prefix && a.view() == b.view();
  }
  // By bytes; nil first.
  friend bool operator<(String a, String b) {
    if (a.record_ == b.record_) return false;
    if (!a.record_ || !b.record_) return !a.record_;
    if (a.record_->prefix != b.record_->prefix) return a.record_->prefix < b.record_->prefix;
    return a.view() < b.view();
  }
  friend bool operator==(String a, std::string_view b) { return a.record_ && a.view() == b; }

 private:
  const detail::StringRecord* record_ = nullptr;
};

// "text"_s is a String in static memory: no session needed, no cost.
namespace literals {
template <Literal kLiteral>
inline String operator""_s() {
  return String(kLiteral);
}
}  // namespace literals

// A String with this content in the current session.
inline String Text(std::string_view text) {
  void* memory = Allocate(sizeof(detail::StringRecord) + text.size());
  auto* record = ::new (memory) detail::StringRecord(detail::MakeRecord(text.data(), text.size()));
  if (!text.empty()) std::memcpy(record + 1, text.data(), text.size());
  return String(record);
}
inline String Text(int64_t number) { return Text(std::to_string(number)); }

inline String Concat(std::initializer_list<std::string_view> parts) {
  std::string all;
  for (std::string_view part : parts) all += part;
  return Text(all);
}
inline String Concat(String a, String b) { return Concat({a.view(), b.view()}); }

// A name: Numbered("t"_s, 12) is t12.
inline String Numbered(String prefix, int64_t number) { return Concat({prefix.view(), std::to_string(number)}); }

// Strings that outlive sessions; made before generation starts, then only read (so shared between
// threads freely).
class StringPool {
 public:
  String Add(std::string_view text) {
    size_t words = (sizeof(detail::StringRecord) + text.size() + 7) / 8;
    records_.push_back(std::unique_ptr<uint64_t[]>(new uint64_t[words]));
    auto* record = ::new (records_.back().get()) detail::StringRecord(detail::MakeRecord(text.data(), text.size()));
    if (!text.empty()) std::memcpy(record + 1, text.data(), text.size());
    return String(record);
  }

 private:
  std::vector<std::unique_ptr<uint64_t[]>> records_;
};

}  // namespace lala
