# The page of recorded scenes as arrays in a source: view.html, and the player, which esbuild bundles from src/run/view
# with three.js and uPlot into one script. CMake downloads nothing: script/fetch-view brings both packages from npm into
# src/run/view/node_modules, and a source archive has what the bundle needs in that folder. Without the packages or
# esbuild the arrays are empty. All else is built, and writing a page fails with the reason.
set(NSDS_NODE_MODULES "" CACHE PATH
    "Folder with the npm packages three and uplot, for pages; empty: src/run/view/node_modules (script/fetch-view)")
mark_as_advanced(NSDS_NODE_MODULES)
set(nsds_view ${PROJECT_SOURCE_DIR}/src/run/view)
set(nsds_modules ${NSDS_NODE_MODULES})
if(NOT nsds_modules)
  set(nsds_modules ${nsds_view}/node_modules)
endif()
set(nsds_page_html ${PROJECT_BINARY_DIR}/view_page.html)
set(nsds_page_script ${PROJECT_BINARY_DIR}/view_player.js)
set(NSDS_HAVE_PAGES OFF)
set(nsds_page_missing "switched off")
file(WRITE ${nsds_page_html} "")
file(WRITE ${nsds_page_script} "")
if(NSDS_WITH_ESBUILD) # AUTO is true
  find_program(NSDS_ESBUILD esbuild)
  mark_as_advanced(NSDS_ESBUILD)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${nsds_view}/package.json)
  if(NOT NSDS_ESBUILD)
    set(nsds_page_missing "there is no esbuild: install it (packages.txt)")
  elseif(NOT EXISTS ${nsds_modules}/three/src/Three.js OR NOT EXISTS ${nsds_modules}/uplot/dist/uPlot.esm.js)
    set(nsds_page_missing "there are no three and uplot in ${nsds_modules}: run script/fetch-view, which takes them from npm")
  elseif(NOT NSDS_HAVE_ZLIB)
    set(nsds_page_missing "there is no zlib")
  else()
    set(nsds_page_missing "")
    set(NSDS_HAVE_PAGES ON)
  endif()
  if(NSDS_HAVE_PAGES)
    file(GLOB nsds_view_files CONFIGURE_DEPENDS ${nsds_view}/*.js)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${nsds_view_files} ${nsds_view}/view.html)
    execute_process(
      COMMAND ${CMAKE_COMMAND} -E env NODE_PATH=${nsds_modules} ${NSDS_ESBUILD} ${nsds_view}/player.js
              --alias:three=${nsds_modules}/three/src/Three.js --alias:three-addons=${nsds_modules}/three/examples/jsm
              --alias:uplot=${nsds_modules}/uplot/dist/uPlot.esm.js --alias:uplot.css=${nsds_modules}/uplot/dist/uPlot.min.css
              --loader:.css=text --bundle --minify --format=iife --target=es2020 --charset=ascii --log-level=warning
              --outfile=${nsds_page_script} --allow-overwrite
              --metafile=${PROJECT_BINARY_DIR}/view_player.json
      COMMAND_ERROR_IS_FATAL ANY)
    file(READ ${nsds_modules}/three/LICENSE nsds_three_license)
    file(READ ${nsds_modules}/uplot/LICENSE nsds_uplot_license)
    file(READ ${nsds_view}/view.html nsds_page)
    string(REPLACE "@NSDS_LICENSES@" "three.js:\n${nsds_three_license}\nuPlot:\n${nsds_uplot_license}" nsds_page "${nsds_page}")
    file(WRITE ${nsds_page_html} "${nsds_page}")
  elseif(NOT NSDS_WITH_ESBUILD STREQUAL "AUTO")
    message(FATAL_ERROR "NSDS_WITH_ESBUILD is ${NSDS_WITH_ESBUILD}, but ${nsds_page_missing}; or leave it at AUTO")
  endif()
endif()
if(NSDS_HAVE_PAGES)
  message(STATUS "pages of scenes: ON")
else()
  message(STATUS "pages of scenes: OFF, ${nsds_page_missing}")
endif()

function(nsds_bytes_of file bytes size) # as a list for C, and their number
  file(READ ${file} hex HEX)
  string(LENGTH "${hex}" count)
  math(EXPR count "${count} / 2")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
  set(${bytes} "${hex}" PARENT_SCOPE)
  set(${size} ${count} PARENT_SCOPE)
endfunction()
nsds_bytes_of(${nsds_page_html} nsds_page_bytes nsds_page_size)
nsds_bytes_of(${nsds_page_script} nsds_player_bytes nsds_player_size)
set(NSDS_PAGE_SOURCE ${PROJECT_BINARY_DIR}/view_page.c)
file(CONFIGURE OUTPUT ${NSDS_PAGE_SOURCE} @ONLY
     CONTENT "#include \"run/scene/scene_page.h\"
const unsigned char nsds_scene_template[] = {@nsds_page_bytes@0};
const size_t nsds_scene_template_size = @nsds_page_size@;
const unsigned char nsds_scene_player[] = {@nsds_player_bytes@0};
const size_t nsds_scene_player_size = @nsds_player_size@;
")
