#include "cli/run.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <new>
#include <sstream>

#include "cli/commands.hpp"
#include "cli/complete.hpp"
#include "gen/generate.hpp"
#include "support/edit_distance.hpp"

namespace assay::cli {
namespace {

// The command line as CLI11 read it: what it says goes the same way as all other output.
int Answer(const CLI::App& app, const CLI::ParseError& error) {
  std::ostringstream out, complaint;
  const int code = app.exit(error, out, complaint);
  SayText(out.str());
  WarnText(complaint.str());
  return code == 0 ? 0 : static_cast<int>(support::ExitCode::Usage);
}

// The word that should be a command and is none; nothing if there is no such word.
std::optional<std::string> UnknownCommand(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return std::nullopt;
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  std::string names;
  const CLI::App* nearest = nullptr;
  size_t least = 0;
  for (const CLI::App* command : commands) {
    if (command->get_name() == argv[1]) return std::nullopt;
    const size_t distance = support::EditDistance(argv[1], command->get_name());
    if (nearest == nullptr || distance < least) {
      nearest = command;
      least = distance;
    }
    names += (names.empty() ? "" : ", ") + command->get_name();
  }
  const bool close = nearest != nullptr && least <= 2;
  return fmt::format("there is no command '{}'{}; the commands are {}", argv[1],
                     close ? "; did you mean " + nearest->get_name() + "?" : "", names);
}

// Every user of the machine, and without namespaces every compiler under test, may read the command line: an address of
// a database may hold a password.
void HideAddresses(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const size_t at = word.find("postgresql://");
    if (at != word.npos) std::memset(argv[i] + at, '*', word.size() - at);
  }
}

}  // namespace

void AddFolder(CLI::App& command, std::string& folder) {
  CLI::Option* word = command.add_option("folder", folder, "The campaign's folder; --dir FOLDER is the same");
  command.add_option("--dir", folder, "")->group("")->excludes(word);
}

support::Result<void> RequireFolder(const CLI::App& command, const std::string& folder) {
  if (!folder.empty()) return {};
  return support::UsageError(fmt::format("which campaign? assay {} FOLDER", command.get_name()));
}

std::optional<int> Run(int argc, char** argv, std::string_view build) {
  CommandLine line;
  line.app.require_subcommand(1);
  const std::string commit = build.empty() ? std::string() : fmt::format(" ({})", build);
  line.app.set_version_flag("--version", fmt::format("assay {}{}", gen::ProgramVersion(), commit));
  AddFuzz(line);
  AddGrammar(line);
  AddReduce(line);
  AddReplay(line);
  AddReport(line);
  AddGen(line);
  AddCheck(line);
  AddTargets(line);
  AddTriage(line);
  try {
    if (argc > 1 && std::string_view(argv[1]) == "complete") {
      for (const std::string& word : Complete(line.app, {argv + 2, argv + argc})) Say("{}\n", word);
      return 0;
    }
    if (auto unknown = UnknownCommand(line.app, argc, argv)) return Fail(support::UsageError(*unknown));
    try {
      std::vector<std::string> words(argv + 1, argv + argc);
      std::reverse(words.begin(), words.end());  // CLI11 takes them from the end
      HideAddresses(argc, argv);
      line.app.name(argv[0]);
      line.app.parse(std::move(words));
      return line.exit_code;
    } catch (const CLI::ParseError& error) {
      return Answer(line.app, error);
    }
  } catch (const OutputLost&) {
    return std::nullopt;
  } catch (const std::filesystem::filesystem_error& error) {
    return Fail(support::EnvironmentError(error.what()));
  } catch (const std::bad_alloc&) {
    return Fail(support::EnvironmentError("out of memory"));
  }
}

}  // namespace assay::cli
