#ifndef NSDS_SRC_NATIVE_BLOCKS_H
#define NSDS_SRC_NATIVE_BLOCKS_H

#include "io/problem_file.h"

/* The blocks of a file of the format nsds. They end where another word than that of a set comes;
 * *n is the sum of their sizes. */
nsds_status nsds_native_blocks(nsds_text *text, nsds_problem_file *file, int *nblock, int *n);
/* Puts a name behind the others; *at is where it begins. */
nsds_status nsds_file_add_name(nsds_text *text, nsds_problem_file *file, size_t *at);
/* The words of the format nsds for the sets, in order of their bits; NULL behind the last. */
extern const char *const nsds_set_words[];

#endif
