// Objects and functions.
#include "emit/printer.hpp"
#include "lang/attributes.hpp"
#include "lang/layout.hpp"

namespace assay::emit {

using namespace lang;  // NOLINT: the model's names

void Printer::Alignment(const Variable& var) {
  if (var.align == 0) return;
  out_ += dialect_.alignas_word;
  out_ += '(';
  AppendNumber(out_, var.align);
  out_ += ") ";
}

void Printer::Attributes(const Function& function) {
  if (dialect_.attributes.empty()) return;
  for (const FunctionAttrInfo& row : kFunctionAttrs) {
    if ((function.attrs & row.attr) == 0 || row.spelling.empty()) continue;
    (out_ += "ATTRIBUTE(") += row.spelling;
    if (row.attr == kFnAssumeAligned) {
      out_ += '(';
      AppendNumber(out_, Layouts(program_).Of(program_.types[program_.types[function.type].element].element).align);
      out_ += ')';
    }
    out_ += ") ";
  }
  bool any = false;
  for (size_t i = 0; i < function.params.size(); ++i) {
    if ((program_.vars[function.params[i]].attrs & kVarNonNull) == 0) continue;
    out_ += any ? ", " : "ATTRIBUTE(nonnull(";
    AppendNumber(out_, i + 1);
    any = true;
  }
  if (any) out_ += ")) ";
}

void Printer::VariableAttributes(const Variable& var) {
  if (dialect_.attributes.empty()) return;
  for (const VariableAttrInfo& row : kVariableAttrs) {
    if ((var.attrs & row.attr) && !row.spelling.empty()) ((out_ += "ATTRIBUTE(") += row.spelling) += ") ";
  }
}

void Printer::GlobalDeclaration(VarId id) {
  const Variable& var = program_.vars[id];
  if (external_) {
    out_ += "extern ";
  } else if (var.internal_linkage) {
    out_ += "static ";
  }
  if (var.attrs & kVarThreadLocal) out_ += "_Thread_local ";
  Alignment(var);
  Declarator(var.type, id);
  out_ += ";\n";
}

void Printer::GlobalDefinition(VarId id) {
  const Variable& var = program_.vars[id];
  VariableAttributes(var);
  if (var.internal_linkage && !external_) out_ += "static ";
  if (var.attrs & kVarThreadLocal) out_ += "_Thread_local ";
  Alignment(var);
  Declarator(var.type, id);
  if (var.init) {
    out_ += " = ";
    Initialiser(var.init, var.type);
  }
  out_ += ";\n";
}

void Printer::LocalDeclaration(VarId id) {
  const Variable& var = program_.vars[id];
  if (var.storage == Storage::StaticLocal) out_ += "static ";
  if (var.storage == Storage::Register) out_ += "register ";
  Alignment(var);
  names_.Declare(id);
  Declarator(var.type, id);
  if (var.init) {
    out_ += " = ";
    Initialiser(var.init, var.type);
  }
}

// The prototype has the attributes. It has `inline` only for static functions: a declaration
// without makes an inline function without static also an external one.
void Printer::FunctionHead(FunctionId id, bool definition) {
  const Function& function = program_.functions[id];
  const bool internal = (function.attrs & kFnStatic) && !external_;
  if (internal) out_ += "static ";
  if ((function.attrs & kFnInline) && (definition || internal)) out_ += "inline ";
  if (!definition) Attributes(function);
  const Type& type = program_.types[function.type];
  Before(type.element);
  Space();
  names_.Append(out_, id);
  if (definition) {
    out_ += '(';
    for (size_t i = 0; i < function.params.size(); ++i) {
      if (i > 0) out_ += ", ";
      Declarator(program_.vars[function.params[i]].type, function.params[i]);
    }
    if (function.params.empty()) out_ += "void";
    if (program_.types.GetSignature(type.signature).variadic) out_ += ", ...";
    out_ += ')';
  } else {
    Parameters(function.type);
  }
  After(type.element);
}

void Printer::Prototype(FunctionId id) {
  FunctionHead(id, false);
  out_ += ";\n";
}

void Printer::FunctionDefinition(FunctionId id) {
  names_.EnterFunction(id);
  FunctionHead(id, true);
  out_ += " {";
  FunctionBody(id);
  out_ += "\n}\n";
}

void Printer::FunctionBody(FunctionId id, size_t left_out) {
  const Function& function = program_.functions[id];
  indent_ = 1;
  for (VarId var : function.temporaries) {
    NewLine();
    LocalDeclaration(var);
    out_ += ';';
  }
  BlockBody(function.body, nullptr, left_out);
  indent_ = 0;
}

}  // namespace assay::emit
