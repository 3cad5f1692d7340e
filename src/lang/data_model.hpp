// Data models: what the implementation chooses and a program's meaning depends on. A program is written for one data
// model; its types and expected result are exact for every compiler that has this model.
//
// A model is a value with properties. Some have names; any other is written as a name and the properties that differ:
// "ilp32,align8=8,char=unsigned". That text is in header comments, stored models, --data-model, target files and
// measurements; DataModel::Name writes it and ParseDataModel reads it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "lang/types.hpp"
#include "support/result.hpp"
#include "support/table.hpp"

namespace assay::lang {

// The properties; sizes and alignments in bytes. The defaults are those of lp64. Each has a row in data_model.cpp.
struct ModelProperties {
  uint8_t short_bytes = 2;
  uint8_t int_bytes = 4;
  uint8_t long_bytes = 8;
  uint8_t long_long_bytes = 8;
  uint8_t pointer_bytes = 8;
  uint8_t align2 = 2;  // of integers of two bytes inside records, and so on
  uint8_t align4 = 4;
  uint8_t align8 = 8;
  uint8_t align16 = 16;
  uint8_t pointer_align = 8;
  bool char_is_signed = true;
  bool big_endian = false;
  bool fields_from_high_bit = false;  // the first bit-field of a unit has its highest bits
  TypeKind size_type = TypeKind::ULong;
  TypeKind difference_type = TypeKind::Long;
  friend bool operator==(const ModelProperties&, const ModelProperties&) = default;
};

// The models with a name.
enum class DataModelKind : uint8_t { Lp64, Ilp32, Llp64, Ip16, Lp64Big, Ilp32Big, kCount };

struct NamedModel {
  DataModelKind kind;
  std::string_view name;
  ModelProperties properties;
};

inline constexpr std::array kNamedModels = {
    NamedModel{DataModelKind::Lp64, "lp64", {}},
    NamedModel{DataModelKind::Ilp32,
               "ilp32",
               {.long_bytes = 4,
                .pointer_bytes = 4,
                .align8 = 4,
                .pointer_align = 4,
                .size_type = TypeKind::UInt,
                .difference_type = TypeKind::Int}},
    NamedModel{DataModelKind::Llp64,
               "llp64",
               {.long_bytes = 4, .size_type = TypeKind::ULLong, .difference_type = TypeKind::LLong}},
    NamedModel{DataModelKind::Ip16,
               "ip16",
               {.int_bytes = 2,
                .long_bytes = 4,
                .pointer_bytes = 2,
                .align4 = 2,
                .align8 = 2,
                .pointer_align = 2,
                .size_type = TypeKind::UInt,
                .difference_type = TypeKind::Int}},
    NamedModel{
        DataModelKind::Lp64Big, "lp64-be", {.char_is_signed = false, .big_endian = true, .fields_from_high_bit = true}},
    NamedModel{DataModelKind::Ilp32Big,
               "ilp32-be",
               {.long_bytes = 4,
                .pointer_bytes = 4,
                .pointer_align = 4,
                .char_is_signed = false,
                .big_endian = true,
                .fields_from_high_bit = true,
                .size_type = TypeKind::UInt,
                .difference_type = TypeKind::Int}},
};
static_assert(support::InEnumOrder(kNamedModels, DataModelKind::kCount));

constexpr const NamedModel& Info(DataModelKind kind) { return kNamedModels[static_cast<size_t>(kind)]; }

// What the machine and the generator need to know of an integer type.
struct IntegerInfo {
  uint8_t bits = 32;  // value bits including the sign; 1 for _Bool
  bool is_signed = true;
  constexpr int64_t Min() const {
    return is_signed ? static_cast<int64_t>(~static_cast<uint64_t>(0) << (bits - 1)) : 0;
  }
  constexpr uint64_t Max() const {
    return is_signed ? (static_cast<uint64_t>(1) << (bits - 1)) - 1
                     : (bits == 64 ? ~static_cast<uint64_t>(0) : (static_cast<uint64_t>(1) << bits) - 1);
  }
};

// An integer kind under a model; lang/integer_kinds.hpp makes the rows and has the questions to ask.
struct IntegerRow {
  TypeKind standard = TypeKind::Int;
  TypeKind promoted = TypeKind::Int;
  int8_t rank = 0;
  IntegerInfo info;
};

// A data model that programs can be written for: its properties, and the rows of the integer kinds that follow from
// them. The rows are part of the value because generator and machine ask for them all the time.
class DataModel {
 public:
  DataModel() : DataModel(DataModelKind::Lp64) {}
  DataModel(DataModelKind kind) : DataModel(Info(kind).properties) {}
  explicit DataModel(const ModelProperties& properties);  // WhyNoModel must not object

  const ModelProperties& Properties() const { return properties_; }
  // Integers of 128 bits: gcc and clang have them on all machines of 64 bits and on no others.
  bool HasWide() const { return properties_.pointer_bytes == 8; }
  const IntegerRow& Integer(TypeKind kind) const { return integers_[static_cast<size_t>(kind)]; }
  std::string Name() const;  // canonical: equal models have equal names
  friend bool operator==(const DataModel& a, const DataModel& b) { return a.properties_ == b.properties_; }

 private:
  ModelProperties properties_;
  std::array<IntegerRow, static_cast<size_t>(TypeKind::kCount)> integers_;
};

// The properties as text, whether or not they are a model: the named model that differs least, then what differs.
std::string Describe(const ModelProperties& properties);

// Why no program can be written for these properties; empty if programs can.
std::string WhyNoModel(const ModelProperties& properties);

// Reads what DataModel::Name writes, the properties in any order. The Error says what exists.
support::Result<DataModel> ParseDataModel(std::string_view text);

// For help texts: "lp64, ilp32, …" and "char=signed|unsigned, …".
std::string DataModelNames();
std::string ModelPropertyForms();

}  // namespace assay::lang
