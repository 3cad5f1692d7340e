# Not in a unity build: each of these has its own Get, and a table that names passes as others name their functions.
file(GLOB reduce_alone ${CMAKE_SOURCE_DIR}/src/reduce/edit_*.cpp ${CMAKE_SOURCE_DIR}/src/reduce/collect_*.cpp
     ${CMAKE_SOURCE_DIR}/src/reduce/passes.cpp)
set_source_files_properties(${reduce_alone} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
