/*
 * Bodies in joint coordinates at an instant, for event-driven simulation. The state is that of the
 * bodies. With M of all bodies and v = J(q) u the accelerations obey
 *
 *     J^T (M dv/dt - F - H^T lambda) = 0,   dv/dt = J du/dt + dJ/dt u
 *
 * A row H of a contact or an interaction has the gain J (J^T M J)^-1 J^T H^T, in velocities of all
 * bodies of its tree. This gain is not stored. The row has X and Y by w of the joints on its way to
 * the root (plan_tree.c). A product of two rows is a sum over the joints that both ways share.
 */
#include "kernel/assembly/tree_rates.h"

#include "base/base.h"
#include "kernel/assembly/plan_tree.h"
#include "kernel/assembly/slot.h"

#include <float.h>

/* Quaternions get the length 1 first, which an integration does not keep. */
void nsds_tree_rates_settle(const nsds_plan *plan, double *q, double *v) {
  nsds_tree_step *step = plan->tree->step;
  for (int k = 0; k < step->tree->nbody; ++k) {
    double *p = q + step->ds[k]->q_offset + nsds_body_nq - 4;
    double square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3];
    double length = fabs(square - 1.0) > 4.0 * DBL_EPSILON ? sqrt(square) : 1.0;
    for (int i = 0; i < 4; ++i) p[i] /= length;
  }
  nsds_tree_step_settle(step, q, v);
}

nsds_status nsds_tree_rates_find(nsds_plan *plan) {
  nsds_plan_tree *t = plan->tree;
  nsds_tree_step *step = t->step;
  nsds_tree_rates_settle(plan, plan->trial.q, plan->trial.v);
  nsds_tree_step_turning(step, t->curved);
  nsds_status status = nsds_plan_tree_factor_mass(plan);
  if (status) return status;
  for (int k = 0; k < step->tree->nbody; ++k) {
    const nsds_slot *slot = &plan->slot[step->ds[k]->index];
    double missing[nsds_body_nv], residual[nsds_body_nv] = {0};
    for (int i = 0; i < nsds_body_nv; ++i)
      missing[i] = t->curved[nsds_body_nv * k + i] - plan->v_free[slot->v0 + i];
    nsds_mass_multiply(slot, 1.0, missing, residual);
    nsds_tree_step_add(step, k, residual);
  }
  nsds_tree_step_rest(step, plan->v_free);
  nsds_tree_step_solve(step, plan->v_free, step->way);
  for (int k = 0; k < step->tree->nbody; ++k) {
    double *rate = plan->v_free + step->ds[k]->v_offset;
    nsds_tree_step_velocity(step, k, rate);
    for (int i = 0; i < nsds_body_nv; ++i) rate[i] += t->curved[nsds_body_nv * k + i];
  }
  return NSDS_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

void nsds_tree_rates_push(const nsds_plan *plan, const nsds_contact *contact,
                          const nsds_entry *entry, int i, double x, bool regular, double *v) {
  const nsds_plan_tree *t = plan->tree;
  const nsds_reach *edge = nsds_contact_problem_edges(contact), *end = edge + contact->nedge;
  const double *Y = entry->Y;
  int last = -1;
  for (; edge < end; Y += (ptrdiff_t)contact->m * edge++->size) {
    double *out = t->number[edge->slot] >= 0 ? t->push : v;
    for (int k = 0; k < edge->size && !(regular && plan->slot[edge->slot].index_one); ++k)
      out[edge->column + k] += x * Y[k + (ptrdiff_t)i * edge->size];
  }
  for (int e = 0; e < contact->nds; ++e) {
    int root = t->leader[contact->reach[e].slot];
    if (t->number[root] >= 0 && root != last)
      nsds_tree_step_answer(t->step, root, t->leader, t->push, v);
    last = root;
  }
  for (edge = nsds_contact_problem_edges(contact); edge < end; ++edge)
    for (int k = 0; k < edge->size; ++k) t->push[edge->column + k] = 0.0;
}

/* Returns the product of the edges of two rows that lead to the same unknowns. */
static double edge_product(const nsds_reach *edge, int m, const double *X, int i, const double *Y,
                           int j) {
  double sum = 0.0;
  for (int k = 0; k < edge->size; ++k)
    sum += X[i + (ptrdiff_t)k * m] * Y[k + (ptrdiff_t)j * edge->size];
  return sum;
}

/* Edges of the tree come first, from the leaves to the root. */
double nsds_tree_rates_product(const nsds_plan *plan, const nsds_contact *contact,
                               const nsds_entry *entry, int i, const nsds_contact *other,
                               const nsds_entry *second, int j, bool regular) {
  const int *number = plan->tree->number;
  const nsds_reach *a = nsds_contact_problem_edges(contact), *last_a = a + contact->nedge;
  const nsds_reach *b = nsds_contact_problem_edges(other), *last_b = b + other->nedge;
  const double *X = nsds_entry_rows(contact, entry), *Y = second->Y;
  double sum = 0.0;
  while (a < last_a && b < last_b) {
    int from = number[a->slot], to = number[b->slot];
    if (from < 0 && to < 0) break;
    if (from == to) sum += edge_product(a, contact->m, X, i, Y, j);
    if (from >= to) X += (ptrdiff_t)contact->m * a++->size;
    if (to >= from) Y += (ptrdiff_t)other->m * b++->size;
  }
  for (; a < last_a; X += (ptrdiff_t)contact->m * a++->size) {
    const double *gain = Y;
    for (const nsds_reach *c = b; c < last_b; gain += (ptrdiff_t)other->m * c++->size)
      if (c->column == a->column && !(regular && plan->slot[a->slot].index_one))
        sum += edge_product(a, contact->m, X, i, gain, j);
  }
  return sum;
}
