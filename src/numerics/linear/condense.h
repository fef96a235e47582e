/*
 * Equality rows eliminated from w = M z + q. With E these rows and C the others
 *
 *     z_E = -M_EE^-1 (q_E + M_EC z_C),    w_C = S z_C + r,
 *     S = M_CC - M_CE M_EE^-1 M_EC,       r = q_C - M_CE M_EE^-1 q_E.
 *
 * Rows go in nodes, small dense blocks; nodes that meet in M are neighbours. Equality nodes are
 * eliminated from the leaves of a breadth-first search towards its root: a tree of joints gives no
 * fill, as the neighbours of a joint that are left then all hold on to one body of it. S is dense in
 * each of its parts, rows that neither M nor the elimination ties to other rows.
 *
 * Pivots are taken from the diagonal, which is safe where the symmetric part of M_EE is positive
 * definite, as that of joints is. Other blocks show by the size of a pivot and are refused.
 */
#ifndef NSDS_SRC_CONDENSE_H
#define NSDS_SRC_CONDENSE_H

#include "numerics/store.h"

#include <nsds/problem.h>

/* S: the part of each node and where it begins there; rows and matrix of each part. */
typedef struct nsds_condensed_rest {
  int npart, *part, *place, *part_rows;
  size_t *part_start, nS;
  double *S;
} nsds_condensed_rest;

/* Work of the structure (condense_structure.c), by nodes in the order of their rows. */
typedef struct nsds_condense_work {
  uint64_t pattern;
  int nblock, *shape;              /* of the blocks of the problem */
  int *raw_row, *raw_size, *final; /* final: its number then */
  int *first_neighbour, *neighbour, *queue, *parent, *mark, *child, *sibling;
  unsigned char *out;
  double entries;                        /* of M */
  double limit;                          /* most_bytes then, */
  nsds_storage storage;                  /* and how M was stored */
  int *head, *link, *owner, *first_node; /* edges by column groups; nodes of block rows */
} nsds_condense_work;

typedef struct nsds_condenser {
  nsds_store store;
  int n, nnode;
  int nout;        /* nodes that are eliminated; they come first, in this order */
  int *row, *size; /* of each node, the others in the order of their rows */
  int *node_of;    /* the node of each row */
  /* What each eliminated node k meets later: nodes later[start[k] ..], increasing, and where each
   * begins among all `width` rows of them. */
  int *start, *later, *offset, *width;
  /* Values of an eliminated node of m rows that meets w later ones, by columns: D = M_kk in factors
   * (m x m), X = -D^-1 M_kl (m x w), L = M_lk (w x m). */
  size_t *panel;
  double *value;
  size_t nvalue;
  nsds_condensed_rest rest;
  double *diagonal;      /* of M, by rows */
  unsigned char *silent; /* by rows: an equality of which M knows nothing */
  int nsilent;
  uint64_t stamp;    /* of the matrix factored; 0: none */
  double operations; /* of the elimination */
  double most_bytes; /* that values may take, set by the caller; 0: any */
  bool apt, sound;
  nsds_condense_work work;
} nsds_condenser;

/* Reads M, factors M_EE and forms S, once per stamp, where e->apt. False where a pivot is too small
 * or too large beside its row of M, or too little is left of a row in S. */
bool nsds_condense_factor(nsds_condenser *e, const nsds_problem *problem);

/* From r = q: r_C as above, and in r_E what nsds_condense_recover() wants. */
void nsds_condense_reduce(const nsds_condenser *e, double *r);

/* z_E from z_C. */
void nsds_condense_recover(const nsds_condenser *e, const double *r, double *z);

/* y_E from y_C, so that M^T y vanishes on E. */
void nsds_condense_recover_proof(const nsds_condenser *e, double *y);

/* Where the block of nodes a, b stands, by columns `ld` apart; NULL: nowhere. */
double *nsds_condense_block(const nsds_condenser *e, int a, int b, int *ld);

#endif
