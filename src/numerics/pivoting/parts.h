/*
 * The independent parts of a problem: the connected components of its blocks, two of which are
 * joined where M has an entry between them. A direct method solves them one by one: its work and
 * memory follow the largest part, and rounding in one part is nothing to another.
 */
#ifndef NSDS_SRC_PARTS_H
#define NSDS_SRC_PARTS_H

#include "solver_internal.h"

typedef struct nsds_parts {
  int count;
  int *first;           /* count + 1: blocks member[first[k]] .. member[first[k+1]-1] are part k */
  int *member;          /* nblock */
  int *row;             /* nblock + 1: first row of each block of the problem */
  nsds_problem problem; /* the part taken last, with the arrays below */
  nsds_block *block;    /* nblock */
  int *global, *local;  /* n: rows of the part in the problem, and back */
  double *q;            /* n */
  double *M;            /* CSC form */
  int *p, *i;
  int *parent; /* nblock: work */
} nsds_parts;

/* Memory for a problem with so many entries. */
nsds_status nsds_parts_reserve(nsds_store *store, nsds_parts *parts, const nsds_problem *problem,
                               size_t entries);

/* M: the matrix of the problem, dense or CSC. */
nsds_status nsds_parts_find(nsds_store *store, nsds_parts *parts, const nsds_problem *problem,
                            const nsds_matrix *M);

/* Part k as a problem of its own, in CSC storage. */
const nsds_problem *nsds_parts_take(nsds_parts *parts, const nsds_problem *problem, int k,
                                    const nsds_matrix *M);

#endif
