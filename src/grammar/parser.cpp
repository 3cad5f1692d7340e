#include "grammar/parser.hpp"

#include <fmt/format.h>

#include "grammar/text_reader.hpp"

namespace assay::grammar {

namespace {

// The structure of a specification, by recursive descent.
class Parser : private TextReader {
 public:
  Parser(std::string_view source, Diagnostics& diagnostics) : TextReader(source, diagnostics) {}

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
      Unexpected("a class", specification_.classes.empty() ? "use comes first, then classes"
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
    result.attributes.push_back({AttributeKind::Synthesized, "str", "String", result.place, result.place, {}});
    return ReadPlain(result.regex, true) && Expect(")") && Expect(";");
  }

  bool ReadClassBody(Class& result) {
    if (!Expect("{", "a class is written class Name { ... } or class Name(\"[a-z]{1,3}\");")) return false;
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
      diagnostics_.Add(DiagnosticKind::EmptyClass, result.place, fmt::format("class {} has no production", result.name),
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
    if (!Expect("{", "the rules of a production stand in braces, also when there are none: {}")) return false;
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
    if (place.line == rule.place.line) rule.place.length = place.column + place.length - rule.place.column;
    if (!Expect("=") || !ReadExpr(rule.value, 0) || !Expect(";")) return false;
    production.rules.push_back(std::move(rule));
    return true;
  }

  Specification specification_;
};

}  // namespace

Specification Parse(std::string_view source, Diagnostics& diagnostics) { return Parser(source, diagnostics).Read(); }

}  // namespace assay::grammar
