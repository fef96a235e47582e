/*
 * Equality rows eliminated from w = M z + q. With E these rows and C the others
 *
 *     z_E = -M_EE^-1 (q_E + M_EC z_C),    w_C = S z_C + r,
 *     S = M_CC - M_CE M_EE^-1 M_EC,       r = q_C - M_CE M_EE^-1 q_E.
 *
 * Rows form nodes, small dense blocks; nodes that meet in M are neighbors. Equality nodes are
 * eliminated from the leaves of a breadth-first search towards its root. A tree of joints gives no
 * fill, since the remaining neighbors of a joint all belong to one body of it. S is dense in each
 * of its parts: rows tied by M or by the elimination.
 *
 * Pivots are taken from the diagonal. This is safe if the symmetric part of M_EE is positive
 * definite, as for joints. Other blocks are recognized by the size of a pivot, and refused.
 */
#ifndef NSDS_SRC_CONDENSE_H
#define NSDS_SRC_CONDENSE_H

#include "numerics/store.h"

#include <nsds/problem.h>

/* S: for each node its part and its first row there; for each part its rows and matrix. */
typedef struct nsds_condensed_rest {
  int npart, *part, *place, *part_rows;
  size_t *part_start, nS;
  double *S;
} nsds_condensed_rest;

/* Work of the structure (condense_structure.c), by nodes in the order of their rows. */
typedef struct nsds_condense_work {
  uint64_t pattern;
  int nblock, *shape;              /* sets and sizes of the blocks of the problem */
  int *raw_row, *raw_size, *final; /* final: number of the node in the order of elimination */
  int *first_neighbour, *neighbour, *queue, *parent, *mark, *child, *sibling;
  unsigned char *out;
  double entries;                        /* entries of M */
  double limit;                          /* most_bytes at the last analysis */
  nsds_storage storage;                  /* storage of M then */
  int *head, *link, *owner, *first_node; /* edges by column groups; nodes of block rows */
} nsds_condense_work;

typedef struct nsds_condenser {
  nsds_store store;
  int n, nnode;
  int nout;        /* eliminated nodes, which come first in this order */
  int *row, *size; /* rows of each node; nodes that stay follow in the order of their rows */
  int *node_of;    /* the node of each row */
  /* The nodes that an eliminated node k meets later, increasing: later[start[k] ..]. Each begins at
   * `offset` among all `width` rows of them. */
  int *start, *later, *offset, *width;
  /* Values of an eliminated node of m rows that meets w later rows, by columns: factors of D = M_kk
   * (m x m), X = -D^-1 M_kl (m x w), L = M_lk (w x m). */
  size_t *panel;
  double *value;
  size_t nvalue;
  nsds_condensed_rest rest;
  double *diagonal;      /* of M, by rows */
  unsigned char *silent; /* by rows: an equality that is zero in M */
  int nsilent;
  uint64_t stamp;    /* of the matrix factored; 0: none */
  double operations; /* of the elimination */
  double most_bytes; /* limit for values, set by the caller; 0: none */
  bool apt, sound;
  nsds_condense_work work;
} nsds_condenser;

/* If e->apt, reads M, factors M_EE and forms S, once per stamp. Returns false if a pivot is too
 * small or too large beside its row of M, or too little is left of a row in S. */
bool nsds_condense_factor(nsds_condenser *e, const nsds_problem *problem);

/* Computes r_C from r = q, as above; r_E is for nsds_condense_recover(). */
void nsds_condense_reduce(const nsds_condenser *e, double *r);

/* Computes z_E from z_C. */
void nsds_condense_recover(const nsds_condenser *e, const double *r, double *z);

/* Computes y_E from y_C, so that M^T y vanishes on E. */
void nsds_condense_recover_proof(const nsds_condenser *e, double *y);

/* Returns the block of nodes a, b, by columns `ld` apart; NULL: none. */
double *nsds_condense_block(const nsds_condenser *e, int a, int b, int *ld);

#endif
