// Heap objects, variable-length arrays, memory functions, variadic functions, array kernels.
#pragma once

#include "gen/writer.hpp"

namespace assay::gen {

void WriteHeap(Writer& w);  // p = malloc(…); … free(p); p = 0;
void WriteVla(Writer& w);
bool WriteMemory(Writer& w);  // memcpy, memmove, memset, memcmp; false if no object fits
void WriteVariadic(Writer& w);
void WriteKernel(Writer& w);  // a loop over two arrays through restrict-qualified pointers

}  // namespace assay::gen
