// Stored bugs and what shows them.
#pragma once

#include "campaign/source.hpp"
#include "oracle/verdict.hpp"
#include "store/records.hpp"
#include "store/store.hpp"
#include "triage/known.hpp"

namespace assay::campaign {

// Does a small program show the same bug? For wrong output it may also say so by abort().
bool ShowsSame(const store::Bug& bug, const TestCase& small, const oracle::Outcome& outcome);

// Did the program do what it must, as far as the bug is about it: was it compiled, and if the bug is about the run,
// did it print the right thing?
bool IsRight(const store::Bug& bug, const TestCase& test, const oracle::Outcome& outcome);

// The reduced program of a bug, for targets of this data model; nothing when there is none.
std::optional<TestCase> ReducedProgram(const store::Bug& bug, const std::string& data_model);

// The text of the bug's file of this role; null when there is none.
const store::BugFile* FileOf(const store::Bug& bug, std::string_view role);

// Is the bug one that is known already? Sets `known` and `tracked`; asked when it is found, and again when it is
// reduced.
void Recognise(const triage::KnownBugs& known, store::Bug& bug);

// Of a reduced bug.
triage::Portrait PortraitOf(const store::Bug& bug);

// Among other entries: is one of them this (reduced) bug?
std::optional<store::Store::Likeness> LikeAnother(const store::Bug& bug, const std::vector<store::Bug>& entries);

// Finds with one signature may be several bugs, and one bug seen a thousand times is not worth a thousand reductions.
// Is the next find of such a class worth a look? The first few are; each one that turns out to be another bug
// makes a few more worth it; and later ever fewer, but never none. Where a reduction is cheap several may wait for it.
bool IsWorthALook(const store::Store::Class& seen, bool reduction_is_cheap);

}  // namespace assay::campaign
