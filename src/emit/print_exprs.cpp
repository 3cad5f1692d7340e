// Expressions and initialisers, with the parentheses that precedence requires. More is added for the reader, against
// joined tokens and for compilers that insist: parentheses around negative constants that are operands and around a
// comparison that is compared, and a space in `- -x`.
#include "emit/constants.hpp"
#include "emit/printer.hpp"
#include "lang/constraints.hpp"
#include "lang/typing.hpp"

namespace assay::emit {

using namespace lang;  // NOLINT: the model's names

namespace {

// It is written in a cast to its type: compilers have types of their own for it.
bool IsVectorComparison(const Program& program, const Expr& e) {
  return IsComparison(e.Binary()) && IsVector(program.types.Kind(e.type));
}

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
    case ExprKind::Call: return kPostfix;
    case ExprKind::Builtin:  // the result of an allocation is cast
      if (IsEitherWay(e.GetBuiltin())) return kConditional;
      if (Info(e.GetBuiltin()).result == BuiltinResult::CharPointer) return kUnary;
      return Info(e.GetBuiltin()).result == BuiltinResult::PointerToType ? kUnary : kPostfix;
    case ExprKind::Unary: return Info(e.Unary()).precedence;
    case ExprKind::Cast:
    case ExprKind::AddressOf:
    case ExprKind::Deref:
    case ExprKind::SizeofType:
    case ExprKind::SizeofExpr:
    case ExprKind::CompoundLiteral:  // postfix in C, but not every compiler takes a suffix after
                                     // the brace
      return kUnary;
    case ExprKind::IncDec: return Info(e.IncDec()).prefix ? kUnary : kPostfix;
    case ExprKind::Binary:
      return IsVectorComparison(program, e) ? static_cast<int>(kUnary) : Info(e.Binary()).precedence;
    case ExprKind::LogicalAnd: return kLogicalAnd;
    case ExprKind::LogicalOr: return kLogicalOr;
    case ExprKind::Conditional: return kConditional;
    case ExprKind::Guard: return e.detail == 1 ? kComma : kConditional;
    case ExprKind::Assign:
    case ExprKind::CompoundAssign: return kAssignment;
    case ExprKind::Comma:
    case ExprKind::kCount: return kComma;
  }
  return kComma;
}

// What the name of a function says of the type it computes in.
std::string_view SizeLetters(TypeKind promoted) {
  if (Info(promoted).width == Width::LongLong) return "ll";
  return Info(promoted).width == Width::Long ? "l" : "";
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
      AppendConstant(out_, program_.types.Kind(e.type), e.value, static_cast<ConstantSpelling>(e.detail),
                     program_.Model());
      break;
    case ExprKind::EnumConstant: names_.AppendEnumerator(out_, EnumId(e.ref), static_cast<uint32_t>(e.value)); break;
    case ExprKind::String: AppendString(out_, program_.strings[StringId(e.ref)]); break;
    case ExprKind::Variable: names_.Append(out_, e.Var()); break;
    case ExprKind::Function: names_.Append(out_, e.Func()); break;
    case ExprKind::Unary: UnaryExpression(e); break;
    case ExprKind::Binary:
      if (IsVectorComparison(program_, e)) {
        const int comparison = Info(e.Binary()).precedence;
        out_ += '(';
        TypeName(e.type);
        out_ += ")(";
        infix(Info(e.Binary()).spelling, comparison + 1, comparison + 1);
        out_ += ')';
        break;
      }
      switch (Info(e.Binary()).shape) {
        case OperatorShape::Infix:  // (a < b) < c: as a < b < c it is an error for some compilers
          infix(Info(e.Binary()).spelling, IsComparison(e.Binary()) ? own + 1 : own, own + 1);
          break;
        case OperatorShape::Call: OperatorCall(Info(e.Binary()).spelling, e.lhs, e.rhs); break;
        case OperatorShape::SizedCall:
        case OperatorShape::Prefix: CHECK(false);
      }
      break;
    case ExprKind::LogicalAnd: infix("&&", own, own + 1); break;
    case ExprKind::LogicalOr: infix("||", own, own + 1); break;
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
    case ExprKind::Assign: infix("=", kUnary, kAssignment); break;
    case ExprKind::CompoundAssign:
      Expression(e.lhs, kUnary);
      out_ += ' ';
      out_ += Info(e.Binary()).spelling;
      out_ += "= ";
      Expression(e.rhs, kAssignment);
      break;
    case ExprKind::IncDec: IncDecExpression(e); break;
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
    case ExprKind::Index: IndexExpression(e); break;
    case ExprKind::Member: MemberExpression(e); break;
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
    case ExprKind::CompoundLiteral: Literal(e.Var()); break;
    case ExprKind::Builtin: BuiltinExpression(e); break;
    case ExprKind::Guard: GuardExpression(e); break;
    case ExprKind::kCount: CHECK_MSG(false, "expression {} must not be in a finished program", id.index);
  }
  if (parentheses) out_ += ')';
}

void Printer::Arguments(const Expr& e) {
  for (uint32_t i = 0; i < e.args.count; ++i) {
    if (i > 0) out_ += ", ";
    Expression(program_.Arg(e, i), kAssignment);
  }
}

void Printer::OperatorCall(std::string_view function, ExprId lhs, ExprId rhs) {
  out_ += function;
  out_ += '(';
  Expression(lhs, kAssignment);
  if (rhs) {
    out_ += ", ";
    Expression(rhs, kAssignment);
  }
  out_ += ')';
}

void Printer::UnaryExpression(const Expr& e) {
  const UnaryOpInfo& row = Info(e.Unary());
  if (row.shape == OperatorShape::Call) return OperatorCall(row.spelling, e.lhs, {});
  if (row.shape == OperatorShape::SizedCall) {
    const size_t at = row.spelling.find('%');
    const std::string size(SizeLetters(PromotedKind(program_, e.lhs)));
    return OperatorCall(std::string(row.spelling.substr(0, at)) + size + std::string(row.spelling.substr(at + 1)),
                        e.lhs, {});
  }
  const char op = row.spelling.front();
  out_ += op;
  const size_t at = out_.Size();
  Expression(e.lhs, kUnary);
  if (out_[at] == op && (op == '+' || op == '-')) out_.Insert(at, " ");
}

void Printer::IncDecExpression(const Expr& e) {
  const IncDecOpInfo& row = Info(e.IncDec());
  const std::string_view spelling = row.step == BinaryOp::Add ? "++" : "--";
  if (row.prefix) out_ += spelling;
  Expression(e.lhs, row.prefix ? kUnary : kPostfix);
  if (!row.prefix) out_ += spelling;
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
  const BuiltinInfo& row = Info(e.GetBuiltin());
  const auto size = [&] {
    out_ += "sizeof(";
    TypeName(e.RefType());
    out_ += ')';
  };
  if (row.result == BuiltinResult::PointerToType) {
    out_ += '(';
    TypeName(e.type);
    out_ += ')';
  }
  // A cast, so that the result of memchr is one, and a sign, whatever the library gives for less and greater.
  if (row.result == BuiltinResult::CharPointer) out_ += "(char *)";
  const bool sign = ComparesBytes(row.kind) && row.kind != Builtin::Memcmp && !IsDiscarded(e);
  if (sign) out_ += "sign_of(";
  if (row.shape == BuiltinShape::Truth) out_ += '(';
  if (row.shape == BuiltinShape::Shuffle) {
    out_ += "shuffle_";
    VectorName(program_.types[e.type]);
  } else {
    out_ += row.kind == Builtin::Memcmp && !IsDiscarded(e) ? kCompareMemory : dialect_.Spelling(row.kind);
  }
  if (row.shape == BuiltinShape::OfKind && program_.types.Kind(e.type) == TypeKind::Float) out_ += 'f';
  out_ += '(';
  switch (row.shape) {
    case BuiltinShape::Product:
      Expression(program_.Arg(e, 0), kMultiplicative);
      out_ += " * ";
      size();
      break;
    case BuiltinShape::Counted:
    case BuiltinShape::Sized:
      Arguments(e);
      out_ += ", ";
      size();
      break;
    case BuiltinShape::Plain:
    case BuiltinShape::OfKind: Arguments(e); break;
    case BuiltinShape::Truth:
      Arguments(e);
      out_ += ") != 0";
      break;
    case BuiltinShape::LastParameter:
      Arguments(e);
      out_ += ", ";
      names_.Append(out_, LastParameter(program_.Arg(e, 0)));
      break;
    case BuiltinShape::Shuffle: Arguments(e); break;
    case BuiltinShape::Typed:
      Arguments(e);
      out_ += ", ";
      TypeName(e.RefType());
      break;
    case BuiltinShape::Ordered:
      Arguments(e);
      out_ += ", 5";
      break;
    case BuiltinShape::Probability: {
      Expression(program_.Arg(e, 0), kAssignment);
      out_ += ", ";
      Expression(program_.Arg(e, 1), kAssignment);
      out_ += ", ";
      const uint64_t percent = program_.exprs[program_.Arg(e, 2)].value;
      AppendNumber(out_, percent / 100);
      out_ += '.';
      AppendNumber(out_, percent / 10 % 10);
      AppendNumber(out_, percent % 10);
      break;
    }
    case BuiltinShape::Choice:
    case BuiltinShape::ChoiceOfSize:
      Expression(program_.Arg(e, 0), kAssignment);
      out_ += row.shape == BuiltinShape::Choice ? ") ? " : ", 0) > 16 ? ";
      Expression(program_.Arg(e, 1), kAssignment);
      out_ += " : ";
      Expression(program_.Arg(e, 2), kConditional);
      return;
  }
  if (sign) out_ += ')';
  out_ += ')';
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
    case InitKind::Expr: Expression(init.expr, kAssignment); return;
    case InitKind::String: AppendString(out_, program_.strings[init.string]); return;
    case InitKind::List: InitList(init, type); return;
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
