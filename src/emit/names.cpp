#include "emit/names.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace assay::emit {

using namespace lang;  // NOLINT: the model's names

void AppendNumber(Text& out, uint64_t value) {
  if (value < 10) {
    out += static_cast<char>('0' + value);
    return;
  }
  char digits[20];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  out.AppendFirst(digits, static_cast<size_t>(end - digits));
}

namespace {

// prefix_number, in one piece: most of a program's text is names.
void AppendName(Text& out, char prefix, uint32_t number) {
  char name[16] = {prefix, '_'};
  const auto end = std::to_chars(name + 2, name + sizeof name, number).ptr;
  out.AppendFirst(name, static_cast<size_t>(end - name));
}

// a … z, aa … zz, aaa …
std::string Letters(uint32_t number) {
  std::string name;
  for (uint64_t n = uint64_t{number} + 1; n > 0; n = (n - 1) / 26) {
    name.insert(name.begin(), static_cast<char>('a' + (n - 1) % 26));
  }
  return name;
}

bool IsReserved(std::string_view name) {
  constexpr std::array<std::string_view, 5> kReserved = {"asm", "do", "for", "if", "int"};
  return std::find(kReserved.begin(), kReserved.end(), name) != kReserved.end();
}

}  // namespace

NameTable::NameTable(const Program& program, const Usage& usage, bool short_names)
    : program_(program), short_names_(short_names) {
  vars_.resize(program.vars.Size());
  functions_.resize(program.functions.Size());
  labels_.resize(program.labels.Size());
  uint32_t next_global = 1;
  for (VarId var : program.globals) {
    if (program.vars[var].role == VarRole::Counter) {
      Give(var, 'c', next_counter_);
    } else {
      Give(var, 'g', next_global);
    }
  }
  global_shorts_ = next_short_;
  uint32_t next_function = 1;
  for (FunctionId function : program.function_order) functions_[function.index] = next_function++;
  records_.resize(program.types.RecordCount());
  members_.resize(program.types.RecordCount());
  enums_.resize(program.types.EnumCount());
  uint32_t structs = 0, unions = 0, enums = 0;
  for (RecordId id : usage.records) {
    const Record& record = program.types.GetRecord(id);
    records_[id.index] = record.is_union ? ++unions : ++structs;
    uint32_t next = 1;
    for (const Member& member : record.members) {
      members_[id.index].push_back(member.named ? next++ : 0);
    }
  }
  for (EnumId id : usage.enums) enums_[id.index] = ++enums;
}

void NameTable::Give(VarId var, char prefix, uint32_t& counter) {
  VarName& name = vars_[var.index];
  if (name.prefix != 0) return;
  name.prefix = prefix;
  if (!short_names_) {
    name.number = counter++;
    return;
  }
  while (IsReserved(Letters(next_short_))) ++next_short_;
  name.number = next_short_++;
}

void NameTable::EnterFunction(FunctionId id) {
  ++scope_;
  next_local_ = next_param_ = next_temporary_ = next_label_ = 1;
  next_short_ = global_shorts_;
  const Function& function = program_.functions[id];
  for (VarId var : function.params) Give(var, 'p', next_param_);
  for (VarId var : function.temporaries) Give(var, 't', next_temporary_);
}

void NameTable::Declare(VarId var) {
  switch (program_.vars[var].role) {
    case VarRole::Plain: return Give(var, 'l', next_local_);
    case VarRole::Counter: return Give(var, 'c', next_counter_);
    case VarRole::Temporary: return Give(var, 't', next_temporary_);
  }
}

void NameTable::Append(Text& out, VarId var) {
  if (vars_[var.index].prefix == 0) Declare(var);
  const VarName& name = vars_[var.index];
  if (short_names_) {
    out += Letters(name.number);
    return;
  }
  AppendName(out, name.prefix, name.number);
}

void NameTable::Append(Text& out, FunctionId function) const {
  if (!short_names_) return AppendName(out, 'f', functions_[function.index]);
  out += "fn";
  AppendNumber(out, functions_[function.index]);
}

void NameTable::Append(Text& out, RecordId record) const {
  out += program_.types.GetRecord(record).is_union ? 'U' : 'S';
  if (!short_names_) out += '_';
  AppendNumber(out, records_[record.index]);
}

void NameTable::Append(Text& out, EnumId enumeration) const {
  out += short_names_ ? "E" : "E_";
  AppendNumber(out, enums_[enumeration.index]);
}

void NameTable::Append(Text& out, LabelId label) {
  LabelName& name = labels_[label.index];
  if (name.scope != scope_) name = {scope_, next_label_++};
  out += short_names_ ? "L" : "L_";
  AppendNumber(out, name.number);
}

void NameTable::AppendMember(Text& out, RecordId record, uint32_t member) const {
  const uint32_t number = members_[record.index][member];
  if (short_names_) {
    const std::string letters = Letters(number - 1);
    out += letters;
    if (IsReserved(letters)) out += '_';
    return;
  }
  AppendName(out, 'm', number);
}

void NameTable::AppendEnumerator(Text& out, EnumId enumeration, uint32_t index) const {
  out += short_names_ ? "e" : "e_";
  AppendNumber(out, enums_[enumeration.index]);
  out += '_';
  AppendNumber(out, index + 1);
}

}  // namespace assay::emit
