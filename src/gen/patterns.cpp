#include "gen/patterns.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gen/access.hpp"
#include "gen/expr.hpp"
#include "gen/integers.hpp"
#include "gen/known.hpp"
#include "gen/types.hpp"

namespace assay::gen {
namespace {

using lang::UnaryOp;

// The rows of all families, in order, and the numbers of those with a use, as often as they weigh.
struct Rows {
  std::vector<const PatternRow*> all;
  std::vector<uint32_t> tests, facts, values;  // values: all but facts
};

Rows MakeRows() {
  Rows rows;
  for (std::span<const PatternRow> family : {ArithmeticPatterns(), BitPatterns(), ChoicePatterns(), TestPatterns()}) {
    for (const PatternRow& row : family) {
      const uint32_t number = static_cast<uint32_t>(rows.all.size());
      rows.all.push_back(&row);
      for (uint32_t i = 0; i < row.weight; ++i) {
        if (row.use != PatternUse::Fact) rows.values.push_back(number);
      }
      if (row.use == PatternUse::Test) rows.tests.push_back(number);
      if (row.use == PatternUse::Fact) rows.facts.push_back(number);
    }
  }
  return rows;
}

const Rows& AllRows() {
  static const Rows rows = MakeRows();
  return rows;
}

// A variable, or a part of one, that can always be read: no repair makes a difference between two copies of it.
ExprId PlainOperand(Writer& w) {
  const auto always = [&w](ExprId e) {
    for (;;) {
      const lang::Expr& node = w.program.exprs[e];
      if (node.kind == ExprKind::Variable) {
        const lang::Variable& variable = w.program.vars[node.Var()];
        return variable.IsStatic() || variable.storage == lang::Storage::Param;
      }
      const TypeKind base = node.lhs ? w.Kind(node.lhs) : TypeKind::Void;
      const bool member = node.kind == ExprKind::Member && base == TypeKind::Struct;
      const bool element = node.kind == ExprKind::Index && base == TypeKind::Array &&
                           w.program.exprs[node.rhs].kind == ExprKind::Constant;
      if (!member && !element) return false;
      e = node.lhs;
    }
  };
  for (int tries = 0; tries < 6; ++tries) {
    const ExprId e = IntLvalue(w, Access::Read);
    if (e && always(e) && IsPure(w.program, e)) return AsOperand(w, e);
  }
  return {};
}

// Draws what one pattern needs and builds it.
class Instance {
 public:
  Instance(Writer& w, const Want& want, const PatternRow& row) : w_(w), want_(want), row_(row) {}

  ExprId Build() {
    if (!DrawOperands()) return {};
    info_ = w_.IntInfo(kind_);
    if (info_.bits < row_.bits) return {};
    std::array<ExprId, kMostPatternNodes> made;
    for (uint32_t i = 0; i < row_.tree.count; ++i) made[i] = Node(row_.tree.nodes[i], made);
    return made[row_.tree.count - 1];
  }

 private:
  using Kind = PatternNode::Kind;

  bool DrawOperands() {
    for (uint32_t i = 0; i < row_.tree.operands; ++i) {
      ExprId e;
      if (row_.use == PatternUse::Fact) {
        e = PlainOperand(w_);
      } else {
        if (i > 0 && row_.types != PatternTypes::Loose && w_.choices.Percent(60)) e = OperandOfType(w_, own_type_);
        if (!e) e = PureOperand(w_, want_);
      }
      if (!e) return false;
      if (i == 0) DrawType(e);
      operands_[i] = Converted(e);
    }
    return true;
  }

  // The type of the operands, once the first is known.
  void DrawType(ExprId first) {
    own_type_ = lang::ValueType(w_.program, first);
    const TypeKind promoted = lang::PromotedKind(w_.program, first);
    type_ = own_type_;
    kind_ = promoted;
    const auto become = [&](TypeKind kind) {
      type_ = w_.program.types.Basic(kind);
      kind_ = lang::Promote(kind, w_.program.Model());
    };
    switch (row_.types) {
      case PatternTypes::Loose: break;
      case PatternTypes::Any:
        switch (w_.choices.Weighted({65, 20, 15})) {
          case 1: become(lang::Info(promoted).unsigned_kind); break;
          case 2:
            type_ = IntegerType(w_);
            kind_ = lang::Promote(w_.Kind(type_), w_.program.Model());
            break;
          default: break;
        }
        break;
      case PatternTypes::Unsigned:
        become(w_.choices.Percent(80) ? lang::Info(promoted).unsigned_kind
               : w_.choices.Coin()    ? TypeKind::ULLong
                                      : TypeKind::UInt);
        break;
      case PatternTypes::Signed: {
        static constexpr TypeKind kSigned[] = {TypeKind::Int, TypeKind::Long, TypeKind::LLong};
        for (TypeKind kind : kSigned) {
          if (promoted == kind || promoted == lang::Info(kind).unsigned_kind) become(kind);
        }
        break;
      }
    }
  }

  ExprId Converted(ExprId e) {
    if (row_.types == PatternTypes::Loose || lang::ValueType(w_.program, e) == type_) return e;
    return w_.build.Cast(type_, e);
  }

  ExprId Node(const PatternNode& node, const std::array<ExprId, kMostPatternNodes>& made) {
    const auto at = [&](int8_t index) { return made[static_cast<size_t>(index)]; };
    switch (node.kind) {
      case Kind::Operand: {
        bool& used = used_[node.op];
        const ExprId e = operands_[node.op];
        if (used) return w_.build.CopyTree(e);
        used = true;
        return e;
      }
      case Kind::Constant: return ConstantNode(static_cast<ConstantSlot>(node.op));
      case Kind::Number:  // an int has 16 bits at least
        return node.number > 32767 ? LiteralOf(w_, kind_, static_cast<uint64_t>(node.number))
                                   : w_.build.Int(node.number);
      case Kind::Unary: return w_.build.Unary(static_cast<UnaryOp>(node.op), at(node.lhs));
      case Kind::Binary: return w_.build.Binary(static_cast<BinaryOp>(node.op), at(node.lhs), at(node.rhs));
      case Kind::And: return w_.build.LogicalAnd(at(node.lhs), at(node.rhs));
      case Kind::Or: return w_.build.LogicalOr(at(node.lhs), at(node.rhs));
      case Kind::Conditional: return w_.build.Conditional(at(node.lhs), at(node.rhs), at(node.third));
      case Kind::Cast: return w_.build.Cast(CastType(static_cast<PatternCast>(node.op)), at(node.lhs));
    }
    return {};
  }

  ExprId ConstantNode(ConstantSlot slot) {
    const bool count = slot == ConstantSlot::Count1 || slot == ConstantSlot::Count2 || slot == ConstantSlot::Rest ||
                       slot == ConstantSlot::Width || slot == ConstantSlot::Top || slot == ConstantSlot::Log ||
                       slot == ConstantSlot::Byte;
    const uint64_t value = ValueOf(slot);
    return count ? w_.build.Int(static_cast<int64_t>(value)) : LiteralOf(w_, kind_, value);
  }

  uint64_t ValueOf(ConstantSlot slot) {
    std::optional<uint64_t>& known = constants_[static_cast<size_t>(slot)];
    if (!known) known = DrawConstant(slot);
    return *known;
  }

  uint64_t DrawConstant(ConstantSlot slot) {
    switch (slot) {
      case ConstantSlot::Any1:
      case ConstantSlot::Any2:
      case ConstantSlot::Any3: return Canonical(ConstantValue(w_), info_);
      case ConstantSlot::Count1:
      case ConstantSlot::Count2: return 1 + w_.choices.Below(info_.bits - 1u);
      case ConstantSlot::Rest: return info_.bits - ValueOf(ConstantSlot::Count1);
      case ConstantSlot::Width: return info_.bits;
      case ConstantSlot::Top: return info_.bits - 1u;
      case ConstantSlot::Power: return uint64_t{1} << ValueOf(ConstantSlot::Log);
      case ConstantSlot::Low: return ValueOf(ConstantSlot::Power) - 1;
      case ConstantSlot::High: return Canonical(~ValueOf(ConstantSlot::Low), info_);
      case ConstantSlot::Log: return 1 + w_.choices.Below(info_.bits - 2u);
      case ConstantSlot::Most: return info_.Max();
      case ConstantSlot::Least: return static_cast<uint64_t>(info_.Min());
      case ConstantSlot::Divisor: {
        const uint64_t value = Canonical(ConstantValue(w_), info_);
        const uint64_t minus_one = Canonical(~uint64_t{0}, info_);
        return value == 0 || value == minus_one || value == static_cast<uint64_t>(info_.Min()) ? 7 : value;
      }
      case ConstantSlot::Factor: return 2 + w_.choices.Below(30);
      case ConstantSlot::Now: {
        const std::optional<machine::Value> value = w_.Probe(operands_[0]);
        return Canonical(value ? *value : ConstantValue(w_), info_);
      }
      case ConstantSlot::Near: {
        const uint64_t now = ValueOf(ConstantSlot::Now);
        const bool top = now == info_.Max();
        return top || (w_.choices.Coin() && now != static_cast<uint64_t>(info_.Min())) ? now - 1 : now + 1;
      }
      case ConstantSlot::Byte: return 8ull * (1 + w_.choices.Below(info_.bits / 8u - 1u));
      case ConstantSlot::NotAny1: return Canonical(~ValueOf(ConstantSlot::Any1), info_);
      case ConstantSlot::NegAny1: return Canonical(~ValueOf(ConstantSlot::Any1) + 1, info_);
      case ConstantSlot::kCount: break;
    }
    return 0;
  }

  TypeId CastType(PatternCast cast) {
    const auto basic = [&](TypeKind kind) { return w_.program.types.Basic(kind); };
    const TypeKind wide =
        info_.bits < w_.IntInfo(TypeKind::Long).bits && w_.choices.Coin() ? TypeKind::Long : TypeKind::LLong;
    switch (cast) {
      case PatternCast::Same: return row_.types == PatternTypes::Loose ? basic(kind_) : type_;
      case PatternCast::Unsigned: return basic(lang::Info(kind_).unsigned_kind);
      case PatternCast::Signed:
        for (TypeKind kind : {TypeKind::Int, TypeKind::Long, TypeKind::LLong}) {
          if (lang::Info(kind).unsigned_kind == kind_) return basic(kind);
        }
        return basic(kind_);
      case PatternCast::Wide: return basic(info_.is_signed ? wide : lang::Info(wide).unsigned_kind);
      case PatternCast::UnsignedWide: return basic(lang::Info(wide).unsigned_kind);
      case PatternCast::Narrow: {
        // One type wherever the pattern narrows.
        static constexpr TypeKind kNarrow[] = {TypeKind::SChar,  TypeKind::UChar, TypeKind::Short,
                                               TypeKind::UShort, TypeKind::Int,   TypeKind::UInt};
        if (!narrow_) narrow_ = basic(kNarrow[w_.choices.Below(info_.bits > w_.IntInfo(TypeKind::Int).bits ? 6 : 4)]);
        return narrow_;
      }
      case PatternCast::Bool: return basic(TruthKind(w_));
      case PatternCast::Byte: return basic(TypeKind::UChar);
      case PatternCast::SignedByte: return basic(TypeKind::SChar);
      case PatternCast::kCount: break;
    }
    return basic(TypeKind::Int);
  }

  Writer& w_;
  const Want& want_;
  const PatternRow& row_;
  std::array<ExprId, kMostOperands> operands_{};
  std::array<bool, kMostOperands> used_{};
  TypeId own_type_, type_, narrow_;  // of the first operand; of all operands
  TypeKind kind_ = TypeKind::Int;    // the same, promoted
  lang::IntegerInfo info_;           // of kind_
  std::array<std::optional<uint64_t>, static_cast<size_t>(ConstantSlot::kCount)> constants_{};
};

// Some of the rows do not fit: a few tries.
ExprId OneOf(Writer& w, const Want& want, const std::vector<uint32_t>& numbers) {
  for (int tries = 0; tries < 3; ++tries) {
    if (const ExprId e = WritePattern(w, want, numbers[w.choices.Below(static_cast<uint32_t>(numbers.size()))]))
      return e;
  }
  return {};
}

}  // namespace

uint32_t PatternCount() { return static_cast<uint32_t>(AllRows().all.size()); }
const PatternRow& PatternOf(uint32_t number) { return *AllRows().all[number]; }

void Add(PatternTable& sum, const PatternTable& one) {
  if (sum.size() < one.size()) sum.resize(one.size());
  for (size_t i = 0; i < one.size(); ++i) {
    sum[i].written += one[i].written;
    sum[i].executed += one[i].executed;
  }
}

std::string TextOf(const PatternTable& table) {
  std::string text = fmt::format("patterns:\n  {:<38} {:>8} {:>8}  {}\n", "pattern", "written", "executed", "text");
  for (uint32_t i = 0; i < table.size(); ++i) {
    text += fmt::format("  {:<38} {:>8} {:>8}  {}\n", PatternOf(i).name, table[i].written, table[i].executed,
                        PatternOf(i).text);
  }
  return text;
}

ExprId WritePattern(Writer& w, const Want& want, uint32_t number) {
  const PatternRow& row = PatternOf(number);
  const uint32_t now = w.program.exprs.Size(), end = std::min(want.limit, w.node_limit);
  if (end < now + row.tree.count) return {};
  const ExprId e = Instance(w, want, row).Build();
  if (e) w.patterns.push_back({e, number});
  return e;
}

ExprId PatternValue(Writer& w, const Want& want) {
  const ExprId e = OneOf(w, want, AllRows().values);
  return e ? e : IntLeaf(w);
}

ExprId PatternTest(Writer& w, const Want& want) { return OneOf(w, want, AllRows().tests); }

ExprId OpaqueCondition(Writer& w, const Want& want) {
  if (w.choices.Coin()) {
    if (const ExprId e = KnownCondition(w, want.truth)) return e;
  }
  const ExprId e = OneOf(w, want, AllRows().facts);
  if (!e || want.truth) return e;
  return w.build.Unary(UnaryOp::LogicalNot, e);
}

}  // namespace assay::gen
