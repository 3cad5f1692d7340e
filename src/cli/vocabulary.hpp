// What a file of targets may name of the generator: its knobs.
#pragma once

#include "target/recipe.hpp"

namespace assay::cli {

target::Vocabulary TargetVocabulary();

}  // namespace assay::cli
