// One program's memory. A Session owns a bump arena and is bound to the thread that generates the
// program; values made by modules point into it and die with it.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace lala {

// What a module function throws when it is asked something that makes no sense; the engine adds
// where it happened.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Memory that is handed out piece by piece and taken back at once.
class Arena {
 public:
  Arena() = default;
  ~Arena() {
    for (const Block& block : blocks_) std::free(block.bytes);
  }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Takes everything back, and keeps it for the next round.
  void Reset() {
    block_ = 0;
    used_before_ = 0;
    if (blocks_.empty()) return;
    next_ = blocks_[0].bytes;
    end_ = next_ + blocks_[0].size;
  }

  // Aligned to 8 bytes; to 16 if only multiples of 16 are asked for.
  void* Allocate(size_t bytes) {
    bytes = Rounded(bytes);
    if (static_cast<size_t>(end_ - next_) < bytes) Grow(bytes);
    std::byte* result = next_;
    next_ += bytes;
    return result;
  }

  // Makes the latest allocation longer or shorter, in place. False: it is not the latest, or there
  // is no room; nothing has changed then.
  bool Resize(void* memory, size_t from, size_t to) {
    auto* begin = static_cast<std::byte*>(memory);
    if (begin + Rounded(from) != next_ || static_cast<size_t>(end_ - begin) < Rounded(to)) {
      return false;
    }
    next_ = begin + Rounded(to);
    return true;
  }

  // A moment: everything allocated later can be told from everything allocated before.
  struct Mark {
    size_t block;
    const std::byte* next;
  };
  Mark Now() const { return {block_, next_}; }
  // Frees this memory if it was allocated since then and is the latest allocation; its bytes are
  // left as they are until the next one.
  void FreeIfLatest(void* memory, size_t bytes, Mark since) {
    auto* begin = static_cast<std::byte*>(memory);
    if (begin + Rounded(bytes) != next_) return;
    if (block_ == since.block && begin < since.next) return;
    next_ = begin;
  }

  // Bytes handed out since the beginning or Reset; for statistics.
  size_t BytesUsed() const {
    if (blocks_.empty()) return 0;
    return used_before_ + static_cast<size_t>(next_ - blocks_[block_].bytes);
  }

 private:
  struct Block {
    std::byte* bytes;
    size_t size;
  };
  static constexpr size_t kFirstBlock = 64 * 1024;
  static constexpr size_t kLargestBlock = 4 * 1024 * 1024;
  static constexpr size_t kHugePage = 2 * 1024 * 1024;

  static size_t Rounded(size_t bytes) { return (bytes + 7) & ~size_t{7}; }

  // A large program needs hundreds of megabytes: with small pages, the kernel would take longer to
  // provide them than we to fill them.
  static std::byte* TakeBlock(size_t size) {
    bool huge = size % kHugePage == 0;
    void* memory = std::aligned_alloc(huge ? kHugePage : 64, size);
    if (!memory) throw std::bad_alloc();
    if (huge) madvise(memory, size, MADV_HUGEPAGE);
    return static_cast<std::byte*>(memory);
  }

  void Grow(size_t bytes) {
    if (!blocks_.empty()) {
      used_before_ += static_cast<size_t>(next_ - blocks_[block_].bytes);
      ++block_;
    }
    if (block_ >= blocks_.size() || blocks_[block_].size < bytes) {
      size_t size = blocks_.empty() ? kFirstBlock : blocks_.back().size * 2;
      if (size > kLargestBlock) size = kLargestBlock;
      if (size < bytes) size = (bytes + kHugePage - 1) / kHugePage * kHugePage;
      blocks_.insert(blocks_.begin() + static_cast<ptrdiff_t>(block_), Block{TakeBlock(size), size});
    }
    next_ = blocks_[block_].bytes;
    end_ = next_ + blocks_[block_].size;
  }

  std::vector<Block> blocks_;
  size_t block_ = 0;
  size_t used_before_ = 0;
  std::byte* next_ = nullptr;
  std::byte* end_ = nullptr;
};

class Session;

namespace detail {
// The session of this thread. A specification loaded as a shared object may have its own copy of
// this variable, so the code that opens sessions must be compiled together with the modules
// (Session::Bind exists for that).
inline thread_local Session* current_session = nullptr;
}  // namespace detail

class Session {
 public:
  // `seed` is the program's seed: all that RandomOf depends on besides the node.
  explicit Session(uint64_t seed = 0) : seed_(seed), outer_(detail::current_session) { detail::current_session = this; }
  ~Session() { detail::current_session = outer_; }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // The session bound to this thread. Requires that one is.
  static Session& Current() { return *detail::current_session; }
  static bool HasCurrent() { return detail::current_session != nullptr; }
  // Binds `session` to this thread (null: none) and returns what was bound before.
  static Session* Bind(Session* session) { return std::exchange(detail::current_session, session); }

  // Forgets every value made so far, keeps the memory, and starts the program of another seed.
  void Reset(uint64_t seed) {
    seed_ = seed;
    arena_.Reset();
  }

  uint64_t seed() const { return seed_; }
  // Where the values are; freed with the session.
  Arena& arena() { return arena_; }

 private:
  uint64_t seed_;
  Session* outer_;
  Arena arena_;
};

// Memory for this many bytes in the current session.
inline void* Allocate(size_t bytes) { return Session::Current().arena().Allocate(bytes); }

// A new T in the current session's arena.
template <typename T, typename... Args>
T* New(Args&&... args) {
  static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= 8);
  return ::new (Allocate(sizeof(T))) T{std::forward<Args>(args)...};
}

}  // namespace lala
