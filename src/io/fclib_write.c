/*
 * A friction problem written in the layout of FCLIB, see fclib_read.c: W, V and R as compressed
 * columns. The file has equality rows last. If they stand between contacts in the problem, the rows
 * of the file have another order. The part of M left of R is V^T.
 */
#include "io/fclib_write.h"

#include "base/context.h"
#include "io/columns.h"
#include "io/fclib_matrix.h"
#include "io/fclib_vectors.h"
#include "io/hdf5_file.h"
#include "io/write_text.h"

#define NAME(group, member) NSDS_FCLIB_NAME(group, member)

static const char wanted[] =
    "COULOMB blocks of one size, 2 or 3, or ROLLING ones, 3 or 5, and EQUALITY "
    "blocks";

/* The order of the rows in the file: m contact rows, then p equality rows. Row k of the file is row
 * row[k] of the problem; row i of the problem comes to place[i]. */
typedef struct fclib_order {
  int m, p;
  int *row, *place;
  nsds_columns M;
  double *q, *point; /* point: room for z or w */
} fclib_order;

/* ---- what the format has a place for ---- */

/* Counts the rows of contacts and of equalities; refuses other sets. */
static nsds_status count_rows(nsds_context *context, const nsds_problem *problem, const char *path,
                              fclib_order *order) {
  nsds_block first = nsds_first_contact(problem);
  for (int a = 0; a < problem->nblock; ++a) {
    const nsds_block *block = &problem->block[a];
    bool equality = block->set == NSDS_SET_EQUALITY;
    if (!equality && !nsds_same_contact(block, &first))
      return nsds_refuse_block(context, problem, a, path, NSDS_FORMAT_FCLIB, wanted);
    *(equality ? &order->p : &order->m) += block->size;
  }
  return NSDS_OK;
}

/* Returns entry (row, column), 0 if none is stored. */
static double fclib_write_entry(const nsds_columns *M, int row, int column) {
  int low = M->p[column], high = M->p[column + 1];
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (M->i[middle] < row) low = middle + 1;
    else high = middle;
  }
  return low < M->p[column + 1] && M->i[low] == row ? M->x[low] : 0.0;
}

/* Largest |M_ij - M_ji| relative to sqrt(M_ii M_jj), which bounds the sum of the terms of both: the
 * sums may differ by their rounding errors. */
static const double rounded = 1e-12;

static bool alike(const nsds_columns *M, int i, int j, double x) {
  double other = fclib_write_entry(M, j, i);
  if (x == other) return true;
  double a = fclib_write_entry(M, i, i), b = fclib_write_entry(M, j, j);
  return a > 0.0 && b > 0.0 && fabs(x - other) <= rounded * sqrt(a) * sqrt(b);
}

/* Checks that the parts off the diagonal are transposes of each other. */
static nsds_status check_transpose(nsds_context *context, const char *path,
                                   const fclib_order *order) {
  const nsds_columns *M = &order->M;
  const int m = order->m, *row = order->row;
  for (int j = 0; j < m + order->p; ++j)
    for (int k = M->p[j]; k < M->p[j + 1]; ++k) {
      int i = M->i[k];
      if ((i < m) == (j < m) || alike(M, i, j, M->x[k])) continue;
      return nsds_fail(context, NSDS_ERROR_UNSUPPORTED,
                       "nsds_problem_write: %s: M(%d,%d) is %g, M(%d,%d) is %g; the format fclib "
                       "holds equality rows V^T of which V are the columns",
                       path, row[i], row[j], M->x[k], row[j], row[i], fclib_write_entry(M, j, i));
    }
  return NSDS_OK;
}

/* ---- the order of the file ---- */

static void fclib_write_list_rows(const nsds_problem *problem, fclib_order *order) {
  int contact = 0, equality = order->m, i = 0;
  for (int a = 0; a < problem->nblock; ++a)
    for (int end = i + problem->block[a].size; i < end; ++i) {
      int k = problem->block[a].set == NSDS_SET_EQUALITY ? equality++ : contact++;
      order->row[k] = i;
      order->place[i] = k;
      order->q[k] = problem->q[i];
    }
}

/* Makes compressed columns of M in the order of the file. */
static nsds_status move_entries(nsds_context *context, const nsds_columns *from,
                                fclib_order *order) {
  int n = order->m + order->p, used = 0;
  nsds_triplets entries;
  nsds_status status = nsds_triplets_create(context, n, n, (size_t)from->p[n], &entries);
  for (int j = 0; j < n && !status; ++j)
    for (int k = from->p[j]; k < from->p[j + 1]; ++k, ++used) {
      entries.row[used] = order->place[from->i[k]];
      entries.column[used] = order->place[j];
      entries.x[used] = from->x[k];
    }
  nsds_columns *M = &order->M;
  if (!status) status = nsds_compress(context, &entries, &M->own_p, &M->own_i, &M->own_x);
  nsds_triplets_release(context, &entries);
  M->p = M->own_p;
  M->i = M->own_i;
  M->x = M->own_x;
  return status;
}

static nsds_status put_in_order(nsds_context *context, const nsds_problem *problem,
                                fclib_order *order) {
  int n = problem->n;
  bool moved = false;
  order->row = NSDS_NEW_ARRAY(context, int, n);
  if (order->row) order->place = NSDS_NEW_ARRAY(context, int, n);
  if (order->place) order->q = NSDS_NEW_ARRAY(context, double, n);
  if (order->q) order->point = NSDS_NEW_ARRAY(context, double, n);
  if (!order->point) return NSDS_ERROR_MEMORY;
  fclib_write_list_rows(problem, order);
  for (int i = 0; i < n; ++i) moved = moved || order->place[i] != i;
  if (!moved) return nsds_columns_of(context, problem, &order->M);
  nsds_columns M;
  nsds_status status = nsds_columns_of(context, problem, &M);
  if (!status) status = move_entries(context, &M, order);
  nsds_columns_release(context, &M);
  return status;
}

static void release_order(nsds_context *context, fclib_order *order) {
  nsds_release(context, order->row);
  nsds_release(context, order->place);
  nsds_release(context, order->q);
  nsds_release(context, order->point);
  nsds_columns_release(context, &order->M);
}

/* ---- matrices ---- */

/* Copies the rows first_row.. and columns first_column.. of M; off the diagonal the mean of M and its
 * transpose, which differ by rounding at most. */
static nsds_status fclib_write_part_of(nsds_context *context, const nsds_columns *M, int first_row,
                                       int nrow, int first_column, int ncolumn,
                                       nsds_columns *part) {
  int most = M->p[first_column + ncolumn] - M->p[first_column], used = 0;
  *part = (nsds_columns){.own_p = NSDS_NEW_ARRAY(context, int, (size_t)ncolumn + 1)};
  if (part->own_p) part->own_i = NSDS_NEW_ARRAY(context, int, most);
  if (part->own_i) part->own_x = NSDS_NEW_ARRAY(context, double, most);
  if (!part->own_x) return NSDS_ERROR_MEMORY;
  for (int j = 0; j < ncolumn; ++j) {
    for (int k = M->p[first_column + j]; k < M->p[first_column + j + 1]; ++k) {
      if (M->i[k] < first_row || M->i[k] >= first_row + nrow) continue;
      part->own_i[used] = M->i[k] - first_row;
      double x = M->x[k];
      if (first_row != first_column)
        x += 0.5 * (fclib_write_entry(M, first_column + j, M->i[k]) - x);
      part->own_x[used++] = x;
    }
    part->own_p[j + 1] = used;
  }
  part->p = part->own_p;
  part->i = part->own_i;
  part->x = part->own_x;
  return NSDS_OK;
}

static nsds_status fclib_write_put_part(nsds_h5 *h5, const char *group, const nsds_columns *M,
                                        int first_row, int nrow, int first_column, int ncolumn) {
  nsds_columns part = {0};
  if (h5->status) return h5->status;
  h5->status = fclib_write_part_of(h5->context, M, first_row, nrow, first_column, ncolumn, &part);
  if (!h5->status) {
    nsds_fclib_put_matrix(h5, group, nrow, ncolumn, part.p, part.i, part.x);
  }
  nsds_columns_release(h5->context, &part);
  return h5->status;
}

/* ---- the file ---- */

static nsds_status fclib_write_put_vectors(nsds_h5 *h5, const char *name,
                                           const nsds_problem *problem, const fclib_order *order) {
  nsds_h5_put_group(h5, NAME(name, "vectors"));
  nsds_h5_put_reals(h5, NAME(name, "vectors/q"), (size_t)order->m, order->q);
  if (!h5->status) nsds_fclib_put_contacts(h5, NAME(name, "vectors"), problem);
  if (order->p > 0)
    nsds_h5_put_reals(h5, NAME(name, "vectors/s"), (size_t)order->p, order->q + order->m);
  return h5->status;
}

static nsds_status fclib_write_put_problem(nsds_h5 *h5, const nsds_problem *problem,
                                           const fclib_order *order) {
  nsds_block first = nsds_first_contact(problem);
  const nsds_columns *M = &order->M;
  const char *name = first.set == NSDS_SET_ROLLING ? "/fclib_local_rolling" : "/fclib_local";
  int m = order->m, p = order->p;
  nsds_h5_put_group(h5, name);
  nsds_fclib_put_int(h5, name, "spacedim", first.size);
  fclib_write_put_part(h5, NAME(name, "W"), M, 0, m, 0, m);
  if (p > 0) {
    fclib_write_put_part(h5, NAME(name, "V"), M, 0, m, m, p);
    fclib_write_put_part(h5, NAME(name, "R"), M, m, p, m, p);
  }
  return h5->status ? h5->status : fclib_write_put_vectors(h5, name, problem, order);
}

static nsds_status fclib_write_file(nsds_context *context, const nsds_problem *problem,
                                    const nsds_notes *notes, const char *path,
                                    const fclib_order *order) {
  nsds_h5 h5;
  if (!nsds_h5_create(context, path, &h5) && !fclib_write_put_problem(&h5, problem, order))
    nsds_fclib_put_points(&h5, notes, 0, order->m, order->p, order->row, order->point);
  return nsds_h5_close(&h5);
}

nsds_status nsds_write_fclib(nsds_context *context, const nsds_problem *problem,
                             const nsds_notes *notes, const char *path) {
  fclib_order order = {0};
  nsds_status status = count_rows(context, problem, path, &order);
  if (!status) status = put_in_order(context, problem, &order);
  if (!status) status = check_transpose(context, path, &order);
  if (!status) status = fclib_write_file(context, problem, notes, path, &order);
  release_order(context, &order);
  return status;
}
