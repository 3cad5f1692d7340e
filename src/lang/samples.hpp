// Small programs for the tests of several stages. Together they use every construct of the model.
// Each comes with the final values of its globals, worked out by hand from the C standard,
// independent of the machine.
#pragma once

#include <string>
#include <vector>

#include "lang/builder.hpp"

namespace assay::lang {

struct SampleFinal {
  VarId var;
  std::vector<uint32_t> path;
  int64_t value;
};

struct Sample {
  std::string name;
  Program program;
  std::vector<SampleFinal> finals;  // integers only, in declaration order
};

Sample ConstantSample();        // every spelling and type of constants
Sample ExpressionSample();      // every kind of expression
Sample OperatorSample();        // every operator that all compilers have
Sample GnuOperatorSample();     // every operator that needs GNU C; empty if none does
Sample StatementSample();       // every kind of statement
Sample TypeSample();            // every kind of type, records, initialisers, storage
Sample BuiltinSample();         // library functions on memory
Sample GnuBuiltinSample();      // builtins, statements and attributes that need GNU C and that gcc and clang have
Sample StringFunctionSample();  // strlen and the like
Sample MathSample();            // functions of <math.h>
Sample OverflowTestSample();    // __builtin_add_overflow_p and the like
Sample VariadicSample();        // va_start and the like
Sample FloatSample();           // floating numbers
Sample VectorOperatorSample();  // every operator of vectors, on all kinds of lanes
Sample VectorSample();          // vectors as objects, parts of others, arguments and results

Sample WideOperatorSample();  // every operator of wide integers
Sample WideSample();          // wide integers as objects, parts of others, arguments, results; their conversions

std::vector<Sample> AllSamples();

}  // namespace assay::lang
