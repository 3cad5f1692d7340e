// Heap objects, variable-length arrays, memory functions, variadic functions.
#pragma once

#include "gen/writer.hpp"

namespace assay::gen {

void WriteHeap(Writer& w);  // p = malloc(…); … free(p); p = 0;
void WriteVla(Writer& w);
bool WriteMemory(Writer& w);  // memcpy, memmove, memset, memcmp; false if no object fits
void WriteVariadic(Writer& w);

}  // namespace assay::gen
