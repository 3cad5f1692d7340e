// Statements. Every body is in braces; `else` with nothing but an `if` inside becomes `else if`.
#include "emit/constants.hpp"
#include "emit/printer.hpp"
#include "lang/typing.hpp"

namespace assay::emit {

using namespace lang;  // NOLINT: the model's names

namespace {

bool IsMarker(StmtKind kind) { return kind == StmtKind::Case || kind == StmtKind::Default || kind == StmtKind::Label; }

uint64_t Canonical(uint64_t value, IntegerInfo info) {
  if (info.bits == 64) return value;
  const uint64_t low = value & ((uint64_t{1} << info.bits) - 1);
  const bool negative = info.is_signed && (low >> (info.bits - 1)) != 0;
  return negative ? low | ~uint64_t{0} << info.bits : low;
}

}  // namespace

void Printer::NewLine() {
  out_ += '\n';
  out_.AppendRepeated(static_cast<size_t>(indent_) * 2, ' ');
}

void Printer::BlockBody(BlockId id, const Stmt* owner, size_t left_out) {
  const Block& block = program_.blocks[id];
  for (size_t i = 0; i + left_out < block.stmts.size(); ++i) {
    const Stmt& stmt = program_.stmts[block.stmts[i]];
    if (IsMarker(stmt.kind)) {
      const Stmt* next = i + 1 < block.stmts.size() ? &program_.stmts[block.stmts[i + 1]] : nullptr;
      Marker(stmt, next, owner);
      continue;
    }
    NewLine();
    Statement(stmt);
  }
}

// A label belongs to a statement: before a declaration or a closing brace it gets an empty one.
void Printer::Marker(const Stmt& stmt, const Stmt* next, const Stmt* owner) {
  --indent_;
  NewLine();
  ++indent_;
  if (stmt.kind == StmtKind::Label) {
    names_.Append(out_, stmt.label);
  } else if (stmt.kind == StmtKind::Default) {
    out_ += "default";
  } else {
    out_ += "case ";
    CHECK(owner != nullptr && owner->kind == StmtKind::Switch);
    const TypeKind kind = PromotedKind(program_, owner->expr);
    const uint64_t value = Canonical(static_cast<uint64_t>(stmt.value), IntegerInfoOf(kind, program_.Model()));
    AppendConstant(out_, kind, value, ConstantSpelling::Decimal, program_.Model());
    if (stmt.span > 0) {
      out_ += " ... ";
      AppendConstant(out_, kind, value + stmt.span, ConstantSpelling::Decimal, program_.Model());
    }
  }
  const bool pragma = next != nullptr && Info(next->kind).loop && next->span > 0;
  out_ += next == nullptr || next->kind == StmtKind::Decl || pragma ? ": ;" : ":";
}

void Printer::Braces(BlockId block, const Stmt* owner) {
  out_ += '{';
  ++indent_;
  BlockBody(block, owner);
  --indent_;
  NewLine();
  out_ += '}';
}

void Printer::IfStatement(const Stmt& first) {
  const Stmt* stmt = &first;
  while (true) {
    out_ += "if (";
    Expression(stmt->expr);
    out_ += ") ";
    Braces(stmt->body);
    if (!stmt->other) return;
    out_ += " else ";
    const Block& other = program_.blocks[stmt->other];
    const Stmt* only = other.stmts.size() == 1 ? &program_.stmts[other.stmts[0]] : nullptr;
    if (only == nullptr || only->kind != StmtKind::If) return Braces(stmt->other);
    stmt = only;
  }
}

void Printer::ForStatement(const Stmt& stmt) {
  out_ += "for (";
  if (stmt.var) {
    LocalDeclaration(stmt.var);
  } else if (stmt.init) {
    Expression(stmt.init);
  }
  out_ += ';';
  if (stmt.expr) {
    out_ += ' ';
    Expression(stmt.expr);
  }
  out_ += ';';
  if (stmt.step) {
    out_ += ' ';
    Expression(stmt.step);
  }
  out_ += ") ";
  Braces(stmt.body);
}

void Printer::BarrierStatement(const Stmt& stmt) {
  const BarrierInfo& row = Info(static_cast<BarrierKind>(stmt.value));
  out_ += "__asm__ volatile(\"\"";
  if (stmt.expr) {
    ((out_ += row.writes ? " : \"" : " : : \"") += row.constraint) += "\"(";
    Expression(stmt.expr);
    out_ += ')';
  }
  if (row.clobbers) out_ += !stmt.expr ? " : : : \"memory\"" : row.writes ? " : : \"memory\"" : " : \"memory\"";
  out_ += ");";
}

// A pragma is no statement: a label before it gets an empty one (Marker).
void Printer::Unrolling(const Stmt& stmt) {
  if (!Info(stmt.kind).loop || stmt.span == 0) return;
  out_ += "_Pragma(\"GCC unroll ";
  AppendNumber(out_, stmt.span);
  out_ += "\") ";
}

void Printer::Statement(const Stmt& stmt) {
  Unrolling(stmt);
  switch (stmt.kind) {
    case StmtKind::Empty: out_ += ';'; return;
    case StmtKind::Expr:
      discarded_ = stmt.expr;
      Expression(stmt.expr);
      out_ += ';';
      return;
    case StmtKind::Decl:
      LocalDeclaration(stmt.var);
      out_ += ';';
      return;
    case StmtKind::Block: return Braces(stmt.body);
    case StmtKind::If: return IfStatement(stmt);
    case StmtKind::For: return ForStatement(stmt);
    case StmtKind::While:
    case StmtKind::Switch:
      out_ += stmt.kind == StmtKind::While ? "while (" : "switch (";
      Expression(stmt.expr);
      out_ += ") ";
      return Braces(stmt.body, &stmt);
    case StmtKind::DoWhile:
      out_ += "do ";
      Braces(stmt.body);
      out_ += " while (";
      Expression(stmt.expr);
      out_ += ");";
      return;
    case StmtKind::Goto:
      out_ += "goto ";
      names_.Append(out_, stmt.label);
      out_ += ';';
      return;
    case StmtKind::Break: out_ += "break;"; return;
    case StmtKind::Continue: out_ += "continue;"; return;
    case StmtKind::Return:
      out_ += "return";
      if (stmt.expr) {
        out_ += ' ';
        Expression(stmt.expr);
      }
      out_ += ';';
      return;
    case StmtKind::GotoTable:
      out_ += stmt.value == 1 ? "{ static void *const jumps[] = {" : "{ void *const jumps[] = {";
      for (uint32_t i = 0; i < stmt.labels.count; ++i) {
        out_ += i == 0 ? "&&" : ", &&";
        names_.Append(out_, program_.LabelOf(stmt, i));
      }
      out_ += "}; goto *jumps[";
      Expression(stmt.expr);
      out_ += "]; }";
      return;
    case StmtKind::Barrier: return BarrierStatement(stmt);
    case StmtKind::Case:
    case StmtKind::Default:
    case StmtKind::Label:
    case StmtKind::kCount: break;
  }
  CHECK_MSG(false, "statement kind {}", static_cast<int>(stmt.kind));
}

}  // namespace assay::emit
