#include "lang/verify.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "lang/samples.hpp"
#include "lang/text.hpp"
#include "support/files.hpp"

namespace assay::lang {
namespace {

TEST(VerifyTest, SamplesAreWellFormed) {
  for (Sample& sample : AllSamples()) {
    for (const Problem& problem : Verify(sample.program)) ADD_FAILURE() << sample.name << ": " << Describe(problem);
    Program loaded = Load(Save(sample.program)).Value();
    for (const Problem& problem : Verify(loaded)) ADD_FAILURE() << sample.name << ": " << Describe(problem);
  }
}

// Of 64 bits in all but pointers.
DataModel WithoutWide() { return DataModel(ModelProperties{.pointer_bytes = 4, .pointer_align = 4}); }

// A small right program and handles to its parts, to be made wrong in one point.
struct Fixture {
  Fixture() : b(p) {
    int_type = p.types.Basic(TypeKind::Int);
    void_type = p.types.Basic(TypeKind::Void);
    entry = b.Function(p.types.Function(void_type, {}));
    p.entry = entry;
    body = p.functions[entry].body;
    g = b.Global(int_type);
    u = b.Global(p.types.Basic(TypeKind::UInt));
    x = b.Local(entry, int_type);
    b.Append(body, b.Decl(x));
    Record record;
    record.members = {{int_type},
                      {int_type, 5},
                      {int_type, 3, false},
                      {p.types.Qualified(int_type, kConst)},
                      {p.types.Basic(TypeKind::UInt), 11},
                      {p.types.Basic(TypeKind::Long), 40}};
    record_id = p.types.AddRecord(record);
    r = b.Global(p.types.OfRecord(record_id));
  }
  ExprId X() { return b.Var(x); }
  ExprId G() { return b.Var(g); }
  ExprId Field(uint32_t member) { return b.Member(b.Var(r), member); }
  ExprId Stepped(uint32_t member) { return b.IncDec(IncDecOp::PreDec, Field(member)); }
  void Do(ExprId e) { b.Append(body, b.ExprStatement(e)); }
  // A node as Builder::Add makes it, without its checks.
  ExprId Raw(ExprKind kind, TypeId type, ExprId lhs = {}, ExprId rhs = {}, ExprId third = {}, uint8_t op = 0) {
    Expr e;
    e.kind = kind;
    e.type = type;
    e.lhs = lhs;
    e.rhs = rhs;
    e.third = third;
    e.op = op;
    return p.exprs.Add(e);
  }
  ExprId RawArgs(ExprKind kind, TypeId type, ExprId lhs, std::vector<ExprId> args, uint8_t op = 0, uint32_t ref = 0) {
    ExprId id = Raw(kind, type, lhs, {}, {}, op);
    p.exprs[id].args = {static_cast<uint32_t>(p.args.size()), static_cast<uint32_t>(args.size())};
    p.exprs[id].ref = ref;
    p.args.insert(p.args.end(), args.begin(), args.end());
    return id;
  }
  ExprId RawBuiltin(Builtin builtin, TypeId type, TypeId ref, std::vector<ExprId> args) {
    return RawArgs(ExprKind::Builtin, type, {}, std::move(args), static_cast<uint8_t>(builtin), ref.index);
  }
  StmtId Add(
      StmtKind kind, BlockId block, std::function<void(Stmt&)> set = [](Stmt&) {}) {
    Stmt stmt;
    stmt.kind = kind;
    set(stmt);
    StmtId id = b.Statement(stmt);
    b.Append(block, id);
    return id;
  }
  BlockId AddBody(StmtKind kind, ExprId expr, BlockId block) {
    BlockId inner = b.NewBlock(entry);
    Add(kind, block, [&](Stmt& s) {
      s.expr = expr;
      s.body = inner;
    });
    return inner;
  }
  VarId Vla(BlockId block) {
    VarId vla = b.Local(entry, p.types.Vla(int_type));
    p.vars[vla].vla_length = b.Int(3);
    b.Append(block, b.Decl(vla));
    return vla;
  }
  TypeId Vector(TypeKind lane = TypeKind::Int) { return p.types.Vector(p.types.Basic(lane), 4); }
  ExprId Wide() { return b.Cast(p.types.Basic(TypeKind::Int128), b.Int(5)); }
  ExprId V(TypeKind lane = TypeKind::Int) { return b.Var(b.Global(Vector(lane))); }
  TypeId Const() { return p.types.Qualified(int_type, kConst); }
  // A function that returns `value`, with the attributes.
  FunctionId Attributed(uint32_t attrs, std::function<ExprId(FunctionId)> value, std::vector<TypeId> params = {}) {
    const FunctionId function = Func(p.types.Function(int_type, std::move(params)));
    p.functions[function].attrs = attrs;
    Add(StmtKind::Return, p.functions[function].body, [&](Stmt& s) { s.expr = value(function); });
    return function;
  }
  TypeId Ptr(TypeId type) { return p.types.Pointer(type); }
  FunctionId Func(TypeId type) { return b.Function(type); }

  Program p;
  Builder b;
  TypeId int_type, void_type;
  FunctionId entry;
  BlockId body;
  VarId g, u, x, r;
  RecordId record_id;
};

struct Case {
  const char* message;
  std::function<void(Fixture&)> spoil;
};

using F = Fixture;

constexpr const char* kUnclear = "compilers disagree on the bit-field's promoted type";
constexpr const char* kImpure = "a pure function that has effects or no value";
constexpr const char* kNotConst = "a const function that has effects, reads memory or has no value";
constexpr uint32_t kPlain = 1, kNarrow = 4, kWide = 5;  // int : 5, unsigned : 11, long : 40

// An asm of nothing with the operand.
void Barrier(F& f, BarrierKind kind, ExprId operand) {
  f.Add(StmtKind::Barrier, f.body, [&](Stmt& s) {
    s.value = static_cast<int64_t>(kind);
    s.expr = operand;
  });
}

const std::vector<Case>& Cases() {
  static const std::vector<Case> cases = {
      // GNU C
      {"attributes of what is no global", [](F& f) { f.p.vars[f.x].attrs = kVarUsed; }},
      {"nonnull on what is no parameter of pointer type",
       [](F& f) {
         const FunctionId function = f.Attributed(0, [&](auto) { return f.b.Int(1); }, {f.int_type});
         f.p.vars[f.p[function].params[0]].attrs = kVarNonNull;
       }},
      {"nonnull on what is no parameter of pointer type",
       [](F& f) { f.p.vars[f.b.Global(f.Ptr(f.int_type))].attrs = kVarNonNull; }},
      {"a weak or hidden object that is static",
       [](F& f) {
         f.p.vars[f.g].internal_linkage = true;
         f.p.vars[f.g].attrs = kVarWeak;
       }},
      {"a thread's object that is weak or in a section",
       [](F& f) { f.p.vars[f.g].attrs = kVarThreadLocal | kVarSection; }},
      {"a const object in the section of others",
       [](F& f) { f.p.vars[f.b.Global(f.Const())].attrs = kVarSection; }},
      {"a static initialiser that is not constant",
       [](F& f) {
         f.p.vars[f.g].attrs = kVarThreadLocal;
         f.b.Global(f.Ptr(f.int_type), f.b.InitExpr(f.b.AddressOf(f.G())));
       }},
      {"a loop that is unrolled too often",
       [](F& f) {
         const BlockId body = f.AddBody(StmtKind::While, f.G(), f.body);
         f.p.stmts[f.p.blocks[body].owner].span = 1000;
       }},
      {"an atomic operation on more than a pointer holds",
       [](F& f) {
         f.p.model = DataModelKind::Ilp32;
         f.p.types.GetRecord(f.record_id).members.pop_back();  // too wide there
         const TypeId wide = f.p.types.Basic(TypeKind::LLong);
         f.Do(f.RawBuiltin(Builtin::AtomicLoad, wide, {}, {f.b.AddressOf(f.b.Var(f.b.Global(wide)))}));
       }},
      {"the result is not of the type of the object",
       [](F& f) {
         f.Do(f.RawBuiltin(Builtin::AtomicLoad, f.p.types.Basic(TypeKind::Long), {}, {f.b.AddressOf(f.G())}));
       }},
      {"the result is not a size",
       [](F& f) { f.Do(f.RawBuiltin(Builtin::Strlen, f.int_type, {}, {f.b.String(f.p.strings.Add("x"))})); }},
      {"the result is not a pointer to char",
       [](F& f) {
         f.Do(f.RawBuiltin(Builtin::Strchr, f.int_type, {}, {f.b.String(f.p.strings.Add("x")), f.b.Int(1)}));
       }},
      {"a computed goto without labels",
       [](F& f) { f.Add(StmtKind::GotoTable, f.body, [&](Stmt& s) { s.expr = f.b.Int(0); }); }},
      {"an index into a table of labels that is no integer",
       [](F& f) { f.Add(StmtKind::GotoTable, f.body, [&](Stmt& s) { s.expr = f.b.AddressOf(f.G()); }); }},
      {"a computed goto in the scope of a VLA",
       [](F& f) {
         f.Vla(f.body);
         f.Add(StmtKind::GotoTable, f.body, [&](Stmt& s) { s.expr = f.b.Int(0); });
       }},
      {"no such barrier",
       [](F& f) { f.Add(StmtKind::Barrier, f.body, [](Stmt& s) { s.value = 99; }); }},
      {"a barrier without its operand, or with one", [](F& f) { Barrier(f, BarrierKind::Register, {}); }},
      {"a barrier of what is no scalar object", [](F& f) { Barrier(f, BarrierKind::Register, f.b.Int(1)); }},
      {"a barrier of a volatile or restrict object",
       [](F& f) {
         Barrier(f, BarrierKind::Place, f.b.Var(f.b.Global(f.p.types.Qualified(f.int_type, kVolatile))));
       }},
      {"a barrier that writes a const object",
       [](F& f) { Barrier(f, BarrierKind::Register, f.b.Var(f.b.Global(f.Const()))); }},
      {"a barrier of a bit-field", [](F& f) { Barrier(f, BarrierKind::Input, f.Field(kPlain)); }},
      {"a barrier that needs the place of a register variable",
       [](F& f) {
         const VarId v = f.b.Local(f.entry, f.int_type, Storage::Register, f.b.InitExpr(f.b.Int(1)));
         f.b.Append(f.body, f.b.Decl(v));
         Barrier(f, BarrierKind::Place, f.b.Var(v));
       }},
      {"a barrier of what no register holds",
       [](F& f) {
         f.p.model = DataModelKind::Ilp32;
         f.p.types.GetRecord(f.record_id).members.pop_back();  // too wide there
         Barrier(f, BarrierKind::Register, f.b.Var(f.b.Global(f.p.types.Basic(TypeKind::LLong))));
       }},
      {"a range of cases beyond the type of the switch",
       [](F& f) {
         const BlockId body = f.AddBody(StmtKind::Switch, f.G(), f.body);
         f.Add(StmtKind::Case, body, [](Stmt& s) {
           s.value = INT32_MAX - 1;
           s.span = 2;
         });
       }},
      {"two equal cases in a switch",
       [](F& f) {
         const BlockId body = f.AddBody(StmtKind::Switch, f.G(), f.body);
         f.Add(StmtKind::Case, body, [](Stmt& s) {
           s.value = -2;
           s.span = 4;
         });
         f.Add(StmtKind::Case, body, [](Stmt& s) { s.value = 2; });
       }},
      {"an alignment that is not a power of two",
       [](F& f) {
         f.Do(f.RawBuiltin(Builtin::AssumeAligned, f.Ptr(f.int_type), f.int_type, {f.b.AddressOf(f.G()), f.b.Int(3)}));
       }},
      {"an alignment that the type does not have",
       [](F& f) {
         f.Do(f.RawBuiltin(Builtin::AssumeAligned, f.Ptr(f.int_type), f.int_type, {f.b.AddressOf(f.G()), f.b.Int(8)}));
       }},
      {"a side effect where the compiler chooses",
       [](F& f) {
         f.Do(f.RawBuiltin(Builtin::ConstantP, f.int_type, {},
                           {f.G(), f.b.Int(1), f.b.IncDec(IncDecOp::PreInc, f.G())}));
       }},
      {"the result is not of the type of the values",
       [](F& f) {
         f.Do(f.RawBuiltin(Builtin::ConstantP, f.p.types.Basic(TypeKind::Long), {}, {f.G(), f.b.Int(1), f.b.Int(1)}));
       }},
      {"the type is not that of a constant",
       [](F& f) {
         f.Do(f.RawBuiltin(Builtin::AddOverflowP, f.p.types.Basic(TypeKind::Bool), {}, {f.G(), f.G(), f.G()}));
       }},
      {"the result would be of a type that is not an integer, or _Bool or an enum",
       [](F& f) {
         const VarId truth = f.b.Global(f.p.types.Basic(TypeKind::Bool));
         f.Do(f.RawBuiltin(Builtin::AddOverflow, f.p.types.Basic(TypeKind::Bool), {},
                           {f.G(), f.G(), f.b.AddressOf(f.b.Var(truth))}));
       }},
      {"the type is not a floating one",
       [](F& f) { f.Do(f.RawBuiltin(Builtin::Fabs, f.int_type, f.int_type, {f.X()})); }},
      {"the result is not of the type",
       [](F& f) {
         const TypeId full = f.p.types.Basic(TypeKind::Double);
         f.Do(f.RawBuiltin(Builtin::Floor, f.int_type, full, {f.X()}));
       }},
      {"a conversion that needs a cast",
       [](F& f) {
         const TypeId single = f.p.types.Basic(TypeKind::Float);
         f.Do(f.RawBuiltin(Builtin::Fmin, single, single, {f.X(), f.X()}));
       }},
      {"operands do not fit",
       [](F& f) {
         const TypeId full = f.p.types.Basic(TypeKind::Double);
         const ExprId power = f.b.Constant(TypeKind::Double, FloatBits(TypeKind::Double, 2));
         f.Do(f.RawBuiltin(Builtin::Ldexp, full, full, {f.X(), power}));
       }},
      {"operands do not fit", [](F& f) { f.Do(f.RawBuiltin(Builtin::IsNaN, f.int_type, {}, {f.X()})); }},
      {"the result is not _Bool",
       [](F& f) {
         f.Do(f.RawBuiltin(Builtin::AddOverflow, f.int_type, {}, {f.G(), f.G(), f.b.AddressOf(f.G())}));
       }},
      {"the result is not long",
       [](F& f) { f.Do(f.RawBuiltin(Builtin::Expect, f.int_type, {}, {f.G(), f.b.Int(1)})); }},
      // types
      {"an enum without a negative value",
       [](F& f) {
         f.p.types.AddEnum({{0, 1}});
       }},
      {"an enumerator that is not an int",
       [](F& f) {
         f.p.model = DataModelKind::Ip16;
         f.p.types.AddEnum({{-1, 32768}});
       }},
      {"a record contains itself",
       [](F& f) {
         f.p.types.GetRecord(f.record_id).members.push_back({f.p.types.OfRecord(f.record_id)});
       }},
      {"a member of an incomplete type",
       [](F& f) { f.p.types.GetRecord(f.record_id).members.push_back({f.void_type}); }},
      {"the width does not fit the type of the bit-field",
       [](F& f) { f.p.types.GetRecord(f.record_id).members[1].bit_width = 33; }},
      {"a bit-field of width 0 with a name",
       [](F& f) { f.p.types.GetRecord(f.record_id).members[1].bit_width = 0; }},
      {"a member without a name that is not a bit-field",
       [](F& f) { f.p.types.GetRecord(f.record_id).members[0].named = false; }},
      {"a record without named members", [](F& f) { f.p.types.AddRecord({}); }},
      {"a type that is too large",  // sizes would wrap
       [](F& f) { f.p.types.Array(f.p.types.Array(f.int_type, 0x10000), 0x10000); }},
      {"restrict on something not a pointer to an object",
       [](F& f) { f.b.Global(f.p.types.Qualified(f.int_type, kRestrict)); }},
      {"restrict on something not a pointer to an object",
       [](F& f) { f.b.Local(f.entry, f.p.types.Pointer(f.p.functions[f.entry].type, kRestrict)); }},
      {"restrict inside another type",
       [](F& f) { f.b.Global(f.Ptr(f.p.types.Pointer(f.int_type, kRestrict))); }},
      {"restrict inside another type",
       [](F& f) {
         f.p.types.GetRecord(f.record_id).members.push_back({f.p.types.Pointer(f.int_type, kRestrict)});
       }},
      {"an array of an incomplete type", [](F& f) { f.b.Global(f.p.types.Array(f.void_type, 2)); }},
      {"an array of an incomplete type", [](F& f) { f.b.Global(f.p.types.Array(f.p.functions[f.entry].type, 2)); }},
      {"an array without elements",
       [](F& f) { f.p.types.Intern({.kind = TypeKind::Array, .element = f.int_type}); }},
      {"qualifiers on an array instead of its elements",
       [](F& f) { f.p.types.Intern({.kind = TypeKind::Array, .quals = kConst, .element = f.int_type, .length = 2}); }},
      {"a function that returns what cannot be returned",
       [](F& f) { f.Func(f.p.types.Function(f.p.types.Array(f.int_type, 2), {})); }},
      {"a parameter of a type that cannot be passed",
       [](F& f) { f.Func(f.p.types.Function(f.void_type, {f.p.types.Array(f.int_type, 2)})); }},
      {"a pointer to an array of unknown length",
       [](F& f) { f.Do(f.b.AddressOf(f.b.Var(f.Vla(f.body)))); }},
      {"a variadic function without a parameter", [](F& f) { f.p.types.Function(f.void_type, {}, true); }},
      {"a qualified function", [](F& f) { f.p.types.Qualified(f.p.functions[f.entry].type, kConst); }},
      // objects
      {"a restrict-qualified object that is not automatic",
       [](F& f) { f.b.Global(f.p.types.Pointer(f.int_type, kRestrict)); }},
      {"a function is in the order twice or does not exist",
       [](F& f) { f.p.function_order.push_back(f.entry); }},
      {"a global is declared twice or does not exist", [](F& f) { f.p.globals.push_back(f.g); }},
      {"a global without the storage of one", [](F& f) { f.p.vars[f.g].storage = Storage::Auto; }},
      {"an object of an incomplete type", [](F& f) { f.b.Global(f.void_type); }},
      {"a VLA that is not automatic, or has an initialiser",
       [](F& f) { f.p.vars[f.Vla(f.body)].storage = Storage::Register; }},
      {"a VLA without a length", [](F& f) { f.p.vars[f.Vla(f.body)].vla_length = {}; }},
      {"the length of a VLA is not an integer, or a constant that is not positive",
       [](F& f) { f.p.vars[f.Vla(f.body)].vla_length = f.b.AddressOf(f.G()); }},
      {"the length of a VLA is not an integer, or a constant that is not positive",
       [](F& f) {
         f.p.vars[f.Vla(f.body)].vla_length = f.b.Binary(BinaryOp::Sub, f.b.Int(1), f.b.Int(1));
       }},
      {"a length without a VLA", [](F& f) { f.p.vars[f.x].vla_length = f.b.Int(1); }},
      {"an alignment that is not a power of two or less than the type's",
       [](F& f) { f.p.vars[f.g].align = 2; }},
      {"an alignment on a register variable, parameter or literal",
       [](F& f) {
         f.p.vars[f.x].align = 16;
         f.p.vars[f.x].storage = Storage::Register;
       }},
      {"an array in a register",
       [](F& f) {
         VarId v = f.b.Local(f.entry, f.p.types.Array(f.int_type, 2), Storage::Register);
         f.b.Append(f.body, f.b.Decl(v));
       }},
      {"an array in a register",
       [](F& f) {
         Record record;
         record.members = {{f.p.types.Array(f.int_type, 2)}};
         VarId v = f.b.Local(f.entry, f.p.types.OfRecord(f.p.types.AddRecord(record)), Storage::Register);
         f.b.Append(f.body, f.b.Decl(v));
       }},
      {"an initialiser is used twice or does not exist",
       [](F& f) { f.p.vars[f.g].init = f.p.vars[f.x].init = f.b.InitExpr(f.b.Int(1)); }},
      {"an initialiser without a value", [](F& f) { f.p.vars[f.x].init = f.b.InitExpr({}); }},
      {"the value does not fit what it initialises",
       [](F& f) { f.p.vars[f.x].init = f.b.InitExpr(f.b.AddressOf(f.G())); }},
      {"a static initialiser that is not constant",
       [](F& f) { f.b.Global(f.int_type, f.b.InitExpr(f.G())); }},
      {"the string does not fit what it initialises",
       [](F& f) {
         f.b.Global(f.p.types.Array(f.p.types.Basic(TypeKind::Char), 3),
                    f.b.InitString(f.p.strings.Add("abc")));
       }},
      {"a list for a scalar", [](F& f) { f.p.vars[f.x].init = f.b.InitList({}); }},
      {"a union with two initialisers",
       [](F& f) {
         Record u;
         u.is_union = true;
         u.members = {{f.int_type}, {f.int_type}};
         f.b.Global(f.p.types.OfRecord(f.p.types.AddRecord(u)),
                    f.b.InitList({{0, f.b.InitExpr(f.b.Int(1))}, {1, f.b.InitExpr(f.b.Int(1))}}));
       }},
      {"an initialiser for a part that does not exist",
       [](F& f) {
         f.p.vars[f.r].init = f.b.InitList({{9, f.b.InitExpr(f.b.Int(1))}});
       }},
      {"an initialiser for an unnamed member",
       [](F& f) {
         f.p.vars[f.r].init = f.b.InitList({{2, f.b.InitExpr(f.b.Int(1))}});
       }},
      {"two initialisers for one part",
       [](F& f) {
         f.p.vars[f.r].init =
             f.b.InitList({{0, f.b.InitExpr(f.b.Int(1))}, {0, f.b.InitExpr(f.b.Int(1))}});
       }},
      // expressions
      {"an expression is used twice or does not exist",
       [](F& f) {
         ExprId x = f.X();
         f.Do(x);
         f.Do(x);
       }},
      {"not an expression of a finished program",
       [](F& f) { f.Do(f.Raw(ExprKind::kCount, f.int_type)); }},
      {"the arguments are outside their store",
       [](F& f) {
         ExprId call = f.RawArgs(ExprKind::Call, f.void_type, f.b.Func(f.entry), {});
         f.p.exprs[call].args.count = 7;
         f.Do(call);
       }},
      {"an expression without a type", [](F& f) { f.Do(f.Raw(ExprKind::Constant, {})); }},
      {"a variable outside its scope",
       [](F& f) {
         BlockId inner = f.AddBody(StmtKind::Block, {}, f.body);
         VarId v = f.b.Local(f.entry, f.int_type);
         f.b.Append(inner, f.b.Decl(v));
         f.Do(f.b.Var(v));
       }},
      {"a function that is not in the program's order",
       [](F& f) {
         FunctionId g = f.Func(f.p.types.Function(f.void_type, {}));
         f.p.function_order.pop_back();
         f.Do(f.b.Func(g));
       }},
      {"the length of a VLA is not an integer, or a constant that is not positive",
       [](F& f) {
         Type vla;
         vla.kind = TypeKind::Vla;
         vla.element = f.int_type;
         VarId v = f.b.Local(f.entry, f.p.types.Intern(vla));
         f.p.vars[v].vla_length = f.b.Int(-1);
         f.b.Append(f.body, f.b.Decl(v));
       }},
      {"va_start after a parameter whose type is not its promoted type",
       [](F& f) {
         FunctionId g = f.b.Function(f.p.types.Function(f.void_type, {f.p.types.Basic(TypeKind::Char)}, true));
         VarId list = f.b.Local(g, f.p.types.Basic(TypeKind::VaList));
         f.b.Append(f.p.functions[g].body, f.b.Decl(list));
         f.b.Append(f.p.functions[g].body, f.b.ExprStatement(f.RawBuiltin(Builtin::VaStart, f.void_type, {}, {f.b.Var(list)})));
       }},
      {"va_start in a function that is not variadic",
       [](F& f) {
         VarId list = f.b.Local(f.entry, f.p.types.Basic(TypeKind::VaList));
         f.b.Append(f.body, f.b.Decl(list));
         f.Do(f.RawBuiltin(Builtin::VaStart, f.void_type, {}, {f.b.Var(list)}));
       }},
      {"the type is not the one that follows from the operands",
       [](F& f) {
         ExprId e = f.b.Binary(BinaryOp::Add, f.X(), f.X());
         f.p.exprs[e].type = f.p.types.Basic(TypeKind::Long);
         f.Do(e);
       }},
      {"the object of a literal is used twice",
       [](F& f) {
         VarId v = f.b.Local(f.entry, f.int_type, Storage::Literal);
         f.Do(f.b.CompoundLiteral(v));
         f.Do(f.b.CompoundLiteral(v));
       }},
      {"a literal of another function",
       [](F& f) {
         FunctionId g = f.Func(f.p.types.Function(f.void_type, {}));
         f.Do(f.b.CompoundLiteral(f.b.Local(g, f.int_type, Storage::Literal)));
       }},
      {"a literal that is a copy of a record or vector",
       [](F& f) {
         VarId v = f.b.Local(f.entry, f.p.vars[f.r].type, Storage::Literal, f.b.InitExpr(f.b.Var(f.r)));
         f.Do(f.b.CompoundLiteral(v));
       }},
      // operands (constraints.cpp)
      {"the value is not one of the type",
       [](F& f) { f.Do(f.b.Constant(TypeKind::UInt, ~uint64_t{0})); }},
      {"not a type of constants", [](F& f) { f.Do(f.b.Constant(TypeKind::Short, 1)); }},
      {"no such spelling",
       [](F& f) { f.Do(f.b.Constant(TypeKind::Int, 1, static_cast<ConstantSpelling>(99))); }},
      {"no such enumerator", [](F& f) { f.Do(f.Raw(ExprKind::EnumConstant, f.int_type)); }},
      {"no such string", [](F& f) { f.Do(f.Raw(ExprKind::String, f.int_type)); }},
      {"no such variable",
       [](F& f) {
         ExprId e = f.Raw(ExprKind::Variable, f.int_type);
         f.p.exprs[e].ref = 999;
         f.Do(e);
       }},
      {"a literal's object has no name",
       [](F& f) { f.Do(f.b.Var(f.b.Local(f.entry, f.int_type, Storage::Literal))); }},
      {"not the object of a literal", [](F& f) { f.Do(f.b.CompoundLiteral(f.x)); }},
      {"no such function",
       [](F& f) {
         ExprId e = f.Raw(ExprKind::Function, f.int_type);
         f.p.exprs[e].ref = 999;
         f.Do(e);
       }},
      {"no such operator",
       [](F& f) { f.Do(f.Raw(ExprKind::Unary, f.int_type, f.X(), {}, {}, 99)); }},
      {"operand is not a scalar",
       [](F& f) { f.Do(f.Raw(ExprKind::LogicalAnd, f.int_type, f.b.Var(f.r), f.X())); }},
      {"operand is not an integer",
       [](F& f) {
         const ExprId half = f.b.Constant(TypeKind::Double, FloatBits(TypeKind::Double, 0.5));
         f.Do(f.Raw(ExprKind::Unary, f.int_type, half, {}, {}, static_cast<uint8_t>(UnaryOp::BitNot)));
       }},
      {"operand is not a number",
       [](F& f) { f.Do(f.Raw(ExprKind::Unary, f.int_type, f.b.AddressOf(f.G()))); }},
      {"a conversion that needs a cast",
       [](F& f) {
         const ExprId half = f.b.Constant(TypeKind::Float, FloatBits(TypeKind::Float, 0.5));
         f.Do(f.b.Conditional(f.X(), half, f.X()));
       }},
      {"a bit-field that gets a floating value",
       [](F& f) {
         Record record;
         record.members = {{f.int_type, 5}};
         const VarId field = f.b.Global(f.p.types.OfRecord(f.p.types.AddRecord(record)));
         const ExprId half = f.b.Constant(TypeKind::Double, FloatBits(TypeKind::Double, 0.5));
         f.Do(f.b.CompoundAssign(BinaryOp::Mul, f.b.Member(f.b.Var(field), 0), half));
       }},
      {"a pointer as a floating number",
       [](F& f) { f.Do(f.b.Cast(f.p.types.Basic(TypeKind::Double), f.b.AddressOf(f.G()))); }},
      {"operands do not fit the operator",
       [](F& f) { f.Do(f.Raw(ExprKind::Binary, f.int_type, f.b.Var(f.r), f.X())); }},
      {"pointers to different types",
       [](F& f) {
         VarId c = f.b.Global(f.p.types.Basic(TypeKind::Char));
         f.Do(f.b.Binary(BinaryOp::Eq, f.b.AddressOf(f.G()), f.b.AddressOf(f.b.Var(c))));
       }},
      {"pointers not to objects",
       [](F& f) { f.Do(f.b.Binary(BinaryOp::Lt, f.b.Func(f.entry), f.b.Func(f.entry))); }},
      {"pointers to different types",  // 6.5.9p2: not qualified versions of one type (6.7.3p9)
       [](F& f) {
         f.Do(f.b.Binary(BinaryOp::Eq, f.b.Var(f.b.Global(f.Ptr(f.p.types.Array(f.int_type, 2)))),
                         f.b.Var(f.b.Global(f.Ptr(f.p.types.Array(f.Const(), 2))))));
       }},
      {"types do not fit the assignment",  // 6.5.16.1p1, the same
       [](F& f) {
         f.Do(f.b.Assign(f.b.Var(f.b.Global(f.Ptr(f.p.types.Array(f.Const(), 2)))),
                         f.b.Var(f.b.Global(f.Ptr(f.p.types.Array(f.int_type, 2))))));
       }},
      {"the branches have different types",  // 6.5.15p3, the same
       [](F& f) {
         f.Do(f.b.Conditional(f.X(), f.b.Var(f.b.Global(f.Ptr(f.p.types.Array(f.Const(), 2)))),
                              f.b.Var(f.b.Global(f.Ptr(f.p.types.Array(f.int_type, 2))))));
       }},
      {"a function compared with an object",  // 6.5.9p2
       [](F& f) { f.Do(f.b.Binary(BinaryOp::Eq, f.b.Var(f.b.Global(f.Ptr(f.void_type))), f.b.Func(f.entry))); }},
      {"condition is not a scalar",
       [](F& f) { f.Do(f.b.Conditional(f.b.Var(f.r), f.b.Int(1), f.b.Int(2))); }},
      {"the branches have different types",
       [](F& f) { f.Do(f.b.Conditional(f.X(), f.b.AddressOf(f.G()), f.b.Int(0))); }},
      {"target is not an lvalue",
       [](F& f) { f.Do(f.Raw(ExprKind::Assign, f.int_type, f.b.Int(1), f.b.Int(1))); }},
      {"target is not modifiable",
       [](F& f) { f.Do(f.b.Assign(f.b.Member(f.b.Var(f.r), 3), f.b.Int(1))); }},
      {"types do not fit the assignment",
       [](F& f) { f.Do(f.b.Assign(f.X(), f.b.AddressOf(f.G()))); }},
      {"operand is not a number or pointer to object",
       [](F& f) {
         VarId v = f.b.Global(f.Ptr(f.p.functions[f.entry].type));
         f.Do(f.b.IncDec(IncDecOp::PreInc, f.b.Var(v)));
       }},
      {"cast to a qualified type",
       [](F& f) { f.Do(f.b.Cast(f.p.types.Qualified(f.int_type, kConst), f.X())); }},
      {"cast to a type that is not scalar",
       [](F& f) { f.Do(f.b.Cast(f.p.vars[f.r].type, f.b.Var(f.r))); }},
      {"a function's address as an object's",
       [](F& f) { f.Do(f.b.Cast(f.Ptr(f.int_type), f.b.Func(f.entry))); }},
      {"types do not fit the assignment",  // not without a cast, where the machine would check the alignment
       [](F& f) {
         f.Do(f.b.Assign(f.b.Var(f.b.Global(f.Ptr(f.int_type))), f.b.Var(f.b.Global(f.Ptr(f.void_type)))));
       }},
      {"operand is not an lvalue", [](F& f) { f.Do(f.b.AddressOf(f.b.Int(1))); }},
      {"an array of a record that has no place",
       [](F& f) {
         Record record;
         record.members = {{f.p.types.Array(f.int_type, 2)}};
         VarId v = f.b.Global(f.p.types.OfRecord(f.p.types.AddRecord(record)));
         f.Do(f.b.Deref(f.b.Member(f.b.Conditional(f.X(), f.b.Var(v), f.b.Var(v)), 0)));
       }},
      {"size of a type that compilers lay out differently",
       [](F& f) { f.Do(f.b.SizeofType(f.p.types.OfRecord(f.record_id))); }},
      {"size of a type that compilers lay out differently",
       [](F& f) { f.Do(f.b.SizeofType(f.p.types.Basic(TypeKind::VaList))); }},
      {"address of a bit-field", [](F& f) { f.Do(f.b.AddressOf(f.b.Member(f.b.Var(f.r), 1))); }},
      {"address of a register variable",
       [](F& f) {
         f.p.vars[f.x].storage = Storage::Register;
         f.Do(f.b.AddressOf(f.X()));
       }},
      {"operand is not a pointer to an object or function",
       [](F& f) { f.Do(f.Raw(ExprKind::Deref, f.int_type, f.X())); }},
      {"operands are not an array or pointer and an integer",
       [](F& f) { f.Do(f.Raw(ExprKind::Index, f.int_type, f.X(), f.X())); }},
      {"operand is not a struct or union",
       [](F& f) { f.Do(f.Raw(ExprKind::Member, f.int_type, f.X())); }},
      {"no such member",
       [](F& f) {
         ExprId e = f.Raw(ExprKind::Member, f.int_type, f.b.Var(f.r));
         f.p.exprs[e].ref = 99;
         f.Do(e);
       }},
      {"an unnamed member has no value", [](F& f) { f.Do(f.b.Member(f.b.Var(f.r), 2)); }},
      {"size of an incomplete type", [](F& f) { f.Do(f.b.SizeofType(f.void_type)); }},
      {"size of a bit-field", [](F& f) { f.Do(f.b.SizeofExpr(f.b.Member(f.b.Var(f.r), 1))); }},
      {"size of a bit-field", [](F& f) { f.Do(f.b.SizeofExpr(f.b.Assign(f.Field(1), f.X()))); }},
      {"size of a bit-field", [](F& f) { f.Do(f.b.SizeofExpr(f.b.Comma(f.X(), f.Field(1)))); }},
      {kUnclear, [](F& f) { f.Do(f.b.Binary(BinaryOp::Lt, f.X(), f.Stepped(kNarrow))); }},
      {kUnclear, [](F& f) { f.Do(f.b.Binary(BinaryOp::Lt, f.Field(kWide), f.X())); }},
      {kUnclear, [](F& f) { f.Do(f.b.Unary(UnaryOp::Minus, f.b.Assign(f.Field(kNarrow), f.X()))); }},
      {kUnclear, [](F& f) { f.Do(f.b.Unary(UnaryOp::BitNot, f.b.Comma(f.X(), f.Field(kNarrow)))); }},
      {kUnclear, [](F& f) { f.Do(f.b.Conditional(f.X(), f.Stepped(kNarrow), f.X())); }},
      {kUnclear, [](F& f) { f.Do(f.b.CompoundAssign(BinaryOp::Add, f.X(), f.Stepped(kNarrow))); }},
      {kUnclear, [](F& f) { f.Do(f.b.CompoundAssign(BinaryOp::Add, f.Field(kWide), f.X())); }},
      {kUnclear, [](F& f) { f.Do(f.Stepped(kWide)); }},
      {kUnclear, [](F& f) { f.Do(f.b.Guard(f.Stepped(kNarrow), f.b.Int(0), f.u, 1)); }},
      {kUnclear,
       [](F& f) {
         FunctionId variadic = f.Func(f.p.types.Function(f.void_type, {f.int_type}, true));
         f.Do(f.b.Call(variadic, std::vector{f.X(), f.Field(kWide)}));
       }},
      {"callee is not a function",
       [](F& f) { f.Do(f.RawArgs(ExprKind::Call, f.int_type, f.X(), {})); }},
      {"wrong number of arguments",
       [](F& f) { f.Do(f.RawArgs(ExprKind::Call, f.void_type, f.b.Func(f.entry), {f.X()})); }},
      {"argument does not fit its parameter",
       [](F& f) {
         FunctionId g = f.Func(f.p.types.Function(f.void_type, {f.int_type}));
         f.Do(f.RawArgs(ExprKind::Call, f.void_type, f.b.Func(g), {f.b.AddressOf(f.G())}));
       }},
      {"argument has no value",
       [](F& f) {
         FunctionId g = f.Func(f.p.types.Function(f.void_type, {f.int_type}, true));
         f.Do(f.RawArgs(ExprKind::Call, f.void_type, f.b.Func(g),
                        {f.X(), f.b.Cast(f.void_type, f.X())}));
       }},
      {"no such builtin",
       [](F& f) {
         ExprId e = f.RawBuiltin(Builtin::Free, f.void_type, {}, {f.b.AddressOf(f.G())});
         f.p.exprs[e].op = 99;
         f.Do(e);
       }},
      {"count is not an integer",
       [](F& f) {
         f.Do(f.RawBuiltin(Builtin::Malloc, f.Ptr(f.int_type), f.int_type, {f.b.AddressOf(f.G())}));
       }},
      {"the result is not a pointer to the type",
       [](F& f) { f.Do(f.RawBuiltin(Builtin::Malloc, f.int_type, f.int_type, {f.X()})); }},
      {"operands do not fit",
       [](F& f) {
         f.Do(
             f.RawBuiltin(Builtin::Memcpy, f.void_type, f.int_type, {f.b.AddressOf(f.G()), f.X()}));
       }},
      {"the result is not void",
       [](F& f) { f.Do(f.RawBuiltin(Builtin::Free, f.int_type, {}, {f.b.AddressOf(f.G())})); }},
      {"the result is not int",
       [](F& f) {
         f.Do(f.RawBuiltin(Builtin::Memcmp, f.void_type, f.int_type, {f.b.AddressOf(f.G()), f.b.AddressOf(f.G())}));
       }},
      {"operands do not fit",  // memset does not know of the volatile member
       [](F& f) {
         Record record;
         record.members = {{f.p.types.Qualified(f.int_type, kVolatile)}};
         const TypeId type = f.p.types.OfRecord(f.p.types.AddRecord(record));
         f.Do(f.RawBuiltin(Builtin::Memset, f.void_type, type, {f.b.AddressOf(f.b.Var(f.b.Global(type))), f.X()}));
       }},
      {"operand is not a va_list",
       [](F& f) { f.Do(f.RawBuiltin(Builtin::VaEnd, f.void_type, {}, {f.X()})); }},
      {"the result is not of the type",
       [](F& f) {
         VarId list = f.b.Local(f.entry, f.p.types.Basic(TypeKind::VaList));
         f.b.Append(f.body, f.b.Decl(list));
         f.Do(f.RawBuiltin(Builtin::VaArg, f.int_type, f.p.types.Basic(TypeKind::Long),
                           {f.b.Var(list)}));
       }},
      {"no argument has a type that promotes",
       [](F& f) {
         VarId list = f.b.Local(f.entry, f.p.types.Basic(TypeKind::VaList));
         f.b.Append(f.body, f.b.Decl(list));
         TypeId type = f.p.types.Basic(TypeKind::Short);
         f.Do(f.RawBuiltin(Builtin::VaArg, type, type, {f.b.Var(list)}));
       }},
      {"no argument has the type",
       [](F& f) {
         VarId list = f.b.Local(f.entry, f.p.types.Basic(TypeKind::VaList));
         f.b.Append(f.body, f.b.Decl(list));
         TypeId type = f.p.types.Array(f.int_type, 2);
         f.Do(f.RawBuiltin(Builtin::VaArg, type, type, {f.b.Var(list)}));
       }},
      {"the counter is not an unsigned variable",
       [](F& f) { f.Do(f.b.Guard(f.X(), f.b.Int(1), f.r, 1)); }},
      {"the type is not that of the guarded value",
       [](F& f) {
         ExprId e = f.b.Guard(f.X(), f.b.Int(1), f.u, 1);
         f.p.exprs[e].type = f.p.types.Basic(TypeKind::Long);
         f.Do(e);
       }},
      {"no such form",
       [](F& f) {
         ExprId e = f.b.Guard(f.X(), f.b.Int(1), f.u, 1);
         f.p.exprs[e].detail = 2;
         f.Do(e);
       }},
      {"the temporary does not fit",
       [](F& f) { f.Do(f.b.Guard(f.X(), f.b.Int(1), f.u, 1, f.b.Int(3))); }},
      {"the counter is not an unsigned variable", [](F& f) { f.Do(f.b.Guard(f.X(), f.b.Int(1), f.g, 1)); }},
      {"the temporary does not fit",
       [](F& f) { f.Do(f.b.Guard(f.X(), f.b.Int(1), f.u, 1, f.b.Var(f.b.Global(f.Const())))); }},
      // functions and statements
      {"an object without its slot", [](F& f) { f.p.vars[f.x].slot = 77; }},
      {"a variable is declared twice or does not exist",
       [](F& f) { f.b.Append(f.body, f.b.Decl(f.x)); }},
      {"a variable declared in a function that is not its own",
       [](F& f) { f.p.vars[f.x].function = {}; }},
      {"a function without a function type",
       [](F& f) { f.p.functions[f.entry].type = f.int_type; }},
      {"noinline and always_inline together",
       [](F& f) { f.p.functions[f.entry].attrs = kFnNoInline | kFnAlwaysInline; }},
      {"always_inline with a level of its own",
       [](F& f) { f.p.functions[f.entry].attrs = kFnAlwaysInline | kFnOptimizeMost; }},
      {"two levels of optimisation",
       [](F& f) { f.p.functions[f.entry].attrs = kFnOptimizeNone | kFnOptimizeMost; }},
      {"returns_nonnull on a function that returns no pointer",
       [](F& f) { f.Attributed(kFnReturnsNonNull, [&](auto) { return f.b.Int(1); }); }},
      {"assume_aligned on a function that returns no pointer to an object",
       [](F& f) {
         f.p.functions[f.Func(f.p.types.Function(f.Ptr(f.void_type), {}))].attrs = kFnStatic | kFnAssumeAligned;
       }},
      {"hot and cold together", [](F& f) { f.p.functions[f.entry].attrs = kFnHot | kFnCold; }},
      {"a weak or hidden function that is static or inline",
       [](F& f) { f.p.functions[f.entry].attrs = kFnStatic | kFnWeak; }},
      {"pure and const together", [](F& f) { f.Attributed(kFnPure | kFnConst, [&](auto) { return f.b.Int(1); }); }},
      {kImpure,
       [](F& f) { f.Attributed(kFnPure, [&](auto) { return f.b.IncDec(IncDecOp::PreInc, f.G()); }); }},
      {kImpure, [](F& f) { f.p.functions[f.Func(f.p.types.Function(f.void_type, {}))].attrs = kFnPure; }},
      {kImpure,
       [](F& f) {
         VarId v = f.b.Global(f.p.types.Qualified(f.int_type, kVolatile));
         f.Attributed(kFnPure, [&](auto) { return f.b.Var(v); });
       }},
      {kImpure,
       [](F& f) {
         FunctionId impure = f.Attributed(0, [&](auto) { return f.b.IncDec(IncDecOp::PreInc, f.G()); });
         f.Attributed(kFnPure, [&](auto) { return f.b.Call(impure, {}); });
       }},
      {kImpure,
       [](F& f) {  // through a pointer, to what is not its own for all that is known
         f.Attributed(
             kFnPure,
             [&](FunctionId id) { return f.b.IncDec(IncDecOp::PreInc, f.b.Deref(f.b.Var(f.p[id].params[0]))); },
             {f.Ptr(f.int_type)});
       }},
      {kNotConst, [](F& f) { f.Attributed(kFnConst, [&](auto) { return f.G(); }); }},
      {kNotConst,
       [](F& f) {
         f.Attributed(
             kFnConst, [&](FunctionId id) { return f.b.Deref(f.b.Var(f.p[id].params[0])); }, {f.Ptr(f.int_type)});
       }},
      {kNotConst,
       [](F& f) {
         FunctionId pure = f.Attributed(kFnPure, [&](auto) { return f.G(); });
         f.Attributed(kFnConst, [&](auto) { return f.b.Call(pure, {}); });
       }},
      {"always_inline on a function that cannot always be inlined",
       [](F& f) {
         f.Attributed(kFnAlwaysInline, [&](FunctionId id) { return f.b.Call(id, {}); });
       }},
      {"the parameters do not match the type of the function",
       [](F& f) { f.p.functions[f.entry].params.push_back(f.x); }},
      {"a temporary that is a VLA",
       [](F& f) {
         f.p.vars[f.b.Temporary(f.entry, f.p.types.Vla(f.int_type))].vla_length = f.b.Int(1);
       }},
      {"a function without a body", [](F& f) { f.p.functions[f.entry].body = {}; }},
      {"no entry function", [](F& f) { f.p.entry = {}; }},
      {"the entry function has parameters",
       [](F& f) { f.p.entry = f.Func(f.p.types.Function(f.void_type, {f.int_type})); }},
      {"a block is used twice or does not exist",
       [](F& f) {
         BlockId inner = f.AddBody(StmtKind::Block, {}, f.body);
         f.Add(StmtKind::Block, f.body, [&](Stmt& s) { s.body = inner; });
       }},
      {"the links of a block are wrong",
       [](F& f) { f.p.blocks[f.AddBody(StmtKind::Block, {}, f.body)].outer = {}; }},
      {"a statement is used twice or does not exist",
       [](F& f) { f.b.Append(f.body, f.Add(StmtKind::Empty, f.body)); }},
      {"a case outside the list of a switch", [](F& f) { f.Add(StmtKind::Case, f.body); }},
      {"a case in the scope of a VLA of the switch",
       [](F& f) {
         BlockId inner = f.AddBody(StmtKind::Switch, f.X(), f.body);
         f.Vla(inner);
         f.Add(StmtKind::Default, inner);
       }},
      {"two defaults in a switch",
       [](F& f) {
         BlockId inner = f.AddBody(StmtKind::Switch, f.X(), f.body);
         f.Add(StmtKind::Default, inner);
         f.Add(StmtKind::Default, inner);
       }},
      {"two equal cases in a switch",
       [](F& f) {
         BlockId inner = f.AddBody(StmtKind::Switch, f.b.Constant(TypeKind::UInt, 1), f.body);
         f.Add(StmtKind::Case, inner, [](Stmt& s) { s.value = -1; });
         f.Add(StmtKind::Case, inner, [](Stmt& s) { s.value = 4294967295; });
       }},
      {"a statement without its expression", [](F& f) { f.AddBody(StmtKind::While, {}, f.body); }},
      {"a condition that is not a scalar",
       [](F& f) { f.AddBody(StmtKind::If, f.b.Var(f.r), f.body); }},
      {"a statement without its body", [](F& f) { f.Add(StmtKind::Block, f.body); }},
      {"a parameter is declared in a block", [](F& f) { f.p.vars[f.x].storage = Storage::Param; }},
      {"a for with a declaration and an expression",
       [](F& f) {
         VarId v = f.b.Local(f.entry, f.int_type);
         f.Add(StmtKind::For, f.body, [&](Stmt& s) {
           s.var = v;
           s.init = f.b.Int(1);
           s.body = f.b.NewBlock(f.entry);
         });
       }},
      {"a for that declares a static variable",
       [](F& f) {
         VarId v = f.b.Local(f.entry, f.int_type, Storage::StaticLocal);
         f.Add(StmtKind::For, f.body, [&](Stmt& s) {
           s.var = v;
           s.body = f.b.NewBlock(f.entry);
         });
       }},
      {"a switch on something not an integer",
       [](F& f) { f.AddBody(StmtKind::Switch, f.b.AddressOf(f.G()), f.body); }},
      {"a switch on a bit-field whose promoted type compilers disagree on",
       [](F& f) { f.AddBody(StmtKind::Switch, f.Stepped(kNarrow), f.body); }},
      {"a label stands twice or does not exist",
       [](F& f) {
         LabelId label = f.b.NewLabel();
         for (int i = 0; i < 2; ++i)
           f.Add(StmtKind::Label, f.body, [&](Stmt& s) { s.label = label; });
       }},
      {"the links of a label are wrong",
       [](F& f) {
         LabelId label = f.b.NewLabel();
         f.Add(StmtKind::Label, f.body, [&](Stmt& s) { s.label = label; });
         f.p.labels[label].block = {};
       }},
      {"a goto without a label", [](F& f) { f.Add(StmtKind::Goto, f.body); }},
      {"a break outside a loop or switch", [](F& f) { f.Add(StmtKind::Break, f.body); }},
      {"a continue outside a loop",
       [](F& f) { f.Add(StmtKind::Continue, f.AddBody(StmtKind::Switch, f.X(), f.body)); }},
      {"not a statement", [](F& f) { f.Add(StmtKind::kCount, f.body); }},
      {"a return that does not fit the function",
       [](F& f) { f.Add(StmtKind::Return, f.body, [&](Stmt& s) { s.expr = f.X(); }); }},
      {"the value does not fit the type of the function",
       [](F& f) {
         FunctionId g = f.Func(f.p.types.Function(f.int_type, {}));
         f.Add(StmtKind::Return, f.p.functions[g].body,
               [&](Stmt& s) { s.expr = f.b.AddressOf(f.G()); });
       }},
      {"the label is not in the function of the goto",
       [](F& f) {
         FunctionId g = f.Func(f.p.types.Function(f.void_type, {}));
         LabelId label = f.b.NewLabel();
         f.Add(StmtKind::Label, f.p.functions[g].body, [&](Stmt& s) { s.label = label; });
         f.Add(StmtKind::Goto, f.body, [&](Stmt& s) { s.label = label; });
       }},
      {"a jump into the scope of a VLA",
       [](F& f) {
         LabelId label = f.b.NewLabel();
         f.Add(StmtKind::Goto, f.body, [&](Stmt& s) { s.label = label; });
         f.Vla(f.body);
         f.Add(StmtKind::Label, f.body, [&](Stmt& s) { s.label = label; });
       }},
      // vectors
      {"a vector of a type that has none", [](F& f) { f.b.Global(f.p.types.Vector(f.int_type, 3)); }},
      {"a vector of a type that has none",
       [](F& f) { f.b.Global(f.p.types.Vector(f.p.types.Basic(TypeKind::Bool), 16)); }},
      {"a vector of a type that has none", [](F& f) { f.b.Global(f.p.types.Vector(f.int_type, 32)); }},
      {"a vector of a type that has none",
       [](F& f) {
         f.p.floats = FloatMode::Robust;
         f.b.Global(f.p.types.Vector(f.p.types.Basic(TypeKind::Float), 4));
       }},
      {"a volatile vector", [](F& f) { f.b.Global(f.p.types.Qualified(f.Vector(), kVolatile)); }},
      {"a volatile vector",
       [](F& f) {
         Record record;
         record.members = {{f.p.types.Array(f.Vector(), 2)}};
         f.b.Global(f.p.types.OfRecord(f.p.types.AddRecord(record), kVolatile));
       }},
      {"a vector in a packed record",
       [](F& f) {
         Record record;
         record.packed = true;
         record.members = {{f.p.types.Basic(TypeKind::Char)}, {f.Vector()}};
         f.b.Global(f.p.types.OfRecord(f.p.types.AddRecord(record)));
       }},
      {"the index of a lane is not an integer",
       [](F& f) { f.Do(f.b.Index(f.V(), f.b.Constant(TypeKind::Double, 0))); }},
      {"the index of a lane is not an integer", [](F& f) { f.Do(f.b.Index(f.V(), f.b.Int(1), true)); }},
      {"no operator of vectors", [](F& f) { f.Do(f.b.Unary(UnaryOp::LogicalNot, f.V())); }},
      {"no operator of vectors", [](F& f) { f.Do(f.b.Unary(UnaryOp::BitNot, f.V(TypeKind::Float))); }},
      {"no operator of vectors", [](F& f) { f.Do(f.b.Binary(BinaryOp::RotateLeft, f.V(), f.V())); }},
      {"operands do not fit the operator",
       [](F& f) { f.Do(f.b.Binary(BinaryOp::BitAnd, f.V(TypeKind::Float), f.V(TypeKind::Float))); }},
      {"vectors of different types, or a scalar that is not of the type of the lanes",
       [](F& f) { f.Do(f.b.Binary(BinaryOp::Add, f.V(), f.V(TypeKind::UInt))); }},
      {"vectors of different types, or a scalar that is not of the type of the lanes",
       [](F& f) { f.Do(f.b.Binary(BinaryOp::Add, f.V(TypeKind::Short), f.X())); }},
      {"vectors of different types, or a scalar that is not of the type of the lanes",
       [](F& f) { f.Do(f.b.Binary(BinaryOp::Add, f.Field(kPlain), f.V())); }},
      {"vectors of different types, or a scalar that is not of the type of the lanes",
       [](F& f) { f.Do(f.b.CompoundAssign(BinaryOp::Add, f.V(), f.b.Constant(TypeKind::Long, 1))); }},
      {"a condition that is not a scalar", [](F& f) { f.AddBody(StmtKind::While, f.V(), f.body); }},
      {"operand is not a scalar", [](F& f) { f.Do(f.b.LogicalAnd(f.V(), f.X())); }},
      {"a cast to a vector of what is no vector of the size", [](F& f) { f.Do(f.b.Cast(f.Vector(), f.X())); }},
      {"a cast to a vector of what is no vector of the size",
       [](F& f) { f.Do(f.b.Cast(f.p.types.Vector(f.int_type, 8), f.V())); }},
      {"address of a lane", [](F& f) { f.Do(f.b.AddressOf(f.b.Index(f.V(), f.b.Int(1)))); }},
      {"target is not an lvalue",
       [](F& f) {
         const ExprId lane = f.b.Index(f.b.Binary(BinaryOp::Add, f.V(), f.V()), f.b.Int(1));
         f.Do(f.b.Assign(lane, f.X()));
       }},
      // wide integers
      {"a wide integer on a machine that has none",
       [](F& f) {
         f.p.model = WithoutWide();
         f.b.Global(f.p.types.Basic(TypeKind::Int128));
       }},
      {"a wide integer on a machine that has none",
       [](F& f) {
         f.p.model = WithoutWide();
         f.b.Global(f.p.types.Array(f.p.types.Basic(TypeKind::UInt128), 2));
       }},
      {"a wide integer on a machine that has none",
       [](F& f) {
         f.p.model = WithoutWide();
         f.Do(f.b.Cast(f.p.types.Basic(TypeKind::Int128), f.X()));
       }},
      {"a wide integer on a machine that has none",
       [](F& f) {
         f.p.model = WithoutWide();
         f.Do(f.b.SizeofType(f.p.types.Basic(TypeKind::UInt128)));
       }},
      {"a volatile wide integer",
       [](F& f) { f.b.Global(f.p.types.Qualified(f.p.types.Basic(TypeKind::Int128), kVolatile)); }},
      {"a volatile wide integer",
       [](F& f) {
         Record record;
         record.members = {{f.p.types.Array(f.p.types.Basic(TypeKind::Int128), 2)}};
         f.b.Global(f.p.types.OfRecord(f.p.types.AddRecord(record), kVolatile));
       }},
      {"the width does not fit the type of the bit-field",
       [](F& f) {
         Record record;
         record.members = {{f.p.types.Basic(TypeKind::Int128), 5}};
         f.b.Global(f.p.types.OfRecord(f.p.types.AddRecord(record)));
       }},
      {"not a type of constants",
       [](F& f) {
         Expr e = f.p.exprs[f.b.Int(1)];
         e.type = f.p.types.Basic(TypeKind::Int128);
         f.Do(f.p.exprs.Add(e));
       }},
      {"no operator of wide integers", [](F& f) { f.Do(f.b.Unary(UnaryOp::Popcount, f.Wide())); }},
      {"no operator of wide integers", [](F& f) { f.Do(f.b.Binary(BinaryOp::RotateLeft, f.Wide(), f.X())); }},
      {"a wide integer beside what is no integer",
       [](F& f) { f.Do(f.b.Binary(BinaryOp::Add, f.Wide(), f.b.Constant(TypeKind::Double, 0))); }},
      {"a wide integer beside what is no integer",
       [](F& f) {
         const ExprId object = f.b.Var(f.b.Global(f.p.types.Basic(TypeKind::Double)));
         f.Do(f.b.CompoundAssign(BinaryOp::Mul, object, f.Wide()));
       }},
      {"types do not fit the assignment",
       [](F& f) { f.Do(f.b.Assign(f.b.Var(f.b.Global(f.p.types.Basic(TypeKind::Double))), f.Wide())); }},
      {"a wide integer as a pointer", [](F& f) { f.Do(f.b.Cast(f.p.types.Pointer(f.int_type), f.Wide())); }},
      {"a pointer as a wide integer",
       [](F& f) { f.Do(f.b.Cast(f.p.types.Basic(TypeKind::Int128), f.b.AddressOf(f.X()))); }},
      {"operands are not an array or pointer and an integer",
       [](F& f) {
         const ExprId array = f.b.Var(f.b.Global(f.p.types.Array(f.int_type, 3)));
         f.Do(f.b.Index(array, f.Wide()));
       }},
      {"a switch on something not an integer", [](F& f) { f.AddBody(StmtKind::Switch, f.Wide(), f.body); }},
      {"a vector as a variable argument",
       [](F& f) {
         const FunctionId function = f.Func(f.p.types.Function(f.void_type, {f.int_type}, true));
         f.Do(f.b.Call(function, std::vector{f.X(), f.V()}));
       }},
      {"operands do not fit",
       [](F& f) { f.Do(f.RawBuiltin(Builtin::ConvertVector, f.Vector(), f.Vector(), {f.X()})); }},
      {"operands do not fit",
       [](F& f) {
         const TypeId type = f.p.types.Vector(f.int_type, 8);
         f.Do(f.RawBuiltin(Builtin::ConvertVector, type, type, {f.V()}));
       }},
      {"operands do not fit",
       [](F& f) {
         f.Do(f.RawBuiltin(Builtin::Shuffle, f.Vector(), f.Vector(), {f.V(), f.V(), f.V(TypeKind::UInt)}));
       }},
      {"the result is not of the type",
       [](F& f) { f.Do(f.RawBuiltin(Builtin::ConvertVector, f.int_type, f.Vector(), {f.V()})); }},
      {"as many constants as lanes",
       [](F& f) {
         f.Do(f.RawBuiltin(Builtin::ShuffleVector, f.Vector(), f.Vector(), {f.V(), f.V(), f.b.Int(1)}));
       }},
      {"not the number of a lane",
       [](F& f) {
         const TypeId type = f.p.types.Vector(f.int_type, 2);
         f.Do(f.RawBuiltin(Builtin::ShuffleVector, type, type, {f.V(), f.V(), f.b.Int(1), f.b.Int(8)}));
       }},
      {"a vector's initialiser with designators",
       [](F& f) { f.b.Global(f.Vector(), f.b.InitList({{0, f.b.InitExpr(f.b.Int(1))}}, true)); }},
      {"the lanes of a vector are not in order, or not expressions",
       [](F& f) { f.b.Global(f.Vector(), f.b.InitList({{1, f.b.InitExpr(f.b.Int(1))}})); }},
      {"a literal that is a copy of a record or vector",
       [](F& f) {
         f.Do(f.b.CompoundLiteral(f.b.Local(f.entry, f.Vector(), Storage::Literal, f.b.InitExpr(f.V()))));
       }},
      {"an allocation of a type that is aligned to more than malloc gives",
       [](F& f) {
         const TypeId type = f.p.types.Vector(f.int_type, 8);
         f.Do(f.RawBuiltin(Builtin::Malloc, f.Ptr(type), type, {f.b.Int(1)}));
       }},
  };
  return cases;
}

TEST(VerifyTest, EachMessageIsReportedForItsMistake) {
  Fixture right;
  EXPECT_TRUE(Verify(right.p).empty());
  for (const Case& c : Cases()) {
    Fixture f;
    c.spoil(f);
    bool found = false;
    std::string all;
    for (const Problem& problem : Verify(f.p)) {
      found |= problem.message == c.message;
      all += Describe(problem) + "\n";
    }
    EXPECT_TRUE(found) << "expected: " << c.message << "\ngot:\n" << all;
  }
}

// The ratchet: every message in the sources of verify, constraints and type_rules has a case above.
TEST(VerifyTest, EveryMessageHasACase) {
  for (const char* file : {"verify.cpp", "constraints.cpp", "type_rules.cpp", "attributes.hpp"}) {
    const std::string text = support::ReadFile(std::string(ASSAY_SOURCE_DIR) + "/src/lang/" + file).Value();
    for (size_t at = text.find('"'); at != std::string::npos; at = text.find('"', at + 1)) {
      const size_t end = text.find('"', at + 1);
      const std::string message = text.substr(at + 1, end - at - 1);
      at = end;
      // Messages are phrases; other literals are file names, formats and the words of Describe.
      if (message.find(' ') == std::string::npos || message.find("{}") != std::string::npos || message.size() < 8)
        continue;
      bool found = false;
      for (const Case& c : Cases()) found |= message == c.message;
      EXPECT_TRUE(found) << file << ": no case for \"" << message << '"';
    }
  }
}

TEST(VerifyTest, BitFieldValuesWhosePromotionIsClear) {
  Fixture f;
  f.p.types.GetRecord(f.record_id)
      .members.erase(f.p.types.GetRecord(f.record_id).members.begin() + 3);  // the const one
  const uint32_t narrow = kNarrow - 1, wide = kWide - 1;
  f.Do(f.b.Binary(BinaryOp::Lt, f.X(), f.Field(narrow)));    // the field itself: by its width
  f.Do(f.b.Binary(BinaryOp::Lt, f.X(), f.Stepped(kPlain)));  // int either way
  f.Do(f.b.Binary(BinaryOp::Lt, f.X(), f.b.Cast(f.int_type, f.Stepped(narrow))));
  f.Do(f.b.Binary(BinaryOp::Lt, f.X(), f.b.Cast(f.int_type, f.Field(wide))));
  f.Do(f.b.Assign(f.X(), f.b.Assign(f.Field(wide), f.Stepped(narrow))));  // converted, not promoted
  f.Do(f.b.LogicalAnd(f.Stepped(narrow), f.Field(wide)));                 // tested
  for (const Problem& problem : Verify(f.p)) ADD_FAILURE() << Describe(problem);
}

TEST(VerifyTest, AttributesThatAreTrue) {
  Fixture f;
  FunctionId constant = f.Attributed(kFnConst,
                                     [&](FunctionId id) {  // its own objects are its own affair
                                       return f.b.CompoundAssign(BinaryOp::Add, f.b.Var(f.p[id].params[0]), f.b.Int(1));
                                     },
                                     {f.int_type});
  f.Attributed(kFnPure,
               [&](FunctionId id) {
                 return f.b.Binary(BinaryOp::Add, f.b.Call(constant, std::vector{f.G()}),
                                   f.b.Deref(f.b.Var(f.p[id].params[0])));
               },
               {f.Ptr(f.int_type)});
  f.Attributed(kFnConst, [&](FunctionId id) { return f.b.Call(id, {}); });  // recursion as such is no effect
  f.Attributed(kFnAlwaysInline, [&](auto) { return f.b.IncDec(IncDecOp::PreInc, f.G()); });
  const TypeId pointer = f.Ptr(f.int_type);
  const FunctionId same = f.Func(f.p.types.Function(pointer, {f.int_type, pointer}));
  f.p.functions[same].attrs = kFnReturnsNonNull | kFnAssumeAligned;
  f.p.vars[f.p[same].params[1]].attrs = kVarNonNull;
  f.Add(StmtKind::Return, f.p[same].body, [&](Stmt& s) { s.expr = f.b.Var(f.p[same].params[1]); });
  for (const Problem& problem : Verify(f.p)) ADD_FAILURE() << Describe(problem);
}

TEST(VerifyTest, RetypeComputesTypesAndEndsAtTheFirstProblem) {
  Fixture f;
  ExprId sum = f.b.Binary(BinaryOp::Add, f.X(), f.X());
  f.Do(sum);
  f.p.vars[f.x].type = f.p.types.Basic(TypeKind::Long);
  EXPECT_FALSE(Verify(f.p).empty());
  EXPECT_FALSE(Retype(f.p).has_value());
  EXPECT_EQ(f.p[sum].type, f.p.types.Basic(TypeKind::Long));
  EXPECT_TRUE(Verify(f.p).empty());
  f.Add(StmtKind::Break, f.body);
  f.Add(StmtKind::Continue, f.body);
  ASSERT_TRUE(Retype(f.p).has_value());
  EXPECT_EQ(Retype(f.p)->message, "a break outside a loop or switch");
}

TEST(VerifyTest, RightNeighboursOfTheMistakes) {
  Fixture f;
  // Adding a qualifier to the pointee, a jump out of and backwards within the scope of a VLA, an
  // address constant.
  VarId pointer = f.b.Local(f.entry, f.Ptr(f.p.types.Qualified(f.int_type, kConst)));
  f.b.Append(f.body, f.b.Decl(pointer));
  f.Do(f.b.Assign(f.b.Var(pointer), f.b.AddressOf(f.G())));
  BlockId inner = f.AddBody(StmtKind::Block, {}, f.body);
  LabelId out = f.b.NewLabel(), back = f.b.NewLabel();
  f.Vla(inner);
  f.Add(StmtKind::Label, inner, [&](Stmt& s) { s.label = back; });
  f.Add(StmtKind::Goto, inner, [&](Stmt& s) { s.label = out; });
  f.Add(StmtKind::Goto, inner, [&](Stmt& s) { s.label = back; });
  f.Add(StmtKind::Label, f.body, [&](Stmt& s) { s.label = out; });
  f.b.Global(f.Ptr(f.int_type), f.b.InitExpr(f.b.AddressOf(f.b.Member(f.b.Var(f.r), 0))));
  // A function against a null pointer constant, a restrict-qualified local, arrays of equally qualified elements.
  f.Do(f.b.Binary(BinaryOp::Eq, f.b.NullPointer(f.Ptr(f.void_type)), f.b.Func(f.entry)));
  f.b.Append(f.body, f.b.Decl(f.b.Local(f.entry, f.p.types.Pointer(f.int_type, kRestrict))));
  f.Do(f.b.Assign(f.b.Var(f.b.Global(f.Ptr(f.p.types.Array(f.Const(), 2)))),
                  f.b.Var(f.b.Global(f.Ptr(f.p.types.Array(f.Const(), 2))))));
  for (int64_t mask : {3, 7}) {  // constant expressions that are positive whatever the mask lets through
    f.p.vars[f.Vla(f.body)].vla_length =
        f.b.Binary(BinaryOp::Add, f.b.Binary(BinaryOp::BitAnd, f.b.Int(-5), f.b.Int(mask)), f.b.Int(1));
  }
  // Without designators though not in order: the printer writes them where they are needed.
  f.b.Global(f.p.types.Array(f.int_type, 3), f.b.InitList({{2, f.b.InitExpr(f.b.Int(1))}}));
  f.b.Global(f.p.types.Array(f.p.types.Basic(TypeKind::Int8), 4), f.b.InitString(f.p.strings.Add("abc")));
  for (const Problem& problem : Verify(f.p)) ADD_FAILURE() << Describe(problem);
}

}  // namespace
}  // namespace assay::lang
