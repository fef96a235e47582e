# NSDS_MPI_COMPILES: whether a compiler of MPI finds mpi.h. Where only programs of MPI are installed, without its headers,
# find_package(MPI) would end the configuration.
if(NOT DEFINED NSDS_MPI_COMPILES)
  set(NSDS_MPI_COMPILES OFF)
  find_program(NSDS_MPICC NAMES mpicc)
  if(NSDS_MPICC)
    file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/mpi_header.c "#include <mpi.h>\n")
    execute_process(COMMAND ${NSDS_MPICC} -E ${CMAKE_CURRENT_BINARY_DIR}/mpi_header.c RESULT_VARIABLE failed
                    OUTPUT_QUIET ERROR_QUIET)
    if(failed EQUAL 0)
      set(NSDS_MPI_COMPILES ON)
    endif()
  endif()
endif()
