#include "lang/data_model.hpp"

#include <fmt/format.h>

#include <optional>
#include <span>
#include <variant>

#include "lang/integer_kinds.hpp"

namespace assay::lang {
namespace {

using support::UsageError;

// A value that a property can have. All properties are small numbers underneath.
struct Choice {
  std::string_view word;
  uint8_t value;
};

constexpr uint8_t Number(TypeKind kind) { return static_cast<uint8_t>(kind); }

constexpr std::array kBytes = {Choice{"1", 1}, Choice{"2", 2}, Choice{"4", 4}, Choice{"8", 8}, Choice{"16", 16}};
constexpr std::span<const Choice> UpTo(size_t bytes) {
  return std::span(kBytes).first(bytes == 2 ? 2 : bytes == 4 ? 3 : bytes == 8 ? 4 : 5);
}
constexpr std::array kOnlyTwo = {Choice{"2", 2}}, kOnlyEight = {Choice{"8", 8}};
constexpr std::array kTwoOrFour = {Choice{"2", 2}, Choice{"4", 4}}, kFourOrEight = {Choice{"4", 4}, Choice{"8", 8}};
constexpr std::array kPointers = {Choice{"2", 2}, Choice{"4", 4}, Choice{"8", 8}};
constexpr std::array kSigns = {Choice{"signed", 1}, Choice{"unsigned", 0}};
constexpr std::array kByteOrders = {Choice{"little", 0}, Choice{"big", 1}};
constexpr std::array kFieldOrders = {Choice{"low", 0}, Choice{"high", 1}};
constexpr std::array kSizeTypes = {Choice{"unsigned-int", Number(TypeKind::UInt)},
                                   Choice{"unsigned-long", Number(TypeKind::ULong)},
                                   Choice{"unsigned-long-long", Number(TypeKind::ULLong)}};
constexpr std::array kDifferenceTypes = {Choice{"int", Number(TypeKind::Int)}, Choice{"long", Number(TypeKind::Long)},
                                         Choice{"long-long", Number(TypeKind::LLong)}};

struct PropertyRow {
  std::string_view name;
  std::variant<uint8_t ModelProperties::*, bool ModelProperties::*, TypeKind ModelProperties::*> member;
  std::span<const Choice> choices;

  uint8_t Get(const ModelProperties& properties) const {
    return std::visit([&](auto field) { return static_cast<uint8_t>(properties.*field); }, member);
  }
  void Set(ModelProperties& properties, uint8_t value) const {
    std::visit(
        [&](auto field) {
          properties.*field = static_cast<std::remove_reference_t<decltype(properties.*field)>>(value);
        },
        member);
  }
};

// In the order in which names have them.
constexpr std::array kProperties = {
    PropertyRow{"short", &ModelProperties::short_bytes, kOnlyTwo},
    PropertyRow{"int", &ModelProperties::int_bytes, kTwoOrFour},
    PropertyRow{"long", &ModelProperties::long_bytes, kFourOrEight},
    PropertyRow{"long-long", &ModelProperties::long_long_bytes, kOnlyEight},
    PropertyRow{"pointer", &ModelProperties::pointer_bytes, kPointers},
    PropertyRow{"align2", &ModelProperties::align2, UpTo(2)},
    PropertyRow{"align4", &ModelProperties::align4, UpTo(4)},
    PropertyRow{"align8", &ModelProperties::align8, UpTo(8)},
    PropertyRow{"align16", &ModelProperties::align16, UpTo(16)},
    PropertyRow{"align-pointer", &ModelProperties::pointer_align, UpTo(8)},
    PropertyRow{"char", &ModelProperties::char_is_signed, kSigns},
    PropertyRow{"byte-order", &ModelProperties::big_endian, kByteOrders},
    PropertyRow{"first-field", &ModelProperties::fields_from_high_bit, kFieldOrders},
    PropertyRow{"size_t", &ModelProperties::size_type, kSizeTypes},
    PropertyRow{"ptrdiff_t", &ModelProperties::difference_type, kDifferenceTypes},
};
// Every member is one byte: a member without a row would not be part of names.
static_assert(kProperties.size() == sizeof(ModelProperties));

std::string Value(const PropertyRow& row, uint8_t value) {
  for (const Choice& choice : row.choices) {
    if (choice.value == value) return std::string(choice.word);
  }
  return std::to_string(value);
}

const PropertyRow* FindProperty(std::string_view name) {
  for (const PropertyRow& row : kProperties) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

const NamedModel* FindNamed(std::string_view name) {
  for (const NamedModel& model : kNamedModels) {
    if (model.name == name) return &model;
  }
  return nullptr;
}

size_t Differences(const ModelProperties& a, const ModelProperties& b) {
  size_t count = 0;
  for (const PropertyRow& row : kProperties) count += row.Get(a) != row.Get(b);
  return count;
}

std::string Choices(const PropertyRow& row) {
  std::string text;
  for (const Choice& choice : row.choices) {
    if (!text.empty()) text += '|';
    text += choice.word;
  }
  return text;
}

// "name=value"; what is wrong with it, or nothing.
std::string SetProperty(ModelProperties& properties, std::string_view text) {
  const size_t equals = text.find('=');
  const PropertyRow* row = FindProperty(text.substr(0, equals));
  if (row == nullptr || equals == std::string_view::npos) {
    return fmt::format("'{}' is not a property; they are {}", text, ModelPropertyForms());
  }
  const std::string_view word = text.substr(equals + 1);
  for (const Choice& choice : row->choices) {
    if (choice.word != word) continue;
    row->Set(properties, choice.value);
    return "";
  }
  return fmt::format("'{}' cannot be '{}', only {}", row->name, word, Choices(*row));
}

}  // namespace

DataModel::DataModel(const ModelProperties& properties) : properties_(properties) {
  for (size_t i = 0; i < integers_.size(); ++i) {
    const auto kind = static_cast<TypeKind>(i);
    if (IsInteger(kind)) integers_[i] = integer_kinds::MakeRow(kind, properties);
  }
}

std::string DataModel::Name() const { return Describe(properties_); }

std::string Describe(const ModelProperties& properties) {
  const NamedModel* nearest = &kNamedModels.front();
  for (const NamedModel& model : kNamedModels) {
    if (Differences(model.properties, properties) < Differences(nearest->properties, properties)) nearest = &model;
  }
  std::string text(nearest->name);
  for (const PropertyRow& row : kProperties) {
    if (row.Get(nearest->properties) == row.Get(properties)) continue;
    text += fmt::format(",{}={}", row.name, Value(row, row.Get(properties)));
  }
  return text;
}

std::string WhyNoModel(const ModelProperties& p) {
  if (p.short_bytes != 2) return "short must have 2 bytes";
  if (p.int_bytes != 2 && p.int_bytes != 4) return "int must have 2 or 4 bytes";
  if (p.long_bytes != 4 && p.long_bytes != 8) return "long must have 4 or 8 bytes";
  if (p.int_bytes != 4 && p.long_bytes != 4) return "int or long must have 4 bytes";
  if (p.long_long_bytes != 8) return "long long must have 8 bytes";
  if (p.pointer_bytes != 2 && p.pointer_bytes != 4 && p.pointer_bytes != 8) return "pointers must have 2, 4 or 8 bytes";
  const std::array<std::pair<uint8_t, uint8_t>, 5> alignments = {
      {{p.align2, 2}, {p.align4, 4}, {p.align8, 8}, {p.align16, 16}, {p.pointer_align, p.pointer_bytes}}};
  for (auto [align, size] : alignments) {
    if (align == 0 || (align & (align - 1)) != 0) return "an alignment must be a power of two";
    if (align > size) return "an alignment must not be more than the size";
  }
  const auto is_one_of = [](TypeKind kind, std::span<const Choice> choices) {
    for (const Choice& choice : choices) {
      if (choice.value == Number(kind)) return true;
    }
    return false;
  };
  if (!is_one_of(p.size_type, kSizeTypes)) return "size_t must be unsigned int, unsigned long or unsigned long long";
  if (!is_one_of(p.difference_type, kDifferenceTypes)) return "ptrdiff_t must be int, long or long long";
  return "";
}

support::Result<DataModel> ParseDataModel(std::string_view text) {
  const std::string_view name = text.substr(0, text.find(','));
  const NamedModel* named = FindNamed(name);
  if (named == nullptr) {
    return UsageError(
        fmt::format("there is no data model '{}'; there are {}, each also with properties that differ, as in "
                    "ilp32,align8=8,char=unsigned: {}",
                    name, DataModelNames(), ModelPropertyForms()));
  }
  ModelProperties properties = named->properties;
  for (size_t at = name.size(); at < text.size();) {
    const size_t end = std::min(text.find(',', at + 1), text.size());
    const std::string problem = SetProperty(properties, text.substr(at + 1, end - at - 1));
    if (!problem.empty()) return UsageError(fmt::format("data model '{}': {}", text, problem));
    at = end;
  }
  if (std::string problem = WhyNoModel(properties); !problem.empty()) {
    return UsageError(fmt::format("data model '{}': {}", text, problem));
  }
  return DataModel(properties);
}

std::string DataModelNames() {
  std::string text;
  for (const NamedModel& model : kNamedModels) {
    if (!text.empty()) text += ", ";
    text += model.name;
  }
  return text;
}

std::string ModelPropertyForms() {
  std::string text;
  for (const PropertyRow& row : kProperties) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", row.name, Choices(row));
  }
  return text;
}

}  // namespace assay::lang
