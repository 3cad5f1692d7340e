// The short cut: from the place where the values first go wrong straight to a small program.
//
// Programs that print a wrong value are mostly one wrong operation and thousands of right ones. The
// recorders (recorders.hpp) name culprits; each is tried on its own with the operands it had
// (extract.hpp), first alone, then with more and more of the operators below it. If none of these
// shows the bug, the program stays but looks at the culprit instead of what became of its value
// later, so that the search can drop all of that. It takes some ten compilations where the search
// takes hundreds, and when it fails nothing is lost.
#pragma once

#include "reduce/search.hpp"

namespace assay::reduce {

// A case that shows the bug under Look::Print; nothing if there is none to be had this way. The
// subject is valid and shows the bug, a WrongOutput; it stays as it is.
Result<std::optional<Case>> Localise(Case& subject, const Bug& bug, Judge& judge, const SearchOptions& options);

}  // namespace assay::reduce
