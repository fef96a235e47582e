# The page of recorded scenes, src/run/view.html, as an array in a source: its bytes and a zero behind them.
set(nsds_page ${PROJECT_SOURCE_DIR}/src/run/view.html)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${nsds_page})
file(READ ${nsds_page} nsds_page_bytes HEX)
string(LENGTH "${nsds_page_bytes}" nsds_page_size)
math(EXPR nsds_page_size "${nsds_page_size} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," nsds_page_bytes "${nsds_page_bytes}")
set(NSDS_PAGE_SOURCE ${PROJECT_BINARY_DIR}/view_page.c)
file(CONFIGURE OUTPUT ${NSDS_PAGE_SOURCE} @ONLY
     CONTENT "#include \"run/scene_page.h\"
const unsigned char nsds_scene_template[] = {@nsds_page_bytes@0};
const size_t nsds_scene_template_size = @nsds_page_size@;
")
