/*
 * Matrices in the layout of FCLIB, see fclib.h.
 */
#include "io/fclib_matrix.h"

#include "base/context.h"
#include "io/hdf5_file.h"
#include "io/hdf5_read.h"
#include "io/text.h"

#include <stdio.h>

#define NAME(group, member) NSDS_FCLIB_NAME(group, member)

const char *nsds_fclib_join(char *name, size_t size, const char *group, const char *member) {
  snprintf(name, size, "%s/%s", group, member);
  return name;
}

/* ---- reading ---- */

/* Computes the column indices of compressed columns, or row indices of compressed rows, from
 * pointers. */
static nsds_status expand_pointers(nsds_h5 *h5, const char *group, int nline, const int *p,
                                   size_t available, nsds_triplets *entries, bool rows) {
  const char *name = NAME(group, "p");
  for (int j = 0; j <= nline; ++j) {
    int least = j == 0 ? 0 : p[j - 1];
    if (p[j] < least || (j == 0 && p[0] != 0) || (size_t)p[j] > available)
      return nsds_h5_fail(h5, name,
                          "expected pointers from 0 to %zu that do not decrease, "
                          "found %d at %d",
                          available, p[j], j);
  }
  entries->count = (size_t)p[nline];
  int *line = NSDS_NEW_ARRAY(h5->context, int, entries->count);
  if (!line) return h5->status = NSDS_ERROR_MEMORY;
  for (int j = 0; j < nline; ++j)
    for (int k = p[j]; k < p[j + 1]; ++k) line[k] = j;
  if (rows) entries->row = line;
  else entries->column = line;
  return NSDS_OK;
}

static nsds_status fclib_matrix_check_entries(nsds_h5 *h5, const char *group,
                                              const nsds_triplets *entries) {
  for (size_t k = 0; k < entries->count; ++k) {
    int row = entries->row[k], column = entries->column[k];
    if (row < 0 || row >= entries->nrow || column < 0 || column >= entries->ncolumn)
      return nsds_h5_fail(h5, group, "expected entries in %d rows and %d columns, found (%d,%d)",
                          entries->nrow, entries->ncolumn, row, column);
    if (!isfinite(entries->x[k]))
      return nsds_h5_fail(h5, NAME(group, "x"), "expected finite numbers, found %g at %zu",
                          entries->x[k], k);
  }
  return NSDS_OK;
}

nsds_status nsds_fclib_read_matrix(nsds_h5 *h5, const char *group, int nrow, int ncolumn,
                                   nsds_triplets *entries, const char **storage) {
  int nz = 0, m = 0, n = 0, *p = NULL, *i = NULL;
  size_t np, ni, nx = 0;
  nsds_h5_int(h5, NAME(group, "m"), nrow < 0 ? 0 : nrow, nrow < 0 ? nsds_file_limit : nrow, &m);
  int least_n = nrow < 0 ? m : ncolumn < 0 ? 0 : ncolumn;
  int most_n = nrow < 0 ? m : ncolumn < 0 ? nsds_file_limit : ncolumn;
  nsds_h5_int(h5, NAME(group, "n"), least_n, most_n, &n);
  nsds_h5_int(h5, NAME(group, "nz"), -2, nsds_file_limit, &nz);
  if (h5->status) return h5->status;
  int nline = nz == -2 ? m : n;
  size_t least = nz < 0 ? 0 : (size_t)nz;
  *entries = (nsds_triplets){.nrow = m, .ncolumn = n, .count = least};
  *storage = nz == -2 ? "rows" : nz == -1 ? "columns" : "triplet";
  nsds_h5_ints(h5, NAME(group, "p"), nz < 0 ? (size_t)nline + 1 : least, &p, &np);
  if (!h5->status) nsds_h5_ints(h5, NAME(group, "i"), least, &i, &ni);
  if (!h5->status) nsds_h5_reals(h5, NAME(group, "x"), least, &entries->x, &nx);
  if (nz == -2) entries->column = i;
  else entries->row = i;
  if (nz >= 0) entries->column = p;
  else if (!h5->status) expand_pointers(h5, group, nline, p, ni < nx ? ni : nx, entries, nz == -2);
  if (nz < 0) nsds_release(h5->context, p);
  return h5->status ? h5->status : fclib_matrix_check_entries(h5, group, entries);
}

/* ---- writing ---- */

nsds_status nsds_fclib_put_int(nsds_h5 *h5, const char *group, const char *member, int value) {
  return nsds_h5_put_ints(h5, NAME(group, member), 1, &value);
}

nsds_status nsds_fclib_put_matrix(nsds_h5 *h5, const char *group, int nrow, int ncolumn,
                                  const int *p, const int *i, const double *x) {
  size_t count = (size_t)p[ncolumn];
  nsds_h5_put_group(h5, group);
  nsds_fclib_put_int(h5, group, "nzmax", p[ncolumn]);
  nsds_fclib_put_int(h5, group, "m", nrow);
  nsds_fclib_put_int(h5, group, "n", ncolumn);
  nsds_fclib_put_int(h5, group, "nz", -1);
  nsds_h5_put_ints(h5, NAME(group, "p"), (size_t)ncolumn + 1, p);
  nsds_h5_put_ints(h5, NAME(group, "i"), count, i);
  return nsds_h5_put_reals(h5, NAME(group, "x"), count, x);
}
