/*
 * Global friction problems of FCLIB (Acary, Bremond & Huber, "An introduction to FCLIB", 2014):
 *
 *     /fclib_global/spacedim                 2 or 3
 *     /fclib_global/{M, H, G}                matrices, see fclib.h; G optional
 *     /fclib_global/vectors/{f, w, mu, b}    b with G
 *     /fclib_global/vectors/mu_r             rolling friction; spacedim is then 3 or 5, and the
 *                                            group may be /fclib_global_rolling
 *     /solution/{v, u, r, l} and guesses     optional, as in local problems
 *
 *     M v = H r + G l + f,   u = H^T v + w,   G^T v + b = 0
 */
#include "io/fclib_global.h"

#include "base/context.h"
#include "io/columns.h"
#include "io/fclib_matrix.h"
#include "io/fclib_vectors.h"
#include "io/hdf5_file.h"
#include "io/hdf5_read.h"
#include "io/write_text.h"

#define NAME(group, member) NSDS_FCLIB_NAME(group, member)

/* ---- reading ---- */

/* Arrays of a matrix to be filled, and the number of columns. */
typedef struct columns {
  int **p, **i;
  double **x;
  int *count;
} columns;

static nsds_status fclib_global_compress(nsds_h5 *h5, const char *group,
                                         const nsds_triplets *entries, columns into) {
  nsds_status status = nsds_compress(h5->context, entries, into.p, into.i, into.x);
  if (status == NSDS_ERROR_FORMAT)
    return nsds_h5_fail(h5, group, "expected entries at one place with a finite sum");
  return h5->status = status;
}

/* Reads H or G. `vector` has one entry for each column: its length is checked before memory is
 * taken. */
static nsds_status read_columns(nsds_h5 *h5, const char *group, const char *vector, int nrow,
                                columns into) {
  nsds_triplets entries = {0};
  const char *unused;
  if (!nsds_fclib_read_matrix(h5, group, nrow, -1, &entries, &unused) &&
      !nsds_h5_length(h5, vector, (size_t)entries.ncolumn))
    fclib_global_compress(h5, group, &entries, into);
  *into.count = entries.ncolumn;
  nsds_triplets_release(h5->context, &entries);
  return h5->status;
}

/* Returns 1 if all entries off the diagonal lie below it and there are some, -1 if above, 0
 * otherwise. */
static int triangle_of(const nsds_triplets *entries) {
  int side = 0;
  for (size_t k = 0; k < entries->count; ++k) {
    int here = (entries->row[k] > entries->column[k]) - (entries->row[k] < entries->column[k]);
    if (here == 0 || entries->x[k] == 0.0) continue;
    if (side == -here) return 0;
    side = here;
  }
  return side;
}

/* Copies the entries and adds mirror images of those off the diagonal. */
static nsds_status mirror(nsds_h5 *h5, const nsds_triplets *from, nsds_triplets *to) {
  h5->status = nsds_triplets_create(h5->context, from->nrow, from->ncolumn, 2 * from->count, to);
  if (h5->status) return h5->status;
  to->count = 0;
  for (size_t k = 0; k < from->count; ++k)
    for (int turned = 0; turned < 1 + (from->row[k] != from->column[k]); ++turned) {
      to->row[to->count] = turned ? from->column[k] : from->row[k];
      to->column[to->count] = turned ? from->row[k] : from->column[k];
      to->x[to->count++] = from->x[k];
    }
  return NSDS_OK;
}

/* Reads M, which is symmetric. If the file holds one triangle, as LMGC90 writes it, adds the
 * other. */
static nsds_status fclib_global_read_mass(nsds_h5 *h5, const char *group, const char *vector,
                                          nsds_problem_file *file, columns into) {
  nsds_triplets entries = {0}, whole = {0};
  if (!nsds_fclib_read_matrix(h5, group, -1, -1, &entries, &file->storage) &&
      !nsds_h5_length(h5, vector, (size_t)entries.ncolumn)) {
    int side = triangle_of(&entries);
    if (side != 0) {
      nsds_log(h5->context, NSDS_LOG_WARNING,
               "%s: %s: only the %s triangle is stored; taken as half of a symmetric matrix",
               h5->path, group, side > 0 ? "lower" : "upper");
      file->storage = "half triplet";
    }
    if (side == 0) fclib_global_compress(h5, group, &entries, into);
    else if (!mirror(h5, &entries, &whole)) fclib_global_compress(h5, group, &whole, into);
  }
  *into.count = entries.ncolumn;
  nsds_triplets_release(h5->context, &entries);
  nsds_triplets_release(h5->context, &whole);
  return h5->status;
}

static nsds_status fclib_global_read_matrices(nsds_h5 *h5, const char *name,
                                              nsds_problem_file *file) {
  nsds_global_problem *q = &file->global.shown;
  columns M = {&file->p, &file->i, &file->x, &q->nv};
  columns H = {&file->global.Hp, &file->global.Hi, &file->global.Hx, &q->n};
  columns G = {&file->global.Gp, &file->global.Gi, &file->global.Gx, &q->p};
  if (fclib_global_read_mass(h5, NAME(name, "M"), NAME(name, "vectors/f"), file, M) ||
      read_columns(h5, NAME(name, "H"), NAME(name, "vectors/w"), q->nv, H))
    return h5->status;
  if (nsds_h5_has(h5, NAME(name, "G")))
    read_columns(h5, NAME(name, "G"), NAME(name, "vectors/b"), q->nv, G);
  q->H = (nsds_csc){q->nv, q->n, *H.p, *H.i, *H.x};
  q->G = (nsds_csc){q->nv, q->p, *G.p, *G.i, *G.x};
  return h5->status;
}

static nsds_status fclib_global_read_vectors(nsds_h5 *h5, const char *name,
                                             nsds_problem_file *file) {
  nsds_global_problem *problem = &file->global.shown;
  nsds_h5_vector(h5, NAME(name, "vectors/f"), (size_t)problem->nv, &file->global.f);
  if (!h5->status) nsds_h5_vector(h5, NAME(name, "vectors/w"), (size_t)problem->n, &file->global.w);
  if (!h5->status && problem->p > 0)
    nsds_h5_vector(h5, NAME(name, "vectors/b"), (size_t)problem->p, &file->global.b);
  problem->f = file->global.f;
  problem->w = file->global.w;
  problem->b = file->global.b;
  return h5->status;
}

nsds_status nsds_fclib_read_global(nsds_h5 *h5, const char *name, nsds_problem_file *file) {
  nsds_global_problem *problem = &file->global.shown;
  nsds_fclib_group group;
  if (nsds_fclib_open_group(h5, name, &group) || fclib_global_read_matrices(h5, name, file))
    return h5->status;
  if (problem->n % group.d != 0)
    return nsds_h5_fail(h5, NAME(name, "H/n"), "expected a multiple of spacedim, %d, found %d",
                        group.d, problem->n);
  int contacts = problem->n / group.d;
  if (nsds_h5_length(h5, NAME(name, "vectors/mu"), (size_t)contacts) ||
      fclib_global_read_vectors(h5, name, file))
    return h5->status;
  file->kind = group.rolling ? "global rolling friction" : "global friction";
  file->block = NSDS_NEW_ARRAY(h5->context, nsds_block, contacts);
  if (!file->block) return h5->status = NSDS_ERROR_MEMORY;
  problem->nblock = contacts;
  problem->block = file->block;
  if (nsds_fclib_read_contacts(h5, &group, file, contacts)) return h5->status;
  return nsds_fclib_read_points(h5, file, problem->nv, problem->n, problem->p);
}

/* ---- writing ---- */

static const char wanted[] = "COULOMB blocks of one size, 2 or 3, or ROLLING ones, 3 or 5";

static nsds_status fclib_global_put_vectors(nsds_h5 *h5, const char *name,
                                            const nsds_global_problem *problem) {
  nsds_problem blocks = nsds_blocks_of(problem);
  nsds_h5_put_group(h5, NAME(name, "vectors"));
  nsds_h5_put_reals(h5, NAME(name, "vectors/f"), (size_t)problem->nv, problem->f);
  nsds_h5_put_reals(h5, NAME(name, "vectors/w"), (size_t)problem->n, problem->w);
  if (!h5->status) nsds_fclib_put_contacts(h5, NAME(name, "vectors"), &blocks);
  if (problem->p > 0)
    nsds_h5_put_reals(h5, NAME(name, "vectors/b"), (size_t)problem->p, problem->b);
  return h5->status;
}

static nsds_status fclib_global_put_sparse(nsds_h5 *h5, const char *group, const nsds_csc *A,
                                           int nrow) {
  static const int no_columns[1] = {0};
  return nsds_fclib_put_matrix(h5, group, nrow, A->ncol, A->ncol > 0 ? A->p : no_columns, A->i,
                               A->x);
}

static nsds_status fclib_global_put_problem(nsds_h5 *h5, const nsds_global_problem *problem,
                                            const nsds_columns *M) {
  nsds_problem blocks = nsds_blocks_of(problem);
  nsds_block first = nsds_first_contact(&blocks);
  const char *name = first.set == NSDS_SET_ROLLING ? "/fclib_global_rolling" : "/fclib_global";
  nsds_h5_put_group(h5, name);
  nsds_fclib_put_int(h5, name, "spacedim", first.size);
  nsds_fclib_put_matrix(h5, NAME(name, "M"), problem->nv, problem->nv, M->p, M->i, M->x);
  fclib_global_put_sparse(h5, NAME(name, "H"), &problem->H, problem->nv);
  if (problem->p > 0) fclib_global_put_sparse(h5, NAME(name, "G"), &problem->G, problem->nv);
  return h5->status ? h5->status : fclib_global_put_vectors(h5, name, problem);
}

nsds_status nsds_write_fclib_global(nsds_context *context, const nsds_global_problem *problem,
                                    const nsds_notes *notes, const char *path) {
  nsds_problem blocks = nsds_blocks_of(problem), mass = {.n = problem->nv, .M = problem->M};
  nsds_columns M = {0};
  nsds_h5 h5;
  nsds_block first = nsds_first_contact(&blocks);
  for (int a = 0; a < problem->nblock; ++a)
    if (!nsds_same_contact(&problem->block[a], &first))
      return nsds_refuse_block(context, &blocks, a, path, NSDS_FORMAT_FCLIB, wanted);
  nsds_status status = nsds_columns_of(context, &mass, &M);
  double *point = status ? NULL : NSDS_NEW_ARRAY(context, double, problem->n + problem->p);
  if (!status && !point) status = NSDS_ERROR_MEMORY;
  if (!status) {
    if (!nsds_h5_create(context, path, &h5) && !fclib_global_put_problem(&h5, problem, &M))
      nsds_fclib_put_points(&h5, notes, problem->nv, problem->n, problem->p, NULL, point);
    status = nsds_h5_close(&h5);
  }
  nsds_release(context, point);
  nsds_columns_release(context, &M);
  return status;
}
