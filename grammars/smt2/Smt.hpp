// Run-time module of the SMT-LIB 2 specifications: sorts, the symbols in scope, and constants.
#pragma once

#include <string>

#include "lala.hpp"

namespace Smt {

using lala::List;
using lala::Map;
using lala::Node;
using lala::Random;
using lala::String;
using namespace lala::literals;

enum class Kind : uint8_t { kNil, kBool, kBitVec, kFloat, kRounding, kString, kInt, kRegLan };

struct Sort {
  Kind kind = Kind::kNil;
  // BitVec: the width. Float: the exponent and the significand.
  uint16_t first = 0;
  uint16_t second = 0;

  uint32_t key() const { return (static_cast<uint32_t>(kind) << 26) | (uint32_t{first} << 10) | second; }
  friend bool operator==(Sort a, Sort b) { return a.key() == b.key(); }
  friend bool operator<(Sort a, Sort b) { return a.key() < b.key(); }
  friend uint32_t HashOf(Sort sort) { return lala::HashOf(int64_t{sort.key()}); }
};
using SortList = List<Sort>;

inline void Print(std::string& out, int, Sort sort) {
  switch (sort.kind) {
    case Kind::kNil: out += "nil"; break;
    case Kind::kBool: out += "Bool"; break;
    case Kind::kBitVec: out += "(_ BitVec " + std::to_string(sort.first) + ")"; break;
    case Kind::kFloat:
      out += "(_ FloatingPoint " + std::to_string(sort.first) + " " + std::to_string(sort.second) + ")";
      break;
    case Kind::kRounding: out += "RoundingMode"; break;
    case Kind::kString: out += "String"; break;
    case Kind::kInt: out += "Int"; break;
    case Kind::kRegLan: out += "RegLan"; break;
  }
}

inline Sort boolean() { return {Kind::kBool}; }
inline Sort bitVec(int64_t width) { return {Kind::kBitVec, static_cast<uint16_t>(width)}; }
inline Sort floating(int64_t exponent, int64_t significand) {
  return {Kind::kFloat, static_cast<uint16_t>(exponent), static_cast<uint16_t>(significand)};
}
inline Sort rounding() { return {Kind::kRounding}; }
inline Sort string() { return {Kind::kString}; }
inline Sort integer() { return {Kind::kInt}; }
inline bool isBool(Sort sort) { return sort.kind == Kind::kBool; }
inline bool isBitVec(Sort sort) { return sort.kind == Kind::kBitVec; }
inline bool isFloat(Sort sort) { return sort.kind == Kind::kFloat; }
inline bool isRounding(Sort sort) { return sort.kind == Kind::kRounding; }
inline bool isString(Sort sort) { return sort.kind == Kind::kString; }
inline bool isInt(Sort sort) { return sort.kind == Kind::kInt; }
inline int64_t width(Sort sort) { return sort.first; }
inline int64_t exponent(Sort sort) { return sort.first; }
inline int64_t significand(Sort sort) { return sort.second; }
// The width of the bit pattern of a float.
inline int64_t floatWidth(Sort sort) { return sort.first + sort.second; }

// A function symbol: of the script, or of the theory.
struct Function {
  String name;
  Sort parameters[3];
  friend bool operator==(const Function& a, const Function& b) {
    return a.name == b.name && a.parameters[0] == b.parameters[0] && a.parameters[1] == b.parameters[1] &&
           a.parameters[2] == b.parameters[2];
  }
};
inline void Print(std::string& out, int, const Function& function) { out += function.name.view(); }
inline Sort parameter(const Function& function, int64_t index) { return function.parameters[index]; }

// The symbols in scope, by result sort, so that a use is a lookup and never a search. Functions
// have 1 to 3 parameters.
struct EnvData {
  Map<Sort, List<String>> constants;
  Map<Sort, List<Function>> functions[3];
  SortList sorts;  // of the script's own constants, in order of their first declaration
  int64_t next = 0;
  bool once = false;  // names bound by `let` are not used again

  friend bool operator==(const EnvData& a, const EnvData& b) {
    return a.next == b.next && a.once == b.once && a.constants == b.constants && a.functions[0] == b.functions[0] &&
           a.functions[1] == b.functions[1] && a.functions[2] == b.functions[2] && a.sorts == b.sorts;
  }
};

using Env = lala::Shared<EnvData>;

inline Env empty() { return {}; }

// A name that nothing in scope has. A scope that ends gives its names back, so later scopes use
// them again, for other sorts: that is legal and worth testing.
inline String fresh(const Env& env, String prefix) { return lala::Numbered(prefix, env->next); }
// For scripts in which a name means one thing only.
inline Env plain() {
  EnvData env;
  env.once = true;
  return env;
}
// A name for a `let` at this node.
inline String bound(const Env& env, String prefix, Node node) {
  if (!env->once) return fresh(env, prefix);
  return lala::Text(prefix.str() + "_" + std::to_string(node.id));
}
inline Env put(const Env& env, String name, Sort sort) {
  EnvData result = *env;
  ++result.next;
  result.constants = env->constants.Put(sort, env->constants.Get(sort).Append(name));
  if (!env->sorts.Contains(sort)) result.sorts = env->sorts.Append(sort);
  return result;
}
inline Env putFunction(const Env& env, String name, const SortList& parameters, Sort sort) {
  if (parameters.empty()) return put(env, name, sort);
  EnvData result = *env;
  ++result.next;
  Function function{name, {}};
  for (uint32_t i = 0; i < parameters.size(); ++i) function.parameters[i] = parameters[i];
  auto& table = result.functions[parameters.size() - 1];
  table = table.Put(sort, table.Get(sort).Append(function));
  return result;
}

inline SortList noSorts() { return {}; }
inline SortList add(const SortList& sorts, Sort sort) { return sorts.Append(sort); }
// Puts parameters x, y, z of these sorts: the scope of a definition's body.
inline String parameterName(const SortList& before) {
  return before.empty() ? "x"_s : before.size() == 1 ? "y"_s : "z"_s;
}
inline Env putParameters(const Env& from, const SortList& parameters) {
  Env env = from;
  SortList before;
  for (Sort sort : parameters) {
    env = put(env, parameterName(before), sort);
    before.Push(sort);
  }
  return env;
}

// --- constants of the theories
// ---------------------------------------------------------------------------------------

// A bit pattern that tends to matter: zero, one, all ones, the sign bit, a power of two, else
// anything.
inline std::string pattern(int64_t width, Random& random) {
  std::string bits(static_cast<size_t>(width), '0');
  auto bit = [&](int64_t i) -> char& { return bits[static_cast<size_t>(width - 1 - i)]; };
  switch (random.Below(8)) {
    case 0: break;
    case 1: bit(0) = '1'; break;
    case 2: bits.assign(bits.size(), '1'); break;
    case 3: bit(width - 1) = '1'; break;
    case 4: bit(random.Below(static_cast<uint32_t>(width))) = '1'; break;
    case 5:  // a small number
      for (int64_t i = 0; i < width && i < 4; ++i) bit(i) = random.Below(2) ? '1' : '0';
      break;
    default:
      for (char& c : bits) c = random.Below(2) ? '1' : '0';
  }
  return bits;
}

inline std::string hexadecimal(const std::string& bits) {
  std::string text = "#x";
  for (size_t i = 0; i < bits.size(); i += 4) {
    int digit = 0;
    for (size_t k = 0; k < 4; ++k) digit = digit * 2 + (bits[i + k] == '1');
    text += "0123456789abcdef"[digit];
  }
  return text;
}

// A constant of this width in one of the three notations.
inline String bits(int64_t width, Node node) {
  Random random(node);
  std::string binary = pattern(width, random);
  uint32_t notation = random.Below(3);
  if (notation == 0 && width % 4 == 0) return lala::Text(hexadecimal(binary));
  if (notation == 1) {
    std::string decimal = lala::BigInt::Parse(binary, 2).ToText();
    return lala::Text("(_ bv" + decimal + " " + std::to_string(width) + ")");
  }
  return lala::Text("#b" + binary);
}
inline String oneBit(Node node) {
  Random random(node);
  return lala::Text(random.Between(0, 1));
}
inline String shiftAmount(int64_t width, Node node) {
  Random random(node);
  return lala::Text("(_ bv" + std::to_string(random.Below(static_cast<uint32_t>(width))) + " " + std::to_string(width) +
                    ")");
}
inline String zero(int64_t width) { return lala::Text("(_ bv0 " + std::to_string(width) + ")"); }

// The constants of this sort in scope; if there are none, one of the theory.
inline List<String> constants(const Env& env, Sort sort) {
  if (const List<String>* found = env->constants.Find(sort)) return *found;
  switch (sort.kind) {
    case Kind::kBool: return {"true"_s, "false"_s};
    case Kind::kBitVec: return {zero(sort.first), lala::Text("#b" + std::string(sort.first, '1'))};
    case Kind::kString: return {"\"\""_s, "\"a\""_s};
    case Kind::kInt: return {"0"_s, "(- 1)"_s};
    case Kind::kRounding: return {"RNE"_s, "RNA"_s};
    case Kind::kFloat: {
      std::string size = std::to_string(sort.first) + " " + std::to_string(sort.second) + ")";
      return {lala::Text("(_ +zero " + size), lala::Text("(_ -oo " + size)};
    }
    case Kind::kNil:
    case Kind::kRegLan: break;
  }
  throw lala::Error("constants: a sort without constants");
}

// --- bit-vectors
// -----------------------------------------------------------------------------------------------------

inline constexpr int64_t kWidest = 96;

// Widths for declarations. 1, odd ones and those around a machine word are where solvers' rewrites
// differ.
inline List<int64_t> declarableWidths() {
  return {1, 1, 2, 3, 4, 5, 7, 8, 8, 8, 8, 12, 16, 16, 16, 24, 31, 32, 32, 33, 48, 64};
}
// The widths in use, so that comparisons meet the script's own symbols.
inline List<int64_t> widths(const Env& env) {
  List<int64_t> result;
  for (Sort sort : env->sorts) {
    if (sort.kind == Kind::kBitVec) result.Push(sort.first);
  }
  if (result.empty()) result.Push(8);
  return result;
}

// An operation from a bit-vector of one width to one of another: an indexed identifier.
struct Resize {
  String name;
  int64_t first = 0;
  int64_t second = -1;  // -1: there is one index only
  int64_t from = 0;
  friend bool operator==(const Resize& a, const Resize& b) {
    return a.name == b.name && a.first == b.first && a.second == b.second && a.from == b.from;
  }
};
inline void Print(std::string& out, int, const Resize& resize) {
  out += "(_ ";
  out += resize.name.view();
  out += ' ' + std::to_string(resize.first);
  if (resize.second >= 0) out += ' ' + std::to_string(resize.second);
  out += ')';
}
inline int64_t from(const Resize& resize) { return resize.from; }

inline List<Resize> resizes(int64_t width, const Env& env) {
  List<Resize> result;
  auto add = [&](String name, int64_t a, int64_t b, int64_t from) { result.Push({name, a, b, from}); };
  auto from_width = [&](int64_t other) {
    if (other >= width) {
      add("extract"_s, width - 1, 0, other);
      if (other > width) add("extract"_s, other - 1, other - width, other);
      if (other > width + 1) add("extract"_s, width, 1, other);
    }
    if (other <= width) {
      add("zero_extend"_s, width - other, -1, other);
      add("sign_extend"_s, width - other, -1, other);
      if (width % other == 0 && width / other > 1) add("repeat"_s, width / other, -1, other);
    }
  };
  for (int64_t other : widths(env)) from_width(other);
  add("rotate_left"_s, width / 2, -1, width);
  add("rotate_right"_s, width / 3, -1, width);
  if (width + 7 <= kWidest) from_width(width + 7);
  return result;
}

// An operation that makes a bit-vector out of two of other widths.
struct Join {
  String text;
  int64_t left = 0;
  int64_t right = 0;
  friend bool operator==(const Join& a, const Join& b) {
    return a.text == b.text && a.left == b.left && a.right == b.right;
  }
};
inline void Print(std::string& out, int, const Join& join) { out += join.text.view(); }
inline int64_t left(const Join& join) { return join.left; }
inline int64_t right(const Join& join) { return join.right; }

inline List<Join> joins(int64_t width, const Env& env) {
  List<Join> result;
  List<int64_t> used = widths(env);
  if (width == 1) {
    for (int64_t other : used) result.Push({"bvcomp"_s, other, other});
    return result;
  }
  for (int64_t other : used) {
    if (other < width) {
      result.Push({"concat"_s, other, width - other});
      result.Push({"concat"_s, width - other, other});
    }
  }
  if (result.empty()) result.Push({"concat"_s, width / 2, width - width / 2});
  return result;
}

// Functions with this result and number of parameters: the script's own; if there are none, the
// theory's.
inline List<Function> functions(const Env& env, Sort sort, int64_t arity) {
  const auto& table = env->functions[arity - 1];
  if (const List<Function>* found = table.Find(sort)) return *found;
  Sort boolean_sort = boolean();
  if (arity == 3) return {{"ite"_s, {boolean_sort, sort, sort}}};
  switch (sort.kind) {
    case Kind::kBool:
      if (arity == 1) return {{"not"_s, {sort}}};
      return {{"xor"_s, {sort, sort}}, {"and"_s, {sort, sort}}};
    case Kind::kBitVec:
      if (arity == 1) return {{"bvnot"_s, {sort}}, {"bvneg"_s, {sort}}};
      return {{"bvadd"_s, {sort, sort}}, {"bvmul"_s, {sort, sort}}};
    case Kind::kInt:
      if (arity == 1) return {{"-"_s, {sort}}};
      return {{"+"_s, {sort, sort}}};
    case Kind::kString:
      if (arity == 1) return {{"str.from_int"_s, {integer()}}};
      return {{"str.++"_s, {sort, sort}}};
    case Kind::kFloat:
      if (arity == 1) return {{"fp.neg"_s, {sort}}, {"fp.abs"_s, {sort}}};
      break;
    case Kind::kNil:
    case Kind::kRounding:
    case Kind::kRegLan: break;
  }
  return {};
}

// --- floating point
// --------------------------------------------------------------------------------------------------

// cvc5 takes other sizes only with --fp-exp, and calls them experimental.
inline SortList floatSorts() { return {floating(8, 24), floating(8, 24), floating(8, 24), floating(11, 53)}; }
inline SortList usedFloatSorts(const Env& env) {
  SortList result = env->sorts.Filter([](Sort sort) { return sort.kind == Kind::kFloat; });
  if (result.empty()) result.Push(floating(8, 24));
  return result;
}

// A constant: a special value, or a bit pattern with an exponent near zero so that arithmetic stays
// in range.
inline String floatConstant(Sort sort, Node node) {
  Random random(node);
  std::string size = std::to_string(sort.first) + " " + std::to_string(sort.second) + ")";
  switch (random.Below(10)) {
    case 0: return lala::Text("(_ +zero " + size);
    case 1: return lala::Text("(_ -zero " + size);
    case 2: return lala::Text("(_ +oo " + size);
    case 3: return lala::Text("(_ -oo " + size);
    case 4: return lala::Text("(_ NaN " + size);
    default: break;
  }
  std::string sign = random.Below(2) ? "#b1" : "#b0";
  uint64_t bias = (uint64_t{1} << (sort.first - 1)) - 1;
  uint64_t exponent = bias - 8 + random.Below(17);
  if (random.Below(10) == 0) exponent = random.Below(2);  // subnormal or the smallest normal
  std::string exponent_bits;
  for (int i = sort.first; i-- > 0;) exponent_bits += (exponent >> i) & 1 ? '1' : '0';
  std::string fraction = pattern(sort.second - 1, random);
  return lala::Text("(fp " + sign + " #b" + exponent_bits + " #b" + fraction + ")");
}
// A decimal constant that to_fp rounds.
inline String decimal(Node node) {
  Random random(node);
  return lala::Text(std::to_string(random.Below(1000)) + "." + std::to_string(random.Below(1000)));
}

// --- strings
// ---------------------------------------------------------------------------------------------------------

// Quoted. Letters from a small set so that strings meet; now and then an escape of SMT-LIB 2.6.
inline String stringConstant(Node node) {
  Random random(node);
  std::string text = "\"";
  for (uint32_t i = random.Below(7); i > 0; --i) {
    uint32_t kind = random.Below(24);
    if (kind == 0) {
      text += "\\u{7f}";
    } else if (kind == 1) {
      text += "\"\"";
    } else if (kind < 6) {
      text += static_cast<char>('0' + random.Below(10));
    } else {
      text += static_cast<char>('a' + random.Below(3));
    }
  }
  return lala::Text(text + "\"");
}
inline String integerConstant(Node node) {
  Random random(node);
  int64_t value = random.Below(4) == 0 ? random.Between(-1000000, 1000000) : random.Between(-3, 12);
  if (value < 0) return lala::Text("(- " + std::to_string(-value) + ")");
  return lala::Text(value);
}
// A divisor or factor: a numeral, never zero.
inline String positive(Node node) {
  Random random(node);
  return lala::Text(random.Between(1, 9));
}
inline String character(Node node) {
  Random random(node);
  return lala::Text(std::string("\"") + static_cast<char>('a' + random.Below(3)) + "\"");
}
inline String loopBounds(Node node) {
  Random random(node);
  int64_t low = random.Between(0, 3);
  return lala::Text("(_ re.loop " + std::to_string(low) + " " + std::to_string(low + random.Between(0, 3)) + ")");
}

}  // namespace Smt
