// Heights: the least height of every production, which of them are recursive, which classes are
// reachable; and remarks on what has no effect.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "grammar/check.hpp"

namespace assay::grammar {

namespace {

constexpr uint32_t kInfinite = 0x7fffffff;

const Class* ClassOf(const Specification& specification, const Child& child) {
  if (child.class_index == kUnresolved) return nullptr;
  return &specification.classes[static_cast<size_t>(child.class_index)];
}

uint32_t HeightOf(const Specification& specification, const Class& owner, const Production& production) {
  uint32_t height = 1;
  for (const Child& child : production.children) {
    const Class* target = ClassOf(specification, child);
    if (!target) continue;
    if (target->min_height == kInfinite) return kInfinite;
    uint32_t own = target->min_height + 1;
    if (owner.list && target == &owner) --own;  // a list grows sideways
    height = std::max(height, own);
  }
  return height;
}

void ComputeHeights(Specification& specification) {
  for (Class& target : specification.classes) {
    target.min_height = target.literal ? 1 : kInfinite;
    for (Production& production : target.productions) production.min_height = kInfinite;
  }
  bool changed = true;
  while (changed) {
    changed = false;
    for (Class& target : specification.classes) {
      for (Production& production : target.productions) {
        uint32_t height = HeightOf(specification, target, production);
        if (height >= production.min_height) continue;
        production.min_height = height;
        if (production.weight > 0) target.min_height = std::min(target.min_height, height);
        changed = true;
      }
    }
  }
}

// reach[a] holds b: a tree of class a may contain a node of class b below its root; list
// self-children do not count.
std::vector<std::set<size_t>> ComputeReach(const Specification& specification) {
  std::vector<std::set<size_t>> reach(specification.classes.size());
  for (size_t i = 0; i < specification.classes.size(); ++i) {
    std::vector<size_t> work = {i};
    while (!work.empty()) {
      size_t at = work.back();
      work.pop_back();
      const Class& target = specification.classes[at];
      for (const Production& production : target.productions) {
        for (const Child& child : production.children) {
          const Class* next = ClassOf(specification, child);
          if (!next || (target.list && next == &target)) continue;
          size_t index = static_cast<size_t>(child.class_index);
          if (reach[i].insert(index).second) work.push_back(index);
        }
      }
    }
  }
  return reach;
}

}  // namespace

void CheckHeights(Specification& specification, Diagnostics& diagnostics) {
  ComputeHeights(specification);
  std::vector<std::set<size_t>> reach = ComputeReach(specification);
  if (!specification.classes.empty()) {
    specification.classes[0].reachable = true;
    for (size_t index : reach[0]) specification.classes[index].reachable = true;
  }
  for (size_t i = 0; i < specification.classes.size(); ++i) {
    Class& target = specification.classes[i];
    for (Production& production : target.productions) {
      for (const Child& child : production.children) {
        if (child.class_index == kUnresolved) continue;
        size_t index = static_cast<size_t>(child.class_index);
        if (target.list && index == i) continue;
        production.recursive |= index == i || reach[index].contains(i);
      }
      if (production.min_height == kInfinite) {
        diagnostics.Add(DiagnosticKind::InfiniteHeight, production.place,
                        fmt::format("no finite tree begins with {}.{}", target.name, production.name),
                        "some class below it has no production that ends the recursion");
      }
    }
    if (target.max_height && target.min_height != kInfinite && target.min_height > *target.max_height) {
      diagnostics.Add(DiagnosticKind::HeightCapTooLow, target.place,
                      fmt::format("@max_height({}) of class {} is less than its least height {}", *target.max_height,
                                  target.name, target.min_height),
                      "raise the cap");
    }
    if (!target.reachable) {
      diagnostics.Add(DiagnosticKind::UnreachableClass, target.place,
                      fmt::format("class {} is never used", target.name),
                      "the first class is the root; remove the class or use it");
    }
  }
}

namespace {

// The value of an expression that is the same in every tree, as far as is plain to see.
std::optional<bool> Constant(const Production& production, const Expr& expr) {
  if (expr.kind == ExprKind::Boolean) return expr.number != 0;
  if (expr.kind == ExprKind::Local && expr.local != kUnresolved) {
    return Constant(production, production.locals[static_cast<size_t>(expr.local)].value);
  }
  if (expr.kind != ExprKind::Builtin) return std::nullopt;
  if (expr.builtin == Builtin::Not && expr.arguments.size() == 1) {
    std::optional<bool> value = Constant(production, expr.arguments[0]);
    if (value) return !*value;
  }
  if (expr.builtin == Builtin::And || expr.builtin == Builtin::Or) {
    bool decisive = expr.builtin == Builtin::Or;
    bool all = true;
    for (const Expr& argument : expr.arguments) {
      std::optional<bool> value = Constant(production, argument);
      if (value == decisive) return decisive;
      all &= value.has_value();
    }
    if (all) return !decisive;
  }
  return std::nullopt;
}

void CollectLocals(const Expr& expr, std::set<int>& used) {
  if (expr.local != kUnresolved) used.insert(expr.local);
  for (const Expr& argument : expr.arguments) CollectLocals(argument, used);
}

void CheckProductionEffects(const Class& target, const Production& production, Diagnostics& diagnostics) {
  for (const Rule& rule : production.rules) {
    if (rule.node != 0 || rule.attribute == kUnresolved) continue;
    const Attribute& attribute = target.attributes[static_cast<size_t>(rule.attribute)];
    if (attribute.kind != AttributeKind::Guard) continue;
    if (Constant(production, rule.value) == false) {
      diagnostics.Add(
          DiagnosticKind::GuardCannotHold, rule.place,
          fmt::format("the guard {} never holds, so {}.{} is never used", attribute.name, target.name, production.name),
          "remove the production, or correct the guard");
    }
  }
  std::set<int> used;
  for (const Rule& rule : production.rules) CollectLocals(rule.value, used);
  for (const Expr& print : production.prints) CollectLocals(print, used);
  if (production.generator) CollectLocals(*production.generator, used);
  for (size_t i = production.locals.size(); i-- > 0;) {
    if (used.contains(static_cast<int>(i))) {
      CollectLocals(production.locals[i].value, used);
    } else {
      diagnostics.Add(DiagnosticKind::UnusedLocal, production.locals[i].place,
                      fmt::format("loc {} is never used", production.locals[i].name), "remove it");
    }
  }
}

}  // namespace

void CheckEffects(const Specification& specification, Diagnostics& diagnostics) {
  for (const Class& target : specification.classes) {
    for (const Production& production : target.productions) {
      CheckProductionEffects(target, production, diagnostics);
      if (target.productions.size() > 1) continue;
      for (const Annotation& annotation : production.annotations) {
        if (annotation.name != "weight" || production.weight == 0) continue;
        diagnostics.Add(DiagnosticKind::WeightWithoutEffect, annotation.place,
                        fmt::format("{}.{} is the only production of its class, so its weight does nothing",
                                    target.name, production.name),
                        "remove @weight");
      }
    }
  }
}

}  // namespace assay::grammar
