/*
 * Corrects the overlap of found contacts, by the normal rows of the operator that gave the
 * velocities:
 *
 *   q <- q (+) s d,   d = Y Lambda,   0 <= H d - b  perpendicular to  Lambda >= 0
 *   b = -(y + h max(dy/dt, 0)) - a h (M P + G)
 *
 * b > 0 is the overlap that the velocity does not undo in the next step, less a part that stays.
 * The part is a fraction of two displacements: h M P, by which the impulse P keeps the contact from
 * closing, and h G, by which forces move its bodies. M P counts up to its value in the last step
 * plus G, because an impact is no load. A contact under load therefore stays closed when its
 * neighbors move, and no body rattles. A contact without overlap, b < 0, may close but not
 * overlap.
 *
 * Up to a few hundred rows the problem is solved. The correction then leads a stack out of overlap
 * in the step of an impact: no other step can pay for this. Tolerated overlap grows no deeper. If
 * rows are many, a few sweeps must do, and a = 0.1 also covers their error. Otherwise a = 0.1 R / D,
 * within 0.003 and 0.1. R is the energy that forces alone give the resting bodies in a step: a body
 * that rattles dissipates about R, an impact more.
 *
 * The correction may lift bodies. Let f = (M (v+ - v-) - p) / h be the mean force of the step
 * without reactions. The correction takes the energy -s f d. In the same step contacts have taken
 *
 *   D = -sum P (dy/dt+ + dy/dt-) / 2 + (theta - 1/2) h f (v+ - v-)
 *
 * out of the motion; total energy has lost this amount. The factor s is at most 1 and so small that
 * the correction returns at most D. Bodies connected by contacts have an s and a D of their own. D
 * is large during impacts and zero at rest, where nothing moves.
 *
 * A body whose overlap hardly shrinks stays where it is: walls squeeze it that are too close. Such
 * walls are never quite parallel. The body would creep out between them, at a speed that does not
 * depend on h.
 *
 * Prescribed unknowns and bodies of interactions do not move: joints stay whole. Nor do contacts of
 * bodies in joint coordinates take part.
 */
#include "kernel/assembly/overlap_correction.h"

#include "base/base.h"
#include "base/context.h"
#include "base/finite.h"
#include "base/parallel.h"
#include "kernel/assembly/displacement.h"
#include "kernel/assembly/slot.h"
#include "kernel/modeling/modeling.h"
#include "numerics/solver_internal.h"
#include "numerics/solver_tools.h"
#include "numerics/sweeps/overlap_rows.h"

/* Fractions a of the overlap that stays. */
static const double left_alone = 0.1, least_left = 0.003;
static const double least_progress = 0.1; /* part of the overlap of a body, below which it stays */
enum { default_sweeps = 8 };              /* of problems that are only swept */

/* A correction under way. The arrays lie in the scratch of the solver, which is not at work now. */
typedef struct correction {
  const nsds_one_step *velocity;
  nsds_overlap_row *row;
  double *number;     /* of the rows */
  const double *gain; /* of all velocities; NULL: rows have a Y of their own */
  double *vector;     /* for the solution of few rows */
  size_t used;
  bool solves;         /* the rows of this step are solved, not only swept */
  unsigned char *held; /* by slots: not to be moved */
  int *island;         /* by slots: a connected slot nearer to the first one, or itself */
  double *paid, *rise; /* by first slots: dissipation of contacts; lift by `way` */
  double *left;        /* by first slots: R, then a */
  double *way, *force; /* nv: displacement of this step; impulse without reactions */
} correction;

void nsds_overlap_destroy(nsds_overlap *o, nsds_context *context) {
  nsds_release(context, o->before);
}

/* Takes the next `count` doubles. */
static double *borrow(double **rest, size_t count) {
  double *taken = *rest;
  *rest += count;
  return taken;
}

/* Borrows arrays for this many rows, each of the largest width so far. */
static nsds_status borrow_arrays(correction *o, size_t rows, size_t widest) {
  enum { head = sizeof *o->row / sizeof(double) };
  _Static_assert(head * sizeof(double) == sizeof *o->row, "rows lie in an array of doubles");
  const nsds_plan *plan = o->velocity->op.plan;
  nsds_solver *solver = o->velocity->solver;
  size_t nslot = (size_t)plan->nslot, nv = plan->model->size.nv;
  size_t solved = rows < nsds_most_overlaps_solved ? rows : nsds_most_overlaps_solved;
  size_t numbers = rows * widest * (o->gain ? 1 : 2);
  size_t count = rows * head + numbers + nsds_overlap_vectors * solved + 2 * nv + 5 * nslot;
  nsds_status status = nsds_solver_scratch(solver, count);
  if (status) return status;
  double *rest = solver->toolbox->scratch;
  o->row = (nsds_overlap_row *)(void *)borrow(&rest, rows * head);
  o->number = borrow(&rest, numbers);
  o->vector = borrow(&rest, nsds_overlap_vectors * solved);
  o->way = borrow(&rest, nv);
  o->force = borrow(&rest, nv);
  o->paid = borrow(&rest, nslot);
  o->rise = borrow(&rest, nslot);
  o->left = borrow(&rest, nslot);
  o->island = (int *)(void *)borrow(&rest, nslot);
  o->held = (unsigned char *)borrow(&rest, nslot);
  return NSDS_OK;
}

/* Reserves the rows that the sets have room for. More or other contacts then allocate nothing. */
static nsds_status reserve_overlap(nsds_overlap *o, correction *c) {
  const nsds_plan *plan = c->velocity->op.plan;
  const nsds_model *model = plan->model;
  size_t rows = 0;
  for (size_t s = 0; s < model->set.count; ++s) {
    const nsds_contact_set *set = model->set.item[s];
    rows += (size_t)set->capacity * (size_t)set->law->ngap;
  }
  for (const nsds_contact *contact = plan->contact + plan->ninteraction,
                          *end = plan->contact + plan->ncontact;
       contact < end; ++contact)
    if (contact->nv > o->widest) o->widest = contact->nv;
  nsds_status status =
      nsds_grow(plan->context, &o->before, &o->before_capacity, model->size.nq, sizeof *o->before);
  return status ? status : borrow_arrays(c, rows, (size_t)o->widest);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Marks the systems of interactions, which do not move. */
static void hold_linked(correction *o) {
  const nsds_one_step *velocity = o->velocity;
  const nsds_plan *plan = velocity->op.plan;
  memset(o->held, 0, (size_t)plan->nslot);
  for (int a = 0; a < velocity->set.nactive; ++a) {
    const nsds_contact *contact = &plan->contact[velocity->set.active[a]];
    if (contact->found.set) break; /* found contacts come last */
    for (int e = 0; e < contact->nds; ++e) o->held[contact->reach[e].slot] = 1;
  }
  for (int s = 0; plan->tree && s < plan->nslot; ++s)
    if (plan->slot[s].is.jointed) o->held[s] = 1;
}

/* Row i of an active contact. */
typedef struct origin {
  const nsds_contact *contact;
  const nsds_edge *edge;
  int i;
} origin;

static inline double entry_of_h(const origin *from, int e, int k) {
  return from->edge[e].H[from->i + (ptrdiff_t)k * from->contact->m];
}

static inline double entry_of_y(const nsds_plan *plan, const origin *from, int e, int k) {
  const nsds_edge *edge = &from->edge[e];
  if (edge->Y) return edge->Y[k + (ptrdiff_t)from->i * edge->size];
  return plan->gain[edge->column + k] * entry_of_h(from, e, k);
}

/* Returns the diagonal entry of M of a row, over the bodies that may move. */
static double own_entry(const correction *o, const nsds_plan *plan, const origin *from) {
  double sum = 0.0;
  for (int e = 0; e < from->contact->nds; ++e) {
    if (o->held[from->contact->reach[e].slot]) continue;
    for (int k = 0; k < from->edge[e].size; ++k)
      sum += entry_of_h(from, e, k) * entry_of_y(plan, from, e, k);
  }
  return sum;
}

/* Returns the sum of the speeds that forces alone give the bodies along the row in this step. */
static double driven_speed(const nsds_plan *plan, const origin *from) {
  double sum = 0.0;
  for (int e = 0, m = from->contact->m; e < from->contact->nds; ++e) {
    const nsds_edge *edge = &from->edge[e];
    const double *v_free = plan->v_free + edge->column, *v = plan->model->state.v + edge->column;
    const double *H = edge->H + from->i;
    double speed = 0.0;
    for (int k = 0; k < edge->size; ++k, H += m) speed += *H * (v_free[k] - v[k]);
    sum += fabs(speed);
  }
  return sum;
}

/* Returns the overlap of a row that the velocity does not undo. */
static double overlap_left(const nsds_plan *plan, const origin *from) {
  int at = from->contact->y0 + from->i;
  double ydot = plan->trial.ydot[at], speed = ydot > 0.0 ? ydot : 0.0;
  return -(plan->trial.y[at] + plan->scheme->h * speed);
}

/* Returns b of a row with the entry M, of which the fraction `left` stays. */
static double excess(const correction *o, const nsds_plan *plan, const origin *from, double left,
                     double M) {
  int at = from->contact->y0 + from->i;
  double driven = driven_speed(plan, from), overlap = overlap_left(plan, from);
  double load = fmin(M * plan->model->state.impulse[at] + driven, M * plan->trial.impulse[at]);
  double more = overlap - left * plan->scheme->h * (driven + load);
  return o->solves && overlap > 0.0 ? fmax(more, 0.0) : more;
}

/* Returns true if b > 0. The part that stays is never negative, so most rows need no M. */
static bool overlaps(const correction *o, const nsds_plan *plan, const origin *from) {
  int at = from->contact->y0 + from->i;
  double left = overlap_left(plan, from), M;
  bool pushes = plan->model->state.impulse[at] >= 0.0 && plan->trial.impulse[at] >= 0.0;
  if (pushes && left <= 0.0) return false;
  if (pushes && left <= left_alone * plan->scheme->h * driven_speed(plan, from)) return false;
  M = own_entry(o, plan, from);
  double e = M > 0.0 ? excess(o, plan, from, left_alone, M) : 0.0;
  return e > 0.0 && isfinite(e);
}

static void pack_row(correction *o, const nsds_plan *plan, const origin *from, double M, double e,
                     int n) {
  nsds_overlap_row *row = &o->row[n];
  double *x = o->number + o->used;
  *row = (nsds_overlap_row){.M = M, .b = e, .first = o->used};
  for (int s = 0; s < from->contact->nds; ++s) {
    int begin = 0, end = from->edge[s].size;
    if (o->held[from->contact->reach[s].slot]) continue;
    while (begin < end && entry_of_h(from, s, begin) == 0.0) ++begin;
    while (end > begin && entry_of_h(from, s, end - 1) == 0.0) --end;
    row->column[s] = from->edge[s].column + begin;
    row->size[s] = end - begin;
    for (int k = begin; k < end; ++k) *x++ = entry_of_h(from, s, k);
  }
  for (int s = 0; !o->gain && s < from->contact->nds; ++s)
    for (int k = row->column[s], end = k + row->size[s]; k < end; ++k)
      *x++ = entry_of_y(plan, from, s, k - from->edge[s].column);
  o->used = (size_t)(x - o->number);
}

/* ---- energy ---------------------------------------------------------------------------------- */

/* Returns the first of the systems connected with this one by contacts. */
static int island_of(correction *o, int slot) {
  while (o->island[slot] != slot) slot = o->island[slot] = o->island[o->island[slot]];
  return slot;
}

/* Returns a system of the contact that may move; -1: none. */
static int mover_of(const correction *o, const nsds_contact *contact) {
  for (int e = 0; e < contact->nds; ++e)
    if (!o->held[contact->reach[e].slot]) return contact->reach[e].slot;
  return -1;
}

static void find_islands(correction *o) {
  const nsds_one_step *velocity = o->velocity;
  const nsds_plan *plan = velocity->op.plan;
  for (int s = 0; s < plan->nslot; ++s) o->island[s] = s;
  for (int a = 0; a < velocity->set.nactive; ++a) {
    const nsds_contact *contact = &plan->contact[velocity->set.active[a]];
    if (!contact->found.set || contact->nds < 2) continue;
    int s = contact->reach[0].slot, t = contact->reach[1].slot;
    if (o->held[s] || o->held[t]) continue;
    s = island_of(o, s);
    t = island_of(o, t);
    if (s < t) o->island[t] = s;
    else o->island[s] = t;
  }
}

/* Computes h f of every system and R, and adds the second term of D. Prescribed unknowns have no force:
 * their motion does not depend on M. */
static void find_forces(correction *o, const nsds_plan *plan) {
  const nsds_state *now = &plan->model->state, *end = &plan->trial;
  for (int s = 0; s < plan->nslot; ++s) {
    const nsds_slot *slot = &plan->slot[s];
    double *force = o->force + slot->v0, *change = slot->scratch;
    const double *v = end->v + slot->v0, *u = now->v + slot->v0, *p = end->p + slot->v0;
    if (!nsds_is_second_order(slot->ds)) continue;
    for (int k = 0; k < slot->nv; ++k) {
      change[k] = v[k] - u[k];
      force[k] = -p[k];
    }
    nsds_mass_multiply(slot, 1.0, change, force);
    for (int k = 0; k < slot->ds->prescribed.n; ++k) force[slot->ds->prescribed.index[k]] = 0.0;
    double part = slot->on.scheme->theta - 0.5;
    double *sum = &o->paid[island_of(o, s)], *idle = &o->left[island_of(o, s)];
    for (int k = 0; k < slot->nv; ++k) {
      *sum += part * force[k] * change[k];
      *idle += 0.5 * force[k] * (plan->v_free[slot->v0 + k] - u[k]);
    }
  }
}

/* Adds the first term of D. Contacts that store energy do not count. */
static void add_taken(correction *o) {
  const nsds_one_step *velocity = o->velocity;
  const nsds_plan *plan = velocity->op.plan;
  const nsds_state *now = &plan->model->state, *end = &plan->trial;
  const nsds_law *known = NULL;
  bool keeps = false;
  for (int a = 0; a < velocity->set.nactive; ++a) {
    const nsds_contact *contact = &plan->contact[velocity->set.active[a]];
    if (!contact->found.set) continue;
    if (contact->law != known) keeps = nsds_displacement_keeps(contact);
    known = contact->law;
    int mover = mover_of(o, contact);
    if (!keeps || mover < 0) continue;
    double *sum = &o->paid[island_of(o, mover)];
    for (int i = contact->y0; i < contact->y0 + contact->m; ++i)
      *sum -= 0.5 * end->impulse[i] * (end->ydot[i] + now->ydot[i]);
  }
}

/* Computes D and R of every island. Returns true if some D is positive. */
static bool find_paid(correction *o) {
  const nsds_one_step *velocity = o->velocity;
  const nsds_plan *plan = velocity->op.plan;
  bool any = false;
  find_islands(o);
  nsds_zero_doubles(o->paid, (size_t)plan->nslot);
  nsds_zero_doubles(o->left, (size_t)plan->nslot);
  add_taken(o);
  find_forces(o, plan);
  for (int s = 0; s < plan->nslot; ++s) any = any || o->paid[s] > 0.0;
  return any;
}

/* Computes a of every island from R. */
static void overlap_find_left(correction *o, const nsds_plan *plan) {
  for (int s = 0; s < plan->nslot; ++s) {
    double part = o->solves && o->paid[s] > o->left[s] ? o->left[s] / o->paid[s] : 1.0;
    o->left[s] = fmax(left_alone * part, least_left);
  }
}

/* ---- gathering of rows ------------------------------------------------------------------------ */

/* Returns the fraction of the overlap of a row that stays. */
static double left_at(correction *o, const nsds_contact *contact) {
  int mover = mover_of(o, contact);
  return o->solves && mover >= 0 ? o->left[island_of(o, mover)] : left_alone;
}

/* Tells if a row of a closed contact has an overlap to correct. */
static bool any_overlap(const correction *o) {
  const nsds_one_step *velocity = o->velocity;
  const nsds_plan *plan = velocity->op.plan;
  const nsds_law *known = NULL;
  bool keeps = false;
  for (int a = 0; a < velocity->set.nactive; ++a) {
    origin from = {&plan->contact[velocity->set.active[a]],
                   velocity->reduced.edge + velocity->reduced.first_edge[a], 0};
    if (!from.contact->found.set || from.contact->is.lifted) continue;
    if (from.contact->law != known) keeps = nsds_displacement_unilateral(from.contact);
    known = from.contact->law;
    for (; keeps && from.i < known->ngap; ++from.i)
      if (overlaps(o, plan, &from)) return true;
  }
  return false;
}

/* Packs the rows of a contact behind n others; returns their number with these. Open contacts only
 * keep their distance. */
static int pack_contact(correction *o, const nsds_plan *plan, origin from, bool closed, int n) {
  double left = left_at(o, from.contact);
  if (from.contact->is.lifted) return n;
  for (; from.i < from.contact->law->ngap; ++from.i) {
    double M = own_entry(o, plan, &from), e = excess(o, plan, &from, left, M);
    if (!(M > 0.0) || !isfinite(e)) continue;
    pack_row(o, plan, &from, M, closed ? e : fmin(e, 0.0), n++);
  }
  return n;
}

/* Packs the rows of open contacts with known gains, from `first` on up to `end`. */
static int pack_open(correction *o, int first, int end, int n) {
  const nsds_one_step *velocity = o->velocity;
  const nsds_plan *plan = velocity->op.plan;
  for (int c = first < plan->ninteraction ? plan->ninteraction : first; c < end; ++c) {
    const nsds_contact *contact = &plan->contact[c];
    const nsds_entry *entry = &velocity->op.entry[c];
    if (!(contact->is.fixed || !entry->Y) || !nsds_displacement_unilateral(contact)) continue;
    nsds_edge edge[2] = {nsds_entry_edge(contact, entry, 0)};
    if (contact->nds == 2) edge[1] = nsds_entry_edge(contact, entry, 1);
    n = pack_contact(o, plan, (origin){contact, edge, 0}, false, n);
  }
  return n;
}

/* Packs the rows of closed contacts and, if the problem is solved, of open ones, in the order of
 * the plan. Returns their number. */
static int pack_rows(correction *o) {
  const nsds_one_step *velocity = o->velocity;
  const nsds_plan *plan = velocity->op.plan;
  int n = 0, next = 0; /* next: the first contact that is not yet packed */
  o->used = 0;
  for (int a = 0; a < velocity->set.nactive; ++a) {
    int c = velocity->set.active[a];
    const nsds_edge *edge = velocity->reduced.edge + velocity->reduced.first_edge[a];
    if (o->solves) n = pack_open(o, next, c, n);
    next = c + 1;
    if (plan->contact[c].found.set && nsds_displacement_unilateral(&plan->contact[c]))
      n = pack_contact(o, plan, (origin){&plan->contact[c], edge, 0}, true, n);
  }
  return o->solves ? pack_open(o, next, plan->ncontact, n) : n;
}

/* ---- payment --------------------------------------------------------------------------------- */

/* Shortens the displacements of each island by the part s that its D pays for. Returns the energy
 * used. */
static double overlap_pay(correction *o, const nsds_plan *plan) {
  double h = plan->scheme->h, sum = 0.0;
  nsds_zero_doubles(o->rise, (size_t)plan->nslot);
  for (int s = 0; s < plan->nslot; ++s) {
    const nsds_slot *slot = &plan->slot[s];
    for (int k = slot->v0; nsds_is_second_order(slot->ds) && k < slot->v0 + slot->nv; ++k)
      o->rise[island_of(o, s)] -= o->force[k] * o->way[k] / h;
  }
  for (int s = 0; s < plan->nslot; ++s) {
    const nsds_slot *slot = &plan->slot[s];
    double rise = o->rise[island_of(o, s)], paid = fmax(o->paid[island_of(o, s)], 0.0);
    double part = paid == 0.0 ? 0.0 : rise > paid ? paid / rise : 1.0;
    for (int k = slot->v0; part < 1.0 && k < slot->v0 + slot->nv; ++k) o->way[k] *= part;
    if (s == island_of(o, s)) sum += part * rise;
  }
  return sum;
}

static int slot_of_column(const nsds_plan *plan, int column) {
  int low = 0, high = plan->nslot - 1;
  while (low < high) {
    int middle = (low + high + 1) / 2;
    if (plan->slot[middle].v0 <= column) low = middle;
    else high = middle - 1;
  }
  return low;
}

/* Keeps the bodies in place that the walls squeeze. */
static void hold_squeezed(correction *o, const nsds_plan *plan, const nsds_overlap_rows *rows) {
  double *progress = o->left; /* by slots; not needed any more */
  nsds_zero_doubles(progress, (size_t)plan->nslot);
  for (const nsds_overlap_row *row = rows->row, *end = row + rows->n; row < end; ++row)
    for (int s = 0; s < 2 && row->b > 0.0; ++s)
      if (row->size[s] > 0)
        progress[slot_of_column(plan, row->column[s])] +=
            row->b * (row->z - least_progress * row->b);
  for (int s = 0; s < plan->nslot; ++s)
    if (progress[s] < 0.0) nsds_zero_doubles(o->way + plan->slot[s].v0, (size_t)plan->slot[s].nv);
}

/* ---- displacement of the state --------------------------------------------------------------- */

static bool goes(const double *way, int size) {
  for (int k = 0; k < size; ++k)
    if (way[k] != 0.0) return true;
  return false;
}

/* Moves q of a slot. Forces at the end of the step are evaluated again there. */
static nsds_status move_slot(const nsds_overlap *o, const double *all, nsds_slot *slot) {
  const nsds_ds *ds = slot->ds;
  const nsds_integration *on = &slot->on;
  nsds_status status = nsds_ds_move(ds, on->scheme->t_next, o->before + slot->q0, on->u_end,
                                    all + slot->v0, on->q_end);
  if (status) return status;
  return slot->on.affine ? NSDS_OK : slot->osi->evaluate(&slot->on);
}

static nsds_status move_all(const nsds_overlap *o, const double *way, nsds_plan *plan) {
  nsds_state *end = &plan->trial;
  nsds_status status = NSDS_OK;
  nsds_copy_doubles(o->before, end->q, plan->model->size.nq);
  for (int s = 0; !status && s < plan->nslot; ++s) {
    nsds_slot *slot = &plan->slot[s];
    if (nsds_is_second_order(slot->ds) && goes(way + slot->v0, slot->nv))
      status = move_slot(o, way, slot);
  }
  if (status) nsds_copy_doubles(end->q, o->before, plan->model->size.nq);
  return status;
}

typedef struct following {
  const double *way;
  const nsds_plan *plan;
} following;

static void follow_part(void *self, int part, int parts) {
  const following *t = self;
  const nsds_plan *plan = t->plan;
  int first = plan->ninteraction, found = plan->ncontact - first;
  int end = first + nsds_part_begin(found, part + 1, parts);
  for (int c = first + nsds_part_begin(found, part, parts); c < end; ++c)
    nsds_displacement_follow(plan, t->way, &plan->contact[c]);
}

static nsds_status overlap_correct(nsds_overlap *o, correction *c, int sweeps) {
  enum { few = 256 };
  nsds_plan *plan = c->velocity->op.plan;
  int found = plan->ncontact - plan->ninteraction;
  hold_linked(c);
  if (!any_overlap(c) || !find_paid(c)) return NSDS_OK;
  c->solves = sweeps == 0 && found <= nsds_most_overlaps_solved;
  overlap_find_left(c, plan);
  int n = pack_rows(c);
  nsds_overlap_rows rows = {n, c->row, c->number, c->gain, c->way, plan->model->size.nv};
  if (c->solves && n <= nsds_most_overlaps_solved) {
    nsds_overlap_solve(&rows, c->vector);
    hold_squeezed(c, plan, &rows);
  } else nsds_overlap_sweep(&rows, sweeps == 0 ? default_sweeps : sweeps);
  o->lifted = overlap_pay(c, plan);
  nsds_status status = move_all(o, c->way, plan);
  o->moved = status == NSDS_OK;
  following t = {c->way, plan};
  if (o->moved) nsds_share_out(plan->context, nsds_parts(found, few), follow_part, &t);
  return status;
}

nsds_status nsds_overlap_correct(nsds_overlap *o, const nsds_one_step *velocity, int sweeps) {
  correction c = {.velocity = velocity, .gain = velocity->reduced.factored.gain};
  nsds_status status = reserve_overlap(o, &c);
  if (status) return status;
  nsds_toolbox_enter(velocity->solver->toolbox); /* functions of a program must not start a solve */
  status = overlap_correct(o, &c, sweeps);
  nsds_toolbox_leave(velocity->solver->toolbox);
  return status;
}

void nsds_overlap_undo(nsds_overlap *o, const nsds_plan *plan) {
  if (o->moved) nsds_copy_doubles(plan->trial.q, o->before, plan->model->size.nq);
  nsds_overlap_begin(o);
}

/* ---- rows for a larger problem ---------------------------------------------------------------- */

/* Writes a row, with zeros in H and Y of held bodies. */
static void write_gap(const correction *o, const nsds_plan *plan, const origin *from,
                      nsds_step_gap *gap) {
  const nsds_contact *contact = from->contact;
  int at = contact->y0 + from->i;
  *gap = (nsds_step_gap){.contact = contact->found.place,
                         .body = {-1, -1},
                         .overlap = overlap_left(plan, from),
                         .driven = driven_speed(plan, from),
                         .before = plan->model->state.impulse[at],
                         .impulse = plan->trial.impulse[at]};
  for (int e = 0; e < contact->nds; ++e) {
    gap->body[e] = contact->reach[e].slot;
    gap->held[e] = o->held[contact->reach[e].slot] != 0;
    for (int k = 0; !gap->held[e] && k < from->edge[e].size; ++k) {
      gap->H[e][k] = entry_of_h(from, e, k);
      gap->Y[e][k] = entry_of_y(plan, from, e, k);
    }
  }
}

/* Returns the energy that a contact has taken out of the motion. */
static double taken_by(const nsds_plan *plan, const nsds_contact *contact) {
  const nsds_state *now = &plan->model->state, *end = &plan->trial;
  double sum = 0.0;
  for (int i = contact->y0; i < contact->y0 + contact->m; ++i)
    sum -= 0.5 * end->impulse[i] * (end->ydot[i] + now->ydot[i]);
  return sum;
}

typedef struct gap_list {
  nsds_step_gap *gap; /* NULL: only counted */
  int capacity, count;
  bool wide; /* a contact has more velocities than a row */
} gap_list;

static void list_gaps(const correction *o, origin from, int row, gap_list *list) {
  const nsds_plan *plan = o->velocity->op.plan;
  const nsds_contact *contact = from.contact;
  for (int e = 0; e < contact->nds; ++e)
    if (from.edge[e].size > NSDS_STEP_VELOCITIES) list->wide = true;
  if (contact->is.lifted || list->wide || !nsds_displacement_unilateral(contact)) return;
  for (; from.i < contact->law->ngap; ++from.i, ++list->count) {
    if (list->count >= list->capacity) continue;
    nsds_step_gap *gap = &list->gap[list->count];
    write_gap(o, plan, &from, gap);
    gap->row = row;
    gap->taken = row >= 0 && from.i == 0 ? taken_by(plan, contact) : 0.0;
  }
}

/* Does the same with open contacts of known gains, from `first` on up to `end`. */
static void list_open_gaps(const correction *o, int first, int end, gap_list *list) {
  const nsds_one_step *velocity = o->velocity;
  const nsds_plan *plan = velocity->op.plan;
  for (int c = first < plan->ninteraction ? plan->ninteraction : first; c < end; ++c) {
    const nsds_contact *contact = &plan->contact[c];
    const nsds_entry *entry = &velocity->op.entry[c];
    if (!(contact->is.fixed || !entry->Y)) continue;
    nsds_edge edge[2] = {nsds_entry_edge(contact, entry, 0)};
    if (contact->nds == 2) edge[1] = nsds_entry_edge(contact, entry, 1);
    list_gaps(o, (origin){contact, edge, 0}, -1, list);
  }
}

int nsds_overlap_list(const nsds_one_step *velocity, int capacity, nsds_step_gap *gap) {
  const nsds_plan *plan = velocity->op.plan;
  correction o = {.velocity = velocity};
  gap_list list = {.gap = gap, .capacity = gap ? capacity : 0};
  int next = 0;
  if (nsds_solver_scratch(velocity->solver, (size_t)plan->nslot)) return -1;
  o.held = (unsigned char *)velocity->solver->toolbox->scratch;
  hold_linked(&o);
  for (int a = 0; a < velocity->set.nactive; ++a) {
    int c = velocity->set.active[a];
    const nsds_edge *edge = velocity->reduced.edge + velocity->reduced.first_edge[a];
    list_open_gaps(&o, next, c, &list);
    next = c + 1;
    if (plan->contact[c].found.set) list_gaps(&o, (origin){&plan->contact[c], edge, 0}, a, &list);
  }
  list_open_gaps(&o, next, plan->ncontact, &list);
  if (!list.wide) return list.count;
  nsds_fail(plan->context, NSDS_ERROR_UNSUPPORTED,
            "nsds_step_gaps: a contact of a system with more than %d velocities; valid are bodies",
            NSDS_STEP_VELOCITIES);
  return -1;
}

nsds_status nsds_overlap_displace(const nsds_one_step *velocity, nsds_plan *plan,
                                  const double *way) {
  size_t nq = plan->model->size.nq;
  nsds_overlap o = {0};
  nsds_status status = nsds_solver_scratch(velocity->solver, nq);
  if (status) return status;
  o.before = velocity->solver->toolbox->scratch;
  status = move_all(&o, way, plan);
  for (int c = plan->ninteraction; !status && c < plan->ncontact; ++c)
    nsds_displacement_follow(plan, way, &plan->contact[c]);
  if (!status && nsds_zero_if_finite(plan->trial.q, (int)nq) != 0.0)
    status = nsds_fail(plan->context, NSDS_ERROR_VALUE,
                       "nsds_step_displace: positions at the end of the step are not finite; give "
                       "a shorter way");
  return status;
}
