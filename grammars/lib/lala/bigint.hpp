// Immutable integers of any size: a sign and a magnitude of 32-bit limbs, least significant first,
// no leading zeros. Meant for constants (bit-vector values, limits of numeric types); schoolbook
// algorithms are enough there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "list.hpp"
#include "string.hpp"

namespace lala {

class BigInt {
 public:
  BigInt() = default;      // zero
  BigInt(int64_t value) {  // NOLINT: implicit on purpose
    negative_ = value < 0;
    uint64_t magnitude = negative_ ? uint64_t{0} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    for (; magnitude; magnitude >>= 32) limbs_.Push(static_cast<uint32_t>(magnitude));
  }
  // Digits of `base` (2..16) with an optional minus sign. Throws Error on anything else.
  static BigInt Parse(std::string_view text, uint32_t base = 10) {
    bool minus = !text.empty() && text[0] == '-';
    if (minus) text.remove_prefix(1);
    if (text.empty()) throw Error("BigInt: no digits");
    BigInt result;
    for (char c : text) {
      uint32_t digit = c >= '0' && c <= '9'   ? static_cast<uint32_t>(c - '0')
                       : c >= 'a' && c <= 'f' ? static_cast<uint32_t>(c - 'a' + 10)
                       : c >= 'A' && c <= 'F' ? static_cast<uint32_t>(c - 'A' + 10)
                                              : 99;
      if (digit >= base) throw Error("BigInt: not a digit in '" + std::string(text) + "'");
      result = BigInt(false, MulAdd(result.limbs_, base, digit));
    }
    result.negative_ = minus && !result.IsZero();
    return result;
  }
  // 2 to the power of `bits`.
  static BigInt PowerOfTwo(uint32_t bits) {
    Limbs limbs;
    for (uint32_t i = 0; i < bits / 32; ++i) limbs.Push(0);
    limbs.Push(uint32_t{1} << (bits % 32));
    return BigInt(false, limbs);
  }

  bool IsZero() const { return limbs_.empty(); }
  bool IsNegative() const { return negative_; }
  // The number of bits of the magnitude.
  uint32_t BitLength() const {
    if (limbs_.empty()) return 0;
    uint32_t bits = (limbs_.size() - 1) * 32;
    for (uint32_t top = limbs_.back(); top; top >>= 1) ++bits;
    return bits;
  }
  bool Bit(uint32_t i) const { return i / 32 < limbs_.size() && ((limbs_[i / 32] >> (i % 32)) & 1); }

  friend BigInt operator-(const BigInt& a) { return BigInt(!a.negative_ && !a.IsZero(), a.limbs_); }
  friend BigInt operator+(const BigInt& a, const BigInt& b) {
    if (a.negative_ == b.negative_) return BigInt(a.negative_, AddLimbs(a.limbs_, b.limbs_));
    int order = Compare(a.limbs_, b.limbs_);
    if (order == 0) return BigInt();
    if (order > 0) return BigInt(a.negative_, SubLimbs(a.limbs_, b.limbs_));
    return BigInt(b.negative_, SubLimbs(b.limbs_, a.limbs_));
  }
  friend BigInt operator-(const BigInt& a, const BigInt& b) { return a + -b; }
  friend BigInt operator*(const BigInt& a, const BigInt& b) {
    Limbs sum;
    for (uint32_t i = 0; i < a.limbs_.size(); ++i) {
      Limbs row;
      for (uint32_t k = 0; k < i; ++k) row.Push(0);
      uint64_t carry = 0;
      for (uint32_t limb : b.limbs_) {
        carry += uint64_t{a.limbs_[i]} * limb;
        row.Push(static_cast<uint32_t>(carry));
        carry >>= 32;
      }
      if (carry) row.Push(static_cast<uint32_t>(carry));
      sum = AddLimbs(sum, row);
    }
    return BigInt(a.negative_ != b.negative_, sum);
  }
  // Truncated division, like C's; throws Error if b is zero.
  friend BigInt operator/(const BigInt& a, const BigInt& b);
  friend BigInt operator%(const BigInt& a, const BigInt& b);

  friend bool operator==(const BigInt& a, const BigInt& b) {
    return a.negative_ == b.negative_ && a.limbs_ == b.limbs_;
  }
  friend bool operator<(const BigInt& a, const BigInt& b) {
    if (a.negative_ != b.negative_) return a.negative_;
    int order = Compare(a.limbs_, b.limbs_);
    return a.negative_ ? order > 0 : order < 0;
  }
  friend bool operator>(const BigInt& a, const BigInt& b) { return b < a; }
  friend bool operator<=(const BigInt& a, const BigInt& b) { return !(b < a); }
  friend bool operator>=(const BigInt& a, const BigInt& b) { return !(a < b); }

  // In `base` (2..16), lower-case digits, at least `digits` of them.
  std::string ToText(uint32_t base = 10, uint32_t digits = 1) const {
    std::string text;
    Limbs rest = limbs_;
    while (!rest.empty()) {
      uint32_t digit = 0;
      rest = DivSmall(rest, base, &digit);
      text += "0123456789abcdef"[digit];
    }
    while (text.size() < digits) text += '0';
    if (negative_) text += '-';
    std::reverse(text.begin(), text.end());
    return text;
  }

 private:
  using Limbs = List<uint32_t>;
  struct Division;

  BigInt(bool negative, const Limbs& limbs) : limbs_(limbs) {
    while (!limbs_.empty() && limbs_.back() == 0) limbs_ = Limbs(limbs_.begin(), limbs_.size() - 1);
    negative_ = negative && !limbs_.empty();
  }

  static int Compare(const Limbs& a, const Limbs& b) {
    if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
    for (uint32_t i = a.size(); i-- > 0;) {
      if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    }
    return 0;
  }
  static Limbs AddLimbs(const Limbs& a, const Limbs& b) {
    Limbs sum;
    uint64_t carry = 0;
    for (uint32_t i = 0; i < a.size() || i < b.size() || carry; ++i) {
      carry += (i < a.size() ? uint64_t{a[i]} : 0) + (i < b.size() ? uint64_t{b[i]} : 0);
      sum.Push(static_cast<uint32_t>(carry));
      carry >>= 32;
    }
    return sum;
  }
  // Requires a >= b.
  static Limbs SubLimbs(const Limbs& a, const Limbs& b) {
    Limbs difference;
    int64_t borrow = 0;
    for (uint32_t i = 0; i < a.size(); ++i) {
      int64_t limb = int64_t{a[i]} - (i < b.size() ? int64_t{b[i]} : 0) + borrow;
      borrow = limb < 0 ? -1 : 0;
      difference.Push(static_cast<uint32_t>(limb));
    }
    return difference;
  }
  static Limbs MulAdd(const Limbs& a, uint32_t factor, uint32_t add) {
    Limbs product;
    uint64_t carry = add;
    for (uint32_t limb : a) {
      carry += uint64_t{limb} * factor;
      product.Push(static_cast<uint32_t>(carry));
      carry >>= 32;
    }
    if (carry) product.Push(static_cast<uint32_t>(carry));
    return product;
  }
  static Limbs DivSmall(const Limbs& a, uint32_t divisor, uint32_t* remainder) {
    List<uint32_t> backwards;
    uint64_t rest = 0;
    for (uint32_t i = a.size(); i-- > 0;) {
      rest = (rest << 32) | a[i];
      uint32_t limb = static_cast<uint32_t>(rest / divisor);
      if (limb || !backwards.empty()) backwards.Push(limb);
      rest %= divisor;
    }
    *remainder = static_cast<uint32_t>(rest);
    Limbs quotient;
    for (uint32_t i = backwards.size(); i-- > 0;) quotient.Push(backwards[i]);
    return quotient;
  }
  static Division Divide(const BigInt& a, const BigInt& b);

  Limbs limbs_;
  bool negative_ = false;
};

struct BigInt::Division {
  BigInt quotient;
  BigInt remainder;
};

// Long division bit by bit.
inline BigInt::Division BigInt::Divide(const BigInt& a, const BigInt& b) {
  if (b.IsZero()) throw Error("BigInt: division by zero");
  BigInt divisor(false, b.limbs_);
  BigInt quotient;
  BigInt rest;
  for (uint32_t i = a.BitLength(); i-- > 0;) {
    rest = BigInt(false, MulAdd(rest.limbs_, 2, a.Bit(i)));
    bool fits = !(rest < divisor);
    if (fits) rest = rest - divisor;
    quotient = BigInt(false, MulAdd(quotient.limbs_, 2, fits));
  }
  return {BigInt(a.negative_ != b.negative_, quotient.limbs_), BigInt(a.negative_, rest.limbs_)};
}

inline BigInt operator/(const BigInt& a, const BigInt& b) { return BigInt::Divide(a, b).quotient; }
inline BigInt operator%(const BigInt& a, const BigInt& b) { return BigInt::Divide(a, b).remainder; }

}  // namespace lala
