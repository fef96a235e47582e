/*
 * Rows of the reduced formulation. Before the solve: their constant part q = H u_free with the
 * memory of the laws. After the solve: u = u_free + Y z and p = H^T P. Threads share the work by
 * contacts, and sums by systems.
 */
#include "kernel/assembly/reduced_rows.h"

#include "base/base.h"
#include "base/parallel.h"
#include "kernel/assembly/contact.h"
#include "kernel/assembly/local_first.h"
#include "kernel/assembly/plan_tree.h"
#include "kernel/modeling/modeling.h"
#include "numerics/linear/product.h"

/* Returns the constant part of the linearized local variable; NULL: zero. */
static const double *reduced_rows_constant_part(const nsds_contact *contact,
                                                const nsds_entry *entry) {
  return !contact->is.affine ? entry->offset : contact->is.level0 ? contact->shift : NULL;
}

/* Adds (1 - sigma) C X_k of an affine first-order relation. */
static void add_old_state(const nsds_plan *plan, const nsds_contact *contact, double *q) {
  const double *C = contact->first->C;
  for (int e = 0; e < contact->nds; ++e) {
    const nsds_ds *ds = contact->interaction->ds[e];
    for (int k = 0; k < ds->nv; ++k) {
      double x = (1.0 - plan->scheme->relation_weight) * plan->model->state.v[ds->v_offset + k];
      for (int i = 0; i < contact->m; ++i) q[i] += *C++ * x;
    }
  }
}

/* Returns true if all copies of an active contact are active. With one copy the entry is not
 * read. */
static bool all_on(const nsds_contact *contact, const nsds_entry *entry) {
  return contact->ncopy == 1 || !entry->more->on;
}

/* Sets q to the constant part, which the law's memory follows, and z to its start. */
static void reduced_rows_start_rows(const nsds_plan *plan, const nsds_contact *contact,
                                    const nsds_entry *entry, double *q, double *z) {
  const double *known = reduced_rows_constant_part(contact, entry);
  const double *impulse = plan->trial.impulse + contact->y0;
  if (all_on(contact, entry)) {
    for (int i = 0; i < contact->m; ++i) z[i] = impulse[i];
    if (known)
      for (int i = 0; i < contact->m; ++i) q[i] = known[i];
    else
      for (int i = 0; i < contact->m; ++i) q[i] = 0.0;
    return;
  }
  for (int i = 0, r = 0; i < contact->m; ++i) {
    if (!entry->more->on[i / contact->size]) continue;
    z[r] = impulse[i];
    q[r++] = known ? known[i] : 0.0;
  }
}

static void add_memory(const nsds_plan *plan, const nsds_contact *contact, const nsds_entry *entry,
                       double *q) {
  const double *ydot = nsds_contact_rate(plan, contact);
  bool all = all_on(contact, entry);
  for (int k = 0; k < contact->ncopy; ++k, ydot += contact->size) {
    if (!all && !entry->more->on[k]) continue;
    contact->restitution(contact->law_self, ydot, q);
    q += contact->size;
  }
}

/* Returns q of a contact with one row, by far the most frequent case. A register holds the sum. */
static double constant_of_one(const nsds_contact *contact, const nsds_entry *entry,
                              const nsds_edge *edge, const nsds_edge *end, const double *v_free) {
  const double *known = reduced_rows_constant_part(contact, entry);
  double sum = known ? *known : 0.0;
  for (; edge < end; ++edge) {
    const double *H = edge->H, *v = v_free + edge->column;
    for (int k = 0; k < edge->size; ++k) sum += H[k] * v[k];
  }
  return sum;
}

/* Computes q of any contact, out of the way of contacts with one row. */
static NSDS_NOINLINE void constant_of_several(nsds_one_step *o, int a) {
  const nsds_plan *plan = o->op.plan;
  const nsds_contact *contact = &plan->contact[o->set.active[a]];
  const nsds_entry *entry = &o->op.entry[o->set.active[a]];
  const nsds_edge *edge = o->reduced.edge + o->reduced.first_edge[a],
                  *end = o->reduced.edge + o->reduced.first_edge[a + 1];
  double *q = o->q + o->reduced.row[a];
  int rows = o->reduced.row[a + 1] - o->reduced.row[a];
  reduced_rows_start_rows(plan, contact, entry, q, o->z + o->reduced.row[a]);
  for (; edge < end; ++edge)
    nsds_add_product(rows, edge->size, edge->H, rows, plan->v_free + edge->column, q);
  if (NSDS_UNLIKELY(contact->is.lifted)) nsds_plan_tree_add_curved(plan, contact, entry, q);
  if (contact->is.affine && contact->is.level0 && plan->scheme->relation_weight != 1.0)
    add_old_state(plan, contact, q);
  if (contact->restitution) add_memory(plan, contact, entry, q);
}

enum { few = 128 }; /* contacts per part, at least */

/* Computes q = constant part + H u_free + memory. */
static inline void constant_range(nsds_one_step *o, int first, int end) {
  const nsds_plan *plan = o->op.plan;
  const double *impulse = plan->trial.impulse;
  bool older = plan->scheme->relation_weight != 1.0 || plan->tree;
  for (int a = first; a < end; ++a) {
    const nsds_contact *contact = &plan->contact[o->set.active[a]];
    if (contact->m > 1 || older) {
      constant_of_several(o, a);
      continue;
    }
    int row = o->reduced.row[a];
    double *q = o->q + row;
    *q = constant_of_one(contact, &o->op.entry[o->set.active[a]],
                         o->reduced.edge + o->reduced.first_edge[a],
                         o->reduced.edge + o->reduced.first_edge[a + 1], plan->v_free);
    o->z[row] = impulse[contact->y0];
    if (contact->restitution)
      contact->restitution(contact->law_self, nsds_contact_rate(plan, contact), q);
  }
}

static void constant_rows(void *self, int part, int parts) {
  nsds_one_step *o = self;
  constant_range(o, nsds_part_begin(o->set.nactive, part, parts),
                 nsds_part_begin(o->set.nactive, part + 1, parts));
}

/* Raises the scale of the rows of one contact to the sum of its terms. */
static void add_terms(const nsds_one_step *o, int a, double *scale) {
  const nsds_plan *plan = o->op.plan;
  const nsds_contact *contact = &plan->contact[o->set.active[a]];
  const nsds_entry *entry = &o->op.entry[o->set.active[a]];
  const double *known = reduced_rows_constant_part(contact, entry), *q = o->q + o->reduced.row[a];
  bool all = all_on(contact, entry);
  int rows = o->reduced.row[a + 1] - o->reduced.row[a];
  for (int i = 0; i < rows; ++i) scale[i] = 0.0;
  for (int i = 0, r = 0; known && i < contact->m; ++i)
    if (all || entry->more->on[i / contact->size]) scale[r++] = fabs(known[i]);
  for (int k = o->reduced.first_edge[a]; k < o->reduced.first_edge[a + 1]; ++k) {
    const nsds_edge *edge = &o->reduced.edge[k];
    const double *v = plan->v_free + edge->column;
    for (int at = 0; at < rows * edge->size; ++at)
      scale[at % rows] += fabs(edge->H[at] * v[at / rows]);
  }
  for (int i = 0; i < rows; ++i) nsds_raise(&scale[i], fabs(q[i]));
}

void nsds_reduced_scale(const nsds_one_step *o, double *scale) {
  for (int a = 0; a < o->set.nactive; ++a) add_terms(o, a, scale + o->reduced.row[a]);
}

void nsds_reduced_constant_term(nsds_one_step *o) {
  const nsds_plan *plan = o->op.plan;
  int parts = plan->count.foreign > 0 ? 1 : nsds_parts(o->set.nactive, few);
  if (parts == 1) constant_range(o, 0, o->set.nactive);
  else nsds_share_out(plan->context, parts, constant_rows, o);
}

/* Writes impulses and forces of the active rows to the trial state. */
static void keep_impulses(const nsds_plan *plan, const nsds_contact *contact,
                          const nsds_entry *entry, const double *z) {
  double *impulse = plan->trial.impulse + contact->y0, *force = plan->trial.force + contact->y0;
  bool direct = nsds_acts_on_states(contact->kind);
  double step = direct || plan->scheme->h == 0.0 ? 1.0 : plan->scheme->h;
  bool all = all_on(contact, entry);
  if (direct && all) { /* lambda itself */
    for (int i = 0; i < contact->m; ++i) impulse[i] = force[i] = z[i];
    return;
  }
  for (int i = 0; i < contact->m; ++i) {
    if (!all && !entry->more->on[i / contact->size]) continue;
    impulse[i] = *z;
    force[i] = *z++ / step;
  }
}

/* Adds the impulse of one row between first-order systems. */
static void add_one_first(nsds_state *trial, int row, const nsds_edge *edge, const nsds_edge *end,
                          double z) {
  trial->impulse[row] = trial->force[row] = z;
  for (; edge < end; ++edge) {
    double *x = trial->v + edge->column;
    for (int k = 0; k < edge->size; ++k) x[k] += edge->Y[k] * z;
  }
}

/* Adds the impulse of one row between second-order systems. */
static void add_one(const nsds_plan *plan, nsds_state *trial, int row, const nsds_edge *edge,
                    const nsds_edge *end, double z) {
  double h = plan->scheme->h;
  trial->impulse[row] = z;
  trial->force[row] = h > 0.0 ? z / h : z;
  for (; edge < end; ++edge) {
    double *v = trial->v + edge->column, *p = trial->p + edge->column;
    const double *Y = edge->Y, *H = edge->H, *gain = plan->gain + edge->column;
    for (int k = 0, n = edge->size; k < n; ++k) {
      double entry = H[k];
      v[k] += (Y ? Y[k] : gain[k] * entry) * z;
      p[k] += entry * z;
    }
  }
}

/* Adds the impulses of a mixed contact on second-order systems: h times the linearized F, without
 * the part that depends on their states. */
static NSDS_NOINLINE void add_mixed(const nsds_plan *plan, const nsds_contact *contact,
                                    const double *lambda) {
  const nsds_interaction *ia = contact->interaction;
  int row = 0, n = ia->relation->nv;
  for (int e = 0; e < ia->nds; row += ia->ds[e++]->nv) {
    double *p = plan->trial.p + ia->ds[e]->v_offset;
    for (int k = 0; nsds_is_second_order(ia->ds[e]) && k < ia->ds[e]->nv; ++k) {
      double F = contact->first->g_offset ? contact->first->g_offset[row + k] : 0.0;
      for (int j = 0; j < contact->m; ++j)
        F += contact->first->B[row + k + (ptrdiff_t)j * n] * lambda[j];
      p[k] += plan->scheme->h * F;
    }
  }
}

/* Adds the part of F that depends on the systems' new states: h K u. */
static NSDS_NOINLINE void add_state_inputs(const nsds_plan *plan, const nsds_contact *contact) {
  const nsds_interaction *ia = contact->interaction;
  int row = 0, n = ia->relation->nv;
  nsds_input_state(plan, contact, plan->memory.work);
  for (int e = 0; e < ia->nds; row += ia->ds[e++]->nv) {
    double *p = plan->trial.p + ia->ds[e]->v_offset;
    for (int k = 0; nsds_is_second_order(ia->ds[e]) && k < ia->ds[e]->nv; ++k)
      for (int j = 0; j < n; ++j)
        p[k] +=
            plan->scheme->h * contact->first->K[row + k + (ptrdiff_t)j * n] * plan->memory.work[j];
  }
}

/* Adds H^T z to p. */
static void add_transposed(int m, int n, const double *H, const double *z, double *p) {
  if (m == 3)
    for (int k = 0; k < n; ++k, H += 3) p[k] = p[k] + H[0] * z[0] + H[1] * z[1] + H[2] * z[2];
  else
    for (int k = 0; k < n; ++k)
      for (int i = 0; i < m; ++i) p[k] += *H++ * z[i];
}

/* Adds Y z to v and H^T z to p, with Y = diag(gain) H^T. */
static void add_scaled(int m, const nsds_edge *edge, const double *gain, const double *z, double *v,
                       double *p) {
  const double *H = edge->H;
  for (int k = 0; k < edge->size; ++k, H += m) {
    double sum = 0.0;
    for (int i = 0; i < m; ++i) sum += H[i] * z[i];
    v[k] += gain[k] * sum;
    p[k] += sum;
  }
}

/* Adds impulses z of a contact on a second-order system. */
static void add_edge(const nsds_plan *plan, int m, const nsds_edge *edge, const double *z,
                     nsds_state *trial) {
  if (!edge->Y) {
    add_scaled(m, edge, plan->gain + edge->column, z, trial->v + edge->column,
               trial->p + edge->column);
    return;
  }
  nsds_add_product(edge->size, m, edge->Y, edge->size, z, trial->v + edge->column);
  add_transposed(m, edge->size, edge->H, z, trial->p + edge->column);
}

/* Adds the impulses of any contact, out of the way of contacts with one row. */
static NSDS_NOINLINE void add_several(const nsds_one_step *o, int a) {
  nsds_state *trial = &o->op.plan->trial;
  const nsds_contact *contact = &o->op.plan->contact[o->set.active[a]];
  const nsds_entry *entry = &o->op.entry[o->set.active[a]];
  const double *z = o->z + o->reduced.row[a];
  const nsds_edge *edge = o->reduced.edge + o->reduced.first_edge[a],
                  *end = o->reduced.edge + o->reduced.first_edge[a + 1];
  int m = o->reduced.row[a + 1] - o->reduced.row[a];
  keep_impulses(o->op.plan, contact, entry, z);
  if (contact->kind == NSDS_RELATION_MIXED) add_mixed(o->op.plan, contact, z);
  for (; edge < end; ++edge)
    if (nsds_has_gap(contact->kind)) add_edge(o->op.plan, m, edge, z, trial);
    else /* inputs are summed separately */
      nsds_add_product(edge->size, m, edge->Y, edge->size, z, trial->v + edge->column);
}

/* Does a thread's share between second-order systems: the impulses of some contacts, and the sums
 * of some systems. The terms of a sum come in the order of the contacts. */
static void add_share(void *self, int part, int parts) {
  const nsds_one_step *o = self;
  const nsds_plan *plan = o->op.plan;
  nsds_state *trial = &o->op.plan->trial;
  int nv = (int)plan->model->size.nv, end = nsds_part_begin(o->set.nactive, part + 1, parts);
  int from = nsds_part_begin(nv, part, parts), to = nsds_part_begin(nv, part + 1, parts);
  for (int a = nsds_part_begin(o->set.nactive, part, parts); a < end; ++a)
    keep_impulses(plan, &plan->contact[o->set.active[a]], &o->op.entry[o->set.active[a]],
                  o->z + o->reduced.row[a]);
  for (int a = 0; a < o->set.nactive; ++a)
    for (int e = o->reduced.first_edge[a]; e < o->reduced.first_edge[a + 1]; ++e) {
      const nsds_edge *edge = &o->reduced.edge[e];
      if (edge->column < from || edge->column >= to) continue;
      add_edge(plan, o->reduced.row[a + 1] - o->reduced.row[a], edge, o->z + o->reduced.row[a],
               trial);
    }
}

static void add_one_by_one(const nsds_one_step *o) {
  const nsds_plan *plan = o->op.plan;
  nsds_state *trial = &o->op.plan->trial;
  for (int a = 0; a < o->set.nactive; ++a) {
    const nsds_contact *contact = &plan->contact[o->set.active[a]];
    const nsds_edge *edge = o->reduced.edge + o->reduced.first_edge[a],
                    *end = o->reduced.edge + o->reduced.first_edge[a + 1];
    bool one = contact->m == 1;
    if (one && NSDS_LIKELY(nsds_has_gap(contact->kind)))
      add_one(plan, trial, contact->y0, edge, end, o->z[o->reduced.row[a]]);
    else if (one && contact->kind == NSDS_RELATION_FIRST_ORDER)
      add_one_first(trial, contact->y0, edge, end, o->z[o->reduced.row[a]]);
    else add_several(o, a);
  }
  for (int a = 0; plan->count.mixed > 0 && a < o->set.nactive; ++a) {
    const nsds_contact *contact = &plan->contact[o->set.active[a]];
    if (contact->kind == NSDS_RELATION_MIXED && contact->first->K) add_state_inputs(plan, contact);
  }
}

/* Adds Y z to u, and computes p = H^T P of second-order systems. */
static NSDS_NOINLINE void add_impulses(nsds_one_step *o) {
  const nsds_plan *plan = o->op.plan;
  nsds_state *trial = &o->op.plan->trial;
  const nsds_state_size *size = &plan->model->size;
  bool first = plan->count.first > 0;
  nsds_zero_doubles(trial->p, size->nv);
  if (o->set.rows < (int)size->ny) {
    nsds_zero_doubles(trial->impulse, size->ny);
    nsds_zero_doubles(trial->force, size->ny);
  }
  int parts = first ? 1 : nsds_parts(o->set.nactive, few);
  if (parts > 1 && parts > nsds_context_threads(plan->context))
    parts = nsds_context_threads(plan->context);
  if (parts == 1) add_one_by_one(o);
  else nsds_share_out(plan->context, parts, add_share, o);
  o->set.idle = o->set.nactive == 0 && !first;
}

void nsds_reduced_apply(nsds_one_step *o) {
  nsds_plan *plan = o->op.plan;
  nsds_copy_doubles(plan->trial.v, plan->v_free, plan->model->size.nv);
  if (o->set.nactive > 0 || !o->set.idle) add_impulses(o); /* otherwise they are still zero */
}
