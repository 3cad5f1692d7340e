#include "reduce/extract.hpp"

#include "lang/builder.hpp"
#include "reduce/mend.hpp"

namespace assay::reduce {

using namespace lang;  // NOLINT: the model's names

namespace {

class Extractor {
 public:
  Extractor(const Case& subject, const MachineRun& run, Operands operands)
      : from_(subject.program),
        run_(run),
        operands_(operands),
        made_{subject.program, std::nullopt},
        builder_(made_.program) {}

  std::optional<Case> Make(ExprId expr, uint32_t depth) {
    Program& program = made_.program;
    program.globals.clear();
    program.function_order = {program.entry};
    Function& entry = program.functions[program.entry];
    entry.temporaries.clear();
    entry.body = builder_.NewBlock(program.entry);
    if (!IsOperator(expr) || IsWide(from_.types.Kind(from_[expr].type))) return std::nullopt;
    const ExprId value = Copy(expr, depth);
    const VarId result = builder_.Global(program.types.Basic(PromotedKind(program, value)));
    const ExprId assign = builder_.Assign(builder_.Var(result), value);
    builder_.Append(program[program.entry].body, builder_.ExprStatement(assign));
    made_.check = Check{result, {}};
    if (!Mend(made_)) return std::nullopt;
    return Compact(made_);
  }

 private:
  // Can it be rebuilt from numbers?
  bool IsOperator(ExprId id) const {
    const Expr& e = from_[id];
    switch (e.kind) {
      case ExprKind::Unary:
      case ExprKind::Binary:
      case ExprKind::LogicalAnd:
      case ExprKind::LogicalOr:
      case ExprKind::Conditional:
      case ExprKind::Comma:
      case ExprKind::Cast:
      case ExprKind::Builtin: break;
      case ExprKind::Constant:
      case ExprKind::EnumConstant:
      case ExprKind::String:
      case ExprKind::Variable:
      case ExprKind::Function:
      case ExprKind::Assign:
      case ExprKind::CompoundAssign:
      case ExprKind::IncDec:
      case ExprKind::AddressOf:
      case ExprKind::Deref:
      case ExprKind::Index:
      case ExprKind::Member:
      case ExprKind::SizeofType:
      case ExprKind::SizeofExpr:
      case ExprKind::Call:
      case ExprKind::CompoundLiteral:
      case ExprKind::Guard:
      case ExprKind::kCount: return false;
    }
    bool numbers = IsArithmetic(from_.types.Kind(e.type));
    ForEachChild(from_, e,
                 [&](ExprId child) { numbers = numbers && IsArithmetic(from_.types.Kind(from_[child].type)); });
    return numbers;
  }

  ExprId Copy(ExprId id, uint32_t depth) {
    Expr e = from_[id];
    if (e.kind == ExprKind::Constant || e.kind == ExprKind::EnumConstant || e.kind == ExprKind::SizeofType) {
      return builder_.Add(e);
    }
    if (e.kind == ExprKind::SizeofExpr) return builder_.SizeofType(from_[e.lhs].type);
    if (depth == 0 || !IsOperator(id)) return Leaf(id);
    const ExprKindInfo& info = Info(e.kind);
    if (info.children > 0) e.lhs = Copy(e.lhs, depth - 1);
    if (info.children > 1) e.rhs = Copy(e.rhs, depth - 1);
    if (info.children > 2) e.third = Copy(e.third, depth - 1);
    if (info.has_args) {
      std::vector<ExprId> args;
      for (uint32_t i = 0; i < e.args.count; ++i) args.push_back(Copy(from_.Arg(e, i), depth - 1));
      e.args.first = static_cast<uint32_t>(made_.program.args.size());
      made_.program.args.insert(made_.program.args.end(), args.begin(), args.end());
    }
    return builder_.Add(e);
  }

  ExprId Leaf(ExprId id) {
    const ExprId constant = Seen(id);
    if (operands_ == Operands::Constants) return constant;
    const TypeId type = made_.program.types.Unqualified(from_[id].type);
    return builder_.Var(builder_.Global(type, builder_.InitExpr(constant)));
  }

  // What it was when it was evaluated last.
  ExprId Seen(ExprId id) {
    const TypeKind kind = PromotedKind(from_, id);
    if (!IsWide(kind)) return builder_.Constant(kind, run_.machine->Observed(id));
    const std::span<const machine::Value> words = run_.machine->ObservedLanes(id);
    return words.empty() ? builder_.Wide(kind, 0, 0) : builder_.Wide(kind, words[0], words[1]);
  }

  const Program& from_;
  const MachineRun& run_;
  Operands operands_;
  Case made_;
  Builder builder_;
};

}  // namespace

std::optional<Case> MakeExtract(const Case& subject, const MachineRun& run, ExprId expr, uint32_t depth,
                                Operands operands) {
  return Extractor(subject, run, operands).Make(expr, depth);
}

}  // namespace assay::reduce
