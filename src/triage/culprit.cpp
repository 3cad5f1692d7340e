#include "triage/culprit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <set>
#include <sstream>

namespace assay::triage {
namespace {

using target::Flags;
using target::Passes;
using target::Target;

// Flags that only make sense together: "--param" and its value, "-mllvm" and its option.
using Group = Flags;

bool TakesTheNextWord(const std::string& flag) {
  return flag == "--param" || flag == "-mllvm" || flag == "-Xclang" || flag == "-include";
}

std::vector<Group> GroupsOf(const Flags& flags) {
  std::vector<Group> groups;
  for (size_t i = 0; i < flags.size(); ++i) {
    groups.push_back({flags[i]});
    if (TakesTheNextWord(flags[i]) && i + 1 < flags.size()) groups.back().push_back(flags[++i]);
  }
  return groups;
}

Flags Joined(const std::vector<Group>& groups) {
  Flags flags;
  for (const Group& group : groups) flags.insert(flags.end(), group.begin(), group.end());
  return flags;
}

bool IsLevel(const Group& group) { return group.size() == 1 && group[0].starts_with("-O"); }

// Lower levels than this one, the lowest first.
std::vector<std::string> LowerLevels(const std::string& level) {
  if (level == "-O" || level == "-O1") return {"-O0"};
  if (level == "-O2") return {"-O0", "-O1"};
  if (level == "-O0") return {};
  return {"-O0", "-O1", "-O2"};  // -O3, -Os, -Oz, -Og, -Ofast: with fewer passes if not with fewer steps
}

Result<bool> StillFails(Trial& trial, const Target& target, const std::vector<Group>& groups) {
  ASSIGN_OR_RETURN(auto attempt, trial.Try(target, Joined(groups)));
  return attempt.behaviour == Behaviour::Fails;
}

// Leaves out one group after the other. True if one could go.
Result<bool> LeaveOut(Trial& trial, const Target& target, std::vector<Group>& groups) {
  bool any = false;
  for (size_t i = 0; i < groups.size() && !trial.TimeIsUp();) {
    std::vector<Group> fewer = groups;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    ASSIGN_OR_RETURN(bool fails, StillFails(trial, target, fewer));
    if (fails) {
      groups = std::move(fewer);
      any = true;
    } else {
      ++i;
    }
  }
  return any;
}

Result<bool> LowerTheLevel(Trial& trial, const Target& target, std::vector<Group>& groups) {
  for (Group& group : groups) {
    if (!IsLevel(group)) continue;
    for (const std::string& level : LowerLevels(group[0])) {
      if (trial.TimeIsUp()) return false;
      std::vector<Group> lower = groups;
      lower[static_cast<size_t>(&group - groups.data())] = {level};
      ASSIGN_OR_RETURN(bool fails, StillFails(trial, target, lower));
      if (!fails) continue;
      groups = std::move(lower);
      return true;
    }
  }
  return false;
}

// The number that a flag ends with: "--param=max-unroll-times=12", "-mllvm=-unroll-count=4".
std::optional<int64_t> NumberOf(const std::string& flag, size_t& begin) {
  begin = flag.rfind('=') + 1;
  if (begin == 0 || begin == flag.size()) return {};
  int64_t number = 0;
  const auto [end, code] = std::from_chars(flag.data() + begin, flag.data() + flag.size(), number);
  if (code != std::errc() || end != flag.data() + flag.size()) return {};
  return number;
}

// Smaller numbers in flags, the smallest first: 0, and powers of two.
Result<void> LowerTheNumbers(Trial& trial, const Target& target, std::vector<Group>& groups) {
  for (size_t i = 0; i < groups.size(); ++i) {
    size_t begin = 0;
    const std::optional<int64_t> number = NumberOf(groups[i].back(), begin);
    for (int64_t smaller = 0; number && smaller < *number; smaller = std::max<int64_t>(1, smaller * 2)) {
      if (trial.TimeIsUp()) return {};
      std::vector<Group> lower = groups;
      lower[i].back() = groups[i].back().substr(0, begin) + std::to_string(smaller);
      ASSIGN_OR_RETURN(bool fails, StillFails(trial, target, lower));
      if (!fails) continue;
      groups = std::move(lower);
      break;
    }
  }
  return {};
}

Flags With(const Flags& flags, const std::vector<std::string>& more) {
  Flags all = flags;
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

std::vector<std::string> Filled(const std::vector<std::string>& words, std::string_view mark,
                                const std::string& value) {
  std::vector<std::string> filled = words;
  for (std::string& word : filled) {
    if (size_t at = word.find(mark); at != std::string::npos) word.replace(at, mark.size(), value);
  }
  return filled;
}

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(std::move(line));
  return lines;
}

// --- bisection over the steps of the optimiser: "BISECT: running pass (17) InstCombinePass on function (f)"

struct Step {
  int64_t number = 0;
  std::string text;  // "InstCombinePass on function (f)"
};

constexpr std::string_view kRunning = "BISECT: running pass (";

std::vector<Step> StepsIn(const std::string& said) {
  std::vector<Step> steps;
  for (const std::string& line : LinesOf(said)) {
    if (!line.starts_with(kRunning)) continue;
    Step step;
    const char* begin = line.data() + kRunning.size();
    const auto [end, code] = std::from_chars(begin, line.data() + line.size(), step.number);
    if (code != std::errc() || std::string_view(end, 2) != ") ") continue;
    step.text = line.substr(static_cast<size_t>(end - line.data()) + 2);
    steps.push_back(std::move(step));
  }
  return steps;
}

// Asks once more, with the flags that make the find happen, for what the pass does.
Result<void> Show(Trial& trial, const Target& target, const Flags& flags, Culprit& culprit) {
  if (culprit.pass.empty() || target.passes.show.empty() || trial.TimeIsUp()) return {};
  ASSIGN_OR_RETURN(auto attempt, trial.Try(target, With(flags, Filled(target.passes.show, "{pass}", culprit.pass))));
  culprit.code = CodeOfPass(culprit.pass, attempt.said);
  return {};
}

Result<Culprit> Bisect(Trial& trial, const Target& target, const Flags& flags) {
  const Passes& passes = target.passes;
  auto limited = [&](int64_t limit) {
    return trial.Try(target, With(flags, Filled(passes.bisect, "{limit}", std::to_string(limit))));
  };
  Culprit culprit;
  ASSIGN_OR_RETURN(auto all, limited(-1));
  const std::vector<Step> steps = StepsIn(all.said);
  if (all.behaviour != Behaviour::Fails || steps.empty()) {
    culprit.note =
        steps.empty() ? "the compiler does not name its passes" : "it does not fail while passes are counted";
    return culprit;
  }
  ASSIGN_OR_RETURN(auto none, limited(0));
  if (none.behaviour == Behaviour::Fails) {
    culprit.note = "no pass that can be left out: it fails without any of them";
    return culprit;
  }
  int64_t good = 0, bad = steps.back().number;  // with so many steps it is right, and fails
  while (bad - good > 1) {
    if (trial.TimeIsUp()) {
      culprit.note = fmt::format("{} between steps {} and {}", kTimeWasUp, good, bad);
      return culprit;
    }
    const int64_t middle = good + (bad - good) / 2;
    ASSIGN_OR_RETURN(auto attempt, limited(middle));
    (attempt.behaviour == Behaviour::Fails ? bad : good) = middle;
  }
  for (const Step& step : steps) {
    if (step.number != bad) continue;
    const size_t end = step.text.find(" on ");
    culprit.pass = step.text.substr(0, end);
    if (end != std::string::npos) culprit.where = step.text.substr(end + 4);
    culprit.words = fmt::format("BISECT: running pass ({}) {}", step.number, step.text);
  }
  RETURN_IF_ERROR(Show(trial, target, With(flags, Filled(passes.bisect, "{limit}", std::to_string(bad))), culprit));
  return culprit;
}

// --- one pass after the other switched off: "   tree-ccp1            :  ON"

std::vector<std::string> PassesThatAreOn(const std::string& said) {
  constexpr size_t kMost = 10000;  // compilers have some hundreds
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (const std::string& line : LinesOf(said)) {
    const size_t begin = line.find_first_not_of(' ');
    const size_t colon = line.find(" : ");
    if (begin == std::string::npos || colon == std::string::npos || colon <= begin || line[begin] == '*') continue;
    const std::string state = line.substr(line.find_last_of(": ", line.find("ON")) + 1);
    if (!state.starts_with("ON") || state.find("FORCED_OFF") != std::string::npos) continue;
    std::string name = line.substr(begin, colon - begin);
    name.erase(name.find_last_not_of(' ') + 1);
    if (seen.insert(name).second) names.push_back(name);
    if (names.size() > kMost) return {};
  }
  return names;
}

// Options that switch off what a pass of this name does, as far as names tell.
std::vector<std::string> OptionsFor(std::string_view pass) {
  const std::string family = PassFamily(pass);
  const std::string plain = family.substr(family.find('-') + 1);
  std::vector<std::string> options = {"-fno-" + family, "-fno-" + plain};
  if (family != "tree-" + plain) options.push_back("-fno-tree-" + plain);
  return options;
}

Result<bool> IsHidden(Trial& trial, const Target& target, const Flags& flags) {
  ASSIGN_OR_RETURN(auto attempt, trial.Try(target, flags));
  return attempt.behaviour == Behaviour::IsRight;
}

// Looks for passes without which the find does not happen, by leaving out many at a time: where it still happens
// without all of them, none matters; where it does not, or nothing can be compiled, each half is looked at.
class PassSearch {
 public:
  PassSearch(Trial& trial, const Target& target, const Flags& flags) : trial_(trial), target_(target), flags_(flags) {}

  // Adds those among `names` to `found`, in their order.
  Result<void> Look(std::span<const std::string> names, std::vector<std::string>& found) {
    if (names.empty() || trial_.TimeIsUp()) return {};
    Flags flags = flags_;
    for (const std::string& name : names) flags = With(flags, Filled(target_.passes.disable, "{pass}", name));
    ASSIGN_OR_RETURN(auto attempt, trial_.Try(target_, flags));
    if (attempt.behaviour == Behaviour::Fails) return {};
    if (names.size() == 1) {
      if (attempt.behaviour == Behaviour::IsRight) found.push_back(names.front());
      if (attempt.behaviour == Behaviour::Otherwise) trial_.indispensable.Learn(target_.name, names.front());
      return {};
    }
    RETURN_IF_ERROR(Look(names.first(names.size() / 2), found));
    return Look(names.subspan(names.size() / 2), found);
  }

 private:
  Trial& trial_;
  const Target& target_;
  const Flags& flags_;
};

Result<Culprit> SwitchOff(Trial& trial, const Target& target, const Flags& flags) {
  constexpr size_t kAtATime = 16;
  Culprit culprit;
  ASSIGN_OR_RETURN(auto listing, trial.Try(target, With(flags, target.passes.list)));
  std::vector<std::string> names = PassesThatAreOn(listing.said);
  if (names.empty()) {
    culprit.note = "the compiler does not list its passes";
    return culprit;
  }
  std::erase_if(names, [&](const std::string& name) { return trial.indispensable.Has(target.name, name); });
  // From the last to the first: passes before the guilty one prepare the ground for it, and without them the find does
  // not happen either; what comes after it only carries the damage on.
  std::reverse(names.begin(), names.end());
  std::vector<std::string> found;
  PassSearch search(trial, target, flags);
  for (size_t i = 0; i < names.size(); i += kAtATime) {
    RETURN_IF_ERROR(search.Look(std::span(names).subspan(i, std::min(kAtATime, names.size() - i)), found));
  }
  if (found.empty()) {
    culprit.note = trial.TimeIsUp() ? std::string(kTimeWasUp) + " before a pass was found"
                                    : "no pass that can be left out: it fails without any one of them";
    return culprit;
  }
  culprit.pass = found.front();
  culprit.others.assign(found.begin() + 1, found.end());
  for (const std::string& option : OptionsFor(culprit.pass)) {
    if (trial.TimeIsUp()) break;
    ASSIGN_OR_RETURN(bool hidden, IsHidden(trial, target, With(flags, {option})));
    if (hidden) culprit.options.push_back(option);
  }
  RETURN_IF_ERROR(Show(trial, target, flags, culprit));
  return culprit;
}

}  // namespace

bool Indispensable::Has(const std::string& target, const std::string& pass) const {
  std::lock_guard lock(mutex_);
  const auto found = passes_.find(target);
  return found != passes_.end() && found->second.contains(pass);
}

void Indispensable::Learn(const std::string& target, const std::string& pass) {
  std::lock_guard lock(mutex_);
  passes_[target].insert(pass);
}

std::string PassFamily(std::string_view pass) {
  while (!pass.empty() && std::isdigit(static_cast<unsigned char>(pass.back())) != 0) pass.remove_suffix(1);
  return std::string(pass);
}

Result<Flags> NeededFlags(Trial& trial, const Target& target, const Flags& flags) {
  std::vector<Group> groups = GroupsOf(flags);
  bool again = true;
  while (again && !trial.TimeIsUp()) {
    ASSIGN_OR_RETURN(bool fewer, LeaveOut(trial, target, groups));
    ASSIGN_OR_RETURN(bool lower, LowerTheLevel(trial, target, groups));
    again = fewer || lower;
  }
  RETURN_IF_ERROR(LowerTheNumbers(trial, target, groups));
  return Joined(groups);
}

Result<Culprit> FindCulprit(Trial& trial, const Target& target, const Flags& flags) {
  if (!target.passes.bisect.empty()) return Bisect(trial, target, flags);
  if (!target.passes.list.empty()) return SwitchOff(trial, target, flags);
  return Culprit{.note = "its passes cannot be switched off one by one"};
}

Result<std::vector<VersionSeen>> SeenInVersions(Trial& trial, const Target& target, const Flags& flags,
                                                std::span<const Target> targets) {
  std::vector<VersionSeen> seen;
  for (const Target& other : targets) {
    if (other.family != target.family || other.data_model != target.data_model) continue;
    if (other.variant != target.variant) continue;  // the same compiler, asked for something else
    if (trial.TimeIsUp()) break;
    Behaviour behaviour = Behaviour::Fails;
    if (other.name != target.name) {
      ASSIGN_OR_RETURN(auto attempt, trial.Try(other, flags));
      behaviour = attempt.behaviour;
    }
    seen.push_back({other.name, other.version, behaviour});
  }
  return seen;
}

}  // namespace assay::triage
