#include "grammar/text_reader.hpp"

#include <fmt/format.h>

namespace assay::grammar {

namespace {

constexpr int kDeepestNesting = 200;

}  // namespace

bool Reserved(std::string_view name) {
  for (std::string_view word : {"class", "use", "inh", "syn", "grd", "loc", "true", "false", "nil"}) {
    if (name == word) return true;
  }
  return false;
}

bool TextReader::At(std::string_view symbol) const { return token_.kind == TokenKind::Symbol && token_.text == symbol; }

bool TextReader::AtName(std::string_view word) const { return token_.kind == TokenKind::Name && token_.text == word; }

bool TextReader::Skip(std::string_view symbol) {
  if (!At(symbol)) return false;
  Advance();
  return true;
}

std::string TextReader::Shown() const {
  if (token_.kind == TokenKind::End) return "the end of the file";
  if (token_.kind == TokenKind::Quote) return "a text";
  return fmt::format("'{}'", token_.text);
}

bool TextReader::Unexpected(std::string_view wanted, std::string hint) {
  diagnostics_.Add(DiagnosticKind::UnexpectedToken, token_.place, fmt::format("expected {}, found {}", wanted, Shown()),
                   std::move(hint));
  return false;
}

bool TextReader::Expect(std::string_view symbol, std::string hint) {
  return Skip(symbol) || Unexpected(fmt::format("'{}'", symbol), std::move(hint));
}

bool TextReader::ReadName(std::string_view what, std::string& name, Place& place) {
  if (token_.kind != TokenKind::Name) return Unexpected(what);
  if (Reserved(token_.text)) {
    return Unexpected(what, fmt::format("'{}' is reserved; choose another name", token_.text));
  }
  name = token_.text;
  place = token_.place;
  Advance();
  return true;
}

void TextReader::SkipStatement() {
  while (token_.kind != TokenKind::End && !At("}") && !AtName("class")) {
    if (Skip(";")) return;
    SkipToken();
  }
}

void TextReader::SkipBraces(int depth) {
  while (token_.kind != TokenKind::End && !AtName("class")) {
    if (At("{")) ++depth;
    if (At("}") && --depth <= 0) {
      Advance();
      return;
    }
    SkipToken();
  }
}

void TextReader::SkipToken() {
  if (token_.kind == TokenKind::Quote) {
    while (!lexer_.AtEnd() && lexer_.Peek() != '"' && lexer_.Peek() != '\n') {
      if (lexer_.Take() == '\\' && !lexer_.AtEnd() && lexer_.Peek() != '\n') lexer_.Take();
    }
    if (lexer_.Peek() == '"') lexer_.Take();
  }
  Advance();
}

bool TextReader::Unterminated(Place open) {
  diagnostics_.Add(DiagnosticKind::UnterminatedText, open, "this text does not end",
                   "close it with \"; inside a text write \\\"");
  Advance();
  return false;
}

void TextReader::SkipLineBreak() {
  lexer_.Take();
  while (lexer_.Peek() == ' ' || lexer_.Peek() == '\t' || lexer_.Peek() == '\r') lexer_.Take();
}

void TextReader::UnknownEscape(Place place, char c) {
  place.length = 2;
  diagnostics_.Add(DiagnosticKind::UnknownEscape, place, fmt::format("unknown escape '\\{}'", c),
                   "known are \\n \\+ \\- \\$ \\# \\\" \\\\ \\( \\)");
}

bool TextReader::ReadPlain(std::string& text, bool regex) {
  Place open = token_.place;
  if (token_.kind != TokenKind::Quote) return Unexpected("a text in double quotes");
  for (;;) {
    if (lexer_.AtEnd()) return Unterminated(open);
    if (lexer_.Peek() == '\n') {
      SkipLineBreak();
      continue;
    }
    Place place = lexer_.Here();
    char c = lexer_.Take();
    if (c == '"') break;
    if (c != '\\') {
      text += c;
      continue;
    }
    if (lexer_.AtEnd()) return Unterminated(open);
    char escaped = lexer_.Take();
    if (escaped == 'n') {
      text += '\n';
    } else if (escaped == 't') {
      text += '\t';
    } else if (escaped == '"' || escaped == '$' || escaped == '#') {
      text += escaped;
    } else if (regex) {
      text += '\\';
      text += escaped;
    } else if (escaped == '\\' || escaped == '+' || escaped == '-') {
      text += escaped;
    } else {
      UnknownEscape(place, escaped);
    }
  }
  Advance();
  return true;
}

void TextReader::AddText(Production& production, char c) {
  if (production.parts.empty() || production.parts.back().kind != TemplatePart::Kind::Text) {
    production.parts.push_back({TemplatePart::Kind::Text, {}, 0});
  }
  production.parts.back().text += c;
}

bool TextReader::ReadChild(Production& production, bool parenthesised) {
  Child child;
  child.parenthesised = parenthesised;
  Place ignored;
  Advance();
  if (!ReadName("the name of a child", child.name, child.place)) return false;
  if (!Expect(":", "a child is written ${name : Class}")) return false;
  if (!ReadName("the class of the child", child.class_name, ignored)) return false;
  if (!At("}")) return Unexpected("'}'", "a child is written ${name : Class}");
  production.parts.push_back({TemplatePart::Kind::Child, {}, static_cast<uint32_t>(production.children.size())});
  production.children.push_back(std::move(child));
  return true;
}

bool TextReader::ReadParenthesised(Production& production, Place place) {
  auto blank = [&] {
    while (lexer_.Peek() == ' ' || lexer_.Peek() == '\n' || lexer_.Peek() == '\t') lexer_.Take();
  };
  auto bad = [&] {
    diagnostics_.Add(DiagnosticKind::BadTemplate, place, "\\( must be followed by one child and \\)",
                     "write \\(${name : Class}\\)");
    return false;
  };
  blank();
  if (lexer_.Peek() != '$' || lexer_.Peek(1) != '{') return bad();
  lexer_.Take();
  lexer_.Take();
  if (!ReadChild(production, true)) return false;
  blank();
  if (lexer_.Peek() != '\\' || lexer_.Peek(1) != ')') return bad();
  lexer_.Take();
  lexer_.Take();
  return true;
}

bool TextReader::ReadPrint(Production& production) {
  Advance();
  Expr value;
  if (!ReadExpr(value, 0)) return false;
  if (!At("}")) return Unexpected("'}'", "a print command is written #{expression}");
  production.parts.push_back({TemplatePart::Kind::Print, {}, static_cast<uint32_t>(production.prints.size())});
  production.prints.push_back(std::move(value));
  return true;
}

bool TextReader::FinishBadTemplate() {
  if (token_.kind != TokenKind::Quote) {
    while (!lexer_.AtEnd() && lexer_.Peek() != '"') {
      if (lexer_.Take() == '\\' && !lexer_.AtEnd()) lexer_.Take();
    }
    if (!lexer_.AtEnd()) lexer_.Take();
  }
  Advance();
  return true;
}

bool TextReader::ReadTemplate(Production& production) {
  Place open = token_.place;
  for (;;) {
    if (lexer_.AtEnd()) return Unterminated(open);
    if (lexer_.Peek() == '\n') {
      SkipLineBreak();
      continue;
    }
    Place place = lexer_.Here(2);
    char c = lexer_.Take();
    if (c == '"') break;
    if (c == '$' && lexer_.Peek() == '{') {
      lexer_.Take();
      if (!ReadChild(production, false)) return FinishBadTemplate();
    } else if (c == '#' && lexer_.Peek() == '{') {
      lexer_.Take();
      if (!ReadPrint(production)) return FinishBadTemplate();
    } else if (c == '\\') {
      if (lexer_.AtEnd()) return Unterminated(open);
      if (!ReadTemplateEscape(production, place)) return FinishBadTemplate();
    } else if (c != '\r') {
      AddText(production, c);
    }
  }
  Advance();
  return true;
}

bool TextReader::ReadTemplateEscape(Production& production, Place place) {
  char c = lexer_.Take();
  switch (c) {
    case 'n': production.parts.push_back({TemplatePart::Kind::NewLine, {}, 0}); return true;
    case '+': production.parts.push_back({TemplatePart::Kind::Indent, {}, 0}); return true;
    case '-': production.parts.push_back({TemplatePart::Kind::Dedent, {}, 0}); return true;
    case '$':
    case '#':
    case '"':
    case '\\': AddText(production, c); return true;
    case '(': return ReadParenthesised(production, place);
    case ')':
      diagnostics_.Add(DiagnosticKind::BadTemplate, place, "\\) without \\(", "write \\(${name : Class}\\)");
      return true;
    default: UnknownEscape(place, c); return true;
  }
}

bool TextReader::ReadExpr(Expr& expr, int depth) {
  expr.place = token_.place;
  if (depth > kDeepestNesting) {
    diagnostics_.Add(DiagnosticKind::NestedTooDeeply, token_.place,
                     fmt::format("more than {} nested expressions", kDeepestNesting), "name parts of it with loc");
    return false;
  }
  switch (token_.kind) {
    case TokenKind::Number:
    case TokenKind::Character:
      expr.kind = token_.kind == TokenKind::Number ? ExprKind::Number : ExprKind::Character;
      expr.number = token_.number;
      Advance();
      return true;
    case TokenKind::Quote: expr.kind = ExprKind::Text; return ReadPlain(expr.name);
    case TokenKind::Name: return ReadNamed(expr);
    case TokenKind::Symbol:
      if (At("(")) return ReadCall(expr, depth);
      if (Skip("$")) {
        expr.kind = ExprKind::Value;
        return true;
      }
      if (Skip(".")) {
        expr.kind = ExprKind::Local;
        Place place;
        bool good = ReadName("the name of a loc", expr.member, place);
        expr.place.length += place.length;
        return good;
      }
      break;
    case TokenKind::End: break;
  }
  return Unexpected("an expression");
}

bool TextReader::ReadNamed(Expr& expr) {
  if (AtName("true") || AtName("false")) {
    expr.kind = ExprKind::Boolean;
    expr.number = AtName("true");
    Advance();
    return true;
  }
  if (AtName("nil")) {
    expr.kind = ExprKind::Nil;
    Advance();
    return true;
  }
  Place place;
  if (!ReadName("an expression", expr.name, place)) return false;
  expr.kind = ExprKind::Node;
  if (!At(".")) return true;
  // `a .b` is a and then .b; `a.b` and `a . b` are the attribute b of a.
  bool touches = token_.place.line == place.line && token_.place.column == place.column + place.length;
  if (!touches && lexer_.Peek() != ' ' && lexer_.Peek() != '\n') return true;
  Advance();
  expr.kind = ExprKind::Attribute;
  bool good = ReadName("the name of an attribute", expr.member, place);
  if (place.line == expr.place.line) expr.place.length = place.column + place.length - expr.place.column;
  return good;
}

bool TextReader::ReadCall(Expr& expr, int depth) {
  Advance();
  if (token_.kind == TokenKind::Name && !Reserved(token_.text)) {
    expr.place = token_.place;
    expr.name = token_.text;
    Advance();
    if (Skip(":")) {
      expr.kind = ExprKind::Call;
      Place place;
      if (!ReadName("the name of a function", expr.member, place)) return false;
      if (place.line == expr.place.line) {
        expr.place.length = place.column + place.length - expr.place.column;
      }
    } else {
      expr.kind = ExprKind::Builtin;
      expr.builtin = FindBuiltin(expr.name);
    }
  } else if (token_.kind == TokenKind::Symbol && FindBuiltin(token_.text) != Builtin::kCount) {
    expr.kind = ExprKind::Builtin;
    expr.place = token_.place;
    expr.name = token_.text;
    expr.builtin = FindBuiltin(token_.text);
    Advance();
  } else {
    return Unexpected("a function", "a call is written (Module:function a b) or (+ a b)");
  }
  while (!At(")")) {
    if (token_.kind == TokenKind::End) return Unexpected("')'");
    expr.arguments.emplace_back();
    if (!ReadExpr(expr.arguments.back(), depth + 1)) return false;
  }
  Advance();
  return true;
}

}  // namespace assay::grammar
