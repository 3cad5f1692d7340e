// Text from outside in Markdown: nothing of it is obeyed, neither as Markdown nor as HTML nor by a terminal.
#pragma once

#include <string>
#include <string_view>

namespace assay::report {

// One line of ordinary text.
std::string MarkdownText(std::string_view text);
// `text` as code in a line.
std::string CodeSpan(std::string_view text);
// A block of code whose fence is longer than any run of backquotes in the text.
std::string CodeBlock(std::string_view language, std::string_view text);

// The first lines of a text, and of each line the beginning: what is left out is in the file `name`.
struct Extent {
  size_t lines = 40;
  size_t line_bytes = 500;
  size_t bytes = 8000;
};
std::string Shortened(std::string_view text, const Extent& extent, std::string_view name);

}  // namespace assay::report
