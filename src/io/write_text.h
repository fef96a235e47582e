#ifndef NSDS_SRC_WRITE_TEXT_H
#define NSDS_SRC_WRITE_TEXT_H

#include <nsds/io.h>

nsds_status nsds_write_text(nsds_context *context, const nsds_problem *problem, const char *path,
                            nsds_format format);
/* The first block that has no place in a format of text, -1 where all have one. */
int nsds_misfit(const nsds_problem *problem, nsds_format format);
/* NSDS_ERROR_UNSUPPORTED: block a has no place in the format, which holds `wanted`. */
nsds_status nsds_refuse_block(nsds_context *context, const nsds_problem *problem, int a,
                              const char *path, nsds_format format, const char *wanted);
/* The first block with rows that is COULOMB or ROLLING; one of COULOMB, size 3, where there is
 * none. Whether a block is like it. */
nsds_block nsds_first_contact(const nsds_problem *problem);
bool nsds_same_contact(const nsds_block *block, const nsds_block *first);
/* The blocks of a global problem as a local one has them. */
nsds_problem nsds_blocks_of(const nsds_global_problem *problem);
/* Text: LCP, MLCP, relay, friction, rolling; and global problems. */
nsds_status nsds_write_global_text(nsds_context *context, const nsds_global_problem *problem,
                                   const char *path);

#endif
