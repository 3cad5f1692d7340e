// A test per diagnostic: the shortest specification that has it, and that the message has place and
// hint.
#include "grammar/check.hpp"

#include <gtest/gtest.h>

#include <set>

#include "grammar/parser.hpp"

namespace assay::grammar {
namespace {

struct Case {
  DiagnosticKind kind;
  const char* source;
};

constexpr std::string_view kModule = R"(
#pragma once
#include "lala.hpp"
namespace M {
struct T { int64_t x = 0; };
using Words = lala::List<lala::String>;
inline T make(int64_t a, lala::String b) { return {}; }
inline int64_t number(const T& t) { return 1; }
inline Words words() { return {}; }
inline int64_t other(int64_t a) { return a; }
inline int64_t other(bool a) { return a; }
template <typename V> V any(V v) { return v; }
}
)";

const Case kCases[] = {
    {DiagnosticKind::UnexpectedCharacter, "class A { a(\"\") {} } ^"},
    {DiagnosticKind::UnexpectedToken, "class A { a(\"\") {}"},
    {DiagnosticKind::UnterminatedText, "class A { a(\"x"},
    {DiagnosticKind::UnknownEscape, "class A { a(\"\\q\") {} }"},
    {DiagnosticKind::BadCharacterLiteral, "class A { syn s : Integer; a(\"\") { this.s = 'xy'; } }"},
    {DiagnosticKind::NumberTooLarge, "class A { syn s : Integer; a(\"\") { this.s = 99999999999999999999; } }"},
    {DiagnosticKind::NestedTooDeeply, nullptr},  // made below
    {DiagnosticKind::NoClass, "use M;"},
    {DiagnosticKind::EmptyClass, "class A { }"},
    {DiagnosticKind::BadTemplate, "class A { a(\"\\(${b : B}\") {} } class B(\"x\");"},
    {DiagnosticKind::BadRegularExpression, "class A { a(\"${b : B}\") {} } class B(\"[a\");"},
    {DiagnosticKind::DuplicateClass, "class A { a(\"\") {} } class A { a(\"\") {} }"},
    {DiagnosticKind::DuplicateAttribute, "class A { syn s : Integer; syn s : Integer; a(\"\") { this.s = 1; } }"},
    {DiagnosticKind::DuplicateProduction, "class A { a(\"\") {} a(\"x\") {} }"},
    {DiagnosticKind::DuplicateChild, "class A { a(\"${b : B}${b : B}\") {} } class B(\"x\");"},
    {DiagnosticKind::DuplicateLocal, "class A { syn s : Integer; a(\"\") { loc l = 1; loc l = 2; this.s = .l; } }"},
    {DiagnosticKind::DuplicateRule, "class A { syn s : Integer; a(\"\") { this.s = 1; this.s = 2; } }"},
    {DiagnosticKind::DuplicateUse, "use M; use M; class A { a(\"\") {} }"},
    {DiagnosticKind::ReservedChildName, "class A { a(\"${this : B}\") {} } class B(\"x\");"},
    {DiagnosticKind::UnknownClass, "class A { a(\"${b : Bb}\") {} } class B(\"x\");"},
    {DiagnosticKind::UnknownNode, "class A { syn s : String; a(\"${b : B}\") { this.s = c.str; } } class B(\"x\");"},
    {DiagnosticKind::UnknownAttribute,
     "class A { syn s : String; a(\"${b : B}\") { this.s = b.stt; } } class B(\"x\");"},
    {DiagnosticKind::UnknownLocal, "class A { syn s : Integer; a(\"\") { this.s = .l; } }"},
    {DiagnosticKind::UnknownBuiltin, "class A { syn s : Integer; a(\"\") { this.s = (maxx 1 2); } }"},
    {DiagnosticKind::UnknownModule, "class A { syn s : Integer; a(\"\") { this.s = (M:f 1 2); } }"},
    {DiagnosticKind::UnknownFunction, "use M; class A { syn s : Integer; a(\"\") { this.s = (M:numbr 1); } }"},
    {DiagnosticKind::UnknownType, "use M; class A { syn s : Tt; a(\"\") { this.s = nil; } }"},
    {DiagnosticKind::MissingType, "class A { syn s; a(\"\") { this.s = 1; } }"},
    {DiagnosticKind::GuardWithType, "class A { grd s : Boolean; a(\"\") { this.s = true; } }"},
    {DiagnosticKind::ModuleNotFound, "use Missing; class A { a(\"\") {} }"},
    {DiagnosticKind::NotASource,
     "class A { syn s : Integer; syn t : Integer; a(\"\") { this.s = 1; this.t = this.s; } }"},
    {DiagnosticKind::NotATarget,
     "class A { a(\"${b : B}\") { b.s = 1; } } class B { syn s : Integer; b(\"\") { this.s = 1; } "
     "}"},
    {DiagnosticKind::MissingRule, "class A { syn s : Integer; a(\"\") {} }"},
    {DiagnosticKind::MisplacedValue, "class A { syn s : Integer; a(\"\") { this.s = $; } }"},
    {DiagnosticKind::MisplacedGenerator, "use M; class A { a(\"\") {} b (M:words) : String {} }"},
    {DiagnosticKind::GeneratorSource, "use M; class A { syn s : Integer; g (M:any this.s) : String { this.s = 1; } }"},
    {DiagnosticKind::UnknownAnnotation, "@lst class A { a(\"\") {} }"},
    {DiagnosticKind::MisplacedAnnotation, "@weight(2) class A { a(\"\") {} }"},
    {DiagnosticKind::AnnotationArguments, "class A { @weight a(\"\") {} b(\"\") {} }"},
    {DiagnosticKind::DuplicateAnnotation, "@unit @unit class A { a(\"\") {} }"},
    {DiagnosticKind::CopyWithoutEffect, "class A { @copy a(\"\") {} }"},
    {DiagnosticKind::ListWithoutSelf, "@list class A { a(\"\") {} }"},
    {DiagnosticKind::ArgumentCount, "class A { syn s : Boolean; a(\"\") { this.s = (not true false); } }"},
    {DiagnosticKind::TypeMismatch, "class A { syn s : Boolean; a(\"\") { this.s = 1; } }"},
    {DiagnosticKind::ForeignTypeMismatch,
     "use Missing; class A { a(\"${b : B}\") { b.x = b.y; } } class B { inh x : X; syn y : Y; "
     "b(\"\") { this.y = nil; } }"},
    {DiagnosticKind::AttributeCycle,
     "class A { a(\"${b : B}\") { b.i = b.s; } } class B { inh i : Integer; syn s : Integer; "
     "b(\"\") { this.s = this.i; } }"},
    {DiagnosticKind::InfiniteHeight, "class A { a(\"${b : A}\") {} }"},
    {DiagnosticKind::HeightCapTooLow, "@max_height(1) class A { a(\"${b : B}\") {} } class B(\"x\");"},
    {DiagnosticKind::TooLarge, nullptr},
    {DiagnosticKind::UnreachableClass, "class A { a(\"\") {} } class B(\"x\");"},
    {DiagnosticKind::GuardCannotHold, "class A { grd g; a(\"\") { this.g = (and true false); } }"},
    {DiagnosticKind::WeightWithoutEffect, "class A { @weight(3) a(\"\") {} }"},
    {DiagnosticKind::NoProductionLeft, "class A { @weight(0) a(\"\") {} }"},
    {DiagnosticKind::UnusedLocal, "class A { a(\"\") { loc l = 1; } }"},
};

std::string SourceOf(const Case& test) {
  if (test.source) return test.source;
  std::string text;
  if (test.kind == DiagnosticKind::NestedTooDeeply) {
    text = "class A { syn s : Boolean; a(\"\") { this.s = ";
    for (int i = 0; i < 5000; ++i) text += "(not ";
    text += "true";
    for (int i = 0; i < 5000; ++i) text += ")";
    return text + "; } }";
  }
  text = "class A { ";
  for (int i = 0; i < 80; ++i) text += "syn s" + std::to_string(i) + " : Integer; ";
  text += "a(\"\") { ";
  for (int i = 0; i < 80; ++i) text += "this.s" + std::to_string(i) + " = 1; ";
  return text + "} }";
}

Checked CheckWithModule(const std::string& source) {
  Checked result;
  result.file = "test.lala";
  result.source = source;
  result.modules.Scan("M", kModule);
  result.specification = Parse(result.source, result.diagnostics);
  Check(result.specification, {}, result.modules, result.diagnostics);
  return result;
}

class DiagnosticTest : public testing::TestWithParam<Case> {};

TEST_P(DiagnosticTest, IsReportedWithItsPlace) {
  std::string source = SourceOf(GetParam());
  Checked checked = CheckWithModule(source);
  EXPECT_TRUE(checked.diagnostics.Has(GetParam().kind)) << checked.Report();
  std::string name = "[" + std::string(InfoOf(GetParam().kind).name) + "]";
  EXPECT_NE(checked.Report().find(name), std::string::npos);
  for (const Diagnostic& diagnostic : checked.diagnostics.Items()) {
    EXPECT_GT(diagnostic.place.line, 0u) << checked.Report();
  }
}

INSTANTIATE_TEST_SUITE_P(All, DiagnosticTest, testing::ValuesIn(kCases), [](const auto& info) {
  std::string name(InfoOf(info.param.kind).name);
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
});

TEST(Check, EveryDiagnosticHasACase) {
  std::set<DiagnosticKind> tested;
  for (const Case& test : kCases) tested.insert(test.kind);
  EXPECT_EQ(tested.size(), kDiagnosticKinds.size());
}

TEST(Check, TheActualCycleIsShown) {
  Checked checked = CheckWithModule(
      "class A { a(\"${b : B}${c : B}\") { b.i = c.s; c.i = b.s; } }\n"
      "class B { inh i : Integer; syn s : Integer; b(\"\") { this.s = this.i; } }");
  std::string report = checked.Report();
  EXPECT_NE(report.find("b.i -> b.s (by B.b) -> c.i -> c.s (by B.b) -> b.i"), std::string::npos) << report;
}

TEST(Check, ASubProblemMayNotNeedItsOwnResult) {
  std::string source =
      "class A { a(\"${b : B}\") { b.i = b.s; } }\n"
      "class B { inh i : Integer; syn s : Integer; b(\"\") { this.s = 1; } }";
  EXPECT_FALSE(CheckWithModule(source).diagnostics.HasErrors());
  Checked unit =
      CheckWithModule(source.substr(0, source.find("class B")) + "@unit " + source.substr(source.find("class B")));
  EXPECT_TRUE(unit.diagnostics.Has(DiagnosticKind::AttributeCycle)) << unit.Report();
}

TEST(Check, AllErrorsInOneRun) {
  Checked checked = CheckWithModule(
      "use M;\nclass A {\n  syn s : Boolean;\n  a(\"${b : C}\") { this.s = 1; }\n  b(\"\") { "
      "this.t = 1; }\n"
      "  c(\"\") { this.s = (M:numbr 1); }\n}\n");
  EXPECT_TRUE(checked.diagnostics.Has(DiagnosticKind::UnknownClass));
  EXPECT_TRUE(checked.diagnostics.Has(DiagnosticKind::TypeMismatch));
  EXPECT_TRUE(checked.diagnostics.Has(DiagnosticKind::UnknownAttribute));
  EXPECT_TRUE(checked.diagnostics.Has(DiagnosticKind::MissingRule));
  EXPECT_TRUE(checked.diagnostics.Has(DiagnosticKind::UnknownFunction));
  EXPECT_NE(checked.Report().find("did you mean 'number'?"), std::string::npos) << checked.Report();
}

// Specifications written for the published implementation: lower-case types, names that C++
// reserves, modules we do not have. Nothing but remarks on the missing modules may be said.
TEST(Check, ReadsTheDialectWithoutItsModules) {
  Checked checked = ReadAndCheckText("dialect.ls", R"LALA(
use SymbolTable;
use Type;

class Start {
  start (
      "begin\+
      ${body : Body}\-
      end") {
    body.symbols = (SymbolTable:empty);
    body.depth = 0;
  }
}

@list(20)
@copy(symbols, depth)
class Body {
  inh symbols : SymbolTable;
  inh depth : int;
  grd possible;

  one ("${item : Item};") { this.possible = (<= this.depth 3); }
  @weight(7)
  many ("${item : Item};\n${rest : Body}") {
    loc next = (+ this.depth 1);
    this.possible = true;
    rest.symbols = (SymbolTable:put this.symbols item.symbol);
    rest.depth = .next;
  }
}

class Item {
  inh symbols : SymbolTable;
  syn symbol : Symbol;

  @copy
  item ("((${if : Helper}) ? #{.shown} : ${else : Helper}#{else})") {
    loc type = (Type:of this if.symbol);
    loc shown = (Type:name .type 'x' nil);
    this.symbol = (if (isNil .type) if.symbol else.symbol);
  }
}

class Helper {
  inh symbols : SymbolTable;
  syn symbol : Symbol;
  grd valid;
  grd fits; # both must hold

  plain ("${name : Name}${op : Operator}") {
    this.symbol = (SymbolTable:get this.symbols name.str);
    this.valid = (not (equals op.str "||"));
    this.fits = (and this.ok true (> (len name.str) 0));
  }
}

class Name("[a-z][a-zA-Z0-9_]{2,6}");
class Operator("&&|[|][|]|++|%|^");
)LALA",
                                     {});
  EXPECT_EQ(checked.diagnostics.Count(Severity::Error), 1u) << checked.Report();  // this.ok
  EXPECT_EQ(checked.diagnostics.Count(Severity::Warning), 2u) << checked.Report();
  EXPECT_TRUE(checked.diagnostics.Has(DiagnosticKind::UnknownAttribute));
}

// What the published specifications write: each a habit that a reader could stumble over.
TEST(Check, HabitsOfThePublishedSpecifications) {
  Checked checked = ReadAndCheckText("other.ls", R"LALA(
use Env;   # a module, a type and a class may share a name
use Kind;
use List;

@copy(env, kind, not_there,)
class Program {

  # a raw line break at the start, an apostrophe's comment, `#` that is no print command
  program ("
      #include <x>\n\n
      begin\+
        ${ items :Items}${t:Tail}
        end\-
      #(1) #b#{.shown} -- { 'limit' : #{t.limit}, 'x' } \n") {
    loc shown = (Env:print items.after);

    items.before = (Env:empty);
    items.expected = nil; # no kind yet
    t.env = items.after;
  }

}

@list(50)
class Items {

  inh before : Env; inh expected : Kind;
  syn after : Env;

  one ("${i : Item};\n"){
    i.before = this.before;
    i.expected = this.expected;
    this.after = i.after;
  }

  @weight(9)
  more ("${rest : Items}\n${i : Item};\n") { # the list comes first
    rest.before = this.before;
    rest.expected = this.expected;
    i.before = rest.after;
    i.expected = this.expected;
    this.after = (if (isNil rest.after) nil i.after);
  }

}

@unit
@copy(before)
class Item {

  inh before : Env;
  inh expected : Kind;

  grd possible; # early
  grd fits;

  syn after : Env;

  # names that are words of C++ or of LaLa's functions
  @feature("control,flow")
  if ("if ${cond : Kind} {\+${else : Operator}\-}") {
    loc kind = cond.kind;

    cond.wide_allowed = false;
    this.possible =
      (or
        (not (equals else.str "/"))
        (Env:isEmpty this.before)
      );
    this.fits = (Kind:assignable .kind this.expected);
    this.after = (Env:put this.before (Env:symbol nil .kind) -1);
  }
  int ("\"${s : Characters}\"${max : Number} ${h : Hex} ${f : Float}") {
    loc size = (int max.str);
    this.possible = (and (<= .size 12) (>= .size -1) true);
    this.fits = (not (List:contains this.before nil));
    this.after = this.before;
  }
  again ("(${name : Use} ${k : Kind}#{name})") {
    k.wide_allowed = (> (len name.name) 2);
    name.names = (Env:names this.before);
    this.possible = (Kind:sized this.expected); this.fits = true;
    this.after = this.before;
  }
}

class Use {
  inh names : List; #list of text
  syn name: String;

  use_id (Env:visible this.names (Kind:any)) : String { this.name = $; }
}

@hidden
@copy(kind)
class Kind {

  inh wide_allowed : boolean;

  grd allowed;

  syn kind : Kind;

  @weight(10)
  simple ("${kind : Simple}") {
    this.allowed = true;
  }
  wide ("wide(${kind : Simple})") {
    this.allowed = this.wide_allowed;
    this.kind = (Kind:wide kind.kind);
  }
}

@hidden
class Simple {
  syn kind : Kind;

  _true ("true") { this.kind = (Kind:boolean); }
  char ("char") { this.kind = (Kind:character 'c'); }
}

class Tail {
  inh env : Env;
  syn limit : int;

  print ("#{(Env:dump this.env)}") { this.limit = -1; }
}

@count(100)
class Characters("[a-zA-Z0-9+-=_{};]{1,100}");
class Number("0|([1-9][0-9]{0,2})"); # ("0|1");
class Hex("#x[0-9a-fA-F]{1,4}");
class Float("(0|[1-9][0-9]{0,3}).[0-9]{1,3}");
class Operator("+|-|*|/|&&|[|][|]|++|--|^|<=|opt");)LALA",
                                     {});
  EXPECT_EQ(checked.diagnostics.Count(Severity::Error), 0u) << checked.Report();
  EXPECT_EQ(checked.diagnostics.Count(Severity::Warning), 3u) << checked.Report();
  EXPECT_TRUE(checked.diagnostics.Has(DiagnosticKind::ModuleNotFound));
  EXPECT_EQ(checked.specification.classes[2].productions.size(), 3u);
}

// Modules that are not there change nothing about the other checks.
TEST(Check, CyclesAndMissingRulesAreFoundWithoutTheModules) {
  auto check = [](const char* rules) {
    return ReadAndCheckText("other.ls",
                            std::string("use M;\nclass A { a(\"${b : B}${c : B}\") {") + rules +
                                "} }\nclass B { inh i : T; syn s : T; b(\"\") { this.s = (M:f "
                                "this.i); } }",
                            {});
  };
  EXPECT_EQ(check("b.i = (M:g); c.i = b.s;").diagnostics.Count(Severity::Error), 0u);
  EXPECT_TRUE(check("b.i = c.s; c.i = (M:f b.s);").diagnostics.Has(DiagnosticKind::AttributeCycle));
  EXPECT_TRUE(check("b.i = (M:g);").diagnostics.Has(DiagnosticKind::MissingRule));
}

TEST(Check, FeaturesSelectProductions) {
  std::string source = "class A { @feature(\"x,y\") a(\"\") {} b(\"\") {} }";
  auto count = [&](std::optional<std::vector<std::string>> features) {
    CheckOptions options;
    options.features = std::move(features);
    return ReadAndCheckText("f", source, options).specification.classes[0].productions.size();
  };
  EXPECT_EQ(count(std::nullopt), 2u);
  EXPECT_EQ(count({{"y"}}), 2u);
  EXPECT_EQ(count({{"z"}}), 1u);
}

TEST(Check, HeightsAndRecursion) {
  Checked checked = CheckWithModule(
      "class S { s(\"${l : L}\") {} }\n@list class L { one(\"${e : E}\") {} more(\"${e : E}${r : "
      "L}\") {} }\n"
      "class E { leaf(\"x\") {} binary(\"${a : E}${b : E}\") {} }");
  ASSERT_TRUE(checked.Good()) << checked.Report();
  const std::vector<Class>& classes = checked.specification.classes;
  EXPECT_EQ(classes[0].min_height, 3u);
  EXPECT_EQ(classes[1].productions[0].min_height, 2u);
  EXPECT_EQ(classes[1].productions[1].min_height, 2u);
  EXPECT_FALSE(classes[1].productions[1].recursive);
  EXPECT_EQ(classes[2].productions[1].min_height, 2u);
  EXPECT_TRUE(classes[2].productions[1].recursive);
}

}  // namespace
}  // namespace assay::grammar
