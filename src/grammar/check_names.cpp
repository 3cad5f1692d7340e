// Names: every name is declared once and refers to something that may stand there; every attribute
// has its rule, written or copied.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "grammar/check.hpp"
#include "grammar/regex.hpp"

namespace assay::grammar {

namespace {

constexpr size_t kMostAttributes = 64;
constexpr size_t kMostChildren = 200;
constexpr size_t kMostRules = 4000;

class Resolver {
 public:
  Resolver(Specification& specification, Diagnostics& diagnostics)
      : specification_(specification), diagnostics_(diagnostics) {}

  void Run() {
    DeclareClasses();
    for (Class& target : specification_.classes) {
      class_ = &target;
      CheckAttributes();
      CheckProductions();
    }
    for (Class& target : specification_.classes) {
      class_ = &target;
      for (Production& production : target.productions) {
        if (production.damaged) continue;
        production_ = &production;
        ResolveProduction();
      }
    }
  }

 private:
  void DeclareClasses() {
    for (size_t i = 0; i < specification_.classes.size(); ++i) {
      Class& target = specification_.classes[i];
      class_names_.push_back(target.name);
      if (!classes_.emplace(target.name, static_cast<int>(i)).second) {
        diagnostics_.Add(DiagnosticKind::DuplicateClass, target.place,
                         fmt::format("there are two classes {}", target.name), "rename one of them");
      }
      if (target.literal && !target.damaged) {
        support::Result<Regex> regex = Regex::Parse(target.regex);
        if (!regex) {
          diagnostics_.Add(DiagnosticKind::BadRegularExpression, target.regex_place,
                           fmt::format("bad regular expression: {}", regex.GetError().message),
                           "known are | ( ) [a-z] {min,max} and \\ before a character");
        }
      }
    }
  }

  void CheckAttributes() {
    std::map<std::string, int> seen;
    for (const Attribute& attribute : class_->attributes) {
      if (seen[attribute.name]++) {
        diagnostics_.Add(DiagnosticKind::DuplicateAttribute, attribute.place,
                         fmt::format("class {} has two attributes {}", class_->name, attribute.name),
                         "rename one of them");
      }
      if (attribute.kind == AttributeKind::Guard) {
        if (!attribute.type_name.empty()) {
          diagnostics_.Add(DiagnosticKind::GuardWithType, attribute.type_place,
                           fmt::format("the guard {} has a type", attribute.name),
                           "guards are Boolean; write grd name;");
        }
      } else if (attribute.type_name.empty()) {
        diagnostics_.Add(DiagnosticKind::MissingType, attribute.place,
                         fmt::format("attribute {} has no type", attribute.name), "write name : Type;");
      }
    }
    if (class_->attributes.size() > kMostAttributes) {
      diagnostics_.Add(DiagnosticKind::TooLarge, class_->place,
                       fmt::format("class {} has {} attributes, more than {}", class_->name, class_->attributes.size(),
                                   kMostAttributes),
                       "put several values into one attribute");
    }
  }

  void CheckProductions() {
    std::map<std::string, int> seen;
    for (Production& production : class_->productions) {
      if (seen[production.name]++) {
        diagnostics_.Add(DiagnosticKind::DuplicateProduction, production.place,
                         fmt::format("class {} has two productions {}", class_->name, production.name),
                         "rename one of them");
      }
      if (production.generator && class_->productions.size() > 1) {
        diagnostics_.Add(DiagnosticKind::MisplacedGenerator, production.place,
                         fmt::format("class {} has a generator and other productions", class_->name),
                         "a generator is the only production of its class");
      }
      ResolveChildren(production);
    }
  }

  void ResolveChildren(Production& production) {
    std::map<std::string, int> children;
    for (Child& child : production.children) {
      if (children[child.name]++) {
        diagnostics_.Add(DiagnosticKind::DuplicateChild, child.place,
                         fmt::format("there are two children {}", child.name), "rename one of them");
      }
      if (child.name == "this") {
        diagnostics_.Add(DiagnosticKind::ReservedChildName, child.place, "a child may not be called this",
                         "choose another name");
      }
      auto found = classes_.find(child.class_name);
      if (found != classes_.end()) {
        child.class_index = found->second;
      } else if (!specification_.damaged) {
        diagnostics_.Add(DiagnosticKind::UnknownClass, child.place,
                         fmt::format("there is no class {}", child.class_name),
                         DidYouMean(child.class_name, class_names_));
      }
    }
    if (production.children.size() > kMostChildren || production.rules.size() > kMostRules) {
      diagnostics_.Add(DiagnosticKind::TooLarge, production.place,
                       fmt::format("production {} has more than {} children or {} rules", production.name,
                                   kMostChildren, kMostRules),
                       "split it");
    }
  }

  // 0 for `this`, i + 1 for a child, kUnresolved (and a report) otherwise.
  int FindNode(const std::string& name, Place place) {
    if (name == "this") return 0;
    std::vector<std::string> names = {"this"};
    for (size_t i = 0; i < production_->children.size(); ++i) {
      if (production_->children[i].name == name) return static_cast<int>(i) + 1;
      names.push_back(production_->children[i].name);
    }
    std::string hint = DidYouMean(name, names);
    for (const Local& local : production_->locals) {
      if (local.name == name) hint = fmt::format("a loc is written .{}", name);
    }
    diagnostics_.Add(DiagnosticKind::UnknownNode, place,
                     fmt::format("production {} has no child {}", production_->name, name), hint);
    return kUnresolved;
  }

  const Class* ClassOf(int node) const {
    if (node == kUnresolved) return nullptr;
    if (node == 0) return class_;
    int index = production_->children[static_cast<size_t>(node - 1)].class_index;
    return index == kUnresolved ? nullptr : &specification_.classes[static_cast<size_t>(index)];
  }

  int FindAttribute(const Class& owner, const std::string& name, Place place) {
    std::vector<std::string> names;
    for (size_t i = 0; i < owner.attributes.size(); ++i) {
      if (owner.attributes[i].name == name) return static_cast<int>(i);
      names.push_back(owner.attributes[i].name);
    }
    if (!owner.damaged) {
      diagnostics_.Add(DiagnosticKind::UnknownAttribute, place,
                       fmt::format("class {} has no attribute {}", owner.name, name), DidYouMean(name, names));
    }
    return kUnresolved;
  }

  bool HasLocal(const std::string& name, size_t visible) const {
    for (size_t i = 0; i < visible; ++i) {
      if (production_->locals[i].name == name) return true;
    }
    return false;
  }
  // A name that no child has but a loc.
  bool IsLocalName(const std::string& name, size_t visible) const {
    if (name == "this" || !HasLocal(name, visible)) return false;
    return std::ranges::none_of(production_->children, [&](const Child& child) { return child.name == name; });
  }
  bool IsOwnAttribute(const std::string& name) const {
    return std::ranges::any_of(class_->attributes, [&](const Attribute& attribute) { return attribute.name == name; });
  }

  enum class Where : uint8_t { Rule, Print, Generator };

  void Resolve(Expr& expr, Where where, size_t visible_locals) {
    switch (expr.kind) {
      case ExprKind::Attribute: ResolveAttribute(expr, where); break;
      case ExprKind::Local:
        if (!HasLocal(expr.member, visible_locals) && IsOwnAttribute(expr.member)) {
          expr.kind = ExprKind::Attribute;  // `.name` for `this.name`: our own shorthand
          expr.name = "this";
          ResolveAttribute(expr, where);
          break;
        }
        ResolveLocal(expr, where, visible_locals);
        break;
      case ExprKind::Node:
        if (IsLocalName(expr.name, visible_locals)) {  // `name` for `.name`: our own shorthand
          expr.kind = ExprKind::Local;
          expr.member = expr.name;
          ResolveLocal(expr, where, visible_locals);
          break;
        }
        expr.node = FindNode(expr.name, expr.place);
        if (where == Where::Generator && expr.node > 0) GeneratorSource(expr);
        break;
      case ExprKind::Value:
        if (!production_->generator || where == Where::Generator) {
          diagnostics_.Add(DiagnosticKind::MisplacedValue, expr.place, "$ stands for the value of a generator",
                           "it may be used only in the rules of a generator production");
        }
        break;
      case ExprKind::Call: ResolveCall(expr); break;
      case ExprKind::Builtin: ResolveBuiltin(expr); break;
      case ExprKind::Number:
      case ExprKind::Text:
      case ExprKind::Character:
      case ExprKind::Boolean:
      case ExprKind::Nil: break;
    }
    for (Expr& argument : expr.arguments) Resolve(argument, where, visible_locals);
  }

  void ResolveCall(const Expr& expr) {
    std::vector<std::string> names;
    for (const Use& use : specification_.uses) {
      if (use.name == expr.name) return;
      names.push_back(use.name);
    }
    std::string hint = DidYouMean(expr.name, names);
    diagnostics_.Add(DiagnosticKind::UnknownModule, expr.place, fmt::format("module {} is not used", expr.name),
                     hint.empty() ? fmt::format("add use {}; at the top", expr.name) : hint);
  }

  void ResolveBuiltin(const Expr& expr) {
    if (expr.builtin != Builtin::kCount) return;
    std::vector<std::string> names;
    for (const BuiltinInfo& info : kBuiltins) names.emplace_back(info.name);
    std::string hint = DidYouMean(expr.name, names);
    diagnostics_.Add(DiagnosticKind::UnknownBuiltin, expr.place,
                     fmt::format("there is no built-in function {}", expr.name),
                     hint.empty() ? "a function of a module is written (Module:function ...)" : hint);
  }

  void GeneratorSource(const Expr& expr) {
    diagnostics_.Add(DiagnosticKind::GeneratorSource, expr.place,
                     "a generator's call may use only inherited attributes of this",
                     "the values must be known before the node is built");
  }

  void ResolveAttribute(Expr& expr, Where where) {
    expr.node = FindNode(expr.name, expr.place);
    const Class* owner = ClassOf(expr.node);
    if (!owner) return;
    expr.attribute = FindAttribute(*owner, expr.member, expr.place);
    if (expr.attribute == kUnresolved) return;
    AttributeKind kind = owner->attributes[static_cast<size_t>(expr.attribute)].kind;
    if (where == Where::Generator && (expr.node != 0 || kind != AttributeKind::Inherited)) {
      GeneratorSource(expr);
      return;
    }
    if (where == Where::Print) return;  // everything is known when printing
    AttributeKind wanted = expr.node == 0 ? AttributeKind::Inherited : AttributeKind::Synthesized;
    if (kind == wanted) return;
    diagnostics_.Add(DiagnosticKind::NotASource, expr.place,
                     fmt::format("{}.{} cannot be used here", expr.name, expr.member),
                     "rules may use inherited attributes of this and synthesized attributes of children");
  }

  void ResolveLocal(Expr& expr, Where where, size_t visible_locals) {
    std::vector<std::string> names;
    for (size_t i = 0; i < visible_locals; ++i) {
      if (production_->locals[i].name == expr.member) {
        expr.local = static_cast<int>(i);
        if (where == Where::Generator && !OnlyInherited(production_->locals[i].value)) {
          GeneratorSource(expr);
        }
        return;
      }
      names.push_back(production_->locals[i].name);
    }
    std::string hint = DidYouMean(expr.member, names);
    for (size_t i = visible_locals; i < production_->locals.size(); ++i) {
      if (production_->locals[i].name == expr.member) hint = "it is declared later; move it up";
    }
    diagnostics_.Add(DiagnosticKind::UnknownLocal, expr.place, fmt::format("there is no loc {}", expr.member), hint);
  }

  bool OnlyInherited(const Expr& expr) const {
    if (expr.kind == ExprKind::Value || expr.node > 0) return false;
    if (expr.local != kUnresolved && !OnlyInherited(production_->locals[static_cast<size_t>(expr.local)].value)) {
      return false;
    }
    return std::ranges::all_of(expr.arguments, [&](const Expr& argument) { return OnlyInherited(argument); });
  }

  void ResolveProduction() {
    std::map<std::string, int> locals;
    for (size_t i = 0; i < production_->locals.size(); ++i) {
      Local& local = production_->locals[i];
      if (locals[local.name]++) {
        diagnostics_.Add(DiagnosticKind::DuplicateLocal, local.place, fmt::format("there are two loc {}", local.name),
                         "rename one of them");
      }
      Resolve(local.value, Where::Rule, i);
    }
    size_t all = production_->locals.size();
    if (production_->generator) Resolve(*production_->generator, Where::Generator, all);
    for (Expr& print : production_->prints) Resolve(print, Where::Print, all);
    std::map<std::pair<int, int>, int> targets;
    for (Rule& rule : production_->rules) {
      ResolveTarget(rule);
      Resolve(rule.value, Where::Rule, all);
      if (rule.attribute != kUnresolved && targets[{rule.node, rule.attribute}]++) {
        diagnostics_.Add(DiagnosticKind::DuplicateRule, rule.place,
                         fmt::format("{}.{} has two rules", rule.node_name, rule.attribute_name), "remove one");
      }
    }
    Complete(targets);
  }

  void ResolveTarget(Rule& rule) {
    rule.node = FindNode(rule.node_name, rule.place);
    const Class* owner = ClassOf(rule.node);
    if (!owner) return;
    rule.attribute = FindAttribute(*owner, rule.attribute_name, rule.place);
    if (rule.attribute == kUnresolved) return;
    const Attribute& attribute = owner->attributes[static_cast<size_t>(rule.attribute)];
    bool inherited = attribute.kind == AttributeKind::Inherited;
    if ((rule.node == 0) != inherited) return;
    diagnostics_.Add(DiagnosticKind::NotATarget, rule.place,
                     fmt::format("{}.{} cannot be defined here", rule.node_name, rule.attribute_name),
                     rule.node == 0 ? "inherited attributes of this are defined by the parent"
                                    : "a child defines its synthesized and guard attributes itself");
    rule.attribute = kUnresolved;
  }

  // --- completeness and @copy ---
  static const Annotation* FindCopy(const std::vector<Annotation>& annotations) {
    for (const Annotation& annotation : annotations) {
      if (annotation.name == "copy") return &annotation;
    }
    return nullptr;
  }
  bool MayCopy(const std::string& name) const {
    for (const Annotation* copy : {FindCopy(production_->annotations), FindCopy(class_->annotations)}) {
      if (!copy) continue;
      if (copy->arguments.empty()) return true;
      for (const AnnotationArgument& argument : copy->arguments) {
        if (argument.text == name) return true;
      }
    }
    return false;
  }

  void Complete(const std::map<std::pair<int, int>, int>& targets) {
    size_t copied = 0;
    for (size_t i = 0; i < class_->attributes.size(); ++i) {
      const Attribute& attribute = class_->attributes[i];
      if (attribute.kind == AttributeKind::Inherited || targets.contains({0, static_cast<int>(i)})) {
        continue;
      }
      if (attribute.kind == AttributeKind::Synthesized && CopyUp(attribute, static_cast<int>(i))) {
        ++copied;
        continue;
      }
      Missing("this", attribute, production_->place);
    }
    for (size_t c = 0; c < production_->children.size(); ++c) {
      const Class* owner = ClassOf(static_cast<int>(c) + 1);
      if (!owner) continue;
      for (size_t i = 0; i < owner->attributes.size(); ++i) {
        const Attribute& attribute = owner->attributes[i];
        if (attribute.kind != AttributeKind::Inherited) continue;
        if (targets.contains({static_cast<int>(c) + 1, static_cast<int>(i)})) continue;
        if (CopyDown(attribute, static_cast<int>(c) + 1, static_cast<int>(i))) {
          ++copied;
          continue;
        }
        Missing(production_->children[c].name, attribute, production_->children[c].place);
      }
    }
    const Annotation* own = FindCopy(production_->annotations);
    if (own && copied == 0) {
      diagnostics_.Add(DiagnosticKind::CopyWithoutEffect, own->place,
                       fmt::format("@copy adds no rule to production {}", production_->name),
                       "remove it, or check the names: source and target need one name and type");
    }
  }

  void Missing(const std::string& node, const Attribute& attribute, Place place) {
    diagnostics_.Add(
        DiagnosticKind::MissingRule, place,
        fmt::format("production {}.{} has no rule for {}.{}", class_->name, production_->name, node, attribute.name),
        fmt::format("add {}.{} = ...; or @copy", node, attribute.name));
  }

  struct End {
    int node;
    int attribute;
    const std::string& name;
  };

  void AddCopy(End to, End from, const std::string& attribute) {
    Rule rule;
    rule.copied = true;
    rule.node = to.node;
    rule.attribute = to.attribute;
    rule.node_name = to.name;
    rule.attribute_name = attribute;
    rule.place = production_->place;
    rule.value.kind = ExprKind::Attribute;
    rule.value.place = production_->place;
    rule.value.name = from.name;
    rule.value.member = attribute;
    rule.value.node = from.node;
    rule.value.attribute = from.attribute;
    production_->rules.push_back(std::move(rule));
  }

  static bool Fits(const Attribute& have, AttributeKind kind, const Attribute& wanted) {
    return have.kind == kind && have.name == wanted.name && have.type_name == wanted.type_name;
  }

  bool CopyDown(const Attribute& wanted, int child, int index) {
    if (!MayCopy(wanted.name)) return false;
    for (size_t i = 0; i < class_->attributes.size(); ++i) {
      if (!Fits(class_->attributes[i], AttributeKind::Inherited, wanted)) continue;
      const std::string& name = production_->children[static_cast<size_t>(child - 1)].name;
      AddCopy({child, index, name}, {0, static_cast<int>(i), "this"}, wanted.name);
      return true;
    }
    return false;
  }

  bool CopyUp(const Attribute& wanted, int index) {
    if (!MayCopy(wanted.name)) return false;
    for (size_t c = 0; c < production_->children.size(); ++c) {
      const Class* owner = ClassOf(static_cast<int>(c) + 1);
      if (!owner) continue;
      for (size_t i = 0; i < owner->attributes.size(); ++i) {
        if (!Fits(owner->attributes[i], AttributeKind::Synthesized, wanted)) continue;
        const std::string& name = production_->children[c].name;
        AddCopy({0, index, "this"}, {static_cast<int>(c) + 1, static_cast<int>(i), name}, wanted.name);
        return true;
      }
    }
    return false;
  }

  Specification& specification_;
  Diagnostics& diagnostics_;
  std::map<std::string, int> classes_;
  std::vector<std::string> class_names_;
  Class* class_ = nullptr;
  Production* production_ = nullptr;
};

}  // namespace

void ResolveNames(Specification& specification, Diagnostics& diagnostics) {
  Resolver(specification, diagnostics).Run();
}

}  // namespace assay::grammar
