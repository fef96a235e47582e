/*
 * Rows of one contact form a group, with D of the contact. If M of a system is singular, lambda of a
 * row moves the algebraic unknowns, and with them s of all rows of the system at once. These rows
 * are one group. D of such a group has the entries
 *
 *     D_ij + C_i N B_j       N: index_one.c; D_ij is zero between contacts
 *
 * and x is the state without inputs, to which N B lambda is added where others see it.
 */
#include "kernel/events/row_groups.h"

#include "base/base.h"
#include "base/context.h"
#include "base/union_find.h"
#include "kernel/assembly/index_one.h"
#include "kernel/assembly/plan.h"
#include "kernel/assembly/tree_rates.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"

static const double nothing = 1e-13; /* relative to its terms: an entry of D that is rounding */

/* ---- groups ---------------------------------------------------------------------------------- */

static const nsds_index_one *algebra_of(const nsds_event_rows *s, const nsds_reach *reach) {
  return s->plan->slot[reach->slot].index_one;
}

/* Returns the first slot of a contact with a singular M; -1: none. */
static int algebraic_slot(const nsds_event_rows *s, const nsds_contact *contact) {
  for (int e = 0; nsds_acts_on_states(contact->kind) && e < contact->nds; ++e)
    if (algebra_of(s, &contact->reach[e])) return contact->reach[e].slot;
  return -1;
}

static nsds_status reserve_contacts(nsds_event_rows *s) {
  nsds_context *context = s->plan->context;
  size_t contacts = (size_t)s->plan->ncontact, rows = 0, slots = (size_t)s->plan->nslot;
  for (size_t c = 0; c < contacts; ++c)
    rows += (size_t)nsds_contact_event_rows(&s->plan->contact[c]);
  nsds_status status =
      nsds_grow(context, &s->groups.of, &s->groups.of_capacity, contacts, sizeof *s->groups.of);
  if (!status)
    status = nsds_grow(context, &s->groups.group, &s->groups.group_capacity, contacts,
                       sizeof *s->groups.group);
  if (!status)
    status = nsds_grow(context, &s->groups.member, &s->groups.member_capacity, rows,
                       sizeof *s->groups.member);
  return status ? status
                : nsds_grow(context, &s->groups.link, &s->groups.link_capacity, 2 * slots,
                            sizeof *s->groups.link);
}

/* Joins systems with a singular M that a contact ties to each other. */
static void join_systems(const nsds_event_rows *s) {
  int *up = s->groups.link;
  for (int k = 0; k < s->plan->nslot; ++k) {
    up[k] = k;
    up[s->plan->nslot + k] = -1; /* the group of the systems */
  }
  for (int c = 0; c < s->plan->ncontact; ++c) {
    const nsds_contact *contact = &s->plan->contact[c];
    int slot = algebraic_slot(s, contact);
    for (int e = 0; slot >= 0 && e < contact->nds; ++e)
      if (algebra_of(s, &contact->reach[e])) nsds_unite(up, slot, contact->reach[e].slot);
  }
}

/* Gives each soft contact a group and its place there. */
static void number_groups(nsds_event_rows *s) {
  int *up = s->groups.link, *number = up + s->plan->nslot, row = 0;
  s->groups.n = 0;
  s->groups.algebraic = false;
  for (int c = 0; c < s->plan->ncontact; ++c) {
    const nsds_contact *contact = &s->plan->contact[c];
    nsds_contact_group *of = &s->groups.of[c];
    int slot = algebraic_slot(s, contact), *known = slot < 0 ? NULL : &number[nsds_root(up, slot)];
    *of = (nsds_contact_group){.group = -1, .row = row};
    row += nsds_contact_event_rows(contact);
    if (!nsds_contact_is_soft(contact)) continue;
    if (!known || *known < 0) {
      of->group = s->groups.n++;
      s->groups.group[of->group] = (nsds_row_group){.contact = c, .several = known != NULL};
      if (known) *known = of->group;
    } else {
      of->group = *known;
    }
    of->place = s->groups.group[of->group].n;
    s->groups.group[of->group].n += contact->m;
  }
  for (int k = 0; k < s->plan->nslot; ++k)
    s->groups.algebraic = s->groups.algebraic || s->plan->slot[k].index_one;
}

static void list_members(nsds_event_rows *s) {
  int first = 0;
  for (int g = 0; g < s->groups.n; first += s->groups.group[g++].n)
    s->groups.group[g].first = first;
  for (int c = 0; c < s->plan->ncontact; ++c) {
    const nsds_contact_group *of = &s->groups.of[c];
    for (int i = 0; of->group >= 0 && i < s->plan->contact[c].m; ++i)
      s->groups.member[s->groups.group[of->group].first + of->place + i] = of->row + i;
  }
}

nsds_status nsds_groups_find(nsds_event_rows *s) {
  nsds_context *context = s->plan->context;
  size_t weights = 0, matrices = 0, moved = 0, square = 1;
  nsds_status status = reserve_contacts(s);
  if (status) return status;
  join_systems(s);
  number_groups(s);
  list_members(s);
  for (nsds_row_group *g = s->groups.group, *end = g + s->groups.n; g < end; ++g) {
    size_t own = (size_t)g->n * (size_t)g->n;
    g->weights = weights;
    g->matrix = matrices;
    weights += own;
    matrices += g->several ? own : 0;
    if (own + (size_t)g->n > square) square = own + (size_t)g->n; /* and sizes of rows */
  }
  for (int c = 0; c < s->plan->ncontact; ++c) {
    const nsds_contact *contact = &s->plan->contact[c];
    s->groups.of[c].moved = moved;
    if (algebraic_slot(s, contact) >= 0) moved += (size_t)contact->m * (size_t)contact->nv;
  }
  status = nsds_grow(context, &s->groups.D, &s->groups.D_capacity, matrices, sizeof *s->groups.D);
  if (!status)
    status = nsds_grow(context, &s->groups.moved, &s->groups.moved_capacity, moved,
                       sizeof *s->groups.moved);
  if (!status)
    status = nsds_grow(context, &s->groups.answer, &s->groups.answer_capacity, moved,
                       sizeof *s->groups.answer);
  if (!status)
    status = nsds_grow(context, &s->weights.weight, &s->weights.capacity, weights,
                       sizeof *s->weights.weight);
  return status ? status
                : nsds_grow(context, &s->weights.scratch, &s->weights.scratch_capacity, square,
                            sizeof *s->weights.scratch);
}

/* ---- D --------------------------------------------------------------------------------------- */

/* Computes N B of a contact, or what its inputs add to states ahead, edge by edge: size x m each. */
static void find_inputs(const nsds_event_rows *s, int c, double *pool,
                        void (*map)(const nsds_index_one *own, int nrhs, double *b)) {
  const nsds_contact *contact = &s->plan->contact[c];
  double *out = pool + s->groups.of[c].moved;
  for (int e = 0; e < contact->nds; ++e) {
    const nsds_index_one *own = algebra_of(s, &contact->reach[e]);
    size_t count = (size_t)contact->m * (size_t)contact->reach[e].size;
    if (own) {
      contact->ops->load_input(s->plan, contact, &s->op.entry[c], e, out);
      map(own, contact->m, out);
    } else {
      nsds_zero_doubles(out, count);
    }
    out += count;
  }
}

/* Returns C of one row times the column of another in N B, or in the answers, plus D. */
static double through_states(const nsds_event_rows *s, const double *pool, const nsds_row *r,
                             const nsds_row *q) {
  const nsds_contact *cr = &s->plan->contact[r->contact], *cq = &s->plan->contact[q->contact];
  const double *moved = pool + s->groups.of[q->contact].moved;
  double sum = 0.0, terms = 0.0;
  for (int b = 0; b < cq->nds; ++b) {
    int size = cq->reach[b].size;
    const double *column = moved + (ptrdiff_t)q->i * size;
    moved += (ptrdiff_t)cq->m * size;
    if (!algebra_of(s, &cq->reach[b])) continue;
    for (int a = 0; a < cr->nds; ++a) {
      if (cr->reach[a].slot != cq->reach[b].slot) continue;
      const double *H = s->op.entry[r->contact].edge[a].H + r->i;
      for (int k = 0; k < size; ++k, H += cr->m) {
        sum += *H * column[k];
        terms += fabs(*H * column[k]);
      }
    }
  }
  const double *D = s->op.entry[r->contact].D;
  if (r->contact == q->contact && D) {
    double own = D[r->i + (ptrdiff_t)q->i * cr->m];
    sum += own;
    terms += fabs(own);
  }
  return fabs(sum) <= nothing * terms ? 0.0 : sum;
}

nsds_status nsds_groups_check(const nsds_event_rows *s) {
  char label[nsds_label_size];
  for (int c = 0; s->groups.algebraic && c < s->plan->ncontact; ++c) {
    const nsds_contact *contact = &s->plan->contact[c];
    double *r = s->groups.moved + s->groups.of[c].moved;
    for (int e = 0; algebraic_slot(s, contact) >= 0 && e < contact->nds; ++e) {
      const nsds_index_one *own = algebra_of(s, &contact->reach[e]);
      if (!own || own->hidden == 0) continue;
      contact->ops->load_input(s->plan, contact, &s->op.entry[c], e, r);
      if (nsds_index_one_enters(own, contact->m, r))
        return nsds_fail(s->plan->context, NSDS_ERROR_SINGULAR,
                         "event-driven: lambda of %s enters a constraint of states of a system "
                         "with a singular M, which then follow from its derivative (index 2); "
                         "valid is nsds_adaptive()",
                         nsds_contact_label(contact, label));
    }
  }
  return NSDS_OK;
}

double nsds_groups_stray(const nsds_event_rows *s, nsds_status *status) {
  double largest = 0.0;
  for (int k = 0; s->groups.algebraic && !*status && k < s->plan->nslot; ++k) {
    const nsds_slot *slot = &s->plan->slot[k];
    if (slot->index_one)
      nsds_raise(&largest,
                 nsds_index_one_stray(slot, s->plan->trial.t, s->plan->trial.v + slot->v0, status));
  }
  return largest;
}

void nsds_groups_couple(nsds_event_rows *s) {
  if (!s->groups.algebraic) return;
  for (int c = 0; c < s->plan->ncontact; ++c)
    if (algebraic_slot(s, &s->plan->contact[c]) >= 0)
      find_inputs(s, c, s->groups.moved, nsds_index_one_move);
  for (const nsds_row_group *g = s->groups.group, *end = g + s->groups.n; g < end; ++g) {
    double *D = s->groups.D + g->matrix;
    for (int j = 0; g->several && j < g->n; ++j)
      for (int i = 0; i < g->n; ++i)
        D[i + (ptrdiff_t)j * g->n] =
            through_states(s, s->groups.moved, nsds_group_row(s, g, i), nsds_group_row(s, g, j));
  }
}

double nsds_rows_through(const nsds_event_rows *s, const nsds_row *r, const nsds_row *q) {
  int group = s->groups.of[r->contact].group;
  if (group < 0 || group != s->groups.of[q->contact].group) return 0.0;
  const nsds_row_group *g = &s->groups.group[group];
  const double *D = nsds_group_matrix(s, g);
  return D[nsds_group_place(s, r) + (ptrdiff_t)nsds_group_place(s, q) * g->n];
}

/* ---- a short time ahead ---------------------------------------------------------------------- */

/* Adds g - B lambda of the points of curved contacts to the inputs of a slot. */
static void add_curved_inputs(const nsds_event_rows *s, int slot, double *r) {
  for (const nsds_row *row = s->row, *end = row + s->nrow; s->listed.curved && row < end; ++row) {
    const nsds_contact *contact = &s->plan->contact[row->contact];
    int first = 0;
    if (row->i > 0 || algebraic_slot(s, contact) < 0 || !nsds_contact_is_curved(contact)) continue;
    for (int e = 0; e < contact->nds; first += contact->reach[e++].size)
      for (int k = 0; contact->reach[e].slot == slot && k < contact->reach[e].size; ++k) {
        r[k] += contact->first->g[first + k];
        for (int j = 0; j < contact->m; ++j)
          r[k] -= contact->first->B[first + k + (ptrdiff_t)j * contact->nv] * row[j].point;
      }
  }
}

/* Adds B lambda of the open rows to the inputs of a slot. */
static void add_open_inputs(const nsds_event_rows *s, int slot, double *r) {
  for (const nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row) {
    const nsds_contact *contact = &s->plan->contact[row->contact];
    int first = 0;
    if (row->lambda == 0.0 || row->mode == NSDS_MODE_CLOSED || algebraic_slot(s, contact) < 0)
      continue;
    for (int e = 0; e < contact->nds; first += contact->reach[e++].size)
      for (int k = 0; contact->reach[e].slot == slot && k < contact->reach[e].size; ++k)
        r[k] += contact->first->B[first + k + (ptrdiff_t)row->i * contact->nv] * row->lambda;
  }
}

nsds_status nsds_groups_step(nsds_event_rows *s, double length) {
  nsds_plan *plan = s->plan;
  nsds_status status = NSDS_OK;
  for (int k = 0; !status && k < plan->nslot; ++k) {
    const nsds_slot *slot = &plan->slot[k];
    if (!slot->index_one) continue;
    nsds_zero_doubles(slot->index_one->f, (size_t)slot->nv);
    add_open_inputs(s, k, slot->index_one->f);
    add_curved_inputs(s, k, slot->index_one->f);
    status = nsds_index_one_step(slot, plan->trial.t, length, plan->trial.v + slot->v0,
                                 slot->index_one->f);
  }
  for (int c = 0; !status && c < plan->ncontact; ++c)
    if (algebraic_slot(s, &plan->contact[c]) >= 0)
      find_inputs(s, c, s->groups.answer, nsds_index_one_answer);
  return status;
}

/* Adds e H (rates) of the other systems of a row to *b, or e H Y of another row. */
static double through_others(const nsds_event_rows *s, const nsds_row *r, const nsds_row *q) {
  const nsds_contact *cr = &s->plan->contact[r->contact], *cq = &s->plan->contact[q->contact];
  double sum = 0.0;
  if (NSDS_UNLIKELY(cr->is.lifted || cq->is.lifted))
    return nsds_tree_rates_product(s->plan, cr, &s->op.entry[r->contact], r->i, cq,
                                   &s->op.entry[q->contact], q->i, true);
  for (int a = 0; a < cr->nds; ++a) {
    const nsds_edge *h = &s->op.entry[r->contact].edge[a];
    if (algebra_of(s, &cr->reach[a])) continue;
    for (int b = 0; b < cq->nds; ++b) {
      const nsds_edge *y = &s->op.entry[q->contact].edge[b];
      for (int k = 0; y->column == h->column && k < h->size; ++k)
        sum += h->H[r->i + (ptrdiff_t)k * cr->m] * y->Y[k + (ptrdiff_t)q->i * y->size];
    }
  }
  return sum;
}

double nsds_groups_answer(const nsds_event_rows *s, const nsds_row *r, const nsds_row *q,
                          double length) {
  bool both = s->groups.of[r->contact].group == s->groups.of[q->contact].group;
  double states = both ? through_states(s, s->groups.answer, r, q) : 0.0;
  return states + length * through_others(s, r, q);
}

double nsds_groups_change(const nsds_event_rows *s, const nsds_row *row, double length) {
  const nsds_contact *contact = &s->plan->contact[row->contact];
  const double *D = s->op.entry[row->contact].D;
  double sum = 0.0;
  for (int e = 0; e < contact->nds; ++e) {
    const nsds_index_one *own = algebra_of(s, &contact->reach[e]);
    const nsds_edge *edge = &s->op.entry[row->contact].edge[e];
    for (int k = 0; k < edge->size; ++k) {
      int place = edge->column + k;
      double change = own ? own->ahead[k] - s->plan->trial.v[place] : length * s->rate[place];
      sum += edge->H[row->i + (ptrdiff_t)k * contact->m] * change;
    }
  }
  for (int j = 0; D && j < contact->m; ++j) {
    const nsds_row *other = row - row->i + j;
    if (other->mode != NSDS_MODE_CLOSED)
      sum += D[row->i + (ptrdiff_t)j * contact->m] * other->lambda;
  }
  return sum;
}

void nsds_groups_push(const nsds_event_rows *s, const nsds_row *row, double length, double *v) {
  const nsds_contact *contact = &s->plan->contact[row->contact];
  const double *answer = s->groups.answer + s->groups.of[row->contact].moved;
  bool lifted = contact->is.lifted;
  if (NSDS_UNLIKELY(lifted))
    nsds_tree_rates_push(s->plan, contact, &s->op.entry[row->contact], row->i, length * row->lambda,
                         true, v);
  for (int e = 0; e < contact->nds; ++e) {
    const nsds_edge *edge = &s->op.entry[row->contact].edge[e];
    bool ahead = algebra_of(s, &contact->reach[e]) != NULL;
    for (int k = 0; k < edge->size && (ahead || !lifted); ++k) {
      ptrdiff_t at = k + (ptrdiff_t)row->i * edge->size;
      v[edge->column + k] += (ahead ? answer[at] : length * edge->Y[at]) * row->lambda;
    }
    answer += (ptrdiff_t)contact->m * edge->size;
  }
}

/* ---- states ---------------------------------------------------------------------------------- */

void nsds_groups_hide(const nsds_event_rows *s) {
  for (int k = 0; k < s->plan->nslot; ++k) {
    const nsds_slot *slot = &s->plan->slot[k];
    if (!slot->index_one) continue;
    nsds_copy_doubles(s->plan->trial.v + slot->v0, slot->index_one->x, (size_t)slot->nv);
    nsds_zero_doubles(slot->index_one->rest, (size_t)slot->nv);
  }
}

nsds_status nsds_groups_show(const nsds_event_rows *s) {
  nsds_plan *plan = s->plan;
  nsds_status status = NSDS_OK;
  if (!s->groups.algebraic) return NSDS_OK;
  for (int k = 0; !status && k < plan->nslot; ++k) {
    const nsds_slot *slot = &plan->slot[k];
    double *x = plan->trial.v + slot->v0;
    if (!slot->index_one) continue;
    status = nsds_index_one_complete(slot, plan->trial.t, x);
    for (int j = 0; j < slot->nv; ++j) x[j] += slot->index_one->rest[j];
  }
  for (const nsds_row *row = s->row, *end = row + s->nrow; !status && row < end; ++row) {
    const nsds_contact *contact = &plan->contact[row->contact];
    if (row->lambda == 0.0 || algebraic_slot(s, contact) < 0) continue;
    const double *moved = s->groups.moved + s->groups.of[row->contact].moved;
    for (int e = 0; e < contact->nds; ++e) {
      int size = contact->reach[e].size;
      double *x = plan->trial.v + contact->reach[e].column;
      for (int k = 0; algebra_of(s, &contact->reach[e]) && k < size; ++k)
        x[k] += moved[(ptrdiff_t)row->i * size + k] * row->lambda;
      moved += (ptrdiff_t)contact->m * size;
    }
  }
  return status;
}
