# SOCI does not export the type information that UBSan's check of dynamic types needs.
if(ASSAY_SANITIZE)
  target_compile_options(assay_store PRIVATE -fno-sanitize=vptr)
  set_target_properties(assay_store PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)  # its options are not the header's
endif()
