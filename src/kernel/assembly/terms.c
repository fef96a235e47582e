/*
 * Sizes of the terms of residuals. A residual is a sum that vanishes at the solution; its rounding
 * is that of its largest terms, which may cancel. So every residual is compared with the sum of the
 * magnitudes of the terms:
 *
 *   R - H^T P   |M| (|u| + |u_i|) + h (|C| |u| + |K| |q| + |F| + |F_i|) + |H|^T |P|
 *   y - h       |h| + |offset| + |H| |u| + |D| |lambda| + |h_Q| |Q| + constants
 *               u = u_free + Y z may be what is left of |u_free| + |Y| |z|
 *   r - g       |g| + |g_offset| + |B| |lambda| + |K| |u| + |g_Q| |Q|
 *
 * C, K, h_Q and g_Q stand for terms inside functions of the program, which nobody knows. `constants`
 * are lever arms, points of the world and rest lengths, which only the relation knows
 * (nsds_relation::terms): all else may vanish while they cancel. In a spring P and lambda count with
 * the size of their terms, since these may be large while P settles to zero.
 */
#include "kernel/assembly/terms.h"

#include "base/base.h"
#include "kernel/assembly/local_first.h"
#include "kernel/assembly/plan_tree.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/shape_column.h"

#include <float.h>

/* The sizes of the terms of u or of residuals, nv. */
static double *terms_of_plan(const nsds_plan *plan) { return plan->v_last + plan->model->size.nv; }

/* Adds alpha |A| |x| of a matrix of a system; values NULL: nothing. */
static void add_product_sizes(const nsds_matrix_shape *shape, int n, const double *values,
                              double alpha, const double *x, double *size) {
  for (int j = 0; values && j < n; ++j) {
    nsds_shape_column column = nsds_shape_column_at(shape->p, shape->i, n, j);
    for (int e = column.first; e < column.last; ++e)
      size[nsds_shape_column_row(&column, e)] += alpha * fabs(values[e] * x[j]);
  }
}

/* Writes the sizes of the terms of R. K of a manifold is about changes of q, not about q. */
static void terms_of_system(const nsds_plan *plan, const nsds_slot *slot, double *size) {
  const nsds_integration *on = &slot->on;
  const nsds_ds *ds = slot->ds;
  int n = slot->nv;
  double h = plan->scheme->h;
  for (int k = 0; k < n; ++k)
    size[k] = slot->on.affine ? 0.0 : h * (fabs(on->force[k]) + fabs(on->force_end[k]));
  const double *u[2] = {on->u, on->u_end};
  for (int s = 0; s < 2; ++s)
    if (slot->M) add_product_sizes(&ds->mass, n, slot->M, 1.0, u[s], size);
    else
      for (int k = 0; k < n; ++k) size[k] += fabs(u[s][k]);
  add_product_sizes(&ds->damping, n, slot->C, h, on->u_end, size);
  if (nsds_is_first_order(ds)) add_product_sizes(&ds->stiffness, n, slot->K, h, on->u_end, size);
  else if (on->nq == n) add_product_sizes(&ds->stiffness, n, slot->K, h, on->q_end, size);
}

/* Returns the size of the constants in y of row i. */
static double constants(const nsds_contact *contact, int i) {
  const nsds_interaction *ia = contact->interaction;
  return ia && ia->relation->terms ? ia->relation->terms[i] : 0.0;
}

/* Returns the size of P of row i of a contact between second-order systems. In a spring P is the
 * quotient of a difference of places, whose terms may be far larger. */
static double impulse_size(const nsds_plan *plan, const nsds_contact *contact,
                           const nsds_entry *entry, int i) {
  const double *H = entry->H + i;
  double size = 0.0, D = entry->D ? fabs(entry->D[i + i * contact->m]) : 0.0;
  if (contact->is.level0 && D > 0.0) size = constants(contact, i) / plan->scheme->h / D;
  for (int e = 0; contact->is.level0 && D > 0.0 && e < contact->nds; ++e) {
    double place = nsds_terms_size(plan, &plan->slot[contact->reach[e].slot]);
    for (int k = 0; k < contact->reach[e].size; ++k, H += contact->m) size += fabs(*H) * place / D;
  }
  return fmax(size, fabs(plan->trial.impulse[contact->y0 + i]));
}

/* Adds |H|^T |P| of a contact to the sizes of its systems. */
static void add_impulses_of(const nsds_plan *plan, const nsds_contact *contact,
                            const nsds_entry *entry) {
  for (int i = 0; i < contact->m; ++i) {
    double P = impulse_size(plan, contact, entry, i);
    const double *H = entry->H + i;
    for (int e = 0; e < contact->nds; ++e) {
      double *size = terms_of_plan(plan) + contact->reach[e].column;
      for (int k = 0; k < contact->reach[e].size; ++k, H += contact->m) size[k] += fabs(*H) * P;
    }
  }
}

/* Returns the size of lambda of row i where lambda acts on states. If y has a term D lambda, lambda
 * is made of the other terms of y. */
static double lambda_size(const nsds_plan *plan, const nsds_contact *contact,
                          const nsds_entry *entry, int i, const double *speeds) {
  double D = entry->D && !contact->is.linear ? fabs(entry->D[i + i * contact->m]) : 0.0;
  double size = D > 0.0 ? nsds_terms_of_output(plan, contact, entry, i, speeds) / D : 0.0;
  return fmax(size, fabs(plan->trial.impulse[contact->y0 + i]));
}

/* Adds the terms of weight r of an interaction in which lambda acts on states. */
static void add_inputs_of(const nsds_plan *plan, const nsds_contact *contact,
                          const nsds_entry *entry) {
  double *u = plan->memory.work;
  nsds_input_state(plan, contact, u);
  for (int e = 0, first = 0; e < contact->nds; first += contact->reach[e++].size) {
    double weight = nsds_input_scale(plan, contact->reach[e].slot);
    double *size = terms_of_plan(plan) + contact->reach[e].column;
    for (int k = 0; k < contact->reach[e].size; ++k)
      size[k] += weight * nsds_terms_of_input(plan, contact, entry, u, first + k, NULL);
    for (int i = 0; i < contact->m; ++i) {
      double lambda = lambda_size(plan, contact, entry, i, NULL);
      const double *B = contact->first->B + first + (ptrdiff_t)i * contact->nv;
      for (int k = 0; k < contact->reach[e].size; ++k) size[k] += weight * fabs(B[k]) * lambda;
    }
  }
}

const double *nsds_terms_of_dynamics(nsds_plan *plan, const nsds_one_step *o) {
  for (int s = 0; s < plan->nslot; ++s)
    terms_of_system(plan, &plan->slot[s], terms_of_plan(plan) + plan->slot[s].v0);
  for (int a = 0; a < o->set.nactive; ++a) {
    const nsds_contact *contact = &plan->contact[o->set.active[a]];
    const nsds_entry *entry = &o->op.entry[o->set.active[a]];
    if (nsds_acts_on_states(contact->kind)) add_inputs_of(plan, contact, entry);
    else add_impulses_of(plan, contact, entry);
  }
  return terms_of_plan(plan);
}

double nsds_terms_of_output(const nsds_plan *plan, const nsds_contact *contact,
                            const nsds_entry *entry, int i, const double *speeds) {
  const nsds_first_terms *first = contact->first;
  const double *H = entry->H + i, *lambda = plan->trial.impulse + contact->y0;
  int m = contact->m;
  double size = fabs(first->h[i]) + fabs(entry->offset[i]) + constants(contact, i);
  if (first->places) size += first->places[i];
  for (int j = 0; entry->D && j < m; ++j) size += fabs(entry->D[i + j * m] * lambda[j]);
  for (int e = 0; e < contact->nds; ++e) {
    const double *u = (speeds ? speeds : plan->trial.v) + contact->reach[e].column;
    for (int k = 0; k < contact->reach[e].size; ++k, H += m) size += fabs(*H * u[k]);
  }
  return size;
}

/* Adds |Y z| of a contact to the sizes of its systems. */
static void add_motions_of(const nsds_plan *plan, const nsds_one_step *o, int a) {
  const nsds_contact *contact = &plan->contact[o->set.active[a]];
  const double *z = o->z + o->reduced.row[a];
  const nsds_edge *edge = o->reduced.edge + o->reduced.first_edge[a];
  int m = o->reduced.row[a + 1] - o->reduced.row[a];
  if (contact->is.lifted) { /* its edges are no systems */
    nsds_plan_tree_add_speeds(plan, contact, &o->op.entry[o->set.active[a]], terms_of_plan(plan));
    return;
  }
  for (int e = 0; e < contact->nds; ++e, ++edge) {
    double *size = terms_of_plan(plan) + contact->reach[e].column;
    const double *gain = plan->gain + edge->column;
    for (int k = 0; k < edge->size; ++k)
      for (int i = 0; i < m; ++i) {
        double Y = edge->Y ? edge->Y[k + (ptrdiff_t)i * edge->size]
                           : gain[k] * edge->H[i + (ptrdiff_t)k * m];
        size[k] += fabs(Y * z[i]);
      }
  }
}

const double *nsds_terms_of_speeds(nsds_plan *plan, const nsds_one_step *o) {
  for (size_t k = 0; k < plan->model->size.nv; ++k)
    terms_of_plan(plan)[k] = fabs(plan->trial.v[k]) + fabs(plan->v_free[k]);
  for (int a = 0; o->form->whole && a < o->set.nactive; ++a) add_motions_of(plan, o, a);
  if (plan->tree) nsds_plan_tree_share_speeds(plan, terms_of_plan(plan));
  return terms_of_plan(plan);
}

double nsds_terms_of_input(const nsds_plan *plan, const nsds_contact *contact,
                           const nsds_entry *entry, const double *u, int i, const double *speeds) {
  const nsds_first_terms *first = contact->first;
  int nx = contact->nv;
  double size = fabs(first->g[i]) + (first->g_offset ? fabs(first->g_offset[i]) : 0.0);
  if (first->input_places) size += first->input_places[i];
  for (int j = 0; j < contact->m; ++j)
    size += fabs(first->B[i + (ptrdiff_t)j * nx]) * lambda_size(plan, contact, entry, j, speeds);
  for (int j = 0; first->K && j < nx; ++j) size += fabs(first->K[i + (ptrdiff_t)j * nx] * u[j]);
  return size;
}

double nsds_terms_of_gap(const nsds_plan *plan, const nsds_contact *contact, const double *H,
                         int i) {
  double size =
      contact->is.affine && contact->interaction ? fabs(contact->shift[i]) : constants(contact, i);
  H += i;
  for (int e = 0; e < contact->nds; ++e) {
    const nsds_slot *slot = &plan->slot[contact->reach[e].slot];
    for (int k = 0; k < slot->nv; ++k, H += contact->m)
      if (k < slot->on.nq) size += fabs(*H * plan->trial.q[slot->q0 + k]);
  }
  return size;
}

double nsds_terms_of_gap_at(const nsds_plan *plan, const nsds_contact *contact, const double *H,
                            const nsds_state *at, int i) {
  double size = 0.0, rest = at->y[contact->y0 + i];
  for (const nsds_reach *r = contact->reach, *end = r + contact->nds; r < end; ++r) {
    const nsds_ds *ds = plan->slot[r->slot].ds;
    int n = ds->nq < ds->nv ? ds->nq : ds->nv;
    for (int k = 0; k < n; ++k) {
      double term = H[i + (ptrdiff_t)k * contact->m] * at->q[r->q + k];
      size += fabs(term);
      rest -= term;
    }
    H += (ptrdiff_t)contact->m * r->size;
  }
  bool known = contact->is.affine && contact->interaction;
  return size + fabs(known ? contact->shift[i] : rest);
}

double nsds_terms_size(const nsds_plan *plan, const nsds_slot *slot) {
  const nsds_state *end = &plan->trial;
  double size = 0.0;
  for (int k = 0; k < slot->on.nq; ++k) nsds_raise(&size, fabs(end->q[slot->q0 + k]));
  size /= plan->scheme->h;
  for (int k = slot->v0; k < slot->v0 + slot->nv; ++k) {
    nsds_raise(&size, fabs(end->v[k]));
    nsds_raise(&size, fabs(plan->model->state.v[k]));
  }
  return size;
}

bool nsds_terms_at_rounding(const nsds_plan *plan, const nsds_slot *slot) {
  double change = 0.0;
  for (int k = slot->v0; k < slot->v0 + slot->nv; ++k)
    nsds_raise(&change, fabs(plan->trial.v[k] - plan->v_last[k]));
  return change <= fmax(4.0 * DBL_EPSILON * nsds_terms_size(plan, slot), DBL_MIN);
}
