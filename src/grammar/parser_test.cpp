#include "grammar/parser.hpp"

#include <gtest/gtest.h>

namespace assay::grammar {
namespace {

// Figure 3 of the *Smith paper, with its slip in StmtList.one (stmt for s) corrected.
constexpr std::string_view kPaper = R"LALA(
use SymbTab;
class Program {
  prog("${stmts : StmtList}\n") {
    stmts.syms = (SymbTab:empty);
  }
}
@list
class StmtList {
  inh syms : SymbTab;
  one("${s : Stmt}") {
    s.s_before = this.syms;
  }
  @weight(3)
  mult("${s : Stmt}\n${r : StmtList}") {
    s.s_before = this.syms;
    r.syms = s.s_after;
  }
}
class Stmt {
  inh s_before : SymbTab;
  syn s_after : SymbTab;
  assign("${i : Identifier} := ${e : Expr};") {
    e.syms = this.s_before;
    this.s_after = (SymbTab:put this.s_before i.str);
  }
}
class Expr {
  inh syms : SymbTab;
  num("${val : Number}") {}
  use_var("${var : UseVariable}") { var.syms = this.syms; }
  binop("${l : Expr} ${op : Op} ${r : Expr}") { l.syms = this.syms; r.syms = this.syms; }
}
class UseVariable {
  inh syms : SymbTab;
  grd defined;
  var("${var : Identifier}") { this.defined = (SymbTab:contains this.syms var.str); }
}
class UseVariableGen {
  inh syms : SymbTab;
  var(SymbTab:defs this.syms) : String {}
}
class Identifier("[a-z]{1,3}");
class Number("[0-9]{0,2}");
class Op("[+|-|*|/]"); # no line break after this comment)LALA";

TEST(Parser, ReadsThePapersExample) {
  Diagnostics diagnostics;
  Specification specification = Parse(kPaper, diagnostics);
  EXPECT_EQ(diagnostics.Render("paper.lala", kPaper), "");
  ASSERT_EQ(specification.classes.size(), 9u);
  EXPECT_EQ(specification.uses[0].name, "SymbTab");
  const Class& list = specification.classes[1];
  EXPECT_EQ(list.annotations[0].name, "list");
  EXPECT_EQ(list.productions[1].annotations[0].arguments[0].number, 3);
  EXPECT_EQ(list.productions[1].children.size(), 2u);
  EXPECT_EQ(list.productions[1].parts[1].kind, TemplatePart::Kind::NewLine);
  EXPECT_TRUE(specification.classes[5].productions[0].generator.has_value());
  EXPECT_EQ(specification.classes[5].productions[0].value_type_name, "String");
  EXPECT_TRUE(specification.classes[6].literal);
  EXPECT_EQ(specification.classes[6].regex, "[a-z]{1,3}");
}

TEST(Parser, ReadsTemplates) {
  constexpr std::string_view kSource = R"LALA(class A {
  a("if \(${c : B}\) {\+
     x\-}#{(M:f "a\"}" c.x)} \$\#\"\\ ${d : B}") { loc y = (+ 1 -2); c.i = .y; this.s = (if true 'x' nil); }
})LALA";
  Diagnostics diagnostics;
  Specification specification = Parse(kSource, diagnostics);
  EXPECT_EQ(diagnostics.Render("t", kSource), "");
  const Production& production = specification.classes[0].productions[0];
  ASSERT_EQ(production.children.size(), 2u);
  EXPECT_TRUE(production.children[0].parenthesised);
  EXPECT_FALSE(production.children[1].parenthesised);
  std::string shape;
  for (const TemplatePart& part : production.parts) {
    switch (part.kind) {
      case TemplatePart::Kind::Text: shape += "[" + part.text + "]"; break;
      case TemplatePart::Kind::NewLine: shape += "n"; break;
      case TemplatePart::Kind::Indent: shape += "+"; break;
      case TemplatePart::Kind::Dedent: shape += "-"; break;
      case TemplatePart::Kind::Child: shape += "c"; break;
      case TemplatePart::Kind::Print: shape += "p"; break;
    }
  }
  EXPECT_EQ(shape, "[if ]c[ {]+[x]-[}]p[ $#\"\\ ]c");
  EXPECT_EQ(production.prints[0].arguments[0].name, "a\"}");
  EXPECT_EQ(production.locals[0].value.arguments[1].number, -2);
  EXPECT_EQ(production.rules[1].value.arguments[1].number, 'x');
}

TEST(Parser, ReportsAllErrorsInOneRunWithPlaceTextAndHint) {
  constexpr std::string_view kSource =
      "class A {\n  inh x Integer;\n  a(\"${b B}\") { b.x = ; b.y = 1; }\n  c(\"\") { this.z 3; "
      "}\n}\n"
      "klass B { }\nclass C(\"[a-z]\")\nclass D { e(\"\") {} }\n";
  Diagnostics diagnostics;
  Specification specification = Parse(kSource, diagnostics);
  std::string text = diagnostics.Render("bad.lala", kSource);
  EXPECT_NE(text.find("bad.lala:2:9: error: expected ';', found 'Integer'"), std::string::npos) << text;
  EXPECT_NE(text.find("bad.lala:3:10: error: expected ':', found 'B'"), std::string::npos) << text;
  EXPECT_NE(text.find("hint: a child is written ${name : Class}"), std::string::npos) << text;
  EXPECT_NE(text.find("bad.lala:4:18: error: expected '=', found '3'"), std::string::npos) << text;
  EXPECT_NE(text.find("bad.lala:6:1: error: expected a class, found 'klass'"), std::string::npos) << text;
  EXPECT_NE(text.find("bad.lala:8:1: error: expected ';', found 'class'"), std::string::npos) << text;
  EXPECT_NE(text.find("    klass B { }\n    ^~~~~\n"), std::string::npos) << text;
  EXPECT_EQ(specification.classes.back().name, "D");
}

}  // namespace
}  // namespace assay::grammar
