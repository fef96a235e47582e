# The reference made from the public headers: target `docs`, which fails on any warning. Included
# with NSDS_BUILD_DOCS=ON, where Doxygen is then required, and by tests/docs, where it is not.
include_guard(GLOBAL)
find_program(NSDS_DOXYGEN doxygen)
if(NSDS_DOXYGEN)
  set(NSDS_DOCS_DIR ${PROJECT_BINARY_DIR}/docs)
  configure_file(${PROJECT_SOURCE_DIR}/docs/Doxyfile.in ${NSDS_DOCS_DIR}/Doxyfile @ONLY)
  add_custom_target(docs COMMAND ${NSDS_DOXYGEN} ${NSDS_DOCS_DIR}/Doxyfile
                    COMMENT "Reference in ${NSDS_DOCS_DIR}/html" VERBATIM)
elseif(NSDS_BUILD_DOCS)
  message(FATAL_ERROR "NSDS_BUILD_DOCS needs doxygen (see packages.txt)")
endif()
