// The bugs that a team knows already, in one file of theirs. A find of one is counted, not stored and reduced again;
// one that shows in a version that is said to have it fixed is a bug again.
//
// Two forms. Lines: a signature or the name of a bug each. TOML: a table [[bug]] for each, as `assay report --known`
// writes them; what it says of the find (name, signature) is known at once, what it says of the small program (pass,
// constructs) once the find is reduced.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.hpp"
#include "triage/likeness.hpp"

namespace assay::triage {

struct KnownBug {
  std::string name, signature;  // of the find; empty: any, if there is a portrait
  std::string family, kind;     // empty: any
  Portrait portrait;            // of the small program; without constructs: not told
  std::string tracker;          // where it is reported
  std::string fixed_in;         // the first version without it; empty: none is said to be

  // Where it stands, in one line for people.
  std::string Told() const;
  // As a table of the file; the title is for people.
  std::string Toml(const std::string& title) const;
};

// What is asked about. Until the find is reduced it has no portrait.
struct Sighting {
  std::string_view name, signature, family, kind;
  std::string_view version;  // of the compiler, as it tells it
  const Portrait* portrait = nullptr;
};

struct Recognised {
  const KnownBug* bug;
  bool is_back;  // the version is said to have it fixed
};

class KnownBugs {
 public:
  // The file's text; `name` of the file is for messages, and says as the text does whether it is TOML.
  static support::Result<KnownBugs> Parse(const std::string& text, const std::string& name);

  std::optional<Recognised> Find(const Sighting& sighting) const;
  const std::vector<KnownBug>& All() const { return bugs_; }
  void Add(KnownBug bug) { bugs_.push_back(std::move(bug)); }

 private:
  std::vector<KnownBug> bugs_;
};

// Whether a compiler that says `told` of itself ("gcc (Debian 12.2.0-14) 12.2.0") has this version ("12.3") or a later
// one. Where it tells no number: yes, so that nothing is taken for known by mistake.
bool IsAtLeast(std::string_view told, std::string_view version);

}  // namespace assay::triage
