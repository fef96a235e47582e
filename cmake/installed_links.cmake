# Installed documents without links to files that are not installed: the words of such a link stay. Called by the
# installation with nsds_documents, the folder of the documents.
file(GLOB_RECURSE nsds_pages "${nsds_documents}/*.md")
foreach(nsds_page IN LISTS nsds_pages)
  file(READ "${nsds_page}" nsds_before)
  string(REGEX REPLACE
    "\\[([^][]*)\\]\\((\\.\\./)*(bench|cmake|debian|include|packages.txt|python|script|src|tests|tools)(/[^)]*)?\\)" "\\1"
    nsds_after "${nsds_before}")
  if(NOT nsds_after STREQUAL nsds_before)
    file(WRITE "${nsds_page}" "${nsds_after}")
  endif()
endforeach()
