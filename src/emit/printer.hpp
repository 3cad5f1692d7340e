// Prints the parts of a program as text of a dialect: types, expressions, statements, definitions. The forms
// (emit.cpp) put the parts together. One implementation file per family: print_types, print_exprs,
// print_stmts, print_decls.
#pragma once

#include <string>
#include <string_view>

#include "emit/dialect.hpp"
#include "emit/names.hpp"
#include "lang/program.hpp"

namespace assay::emit {

// Binding strength on the scale of lang::BinaryOpInfo::precedence.
enum Precedence : int {
  kComma = 1,
  kAssignment = 2,
  kConditional = 3,
  kLogicalOr = 4,
  kLogicalAnd = 5,
  kAdditive = 12,
  kMultiplicative = 13,
  kUnary = 14,
  kPostfix = 15,
};

// memcmp gives any number of the right sign: this function of ours, where its value is used, makes it one.
inline constexpr std::string_view kCompareMemory = "compare_memory";

class Printer {
 public:
  // Appends to out, which must outlive the printer, as the program and the dialect must. `external`: nothing at file
  // scope is static.
  Printer(const lang::Program& program, const Dialect& dialect, NameTable& names, Text& out, bool external = false)
      : program_(program), dialect_(dialect), names_(names), out_(out), external_(external) {}

  // --- types (print_types.cpp)
  void TypeName(lang::TypeId type);                     // as in a cast: int (*)[3]
  void Declarator(lang::TypeId type, lang::VarId var);  // int (*g_1)[3]
  void EnumDefinition(lang::EnumId enumeration);
  void VectorDefinition(lang::TypeId vector);  // of a type without qualifiers
  void ShuffleDefinition(lang::TypeId vector, lang::TypeId mask);
  void RecordForward(lang::RecordId record);  // struct S_1;
  void RecordDefinition(lang::RecordId record);

  // --- expressions (print_exprs.cpp)
  void Expression(lang::ExprId expr,
                  int precedence = kComma);  // in parentheses if it binds less tightly
  void Initialiser(lang::InitId init, lang::TypeId type);

  // --- statements (print_stmts.cpp)
  // One statement per line; the last `left_out` are not printed.
  void BlockBody(lang::BlockId block, const lang::Stmt* owner = nullptr, size_t left_out = 0);

  // --- objects and functions (print_decls.cpp)
  void GlobalDeclaration(lang::VarId var);  // tentative, or extern
  void GlobalDefinition(lang::VarId var);
  void Prototype(lang::FunctionId function);
  void FunctionDefinition(lang::FunctionId function);
  // What stands between its braces; the names are in its scope.
  void FunctionBody(lang::FunctionId function, size_t left_out = 0);
  void LocalDeclaration(lang::VarId var);  // without the semicolon

 private:
  void Specifiers(const lang::Type& type);
  void RecordName(lang::RecordId record);
  void VectorName(const lang::Type& type);
  void Before(lang::TypeId type);
  void After(lang::TypeId type);
  void Space();
  lang::VarId LastParameter(lang::ExprId va_list) const;
  void Qualifiers(uint8_t quals);
  void Parameters(lang::TypeId function_type);
  void FunctionHead(lang::FunctionId function, bool definition);

  void ConstantExpression(const lang::Expr& e, int precedence);
  void OperatorCall(std::string_view function, lang::ExprId lhs, lang::ExprId rhs);  // f(lhs, rhs) or f(lhs)
  void UnaryExpression(const lang::Expr& e);
  void IncDecExpression(const lang::Expr& e);
  void IndexExpression(const lang::Expr& e);
  void MemberExpression(const lang::Expr& e);
  void BuiltinExpression(const lang::Expr& e);
  bool IsDiscarded(const lang::Expr& e) const;
  void GuardExpression(const lang::Expr& e);
  void Literal(lang::VarId object);
  void Arguments(const lang::Expr& e);
  void InitList(const lang::Init& init, lang::TypeId type);
  bool NeedsDesignators(const lang::Init& init, lang::TypeId type) const;

  void NewLine();
  void Statement(const lang::Stmt& stmt);
  void Marker(const lang::Stmt& stmt, const lang::Stmt* next, const lang::Stmt* owner);
  void Braces(lang::BlockId block, const lang::Stmt* owner = nullptr);
  void Unrolling(const lang::Stmt& stmt);
  void BarrierStatement(const lang::Stmt& stmt);
  void IfStatement(const lang::Stmt& stmt);
  void ForStatement(const lang::Stmt& stmt);

  void Alignment(const lang::Variable& var);
  void Attributes(const lang::Function& function);
  void VariableAttributes(const lang::Variable& var);

  const lang::Program& program_;
  const Dialect& dialect_;
  NameTable& names_;
  Text& out_;
  bool external_;
  int indent_ = 0;
  lang::ExprId discarded_;   // the expression of the statement that was begun last
  lang::TypeId vla_type_;    // a VLA being declared, and
  lang::ExprId vla_length_;  // its length
};

}  // namespace assay::emit
