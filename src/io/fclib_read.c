/*
 * Local friction problems of FCLIB (Acary, Bremond & Huber, "An introduction to FCLIB", 2014) in
 * HDF5:
 *
 *     /fclib_local/spacedim             2 or 3
 *     /fclib_local/W/{m, n, nz, nzmax, p, i, x}     m x n matrix; V and R alike, both or none
 *     /fclib_local/vectors/{q, mu, s}   s with V and R
 *     /solution/{u, r, l}, /guesses/number_of_guesses, /guesses/<1, 2, ...>/{u, r, l}   optional
 *
 *     u = W r + V l + q,   V^T r + R l + s = 0,   M = [W V; V^T R],   z = (r, l), q = (q, s)
 *
 * nz says how a matrix is stored: -2 compressed rows, -1 compressed columns, otherwise the number
 * of triplets, with rows in i and columns in p.
 */
#include "hdf5_file.h"
#include "problem_file.h"

#if NSDS_HAVE_HDF5

#include <stdio.h>

static const char *join(char *name, size_t size, const char *group, const char *member) {
  snprintf(name, size, "%s/%s", group, member);
  return name;
}

#define NAME(group, member) join((char[128]){0}, 128, (group), (member))

/* ---- matrices ---- */

/* Column indices of compressed columns, row indices of compressed rows, from the pointers. */
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

static nsds_status check_entries(nsds_h5 *h5, const char *group, const nsds_triplets *entries) {
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

/* The matrix of a group, nrow x ncolumn, or of any square size where nrow is -1. */
static nsds_status read_matrix(nsds_h5 *h5, const char *group, int nrow, int ncolumn,
                               nsds_triplets *entries, const char **storage) {
  int nz = 0, m = 0, n = 0, *p = NULL, *i = NULL;
  size_t np, ni, nx = 0;
  bool any = nrow < 0;
  nsds_h5_int(h5, NAME(group, "m"), any ? 0 : nrow, any ? nsds_file_limit : nrow, &m);
  nsds_h5_int(h5, NAME(group, "n"), any ? m : ncolumn, any ? m : ncolumn, &n);
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
  return h5->status ? h5->status : check_entries(h5, group, entries);
}

/* entries += part with its first entry at (row, column), transposed where asked for. */
static void put_part(nsds_triplets *entries, const nsds_triplets *part, int row, int column,
                     bool transpose) {
  const int *i = transpose ? part->column : part->row, *j = transpose ? part->row : part->column;
  for (size_t k = 0; k < part->count; ++k, ++entries->count) {
    entries->row[entries->count] = row + i[k];
    entries->column[entries->count] = column + j[k];
    entries->x[entries->count] = part->x[k];
  }
}

/* W, V and R, the latter two empty where the file has none. */
typedef struct matrices {
  nsds_triplets W, V, R;
} matrices;

/* M = [W V; V^T R] */
static nsds_status compose(nsds_h5 *h5, nsds_problem_file *file, const matrices *read) {
  const nsds_triplets *W = &read->W, *V = &read->V, *R = &read->R;
  int m = W->nrow, n = m + R->nrow;
  nsds_triplets M;
  h5->status = nsds_triplets_create(h5->context, n, n, W->count + 2 * V->count + R->count, &M);
  if (!h5->status) {
    M.count = 0;
    put_part(&M, W, 0, 0, false);
    put_part(&M, V, 0, m, false);
    put_part(&M, V, m, 0, true);
    put_part(&M, R, m, m, false);
    nsds_status status = nsds_file_compress(file, &M);
    if (status == NSDS_ERROR_FORMAT)
      nsds_h5_fail(h5, "/fclib_local", "expected entries at one place with a finite sum");
    else h5->status = status;
  }
  nsds_triplets_release(h5->context, &M);
  return h5->status;
}

static nsds_status read_matrices(nsds_h5 *h5, nsds_problem_file *file, matrices *read) {
  const char *unused;
  bool has_v = nsds_h5_has(h5, "/fclib_local/V"), has_r = nsds_h5_has(h5, "/fclib_local/R");
  if (has_v != has_r)
    return nsds_h5_fail(h5, "/fclib_local", "expected both V and R or none, found %s",
                        has_v ? "V" : "R");
  if (read_matrix(h5, "/fclib_local/W", -1, -1, &read->W, &file->storage) || !has_r)
    return h5->status;
  if (read_matrix(h5, "/fclib_local/R", -1, -1, &read->R, &unused)) return h5->status;
  return read_matrix(h5, "/fclib_local/V", read->W.nrow, read->R.nrow, &read->V, &unused);
}

/* ---- vectors ---- */

/* The vectors `first` (m entries) and `second` (p entries) of a group, one after the other. */
static nsds_status read_joined(nsds_h5 *h5, const char *group, const char *first, int m,
                               const char *second, int p, double *joined) {
  double *x = NULL;
  if (!nsds_h5_vector(h5, NAME(group, first), (size_t)m, &x))
    memcpy(joined, x, (size_t)m * sizeof *x);
  nsds_release(h5->context, x);
  if (p == 0 || h5->status) return h5->status;
  if (!nsds_h5_vector(h5, NAME(group, second), (size_t)p, &x))
    memcpy(joined + m, x, (size_t)p * sizeof *x);
  nsds_release(h5->context, x);
  return h5->status;
}

static nsds_status check_lengths(nsds_h5 *h5, int d, int m, int p) {
  if (m % d != 0)
    return nsds_h5_fail(h5, "/fclib_local/W/m", "expected a multiple of spacedim, %d, found %d", d,
                        m);
  nsds_h5_length(h5, "/fclib_local/vectors/q", (size_t)m);
  nsds_h5_length(h5, "/fclib_local/vectors/mu", (size_t)(m / d));
  return p > 0 ? nsds_h5_length(h5, "/fclib_local/vectors/s", (size_t)p) : h5->status;
}

static nsds_status read_blocks(nsds_h5 *h5, nsds_problem_file *file, int d, int contacts, int p) {
  static const char name[] = "/fclib_local/vectors/mu";
  double *mu = NULL;
  nsds_h5_vector(h5, name, (size_t)contacts, &mu);
  for (int c = 0; c < contacts && !h5->status; ++c) {
    if (mu[c] < 0.0)
      nsds_h5_fail(h5, name, "expected no negative coefficient, found %g at %d", mu[c], c);
    file->block[c] = (nsds_block){.set = NSDS_SET_COULOMB, .size = d, .mu = mu[c]};
  }
  if (p > 0) file->block[contacts] = (nsds_block){.set = NSDS_SET_EQUALITY, .size = p};
  nsds_release(h5->context, mu);
  return h5->status;
}

/* ---- solution and guesses ---- */

static nsds_status read_point(nsds_h5 *h5, const char *group, int m, int p,
                              nsds_owned_point *point) {
  nsds_context *context = h5->context;
  if (h5->status || !nsds_h5_has(h5, NAME(group, "r"))) return h5->status;
  point->z = NSDS_NEW_ARRAY(context, double, m + p);
  if (!point->z) return h5->status = NSDS_ERROR_MEMORY;
  if (read_joined(h5, group, "r", m, "l", p, point->z)) return h5->status;
  if (nsds_h5_has(h5, NAME(group, "u"))) {
    point->w = NSDS_NEW_ARRAY(context, double, m + p); /* zero in the equality rows */
    if (!point->w) return h5->status = NSDS_ERROR_MEMORY;
    read_joined(h5, group, "u", m, "", 0, point->w);
  }
  point->shown = (nsds_stored_point){.z = point->z, .w = point->w};
  return h5->status;
}

/* Guesses that are there, before memory is taken for the number announced. */
static nsds_status count_guesses(nsds_h5 *h5, int announced) {
  for (int k = 1; k <= announced && !h5->status; ++k) {
    char group[32];
    snprintf(group, sizeof group, "/guesses/%d", k);
    if (!nsds_h5_has(h5, NAME(group, "r")))
      nsds_h5_fail(h5, group, "expected %d guesses with a vector r, found %d", announced, k - 1);
  }
  return h5->status;
}

static nsds_status read_points(nsds_h5 *h5, nsds_problem_file *file, int m, int p) {
  int announced = 0;
  read_point(h5, "/solution", m, p, &file->solution);
  if (h5->status || !nsds_h5_has(h5, "/guesses")) return h5->status;
  nsds_h5_int(h5, "/guesses/number_of_guesses", 0, nsds_file_limit, &announced);
  if (h5->status || count_guesses(h5, announced)) return h5->status;
  file->guess = NSDS_NEW_ARRAY(h5->context, nsds_owned_point, announced);
  if (!file->guess) return h5->status = NSDS_ERROR_MEMORY;
  file->nguess = announced;
  for (int k = 0; k < announced && !h5->status; ++k) {
    char group[32];
    snprintf(group, sizeof group, "/guesses/%d", k + 1);
    read_point(h5, group, m, p, &file->guess[k]);
  }
  return h5->status;
}

/* ---- the file ---- */

static nsds_status find_local(nsds_h5 *h5) {
  if (nsds_h5_has(h5, "/fclib_local")) return NSDS_OK;
  if (!nsds_h5_has(h5, "/fclib_global"))
    return nsds_h5_fail(h5, "/", "expected the group fclib_local of a friction problem");
  return h5->status = nsds_fail(h5->context, NSDS_ERROR_UNSUPPORTED,
                                "%s: a global friction problem (group fclib_global); only local "
                                "ones (fclib_local) can be read",
                                h5->path);
}

static nsds_status read_local(nsds_h5 *h5, nsds_problem_file *file, matrices *read) {
  int d = 3;
  if (find_local(h5) || nsds_h5_int(h5, "/fclib_local/spacedim", 2, 3, &d) ||
      read_matrices(h5, file, read))
    return h5->status;
  int m = read->W.nrow, p = read->R.nrow;
  file->kind = d == 2 ? "fc2d" : "fc3d";
  if (check_lengths(h5, d, m, p) || compose(h5, file, read)) return h5->status;
  h5->status = nsds_file_size(file, m + p, m / d + (p > 0));
  if (h5->status || read_blocks(h5, file, d, m / d, p) ||
      read_joined(h5, "/fclib_local/vectors", "q", m, "s", p, file->q))
    return h5->status;
  return read_points(h5, file, m, p);
}

nsds_status nsds_read_fclib(const char *path, nsds_problem_file *file) {
  nsds_h5 h5;
  matrices read = {0};
  if (!nsds_h5_open(file->context, path, &h5)) read_local(&h5, file, &read);
  nsds_triplets_release(file->context, &read.W);
  nsds_triplets_release(file->context, &read.V);
  nsds_triplets_release(file->context, &read.R);
  return nsds_h5_close(&h5);
}

#endif
