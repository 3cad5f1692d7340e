#include "grammar/translate_expr.hpp"

#include <fmt/format.h>

#include "support/check.hpp"

namespace assay::grammar {

std::string Quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    unsigned char byte = static_cast<unsigned char>(c);
    if (byte >= ' ' && byte < 0x7f && c != '"' && c != '\\' && c != '?') {
      out += c;
    } else {
      out += fmt::format("\\{:03o}", byte);
    }
  }
  return out + "\"";
}

std::string LocalName(const Class& owner, const Production& production, size_t local) {
  return fmt::format("{}_{}__{}", owner.name, production.name, production.locals[local].name);
}

Needs NeedsOf(const Expr& expr) {
  Needs needs;
  if (expr.kind == ExprKind::Attribute) (expr.node == 0 ? needs.self : needs.kids) = true;
  if (expr.kind == ExprKind::Value) needs.self = true;
  for (const Expr& argument : expr.arguments) {
    Needs inner = NeedsOf(argument);
    needs.self |= inner.self;
    needs.kids |= inner.kids;
  }
  return needs;
}

std::string TranslateType(const Modules& modules, const std::string& written) {
  for (const auto& [name, module] : modules.All()) {
    if (module.types.contains(written)) return fmt::format("::{}::{}", name, written);
  }
  TypeName type = modules.Canonical(written);
  if (type == "Boolean") return "bool";
  if (type == "Integer") return "int64_t";
  if (type == "Character") return "char";
  if (type == "Double") return "double";
  return "lala::" + written;
}

namespace {

class Writer {
 public:
  Writer(const Class& owner, const Production& production) : owner_(owner), production_(production) {}

  std::string Write(const Expr& expr) const {
    switch (expr.kind) {
      case ExprKind::Attribute:
        if (expr.node == 0) return fmt::format("self.{}_", expr.member);
        return fmt::format("kids.{}_.{}_", expr.name, expr.member);
      case ExprKind::Local: return LocalName(owner_, production_, static_cast<size_t>(expr.local)) + "(c)";
      case ExprKind::Number:
        if (expr.number == INT64_MIN) return "INT64_MIN";
        return fmt::format("int64_t{{{}}}", expr.number);
      case ExprKind::Text: return Quoted(expr.name) + "_s";
      case ExprKind::Character: return fmt::format("static_cast<char>({})", expr.number);
      case ExprKind::Boolean: return expr.number ? "true" : "false";
      case ExprKind::Nil: return "Nil{}";
      case ExprKind::Value: return "self.value";
      case ExprKind::Call: return fmt::format("::{}::{}({})", expr.name, expr.member, Join(expr, ", "));
      case ExprKind::Builtin: return WriteBuiltin(expr);
      case ExprKind::Node:
        if (expr.node == 0) return "lala::Node{c.self_id}";
        return fmt::format("lala::Node{{c.ChildId({})}}", expr.node - 1);
    }
    return {};
  }

 private:
  std::string Join(const Expr& expr, std::string_view separator) const {
    std::string out;
    for (const Expr& argument : expr.arguments) {
      if (!out.empty()) out += separator;
      out += Write(argument);
    }
    return out;
  }
  // Left to right: f(f(a, b), c).
  std::string Fold(const Expr& expr, std::string_view function) const {
    std::string out = Write(expr.arguments[0]);
    for (size_t i = 1; i < expr.arguments.size(); ++i) {
      out = fmt::format("{}({}, {})", function, out, Write(expr.arguments[i]));
    }
    return out;
  }
  std::string Compare(const Expr& expr, std::string_view op) const {
    const Expr& a = expr.arguments[0];
    const Expr& b = expr.arguments[1];
    if (a.kind == ExprKind::Nil || b.kind == ExprKind::Nil) {
      const Expr& other = a.kind == ExprKind::Nil ? b : a;
      if (other.kind == ExprKind::Nil) return op == "==" ? "true" : "false";
      return fmt::format("{}lala::IsNil({})", op == "==" ? "" : "!", Write(other));
    }
    if (op == "!=") return fmt::format("!({} == {})", Write(a), Write(b));
    if (op == ">") return fmt::format("({} < {})", Write(b), Write(a));
    if (op == "<=") return fmt::format("!({} < {})", Write(b), Write(a));
    if (op == ">=") return fmt::format("!({} < {})", Write(a), Write(b));
    return fmt::format("({} {} {})", Write(a), op, Write(b));
  }
  std::string Choose(const Expr& expr) const {
    std::string yes = Write(expr.arguments[1]);
    std::string no = Write(expr.arguments[2]);
    if (expr.arguments[1].kind == ExprKind::Nil) yes = fmt::format("std::decay_t<decltype({})>{{}}", no);
    if (expr.arguments[2].kind == ExprKind::Nil) no = fmt::format("std::decay_t<decltype({})>{{}}", yes);
    return fmt::format("({} ? {} : {})", Write(expr.arguments[0]), yes, no);
  }

  std::string WriteBuiltin(const Expr& expr) const {
    switch (expr.builtin) {
      case Builtin::And: return "(" + Join(expr, " && ") + ")";
      case Builtin::Or: return "(" + Join(expr, " || ") + ")";
      case Builtin::Not: return "!" + Write(expr.arguments[0]);
      case Builtin::IsNil:
        if (expr.arguments[0].kind == ExprKind::Nil) return "true";
        return fmt::format("lala::IsNil({})", Write(expr.arguments[0]));
      case Builtin::If: return Choose(expr);
      case Builtin::Int: return fmt::format("Int({})", Write(expr.arguments[0]));
      case Builtin::Add: return Fold(expr, "Add");
      case Builtin::Subtract: return "(" + std::string(expr.arguments.size() == 1 ? "-" : "") + Join(expr, " - ") + ")";
      case Builtin::Multiply: return "(" + Join(expr, " * ") + ")";
      case Builtin::Divide: return Fold(expr, "Divide");
      case Builtin::Equal:
      case Builtin::Equals: return Compare(expr, "==");
      case Builtin::NotEqual: return Compare(expr, "!=");
      case Builtin::Less: return Compare(expr, "<");
      case Builtin::Greater: return Compare(expr, ">");
      case Builtin::LessEqual: return Compare(expr, "<=");
      case Builtin::GreaterEqual: return Compare(expr, ">=");
      case Builtin::Max: return Fold(expr, "Max");
      case Builtin::Min: return Fold(expr, "Min");
      case Builtin::Len: return fmt::format("Len({})", Write(expr.arguments[0]));
      case Builtin::kCount: break;
    }
    CHECK(false);
    return {};
  }

  const Class& owner_;
  const Production& production_;
};

}  // namespace

std::string TranslateExpr(const Class& owner, const Production& production, const Expr& expr) {
  return Writer(owner, production).Write(expr);
}

}  // namespace assay::grammar
