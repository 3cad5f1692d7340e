# Precompiled headers: one of the standard library and fmt for everything, one with GoogleTest on top for the tests. They are read
# once per build folder; a file that uses them still includes what it needs, so that it can do without.
#
# gcc keeps the options of optimisation in the header and, without a word, takes them from there: folders with -O3 have a header of their own.

set(ASSAY_COMMON_HEADERS
  <algorithm> <array> <atomic> <charconv> <chrono> <cstdint> <cstdio> <cstdlib> <cstring> <filesystem> <fstream> <functional>
  <map> <memory> <mutex> <optional> <set> <span> <sstream> <string> <string_view> <thread> <unordered_map> <utility> <vector>
  <fmt/format.h>)
set(ASSAY_TEST_HEADERS ${ASSAY_COMMON_HEADERS} <gmock/gmock.h> <gtest/gtest.h>)

# assay_headers(NAME HEADERS LIBRARIES [OPTION...]): the target that others take their header from.
function(assay_headers name headers libraries)
  # CMake wants a source file in it.
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/headers.cpp CONTENT "// Made by cmake/AssayHeaders.cmake.\n")
  add_library(${name} OBJECT ${CMAKE_BINARY_DIR}/headers.cpp)
  target_link_libraries(${name} PRIVATE ${libraries})
  target_compile_options(${name} PRIVATE ${ARGN})
  target_precompile_headers(${name} PRIVATE ${headers})
endfunction()

if(ASSAY_PCH)
  assay_headers(assay_headers "${ASSAY_COMMON_HEADERS}" fmt::fmt)
  assay_headers(assay_fast_headers "${ASSAY_COMMON_HEADERS}" fmt::fmt ${ASSAY_FAST_OPTIONS})
  assay_headers(assay_test_headers "${ASSAY_TEST_HEADERS}" "fmt::fmt;GTest::gtest;GTest::gmock")
endif()

# assay_precompile(TARGET HEADERS): TARGET's files start with the header of one of these three, which has TARGET's options.
function(assay_precompile target headers)
  if(ASSAY_PCH)
    target_precompile_headers(${target} REUSE_FROM ${headers})
  endif()
endfunction()
