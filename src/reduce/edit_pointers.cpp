// Indirect accesses to direct ones: what a dereference or a pointer was seen to denote, by its
// name.
#include <optional>

#include "lang/builder.hpp"
#include "lang/layout.hpp"
#include "reduce/families.hpp"

namespace assay::reduce {

using namespace lang;  // NOLINT: the model's names

namespace {

// The members and elements from an object of type `type` down to the part of type `wanted` at
// `offset`.
std::optional<std::vector<uint32_t>> PathTo(Program& program, Layouts& layouts, TypeId type, uint64_t offset,
                                            TypeId wanted) {
  TypeTable& types = program.types;
  if (offset == 0 && types.Unqualified(type) == types.Unqualified(wanted)) return std::vector<uint32_t>();
  const Type t = types[type];
  const auto below = [&](uint32_t index, TypeId part, uint64_t at) -> std::optional<std::vector<uint32_t>> {
    auto rest = PathTo(program, layouts, part, offset - at, wanted);
    if (rest) rest->insert(rest->begin(), index);
    return rest;
  };
  if (t.kind == TypeKind::Array) {
    const uint64_t size = layouts.SizeOf(t.element);
    if (size == 0 || offset / size >= t.length) return std::nullopt;
    return below(static_cast<uint32_t>(offset / size), t.element, offset / size * size);
  }
  if (!IsRecord(t.kind)) return std::nullopt;
  const std::vector<Member> members = types.GetRecord(t.record).members;
  for (uint32_t i = 0; i < members.size(); ++i) {
    if (members[i].IsBitField()) continue;
    const uint64_t at = layouts.OfMember(t.record, i).offset;
    if (offset < at || offset >= at + layouts.SizeOf(members[i].type)) continue;
    if (auto path = below(i, members[i].type, at)) return path;
  }
  return std::nullopt;
}

struct Denoted {
  TypeId wanted;  // of the object
  bool address;   // the expression is a pointer to it
};

std::optional<Denoted> DenotedBy(const Program& program, const Expr& e) {
  if (e.kind == ExprKind::Deref || e.kind == ExprKind::Index) {
    if (program.types.Kind(e.type) == TypeKind::Function) return std::nullopt;
    return Denoted{e.type, false};
  }
  const Type& type = program.types[e.type];
  if (type.kind != TypeKind::Pointer || e.kind == ExprKind::AddressOf) return std::nullopt;
  if (program.types.Kind(type.element) == TypeKind::Function) return std::nullopt;
  return Denoted{type.element, true};
}

}  // namespace

bool AppliesToTarget(const Case& subject, const Edit& edit) {
  const Program& program = subject.program;
  if (!program.exprs.Contains(ExprId(edit.node)) || !program.vars.Contains(VarId(edit.other))) return false;
  if (program[VarId(edit.other)].storage == Storage::Literal) return false;
  const std::optional<Denoted> denoted = DenotedBy(program, program[ExprId(edit.node)]);
  if (!denoted) return false;
  Program copy_of_types;  // PathTo may make types
  copy_of_types.model = program.model;
  copy_of_types.types = program.types;
  Layouts layouts(copy_of_types);
  return PathTo(copy_of_types, layouts, program[VarId(edit.other)].type, edit.value, denoted->wanted).has_value();
}

void ApplyToTarget(Case& subject, const Edit& edit) {
  Program& program = subject.program;
  Builder builder(program);
  Layouts layouts(program);
  const Denoted denoted = *DenotedBy(program, program[ExprId(edit.node)]);
  const VarId var(edit.other);
  const auto path = PathTo(program, layouts, program[var].type, edit.value, denoted.wanted);
  ExprId object = builder.Var(var);
  for (uint32_t index : *path) {
    const bool array = program.types.Kind(program[object].type) == TypeKind::Array;
    object = array ? builder.Index(object, builder.Int(index)) : builder.Member(object, index);
  }
  if (denoted.address) object = builder.AddressOf(object);
  program.exprs[ExprId(edit.node)] = Expr(program[object]);
}

}  // namespace assay::reduce
