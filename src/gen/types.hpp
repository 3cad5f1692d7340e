// Types, global objects and initialisers.
#pragma once

#include "gen/writer.hpp"

namespace assay::gen {

TypeId IntegerType(Writer& w);                        // any integer type, by weight
TypeId ScalarOrRecordType(Writer& w, bool pointers);  // an object type without arrays at the top
TypeId ObjectType(Writer& w, bool pointers = true);   // any object type, by weight
TypeId PointerTypeTo(Writer& w);                      // a pointer to something that exists in this program

TypeId NewRecordType(Writer& w, lang::Record record);  // beside those of MakeRecords, for one use
void MakeEnums(Writer& w);
void MakeRecords(Writer& w);
void MakeGlobals(Writer& w);
VarId NewGlobal(Writer& w, TypeId type);
VarId NewGlobal(Writer& w, TypeId type, InitId init);
// An initialiser for an object of the type; static ones are constant expressions.
InitId Initializer(Writer& w, TypeId type, bool is_static);

}  // namespace assay::gen
