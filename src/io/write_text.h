#ifndef NSDS_SRC_WRITE_TEXT_H
#define NSDS_SRC_WRITE_TEXT_H

#include <nsds/io.h>

nsds_status nsds_write_text(nsds_context *context, const nsds_problem *problem, const char *path,
                            nsds_format format);
/* Returns the first block that has no place in a format of text, -1 if all have one. */
int nsds_misfit(const nsds_problem *problem, nsds_format format);
/* Fails with NSDS_ERROR_UNSUPPORTED: block a has no place in the format, which holds `wanted`. */
nsds_status nsds_refuse_block(nsds_context *context, const nsds_problem *problem, int a,
                              const char *path, nsds_format format, const char *wanted);
/* Returns the first block with rows that is COULOMB or ROLLING; a COULOMB block of size 3 if there
 * is none. */
nsds_block nsds_first_contact(const nsds_problem *problem);
/* Returns true if a block has the set and size of `first`. */
bool nsds_same_contact(const nsds_block *block, const nsds_block *first);
/* Returns the blocks of a global problem as a local problem. */
nsds_problem nsds_blocks_of(const nsds_global_problem *problem);
/* Writes a global problem as text. */
nsds_status nsds_write_global_text(nsds_context *context, const nsds_global_problem *problem,
                                   const char *path);

#endif
