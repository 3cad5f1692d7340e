// Are two small programs the same bug? A reduction ends where nothing can be left out, so what constructs are left is
// what the bug needs: two finds of one bug end with the same ones, whatever program they come from. Two that differ in
// a construct are taken for different bugs unless the same pass is guilty of both and most is alike: one bug listed
// twice costs a look, two bugs merged cost a bug. What happens (which assertion, which signal) must be the same in any
// case.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace assay::triage {

// What a small program is made of: "loop", "bit-field", "shift", "wide", ... Names, constants, layout, the check at the
// end, and the difference between operators of one family do not count. In other languages than C: its words.
std::set<std::string> ConstructsOf(std::string_view language, std::string_view text);

// A reduced find.
struct Portrait {
  std::string pass = {};  // guilty of it; empty: not known
  std::set<std::string> constructs = {};
  std::string failure = {};  // what happens, where that tells bugs apart: a signature, a signal; empty: not known
  std::optional<std::string> flags = {};  // that it needs, with blanks between them; nothing: not known
  std::string versions = {};              // as in store::Triage: "gcc-11: right", one a line
};

// Why the two are one bug, in one line; nothing when they are not. Both are of one family of compilers and one kind of
// misbehaviour.
std::optional<std::string> WhySame(const Portrait& a, const Portrait& b);

}  // namespace assay::triage
