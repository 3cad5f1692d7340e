#include "machine/trap_cases.hpp"

namespace assay::machine::testing {

std::vector<TrapCase> MemoryCases() {
  return {
      {TrapKind::UninitializedRead, "local",
       [](Tiny& t, bool traps) {
         VarId x = t.Local(t.Int(), traps ? InitId() : t.InitInt(1));
         t.Do(t.b.Binary(BinaryOp::Add, t.V(x), t.I(1)));
       }},
      {TrapKind::UninitializedRead, "bit-field beside an initialised one",
       [](Tiny& t, bool traps) {
         RecordId record = t.Struct({{t.Basic(TypeKind::UInt), 3}, {t.Basic(TypeKind::UInt), 4}});
         VarId s = t.Local(t.T().OfRecord(record));
         t.Do(t.b.Assign(t.b.Member(t.V(s), 0), t.I(1)));
         t.Do(t.b.Member(t.V(s), traps ? 1 : 0));
       }},
      {TrapKind::UninitializedRead, "jump past the initialiser",
       [](Tiny& t, bool traps) {
         LabelId over = t.b.NewLabel();
         Stmt jump;
         jump.kind = traps ? StmtKind::Goto : StmtKind::Empty;
         jump.label = over;
         t.Do(t.b.Statement(jump));
         VarId x = t.LocalInt(3);
         Stmt label;
         label.kind = StmtKind::Label;
         label.label = over;
         t.Do(t.b.Statement(label));
         t.Do(t.V(x));
       }},
      {TrapKind::UninitializedRead, "malloc, not calloc",
       [](Tiny& t, bool traps) {
         ExprId count = t.I(2);
         VarId p = t.Global(t.Ptr(t.Int()));
         t.Set(p,
               t.b.BuiltinCall(traps ? Builtin::Malloc : Builtin::Calloc, t.Ptr(t.Int()), t.Int(), std::vector{count}));
         t.Do(t.b.Index(t.V(p), t.I(1)));
       }},
      {TrapKind::UninitializedRead, "a whole record",
       [](Tiny& t, bool traps) {
         TypeId type = t.T().OfRecord(t.Struct({{t.Int()}, {t.Int()}}));
         VarId s = t.Local(type), g = t.Global(type);
         if (!traps) t.Do(t.b.Assign(t.b.Member(t.V(s), 0), t.I(1)));
         t.Set(g, t.V(s));
       }},
      {TrapKind::InvalidRepresentation, "larger union member after a smaller one",
       [](Tiny& t, bool traps) {
         TypeId type = t.T().OfRecord(t.Union({{t.Int()}, {t.Basic(TypeKind::Char)}}));
         VarId u = t.Global(type);
         t.Do(t.b.Assign(t.b.Member(t.V(u), traps ? 1 : 0), t.I(1)));
         t.Do(t.b.Member(t.V(u), traps ? 0 : 1));
       }},
      {TrapKind::InvalidRepresentation, "padding of a struct in a union, after a store to a member of the struct",
       [](Tiny& t, bool traps) {
         TypeId padded = t.T().OfRecord(t.Struct({{t.Basic(TypeKind::UChar)}, {t.Int()}}));
         TypeId type = t.T().OfRecord(t.Union({{t.Basic(TypeKind::LLong)}, {padded}}));
         VarId u = t.Global(type);
         t.Do(t.b.Assign(t.b.Member(t.V(u), 0), t.I(1)));
         if (traps) t.Do(t.b.Assign(t.b.Member(t.b.Member(t.V(u), 1), 0), t.I(1)));
         t.Do(t.b.Member(t.V(u), 0));
       }},
      {TrapKind::InvalidRepresentation, "padding of a struct that was copied out of a union and into another",
       [](Tiny& t, bool traps) {
         TypeId padded = t.T().OfRecord(t.Struct({{t.Basic(TypeKind::UChar)}, {t.Int()}}));
         TypeId type = t.T().OfRecord(t.Union({{t.Basic(TypeKind::LLong)}, {padded}}));
         VarId u = t.Global(type), v = t.Global(type), s = t.Global(padded);
         t.Do(t.b.Assign(t.b.Member(t.V(u), 0), t.I(1)));
         t.Set(s, t.b.Member(t.V(u), 1));
         t.Do(t.b.Assign(t.b.Member(t.V(v), 1), t.V(s)));
         t.Do(traps ? t.b.Member(t.V(v), 0) : t.b.Member(t.b.Member(t.V(v), 1), 0));
       }},
      {TrapKind::InvalidRepresentation, "three unions deep",
       [](Tiny& t, bool traps) {
         TypeId inner = t.T().OfRecord(t.Union({{t.Basic(TypeKind::UChar)}, {t.Int()}}));
         TypeId middle = t.T().OfRecord(t.Union({{inner}, {t.Basic(TypeKind::Long)}}));
         VarId u = t.Global(t.T().OfRecord(t.Union({{middle}, {t.Basic(TypeKind::Long)}})));
         const auto part = [&](uint32_t member) { return t.b.Member(t.b.Member(t.b.Member(t.V(u), 0), 0), member); };
         t.Do(t.b.Assign(part(1), t.I(7)));
         if (traps) t.Do(t.b.Assign(part(0), t.I(1)));
         t.Do(part(1));
       }},
      {TrapKind::InvalidRepresentation, "deeper in unions than is followed",
       [](Tiny& t, bool traps) {
         TypeId type = t.T().OfRecord(t.Union({{t.Basic(TypeKind::UChar)}, {t.Int()}}));
         for (int i = 0; i < (traps ? 3 : 2); ++i) type = t.T().OfRecord(t.Union({{type}, {t.Basic(TypeKind::Long)}}));
         ExprId part = t.V(t.Global(type));
         for (int i = 0; i < (traps ? 4 : 3); ++i) part = t.b.Member(part, 0);
         t.Do(t.b.Assign(part, t.I(1)));
       }},
      {TrapKind::InvalidRepresentation, "a union beside the member that a string initialises",
       [](Tiny& t, bool traps) {
         TypeId text = t.T().Array(t.Basic(TypeKind::Char), 3);
         TypeId type = t.T().OfRecord(t.Union({{t.Basic(TypeKind::LLong)}, {text}}));
         InitId init = t.b.InitList({{1, t.b.InitString(t.p.strings.Add("ab"))}}, true);
         VarId u = t.Local(type, init);
         t.Do(traps ? t.b.Member(t.V(u), 0) : t.b.Index(t.b.Member(t.V(u), 1), t.I(2)));
       }},
      {TrapKind::InvalidRepresentation, "the bytes of bit-fields through a union",
       [](Tiny& t, bool traps) {
         TypeId uint = t.Basic(TypeKind::UInt);
         TypeId fields = t.T().OfRecord(t.Struct({{uint, 20}, {uint, 12}}));
         VarId u = t.Local(t.T().OfRecord(t.Union({{fields}, {uint}})));
         t.Do(t.b.Assign(t.b.Member(t.b.Member(t.V(u), 0), 0), t.I(1)));
         t.Do(t.b.Assign(t.b.Member(t.b.Member(t.V(u), 0), 1), t.I(1)));
         t.Do(traps ? t.b.Member(t.V(u), 1) : t.b.Member(t.b.Member(t.V(u), 0), 1));
       }},
      {TrapKind::InvalidRepresentation, "a bit-field from other bytes of a union",
       [](Tiny& t, bool traps) {
         TypeId uint = t.Basic(TypeKind::UInt);
         TypeId other = t.T().OfRecord(t.Struct({{uint, static_cast<int16_t>(traps ? 32 : -1)}}));
         VarId u = t.Local(t.T().OfRecord(t.Union({{other}, {uint}})));
         t.Do(t.b.Assign(t.b.Member(t.V(u), 1), t.I(1)));
         t.Do(t.b.Member(t.b.Member(t.V(u), 0), 0));
       }},
      {TrapKind::InvalidRepresentation, "a bit-field of a union after a narrower one",
       [](Tiny& t, bool traps) {
         TypeId uint = t.Basic(TypeKind::UInt);
         VarId u = t.Local(t.T().OfRecord(t.Union({{uint, 5}, {uint, 9}})));
         t.Do(t.b.Assign(t.b.Member(t.V(u), 1), t.I(300)));
         t.Do(t.b.Assign(t.b.Member(t.V(u), traps ? 0 : 1), t.I(1)));
         t.Do(t.b.Member(t.V(u), 1));
       }},
      {TrapKind::InvalidRepresentation, "bytes beside a bit-field of a union, which a store to it may change",
       [](Tiny& t, bool traps) {
         TypeId uint = t.Basic(TypeKind::UInt), byte = t.Basic(TypeKind::UChar);
         TypeId bytes = t.T().OfRecord(t.Struct({{byte}, {byte}, {byte}, {byte}}));
         VarId u = t.Local(t.T().OfRecord(t.Union({{bytes}, {uint, 5}})));
         t.Do(t.b.Assign(t.b.Member(t.b.Member(t.V(u), 0), 3), t.I(1)));
         if (traps) t.Do(t.b.Assign(t.b.Member(t.V(u), 1), t.I(1)));
         t.Do(t.b.Member(t.b.Member(t.V(u), 0), 3));
       }},
      {TrapKind::UninitializedRead, "a bit-field after memset with mixed bits",
       [](Tiny& t, bool traps) {
         TypeId uint = t.Basic(TypeKind::UInt);
         TypeId type = t.T().OfRecord(t.Struct({{uint, 20}, {uint, 12}}));
         VarId s = t.Local(type);
         t.Do(t.b.BuiltinCall(Builtin::Memset, t.Basic(TypeKind::Void), type,
                              std::vector{t.b.AddressOf(t.V(s)), t.I(traps ? 0x35 : 0xff)}));
         t.Do(t.b.Member(t.V(s), 1));
       }},
      {TrapKind::InvalidRepresentation, "memcmp of bit-fields",
       [](Tiny& t, bool traps) {
         TypeId uint = t.Basic(TypeKind::UInt);
         TypeId type = t.T().OfRecord(traps ? t.Struct({{uint, 20}, {uint, 12}}) : t.Struct({{uint}}));
         VarId a = t.Global(type), b = t.Global(type);
         t.Do(t.b.BuiltinCall(Builtin::Memcmp, t.Int(), type,
                              std::vector{t.b.AddressOf(t.V(a)), t.b.AddressOf(t.V(b))}));
       }},
      {TrapKind::InvalidRepresentation, "_Bool in a union",
       [](Tiny& t, bool traps) {
         TypeId type = t.T().OfRecord(t.Union({{t.Basic(TypeKind::UChar)}, {t.Basic(TypeKind::Bool)}}));
         VarId u = t.Global(type);
         t.Do(t.b.Assign(t.b.Member(t.V(u), 0), t.I(traps ? 2 : 1)));
         t.Do(t.b.Member(t.V(u), 1));
       }},
      {TrapKind::InvalidRepresentation, "bytes of a pointer",
       [](Tiny& t, bool traps) {
         VarId p = t.Global(t.Ptr(t.Int()));
         VarId x = t.Global(t.Basic(TypeKind::Long));
         ExprId address = traps ? t.b.AddressOf(t.V(p)) : t.b.AddressOf(t.V(x));
         t.Do(t.b.Deref(t.b.Cast(t.Ptr(t.Basic(TypeKind::UChar)), address)));
       }},
      {TrapKind::PaddingObserved, "character view",
       [](Tiny& t, bool traps) {
         TypeId type = t.T().OfRecord(t.Struct({{t.Basic(TypeKind::Char)}, {t.Int()}}));
         VarId s = t.Global(type);
         ExprId bytes = t.b.Cast(t.Ptr(t.Basic(TypeKind::UChar)), t.b.AddressOf(t.V(s)));
         t.Do(t.b.Index(bytes, t.I(traps ? 1 : 4)));
       }},
      {TrapKind::PaddingObserved, "padding that was copied out of a union",
       [](Tiny& t, bool traps) {
         TypeId padded = t.T().OfRecord(t.Struct({{t.Basic(TypeKind::UChar)}, {t.Int()}}));
         VarId u = t.Global(t.T().OfRecord(t.Union({{t.Basic(TypeKind::LLong)}, {padded}})));
         VarId s = t.Global(padded);
         t.Do(t.b.Assign(t.b.Member(t.V(u), 0), t.I(1)));
         t.Set(s, t.b.Member(t.V(u), 1));
         ExprId bytes = t.b.Cast(t.Ptr(t.Basic(TypeKind::UChar)), t.b.AddressOf(t.V(s)));
         t.Do(t.b.Index(bytes, t.I(traps ? 1 : 0)));
       }},
      {TrapKind::PaddingObserved, "memcmp",
       [](Tiny& t, bool traps) {
         TypeId type = t.T().OfRecord(t.Struct({{t.Basic(traps ? TypeKind::Char : TypeKind::Int)}, {t.Int()}}));
         VarId a = t.Global(type), c = t.Global(type);
         std::vector<ExprId> args = {t.b.AddressOf(t.V(a)), t.b.AddressOf(t.V(c))};
         t.Do(t.b.BuiltinCall(Builtin::Memcmp, t.Int(), type, args));
       }},
      {TrapKind::ConstModified, "const object through a cast pointer",
       [](Tiny& t, bool traps) {
         VarId x = t.Global(traps ? t.T().Qualified(t.Int(), kConst) : t.Int());
         t.Do(t.b.Assign(t.b.Deref(t.b.Cast(t.Ptr(t.Int()), t.b.AddressOf(t.V(x)))), t.I(1)));
       }},
      {TrapKind::ConstModified, "const member",
       [](Tiny& t, bool traps) {
         TypeId type = t.T().OfRecord(t.Struct({{t.Int()}, {t.T().Qualified(t.Int(), kConst)}}));
         VarId s = t.Global(type);
         ExprId member = t.b.AddressOf(t.b.Member(t.V(s), traps ? 1 : 0));
         t.Do(t.b.Assign(t.b.Deref(t.b.Cast(t.Ptr(t.Int()), member)), t.I(1)));
       }},
      {TrapKind::StringModified, "string literal",
       [](Tiny& t, bool traps) {
         StringId text = t.p.strings.Add("abc");
         TypeId character = t.Basic(TypeKind::Char);
         VarId a = t.Global(t.T().Array(character, 4), t.b.InitString(text));
         VarId p = t.Global(t.Ptr(character));
         t.Set(p, traps ? t.b.String(text) : t.V(a));
         t.Do(t.b.Assign(t.b.Index(t.V(p), t.I(0)), t.I('x')));
       }},
      {TrapKind::VolatileAccess, "volatile object through a plain lvalue",
       [](Tiny& t, bool traps) {
         TypeId type = t.T().Qualified(t.Int(), kVolatile);
         VarId x = t.Global(type);
         ExprId address = t.b.AddressOf(t.V(x));
         if (traps) address = t.b.Cast(t.Ptr(t.Int()), address);
         t.Do(t.b.Deref(address));
       }},
      {TrapKind::Overlap, "union members",
       [](Tiny& t, bool traps) {
         TypeId type = t.T().OfRecord(t.Union({{t.Int()}, {t.Basic(TypeKind::Short)}}));
         VarId u = t.Global(type);
         t.Do(t.b.Assign(t.b.Member(t.V(u), 0), t.b.Member(t.V(u), traps ? 1 : 0)));
       }},
      {TrapKind::Overlap, "a variable and its first byte",
       [](Tiny& t, bool traps) {
         VarId x = t.GlobalInt(1), y = t.GlobalInt(2);
         TypeId bytes = t.Ptr(t.Basic(TypeKind::UChar));
         t.Do(t.b.Assign(t.V(x), t.b.Deref(t.b.Cast(bytes, t.b.AddressOf(t.V(traps ? x : y))))));
       }},
      {TrapKind::Overlap, "the first byte and its variable",
       [](Tiny& t, bool traps) {
         VarId x = t.GlobalInt(1), y = t.GlobalInt(2);
         TypeId bytes = t.Ptr(t.Basic(TypeKind::UChar));
         t.Do(t.b.Assign(t.b.Deref(t.b.Cast(bytes, t.b.AddressOf(t.V(x)))), t.V(traps ? x : y)));
       }},
      {TrapKind::Overlap, "exact, but of another signedness",
       [](Tiny& t, bool traps) {
         TypeId type = t.T().OfRecord(t.Union({{t.Int()}, {t.Basic(TypeKind::UInt)}, {t.Basic(TypeKind::Int32)}}));
         VarId u = t.Global(type);
         t.Do(t.b.Assign(t.b.Member(t.V(u), 0), t.b.Member(t.V(u), traps ? 1 : 2)));
       }},
      {TrapKind::Overlap, "exact, but a plain and a signed char",
       [](Tiny& t, bool traps) {
         TypeId type = t.T().OfRecord(t.Union({{t.Basic(TypeKind::Char)}, {t.Basic(TypeKind::SChar)}}));
         VarId u = t.Global(type);
         t.Do(t.b.Assign(t.b.Member(t.V(u), 0), t.b.Member(t.V(u), traps ? 1 : 0)));
       }},
      {TrapKind::Overlap, "behind a comma and a cast",
       [](Tiny& t, bool traps) {
         VarId x = t.GlobalInt(1), y = t.GlobalInt(2), z = t.GlobalInt(3);
         TypeId bytes = t.Ptr(t.Basic(TypeKind::UChar));
         ExprId part = t.b.Deref(t.b.Cast(bytes, t.b.AddressOf(t.V(traps ? x : y))));
         t.Set(x, t.b.Comma(t.b.IncDec(IncDecOp::PostInc, t.V(z)), t.b.Cast(t.Int(), part)));
       }},
      {TrapKind::Overlap, "an arm of a conditional",
       [](Tiny& t, bool traps) {
         VarId x = t.GlobalInt(1), y = t.GlobalInt(2);
         TypeId bytes = t.Ptr(t.Basic(TypeKind::UChar));
         ExprId part = t.b.Deref(t.b.Cast(bytes, t.b.AddressOf(t.V(traps ? x : y))));
         t.Set(x, t.b.Conditional(t.V(y), part, t.V(y)));
       }},
      {TrapKind::DanglingPointer, "freed while the right side was evaluated",
       [](Tiny& t, bool traps) {
         TypeId pointer = t.Ptr(t.Int());
         VarId p = t.Global(pointer);
         FunctionId f = t.Function(t.Int(), {}, [&](FunctionId) {
           if (traps) t.Do(t.b.BuiltinCall(Builtin::Free, t.Void(), {}, std::vector{t.V(p)}));
           t.Return(t.I(1));
         });
         t.Set(p, t.b.BuiltinCall(Builtin::Malloc, pointer, t.Int(), std::vector{t.I(1)}));
         t.Do(t.b.Assign(t.b.Deref(t.V(p)), t.Call(f)));
       }},
      {TrapKind::ConstModified, "an element of the record that a call returned (6.2.4p8)",
       [](Tiny& t, bool traps) {
         TypeId type = t.T().OfRecord(t.Struct({{t.T().Array(t.Int(), 2)}}));
         VarId s = t.Global(type);
         FunctionId f = t.Function(type, {}, [&](FunctionId) { t.Return(t.V(s)); });
         ExprId element = t.b.Index(t.b.Member(t.Call(f), 0), t.I(1));
         t.Do(traps ? t.b.Assign(element, t.I(1)) : element);
         t.Do(t.b.Assign(t.V(s), t.Call(f)));
       }},
      {TrapKind::Overlap, "memcpy, not memmove",
       [](Tiny& t, bool traps) {
         TypeId type = t.T().OfRecord(t.Struct({{t.Int()}}));
         VarId s = t.Global(type);
         std::vector<ExprId> args = {t.b.AddressOf(t.V(s)), t.b.AddressOf(t.V(s))};
         t.Do(t.b.BuiltinCall(traps ? Builtin::Memcpy : Builtin::Memmove, t.Ptr(t.Void()), type, args));
       }},
      {TrapKind::Restrict, "written through p, read otherwise",
       [](Tiny& t, bool traps) {
         VarId g = t.GlobalInt(1), h = t.GlobalInt(2);
         TypeId pointer = t.T().Pointer(t.Int(), kRestrict);
         FunctionId f = t.Function(t.Void(), {pointer}, [&](FunctionId self) {
           t.Do(t.b.Assign(t.b.Deref(t.V(t.Param(self, 0))), t.I(3)));
           t.Do(t.V(g));
         });
         t.Do(t.Call(f, {t.b.AddressOf(t.V(traps ? g : h))}));
         t.Do(t.V(g));  // after the call it is free again
       }},
      {TrapKind::Restrict, "read again and again, then in the lifetime of a younger pointer, which writes it",
       [](Tiny& t, bool traps) {
         VarId g = t.GlobalInt(1), h = t.GlobalInt(2), other = t.GlobalInt(3);
         TypeId pointer = t.T().Pointer(t.Int(), kRestrict);
         FunctionId inner = t.Function(t.Void(), {pointer}, [&](FunctionId self) {
           t.Do(t.V(g));
           t.Do(t.b.Assign(t.b.Deref(t.V(t.Param(self, 0))), t.I(3)));
         });
         FunctionId f = t.Function(t.Void(), {pointer}, [&](FunctionId) {
           for (int i = 0; i < 3; ++i) t.Do(t.V(g));
           t.Do(t.Call(inner, {t.b.AddressOf(t.V(traps ? g : other))}));
         });
         t.Do(t.Call(f, {t.b.AddressOf(t.V(h))}));
       }},
      {TrapKind::Restrict, "written through p again and again, read otherwise in between",
       [](Tiny& t, bool traps) {
         VarId g = t.GlobalInt(1), h = t.GlobalInt(2);
         TypeId pointer = t.T().Pointer(t.Int(), kRestrict);
         FunctionId f = t.Function(t.Void(), {pointer}, [&](FunctionId self) {
           for (int i = 0; i < 3; ++i) {
             t.Do(t.b.Assign(t.b.Deref(t.V(t.Param(self, 0))), t.I(3)));
             if (i == 2) t.Do(t.V(g));
           }
         });
         t.Do(t.Call(f, {t.b.AddressOf(t.V(traps ? g : h))}));
       }},
      {TrapKind::Restrict, "a restrict-qualified pointer gets the value of another one of its block (6.7.3.1p4)",
       [](Tiny& t, bool traps) {
         VarId g = t.GlobalInt(1);
         TypeId pointer = t.T().Pointer(t.Int(), kRestrict);
         FunctionId f = t.Function(t.Void(), {pointer}, [&](FunctionId self) {
           VarId q = t.Local(traps ? pointer : t.Ptr(t.Int()));
           t.Set(q, t.V(t.Param(self, 0)));
         });
         t.Do(t.Call(f, {t.b.AddressOf(t.V(g))}));
       }},
      {TrapKind::Restrict, "the same by an initialiser; to the parameter of a call it may go",
       [](Tiny& t, bool traps) {
         VarId g = t.GlobalInt(1);
         TypeId pointer = t.T().Pointer(t.Int(), kRestrict);
         FunctionId inner = t.Function(t.Void(), {pointer}, [&](FunctionId) {});
         FunctionId f = t.Function(t.Void(), {pointer}, [&](FunctionId self) {
           if (traps) t.Local(pointer, t.b.InitExpr(t.V(t.Param(self, 0))));
           t.Do(t.Call(inner, {t.V(t.Param(self, 0))}));
         });
         t.Do(t.Call(f, {t.b.AddressOf(t.V(g))}));
       }},
      {TrapKind::Restrict, "what a restrict-qualified pointer to const points at is written (6.7.3.1p4)",
       [](Tiny& t, bool traps) {
         VarId g = t.GlobalInt(1);
         TypeId pointee = traps ? t.T().Qualified(t.Int(), kConst) : t.Int();
         FunctionId f = t.Function(t.Void(), {t.T().Pointer(pointee, kRestrict)}, [&](FunctionId self) {
           ExprId plain = t.b.Cast(t.Ptr(t.Int()), t.V(t.Param(self, 0)));
           t.Do(t.b.Assign(t.b.Deref(plain), t.I(3)));
         });
         t.Do(t.Call(f, {t.b.AddressOf(t.V(g))}));
       }},
      {TrapKind::DoubleFree, "free twice",
       [](Tiny& t, bool traps) {
         ExprId count = t.I(1);
         VarId p = t.Global(t.Ptr(t.Int()));
         t.Set(p, t.b.BuiltinCall(Builtin::Malloc, t.Ptr(t.Int()), t.Int(), std::vector{count}));
         FunctionId f = t.Function(t.Void(), {t.Ptr(t.Int()), t.Ptr(t.Int())}, [&](FunctionId self) {
           for (uint32_t i = 0; i < (traps ? 2 : 1); ++i) {
             ExprId argument = t.V(t.Param(self, 0));
             t.Do(t.b.BuiltinCall(Builtin::Free, t.Void(), {}, std::vector{argument}));
           }
         });
         t.Do(t.Call(f, {t.V(p), t.V(p)}));
       }},
      {TrapKind::InvalidFree, "of a variable",
       [](Tiny& t, bool traps) {
         VarId x = t.GlobalInt();
         ExprId argument = traps ? t.b.AddressOf(t.V(x)) : t.b.NullPointer(t.Ptr(t.Int()));
         t.Do(t.b.BuiltinCall(Builtin::Free, t.Void(), {}, std::vector{argument}));
       }},
      {TrapKind::VlaLength, "zero",
       [](Tiny& t, bool traps) {
         VarId n = t.GlobalInt(traps ? 0 : 3);
         VarId a = t.b.Local(t.entry, t.T().Vla(t.Int()));
         t.p.vars[a].vla_length = t.V(n);
         t.Do(t.b.Decl(a));
         if (!traps) t.Do(t.b.Assign(t.b.Index(t.V(a), t.I(2)), t.I(1)));
       }},
      {TrapKind::OutOfBounds, "variable length array",
       [](Tiny& t, bool traps) {
         VarId n = t.GlobalInt(traps ? 2 : 3);
         VarId a = t.b.Local(t.entry, t.T().Vla(t.Int()));
         t.p.vars[a].vla_length = t.V(n);
         t.Do(t.b.Decl(a));
         t.Do(t.b.Assign(t.b.Index(t.V(a), t.I(2)), t.I(1)));
       }},
      {TrapKind::JumpIntoVla, "goto past it",
       [](Tiny& t, bool traps) {
         LabelId over = t.b.NewLabel();
         Stmt jump;
         jump.kind = StmtKind::Goto;
         jump.label = over;
         t.Do(t.b.Statement(jump));
         VarId a = t.b.Local(t.entry, traps ? t.T().Vla(t.Int()) : t.T().Array(t.Int(), 3));
         t.p.vars[a].vla_length = t.I(3);
         t.Do(t.b.Decl(a));
         Stmt label;
         label.kind = StmtKind::Label;
         label.label = over;
         t.Do(t.b.Statement(label));
       }},
  };
}

}  // namespace assay::machine::testing
