# The page of recorded scenes as an array in a source: its bytes and a zero behind them. esbuild bundles src/run/view and
# third_party/three into one script, which stands in view.html with the license of three.js. Without esbuild the page is
# empty.
set(nsds_view ${PROJECT_SOURCE_DIR}/src/run/view)
set(nsds_three ${PROJECT_SOURCE_DIR}/third_party/three)
set(nsds_page "")
set(NSDS_HAVE_PAGES OFF)
if(NSDS_WITH_ESBUILD) # AUTO is true
  find_program(NSDS_ESBUILD esbuild)
  mark_as_advanced(NSDS_ESBUILD)
  if(NSDS_ESBUILD)
    file(GLOB nsds_view_files CONFIGURE_DEPENDS ${nsds_view}/*.js)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${nsds_view_files} ${nsds_view}/view.html)
    execute_process(
      COMMAND ${NSDS_ESBUILD} ${nsds_view}/player.js --alias:three=${nsds_three}/src/Three.js --bundle --minify --format=iife
              --target=es2020 --charset=ascii --log-level=warning
      OUTPUT_VARIABLE nsds_script COMMAND_ERROR_IS_FATAL ANY)
    file(READ ${nsds_three}/LICENSE nsds_three_license)
    file(READ ${nsds_view}/view.html nsds_page)
    string(REPLACE "@NSDS_SCRIPT@" "\n/* three.js:\n${nsds_three_license}*/\n${nsds_script}" nsds_page "${nsds_page}")
    set(NSDS_HAVE_PAGES ${NSDS_HAVE_ZLIB})
  elseif(NOT NSDS_WITH_ESBUILD STREQUAL "AUTO")
    message(FATAL_ERROR "NSDS_WITH_ESBUILD is ${NSDS_WITH_ESBUILD}, but there is no esbuild: install esbuild "
                        "(see packages.txt), or leave it at AUTO")
  endif()
endif()
message(STATUS "pages of scenes, by zlib and esbuild: ${NSDS_HAVE_PAGES}")

set(NSDS_PAGE_SOURCE ${PROJECT_BINARY_DIR}/view_page.c)
file(WRITE ${PROJECT_BINARY_DIR}/view_page.html "${nsds_page}")
file(READ ${PROJECT_BINARY_DIR}/view_page.html nsds_page_bytes HEX)
string(LENGTH "${nsds_page_bytes}" nsds_page_size)
math(EXPR nsds_page_size "${nsds_page_size} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," nsds_page_bytes "${nsds_page_bytes}")
file(CONFIGURE OUTPUT ${NSDS_PAGE_SOURCE} @ONLY
     CONTENT "#include \"run/scene_page.h\"
const unsigned char nsds_scene_template[] = {@nsds_page_bytes@0};
const size_t nsds_scene_template_size = @nsds_page_size@;
")
