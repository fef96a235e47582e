/*
 * The one-step problem of large circuits, not reduced to the multipliers. With many interactions on
 * one system, H W^-1 G is full although W, H and G are sparse. The increments d = u - u_free
 * therefore stay unknowns, and the problem keeps the sparsity of the graph:
 *
 *   0 = W d - G lambda                    (equality rows, one block)
 *   w = H d + D lambda + q,   q as in the reduced problem
 *
 * This formulation is for linear first-order models with constant coefficients. Relations are
 * stored by their nonzero columns.
 */
#include "kernel/assembly/unreduced.h"

#include "base/context.h"
#include "kernel/assembly/local_first.h"
#include "kernel/assembly/problems.h"
#include "kernel/assembly/plan_check.h"
#include "kernel/assembly/reduced.h"
#include "kernel/modeling/shape_column.h"

static bool column_is_zero(const double *a, int count, int stride) {
  for (int k = 0; k < count; ++k)
    if (a[(size_t)k * (size_t)stride] != 0.0) return false;
  return true;
}

/* Lists the columns of X that an interaction reads (C) or drives (B), with their place among all
 * unknowns. */
static nsds_status list_columns(nsds_one_step *u) {
  nsds_plan *plan = u->op.plan;
  size_t count = 0;
  for (int c = 0; c < plan->ncontact; ++c) {
    nsds_contact *contact = &plan->contact[c];
    const nsds_interaction *ia = contact->interaction;
    int m = contact->m, nx = ia->relation->nv, k = 0;
    contact->first->first_column = (int)count;
    for (int e = 0; e < ia->nds; ++e)
      for (int j = 0; j < ia->ds[e]->nv; ++j, ++k) {
        if (column_is_zero(contact->first->C + (size_t)k * (size_t)m, m, 1) &&
            column_is_zero(contact->first->B + k, m, nx))
          continue;
        if (nsds_grow(plan->context, &u->unreduced.local, &u->unreduced.local_capacity, count + 1,
                      sizeof *u->unreduced.local) ||
            nsds_grow(plan->context, &u->unreduced.global, &u->unreduced.global_capacity, count + 1,
                      sizeof *u->unreduced.global))
          return NSDS_ERROR_MEMORY;
        u->unreduced.local[count] = k;
        u->unreduced.global[count++] = ia->ds[e]->v_offset + j;
      }
    contact->first->ncolumn = (int)count - contact->first->first_column;
  }
  return NSDS_OK;
}

/* Receives all entries (row, column, value) in one pass. Columns of W come first. Rows increase in
 * a column, except for G, which unreduced_place() sorts in. */
typedef struct sink {
  nsds_one_step *u;
  bool fill;
} sink;

static void unreduced_place(sink *s, int row, int column, double value) {
  nsds_one_step *u = s->u;
  if (!s->fill) {
    ++u->unreduced.p[column + 1];
    return;
  }
  int at = u->unreduced.next_in_column[column]++;
  while (at > u->unreduced.p[column] && u->unreduced.i[at - 1] > row) {
    u->unreduced.i[at] = u->unreduced.i[at - 1];
    u->unreduced.x[at] = u->unreduced.x[at - 1];
    --at;
  }
  u->unreduced.i[at] = row;
  u->unreduced.x[at] = value;
}

static void unreduced_place_all(sink *s) {
  const nsds_plan *plan = s->u->op.plan;
  int nv = (int)plan->model->size.nv;
  for (int k = 0; k < plan->nslot; ++k) {
    const nsds_slot *slot = &plan->slot[k];
    for (int j = 0; j < slot->nv; ++j) {
      nsds_shape_column column =
          nsds_shape_column_at(slot->pattern.p, slot->pattern.i, slot->nv, j);
      for (int e = column.first; e < column.last; ++e)
        unreduced_place(s, slot->v0 + nsds_shape_column_row(&column, e), slot->v0 + j, slot->W[e]);
    }
  }
  double weight = plan->scheme->h * plan->scheme->input_new, sigma = plan->scheme->relation_weight;
  for (int c = 0; c < plan->ncontact; ++c) {
    const nsds_contact *contact = &plan->contact[c];
    const nsds_entry *entry = &s->u->op.entry[c];
    int m = contact->m, nx = contact->interaction->relation->nv,
        row = nv + contact->first->first_row;
    for (int e = contact->first->first_column;
         e < contact->first->first_column + contact->first->ncolumn; ++e) {
      int k = s->u->unreduced.local[e], g = s->u->unreduced.global[e];
      for (int i = 0; i < m; ++i) {
        double C = contact->first->C[i + (ptrdiff_t)k * m],
               B = contact->first->B[k + (ptrdiff_t)i * nx];
        if (C != 0.0) unreduced_place(s, row + i, g, sigma * C);
        if (B != 0.0) unreduced_place(s, g, row + i, -weight * B);
      }
    }
    for (int j = 0; j < m; ++j)
      for (int i = 0; i < m; ++i) {
        double D = entry->D ? entry->D[i + j * m] : 0.0;
        if (D != 0.0 || i == j)
          unreduced_place(s, row + i, row + j, D); /* pivots may stand on the diagonal */
      }
  }
}

static nsds_status unreduced_reserve(nsds_one_step *u) {
  nsds_context *context = u->op.plan->context;
  size_t n = (size_t)u->problem.n;
  nsds_release(context, u->unreduced.p);
  nsds_release(context, u->unreduced.block);
  nsds_release(context, u->unreduced.vector);
  u->unreduced.p = NSDS_NEW_ARRAY(context, int, 2 * n + 1);
  u->unreduced.block = NSDS_NEW_ARRAY(context, nsds_block, u->problem.nblock);
  u->unreduced.vector = NSDS_NEW_ARRAY(context, double, 3 * n);
  if (!u->unreduced.p || !u->unreduced.block || !u->unreduced.vector) return NSDS_ERROR_MEMORY;
  u->unreduced.next_in_column = u->unreduced.p + n + 1;
  u->q = u->unreduced.vector;
  u->z = u->q + n;
  u->w = u->z + n;
  return NSDS_OK;
}

/* Numbers the rows of the unknowns and contacts. Sets the sizes of the problem. */
static void number_rows(nsds_one_step *u) {
  const nsds_plan *plan = u->op.plan;
  int nv = (int)plan->model->size.nv, n = nv, blocks = 1;
  for (int c = 0; c < plan->ncontact; ++c) {
    plan->contact[c].first->first_row = n - nv;
    n += plan->contact[c].m;
    blocks += plan->contact[c].ncopy;
  }
  u->set.rows = n - nv;
  u->problem = (nsds_problem){.n = n, .nblock = blocks};
}

/* Forms the matrix in two passes: counts the entries, then places them. */
static nsds_status unreduced_form(nsds_one_step *u) {
  const nsds_plan *plan = u->op.plan;
  int n = u->problem.n;
  sink s = {.u = u};
  unreduced_place_all(&s);
  for (int j = 0; j < n; ++j) {
    u->unreduced.p[j + 1] += u->unreduced.p[j];
    u->unreduced.next_in_column[j] = u->unreduced.p[j];
  }
  size_t count = (size_t)u->unreduced.p[n];
  nsds_release(plan->context, u->unreduced.i);
  nsds_release(plan->context, u->unreduced.x);
  u->unreduced.i = NSDS_NEW_ARRAY(plan->context, int, count);
  u->unreduced.x = NSDS_NEW_ARRAY(plan->context, double, count);
  if (!u->unreduced.i || !u->unreduced.x) return NSDS_ERROR_MEMORY;
  s.fill = true;
  unreduced_place_all(&s);
  nsds_contact_operator_restamp(&u->op);
  u->problem.M = (nsds_matrix){.storage = NSDS_CSC,
                               .n = n,
                               .p = u->unreduced.p,
                               .i = u->unreduced.i,
                               .x = u->unreduced.x,
                               .stamp = u->op.stamp};
  return NSDS_OK;
}

/* Lists one block of equalities for all systems, then the blocks of the contacts. */
static void list_blocks(nsds_one_step *u) {
  const nsds_plan *plan = u->op.plan;
  int nv = (int)plan->model->size.nv;
  u->unreduced.block[0] = (nsds_block){.set = NSDS_SET_EQUALITY, .size = nv};
  u->problem.nblock = 1;
  for (int c = 0; c < plan->ncontact; ++c)
    u->problem.nblock += nsds_reduced_blocks(u, c, u->unreduced.block + u->problem.nblock);
  u->problem.block = u->unreduced.block;
}

static nsds_status unreduced_prepare(nsds_one_step *u) {
  const nsds_plan *plan = u->op.plan;
  if (nsds_one_step_stands(u) && u->unreduced.refreshed == plan->refreshed) return NSDS_OK;
  number_rows(u);
  nsds_status status = u->solver ? nsds_plan_check_solver(u->op.plan, u->solver) : NSDS_OK;
  if (!status) status = list_columns(u);
  if (!status) status = unreduced_reserve(u);
  if (!status) status = unreduced_form(u);
  if (status) return status;
  unsigned long faults = plan->model->law_fault.count;
  list_blocks(u);
  if (plan->model->law_fault.count != faults) return plan->model->law_fault.last;
  u->problem.q = u->q;
  for (int c = 0; c < plan->ncontact; ++c) u->set.active[c] = c;
  if (u->set.nactive != plan->ncontact) nsds_index_set_change(&u->set);
  u->set.nactive = plan->ncontact;
  status = nsds_solver_reserve(u->solver, &u->problem);
  u->set.built = status ? 0 : plan->structure;
  u->unreduced.refreshed = plan->refreshed;
  return status;
}

static void unreduced_constant_term(nsds_one_step *u) {
  const nsds_plan *plan = u->op.plan;
  const nsds_state *now = &plan->model->state;
  size_t nv = plan->model->size.nv;
  double sigma = plan->scheme->relation_weight;
  for (int c = 0; c < plan->ncontact; ++c) {
    const nsds_contact *contact = &plan->contact[c];
    double *q = u->q + nv + contact->first->first_row, *z = u->z + nv + contact->first->first_row;
    for (int i = 0; i < contact->m; ++i) {
      q[i] = contact->shift[i];
      z[i] = plan->trial.impulse[contact->y0 + i];
    }
    nsds_first_order_add_rows(u, contact, sigma, plan->v_free, q);
    if (sigma != 1.0) nsds_first_order_add_rows(u, contact, 1.0 - sigma, now->v, q);
  }
}

static void unreduced_apply(nsds_one_step *u) {
  nsds_state *trial = &u->op.plan->trial;
  size_t nv = u->op.plan->model->size.nv;
  for (size_t k = 0; k < nv; ++k) trial->v[k] = u->op.plan->v_free[k] + u->z[k];
  for (int c = 0; c < u->op.plan->ncontact; ++c) {
    const nsds_contact *contact = &u->op.plan->contact[c];
    const double *z = u->z + nv + contact->first->first_row;
    for (int i = 0; i < contact->m; ++i)
      trial->impulse[contact->y0 + i] = trial->force[contact->y0 + i] = z[i];
  }
}

const nsds_formulation nsds_unreduced = {.name = "unreduced",
                                         .prepare = unreduced_prepare,
                                         .constant_term = unreduced_constant_term,
                                         .apply = unreduced_apply};
