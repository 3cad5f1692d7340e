#include "target/model_probe.hpp"

#include <fmt/format.h>

#include <array>

#include "lang/layout.hpp"
#include "lang/program.hpp"

namespace assay::target {

using lang::ModelProperties;
using lang::TypeKind;
using support::EnvironmentError;
using support::Result;

// The parts that may need alignment stand where a multiple of eight bytes came before, so every compiler has them at
// the same offsets.
const std::string_view kModelDeclarations = R"(
#define MODEL_TEXT_(x) #x
#define MODEL_TEXT(x) MODEL_TEXT_(x)
struct model_byte { char c; };
struct model_short { char c; short v; };
struct model_int { char c; int v; };
struct model_long { char c; long v; };
struct model_long_long { char c; long long v; };
struct model_pointer { char c; void *v; };
struct model_unnamed { char c; int : 3; char d; };
struct model_closed { char c; int : 0; char d; };
struct model_shared { char c; int x : 12; int y : 12; int z : 12; };
#ifdef __SIZEOF_INT128__
struct model_wide { char c; __int128 v; };
#define MODEL_WIDE_ALIGN sizeof(struct model_wide) - sizeof(__int128)
#else
#define MODEL_WIDE_ALIGN 0
#endif
char model_char = (char)~0;
enum model_enum { model_negative = -1, model_positive = 1 };
struct {
  unsigned char magic[16];
  unsigned char numbers[24];
  char size_type[32], difference_type[32];
  unsigned short order;
  unsigned char gap[6];
  struct { unsigned first : 4; unsigned rest : 12; } fields;
  unsigned char end[8];
} model = {
  {0xa5, 'a', 's', 's', 'a', 'y', 0xa5, 'm', 'o', 'd', 'e', 'l', 0xa5, 0x5a, 0x01, 0x7f},
  {sizeof(short), sizeof(int), sizeof(long), sizeof(long long), sizeof(void *),
   sizeof(struct model_short) - sizeof(short), sizeof(struct model_int) - sizeof(int),
   sizeof(struct model_long) - sizeof(long), sizeof(struct model_long_long) - sizeof(long long),
   sizeof(struct model_pointer) - sizeof(void *), '\377' < 0, sizeof(struct model_byte), sizeof(struct model_unnamed),
   sizeof(struct model_closed), sizeof(struct model_shared), sizeof(enum model_enum), MODEL_WIDE_ALIGN},
#ifdef __SIZE_TYPE__
  MODEL_TEXT(__SIZE_TYPE__),
#else
  "",
#endif
#ifdef __PTRDIFF_TYPE__
  MODEL_TEXT(__PTRDIFF_TYPE__),
#else
  "",
#endif
  0x0102, {0}, {1, 0}, {0}
};
)";

// One small compiler computes the sign of char wrongly in constants: a program that runs looks at a real one.
const std::string_view kModelPrinting = R"(
  model.numbers[10] = model_char < 0;
  for (i = 0; i < 120; i++) printf("%02x", ((unsigned char *)&model)[i]);
  printf("\n");
)";

namespace {

constexpr std::string_view kMagic =
    "\xa5"
    "assay\xa5"
    "model\xa5\x5a\x01\x7f";
static_assert(kMagic.size() == 16);

// The object `model`.
constexpr size_t kNumbers = 16, kSizeType = 40, kDifferenceType = 72, kOrder = 104, kFields = 112, kEnd = 120;

enum Number : size_t {
  kShort,
  kInt,
  kLong,
  kLongLong,
  kPointer,
  kShortAlign,
  kIntAlign,
  kLongAlign,
  kLongLongAlign,
  kPointerAlign,
  kCharIsSigned,
  kByteRecord,
  kUnnamedRecord,
  kClosedRecord,
  kSharedRecord,
  kEnum,
  kWideAlign,  // 0: there are none
};

class Object {
 public:
  explicit Object(std::string_view bytes) : bytes_(bytes) {}
  uint8_t operator[](Number number) const { return Byte(kNumbers + number); }
  uint8_t Byte(size_t at) const { return static_cast<uint8_t>(bytes_[at]); }
  // The type that a compiler calls "long unsigned int"; `otherwise` if it does not say.
  TypeKind Type(size_t at, TypeKind of_int, TypeKind of_long, TypeKind of_long_long, TypeKind otherwise) const {
    const std::string_view name = bytes_.substr(at, 32);
    const size_t first = name.find("long");
    if (name[0] == '\0') return otherwise;
    if (first == std::string_view::npos) return of_int;
    return name.find("long", first + 1) == std::string_view::npos ? of_long : of_long_long;
  }

 private:
  std::string_view bytes_;
};

// Integers of one size must have one alignment, whatever they are called.
std::string SetAlignments(const Object& object, ModelProperties& properties) {
  const std::array<std::pair<Number, Number>, 4> kinds = {
      {{kShort, kShortAlign}, {kInt, kIntAlign}, {kLong, kLongAlign}, {kLongLong, kLongLongAlign}}};
  std::array<uint8_t, 9> found = {};
  for (auto [size, align] : kinds) {
    if (object[size] > 8) continue;  // WhyNoModel will say so
    uint8_t& known = found[object[size]];
    if (known != 0 && known != object[align]) {
      return fmt::format("integers of {} bytes have different alignments", object[size]);
    }
    known = object[align];
  }
  if (found[2] != 0) properties.align2 = found[2];
  if (found[4] != 0) properties.align4 = found[4];
  if (found[8] != 0) properties.align8 = found[8];
  if (object[kWideAlign] != 0) properties.align16 = object[kWideAlign];
  properties.pointer_align = object[kPointerAlign];
  return "";
}

// The size that our rules give `struct { char; members }`.
uint32_t SizeByOurRules(const ModelProperties& properties, std::vector<lang::Member> members, TypeKind last) {
  lang::Program program;
  program.model = lang::DataModel(properties);
  members.insert(members.begin(), lang::Member{program.types.Basic(TypeKind::Char)});
  if (last != TypeKind::kCount) members.push_back({program.types.Basic(last)});
  const lang::RecordId record = program.types.AddRecord({.members = std::move(members)});
  return lang::Layouts(program).SizeOf(program.types.OfRecord(record));
}

std::string CompareLayouts(const Object& object, const ModelProperties& properties) {
  if (object[kByteRecord] != 1) return fmt::format("a struct of one char has {} bytes", object[kByteRecord]);
  if (object[kEnum] != object[kInt]) return fmt::format("an enum with a negative value has {} bytes", object[kEnum]);
  if (!lang::WhyNoModel(properties).empty()) return "";  // our rules say nothing then
  const lang::TypeId type_int = lang::TypeTable().Basic(TypeKind::Int);
  const lang::Member field{type_int, 12, true}, unnamed{type_int, 3, false}, closing{type_int, 0, false};
  // Whether unnamed bit-fields raise the alignment of their record does not matter: see OfRecord in lang/layout.cpp.
  const auto agree = [&](Number number, uint32_t ours) {
    const uint32_t align = object[kIntAlign];
    return object[number] == ours || object[number] == (ours + align - 1) / align * align;
  };
  if (!agree(kUnnamedRecord, SizeByOurRules(properties, {unnamed}, TypeKind::Char)) ||
      !agree(kClosedRecord, SizeByOurRules(properties, {closing}, TypeKind::Char)) ||
      object[kSharedRecord] != SizeByOurRules(properties, {field, field, field}, TypeKind::kCount)) {
    return "bit-fields are laid out by rules that Assay does not have";
  }
  return "";
}

Result<ModelProperties> FromObject(std::string_view bytes) {
  const Object object(bytes);
  ModelProperties properties;
  properties.short_bytes = object[kShort];
  properties.int_bytes = object[kInt];
  properties.long_bytes = object[kLong];
  properties.long_long_bytes = object[kLongLong];
  properties.pointer_bytes = object[kPointer];
  properties.char_is_signed = object[kCharIsSigned] != 0;
  properties.big_endian = object.Byte(kOrder) == 1;
  for (size_t at = kFields; at < kEnd; ++at) {
    if (object.Byte(at) != 0) properties.fields_from_high_bit = object.Byte(at) == 0x10;
  }
  const bool as_int = object[kPointer] == object[kInt], as_long = object[kPointer] == object[kLong];
  properties.size_type = object.Type(kSizeType, TypeKind::UInt, TypeKind::ULong, TypeKind::ULLong,
                                     as_int    ? TypeKind::UInt
                                     : as_long ? TypeKind::ULong
                                               : TypeKind::ULLong);
  properties.difference_type = object.Type(kDifferenceType, TypeKind::Int, TypeKind::Long, TypeKind::LLong,
                                           as_int    ? TypeKind::Int
                                           : as_long ? TypeKind::Long
                                                     : TypeKind::LLong);
  std::string problem = SetAlignments(object, properties);
  if (problem.empty()) problem = CompareLayouts(object, properties);
  if (!problem.empty()) return EnvironmentError(problem);
  return properties;
}

int Digit(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

}  // namespace

Result<ModelProperties> ModelFromOutput(std::string_view line) {
  std::string bytes;
  for (size_t i = 0; i + 1 < line.size() && Digit(line[i]) >= 0 && Digit(line[i + 1]) >= 0; i += 2) {
    bytes += static_cast<char>(Digit(line[i]) * 16 + Digit(line[i + 1]));
  }
  return ModelFromFile(bytes);
}

Result<ModelProperties> ModelFromFile(std::string_view bytes) {
  const size_t at = bytes.find(kMagic);
  if (at == std::string_view::npos || bytes.size() - at < kEnd) return EnvironmentError("the data model is not in it");
  return FromObject(bytes.substr(at));
}

}  // namespace assay::target
