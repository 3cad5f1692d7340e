// Detection with the real compilers of this machine and with small ones made for the test.
#include "target/detect.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "exec/test_support.hpp"
#include "target/flag_knowledge.hpp"
#include "target/recipe.hpp"

namespace assay::target {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::vector<FoundTarget> DetectOrFail(exec::Executor& executor, const DetectOptions& options) {
  auto found = DetectTargets(executor, options);
  EXPECT_TRUE(found.Ok()) << found.GetError().message;
  return found ? *found : std::vector<FoundTarget>{};
}

std::vector<std::string> NamesOf(const std::vector<FoundTarget>& all) {
  std::vector<std::string> names;
  for (const FoundTarget& one : all) names.push_back(one.target.name);
  return names;
}

const FoundTarget* Find(const std::vector<FoundTarget>& all, const std::string& name) {
  for (const FoundTarget& one : all) {
    if (one.target.name == name) return &one;
  }
  return nullptr;
}

TEST(DetectTest, TheCompilersOfThisMachine) {
  exec::Executor executor;
  std::vector<FoundTarget> all = DetectOrFail(executor, {.language = "c"});
  ASSERT_FALSE(all.empty());
  EXPECT_THAT(NamesOf(all), Not(Contains("gcc")));  // an alias of gcc-<n>
  std::set<std::string> paths;
  for (const FoundTarget& one : all) {
    EXPECT_EQ(one.target.language, "c");
    EXPECT_FALSE(one.path.empty());
    if (!one.works) continue;
    EXPECT_FALSE(one.target.version.empty()) << one.target.name;
    ASSERT_TRUE(one.model.has_value());
    EXPECT_EQ(one.target.data_model, lang::Describe(*one.model));
    EXPECT_TRUE(lang::ParseDataModel(one.target.data_model).Ok()) << one.target.data_model;
    if (one.target.name.find("-linux-") == std::string::npos && !one.target.name.ends_with("-m32")) {
      EXPECT_EQ(one.target.data_model, "lp64") << one.target.name;
    }
  }
}

FlagPool PoolNamed(const Target& target, const std::string& name) {
  for (const FlagPool& pool : target.pools) {
    if (pool.name == name) return pool;
  }
  ADD_FAILURE() << target.name << " has no pool " << name;
  return {};
}

TEST(DetectTest, GccHasAPoolOfItsOwnSwitches) {
  exec::Executor executor;
  for (const FoundTarget& one : DetectOrFail(executor, {.language = "c", .smoke_test = false})) {
    const std::string& name = one.target.name;
    if (!name.starts_with("gcc-") || name.find_first_not_of("0123456789", 4) != name.npos) continue;
    const Flags flags = PoolNamed(one.target, "optimizers").flags;
    EXPECT_GT(flags.size(), 150u);
    EXPECT_THAT(flags, Contains("-fno-gcse"));
    EXPECT_THAT(flags, Contains("-ftree-vectorize"));
    const Flags params = PoolNamed(one.target, "params").flags;
    EXPECT_GT(params.size(), 100u);
    EXPECT_TRUE(std::all_of(params.begin(), params.end(), [](auto& flag) { return flag.ends_with(">"); }));
    // None may change what a program means, whatever pool it is in. Those of floating point are for programs in the
    // mode that does not mind.
    for (const FlagPool& pool : one.target.pools) {
      std::vector<std::string> all_unwanted = {"-ftrapv",
                                               "-fwrapv",
                                               "-fshort-enums",
                                               "-fpack-struct",
                                               "-funsigned-char",
                                               "-fbranch-probabilities",
                                               "-fsingle-precision-constant"};
      if (pool.missing_knobs != std::vector<std::string>{"float_exact", "float_ieee"}) {
        for (const char* flag : {"-fassociative-math", "-ffast-math", "-Ofast", "-fno-signed-zeros", "-mfpmath=387"}) {
          all_unwanted.push_back(flag);
        }
      }
      for (const std::string& unwanted : all_unwanted) {
        EXPECT_THAT(pool.flags, Not(Contains(unwanted))) << pool.name;
        for (const Flags& base : pool.bases) EXPECT_THAT(base, Not(Contains(unwanted))) << pool.name;
      }
    }
  }
}

TEST(DetectTest, AliasesWrappersVersionsAndOrder) {
  exec::Workshop shop;
  exec::Executor executor;
  // Programs named like GCC that hand over to the real compiler.
  for (std::string version : {"9", "10"}) {
    shop.Script("gcc-" + version, "case $1 in --version) echo test gcc " + version +
                                      ";; --help*) echo '  -fone  One.';; *) exec /usr/bin/gcc \"$@\";; esac");
  }
  std::filesystem::create_symlink("gcc-10", shop.Folder() / "gcc");
  shop.Script("ccache", "exit 1");
  std::filesystem::create_symlink("ccache", shop.Folder() / "clang");
  shop.Script("gcc-nm", "exit 1");
  shop.Script("tcc", "echo tcc: broken >&2; exit 1");
  std::vector<FoundTarget> all = DetectOrFail(executor, {.language = "c", .search_path = shop.Folder().string()});
  const FoundTarget* nine = Find(all, "gcc-9");
  ASSERT_NE(nine, nullptr);
  EXPECT_EQ(Find(all, "gcc"), nullptr);
  EXPECT_EQ(Find(all, "clang"), nullptr);
  EXPECT_EQ(Find(all, "gcc-nm"), nullptr);
  EXPECT_LT(nine, Find(all, "gcc-10"));
  EXPECT_EQ(nine->target.version, "test gcc 9");
  EXPECT_THAT(PoolNamed(nine->target, "optimizers").flags, ElementsAre("-fone", "-fno-one"));
  const FoundTarget* tcc = Find(all, "tcc");
  ASSERT_NE(tcc, nullptr);
  EXPECT_FALSE(tcc->works);
  EXPECT_THAT(tcc->problem, HasSubstr("tcc: broken"));
}

TEST(DetectTest, TargetsFileAddsReplacesAndIsChecked) {
  exec::Workshop shop;
  exec::Executor executor;
  const std::string file = (shop.Folder() / "my.toml").string();
  std::ofstream(file) << "[[target]]\nname = 'tcc'\ncompile = 'gcc {flags} {source} -o {output}'\n"
                         "flags = ['-O1']\n"
                         "[[target]]\nname = 'cat'\nkind = 'interpreter'\nlanguage = 'text'\n"
                         "run = 'cat'\nsource_on_stdin = true\n"
                         "smoke_program = 'hello'\nsmoke_output = 'hello'\n"
                         "[[target]]\nname = 'gone'\ncompile = '/no/such/cc {source} {output}'\n"
                         "[[target]]\nname = 'liar'\ncompile = 'touch {source} {output}'\n";
  std::vector<FoundTarget> all = DetectOrFail(executor, {.targets_file = file});
  ASSERT_NE(Find(all, "tcc"), nullptr);
  EXPECT_TRUE(Find(all, "tcc")->works) << Find(all, "tcc")->problem;
  EXPECT_EQ(Find(all, "tcc")->target.flag_lists, (std::vector<Flags>{{"-O1"}}));
  EXPECT_EQ(std::count_if(all.begin(), all.end(), [](auto& one) { return one.target.name == "tcc"; }), 1);
  EXPECT_TRUE(Find(all, "cat")->works) << Find(all, "cat")->problem;
  EXPECT_THAT(Find(all, "gone")->problem, HasSubstr("there is no program /no/such/cc"));
  EXPECT_FALSE(Find(all, "liar")->works);
  EXPECT_THAT(Find(all, "liar")->problem, HasSubstr("Permission denied"));

  auto selected = SelectTargets(all, "cat,tcc");
  ASSERT_TRUE(selected.Ok());
  ASSERT_EQ(selected->size(), 2u);
  EXPECT_EQ((*selected)[0].name, "cat");
  auto missing = SelectTargets(all, "cat,nope");
  ASSERT_FALSE(missing.Ok());
  EXPECT_EQ(missing.GetError().code, support::ExitCode::Usage);
  EXPECT_THAT(missing.GetError().message, HasSubstr("nope"));
  EXPECT_THAT(missing.GetError().message, HasSubstr("cat"));
  EXPECT_THAT(SelectTargets(all, "gone").GetError().message, HasSubstr("does not work"));
  EXPECT_EQ(SelectTargets({}, "").GetError().code, support::ExitCode::Environment);
  EXPECT_FALSE(DetectTargets(executor, {.targets_file = "/no/such/file"}).Ok());
}

class ModelTest : public testing::Test {
 protected:
  // The smoke test of a compiler; `more` are further keys of its recipe.
  FoundTarget Smoke(const std::string& compile, const std::string& more = "", bool lacks_emulator = false) {
    auto recipes = ReadRecipes(
        "[[target]]\nname = 'mine'\ncompile = '" + compile + " -w {flags} {source} -o {output}'\n" + more + "\n",
        "my.toml");
    EXPECT_TRUE(recipes.Ok()) << recipes.GetError().message;
    FoundTarget found;
    found.target = recipes->front().target;
    found.lacks_emulator = lacks_emulator;
    if (lacks_emulator) found.problem = "needs an emulator";
    SmokeTest(executor_, found);
    return found;
  }
  static bool Have(const std::string& command) { return std::system((command + " >/dev/null 2>&1").c_str()) == 0; }
  static bool HaveM32() { return Have("echo 'int main(void) { return 0; }' | gcc -m32 -x c -o /dev/null -"); }

  exec::Executor executor_;
};

TEST_F(ModelTest, FlagsOfTheCompilerShow) {
  EXPECT_EQ(Smoke("gcc").target.data_model, "lp64");
  EXPECT_EQ(Smoke("gcc -funsigned-char").target.data_model, "lp64,char=unsigned");
  if (!HaveM32()) GTEST_SKIP() << "gcc -m32 is not installed (gcc-12-multilib)";
  EXPECT_EQ(Smoke("gcc -m32").target.data_model, "ilp32");
  const FoundTarget aligned = Smoke("gcc -m32 -malign-double");
  EXPECT_EQ(aligned.target.data_model, "ilp32,align8=8");
  EXPECT_TRUE(aligned.works) << aligned.problem;
}

TEST_F(ModelTest, WhatHasNoModelDoesNotWork) {
  const FoundTarget microsoft = Smoke("gcc -mms-bitfields");
  EXPECT_FALSE(microsoft.works);
  EXPECT_THAT(microsoft.problem, HasSubstr("bit-fields are laid out by rules that Assay does not have"));
  const FoundTarget small_enums = Smoke("gcc -fshort-enums");
  EXPECT_FALSE(small_enums.works);
  EXPECT_THAT(small_enums.problem, HasSubstr("an enum with a negative value has 1 bytes"));
  const FoundTarget packed = Smoke("gcc -fpack-struct=1");  // a model: no alignment at all
  EXPECT_TRUE(packed.works) << packed.problem;
  EXPECT_EQ(packed.target.data_model, "lp64,align2=1,align4=1,align8=1,align16=1,align-pointer=1");
}

TEST_F(ModelTest, AConfigurationThatChangesTheModelIsRefused) {
  const FoundTarget mixed = Smoke("gcc", "flags = ['-O0', '-O2 -funsigned-char']");
  EXPECT_FALSE(mixed.works);
  EXPECT_THAT(mixed.problem, HasSubstr("with -O2 -funsigned-char it has the data model lp64,char=unsigned"));
  const FoundTarget drawn = Smoke("gcc", "flags = ['-O1']\n[[target.pool]]\nflags = ['-fno-gcse', '-funsigned-char']");
  EXPECT_FALSE(drawn.works);
  EXPECT_THAT(drawn.problem, HasSubstr("with -funsigned-char it has the data model"));
  const FoundTarget same = Smoke("gcc", "flags = ['-O0', '-O2 -fno-gcse', '-mavx2', '-mnonsense']");
  EXPECT_TRUE(same.works) << same.problem;
  EXPECT_EQ(same.target.data_model, "lp64");
}

TEST_F(ModelTest, AnUnknownDataModelInATargetFileIsAnError) {
  auto recipes =
      ReadRecipes("[[target]]\nname = 'mine'\ncompile = 'cc {source} {output}'\ndata_model = 'lp65'\n", "my.toml");
  ASSERT_FALSE(recipes.Ok());
  EXPECT_THAT(recipes.GetError().message, HasSubstr("my.toml:4: there is no data model 'lp65'; there are lp64, ilp32"));
}

struct Cross {
  std::string compiler, emulator, model;
};

class CrossModelTest : public ModelTest, public testing::WithParamInterface<Cross> {};

TEST_P(CrossModelTest, IsMeasuredAsItIs) {
  const Cross& cross = GetParam();
  if (!Have(cross.compiler + " --version") || !Have(cross.emulator + " --version")) {
    GTEST_SKIP() << cross.compiler << " or " << cross.emulator << " is not installed";
  }
  const FoundTarget found = Smoke(cross.compiler + " -static", "run_prefix = '" + cross.emulator +
                                                                   "'\nrun_limits = { limit_address_space = false }");
  EXPECT_TRUE(found.works) << found.problem;
  EXPECT_EQ(found.target.data_model, cross.model);
  // Without an emulator the model is read from the file.
  const FoundTarget still = Smoke(cross.compiler + " -static", "", true);
  EXPECT_FALSE(still.works);
  EXPECT_EQ(still.problem, "needs an emulator");
  EXPECT_EQ(still.target.data_model, cross.model);
}

INSTANTIATE_TEST_SUITE_P(Compilers, CrossModelTest,
                         testing::Values(Cross{"aarch64-linux-gnu-gcc", "qemu-aarch64", "lp64,char=unsigned"},
                                         Cross{"riscv64-linux-gnu-gcc", "qemu-riscv64", "lp64,char=unsigned"},
                                         Cross{"arm-linux-gnueabihf-gcc", "qemu-arm", "ilp32,align8=8,char=unsigned"},
                                         Cross{"s390x-linux-gnu-gcc", "qemu-s390x", "lp64-be,align16=8"},
                                         Cross{"powerpc64-linux-gnu-gcc", "qemu-ppc64", "lp64-be"},
                                         Cross{"mips-linux-gnu-gcc", "qemu-mips", "ilp32-be,char=signed"}),
                         [](const auto& info) { return info.param.compiler.substr(0, info.param.compiler.find('-')); });

TEST(FlagKnowledgeTest, RejectionsAreMinimisedAndLearnedAndTheInnocentAreNot) {
  exec::Workshop shop;
  exec::Executor executor;
  Target target;
  target.name = "picky";
  target.crash_diagnostics = {"internal compiler error"};
  const std::string program =
      shop.Script("picky",
                  "case \" $* \" in *' -ice '*) echo internal compiler error >&2; exit 1;; esac\n"
                  "case \" $* \" in *' -a '*'-c '*) echo error: -a and -c are incompatible >&2; "
                  "exit 1;; esac\n"
                  "exit 0");
  target.compile = {program, "{flags}", "{source}", "{output}"};
  FlagKnowledge known;
  auto blame = [&](Flags flags) {
    auto blamed = known.BlameFlags(executor, {&target, std::move(flags), true});
    EXPECT_TRUE(blamed.Ok());
    return *blamed;
  };
  EXPECT_FALSE(blame({"-a", "-b"}));
  EXPECT_FALSE(blame({"-ice", "-b"}));
  EXPECT_FALSE(blame({}));
  EXPECT_TRUE(known.All().empty());
  EXPECT_TRUE(blame({"-a", "-b", "-c", "-d"}));
  EXPECT_TRUE(blame({"-a", "-c"}));
  EXPECT_EQ(known.All(), (std::map<std::string, std::vector<Flags>>{{"picky", {{"-a", "-c"}}}}));
  EXPECT_TRUE(known.Rejected("picky", {"-a", "-x", "-c"}));
  EXPECT_FALSE(known.Rejected("picky", {"-a", "-x"}));
  EXPECT_FALSE(known.Rejected("other", {"-a", "-c"}));
  // A compiler that takes nothing any more: its flags are innocent.
  shop.Script("picky", "echo error: cannot find my own headers >&2; exit 1");
  EXPECT_FALSE(blame({"-a", "-b"}));
  EXPECT_EQ(known.All().at("picky").size(), 1u);
}

}  // namespace
}  // namespace assay::target
