// The one protocol between Assay and the processes it forks: jails and the workers of campaign/forked. A message is a
// length, then fields in a fixed order, host byte order (both ends are the same program on the same machine). Reading
// is checked: a short message makes every further field empty.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "exec/process.hpp"

namespace assay::exec {

class WireWriter {
 public:
  template <typename T>
  void Put(T value) requires std::is_trivially_copyable_v<T> {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void Put(std::string_view text) {
    Put(static_cast<uint64_t>(text.size()));
    bytes_.append(text);
  }
  void Put(const std::string& text) { Put(std::string_view(text)); }
  template <typename T>
  void Put(const std::vector<T>& values) {
    Put(static_cast<uint64_t>(values.size()));
    for (const T& value : values) Put(value);
  }
  const std::string& Bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : rest_(bytes) {}

  template <typename T>
  void Get(T& value) requires std::is_trivially_copyable_v<T> {
    if (!Has(sizeof value)) return;
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
  }
  void Get(std::string& text) {
    uint64_t size = 0;
    Get(size);
    if (!Has(size)) return;
    text.assign(rest_.substr(0, size));
    rest_.remove_prefix(size);
  }
  template <typename T>
  void Get(std::vector<T>& values) {
    uint64_t size = 0;
    Get(size);
    for (uint64_t i = 0; i < size && ok_; ++i) Get(values.emplace_back());
  }
  // Every field was there and nothing is left.
  bool Complete() const { return ok_ && rest_.empty(); }

 private:
  bool Has(uint64_t size) { return ok_ = ok_ && rest_.size() >= size; }
  std::string_view rest_;
  bool ok_ = true;
};

struct Request {
  Command command;
  Limits limits;
};

std::string Encode(const Request& request);
std::string Encode(const Observation& observation);
bool Decode(std::string_view bytes, Request& request);
bool Decode(std::string_view bytes, Observation& observation);

// One whole message over a stream socket. False when the other end is gone.
bool SendMessage(int socket, std::string_view bytes);

enum class Receipt {
  Message,  // a whole one
  Closed,   // the other end is gone, perhaps in the middle of one
  TimeUp,
  Stopped,
};

// When to give up waiting.
struct Patience {
  double seconds = std::numeric_limits<double>::infinity();
  std::function<bool()> stop = {};  // asked several times a second
};

// Waits for one whole message.
Receipt ReceiveMessage(int socket, std::string& bytes, const Patience& patience = {});

}  // namespace assay::exec
