// Backtraces that compilers print, reduced to the names of the functions that were running.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::triage {

// Lines are cut there: a regular expression of the standard library takes stack for every character, and a compiler may
// print megabytes without a line end.
constexpr size_t kLongestLine = 1000;
// The beginning and the end of what a compiler printed, in lines that expressions can be tried on.
std::string Readable(std::string_view text);

// The functions of the first backtrace in the text, innermost first, without those that only handle
// signals and report errors, and without arguments, templates and clone suffixes. Understands the
// forms of GCC ("0x9a2f1c fold_binary(...)"), LLVM (" #4 0x00007f llvm::X::y(...) (/lib/...)") and
// the sanitizers ("#1 0x55 in f a.c:3").
std::vector<std::string> Frames(std::string_view text);

// "f < g < h" of the first few.
std::string TopFrames(std::string_view text);

// A function's name without what varies: "std::vector<int>::at(unsigned) [clone .part.0]" ->
// "std::vector::at".
std::string BareName(std::string_view function);

}  // namespace assay::triage
