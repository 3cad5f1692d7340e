// Traps: every undefined, unspecified or order-dependent behaviour the machine recognises, with its clause. When in
// doubt the machine traps: a program that traps is not necessarily wrong C, one that does not is right.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "lang/ids.hpp"
#include "support/small_vector.hpp"
#include "support/table.hpp"

namespace assay::machine {

using Value = uint64_t;  // see machine.hpp

enum class TrapKind : uint8_t {
  None,
  SignedOverflow,  // + - * unary -, ++ --, compound assignment
  DivisionByZero,
  DivisionOverflow,      // MIN / -1, MIN % -1
  ShiftCount,            // negative or not less than the width
  ShiftSign,             // left shift of a negative value, or into or past the sign bit
  FloatConversion,       // a floating value whose integral part is not one of the integer type
  FloatInexact,          // a result that the program's floating-point mode does not promise
  FloatSign,             // the sign of a zero or of a NaN is seen
  NullDereference,       // also member access, arithmetic on null
  DanglingPointer,       // use of a pointer whose object's lifetime has ended (scope, return, free)
  IndeterminatePointer,  // use of an uninitialised pointer
  OutOfBounds,           // access outside the object or the inner array
  PointerArithmetic,     // result outside the array and not one past its end
  PointerCompare,        // < > <= >= of pointers into different objects, or == involving one-past-the-end of another
  PointerSubtract,       // different arrays
  UninitializedRead,
  InvalidRepresentation,  // union member or character view whose bytes are not valid for the type (_Bool, pointers)
  PaddingObserved,
  StrictAliasing,
  ConstModified,
  VolatileAccess,  // volatile object through a non-volatile lvalue
  Unsequenced,     // conflicting unsequenced accesses
  OrderDependent,  // conflicting accesses of indeterminately sequenced calls
  Overlap,         // overlapping assignment or memcpy
  Misaligned,
  Restrict,  // an object accessed in conflict with a restrict-qualified pointer
  StepBudget,
  RecursionDepth,
  JumpIntoVla,
  VlaLength,  // zero, negative or too large
  DoubleFree,
  InvalidFree,
  BadCall,        // through a null or wrongly typed function pointer
  VaArgs,         // va_arg beyond the arguments or of another type; missing va_end
  MissingReturn,  // the value of a call used although the callee did not return one
  StringModified,
  BitOfZero,     // the first bit of 0: __builtin_clz, __builtin_ctz
  Unreachable,   // control reaches __builtin_unreachable or what ends the program
  EitherWay,     // the value depends on what the compiler knows
  NullArgument,  // for a parameter that is promised to be nonnull
  NullResult,    // of a function with returns_nonnull
  kCount
};

struct TrapInfo {
  TrapKind kind;
  std::string_view name;    // as printed by `assay check`
  std::string_view clause;  // of C17 (N2176)
  std::string_view summary;
};

extern const std::array<TrapInfo, static_cast<size_t>(TrapKind::kCount)> kTraps;
inline const TrapInfo& Info(TrapKind kind) { return kTraps[static_cast<size_t>(kind)]; }

struct Operand {
  lang::ExprId expr;
  Value value = 0;
  bool is_lvalue = false;  // value is then a pointer to it (Machine::View)
};

// One misbehaviour, reported at the node where it happens.
struct Trap {
  TrapKind kind = TrapKind::None;
  lang::ExprId expr;  // the operation; invalid for traps of statements
  lang::StmtId stmt;  // the statement being executed; for StepBudget in a loop, the loop
  lang::FunctionId function;
  support::SmallVector<Operand, 3>
      operands;  // operands of `expr` evaluated already, in order; for a Call: callee and all arguments.
                 // If it is `expr` itself: its value is computed but must not be used (a returned
                 // pointer to a dying object, a VLA length); the author moves the node (Moved) and wraps it.
  uint64_t prior_executions = 0;      // clean executions of `expr` (or `stmt`) before this one
  uint64_t completed_executions = 0;  // of those, the ones that have ended: fewer if `expr` is being executed in outer
                                      // calls. The limit for a Guard that evaluates the expression first (detail 1).
  bool lvalue = false;                // `expr` is evaluated for its lvalue: what replaces it must be an lvalue
  bool address = false;    // only its address is wanted (&a[i]): earlier executions may have been one past the end
  bool reentered = false;  // `expr` has begun again, in a recursive call, since this execution of it began: a
                           // repair by counting executions (Guard) is not possible
};

}  // namespace assay::machine
