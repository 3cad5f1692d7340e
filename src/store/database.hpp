// One connection behind a mutex, and the one way to use it: a transaction that is tried again while
// another process holds the lock or the server cannot be reached, and whose failure is a Result that
// says what to do. Internal to the store.
#pragma once

#include <soci/soci.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "store/server.hpp"
#include "store/store.hpp"

namespace assay::store {

struct Store::Database {
  std::string place;  // for people
  ServerAddress server;
  bool is_server = false;
  soci::session session;
  std::mutex mutex;
  Outage outage;                   // see Store::WhenUnreachable
  std::filesystem::path copy;      // a folder that goes with this object, or empty
  std::set<int64_t> ranges_taken;  // by this object: the first tests of ranges
  std::set<std::string> reductions_taken;

  ~Database();

  // Opens the file, as it is called and whatever characters its name has. `make`: if it is missing.
  void OpenFile(const std::filesystem::path& file, bool make);
  void OpenServer();

  // Runs `body(session)` as one transaction. In a transaction that writes, the first statement must
  // be a write: it takes the lock at once, in SQLite and in PostgreSQL alike, so that what is read
  // afterwards cannot change. A connection that breaks while a transaction is being stored leaves
  // open whether it was: `body` runs again and must come to the same end then.
  template <typename Body>
  auto Transaction(Body body) -> Result<decltype(body(session))> {
    std::lock_guard lock(mutex);
    auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    for (;;) {
      try {
        session.begin();
        auto value = body(session);
        session.commit();
        return value;
      } catch (const std::exception& failure) {
        support::Error error = Explain(failure);
        bool unreachable = IsUnreachable(failure);
        Rollback();
        if (unreachable) {
          if (!Reconnect(failure.what())) return error;
          continue;
        }
        if (!IsBusy(failure) || std::chrono::steady_clock::now() > deadline) return error;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      }
    }
  }

 private:
  void Rollback();
  void PrepareServer();
  // Tries to connect again, less and less often, until it works or nobody wants to wait any more.
  bool Reconnect(std::string why);
  static bool IsBusy(const std::exception& failure);
  bool IsUnreachable(const std::exception& failure) const;
  support::Error Explain(const std::exception& failure) const;
};

}  // namespace assay::store
