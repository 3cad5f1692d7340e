# cmake --install build/release --prefix /usr/local: the program, which needs no file of ours at run time, its manual page and
# the completion of shells.
include(GNUInstallDirs)

add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/assay.1
  COMMAND sh ${CMAKE_SOURCE_DIR}/packaging/man.sh $<TARGET_FILE:assay> > ${CMAKE_BINARY_DIR}/assay.1
  DEPENDS assay ${CMAKE_SOURCE_DIR}/packaging/man.sh
  COMMENT "Writing assay.1" VERBATIM)
add_custom_target(assay_man ALL DEPENDS ${CMAKE_BINARY_DIR}/assay.1)

install(TARGETS assay RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${CMAKE_BINARY_DIR}/assay.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${CMAKE_SOURCE_DIR}/packaging/completion/assay.bash
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME assay)
install(FILES ${CMAKE_SOURCE_DIR}/packaging/completion/_assay DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES targets/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME targets.md)
