/*
 * Leads bodies of a world out of overlap, as the serial library does (kernel/assembly/overlap_correction.c):
 *
 *     any        no process has an overlap to correct: nothing is sent
 *     gather     normal rows of all contacts, and the bodies that they move, go to the first process
 *     islands    bodies connected by closed contacts; each has the energy that its contacts have taken
 *     rows       few are solved, many get some sweeps, in the order of the identifiers of their bodies
 *     pay        each island goes as far as its energy leads
 *     back       displacements go to the owners of bodies, then to their copies
 *
 * So the bits do not depend on the number of processes. The first process has memory for all closed
 * contacts of a step with overlap.
 */
#include "mpi/world.h"
#include "numerics/sweeps/overlap_rows.h"

#include <math.h>
#include <nsds/extend_step.h>
#include <stdlib.h>
#include <string.h>

enum { velocities = NSDS_STEP_VELOCITIES, default_sweeps = 8, bodies_of_row = 2 };

/* Fractions of the overlap that stays, and of progress, as of the serial library. */
static const double left_alone = 0.1, least_left = 0.003, least_progress = 0.1;

/* A row that goes to the first process. `body`: an identifier, -1: none, -2 - s: body s of the scenery. */
typedef struct sent_row {
  nsds_touch touch; /* names the contact; z is not used */
  long long body[2];
  double before; /* normal impulse of the step before */
  nsds_step_gap gap;
} sent_row;

/* A body that goes to the first process. */
typedef struct sent_body {
  long long id;
  double force[velocities]; /* impulse of the step without reactions */
  double idle;              /* energy that forces alone give */
} sent_body;

/* The displacement of a body, which comes back. */
typedef struct sent_way {
  double way[velocities];
} sent_way;

/* Gaps that a process finds in its own model. */
typedef struct local_gaps {
  nsds_step_gap *gap;
  int count;
  unsigned char *moves; /* by members: own and in a row */
  sent_row *row;
  sent_body *body;
  int nrow, nbody;
  bool any; /* overlap to correct */
} local_gaps;

/* ---- rows of a process ---- */

static nsds_status list_local_gaps(nsds_mpi_world *w, local_gaps *l) {
  nsds_simulation *sim = w->here->simulation;
  nsds_context *context = w->mpi->context;
  nsds_status status = sim ? nsds_step_gaps(sim, 0, NULL, &l->count) : NSDS_OK;
  if (status) return status;
  l->gap = nsds_alloc(context, "gaps of a world", (size_t)l->count + 1, sizeof *l->gap);
  l->moves = nsds_alloc(context, "bodies in rows", (size_t)w->here->nmember + 1, 1);
  if (!l->gap || !l->moves) return NSDS_ERROR_MEMORY;
  return sim ? nsds_step_gaps(sim, l->count, l->gap, &l->count) : NSDS_OK;
}

/* Writes the members of a row, the first body of the world first; -1: scenery. */
static void members_of(const nsds_here *here, const nsds_step_gap *gap, int member[2]) {
  int e = gap->body[0] < here->nscenery;
  member[0] = gap->body[e] - here->nscenery;
  member[1] = gap->body[1 - e] < here->nscenery ? -1 : gap->body[1 - e] - here->nscenery;
}

static bool is_own_gap(const nsds_here *here, const nsds_step_gap *gap) {
  int member[2];
  members_of(here, gap, member);
  return nsds_is_own(here, member[0]);
}

/* Returns M of a row, over the bodies that may move. */
static double gap_entry(const nsds_step_gap *gap) {
  double sum = 0.0;
  for (int e = 0; e < bodies_of_row; ++e)
    for (int k = 0; k < velocities; ++k) sum += gap->H[e][k] * gap->Y[e][k];
  return sum;
}

/* Returns b of a row, of which the fraction `left` stays. */
static double gap_excess(const sent_row *row, double h, double left, double M, bool solves) {
  const nsds_step_gap *gap = &row->gap;
  double load = fmin(M * row->before + gap->driven, M * gap->impulse);
  double more = gap->overlap - left * h * (gap->driven + load);
  return solves && gap->overlap > 0.0 ? fmax(more, 0.0) : more;
}

/* Names a body for all processes. */
static long long world_name_of(const nsds_here *here, int body) {
  if (body < 0) return -1;
  if (body < here->nscenery) return -2 - (long long)body;
  return here->member[body - here->nscenery].body.id;
}

/* Collects the rows that this process owns. Models that are new do not know the impulses before. */
static void collect_rows(const nsds_mpi_world *w, local_gaps *l) {
  const nsds_here *here = w->here;
  for (int k = 0; k < l->count; ++k) {
    const nsds_step_gap *gap = &l->gap[k];
    int member[2];
    members_of(here, gap, member);
    for (int e = 0; e < bodies_of_row; ++e)
      if (member[e] >= 0 && nsds_is_own(here, member[e])) l->moves[member[e]] = 1;
    if (!nsds_is_own(here, member[0])) continue;
    sent_row *row = &l->row[l->nrow++];
    int place = gap->row < 0 ? -1 : w->part.place[gap->row];
    *row =
        (sent_row){.body = {world_name_of(here, gap->body[0]), world_name_of(here, gap->body[1])},
                   .before = gap->before,
                   .gap = *gap};
    if (here->fresh) row->before = place < 0 ? 0.0 : w->part.before[place];
    row->touch.a = here->member[member[0]].body.id;
    row->touch.b = member[1] < 0 ? -1 : here->member[member[1]].body.id;
    row->touch.key = (uint64_t)k; /* of two bodies: in the order of this process */
    double M = gap_entry(gap);
    double b = M > 0.0 ? gap_excess(row, w->def.h, left_alone, M, false) : 0.0;
    l->any = l->any || (gap->row >= 0 && b > 0.0 && isfinite(b));
  }
}

/* Collects the own bodies that rows move, with f h = M (v_free - v). */
static void collect_bodies(const nsds_mpi_world *w, local_gaps *l) {
  const nsds_here *here = w->here;
  for (int k = 0; k < here->nmember; ++k) {
    const nsds_mpi_body *b = &here->member[k].body;
    const nsds_mpi_kind *kind = &w->def.kind[b->kind];
    const double *v = nsds_v(here->ds[here->nscenery + k]);
    const double *free = w->part.free + velocities * (ptrdiff_t)k;
    double s = b->size, change[velocities];
    if (!l->moves[k]) continue;
    sent_body *to = &l->body[l->nbody++];
    *to = (sent_body){.id = b->id};
    for (int c = 0; c < velocities; ++c) change[c] = free[c] - v[c];
    for (int i = 0; i < 3; ++i) {
      to->force[i] = kind->mass * s * s * s * change[i];
      for (int j = 0; j < 3; ++j)
        to->force[3 + i] += kind->inertia[i + 3 * j] * s * s * s * s * s * change[3 + j];
    }
    for (int c = 0; c < velocities; ++c) to->idle += 0.5 * to->force[c] * change[c];
  }
}

static nsds_status find_local_gaps(nsds_mpi_world *w, local_gaps *l) {
  nsds_context *context = w->mpi->context;
  nsds_status status = list_local_gaps(w, l);
  if (status) return status;
  int rows = 0;
  for (int k = 0; k < l->count; ++k) rows += is_own_gap(w->here, &l->gap[k]);
  l->row = nsds_alloc(context, "rows of overlap", (size_t)rows + 1, sizeof *l->row);
  l->body = nsds_alloc(context, "bodies in rows", (size_t)w->here->nown + 1, sizeof *l->body);
  if (!l->row || !l->body) return NSDS_ERROR_MEMORY;
  collect_rows(w, l);
  collect_bodies(w, l);
  return NSDS_OK;
}

/* ---- the first process ---- */

typedef struct whole_overlap {
  const nsds_mpi_world *w;
  sent_row *row;
  int nrow;
  const sent_body *body; /* as they came */
  int nbody, nscenery;
  int *order;  /* of bodies, by identifiers */
  int *island; /* of bodies in this order, then of the scenery */
  double *paid, *left, *rise;
  nsds_overlap_row *packed;
  double *number, *vector, *way;
  bool solves;
} whole_overlap;

static int compare_sent_rows(const void *a, const void *b) {
  return nsds_compare_touches(&((const sent_row *)a)->touch, &((const sent_row *)b)->touch);
}

typedef struct placed {
  long long id;
  int at;
} placed;

static int compare_placed(const void *a, const void *b) {
  long long x = ((const placed *)a)->id, y = ((const placed *)b)->id;
  return (x > y) - (x < y);
}

/* Returns the place of a named body; -1: none. */
static int place_named(const whole_overlap *o, const placed *list, long long name) {
  if (name == -1) return -1;
  if (name < 0) return o->nbody + (int)(-2 - name);
  const placed key = {.id = name};
  const placed *at = bsearch(&key, list, (size_t)o->nbody, sizeof *list, compare_placed);
  return at ? (int)(at - list) : -1;
}

static int find_island(int *island, int k) {
  while (island[k] != k) k = island[k] = island[island[k]];
  return k;
}

/* Returns a body of the row that may move; -1: none. */
static int mover_of_row(const sent_row *row) {
  for (int e = 0; e < bodies_of_row; ++e)
    if (row->body[e] >= 0 && !row->gap.held[e]) return (int)row->body[e];
  return -1;
}

/* Computes the energy that contacts of each island have taken. Returns true if some is positive. */
static bool sum_taken(whole_overlap *o) {
  int nodes = o->nbody + o->nscenery;
  bool any = false;
  for (int k = 0; k < nodes; ++k) o->island[k] = k, o->paid[k] = o->left[k] = 0.0;
  for (int r = 0; r < o->nrow; ++r) {
    const sent_row *row = &o->row[r];
    if (row->gap.row < 0 || row->body[0] < 0 || row->body[1] < 0) continue;
    if (row->gap.held[0] || row->gap.held[1]) continue;
    int s = find_island(o->island, (int)row->body[0]);
    int t = find_island(o->island, (int)row->body[1]);
    if (s < t) o->island[t] = s;
    else o->island[s] = t;
  }
  for (int r = 0; r < o->nrow; ++r) {
    int mover = mover_of_row(&o->row[r]);
    if (mover >= 0) o->paid[find_island(o->island, mover)] += o->row[r].gap.taken;
  }
  for (int k = 0; k < o->nbody; ++k)
    o->left[find_island(o->island, k)] += o->body[o->order[k]].idle;
  for (int k = 0; k < nodes; ++k) any = any || o->paid[k] > 0.0;
  return any;
}

/* Computes the fraction of the overlap that stays in each island. */
static void find_left_of_islands(whole_overlap *o) {
  for (int k = 0; k < o->nbody + o->nscenery; ++k) {
    double part = o->solves && o->paid[k] > o->left[k] ? o->left[k] / o->paid[k] : 1.0;
    o->left[k] = fmax(left_alone * part, least_left);
  }
}

/* Packs the rows of closed contacts, and of open ones if the problem is solved. */
static int pack_gaps(whole_overlap *o) {
  double *x = o->number;
  int n = 0;
  for (int r = 0; r < o->nrow; ++r) {
    const sent_row *row = &o->row[r];
    int mover = mover_of_row(row);
    bool closed = row->gap.row >= 0;
    if (!closed && !o->solves) continue;
    double left = o->solves && mover >= 0 ? o->left[find_island(o->island, mover)] : left_alone;
    double M = gap_entry(&row->gap), b = gap_excess(row, o->w->def.h, left, M, o->solves);
    if (!(M > 0.0) || !isfinite(b)) continue;
    nsds_overlap_row *to = &o->packed[n++];
    *to = (nsds_overlap_row){
        .M = M, .b = closed ? b : fmin(b, 0.0), .first = (size_t)(x - o->number)};
    for (int e = 0; e < bodies_of_row; ++e) {
      bool moves = row->body[e] >= 0 && row->body[e] < o->nbody && !row->gap.held[e];
      to->column[e] = moves ? velocities * (int)row->body[e] : 0;
      to->size[e] = moves ? velocities : 0;
      memcpy(x, row->gap.H[e], (size_t)to->size[e] * sizeof *x);
      x += to->size[e];
    }
    for (int e = 0; e < bodies_of_row; ++e) {
      memcpy(x, row->gap.Y[e], (size_t)to->size[e] * sizeof *x);
      x += to->size[e];
    }
  }
  return n;
}

/* Keeps the bodies in place that walls squeeze. */
static void hold_pinched(whole_overlap *o, const nsds_overlap_rows *rows) {
  double *progress = o->rise;
  for (int k = 0; k < o->nbody; ++k) progress[k] = 0.0;
  for (int r = 0; r < rows->n; ++r) {
    const nsds_overlap_row *row = &rows->row[r];
    for (int e = 0; e < bodies_of_row && row->b > 0.0; ++e)
      if (row->size[e] > 0)
        progress[row->column[e] / velocities] += row->b * (row->z - least_progress * row->b);
  }
  for (int k = 0; k < velocities * o->nbody; ++k)
    if (progress[k / velocities] < 0.0) o->way[k] = 0.0;
}

/* Shortens the displacements of each island by the part that its energy pays for. */
static void pay_by_islands(whole_overlap *o) {
  double *rise = o->rise, h = o->w->def.h;
  for (int k = 0; k < o->nbody + o->nscenery; ++k) rise[k] = 0.0;
  for (int k = 0; k < o->nbody; ++k)
    for (int c = 0; c < velocities; ++c)
      rise[find_island(o->island, k)] -=
          o->body[o->order[k]].force[c] * o->way[velocities * k + c] / h;
  for (int k = 0; k < o->nbody; ++k) {
    int i = find_island(o->island, k);
    double paid = fmax(o->paid[i], 0.0);
    double part = paid == 0.0 ? 0.0 : rise[i] > paid ? paid / rise[i] : 1.0;
    for (int c = 0; part < 1.0 && c < velocities; ++c) o->way[velocities * k + c] *= part;
  }
}

/* Finds the displacements of all bodies, in the order of identifiers. */
static void lead_out(whole_overlap *o, int sweeps) {
  if (!sum_taken(o)) return;
  find_left_of_islands(o);
  int n = pack_gaps(o);
  nsds_overlap_rows rows = {n, o->packed, o->number, NULL, o->way, velocities * (size_t)o->nbody};
  if (o->solves && n <= nsds_most_overlaps_solved) {
    nsds_overlap_solve(&rows, o->vector);
    hold_pinched(o, &rows);
  } else nsds_overlap_sweep(&rows, sweeps == 0 ? default_sweeps : sweeps);
  pay_by_islands(o);
}

/* Puts rows and bodies in the order of identifiers. Names of bodies become places. */
static void put_rows_in_order(whole_overlap *o, placed *list) {
  for (int k = 0; k < o->nbody; ++k) list[k] = (placed){o->body[k].id, k};
  qsort(list, (size_t)o->nbody, sizeof *list, compare_placed);
  for (int k = 0; k < o->nbody; ++k) o->order[k] = list[k].at;
  qsort(o->row, (size_t)o->nrow, sizeof *o->row, compare_sent_rows);
  for (int r = 0; r < o->nrow; ++r)
    for (int e = 0; e < bodies_of_row; ++e)
      o->row[r].body[e] = place_named(o, list, o->row[r].body[e]);
}

/* Writes the displacements of all bodies, in the order in which these came. */
static nsds_status lead_all_out(whole_overlap *o, sent_way *way) {
  nsds_context *context = o->w->mpi->context;
  size_t n = (size_t)o->nbody, nodes = n + (size_t)o->nscenery + 1, rows = (size_t)o->nrow + 1;
  size_t solved = rows < nsds_most_overlaps_solved ? rows : nsds_most_overlaps_solved;
  size_t numbers =
      3 * nodes + 4 * velocities * rows + nsds_overlap_vectors * solved + velocities * n;
  placed *list = nsds_alloc(context, "bodies in rows", n + 1, sizeof *list);
  int *index = nsds_mpi_indices(o->w->mpi, n + nodes);
  double *x = nsds_mpi_numbers(o->w->mpi, numbers);
  o->packed = nsds_alloc(context, "rows of overlap", rows, sizeof *o->packed);
  bool there = list && index && x && o->packed;
  if (there) {
    o->order = index, o->island = index + n;
    o->paid = x, o->left = o->paid + nodes, o->rise = o->left + nodes;
    o->number = o->rise + nodes, o->vector = o->number + 4 * velocities * rows;
    o->way = o->vector + nsds_overlap_vectors * solved;
    put_rows_in_order(o, list);
    lead_out(o, o->w->def.overlap_sweeps);
    for (int k = 0; k < o->nbody; ++k)
      memcpy(way[o->order[k]].way, o->way + velocities * (ptrdiff_t)k, sizeof way->way);
  }
  nsds_free(list), nsds_free(index), nsds_free(x), nsds_free(o->packed);
  return there ? NSDS_OK : NSDS_ERROR_MEMORY;
}

/* ---- there and back ---- */

/* Sends rows and bodies to the first process and receives the ways of the bodies, in memory for nsds_free(). */
static nsds_status ask_first(nsds_mpi_world *w, const local_gaps *l, bool solves, sent_way **ways) {
  nsds_mpi *mpi = w->mpi;
  size_t ranks = (size_t)mpi->size;
  int nrow = 0, nbody = 0, nway = 0;
  int *count = nsds_mpi_indices(mpi, 4 * ranks);
  nsds_status status = nsds_mpi_agree(mpi, count ? NSDS_OK : NSDS_ERROR_MEMORY);
  if (status || !count) {
    nsds_free(count);
    return status;
  }
  int *bodies = count + ranks, *from = bodies + ranks, *bodies_from = from + ranks;
  count[0] = l->nrow, bodies[0] = l->nbody;
  sent_row *row = nsds_mpi_swap(mpi, sizeof *row, l->row, count, from, &nrow);
  sent_body *body =
      row ? nsds_mpi_swap(mpi, sizeof *body, l->body, bodies, bodies_from, &nbody) : NULL;
  sent_way *way = nsds_alloc(mpi->context, "ways of bodies", (size_t)nbody + 1, sizeof *way);
  status = body && way ? NSDS_OK : NSDS_ERROR_MEMORY;
  whole_overlap o = {.w = w,
                     .row = row,
                     .nrow = nrow,
                     .body = body,
                     .nbody = nbody,
                     .nscenery = w->here->nscenery,
                     .solves = solves};
  if (!status && mpi->rank == 0) status = lead_all_out(&o, way);
  status = nsds_mpi_agree(mpi, status);
  if (!status) {
    *ways = nsds_mpi_swap(mpi, sizeof *way, way, bodies_from, from, &nway);
    status = nsds_mpi_agree(mpi, *ways ? NSDS_OK : NSDS_ERROR_MEMORY);
  }
  nsds_free(row), nsds_free(body), nsds_free(way), nsds_free(count);
  return status;
}

/* Displaces own bodies and copies. */
static nsds_status displace(nsds_mpi_world *w, const local_gaps *l, const sent_way *ways) {
  const nsds_here *here = w->here;
  nsds_status status = NSDS_OK;
  int base = nsds_world_base_column(here);
  double *way = nsds_mpi_numbers(w->mpi, (size_t)(base + velocities * here->nmember) + 1);
  status = nsds_mpi_agree(w->mpi, way ? NSDS_OK : NSDS_ERROR_MEMORY);
  if (!status && way) {
    for (int k = 0, b = 0; k < here->nmember; ++k)
      if (l->moves[k])
        memcpy(way + base + velocities * (ptrdiff_t)k, ways[b++].way, sizeof ways->way);
    nsds_world_tell_copies(w, way);
    if (here->simulation) status = nsds_step_displace(here->simulation, way);
  }
  nsds_free(way);
  return status;
}

nsds_status nsds_world_lead_out(nsds_mpi_world *w) {
  nsds_mpi *mpi = w->mpi;
  local_gaps l = {0};
  sent_way *ways = NULL;
  nsds_status status = nsds_mpi_agree(mpi, find_local_gaps(w, &l));
  double sum[2] = {l.any ? 1.0 : 0.0, nsds_world_count_found(w)};
  if (!status) nsds_mpi_total(mpi, 2, sum);
  if (!status && sum[0] > 0.0) {
    bool solves = w->def.overlap_sweeps == 0 && sum[1] <= nsds_most_overlaps_solved;
    status = ask_first(w, &l, solves, &ways);
    if (!status) status = displace(w, &l, ways);
  }
  nsds_free(ways), nsds_free(l.gap), nsds_free(l.moves), nsds_free(l.row), nsds_free(l.body);
  return status;
}
