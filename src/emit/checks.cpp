#include "emit/checks.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "emit/constants.hpp"
#include "emit/printer.hpp"
#include "lang/typing.hpp"

namespace assay::emit {

using namespace lang;  // NOLINT: the model's names
using machine::FinalForm;
using machine::FinalScalar;
using State = FinalScalar::State;

namespace {

// 0 or 1, whatever its operands are.
bool IsTruth(const Expr& e) {
  switch (e.kind) {
    case ExprKind::LogicalAnd:
    case ExprKind::LogicalOr: return true;
    case ExprKind::Binary: return IsComparison(e.Binary());
    case ExprKind::Constant:
    case ExprKind::EnumConstant:
    case ExprKind::String:
    case ExprKind::Variable:
    case ExprKind::Function:
    case ExprKind::Unary:
    case ExprKind::Conditional:
    case ExprKind::Comma:
    case ExprKind::Assign:
    case ExprKind::CompoundAssign:
    case ExprKind::IncDec:
    case ExprKind::Cast:
    case ExprKind::AddressOf:
    case ExprKind::Deref:
    case ExprKind::Index:
    case ExprKind::Member:
    case ExprKind::SizeofType:
    case ExprKind::SizeofExpr:
    case ExprKind::Call:
    case ExprKind::CompoundLiteral:
    case ExprKind::Builtin:
    case ExprKind::Guard:
    case ExprKind::kCount: break;
  }
  return false;
}

// How a final of a form is mixed and shown: a function with the parameters and statements of the row.
struct MixRow {
  FinalForm kind;
  std::string_view function, parameter, mixed, shown;
};
ROWS_BEGIN
constexpr std::array kMixing = {
    MixRow{FinalForm::Unseen, "", "", "", ""},
    MixRow{FinalForm::Signed, "mix_signed", ", long long value", "value", "printf(\" = %lld\\n\", value);"},
    MixRow{FinalForm::Unsigned, "mix_unsigned", ", unsigned long long value", "value",
           "printf(\" = %llu\\n\", value);"},
    MixRow{FinalForm::Float, "mix_float", ", float value", "float_bits(value)",
           "value != value ? printf(\" = nan\\n\") : printf(\" = %.9g\\n\", value == 0 ? 0.0 : value);"},
    MixRow{FinalForm::Double, "mix_double", ", double value", "double_bits(value)",
           "value != value ? printf(\" = nan\\n\") : printf(\" = %.17g\\n\", value == 0 ? 0.0 : value);"},
    MixRow{FinalForm::Pointer, "mix_pointer", ", const char *target, int right", "right",
           "printf(\" %s %s\\n\", right ? \"=\" : \"!=\", target);"},
};
ROWS_END
static_assert(support::InEnumOrder(kMixing, FinalForm::kCount));

// What is mixed of a floating number: its bits, as far as they can be seen (machine::SeenBits).
void AppendFloatBits(Text& out, const Program& program, TypeKind kind) {
  const bool single = kind == TypeKind::Float;
  const TypeKind integer = StandardKind(single ? TypeKind::UInt32 : TypeKind::UInt64, program.Model());
  out += fmt::format(
      "static unsigned long long {0}_bits({0} value) {{\n"
      "  union {{ {0} value; {1} bits; }} seen;\n"
      "  seen.value = value;\n",
      Info(kind).spelling, Info(integer).spelling);
  out += program.floats == FloatMode::Ieee ? fmt::format("  return value != value ? {:#x}ULL : seen.bits;\n}}\n",
                                                         FloatBits(kind, std::numeric_limits<double>::quiet_NaN()))
                                           : "  return value == 0 ? 0 : seen.bits;\n}\n";
}

constexpr std::string_view kHalves[] = {".low", ".high"};  // how those of wide integers are named in what is shown

bool IsNaN(TypeKind kind, uint64_t bits) { return std::isnan(FloatValue(kind, bits)); }

}  // namespace

TypeId FinalChecks::PartType(TypeId type, uint32_t index) const {
  const Type& t = program_.types[type];
  if (IsWide(t.kind)) return program_.types.Basic(TypeKind::UInt64);
  return IsRecord(t.kind) ? program_.types.GetRecord(t.record).members[index].type : t.element;
}

// The scalar is half of a wide integer.
bool FinalChecks::IsHalf(const FinalScalar& scalar) const {
  TypeId type = program_.vars[scalar.var].type;
  bool half = false;
  for (uint32_t index : scalar.path) {
    half = IsWide(program_.types.Kind(type));
    type = PartType(type, index);
  }
  return half;
}

void FinalChecks::AppendPath(Text& out, VarId var, const machine::Path& path) {
  names_.Append(out, var);
  TypeId type = program_.vars[var].type;
  for (uint32_t index : path) {
    const Type& t = program_.types[type];
    if (IsRecord(t.kind)) {
      out += '.';
      names_.AppendMember(out, t.record, index);
    } else if (IsWide(t.kind)) {
      out += kHalves[index];
    } else {
      out += '[';
      AppendNumber(out, index);
      out += ']';
    }
    type = PartType(type, index);
  }
}

// What the scalar is called in the text: with the loop variables of the moment, or as a format with
// %d for them.
void FinalChecks::Place(const FinalScalar& scalar, bool format) {
  const bool half = !format && IsHalf(scalar), high = half && scalar.path.back() == 1;
  if (half) body_ += high ? "(unsigned long long)(" : "(unsigned long long)";
  names_.Append(body_, scalar.var);
  TypeId type = program_.vars[scalar.var].type;
  size_t loop = 0;
  for (size_t i = 0; i < scalar.path.size(); ++i) {
    const Type& t = program_.types[type];
    const uint32_t index = scalar.path[i];
    if (IsRecord(t.kind)) {
      body_ += '.';
      names_.AppendMember(body_, t.record, index);
    } else if (IsWide(t.kind)) {
      if (format) body_ += kHalves[index];
    } else {
      body_ += '[';
      if (loop < loops_.size() && loops_[loop] == i) {
        ++loop;
        if (format) {
          body_ += "%d";
        } else {
          body_ += "i_";
          AppendNumber(body_, loop);
        }
      } else {
        AppendNumber(body_, index);
      }
      body_ += ']';
    }
    type = PartType(type, index);
  }
  if (high) body_ += " >> 64)";
}

// What a pointer must be equal to, as C text.
void FinalChecks::Target(Text& out, const FinalScalar& scalar) {
  switch (scalar.state) {
    case State::Pointer:
      out += '&';
      AppendPath(out, scalar.target, scalar.target_path);
      return;
    case State::FunctionPointer: names_.Append(out, scalar.target_function); return;
    case State::NullPointer:
    case State::Value:
    case State::Unreadable: out += '0'; return;
  }
}

// p == &g_1: with casts where the types differ. A static local has no name in main: its pointer is
// only not null.
void FinalChecks::Comparison(const FinalScalar& scalar) {
  if (scalar.state == State::Pointer && program_.vars[scalar.target].storage != Storage::Global) {
    Place(scalar, false);
    body_ += " != 0";
    return;
  }
  bool cast = false;
  if (scalar.state == State::Pointer) {
    TypeId type = program_.vars[scalar.target].type;
    for (uint32_t index : scalar.target_path) type = PartType(type, index);
    Type target = program_.types[type], pointee = program_.types[program_.types[scalar.type].element];
    target.quals = pointee.quals = 0;
    cast = target != pointee;
  }
  if (cast) body_ += "(char *)";
  Place(scalar, false);
  body_ += cast ? " == (char *)" : " == ";
  Target(body_, scalar);
}

void FinalChecks::Indent() { body_.AppendRepeated(2 + 2 * loops_.size(), ' '); }

void FinalChecks::LoopArguments() {
  for (size_t i = 0; i < max_loops_; ++i) {
    body_ += ", ";
    if (i < loops_.size()) {
      body_ += "i_";
      AppendNumber(body_, i + 1);
    } else {
      body_ += '0';
    }
  }
}

void FinalChecks::Leaf(const FinalScalar& scalar) {
  const FinalForm form = FormOf(scalar);
  if (form == FinalForm::Unseen) return;
  const bool pointer = form == FinalForm::Pointer;
  Indent();
  uses_[static_cast<size_t>(form)] = true;
  const bool bits = style_ == Style::Check && IsFloatForm(form);
  if (style_ == Style::Check) {
    body_ += !bits ? "check(" : form == FinalForm::Float ? "check(float_bits(" : "check(double_bits(";
  } else {
    body_ += kMixing[static_cast<size_t>(form)].function;
    body_ += "(show, \"";
    Place(scalar, true);
    body_ += '"';
    LoopArguments();
    body_ += ", ";
    if (pointer) {
      body_ += '"';
      AppendValue(body_, scalar);
      body_ += "\", ";
    }
  }
  if (pointer) {
    Comparison(scalar);
  } else {
    Place(scalar, false);
  }
  if (bits) body_ += ')';
  body_ += ");\n";
}

bool FinalChecks::Uniform(size_t begin, size_t count, size_t elements, size_t depth) const {
  const Finals& finals = result_.finals;
  for (size_t i = begin; i < begin + count * elements; ++i) {
    const FinalScalar& scalar = finals[i];
    const FinalScalar& model = finals[begin + (i - begin) % count];
    if (scalar.state != State::Value && scalar.state != State::NullPointer) return false;
    if (scalar.state != model.state || scalar.path.size() != model.path.size()) return false;
    if (scalar.path[depth] != (i - begin) / count) return false;
    for (size_t d = depth + 1; d < model.path.size(); ++d) {
      if (scalar.path[d] != model.path[d]) return false;
    }
  }
  return true;
}

// The finals [begin, end) agree in the variable and the first `depth` steps of their paths, which
// lead to `type`.
void FinalChecks::Group(size_t begin, size_t end, size_t depth, TypeId type) {
  const Finals& finals = result_.finals;
  if (finals[begin].path.size() == depth) {
    for (size_t i = begin; i < end; ++i) Leaf(finals[i]);
    return;
  }
  const auto run_end = [&](size_t from) {
    size_t to = from + 1;
    while (to < end && finals[to].path[depth] == finals[from].path[depth]) ++to;
    return to;
  };
  const Type& t = program_.types[type];
  if ((t.kind == TypeKind::Array || IsVector(t.kind)) && t.length > 1) {
    const size_t count = run_end(begin) - begin;
    if (end - begin == count * t.length && Uniform(begin, count, t.length, depth)) {
      Indent();
      const std::string index = "i_" + std::to_string(loops_.size() + 1);
      body_ += "for (int " + index + " = 0; " + index + " < " + std::to_string(t.length) + "; " + index + "++) {\n";
      loops_.push_back(depth);
      Group(begin, begin + count, depth + 1, t.element);
      loops_.pop_back();
      Indent();
      body_ += "}\n";
      return;
    }
  }
  while (begin < end) {
    const size_t next = run_end(begin);
    Group(begin, next, depth + 1, PartType(type, finals[begin].path[depth]));
    begin = next;
  }
}

namespace {

// The deepest nest of arrays in a type: as many loops can be needed.
size_t ArrayDepth(const Program& program, TypeId type) {
  const Type& t = program.types[type];
  if (t.kind == TypeKind::Array || IsVector(t.kind)) return 1 + ArrayDepth(program, t.element);
  size_t depth = 0;
  if (IsRecord(t.kind)) {
    for (const Member& member : program.types.GetRecord(t.record).members) {
      depth = std::max(depth, ArrayDepth(program, member.type));
    }
  }
  return depth;
}

}  // namespace

void FinalChecks::Statements(Style style) {
  style_ = style;
  const Finals& finals = result_.finals;
  if (style == Style::Mix) {
    for (size_t i = 0; i < finals.size(); ++i) {
      if (i > 0 && finals[i].var == finals[i - 1].var) continue;
      max_loops_ = std::max(max_loops_, ArrayDepth(program_, program_.vars[finals[i].var].type));
    }
  }
  for (size_t begin = 0; begin < finals.size();) {
    size_t end = begin + 1;
    while (end < finals.size() && finals[end].var == finals[begin].var) ++end;
    Group(begin, end, 0, program_.vars[finals[begin].var].type);
    begin = end;
  }
}

// Copies of these functions in main, one for every final, would take a third of the time that gcc -O3 needs for a
// program (docs/measurements.md), and all programs would look the same there.
std::string_view FinalChecks::NotInlined() const {
  const bool plain = dialect_.attributes.empty() || !KeepsOutOfMain(result_);
  return plain ? "static " : "static ATTRIBUTE(noinline) ";
}

void FinalChecks::AppendMixing(Text& out) {
  Statements(Style::Mix);
  out += fmt::format(
      "static unsigned long long checksum = {:#x}ULL;\n\n"
      "static void mix(unsigned long long value) {{\n"
      "  checksum = (checksum ^ value) * {:#x}ULL;\n"
      "  checksum ^= checksum >> {};\n"
      "}}\n",
      machine::kChecksumStart, machine::kChecksumFactor, machine::kChecksumShift);
  std::string parameters = "(int show, const char *name", print = "printf(";
  print += max_loops_ == 0 ? "\"%s\", name" : "name";
  for (size_t i = 1; i <= max_loops_; ++i) {
    parameters += ", int i_" + std::to_string(i);
    print += ", i_" + std::to_string(i);
  }
  print += "); ";
  if (uses_[static_cast<size_t>(FinalForm::Float)]) AppendFloatBits(out += '\n', program_, TypeKind::Float);
  if (uses_[static_cast<size_t>(FinalForm::Double)]) AppendFloatBits(out += '\n', program_, TypeKind::Double);
  for (const MixRow& row : kMixing) {
    if (!uses_[static_cast<size_t>(row.kind)]) continue;
    (((out += '\n') += NotInlined()) += "void ") += row.function;
    out += parameters;
    out += row.parameter;
    out += ") {\n  mix(";
    out += row.mixed;
    out += ");\n  if (show) { ";
    out += print;
    out += row.shown;
    out += " }\n}\n";
  }
  out += "\nint main(int argc, char **argv) {\n  (void)argv;\n  int show = argc > 1;\n  ";
  Call(out);
  out += body_;
  out += "  printf(\"checksum = %016llx\\n\", checksum);\n  return 0;\n}\n";
}

void FinalChecks::Call(Text& out) {
  names_.Append(out, program_.entry);
  out += "();\n";
}

void FinalChecks::AppendChecking(Text& out) {
  Statements(Style::Check);
  size_t count = 0;
  Text table;
  for (const FinalScalar& scalar : result_.finals) {
    const FinalForm form = FormOf(scalar);
    if (form == FinalForm::Unseen) continue;
    if (count > 0) table += count % 8 == 0 ? ",\n  " : ", ";
    ++count;
    const uint64_t value = machine::MixedValue(scalar);
    const bool negative = static_cast<int64_t>(value) < 0 && form == FinalForm::Signed;
    if (negative) table += '-';
    AppendNumber(table, negative ? 0 - value : value);
    if (negative || value > 0x7fff) table += "ULL";
  }
  if (uses_[static_cast<size_t>(FinalForm::Float)]) AppendFloatBits(out, program_, TypeKind::Float);
  if (uses_[static_cast<size_t>(FinalForm::Double)]) AppendFloatBits(out, program_, TypeKind::Double);
  if (count > 0) {
    ((out += "static const unsigned long long expected[] = {\n  ") += table) += "\n};\n\n";
    out += NotInlined();
    out += "void check(unsigned long long value) {\n  static int next;\n  if (value != expected[next++]) ";
    out += dialect_.abort;
    out += ";\n}\n\n";
  }
  out += "int main(void) {\n  ";
  Call(out);
  out += body_;
  out += "  return 0;\n}\n";
}

void FinalChecks::AppendReport(Text& out, const EmitOptions& options) {
  out += "int main(void) {";
  ExprId direct;
  if (options.report_inlines) {
    names_.EnterFunction(program_.entry);
    if (options.report_direct) {
      const BlockId body = program_.functions[program_.entry].body;
      const Stmt& last = program_.stmts[program_.blocks[body].stmts.back()];
      direct = program_.exprs[last.expr].rhs;
    }
    Printer(program_, dialect_, names_, out).FunctionBody(program_.entry, direct ? 1 : 0);
    out += '\n';
  } else {
    out += "\n  ";
    Call(out);
  }
  if (options.report_final) {
    body_.Clear();
    Look(result_.finals[*options.report_final], direct, options.report_tells);
    ((out += "  ") += body_) += ";\n";
  }
  const bool returned = options.report_final && options.report_tells == Tell::Status;
  out += options.report_returns && !returned ? "  return 0;\n}\n" : "}\n";
}

// if (g_1 != 5) abort(), return g_1 != 5, or printf. `direct`: an expression of the scalar's value
// that stands in its place.
void FinalChecks::Look(const FinalScalar& scalar, ExprId direct, Tell tell) {
  const FinalForm form = FormOf(scalar);
  CHECK(form != FinalForm::Unseen);
  const bool pointer = form == FinalForm::Pointer;
  const auto value = [&](int precedence) {
    if (direct) {
      Printer(program_, dialect_, names_, body_).Expression(direct, precedence);
    } else {
      pointer ? Comparison(scalar) : Place(scalar, false);
    }
  };
  if (IsFloatForm(form)) return LookAtFloat(scalar, direct, tell);
  if (tell == Tell::Print) {
    const bool is_signed = form != FinalForm::Unsigned;
    body_ += is_signed ? "printf(\"%lld\\n\", (long long)" : "printf(\"%llu\\n\", (unsigned long long)";
    if (pointer) body_ += '(';
    value(kUnary);
    body_ += pointer ? "))" : ")";
    return;
  }
  body_ += tell == Tell::Abort ? "if (" : "return ";
  // The exit code has eight bits only: not every value that is not 0 can be returned as it is.
  const bool truth = direct && IsTruth(program_.exprs[direct]);
  const bool as_it_is = truth || (direct && tell == Tell::Abort);
  if (pointer || (truth && scalar.value == 1)) {
    body_ += "!(";
    value(kComma);
    body_ += ')';
  } else if (as_it_is && scalar.value == 0) {
    value(kComma);
  } else {
    value(Info(BinaryOp::Ne).precedence + 1);
    body_ += " != ";
    const TypeKind kind = Promote(program_.types.Kind(scalar.type), program_.Model(), scalar.bit_width);
    AppendConstant(body_, kind, scalar.value, ConstantSpelling::Decimal, program_.Model());
  }
  if (tell == Tell::Abort) (body_ += ") ") += dialect_.abort;
}

// The same of a floating number: a NaN is told by being unequal to itself, an infinity and a zero with a sign by
// division.
void FinalChecks::LookAtFloat(const FinalScalar& scalar, ExprId direct, Tell tell) {
  const TypeKind kind = program_.types.Kind(scalar.type);
  const double value = FloatValue(kind, scalar.value);
  CHECK_MSG(!direct, "floating numbers are looked at where they are");
  if (tell == Tell::Print) {
    body_ += kind == TypeKind::Float ? "printf(\"%.9g\\n\", " : "printf(\"%.17g\\n\", ";
    Place(scalar, false);
    body_ += " == 0 ? 0.0 : ";
    Place(scalar, false);
    body_ += ')';
    return;
  }
  body_ += tell == Tell::Abort ? "if (" : "return ";
  Place(scalar, false);
  if (std::isnan(value)) {
    body_ += " == ";
    Place(scalar, false);
  } else if (std::isinf(value)) {
    body_ += value < 0 ? " != -1 / 0.0" : " != 1 / 0.0";
  } else {
    body_ += " != ";
    AppendConstant(body_, kind, scalar.value, value == 0 ? ConstantSpelling::Decimal : ConstantSpelling::Hex,
                   program_.Model());
    if (value == 0 && program_.floats == FloatMode::Ieee) {
      body_ += " || 1 / ";
      Place(scalar, false);
      body_ += std::signbit(value) ? " > 0" : " < 0";
    }
  }
  if (tell == Tell::Abort) (body_ += ") ") += dialect_.abort;
}

void FinalChecks::AppendValue(Text& out, const FinalScalar& scalar) {
  switch (scalar.state) {
    case State::Value:
      if (const FinalForm form = FormOf(scalar); IsFloatForm(form)) {
        const bool single = form == FinalForm::Float;
        const TypeKind kind = single ? TypeKind::Float : TypeKind::Double;
        const double value = FloatValue(kind, scalar.value);
        out += IsNaN(kind, scalar.value) ? "nan" : fmt::format("{:.{}g}", value == 0 ? 0.0 : value, single ? 9 : 17);
        return;
      }
      if (static_cast<int64_t>(scalar.value) < 0 && FormOf(scalar) == FinalForm::Signed) {
        out += '-';
        AppendNumber(out, 0 - scalar.value);
      } else {
        AppendNumber(out, scalar.value);
      }
      return;
    case State::Pointer:
      if (program_.vars[scalar.target].storage != Storage::Global) {
        out += "(static object)";
        return;
      }
      [[fallthrough]];
    case State::NullPointer:
    case State::FunctionPointer: Target(out, scalar); return;
    case State::Unreadable: return;
  }
}

void FinalChecks::AppendExpectedValues(Text& out) {
  for (const FinalScalar& scalar : result_.finals) {
    if (scalar.state == State::Unreadable) continue;
    AppendPath(out, scalar.var, scalar.path);
    out += " = ";
    AppendValue(out, scalar);
    out += '\n';
  }
}

void FinalChecks::AppendExpectedReport(Text& out, const FinalScalar& scalar) {
  if (scalar.state == State::Value) {
    AppendValue(out, scalar);
  } else {
    out += '1';
  }
  out += '\n';
}

}  // namespace assay::emit
