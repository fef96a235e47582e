/*
 * The public calls of worlds: checks of the definition, creation, reads.
 */
#include "mpi/world.h"

#include <math.h>
#include <nsds/extend.h>
#include <stdlib.h>
#include <string.h>

enum { most_sweeps = 1000 };
static const double default_tolerance = 1e-10;

/* ---- checks ---- */

static nsds_status refuse_world(nsds_mpi *mpi, nsds_status status, const char *what, double value,
                                const char *valid) {
  return nsds_report(mpi->context, status, "nsds_mpi_world_create: def.%s is %g; %s", what, value,
                     valid);
}

static nsds_status check_numbers_of_def(nsds_mpi *mpi, const nsds_mpi_world_def *def) {
  for (int k = 0; k < NSDS_RESERVED - 1; ++k)
    if (def->reserved[k])
      return nsds_report(
          mpi->context, NSDS_ERROR_ARGUMENT,
          "nsds_mpi_world_create: def.reserved[%d] is not zero; the library is older "
          "than the headers of the program",
          k);
  if (!(def->h > 0.0 && isfinite(def->h)))
    return refuse_world(mpi, NSDS_ERROR_VALUE, "h", def->h, "it must be positive");
  if (!isfinite(def->t0))
    return refuse_world(mpi, NSDS_ERROR_VALUE, "t0", def->t0, "it must be finite");
  if (!(def->reach >= 0.0 && isfinite(def->reach)))
    return refuse_world(mpi, NSDS_ERROR_VALUE, "reach", def->reach, "it must not be negative");
  if (!(def->skin >= 0.0 && isfinite(def->skin)))
    return refuse_world(mpi, NSDS_ERROR_VALUE, "skin", def->skin, "it must not be negative");
  if (!(def->tolerance >= 0.0 && def->tolerance < 1.0))
    return refuse_world(mpi, NSDS_ERROR_VALUE, "tolerance", def->tolerance,
                        "it must be at least 0 and below 1");
  if (def->overlap_sweeps < 0 || def->overlap_sweeps > most_sweeps)
    return refuse_world(mpi, NSDS_ERROR_VALUE, "overlap_sweeps", def->overlap_sweeps,
                        "it must be from 0 to 1000");
  if (def->max_iterations < 0)
    return refuse_world(mpi, NSDS_ERROR_VALUE, "max_iterations", def->max_iterations,
                        "it must not be negative");
  return NSDS_OK;
}

static nsds_status check_tables(nsds_mpi *mpi, const nsds_mpi_world_def *def) {
  if (def->nmaterial < 1 || def->nmaterial > 256 || !def->material)
    return refuse_world(mpi, NSDS_ERROR_ARGUMENT, "nmaterial", def->nmaterial,
                        "give 1 to 256 materials");
  for (int k = 0; k < def->nmaterial; ++k)
    if (def->material[k].mu_rolling != 0.0)
      return nsds_report(mpi->context, NSDS_ERROR_UNSUPPORTED,
                         "nsds_mpi_world_create: def.material[%d].mu_rolling is %g; worlds have no "
                         "rolling friction, give 0",
                         k, def->material[k].mu_rolling);
  if (def->nkind < 1 || !def->kind)
    return refuse_world(mpi, NSDS_ERROR_ARGUMENT, "nkind", def->nkind, "give at least one kind");
  if (def->nbody < 0 || (def->nbody > 0 && !def->body))
    return refuse_world(mpi, NSDS_ERROR_ARGUMENT, "nbody", def->nbody,
                        "give this number of bodies, or 0");
  return NSDS_OK;
}

static nsds_status check_world_body(nsds_mpi *mpi, const nsds_mpi_world_def *def, int k) {
  const nsds_mpi_body *b = &def->body[k];
  const char *field = NULL;
  double value = 0.0;
  if (b->id < 0 || b->id >= NSDS_MPI_BODIES) field = "id", value = (double)b->id;
  if (b->kind < 0 || b->kind >= def->nkind) field = "kind", value = b->kind;
  if (!(b->size >= 0.0 && isfinite(b->size))) field = "size", value = b->size;
  for (int i = 0; i < 7; ++i)
    if (!isfinite(b->q[i])) field = "q", value = b->q[i];
  for (int i = 0; i < 6; ++i)
    if (!isfinite(b->v[i])) field = "v", value = b->v[i];
  if (!field) return NSDS_OK;
  return nsds_report(
      mpi->context, NSDS_ERROR_VALUE,
      "nsds_mpi_world_create: def.body[%d].%s has %g; valid are identifiers from 0 to "
      "%d, kinds below %d, sizes >= 0 and finite states",
      k, field, value, NSDS_MPI_BODIES - 1, def->nkind);
}

static nsds_status check_world_def(nsds_mpi *mpi, const nsds_mpi_world_def *def) {
  if (!def)
    return nsds_report(mpi->context, NSDS_ERROR_ARGUMENT, "nsds_mpi_world_create: def is NULL");
  nsds_status status = check_numbers_of_def(mpi, def);
  if (!status) status = check_tables(mpi, def);
  for (int k = 0; !status && k < def->nbody; ++k) status = check_world_body(mpi, def, k);
  return status;
}

/* Checks that all processes give the same numbers. */
static nsds_status check_same_def(nsds_mpi *mpi, const nsds_mpi_world_def *def) {
  enum { count = 14 };
  static const char *const field[count] = {
      "t0",    "h",     "gravity", "gravity",   "gravity",      "nmaterial", "mix",
      "nkind", "reach", "skin",    "tolerance", "reproducible", "leads_out", "overlap_sweeps"};
  const double value[count] = {def->t0,         def->h,
                               def->gravity[0], def->gravity[1],
                               def->gravity[2], def->nmaterial,
                               def->mix,        def->nkind,
                               def->reach,      def->skin,
                               def->tolerance,  def->reproducible,
                               def->leads_out,  def->overlap_sweeps};
  double ends[2 * count];
  for (int k = 0; k < count; ++k) ends[k] = value[k], ends[count + k] = -value[k];
  nsds_mpi_most(mpi, 2 * count, ends);
  for (int k = 0; k < count; ++k)
    if (ends[k] != -ends[count + k])
      return nsds_report(
          mpi->context, NSDS_ERROR_ARGUMENT,
          "nsds_mpi_world_create: def.%s is %g on one process and %g on another; give "
          "the same",
          field[k], -ends[count + k], ends[k]);
  return NSDS_OK;
}

static int compare_ids(const void *a, const void *b) {
  long long x = *(const long long *)a, y = *(const long long *)b;
  return (x > y) - (x < y);
}

/* Identifiers meet at the rank id mod P. */
static nsds_status check_different_ids(nsds_mpi *mpi, const nsds_member *own, int nown) {
  int total = 0, *count = nsds_mpi_indices(mpi, 3 * (size_t)mpi->size);
  long long *sorted = nsds_alloc(mpi->context, "identifiers", (size_t)nown + 1, sizeof *sorted);
  nsds_status status = nsds_mpi_agree(mpi, count && sorted ? NSDS_OK : NSDS_ERROR_MEMORY);
  if (!status) {
    int *place = count + mpi->size, *from = place + mpi->size;
    for (int k = 0; k < nown; ++k) ++count[own[k].body.id % mpi->size];
    for (int r = 1; r < mpi->size; ++r) place[r] = place[r - 1] + count[r - 1];
    for (int k = 0; k < nown; ++k) sorted[place[own[k].body.id % mpi->size]++] = own[k].body.id;
    long long *met = nsds_mpi_swap(mpi, sizeof *met, sorted, count, from, &total);
    if (!met) status = NSDS_ERROR_MEMORY;
    else qsort(met, (size_t)total, sizeof *met, compare_ids);
    for (int k = 1; met && !status && k < total; ++k)
      if (met[k] == met[k - 1])
        status =
            nsds_report(mpi->context, NSDS_ERROR_VALUE,
                        "nsds_mpi_world_create: two bodies have the identifier %lld; give each "
                        "body its own",
                        met[k]);
    nsds_free(met);
    status = nsds_mpi_agree(mpi, status);
  }
  nsds_free(count), nsds_free(sorted);
  return status;
}

/* ---- creation ---- */

static int compare_bodies(const void *a, const void *b) {
  return compare_ids(&((const nsds_member *)a)->body.id, &((const nsds_member *)b)->body.id);
}

static void take_bodies(nsds_mpi_world *w, const nsds_mpi_world_def *def, nsds_member *own) {
  for (int k = 0; k < def->nbody; ++k) {
    nsds_mpi_body *b = &own[k].body;
    own[k] = (nsds_member){.body = def->body[k], .owner = w->mpi->rank, .weight = 1.0};
    if (b->size == 0.0) b->size = 1.0;
    if (b->q[3] == 0.0 && b->q[4] == 0.0 && b->q[5] == 0.0 && b->q[6] == 0.0) b->q[3] = 1.0;
    own[k].around = b->size * nsds_world_around(&w->def.kind[b->kind]);
  }
  qsort(own, (size_t)def->nbody, sizeof *own, compare_bodies);
}

static nsds_status start_world(nsds_mpi_world *w, const nsds_mpi_world_def *def) {
  nsds_mpi *mpi = w->mpi;
  nsds_status status = nsds_mpi_agree(mpi, nsds_world_copy_kinds(w, def));
  nsds_member *own =
      status ? NULL : nsds_alloc(mpi->context, "bodies", (size_t)def->nbody + 1, sizeof *own);
  if (!status) status = nsds_mpi_agree(mpi, own ? NSDS_OK : NSDS_ERROR_MEMORY);
  double largest = 0.0;
  if (!status && own) {
    take_bodies(w, def, own);
    for (int k = 0; k < def->nbody; ++k) largest = fmax(largest, own[k].around);
    status = check_different_ids(mpi, own, def->nbody);
  }
  if (!status) {
    nsds_mpi_most(mpi, 1, &largest);
    w->reach = def->reach > 0.0 ? def->reach : largest > 0.0 ? 0.1 * largest : 1.0;
    if (w->def.skin == 0.0) w->def.skin = 2.0 * w->reach;
    if (w->def.tolerance == 0.0) w->def.tolerance = default_tolerance;
    status = nsds_world_renew(w, own, def->nbody);
  }
  nsds_free(own);
  return status;
}

nsds_mpi_world *nsds_mpi_world_create(nsds_mpi *mpi, const nsds_mpi_world_def *def) {
  if (!mpi) {
    nsds_report(NULL, NSDS_ERROR_ARGUMENT, "nsds_mpi_world_create: mpi is NULL");
    return NULL;
  }
  nsds_status status = nsds_mpi_agree(mpi, check_world_def(mpi, def));
  if (!status) status = nsds_mpi_agree(mpi, check_same_def(mpi, def));
  if (status) return NULL;
  nsds_mpi_world *w = nsds_alloc(mpi->context, "a world", 1, sizeof *w);
  status = nsds_mpi_agree(mpi, w ? NSDS_OK : NSDS_ERROR_MEMORY);
  if (status || !w) {
    nsds_free(w);
    return NULL;
  }
  w->mpi = mpi;
  w->def = *def;
  w->def.kind = NULL, w->def.material = NULL, w->def.body = NULL;
  w->t = def->t0;
  if (!start_world(w, def)) return w;
  nsds_mpi_world_destroy(w);
  return NULL;
}

void nsds_mpi_world_destroy(nsds_mpi_world *w) {
  if (!w) return;
  nsds_here_destroy(w->here);
  nsds_world_free_kinds(w);
  nsds_world_free_part(w);
  nsds_free(w->touch);
  nsds_free(w);
}

/* ---- steps and reads ---- */

nsds_status nsds_mpi_world_step(nsds_mpi_world *w) {
  if (!w) return nsds_report(NULL, NSDS_ERROR_ARGUMENT, "nsds_mpi_world_step: world is NULL");
  return nsds_world_take_step(w);
}

double nsds_mpi_world_time(const nsds_mpi_world *w) { return w ? w->t : NAN; }

const nsds_mpi_world_info *nsds_mpi_world_report(const nsds_mpi_world *w) {
  return w ? &w->info : NULL;
}

int nsds_mpi_world_count(const nsds_mpi_world *w) { return w ? w->here->nown : 0; }

nsds_status nsds_mpi_world_body(const nsds_mpi_world *w, int k, nsds_mpi_body *body) {
  if (!w || !body || k < 0 || k >= w->here->nown)
    return nsds_report(w ? w->mpi->context : NULL, NSDS_ERROR_ARGUMENT,
                       "nsds_mpi_world_body: %s; valid are bodies from 0 to %d",
                       !w      ? "world is NULL"
                       : !body ? "body is NULL"
                               : "there is no such body",
                       w ? w->here->nown - 1 : -1);
  const nsds_here *here = w->here;
  int at = here->own[k];
  *body = here->member[at].body;
  memcpy(body->q, nsds_q(here->ds[here->nscenery + at]), sizeof body->q);
  memcpy(body->v, nsds_v(here->ds[here->nscenery + at]), sizeof body->v);
  return NSDS_OK;
}

const nsds_model *nsds_mpi_world_model(const nsds_mpi_world *w) {
  return w && w->here->simulation ? w->here->model : NULL;
}
