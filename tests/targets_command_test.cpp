// `assay targets` as a user runs it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "exec/executor.hpp"
#include "exec/test_support.hpp"

namespace assay {
namespace {

using testing::HasSubstr;

exec::Observation Assay(std::vector<std::string> arguments) {
  exec::Executor executor;
  arguments.insert(arguments.begin(), ASSAY_PROGRAM);
  auto seen =
      executor.Run({.argv = std::move(arguments)}, exec::Limits{.limit_address_space = false, .processes = 200});
  EXPECT_TRUE(seen.Ok());
  return *seen;
}

TEST(TargetsCommandTest, TableAndJsonAgree) {
  exec::Observation table = Assay({"targets", "--lang", "c"});
  exec::Observation json = Assay({"targets", "--lang", "c", "--json"});
  ASSERT_EQ(json.exit_code, 0) << json.stderr_text;
  EXPECT_EQ(table.exit_code, 0);
  nlohmann::json all = nlohmann::json::parse(json.stdout_text).at("targets");
  ASSERT_FALSE(all.empty());
  for (const auto& target : all) {
    EXPECT_THAT(table.stdout_text, HasSubstr(target.at("name").get<std::string>()));
    EXPECT_EQ(target.at("language"), "c");
  }
}

TEST(TargetsCommandTest, ABadTargetsFileIsAUsageErrorWithItsPlace) {
  exec::Workshop shop;
  const std::string file = (shop.Folder() / "bad.toml").string();
  std::ofstream(file) << "[[target]]\nname = 'x'\ncompiler = 'cc'\n";
  exec::Observation seen = Assay({"targets", "--targets-file", file});
  EXPECT_EQ(seen.exit_code, 2);
  EXPECT_THAT(seen.stderr_text, HasSubstr(file + ":3: unknown key 'compiler'"));
  EXPECT_EQ(Assay({"targets", "--targets-file", "/no/such/file"}).exit_code, 2);
  EXPECT_EQ(Assay({"targets", "--nonsense"}).exit_code, 2);
}

// No program can be written for it: `targets` says so, and so does `fuzz`, which would give it none.
TEST(TargetsCommandTest, ATargetWithoutProgramsIsNotPassedOverInSilence) {
  exec::Workshop shop;
  const std::string file = (shop.Folder() / "my.toml").string();
  std::ofstream(file) << "[[target]]\nname = 'odd'\ncompile = 'gcc -w -mms-bitfields {flags} {source} -o {output}'\n"
                         "[[target]]\nname = 'mixed'\ncompile = 'gcc -w {flags} {source} -o {output}'\n"
                         "flags = ['-O0', '-O1 -funsigned-char']\n";
  const std::string odd = "odd is left out: no program can be written for its data model: bit-fields are laid out";
  const std::string mixed = "mixed is left out: with -O1 -funsigned-char it has the data model lp64,char=unsigned";
  exec::Observation listed = Assay({"targets", "--lang", "c", "--targets-file", file});
  EXPECT_THAT(listed.stdout_text, testing::ContainsRegex("odd +c +[^ ]+ +NO .*no program can be written"));
  EXPECT_THAT(listed.stdout_text, testing::ContainsRegex("mixed +c +lp64 +NO .*-funsigned-char"));
  exec::Observation fuzz = Assay({"fuzz", "--dir", (shop.Folder() / "campaign").string(), "--tests", "1", "--jobs", "1",
                                  "--targets", "tcc,odd,mixed", "--targets-file", file});
  EXPECT_THAT(fuzz.stderr_text, HasSubstr(odd));
  EXPECT_THAT(fuzz.stderr_text, HasSubstr(mixed));
  EXPECT_EQ(fuzz.exit_code, 3);  // it was asked for by name
}

TEST(TargetsCommandTest, AnyProgramThatReadsAFileCanBeATarget) {
  exec::Workshop shop;
  const std::string file = (shop.Folder() / "my.toml").string();
  std::ofstream(file) << "[[target]]\nname = 'upper'\nkind = 'interpreter'\nlanguage = 'text'\n"
                         "run = 'tr a-z A-Z'\nsource_on_stdin = true\n"
                         "smoke_program = 'hello'\nsmoke_output = 'HELLO'\n";
  exec::Observation seen = Assay({"targets", "--targets-file", file, "--lang", "text"});
  EXPECT_EQ(seen.exit_code, 0) << seen.stderr_text;
  EXPECT_THAT(seen.stdout_text, HasSubstr("upper"));
  EXPECT_THAT(seen.stdout_text, HasSubstr("yes"));
  EXPECT_EQ(Assay({"targets", "--lang", "klingon"}).exit_code, 3);
}

// In a jail nobody gets namespaces, so `assay` there has to do without.
TEST(TargetsCommandTest, WithoutNamespacesItSaysSoOnce) {
  exec::Observation table = Assay({"targets", "--lang", "c"});
  EXPECT_THAT(table.stderr_text, HasSubstr("compilers are contained less well here, without namespaces"));
  EXPECT_THAT(table.stderr_text, HasSubstr("docs/security.md"));
  EXPECT_EQ(std::count(table.stderr_text.begin(), table.stderr_text.end(), '\n'), 1) << table.stderr_text;
  exec::Observation json = Assay({"targets", "--lang", "c", "--json"});
  nlohmann::json containment = nlohmann::json::parse(json.stdout_text).at("containment");
  EXPECT_EQ(containment.at("process_namespace"), false);
  EXPECT_EQ(containment.at("full"), false);
}

}  // namespace
}  // namespace assay
