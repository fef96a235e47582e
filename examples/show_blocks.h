/* What the examples of blocks share: a run with a table, a series for ParaView, and the faces of
 * all blocks for a picture. */
#ifndef NSDS_EXAMPLE_SHOW_BLOCKS_H
#define NSDS_EXAMPLE_SHOW_BLOCKS_H

#include "blocks.h"

#include <stdio.h>

typedef struct block_run {
  double h, end;     /* [s] */
  double tolerance;  /* of the solver; 0: its default */
  double picture;    /* when blocks are drawn; 0: at the end [s] */
  int frame;         /* steps between frames of the series */
  const char *title; /* of the progress bar */
  const char *columns;
  void (*row)(FILE *out, const blocks *b); /* numbers of the columns, each after a comma */
} block_run;

/* Runs a model of blocks to the end; the exit status of the program. */
int run_blocks(int argc, char **argv, blocks *b, const block_run *r);

#endif
