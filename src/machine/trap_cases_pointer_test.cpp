#include "machine/trap_cases.hpp"

namespace assay::machine::testing {
namespace {

// int a[4]; int *p = &a[index];
VarId ArrayPointer(Tiny& t, int64_t index, VarId* array = nullptr) {
  VarId a = t.Global(t.T().Array(t.Int(), 4));
  if (array != nullptr) *array = a;
  VarId p = t.Global(t.Ptr(t.Int()));
  t.Set(p, t.b.AddressOf(t.b.Index(t.V(a), t.I(index))));
  return p;
}

}  // namespace

std::vector<TrapCase> PointerCases() {
  return {
      {TrapKind::OutOfBounds, "((unsigned char *)&a[0])[5] is in the next element (6.3.2.3p7)",
       [](Tiny& t, bool traps) {
         VarId a = t.Global(t.T().Array(t.Int(), 3));
         ExprId bytes = t.b.Cast(t.Ptr(t.Basic(TypeKind::UChar)), t.b.AddressOf(t.b.Index(t.V(a), t.I(0))));
         t.Do(t.b.Index(bytes, t.I(traps ? 5 : 3)));
       }},
      {TrapKind::OutOfBounds, "the same by way of void *, but not from the whole array",
       [](Tiny& t, bool traps) {
         VarId a = t.Global(t.T().Array(t.Int(), 3));
         ExprId address = traps ? t.b.AddressOf(t.b.Index(t.V(a), t.I(1))) : t.b.AddressOf(t.V(a));
         ExprId bytes = t.b.Cast(t.Ptr(t.Basic(TypeKind::Char)), t.b.Cast(t.Ptr(t.Void()), address));
         t.Do(t.b.Index(bytes, t.I(4)));
       }},
      {TrapKind::PointerArithmetic, "back from the bytes of an element; characters stay an array of characters",
       [](Tiny& t, bool traps) {
         TypeId element = traps ? t.Int() : t.Basic(TypeKind::Char);
         VarId a = t.Global(t.T().Array(element, 3));
         ExprId bytes = t.b.Cast(t.Ptr(t.Basic(TypeKind::UChar)), t.b.AddressOf(t.b.Index(t.V(a), t.I(1))));
         t.Do(t.b.Binary(BinaryOp::Sub, bytes, t.I(1)));
       }},
      {TrapKind::NullDereference, "*p",
       [](Tiny& t, bool traps) {
         VarId g = t.GlobalInt(1);
         VarId p = t.Global(t.Ptr(t.Int()));
         if (!traps) t.Set(p, t.b.AddressOf(t.V(g)));
         t.Do(t.b.Deref(t.V(p)));
       }},
      {TrapKind::NullDereference, "&p->m",
       [](Tiny& t, bool traps) {
         TypeId type = t.T().OfRecord(t.Struct({{t.Int()}, {t.Int()}}));
         VarId g = t.Global(type);
         VarId p = t.Global(t.Ptr(type));
         if (!traps) t.Set(p, t.b.AddressOf(t.V(g)));
         t.Do(t.b.AddressOf(t.b.Member(t.b.Deref(t.V(p)), 1)));
       }},
      {TrapKind::NullDereference, "p + 1",
       [](Tiny& t, bool traps) {
         VarId p = t.Global(t.Ptr(t.Int()));
         if (!traps) p = ArrayPointer(t, 0);
         t.Do(t.b.Binary(BinaryOp::Add, t.V(p), t.I(1)));
       }},
      {TrapKind::DanglingPointer, "end of scope",
       [](Tiny& t, bool traps) {
         VarId p = t.Global(t.Ptr(t.Int()));
         BlockId inner = t.NewBlock();
         t.Add(StmtKind::Block, {}, inner);
         t.In(inner, [&] {
           VarId x = t.LocalInt(5);
           t.Set(p, t.b.AddressOf(t.V(x)));
           if (!traps) t.Do(t.b.Deref(t.V(p)));
         });
         if (traps) t.Do(t.b.Deref(t.V(p)));
       }},
      {TrapKind::DanglingPointer, "the next iteration has a new object",
       [](Tiny& t, bool traps) {
         VarId p = t.Global(t.Ptr(t.Int()));
         VarId n = t.GlobalInt(0);
         BlockId body = t.NewBlock();
         t.Add(StmtKind::While, t.b.Binary(BinaryOp::Lt, t.b.IncDec(IncDecOp::PostInc, t.V(n)), t.I(2)), body);
         t.In(body, [&] {
           BlockId used = t.NewBlock();
           t.Add(StmtKind::If, t.b.Unary(UnaryOp::LogicalNot, t.b.Unary(UnaryOp::LogicalNot, t.V(n))), used);
           VarId x = t.LocalInt(5);
           if (!traps) t.Set(p, t.b.AddressOf(t.V(x)));
           t.In(used, [&] {
             BlockId second = t.NewBlock();
             t.Add(StmtKind::If, t.b.Binary(BinaryOp::Eq, t.V(n), t.I(2)), second);
             t.In(second, [&] {
               if (traps) t.Do(t.b.Deref(t.V(p)));
             });
           });
           t.Set(p, t.b.AddressOf(t.V(x)));
           t.Do(t.b.Deref(t.V(p)));
         });
       }},
      {TrapKind::DanglingPointer, "address of a local is returned",
       [](Tiny& t, bool traps) {
         VarId g = t.GlobalInt(1);
         FunctionId f = t.Function(t.Ptr(t.Int()), {}, [&](FunctionId) {
           VarId x = t.LocalInt(5);
           t.Return(t.b.AddressOf(t.V(traps ? x : g)));
         });
         t.Do(t.Call(f));
       }},
      {TrapKind::DanglingPointer, "use after free",
       [](Tiny& t, bool traps) {
         VarId p = t.Global(t.Ptr(t.Int()));
         ExprId count = t.I(1);
         t.Set(p, t.b.BuiltinCall(Builtin::Malloc, t.Ptr(t.Int()), t.Int(), std::vector{count}));
         t.Do(t.b.Assign(t.b.Deref(t.V(p)), t.I(1)));
         ExprId freed = t.V(p);
         t.Do(t.b.BuiltinCall(Builtin::Free, t.Void(), {}, std::vector{freed}));
         if (traps) t.Do(t.b.Deref(t.V(p)));
       }},
      {TrapKind::IndeterminatePointer, "uninitialised pointer",
       [](Tiny& t, bool traps) {
         VarId g = t.GlobalInt(1);
         VarId p = t.Local(t.Ptr(t.Int()), traps ? InitId() : t.b.InitExpr(t.b.AddressOf(t.V(g))));
         t.Do(t.b.Deref(t.V(p)));
       }},
      {TrapKind::OutOfBounds, "a[i]",
       [](Tiny& t, bool traps) {
         VarId a = t.Global(t.T().Array(t.Int(), 4));
         t.Do(t.b.Index(t.V(a), t.I(traps ? 4 : 3)));
       }},
      {TrapKind::OutOfBounds, "a[-1]",
       [](Tiny& t, bool traps) {
         VarId a = t.Global(t.T().Array(t.Int(), 4));
         t.Do(t.b.Index(t.V(a), t.I(traps ? -1 : 0)));
       }},
      {TrapKind::OutOfBounds, "inner array",
       [](Tiny& t, bool traps) {
         VarId a = t.Global(t.T().Array(t.T().Array(t.Int(), 3), 2));
         t.Do(t.b.Index(t.b.Index(t.V(a), t.I(0)), t.I(traps ? 3 : 2)));
       }},
      {TrapKind::OutOfBounds, "one past the end has an address but no value",
       [](Tiny& t, bool traps) {
         VarId p = ArrayPointer(t, 4);
         if (traps) t.Do(t.b.Deref(t.V(p)));
       }},
      {TrapKind::OutOfBounds, "p[i]",
       [](Tiny& t, bool traps) {
         VarId p = ArrayPointer(t, 2);
         t.Do(t.b.Index(t.V(p), t.I(traps ? 3 : 1)));
       }},
      {TrapKind::PointerArithmetic, "p + n",
       [](Tiny& t, bool traps) {
         VarId p = ArrayPointer(t, 2);
         t.Do(t.b.Binary(BinaryOp::Add, t.V(p), t.I(traps ? 3 : 2)));
       }},
      {TrapKind::PointerArithmetic, "--p",
       [](Tiny& t, bool traps) {
         VarId p = ArrayPointer(t, traps ? 0 : 1);
         t.Do(t.b.IncDec(IncDecOp::PreDec, t.V(p)));
       }},
      {TrapKind::PointerArithmetic, "&x + 2",
       [](Tiny& t, bool traps) {
         VarId x = t.GlobalInt(0);
         t.Do(t.b.Binary(BinaryOp::Add, t.b.AddressOf(t.V(x)), t.I(traps ? 2 : 1)));
       }},
      {TrapKind::PointerCompare, "<",
       [](Tiny& t, bool traps) {
         VarId a;
         VarId p = ArrayPointer(t, 2, &a);
         VarId other = t.GlobalInt();
         ExprId rhs = traps ? t.b.AddressOf(t.V(other)) : t.b.AddressOf(t.b.Index(t.V(a), t.I(0)));
         t.Do(t.b.Binary(BinaryOp::Lt, t.V(p), rhs));
       }},
      {TrapKind::PointerCompare, "one past an inner array is less than nothing in the next one",
       [](Tiny& t, bool traps) {
         VarId m = t.Global(t.T().Array(t.T().Array(t.Int(), 2), 2));
         const auto at = [&](int i, int j) { return t.b.AddressOf(t.b.Index(t.b.Index(t.V(m), t.I(i)), t.I(j))); };
         t.Do(t.b.Binary(BinaryOp::Lt, at(traps ? 0 : 1, 2), at(1, 1)));
       }},
      {TrapKind::PointerCompare, "== with one past the end of another object",
       [](Tiny& t, bool traps) {
         VarId p = ArrayPointer(t, traps ? 4 : 3);
         VarId other = t.GlobalInt();
         t.Do(t.b.Binary(BinaryOp::Eq, t.V(p), t.b.AddressOf(t.V(other))));
       }},
      {TrapKind::PointerCompare, "== of two literals that may be one object",
       [](Tiny& t, bool traps) {
         const TypeId type = t.T().Qualified(t.Int(), traps ? kConst : 0);
         const auto literal = [&] {
           return t.b.CompoundLiteral(t.b.Local(t.entry, type, Storage::Literal, t.InitInt(1)));
         };
         const ExprId left = t.b.AddressOf(literal()), right = t.b.AddressOf(literal());
         t.Do(t.b.Binary(BinaryOp::Eq, left, right));
       }},
      {TrapKind::PointerSubtract, "different arrays",
       [](Tiny& t, bool traps) {
         VarId a;
         VarId p = ArrayPointer(t, 2, &a);
         VarId other = t.GlobalInt();
         ExprId rhs = traps ? t.b.AddressOf(t.V(other)) : t.b.AddressOf(t.b.Index(t.V(a), t.I(0)));
         t.Do(t.b.Binary(BinaryOp::Sub, t.V(p), rhs));
       }},
      {TrapKind::StrictAliasing, "long through int*",
       [](Tiny& t, bool traps) {
         TypeId to = t.Ptr(t.Basic(traps ? TypeKind::Int : TypeKind::ULong));
         VarId x = t.Global(t.Basic(TypeKind::Long));
         t.Do(t.b.Deref(t.b.Cast(to, t.b.AddressOf(t.V(x)))));
       }},
      {TrapKind::StrictAliasing, "a later element of double on the heap, by another type (6.5p6)",
       [](Tiny& t, bool traps) {
         const TypeId number = t.Basic(TypeKind::Double);
         VarId p = t.Global(t.Ptr(number));
         ExprId count = t.I(3);
         t.Set(p, t.b.BuiltinCall(Builtin::Malloc, t.Ptr(number), number, std::vector{count}));
         const auto second = [&] { return t.b.Binary(BinaryOp::Add, t.V(p), t.I(1)); };
         t.Do(t.b.Assign(t.b.Deref(second()), t.I(1)));
         t.Do(t.b.Deref(t.b.Cast(t.Ptr(traps ? t.Basic(TypeKind::Long) : number), second())));
       }},
      {TrapKind::StrictAliasing, "a union's member through a pointer to its type",
       [](Tiny& t, bool traps) {
         TypeId type = t.T().OfRecord(t.Union({{t.Int()}, {t.Basic(TypeKind::Short)}}));
         VarId u = t.Global(type);
         if (traps) {
           t.Do(t.b.Deref(t.b.AddressOf(t.b.Member(t.V(u), 0))));
         } else {
           t.Do(t.b.Member(t.b.Deref(t.b.AddressOf(t.V(u))), 0));
         }
       }},
      {TrapKind::Misaligned, "packed member",
       [](Tiny& t, bool traps) {
         RecordId record = t.Struct({{t.Basic(TypeKind::Char)}, {t.Int()}}, traps);
         VarId s = t.Global(t.T().OfRecord(record));
         t.Do(t.b.Deref(t.b.AddressOf(t.b.Member(t.V(s), 1))));
       }},
      {TrapKind::Misaligned, "the result of a function that promises its alignment",
       [](Tiny& t, bool traps) {
         RecordId record = t.Struct({{t.Basic(TypeKind::Char)}, {t.Int()}}, traps);
         VarId s = t.Global(t.T().OfRecord(record));
         FunctionId f =
             t.Function(t.Ptr(t.Int()), {}, [&](FunctionId) { t.Return(t.b.AddressOf(t.b.Member(t.V(s), 1))); });
         t.p.functions[f].attrs |= kFnAssumeAligned;
         t.Do(t.Call(f));
       }},
      {TrapKind::BadCall, "null function pointer",
       [](Tiny& t, bool traps) {
         FunctionId f = t.Function(t.Void(), {}, [&](FunctionId) {});
         VarId p = t.Global(t.Ptr(t.p.functions[f].type));
         if (!traps) t.Set(p, t.b.Func(f));
         t.Do(t.b.Call(t.V(p), {}));
       }},
      {TrapKind::BadCall, "wrong type",
       [](Tiny& t, bool traps) {
         FunctionId f = t.Function(t.Void(), {}, [&](FunctionId) {});
         FunctionId g = t.Function(t.Int(), {}, [&](FunctionId) { t.Return(t.I(1)); });
         TypeId pointer = t.Ptr(t.p.functions[f].type);
         VarId p = t.Global(pointer);
         t.Set(p, t.b.Cast(pointer, t.b.Func(traps ? g : f)));
         t.Do(t.b.Call(t.b.Deref(t.V(p)), {}));
       }},
  };
}

}  // namespace assay::machine::testing
