/*
 * A basis matrix B under exchanges of columns, at first the identity: LU factors, dense or sparse,
 * of the last B that was factored, and the exchanges since then in product form (Dantzig &
 * Orchard-Hays 1954).
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

/* Memory for so many columns and entries. */
nsds_status nsds_sparse_columns_reserve(nsds_store *store, nsds_sparse_columns *columns,
                                        size_t count, size_t entries);

/* Starts an empty column behind the others, with room for so many entries. */
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
  bool identity;           /* no B has been factored yet */
  nsds_sparse_columns B;   /* to be factored, or factored last */
  nsds_sparse_columns eta; /* B^-1 times each column that came since: its pivot first, the others
                              not zero; or all n in order, the first index that of the pivot */
  /* the rest is private */
  nsds_factor *factor, *next; /* of the last B, and to try another */
  int attempt;                /* exchanges when that failed last */
  uint64_t pattern;           /* of the last B */
} nsds_product_form;

/* Memory for n x n; allocates only for a larger one than before. */
nsds_status nsds_product_form_reserve(nsds_product_form *form, nsds_store *store, int n,
                                      bool dense);

/* The identity, of the size reserved for. */
void nsds_product_form_start(nsds_product_form *form);

/* Factors B with the columns of `all` in `basic` (n). NSDS_ERROR_SINGULAR as in factor.h: the old
 * factors and the exchanges stay. */
nsds_status nsds_product_form_factor(nsds_product_form *form, nsds_store *store,
                                     const nsds_sparse_columns *all, const int *basic);

/* v = B^-1 v */
void nsds_product_form_solve(const nsds_product_form *form, double *v);

/* A column takes position r; alpha is B^-1 times it. */
nsds_status nsds_product_form_exchange(nsds_product_form *form, nsds_store *store, int r,
                                       const double *alpha);

/* It is time to factor anew: solves have become as expensive as that, or rounding may gather. */
bool nsds_product_form_is_long(const nsds_product_form *form);

#endif
