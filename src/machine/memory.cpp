#include "machine/memory.hpp"

#include <algorithm>

namespace assay::machine {
namespace {

// The fragments of an eight-byte pointer as one word of this machine: bytes 1 to 8.
uint64_t WholePointer() {
  constexpr uint8_t kBytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  uint64_t word;
  std::memcpy(&word, kBytes, 8);
  return word;
}

}  // namespace

Memory::Memory(uint64_t capacity, bool big_endian)
    : big_endian_(big_endian),
      swap_(big_endian != (std::endian::native == std::endian::big)),
      little_(!big_endian && std::endian::native == std::endian::little),
      capacity_(static_cast<uint32_t>(std::min<uint64_t>(capacity + 64, 1u << 30)) & ~15u),
      fixed_bottom_(capacity_),
      data_(new uint8_t[capacity_]),
      init_(new uint8_t[capacity_]),
      fragment_(new uint8_t[capacity_]) {
  objects_.reserve(256);
}

ObjectId Memory::Create(lang::TypeId type, lang::VarId var, uint32_t size, uint32_t align, uint8_t flags,
                        uint8_t part_quals, bool on_stack) {
  const uint32_t room = (size + 7) & ~7u;
  if (room < size || room > fixed_bottom_ - stack_top_) return kNoObject;
  uint32_t base;
  if (on_stack) {
    base = stack_top_;
    stack_top_ += room;
    peak_stack_ = std::max(peak_stack_, stack_top_);
  } else {
    base = fixed_bottom_ -= room;
  }
  std::memset(&init_[base], 0, room);
  std::memset(&fragment_[base], 0, room);
  ObjectId id;
  if (free_.empty()) {
    id = static_cast<ObjectId>(objects_.size());
    objects_.emplace_back();
  } else {
    id = free_.back();
    free_.pop_back();
  }
  objects_[id] = {next_serial_++, base, size, align, type, var, flags, part_quals};
  return id;
}

void Memory::Kill(ObjectId id) {
  objects_[id].serial = 0;
  free_.push_back(id);
}

void Memory::Free(ObjectId id) {
  objects_[id].serial = 0;
  objects_[id].flags |= kObjectFreed;
}

// A number with hidden bytes is whole as long as none of the others was replaced: then it still is the NaN or the zero.
Readable Memory::LoadHiddenFloat(uint32_t address, uint32_t bytes, Value& value) const {
  uint32_t hidden = 0;
  for (uint32_t i = 0; i < bytes; ++i) {
    const uint8_t fragment = fragment_[address + i];
    if (fragment != 0 && fragment != kFloatByte) return Readable::Fragment;
    hidden += fragment == kFloatByte;
  }
  uint64_t data = 0;
  for (uint32_t i = 0; i < bytes; ++i) data = data << 8 | data_[big_endian_ ? address + i : address + bytes - 1 - i];
  const bool zero = data << (65 - 8 * bytes) == 0;
  const bool whole = hidden == bytes || (hidden == 1 && zero && fragment_[SignByte(address, bytes)] == kFloatByte);
  if (!whole) return Readable::Fragment;
  value = data;
  return Readable::Yes;
}

// At most four bytes hold the handle; wider pointers have zero bytes behind it.
Readable Memory::LoadPointer(uint32_t address, uint32_t bytes, uint32_t& handle) const {
  handle = 0;
  std::memcpy(&handle, &data_[address], std::min(bytes, 4u));
  if (bytes == 8) [[likely]] {
    uint64_t init, fragment;
    std::memcpy(&init, &init_[address], 8);
    std::memcpy(&fragment, &fragment_[address], 8);
    if (init == ~uint64_t{0} && fragment == WholePointer()) return Readable::Yes;
  }
  bool initialized = true, whole = true;
  for (uint32_t i = 0; i < bytes; ++i) {
    initialized &= init_[address + i] == 0xff;
    whole &= fragment_[address + i] == i + 1;
  }
  if (!initialized) return Readable::Uninitialized;
  return whole ? Readable::Yes : Readable::Fragment;
}

bool Memory::StorePointer(uint32_t address, uint32_t bytes, uint32_t handle) {
  if (bytes == 8) [[likely]] {
    const uint64_t fragments = WholePointer();
    std::memset(&data_[address] + 4, 0, 4);
    std::memcpy(&data_[address], &handle, 4);
    std::memset(&init_[address], 0xff, 8);
    std::memcpy(&fragment_[address], &fragments, 8);
    return true;
  }
  if (bytes < 4 && (handle >> (8 * bytes)) != 0) return false;
  std::memset(&data_[address], 0, bytes);
  std::memcpy(&data_[address], &handle, std::min(bytes, 4u));
  for (uint32_t i = 0; i < bytes; ++i) {
    init_[address + i] = 0xff;
    fragment_[address + i] = static_cast<uint8_t>(i + 1);
  }
  return true;
}

Readable Memory::LoadField(uint32_t address, unsigned bit_offset, unsigned width, Value& value) const {
  value = 0;
  for (unsigned i = 0; i < width;) {
    const unsigned position = bit_offset + i;
    const uint32_t at = address + position / 8;
    const unsigned first = position % 8;
    const unsigned count = std::min(width - i, 8 - first);
    const unsigned ones = (1u << count) - 1;
    const unsigned low = big_endian_ ? 8 - first - count : first;
    if (((init_[at] >> low) & ones) != ones) return Readable::Uninitialized;
    if (fragment_[at] != kFieldByte) return Readable::Fragment;
    const Value part = (data_[at] >> low) & ones;
    value = big_endian_ ? (value << count | part) : (value | part << i);
    i += count;
  }
  return Readable::Yes;
}

void Memory::StoreField(uint32_t address, unsigned bit_offset, unsigned width, Value value) {
  for (unsigned i = 0; i < width;) {
    const unsigned position = bit_offset + i;
    const uint32_t at = address + position / 8;
    const unsigned first = position % 8;
    const unsigned count = std::min(width - i, 8 - first);
    const unsigned ones = (1u << count) - 1;
    const unsigned low = big_endian_ ? 8 - first - count : first;
    const unsigned part = static_cast<unsigned>(big_endian_ ? value >> (width - i - count) : value >> i) & ones;
    if (fragment_[at] != kFieldByte) init_[at] = 0, fragment_[at] = kFieldByte;
    data_[at] = static_cast<uint8_t>((data_[at] & ~(ones << low)) | part << low);
    init_[at] = static_cast<uint8_t>(init_[at] | ones << low);
    i += count;
  }
}

void Memory::Copy(uint32_t to, uint32_t from, uint32_t bytes) {
  std::memmove(&data_[to], &data_[from], bytes);
  std::memmove(&init_[to], &init_[from], bytes);
  std::memmove(&fragment_[to], &fragment_[from], bytes);
}

void Memory::Forget(uint32_t address, uint32_t bytes) {
  std::memset(&init_[address], 0, bytes);
  std::memset(&fragment_[address], 0, bytes);
}

void Memory::Fill(uint32_t address, uint32_t bytes, uint8_t value) {
  std::memset(&data_[address], value, bytes);
  std::memset(&init_[address], 0xff, bytes);
  std::memset(&fragment_[address], 0, bytes);
}

void Memory::Shape(uint32_t address, const std::vector<uint8_t>& bits, const std::vector<uint8_t>& field_bytes) {
  for (size_t i = 0; i < bits.size(); ++i) init_[address + i] &= bits[i];
  for (size_t i = 0; i < field_bytes.size(); ++i) {
    if (field_bytes[i] == 0) continue;
    const uint8_t data = data_[address + i];
    if (data != 0 && data != 0xff) init_[address + i] = 0;
    fragment_[address + i] = kFieldByte;
  }
}

bool Memory::AnyInitialized(uint32_t address, uint32_t bytes) const {
  for (uint32_t i = 0; i < bytes; ++i) {
    if (init_[address + i] != 0) return true;
  }
  return false;
}

}  // namespace assay::machine
