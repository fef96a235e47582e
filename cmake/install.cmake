# Installs the libraries, their headers, nsds.pc, nsds-jobs.pc and the CMake package nsdsConfig.cmake. Both packages
# find everything relative to themselves, so an installed tree may be moved.
include(CMakePackageConfigHelpers)

install(TARGETS nsds nsds-jobs EXPORT nsdsTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
set(nsds_left_out "")
if(NOT TARGET nsds-mpi)
  set(nsds_left_out PATTERN mpi.h EXCLUDE PATTERN mpi_world.h EXCLUDE)
endif()
install(DIRECTORY include/nsds DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" ${nsds_left_out})
install(FILES ${PROJECT_BINARY_DIR}/include/nsds/config.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/nsds)
# The documents in share/doc/nsds, laid out as here: the links between them hold. Links to other files become words.
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(PROJECT_IS_TOP_LEVEL)
  install(FILES CONTRIBUTING.md SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR}
          PATTERN nsds.1 EXCLUDE PATTERN Doxyfile.in EXCLUDE PATTERN docs/site EXCLUDE
          PATTERN __pycache__ EXCLUDE PATTERN .ipynb_checkpoints EXCLUDE)
  install(CODE "set(nsds_documents \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}\")")
  install(SCRIPT cmake/installed_links.cmake)
endif()

# What a program linked with the static library has to link as well, by name. Within this build the
# libraries found by cmake/dependencies.cmake are used; an installed nsds::nsds asks for
# nsds::dependencies instead, which nsdsConfig.cmake makes on the machine it is used on.
string(REPLACE "-l" "" nsds_dependency_names "${NSDS_PC_LIBS} -lm -ldl")
separate_arguments(nsds_dependency_names)
string(STRIP "${NSDS_COMPILER_LIBS}" nsds_compiler_libs)
separate_arguments(nsds_compiler_libs)
if(NOT BUILD_SHARED_LIBS)
  get_target_property(nsds_links nsds INTERFACE_LINK_LIBRARIES)
  list(TRANSFORM nsds_links REPLACE "^(.+)$" "$<BUILD_INTERFACE:\\1>")
  set_target_properties(nsds PROPERTIES INTERFACE_LINK_LIBRARIES
    "${nsds_links};$<INSTALL_INTERFACE:$<LINK_ONLY:nsds::dependencies>>")
  # A program that links the static nsds-jobs needs these by name too.
  string(REPLACE "-l" "" nsds_jobs_names "${NSDS_JOBS_PC_LIBS} -lm -ldl")
  separate_arguments(nsds_jobs_names)
  list(TRANSFORM nsds_jobs_names REPLACE "^(.+)$" "$<INSTALL_INTERFACE:$<LINK_ONLY:\\1>>")
  get_target_property(nsds_jobs_links nsds-jobs INTERFACE_LINK_LIBRARIES)
  list(REMOVE_ITEM nsds_jobs_links nsds)
  list(TRANSFORM nsds_jobs_links REPLACE "^(.+)$" "$<BUILD_INTERFACE:\\1>")
  set_target_properties(nsds-jobs PROPERTIES INTERFACE_LINK_LIBRARIES
    "nsds;${nsds_jobs_links};${nsds_jobs_names}")
endif()

set(nsds_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/nsds)
install(EXPORT nsdsTargets NAMESPACE nsds:: DESTINATION ${nsds_cmake_dir})
configure_package_config_file(cmake/nsdsConfig.cmake.in nsdsConfig.cmake
                              INSTALL_DESTINATION ${nsds_cmake_dir})
write_basic_package_version_file(nsdsConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/nsdsConfig.cmake ${PROJECT_BINARY_DIR}/nsdsConfigVersion.cmake
        DESTINATION ${nsds_cmake_dir})

# nsds.pc: a static library alone always needs the libraries behind it; beside a shared one they
# are for `pkg-config --static`.
if(BUILD_SHARED_LIBS)
  set(NSDS_PC_PUBLIC "")
  set(NSDS_PC_PRIVATE "${NSDS_PC_LIBS}${NSDS_COMPILER_LIBS} -lm -ldl")
else()
  set(NSDS_PC_PUBLIC " ${NSDS_PC_LIBS}${NSDS_COMPILER_LIBS} -lm -ldl")
  set(NSDS_PC_PRIVATE "")
endif()
set(nsds_pc_dir ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
set(NSDS_PC_LIBDIR ..)
file(RELATIVE_PATH NSDS_PC_INCLUDEDIR ${nsds_pc_dir} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
file(RELATIVE_PATH NSDS_PC_PREFIX ${nsds_pc_dir} ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" NSDS_PC_PREFIX "${NSDS_PC_PREFIX}")
configure_file(cmake/nsds.pc.in nsds.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/nsds.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
set(NSDS_JOBS_PC_PUBLIC "")
set(NSDS_JOBS_PC_PRIVATE "${NSDS_JOBS_PC_LIBS}")
if(NOT BUILD_SHARED_LIBS)
  set(NSDS_JOBS_PC_PUBLIC "${NSDS_JOBS_PC_LIBS}")
  set(NSDS_JOBS_PC_PRIVATE "")
endif()
configure_file(cmake/nsds-jobs.pc.in nsds-jobs.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/nsds-jobs.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
# nsds-mpi has an export of its own: a package of its own brings it.
if(TARGET nsds-mpi)
  install(TARGETS nsds-mpi EXPORT nsdsMpiTargets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
          RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(EXPORT nsdsMpiTargets NAMESPACE nsds:: DESTINATION ${nsds_cmake_dir})
  set(NSDS_MPI_PC_PUBLIC "")
  if(NOT BUILD_SHARED_LIBS)
    foreach(name IN LISTS NSDS_MPI_NAMES)
      string(APPEND NSDS_MPI_PC_PUBLIC " -l${name}")
    endforeach()
  endif()
  configure_file(cmake/nsds-mpi.pc.in nsds-mpi.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/nsds-mpi.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
# The old names of nsds-jobs, for a version: nsds-run.pc, -lnsds-run.
configure_file(cmake/nsds-run.pc.in nsds-run.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/nsds-run.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(CODE "file(CREATE_LINK $<TARGET_LINKER_FILE_NAME:nsds-jobs>
  \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/${CMAKE_SHARED_LIBRARY_PREFIX}nsds-run$<TARGET_LINKER_FILE_SUFFIX:nsds-jobs>\" SYMBOLIC)")
