// assay gen: programs to stdout, a file or a folder.
#include <filesystem>

#include "cli/commands.hpp"
#include "cli/knob_flags.hpp"
#include "cli/lang_gen.hpp"
#include "emit/emit.hpp"
#include "emit/tokens.hpp"
#include "gen/census.hpp"
#include "gen/generate.hpp"
#include "gen/nest.hpp"
#include "lang/text.hpp"
#include "support/files.hpp"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;
using support::ExitCode;
using support::Result;
using support::UsageError;

constexpr std::string_view kModelForm = "model";  // not C but the stable text form of the program

struct GenFlags {
  uint64_t seed = 1;
  uint64_t count = 1;
  std::string out;
  std::string form = "single";
  std::string data_model = "lp64";
  bool list_knobs = false;
  bool census = false;
  std::string lang = "c";
  KnobFlags knobs;
};

// One file goes to `path`; several, or a folder, to <seed>.c and <seed>.expected, or <seed>/ for the split form.
bool WantsFolder(const GenFlags& flags) {
  std::error_code ignored;
  return flags.count > 1 || flags.out.ends_with('/') || fs::is_directory(flags.out, ignored);
}

Result<void> WriteOne(const GenFlags& flags, uint64_t seed, const emit::Source& source, const std::string& expected) {
  if (flags.out.empty()) {
    for (const emit::File& file : source.files) Say("{}", file.text);
    return {};
  }
  const bool split = source.files.size() > 1;
  if (!WantsFolder(flags)) {
    if (split) return UsageError("the split form has several files: give --out a folder (a name ending in /)");
    return support::WriteFile(flags.out, source.files.front().text, support::Durability::Process);
  }
  const fs::path folder = split ? fs::path(flags.out) / std::to_string(seed) : fs::path(flags.out);
  RETURN_IF_ERROR(support::MakeFolder(folder));
  for (const emit::File& file : source.files) {
    const fs::path path = split ? folder / file.name : folder / fmt::format("{}.c", seed);
    if (Result<void> written = support::WriteFile(path, file.text, support::Durability::Process); !written)
      return written;
  }
  return support::WriteFile(fs::path(flags.out) / fmt::format("{}.expected", seed), expected,
                            support::Durability::Process);
}

Result<void> WriteModel(const GenFlags& flags, uint64_t seed, const std::string& text) {
  if (flags.out.empty()) {
    Say("{}", text);
    return {};
  }
  if (!WantsFolder(flags)) return support::WriteFile(flags.out, text, support::Durability::Process);
  RETURN_IF_ERROR(support::MakeFolder(flags.out));
  return support::WriteFile(fs::path(flags.out) / fmt::format("{}.txt", seed), text, support::Durability::Process);
}

Result<void> Check(const GenFlags& flags, const std::optional<emit::Form>& form) {
  if (flags.form != kModelForm && (!form || *form == emit::Form::Report)) {
    return UsageError(
        fmt::format("there is no form '{}'; the forms are single, split, self-check and model", flags.form));
  }
  if (flags.count == 0) return UsageError("--count must be at least 1");
  if (flags.census && !flags.out.empty())
    return UsageError("--census prints a summary and writes no programs: leave out --out");
  if (flags.out.empty() && flags.count > 1 && !flags.census) return UsageError("several programs need --out FOLDER");
  return {};
}

Result<void> RunGen(const GenFlags& flags) {
  if (flags.list_knobs) {
    RETURN_IF_ERROR(flags.knobs.Read());  // words that mean nothing, as in `--knobs tokens=500`
    Say("{}", KnobTable());
    return {};
  }
  if (flags.lang != "c") {
    if (flags.census) return UsageError("--census counts constructs of C programs: leave out --lang");
    if (flags.knobs.Given()) return UsageError("knobs shape C programs: leave out --lang, or the knobs");
    LanguageRequest request;
    request.language = flags.lang;
    request.seed = flags.seed;
    request.count = flags.count;
    request.folder = flags.out;
    return GenerateLanguage(request);
  }
  ASSIGN_OR_RETURN(auto knobs, flags.knobs.Read());
  const std::optional<emit::Form> form = emit::FindForm(flags.form);
  ASSIGN_OR_RETURN(const lang::DataModel model, lang::ParseDataModel(flags.data_model));
  RETURN_IF_ERROR(Check(flags, form));

  gen::Census census;
  gen::WriterTable writers{};
  gen::ShapeTable shapes{};
  gen::PatternTable patterns;
  for (uint64_t i = 0; i < flags.count; ++i) {
    const uint64_t seed = flags.seed + i;
    const gen::Generated made = gen::Generate(seed, knobs, model);
    emit::EmitOptions options;
    if (form) options.form = *form;
    const emit::Source source = emit::Emit(made.program, made.result, options);
    if (flags.census) {
      size_t tokens = 0;
      for (const emit::File& file : source.files) tokens += emit::CountTokens(file.text);
      census.Add(gen::TakeCensus(made), tokens);
      gen::Add(writers, made.counters.writers);
      gen::Add(shapes, made.counters.shapes);
      gen::Add(patterns, made.patterns);
      continue;
    }
    if (flags.form == kModelForm) {
      RETURN_IF_ERROR(WriteModel(flags, seed, lang::Save(made.program)));
      continue;
    }
    const std::string expected = emit::ExpectedOutput(made.program, made.result, options);
    RETURN_IF_ERROR(WriteOne(flags, seed, source, expected));
  }
  if (flags.census)
    Say("{}{}{}{}", census.Text(), gen::TextOf(writers, knobs), gen::TextOf(shapes), gen::TextOf(patterns));
  return {};
}

}  // namespace

void AddGen(CommandLine& line) {
  auto flags = std::make_shared<GenFlags>();
  CLI::App* command = line.app.add_subcommand("gen", "Make programs that know their own answer");
  command->footer(
      "examples:\n"
      "  assay gen --seed 7                              one program to standard output\n"
      "  assay gen --seed 1 --count 100 --out programs/  100 programs, <seed>.c and <seed>.expected\n"
      "  assay gen --tokens 500 --profile yarpgen        a small one of another kind\n"
      "  assay gen --lang lua --count 10 --out lua/      programs from a grammar\n"
      "  assay gen --knobs                               what can be set");
  command->add_option("--seed", flags->seed, "first seed");
  command->add_option("--count", flags->count, "how many, from consecutive seeds");
  command->add_option(
      "--out", flags->out,
      "a file, a folder (several programs, or a name ending in /), or - for standard output, the default");
  command->add_option(
      "--form", flags->form,
      "single, split, self-check, or model (the stable text form, for 'assay check' and 'assay reduce')");
  command->add_option("--data-model", flags->data_model,
                      fmt::format("{}, or one of them with other properties, as in ilp32,align8=8,char=unsigned: {}",
                                  lang::DataModelNames(), lang::ModelPropertyForms()));
  command->add_option("--lang", flags->lang,
                      "c, or a grammar: lua, sql, smt2, c-crash, PATH.lala ('assay grammar list' shows them)");
  command->add_flag("--knobs", flags->list_knobs, "list all knobs with default, range and help");
  command->add_flag("--census", flags->census,
                    "instead of programs, print which constructs they use and what each writer did");
  flags->knobs.AddTo(*command);
  command->callback([flags, &line] {
    if (flags->out == "-") flags->out.clear();
    if (Result<void> done = RunGen(*flags); !done) line.exit_code = Fail(done.GetError());
  });
}

}  // namespace assay::cli
