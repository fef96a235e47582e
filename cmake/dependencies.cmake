# Finds what libnsds is built on: BLAS and LAPACK by OpenBLAS, and SuiteSparse (KLU, AMD, BTF,
# COLAMD, and UMFPACK and CHOLMOD unless NSDS_WITH_UMFPACK, NSDS_WITH_CHOLMOD are off), and HDF5,
# SUNDIALS and libccd as NSDS_WITH_HDF5, NSDS_WITH_SUNDIALS and NSDS_WITH_CCD say.
# NSDS_DEPENDENCIES holds the libraries, NSDS_PC_LIBS what a static consumer has to add,
# NSDS_HAVE_HDF5, NSDS_HAVE_SUNDIALS and NSDS_HAVE_CCD whether these are there. HDF5 is not linked:
# NSDS_HDF5_SONAME is what the library loads. The same for
# OpenMP, by NSDS_WITH_OPENMP: NSDS_HAVE_OPENMP; NSDS_OPENMP_FLAGS to compile with;
# NSDS_COMPILER_LIBS, which a static consumer has to add too.
function(nsds_require_library variable name package)
  find_library(${variable} ${name})
  if(NOT ${variable})
    message(FATAL_ERROR "libnsds needs lib${name}: install ${package} (see packages.txt)")
  endif()
endfunction()
function(nsds_require_header variable header package)
  find_path(${variable} ${header} PATH_SUFFIXES suitesparse)
  if(NOT ${variable})
    message(FATAL_ERROR "libnsds needs ${header}: install ${package} (see packages.txt)")
  endif()
endfunction()

nsds_require_header(NSDS_LAPACKE_INCLUDE lapacke.h liblapacke-dev)
nsds_require_header(NSDS_SUITESPARSE_INCLUDE klu.h libsuitesparse-dev)
nsds_require_library(NSDS_OPENBLAS openblas libopenblas-dev)
# LAPACK's functions are in OpenBLAS; lapacke.h declares them.
set(NSDS_DEPENDENCIES ${NSDS_OPENBLAS})
set(NSDS_PC_LIBS "-lopenblas")
set(nsds_suitesparse klu btf amd colamd suitesparseconfig)
if(NSDS_WITH_CHOLMOD)
  list(PREPEND nsds_suitesparse cholmod)
endif()
if(NSDS_WITH_UMFPACK)
  list(PREPEND nsds_suitesparse umfpack)
endif()
foreach(name IN LISTS nsds_suitesparse)
  string(TOUPPER "NSDS_${name}" variable)
  nsds_require_library(${variable} ${name} libsuitesparse-dev)
  list(APPEND NSDS_DEPENDENCIES ${${variable}})
  string(APPEND NSDS_PC_LIBS " -l${name}")
endforeach()
include_directories(SYSTEM ${NSDS_LAPACKE_INCLUDE} ${NSDS_SUITESPARSE_INCLUDE})

set(NSDS_HAVE_HDF5 OFF)
if(NSDS_WITH_HDF5) # AUTO is true
  find_path(NSDS_HDF5_INCLUDE hdf5.h PATH_SUFFIXES hdf5/serial)
  find_library(NSDS_HDF5 NAMES hdf5_serial hdf5)
  if(NSDS_HDF5_INCLUDE AND NSDS_HDF5)
    set(NSDS_HAVE_HDF5 ON)
    # Loaded when a file is written, by the name that it gives itself; tests link it.
    file(REAL_PATH ${NSDS_HDF5} nsds_hdf5_file)
    get_filename_component(NSDS_HDF5_SONAME ${nsds_hdf5_file} NAME)
    execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${nsds_hdf5_file} OUTPUT_VARIABLE nsds_hdf5_head
                    ERROR_QUIET)
    if(nsds_hdf5_head MATCHES "SONAME +([^ \n]+)")
      set(NSDS_HDF5_SONAME ${CMAKE_MATCH_1})
    endif()
    include_directories(SYSTEM ${NSDS_HDF5_INCLUDE})
  elseif(NOT NSDS_WITH_HDF5 STREQUAL "AUTO")
    message(FATAL_ERROR "NSDS_WITH_HDF5 is ${NSDS_WITH_HDF5}, but there is no HDF5: install "
                        "libhdf5-dev (see packages.txt), or leave it at AUTO")
  endif()
endif()
message(STATUS "HDF5 (writing FCLIB files): ${NSDS_HAVE_HDF5}")

# SUNDIALS: version 6, whose calls ode/sundials.c makes. ARKODE and CVODE each bring the
# vectors and matrices along.
set(NSDS_HAVE_SUNDIALS OFF)
if(NSDS_WITH_SUNDIALS)
  find_path(NSDS_SUNDIALS_INCLUDE arkode/arkode_arkstep.h)
  find_library(NSDS_SUNDIALS_ARKODE sundials_arkode)
  find_library(NSDS_SUNDIALS_CVODE sundials_cvode)
  set(nsds_sundials_version "none")
  if(NSDS_SUNDIALS_INCLUDE AND NSDS_SUNDIALS_ARKODE AND NSDS_SUNDIALS_CVODE)
    file(STRINGS ${NSDS_SUNDIALS_INCLUDE}/sundials/sundials_config.h nsds_sundials_version
         REGEX "#define SUNDIALS_VERSION_MAJOR")
    string(REGEX REPLACE ".* " "" nsds_sundials_version "${nsds_sundials_version}")
  endif()
  if(nsds_sundials_version STREQUAL "6")
    set(NSDS_HAVE_SUNDIALS ON)
    list(APPEND NSDS_DEPENDENCIES ${NSDS_SUNDIALS_ARKODE} ${NSDS_SUNDIALS_CVODE})
    string(APPEND NSDS_PC_LIBS " -lsundials_arkode -lsundials_cvode")
    include_directories(SYSTEM ${NSDS_SUNDIALS_INCLUDE})
  elseif(NOT NSDS_WITH_SUNDIALS STREQUAL "AUTO")
    message(FATAL_ERROR "NSDS_WITH_SUNDIALS is ${NSDS_WITH_SUNDIALS}, but there is no SUNDIALS 6 "
                        "(found: ${nsds_sundials_version}): install libsundials-dev (see "
                        "packages.txt), or leave it at AUTO")
  endif()
endif()
message(STATUS "SUNDIALS (stiff motions): ${NSDS_HAVE_SUNDIALS}")

# libccd, built for doubles.
set(NSDS_HAVE_CCD OFF)
if(NSDS_WITH_CCD)
  find_path(NSDS_CCD_INCLUDE ccd/ccd.h)
  find_library(NSDS_CCD ccd)
  set(nsds_ccd_double "")
  if(NSDS_CCD_INCLUDE AND NSDS_CCD)
    file(STRINGS ${NSDS_CCD_INCLUDE}/ccd/config.h nsds_ccd_double REGEX "#define CCD_DOUBLE")
  endif()
  if(nsds_ccd_double)
    set(NSDS_HAVE_CCD ON)
    list(APPEND NSDS_DEPENDENCIES ${NSDS_CCD})
    string(APPEND NSDS_PC_LIBS " -lccd")
    include_directories(SYSTEM ${NSDS_CCD_INCLUDE})
  elseif(NOT NSDS_WITH_CCD STREQUAL "AUTO")
    message(FATAL_ERROR "NSDS_WITH_CCD is ${NSDS_WITH_CCD}, but there is no libccd for doubles: "
                        "install libccd-dev (see packages.txt), or leave it at AUTO")
  endif()
endif()
message(STATUS "libccd (overlaps of convex hulls): ${NSDS_HAVE_CCD}")

# nsds_offer_library(NAME title header library package use): a library of one header that nsds-jobs
# links if NSDS_WITH_NAME asks for it. Sets NSDS_HAVE_NAME, NSDS_NAME and NSDS_NAME_INCLUDE.
macro(nsds_offer_library name title header library package use)
  set(NSDS_HAVE_${name} OFF)
  if(NSDS_WITH_${name})
    find_path(NSDS_${name}_INCLUDE ${header})
    find_library(NSDS_${name} ${library})
    if(NSDS_${name}_INCLUDE AND NSDS_${name})
      set(NSDS_HAVE_${name} ON)
      list(APPEND NSDS_JOBS_DEPENDENCIES ${NSDS_${name}})
      string(APPEND NSDS_JOBS_PC_LIBS " -l${library}")
    elseif(NOT NSDS_WITH_${name} STREQUAL "AUTO")
      message(FATAL_ERROR "NSDS_WITH_${name} is ${NSDS_WITH_${name}}, but there is no ${title}: "
                          "install ${package} (see packages.txt), or leave it at AUTO")
    endif()
  endif()
  message(STATUS "${title} (${use}): ${NSDS_HAVE_${name}}")
endmacro()

set(NSDS_JOBS_DEPENDENCIES "")
set(NSDS_JOBS_PC_LIBS "")
nsds_offer_library(YAML libyaml yaml.h yaml libyaml-dev "model files")
nsds_offer_library(EXPAT libexpat expat.h expat libexpat1-dev "robots in URDF and MJCF")
nsds_offer_library(QHULL libqhull libqhull_r/libqhull_r.h qhull_r libqhull-dev
                   "hulls of meshes of robots")
nsds_offer_library(PNG libpng png.h png libpng-dev "height fields of robots")
nsds_offer_library(ZLIB zlib zlib.h z zlib1g-dev "pages of recorded scenes")

# OpenMP comes with the compiler, which alone knows where its library is.
set(NSDS_HAVE_OPENMP OFF)
set(NSDS_OPENMP_FLAGS "")
set(NSDS_COMPILER_LIBS "")
if(NSDS_WITH_OPENMP)
  find_package(OpenMP COMPONENTS C)
  if(OpenMP_C_FOUND)
    set(NSDS_HAVE_OPENMP ON)
    set(NSDS_OPENMP_FLAGS ${OpenMP_C_FLAGS})
    set(nsds_openmp_names ${OpenMP_C_LIB_NAMES})
    list(REMOVE_ITEM nsds_openmp_names pthread) # a part of libc, or asked for by the other one
    foreach(name IN LISTS nsds_openmp_names)
      list(APPEND NSDS_DEPENDENCIES ${OpenMP_${name}_LIBRARY})
      string(APPEND NSDS_COMPILER_LIBS " -l${name}")
    endforeach()
  elseif(NOT NSDS_WITH_OPENMP STREQUAL "AUTO")
    message(FATAL_ERROR "NSDS_WITH_OPENMP is ${NSDS_WITH_OPENMP}, but the compiler has no OpenMP: "
                        "install the package of its OpenMP library, or leave it at AUTO")
  endif()
endif()
message(STATUS "OpenMP (threads): ${NSDS_HAVE_OPENMP}")
