// assay grammar: check, describe, translate and sample LaLa specifications.
#include <memory>

#include "cli/commands.hpp"
#include "cli/lang_gen.hpp"
#include "exec/executor.hpp"
#include "exec/scratch.hpp"
#include "grammar/compile.hpp"
#include "grammar/derivation_text.hpp"
#include "grammar/describe.hpp"
#include "grammar/reduce_tree.hpp"
#include "grammar/shipped.hpp"
#include "grammar/translate.hpp"
#include "support/files.hpp"

namespace assay::cli {

namespace {

struct GrammarArguments {
  std::string file;
  std::string output;
  std::string features;
  std::string test;
  bool dot = false;
  LanguageRequest request;
};

std::vector<std::string> Features(const std::string& list) {
  std::vector<std::string> features;
  size_t begin = 0;
  while (begin < list.size()) {
    size_t end = std::min(list.find(',', begin), list.size());
    if (end > begin) features.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return features;
}

support::Result<grammar::Checked> Read(const GrammarArguments& arguments, bool all_features) {
  ASSIGN_OR_RETURN(auto cache, grammar::CacheFolder({}));
  ASSIGN_OR_RETURN(auto headers, grammar::HeaderFolder(cache));
  grammar::CheckOptions options;
  if (!all_features || !arguments.features.empty()) options.features = Features(arguments.features);
  options.module_folders = {headers};
  return grammar::ReadAndCheck(arguments.file, options);
}

int Write(const std::string& output, const std::string& text) {
  if (output.empty()) {
    Say("{}", text);
    return 0;
  }
  support::Result<void> written = support::WriteFile(output, text);
  return written ? 0 : Fail(written.GetError());
}

// Prints all diagnostics; usage error if there are errors.
int Check(const GrammarArguments& arguments) {
  support::Result<grammar::Checked> checked = Read(arguments, true);
  if (!checked) return Fail(checked.GetError());
  Say("{}", checked->Report());
  size_t errors = checked->diagnostics.Count(grammar::Severity::Error);
  size_t warnings = checked->diagnostics.Count(grammar::Severity::Warning);
  size_t productions = 0;
  for (const grammar::Class& target : checked->specification.classes) productions += target.productions.size();
  Say("{}: {} classes, {} productions: {} error{}, {} warning{}\n", arguments.file,
      checked->specification.classes.size(), productions, errors, errors == 1 ? "" : "s", warnings,
      warnings == 1 ? "" : "s");
  return errors > 0 ? static_cast<int>(support::ExitCode::Usage) : 0;
}

int Describe(const GrammarArguments& arguments) {
  support::Result<grammar::Checked> checked = Read(arguments, true);
  if (!checked) return Fail(checked.GetError());
  if (!checked->Good()) return Fail(support::UsageError(checked->Report()));
  return Write(arguments.output, arguments.dot ? grammar::DescribeDot(checked->specification)
                                               : grammar::Describe(checked->specification));
}

int Translate(const GrammarArguments& arguments) {
  support::Result<grammar::Checked> checked = Read(arguments, false);
  if (!checked) return Fail(checked.GetError());
  for (const grammar::Use& use : checked->specification.uses) {
    if (!checked->modules.Find(use.name)) return Fail(support::UsageError(checked->Report()));
  }
  if (!checked->Good()) return Fail(support::UsageError(checked->Report()));
  std::string name = std::filesystem::path(arguments.file).stem().string();
  return Write(arguments.output, grammar::Translate(*checked, {name, "assay_language", arguments.output}));
}

// Makes the program of a seed small while a script, run in a folder with the program in it, exits
// with 0.
int Reduce(const GrammarArguments& arguments) {
  grammar::GeneratorOptions options;
  options.features = Features(arguments.features);
  auto generator = grammar::Generator::Load(arguments.request.language, options);
  if (!generator) return Fail(generator.GetError());
  auto program = grammar::Derive(**generator, arguments.request.seed);
  if (!program) return Fail(program.GetError());
  auto scratch = exec::Scratch::Make();
  if (!scratch) return Fail(scratch.GetError());
  exec::Executor executor;
  const std::string script = std::filesystem::absolute(arguments.test);
  const std::string name = "program." + (*generator)->Extension();
  auto interesting = [&](const std::string& text) {
    scratch->Empty();
    if (!support::WriteFile(scratch->Path() / name, text)) return false;
    auto seen = executor.Run({.argv = {script, name}, .working_folder = scratch->Path()}, {});
    return seen && seen->Succeeded();
  };
  auto reduced = grammar::ReduceTree(**generator, *program, interesting);
  if (!reduced) return Fail(reduced.GetError());
  Warn("{} -> {} nodes; {} candidates, {} run, {} kept{}\n", reduced->nodes_before, reduced->nodes_after,
       reduced->candidates, reduced->tests, reduced->accepted, reduced->finished ? "" : "; stopped early");
  return Write(arguments.output, reduced->text);
}

}  // namespace

void AddGrammar(CommandLine& line) {
  auto arguments = std::make_shared<GrammarArguments>();
  CLI::App* app = line.app.add_subcommand("grammar", "Check, describe, translate and try LaLa specifications");
  app->require_subcommand(1);

  CLI::App* list = app->add_subcommand("list", "The shipped languages: what 'assay gen --lang' takes");
  list->callback([] {
    for (const grammar::ShippedLanguage& language : grammar::ShippedLanguages()) {
      Say("{:<16} .{:<5} grammars/{}\n", language.name, language.extension, language.file);
    }
  });

  CLI::App* check = app->add_subcommand("check", "Report all errors and warnings of a specification");
  check->add_option("file", arguments->file, "The specification (.lala)")->required();
  check->add_option("--features", arguments->features, "Features enabled, separated by commas (default: all)");
  check->callback([&line, arguments] { line.exit_code = Check(*arguments); });

  CLI::App* describe = app->add_subcommand("describe", "Print classes, productions, heights and dependencies");
  describe->add_option("file", arguments->file, "The specification (.lala)")->required();
  describe->add_option("--features", arguments->features, "Features enabled (default: all)");
  describe->add_flag("--dot", arguments->dot, "A picture of the classes, for Graphviz");
  describe->add_option("--out", arguments->output, "Write to this file");
  describe->callback([&line, arguments] { line.exit_code = Describe(*arguments); });

  CLI::App* translate = app->add_subcommand("translate", "Print the C++ a specification becomes");
  translate->add_option("file", arguments->file, "The specification (.lala)")->required();
  translate->add_option("--features", arguments->features, "Features enabled (default: none)");
  translate->add_option("--out", arguments->output, "Write to this file");
  translate->callback([&line, arguments] { line.exit_code = Translate(*arguments); });

  CLI::App* sample = app->add_subcommand("sample", "Generate programs of a language");
  sample->add_option("language", arguments->request.language, "A shipped language or the path of a .lala file")
      ->required();
  sample->add_option("--seed", arguments->request.seed, "The first seed");
  sample->add_option("--count", arguments->request.count, "How many programs");
  sample->add_option("--max-height", arguments->request.max_height, "Limit of recursive productions");
  sample->add_option("--features", arguments->features, "Features enabled (default: none)");
  sample->add_option("--out", arguments->output, "A folder for the programs (default: standard output)");
  sample->callback([&line, arguments] {
    arguments->request.folder = arguments->output;
    arguments->request.features = Features(arguments->features);
    support::Result<void> result = GenerateLanguage(arguments->request);
    line.exit_code = result ? 0 : Fail(result.GetError());
  });

  CLI::App* reduce = app->add_subcommand("reduce", "Make the program of a seed small");
  reduce->add_option("language", arguments->request.language, "A shipped language or the path of a .lala file")
      ->required();
  reduce->add_option("--seed", arguments->request.seed, "The seed of the program");
  reduce->add_option("--features", arguments->features, "Features enabled (default: none)");
  reduce
      ->add_option("--test", arguments->test,
                   "Script that exits with 0 if the program in its folder is interesting; the "
                   "program's name is its argument")
      ->required()
      ->check(CLI::ExistingFile);
  reduce->add_option("--out", arguments->output, "Write to this file");
  reduce->callback([&line, arguments] { line.exit_code = Reduce(*arguments); });
}

}  // namespace assay::cli
