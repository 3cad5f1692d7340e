// The comment at the top of every program: what it takes to make the program again.
//
//   /* assay 0.1.0
//    * seed 42
//    * data-model lp64
//    * knobs a=1 b=2
//    */
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "emit/text.hpp"
#include "lang/program.hpp"

namespace assay::emit {

struct Header {
  lang::Provenance provenance;
  lang::DataModel model;
};

void AppendHeader(Text& out, const lang::Program& program);

// The header of a text made by AppendHeader; nothing if the text does not begin with one.
std::optional<Header> ReadHeader(std::string_view text);

// A comment from lines of text; the end mark of a comment inside them is made harmless.
void AppendComment(Text& out, std::string_view lines);

}  // namespace assay::emit
