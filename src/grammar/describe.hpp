// A checked specification for humans.
#pragma once

#include <string>

#include "grammar/specification.hpp"

namespace assay::grammar {

// Classes with their attributes and least heights, productions with weights, heights, children and
// what each attribute is computed from.
std::string Describe(const Specification& specification);

// The classes as a graph, for Graphviz: an edge for every child, sub-problems and literals in
// shapes of their own.
std::string DescribeDot(const Specification& specification);

}  // namespace assay::grammar
