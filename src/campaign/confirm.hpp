// From judgements to finds. A judgement is one configuration's; a find is one bug seen in one test:
// the failing configurations of a family of compilers that fail in the same way, confirmed before
// it counts.
//
// Before anything is judged, flags that the compiler rejects on any program are set aside (flag_trial.hpp).
// Confirmation, cheapest first:
//   1. a rejection shared by most families of this machine, drawn or not, says that the program is wrong: suspect;
//   2. the failing configuration is tried again from scratch: it must fail again, else the find is
//   flaky (and if it cannot be started any more, nothing is known: unavailable);
//   3. for what a program did (wrong output, crash, hang) a sanitizer sees the program once: if it
//   complains, the
//      program has no meaning: suspect;
//   4. where only one family of compilers speaks for or against the program, a witness of another family that is on
//      this machine is asked: if it does the same, suspect; if there is none, the find counts and says so.
// The oracle has already set aside tests where several families agree against the expectation. Before all else a
// witness of yet another family is asked about them: if it is on our side, the finds stand, and go through the same
// steps.
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "campaign/lab.hpp"
#include "campaign/sanitizer.hpp"
#include "campaign/witness.hpp"
#include "oracle/verdict.hpp"
#include "target/flag_knowledge.hpp"

namespace assay::campaign {

struct Find {
  oracle::Verdict verdict = oracle::Verdict::Ok;  // a find's, or Flaky, Suspect, Unavailable
  std::string key;                                // what all finds of one bug share
  std::string detail;                             // one line for people
  std::string doubt;                              // why it is less certain than others; empty: it is not
  size_t shown = 0;                               // the outcome that the report shows
  std::vector<size_t> failing;                    // outcomes
};

// What workers learn together. Thread-safe.
class Experience {
 public:
  target::FlagKnowledge flags;

  // True while a find with this key should still be checked by the sanitizer; a few clean programs
  // are enough.
  bool WantsSanitizer(const std::string& key);
  void SanitizerWasClean(const std::string& key);

  // The same for witnesses.
  bool WantsWitness(const std::string& key);
  void WitnessConfirmed(const std::string& key);

  // Targets that cannot be started any more: this run goes on without them.
  void Lose(const std::string& target, const std::string& why);
  bool IsLost(const std::string& target);
  size_t LostCount();
  std::map<std::string, std::string> Lost();  // and why

 private:
  std::mutex mutex_;
  std::map<std::string, int> clean_, witnessed_;
  std::map<std::string, std::string> lost_;
};

class Confirmer {
 public:
  Confirmer(Lab& lab, const Sanitizer& sanitizer, Witnesses& witnesses, Experience& experience)
      : lab_(lab), sanitizer_(sanitizer), witnesses_(witnesses), experience_(experience) {}

  // The finds of one test. `judgements` has one entry per outcome; those set aside here are changed
  // to what they turned out to be (flaky, suspect, unavailable).
  Result<std::vector<Find>> Confirm(const TestCase& test, const std::vector<oracle::Outcome>& outcomes,
                                    std::vector<oracle::Judgement>& judgements);

 private:
  // Where several families agree against us, and a witness of yet another does not, each is judged alone again. True
  // if the witness accepts a program that all have rejected.
  Result<bool> HearWitnessForUs(const TestCase& test, const std::vector<oracle::Outcome>& outcomes,
                                std::vector<oracle::Judgement>& judgements);
  // Do most families reject the program? Few may have been drawn for it: then others of this machine vote too.
  Result<bool> MostReject(const TestCase& test, const std::vector<oracle::Outcome>& outcomes,
                          const std::vector<oracle::Judgement>& judgements);
  // The verdict if it happens again, else Flaky or Unavailable.
  Result<oracle::Verdict> TryAgain(const TestCase& test, const oracle::Outcome& outcome, oracle::Verdict verdict);
  // Sees to it that what is shown happens again. Those that do not are taken out while another may be steadier.
  Result<void> ShowWhatHappensAgain(const TestCase& test, const std::vector<oracle::Outcome>& outcomes,
                                    std::vector<oracle::Judgement>& judgements, Find& find);
  Result<void> CheckMeaning(const TestCase& test, const std::vector<oracle::Outcome>& outcomes,
                            std::vector<Find>& finds);
  // A compiler that does the same as the accused may be its sibling, whatever the user calls its family: others are
  // asked, until one is on our side. Of a rejection, which is a matter of taste, one more.
  Result<Opinion> AskForUs(const TestCase& test, const oracle::Outcome& accused, oracle::Verdict verdict,
                           std::set<std::string> heard);
  Result<void> AskWitness(const TestCase& test, const std::vector<oracle::Outcome>& outcomes,
                          const std::vector<oracle::Judgement>& judgements, Find& find);

  Lab& lab_;
  const Sanitizer& sanitizer_;
  Witnesses& witnesses_;
  Experience& experience_;
};

// What the oracle says of the outcomes. Where the runs of a foreign program in C disagree, and they are all of one
// family or none has more families on its side, compilers of others on this machine vote, too: most flags of one
// compiler may have the same mistake.
Result<std::vector<oracle::Judgement>> JudgeWithOthers(Lab& lab, Witnesses& witnesses, const TestCase& test,
                                                       const std::vector<oracle::Outcome>& outcomes);

// Is the verdict about what the compiled program did (and not about the compiler)?
bool IsAboutRun(oracle::Verdict verdict);

// Did two runs do the same, as far as it can be compared?
bool SameBehaviour(const exec::Observation& a, const exec::Observation& b);

}  // namespace assay::campaign
