// A LaLa specification as read (parser.hpp), and, once checked (check.hpp), with every name
// resolved. Plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grammar/builtins.hpp"
#include "grammar/diagnostics.hpp"

namespace assay::grammar {

// A type as the checker sees it: a canonical name ("Boolean", "Integer", "String", "Node", a
// module's type), or empty for "any" (unknown to us, fits everything), or "nil" (the type of `nil`,
// fits everything).
using TypeName = std::string;

enum class ExprKind : uint8_t {
  Attribute,  // name.member
  Local,      // .member
  Number,
  Text,
  Character,
  Boolean,
  Nil,
  Value,    // $
  Call,     // (name:member arguments...)
  Builtin,  // (builtin arguments...)
  Node,     // name
};

inline constexpr int kUnresolved = -1;

struct Expr {
  ExprKind kind = ExprKind::Nil;
  Place place;
  std::string name;
  std::string member;
  int64_t number = 0;  // Number, Character, Boolean
  Builtin builtin = Builtin::kCount;
  std::vector<Expr> arguments;
  // Resolved: the node (0 is `this`, i + 1 the i-th child), the attribute within its class, the
  // local.
  int node = kUnresolved;
  int attribute = kUnresolved;
  int local = kUnresolved;
  TypeName type;
};

struct AnnotationArgument {
  enum class Kind : uint8_t { Number, Text, Name } kind = Kind::Number;
  Place place;
  std::string text;
  int64_t number = 0;
};

struct Annotation {
  std::string name;
  Place place;
  std::vector<AnnotationArgument> arguments;
};

enum class AttributeKind : uint8_t { Inherited, Synthesized, Guard };

struct Attribute {
  AttributeKind kind = AttributeKind::Inherited;
  std::string name;
  std::string type_name;  // as written
  Place place;
  Place type_place;
  TypeName type;  // resolved
};

struct Child {
  std::string name;
  std::string class_name;
  Place place;
  bool parenthesised = false;  // \( ... \)
  int class_index = kUnresolved;
};

struct TemplatePart {
  enum class Kind : uint8_t { Text, NewLine, Indent, Dedent, Child, Print } kind = Kind::Text;
  std::string text;
  uint32_t index = 0;  // Child: the child; Print: the expression in Production::prints
};

struct Local {
  std::string name;
  Place place;
  Expr value;
};

struct Rule {
  std::string node_name;
  std::string attribute_name;
  Place place;
  Expr value;
  bool copied = false;  // made by @copy
  int node = kUnresolved;
  int attribute = kUnresolved;
};

struct Production {
  std::string name;
  Place place;
  std::vector<Annotation> annotations;
  std::vector<TemplatePart> parts;
  std::vector<Child> children;
  std::vector<Expr> prints;
  std::optional<Expr> generator;
  std::string value_type_name;  // generators: the type of $
  Place value_type_place;
  TypeName value_type;
  std::vector<Local> locals;
  std::vector<Rule> rules;
  // From annotations.
  uint32_t weight = 1;
  std::optional<int64_t> precedence;
  bool hidden = false;
  // Computed by the checker.
  uint32_t min_height = 0;
  bool recursive = false;
  std::vector<uint32_t> alternative_order;  // children, those no sibling depends on first
  bool damaged = false;                     // not read in full: not worth checking
};

struct Class {
  std::string name;
  Place place;
  std::vector<Annotation> annotations;
  std::vector<Attribute> attributes;  // literal classes: the implicit `str`
  std::vector<Production> productions;
  bool literal = false;
  std::string regex;
  Place regex_place;
  // From annotations.
  bool list = false;
  std::optional<uint32_t> list_limit;
  bool unit = false;
  uint32_t count = 50;
  std::optional<uint32_t> max_height;
  std::optional<uint32_t> max_alternatives;
  bool hidden = false;
  // Computed by the checker.
  uint32_t min_height = 0;
  bool reachable = false;
  bool damaged = false;  // not read in full: may lack attributes and productions

  bool Generator() const { return productions.size() == 1 && productions[0].generator.has_value(); }
  bool Guarded() const {
    for (const Attribute& attribute : attributes) {
      if (attribute.kind == AttributeKind::Guard) return true;
    }
    return false;
  }
  // Built as a sub-problem of its own.
  bool SubProblem() const { return unit || Generator() || Guarded(); }
};

struct Use {
  std::string name;
  Place place;
};

struct Specification {
  std::vector<Use> uses;
  std::vector<Class> classes;  // the first is the root
  bool damaged = false;        // not read in full: may lack classes
};

}  // namespace assay::grammar
