// Hashes that are the same on every machine: FNV-1a for text, a 64-bit mixer for derived seeds.
#pragma once

#include <cstdint>
#include <string_view>

namespace assay::support {

constexpr uint64_t Mix64(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

constexpr uint64_t HashText(std::string_view text, uint64_t hash = 0xcbf29ce484222325u) {
  for (char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3u;
  }
  return hash;
}

}  // namespace assay::support
