// Data models: what the implementation chooses and a program's meaning depends on. A program is written for one data
// model; its types and expected result are exact for every compiler that has this model.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "support/table.hpp"

namespace assay::lang {

enum class DataModelKind : uint8_t { Lp64, Ilp32, Llp64, Ip16, Lp64Big, Ilp32Big, kCount };

struct DataModel {
  DataModelKind kind;
  std::string_view name;       // as in --data-model and target profiles
  uint8_t int_bytes;
  uint8_t long_bytes;
  uint8_t pointer_bytes;
  uint8_t long_long_align;     // alignment of 8-byte integers inside structs
  bool char_is_signed;
  bool big_endian;
};

inline constexpr std::array kDataModels = {
    DataModel{DataModelKind::Lp64, "lp64", 4, 8, 8, 8, true, false},
    DataModel{DataModelKind::Ilp32, "ilp32", 4, 4, 4, 4, true, false},
    DataModel{DataModelKind::Llp64, "llp64", 4, 4, 8, 8, true, false},
    DataModel{DataModelKind::Ip16, "ip16", 2, 4, 2, 2, true, false},
    DataModel{DataModelKind::Lp64Big, "lp64-be", 4, 8, 8, 8, false, true},
    DataModel{DataModelKind::Ilp32Big, "ilp32-be", 4, 4, 4, 8, false, true},
};
static_assert(support::InEnumOrder(kDataModels, DataModelKind::kCount));

constexpr const DataModel& Info(DataModelKind kind) { return kDataModels[static_cast<size_t>(kind)]; }

constexpr std::optional<DataModelKind> FindDataModel(std::string_view name) {
  for (const DataModel& model : kDataModels) {
    if (model.name == name) return model.kind;
  }
  return std::nullopt;
}

}  // namespace assay::lang
