#include "cli/run_trace.hpp"

#include <fmt/format.h>

#include "cli/output.hpp"
#include "emit/printer.hpp"
#include "lang/typing.hpp"

namespace assay::cli {

using lang::TypeKind;

ProgramNames::ProgramNames(const lang::Program& program)
    : program_(program), usage_(lang::UsageOf(program)), layouts_(program), names_(program, usage_, false) {
  emit::Text ignored;
  for (lang::FunctionId function : program.function_order) {
    emit::Printer(program_, emit::kGnuC, names_, ignored).FunctionDefinition(function);  // names its locals
  }
}

std::string ProgramNames::Expression(lang::ExprId expr) {
  emit::Text text;
  emit::Printer(program_, emit::kGnuC, names_, text).Expression(expr);
  return text.String();
}

std::string ProgramNames::Signature(lang::FunctionId function) {
  emit::Text text;
  emit::Printer(program_, emit::kGnuC, names_, text).Prototype(function);
  return std::string(text.View().substr(0, text.View().find(';')));
}

std::string ProgramNames::Place(lang::VarId var, uint32_t offset, lang::TypeId part) {
  emit::Text text;
  names_.Append(text, var);
  lang::TypeId type_id = program_.vars[var].type;
  for (;;) {
    const lang::Type& type = program_.types[type_id];
    if (offset == 0 && program_.types.Kind(part) == type.kind) return text.String();
    if (lang::IsArray(type.kind)) {
      const uint32_t size = layouts_.SizeOf(type.element);
      text += fmt::format("[{}]", offset / size);
      offset %= size;
      type_id = type.element;
      continue;
    }
    if (lang::IsWide(type.kind)) {  // stored by halves
      const bool high = (offset >= 8) != program_.Model().Properties().big_endian;
      return fmt::format("{}.{}", text.View(), high ? "high" : "low");
    }
    if (type.kind != TypeKind::Struct) break;
    const lang::Record& record = program_.types.GetRecord(type.record);
    uint32_t found = static_cast<uint32_t>(record.members.size());
    for (uint32_t i = 0; i < record.members.size(); ++i) {
      const uint32_t begin = layouts_.OfMember(type.record, i).offset;
      const bool inside = begin <= offset && offset < begin + layouts_.SizeOf(record.members[i].type);
      if (inside && !record.members[i].IsBitField()) found = i;
    }
    if (found == record.members.size()) break;
    text += '.';
    names_.AppendMember(text, type.record, found);
    offset -= layouts_.OfMember(type.record, found).offset;
    type_id = record.members[found].type;
  }
  // A bit-field or a member of a union: the offset does not say which.
  return offset == 0 && lang::IsArithmetic(program_.types.Kind(type_id))
             ? text.String()
             : fmt::format("{} at byte {}", text.View(), offset);
}

void PrintingTracer::OnStatement(lang::StmtId id, uint32_t depth) {
  const lang::Stmt& stmt = program_.stmts[id];
  std::string text(lang::Info(stmt.kind).name);
  if (stmt.var) {
    std::string name = names_.Place(stmt.var, 0, program_.vars[stmt.var].type);
    text += ' ' + name;
  }
  if (stmt.expr) text += ' ' + names_.Expression(stmt.expr);
  Say("{:>{}}{}\n", "", depth * 2, text);
}

void PrintingTracer::OnStore(lang::VarId var, uint32_t offset, lang::TypeId type, machine::Value value) {
  const TypeKind kind = program_.types.Kind(type);
  if (!var || !lang::IsArithmetic(kind)) return;
  if (lang::IsFloat(kind)) {
    Say("      {} = {}\n", names_.Place(var, offset, type), lang::FloatValue(kind, value));
    return;
  }
  const bool is_signed = lang::IntegerInfoOf(kind, program_.Model()).is_signed;
  const std::string number = is_signed ? std::to_string(static_cast<int64_t>(value)) : std::to_string(value);
  Say("      {} = {}\n", names_.Place(var, offset, type), number);
}

}  // namespace assay::cli
