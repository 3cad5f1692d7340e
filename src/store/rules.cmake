# SOCI does not export the type information that UBSan's check of dynamic types needs.
if(ASSAY_SANITIZE)
  target_compile_options(assay_store PRIVATE -fno-sanitize=vptr)
endif()
