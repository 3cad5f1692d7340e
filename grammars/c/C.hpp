// Run-time module of the C specification for crash testing: types, what is in scope, initialisers.
//
// Whatever an expression may need exists: generators that find nothing in scope offer a null
// pointer cast to the right type (programs are compiled, not run), so generation never has to
// search.
#pragma once

#include <string>

#include "lala.hpp"

namespace C {

using lala::List;
using lala::Map;
using lala::Node;
using lala::Random;
using lala::String;
using namespace lala::literals;

// --- types
// -----------------------------------------------------------------------------------------

enum class Kind : uint8_t { kNil, kVoid, kInt, kFloat, kPointer, kStruct, kVector };

struct TypeInfo;
struct Type {
  const TypeInfo* info = nullptr;

  Kind kind() const;
  String text() const;
  friend bool operator==(Type a, Type b) { return a.info == b.info || a.text() == b.text(); }
  friend bool operator<(Type a, Type b) { return a.text() < b.text(); }
  friend uint32_t HashOf(Type type) { return HashOf(type.text()); }
};
using TypeList = List<Type>;

struct Field {
  String name;
  Type type;
  int64_t elements = 0;  // 0: not an array
  int64_t bits = -1;     // -1: not a bit-field
  bool constant = false;
  friend bool operator==(const Field& a, const Field& b) {
    return a.name == b.name && a.type == b.type && a.elements == b.elements && a.bits == b.bits &&
           a.constant == b.constant;
  }
};
using Fields = List<Field>;

// `text` is what stands before a name in a declaration, so pointers are the only derived types;
// arrays belong to their variables, and functions have typedef names.
struct TypeInfo {
  Kind kind;
  String text;
  Type target;  // of a pointer
  Fields fields;
  bool is_union = false;
};

inline Kind Type::kind() const { return info ? info->kind : Kind::kNil; }
inline String Type::text() const { return info ? info->text : String(); }
inline void Print(std::string& out, int, Type type) { out += type.text().view(); }

inline Type make(Kind kind, String text) { return {lala::New<TypeInfo>(TypeInfo{kind, text, {}, {}, false})}; }
inline Type nothing() { return make(Kind::kVoid, "void"_s); }
inline Type integer(String text) { return make(Kind::kInt, text); }
inline Type floating(String text) { return make(Kind::kFloat, text); }
inline Type vector() { return make(Kind::kVector, "V4"_s); }
inline Type pointerTo(Type target) {
  return {lala::New<TypeInfo>(TypeInfo{Kind::kPointer, lala::Concat(target.text(), " *"_s), target, {}, false})};
}
inline Type pointee(Type type) { return type.info->target; }
inline Type structure(String text, const Fields& fields, bool is_union) {
  return {lala::New<TypeInfo>(TypeInfo{Kind::kStruct, text, {}, fields, is_union})};
}
inline bool isVoid(Type type) { return type.kind() == Kind::kVoid; }
inline bool isInt(Type type) { return type.kind() == Kind::kInt; }
inline bool isFloat(Type type) { return type.kind() == Kind::kFloat; }
inline bool isPointer(Type type) { return type.kind() == Kind::kPointer; }
inline bool isStruct(Type type) { return type.kind() == Kind::kStruct; }
inline bool isVector(Type type) { return type.kind() == Kind::kVector; }

inline TypeList noTypes() { return {}; }
inline TypeList add(const TypeList& types, Type type) { return types.Append(type); }
inline int64_t count(const TypeList& types) { return types.size(); }
inline Type typeAt(const TypeList& types, int64_t index) { return types[static_cast<uint32_t>(index)]; }

// --- what is in scope
// ------------------------------------------------------------------------------

// A place: a variable, a member of one, or what stands for one.
struct Place {
  String text;
  Type type;
  friend bool operator==(const Place& a, const Place& b) { return a.text == b.text && a.type == b.type; }
};
inline void Print(std::string& out, int, const Place& place) { out += place.text.view(); }
inline Type typeOf(const Place& place) { return place.type; }

struct Function {
  String name;
  Type result;
  TypeList parameters;
  friend bool operator==(const Function& a, const Function& b) { return a.name == b.name; }
};
inline void Print(std::string& out, int, const Function& function) { out += function.name.view(); }
inline TypeList parameters(const Function& function) { return function.parameters; }
inline Type result(const Function& function) { return function.result; }

// A member reached through a pointer.
struct Member {
  Type pointer;
  String name;
  friend bool operator==(const Member& a, const Member& b) { return a.pointer == b.pointer && a.name == b.name; }
};
inline void Print(std::string& out, int, const Member& member) { out += member.name.view(); }
inline Type pointerOf(const Member& member) { return member.pointer; }

using Places = Map<Type, List<Place>>;

// Places are kept by what they can be used for. `read` has all, by type; ints and floats are also
// in lists of their own, since arithmetic converts.
struct EnvData {
  Places read;
  Places write;    // not const
  Places address;  // not a bit-field, not a register, not const
  Places arrays;   // by the type of their elements
  List<Place> ints;
  List<Place> floats;
  List<Place> int_targets;
  List<Place> float_targets;
  TypeList structs;
  TypeList targets;  // types that pointers of this program point to
  List<Member> int_members;
  List<Member> float_members;
  List<Function> functions;
  List<Function> int_functions;
  List<Function> float_functions;
  Map<Type, List<Function>> other_functions;
  Type result;       // of the function this place is in
  int64_t next = 1;  // number of the next name
  int64_t labels = 0;
  bool loop = false;    // break and continue have a target
  bool choice = false;  // break has a target
  friend bool operator==(const EnvData& a, const EnvData& b) {
    return a.next == b.next && a.labels == b.labels && a.loop == b.loop && a.choice == b.choice &&
           a.result == b.result && a.read == b.read && a.functions == b.functions && a.structs == b.structs;
  }
};

using Env = lala::Shared<EnvData>;

inline Places put(const Places& places, const Place& place) {
  return places.Put(place.type, places.Get(place.type).Append(place));
}

inline String fresh(const Env& env, String prefix) { return lala::Numbered(prefix, env->next); }
inline Env skip(const Env& from) {
  EnvData env = *from;
  ++env.next;
  return env;
}

// How a variable is declared; which uses its places allow.
struct Storage {
  bool constant = false;
  bool no_address = false;
};

inline EnvData putPlace(EnvData env, const Place& place, Storage storage, bool bit_field) {
  env.read = put(env.read, place);
  bool is_int = isInt(place.type);
  bool is_float = isFloat(place.type);
  if (is_int) env.ints.Push(place);
  if (is_float) env.floats.Push(place);
  if (storage.constant) return env;
  env.write = put(env.write, place);
  if (is_int) env.int_targets.Push(place);
  if (is_float) env.float_targets.Push(place);
  if (!storage.no_address && !bit_field) env.address = put(env.address, place);
  return env;
}
// A place, and the members it has, two levels deep. A structure with a const member cannot be
// assigned as a whole.
inline bool hasConstant(Type type) {
  if (!isStruct(type)) return false;
  for (const Field& field : type.info->fields) {
    if (field.constant || hasConstant(field.type)) return true;
  }
  return false;
}
inline EnvData putVariable(EnvData env, const Place& place, Storage storage, int depth = 0) {
  Storage whole = storage;
  whole.constant = storage.constant || hasConstant(place.type);
  env = putPlace(env, place, whole, false);
  if (!isStruct(place.type) || depth == 2) return env;
  for (const Field& field : place.type.info->fields) {
    Place member{lala::Concat({place.text.view(), ".", field.name.view()}), field.type};
    Storage inner = storage;
    inner.constant = storage.constant || field.constant;
    if (field.elements > 0) {
      if (!inner.constant && !inner.no_address) env.arrays = put(env.arrays, member);
    } else if (field.bits >= 0) {
      env = putPlace(env, member, inner, true);
    } else {
      env = putVariable(env, member, inner, depth + 1);
    }
  }
  return env;
}
inline EnvData putArray(EnvData env, const Place& place) {
  env.arrays = put(env.arrays, place);
  return env;
}

// Qualifiers and storage of a declaration, chosen by the node. Vectors in registers cannot be
// subscripted: GCC takes their address.
inline String qualifiers(Type type, Node node, bool global) {
  Random random(node);
  std::string text;
  if (global) {
    if (random.Percent(40)) text += "static ";
  } else if (random.Percent(8)) {
    text += "static ";
  } else if (random.Percent(5) && !isVector(type) && !isStruct(type)) {
    text += "register ";
  }
  if (random.Percent(10)) text += "const ";
  if (random.Percent(12)) text += "volatile ";
  return lala::Text(text);
}
inline Storage storageOf(String qualifiers) {
  std::string_view text = qualifiers.view();
  return {text.find("const") != text.npos, text.find("register") != text.npos};
}
inline bool isStatic(String qualifiers) { return qualifiers.view().find("static") != std::string_view::npos; }
// `const` and `volatile` stand behind the type: before a pointer type they would qualify its
// target.
inline String declarator(String qualifiers, Type type, String name) {
  std::string_view text = qualifiers.view();
  size_t split = text.find("const ");
  if (split == text.npos) split = text.find("volatile ");
  if (split == text.npos) split = text.size();
  return lala::Concat({text.substr(0, split), type.text().view(), " ", text.substr(split), name.view()});
}
inline Env declare(const Env& from, String qualifiers, String name, Type type) {
  EnvData env = *from;
  ++env.next;
  return putVariable(env, {name, type}, storageOf(qualifiers));
}
inline Env declareArray(const Env& from, String name, Type type) {
  EnvData env = *from;
  ++env.next;
  return putArray(env, {name, type});
}

// --- uses: never empty
// -----------------------------------------------------------------------------

inline String nullOf(Type type) { return lala::Concat({"(*(", type.text().view(), " *)0)"}); }
inline List<Place> orNull(const Places& places, Type type) {
  if (const List<Place>* found = places.Find(type)) return *found;
  return {{nullOf(type), type}};
}
inline List<Place> ints(const Env& env) { return env->ints; }
inline List<Place> floats(const Env& env) { return env->floats; }
inline List<Place> intTargets(const Env& env) { return env->int_targets; }
inline List<Place> floatTargets(const Env& env) { return env->float_targets; }
inline List<Place> readable(const Env& env, Type type) { return orNull(env->read, type); }
inline List<Place> writable(const Env& env, Type type) { return orNull(env->write, type); }
inline List<Place> addressable(const Env& env, Type type) { return orNull(env->address, type); }
inline List<Place> arrays(const Env& env, Type type) {
  if (const List<Place>* found = env->arrays.Find(type)) return *found;
  return {{lala::Concat({"((", type.text().view(), " *)0)"}), type}};
}
inline List<Function> intFunctions(const Env& env) { return env->int_functions; }
inline List<Function> floatFunctions(const Env& env) { return env->float_functions; }
inline List<Function> functions(const Env& env) { return env->functions; }
// Functions with exactly this result; may be empty.
inline bool hasFunction(const Env& env, Type type) { return env->other_functions.Contains(type); }
inline List<Function> functionsOf(const Env& env, Type type) { return env->other_functions.Get(type); }
inline List<Member> intMembers(const Env& env) { return env->int_members; }
inline List<Member> floatMembers(const Env& env) { return env->float_members; }
inline TypeList structs(const Env& env) { return env->structs; }
// Those that can be assigned as a whole; never empty.
inline TypeList assignableStructs(const Env& env) {
  return env->structs.Filter([](Type type) { return !hasConstant(type); });
}
inline TypeList targets(const Env& env) { return env->targets; }
inline TypeList arithmeticTypes() {
  return {integer("int"_s),         integer("int"_s),           integer("unsigned"_s),  integer("char"_s),
          integer("signed char"_s), integer("unsigned char"_s), integer("short"_s),     integer("unsigned short"_s),
          integer("long"_s),        integer("unsigned long"_s), integer("long long"_s), integer("_Bool"_s),
          floating("float"_s),      floating("double"_s)};
}
inline TypeList integerTypes() {
  return arithmeticTypes().Filter([](Type type) { return isInt(type); });
}
inline TypeList floatingTypes() { return {floating("float"_s), floating("double"_s), floating("double"_s)}; }

// --- declarations of types
// ------------------------------------------------------------------------

inline Fields noFields() { return {}; }
inline String fieldName(const Fields& before) { return lala::Numbered("f"_s, before.size()); }
inline Fields addField(const Fields& before, Type type, int64_t elements, int64_t bits, bool constant) {
  return before.Append({fieldName(before), type, elements, bits, constant});
}
inline int64_t noBits() { return -1; }
inline int64_t widest(Type type) {
  std::string_view text = type.text().view();
  if (text == "_Bool") return 1;
  if (text.find("char") != text.npos) return 8;
  if (text.find("short") != text.npos) return 16;
  if (text.find("long") != text.npos) return 64;
  return 32;
}
inline int64_t bits(Type type, Node node) {
  return 1 + static_cast<int64_t>(lala::RandomOf(node) % static_cast<uint64_t>(widest(type)));
}
inline Env declareStruct(const Env& from, String text, const Fields& fields, bool is_union) {
  EnvData env = *from;
  ++env.next;
  Type type = structure(text, fields, is_union);
  env.structs = env.structs.Append(type);
  env.targets = env.targets.Append(type);
  Type pointer = pointerTo(type);
  for (const Field& field : fields) {
    if (field.elements > 0 || field.constant) continue;
    if (isInt(field.type)) env.int_members = env.int_members.Append({pointer, field.name});
    if (isFloat(field.type)) env.float_members = env.float_members.Append({pointer, field.name});
  }
  return env;
}
inline Env addTarget(const Env& from, Type type) {
  EnvData env = *from;
  env.targets = env.targets.Append(type);
  return env;
}

// --- functions
// ------------------------------------------------------------------------------------

inline Env declareFunction(const Env& from, String name, Type result, const TypeList& parameters) {
  EnvData env = *from;
  ++env.next;
  Function function{name, result, parameters};
  env.functions = env.functions.Append(function);
  if (isInt(result)) {
    env.int_functions = env.int_functions.Append(function);
  } else if (isFloat(result)) {
    env.float_functions = env.float_functions.Append(function);
  } else if (!isVoid(result)) {
    env.other_functions = env.other_functions.Put(result, env.other_functions.Get(result).Append(function));
  }
  return env;
}
inline String parameterList(const Env& env, const TypeList& types) {
  std::string text;
  for (uint32_t i = 0; i < types.size(); ++i) {
    if (i) text += ", ";
    text += types[i].text().str() + " p" + std::to_string(env->next + i);
  }
  return lala::Text(text.empty() ? "void" : text);
}
inline Env enterFunction(const Env& from, Type result, const TypeList& types, int64_t labels) {
  EnvData env = *from;
  env.result = result;
  env.labels = labels;
  for (uint32_t i = 0; i < types.size(); ++i) {
    Place place{lala::Text("p" + std::to_string(env.next + i)), types[i]};
    env = putVariable(env, place, {});
  }
  env.next += types.size();
  return env;
}
// The names used inside are free again, but labels and statics make fresh ones easier to read.
inline Env leave(const Env& from, const Env& inner) {
  EnvData outer = *from;
  outer.next = inner->next;
  return outer;
}
inline Env enterLoop(const Env& from) {
  EnvData env = *from;
  env.loop = true;
  env.choice = false;
  return env;
}
inline Env enterSwitch(const Env& from) {
  EnvData env = *from;
  env.choice = true;
  return env;
}
// Inside an expression: a jump to the loop around it would leave from a condition.
inline Env enterExpression(const Env& from) {
  EnvData env = *from;
  env.loop = false;
  env.choice = false;
  return env;
}
inline bool inLoop(const Env& env) { return env->loop; }
inline bool mayBreak(const Env& env) { return env->loop || env->choice; }
inline Type resultType(const Env& env) { return env->result; }
inline bool returnsNothing(const Env& env) { return isVoid(env->result); }
inline String label(const Env& env, Node node) {
  return lala::Text("L" + std::to_string(1 + lala::RandomOf(node) % static_cast<uint64_t>(env->labels)));
}
inline bool hasLabels(const Env& env) { return env->labels > 0; }
inline String enumerator(String name) { return lala::Concat(name, "_b"_s); }
inline int64_t oneToFour(Node node) { return lala::OneTo(4, node); }
inline int64_t small(Node node) { return lala::OneTo(9, node); }

// --- constants
// ------------------------------------------------------------------------------------

inline String intConstant(Node node) {
  Random random(node);
  static const char* const kSpecial[] = {
      "0",          "1",       "0x7fffffff", "0x80000000U",          "0xffU",
      "0xffffL",    "65535",   "255UL",      "0x7fffffffffffffffLL", "0xffffffffffffffffULL",
      "'a'",        "'\\377'", "-1",         "(-2147483647 - 1)",    "0x100000000LL",
      "sizeof(int)"};
  if (random.Below(3) == 0) return lala::Text(kSpecial[random.Below(16)]);
  int64_t value = random.Below(2) ? random.Between(-9, 16) : random.Between(-100000, 100000);
  static const char* const kSuffix[] = {"", "", "", "U", "L", "UL", "LL"};
  std::string text = std::to_string(value);
  if (value >= 0) text += kSuffix[random.Below(7)];
  return lala::Text(value < 0 ? "(" + text + ")" : text);
}
inline String floatConstant(Node node) {
  Random random(node);
  static const char* const kSpecial[] = {
      "0.0", "1.0", "-1.0", "0.5f", "1e300", "1e-40f", "0x1.8p3", "3.25f", "__builtin_inf()", "__builtin_nan(\"\")"};
  if (random.Below(2)) return lala::Text(kSpecial[random.Below(10)]);
  return lala::Text(std::to_string(random.Below(1000)) + "." + std::to_string(random.Below(100)) +
                    (random.Below(3) ? "" : "f"));
}

inline std::string initialValue(Type type, Random& random, int depth) {
  switch (type.kind()) {
    case Kind::kInt: return std::to_string(random.Between(-9, 120));
    case Kind::kFloat: return std::to_string(random.Between(-9, 120)) + ".5";
    case Kind::kPointer: return "0";
    case Kind::kVector: return "{1, 2, 3, 4}";
    case Kind::kStruct: {
      const Fields& fields = type.info->fields;
      if (depth > 2 || fields.empty() || random.Below(4) == 0) return "{0}";
      std::string text = "{";
      uint32_t how_many = type.info->is_union ? 1 : 1 + random.Below(fields.size());
      bool named = random.Below(2) == 0;
      for (uint32_t i = 0; i < how_many; ++i) {
        if (i) text += ", ";
        if (named) text += "." + fields[i].name.str() + " = ";
        if (fields[i].elements > 0) {
          text += "{" + initialValue(fields[i].type, random, depth + 1) + "}";
        } else {
          text += initialValue(fields[i].type, random, depth + 1);
        }
      }
      return text + "}";
    }
    case Kind::kNil:
    case Kind::kVoid: break;
  }
  throw lala::Error("initialValue: a type without values");
}
// A constant initialiser.
inline String initial(Type type, Node node) {
  Random random(node);
  return lala::Text(initialValue(type, random, 0));
}
inline String initialArray(Type type, int64_t elements, Node node) {
  Random random(node);
  std::string text = "{";
  uint32_t how_many = 1 + random.Below(static_cast<uint32_t>(elements));
  for (uint32_t i = 0; i < how_many; ++i) {
    if (i) text += ", ";
    text += initialValue(type, random, 1);
  }
  return lala::Text(text + "}");
}
// In braces, for a compound literal.
inline String braced(Type type, Node node) {
  Random random(node);
  std::string text = initialValue(type, random, 0);
  return lala::Text(text[0] == '{' ? text : "{" + text + "}");
}

// --- the beginning of every program
// ---------------------------------------------------------------

// One of everything, so that no generator is ever without a choice.
inline String prelude() {
  return R"c(typedef int V4 __attribute__((vector_size(16)));
struct s0 { int f0; double f1; struct s0 *f2; unsigned f3 : 5; };
int g0 = 1;
double d0 = 0.5;
V4 v0;
struct s0 s00;
int a0[4];
static int h0(void) { return g0; }
static double k0(double x) { return x + d0; })c"_s;
}
inline Env start() {
  EnvData env;
  Type self = make(Kind::kStruct, "struct s0"_s);
  Fields fields;
  fields = addField(fields, integer("int"_s), 0, -1, false);
  fields = addField(fields, floating("double"_s), 0, -1, false);
  fields = addField(fields, pointerTo(self), 0, -1, false);
  fields = addField(fields, integer("unsigned"_s), 0, 5, false);
  env = *declareStruct(env, "struct s0"_s, fields, false);
  env.targets.Push(integer("int"_s));
  env.targets.Push(integer("char"_s));
  env.targets.Push(floating("double"_s));
  env.targets.Push(pointerTo(integer("int"_s)));
  env = putVariable(env, {"g0"_s, integer("int"_s)}, {});
  env = putVariable(env, {"d0"_s, floating("double"_s)}, {});
  env = putVariable(env, {"v0"_s, vector()}, {});
  env = putVariable(env, {"s00"_s, env.structs[0]}, {});
  env = putArray(env, {"a0"_s, integer("int"_s)});
  env = *declareFunction(env, "h0"_s, integer("int"_s), {});
  env = *declareFunction(env, "k0"_s, floating("double"_s), TypeList{floating("double"_s)});
  return env;
}

}  // namespace C
