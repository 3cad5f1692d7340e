// Text from outside (compilers, programs, databases, names of files), made fit to be shown: no control
// characters, no bytes that are not text, no more of it than somebody reads.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace assay::support {

// The length of the valid UTF-8 sequence at the front of `bytes`, or 0.
size_t Utf8Length(std::string_view bytes);

// Control characters, those that turn the direction of text, and bytes that are not UTF-8 in a form that
// can be seen: \x1b. Line ends and tabs stay.
std::string Printable(std::string_view text);

// Printable and on one line; cut after about `longest` bytes, with "..." for the rest.
std::string OneLine(std::string_view text, size_t longest = 200);

// The first `bytes` bytes of the text, or a few less: no character is cut in two.
std::string_view Beginning(std::string_view text, size_t bytes);

// What a reader is told of a program: its version, with its name where the version does not have it.
std::string NameAndVersion(const std::string& name, const std::string& version);

}  // namespace assay::support
