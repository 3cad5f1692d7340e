// The ids of a program's stores. Identity in the model is always one of these, never a name or a pointer.
#pragma once

#include "support/ids.hpp"

namespace assay::lang {

using TypeId = support::Id<struct TypeTag>;
using RecordId = support::Id<struct RecordTag>;  // a struct or union
using EnumId = support::Id<struct EnumTag>;
using SignatureId = support::Id<struct SignatureTag>;  // parameter types of a function type
using VarId = support::Id<struct VarTag>;              // every object with a declaration
using FunctionId = support::Id<struct FunctionTag>;
using ExprId = support::Id<struct ExprTag>;
using StmtId = support::Id<struct StmtTag>;
using BlockId = support::Id<struct BlockTag>;
using InitId = support::Id<struct InitTag>;
using LabelId = support::Id<struct LabelTag>;
using StringId = support::Id<struct StringTag>;

}  // namespace assay::lang
