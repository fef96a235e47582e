# nsds-mpi: one problem on many processes, on MPI and PETSc. libnsds never needs either. NSDS_HAVE_PETSC says whether it
# is built, by NSDS_WITH_PETSC.
set(NSDS_HAVE_PETSC OFF)
include(examples/mpi_compiles.cmake)
if(NSDS_WITH_PETSC) # AUTO is true
  # without a network Open MPI's compiler warns in front of its first folder, which FindMPI then does not see
  list(APPEND CMAKE_INCLUDE_PATH /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openmpi/include)
  if(NSDS_MPI_COMPILES)
    find_package(MPI COMPONENTS C QUIET)
  endif()
  file(GLOB nsds_petsc_folders /usr/lib/petscdir/petsc*/*-real /usr/lib/petscdir/*)
  find_path(NSDS_PETSC_INCLUDE petscsf.h
            HINTS $ENV{PETSC_DIR}/include $ENV{PETSC_DIR}/$ENV{PETSC_ARCH}/include
            PATHS ${nsds_petsc_folders} PATH_SUFFIXES include petsc)
  get_filename_component(nsds_petsc_folder "${NSDS_PETSC_INCLUDE}" DIRECTORY)
  find_library(NSDS_PETSC NAMES petsc_real petsc HINTS ${nsds_petsc_folder} PATH_SUFFIXES lib)
  if(MPI_C_FOUND AND NSDS_PETSC_INCLUDE AND NSDS_PETSC)
    set(NSDS_HAVE_PETSC ON)
  elseif(NOT NSDS_WITH_PETSC STREQUAL "AUTO")
    message(FATAL_ERROR "NSDS_WITH_PETSC is ${NSDS_WITH_PETSC}, but MPI or PETSc for real numbers is not here: install "
                        "libpetsc-real-dev (see packages.txt), or leave it at AUTO")
  endif()
endif()
message(STATUS "MPI and PETSc (nsds-mpi): ${NSDS_HAVE_PETSC}")
if(NOT NSDS_HAVE_PETSC)
  return()
endif()

file(GLOB nsds_mpi_sources CONFIGURE_DEPENDS src/mpi/*.c)
if(BUILD_SHARED_LIBS) # one contact and the laws are hidden in libnsds: each library has its own
  foreach(source IN ITEMS base/copy base/finite numerics/linear/orthogonal numerics/sets/cone_algebra numerics/sets/polyhedron
                          numerics/sets/set_map numerics/sets/sets numerics/sweeps/one_contact
                          numerics/sweeps/overlap_rows)
    list(APPEND nsds_mpi_sources src/${source}.c)
  endforeach()
endif()
add_library(nsds-mpi ${nsds_mpi_sources})
add_library(nsds::nsds-mpi ALIAS nsds-mpi)
set_target_properties(nsds-mpi PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${NSDS_ABI}
  C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON INSTALL_RPATH "$ORIGIN")
target_include_directories(nsds-mpi PUBLIC ${nsds_include_dirs} PRIVATE src)
target_include_directories(nsds-mpi SYSTEM PRIVATE ${NSDS_PETSC_INCLUDE} ${MPI_C_INCLUDE_DIRS})
target_compile_options(nsds-mpi PRIVATE $<$<CONFIG:>:-O3>)
target_link_libraries(nsds-mpi PUBLIC nsds PRIVATE $<BUILD_INTERFACE:nsds_flags> m)
set(NSDS_MPI_NAMES "") # what users of the static library link, without folders of this machine
foreach(library IN LISTS NSDS_PETSC MPI_C_LIBRARIES)
  get_filename_component(name ${library} NAME_WE)
  string(REGEX REPLACE "^lib" "" name ${name})
  list(APPEND NSDS_MPI_NAMES ${name})
  target_link_libraries(nsds-mpi PRIVATE $<BUILD_INTERFACE:${library}> $<INSTALL_INTERFACE:${name}>)
endforeach()
