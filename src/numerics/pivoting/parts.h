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
  int most_rows;        /* of a part */
  nsds_problem problem; /* the part taken last, with the arrays below */
  nsds_block *block;    /* nblock */
  int *global, *local;  /* n: rows of the part in the problem, and back */
  double *q;            /* n */
  double *M;            /* most_rows x most_rows, or the values of CSC form */
  int *p, *i;           /* CSC form */
  int *integers;        /* the arrays of integers, and nblock of scratch */
  size_t integers_capacity, block_capacity, q_capacity, M_capacity, p_capacity, i_capacity;
} nsds_parts;

/* Memory for a problem whose largest part has `rows` rows. */
nsds_status nsds_parts_reserve(nsds_context *context, nsds_parts *parts,
                               const nsds_problem *problem, int rows);

/* M in dense or, where `dense` is NULL, in CSC form. */
nsds_status nsds_parts_find(nsds_context *context, nsds_parts *parts, const nsds_problem *problem,
                            const double *dense, const nsds_csc_form *csc);

/* Part k as a dense problem of its own. The whole is taken as it is, where it is one part. */
const nsds_problem *nsds_parts_take(nsds_parts *parts, const nsds_problem *problem, int k,
                                    const double *dense, const nsds_csc_form *csc);

/* Part k with M in CSC form; allocates only for a larger one than before. */
nsds_status nsds_parts_take_sparse(nsds_context *context, nsds_parts *parts,
                                   const nsds_problem *problem, int k, const double *dense,
                                   const nsds_csc_form *csc);

void nsds_parts_release(nsds_context *context, nsds_parts *parts);

#endif
