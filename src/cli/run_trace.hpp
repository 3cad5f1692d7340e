// What a program does while the machine runs it, as lines of text: `assay check --trace`.
#pragma once

#include "emit/names.hpp"
#include "lang/layout.hpp"
#include "lang/usage.hpp"
#include "machine/machine.hpp"

namespace assay::cli {

// The names that the emitted text gives to everything, locals included.
class ProgramNames {
 public:
  explicit ProgramNames(const lang::Program& program);

  std::string Expression(lang::ExprId expr);
  std::string Signature(lang::FunctionId function);
  std::string Place(lang::VarId var, uint32_t offset,
                    lang::TypeId type);  // g_3[1].m_2; `type` is that of the scalar there

 private:
  const lang::Program& program_;
  const lang::Usage usage_;
  lang::Layouts layouts_;
  emit::NameTable names_;
};

// Prints a line for every statement executed and for every value stored.
class PrintingTracer : public machine::Tracer {
 public:
  PrintingTracer(const lang::Program& program, ProgramNames& names) : program_(program), names_(names) {}

  void OnStatement(lang::StmtId id, uint32_t depth) override;
  void OnStore(lang::VarId var, uint32_t offset, lang::TypeId type, machine::Value value) override;

 private:
  const lang::Program& program_;
  ProgramNames& names_;
};

}  // namespace assay::cli
