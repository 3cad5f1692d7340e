// What the tests of the store share: folders, processes, a PostgreSQL server of the test's own.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <string>

#include "store/store.hpp"

namespace assay::store {

namespace fs = std::filesystem;

// A folder that is gone after the test.
class Folder {
 public:
  Folder() {
    char name[] = "/tmp/assay_store_XXXXXX";
    path_ = mkdtemp(name);
  }
  ~Folder() { fs::remove_all(path_); }
  const std::string& Path() const { return path_; }

 private:
  std::string path_;
};

inline std::unique_ptr<Store> OpenCampaign(const std::string& folder) {
  auto store = Store::Open(folder);
  EXPECT_TRUE(store.Ok()) << store.GetError().message;
  EXPECT_TRUE((*store)->Begin({.seed = 1000, .source = "c", .created_ms = 5}).Ok());
  return std::move(store).Value();
}

inline pid_t Fork(const std::function<void()>& child) {
  pid_t pid = fork();
  if (pid == 0) {
    child();
    _exit(0);
  }
  return pid;
}

inline int Wait(pid_t pid) {
  int status = 0;
  waitpid(pid, &status, 0);
  return status;
}

// For bugs that are like no other.
inline std::optional<Store::Likeness> NoneLike(const std::vector<Bug>&) { return {}; }

inline Bug SomeBug(const std::string& name) {
  return {.name = name,
          .signature = "sig " + name,
          .kind = "wrong-output",
          .target = "tcc",
          .files = {{"program", "program.c", "int main(void) { return 0; }\n"}, {"actual", "actual.txt", "1\n"}}};
}

// Takes and records tests until none is left; one find in every tenth test, and one bug in all.
inline void WorkUntilDone(Store& store, const std::string& owner, int64_t limit, int pause_us = 0) {
  for (;;) {
    auto taken = store.Take(owner, 4, limit);
    if (!taken.Ok()) _exit(3);
    if (!taken->lease && !taken->wait) return;
    if (!taken->lease) {
      usleep(2000);
      continue;
    }
    while (!taken->lease->Finished()) {
      TestRecord test{.seed = 1000 + taken->lease->Next(), .tallies = {{"tcc", "ok", 1}}};
      if (taken->lease->Next() % 10 == 0) test.finds.push_back(SomeBug("tcc-wrong-output-1"));
      if (pause_us > 0) usleep(pause_us);
      auto recorded = store.Record(*taken->lease, test);
      if (!recorded.Ok()) _exit(3);
      if (!recorded->accepted) break;
    }
  }
}

// A PostgreSQL server on a socket in a folder of its own; gone after the test.
class Server {
 public:
  // False when the server is not installed here. With a password the user `assay` needs it.
  bool Start(const std::string& password = {}) {
    return Shell(
               "bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1); [ -n \"$bin\" ] || exit 9\n"
               "as=; if [ $(id -u) = 0 ]; then chown postgres .; "
               "as='setpriv --reuid=postgres --regid=postgres --clear-groups'; fi\n"
               "printf %s '" +
               password +
               "' >password\n"
               "$as $bin/initdb -D data -U assay --no-sync " +
               (password.empty() ? "-A trust" : "-A scram-sha-256 --pwfile=password") +
               " || exit 8\n"
               "echo \"$as $bin/pg_ctl -D $PWD/data\" >control\n") &&
           StartAgain();
  }
  bool StartAgain() {
    return Shell(
        "$(cat control) -w -o \"-c listen_addresses= -c unix_socket_directories=$PWD -c fsync=off\" "
        "-l server.log start");
  }
  bool Stop() { return Shell("$(cat control) -m immediate stop"); }
  ~Server() {
    if (!Stop()) fprintf(stderr, "no server was stopped\n");
  }
  std::string Url() const { return "postgresql://host=" + folder_.Path() + " user=assay dbname=postgres"; }
  const std::string& Path() const { return folder_.Path(); }

 private:
  bool Shell(const std::string& script) {
    fs::path file = fs::path(folder_.Path()) / "script";
    FILE* out = fopen(file.c_str(), "w");
    fprintf(out, "cd %s\nexec >>log 2>&1\n%s", folder_.Path().c_str(), script.c_str());
    fclose(out);
    return std::system(("sh " + file.string()).c_str()) == 0;
  }
  Folder folder_;
};

}  // namespace assay::store
