// The builtins by families, as labels of a switch: `case ASSAY_ATOMIC_BUILTINS:`. A switch that asks for one family
// names the others by these, and -Wswitch-enum still finds a member that no list has.
#pragma once

#include "lang/builtins.hpp"

// clang-format off
#define ASSAY_MEMORY_BUILTINS \
  ::assay::lang::Builtin::Malloc: case ::assay::lang::Builtin::Calloc: case ::assay::lang::Builtin::Free: \
  case ::assay::lang::Builtin::Memcpy: case ::assay::lang::Builtin::Memmove: case ::assay::lang::Builtin::Memset: \
  case ::assay::lang::Builtin::Memcmp
#define ASSAY_ARGUMENT_LIST_BUILTINS \
  ::assay::lang::Builtin::VaStart: case ::assay::lang::Builtin::VaEnd: case ::assay::lang::Builtin::VaArg
#define ASSAY_CHECKED_BUILTINS \
  ::assay::lang::Builtin::AddOverflow: case ::assay::lang::Builtin::SubOverflow: \
  case ::assay::lang::Builtin::MulOverflow: case ::assay::lang::Builtin::AddOverflowP: \
  case ::assay::lang::Builtin::SubOverflowP: case ::assay::lang::Builtin::MulOverflowP
#define ASSAY_HINT_BUILTINS \
  ::assay::lang::Builtin::Expect: case ::assay::lang::Builtin::ExpectProbability: \
  case ::assay::lang::Builtin::AssumeAligned: case ::assay::lang::Builtin::ConstantP: \
  case ::assay::lang::Builtin::ObjectSize: case ::assay::lang::Builtin::Unreachable: \
  case ::assay::lang::Builtin::Trap
#define ASSAY_ATOMIC_BUILTINS \
  ::assay::lang::Builtin::AtomicLoad: case ::assay::lang::Builtin::AtomicStore: \
  case ::assay::lang::Builtin::AtomicExchange: case ::assay::lang::Builtin::AtomicFetchAdd: \
  case ::assay::lang::Builtin::AtomicFetchSub: case ::assay::lang::Builtin::AtomicFetchAnd: \
  case ::assay::lang::Builtin::AtomicFetchOr: case ::assay::lang::Builtin::AtomicFetchXor: \
  case ::assay::lang::Builtin::AtomicFetchNand: case ::assay::lang::Builtin::AtomicAddFetch: \
  case ::assay::lang::Builtin::AtomicXorFetch: case ::assay::lang::Builtin::SyncFetchAdd: \
  case ::assay::lang::Builtin::SyncFetchSub: case ::assay::lang::Builtin::SyncSwap: \
  case ::assay::lang::Builtin::SyncCompareSwap
#define ASSAY_STRING_BUILTINS \
  ::assay::lang::Builtin::Strlen: case ::assay::lang::Builtin::Strcmp: case ::assay::lang::Builtin::Strncmp: \
  case ::assay::lang::Builtin::Strchr: case ::assay::lang::Builtin::Memchr: case ::assay::lang::Builtin::Strcpy: \
  case ::assay::lang::Builtin::Strcat
#define ASSAY_FLOATING_BUILTINS \
  ::assay::lang::Builtin::Fabs: case ::assay::lang::Builtin::CopySign: case ::assay::lang::Builtin::Floor: \
  case ::assay::lang::Builtin::Ceil: case ::assay::lang::Builtin::Trunc: case ::assay::lang::Builtin::Rint: \
  case ::assay::lang::Builtin::NearbyInt: case ::assay::lang::Builtin::Round: case ::assay::lang::Builtin::Fmin: \
  case ::assay::lang::Builtin::Fmax: case ::assay::lang::Builtin::Sqrt: case ::assay::lang::Builtin::Fma: \
  case ::assay::lang::Builtin::Ldexp: case ::assay::lang::Builtin::Scalbn
#define ASSAY_CLASSIFYING_BUILTINS \
  ::assay::lang::Builtin::IsNaN: case ::assay::lang::Builtin::IsInf: case ::assay::lang::Builtin::IsFinite: \
  case ::assay::lang::Builtin::SignBit: case ::assay::lang::Builtin::IsGreater: \
  case ::assay::lang::Builtin::IsGreaterEqual: case ::assay::lang::Builtin::IsLess: \
  case ::assay::lang::Builtin::IsLessEqual: case ::assay::lang::Builtin::IsLessGreater: \
  case ::assay::lang::Builtin::IsUnordered
#define ASSAY_VECTOR_BUILTINS \
  ::assay::lang::Builtin::ConvertVector: case ::assay::lang::Builtin::Shuffle: \
  case ::assay::lang::Builtin::ShuffleVector
// clang-format on
