#include "lang/text.hpp"

#include <gtest/gtest.h>

#include "lang/samples.hpp"

namespace assay::lang {
namespace {

TEST(TextTest, SaveOfLoadIsTheSameText) {
  for (const Sample& sample : AllSamples()) {
    const std::string text = Save(sample.program);
    support::Result<Program> loaded = Load(text);
    ASSERT_TRUE(loaded.Ok()) << sample.name << ": " << loaded.GetError().message;
    EXPECT_EQ(Save(*loaded), text) << sample.name;
  }
}

TEST(TextTest, WhatNothingRefersToIsLeftOut) {
  Sample sample = TypeSample();
  const std::string text = Save(sample.program);
  Builder b(sample.program);
  Record unused;
  unused.members = {{sample.program.types.Basic(TypeKind::Int)}};
  b.SizeofType(sample.program.types.OfRecord(sample.program.types.AddRecord(unused)));
  b.String(sample.program.strings.Add("unused"));
  b.Local(sample.program.entry, sample.program.types.Basic(TypeKind::Int));
  b.NewLabel();
  EXPECT_EQ(Save(sample.program), text);
}

TEST(TextTest, ReadsLikeTheEssay) {
  Program program;
  program.provenance = {"0.1", 42, "a=\"1\"\n"};
  Builder b(program);
  const TypeId int_type = program.types.Basic(TypeKind::Int);
  const FunctionId f = b.Function(program.types.Function(int_type, {program.types.Pointer(int_type)}, true));
  const VarId local = b.Local(f, int_type, Storage::Auto, b.InitExpr(b.Constant(TypeKind::Int, ~uint64_t{0})));
  b.Append(program.functions[f].body, b.Decl(local));
  Stmt ret;
  ret.kind = StmtKind::Return;
  ret.expr = b.Binary(BinaryOp::Add, b.Deref(b.Var(program.functions[f].params[0])), b.Var(local));
  b.Append(program.functions[f].body, b.Statement(ret));
  program.entry = f;
  const std::string expected =
      "assay-program 1\n"
      "version \"0.1\"\n"
      "seed 42\n"
      "knobs \"a=\\\"1\\\"\\0a\"\n"
      "model lp64\n"
      "function 0 static fn int ( ptr int ... )\n"
      "  param 0 ptr int\n"
      "  auto 1 int\n"
      "entry 0\n"
      "init 1 (const int -1 dec)\n"
      "body 0\n"
      "  decl 1\n"
      "  return (binary + (deref (var 0)) (var 1))\n"
      "end\n";
  EXPECT_EQ(Save(program), expected);
}

struct BadText {
  const char* find;  // in the text of a sample
  const char* replace;
  const char* message;  // a part of it
};

TEST(TextTest, ErrorsSayTheLineAndWhatIsWrong) {
  const std::string text = Save(StatementSample().program);
  const BadText cases[] = {
      {"assay-program 1", "assay-program 9", "line 1: the format has version 9; this program reads version 1"},
      {"assay-program", "int main", "line 1: expected 'assay-program', found 'int'"},
      {"seed 7", "seed x", "line 3: 'x' is not a number"},
      {"model lp64", "model vax", "line 5: there is no data model 'vax'"},
      {"global 0 int", "global 0 integer", "line 6: 'integer' is not a type"},
      {"global 0 int", "global 1 int", "line 6: expected variable 0, found 1"},
      {"global 0 int", "global 0 void", "no such variable can have the type"},
      {"entry 0", "entry 5", "there is no function 5"},
      {"(var 0)", "(var 99)", "there is no variable 99"},
      {"(var 0)", "(thing 0)", "'thing' is not a kind of expression"},
      {"(var 0)", "(deref (var 0))", "deref: operand is not a pointer"},
      {"(const int 0 dec)", "(const int 4294967296 dec)", "const: the value is not one of the type"},
      {"  break", "  stop", "'stop' is not a statement"},
      {"  break", "  break 5", "unexpected '5'"},
      {"end\n", "", "the line ends too early"},
      {"  label 0\n", "", "label 0 is nowhere"},
      {"  label 0\n", "  label 0\n  label 0\n", "a label for the second time"},
  };
  for (const BadText& bad : cases) {
    std::string wrong = text;
    const size_t at = wrong.find(bad.find);
    ASSERT_NE(at, std::string::npos) << bad.find;
    wrong.replace(at, std::string_view(bad.find).size(), bad.replace);
    support::Result<Program> loaded = Load(wrong);
    ASSERT_FALSE(loaded.Ok()) << bad.replace;
    EXPECT_NE(loaded.GetError().message.find(bad.message), std::string::npos) << loaded.GetError().message;
  }
  EXPECT_FALSE(Load("").Ok());
  const std::string deep = text + "body 0\n  expr " + std::string(1'000'000, '(');
  EXPECT_FALSE(Load(deep).Ok());
}

// Whatever is done to a text, loading it gives an error or a program that can be saved and loaded
// again.
TEST(TextTest, MutatedTextsNeverDoHarm) {
  uint64_t state = 12345;
  const auto draw = [&](size_t bound) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<size_t>((state >> 33) % bound);
  };
  std::vector<std::string> texts;
  for (const Sample& sample : AllSamples()) {
    if (sample.name != "constants") texts.push_back(Save(sample.program));
  }
  int loaded_count = 0;
  for (int round = 0; round < 4500; ++round) {
    std::string text = texts[draw(texts.size())];
    if (text.size() > 20'000) text.resize(0), text = texts[1];
    for (size_t n = draw(3) + 1; n > 0; --n) {
      const size_t at = draw(text.size()), other = draw(text.size());
      switch (draw(5)) {
        case 0: text[at] = static_cast<char>(draw(256)); break;
        case 1: text.erase(at, draw(20)); break;
        case 2: text.insert(at, text.substr(other, draw(20))); break;
        case 3: std::swap(text[at], text[other]); break;
        case 4: {  // a word becomes another word of the text
          const size_t begin = text.find(' ', at), from = text.find(' ', other);
          if (begin == std::string::npos || from == std::string::npos) break;
          const size_t end = text.find_first_of(" \n()", begin + 1), to = text.find_first_of(" \n()", from + 1);
          if (end == std::string::npos || to == std::string::npos) break;
          text.replace(begin, end - begin, text.substr(from, to - from));
        }
      }
      if (text.empty()) break;
    }
    support::Result<Program> loaded = Load(text);
    if (!loaded.Ok()) continue;
    ++loaded_count;
    const std::string saved = Save(*loaded);
    support::Result<Program> again = Load(saved);
    ASSERT_TRUE(again.Ok()) << again.GetError().message;
    EXPECT_EQ(Save(*again), saved);
  }
  EXPECT_GT(loaded_count, 100);
}

}  // namespace
}  // namespace assay::lang
