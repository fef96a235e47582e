/* Modes of rows of laws, and where they end. */
#ifndef NSDS_SRC_ADAPTIVE_MODES_H
#define NSDS_SRC_ADAPTIVE_MODES_H

#include "kernel/adaptive/adaptive_driver.h"

/* The row whose mode ends first on the way from the start to an instant, and when. */
typedef struct nsds_mode_end {
  int row;       /* -1: none ends; ny + k: switch k */
  double t;      /* from the start, by a line between the two margins */
  double guess;  /* likewise, the best guess */
  double margin; /* at the instant, < 0 */
} nsds_mode_end;

/* Opens the gaps that bear no lambda after a solution by the laws. */
void nsds_adaptive_part_gaps(nsds_adaptive_driver *d);
/* Takes the modes from a solution by the laws. */
void nsds_adaptive_take_modes(nsds_adaptive_driver *d, const double *z);
/* Finds where the first mode ends in the step of length h that was tried. If the row has ended in
 * the try before as well, the guess is by the line through the ends of both tries. */
nsds_mode_end nsds_adaptive_find_end(nsds_adaptive_driver *d, double h);

#endif
