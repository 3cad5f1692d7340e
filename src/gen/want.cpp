#include "gen/want.hpp"

#include "gen/access.hpp"
#include "gen/call.hpp"
#include "gen/expr.hpp"
#include "gen/floats.hpp"
#include "gen/vectors.hpp"
#include "gen/wide.hpp"

namespace assay::gen {

ExprId Expression(Writer& w, const Want& want) {
  if (want.state == Want::State::Plain) return PlainValue(w, want.type);
  const bool constant = want.state == Want::State::Constant;
  switch (want.of) {
    case WriterClass::Integer: return constant ? ConstantFor(w, want.type) : IntegerValue(w, want);
    case WriterClass::Float: return constant ? FloatConstantFor(w, want.type) : FloatValue(w, want);
    case WriterClass::Vector:
      if (constant) break;  // as records
      return VectorValue(w, want);
    case WriterClass::Wide: return constant ? WideConstantFor(w, want.type) : WideValue(w, want);
    case WriterClass::Condition: return ConditionValue(w, want);
    case WriterClass::Pointer: return constant ? AddressValue(w, want) : PointerValue(w, want);
    case WriterClass::Record:
      if (constant) break;  // C has none: initialiser lists are not expressions
      return RecordValue(w, want);
    case WriterClass::Statement: break;
  }
  CHECK_MSG(false, "no such expression");
  return {};
}

}  // namespace assay::gen
