/*
 * A step of a world:
 *
 *     halo       owners and copies anew, if bodies have moved by half of the skin
 *     begin      each model finds contacts and forms its problem
 *     part       rows of this process: contacts whose first body it owns
 *     solve      all parts as one problem (nsds_mpi_solve())
 *     impulses   of a contact go to the owner of its second body
 *     update     own bodies take all their impulses, in the order of contacts; copies take the
 *                velocities of their owners; positions follow
 *     accept     on all processes or on none
 *
 * So copies move with the bits of their originals. The bits of a body do not depend on its process, if those
 * of the impulses do not.
 */
#include "mpi/world.h"

#include <math.h>
#include <nsds/extend.h>
#include <stdlib.h>
#include <string.h>

enum {
  velocities = 6,
  blocks_of_body = 4096,
  tag_impulses = 1,
  tag_velocities = 2,
  touch_room = 11,
  few_sweeps = 30
};

/* ---- room ---- */

/* Gives an array room for n items; what is in it is lost if it grows. */
static bool world_hold(nsds_mpi_world *w, void *array, size_t *capacity, size_t n, size_t size) {
  void *old;
  memcpy(&old, array, sizeof old);
  if (old && n <= *capacity) return true;
  *capacity = nsds_grown(n);
  nsds_free(old);
  void *grown = nsds_alloc(w->mpi->context, "a step of a world", *capacity, size);
  memcpy(array, &grown, sizeof grown);
  if (!grown) *capacity = 0;
  return grown != NULL;
}

static nsds_status hold_step_part(nsds_mpi_world *w, size_t contacts, size_t edges, size_t rows) {
  nsds_step_part *p = &w->part;
  size_t members = (size_t)w->here->nmember;
  bool there = world_hold(w, &p->column, &p->room[0], members, sizeof *p->column) &&
               world_hold(w, &p->block, &p->room[1], contacts, sizeof *p->block) &&
               world_hold(w, &p->edge, &p->room[2], edges, sizeof *p->edge) &&
               world_hold(w, &p->row, &p->room[3], contacts + 1, sizeof *p->row) &&
               world_hold(w, &p->first_edge, &p->room[4], contacts + 1, sizeof *p->first_edge) &&
               world_hold(w, &p->gain, &p->room[5], members * velocities, sizeof *p->gain) &&
               world_hold(w, &p->q, &p->room[6], rows, sizeof *p->q) &&
               world_hold(w, &p->z, &p->room[7], rows, sizeof *p->z) &&
               world_hold(w, &p->w, &p->room[8], rows, sizeof *p->w) &&
               world_hold(w, &p->number, &p->room[9], members * velocities, sizeof *p->number) &&
               world_hold(w, &p->id, &p->room[10], contacts, sizeof *p->id) &&
               world_hold(w, &p->touch, &p->room[11], contacts, sizeof *p->touch) &&
               world_hold(w, &p->place, &p->room[12], contacts, sizeof *p->place) &&
               world_hold(w, &p->all, &p->room[13], rows, sizeof *p->all) &&
               world_hold(w, &p->to, &p->room[14], contacts, sizeof *p->to);
  return there ? NSDS_OK : NSDS_ERROR_MEMORY;
}

void nsds_world_free_part(nsds_mpi_world *w) {
  nsds_step_part *p = &w->part;
  void *const pieces[] = {p->column, p->block, p->edge,  p->row, p->first_edge,
                          p->gain,   p->q,     p->z,     p->w,   p->number,
                          p->id,     p->touch, p->place, p->all, p->to};
  for (size_t k = 0; k < sizeof pieces / sizeof *pieces; ++k) nsds_free(pieces[k]);
  *p = (nsds_step_part){0};
}

/* ---- halo ---- */

/* Reads the present states of own bodies. */
static int read_own(const nsds_mpi_world *w, nsds_member *own) {
  const nsds_here *here = w->here;
  int n = 0;
  for (int k = 0; k < here->nmember; ++k) {
    if (!nsds_is_own(here, k)) continue;
    own[n] = here->member[k];
    const nsds_ds *ds = here->ds[here->nscenery + k];
    memcpy(own[n].body.q, nsds_q(ds), sizeof own[n].body.q);
    memcpy(own[n].body.v, nsds_v(ds), sizeof own[n].body.v);
    own[n++].weight = 1.0;
  }
  for (int k = 0, b = 0; k < w->ntouch; ++k) {
    while (own[b].body.id < w->touch[k].a) ++b;
    own[b].weight += 1.0;
  }
  return n;
}

/* Returns the largest way of a body since the halo was made, with that of the step to come. */
static double farthest_way(const nsds_mpi_world *w) {
  const nsds_here *here = w->here;
  double most = 0.0;
  for (int k = 0; k < here->nmember; ++k) {
    if (!nsds_is_own(here, k)) continue;
    const double *q = nsds_q(here->ds[here->nscenery + k]), *q0 = here->member[k].body.q;
    const double *v = nsds_v(here->ds[here->nscenery + k]);
    double way = hypot(hypot(q[0] - q0[0], q[1] - q0[1]), q[2] - q0[2]);
    most = fmax(most, way + w->def.h * hypot(hypot(v[0], v[1]), v[2]));
  }
  return most;
}

nsds_status nsds_world_renew(nsds_mpi_world *w, const nsds_member *own, int nown) {
  nsds_mpi *mpi = w->mpi;
  nsds_touch *touch = NULL;
  int ntouch = 0;
  nsds_here *next = nsds_alloc(mpi->context, "the bodies of a process", 1, sizeof *next);
  nsds_status status = nsds_mpi_agree(mpi, next ? NSDS_OK : NSDS_ERROR_MEMORY);
  if (status) {
    nsds_free(next);
    return status;
  }
  next->rank = mpi->rank;
  status = nsds_world_share(w, next, own, nown, w->touch, w->ntouch, &touch, &ntouch);
  if (!status) status = nsds_mpi_agree(mpi, nsds_world_build(w, next, w->here));
  if (status) {
    nsds_free(touch);
    nsds_here_destroy(next);
    return status;
  }
  nsds_here_destroy(w->here);
  nsds_free(w->touch);
  w->here = next;
  w->touch = touch;
  w->ntouch = ntouch;
  w->touch_capacity = (size_t)ntouch + 1;
  w->stale = false;
  ++w->info.rebuilds;
  w->info.bodies = next->nown;
  w->info.ghosts = next->nmember - next->nown;
  return NSDS_OK;
}

static nsds_status look_at_halo(nsds_mpi_world *w) {
  double way = farthest_way(w);
  nsds_mpi_most(w->mpi, 1, &way);
  if (!w->stale && 2.0 * way <= w->here->skin) return NSDS_OK;
  nsds_member *own = nsds_alloc(w->mpi->context, "bodies", (size_t)w->here->nown + 1, sizeof *own);
  nsds_status status = nsds_mpi_agree(w->mpi, own ? NSDS_OK : NSDS_ERROR_MEMORY);
  int nown = !status && own ? read_own(w, own) : 0;
  if (!status) status = nsds_world_renew(w, own, nown);
  nsds_free(own);
  return status;
}

/* ---- the part ---- */

/* Finds the bodies of block row a of the local problem: members, -1 - s for shape s of the scenery. */
static nsds_status bodies_of(const nsds_mpi_world *w, int a, int member[2]) {
  const nsds_here *here = w->here;
  nsds_contact_set *set;
  nsds_contact_info info;
  int k = nsds_step_contact(here->simulation, a, &set);
  nsds_status status = nsds_contact_set_get(set, k, &info);
  if (status) return status;
  int first = nsds_ds_index(info.ds[0]) - here->nscenery;
  int second = info.ds[1] ? nsds_ds_index(info.ds[1]) - here->nscenery : -1;
  member[0] = first >= 0 ? first : second;
  member[1] = first < 0 ? -1 - info.shape[0] : second < 0 ? -1 - info.shape[1] : second;
  return NSDS_OK;
}

static int neighbor_of(const nsds_here *here, int member) {
  int k = 0;
  while (here->neighbor[k].rank != here->member[member].owner) ++k;
  return k;
}

static int base_column(const nsds_here *here) {
  int columns = 0;
  for (int k = 0; k < here->nscenery; ++k) columns += nsds_nv(here->ds[k]);
  return columns;
}

static double entry_of_part(const nsds_factored *f, const nsds_edge *e, int m, int c, int j) {
  return e->Y ? e->Y[c + j * e->size] : f->gain[e->column + c] * e->H[j + c * m];
}

/* Scenery does not move by impulses. */
static nsds_status check_scenery(const nsds_mpi_world *w, const nsds_edge *e, int m) {
  const nsds_factored *f = w->part.local->M.factored;
  for (int c = 0; c < e->size; ++c)
    for (int j = 0; j < m; ++j)
      if (entry_of_part(f, e, m, c, j) != 0.0)
        return nsds_report(w->mpi->context, NSDS_ERROR_UNSUPPORTED,
                           "nsds_mpi_world_step: a body of the scenery moves freely; prescribe all "
                           "six velocities, or give it as a body of the world");
  return NSDS_OK;
}

/* Adds an edge to a body of the world. H and Y are those of the local problem. */
static void add_edge_of_part(nsds_mpi_world *w, const nsds_edge *e, int member) {
  nsds_step_part *p = &w->part;
  const nsds_factored *f = p->local->M.factored;
  int first = p->column[member];
  if (first < 0) {
    first = p->column[member] = p->ncolumn;
    for (int c = 0; c < velocities; ++c) {
      p->gain[p->ncolumn] = 0.0;
      p->number[p->ncolumn++] = w->here->member[member].body.id * velocities + c;
    }
  }
  for (int c = 0; !e->Y && c < velocities; ++c) p->gain[first + c] = f->gain[e->column + c];
  p->edge[p->nedge++] = (nsds_edge){.column = first, .size = velocities, .H = e->H, .Y = e->Y};
}

/* Adds block row a of the local problem. */
static nsds_status add_part_row(nsds_mpi_world *w, int a, int base) {
  nsds_step_part *p = &w->part;
  const nsds_problem *local = p->local;
  const nsds_factored *f = local->M.factored;
  int row = f->row[a], m = f->row[a + 1] - row, b = p->nblock++;
  p->block[b] = local->block[a];
  p->row[b] = p->n;
  p->first_edge[b] = p->nedge;
  memcpy(p->q + p->n, local->q + row, (size_t)m * sizeof *p->q);
  for (int i = 0; i < m; ++i) p->z[p->n + i] = 0.0;
  p->n += m;
  for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k) {
    const nsds_edge *e = &f->edge[k];
    nsds_status status = e->column < base ? check_scenery(w, e, m) : NSDS_OK;
    if (status) return status;
    if (e->column >= base) add_edge_of_part(w, e, (e->column - base) / velocities);
  }
  p->row[p->nblock] = p->n;
  p->first_edge[p->nblock] = p->nedge;
  return NSDS_OK;
}

/* Names the contact of the last block. `before` has the bodies of the contact before. */
static void name_block(nsds_mpi_world *w, const int member[2], const int before[2]) {
  nsds_step_part *p = &w->part;
  nsds_touch *touch = &p->touch[p->nblock - 1];
  bool same = before[0] == member[0] && before[1] == member[1];
  bool same_first = p->nblock > 1 && touch[-1].a == w->here->member[member[0]].body.id;
  *touch = (nsds_touch){.a = w->here->member[member[0]].body.id,
                        .b = member[1] < 0 ? member[1] : w->here->member[member[1]].body.id,
                        .which = same ? touch[-1].which + 1 : 0};
  p->id[p->nblock - 1] = same_first ? p->id[p->nblock - 2] + 1 : touch->a * blocks_of_body;
}

/* Starts from the impulses of the step before. Both lists are sorted. */
static void start_warm(nsds_mpi_world *w) {
  nsds_step_part *p = &w->part;
  for (int b = 0, k = 0; b < p->nblock; ++b) {
    while (k < w->ntouch && nsds_compare_touches(&w->touch[k], &p->touch[b]) < 0) ++k;
    if (k == w->ntouch || nsds_compare_touches(&w->touch[k], &p->touch[b]) != 0) continue;
    memcpy(p->z + p->row[b], w->touch[k].z, nsds_world_rows * sizeof *p->z);
  }
}

/* Gives neighbors room for impulses and velocities. */
static nsds_status hold_neighbors(nsds_mpi_world *w, const nsds_factored *f) {
  nsds_step_part *p = &w->part;
  nsds_here *here = w->here;
  bool there = true;
  for (int k = 0; k < here->nneighbor; ++k) here->neighbor[k].nout = here->neighbor[k].nin = 0;
  for (int a = 0; f && a < f->nrow_block; ++a) {
    int b = p->place[a], m = f->row[a + 1] - f->row[a];
    if (b < 0) here->neighbor[-1 - b].nin += m;
    else if (p->to[b] >= 0) here->neighbor[p->to[b]].nout += m;
  }
  for (int k = 0; there && k < here->nneighbor; ++k) {
    nsds_neighbor *n = &here->neighbor[k];
    size_t out = (size_t)n->nout, in = (size_t)n->nin;
    if (out < (size_t)n->nsend * velocities) out = (size_t)n->nsend * velocities;
    if (in < (size_t)n->nreceive * velocities) in = (size_t)n->nreceive * velocities;
    there = world_hold(w, &n->out, &n->out_capacity, out, sizeof *n->out) &&
            world_hold(w, &n->in, &n->in_capacity, in, sizeof *n->in);
  }
  return there ? NSDS_OK : NSDS_ERROR_MEMORY;
}

static nsds_status make_part(nsds_mpi_world *w) {
  nsds_step_part *p = &w->part;
  nsds_here *here = w->here;
  p->local = here->simulation ? nsds_step_problem(here->simulation) : NULL;
  p->nblock = p->nedge = p->ncolumn = p->n = 0;
  const nsds_factored *f = p->local ? p->local->M.factored : NULL;
  int contacts = f ? f->nrow_block : 0, base = base_column(here), before[2] = {-1, -1};
  nsds_status status = hold_step_part(w, (size_t)contacts, f ? (size_t)f->first_edge[contacts] : 0,
                                      f ? (size_t)f->row[contacts] : 0);
  if (status) return status;
  p->row[0] = p->first_edge[0] = 0;
  for (int k = 0; k < here->nmember; ++k) p->column[k] = -1;
  for (int a = 0; !status && a < contacts; ++a) {
    int member[2];
    status = bodies_of(w, a, member);
    if (status) break;
    if (!nsds_is_own(here, member[0])) {
      int k = neighbor_of(here, member[0]);
      p->place[a] = -1 - k;
      continue;
    }
    bool goes = member[1] >= 0 && !nsds_is_own(here, member[1]);
    p->to[p->nblock] = goes ? neighbor_of(here, member[1]) : -1;
    p->place[a] = p->nblock;
    status = add_part_row(w, a, base);
    name_block(w, member, before);
    memcpy(before, member, sizeof before);
  }
  if (!status) status = hold_neighbors(w, f);
  if (!status) start_warm(w);
  return status;
}

/* ---- exchanges ---- */

/* Sends `out` of each neighbor and receives `in`. */
static void trade(nsds_mpi_world *w, int tag) {
  nsds_here *here = w->here;
  nsds_mpi *mpi = w->mpi;
  int open = 0;
  for (int k = 0; k < here->nneighbor; ++k) {
    const nsds_neighbor *n = &here->neighbor[k];
    if (n->nin == 0) continue;
    MPI_Irecv(n->in, n->nin, MPI_DOUBLE, n->rank, tag, mpi->comm, &here->request[open++]);
  }
  for (int k = 0; k < here->nneighbor; ++k) {
    const nsds_neighbor *n = &here->neighbor[k];
    if (n->nout == 0) continue;
    MPI_Isend(n->out, n->nout, MPI_DOUBLE, n->rank, tag, mpi->comm, &here->request[open++]);
    ++mpi->messages;
    mpi->bytes += (long long)n->nout * (long long)sizeof(double);
  }
  ++mpi->exchanges;
  MPI_Waitall(open, here->request, MPI_STATUSES_IGNORE);
}

/* Gives impulses of own contacts to the owners of second bodies, and lists those of all contacts. */
static void trade_impulses(nsds_mpi_world *w) {
  nsds_step_part *p = &w->part;
  nsds_here *here = w->here;
  const nsds_factored *f = p->local ? p->local->M.factored : NULL;
  int contacts = f ? f->nrow_block : 0;
  for (int k = 0; k < here->nneighbor; ++k) here->neighbor[k].nout = here->neighbor[k].nin = 0;
  for (int a = 0; a < contacts; ++a) {
    int b = p->place[a], m = f->row[a + 1] - f->row[a];
    if (b < 0) {
      here->neighbor[-1 - b].nin += m;
      continue;
    }
    memcpy(p->touch[b].z, p->z + p->row[b], (size_t)m * sizeof(double));
    if (p->to[b] < 0) continue;
    nsds_neighbor *n = &here->neighbor[p->to[b]];
    memcpy(n->out + n->nout, p->z + p->row[b], (size_t)m * sizeof(double));
    n->nout += m;
  }
  trade(w, tag_impulses);
  for (int k = 0; k < here->nneighbor; ++k) here->neighbor[k].nin = 0;
  for (int a = 0; a < contacts; ++a) {
    int b = p->place[a], m = f->row[a + 1] - f->row[a];
    const double *z = p->z + (b < 0 ? 0 : p->row[b]);
    if (b < 0) {
      nsds_neighbor *n = &here->neighbor[-1 - b];
      z = n->in + n->nin;
      n->nin += m;
    }
    memcpy(p->all + f->row[a], z, (size_t)m * sizeof(double));
  }
}

/* Computes v = free + Y z of own bodies. */
static void add_own_impulses(const nsds_mpi_world *w, int base, const double *free, double *v) {
  const nsds_here *here = w->here;
  const nsds_step_part *p = &w->part;
  const nsds_factored *f = p->local ? p->local->M.factored : NULL;
  for (int k = 0; k < here->nmember; ++k)
    if (nsds_is_own(here, k))
      memcpy(v + base + velocities * (ptrdiff_t)k, free + base + velocities * (ptrdiff_t)k,
             velocities * sizeof *v);
  for (int a = 0; f && a < f->nrow_block; ++a)
    for (int e = f->first_edge[a]; e < f->first_edge[a + 1]; ++e) {
      const nsds_edge *edge = &f->edge[e];
      int m = f->row[a + 1] - f->row[a], member = (edge->column - base) / velocities;
      if (edge->column < base || !nsds_is_own(here, member)) continue;
      for (int c = 0; c < velocities; ++c) {
        double sum = 0.0;
        for (int j = 0; j < m; ++j) sum += entry_of_part(f, edge, m, c, j) * p->all[f->row[a] + j];
        v[edge->column + c] += sum;
      }
    }
}

/* Completes the velocities of the local model: those of own bodies by all their impulses, those of
 * copies from their owners. */
static void complete_velocities(const double *free, double *v, void *user) {
  nsds_mpi_world *w = user;
  nsds_here *here = w->here;
  int base = base_column(here);
  add_own_impulses(w, base, free, v);
  for (int k = 0; k < here->nneighbor; ++k) {
    nsds_neighbor *n = &here->neighbor[k];
    n->nout = n->nsend * velocities;
    n->nin = n->nreceive * velocities;
    for (int i = 0; i < n->nsend; ++i)
      memcpy(n->out + velocities * i, v + base + velocities * (ptrdiff_t)n->send[i],
             velocities * sizeof *v);
  }
  trade(w, tag_velocities);
  for (int k = 0; k < here->nneighbor; ++k) {
    nsds_neighbor *n = &here->neighbor[k];
    for (int i = 0; i < n->nreceive; ++i)
      memcpy(v + base + velocities * (ptrdiff_t)n->receive[i], n->in + velocities * i,
             velocities * sizeof *v);
  }
}

/* ---- the step ---- */

/* Solves the problem of all parts. After a step that went to one process, the next one has fewer sweeps
 * before it goes there too. */
static nsds_status solve_step_part(nsds_mpi_world *w) {
  nsds_step_part *p = &w->part;
  nsds_factored M = {.nrow_block = p->nblock,
                     .ncolumn = p->ncolumn,
                     .row = p->row,
                     .first_edge = p->first_edge,
                     .edge = p->edge,
                     .gain = p->gain};
  nsds_problem problem = {.n = p->n,
                          .nblock = p->nblock,
                          .block = p->block,
                          .q = p->q,
                          .M = {.storage = NSDS_FACTORED, .n = p->n, .factored = &M}};
  nsds_mpi_part part = {.problem = &problem, .number = p->number, .block = p->id};
  nsds_mpi_options options = {.tolerance = w->def.tolerance,
                              .max_iterations = w->def.max_iterations,
                              .gather = w->def.gather,
                              .gather_after = w->gathered ? few_sweeps : 0,
                              .reproducible = w->def.reproducible};
  nsds_mpi_info *info = &w->info.solver;
  nsds_status status = nsds_mpi_solve(w->mpi, &part, &options, p->z, p->w, info);
  if (status != NSDS_ERROR_SOLVER) return status;
  return nsds_report(
      w->mpi->context, status,
      "nsds_mpi_world_step: step to t = %.17g: not solved in %d sweeps: residual %g, "
      "tolerance %g; give a larger tolerance, more iterations or a shorter step",
      w->def.t0 + w->def.h * (double)(w->info.steps + 1), info->iterations, info->residual,
      w->def.tolerance);
}

/* Gives up the step, if one has begun. */
static nsds_status give_up_step(nsds_mpi_world *w, bool begun, nsds_status status) {
  if (begun) nsds_step_reject(w->here->simulation);
  return status;
}

static nsds_status keep_touches(nsds_mpi_world *w) {
  nsds_step_part *p = &w->part;
  nsds_touch *swap = w->touch;
  size_t capacity = w->touch_capacity;
  w->touch = p->touch;
  w->touch_capacity = p->room[touch_room];
  w->ntouch = p->nblock;
  p->touch = swap;
  p->room[touch_room] = capacity;
  return NSDS_OK;
}

/* Counts the contacts whose first body is owned here. */
static int count_found(const nsds_mpi_world *w) {
  const nsds_here *here = w->here;
  int count = here->set ? nsds_contact_set_count(here->set) : 0, found = 0;
  nsds_contact_info info;
  for (int k = 0; k < count; ++k) {
    if (nsds_contact_set_get(here->set, k, &info)) continue;
    int first = nsds_ds_index(info.ds[0]) - here->nscenery;
    if (first < 0) first = nsds_ds_index(info.ds[1]) - here->nscenery;
    found += nsds_is_own(here, first);
  }
  return found;
}

/* Counts contacts of all processes, and the load of the busiest one. */
static void count_work(nsds_mpi_world *w) {
  double sum[3] = {w->part.nblock, w->part.nblock + w->here->nown, count_found(w)}, most = sum[1];
  nsds_mpi_total(w->mpi, 3, sum);
  w->info.found = (long long)sum[2];
  nsds_mpi_most(w->mpi, 1, &most);
  w->info.own_contacts = w->part.nblock;
  w->info.contacts = (long long)sum[0];
  w->info.busiest = sum[1] > 0.0 ? most * w->mpi->size / sum[1] : 1.0;
}

/* Counts what the step has sent. */
static void count_sent(nsds_mpi_world *w, const nsds_mpi *before) {
  const nsds_mpi *mpi = w->mpi;
  w->info.exchanges = mpi->exchanges - before->exchanges;
  w->info.messages = mpi->messages - before->messages;
  w->info.bytes = mpi->bytes - before->bytes;
  w->info.reductions = mpi->reductions - before->reductions;
}

/* Begins the step of the local model. Models that are made under way do not warn of a start again. */
static nsds_status begin_local_step(nsds_mpi_world *w, bool anew) {
  nsds_simulation *sim = w->here->simulation;
  nsds_context *context = w->mpi->context;
  nsds_log_fn log = NULL;
  void *user = NULL;
  if (!sim) return NSDS_OK;
  if (!anew || w->info.steps == 0) return nsds_step_begin(sim);
  nsds_status status = nsds_context_swap_log(context, &log, &user);
  if (status) return status;
  status = nsds_step_begin(sim);
  nsds_context_swap_log(context, &log, &user);
  return status;
}

nsds_status nsds_world_take_step(nsds_mpi_world *w) {
  nsds_mpi *mpi = w->mpi;
  const nsds_mpi before = *mpi;
  long rebuilds = w->info.rebuilds;
  nsds_status status = look_at_halo(w);
  if (status) return status;
  nsds_simulation *sim = w->here->simulation;
  status = begin_local_step(w, w->info.rebuilds > rebuilds);
  bool begun = sim && status == NSDS_OK;
  if (!status) status = make_part(w);
  status = nsds_mpi_agree(mpi, status);
  if (!status) status = nsds_mpi_agree(mpi, solve_step_part(w));
  if (status) return give_up_step(w, begun, status);
  trade_impulses(w);
  if (sim) {
    status = nsds_step_embed(sim, w->part.all, complete_velocities, w);
    if (!status) status = nsds_step_update(sim);
  }
  status = nsds_mpi_agree(mpi, status);
  if (status) return give_up_step(w, begun, status);
  count_work(w);
  count_sent(w, &before);
  if (sim) status = nsds_step_accept(sim);
  keep_touches(w);
  w->gathered = w->info.solver.gathered;
  ++w->info.steps;
  w->t = w->def.t0 + w->def.h * (double)w->info.steps;
  return status;
}
