#include "machine/trap.hpp"

namespace assay::machine {

constexpr std::array<TrapInfo, static_cast<size_t>(TrapKind::kCount)> kTraps = {
    TrapInfo{TrapKind::None, "none", "", "no trap"},
    TrapInfo{TrapKind::SignedOverflow, "signed-overflow", "6.5p5", "the result of a signed operation is not in the range of its type"},
    TrapInfo{TrapKind::DivisionByZero, "division-by-zero", "6.5.5p5", "the second operand of / or % is zero"},
    TrapInfo{TrapKind::DivisionOverflow, "division-overflow", "6.5.5p6", "the quotient of the smallest value and -1 is not representable"},
    TrapInfo{TrapKind::ShiftCount, "shift-count", "6.5.7p3", "the shift count is negative or not less than the width"},
    TrapInfo{TrapKind::ShiftSign, "shift-sign", "6.5.7p4", "a signed left shift of a negative value, or into or past the sign bit"},
    TrapInfo{TrapKind::NullDereference, "null-dereference", "6.5.3.2p4", "a null pointer is dereferenced or used in arithmetic"},
    TrapInfo{TrapKind::DanglingPointer, "dangling-pointer", "6.2.4p2", "a pointer is used after the lifetime of its object"},
    TrapInfo{TrapKind::IndeterminatePointer, "indeterminate-pointer", "6.3.2.1p2", "an uninitialised pointer is used"},
    TrapInfo{TrapKind::OutOfBounds, "out-of-bounds", "6.5.6p8", "an access is outside the object or the inner array"},
    TrapInfo{TrapKind::PointerArithmetic, "pointer-arithmetic", "6.5.6p8", "the result is neither in the array nor one past its end"},
    TrapInfo{TrapKind::PointerCompare, "pointer-compare", "6.5.8p5", "pointers that have no defined order are compared"},
    TrapInfo{TrapKind::PointerSubtract, "pointer-subtract", "6.5.6p9", "pointers into different arrays are subtracted"},
    TrapInfo{TrapKind::UninitializedRead, "uninitialized-read", "6.3.2.1p2", "an indeterminate value is used"},
    TrapInfo{TrapKind::InvalidRepresentation, "invalid-representation", "6.2.6.1p5", "the bytes read are no value of the type"},
    TrapInfo{TrapKind::PaddingObserved, "padding-observed", "6.2.6.1p6", "padding bytes or bits are read or written as such"},
    TrapInfo{TrapKind::StrictAliasing, "strict-aliasing", "6.5p7", "an object is accessed by an lvalue of an incompatible type"},
    TrapInfo{TrapKind::ConstModified, "const-modified", "6.7.3p6", "an object defined const is modified"},
    TrapInfo{TrapKind::VolatileAccess, "volatile-access", "6.7.3p6", "a volatile object is accessed by a non-volatile lvalue"},
    TrapInfo{TrapKind::Unsequenced, "unsequenced", "6.5p2", "unsequenced side effects or value computations conflict"},
    TrapInfo{TrapKind::OrderDependent, "order-dependent", "6.5.2.2p10", "the result depends on the order of indeterminately sequenced calls"},
    TrapInfo{TrapKind::Overlap, "overlap", "6.5.16.1p3", "an assignment or copy between overlapping objects"},
    TrapInfo{TrapKind::Misaligned, "misaligned", "6.3.2.3p7", "a pointer is not aligned for its type"},
    TrapInfo{TrapKind::Restrict, "restrict", "6.7.3.1p4", "an object is accessed in conflict with a restrict-qualified pointer"},
    TrapInfo{TrapKind::StepBudget, "step-budget", "", "the run takes too many steps or too much memory"},
    TrapInfo{TrapKind::RecursionDepth, "recursion-depth", "", "calls are nested too deeply"},
    TrapInfo{TrapKind::JumpIntoVla, "jump-into-vla", "6.8.6.1p1", "a jump into the scope of a variable length array"},
    TrapInfo{TrapKind::VlaLength, "vla-length", "6.7.6.2p5", "the length of an array is not positive or too large"},
    TrapInfo{TrapKind::DoubleFree, "double-free", "7.22.3.3p2", "memory is freed twice"},
    TrapInfo{TrapKind::InvalidFree, "invalid-free", "7.22.3.3p2", "free of what no allocation returned"},
    TrapInfo{TrapKind::BadCall, "bad-call", "6.5.2.2p9", "a call through a null or wrongly typed function pointer"},
    TrapInfo{TrapKind::VaArgs, "va-args", "7.16.1.1p2", "va_arg without such an argument, or va_start without va_end"},
    TrapInfo{TrapKind::MissingReturn, "missing-return", "6.9.1p12", "the value of a call is used but none was returned"},
    TrapInfo{TrapKind::StringModified, "string-modified", "6.4.5p7", "a string literal is modified"},
};
static_assert(support::InEnumOrder(kTraps, TrapKind::kCount));

}  // namespace assay::machine
