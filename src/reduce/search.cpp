#include "reduce/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>

#include "lang/text.hpp"
#include "reduce/mend.hpp"
#include "support/files.hpp"
#include "support/hash.hpp"

namespace assay::reduce {
namespace {

using Clock = std::chrono::steady_clock;

enum class Fate : uint8_t { NoChange, Malformed, Seen, Invalid, NoBug, Kept };

struct Candidate {
  Fate fate = Fate::NoChange;
  std::optional<Case> made;  // Kept
  uint64_t hash = 0;
};

class Search {
 public:
  Search(Case start, const Bug& bug, Look look, Judge& judge, const SearchOptions& options, SearchStats& stats)
      : best_(std::move(start)), bug_(bug), look_(look), judge_(judge), options_(options), stats_(stats) {
    threads_ = options.threads != 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
    judge_.Prepare(threads_);
  }

  Result<Case> Run() {
    const uint64_t compiled_before = judge_.Compilations();
    best_ = Compact(best_);
    best_hash_ = HashOf(best_);
    RETURN_IF_ERROR(Save());
    bool thorough = false;
    for (bool first_round = true; !Stopped(); first_round = false) {
      const uint64_t hash_before = best_hash_;
      const size_t size_before = TextSize();
      for (uint8_t stage = 0; stage < kStages && !Stopped(); ++stage) {
        while (RunStage(stage, first_round, thorough)) {
        }
        if (error_) return *error_;
      }
      if (thorough && best_hash_ == hash_before) break;
      thorough = !MuchSmaller(TextSize(), size_before);
    }
    stats_.finished = !Stopped();
    stats_.compilations += judge_.Compilations() - compiled_before;
    stats_.seconds += Elapsed();
    return std::move(best_);
  }

 private:
  double Elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  bool Stopped() const {
    if (error_) return true;
    if (options_.seconds > 0 && stats_.seconds + Elapsed() > options_.seconds) return true;
    return options_.stop && options_.stop();
  }

  static uint64_t HashOf(const Case& subject) { return support::HashText(SaveCase(subject)); }

  static bool MuchSmaller(size_t now, size_t before) { return now * 10 < before * 9; }

  // The passes of a stage, those that paid best so far first; unless thorough, only those that have
  // not run on nearly this program. True if it is worth while to do it again.
  bool RunStage(uint8_t stage, bool first_round, bool thorough) {
    std::vector<const PassInfo*> order;
    for (const PassInfo& pass : kPasses) {
      if (pass.stage == stage && (!pass.once || first_round)) order.push_back(&pass);
    }
    const auto payoff = [&](const PassInfo* pass) {
      const PassStats& seen = stats_.passes[std::string(pass->name)];
      return seen.tried == 0 ? 1.0 : static_cast<double>(seen.accepted) / static_cast<double>(seen.tried);
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](const PassInfo* a, const PassInfo* b) { return payoff(a) > payoff(b); });
    const size_t size_before = TextSize();
    for (const PassInfo* pass : order) {
      if (Stopped()) return false;
      LastRun& last = last_runs_[static_cast<size_t>(pass->kind)];
      if (last.hash == best_hash_) continue;  // nothing changed since
      if (last.hash != 0 && (pass->once || (!thorough && !MuchSmaller(TextSize(), last.size)))) continue;
      RunPass(*pass);
      last = {best_hash_, TextSize()};
    }
    return MuchSmaller(TextSize(), size_before);
  }

  void RunPass(const PassInfo& pass) {
    const uint64_t accepted_before = stats_.accepted;
    std::vector<Edit> edits;
    {
      const MachineRun run = RunOnMachine(best_.program, options_.machine);
      edits = pass.collect({best_, run});
      std::erase_if(edits, [&](const Edit& edit) { return !Info(edit.kind).applies(best_, edit); });
    }
    for (size_t chunk = edits.size(); chunk >= 1 && !edits.empty() && !Stopped(); chunk /= 2) {
      chunk = std::min(chunk, edits.size());
      Sweep(pass, edits, chunk);
      if (chunk == 1) break;
    }
    if (stats_.accepted == accepted_before) return;
    best_ = Compact(best_);
    best_hash_ = HashOf(best_);
    if (options_.progress) {
      options_.progress(fmt::format("{:7.1f}s {:<16} {:6} edits, {} compilations, {} bytes of text", Elapsed(),
                                    pass.name, stats_.accepted - accepted_before, judge_.Compilations(), TextSize()));
    }
  }

  size_t TextSize() { return lang::Save(best_.program).size(); }

  // Tries every chunk once; removes the edits of those that are kept.
  void Sweep(const PassInfo& pass, std::vector<Edit>& edits, size_t chunk) {
    size_t at = 0;
    while (at < edits.size() && !Stopped()) {
      std::vector<std::vector<Edit>> chunks;
      for (size_t begin = at; begin < edits.size() && chunks.size() < threads_; begin += chunk) {
        const size_t end = std::min(begin + chunk, edits.size());
        chunks.emplace_back(edits.begin() + static_cast<std::ptrdiff_t>(begin),
                            edits.begin() + static_cast<std::ptrdiff_t>(end));
      }
      std::vector<Candidate> results = TryAll(pass, chunks);
      size_t kept = 0;
      while (kept < results.size() && results[kept].fate != Fate::Kept) ++kept;
      if (kept == results.size()) {
        at += chunk * results.size();
        continue;
      }
      Commit(pass, std::move(results[kept]));
      const size_t begin = at + kept * chunk;
      const size_t end = std::min(begin + chunk, edits.size());
      edits.erase(edits.begin() + static_cast<std::ptrdiff_t>(begin), edits.begin() + static_cast<std::ptrdiff_t>(end));
      at = begin;
    }
  }

  void Commit(const PassInfo& pass, Candidate candidate) {
    best_ = std::move(*candidate.made);
    best_hash_ = candidate.hash;
    ++stats_.accepted;
    ++stats_.passes[std::string(pass.name)].accepted;
    if (auto saved = Save(); !saved) error_ = saved.GetError();
  }

  Result<void> Save() {
    if (options_.folder.empty()) return {};
    return support::WriteFile(options_.folder / kBestFile, SaveCase(best_));
  }

  std::vector<Candidate> TryAll(const PassInfo& pass, const std::vector<std::vector<Edit>>& chunks) {
    std::vector<Candidate> results(chunks.size());
    if (chunks.size() == 1) {
      results[0] = Try(pass, chunks[0]);
      return results;
    }
    std::vector<std::thread> workers;
    for (size_t i = 0; i < chunks.size(); ++i) {
      workers.emplace_back([&, i] { results[i] = Try(pass, chunks[i]); });
    }
    for (std::thread& worker : workers) worker.join();
    return results;
  }

  // The one gate: applies the edits to a copy of the best program and says what became of it.
  Candidate Try(const PassInfo& pass, const std::vector<Edit>& edits) {
    Candidate candidate;
    Case made = best_;
    bool changed = false;
    for (const Edit& edit : edits) {
      if (!pass.careful) {
        changed |= ApplyEdit(made, edit);
        continue;
      }
      if (!Info(edit.kind).applies(made, edit)) continue;
      Case next = made;
      Info(edit.kind).apply(next, edit);
      if (!Mend(next)) continue;
      made = std::move(next);
      changed = true;
    }
    candidate.fate = !changed ? Fate::NoChange : Judged(made, candidate.hash);
    if (candidate.fate == Fate::Kept) candidate.made = std::move(made);
    Count(pass, candidate.fate);
    return candidate;
  }

  Fate Judged(Case& made, uint64_t& hash) {
    if (!Mend(made)) return Fate::Malformed;
    hash = HashOf(made);
    if (hash == best_hash_) return Fate::NoChange;
    {
      const std::lock_guard lock(mutex_);
      if (!tried_.emplace(hash, true).second) return Fate::Seen;
    }
    machine::Machine machine(made.program, options_.machine);
    const machine::RunResult result = machine.Run();
    if (result.trap.kind != machine::TrapKind::None) return Fate::Invalid;
    if (made.check && !FindChecked(made, result)) return Fate::Invalid;
    auto shows = judge_.Shows(bug_, made, result, look_);
    if (!shows) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = shows.GetError();
      return Fate::NoBug;
    }
    return *shows ? Fate::Kept : Fate::NoBug;
  }

  void Count(const PassInfo& pass, Fate fate) {
    const std::lock_guard lock(mutex_);
    ++stats_.candidates;
    ++stats_.passes[std::string(pass.name)].tried;
    switch (fate) {
      case Fate::Malformed: ++stats_.malformed; break;
      case Fate::Seen: ++stats_.cached; break;
      case Fate::Invalid: ++stats_.invalid; break;
      case Fate::NoChange:
      case Fate::NoBug:
      case Fate::Kept: break;
    }
  }

  Case best_;
  uint64_t best_hash_ = 0;
  const Bug& bug_;
  const Look look_;
  Judge& judge_;
  const SearchOptions& options_;
  SearchStats& stats_;
  unsigned threads_ = 1;
  const Clock::time_point start_ = Clock::now();
  struct LastRun {  // of a pass: the program it left
    uint64_t hash = 0;
    size_t size = 0;
  };
  std::array<LastRun, static_cast<size_t>(PassKind::kCount)> last_runs_{};
  std::mutex mutex_;  // tried_, stats_, error_ while candidates are tried
  std::unordered_map<uint64_t, bool> tried_;
  std::optional<support::Error> error_;
};

}  // namespace

Result<Case> RunSearch(Case start, const Bug& bug, Look look, Judge& judge, const SearchOptions& options,
                       SearchStats& stats) {
  return Search(std::move(start), bug, look, judge, options, stats).Run();
}

}  // namespace assay::reduce
