// Functions on strings. Texts are never written; buffers only here, by copies of what fits: at any time all of them
// hold a string, so that none of the calls can fail.
#include "gen/access.hpp"
#include "gen/expr.hpp"
#include "gen/gnu.hpp"
#include "gen/stmt.hpp"
#include "gen/types.hpp"

namespace assay::gen {
namespace {

using lang::Builtin;

constexpr uint32_t kMostText = 12, kBufferBytes = 32;  // a buffer takes two texts
constexpr size_t kMostTexts = 4, kMostBuffers = 3;

TypeId Basic(Writer& w, TypeKind kind) { return w.program.types.Basic(kind); }

VarId NewArray(Writer& w, std::vector<VarId>& list, uint32_t bytes, lang::StringId text, VarUse use) {
  const VarId var = NewGlobal(w, w.program.types.Array(Basic(w, TypeKind::Char), bytes), w.build.InitString(text));
  w.SetUse(var, use);
  list.push_back(var);
  return var;
}

VarId Text(Writer& w) {
  if (!w.texts.empty() && (w.texts.size() >= kMostTexts || w.choices.Percent(60))) return w.choices.Pick(w.texts);
  const lang::StringId text = RandomString(w, kMostText);
  const uint32_t bytes = static_cast<uint32_t>(w.program.strings[text].size()) + 1 + w.choices.Below(4);
  return NewArray(w, w.texts, bytes, text, VarUse::Input);
}

VarId Buffer(Writer& w) {
  if (!w.buffers.empty() && (w.buffers.size() >= kMostBuffers || w.choices.Percent(60))) {
    return w.choices.Pick(w.buffers);
  }
  return NewArray(w, w.buffers, kBufferBytes, RandomString(w, kMostText), VarUse::Index);
}

// At most kMostText characters, and never one of the buffers.
ExprId ShortString(Writer& w) {
  const bool literal = w.knobs.string_literals > 0 && w.choices.Percent(30);
  return literal ? w.build.String(RandomString(w, kMostText)) : w.build.Var(Text(w));
}

ExprId AnyString(Writer& w) {
  if (w.choices.Percent(45)) return w.build.Var(Buffer(w));
  const ExprId string = ShortString(w);
  return string;
}

ExprId Call(Writer& w, Builtin builtin, TypeId type, std::initializer_list<ExprId> arguments) {
  return w.build.BuiltinCall(builtin, type, {}, std::vector<ExprId>(arguments));
}

ExprId Character(Writer& w) {
  return w.choices.Percent(70) ? w.build.Int('a' + w.choices.Below(26)) : AsOperand(w, IntLeaf(w));
}

ExprId Number(Writer& w) {
  const TypeId integer = Basic(w, TypeKind::Int), characters = w.program.types.Pointer(Basic(w, TypeKind::Char));
  switch (w.choices.Weighted({30, 25, 20, 15, 10})) {
    case 0: return Call(w, Builtin::Strlen, Basic(w, w.program.Model().Properties().size_type), {AnyString(w)});
    case 1: {
      const ExprId a = AnyString(w), b = AnyString(w);
      return Call(w, Builtin::Strcmp, integer, {a, b});
    }
    case 2: {
      const ExprId a = AnyString(w), b = AnyString(w), count = w.build.Int(w.choices.Below(kBufferBytes));
      return Call(w, Builtin::Strncmp, integer, {a, b, count});
    }
    case 3: {
      const ExprId string = AnyString(w), character = Character(w);
      const ExprId found = Call(w, Builtin::Strchr, characters, {string, character});
      return w.build.Binary(w.choices.Coin() ? BinaryOp::Eq : BinaryOp::Ne, found, w.build.NullPointer(characters));
    }
    default: {
      const ExprId string = AnyString(w);
      const uint32_t bytes = w.program.types[w.program.exprs[string].type].length;
      const ExprId character = Character(w), count = w.build.Int(w.choices.Below(bytes + 1));
      const ExprId found = Call(w, Builtin::Memchr, characters, {string, character, count});
      return w.build.Binary(w.choices.Coin() ? BinaryOp::Eq : BinaryOp::Ne, found, w.build.NullPointer(characters));
    }
  }
}

}  // namespace

void WriteString(Writer& w) {
  if (w.knobs.arrays == 0 || w.knobs.type_char == 0 || w.knobs.string_literals == 0) return;
  if (w.choices.Percent(40)) {
    const TypeId nothing = Basic(w, TypeKind::Void);
    const VarId buffer = Buffer(w);
    const ExprId first = w.build.Var(buffer);
    AppendExpr(w, Call(w, Builtin::Strcpy, nothing, {first, ShortString(w)}));
    if (w.choices.Coin()) {
      const ExprId again = w.build.Var(buffer);
      AppendExpr(w, Call(w, Builtin::Strcat, nothing, {again, ShortString(w)}));
    }
    return;
  }
  const ExprId target = IntLvalue(w, Access::Write);
  if (target) AppendExpr(w, w.build.Assign(target, Number(w)));
}

}  // namespace assay::gen
