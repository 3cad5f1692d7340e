// What the parser is made of: tokens with recovery, expressions, and the texts between quotes
// (templates with children and print commands, regular expressions). A method that fails reports
// once and returns false; the caller that owns a statement, production or class then skips to the
// end of it.
#pragma once

#include <string>
#include <string_view>

#include "grammar/diagnostics.hpp"
#include "grammar/lexer.hpp"
#include "grammar/specification.hpp"

namespace assay::grammar {

// Is it a word of the language, and no name?
bool Reserved(std::string_view name);

class TextReader {
 protected:
  TextReader(std::string_view source, Diagnostics& diagnostics)
      : lexer_(source, diagnostics), diagnostics_(diagnostics) {
    Advance();
  }

  // --- tokens ---
  void Advance() { token_ = lexer_.Next(); }
  bool At(std::string_view symbol) const;
  bool AtName(std::string_view word) const;
  bool Skip(std::string_view symbol);
  std::string Shown() const;
  bool Unexpected(std::string_view wanted, std::string hint = {});
  bool Expect(std::string_view symbol, std::string hint = {});
  bool ReadName(std::string_view what, std::string& name, Place& place);

  // --- recovery ---
  // Past the next ';', or to a '}' or a class.
  void SkipStatement();
  // Past the '}' that closes `depth` open braces, or to a class.
  void SkipBraces(int depth);
  // A text is skipped as a whole, so that what it contains is not mistaken for structure.
  void SkipToken();

  // --- text between quotes; the current token is the opening quote ---
  bool Unterminated(Place open);
  void SkipLineBreak();
  void UnknownEscape(Place place, char c);

  // `regex` keeps the backslash of escapes that the regular expression reader understands.
  bool ReadPlain(std::string& text, bool regex = false);

  void AddText(Production& production, char c);

  // ${name : Class}; `$` and `{` are already taken.
  bool ReadChild(Production& production, bool parenthesised);

  // \( ${name : Class} \); `\(` is already taken.
  bool ReadParenthesised(Production& production, Place place);

  bool ReadPrint(Production& production);

  // After an error inside a template: on to its closing quote, so that the rules behind it are
  // still read.
  bool FinishBadTemplate();

  bool ReadTemplate(Production& production);

  bool ReadTemplateEscape(Production& production, Place place);

  // --- expressions ---
  bool ReadExpr(Expr& expr, int depth);

  bool ReadNamed(Expr& expr);

  bool ReadCall(Expr& expr, int depth);

  Lexer lexer_;
  Diagnostics& diagnostics_;
  Token token_;
};

}  // namespace assay::grammar
