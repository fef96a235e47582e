# The shared libraries export the calls that the public headers declare, and nothing else: under one version for each
# SONAME. The linker's map names each call, since functions that are compiled for several processors would be exported
# whatever their visibility. run.h belongs to nsds-jobs, mpi.h and mpi_world.h to nsds-mpi, all other headers to nsds.
file(GLOB nsds_headers CONFIGURE_DEPENDS include/nsds/*.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${nsds_headers})
set(nsds_jobs_headers ${nsds_headers})
list(FILTER nsds_jobs_headers INCLUDE REGEX "/run\\.h$")
set(nsds_mpi_headers ${nsds_headers})
list(FILTER nsds_mpi_headers INCLUDE REGEX "/mpi(_world)?\\.h$")
list(FILTER nsds_headers EXCLUDE REGEX "/(run|mpi|mpi_world)\\.h$")

# nsds_export(TARGET NODE HEADERS...): the target exports what the headers declare, under the version NODE.
function(nsds_export target node)
  set(calls "")
  foreach(header IN LISTS ARGN)
    file(READ ${header} text)
    string(REGEX MATCHALL "NSDS_API[^;#(]*[ *\n]nsds_[a-z0-9_]+\\(" found "${text}")
    foreach(call IN LISTS found)
      string(REGEX REPLACE "^.*[ *\n](nsds_[a-z0-9_]+)\\($" "\\1" call "${call}")
      string(APPEND calls "    ${call};\n")
    endforeach()
  endforeach()
  set(map ${PROJECT_BINARY_DIR}/${target}.map)
  file(CONFIGURE OUTPUT ${map} @ONLY
       CONTENT "@node@_@NSDS_ABI@ {\n  global:\n@calls@  local: *;\n};\n")
  target_link_options(${target} PRIVATE LINKER:--version-script=${map})
  set_target_properties(${target} PROPERTIES LINK_DEPENDS ${map})
endfunction()
nsds_export(nsds LIBNSDS ${nsds_headers})
nsds_export(nsds-jobs LIBNSDS_JOBS ${nsds_jobs_headers})
if(TARGET nsds-mpi)
  nsds_export(nsds-mpi LIBNSDS_MPI ${nsds_mpi_headers})
endif()
