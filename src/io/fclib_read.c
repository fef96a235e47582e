/*
 * Local friction problems of FCLIB (Acary, Bremond & Huber, "An introduction to FCLIB", 2014) in
 * HDF5:
 *
 *     /fclib_local/spacedim             2 or 3
 *     /fclib_local/W/{m, n, nz, nzmax, p, i, x}     m x n matrix; V and R alike, both or none
 *     /fclib_local/vectors/{q, mu, s}   s with V and R
 *     /fclib_local/vectors/mu_r         rolling friction; spacedim is then 3 or 5, and the group
 *                                       may be /fclib_local_rolling
 *     /solution/{u, r, l}, /guesses/number_of_guesses, /guesses/<1, 2, ...>/{u, r, l}   optional
 *
 *     u = W r + V l + q,   V^T r + R l + s = 0,   M = [W V; V^T R],   z = (r, l), q = (q, s)
 *
 * fclib_global.c reads global problems.
 */
#include "io/fclib_read.h"

#include "io/columns.h"
#include "io/fclib_global.h"
#include "io/fclib_matrix.h"
#include "io/fclib_vectors.h"
#include "io/hdf5_file.h"
#include "io/hdf5_read.h"
#include "io/problem_file.h"

#include <stdio.h>

#define NAME(group, member) NSDS_FCLIB_NAME(group, member)

/* ---- matrices ---- */

/* Adds the entries of `part`, with its first entry at (row, column), transposed on request. */
static void fclib_read_put_part(nsds_triplets *entries, const nsds_triplets *part, int row,
                                int column, bool transpose) {
  const int *i = transpose ? part->column : part->row, *j = transpose ? part->row : part->column;
  for (size_t k = 0; k < part->count; ++k, ++entries->count) {
    entries->row[entries->count] = row + i[k];
    entries->column[entries->count] = column + j[k];
    entries->x[entries->count] = part->x[k];
  }
}

/* W, V and R; V and R are empty if the file does not have them. */
typedef struct matrices {
  nsds_triplets W, V, R;
} matrices;

/* Composes M = [W V; V^T R]. */
static nsds_status compose(nsds_h5 *h5, const char *group, nsds_problem_file *file,
                           const matrices *read) {
  const nsds_triplets *W = &read->W, *V = &read->V, *R = &read->R;
  int m = W->nrow, n = m + R->nrow;
  nsds_triplets M;
  h5->status = nsds_triplets_create(h5->context, n, n, W->count + 2 * V->count + R->count, &M);
  if (!h5->status) {
    M.count = 0;
    fclib_read_put_part(&M, W, 0, 0, false);
    fclib_read_put_part(&M, V, 0, m, false);
    fclib_read_put_part(&M, V, m, 0, true);
    fclib_read_put_part(&M, R, m, m, false);
    nsds_status status = nsds_file_compress(file, &M);
    if (status == NSDS_ERROR_FORMAT)
      nsds_h5_fail(h5, group, "expected entries at one place with a finite sum");
    else h5->status = status;
  }
  nsds_triplets_release(h5->context, &M);
  return h5->status;
}

static nsds_status fclib_read_matrices(nsds_h5 *h5, const char *group, nsds_problem_file *file,
                                       matrices *read) {
  const char *unused;
  bool has_v = nsds_h5_has(h5, NAME(group, "V")), has_r = nsds_h5_has(h5, NAME(group, "R"));
  if (has_v != has_r)
    return nsds_h5_fail(h5, group, "expected both V and R or none, found %s", has_v ? "V" : "R");
  if (nsds_fclib_read_matrix(h5, NAME(group, "W"), -1, -1, &read->W, &file->storage) || !has_r)
    return h5->status;
  if (nsds_fclib_read_matrix(h5, NAME(group, "R"), -1, -1, &read->R, &unused)) return h5->status;
  return nsds_fclib_read_matrix(h5, NAME(group, "V"), read->W.nrow, read->R.nrow, &read->V,
                                &unused);
}

/* ---- vectors ---- */

static nsds_status check_lengths(nsds_h5 *h5, const nsds_fclib_group *group, int m, int p) {
  if (m % group->d != 0)
    return nsds_h5_fail(h5, NAME(group->name, "W/m"),
                        "expected a multiple of spacedim, %d, found %d", group->d, m);
  nsds_h5_length(h5, NAME(group->name, "vectors/q"), (size_t)m);
  nsds_h5_length(h5, NAME(group->name, "vectors/mu"), (size_t)(m / group->d));
  return p > 0 ? nsds_h5_length(h5, NAME(group->name, "vectors/s"), (size_t)p) : h5->status;
}

/* ---- the file ---- */

static nsds_status fclib_read_local(nsds_h5 *h5, const char *name, nsds_problem_file *file,
                                    matrices *read) {
  nsds_fclib_group group;
  if (nsds_fclib_open_group(h5, name, &group) || fclib_read_matrices(h5, name, file, read))
    return h5->status;
  int m = read->W.nrow, p = read->R.nrow, contacts = m / group.d;
  file->kind = nsds_friction_form(group.d, group.rolling);
  if (check_lengths(h5, &group, m, p) || compose(h5, name, file, read)) return h5->status;
  h5->status = nsds_file_size(file, m + p, contacts + (p > 0));
  if (h5->status || nsds_fclib_read_contacts(h5, &group, file, contacts) ||
      nsds_fclib_read_joined(h5, NAME(name, "vectors"), "q", m, "s", p, file->q))
    return h5->status;
  if (p > 0) file->block[contacts] = (nsds_block){.set = NSDS_SET_EQUALITY, .size = p};
  return nsds_fclib_read_points(h5, file, 0, m, p);
}

static nsds_status read_any(nsds_h5 *h5, nsds_problem_file *file, matrices *read) {
  static const char *const names[] = {"/fclib_local", "/fclib_local_rolling", "/fclib_global",
                                      "/fclib_global_rolling"};
  for (int k = 0; k < 4; ++k) {
    if (!nsds_h5_has(h5, names[k])) continue;
    return k < 2 ? fclib_read_local(h5, names[k], file, read)
                 : nsds_fclib_read_global(h5, names[k], file);
  }
  return nsds_h5_fail(h5, "/",
                      "expected the group fclib_local or fclib_global of a friction problem, or "
                      "one of these names with _rolling behind it");
}

nsds_status nsds_read_fclib(const char *name, const char *data, size_t size,
                            nsds_problem_file *file) {
  nsds_h5 h5;
  matrices read = {0};
  if (!nsds_h5_open(file->context, name, data, size, &h5)) read_any(&h5, file, &read);
  nsds_triplets_release(file->context, &read.W);
  nsds_triplets_release(file->context, &read.V);
  nsds_triplets_release(file->context, &read.R);
  return nsds_h5_close(&h5);
}
