# Installs the library, its headers, nsds.pc and the CMake package nsdsConfig.cmake.
include(CMakePackageConfigHelpers)

install(TARGETS nsds EXPORT nsdsTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/nsds DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES ${PROJECT_BINARY_DIR}/include/nsds/config.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/nsds)
install(EXPORT nsdsTargets NAMESPACE nsds:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/nsds)

configure_package_config_file(cmake/nsdsConfig.cmake.in nsdsConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/nsds)
write_basic_package_version_file(nsdsConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/nsdsConfig.cmake ${PROJECT_BINARY_DIR}/nsdsConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/nsds)

if(BUILD_SHARED_LIBS)
  set(NSDS_PC_PRIVATE "${NSDS_PC_LIBS} -lm -ldl")
  set(NSDS_PC_PUBLIC "")
else()
  set(NSDS_PC_PRIVATE "")
  set(NSDS_PC_PUBLIC "${NSDS_PC_LIBS} -lm -ldl")
endif()
configure_file(cmake/nsds.pc.in nsds.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/nsds.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
