/*
 * Blocks of every set, and pairs (z, w) that satisfy their laws: problems with a known answer are
 * q = w - M z.
 */
#ifndef NSDS_TEST_RELATIONS_H
#define NSDS_TEST_RELATIONS_H

#include <nsds/problem.h>

enum { kind_count = 16, most_block_rows = 8 };

/* A block of kind 0 .. kind_count - 1, coefficients at random; bounds and facets live in it. */
typedef struct sample_block {
  nsds_block block;
  double lower[most_block_rows], upper[most_block_rows];
  double H[12 * most_block_rows], K[12];
} sample_block;

void sample_block_create(sample_block *s, int which);
const char *sample_block_name(int which);

/* z and w in the relation of the block; `state` 0, 1, 2 ... chooses open, stick, slide and the like
 * as far as the set has them. */
void sample_relation(const nsds_block *block, int state, double *z, double *w);

/* A point of the set, at random. */
void sample_point(const nsds_block *block, double *z);

/* M (n x n) = A A^T + shift I with A n x rank, the columns of A falling over decades / 2 powers of
 * ten. */
void sample_matrix(int n, int rank, double decades, double shift, double *M);

/* A problem of `nblock` blocks of one kind (-1: of all kinds) with the answer z, w. */
typedef struct mixed {
  nsds_problem problem;
  sample_block *sample;
  nsds_block *block;
  double *M, *q, *z, *w;
} mixed;

/* rank < 0: n. */
void mixed_create(mixed *p, int nblock, int which, int rank, double decades, double shift);
void mixed_destroy(mixed *p);

#endif
