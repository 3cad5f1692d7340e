#include "grammar/parser.hpp"

#include <fmt/format.h>

#include "grammar/lexer.hpp"

namespace assay::grammar {

namespace {

constexpr int kDeepestNesting = 200;

bool Reserved(std::string_view name) {
  for (std::string_view word :
       {"class", "use", "inh", "syn", "grd", "loc", "true", "false", "nil"}) {
    if (name == word) return true;
  }
  return false;
}

// One recursive-descent reader. A method that fails reports once and returns false; the caller that
// owns a statement, production or class then skips to the end of it.
class Parser {
 public:
  Parser(std::string_view source, Diagnostics& diagnostics)
      : lexer_(source, diagnostics), diagnostics_(diagnostics) {
    Advance();
  }

  Specification Read() {
    while (AtName("use")) ReadUse();
    while (token_.kind != TokenKind::End) ReadClass();
    if (specification_.classes.empty()) {
      diagnostics_.Add(DiagnosticKind::NoClass, token_.place, "there is no class",
                       "the first class is the root of every program: class Program { ... }");
    }
    specification_.damaged = diagnostics_.HasErrors();
    return std::move(specification_);
  }

 private:
  // --- tokens ---
  void Advance() { token_ = lexer_.Next(); }
  bool At(std::string_view symbol) const {
    return token_.kind == TokenKind::Symbol && token_.text == symbol;
  }
  bool AtName(std::string_view word) const {
    return token_.kind == TokenKind::Name && token_.text == word;
  }
  bool Skip(std::string_view symbol) {
    if (!At(symbol)) return false;
    Advance();
    return true;
  }
  std::string Shown() const {
    if (token_.kind == TokenKind::End) return "the end of the file";
    if (token_.kind == TokenKind::Quote) return "a text";
    return fmt::format("'{}'", token_.text);
  }
  bool Unexpected(std::string_view wanted, std::string hint = {}) {
    diagnostics_.Add(DiagnosticKind::UnexpectedToken, token_.place,
                     fmt::format("expected {}, found {}", wanted, Shown()), std::move(hint));
    return false;
  }
  bool Expect(std::string_view symbol, std::string hint = {}) {
    return Skip(symbol) || Unexpected(fmt::format("'{}'", symbol), std::move(hint));
  }
  bool ReadName(std::string_view what, std::string& name, Place& place) {
    if (token_.kind != TokenKind::Name) return Unexpected(what);
    if (Reserved(token_.text)) {
      return Unexpected(what, fmt::format("'{}' is reserved; choose another name", token_.text));
    }
    name = token_.text;
    place = token_.place;
    Advance();
    return true;
  }

  // --- recovery ---
  // Past the next ';', or to a '}' or a class.
  void SkipStatement() {
    while (token_.kind != TokenKind::End && !At("}") && !AtName("class")) {
      if (Skip(";")) return;
      SkipToken();
    }
  }
  // Past the '}' that closes `depth` open braces, or to a class.
  void SkipBraces(int depth) {
    while (token_.kind != TokenKind::End && !AtName("class")) {
      if (At("{")) ++depth;
      if (At("}") && --depth <= 0) {
        Advance();
        return;
      }
      SkipToken();
    }
  }
  // A text is skipped as a whole, so that what it contains is not mistaken for structure.
  void SkipToken() {
    if (token_.kind == TokenKind::Quote) {
      while (!lexer_.AtEnd() && lexer_.Peek() != '"' && lexer_.Peek() != '\n') {
        if (lexer_.Take() == '\\' && !lexer_.AtEnd() && lexer_.Peek() != '\n') lexer_.Take();
      }
      if (lexer_.Peek() == '"') lexer_.Take();
    }
    Advance();
  }

  // --- text between quotes; the current token is the opening quote ---
  bool Unterminated(Place open) {
    diagnostics_.Add(DiagnosticKind::UnterminatedText, open, "this text does not end",
                     "close it with \"; inside a text write \\\"");
    Advance();
    return false;
  }
  void SkipLineBreak() {
    lexer_.Take();
    while (lexer_.Peek() == ' ' || lexer_.Peek() == '\t' || lexer_.Peek() == '\r') lexer_.Take();
  }
  void UnknownEscape(Place place, char c) {
    place.length = 2;
    diagnostics_.Add(DiagnosticKind::UnknownEscape, place, fmt::format("unknown escape '\\{}'", c),
                     "known are \\n \\+ \\- \\$ \\# \\\" \\\\ \\( \\)");
  }

  // `regex` keeps the backslash of escapes that the regular expression reader understands.
  bool ReadPlain(std::string& text, bool regex = false) {
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

  void AddText(Production& production, char c) {
    if (production.parts.empty() || production.parts.back().kind != TemplatePart::Kind::Text) {
      production.parts.push_back({TemplatePart::Kind::Text, {}, 0});
    }
    production.parts.back().text += c;
  }

  // ${name : Class}; `$` and `{` are already taken.
  bool ReadChild(Production& production, bool parenthesised) {
    Child child;
    child.parenthesised = parenthesised;
    Place ignored;
    Advance();
    if (!ReadName("the name of a child", child.name, child.place)) return false;
    if (!Expect(":", "a child is written ${name : Class}")) return false;
    if (!ReadName("the class of the child", child.class_name, ignored)) return false;
    if (!At("}")) return Unexpected("'}'", "a child is written ${name : Class}");
    production.parts.push_back(
        {TemplatePart::Kind::Child, {}, static_cast<uint32_t>(production.children.size())});
    production.children.push_back(std::move(child));
    return true;
  }

  // \( ${name : Class} \); `\(` is already taken.
  bool ReadParenthesised(Production& production, Place place) {
    auto blank = [&] {
      while (lexer_.Peek() == ' ' || lexer_.Peek() == '\n' || lexer_.Peek() == '\t') lexer_.Take();
    };
    auto bad = [&] {
      diagnostics_.Add(DiagnosticKind::BadTemplate, place,
                       "\\( must be followed by one child and \\)", "write \\(${name : Class}\\)");
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

  bool ReadPrint(Production& production) {
    Advance();
    Expr value;
    if (!ReadExpr(value, 0)) return false;
    if (!At("}")) return Unexpected("'}'", "a print command is written #{expression}");
    production.parts.push_back(
        {TemplatePart::Kind::Print, {}, static_cast<uint32_t>(production.prints.size())});
    production.prints.push_back(std::move(value));
    return true;
  }

  // After an error inside a template: on to its closing quote, so that the rules behind it are
  // still read.
  bool FinishBadTemplate() {
    if (token_.kind != TokenKind::Quote) {
      while (!lexer_.AtEnd() && lexer_.Peek() != '"') {
        if (lexer_.Take() == '\\' && !lexer_.AtEnd()) lexer_.Take();
      }
      if (!lexer_.AtEnd()) lexer_.Take();
    }
    Advance();
    return true;
  }

  bool ReadTemplate(Production& production) {
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

  bool ReadTemplateEscape(Production& production, Place place) {
    char c = lexer_.Take();
    switch (c) {
      case 'n':
        production.parts.push_back({TemplatePart::Kind::NewLine, {}, 0});
        return true;
      case '+':
        production.parts.push_back({TemplatePart::Kind::Indent, {}, 0});
        return true;
      case '-':
        production.parts.push_back({TemplatePart::Kind::Dedent, {}, 0});
        return true;
      case '$':
      case '#':
      case '"':
      case '\\':
        AddText(production, c);
        return true;
      case '(':
        return ReadParenthesised(production, place);
      case ')':
        diagnostics_.Add(DiagnosticKind::BadTemplate, place, "\\) without \\(",
                         "write \\(${name : Class}\\)");
        return true;
      default:
        UnknownEscape(place, c);
        return true;
    }
  }

  // --- expressions ---
  bool ReadExpr(Expr& expr, int depth) {
    expr.place = token_.place;
    if (depth > kDeepestNesting) {
      diagnostics_.Add(DiagnosticKind::NestedTooDeeply, token_.place,
                       fmt::format("more than {} nested expressions", kDeepestNesting),
                       "name parts of it with loc");
      return false;
    }
    switch (token_.kind) {
      case TokenKind::Number:
      case TokenKind::Character:
        expr.kind = token_.kind == TokenKind::Number ? ExprKind::Number : ExprKind::Character;
        expr.number = token_.number;
        Advance();
        return true;
      case TokenKind::Quote:
        expr.kind = ExprKind::Text;
        return ReadPlain(expr.name);
      case TokenKind::Name:
        return ReadNamed(expr);
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
      case TokenKind::End:
        break;
    }
    return Unexpected("an expression");
  }

  bool ReadNamed(Expr& expr) {
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
    bool touches =
        token_.place.line == place.line && token_.place.column == place.column + place.length;
    if (!touches && lexer_.Peek() != ' ' && lexer_.Peek() != '\n') return true;
    Advance();
    expr.kind = ExprKind::Attribute;
    bool good = ReadName("the name of an attribute", expr.member, place);
    if (place.line == expr.place.line)
      expr.place.length = place.column + place.length - expr.place.column;
    return good;
  }

  bool ReadCall(Expr& expr, int depth) {
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

  // --- structure ---
  void ReadUse() {
    Advance();
    Use use;
    if (ReadName("the name of a module", use.name, use.place) && Expect(";")) {
      specification_.uses.push_back(std::move(use));
    } else {
      while (token_.kind != TokenKind::End && !AtName("class") && !AtName("use") && !At("@")) {
        if (Skip(";")) return;
        SkipToken();
      }
    }
  }

  bool ReadAnnotations(std::vector<Annotation>& annotations) {
    while (Skip("@")) {
      Annotation annotation;
      if (!ReadName("the name of an annotation", annotation.name, annotation.place)) return false;
      if (At("(")) {
        Advance();
        while (!At(")")) {
          AnnotationArgument argument;
          argument.place = token_.place;
          if (token_.kind == TokenKind::Number) {
            argument.number = token_.number;
            Advance();
          } else if (token_.kind == TokenKind::Quote) {
            argument.kind = AnnotationArgument::Kind::Text;
            if (!ReadPlain(argument.text)) return false;
          } else if (token_.kind == TokenKind::Name) {
            argument.kind = AnnotationArgument::Kind::Name;
            if (!ReadName("an argument", argument.text, argument.place)) return false;
          } else {
            return Unexpected("a number, a text or a name");
          }
          annotation.arguments.push_back(std::move(argument));
          if (!At(")") && !Expect(",")) return false;
        }
        Advance();
      }
      annotations.push_back(std::move(annotation));
    }
    return true;
  }

  void ReadClass() {
    Class result;
    size_t errors = diagnostics_.Items().size();
    if (!ReadAnnotations(result.annotations)) {
      SkipToClass();
      if (!AtName("class")) return;
    }
    if (!AtName("class")) {
      Unexpected("a class", specification_.classes.empty()
                                ? "use comes first, then classes"
                                : "is there one '}' too many before it?");
      SkipToClass();
      return;
    }
    Advance();
    if (!ReadName("the name of a class", result.name, result.place)) {
      SkipToClass();
      return;
    }
    bool good = At("(") ? ReadLiteralClass(result) : ReadClassBody(result);
    if (!good) SkipToClass();
    result.damaged = diagnostics_.Items().size() > errors;
    specification_.classes.push_back(std::move(result));
  }

  void SkipToClass() {
    if (AtName("class")) return;
    while (token_.kind != TokenKind::End && !AtName("class")) {
      if (At("}")) {
        Advance();
        if (At("@") || AtName("class")) return;
        continue;
      }
      SkipToken();
    }
  }

  bool ReadLiteralClass(Class& result) {
    Advance();
    result.literal = true;
    result.regex_place = token_.place;
    result.attributes.push_back(
        {AttributeKind::Synthesized, "str", "String", result.place, result.place, {}});
    return ReadPlain(result.regex, true) && Expect(")") && Expect(";");
  }

  bool ReadClassBody(Class& result) {
    if (!Expect("{", "a class is written class Name { ... } or class Name(\"[a-z]{1,3}\");"))
      return false;
    while (AtName("inh") || AtName("syn") || AtName("grd")) {
      if (!ReadAttribute(result)) SkipStatement();
    }
    while (!At("}")) {
      if (token_.kind == TokenKind::End || AtName("class")) {
        return Unexpected("'}'", fmt::format("class {} is not closed", result.name));
      }
      if (AtName("inh") || AtName("syn") || AtName("grd")) {
        Unexpected("a production", "attributes come before productions");
        if (!ReadAttribute(result)) SkipStatement();
        continue;
      }
      Production production;
      bool body = false;
      size_t errors = diagnostics_.Items().size();
      if (ReadProduction(production, body)) {
        production.damaged = diagnostics_.Items().size() > errors;
        result.productions.push_back(std::move(production));
      } else {
        production.damaged = true;
        SkipBraces(body ? 1 : 0);
        if (!production.name.empty()) result.productions.push_back(std::move(production));
      }
    }
    Advance();
    if (result.productions.empty()) {
      diagnostics_.Add(DiagnosticKind::EmptyClass, result.place,
                       fmt::format("class {} has no production", result.name),
                       "add one, for instance empty(\"\") {}");
    }
    return true;
  }

  bool ReadAttribute(Class& result) {
    Attribute attribute;
    attribute.kind = AtName("inh")   ? AttributeKind::Inherited
                     : AtName("syn") ? AttributeKind::Synthesized
                                     : AttributeKind::Guard;
    Advance();
    if (!ReadName("the name of an attribute", attribute.name, attribute.place)) return false;
    if (Skip(":")) {
      if (!ReadName("a type", attribute.type_name, attribute.type_place)) return false;
    }
    if (!Expect(";")) return false;
    result.attributes.push_back(std::move(attribute));
    return true;
  }

  // `body` is set once the production's '{' has been read.
  bool ReadProduction(Production& production, bool& body) {
    if (!ReadAnnotations(production.annotations)) return false;
    if (!ReadName("a production", production.name, production.place)) return false;
    if (!At("(")) return Unexpected("'('", "a production is written name(\"template\") { rules }");
    Expr call;
    Token open = token_;
    Advance();
    if (token_.kind == TokenKind::Quote) {
      if (!ReadTemplate(production) || !Expect(")")) return false;
    } else {
      if (!ReadGenerator(production, open)) return false;
    }
    if (!Expect("{", "the rules of a production stand in braces, also when there are none: {}"))
      return false;
    body = true;
    while (AtName("loc")) {
      if (!ReadLocal(production)) SkipStatement();
    }
    while (!At("}")) {
      if (token_.kind == TokenKind::End || AtName("class")) {
        return Unexpected("'}'", fmt::format("production {} is not closed", production.name));
      }
      if (AtName("loc")) {
        Unexpected("a rule", "loc comes before the rules");
        if (!ReadLocal(production)) SkipStatement();
        continue;
      }
      if (!ReadRule(production)) SkipStatement();
    }
    Advance();
    return true;
  }

  // The '(' of the call is already taken.
  bool ReadGenerator(Production& production, const Token& open) {
    Expr call;
    call.kind = ExprKind::Call;
    call.place = token_.place;
    if (token_.kind != TokenKind::Name || Reserved(token_.text)) {
      diagnostics_.Add(DiagnosticKind::UnexpectedToken, open.place,
                       fmt::format("expected a template or a generator's call, found {}", Shown()),
                       "write name(\"template\") {} or name(Module:function a b) : Type {}");
      return false;
    }
    call.name = token_.text;
    Advance();
    if (!Expect(":", "a generator is written name(Module:function a b) : Type {}")) return false;
    Place ignored;
    if (!ReadName("the name of a function", call.member, ignored)) return false;
    while (!At(")")) {
      if (token_.kind == TokenKind::End) return Unexpected("')'");
      call.arguments.emplace_back();
      if (!ReadExpr(call.arguments.back(), 1)) return false;
    }
    Advance();
    if (!Expect(":", "a generator names the type of its values: ) : Type {}")) return false;
    if (!ReadName("a type", production.value_type_name, production.value_type_place)) return false;
    production.generator = std::move(call);
    return true;
  }

  bool ReadLocal(Production& production) {
    Advance();
    Local local;
    if (!ReadName("the name of the loc", local.name, local.place)) return false;
    if (!Expect("=") || !ReadExpr(local.value, 0) || !Expect(";")) return false;
    production.locals.push_back(std::move(local));
    return true;
  }

  bool ReadRule(Production& production) {
    Rule rule;
    Place place;
    if (!ReadName("a rule", rule.node_name, rule.place)) return false;
    if (!Expect(".", "a rule is written child.attribute = expression;")) return false;
    if (!ReadName("the name of an attribute", rule.attribute_name, place)) return false;
    if (place.line == rule.place.line)
      rule.place.length = place.column + place.length - rule.place.column;
    if (!Expect("=") || !ReadExpr(rule.value, 0) || !Expect(";")) return false;
    production.rules.push_back(std::move(rule));
    return true;
  }

  Lexer lexer_;
  Diagnostics& diagnostics_;
  Token token_;
  Specification specification_;
};

}  // namespace

Specification Parse(std::string_view source, Diagnostics& diagnostics) {
  return Parser(source, diagnostics).Read();
}

}  // namespace assay::grammar
