# The shipped specifications: translated by lala_translate, compiled into assay_grammars, linked wherever assay_grammar is.
add_executable(lala_translate ${CMAKE_SOURCE_DIR}/src/grammar/tool/main.cpp)
target_include_directories(lala_translate PRIVATE ${CMAKE_SOURCE_DIR}/src)
# The archive by itself: what it links is not needed here, and assay_grammars does not exist yet.
target_link_libraries(lala_translate PRIVATE $<TARGET_FILE:assay_grammar> assay_choice assay_support)
add_dependencies(lala_translate assay_grammar)
set(ASSAY_GRAMMARS ${CMAKE_SOURCE_DIR}/grammars)
# The memory of a tree is an arena of the run-time library.
target_include_directories(assay_grammar PUBLIC ${ASSAY_GRAMMARS}/lib)
set(ASSAY_TRANSLATED ${CMAKE_BINARY_DIR}/translated)
file(MAKE_DIRECTORY ${ASSAY_TRANSLATED})
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ASSAY_GRAMMARS}/shipped.txt)
file(GLOB ASSAY_LALA_HEADERS CONFIGURE_DEPENDS ${ASSAY_GRAMMARS}/lib/*.hpp ${ASSAY_GRAMMARS}/lib/lala/*.hpp)

set(translated_sources)
file(STRINGS ${ASSAY_GRAMMARS}/shipped.txt rows REGEX "^[a-z]")
foreach(row IN LISTS rows)
  string(REGEX MATCH "^([^: ]+) *: *([^: ]+) *:([^:]*):" matched "${row}")
  set(name ${CMAKE_MATCH_1})
  set(specification ${ASSAY_GRAMMARS}/${CMAKE_MATCH_2})
  string(STRIP "${CMAKE_MATCH_3}" features)
  get_filename_component(folder ${specification} DIRECTORY)
  file(GLOB modules CONFIGURE_DEPENDS ${folder}/*.hpp)
  set(output ${ASSAY_TRANSLATED}/${name}.cpp)
  add_custom_command(OUTPUT ${output}
    COMMAND lala_translate translate ${specification} ${name} "${features}" ${ASSAY_GRAMMARS}/lib ${output}
    DEPENDS lala_translate ${specification} ${modules} ${ASSAY_LALA_HEADERS}
    COMMENT "Translating ${name}" VERBATIM)
  list(APPEND translated_sources ${output})
endforeach()

set(embedded)
foreach(header runtime translated)
  list(APPEND embedded grammar/${header}.hpp=${CMAKE_SOURCE_DIR}/src/grammar/${header}.hpp)
endforeach()
foreach(header IN LISTS ASSAY_LALA_HEADERS)
  file(RELATIVE_PATH name ${ASSAY_GRAMMARS}/lib ${header})
  list(APPEND embedded ${name}=${header})
endforeach()
add_custom_command(OUTPUT ${ASSAY_TRANSLATED}/shipped.cpp
  COMMAND lala_translate shipped ${ASSAY_GRAMMARS}/shipped.txt ${ASSAY_TRANSLATED}/shipped.cpp ${embedded}
  DEPENDS lala_translate ${ASSAY_GRAMMARS}/shipped.txt ${ASSAY_LALA_HEADERS}
          ${CMAKE_SOURCE_DIR}/src/grammar/runtime.hpp ${CMAKE_SOURCE_DIR}/src/grammar/translated.hpp
  COMMENT "Listing the shipped languages" VERBATIM)

add_library(assay_grammars STATIC ${translated_sources} ${ASSAY_TRANSLATED}/shipped.cpp)
target_include_directories(assay_grammars PRIVATE ${CMAKE_SOURCE_DIR}/src ${ASSAY_GRAMMARS}/lib)
target_link_libraries(assay_grammar INTERFACE assay_grammars)
