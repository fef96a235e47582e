/*
 * A basis matrix B under exchanges of columns, at first the identity. LU factors, dense or sparse,
 * belong to the last B that was factored. The exchanges since then are kept in product form
 * (Dantzig & Orchard-Hays 1954).
 */
#ifndef NSDS_SRC_PRODUCT_FORM_H
#define NSDS_SRC_PRODUCT_FORM_H

#include "numerics/linear/factor_state.h"
#include "numerics/linear/factor.h"

/* A sparse matrix that grows column by column: entries first[k] .. first[k+1]-1 of column k. */
typedef struct nsds_sparse_columns {
  int count;
  int *first, *i;
  double *a;
} nsds_sparse_columns;

nsds_status nsds_sparse_columns_reserve(nsds_store *store, nsds_sparse_columns *columns,
                                        size_t count, size_t entries);

/* Starts an empty column behind the others, with room for entries. */
nsds_status nsds_sparse_columns_open(nsds_store *store, nsds_sparse_columns *columns, int room);

/* Adds an entry to the last column. */
static inline void nsds_sparse_columns_add(nsds_sparse_columns *columns, int i, double a) {
  int at = columns->first[columns->count]++;
  columns->i[at] = i;
  columns->a[at] = a;
}

typedef struct nsds_product_form {
  int n;
  bool dense;
  bool identity;         /* no B has been factored yet */
  nsds_sparse_columns B; /* B to be factored, or factored last */
  /* B^-1 times each column that came since: the pivot first, then the other nonzeros; or all n in
   * order, with the pivot's index first. */
  nsds_sparse_columns eta;
  /* the rest is private */
  nsds_factor *factor, *next; /* factors of the last B, and room for another */
  int attempt;                /* number of exchanges at the last failure to factor */
  uint64_t pattern;           /* counts the B that were factored */
} nsds_product_form;

/* Reserves memory for n x n; allocates only for a larger n than before. */
nsds_status nsds_product_form_reserve(nsds_product_form *form, nsds_store *store, int n,
                                      bool dense);

/* Starts with the identity, of the reserved size. */
void nsds_product_form_start(nsds_product_form *form);

/* Factors B, whose columns are those of `all` in `basic` (n). After NSDS_ERROR_SINGULAR (see
 * factor.h) the old factors and the exchanges stay. */
nsds_status nsds_product_form_factor(nsds_product_form *form, nsds_store *store,
                                     const nsds_sparse_columns *all, const int *basic);

void nsds_product_form_solve(const nsds_product_form *form, double *v);

/* Puts a column at position r; alpha is B^-1 times the column. */
nsds_status nsds_product_form_exchange(nsds_product_form *form, nsds_store *store, int r,
                                       const double *alpha);

/* Returns true if B should be factored anew: solves cost as much, or rounding may have grown. */
bool nsds_product_form_is_long(const nsds_product_form *form);

#endif
