// Types and declarators. A declarator is written inside out: Before prints what stands left of the
// name, After what stands right of it.
#include "emit/printer.hpp"
#include "lang/constraints.hpp"

namespace assay::emit {

using namespace lang;  // NOLINT: the model's names

void Printer::Space() {
  if (out_.Last() != '*' && out_.Last() != '(') out_ += ' ';
}

void Printer::Qualifiers(uint8_t quals) {
  if (quals & kConst) out_ += "const ";
  if (quals & kVolatile) out_ += "volatile ";
  if (quals & kRestrict) (out_ += dialect_.restrict_word) += ' ';
}

void Printer::RecordName(RecordId record) {
  out_ += program_.types.GetRecord(record).is_union ? "union " : "struct ";
  names_.Append(out_, record);
}

void Printer::Specifiers(const Type& type) {
  Qualifiers(type.quals);
  if (IsRecord(type.kind)) {
    RecordName(type.record);
  } else if (type.kind == TypeKind::Enum) {
    out_ += "enum ";
    names_.Append(out_, type.enumeration);
  } else if (IsVector(type.kind)) {
    VectorName(type);
  } else {
    out_ += dialect_.Spelling(type.kind);
  }
}

// int_x4
void Printer::VectorName(const Type& type) {
  out_ += Info(program_.types.Kind(type.element)).name;
  out_ += "_x";
  AppendNumber(out_, type.length);
}

// Aligned to its size, as lang/layout says, on every machine.
void Printer::VectorDefinition(TypeId id) {
  const Type& type = program_.types[id];
  out_ += "typedef ";
  out_ += dialect_.Spelling(program_.types.Kind(type.element));
  out_ += ' ';
  VectorName(type);
  const uint32_t bytes = VectorBytes(program_, id);
  for (std::string_view word : {" __attribute__((vector_size(", "), aligned("}) {
    out_ += word;
    AppendNumber(out_, bytes);
  }
  out_ += ")));\n";
}

// clang has no __builtin_shuffle. The mask is a vector of signed integers as wide as the lanes.
void Printer::ShuffleDefinition(TypeId id, TypeId mask) {
  const Type& type = program_.types[id];
  out_ += "\n#ifdef __clang__\nstatic ";
  TypeName(id);
  out_ += " shuffle_";
  VectorName(type);
  for (std::string_view operand : {"(", " a, ", " b, "}) {
    out_ += operand;
    TypeName(operand == " b, " ? mask : id);
  }
  out_ += " mask) {\n  ";
  TypeName(id);
  out_ += " result;\n  for (int i = 0; i < ";
  AppendNumber(out_, type.length);
  out_ += "; i++) result[i] = mask[i] & ";
  AppendNumber(out_, type.length);
  out_ += " ? b[mask[i] & ";
  AppendNumber(out_, type.length - 1);
  out_ += "] : a[mask[i] & ";
  AppendNumber(out_, type.length - 1);
  out_ += "];\n  return result;\n}\n#else\n#define shuffle_";
  VectorName(type);
  out_ += " __builtin_shuffle\n#endif\n";
}

void Printer::Before(TypeId id) {
  const Type& type = program_.types[id];
  switch (ClassOf(type.kind)) {
    case TypeClass::Pointer: {
      Before(type.element);
      const TypeKind pointee = program_.types.Kind(type.element);
      Space();
      if (IsArray(pointee) || pointee == TypeKind::Function) out_ += '(';
      out_ += '*';
      Qualifiers(type.quals);
      if (type.quals != 0) out_.RemoveLast();
      return;
    }
    case TypeClass::Array:
    case TypeClass::Function: Before(type.element); return;
    case TypeClass::Integer:
    case TypeClass::Float:
    case TypeClass::Complex:
    case TypeClass::Vector:
    case TypeClass::Wide:
    case TypeClass::Record:
    case TypeClass::Void:
    case TypeClass::VaList:
    case TypeClass::kCount: Specifiers(type);
  }
}

void Printer::After(TypeId id) {
  const Type& type = program_.types[id];
  switch (ClassOf(type.kind)) {
    case TypeClass::Pointer: {
      const TypeKind pointee = program_.types.Kind(type.element);
      if (IsArray(pointee) || pointee == TypeKind::Function) out_ += ')';
      After(type.element);
      return;
    }
    case TypeClass::Array:
      out_ += '[';
      if (type.kind == TypeKind::Array) {
        AppendNumber(out_, type.length);
      } else if (id == vla_type_) {
        Expression(vla_length_, kAssignment);
      }
      out_ += ']';
      After(type.element);
      return;
    case TypeClass::Function:
      Parameters(id);
      After(type.element);
      return;
    case TypeClass::Integer:
    case TypeClass::Float:
    case TypeClass::Complex:
    case TypeClass::Vector:
    case TypeClass::Wide:
    case TypeClass::Record:
    case TypeClass::Void:
    case TypeClass::VaList:
    case TypeClass::kCount: return;
  }
}

void Printer::Parameters(TypeId function_type) {
  const Signature& signature = program_.types.GetSignature(program_.types[function_type].signature);
  out_ += '(';
  if (signature.params.empty()) out_ += "void";
  for (size_t i = 0; i < signature.params.size(); ++i) {
    if (i > 0) out_ += ", ";
    TypeName(signature.params[i]);
  }
  if (signature.variadic) out_ += ", ...";
  out_ += ')';
}

void Printer::TypeName(TypeId type) {
  Before(type);
  After(type);
}

void Printer::Declarator(TypeId type, VarId var) {
  Before(type);
  Space();
  names_.Append(out_, var);
  vla_type_ = type;
  vla_length_ = program_.vars[var].vla_length;
  After(type);
  vla_type_ = {};
}

void Printer::EnumDefinition(EnumId id) {
  out_ += "enum ";
  names_.Append(out_, id);
  out_ += " {";
  const Enumeration& enumeration = program_.types.GetEnum(id);
  for (uint32_t i = 0; i < enumeration.values.size(); ++i) {
    out_ += i > 0 ? ", " : " ";
    names_.AppendEnumerator(out_, id, i);
    const int64_t value = enumeration.values[i];
    out_ += value < 0 ? " = -" : " = ";
    if (value == INT32_MIN) {
      out_ += "2147483647 - 1";
    } else {
      AppendNumber(out_, static_cast<uint64_t>(value < 0 ? -value : value));
    }
  }
  out_ += " };\n";
}

void Printer::RecordForward(RecordId record) {
  RecordName(record);
  out_ += ";\n";
}

void Printer::RecordDefinition(RecordId id) {
  const Record& record = program_.types.GetRecord(id);
  RecordName(id);
  out_ += " {\n";
  for (uint32_t i = 0; i < record.members.size(); ++i) {
    const Member& member = record.members[i];
    out_ += "  ";
    Before(member.type);
    if (member.named) {
      Space();
      names_.AppendMember(out_, id, i);
    }
    if (member.IsBitField()) {
      out_ += " : ";
      AppendNumber(out_, static_cast<uint64_t>(member.bit_width));
    }
    After(member.type);
    out_ += ";\n";
  }
  out_ += '}';
  if (record.packed) out_ += dialect_.packed;
  out_ += ";\n";
}

}  // namespace assay::emit
