/*
 * Overlap of found contacts, by a few projected Gauss-Seidel sweeps over the normal rows of the
 * operator that the velocities have been found with:
 *
 *   q <- q (+) d,   d = Y Lambda,   0 <= H d - b  perpendicular to  Lambda >= 0
 *   b = s e for e > 0, else e,      e = -(y + h max(dy/dt, 0)) - slop
 *
 * e is the overlap that the velocity does not undo in the next step, less what is left alone: a part
 * of the way on which the impulse of the step has kept the contact from closing. A contact under
 * load stays closed so, whatever its neighbours are moved by, and no body rattles. A share s of e
 * goes in each step; contacts that do not overlap may close, no more. Every second sweep goes back.
 *
 * Nothing moves what is prescribed, nor bodies that an interaction acts on: joints stay whole.
 */
#include "overlap.h"

#include "displacement.h"
#include "parallel.h"

/* A row, and where its numbers are: of each body H, then Y, from one velocity to another. */
struct nsds_overlap_row {
  double M, b, z; /* own entry of M; z: Lambda */
  int column[2], size[2];
  size_t first;
};

static const double share = 0.25, left_alone = 0.1;

void nsds_overlap_destroy(nsds_overlap *o, nsds_context *context) {
  nsds_release(context, o->row);
  nsds_release(context, o->number);
  nsds_release(context, o->held);
  nsds_release(context, o->way);
  nsds_release(context, o->before);
}

static nsds_status reserve_rows(nsds_overlap *o, const nsds_plan *plan) {
  const nsds_state_size *size = &plan->model->size;
  nsds_context *context = plan->context;
  nsds_status status = nsds_grow(context, &o->row, &o->row_capacity, size->ny, sizeof *o->row);
  if (!status)
    status = nsds_grow(context, &o->held, &o->held_capacity, (size_t)plan->nslot, sizeof *o->held);
  size_t numbers = 0; /* a body of a contact has all of its velocities in H and in Y */
  for (int c = plan->ninteraction; !status && c < plan->ncontact; ++c)
    numbers += 2 * (size_t)plan->contact[c].nv * (size_t)plan->contact[c].law->ngap;
  if (!status)
    status = nsds_grow(context, &o->number, &o->number_capacity, numbers, sizeof *o->number);
  if (!status) status = nsds_grow(context, &o->way, &o->way_capacity, size->nv, sizeof *o->way);
  if (status) return status;
  return nsds_grow(context, &o->before, &o->before_capacity, size->nq, sizeof *o->before);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* What interactions act on. */
static void hold(nsds_overlap *o, const nsds_one_step *velocity) {
  const nsds_plan *plan = velocity->plan;
  memset(o->held, 0, (size_t)plan->nslot);
  for (int a = 0; a < velocity->nactive; ++a) {
    const nsds_contact *contact = &plan->contact[velocity->active[a]];
    if (contact->set) break; /* these come last */
    for (int e = 0; e < contact->nds; ++e) o->held[contact->reach[e].slot] = 1;
  }
}

/* Row i of contact a of the active ones. */
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

/* M of a row with itself, of the bodies that may move. */
static double own_entry(const nsds_overlap *o, const nsds_plan *plan, const origin *from) {
  double sum = 0.0;
  for (int e = 0; e < from->contact->nds; ++e)
    for (int k = 0; !o->held[from->contact->reach[e].slot] && k < from->edge[e].size; ++k)
      sum += entry_of_h(from, e, k) * entry_of_y(plan, from, e, k);
  return sum;
}

/* What is to be undone; M is found where it may be read. */
static double excess(const nsds_overlap *o, const nsds_plan *plan, const origin *from, double *M) {
  int at = from->contact->y0 + from->i;
  const nsds_state *end = &plan->trial;
  double h = plan->scheme->h, speed = end->ydot[at] > 0.0 ? end->ydot[at] : 0.0;
  double e = -(end->y[at] + h * speed);
  *M = own_entry(o, plan, from);
  return e - left_alone * h * *M * end->impulse[at];
}

/* The row in numbers. */
static void pack_row(nsds_overlap *o, const nsds_plan *plan, const origin *from, double M, double e,
                     int n) {
  nsds_overlap_row *row = &o->row[n];
  double *x = o->number + o->used;
  *row = (nsds_overlap_row){.M = M, .b = e > 0.0 ? share * e : e, .first = o->used};
  for (int s = 0; s < from->contact->nds; ++s) {
    int begin = 0, end = from->edge[s].size;
    if (o->held[from->contact->reach[s].slot]) continue;
    while (begin < end && entry_of_h(from, s, begin) == 0.0) ++begin;
    while (end > begin && entry_of_h(from, s, end - 1) == 0.0) --end;
    row->column[s] = from->edge[s].column + begin;
    row->size[s] = end - begin;
    for (int k = begin; k < end; ++k) *x++ = entry_of_h(from, s, k);
    for (int k = begin; k < end; ++k) *x++ = entry_of_y(plan, from, s, k);
  }
  o->used = (size_t)(x - o->number);
}

/* The rows of contacts that are closed, packed where asked for; whether one is to be led back. */
static int gather(nsds_overlap *o, const nsds_one_step *velocity, bool packs, bool *any) {
  const nsds_plan *plan = velocity->plan;
  const nsds_law *known = NULL;
  bool keeps = false;
  int n = 0;
  o->used = 0;
  *any = false;
  for (int a = 0; a < velocity->nactive && (packs || !*any); ++a) {
    origin from = {&plan->contact[velocity->active[a]], velocity->edge + velocity->first_edge[a],
                   0};
    if (!from.contact->set) continue;
    if (from.contact->law != known) keeps = nsds_displacement_unilateral(from.contact);
    known = from.contact->law;
    for (; keeps && from.i < known->ngap; ++from.i) {
      double M, e = excess(o, plan, &from, &M);
      if (!(M > 0.0) || !isfinite(e)) continue;
      *any = *any || e > 0.0;
      if (packs) pack_row(o, plan, &from, M, e, n++);
    }
  }
  return n;
}

/* ---- sweeps ---------------------------------------------------------------------------------- */

static void update_row(const nsds_overlap *o, nsds_overlap_row *row) {
  const double *x = o->number + row->first, *again = x;
  double rest = -row->b;
  for (int s = 0; s < 2; ++s) {
    const double *way = o->way + row->column[s];
    for (int k = 0; k < row->size[s]; ++k) rest += x[k] * way[k];
    x += 2 * row->size[s];
  }
  double z = row->z - rest / row->M, change = (z > 0.0 ? z : 0.0) - row->z;
  if (change == 0.0) return;
  row->z += change;
  for (int s = 0; s < 2; ++s) {
    double *way = o->way + row->column[s];
    again += row->size[s];
    for (int k = 0; k < row->size[s]; ++k) way[k] += *again++ * change;
  }
}

static void sweep_rows(nsds_overlap *o, size_t nv, int n, int sweeps) {
  nsds_zero_doubles(o->way, nv);
  for (int s = 0; s < sweeps; ++s)
    for (int r = 0; r < n; ++r) update_row(o, &o->row[s % 2 == 0 ? r : n - 1 - r]);
}

/* ---- what follows ---------------------------------------------------------------------------- */

static bool goes(const nsds_overlap *o, int column, int size) {
  for (int k = column; k < column + size; ++k)
    if (o->way[k] != 0.0) return true;
  return false;
}

/* Forces at the end of the step are those of these positions. */
static nsds_status move_slot(const nsds_overlap *o, nsds_slot *slot) {
  const nsds_ds *ds = slot->ds;
  double *q = slot->on.q_end;
  const double *way = o->way + slot->v0;
  if (ds->ops->advance) {
    nsds_in in = nsds_ds_in(ds, slot->on.scheme->t_next, o->before + slot->q0, slot->on.u_end);
    nsds_status status = ds->ops->advance(ds->self, &in, way, q);
    if (status) return status;
  } else {
    for (int k = 0; k < ds->nq; ++k) q[k] += way[k];
  }
  return slot->affine ? NSDS_OK : slot->osi->evaluate(&slot->on);
}

static nsds_status move_all(nsds_overlap *o, nsds_plan *plan) {
  nsds_state *end = &plan->trial;
  nsds_status status = NSDS_OK;
  nsds_copy_doubles(o->before, end->q, plan->model->size.nq);
  for (int s = 0; !status && s < plan->nslot; ++s) {
    nsds_slot *slot = &plan->slot[s];
    if (slot->ds->order == 2 && goes(o, slot->v0, slot->nv)) status = move_slot(o, slot);
  }
  if (status) nsds_copy_doubles(end->q, o->before, plan->model->size.nq);
  return status;
}

typedef struct following {
  const nsds_overlap *overlap;
  const nsds_plan *plan;
} following;

static void follow_part(void *self, int part, int parts) {
  const following *t = self;
  const nsds_plan *plan = t->plan;
  int first = plan->ninteraction, found = plan->ncontact - first;
  int end = first + nsds_part_begin(found, part + 1, parts);
  for (int c = first + nsds_part_begin(found, part, parts); c < end; ++c)
    nsds_displacement_follow(plan, t->overlap->way, &plan->contact[c]);
}

nsds_status nsds_overlap_correct(nsds_overlap *o, const nsds_one_step *velocity, int sweeps,
                                 bool *moved) {
  enum { few = 256 };
  nsds_plan *plan = velocity->plan;
  nsds_status status = reserve_rows(o, plan);
  *moved = false;
  if (status) return status;
  hold(o, velocity);
  gather(o, velocity, false, moved);
  if (!*moved) return NSDS_OK;
  int n = gather(o, velocity, true, moved);
  sweep_rows(o, plan->model->size.nv, n, sweeps);
  status = move_all(o, plan);
  if (status) return status;
  following t = {o, plan};
  nsds_share_out(plan->context, nsds_parts(plan->ncontact - plan->ninteraction, few), follow_part,
                 &t);
  return NSDS_OK;
}
