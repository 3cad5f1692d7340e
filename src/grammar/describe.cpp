#include "grammar/describe.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

namespace assay::grammar {

namespace {

std::string Kind(const Class& target) {
  std::string kind;
  if (target.literal) kind += ", literal";
  if (target.Generator()) kind += ", generator";
  if (target.list) kind += target.list_limit ? fmt::format(", list of at most {}", *target.list_limit) : ", list";
  if (target.Guarded()) kind += ", guarded";
  if (target.unit) kind += ", unit";
  if (target.hidden) kind += ", hidden";
  if (target.max_height) kind += fmt::format(", height at most {}", *target.max_height);
  if (!target.reachable) kind += ", unreachable";
  return kind;
}

void Sources(const Production& production, const Expr& expr, std::set<std::string>& sources) {
  if (expr.kind == ExprKind::Attribute) sources.insert(expr.name + "." + expr.member);
  if (expr.kind == ExprKind::Value) sources.insert("$");
  if (expr.local != kUnresolved) {
    Sources(production, production.locals[static_cast<size_t>(expr.local)].value, sources);
  }
  for (const Expr& argument : expr.arguments) Sources(production, argument, sources);
}

std::string Dependencies(const Production& production) {
  std::string out;
  for (const Rule& rule : production.rules) {
    std::set<std::string> sources;
    Sources(production, rule.value, sources);
    std::string list;
    for (const std::string& source : sources) list += (list.empty() ? "" : ", ") + source;
    out += fmt::format("      {}.{} <- {}{}\n", rule.node_name, rule.attribute_name, list.empty() ? "(constant)" : list,
                       rule.copied ? "  (@copy)" : "");
  }
  return out;
}

}  // namespace

std::string Describe(const Specification& specification) {
  std::string out;
  for (const Class& target : specification.classes) {
    out += fmt::format("class {} (least height {}{})\n", target.name, target.min_height, Kind(target));
    for (const Attribute& attribute : target.attributes) {
      std::string_view kind = attribute.kind == AttributeKind::Inherited     ? "inh"
                              : attribute.kind == AttributeKind::Synthesized ? "syn"
                                                                             : "grd";
      out += fmt::format("  {} {}{}\n", kind, attribute.name,
                         attribute.kind == AttributeKind::Guard ? "" : " : " + attribute.type_name);
    }
    if (target.literal) out += fmt::format("  values of /{}/, {} drawn\n", target.regex, target.count);
    for (const Production& production : target.productions) {
      std::string children;
      for (const Child& child : production.children) {
        children += fmt::format(" {}:{}", child.name, child.class_name);
      }
      out += fmt::format("  {} (weight {}, least height {}{}){}{}\n", production.name, production.weight,
                         production.min_height, production.recursive ? ", recursive" : "",
                         children.empty() ? "" : " ->", children);
      out += Dependencies(production);
    }
  }
  return out;
}

std::string DescribeDot(const Specification& specification) {
  std::string out = "digraph language {\n  node [fontname=\"sans-serif\"];\n";
  for (const Class& target : specification.classes) {
    std::string_view shape = target.literal        ? "plaintext"
                             : target.Generator()  ? "diamond"
                             : target.SubProblem() ? "box"
                                                   : "ellipse";
    out += fmt::format("  \"{}\" [shape={}{}];\n", target.name, shape, target.list ? ", peripheries=2" : "");
  }
  for (const Class& target : specification.classes) {
    std::map<std::string, std::set<std::string>> edges;
    for (const Production& production : target.productions) {
      for (const Child& child : production.children) edges[child.class_name].insert(production.name);
    }
    for (const auto& [to, productions] : edges) {
      std::string label = *productions.begin();
      if (productions.size() > 1) label += fmt::format(" +{}", productions.size() - 1);
      out += fmt::format("  \"{}\" -> \"{}\" [label=\"{}\"];\n", target.name, to, label);
    }
  }
  return out + "}\n";
}

}  // namespace assay::grammar
