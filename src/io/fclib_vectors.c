/*
 * Vectors, contacts, the solution and guesses in the layout of FCLIB, see fclib.h.
 */
#include "io/fclib_vectors.h"

#include "base/context.h"
#include "io/fclib_matrix.h"
#include "io/hdf5_file.h"
#include "io/hdf5_read.h"
#include "io/text.h"
#include "io/write_text.h"

#include <stdio.h>

#define NAME(group, member) NSDS_FCLIB_NAME(group, member)

nsds_status nsds_fclib_read_joined(nsds_h5 *h5, const char *group, const char *first, int m,
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

/* ---- contacts ---- */

nsds_status nsds_fclib_open_group(nsds_h5 *h5, const char *name, nsds_fclib_group *group) {
  *group = (nsds_fclib_group){.name = name, .d = 3};
  group->rolling = nsds_h5_has(h5, NAME(name, "vectors/mu_r"));
  nsds_h5_int(h5, NAME(name, "spacedim"), 2 + group->rolling, group->rolling ? 5 : 3, &group->d);
  if (group->d == 4)
    nsds_h5_fail(h5, NAME(name, "spacedim"), "expected 3 or 5 with rolling, found 4");
  return h5->status;
}

static nsds_status read_coefficients(nsds_h5 *h5, const char *name, int contacts, double **mu) {
  nsds_h5_vector(h5, name, (size_t)contacts, mu);
  for (int c = 0; c < contacts && !h5->status; ++c)
    if ((*mu)[c] < 0.0)
      nsds_h5_fail(h5, name, "expected no negative coefficient, found %g at %d", (*mu)[c], c);
  return h5->status;
}

nsds_status nsds_fclib_read_contacts(nsds_h5 *h5, const nsds_fclib_group *group,
                                     nsds_problem_file *file, int contacts) {
  double *mu = NULL, *rolling = NULL;
  read_coefficients(h5, NAME(group->name, "vectors/mu"), contacts, &mu);
  if (group->rolling && !h5->status)
    read_coefficients(h5, NAME(group->name, "vectors/mu_r"), contacts, &rolling);
  for (int c = 0; c < contacts && !h5->status; ++c)
    file->block[c] = (nsds_block){.set = group->rolling ? NSDS_SET_ROLLING : NSDS_SET_COULOMB,
                                  .size = group->d,
                                  .mu = mu[c],
                                  .mu_rolling = rolling ? rolling[c] : 0.0};
  nsds_release(h5->context, mu);
  nsds_release(h5->context, rolling);
  return h5->status;
}

nsds_status nsds_fclib_put_contacts(nsds_h5 *h5, const char *vectors, const nsds_problem *problem) {
  size_t contacts = 0;
  bool is_rolling = nsds_first_contact(problem).set == NSDS_SET_ROLLING;
  double *mu = NSDS_NEW_ARRAY(h5->context, double, 2 * (size_t)problem->nblock);
  if (!mu) return h5->status = NSDS_ERROR_MEMORY;
  double *rolling = mu + problem->nblock;
  for (int a = 0; a < problem->nblock; ++a) {
    const nsds_block *block = &problem->block[a];
    if (block->size == 0 || block->set == NSDS_SET_EQUALITY) continue;
    mu[contacts] = block->mu;
    rolling[contacts++] = block->mu_rolling;
  }
  nsds_h5_put_reals(h5, NAME(vectors, "mu"), contacts, mu);
  if (is_rolling) nsds_h5_put_reals(h5, NAME(vectors, "mu_r"), contacts, rolling);
  nsds_release(h5->context, mu);
  return h5->status;
}

/* ---- solution and guesses ---- */

/* Reads `first` (m numbers), and `second` (p) or p zeros if it has no name. */
static double *read_pair(nsds_h5 *h5, const char *group, const char *first, int m,
                         const char *second, int p) {
  double *x = h5->status ? NULL : NSDS_NEW_ARRAY(h5->context, double, m + p);
  if (!x) {
    if (!h5->status) h5->status = NSDS_ERROR_MEMORY;
    return NULL;
  }
  nsds_fclib_read_joined(h5, group, first, m, second ? second : "", second ? p : 0, x);
  return x;
}

static nsds_status read_point(nsds_h5 *h5, const char *group, int nv, int m, int p,
                              nsds_stored_point *point) {
  double *v = NULL;
  if (h5->status || !nsds_h5_has(h5, NAME(group, "r"))) return h5->status;
  point->z = read_pair(h5, group, "r", m, "l", p);
  if (!h5->status && nsds_h5_has(h5, NAME(group, "u")))
    point->w = read_pair(h5, group, "u", m, NULL, p); /* zero in the equality rows */
  if (!h5->status && nv > 0 && nsds_h5_has(h5, NAME(group, "v")))
    nsds_h5_vector(h5, NAME(group, "v"), (size_t)nv, &v);
  point->v = v;
  return h5->status;
}

/* Checks that the announced guesses exist, before memory is taken for them. */
static nsds_status count_guesses(nsds_h5 *h5, int announced) {
  for (int k = 1; k <= announced && !h5->status; ++k) {
    char group[32];
    snprintf(group, sizeof group, "/guesses/%d", k);
    if (!nsds_h5_has(h5, NAME(group, "r")))
      nsds_h5_fail(h5, group, "expected %d guesses with a vector r, found %d", announced, k - 1);
  }
  return h5->status;
}

nsds_status nsds_fclib_read_points(nsds_h5 *h5, nsds_problem_file *file, int nv, int m, int p) {
  int announced = 0;
  read_point(h5, "/solution", nv, m, p, &file->solution);
  if (h5->status || !nsds_h5_has(h5, "/guesses")) return h5->status;
  nsds_h5_int(h5, "/guesses/number_of_guesses", 0, nsds_file_limit, &announced);
  if (h5->status || count_guesses(h5, announced)) return h5->status;
  file->guess = NSDS_NEW_ARRAY(h5->context, nsds_stored_point, announced);
  if (!file->guess) return h5->status = NSDS_ERROR_MEMORY;
  file->nguess = announced;
  for (int k = 0; k < announced && !h5->status; ++k) {
    char group[32];
    snprintf(group, sizeof group, "/guesses/%d", k + 1);
    read_point(h5, group, nv, m, p, &file->guess[k]);
  }
  return h5->status;
}

/* ---- writing ---- */

/* Writes `first`, m numbers, and `second`, p numbers, if it has a name. */
static void put_pair(nsds_h5 *h5, const char *group, const char *first, int m, const char *second,
                     int p, const double *z, const int *row, double *x) {
  for (int k = 0; k < m + p; ++k) x[k] = z[row ? row[k] : k];
  nsds_h5_put_reals(h5, NAME(group, first), (size_t)m, x);
  if (second && p > 0) nsds_h5_put_reals(h5, NAME(group, second), (size_t)p, x + m);
}

static void fclib_vectors_put_point(nsds_h5 *h5, const char *group, const nsds_stored_point *point,
                                    int nv, int m, int p, const int *row, double *x) {
  nsds_h5_put_group(h5, group);
  if (point->v && nv > 0) nsds_h5_put_reals(h5, NAME(group, "v"), (size_t)nv, point->v);
  put_pair(h5, group, "r", m, "l", p, point->z, row, x);
  if (point->w) put_pair(h5, group, "u", m, NULL, p, point->w, row, x);
}

nsds_status nsds_fclib_put_points(nsds_h5 *h5, const nsds_notes *notes, int nv, int m, int p,
                                  const int *row, double *x) {
  if (!notes || h5->status) return h5->status;
  if (notes->solution) fclib_vectors_put_point(h5, "/solution", notes->solution, nv, m, p, row, x);
  if (notes->nguess == 0) return h5->status;
  nsds_h5_put_group(h5, "/guesses");
  nsds_fclib_put_int(h5, "/guesses", "number_of_guesses", notes->nguess);
  for (int k = 0; k < notes->nguess && !h5->status; ++k) {
    char group[32];
    snprintf(group, sizeof group, "/guesses/%d", k + 1);
    fclib_vectors_put_point(h5, group, &notes->guess[k], nv, m, p, row, x);
  }
  return h5->status;
}
