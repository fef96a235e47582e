#ifndef NSDS_SRC_REDUCED_H
#define NSDS_SRC_REDUCED_H

#include "kernel/assembly/problems.h"

extern const nsds_formulation nsds_reduced;
/* These operations serve other formulations too. */
nsds_status nsds_reduced_prepare(nsds_one_step *o);
nsds_status nsds_reduced_assemble(nsds_one_step *o);
void nsds_reduced_form_matrix(nsds_one_step *o);

/* Writes the blocks of the active copies of contact c and returns their number. Sets that act row
 * by row make one block. */
int nsds_reduced_blocks(const nsds_one_step *o, int c, nsds_block *block);

#endif
