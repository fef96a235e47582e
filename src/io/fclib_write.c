/*
 * A friction problem written in the layout of FCLIB, see fclib_read.c: W, V and R as compressed
 * columns. The equality rows come last, and the part of M left of R is V^T.
 */
#include "fclib.h"

#define NAME(group, member) NSDS_FCLIB_NAME(group, member)

static const char wanted[] =
    "COULOMB blocks of one size, 2 or 3, or ROLLING ones, 3 or 5, and behind "
    "them EQUALITY blocks";

/* ---- what the format has a place for ---- */

/* Number of contact rows m and of equality rows p. */
static nsds_status split_rows(nsds_context *context, const nsds_problem *problem, const char *path,
                              int *m, int *p) {
  nsds_block first = nsds_first_contact(problem);
  *m = *p = 0;
  for (int a = 0; a < problem->nblock; ++a) {
    const nsds_block *block = &problem->block[a];
    bool contact = nsds_same_contact(block, &first) && *p == 0;
    if (block->size == 0) continue;
    if (!contact && block->set != NSDS_SET_EQUALITY)
      return nsds_refuse_block(context, problem, a, path, NSDS_FORMAT_FCLIB, wanted);
    *(contact ? m : p) += block->size;
  }
  return NSDS_OK;
}

/* Entry (row, column), 0 where none is stored. */
static double entry(const nsds_columns *M, int row, int column) {
  int low = M->p[column], high = M->p[column + 1];
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (M->i[middle] < row) low = middle + 1;
    else high = middle;
  }
  return low < M->p[column + 1] && M->i[low] == row ? M->x[low] : 0.0;
}

/* The parts beside the diagonal are transposes of each other. */
static nsds_status check_transpose(nsds_context *context, const char *path, const nsds_columns *M,
                                   int m, int p) {
  for (int j = 0; j < m + p; ++j)
    for (int k = M->p[j]; k < M->p[j + 1]; ++k) {
      int i = M->i[k];
      if ((i < m) == (j < m) || entry(M, j, i) == M->x[k]) continue;
      return nsds_fail(context, NSDS_ERROR_UNSUPPORTED,
                       "nsds_problem_write: %s: M(%d,%d) is %g, M(%d,%d) is %g; the format fclib "
                       "holds equality rows V^T of which V are the columns",
                       path, i, j, M->x[k], j, i, entry(M, j, i));
    }
  return NSDS_OK;
}

/* ---- matrices ---- */

/* The rows first_row.. and columns first_column.. of M. */
static nsds_status part_of(nsds_context *context, const nsds_columns *M, int first_row, int nrow,
                           int first_column, int ncolumn, nsds_columns *part) {
  int most = M->p[first_column + ncolumn] - M->p[first_column], used = 0;
  *part = (nsds_columns){.own_p = NSDS_NEW_ARRAY(context, int, (size_t)ncolumn + 1)};
  if (part->own_p) part->own_i = NSDS_NEW_ARRAY(context, int, most);
  if (part->own_i) part->own_x = NSDS_NEW_ARRAY(context, double, most);
  if (!part->own_x) return NSDS_ERROR_MEMORY;
  for (int j = 0; j < ncolumn; ++j) {
    for (int k = M->p[first_column + j]; k < M->p[first_column + j + 1]; ++k) {
      if (M->i[k] < first_row || M->i[k] >= first_row + nrow) continue;
      part->own_i[used] = M->i[k] - first_row;
      part->own_x[used++] = M->x[k];
    }
    part->own_p[j + 1] = used;
  }
  part->p = part->own_p;
  part->i = part->own_i;
  part->x = part->own_x;
  return NSDS_OK;
}

static nsds_status put_part(nsds_h5 *h5, const char *group, const nsds_columns *M, int first_row,
                            int nrow, int first_column, int ncolumn) {
  nsds_columns part = {0};
  if (h5->status) return h5->status;
  h5->status = part_of(h5->context, M, first_row, nrow, first_column, ncolumn, &part);
  if (!h5->status) {
    nsds_fclib_put_matrix(h5, group, nrow, ncolumn, part.p, part.i, part.x);
  }
  nsds_columns_release(h5->context, &part);
  return h5->status;
}

/* ---- the file ---- */

static nsds_status put_vectors(nsds_h5 *h5, const char *name, const nsds_problem *problem, int m,
                               int p) {
  nsds_h5_put_group(h5, NAME(name, "vectors"));
  nsds_h5_put_reals(h5, NAME(name, "vectors/q"), (size_t)m, problem->q);
  if (!h5->status) nsds_fclib_put_contacts(h5, NAME(name, "vectors"), problem);
  if (p > 0) nsds_h5_put_reals(h5, NAME(name, "vectors/s"), (size_t)p, problem->q + m);
  return h5->status;
}

static nsds_status put_problem(nsds_h5 *h5, const nsds_problem *problem, const nsds_columns *M,
                               int m, int p) {
  nsds_block first = nsds_first_contact(problem);
  const char *name = first.set == NSDS_SET_ROLLING ? "/fclib_local_rolling" : "/fclib_local";
  nsds_h5_put_group(h5, name);
  nsds_fclib_put_int(h5, name, "spacedim", first.size);
  put_part(h5, NAME(name, "W"), M, 0, m, 0, m);
  if (p > 0) {
    put_part(h5, NAME(name, "V"), M, 0, m, m, p);
    put_part(h5, NAME(name, "R"), M, m, p, m, p);
  }
  return h5->status ? h5->status : put_vectors(h5, name, problem, m, p);
}

static nsds_status write_file(nsds_context *context, const nsds_problem *problem,
                              const nsds_columns *M, const char *path, int m, int p) {
  nsds_h5 h5;
  if (!nsds_h5_create(context, path, &h5)) put_problem(&h5, problem, M, m, p);
  return nsds_h5_close(&h5);
}

nsds_status nsds_write_fclib(nsds_context *context, const nsds_problem *problem,
                             const nsds_notes *notes, const char *path) {
  (void)notes;
  int m, p;
  nsds_columns M = {0};
  nsds_status status = split_rows(context, problem, path, &m, &p);
  if (!status) status = nsds_columns_of(context, problem, &M);
  if (!status) status = check_transpose(context, path, &M, m, p);
  if (!status) status = write_file(context, problem, &M, path, m, p);
  nsds_columns_release(context, &M);
  return status;
}
