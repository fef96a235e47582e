#ifndef NSDS_SRC_NATIVE_BLOCKS_H
#define NSDS_SRC_NATIVE_BLOCKS_H

#include "io/problem_file.h"

/* Reads the blocks of a file of the format nsds, up to a word that names no set. *n is the sum of
 * their sizes. */
nsds_status nsds_native_blocks(nsds_text *text, nsds_problem_file *file, int *nblock, int *n);
/* Appends a name to the others; *at is its start. */
nsds_status nsds_file_add_name(nsds_text *text, nsds_problem_file *file, size_t *at);
/* The words of the format nsds for the sets, in order of their bits; NULL after the last. */
extern const char *const nsds_set_words[];

#endif
