/* Folders as strangers might send them: a model file or a netlist, files that it reads, and what is no file at all. */
#ifndef NSDS_TESTS_FOLDER_DRAW_H
#define NSDS_TESTS_FOLDER_DRAW_H

#include <stddef.h>
#include <stdint.h>

/* Where drawn files come from, and the shared object that would tell. */
typedef struct folder_source {
  int count;
  char **text; /* good model files and netlists */
  char **name; /* of the files that they are in: the ending tells the kind */
  const char *plugin;
} folder_source;

/* Reads every good file of a folder with an ending; returns the number of all files so far. */
int folder_source_read(folder_source *source, const char *folder, const char *ending);
void folder_source_free(folder_source *source);

/* Fills the working folder, which is empty, with a drawn case; `main` receives the name of the file to be run. The same number
 * draws the same case. */
void folder_draw(const folder_source *source, uint64_t number, char main[256]);

/* Empties the working folder. */
void folder_empty(const char *folder);

/* A number below a bound, from the generator of the case. */
size_t folder_draw_below(size_t bound);

#endif
