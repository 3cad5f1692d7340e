# The commit in `assay --version`. Looked up at every build, written only when it has changed, and linked only into the program: a
# commit costs one small file and one link. Without git, or in a folder that is not its own repository: an empty description.
#
# Run as a script (cmake -DSOURCE=... -DOUTPUT=... -P) it writes the file; included, it adds the rule to target `assay`.

if(CMAKE_SCRIPT_MODE_FILE)
  set(description "")
  find_program(GIT git)
  if(GIT)
    execute_process(COMMAND ${GIT} rev-parse --show-toplevel WORKING_DIRECTORY ${SOURCE}
                    OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    file(REAL_PATH ${SOURCE} source)
    if(top STREQUAL source)
      execute_process(COMMAND ${GIT} describe --tags --always --dirty WORKING_DIRECTORY ${SOURCE}
                      OUTPUT_VARIABLE description OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    endif()
  endif()
  file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[// Made by cmake/AssayVersion.cmake.
#include "cli/run.hpp"
const char assay::cli::kBuildDescription[] = "@description@";
]])
  return()
endif()

add_custom_target(assay_version
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_SOURCE_DIR} -DOUTPUT=${CMAKE_BINARY_DIR}/version.cpp
          -P ${CMAKE_CURRENT_LIST_FILE}
  BYPRODUCTS ${CMAKE_BINARY_DIR}/version.cpp
  COMMENT "Asking git for the commit" VERBATIM)
target_sources(assay PRIVATE ${CMAKE_BINARY_DIR}/version.cpp)
set_source_files_properties(${CMAKE_BINARY_DIR}/version.cpp PROPERTIES GENERATED ON SKIP_PRECOMPILE_HEADERS ON)
add_dependencies(assay assay_version)
