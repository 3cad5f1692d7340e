#!/bin/sh
# A generator that Assay knows nothing of: a C program for a seed, on standard output.
seed=$1
cat <<TXT
#include <stdio.h>
int main(void) {
  unsigned sum = $seed;
  for (int i = 0; i < $((seed % 50 + 3)); ++i) sum = sum * 31u + (sum >> $((seed % 7 + 1)));
  printf("%u\n", sum);
  return 0;
}
TXT
