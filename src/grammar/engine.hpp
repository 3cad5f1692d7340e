// The derivation engine: programs that satisfy all rules of a specification (paper 003, section IV,
// and lala.md).
//
// The problem: choose a production for every node so that every guard, a black box over attribute
// values, holds. The idea: a guarded (or unit, or generator) node is a sub-problem. A sub-problem
// first makes its skeleton: all unguarded nodes below its root, at random. Then it solves the
// sub-problems in it, each as soon as its inherited attributes are known (the checker has proved
// that there always is one). When a guard is false or an inner sub-problem has no solution, it
// learns a fail pattern: the productions that led there, with wildcards for all that had no
// influence; changes as little of its tree as needed so that no pattern matches; and goes on. A
// sub-problem with nothing left to change fails in turn; its surroundings learn and change. Why it
// ends: every failure adds a pattern that forbids the tree at hand, heights and lists are bounded,
// and the number of alternatives of one sub-problem is limited; the outermost one is started afresh
// when it fails.
//
// Attributes are evaluated as soon as their sources are known, driven by a list of newly known
// attributes: no scans. What a sub-problem's root synthesizes is passed on only when it is solved,
// so undoing work inside a sub-problem never reaches outside. Nothing recurses on the C++ stack. An
// Engine is used by one thread at a time; engines share nothing but the read-only Plan.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "choice/choices.hpp"
#include "grammar/derivation.hpp"
#include "grammar/patterns.hpp"
#include "grammar/plan.hpp"
#include "grammar/tree.hpp"
#include "support/result.hpp"

namespace assay::grammar {

struct EngineOptions {
  uint32_t max_height = 11;
  bool generalise = true;            // false: fail patterns without wildcards, for comparison
  uint32_t max_alternatives = 1000;  // of one sub-problem, unless its class says otherwise
  uint64_t effort = 20'000'000;      // alternatives of a whole program before it is started afresh
  uint64_t give_up = 0;              // alternatives after which Build fails, for comparisons; 0: never
};

struct EngineStatistics {
  uint64_t nodes = 0;         // of the finished tree
  uint64_t created = 0;       // nodes made in all
  uint64_t evaluated = 0;     // rules
  uint64_t sub_problems = 0;  // begun
  uint64_t failures = 0;      // sub-problems without a solution
  uint64_t patterns = 0;      // learned
  uint64_t alternatives = 0;
  uint64_t shrunk = 0;    // lists made shorter
  uint64_t restarts = 0;  // sub-problems, or whole programs, started afresh
};

class Engine {
 public:
  explicit Engine(const Plan& plan);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Derives a program. Fails only if a function of a module throws (the message says in which
  // rule).
  support::Result<void> Build(uint64_t seed, const EngineOptions& options);

  // The derivation of the program built last; and a tree built after one, with edits. New parts are
  // made as small as possible. Rebuild fails if the result would break a rule of the language.
  Derivation Capture();
  support::Result<void> Rebuild(const Script& script, const EngineOptions& options);

  // Appends the text of the program built last.
  support::Result<void> Print(std::string& out);

  const Tree& GetTree() const { return tree_; }
  const EngineStatistics& Statistics() const { return statistics_; }

  // Our own invariants, for tests: everything expanded, every attribute known, every guard true.
  bool Complete() const;

 private:
  enum class Outcome : uint8_t { Solved, Failed, TooHigh };

  // A sub-problem being solved.
  struct Frame {
    NodeId root;
    size_t ready_begin;  // its part of ready_ ...
    size_t ready_next;   // ... and the first not taken yet
    size_t expand_begin;
    Patterns::Level level;  // to return to
    size_t first_pattern;   // its patterns
    size_t given;           // how many of them came from outside
    uint32_t alternatives = 0;
    uint32_t restarts = 0;
    bool too_high = false;  // a production was left out because of the height
    bool capped = false;    // it was given up, not exhausted
    bool guard_failed = false;
    uint32_t failed_guard = 0;              // the rule
    std::array<uint64_t, 4> excluded = {};  // productions of the root whose early guards are false
  };

  // --- engine.cpp: the sub-problems ---
  support::Result<void> Run(uint64_t seed, const EngineOptions& options);
  void StartAfresh(uint64_t seed, uint64_t attempt);
  void Begin(NodeId node);
  bool Step();  // one move of the innermost sub-problem; false: the outermost one failed
  bool Solved();
  void Leave();
  bool Fail(Outcome outcome);  // the innermost sub-problem has no solution; false: as Step
  bool Retry();                // the next alternative of the innermost sub-problem; false: as Step
  bool TryAlternative(Outcome& outcome);
  // A sub-problem without a solution has none the next time either, if nothing it depends on has
  // changed.
  bool KnownToFail(NodeId node);
  void RememberFailure(NodeId node);
  void GatherInherited(NodeId node);
  void Restart(Frame& frame);
  NodeId NextReady(Frame& frame);
  void SolvedNode(NodeId node);
  bool SolveGenerator(NodeId node);
  bool FinishGenerator(NodeId node, const runtime::ProductionRow& row);

  // --- engine_choose.cpp: productions ---
  bool Allowed(NodeId node, uint32_t production);
  bool EarlyGuardsHold(NodeId node, uint32_t production);
  // A production (and value) for the node that `active` does not forbid; false: there is none.
  bool Choose(Frame& frame, NodeId node, const std::vector<Patterns::Part>& active, uint32_t& production,
              uint32_t& value);
  bool ChooseValue(NodeId node, const std::vector<Patterns::Part>& active, uint32_t& value);
  bool ExpandNext(Frame& frame);  // false: no production for it
  void Apply(NodeId node, uint32_t production, uint32_t value);
  uint16_t ChildHeight(NodeId node, uint32_t production, uint32_t child) const;

  // --- engine_attributes.cpp ---
  void Evaluate(NodeId node, const runtime::RuleRow& rule);
  void TryRule(NodeId node, uint32_t rule);
  void Gained(NodeId node, uint32_t attribute) { gained_.push_back({node, attribute}); }
  void Propagate();
  void PushReady(NodeId node);
  bool InheritedKnown(NodeId node) const {
    uint64_t inherited = tree_.ClassPlanOf(node).inherited;
    return (tree_[node].known & inherited) == inherited;
  }
  void Deconstruct(NodeId node);
  void LoseUsers(NodeId node, uint32_t as, uint32_t attribute);
  void PropagateLosses();

  // --- engine_learn.cpp: fail patterns and alternatives ---
  void LearnFailure(Frame& frame, NodeId failed, Outcome outcome);
  void LearnGuard(Frame& frame);
  void Trace(NodeId root, NodeId node, uint64_t attributes);
  void TraceRule(NodeId node, const runtime::RuleRow& rule);
  void MarkAll(NodeId root);
  bool Alternative(Frame& frame);
  bool ShrinkList(Frame& frame, NodeId list);
  bool EndListAt(Frame& frame, NodeId node, bool keep_children);
  void KeepChildren(Frame& frame, NodeId node, uint32_t production, const std::vector<uint32_t>& kept);
  bool Replace(Frame& frame, NodeId node, const std::vector<Patterns::Part>& active);

  // --- engine_script.cpp ---
  uint32_t Redirect(uint32_t entry) const;
  uint32_t ScriptOf(NodeId node) const;
  void SetScript(NodeId node, uint32_t entry);
  void DropScript(NodeId node);
  bool FollowScript(const Frame& frame, NodeId node, uint32_t& production, uint32_t& value);
  void PassScript(NodeId node);
  uint32_t ScriptedValue(NodeId node, const runtime::ProductionRow& row, const void* values, uint32_t count);

  support::Error Explain(const char* what) const;

  const Plan& plan_;
  Tree tree_;
  Patterns patterns_;
  choice::Choices choices_{0};
  EngineOptions options_;
  EngineStatistics statistics_;
  void* session_ = nullptr;
  uint64_t session_seed_ = 0;
  const Script* script_ = nullptr;   // while rebuilding
  std::vector<uint32_t> script_at_;  // by node: its entry

  std::vector<Frame> frames_;
  std::vector<NodeHandle> ready_;
  std::vector<NodeHandle> expand_;
  std::vector<std::pair<NodeId, uint32_t>> gained_;
  std::vector<std::pair<NodeId, uint32_t>> lost_;
  std::vector<std::pair<NodeId, uint64_t>> traced_;
  NodeId failed_ = runtime::kNone;  // the sub-problem that failed last, for ShrinkList

  bool choice_too_high_ = false;  // the last Choose left out a production because of the height

  std::vector<std::byte> scratch_;  // a block for early guards
  std::vector<Patterns::Part> active_;
  std::vector<size_t> which_;
  std::vector<uint32_t> excluded_values_;
  std::vector<std::vector<Patterns::Part>> levels_;  // of Alternative

  struct FailedContexts {
    std::vector<std::byte> bytes;  // inherited attributes, one context after the other
    uint32_t count = 0;
    uint32_t next = 0;
  };
  std::vector<FailedContexts> failed_contexts_;  // by class, the latest few
  std::vector<std::byte> inherited_;

  // The rule being evaluated, for messages.
  const runtime::RuleRow* at_rule_ = nullptr;
  NodeId at_node_ = runtime::kNone;
  uint32_t at_production_ = 0;
  uint32_t at_line_ = 0;
};

}  // namespace assay::grammar
