// Same seed, same bytes: hashes of programs, kept in tests/golden/programs.txt. When a change of the C generator, the
// machine or the printer changes them, gen::kRevision must move; the hashes of a revision that is there never change.
//
//   ASSAY_REWRITE_GOLDEN=1 build/release/golden_test     (./dev golden)
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <sstream>

#include "emit/emit.hpp"
#include "gen/generate.hpp"
#include "grammar/generator.hpp"
#include "knobs/knobs.hpp"
#include "support/files.hpp"
#include "support/hash.hpp"

namespace assay {
namespace {

const std::string kFile = ASSAY_SOURCE_DIR "/tests/golden/programs.txt";

struct Batch {
  std::string name;
  std::string knobs, profile = "mixed", model = "lp64";
  emit::Form form = emit::Form::Single;
  uint64_t count = 20;
};

// Every form, profile and data model, small and large.
std::vector<Batch> Batches() {
  std::vector<Batch> batches = {{.name = "lp64", .count = 300},
                                {.name = "ilp32", .model = "ilp32", .count = 100},
                                {.name = "split", .form = emit::Form::Split},
                                {.name = "self-check", .form = emit::Form::SelfCheck},
                                {.name = "small", .knobs = "tokens=250", .count = 100},
                                {.name = "large", .knobs = "tokens=30000", .count = 2}};
  for (std::string_view profile : knobs::ProfileNames()) {
    batches.push_back(
        {.name = fmt::format("profile-{}", profile), .knobs = "tokens=1000", .profile = std::string(profile)});
  }
  for (const lang::NamedModel& model : lang::kNamedModels) {
    batches.push_back(
        {.name = fmt::format("model-{}", model.name), .knobs = "tokens=1000", .model = std::string(model.name)});
  }
  return batches;
}

// The version stands in every program; the bytes are those of the rest.
std::string WithoutVersion(std::string text) {
  const std::string version = gen::ProgramVersion();
  const size_t at = text.find(version);
  return at == std::string::npos ? text : text.erase(at, version.size());
}

uint64_t HashOf(const Batch& batch) {
  const knobs::Knobs knobs = knobs::Parse(batch.knobs, knobs::Profile(batch.profile).Value()).Value();
  uint64_t hash = support::HashText(batch.name);
  for (uint64_t seed = 1; seed <= batch.count; ++seed) {
    const gen::Generated made = gen::Generate(seed, knobs, lang::ParseDataModel(batch.model).Value());
    const emit::Source source = emit::Emit(made.program, made.result, {.form = batch.form});
    for (const emit::File& file : source.files) hash = support::HashText(WithoutVersion(file.text), hash);
    hash = support::HashText(emit::ExpectedOutput(made.program, made.result, {.form = batch.form}), hash);
  }
  return hash;
}

uint64_t HashOfLanguage(const std::string& language) {
  auto generator = grammar::Generator::Load(language);
  EXPECT_TRUE(generator.Ok()) << language;
  uint64_t hash = support::HashText(language);
  for (uint64_t seed = 1; seed <= 20; ++seed) hash = support::HashText((*generator)->Generate(seed).Value(), hash);
  return hash;
}

using Rows = std::map<std::string, std::string>;  // "r1 lp64" or "lua", and its hash

Rows ReadRows() {
  Rows rows;
  const auto text = support::ReadFile(kFile);
  if (!text) return rows;
  std::istringstream lines(text.Value());
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.front() == '#') continue;
    const size_t colon = line.find(": ");
    rows[line.substr(0, colon)] = line.substr(colon + 2);
  }
  return rows;
}

void WriteRows(const Rows& rows) {
  std::string text =
      "# Hashes of generated programs, written by ./dev golden (tests/golden_test.cpp). Rows of a revision never "
      "change.\n";
  for (const auto& [name, hash] : rows) text += fmt::format("{}: {}\n", name, hash);
  ASSERT_TRUE(support::WriteFile(kFile, text).Ok());
}

bool Rewrites() { return std::getenv("ASSAY_REWRITE_GOLDEN") != nullptr; }

TEST(GoldenTest, TheBytesOfCProgramsMoveOnlyWithTheRevision) {
  Rows rows = ReadRows();
  bool is_new = false;
  for (const Batch& batch : Batches()) {
    const std::string name = fmt::format("r{} {}", gen::kRevision, batch.name);
    const std::string hash = fmt::format("{:016x}", HashOf(batch));
    const auto old = rows.find(name);
    if (old == rows.end() && Rewrites()) {
      rows[name] = hash;
      is_new = true;
      continue;
    }
    ASSERT_NE(old, rows.end()) << "no hash for '" << name << "': run ./dev golden and commit tests/golden/programs.txt";
    EXPECT_EQ(old->second, hash) << "the programs of '" << batch.name << "' have other bytes than revision "
                                 << gen::kRevision
                                 << " had: if that is meant, raise kRevision in src/gen/revision.hpp, run ./dev golden "
                                    "and soak again (./dev soak)";
  }
  if (is_new) WriteRows(rows);
}

TEST(GoldenTest, TheBytesOfGrammarProgramsAreTheSameEverywhere) {
  Rows rows = ReadRows();
  bool is_new = false;
  for (const std::string language : {"smt2", "smt2-bv", "smt2-fp", "smt2-strings", "lua", "sql", "c-crash"}) {
    const std::string hash = fmt::format("{:016x}", HashOfLanguage(language));
    if (rows[language] == hash) continue;
    EXPECT_TRUE(Rewrites()) << "the programs of '" << language << "' have other bytes (" << hash << " instead of "
                            << rows[language] << "): if that is meant, run ./dev golden";
    rows[language] = hash;
    is_new = true;
  }
  if (is_new && Rewrites()) WriteRows(rows);
}

}  // namespace
}  // namespace assay
