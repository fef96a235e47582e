# The shared library exports the calls that the public headers declare, and nothing else: under one version for each
# SONAME. The linker's map names each call, since functions that are compiled for several processors would be exported
# whatever their visibility.
file(GLOB nsds_headers CONFIGURE_DEPENDS include/nsds/*.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${nsds_headers})
set(nsds_calls "")
foreach(nsds_header IN LISTS nsds_headers)
  file(READ ${nsds_header} nsds_text)
  string(REGEX MATCHALL "NSDS_API[^;#(]*[ *\n]nsds_[a-z0-9_]+\\(" nsds_found "${nsds_text}")
  foreach(nsds_call IN LISTS nsds_found)
    string(REGEX REPLACE "^.*[ *\n](nsds_[a-z0-9_]+)\\($" "\\1" nsds_call "${nsds_call}")
    string(APPEND nsds_calls "    ${nsds_call};\n")
  endforeach()
endforeach()
set(nsds_map ${PROJECT_BINARY_DIR}/nsds.map)
file(CONFIGURE OUTPUT ${nsds_map} @ONLY
     CONTENT "LIBNSDS_@NSDS_ABI@ {\n  global:\n@nsds_calls@  local: *;\n};\n")
target_link_options(nsds PRIVATE LINKER:--version-script=${nsds_map})
set_target_properties(nsds PROPERTIES LINK_DEPENDS ${nsds_map})
