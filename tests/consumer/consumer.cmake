# One step of the consumer tests, see CMakeLists.txt beside this file:
#   cmake -D STEP=... -D WORK=<folder> ... -P consumer.cmake
# The build lies in WORK/build, the installed tree in WORK/installed; it was installed to another
# place and moved there.
cmake_minimum_required(VERSION 3.25)
set(prefix ${WORK}/installed)

# run(<variable for stdout> COMMAND...): fails the test when the command fails.
function(run variable)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE out ERROR_VARIABLE err RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "failed (${result}): ${command}\n${out}\n${err}")
  endif()
  set(${variable} "${out}" PARENT_SCOPE)
endfunction()

# The ball of docs/first.c ends at rest on the floor, carried by m g h = 9.81 * 0.005 N s a step.
function(run_ball program)
  run(out ${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${libdir} ${program})
  if(NOT out MATCHES "\n10 0\\.0999[0-9]* [^ ]+ 0\\.04905\n$")
    string(REGEX MATCH "[^\n]*\n?$" last "${out}")
    message(FATAL_ERROR "${program} ended with: ${last}")
  endif()
endfunction()

function(require_cxx)
  if(NOT CXX)
    message("skipped: no C++ compiler (g++ in packages.txt); C alone was checked")
  endif()
endfunction()

if(NOT STEP STREQUAL "install")
  file(GLOB_RECURSE pc ${prefix}/*/nsds.pc)
  cmake_path(GET pc PARENT_PATH pkgconfig_dir)
  cmake_path(GET pkgconfig_dir PARENT_PATH libdir)
endif()

if(STEP STREQUAL "install")
  file(REMOVE_RECURSE ${prefix} ${WORK}/staged)
  run(out ${CMAKE_COMMAND} -S ${ROOT} -B ${WORK}/build -G ${GENERATOR} -D CMAKE_C_COMPILER=${CC}
      -D CMAKE_BUILD_TYPE=Release -D CMAKE_C_FLAGS_RELEASE=-O0 # packages do not depend on it
      -D CMAKE_INSTALL_PREFIX=${WORK}/elsewhere
      -D BUILD_SHARED_LIBS=${SHARED} -D NSDS_WITH_UMFPACK=${UMFPACK} -D NSDS_WITH_CHOLMOD=${CHOLMOD}
      -D NSDS_BUILD_TESTS=OFF -D NSDS_BUILD_EXAMPLES=OFF -D NSDS_BUILD_BENCH=OFF)
  run(out ${CMAKE_COMMAND} --build ${WORK}/build --parallel 2)
  run(out ${CMAKE_COMMAND} --install ${WORK}/build --prefix ${WORK}/staged)
  file(RENAME ${WORK}/staged ${prefix})
  run(out sh ${CMAKE_CURRENT_LIST_DIR}/links.sh ${prefix})
  # nothing in the packages may point to the machine or the folder they were made in
  file(GLOB_RECURSE packages ${prefix}/*/nsds*.cmake ${prefix}/*/nsds.pc)
  foreach(file IN LISTS packages)
    file(READ ${file} text)
    if(text MATCHES "(${WORK}|${ROOT}|/usr/lib)[^\n]*")
      message(FATAL_ERROR "${file} names ${CMAKE_MATCH_0}")
    endif()
  endforeach()

elseif(STEP STREQUAL "find_package")
  file(REMOVE_RECURSE ${WORK}/project)
  run(out ${CMAKE_COMMAND} -S ${HERE}/project -B ${WORK}/project -G ${GENERATOR}
      -D CMAKE_C_COMPILER=${CC} -D CMAKE_CXX_COMPILER=${CXX} -D CMAKE_PREFIX_PATH=${prefix}
      -D FIRST_C=${ROOT}/docs/first.c)
  run(out ${CMAKE_COMMAND} --build ${WORK}/project --parallel 2)
  run_ball(${WORK}/project/ball_c)
  if(CXX)
    run_ball(${WORK}/project/ball_cxx)
  endif()
  require_cxx()

elseif(STEP STREQUAL "wrong_version")
  execute_process(
    COMMAND ${CMAKE_COMMAND} -S ${HERE}/project -B ${WORK}/wrong_version -G ${GENERATOR}
      -D CMAKE_C_COMPILER=${CC} -D CMAKE_CXX_COMPILER=${CXX} -D CMAKE_PREFIX_PATH=${prefix}
      -D FIRST_C=${ROOT}/docs/first.c -D NSDS_WANTED=99
    OUTPUT_VARIABLE out ERROR_VARIABLE err RESULT_VARIABLE result)
  string(REGEX REPLACE "[ \n]+" " " err "${err}")
  if(result EQUAL 0 OR NOT err MATCHES "compatible with requested version \"99\"")
    message(FATAL_ERROR "find_package(nsds 99) ended with ${result}: ${err}")
  endif()

elseif(STEP STREQUAL "pkg_config")
  if(NOT PKG_CONFIG)
    message("skipped: no pkg-config (see packages.txt)")
    return()
  endif()
  set(ENV{PKG_CONFIG_PATH} ${pkgconfig_dir})
  run(out ${PKG_CONFIG} --exists "nsds >= 0.1")
  execute_process(COMMAND ${PKG_CONFIG} --exists "nsds >= 99" RESULT_VARIABLE result)
  if(result EQUAL 0)
    message(FATAL_ERROR "pkg-config accepts nsds >= 99")
  endif()
  foreach(static IN ITEMS "" --static)
    run(flags ${PKG_CONFIG} --cflags --libs ${static} nsds)
    separate_arguments(flags UNIX_COMMAND "${flags}")
    run(out ${CC} -std=c11 -Wall -Wextra -Wpedantic -Werror -o ${WORK}/ball_c ${ROOT}/docs/first.c
        ${flags})
    run_ball(${WORK}/ball_c)
    if(CXX)
      run(out ${CXX} -std=c++17 -Wall -Wextra -Wpedantic -Werror -o ${WORK}/ball_cxx
          ${HERE}/project/ball.cpp ${flags})
      run_ball(${WORK}/ball_cxx)
    endif()
  endforeach()
  require_cxx()

elseif(STEP STREQUAL "headers")
  # every installed header alone, twice in a row; and the table of a plugin
  file(GLOB headers RELATIVE ${prefix}/include ${prefix}/include/nsds/*.h)
  if(NOT "nsds/nsds.h" IN_LIST headers OR NOT "nsds/config.h" IN_LIST headers)
    message(FATAL_ERROR "the installed headers are: ${headers}")
  endif()
  file(GLOB sources RELATIVE ${ROOT}/include ${ROOT}/include/nsds/*.h)
  list(REMOVE_ITEM sources ${headers})
  if(sources)
    message(FATAL_ERROR "not installed: ${sources}")
  endif()
  set(strict -fsyntax-only -I ${prefix}/include -Wall -Wextra -Wpedantic -Wshadow -Werror)
  foreach(header IN LISTS headers)
    file(WRITE ${WORK}/header.c "#include <${header}>\n#include <${header}>\nextern int unit;\n")
    run(out ${CC} -std=c11 ${strict} ${WORK}/header.c)
    if(CXX)
      run(out ${CXX} -std=c++17 -x c++ ${strict} ${WORK}/header.c)
    endif()
  endforeach()
  run(out ${CC} -std=c11 ${strict} ${ROOT}/docs/plugin.c)
  if(CXX)
    run(out ${CXX} -std=c++17 -x c++ ${strict} ${ROOT}/docs/plugin.c)
  endif()
  require_cxx()

elseif(STEP STREQUAL "no_gpl_inside")
  file(GLOB library ${libdir}/libnsds.so.*.*.*)
  file(READ ${prefix}/include/nsds/config.h config)
  file(STRINGS ${library} names REGEX "umfpack|cholmod")
  if(names OR NOT config MATCHES "#define NSDS_HAVE_UMFPACK 0" OR
     NOT config MATCHES "#define NSDS_HAVE_CHOLMOD 0")
    message(FATAL_ERROR "${library} built without UMFPACK and CHOLMOD names them: ${names}")
  endif()

else()
  message(FATAL_ERROR "no step '${STEP}'")
endif()
