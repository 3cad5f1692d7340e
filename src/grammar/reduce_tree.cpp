#include "grammar/reduce_tree.hpp"

#include <algorithm>
#include <cstring>

namespace assay::grammar {

namespace {

constexpr uint32_t kNone = runtime::kNone;

class Reducer {
 public:
  Reducer(const Generator& generator, const std::function<bool(const std::string&)>& interesting,
          const TreeReduceOptions& options)
      : plan_(generator.GetPlan()),
        interesting_(interesting),
        options_(options),
        engine_(generator),
        engine_options_(generator.Options()) {
    engine_options_.give_up = 2000;
  }

  support::Result<TreeReduction> Run(const Derivation& program) {
    Script as_it_is;
    as_it_is.base = &program;
    RETURN_IF_ERROR(engine_->Rebuild(as_it_is, engine_options_));
    current_ = engine_->Capture();
    result_.nodes_before = current_.entries.size();
    RETURN_IF_ERROR(engine_->Print(result_.text));
    ++result_.tests;
    if (!interesting_(result_.text)) {
      return support::UsageError("the program itself is not interesting: there is nothing to reduce");
    }
    bool progress = true;
    while (progress && More()) {
      progress = ShortenLists();
      progress |= Hoist();
      progress |= DeriveSmall();
      progress |= ShortenLiterals();
    }
    result_.finished = More();
    result_.nodes_after = current_.entries.size();
    result_.derivation = std::move(current_);
    return std::move(result_);
  }

 private:
  bool More() const {
    return result_.tests < options_.most_tests && result_.candidates < 20 * options_.most_tests &&
           !(options_.stop && options_.stop());
  }

  // Builds the program with these edits; takes it if it is smaller (or as small, and shorter) and
  // interesting.
  bool Try(const Script& script) {
    ++result_.candidates;
    if (!engine_->Rebuild(script, engine_options_)) return false;
    std::string text;
    if (!engine_->Print(text)) return false;
    size_t nodes = engine_->Statistics().nodes;
    bool smaller =
        nodes < current_.entries.size() || (nodes == current_.entries.size() && text.size() < result_.text.size());
    if (!smaller || text == result_.text) return false;
    ++result_.tests;
    Derivation candidate = engine_->Capture();
    if (!interesting_(text)) return false;
    ++result_.accepted;
    current_ = std::move(candidate);
    result_.text = std::move(text);
    if (options_.better) options_.better(current_, result_.text);
    return true;
  }
  // First without any other change; then with what no longer fits derived anew.
  bool TryEdit(uint32_t entry, Edit edit) {
    Script script;
    script.base = &current_;
    script.edits.emplace(entry, std::move(edit));
    if (Try(script)) return true;
    script.base = &current_;
    script.rederive = true;
    return More() && Try(script);
  }

  const runtime::ProductionRow& Row(uint32_t entry) const { return plan_.Row(current_.entries[entry].production); }
  uint32_t ClassOf(uint32_t entry) const { return Row(entry).class_id; }

  // --- lists ---
  uint32_t RestOf(uint32_t entry) const {
    uint32_t child = plan_.productions[current_.entries[entry].production].list_child;
    return child == kNone ? kNone : current_.entries[entry].first_child + child;
  }

  // The parts of all lists, each list from its beginning.
  std::vector<std::vector<uint32_t>> Lists() const {
    std::vector<bool> inside(current_.entries.size());
    std::vector<std::vector<uint32_t>> lists;
    for (uint32_t i = 0; i < current_.entries.size(); ++i) {
      if (inside[i] || !plan_.ClassRow(ClassOf(i)).list) continue;
      std::vector<uint32_t> parts;
      for (uint32_t at = i; at != kNone; at = RestOf(at)) {
        inside[at] = true;
        parts.push_back(at);
      }
      if (parts.size() > 1) lists.push_back(std::move(parts));
    }
    return lists;
  }

  bool ShortenLists() {
    bool any = false;
    for (size_t list = 0; More(); ++list) {
      std::vector<std::vector<uint32_t>> lists = Lists();
      if (list >= lists.size()) break;
      size_t chunk = lists[list].size() - 1;
      while (chunk > 0 && More()) {
        bool removed = false;
        for (size_t begin = 0; More();) {
          // The tree changes with every success: look the list up again.
          std::vector<std::vector<uint32_t>> now = Lists();
          if (list >= now.size() || begin + 1 > now[list].size()) break;
          const std::vector<uint32_t>& parts = now[list];
          bool good = begin + chunk < parts.size()
                          ? TryEdit(parts[begin], {Edit::Kind::Hoist, parts[begin + chunk], {}})
                          : begin > 0 && EndAt(parts[begin - 1]);
          removed |= good;
          if (!good) begin += chunk;
        }
        any |= removed;
        if (chunk == 1 && !removed) break;
        chunk = chunk == 1 ? 1 : chunk / 2;
      }
    }
    return any;
  }

  // Ends a list after this part, with a production that has the same children but the rest.
  bool EndAt(uint32_t entry) {
    const runtime::ProductionRow& old = Row(entry);
    const runtime::ClassRow& owner = plan_.ClassRow(old.class_id);
    for (uint32_t i = 0; i < owner.production_count; ++i) {
      uint32_t p = owner.first_production + i;
      const runtime::ProductionRow& row = plan_.Row(p);
      if (row.weight == 0 || plan_.productions[p].list_child != kNone) continue;
      Edit edit{Edit::Kind::Switch, p, {}};
      std::vector<bool> used(old.child_count);
      for (uint32_t c = 0; c < row.child_count; ++c) {
        uint32_t found = kNone;
        for (uint32_t o = 0; o < old.child_count && found == kNone; ++o) {
          if (!used[o] && old.children[o].class_id == row.children[c].class_id) found = o;
        }
        if (found == kNone) break;
        used[found] = true;
        edit.kept.push_back(found);
      }
      if (edit.kept.size() == row.child_count && TryEdit(entry, std::move(edit))) return true;
    }
    return false;
  }

  // --- single nodes, the largest first ---
  std::vector<uint32_t> BySize() const {
    std::vector<uint32_t> order(current_.entries.size());
    for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t a, uint32_t b) { return current_.entries[a].size > current_.entries[b].size; });
    return order;
  }

  // The topmost descendants of the same class.
  std::vector<uint32_t> Descendants(uint32_t entry) const {
    std::vector<uint32_t> found;
    std::vector<uint32_t> work = {entry};
    while (!work.empty() && found.size() < 8) {
      uint32_t at = work.back();
      work.pop_back();
      for (uint32_t c = Row(at).child_count; c-- > 0;) {
        uint32_t child = current_.entries[at].first_child + c;
        if (ClassOf(child) == ClassOf(entry)) {
          found.push_back(child);
        } else {
          work.push_back(child);
        }
      }
    }
    return found;
  }

  bool Hoist() {
    bool any = false;
    std::vector<uint32_t> order = BySize();
    for (size_t i = 0; i < order.size() && More(); ++i) {
      for (uint32_t below : Descendants(order[i])) {
        if (!More() || !TryEdit(order[i], {Edit::Kind::Hoist, below, {}})) continue;
        any = true;
        order = BySize();
        break;
      }
    }
    return any;
  }

  bool DeriveSmall() {
    bool any = false;
    std::vector<uint32_t> order = BySize();
    for (size_t i = 0; i < order.size() && More(); ++i) {
      const Derivation::Entry& entry = current_.entries[order[i]];
      const runtime::ClassRow& owner = plan_.ClassRow(ClassOf(order[i]));
      if (entry.size == 1 || entry.size <= owner.min_height) continue;
      if (!TryEdit(order[i], {Edit::Kind::Derive, 0, {}})) continue;
      any = true;
      order = BySize();
    }
    return any;
  }

  bool ShortenLiterals() {
    bool any = false;
    for (uint32_t i = 0; i < current_.entries.size() && More(); ++i) {
      const runtime::ProductionRow& row = Row(i);
      if (!row.values) continue;
      uint32_t best = row.shortest;
      if (best == current_.entries[i].value) continue;
      any |= TryEdit(i, {Edit::Kind::Value, best, {}});
    }
    return any;
  }

  const Plan& plan_;
  const std::function<bool(const std::string&)>& interesting_;
  const TreeReduceOptions& options_;
  Generator::Lease engine_;
  EngineOptions engine_options_;
  Derivation current_;
  TreeReduction result_;
};

}  // namespace

support::Result<TreeReduction> ReduceTree(const Generator& generator, const Derivation& program,
                                          const std::function<bool(const std::string&)>& interesting,
                                          const TreeReduceOptions& options) {
  return Reducer(generator, interesting, options).Run(program);
}

}  // namespace assay::grammar
