// Pointer values: interned, so that a program can make only as many as there are places to point at.
#pragma once

#include <vector>

#include "lang/ids.hpp"
#include "machine/memory.hpp"

namespace assay::machine {

using PointerHandle = uint32_t;  // 0 is the null pointer

struct Pointer {
  ObjectId object = kNoObject;
  uint32_t serial = 0;  // of the object: the pointer dangles when they differ
  uint32_t offset = 0;
  uint32_t low = 0, high = 0;  // bytes of the innermost array or object in which it may move
  uint32_t tag = 0;            // the restrict-qualified pointer it is based on; 0 for none
  uint32_t unit = 0;           // of a void *: the size of what it pointed at by its last other type; 0: not known
  lang::FunctionId function;   // a function pointer; object is then none
  friend bool operator==(const Pointer&, const Pointer&) = default;
};

class PointerTable {
 public:
  PointerTable();
  const Pointer& operator[](PointerHandle handle) const { return entries_[handle]; }
  PointerHandle Intern(const Pointer& pointer);
  PointerHandle OfFunction(lang::FunctionId function) {
    Pointer pointer;
    pointer.function = function;
    return Intern(pointer);
  }
  uint32_t Size() const { return static_cast<uint32_t>(entries_.size()); }

 private:
  void Grow();
  std::vector<Pointer> entries_;
  std::vector<PointerHandle> buckets_;  // open addressing; 0 is empty
};

}  // namespace assay::machine
