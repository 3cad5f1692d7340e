// The end of main: looking at the final value of every global. The statements pass each final
// scalar, in the order of RunResult::finals, to a function: `mix` for the checksum (and the
// printing of values), `check` for self-checking.
//
// Elements of an array that differ in nothing but the index are visited by a loop; what differs (a
// pointer's target, a union's active member, something unreadable) gets a statement of its own.
#pragma once

#include <array>
#include <string>

#include "emit/names.hpp"
#include "emit/source.hpp"
#include "machine/expectation.hpp"
#include "machine/machine.hpp"

namespace assay::emit {

class FinalChecks {
 public:
  FinalChecks(const lang::Program& program, const machine::RunResult& result, const Dialect& dialect, NameTable& names)
      : program_(program), result_(result), dialect_(dialect), names_(names) {}

  // Are the functions that look at the values kept out of main? Where there are few values it is not worth the words.
  static bool KeepsOutOfMain(const machine::RunResult& result) { return result.finals.size() > 16; }

  // The functions that the statements call, then `int main` itself.
  void AppendMixing(Text& out);    // Single, Split
  void AppendChecking(Text& out);  // SelfCheck
  void AppendReport(Text& out, const EmitOptions& options);

  // The standard output when run with an argument, without the line of the checksum.
  void AppendExpectedValues(Text& out);
  void AppendPath(Text& out, lang::VarId var, const machine::Path& path);
  void AppendExpectedReport(Text& out, const machine::FinalScalar& scalar);

 private:
  using Finals = std::vector<machine::FinalScalar>;
  enum class Style : uint8_t { Mix, Check };

  void Statements(Style style);
  void Group(size_t begin, size_t end, size_t depth, lang::TypeId type);
  bool Uniform(size_t begin, size_t count, size_t elements, size_t depth) const;
  lang::TypeId PartType(lang::TypeId type, uint32_t index) const;
  bool IsHalf(const machine::FinalScalar& scalar) const;
  void Leaf(const machine::FinalScalar& scalar);
  void Place(const machine::FinalScalar& scalar, bool format);
  void Target(Text& out, const machine::FinalScalar& scalar);
  void Comparison(const machine::FinalScalar& scalar);
  void Look(const machine::FinalScalar& scalar, lang::ExprId direct, Tell tell);
  void LookAtFloat(const machine::FinalScalar& scalar, lang::ExprId direct, Tell tell);
  void Call(Text& out);
  std::string_view NotInlined() const;
  void LoopArguments();
  void Indent();
  void AppendValue(Text& out, const machine::FinalScalar& scalar);
  machine::FinalForm FormOf(const machine::FinalScalar& scalar) const { return machine::FormOf(program_, scalar); }

  const lang::Program& program_;
  const machine::RunResult& result_;
  const Dialect& dialect_;
  NameTable& names_;
  Text body_;  // the statements
  Style style_ = Style::Mix;
  std::vector<size_t> loops_;  // the path positions that are loop variables now
  size_t max_loops_ = 0;
  std::array<bool, static_cast<size_t>(machine::FinalForm::kCount)> uses_{};  // the forms that the statements mix
};

}  // namespace assay::emit
