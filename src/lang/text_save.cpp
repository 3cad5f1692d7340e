#include <charconv>

#include "lang/attributes.hpp"
#include "lang/text.hpp"
#include "lang/text_words.hpp"
#include "lang/typing.hpp"
#include "lang/usage.hpp"

namespace assay::lang {
namespace {

class Saver {
 public:
  explicit Saver(const Program& program) : program_(program), usage_(UsageOf(program)) {}

  std::string Run() {
    NumberEverything();
    Head();
    Types();
    Declarations();
    Values();
    for (FunctionId id : program_.function_order) Body(id);
    return std::move(out_);
  }

 private:
  static constexpr uint32_t kNone = 0xffffffffu;

  template <typename Id>
  static void Number(std::vector<uint32_t>& numbers, size_t size, const std::vector<Id>& ids) {
    numbers.assign(size, kNone);
    for (uint32_t i = 0; i < ids.size(); ++i) numbers[ids[i].index] = i;
  }

  void NumberEverything() {
    Number(strings_, program_.strings.Size(), usage_.strings);
    Number(enums_, program_.types.EnumCount(), usage_.enums);
    Number(records_, program_.types.RecordCount(), usage_.records);
    Number(functions_, program_.functions.Size(), program_.function_order);
    order_ = program_.globals;
    for (const std::vector<VarId>& locals : usage_.locals) order_.insert(order_.end(), locals.begin(), locals.end());
    Number(vars_, program_.vars.Size(), order_);
    labels_.assign(program_.labels.Size(), kNone);
  }

  // --- pieces
  // -----------------------------------------------------------------------------------------------------
  void Text(std::string_view text) { out_ += text; }
  void Word(std::string_view word) {  // with a space before it
    out_ += ' ';
    out_ += word;
  }
  void Unsigned(uint64_t value) {
    char digits[20];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    out_ += ' ';
    out_.append(digits, static_cast<size_t>(end - digits));
  }
  void Signed(int64_t value) {
    char digits[20];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    out_ += ' ';
    out_.append(digits, static_cast<size_t>(end - digits));
  }
  void Ref(const std::vector<uint32_t>& numbers, uint32_t index) {
    CHECK_MSG(index < numbers.size() && numbers[index] != kNone, "reference to something that is not in the program");
    Unsigned(numbers[index]);
  }
  void Quoted(std::string_view text) {
    out_ += " \"";
    for (char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      if (c == '"' || c == '\\') {
        out_ += '\\';
        out_ += c;
      } else if (byte < 32 || byte > 126) {
        out_ += '\\';
        out_ += "0123456789abcdef"[byte >> 4];
        out_ += "0123456789abcdef"[byte & 15];
      } else {
        out_ += c;
      }
    }
    out_ += '"';
  }
  void Line() { out_ += '\n'; }
  void Indent() { out_.append(static_cast<size_t>(indent_) * 2, ' '); }

  void TypeText(TypeId id) {
    const Type& type = program_.types[id];
    for (size_t i = 0; i < words::kQualifiers.size(); ++i) {
      if (type.quals & (1u << i)) Word(words::kQualifiers[i]);
    }
    switch (ClassOf(type.kind)) {
      case TypeClass::Pointer: Word("ptr"); return TypeText(type.element);
      case TypeClass::Array:
        Word(type.kind == TypeKind::Vla ? "vla" : "array");
        if (type.kind == TypeKind::Array) Unsigned(type.length);
        return TypeText(type.element);
      case TypeClass::Record: Word("record"); return Ref(records_, type.record.index);
      case TypeClass::Function: {
        Word("fn");
        TypeText(type.element);
        Word("(");
        const Signature& signature = program_.types.GetSignature(type.signature);
        for (TypeId param : signature.params) TypeText(param);
        if (signature.variadic) Word("...");
        return Word(")");
      }
      case TypeClass::Integer:
        if (type.kind != TypeKind::Enum) return Word(Info(type.kind).name);
        Word("enum");
        return Ref(enums_, type.enumeration.index);
      case TypeClass::Vector:
        Word("vector");
        Unsigned(type.length);
        return TypeText(type.element);
      case TypeClass::Float:
      case TypeClass::Wide:
      case TypeClass::Complex:
      case TypeClass::Void:
      case TypeClass::VaList:
      case TypeClass::kCount: return Word(Info(type.kind).name);
    }
  }

  // --- sections
  // ---------------------------------------------------------------------------------------------------
  void Head() {
    Text("assay-program");
    Unsigned(kTextVersion);
    Text("\nversion");
    Quoted(program_.provenance.version);
    Text("\nseed");
    Unsigned(program_.provenance.seed);
    Text("\nknobs");
    Quoted(program_.provenance.knobs);
    Text("\nmodel");
    Word(program_.Model().Name());
    if (program_.floats != FloatMode::Exact) Word(Info(program_.floats).name);
    Line();
  }

  void Types() {
    for (uint32_t i = 0; i < usage_.strings.size(); ++i) {
      Text("string");
      Unsigned(i);
      Quoted(program_.strings[usage_.strings[i]]);
      Line();
    }
    for (uint32_t i = 0; i < usage_.enums.size(); ++i) {
      Text("enum");
      Unsigned(i);
      for (int32_t value : program_.types.GetEnum(usage_.enums[i]).values) Signed(value);
      Line();
    }
    for (uint32_t i = 0; i < usage_.records.size(); ++i) {
      const Record& record = program_.types.GetRecord(usage_.records[i]);
      Text("record");
      Unsigned(i);
      Word(record.is_union ? "union" : "struct");
      if (record.packed) Word("packed");
      Line();
    }
    for (uint32_t i = 0; i < usage_.records.size(); ++i) {
      Text("members");
      Unsigned(i);
      Line();
      for (const Member& member : program_.types.GetRecord(usage_.records[i]).members) {
        Text(" ");
        TypeText(member.type);
        if (member.IsBitField()) {
          Word(":");
          Unsigned(static_cast<uint64_t>(member.bit_width));
        }
        if (!member.named) Word("unnamed");
        Line();
      }
    }
  }

  void Declaration(VarId id) {
    const Variable& var = program_.vars[id];
    Text(words::kStorage[var.storage]);
    Ref(vars_, id.index);
    if (var.role != VarRole::Plain) Word(words::kRoles[var.role]);
    if (var.internal_linkage) Word("internal");
    for (const VariableAttrInfo& row : kVariableAttrs) {
      if (var.attrs & row.attr) Word(row.name);
    }
    if (var.align != 0) {
      Word("align");
      Unsigned(var.align);
    }
    TypeText(var.type);
    Line();
  }

  void Declarations() {
    for (VarId var : program_.globals) Declaration(var);
    for (size_t i = 0; i < program_.function_order.size(); ++i) {
      const Function& function = program_.functions[program_.function_order[i]];
      Text("function");
      Unsigned(i);
      for (const FunctionAttrInfo& row : kFunctionAttrs) {
        if (function.attrs & row.attr) Word(row.name);
      }
      TypeText(function.type);
      Line();
      for (VarId var : usage_.locals[i]) {
        Text("  ");
        Declaration(var);
      }
      if (function.temporaries.empty()) continue;
      Text("  temporaries");
      for (VarId var : function.temporaries) Ref(vars_, var.index);
      Line();
    }
    if (program_.entry) {
      Text("entry");
      Ref(functions_, program_.entry.index);
      Line();
    }
  }

  void Values() {
    for (VarId id : order_) {
      const Variable& var = program_.vars[id];
      if (var.vla_length) {
        Text("length");
        Ref(vars_, id.index);
        Expression(var.vla_length);
        Line();
      }
      if (var.init) {
        Text("init");
        Ref(vars_, id.index);
        Initialiser(var.init);
        Line();
      }
    }
  }

  void Initialiser(InitId id) {
    const Init& init = program_.inits[id];
    switch (init.kind) {
      case InitKind::Expr: return Expression(init.expr);
      case InitKind::String: Word("str"); return Ref(strings_, init.string.index);
      case InitKind::List:
        Word("{");
        if (init.designated) Word("designated");
        for (const InitItem& item : init.items) {
          Unsigned(item.index);
          Word(":");
          Initialiser(item.init);
        }
        return Word("}");
    }
  }

  void Details(const Expr& e) {
    switch (e.kind) {
      case ExprKind::Constant: {
        const TypeKind kind = program_.types.Kind(e.type);
        TypeText(e.type);
        const bool is_signed = IsInteger(kind) && IntegerInfoOf(kind, program_.Model()).is_signed;
        is_signed ? Signed(static_cast<int64_t>(e.value)) : Unsigned(e.value);  // of a floating one, the bits
        return Word(words::kSpellings[static_cast<ConstantSpelling>(e.detail)]);
      }
      case ExprKind::EnumConstant: Ref(enums_, e.ref); return Unsigned(e.value);
      case ExprKind::String: return Ref(strings_, e.ref);
      case ExprKind::Variable:
      case ExprKind::CompoundLiteral: return Ref(vars_, e.ref);
      case ExprKind::Function: return Ref(functions_, e.ref);
      case ExprKind::Unary: return Word(Info(e.Unary()).spelling);
      case ExprKind::Binary:
      case ExprKind::CompoundAssign: return Word(Info(e.Binary()).spelling);
      case ExprKind::IncDec: return Word(Info(e.IncDec()).spelling);
      case ExprKind::Cast: return TypeText(e.type);
      case ExprKind::Index:
        if (e.detail == 1) Word("swapped");
        return;
      case ExprKind::Member: return Unsigned(e.ref);
      case ExprKind::SizeofType: return TypeText(e.RefType());
      case ExprKind::Builtin:
        Word(Info(e.GetBuiltin()).spelling);
        TypeText(e.type);
        if (e.RefType()) {
          TypeText(e.RefType());
        } else {
          Word("none");
        }
        return;
      case ExprKind::Guard:
        TypeText(e.type);
        Ref(vars_, e.ref);
        return Unsigned(e.value);
      case ExprKind::LogicalAnd:
      case ExprKind::LogicalOr:
      case ExprKind::Conditional:
      case ExprKind::Comma:
      case ExprKind::Assign:
      case ExprKind::AddressOf:
      case ExprKind::Deref:
      case ExprKind::SizeofExpr:
      case ExprKind::Call: return;
      case ExprKind::kCount: break;
    }
    CHECK(false);
  }

  void Expression(ExprId id) {
    const Expr& e = program_.exprs[id];
    out_ += " (";
    out_ += Info(e.kind).name;
    if (e.repaired) out_ += '!';
    Details(e);
    ForEachChild(program_, e, [this](ExprId child) { Expression(child); });
    out_ += ')';
  }

  // --- statements
  // -------------------------------------------------------------------------------------------------
  void Body(FunctionId id) {
    Text("body");
    Ref(functions_, id.index);
    Line();
    indent_ = 1;
    Statements(program_.functions[id].body);
    Text("end\n");
  }

  void Statements(BlockId block) {
    for (StmtId id : program_.blocks[block].stmts) Statement(program_.stmts[id]);
  }

  void Braces(BlockId block) {
    Indent();
    Text("{\n");
    ++indent_;
    Statements(block);
    --indent_;
    Indent();
    Text("}\n");
  }

  void LabelRef(LabelId label) {
    uint32_t& number = labels_[label.index];
    if (number == kNone) number = next_label_++;
    Unsigned(number);
  }

  void Statement(const Stmt& stmt) {
    Indent();
    Text(Info(stmt.kind).name);
    switch (stmt.kind) {
      case StmtKind::Decl: Ref(vars_, stmt.var.index); break;
      case StmtKind::Case:
        Signed(stmt.value);
        if (stmt.span > 0) Unsigned(stmt.span);
        break;
      case StmtKind::GotoTable:
        Word(stmt.value == 1 ? "static" : "auto");
        for (uint32_t i = 0; i < stmt.labels.count; ++i) LabelRef(program_.LabelOf(stmt, i));
        Expression(stmt.expr);
        break;
      case StmtKind::Barrier:
        Word(Info(static_cast<BarrierKind>(stmt.value)).name);
        if (stmt.expr) Expression(stmt.expr);
        break;
      case StmtKind::Label:
      case StmtKind::Goto: LabelRef(stmt.label); break;
      case StmtKind::For:
        if (stmt.var) {
          Word("var");
          Ref(vars_, stmt.var.index);
        }
        if (stmt.init) {
          Word("init");
          Expression(stmt.init);
        }
        if (stmt.expr) {
          Word("while");
          Expression(stmt.expr);
        }
        if (stmt.step) {
          Word("step");
          Expression(stmt.step);
        }
        break;
      case StmtKind::Empty:
      case StmtKind::Expr:
      case StmtKind::Block:
      case StmtKind::If:
      case StmtKind::While:
      case StmtKind::DoWhile:
      case StmtKind::Switch:
      case StmtKind::Default:
      case StmtKind::Break:
      case StmtKind::Continue:
      case StmtKind::Return:
      case StmtKind::kCount:
        if (stmt.expr) Expression(stmt.expr);
        break;
    }
    if (Info(stmt.kind).loop && stmt.span > 0) {
      Word("unroll");
      Unsigned(stmt.span);
    }
    Line();
    if (stmt.body) Braces(stmt.body);
    if (stmt.other) {
      Indent();
      Text("else\n");
      Braces(stmt.other);
    }
  }

  const Program& program_;
  const Usage usage_;
  std::string out_;
  int indent_ = 0;
  std::vector<VarId> order_;  // every object, in the order of the numbers
  std::vector<uint32_t> strings_, enums_, records_, functions_, vars_, labels_;
  uint32_t next_label_ = 0;
};

}  // namespace

std::string Save(const Program& program) { return Saver(program).Run(); }

}  // namespace assay::lang
