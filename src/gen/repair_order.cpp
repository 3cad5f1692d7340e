#include "gen/expr.hpp"
#include "gen/repair_tools.hpp"

namespace assay::gen {
namespace {

using lang::Expr;
using machine::Trap;

// Whether the lvalue's address may be kept in a pointer and used later: not for bit-fields, lanes, members of packed
// records and unions, and register objects.
bool Addressable(Writer& w, ExprId lvalue) {
  for (ExprId id = lvalue;;) {
    const Expr& e = w.program.exprs[id];
    if (e.kind == ExprKind::Variable) return w.program.vars[e.Var()].storage != lang::Storage::Register;
    if (e.kind == ExprKind::Member) {
      const lang::Record& record = w.program.types.GetRecord(w.program.types[w.program.exprs[e.lhs].type].record);
      if (record.is_union || record.packed || record.members[e.MemberIndex()].IsBitField()) return false;
    } else if (e.kind == ExprKind::Index && lang::IsVector(w.Kind(e.lhs))) {
      return false;
    } else if (e.kind != ExprKind::Index || !lang::IsArray(w.Kind(e.lhs))) {
      return e.kind == ExprKind::Deref || e.kind == ExprKind::Index;
    }
    id = e.lhs;
  }
}

// Whether evaluating the lvalue reads nothing, so that it is the same object whenever that happens.
bool IsFixed(const Writer& w, ExprId lvalue) {
  for (ExprId id = lvalue;;) {
    const Expr& e = w.program.exprs[id];
    if (e.kind == ExprKind::Variable) return true;
    if (e.kind == ExprKind::Index) {
      const TypeKind base = w.Kind(e.lhs);
      if (!(lang::IsArray(base) || lang::IsVector(base)) || w.program.exprs[e.rhs].kind != ExprKind::Constant)
        return false;
    } else if (e.kind != ExprKind::Member) {
      return false;
    }
    id = e.lhs;
  }
}

const Expr& NodeAt(const Writer& w, const RepairPlace& place) { return w.program.exprs[place.trap.expr]; }
bool IsKind(const Writer& w, const RepairPlace& place, ExprKind kind) { return NodeAt(w, place).kind == kind; }
bool IsStore(const Writer& w, const RepairPlace& place) {
  return IsKind(w, place, ExprKind::Assign) || IsKind(w, place, ExprKind::CompoundAssign);
}

// t = value, for a new temporary t; `use` becomes t.
ExprId Hoist(Writer& w, const RepairPlace& place, ExprId value, ExprId* use) {
  const VarId var = w.build.Temporary(place.trap.function, lang::OperandType(w.program, value));
  *use = w.build.Var(var);
  return w.build.Assign(w.build.Var(var), value);
}

// first, second, ..., operation
bool InSequence(Writer& w, const RepairPlace& place, std::span<const ExprId> before, ExprId operation) {
  w.Moved(place.trap.expr, operation);
  ExprId tree = operation;
  for (size_t i = before.size(); i-- > 0;) tree = w.build.Comma(before[i], tree);
  Become(w, place.trap.expr, tree, true);
  return true;
}

bool ValueFirst(Writer& w, const RepairPlace& place) {
  Expr e = NodeAt(w, place);
  const ExprId value = Hoist(w, place, e.rhs, &e.rhs);
  return InSequence(w, place, std::array{value}, w.program.exprs.Add(e));
}

bool AddressAndValueFirst(Writer& w, const RepairPlace& place) {
  Expr e = NodeAt(w, place);
  ExprId use;
  const ExprId address = Hoist(w, place, w.build.AddressOf(e.lhs), &use);
  e.lhs = w.build.Deref(use);
  const ExprId value = Hoist(w, place, e.rhs, &e.rhs);
  return InSequence(w, place, std::array{address, value}, w.program.exprs.Add(e));
}

bool BaseFirst(Writer& w, const RepairPlace& place) {
  const Expr e = NodeAt(w, place);
  ExprId use;
  const ExprId first = Hoist(w, place, e.lhs, &use);
  const ExprId address = w.build.Comma(first, w.build.Binary(BinaryOp::Add, use, e.rhs));
  const ExprId deref = w.build.Deref(address);
  w.program.exprs[deref].type = e.type;
  Become(w, place.trap.expr, deref, true);
  return true;
}

bool ArgumentsFirst(Writer& w, const RepairPlace& place) {
  Expr e = NodeAt(w, place);
  std::vector<ExprId> before, arguments;
  if (e.kind == ExprKind::Call && w.program.exprs[e.lhs].kind != ExprKind::Function)
    before.push_back(Hoist(w, place, e.lhs, &e.lhs));
  for (uint32_t i = 0; i < e.args.count; ++i) {
    ExprId argument = w.program.args[e.args.first + i];
    if (w.program.exprs[argument].kind != ExprKind::Constant) before.push_back(Hoist(w, place, argument, &argument));
    arguments.push_back(argument);
  }
  const ExprId call = e.kind == ExprKind::Call ? w.build.Call(e.lhs, arguments)
                                               : w.build.BuiltinCall(e.GetBuiltin(), e.type, e.RefType(), arguments);
  return InSequence(w, place, before, call);
}

constexpr RepairRow kOrderRepairs[] = {
    {"left operand first", 1, [](Writer& w, const RepairPlace& place) { return IsKind(w, place, ExprKind::Binary); },
     [](Writer& w, const RepairPlace& place) {
       Expr e = NodeAt(w, place);
       const ExprId first = Hoist(w, place, e.lhs, &e.lhs);
       return InSequence(w, place, std::array{first}, w.program.exprs.Add(e));
     }},
    {"base first", 1,
     [](Writer& w, const RepairPlace& place) {
       return IsKind(w, place, ExprKind::Index) && !lang::IsVector(w.Kind(NodeAt(w, place).lhs));
     },
     BaseFirst},
    {"value first", 1,
     [](Writer& w, const RepairPlace& place) { return IsStore(w, place) && IsFixed(w, NodeAt(w, place).lhs); },
     ValueFirst},
    {"address and value first", 1,
     [](Writer& w, const RepairPlace& place) {
       const ExprId target = NodeAt(w, place).lhs;
       return IsStore(w, place) && !IsFixed(w, target) && Addressable(w, target);
     },
     AddressAndValueFirst},
    {"plain value", 1,
     [](Writer& w, const RepairPlace& place) {
       const ExprId target = NodeAt(w, place).lhs;
       return place.First() && IsStore(w, place) && !IsFixed(w, target) && !Addressable(w, target) &&
              IsPure(w.program, target);
     },
     [](Writer& w, const RepairPlace& place) { return ReplaceByValue(w, place.trap); }},
    {"arguments first", 1,
     [](Writer& w, const RepairPlace& place) {
       const bool math = IsKind(w, place, ExprKind::Builtin) && lang::IsMath(NodeAt(w, place).GetBuiltin());
       return math || IsKind(w, place, ExprKind::Call);
     },
     ArgumentsFirst},
};

}  // namespace

std::span<const RepairRow> OrderRepairs() { return kOrderRepairs; }

bool PutInOrder(Writer& w, const Trap& trap) { return RepairFrom(w, kOrderRepairs, {trap}); }

}  // namespace assay::gen
