// The values a campaign keeps. Plain data: the store writes and reads them, the campaign makes
// them, the report renders them. A name here is the column's name in the database.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay::store {

// What a campaign is. Test number i (0, 1, 2, ...) uses the seed `seed + i`.
struct CampaignInfo {
  int64_t seed = 0;
  std::string source;  // which programs: "c", or the external command
  int64_t created_ms = 0;
};

// A stretch of test numbers [first, first + count) that one worker holds; `done` of them are
// recorded. The store accepts a test only from the holder and only as number first + done, so no
// test can be recorded twice.
struct Lease {
  int64_t first = 0;
  int64_t count = 0;
  int64_t done = 0;
  std::string owner;

  int64_t Next() const { return first + done; }
  bool Finished() const { return done >= count; }
};

struct BugFile {
  // "program", "header", "model" (what a reducer reads), "expected", "actual", "diagnostics";
  // "compiler" (what it says about itself); "reduced", "reduced-expected", "reduced-actual" and
  // "reduced-diagnostics" once the bug is reduced.
  std::string role;
  std::string name;
  std::string content;
};

// The way of a bug to a small program. A row exists for every bug that can be reduced.
struct Reduction {
  std::string state;            // "open": waiting or in work; "done"; "failed": note says why
  std::string compile_command;  // as in Bug, for the small program
  std::string run_command;
  std::string ending;
  std::string evidence;
  std::string note;         // one line for people: how small, how long; or what went wrong
  std::string title;        // what the small program shows, in one line
  std::string ended_by;     // as in Bug
  std::string sanitizer;    // what the sanitizer said about it
  std::string explanation;  // which variable first goes wrong where, if that is known

  bool Done() const { return state == "done"; }
};

// What a bug needs to happen, as far as it could be found out (triage/culprit.hpp). A row exists for every bug that was
// looked at after its reduction.
struct Triage {
  std::string flags;          // those of the configuration without which it does not happen, as words of a shell
  std::string pass;           // of the optimiser, as the compiler names it; empty: not known
  std::string place;          // what the pass changed last before it happened: a function; or empty
  std::string others;         // passes without which it does not happen either, one a line
  std::string options;        // options that hide it, one a line
  std::string words;          // what the compiler says about the transformation
  std::string versions;       // what other versions do with the program, one a line: "gcc-11: right"
  std::string note;           // why something is not known
  std::string reason;         // why it is taken for another bug (Bug::same_as)
  std::string before, after;  // code before and after the pass, as the compiler shows it (triage/pass_code.hpp)
  std::string constructs;     // of the small program, one a line (triage/likeness.hpp)
};

// Another find of a bug that had looked like a bug of its own.
struct Twin {
  std::string name;
  int64_t seed = 0;
  int64_t count = 0;
  std::string reason;  // why it is the same; empty while that is only supposed
};

// One bug: everything a report of it needs. `name` is unique, readable and a folder's name.
struct Bug {
  std::string name;
  std::string signature;
  std::string kind;
  std::string title;
  std::string doubt;   // why it is less certain than other bugs: "unconfirmed by a second compiler"; or empty
  std::string family;  // of the target: versions of one compiler
  std::string target;
  std::string version;
  std::string configuration;    // the name of the one shown, for people
  std::string flags;            // its flags, as words of a shell; with `target` they find it again
  std::string failing;          // all failing configurations, one a line
  std::string passing;          // the others
  std::string compile_command;  // shell text; empty for interpreters
  std::string run_command;      // shell text; empty when the compiler itself fails
  // The configuration whose output is the expected one, when nothing better is known.
  std::string reference;
  std::string reference_target;  // its parts
  std::string reference_flags;
  std::string ending;    // how the failing step ended: "exit 1", "signal 11 (SIGSEGV)"
  std::string evidence;  // a line of the diagnostics by which a crash or a rejection is recognised
  std::string language;
  std::string knobs;
  std::string writers;      // of our generator: whose code the program runs, one a line; of the first find
  std::string extra_flags;  // of the program: include paths, for instance
  std::string ended_by;     // what `ending` says, as the stable name of an exec::Ending
  // Shell texts that start the server the commands need and tell when it is ready; {service} in
  // all commands is a folder for it. Empty: none is needed.
  std::string service_start;
  std::string service_ready;
  std::string sanitizer;  // what the sanitizer said about the program; empty: it was not asked
  std::string triple;     // of the compiler, as it tells it
  std::string platform;   // of the machine: system and processor
  std::string tracker;    // of the target: the form of report/upstream.hpp that its developers want
  // What the failing step may use; 0: no limit.
  int64_t timeout_ms = 10000;
  int64_t cpu_ms = 0;           // each process
  int64_t memory_bytes = 0;     // resident, all processes together
  int64_t address_bytes = 0;    // each process
  int64_t file_bytes = 0;       // each file
  int64_t output_bytes = 0;     // standard output and standard error, each
  int64_t processes = 0;        // at once
  int64_t expected_status = 0;  // the program's exit code; means something with an "expected" file
  int64_t known = 0;            // 1: listed in the file of known bugs; only counted
  // Where the file of known bugs says that it is reported. Of a bug that is not `known`: it is back, in a version that
  // is said to have it fixed.
  std::string tracked;
  // The bug that this one turned out to be, or, until it is reduced, is supposed to be; empty: one of its own.
  std::string same_as;
  std::vector<BugFile> files;
  std::optional<Reduction> reduction;
  std::optional<Triage> triage;

  // Kept by the store.
  int64_t count = 0;
  int64_t first_seed = 0;
  int64_t first_seen_ms = 0;
  int64_t last_seen_ms = 0;
  std::vector<Twin> twins;  // bugs that are the same as this one

  // Is it shown as a bug of its own?
  bool IsEntry() const { return same_as.empty(); }
};

// A name with an amount to add to it.
struct Tally {
  std::string target;
  std::string verdict;
  int64_t amount = 0;
};
struct Counter {
  std::string name;
  int64_t amount = 0;
};

// Everything one finished test leaves behind; recorded as a whole or not at all.
struct TestRecord {
  int64_t seed = 0;
  std::vector<Tally> tallies;
  std::vector<Counter> counters;
  std::vector<Bug> finds;
};

struct Find {
  std::string bug;
  int64_t seed = 0;
  int64_t time_ms = 0;
  std::string writers;  // as in Bug, of this program
};

struct Configuration {
  std::string name;
  std::string target;
  std::string version;
  std::string flags;
  std::string data_model;
};

// One process's part in a campaign.
struct Run {
  std::string owner;
  int64_t started_ms = 0;
  int64_t ended_ms = 0;  // 0 while it runs, or when it was killed
  int64_t jobs = 0;
  int64_t tests = 0;
  int64_t own_cpu_us = 0;
  int64_t child_cpu_us = 0;
  std::string lost;  // targets that could not be started any more, one a line: "tcc: no such file"
};

// A point of the charts: totals of the campaign at a time.
struct Sample {
  int64_t time_ms = 0;
  int64_t tests = 0;
  int64_t finds = 0;
  int64_t bugs = 0;
  int64_t no_program = 0;  // in totals only
};

int64_t NowMs();

}  // namespace assay::store
