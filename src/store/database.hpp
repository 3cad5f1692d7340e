// One connection behind a mutex, and the one way to use it: a transaction that is retried while
// another process holds the lock, and whose failure is a Result that says what to do. Internal to
// the store.
#pragma once

#include <soci/soci.h>

#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "store/store.hpp"

namespace assay::store {

struct Store::Database {
  std::string place;
  soci::session session;
  std::mutex mutex;

  // Runs `body(session)` as one transaction. In a transaction that writes, the first statement must
  // be a write: it takes the lock at once, in SQLite and in PostgreSQL alike, so that what is read
  // afterwards cannot change.
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
        Rollback();
        if (!IsBusy(failure) || std::chrono::steady_clock::now() > deadline)
          return Explain(failure);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      }
    }
  }

 private:
  void Rollback();
  static bool IsBusy(const std::exception& failure);
  support::Error Explain(const std::exception& failure) const;
};

}  // namespace assay::store
