// Targets as data: ways to process a program. A target file (targets/*.toml, --targets-file) and
// detection make the same Target; nothing else in Assay knows the name of a compiler.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "choice/choices.hpp"
#include "exec/process.hpp"
#include "support/table.hpp"

namespace assay::target {

enum class Kind { Compiler, Interpreter, kCount };

struct KindInfo {
  Kind kind;
  std::string_view name;
};
inline constexpr std::array kKinds = {KindInfo{Kind::Compiler, "compiler"}, KindInfo{Kind::Interpreter, "interpreter"}};
static_assert(support::InEnumOrder(kKinds, Kind::kCount));

using Flags = std::vector<std::string>;

// All combinations of one alternative per axis.
struct FlagMatrix {
  std::vector<std::vector<Flags>> axes;
};

// Flags of which every test draws a random subset: one of `bases`, then between `draw_min` and
// `draw_max` different ones of `flags`, in their order here. "<2,64>" in a flag stands for a number that is drawn,
// small ones more often.
struct FlagPool {
  std::string name;
  std::vector<Flags> bases;  // one of these is drawn first, e.g. a level; may be empty
  Flags flags;
  uint32_t draw_min = 1;
  uint32_t draw_max = 8;
  std::vector<std::string> cpu;            // features that the processor must have, as Linux names them
  std::vector<std::string> missing_knobs;  // besides the target's: generator knobs that these flags cannot take
};

// A server that a target's commands talk to; {service} in all commands of the target is its folder.
struct Service {
  std::vector<std::string> start;  // stays in the foreground; its log is the file `log` there
  std::vector<std::string> ready;  // succeeds when the server can be used
  double ready_seconds = 60;       // longest wait for that
};

// How the passes of an optimiser can be left out, for triage/culprit.hpp. Words put behind the flags; none: it cannot.
struct Passes {
  // Runs only the first {limit} steps, and names each: "BISECT: running pass (17) InstCombinePass on function (f)".
  std::vector<std::string> bisect;
  std::vector<std::string> list;     // prints the passes, one a line: "tree-ccp1 : ON"
  std::vector<std::string> disable;  // leaves out {pass}
  std::vector<std::string> show;     // prints what {pass} does (triage/pass_code.hpp)
};

// A bug or divergence that need not be reported any more: finds whose signature, target version and
// program have these texts in them are only counted. An empty text is in everything.
struct KnownBug {
  std::string signature, version, program;
  std::string reason;  // for people: where it is reported or documented

  bool Is(std::string_view find_signature, std::string_view target_version, std::string_view find_program) const;
};

// A way to process a program.
//
// Commands are templates: a word that is {flags} or {source} stands for any number of words; inside
// other words {source}, {output} and {folder} are replaced by paths. A compiler has `compile` and
// `run` ("{output}" by default); an interpreter has only `run`, in which {flags} and {source} are
// allowed.
struct Target {
  std::string name;     // "gcc-12"; unique in a campaign
  std::string version;  // as the program tells it, one line
  std::string family;   // the recipe it was made from: "gcc", "clang", "tcc"
  std::string kin;      // as the compiler itself tells it (smoke.cpp), whatever the user calls it: "gcc"; or empty
  std::string variant;  // what else its commands ask of the same compiler: "-m32", "-asan"; empty: nothing
  std::string language = "c";
  Kind kind = Kind::Compiler;
  std::vector<std::string> compile;
  std::vector<std::string> run = {"{output}"};
  std::vector<std::string> run_prefix;  // an emulator: put before `run`
  bool source_on_stdin = false;         // interpreters that read the program from stdin
  std::string data_model = "lp64";      // its text: lang/data_model.hpp
  exec::Limits compile_limits;
  exec::Limits run_limits;
  std::vector<std::string> environment;  // "NAME=value"
  // Beginnings of flags that its command line wants as two words: "-mllvm=", of which -mllvm=-a is given as -mllvm -a.
  std::vector<std::string> split_flags;
  std::vector<std::string> writable;                 // folders (caches) that its commands may write besides their own
  std::vector<Flags> flag_lists;                     // one configuration each
  std::vector<FlagMatrix> matrices;                  // the configurations of each product
  std::vector<FlagPool> pools;                       // one configuration per pool and test, drawn anew
  std::vector<std::string> missing_knobs;            // generator knobs it cannot take, by name
  std::vector<std::string> unsupported_diagnostics;  // texts that mean "not supported": not a find
  std::vector<std::string> undecided;                // output that means "I do not know"; a target that
                                                     // may say so may also take too long: neither is a find
  std::vector<std::string> crash_diagnostics;        // texts that mean an internal error: a crash
  std::vector<KnownBug> known;
  Passes passes;
  std::string tracker;  // how its developers want to be told of bugs: a row of report/upstream.hpp; or empty
  Service service;      // service.hpp runs it; no `start`: none needed
  std::string smoke_program, smoke_output;  // what it must be able to do; empty: a program in C
};

// Whose mistakes it shares. A compiler under another name, behind a wrapper or in a family of the user's own is no
// judge over itself.
inline const std::string& KinOf(const Target& target) { return target.kin.empty() ? target.family : target.kin; }

// A target with flags. The target must outlive it.
struct Configuration {
  const Target* target = nullptr;
  Flags flags;
  bool drawn = false;  // the flags were drawn from a pool: a rejection may be the flags' fault

  // Stable, printable, and another one for every other configuration: "gcc-12 -O2", "gcc-12 '-DA=b c'"; only the
  // target's name without flags.
  std::string Name() const;
  friend bool operator==(const Configuration&, const Configuration&) = default;
};

// The configurations that are the same for every test: flag lists, then matrices; the bare target
// when it has neither and no pool.
std::vector<Configuration> FixedConfigurations(const Target& target);

class FlagKnowledge;  // flag_knowledge.hpp

// A configuration with flags drawn from a pool of the target, from the stream of the target's and the pool's name. Sets
// that contain a combination known to be rejected are drawn again, a few times; then there is none.
std::optional<Configuration> DrawConfiguration(const Target& target, const FlagPool& pool,
                                               const choice::Choices& choices, const FlagKnowledge& known);

// The commands of one test. Paths may be relative to `folder`, which becomes the working folder.
// `extra` is put with the flags (include paths of an external generator, for instance).
exec::Command CompileCommand(const Configuration& configuration, const std::vector<std::string>& sources,
                             const std::string& output, const std::filesystem::path& folder, const Flags& extra = {});
// For an interpreter the sources are its program. With source_on_stdin the caller sets stdin_text.
exec::Command RunCommand(const Configuration& configuration, const std::vector<std::string>& sources,
                         const std::string& output, const std::filesystem::path& folder, const Flags& extra = {});

}  // namespace assay::target
