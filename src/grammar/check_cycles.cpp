// Strong non-cyclicity. For every class we keep one graph over its attributes: an edge a -> b says
// that somewhere, in some tree, b depends on a, through the sub-tree of the node or through its
// surroundings. A production's graph is made of its rules and of the graphs of the classes of its
// nodes; its transitive closure gives new edges for those classes. Repeated until nothing changes
// (there are finitely many edges). No tree can have a cyclic dependency if no closure has an edge
// from an attribute to itself; the converse is not true, which is what "strong" means.
//
// The engine builds guarded, unit and generator nodes as sub-problems, when all their inherited
// attributes are known, and gives out their synthesized attributes at the end. So for these
// classes: every inherited attribute -> every guard -> every synthesized one.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "grammar/check.hpp"

namespace assay::grammar {

namespace {

using Mask = uint64_t;

// Square bit matrix.
class Matrix {
 public:
  explicit Matrix(size_t size) : size_(size), words_((size + 63) / 64), bits_(size * words_) {}
  void Set(size_t from, size_t to) { bits_[from * words_ + to / 64] |= Mask{1} << (to % 64); }
  bool Get(size_t from, size_t to) const { return (bits_[from * words_ + to / 64] >> (to % 64)) & 1; }
  void Close() {
    for (size_t via = 0; via < size_; ++via) {
      for (size_t from = 0; from < size_; ++from) {
        if (!Get(from, via)) continue;
        for (size_t w = 0; w < words_; ++w) bits_[from * words_ + w] |= bits_[via * words_ + w];
      }
    }
  }
  size_t size() const { return size_; }

 private:
  size_t size_;
  size_t words_;
  std::vector<Mask> bits_;
};

class Cycles {
 public:
  Cycles(Specification& specification, Diagnostics& diagnostics)
      : specification_(specification), diagnostics_(diagnostics) {}

  void Run() {
    for (const Class& target : specification_.classes) {
      graphs_.emplace_back(target.attributes.size());
      origins_.emplace_back(target.attributes.size() * target.attributes.size(), nullptr);
      AddImplicit(target, graphs_.back());
    }
    bool changed = true;
    while (changed && !found_) {
      changed = false;
      for (const Class& target : specification_.classes) {
        for (const Production& production : target.productions) changed |= Induce(target, production);
      }
    }
    if (found_) return;
    for (Class& target : specification_.classes) {
      for (Production& production : target.productions) OrderChildren(target, production);
    }
  }

 private:
  static void AddImplicit(const Class& target, Matrix& graph) {
    if (!target.SubProblem()) return;
    bool guarded = target.Guarded();
    for (size_t a = 0; a < target.attributes.size(); ++a) {
      for (size_t b = 0; b < target.attributes.size(); ++b) {
        AttributeKind from = target.attributes[a].kind;
        AttributeKind to = target.attributes[b].kind;
        if (from == AttributeKind::Inherited &&
            (to == AttributeKind::Guard || (to == AttributeKind::Synthesized && !guarded))) {
          graph.Set(a, b);
        }
        if (from == AttributeKind::Guard && to == AttributeKind::Synthesized) graph.Set(a, b);
      }
    }
  }

  const Class* ClassOf(const Class& owner, const Production& production, size_t node) const {
    if (node == 0) return &owner;
    int index = production.children[node - 1].class_index;
    return index == kUnresolved ? nullptr : &specification_.classes[static_cast<size_t>(index)];
  }
  size_t Index(const Class& target) const { return static_cast<size_t>(&target - specification_.classes.data()); }

  // Where the attributes of each node of the production start in its graph.
  std::vector<size_t> Offsets(const Class& owner, const Production& production) const {
    std::vector<size_t> offsets = {0};
    for (size_t node = 0; node <= production.children.size(); ++node) {
      const Class* target = ClassOf(owner, production, node);
      offsets.push_back(offsets.back() + (target ? target->attributes.size() : 0));
    }
    return offsets;
  }

  static void Sources(const Production& production, const Expr& expr, std::set<std::pair<int, int>>& sources) {
    if (expr.kind == ExprKind::Attribute && expr.node != kUnresolved && expr.attribute != kUnresolved) {
      sources.insert({expr.node, expr.attribute});
    }
    if (expr.local != kUnresolved) {
      Sources(production, production.locals[static_cast<size_t>(expr.local)].value, sources);
    }
    for (const Expr& argument : expr.arguments) Sources(production, argument, sources);
  }

  void AddRules(const Production& production, const std::vector<size_t>& offsets, Matrix& graph) const {
    for (const Rule& rule : production.rules) {
      if (rule.node == kUnresolved || rule.attribute == kUnresolved) continue;
      std::set<std::pair<int, int>> sources;
      Sources(production, rule.value, sources);
      for (auto [node, attribute] : sources) {
        graph.Set(offsets[static_cast<size_t>(node)] + static_cast<size_t>(attribute),
                  offsets[static_cast<size_t>(rule.node)] + static_cast<size_t>(rule.attribute));
      }
    }
  }

  void AddInduced(const Class& owner, const Production& production, const std::vector<size_t>& offsets,
                  Matrix& graph) const {
    for (size_t node = 0; node <= production.children.size(); ++node) {
      const Class* target = ClassOf(owner, production, node);
      if (!target) continue;
      const Matrix& induced = graphs_[Index(*target)];
      for (size_t a = 0; a < induced.size(); ++a) {
        for (size_t b = 0; b < induced.size(); ++b) {
          if (induced.Get(a, b)) graph.Set(offsets[node] + a, offsets[node] + b);
        }
      }
    }
  }

  bool Induce(const Class& owner, const Production& production) {
    if (found_) return false;
    std::vector<size_t> offsets = Offsets(owner, production);
    Matrix graph(offsets.back());
    AddRules(production, offsets, graph);
    AddInduced(owner, production, offsets, graph);
    Matrix closure = graph;
    closure.Close();
    for (size_t i = 0; i < closure.size(); ++i) {
      if (!closure.Get(i, i)) continue;
      Report(owner, production, offsets, graph, i);
      found_ = true;
      return false;
    }
    bool changed = false;
    for (size_t node = 0; node <= production.children.size(); ++node) {
      const Class* target = ClassOf(owner, production, node);
      if (!target) continue;
      size_t index = Index(*target);
      size_t count = target->attributes.size();
      for (size_t a = 0; a < count; ++a) {
        for (size_t b = 0; b < count; ++b) {
          if (!closure.Get(offsets[node] + a, offsets[node] + b) || graphs_[index].Get(a, b)) continue;
          graphs_[index].Set(a, b);
          origins_[index][a * count + b] = &production;
          origin_class_[&production] = &owner;
          changed = true;
        }
      }
    }
    return changed;
  }

  std::string NameOf(const Class& owner, const Production& production, const std::vector<size_t>& offsets,
                     size_t at) const {
    for (size_t node = 0; node <= production.children.size(); ++node) {
      if (at < offsets[node] || at >= offsets[node + 1]) continue;
      const Class* target = ClassOf(owner, production, node);
      return fmt::format("{}.{}", node == 0 ? "this" : production.children[node - 1].name,
                         target->attributes[at - offsets[node]].name);
    }
    return {};
  }

  // Why is there an edge from `from` to `to`: a rule of this production, or what another one told
  // us about a class?
  std::string Reason(const Class& owner, const Production& production, const std::vector<size_t>& offsets, size_t from,
                     size_t to) const {
    Matrix rules(offsets.back());
    AddRules(production, offsets, rules);
    if (rules.Get(from, to)) return {};
    for (size_t node = 0; node <= production.children.size(); ++node) {
      if (from < offsets[node] || from >= offsets[node + 1]) continue;
      const Class* target = ClassOf(owner, production, node);
      size_t count = target->attributes.size();
      const Production* origin = origins_[Index(*target)][(from - offsets[node]) * count + (to - offsets[node])];
      if (!origin) return fmt::format(" (because {} is a sub-problem)", target->name);
      return fmt::format(" (by {}.{})", origin_class_.at(origin)->name, origin->name);
    }
    return {};
  }

  void Report(const Class& owner, const Production& production, const std::vector<size_t>& offsets, const Matrix& graph,
              size_t start) {
    // The shortest way from `start` back to itself.
    std::vector<size_t> before(graph.size(), SIZE_MAX);
    std::deque<size_t> queue = {start};
    bool closed = false;
    while (!queue.empty() && !closed) {
      size_t at = queue.front();
      queue.pop_front();
      for (size_t to = 0; to < graph.size(); ++to) {
        if (!graph.Get(at, to) || before[to] != SIZE_MAX) continue;
        before[to] = at;
        if (to == start) {
          closed = true;
          break;
        }
        queue.push_back(to);
      }
    }
    std::vector<size_t> way = {start};
    for (size_t at = before[start]; at != start; at = before[at]) way.push_back(at);
    way.push_back(start);
    std::reverse(way.begin(), way.end());
    std::string shown = NameOf(owner, production, offsets, start);
    for (size_t i = 1; i < way.size(); ++i) {
      shown += fmt::format(" -> {}{}", NameOf(owner, production, offsets, way[i]),
                           Reason(owner, production, offsets, way[i - 1], way[i]));
    }
    diagnostics_.Add(DiagnosticKind::AttributeCycle, production.place,
                     fmt::format("attributes depend on themselves in {}.{}: {}", owner.name, production.name, shown),
                     "a -> b: b is computed from a; break one of these steps");
  }

  // Children that no sibling depends on come first: changing them changes nothing else.
  void OrderChildren(const Class& owner, Production& production) {
    std::vector<size_t> offsets = Offsets(owner, production);
    Matrix graph(offsets.back());
    AddRules(production, offsets, graph);
    AddInduced(owner, production, offsets, graph);
    graph.Close();
    size_t count = production.children.size();
    Matrix depends(count);  // row: the child others need; column: the child that needs it
    for (size_t a = 0; a < count; ++a) {
      for (size_t b = 0; b < count; ++b) {
        if (a == b) continue;
        for (size_t from = offsets[a + 1]; from < offsets[a + 2]; ++from) {
          for (size_t to = offsets[b + 1]; to < offsets[b + 2]; ++to) {
            if (graph.Get(from, to)) depends.Set(a, b);
          }
        }
      }
    }
    std::vector<bool> taken(count);
    production.alternative_order.clear();
    while (production.alternative_order.size() < count) {
      size_t pick = count;
      for (size_t a = 0; a < count && pick == count; ++a) {
        if (taken[a]) continue;
        bool needed = false;
        for (size_t b = 0; b < count; ++b) needed |= !taken[b] && depends.Get(a, b);
        if (!needed) pick = a;
      }
      for (size_t a = count; a > 0 && pick == count; --a) {
        if (!taken[a - 1]) pick = a - 1;
      }
      taken[pick] = true;
      production.alternative_order.push_back(static_cast<uint32_t>(pick));
    }
  }

  Specification& specification_;
  Diagnostics& diagnostics_;
  std::vector<Matrix> graphs_;
  std::vector<std::vector<const Production*>> origins_;
  std::map<const Production*, const Class*> origin_class_;
  bool found_ = false;
};

}  // namespace

void CheckCycles(Specification& specification, Diagnostics& diagnostics) { Cycles(specification, diagnostics).Run(); }

}  // namespace assay::grammar
