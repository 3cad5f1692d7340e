// The machine's memory: one arena of bytes with two shadows, and the objects that live in it.
//
// For every byte the shadows say which of its bits are initialised (so that bit-fields are exact) and whether it is a
// fragment: of a stored pointer (1 + its index in the pointer), of bit-fields (kFieldByte), or of a floating number
// whose sign or payload nobody may see (kFloatByte). Fragments have no value of their own: where in its bytes a
// bit-field lies is up to the compiler (6.7.2.1p11). Automatic objects are stacked from the bottom of the arena; static
// and heap objects grow down from its top and stay.
#pragma once

#include <bit>
#include <cstring>
#include <memory>
#include <vector>

#include "lang/ids.hpp"
#include "machine/trap.hpp"

namespace assay::machine {

// An index into Memory's objects. Slots are reused: who keeps an ObjectId beyond the object's life also keeps its
// serial.
using ObjectId = uint32_t;
inline constexpr ObjectId kNoObject = 0xffffffffu;

enum ObjectFlag : uint8_t {
  kObjectString = 1,  // a string literal
  kObjectHeap = 2,
  kObjectFreed = 4,
  kObjectStatic = 8,
  kObjectTemporary = 16,  // the record a call returned
};

struct Object {
  uint32_t serial = 0;  // unique among all objects of a run; 0: dead
  uint32_t base = 0;    // in the arena
  uint32_t size = 0;
  uint32_t align = 1;
  lang::TypeId type;  // declared type; of heap objects and VLAs: of one element
  lang::VarId var;    // none for heap objects, strings and temporaries
  uint8_t flags = 0;
  uint8_t part_quals = 0;  // qualifiers of any part
};

inline constexpr uint8_t kFieldByte = 0xff, kFloatByte = 0xfe;  // in the shadow of fragments

enum class Readable : uint8_t { Yes, Uninitialized, Fragment };

class Memory {
 public:
  Memory(uint64_t capacity, bool big_endian);

  // Fails (kNoObject) when the arena is full. The contents are uninitialised.
  ObjectId Create(lang::TypeId type, lang::VarId var, uint32_t size, uint32_t align, uint8_t flags, uint8_t part_quals,
                  bool on_stack);
  void Kill(ObjectId id);  // the lifetime ends; the slot will be reused
  void Free(ObjectId id);  // a heap object: the slot is not reused, so that a second free is recognised

  Object& operator[](ObjectId id) { return objects_[id]; }
  const Object& operator[](ObjectId id) const { return objects_[id]; }
  bool Live(ObjectId id, uint32_t serial) const { return objects_[id].serial == serial; }
  uint32_t NextSerial() const { return next_serial_; }

  uint32_t StackTop() const { return stack_top_; }
  void ResetStack(uint32_t top) { stack_top_ = top; }
  uint32_t PeakStack() const { return peak_stack_; }

  // Whole bytes of an integer (1, 2, 4 or 8), in the data model's byte order; zero-extended.
  Readable Load(uint32_t address, uint32_t bytes, Value& value) const {
    switch (bytes) {
      case 1: return LoadAs<uint8_t>(address, value);
      case 2: return LoadAs<uint16_t>(address, value);
      case 4: return LoadAs<uint32_t>(address, value);
      default: return LoadAs<uint64_t>(address, value);
    }
  }
  void Store(uint32_t address, uint32_t bytes, Value value) {
    switch (bytes) {
      case 1: return StoreAs<uint8_t>(address, value);
      case 2: return StoreAs<uint16_t>(address, value);
      case 4: return StoreAs<uint32_t>(address, value);
      default: return StoreAs<uint64_t>(address, value);
    }
  }

  // The same for an object that is nothing but an integer: it has room for eight bytes. Without a branch, because sizes
  // are as good as random. False if it is not readable, or not that simple.
  bool LoadWhole(uint32_t base, uint32_t bytes, Value& value) const {
    uint64_t data, init, fragment;
    std::memcpy(&data, &data_[base], 8);
    std::memcpy(&init, &init_[base], 8);
    std::memcpy(&fragment, &fragment_[base], 8);
    const uint64_t mask = ~uint64_t{0} >> (64 - 8 * bytes);
    value = data & mask;
    return ((~init | fragment) & mask) == 0 && little_;
  }
  bool StoreWhole(uint32_t base, uint32_t bytes, Value value) {
    if (!little_) [[unlikely]]
      return false;
    const uint64_t mask = ~uint64_t{0} >> (64 - 8 * bytes);
    uint64_t data, init, fragment;
    std::memcpy(&data, &data_[base], 8);
    std::memcpy(&init, &init_[base], 8);
    std::memcpy(&fragment, &fragment_[base], 8);
    data ^= (data ^ value) & mask;
    init |= mask;
    fragment &= ~mask;
    std::memcpy(&data_[base], &data, 8);
    std::memcpy(&init_[base], &init, 8);
    std::memcpy(&fragment_[base], &fragment, 8);
    return true;
  }

  // Pointers: a handle with its fragments marked.
  Readable LoadPointer(uint32_t address, uint32_t bytes, uint32_t& handle) const;
  bool StorePointer(uint32_t address, uint32_t bytes, uint32_t handle);  // false: the handle does not fit

  // Floating numbers, as their bits: Load and Store, but for bytes that are no one's to see. Of a NaN those are all,
  // of a zero without a sign the one that holds it.
  Readable LoadFloat(uint32_t address, uint32_t bytes, Value& value) const {
    const Readable readable = Load(address, bytes, value);
    return readable != Readable::Fragment ? readable : LoadHiddenFloat(address, bytes, value);
  }
  enum class Hidden : uint8_t { Nothing, Sign, All };
  void StoreFloat(uint32_t address, uint32_t bytes, Value value, Hidden hidden) {
    Store(address, bytes, value);
    if (hidden == Hidden::Sign) fragment_[SignByte(address, bytes)] = kFloatByte;
    if (hidden == Hidden::All) std::memset(&fragment_[address], kFloatByte, bytes);
  }

  // Bit-fields, zero-extended: bits [bit_offset, bit_offset + width) from the byte at `address`, counted from the least
  // significant bit (little-endian) or the most significant one (big-endian).
  Readable LoadField(uint32_t address, unsigned bit_offset, unsigned width, Value& value) const;
  void StoreField(uint32_t address, unsigned bit_offset, unsigned width, Value value);

  void Copy(uint32_t to, uint32_t from, uint32_t bytes);  // with shadows; may overlap
  void Forget(uint32_t address, uint32_t bytes);          // makes uninitialised
  void Fill(uint32_t address, uint32_t bytes, uint8_t value);
  // Gives bytes that were filled the shape of a type: restricts what is initialised to the given bits; those that are 1
  // in `field_bytes`, if it is not empty, hold bit-fields, whose value is known only if all their bits are equal.
  void Shape(uint32_t address, const std::vector<uint8_t>& bits, const std::vector<uint8_t>& field_bytes);
  bool AnyInitialized(uint32_t address, uint32_t bytes) const;

  uint8_t Byte(uint32_t address) const { return data_[address]; }
  uint8_t InitializedBits(uint32_t address) const { return init_[address]; }
  uint8_t Fragment(uint32_t address) const { return fragment_[address]; }

 private:
  uint32_t SignByte(uint32_t address, uint32_t bytes) const { return big_endian_ ? address : address + bytes - 1; }
  [[gnu::cold]] Readable LoadHiddenFloat(uint32_t address, uint32_t bytes, Value& value) const;

  template <typename T>
  static T Swap(T value) {
    if constexpr (sizeof(T) == 1) return value;
    if constexpr (sizeof(T) == 2) return static_cast<T>(__builtin_bswap16(value));
    if constexpr (sizeof(T) == 4) return __builtin_bswap32(value);
    if constexpr (sizeof(T) == 8) return __builtin_bswap64(value);
  }
  template <typename T>
  Readable LoadAs(uint32_t address, Value& value) const {
    T data, init, fragment;
    std::memcpy(&init, &init_[address], sizeof(T));
    std::memcpy(&fragment, &fragment_[address], sizeof(T));
    std::memcpy(&data, &data_[address], sizeof(T));
    if (init != static_cast<T>(~static_cast<T>(0))) [[unlikely]]
      return Readable::Uninitialized;
    if (fragment != 0) [[unlikely]]
      return Readable::Fragment;
    value = swap_ ? Swap(data) : data;
    return Readable::Yes;
  }
  template <typename T>
  void StoreAs(uint32_t address, Value value) {
    T data = static_cast<T>(value);
    if (swap_) data = Swap(data);
    std::memcpy(&data_[address], &data, sizeof(T));
    std::memset(&init_[address], 0xff, sizeof(T));
    std::memset(&fragment_[address], 0, sizeof(T));
  }

  bool big_endian_;  // the data model
  bool swap_;        // its byte order is not that of the machine we run on
  bool little_;      // both are little-endian
  uint32_t capacity_;
  uint32_t stack_top_ = 0;
  uint32_t peak_stack_ = 0;
  uint32_t fixed_bottom_;
  uint32_t next_serial_ = 1;
  std::unique_ptr<uint8_t[]> data_, init_, fragment_;
  std::vector<Object> objects_;
  std::vector<ObjectId> free_;
};

}  // namespace assay::machine
