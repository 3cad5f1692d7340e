// The names of everything in a program. The model has none; these are numbers in order of
// declaration.
//
//   g_N globals  l_N locals  p_N parameters  t_N temporaries  c_N counters  f_N functions  L_N
//   labels S_N structs  U_N unions  E_N enums  e_N_K enumerators  m_N members
//
// Short names (for reports) are letters for objects and members, fn1, S1, U1, E1, e1_1, L1 for the
// rest. Locals, parameters, temporaries and labels are numbered per function, when their function
// is printed.
#pragma once

#include <string>
#include <vector>

#include "emit/text.hpp"
#include "lang/program.hpp"
#include "lang/usage.hpp"

namespace assay::emit {

// Appends the decimal digits of value.
void AppendNumber(Text& out, uint64_t value);

class NameTable {
 public:
  // Records and enums are numbered in the order of `usage`; those not in it have no name.
  NameTable(const lang::Program& program, const lang::Usage& usage, bool short_names);

  bool AreShort() const { return short_names_; }

  // Starts the scope of a function: its parameters and temporaries get names, labels are numbered
  // afresh.
  void EnterFunction(lang::FunctionId function);
  void Declare(lang::VarId local);  // the next l_N (or c_N); a variable that has a name keeps it

  void Append(Text& out, lang::VarId var);  // a local not yet declared is declared
  void Append(Text& out, lang::FunctionId function) const;
  void Append(Text& out, lang::RecordId record) const;  // without struct or union
  void Append(Text& out, lang::EnumId enumeration) const;
  void Append(Text& out, lang::LabelId label);
  void AppendMember(Text& out, lang::RecordId record, uint32_t member) const;
  void AppendEnumerator(Text& out, lang::EnumId enumeration, uint32_t index) const;

 private:
  struct VarName {
    char prefix = 0;  // 0: not named yet
    uint32_t number = 0;
  };
  struct LabelName {
    uint32_t scope = 0;  // the function scope in which the number was given
    uint32_t number = 0;
  };
  void Give(lang::VarId var, char prefix, uint32_t& counter);

  const lang::Program& program_;
  bool short_names_;
  std::vector<VarName> vars_;
  std::vector<uint32_t> functions_;
  std::vector<uint32_t> records_, enums_;
  std::vector<std::vector<uint32_t>> members_;
  std::vector<LabelName> labels_;
  uint32_t scope_ = 0;
  uint32_t next_local_ = 1, next_param_ = 1, next_temporary_ = 1, next_label_ = 1, next_counter_ = 1;
  uint32_t next_short_ = 0, global_shorts_ = 0;
};

}  // namespace assay::emit
