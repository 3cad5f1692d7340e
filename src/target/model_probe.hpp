// Measures the data model of a C compiler. The smoke program has a global object that says it all: sizes, alignments
// and layouts as constants, byte order and bit-field order as bytes. A program that runs prints the object; where
// nothing can run, the object is found in the file that the compiler made. Both give the same bytes.
#pragma once

#include <string>
#include <string_view>

#include "lang/data_model.hpp"
#include "support/result.hpp"

namespace assay::target {

// What is declared before main, in C that every compiler takes, and what main executes to print the object in
// hexadecimal digits on a line of its own; it may use int i.
extern const std::string_view kModelDeclarations;
extern const std::string_view kModelPrinting;

// The properties of the compiler that made the program, from the line it printed or from the file it is. The Error says
// what is wrong: no such object, or records laid out by other rules than ours (lang/layout.hpp). Whether programs can
// be written for the properties is another question: lang::WhyNoModel.
support::Result<lang::ModelProperties> ModelFromOutput(std::string_view line);
support::Result<lang::ModelProperties> ModelFromFile(std::string_view bytes);

}  // namespace assay::target
