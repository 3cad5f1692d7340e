// Expressions and initialisers, with the parentheses that precedence requires. Two more are added
// for the reader and against joined tokens: around negative constants that are operands, and a
// space in `- -x`.
#include "emit/constants.hpp"
#include "emit/printer.hpp"
#include "lang/constraints.hpp"
#include "lang/typing.hpp"

namespace assay::emit {

using namespace lang;  // NOLINT: the model's names

namespace {

int PrecedenceOf(const Program& program, const Expr& e) {
  switch (e.kind) {
    case ExprKind::Constant: {
      const TypeKind kind = program.types.Kind(e.type);
      const auto spelling = static_cast<ConstantSpelling>(e.detail);
      switch (ShapeOf(kind, e.value, spelling, program.Model())) {
        case ConstantShape::Literal: return kPostfix;
        case ConstantShape::Negated: return kUnary;
        case ConstantShape::Minimum: return kAdditive;
      }
      return kAdditive;
    }
    case ExprKind::EnumConstant:
    case ExprKind::String:
    case ExprKind::Variable:
    case ExprKind::Function:
    case ExprKind::Index:
    case ExprKind::Member:
    case ExprKind::Call:
    case ExprKind::Known:
      return kPostfix;
    case ExprKind::Builtin:
      return e.GetBuiltin() == Builtin::Malloc || e.GetBuiltin() == Builtin::Calloc ? kUnary
                                                                                    : kPostfix;
    case ExprKind::Unary:
    case ExprKind::Cast:
    case ExprKind::AddressOf:
    case ExprKind::Deref:
    case ExprKind::SizeofType:
    case ExprKind::SizeofExpr:
    case ExprKind::CompoundLiteral:  // postfix in C, but not every compiler takes a suffix after
                                     // the brace
      return kUnary;
    case ExprKind::IncDec:
      return e.IncDec() == IncDecOp::PreInc || e.IncDec() == IncDecOp::PreDec ? kUnary : kPostfix;
    case ExprKind::Binary:
      return Info(e.Binary()).precedence;
    case ExprKind::LogicalAnd:
      return kLogicalAnd;
    case ExprKind::LogicalOr:
      return kLogicalOr;
    case ExprKind::Conditional:
      return kConditional;
    case ExprKind::Guard:
      return e.detail == 1 ? kComma : kConditional;
    case ExprKind::Assign:
    case ExprKind::CompoundAssign:
      return kAssignment;
    case ExprKind::Comma:
    case ExprKind::kCount:
      return kComma;
  }
  return kComma;
}

}  // namespace

// Of the function that owns the va_list.
VarId Printer::LastParameter(ExprId va_list) const {
  const FunctionId owner = program_.vars[BaseVariable(program_, va_list)].function;
  return program_.functions[owner].params.back();
}

void Printer::Expression(ExprId id, int precedence) {
  const Expr& e = program_.exprs[id];
  if (e.kind == ExprKind::Variable) {  // the most common kind
    names_.Append(out_, e.Var());
    return;
  }
  const int own = PrecedenceOf(program_, e);
  const bool parentheses = own < precedence;
  if (parentheses) out_ += '(';
  const auto infix = [&](std::string_view spelling, int left, int right) {
    Expression(e.lhs, left);
    char spaced[8] = {' '};
    spaced[spelling.copy(spaced + 1, sizeof spaced - 2) + 1] = ' ';
    out_.AppendFirst(spaced, spelling.size() + 2);
    Expression(e.rhs, right);
  };
  switch (e.kind) {
    case ExprKind::Constant:
      AppendConstant(out_, program_.types.Kind(e.type), e.value,
                     static_cast<ConstantSpelling>(e.detail), program_.Model());
      break;
    case ExprKind::EnumConstant:
      names_.AppendEnumerator(out_, EnumId(e.ref), static_cast<uint32_t>(e.value));
      break;
    case ExprKind::String:
      AppendString(out_, program_.strings[StringId(e.ref)]);
      break;
    case ExprKind::Variable:
      names_.Append(out_, e.Var());
      break;
    case ExprKind::Function:
      names_.Append(out_, e.Func());
      break;
    case ExprKind::Unary:
      UnaryExpression(e);
      break;
    case ExprKind::Binary:
      infix(Info(e.Binary()).spelling, own, own + 1);
      break;
    case ExprKind::LogicalAnd:
      infix("&&", own, own + 1);
      break;
    case ExprKind::LogicalOr:
      infix("||", own, own + 1);
      break;
    case ExprKind::Conditional:
      Expression(e.lhs, kLogicalOr);
      out_ += " ? ";
      Expression(e.rhs, kAssignment);
      out_ += " : ";
      Expression(e.third, kConditional);
      break;
    case ExprKind::Comma:
      Expression(e.lhs, kComma);
      out_ += ", ";
      Expression(e.rhs, kAssignment);
      break;
    case ExprKind::Assign:
      infix("=", kUnary, kAssignment);
      break;
    case ExprKind::CompoundAssign:
      Expression(e.lhs, kUnary);
      out_ += ' ';
      out_ += Info(e.Binary()).spelling;
      out_ += "= ";
      Expression(e.rhs, kAssignment);
      break;
    case ExprKind::IncDec:
      IncDecExpression(e);
      break;
    case ExprKind::Cast:
      out_ += '(';
      TypeName(e.type);
      out_ += ')';
      Expression(e.lhs, kUnary);
      break;
    case ExprKind::AddressOf:
      out_ += '&';
      Expression(e.lhs, kUnary);
      break;
    case ExprKind::Deref:
      out_ += '*';
      Expression(e.lhs, kUnary);
      break;
    case ExprKind::Index:
      IndexExpression(e);
      break;
    case ExprKind::Member:
      MemberExpression(e);
      break;
    case ExprKind::SizeofType:
      out_ += "sizeof(";
      TypeName(e.RefType());
      out_ += ')';
      break;
    case ExprKind::SizeofExpr:
      out_ += "sizeof(";
      Expression(e.lhs, kComma);
      out_ += ')';
      break;
    case ExprKind::Call:
      Expression(e.lhs, kPostfix);
      out_ += '(';
      Arguments(e);
      out_ += ')';
      break;
    case ExprKind::CompoundLiteral:
      Literal(e.Var());
      break;
    case ExprKind::Builtin:
      BuiltinExpression(e);
      break;
    case ExprKind::Guard:
      GuardExpression(e);
      break;
    case ExprKind::Known:
    case ExprKind::kCount:
      CHECK_MSG(false, "expression {} must not be in a finished program", id.index);
  }
  if (parentheses) out_ += ')';
}

void Printer::Arguments(const Expr& e) {
  for (uint32_t i = 0; i < e.args.count; ++i) {
    if (i > 0) out_ += ", ";
    Expression(program_.Arg(e, i), kAssignment);
  }
}

void Printer::UnaryExpression(const Expr& e) {
  const char op = Info(e.Unary()).spelling.front();
  out_ += op;
  const size_t at = out_.Size();
  Expression(e.lhs, kUnary);
  if (out_[at] == op && (op == '+' || op == '-')) out_.Insert(at, " ");
}

void Printer::IncDecExpression(const Expr& e) {
  switch (e.IncDec()) {
    case IncDecOp::PreInc:
    case IncDecOp::PreDec:
      out_ += e.IncDec() == IncDecOp::PreInc ? "++" : "--";
      Expression(e.lhs, kUnary);
      return;
    case IncDecOp::PostInc:
    case IncDecOp::PostDec:
      Expression(e.lhs, kPostfix);
      out_ += e.IncDec() == IncDecOp::PostInc ? "++" : "--";
      return;
    case IncDecOp::kCount:
      break;
  }
  CHECK(false);
}

void Printer::IndexExpression(const Expr& e) {
  const bool swapped = e.detail == 1;
  Expression(swapped ? e.rhs : e.lhs, kPostfix);
  out_ += '[';
  Expression(swapped ? e.lhs : e.rhs, kComma);
  out_ += ']';
}

void Printer::MemberExpression(const Expr& e) {
  const Expr& base = program_.exprs[e.lhs];
  if (base.kind == ExprKind::Deref) {
    Expression(base.lhs, kPostfix);
    out_ += "->";
  } else {
    Expression(e.lhs, kPostfix);
    out_ += '.';
  }
  names_.AppendMember(out_, program_.types[base.type].record, e.MemberIndex());
}

// Only reports, whose names are short, take advantage of it.
bool Printer::IsDiscarded(const Expr& e) const {
  return names_.AreShort() && discarded_ && &program_.exprs[discarded_] == &e;
}

void Printer::BuiltinExpression(const Expr& e) {
  const Builtin builtin = e.GetBuiltin();
  const auto size = [&] {
    out_ += "sizeof(";
    TypeName(e.RefType());
    out_ += ')';
  };
  switch (builtin) {
    case Builtin::Malloc:
    case Builtin::Calloc:
      out_ += '(';
      TypeName(e.type);
      out_ += builtin == Builtin::Malloc ? ")malloc(" : ")calloc(";
      Expression(program_.Arg(e, 0), builtin == Builtin::Malloc ? kMultiplicative : kAssignment);
      out_ += builtin == Builtin::Malloc ? " * " : ", ";
      size();
      out_ += ')';
      return;
    case Builtin::Free:
    case Builtin::Memcpy:
    case Builtin::Memmove:
    case Builtin::Memset:
    case Builtin::Memcmp:
    case Builtin::VaEnd:
      out_ +=
          builtin == Builtin::Memcmp && !IsDiscarded(e) ? kCompareMemory : Info(builtin).spelling;
      out_ += '(';
      Arguments(e);
      if (Info(builtin).sized) {
        out_ += ", ";
        size();
      }
      out_ += ')';
      return;
    case Builtin::VaStart:
      out_ += Info(builtin).spelling;
      out_ += '(';
      Arguments(e);
      out_ += ", ";
      names_.Append(out_, LastParameter(program_.Arg(e, 0)));
      out_ += ')';
      return;
    case Builtin::VaArg:
      out_ += Info(builtin).spelling;
      out_ += '(';
      Arguments(e);
      out_ += ", ";
      TypeName(e.RefType());
      out_ += ')';
      return;
    case Builtin::kCount:
      break;
  }
  CHECK(false);
}

void Printer::GuardExpression(const Expr& e) {
  const bool temporary = e.detail == 1;
  if (temporary) {
    Expression(e.third, kUnary);
    out_ += " = ";
    Expression(e.lhs, kAssignment);
    out_ += ", ";
  }
  names_.Append(out_, e.Var());
  out_ += "++ < ";
  AppendNumber(out_, e.value);
  if (e.value > IntegerInfoOf(TypeKind::Int, program_.Model()).Max()) out_ += "ULL";
  out_ += " ? ";
  Expression(temporary ? e.third : e.lhs, kAssignment);
  out_ += " : ";
  Expression(e.rhs, kConditional);
}

void Printer::Literal(VarId object) {
  const Variable& var = program_.vars[object];
  out_ += '(';
  TypeName(var.type);
  out_ += ')';
  if (!var.init) {
    out_ += "{0}";
    return;
  }
  const Init& init = program_.inits[var.init];
  if (init.kind == InitKind::List) {
    Initialiser(var.init, var.type);
    return;
  }
  out_ += '{';
  Initialiser(var.init, var.type);
  out_ += '}';
}

void Printer::Initialiser(InitId id, TypeId type) {
  const Init& init = program_.inits[id];
  switch (init.kind) {
    case InitKind::Expr:
      Expression(init.expr, kAssignment);
      return;
    case InitKind::String:
      AppendString(out_, program_.strings[init.string]);
      return;
    case InitKind::List:
      InitList(init, type);
      return;
  }
}

// Without designators the items must be the first elements or named members, in order.
bool Printer::NeedsDesignators(const Init& init, TypeId type) const {
  const Type& t = program_.types[type];
  if (!IsRecord(t.kind)) {
    for (uint32_t i = 0; i < init.items.size(); ++i) {
      if (init.items[i].index != i) return true;
    }
    return false;
  }
  const Record& record = program_.types.GetRecord(t.record);
  uint32_t next = 0;
  for (const InitItem& item : init.items) {
    while (next < record.members.size() && !record.members[next].named) ++next;
    if (item.index != next++) return true;
  }
  return false;
}

void Printer::InitList(const Init& init, TypeId type) {
  if (init.items.empty()) {
    out_ += "{0}";
    return;
  }
  const bool designated = init.designated || NeedsDesignators(init, type);
  const Type& t = program_.types[type];
  out_ += '{';
  bool first = true;
  for (const InitItem& item : init.items) {
    if (!first) out_ += ", ";
    first = false;
    TypeId part = t.element;
    if (IsRecord(t.kind)) {
      part = program_.types.GetRecord(t.record).members[item.index].type;
      if (designated) {
        out_ += '.';
        names_.AppendMember(out_, t.record, item.index);
        out_ += " = ";
      }
    } else if (designated) {
      out_ += '[';
      AppendNumber(out_, item.index);
      out_ += "] = ";
    }
    Initialiser(item.init, part);
  }
  out_ += '}';
}

}  // namespace assay::emit
