#include "campaign/grammar_reduce.hpp"

#include <fmt/format.h>

#include <chrono>

#include "campaign/lab.hpp"
#include "grammar/derivation_text.hpp"
#include "grammar/reduce_tree.hpp"
#include "support/files.hpp"
#include "triage/signature.hpp"

namespace assay::campaign {
namespace {

using oracle::Verdict;

// Does a program fail as the first one did?
class SameFailure {
 public:
  SameFailure(Lab lab, const ReduceRequest& request, std::string extension)
      : lab_(std::move(lab)), request_(request), extension_(std::move(extension)) {
    configurations_.push_back(request.configuration);
    if (request.reference) configurations_.push_back(*request.reference);
  }

  // The first call decides what "the same" is.
  bool Shows(const std::string& text) {
    TestCase test = GrammarTest(0, extension_, text);
    auto outcomes = lab_.Try(test, configurations_);
    if (!outcomes) return false;
    const std::string key = KeyOf(*outcomes);
    if (key.empty()) return false;
    if (wanted_.empty()) wanted_ = key;
    if (key != wanted_) return false;
    if (request_.reference && outcomes->back().run) expected_ = outcomes->back().run->stdout_text;
    return true;
  }

  // What the reference printed for the last program that showed it.
  const std::string& Expected() const { return expected_; }

 private:
  // What all programs with this failure share; empty: another failure, or none.
  std::string KeyOf(const std::vector<oracle::Outcome>& outcomes) const {
    const oracle::Outcome& failing = outcomes.front();
    const target::Target& target = *failing.configuration.target;
    auto judgements = oracle::Judge({}, outcomes);
    Verdict verdict = judgements.front().verdict;
    if (verdict != request_.verdict) return {};
    if (verdict == Verdict::WrongOutput) {
      // A reference that fails, gives up or does not know says nothing.
      if (outcomes.size() < 2 || !failing.run || !outcomes.back().run->Succeeded()) return {};
      if (judgements.back().verdict != verdict && judgements.back().verdict != Verdict::Ok) {
        return {};
      }
      return failing.run->Succeeded() ? "prints" : "fails: " + Describe(*failing.run);
    }
    const auto& seen = failing.compile ? failing.compile : failing.run;
    return "key " + triage::FindKey(target, verdict, *seen, "");
  }

  Lab lab_;
  const ReduceRequest& request_;
  std::string extension_;
  std::vector<target::Configuration> configurations_;
  std::string wanted_;
  std::string expected_;
};

}  // namespace

TestCase GrammarTest(int64_t seed, const std::string& extension, std::string text) {
  TestCase test{.seed = seed, .language = extension, .files = {{"program." + extension, std::move(text)}}};
  if (extension == "c") {  // GNU C with extensions, made for crashes
    test.extra_flags = {kCompileOnly};
    test.may_be_declined = true;
  }
  return test;
}

Result<SmallProgram> ReduceGrammarProgram(const grammar::Generator& generator, const std::string& language,
                                          const ReduceRequest& request, exec::Executor& executor) {
  if (request.verdict == Verdict::WrongOutput && !request.reference) {
    return support::UsageError("without a configuration that is right there is nothing to compare");
  }
  const std::filesystem::path best_file = request.folder / kBestDerivation;
  std::string model = request.model;
  if (auto best = support::ReadFile(best_file)) model = std::move(*best);
  ASSIGN_OR_RETURN(auto program, grammar::LoadDerivation(model, generator.GetPlan()));
  auto lab = Lab::Make(executor);
  if (!lab) return lab.GetError();
  SameFailure failure(std::move(lab).Value(), request, generator.Extension());

  const auto start = std::chrono::steady_clock::now();
  auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  double saved_at = 0;
  std::string expected;
  grammar::TreeReduceOptions options;
  options.stop = [&] { return request.seconds > 0 && elapsed() > request.seconds; };
  options.better = [&](const grammar::Derivation& derivation, const std::string&) {
    expected = failure.Expected();
    if (elapsed() - saved_at < 1) return;
    saved_at = elapsed();
    (void)support::WriteFile(best_file, grammar::SaveDerivation(derivation, generator.GetPlan(), language));
  };
  auto interesting = [&](const std::string& text) {
    bool shows = failure.Shows(text);
    if (shows && expected.empty()) expected = failure.Expected();
    return shows;
  };
  ASSIGN_OR_RETURN(auto reduced, grammar::ReduceTree(generator, program, interesting, options));
  return SmallProgram{
      .file = {"reduced." + generator.Extension(), reduced.text},
      .expected = expected,
      .model = grammar::SaveDerivation(reduced.derivation, generator.GetPlan(), language),
      .note = fmt::format("{} of {} nodes, {} bytes; {} programs tried in {:.1f} s", reduced.nodes_after,
                          reduced.nodes_before, reduced.text.size(), reduced.tests, elapsed()),
      .finished = reduced.finished};
}

}  // namespace assay::campaign
