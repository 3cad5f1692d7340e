// Run-time module of the Lua specification: types, the variables and functions in scope, and the
// text around a program.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "lala.hpp"

namespace Lua {

using lala::Code;
using lala::List;
using lala::Map;
using lala::Node;
using lala::Random;
using lala::String;
using namespace lala::literals;

// --- types
// -----------------------------------------------------------------------------------------------------------

// What a variable may hold at a place: a set of kinds. Where control flow joins, sets are united.
struct Type {
  uint8_t kinds = 0;
  friend bool operator==(Type a, Type b) { return a.kinds == b.kinds; }
  friend bool operator<(Type a, Type b) { return a.kinds < b.kinds; }
  friend uint32_t HashOf(Type type) { return lala::HashOf(int64_t{type.kinds}); }
};
using TypeList = List<Type>;

inline constexpr uint8_t kNumber = 1, kString = 2, kBoolean = 4, kNothing = 8, kArray = 16, kVector = 32;
inline constexpr uint8_t kAnything = 63;

inline Type number() { return {kNumber}; }
inline Type text() { return {kString}; }
inline Type boolean() { return {kBoolean}; }
inline Type nothing() { return {kNothing}; }
inline Type array() { return {kArray}; }
// Immutable pairs of numbers with a metatable.
inline Type vector() { return {kVector}; }
inline Type messageOrNothing() { return {kString | kNothing}; }
// The type that the function `type` calls so.
inline Type called(String name) {
  if (name == "number") return number();
  if (name == "string") return text();
  if (name == "boolean") return boolean();
  return nothing();
}
inline bool isNumber(Type type) { return type.kinds == kNumber; }
inline bool isText(Type type) { return type.kinds == kString; }
inline bool isBoolean(Type type) { return type.kinds == kBoolean; }
inline bool isArray(Type type) { return type.kinds == kArray; }
inline bool isVector(Type type) { return type.kinds == kVector; }
inline bool within(Type part, Type whole) { return (part.kinds & ~whole.kinds) == 0; }

inline TypeList noTypes() { return {}; }
inline TypeList add(const TypeList& types, Type type) { return types.Append(type); }
inline int64_t count(const TypeList& types) { return types.size(); }
inline Type typeAt(const TypeList& types, int64_t index) {
  return index < types.size() ? types[static_cast<uint32_t>(index)] : nothing();
}

// --- what is in scope
// ------------------------------------------------------------------------------------------------

struct Variable {
  String name;  // or a path to the field of a record, such as r1.a
  Type type;
  bool fixed = false;  // its type never changes, so closures and loops may rely on it
  bool local = false;
  friend bool operator==(const Variable& a, const Variable& b) {
    return a.name == b.name && a.type == b.type && a.fixed == b.fixed && a.local == b.local;
  }
};
inline void Print(std::string& out, int, const Variable& variable) { out += variable.name.view(); }
inline String name(const Variable& variable) { return variable.name; }

struct Function {
  String name;
  TypeList parameters;
  TypeList results;
  int64_t cost = 0;
  bool local = false;
  friend bool operator==(const Function& a, const Function& b) { return a.name == b.name; }
};
inline void Print(std::string& out, int, const Function& function) { out += function.name.view(); }
inline TypeList parameters(const Function& function) { return function.parameters; }
inline TypeList results(const Function& function) { return function.results; }
inline Type result(const Function& function, int64_t index) { return typeAt(function.results, index); }
inline int64_t cost(const Function& function) { return function.cost; }

// A record: a table with fields of fixed types, held by one variable that is never given another
// kind of value.
struct Record {
  String name;
  List<Variable> fields;
  friend bool operator==(const Record& a, const Record& b) { return a.name == b.name && a.fields == b.fields; }
};

// `by_type` holds the variables by their type; the other members say where we are.
struct EnvData {
  Map<String, Variable> variables;
  Map<Type, List<Variable>> by_type;
  List<Function> functions;
  List<Record> records;
  TypeList results;     // of the function this place is in
  int64_t next = 0;     // number of the next name
  int64_t locals = 0;   // active local variables of the current function
  int64_t runs = 1;     // upper bound of how often this place runs per call of its function
  bool frozen = false;  // in a loop: assignments must not change types, or the second iteration
                        // would see them
  bool in_loop = false;
  bool in_function = false;

  friend bool operator==(const EnvData& a, const EnvData& b) {
    return a.next == b.next && a.locals == b.locals && a.runs == b.runs && a.frozen == b.frozen &&
           a.in_loop == b.in_loop && a.in_function == b.in_function && a.results == b.results &&
           a.variables == b.variables && a.functions == b.functions && a.records == b.records;
  }
};

using Env = lala::Shared<EnvData>;

inline EnvData withVariable(EnvData env, const Variable& variable) {
  if (const Variable* old = env.variables.Find(variable.name)) {
    if (*old == variable) return env;
    Type old_type = old->type;
    env.by_type = env.by_type.Put(
        old_type, env.by_type.Get(old_type).Filter([&](const Variable& v) { return !(v.name == variable.name); }));
  }
  env.variables = env.variables.Put(variable.name, variable);
  env.by_type = env.by_type.Put(variable.type, env.by_type.Get(variable.type).Append(variable));
  return env;
}
// `env` with the variables that `keep` wants, instead of what it has.
template <typename Keep>
EnvData withVariables(EnvData env, const Map<String, Variable>& from, Keep keep) {
  env.variables = from.Filter([&](const auto& entry) { return keep(entry.value); });
  std::vector<Variable> all;
  env.variables.Each([&](const auto& entry) { all.push_back(entry.value); });
  std::stable_sort(all.begin(), all.end(), [](const Variable& a, const Variable& b) { return a.type < b.type; });
  std::vector<Map<Type, List<Variable>>::Entry> entries;
  for (size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    while (end < all.size() && all[end].type == all[begin].type) ++end;
    entries.push_back({all[begin].type, List<Variable>(&all[begin], static_cast<uint32_t>(end - begin))});
  }
  env.by_type = Map<Type, List<Variable>>::FromSorted(entries);
  return env;
}

// The prelude's variable that takes anything: where nothing else can be assigned to, this can.
inline Variable sink(const char* name) { return {lala::Text(name), {kAnything}, true, false}; }
inline Env start() {
  EnvData env;
  env = withVariable(env, sink("sink"));
  env = withVariable(env, {"A0"_s, array(), true, false});
  env.functions.Push({"nop"_s, {}, {}, 0, false});
  return env;
}

// --- declarations
// ----------------------------------------------------------------------------------------------------

// Lua allows 200 locals in a function, temporaries and loop control included.
inline constexpr int64_t kMostLocals = 90;
// Lua 5.1 allows a closure 60 upvalues.
inline constexpr uint32_t kMostUpvalues = 30;

// A variable that is new here. Its name says what it is: l, g: local or global of a fixed type; x,
// y: local or global whose type follows the flow of control.
inline Variable fresh(const Env& env, Type type, Node node) {
  Random random(node);
  Variable variable;
  variable.type = type;
  variable.fixed = type.kinds == kArray || random.Percent(50);
  variable.local = env->locals < kMostLocals && random.Percent(60);
  const char* prefix = variable.local ? (variable.fixed ? "l" : "x") : (variable.fixed ? "g" : "y");
  variable.name = lala::Text(prefix + std::to_string(env->next));
  return variable;
}
// One more of the same kind, for `a, b = ...`.
inline Variable freshLike(const Env& env, Type type, const Variable& other) {
  Variable variable = other;
  variable.type = type;
  if (type.kinds == kArray) variable.fixed = true;
  const char* prefix = variable.local ? (variable.fixed ? "l" : "x") : (variable.fixed ? "g" : "y");
  variable.name = lala::Text(prefix + std::to_string(env->next));
  return variable;
}
// A variable whose type follows the flow of control; local if there is room.
inline Variable freshFlowing(const Env& env, String prefix, Type type) {
  return {lala::Numbered(prefix, env->next), type, false, env->locals < kMostLocals};
}
// A variable of a fixed type; local if there is room.
inline Variable freshHere(const Env& env, String prefix, Type type) {
  return {lala::Numbered(prefix, env->next), type, true, env->locals < kMostLocals};
}
inline String declarator(const Variable& variable) {
  return variable.local ? lala::Concat("local "_s, variable.name) : variable.name;
}
// A local variable of a fixed type with this prefix: loop variables, parameters.
inline Variable local(int64_t number, String prefix, Type type) {
  return {lala::Numbered(prefix, number), type, true, true};
}
inline Variable freshLocal(const Env& env, String prefix, Type type) { return local(env->next, prefix, type); }
inline EnvData declare(EnvData env, const Variable& variable) {
  ++env.next;
  if (variable.local) ++env.locals;
  return withVariable(env, variable);
}
inline Env put(const Env& env, const Variable& variable) { return declare(*env, variable); }
// Takes a name without making it visible: the hidden counter of a loop.
inline Env reserve(const Env& from) {
  EnvData env = *from;
  ++env.next;
  if (env.locals < kMostLocals) ++env.locals;
  return env;
}
inline String declaring(const Env& env) { return env->locals < kMostLocals ? "local "_s : ""_s; }
inline String numbered(const Env& env, String prefix) { return lala::Numbered(prefix, env->next); }

// After `variable = value of this type`.
inline Env assign(const Env& env, const Variable& variable, Type type) {
  if (variable.fixed || env->frozen) return env;
  Variable changed = variable;
  changed.type = type;
  return withVariable(*env, changed);
}

// --- uses
// ------------------------------------------------------------------------------------------------------------

// The variables of exactly this type; if there are none, what `fallback` says.
inline List<Variable> readable(const Env& env, Type type, String fallback) {
  if (const List<Variable>* found = env->by_type.Find(type)) {
    if (!found->empty()) return *found;
  }
  return {Variable{fallback, type, true, false}};
}
// Any variable: only for uses that every value allows.
inline List<Variable> anything(const Env& env) { return env->variables.Values(); }

inline bool IsField(String name) { return name.view().find('.') != std::string_view::npos; }

// The variables whose type is worth a test; never empty.
inline List<Variable> unions(const Env& env) {
  List<Variable> result;
  env->by_type.Each([&](const auto& entry) {
    uint8_t kinds = entry.key.kinds;
    if (kinds == kAnything || (kinds & (kinds - 1)) == 0) return;
    for (const Variable& variable : entry.value) result.Push(variable);
  });
  if (result.empty()) result.Push(sink("sink"));
  return result;
}
// Where a test has shown that the variable has this type. Not for variables that others may assign
// to meanwhile.
inline Env narrow(const Env& env, Variable variable, Type type) {
  if (variable.fixed) return env;
  variable.type = type;
  return withVariable(*env, variable);
}

// The variables that may be given a value of this type here, but the one called `except`. Never
// empty.
inline List<Variable> targets(const Env& env, Type type, String except) {
  List<Variable> result;
  // Two records may be the same table, so two fields may be the same variable.
  bool no_fields = IsField(except);
  env->by_type.Each([&](const auto& entry) {
    bool keeps = within(type, entry.key);
    if (!keeps && env->frozen) return;
    for (const Variable& variable : entry.value) {
      if (!keeps && variable.fixed) continue;
      if (variable.name == except || (no_fields && IsField(variable.name))) continue;
      result.Push(variable);
    }
  });
  if (result.empty()) result.Push(sink("sink2"));
  return result;
}

// --- records
// ---------------------------------------------------------------------------------------------------------

using FieldList = List<Variable>;

inline FieldList noFields() { return {}; }
inline FieldList addField(const FieldList& fields, Type type) {
  return fields.Append({lala::Text(std::string(1, static_cast<char>('a' + fields.size()))), type, true, false});
}
inline String fieldName(const FieldList& before) {
  return lala::Text(std::string(1, static_cast<char>('a' + before.size())));
}
// A new global record: its fields become variables of fixed types.
inline Env putRecord(const Env& from, String name, const FieldList& fields) {
  EnvData env = *from;
  ++env.next;
  for (const Variable& field : fields) {
    env = withVariable(env, {lala::Concat({name.view(), ".", field.name.view()}), field.type, true, false});
  }
  env.records = env.records.Append({name, fields});
  return env;
}
// Assignments that make one record an alias of another with the same fields; never empty.
inline List<String> aliases(const Env& env) {
  List<String> result;
  for (uint32_t i = 0; i < env->records.size(); ++i) {
    for (uint32_t k = 0; k < env->records.size(); ++k) {
      if (i != k && env->records[i].fields == env->records[k].fields) {
        result.Push(lala::Concat({env->records[i].name.view(), " = ", env->records[k].name.view()}));
      }
    }
  }
  if (result.empty()) result.Push("sink = nil"_s);
  return result;
}

// --- functions
// -------------------------------------------------------------------------------------------------------

// The scope of a function's body. Outside variables whose type may change are not visible there:
// nobody knows what they hold when the function is called. Nor are more locals than a closure can
// have upvalues.
inline Env enterFunction(const Env& env, const TypeList& results) {
  EnvData inner;
  inner.in_function = true;
  inner.results = results;
  inner.records = env->records;
  inner.next = env->next;
  uint32_t upvalues = 0;
  inner.functions =
      env->functions.Filter([&](const Function& f) { return !f.local || ++upvalues <= kMostUpvalues / 2; });
  return withVariables(inner, env->variables, [&](const Variable& variable) {
    return variable.fixed && (!variable.local || ++upvalues <= kMostUpvalues);
  });
}
inline TypeList resultTypes(const Env& env) { return env->results; }
inline bool inFunction(const Env& env) { return env->in_function; }
// A function that is called where it stands: a coroutine's, or one for pcall.
inline Env enterInline(const Env& env) {
  EnvData inner = *enterFunction(env, {});
  inner.runs = env->runs;
  return inner;
}
// A function whose body is one expression: nothing can happen meanwhile, so it sees everything, as
// far as upvalues allow.
inline Env enterExpression(const Env& env) { return env->locals <= kMostUpvalues ? env : enterFunction(env, {}); }
// Takes a name.
inline Env skip(const Env& from) {
  EnvData env = *from;
  ++env.next;
  return env;
}
// How a new function is introduced: `function f1` or `local function f1`.
inline Function freshFunction(const Env& env, Node node) {
  Random random(node);
  bool local = env->locals < kMostLocals && random.Percent(30);
  return {lala::Numbered("f"_s, env->next), {}, {}, 0, local};
}
inline String introduced(const Function& function) {
  return function.local ? lala::Concat("local function "_s, function.name) : lala::Concat("function "_s, function.name);
}
inline Function freshMember(const Env& env) {
  return {lala::Text("M.f" + std::to_string(env->next)), {}, {}, 0, false};
}
inline Env putFunction(const Env& from, Function function, const TypeList& parameters, const TypeList& results,
                       int64_t cost) {
  EnvData env = *from;
  ++env.next;
  if (function.local) ++env.locals;
  function.parameters = parameters;
  function.results = results;
  function.cost = cost;
  env.functions = env.functions.Append(function);
  return env;
}
// The variables of the parameters p1, p2, ...; `next` of the scope counts on.
inline String parameterNames(const Env& env, const TypeList& types) {
  std::string text;
  for (uint32_t i = 0; i < types.size(); ++i) {
    if (i) text += ", ";
    text += "p" + std::to_string(env->next + i);
  }
  return lala::Text(text);
}
inline Env putParameters(const Env& from, const TypeList& types) {
  EnvData env = *from;
  for (Type type : types) env = declare(env, local(env.next, "p"_s, type));
  return env;
}
inline String resultNames(const Env& env, const Function& function) {
  std::string text;
  for (uint32_t i = 0; i < function.results.size(); ++i) {
    if (i) text += ", ";
    text += "l" + std::to_string(env->next + i);
  }
  return lala::Text(text);
}
inline Env putResults(const Env& from, const Function& function) {
  EnvData env = *from;
  bool is_local = env.locals < kMostLocals;
  for (Type type : function.results) {
    Variable variable = local(env.next, "l"_s, type);
    variable.local = is_local;
    env = declare(env, variable);
  }
  return env;
}

// Long enough that a just-in-time compiler finds every loop hot, short enough that programs take a
// fraction of a second.
inline constexpr int64_t kMostCallCost = 60000;
inline constexpr int64_t kMostRuns = 6000;

// The functions that may be called here without the program running too long. Functions never
// change and call only functions that were there before them, so there is no recursion. Never
// empty.
inline List<Function> callable(const Env& env) {
  return env->functions.Filter([&](const Function& f) { return f.cost * env->runs <= kMostCallCost; });
}

// Those with a result.
inline List<Function> callableForResult(const Env& env) {
  List<Function> result = callable(env).Filter([](const Function& f) { return !f.results.empty(); });
  if (result.empty()) result.Push({"one"_s, {}, TypeList{number()}, 0, false});
  return result;
}

// --- control flow
// ----------------------------------------------------------------------------------------------------

// A loop's head and how often it runs at most.
struct Range {
  String text;
  int64_t trips = 0;
  friend bool operator==(const Range& a, const Range& b) { return a.text == b.text && a.trips == b.trips; }
};
inline void Print(std::string& out, int, const Range& range) { out += range.text.view(); }
inline int64_t trips(const Range& range) { return range.trips; }

// All values are exact, so that every implementation makes the same number of trips.
inline List<Range> ranges(const Env& env) {
  static const struct {
    const char* text;
    int64_t trips;
  } kRanges[] = {{"1.0, 1.0", 1},
                 {"1.0, 2.0", 2},
                 {"1.0, 3.0", 3},
                 {"4.0, 1.0", 0},
                 {"3.0, 1.0, -1.0", 3},
                 {"0.0, 1.0, 0.25", 5},
                 {"-2.0, 2.0", 5},
                 {"10.0, 2.0, -4.0", 3},
                 {"0.5, 4.0", 4},
                 {"1.0, 60.0", 60},
                 {"1.0, 100.0", 100},
                 {"200.0, 2.0, -2.0", 100},
                 {"1.0, 500.0", 500},
                 {"0.0, 250.0, 0.25", 1001},
                 {"2000.0, 2.0, -2.0", 1000}};
  List<Range> result;
  for (const auto& range : kRanges) {
    if (env->runs * range.trips <= kMostRuns) result.Push({lala::Text(range.text), range.trips});
  }
  return result;
}
// Trip counts for loops whose end is computed; never empty.
inline List<int64_t> counts(const Env& env) {
  List<int64_t> result;
  for (int64_t count : {1, 2, 5, 20, 80, 500, 2000}) {
    if (count == 1 || env->runs * count <= kMostRuns) result.Push(count);
  }
  return result;
}

// The scope of a loop's body.
inline Env enterLoop(const Env& from, int64_t trips) {
  EnvData env = *from;
  env.frozen = true;
  env.in_loop = true;
  env.runs *= trips < 1 ? 1 : trips;
  return env;
}
inline bool inLoop(const Env& env) { return env->in_loop; }

// After a block: its locals are gone, its names are not used again. What it did to the types of
// outer variables holds.
inline Env leave(const Env& outer, const Env& inner) {
  EnvData result = *outer;
  result.next = inner->next;
  if (outer->frozen || inner->variables.SameAs(outer->variables)) return result;
  outer->variables.EachChanged(inner->variables, [&](const auto&, const Variable* now) {
    if (now) result = withVariable(result, *now);
  });
  return result;
}
// After a block that may or may not have run, or two of which one has: types are united.
inline Env join(const Env& outer, const Env& first, const Env& second) {
  EnvData result = *outer;
  result.next = first->next > second->next ? first->next : second->next;
  if (outer->frozen) return result;
  if (first->variables.SameAs(outer->variables) && second->variables.SameAs(outer->variables)) return result;
  auto unite = [&](const auto& entry, const Variable*) {
    const Variable* a = first->variables.Find(entry.key);
    const Variable* b = second->variables.Find(entry.key);
    Variable both = entry.value;
    both.type.kinds =
        static_cast<uint8_t>((a ? a->type.kinds : both.type.kinds) | (b ? b->type.kinds : both.type.kinds));
    result = withVariable(result, both);
  };
  outer->variables.EachChanged(first->variables, unite);
  outer->variables.EachChanged(second->variables, unite);
  return result;
}
// `env`, with names going on where `other` stopped.
inline Env after(const Env& from, const Env& other) {
  EnvData env = *from;
  if (other->next > env.next) env.next = other->next;
  return env;
}

// --- constants
// -------------------------------------------------------------------------------------------------------

// Always written as a float: Lua 5.3 has integers that wrap and print differently, floats are the
// same everywhere.
inline String numberConstant(Node node) {
  Random random(node);
  switch (random.Below(8)) {
    case 0: return "0.0"_s;
    case 1: return "1.0"_s;
    case 2: return "0.5"_s;
    case 3: return lala::Text(std::to_string(random.Below(100000)) + ".25");
    case 4: return lala::Text(std::to_string(random.Between(1, 9)) + "e" + std::to_string(random.Between(0, 20)));
    case 5: return lala::Text("0." + std::to_string(random.Below(1000)));
    default: return lala::Text(std::to_string(random.Below(20)) + ".0");
  }
}
inline String divisor(Node node) {
  Random random(node);
  return lala::Text(std::to_string(random.Between(1, 12)) + ".0");
}
inline String stringConstant(Node node) {
  Random random(node);
  std::string text = "\"";
  for (uint32_t i = random.Below(8); i > 0; --i) {
    uint32_t kind = random.Below(20);
    if (kind == 0) {
      text += "\\n";
    } else if (kind == 1) {
      text += "\\\"";
    } else if (kind == 2) {
      text += "\\065";
    } else {
      text += "abcxyzABC 0123_"[random.Below(15)];
    }
  }
  return lala::Text(text + "\"");
}
inline int64_t blockNumber(Node node) { return static_cast<int64_t>(lala::RandomOf(node) % 100000); }
inline int64_t small(Node node) { return lala::OneTo(5, node); }
inline int64_t oneOrTwo(Node node) { return lala::OneTo(2, node); }
// Arguments of string.sub: any integers are legal.
inline String slice(Node node) {
  Random random(node);
  return lala::Text(std::to_string(random.Between(-4, 6)) + ", " + std::to_string(random.Between(-3, 9)));
}
// Level 0: no position, which names the file.
inline String errorOrNot(Node node) { return lala::RandomOf(node) % 2 ? "error(\"e\", 0)"_s : "E(0)"_s; }

// --- the text around a program
// ---------------------------------------------------------------------------------------

// F formats a number exactly and the same way everywhere, as an integer and a power of two: LuaJIT
// rounds ties in %g in another direction, NaN has no sign, and -0 is 0 (Lua 5.1 confuses the
// constants 0 and -0). E is called by every block with its number: the first 300 are printed, all
// go into a checksum. O prints a value if few have been printed. D prints a value, the keys of a
// table in order. B bounds a computed trip count. LESS orders numbers, NaN last. V makes a vector.
inline String prelude() {
  return R"lua(TRACE, COUNT, sink, sink2, A0, M = 0, 0, nil, nil, {}, {}
unpack = unpack or table.unpack
function nop() end
function one() return 1.0 end
function F(x)
  if x ~= x then return "nan" elseif x == 0 then return "0"
  elseif x == math.huge then return "inf" elseif x == -math.huge then return "-inf" end
  local e = 0
  while x >= 9007199254740992.0 or x <= -9007199254740992.0 do x, e = x / 2.0, e + 1 end
  while x ~= math.floor(x) do x, e = x * 2.0, e - 1 end
  if e == 0 then return string.format("%.0f", x) end
  return string.format("%.0fp%.0f", x, e)
end
function E(id)
  TRACE = (TRACE * 31 + id) % 1000003
  COUNT = COUNT + 1
  if COUNT <= 300 then io.write("@", F(id), "\n") end
end
function B(x, most)
  if x ~= x or x < 0 then return 0.0 elseif x > most then return most end
  return x
end
function LESS(a, b)
  if a ~= a then return false elseif b ~= b then return true end
  return a < b
end
function D(name, v)
  local t = type(v)
  if t == "number" then io.write(name, " = ", F(v), "\n")
  elseif t == "string" then io.write(name, " = ", string.format("%q", v), "\n")
  elseif t == "table" then
    local keys, values = {}, {}
    for k, w in pairs(v) do
      k = type(k) == "number" and F(k) or k
      keys[#keys + 1] = k
      values[k] = w
    end
    table.sort(keys)
    io.write(name, " has ", F(#keys), "\n")
    for _, k in ipairs(keys) do D(name .. "." .. k, values[k]) end
  else io.write(name, " = ", tostring(v), "\n") end
end
function O(v)
  COUNT = COUNT + 1
  if COUNT <= 300 then D("observed", v) end
end
VECTOR = {}
VECTOR.__index = VECTOR
function V(x, y) return setmetatable({x = x, y = y}, VECTOR) end
function VECTOR.__add(a, b) return V(a.x + b.x, a.y + b.y) end
function VECTOR.__sub(a, b) return V(a.x - b.x, a.y - b.y) end
function VECTOR.__unm(a) return V(-a.x, -a.y) end
function VECTOR.__mul(a, k) return V(a.x * k, a.y * k) end
function VECTOR.__eq(a, b) return a.x == b.x and a.y == b.y end
function VECTOR.__lt(a, b) return a.x < b.x end
function VECTOR.__le(a, b) return a.x <= b.x end
function VECTOR.__call(a, k) return a.x * k + a.y end
function VECTOR.__concat(a, b) return "<" .. F(a.x) .. "|" .. F(b.y) .. ">" end
function VECTOR.__tostring(a) return "(" .. F(a.x) .. " " .. F(a.y) .. ")" end
function VECTOR:dot(b) return self.x * b.x + self.y * b.y end)lua"_s;
}
inline Code dumpLine(const Code& code, String name) {
  return code.Add("D(\"").Add(name).Add("\", ").Add(name).Add(")").Line();
}

// --- long programs
// ----------------------------------------------------------------------------------------------------
// What a place costs must not grow with the program. So from time to time the older half of the
// variables, records and functions is printed and not used any more.

// Enough for any place; more would only make a place dearer.
inline constexpr uint32_t kMostVariables = 120;
inline constexpr uint32_t kMostFunctions = 40;

// The number in a name: 13 for l13 and for the field r13.d.
inline int64_t numberIn(String name) {
  int64_t number = 0;
  for (char c : name.view()) {
    if (c == '.') break;
    if (c >= '0' && c <= '9') number = number * 10 + (c - '0');
  }
  return number;
}
// Names with smaller numbers are forgotten; 0: none.
inline int64_t oldest(const Env& env) {
  if (env->variables.size() <= kMostVariables && env->functions.size() <= kMostFunctions) return 0;
  std::vector<int64_t> numbers;
  env->variables.Each([&](const auto& entry) { numbers.push_back(numberIn(entry.key)); });
  auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  return *middle;
}
inline bool isForgotten(String name, int64_t oldest) {
  return numberIn(name) < oldest && !(name == "sink"_s) && !(name == "A0"_s);
}
inline Env remember(const Env& env) {
  int64_t from = oldest(env);
  if (from == 0) return env;
  EnvData result =
      withVariables(*env, env->variables, [&](const Variable& variable) { return !isForgotten(variable.name, from); });
  result.records = env->records.Filter([&](const Record& record) { return !isForgotten(record.name, from); });
  uint32_t at = 0;
  result.functions = env->functions.Filter([&](const Function&) {
    ++at;
    return at == 1 || at + kMostFunctions / 2 > env->functions.size();
  });
  return result;
}
inline Code forget(const Env& env) {
  Code code;
  int64_t from = oldest(env);
  if (from == 0) return code;
  env->variables.Each([&](const auto& entry) {
    if (entry.key.view().find('.') != std::string_view::npos) return;
    if (isForgotten(entry.key, from)) code = dumpLine(code, entry.key);
  });
  for (const Record& record : env->records) {
    if (isForgotten(record.name, from)) code = dumpLine(code, record.name);
  }
  return code;
}

// Prints every variable that is visible at the end.
inline Code dump(const Env& env) {
  Code code;
  env->variables.Each([&](const auto& entry) {
    if (entry.key.view().find('.') == std::string_view::npos) code = dumpLine(code, entry.key);
  });
  for (const Record& record : env->records) code = dumpLine(code, record.name);
  return code.Add("io.write(\"end \", F(TRACE), \" \", F(COUNT), \"\\n\")");
}

}  // namespace Lua
