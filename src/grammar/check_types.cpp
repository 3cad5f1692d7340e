// Types: of attributes, of every expression, of the arguments of calls. A type we do not know
// ("any") fits everything; a type from a module that was not found is foreign: a mismatch with
// another foreign type is only a warning, because the modules of other implementations may have
// subtypes.
#include <fmt/format.h>

#include <algorithm>

#include "grammar/check.hpp"

namespace assay::grammar {

namespace {

bool IsNil(const TypeName& type) { return type == "nil"; }

class Typer {
 public:
  Typer(Specification& specification, const Modules& modules, bool all_found, Diagnostics& diagnostics)
      : specification_(specification), modules_(modules), all_found_(all_found), diagnostics_(diagnostics) {}

  void Run() {
    for (Class& target : specification_.classes) {
      for (Attribute& attribute : target.attributes) {
        attribute.type =
            attribute.kind == AttributeKind::Guard ? "Boolean" : Declared(attribute.type_name, attribute.type_place);
      }
      for (Production& production : target.productions) {
        if (!production.value_type_name.empty()) {
          production.value_type = Declared(production.value_type_name, production.value_type_place);
        }
      }
    }
    for (Class& target : specification_.classes) {
      class_ = &target;
      for (Production& production : target.productions) {
        if (production.damaged) continue;
        production_ = &production;
        TypeProduction();
      }
    }
  }

 private:
  TypeName Declared(const std::string& name, Place place) {
    if (name.empty()) return {};
    TypeName type = modules_.Canonical(name);
    if (type.empty() || IsPrimitive(type) || modules_.HasType(name)) return type;
    if (all_found_) {
      std::vector<std::string> names = {"Boolean", "Integer", "String", "Node"};
      for (const auto& [module_name, module] : modules_.All()) {
        names.insert(names.end(), module.types.begin(), module.types.end());
      }
      std::string hint = DidYouMean(name, names);
      diagnostics_.Add(DiagnosticKind::UnknownType, place, fmt::format("there is no type {}", name),
                       hint.empty() ? "known are Boolean, Integer, String, Node and the types of used modules" : hint);
      return {};
    }
    return type;
  }

  bool Foreign(const TypeName& type) const { return !all_found_ && !IsPrimitive(type) && !modules_.HasType(type); }

  static bool Fits(const TypeName& wanted, const TypeName& have) {
    if (wanted.empty() || have.empty() || IsNil(wanted) || IsNil(have) || wanted == have) return true;
    // Conversions the library offers.
    return wanted == "BigInt" && have == "Integer";
  }

  void Require(const TypeName& wanted, const Expr& expr, const std::string& what) {
    if (Fits(wanted, expr.type)) return;
    bool foreign = Foreign(wanted) && Foreign(expr.type);
    diagnostics_.Add(foreign ? DiagnosticKind::ForeignTypeMismatch : DiagnosticKind::TypeMismatch, expr.place,
                     fmt::format("{} is {}, not {}", what, expr.type, wanted),
                     foreign ? "the modules were not found, so this may still be right"
                             : fmt::format("a value of type {} is needed here", wanted));
  }

  const Class* ClassOf(int node) const {
    if (node == kUnresolved) return nullptr;
    if (node == 0) return class_;
    int index = production_->children[static_cast<size_t>(node - 1)].class_index;
    return index == kUnresolved ? nullptr : &specification_.classes[static_cast<size_t>(index)];
  }

  void TypeProduction() {
    for (Local& local : production_->locals) Type(local.value);
    if (production_->generator) TypeGenerator(*production_->generator);
    for (Expr& print : production_->prints) {
      // A bare child name prints the child again.
      if (print.kind != ExprKind::Node) Type(print);
    }
    for (Rule& rule : production_->rules) {
      Type(rule.value);
      const Class* owner = ClassOf(rule.node);
      if (!owner || rule.attribute == kUnresolved) continue;
      const Attribute& attribute = owner->attributes[static_cast<size_t>(rule.attribute)];
      Require(attribute.type, rule.value, fmt::format("the value of {}.{}", rule.node_name, rule.attribute_name));
    }
  }

  void TypeGenerator(Expr& call) {
    Type(call);
    if (call.type.empty()) return;
    TypeName wanted = fmt::format("List<{}>", production_->value_type);
    if (production_->value_type.empty() || call.type == wanted) return;
    if (!call.type.starts_with("List<")) {
      diagnostics_.Add(DiagnosticKind::TypeMismatch, call.place,
                       fmt::format("the generator's call returns {}, not a list", call.type),
                       fmt::format("it must return lala::List<{}>", production_->value_type));
    } else {
      diagnostics_.Add(DiagnosticKind::TypeMismatch, call.place,
                       fmt::format("the generator's call returns {}, not {}", call.type, wanted),
                       "the type after the call is the type of the list's elements");
    }
  }

  void Type(Expr& expr) {
    for (Expr& argument : expr.arguments) Type(argument);
    switch (expr.kind) {
      case ExprKind::Attribute: {
        const Class* owner = ClassOf(expr.node);
        if (owner && expr.attribute != kUnresolved) {
          expr.type = owner->attributes[static_cast<size_t>(expr.attribute)].type;
        }
        break;
      }
      case ExprKind::Local:
        if (expr.local != kUnresolved) {
          expr.type = production_->locals[static_cast<size_t>(expr.local)].value.type;
        }
        break;
      case ExprKind::Number: expr.type = "Integer"; break;
      case ExprKind::Text: expr.type = "String"; break;
      case ExprKind::Character: expr.type = "Character"; break;
      case ExprKind::Boolean: expr.type = "Boolean"; break;
      case ExprKind::Nil: expr.type = "nil"; break;
      case ExprKind::Value: expr.type = production_->value_type; break;
      case ExprKind::Node: expr.type = "Node"; break;
      case ExprKind::Call: TypeCall(expr); break;
      case ExprKind::Builtin: TypeBuiltin(expr); break;
    }
  }

  static bool Accepts(const Signature& signature, const std::vector<Expr>& arguments) {
    if (signature.any) return true;
    if (arguments.size() < signature.required || arguments.size() > signature.parameters.size()) {
      return false;
    }
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (!Fits(signature.parameters[i], arguments[i].type)) return false;
    }
    return true;
  }

  void TypeCall(Expr& expr) {
    const Module* module = modules_.Find(expr.name);
    if (!module) return;
    auto [begin, end] = module->functions.equal_range(expr.member);
    if (begin == end) {
      // Something the scanner did not understand may still declare it.
      if (module->text.find(expr.member) != std::string::npos) return;
      std::vector<std::string> names;
      for (const auto& [name, signature] : module->functions) names.push_back(name);
      diagnostics_.Add(DiagnosticKind::UnknownFunction, expr.place,
                       fmt::format("module {} has no function {}", expr.name, expr.member),
                       DidYouMean(expr.member, names));
      return;
    }
    bool one = std::next(begin) == end;
    for (auto candidate = begin; candidate != end; ++candidate) {
      if (!Accepts(candidate->second, expr.arguments)) continue;
      if (!candidate->second.any) expr.type = candidate->second.result;
      return;
    }
    const Signature& signature = begin->second;
    bool count = expr.arguments.size() < signature.required || expr.arguments.size() > signature.parameters.size();
    if (!one || count) {
      std::string have;
      for (const Expr& argument : expr.arguments) {
        have += (have.empty() ? "" : ", ") + (argument.type.empty() ? "any" : argument.type);
      }
      diagnostics_.Add(one ? DiagnosticKind::ArgumentCount : DiagnosticKind::TypeMismatch, expr.place,
                       fmt::format("{}:{} does not take ({})", expr.name, expr.member, have),
                       fmt::format("declared: {}{}", signature.shown, one ? "" : " and others"));
    } else {
      for (size_t i = 0; i < expr.arguments.size(); ++i) {
        Require(signature.parameters[i], expr.arguments[i],
                fmt::format("argument {} of {}:{}", i + 1, expr.name, expr.member));
      }
    }
    expr.type = one ? signature.result : TypeName();
  }

  void TypeBuiltin(Expr& expr) {
    if (expr.builtin == Builtin::kCount) return;
    const BuiltinInfo& info = InfoOf(expr.builtin);
    size_t count = expr.arguments.size();
    if (count < info.least || count > info.most) {
      std::string wanted = info.least == info.most   ? fmt::format("{}", info.least)
                           : info.most == kAnyNumber ? fmt::format("{} or more", info.least)
                                                     : fmt::format("{} to {}", info.least, info.most);
      diagnostics_.Add(DiagnosticKind::ArgumentCount, expr.place, fmt::format("{} has {} arguments", info.name, count),
                       fmt::format("it takes {}", wanted));
      return;
    }
    auto argument = [&](size_t i) { return fmt::format("argument {} of {}", i + 1, info.name); };
    switch (info.shape) {
      case BuiltinShape::Logic:
        for (size_t i = 0; i < count; ++i) Require("Boolean", expr.arguments[i], argument(i));
        expr.type = "Boolean";
        break;
      case BuiltinShape::Test: expr.type = "Boolean"; break;
      case BuiltinShape::Choose:
        Require("Boolean", expr.arguments[0], argument(0));
        Require(expr.arguments[1].type, expr.arguments[2], argument(2));
        expr.type = IsNil(expr.arguments[1].type) ? expr.arguments[2].type : expr.arguments[1].type;
        break;
      case BuiltinShape::ToInteger: expr.type = "Integer"; break;
      case BuiltinShape::Arithmetic: TypeArithmetic(expr, info); break;
      case BuiltinShape::Compare:
        Require(expr.arguments[0].type, expr.arguments[1], argument(1));
        expr.type = "Boolean";
        break;
    }
  }

  // `+` also joins strings; everything works on big integers and doubles as on integers.
  void TypeArithmetic(Expr& expr, const BuiltinInfo& info) {
    TypeName type;
    for (const Expr& part : expr.arguments) {
      if (type.empty() || IsNil(type)) type = part.type;
    }
    bool good = type.empty() || IsNil(type) || type == "Integer" || type == "BigInt" || type == "Double" ||
                Foreign(type) || (type == "String" && expr.builtin == Builtin::Add);
    for (size_t i = 0; i < expr.arguments.size(); ++i) {
      Require(good ? type : "Integer", expr.arguments[i], fmt::format("argument {} of {}", i + 1, info.name));
    }
    expr.type = good && !IsNil(type) ? type : "Integer";
  }

  Specification& specification_;
  const Modules& modules_;
  bool all_found_;
  Diagnostics& diagnostics_;
  Class* class_ = nullptr;
  Production* production_ = nullptr;
};

}  // namespace

void CheckTypes(Specification& specification, const Modules& modules, bool all_modules_found,
                Diagnostics& diagnostics) {
  Typer(specification, modules, all_modules_found, diagnostics).Run();
}

}  // namespace assay::grammar
