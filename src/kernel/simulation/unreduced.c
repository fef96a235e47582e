/*
 * The one-step problem of large circuits, not reduced to the multipliers. With sparse W and many
 * interactions on one system, H W^-1 G is full although W, H and G are sparse, so the increments
 * d = u - u_free stay unknowns and the problem keeps the sparsity of the graph:
 *
 *   0 = W d - G lambda                    (equality rows, one block)
 *   w = H d + D lambda + q,   q as in the reduced problem
 *
 * For linear first-order models with constant coefficients (plan->unreduced). Relations are kept by
 * their nonzero columns.
 */
#include "unreduced.h"

void nsds_unreduced_destroy(nsds_simulation *sim, nsds_unreduced *u) {
  void *arrays[] = {u->local, u->global, u->p, u->i, u->x, u->block, u->vector};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) nsds_release(sim->context, arrays[k]);
  *u = (nsds_unreduced){0};
}

static bool column_is_zero(const double *a, int count, int stride) {
  for (int k = 0; k < count; ++k)
    if (a[(size_t)k * (size_t)stride] != 0.0) return false;
  return true;
}

/* Columns of X that an interaction reads (C) or drives (B), with their place among all unknowns. */
static nsds_status list_columns(nsds_simulation *sim, nsds_unreduced *u) {
  size_t count = 0;
  for (int c = 0; c < sim->plan.ncontact; ++c) {
    nsds_contact *contact = &sim->plan.contact[c];
    const nsds_interaction *ia = contact->interaction;
    int m = contact->m, nx = ia->relation->nq, k = 0;
    contact->first_column = (int)count;
    for (int e = 0; e < ia->nds; ++e)
      for (int j = 0; j < ia->ds[e]->nv; ++j, ++k) {
        if (column_is_zero(contact->C + (size_t)k * (size_t)m, m, 1) &&
            column_is_zero(contact->B + k, m, nx))
          continue;
        if (nsds_grow(sim->context, &u->local, &u->local_capacity, count + 1, sizeof *u->local) ||
            nsds_grow(sim->context, &u->global, &u->global_capacity, count + 1, sizeof *u->global))
          return NSDS_ERROR_MEMORY;
        u->local[count] = k;
        u->global[count++] = ia->ds[e]->v_offset + j;
      }
    contact->ncolumn = (int)count - contact->first_column;
  }
  return NSDS_OK;
}

/* One pass over all entries (row, column, value), columns of W first, rows increasing in a column
 * but for those of G, which place() sorts in. */
typedef struct sink {
  nsds_unreduced *u;
  bool fill;
} sink;

static void place(sink *s, int row, int column, double value) {
  nsds_unreduced *u = s->u;
  if (!s->fill) {
    ++u->p[column + 1];
    return;
  }
  int at = u->next[column]++;
  while (at > u->p[column] && u->i[at - 1] > row) {
    u->i[at] = u->i[at - 1];
    u->x[at] = u->x[at - 1];
    --at;
  }
  u->i[at] = row;
  u->x[at] = value;
}

static void place_all(const nsds_simulation *sim, sink *s) {
  const nsds_plan *plan = &sim->plan;
  int nv = (int)sim->model->nv;
  for (int k = 0; k < plan->nslot; ++k) {
    const nsds_slot *slot = &plan->slot[k];
    for (int j = 0; j < slot->nv; ++j) {
      int first = slot->p ? slot->p[j] : j * slot->nv;
      int last = slot->p ? slot->p[j + 1] : first + slot->nv;
      for (int e = first; e < last; ++e)
        place(s, slot->v0 + (slot->p ? slot->i[e] : e - first), slot->v0 + j, slot->W[e]);
    }
  }
  double weight = sim->h_now * sim->rho;
  for (int c = 0; c < plan->ncontact; ++c) {
    const nsds_contact *contact = &plan->contact[c];
    int m = contact->m, nx = contact->interaction->relation->nq, row = nv + contact->y0;
    for (int e = contact->first_column; e < contact->first_column + contact->ncolumn; ++e) {
      int k = s->u->local[e], g = s->u->global[e];
      for (int i = 0; i < m; ++i) {
        double C = contact->C[i + (size_t)k * (size_t)m], B = contact->B[k + (size_t)i * (size_t)nx];
        if (C != 0.0) place(s, row + i, g, sim->sigma * C);
        if (B != 0.0) place(s, g, row + i, -weight * B);
      }
    }
    for (int j = 0; j < m; ++j)
      for (int i = 0; i < m; ++i) {
        double D = contact->D ? contact->D[i + j * m] : 0.0;
        if (D != 0.0 || i == j) place(s, row + i, row + j, D); /* pivots may stand on the diagonal */
      }
  }
}

static nsds_status reserve(nsds_simulation *sim, nsds_unreduced *u) {
  nsds_context *context = sim->context;
  size_t n = (size_t)u->problem.n, nc = (size_t)sim->plan.ncontact;
  nsds_release(context, u->p);
  nsds_release(context, u->block);
  nsds_release(context, u->vector);
  u->p = NSDS_NEW_ARRAY(context, int, 2 * n + 1);
  u->block = NSDS_NEW_ARRAY(context, nsds_block, nc + 1);
  u->vector = NSDS_NEW_ARRAY(context, double, 3 * n);
  if (!u->p || !u->block || !u->vector) return NSDS_ERROR_MEMORY;
  u->next = u->p + n + 1;
  u->q = u->vector;
  u->z = u->q + n;
  u->w = u->z + n;
  return NSDS_OK;
}

nsds_status nsds_unreduced_build(nsds_simulation *sim) {
  nsds_unreduced *u = &sim->unreduced;
  const nsds_plan *plan = &sim->plan;
  int nv = (int)sim->model->nv, n = nv + (int)sim->model->ny;
  u->problem = (nsds_problem){.n = n, .nblock = plan->ncontact + 1};
  nsds_status status = list_columns(sim, u);
  if (!status) status = reserve(sim, u);
  if (status) return status;
  sink s = {.u = u};
  place_all(sim, &s);
  for (int j = 0; j < n; ++j) {
    u->p[j + 1] += u->p[j];
    u->next[j] = u->p[j];
  }
  size_t count = (size_t)u->p[n];
  nsds_release(sim->context, u->i);
  nsds_release(sim->context, u->x);
  u->i = NSDS_NEW_ARRAY(sim->context, int, count);
  u->x = NSDS_NEW_ARRAY(sim->context, double, count);
  if (!u->i || !u->x) return NSDS_ERROR_MEMORY;
  s.fill = true;
  place_all(sim, &s);
  u->block[0] = (nsds_block){.set = NSDS_SET_EQUALITY, .size = nv};
  for (int c = 0; c < plan->ncontact; ++c) {
    const nsds_law *law = plan->contact[c].interaction->law;
    law->ops->block(law->self, plan->contact[c].m, &u->block[c + 1]);
  }
  u->problem.block = u->block;
  u->problem.q = u->q;
  u->problem.M = (nsds_matrix){
      .storage = NSDS_CSC, .n = n, .p = u->p, .i = u->i, .x = u->x, .stamp = ++sim->osp.stamp};
  return nsds_solver_reserve(sim->solver, &u->problem);
}

void nsds_unreduced_add(const nsds_simulation *sim, const nsds_contact *contact, double alpha,
                        const double *v, double *y) {
  const nsds_unreduced *u = &sim->unreduced;
  for (int e = contact->first_column; e < contact->first_column + contact->ncolumn; ++e) {
    const double *C = contact->C + (size_t)u->local[e] * (size_t)contact->m;
    double x = alpha * v[u->global[e]];
    for (int i = 0; i < contact->m; ++i) y[i] += C[i] * x;
  }
}

void nsds_unreduced_inputs(const nsds_simulation *sim, const nsds_contact *contact,
                           const double *lambda, double *p) {
  const nsds_unreduced *u = &sim->unreduced;
  int nx = contact->interaction->relation->nq;
  for (int e = contact->first_column; e < contact->first_column + contact->ncolumn; ++e)
    for (int j = 0; j < contact->m; ++j)
      p[u->global[e]] += contact->B[u->local[e] + (size_t)j * (size_t)nx] * lambda[j];
}

void nsds_unreduced_constant_term(nsds_simulation *sim) {
  nsds_unreduced *u = &sim->unreduced;
  const nsds_plan *plan = &sim->plan;
  size_t nv = sim->model->nv;
  for (int c = 0; c < plan->ncontact; ++c) {
    const nsds_contact *contact = &plan->contact[c];
    double *q = u->q + nv + contact->y0, *z = u->z + nv + contact->y0;
    for (int i = 0; i < contact->m; ++i) {
      q[i] = contact->shift[i];
      z[i] = plan->impulse[contact->y0 + i];
    }
    nsds_unreduced_add(sim, contact, sim->sigma, plan->v_free, q);
    if (sim->sigma != 1.0) nsds_unreduced_add(sim, contact, 1.0 - sim->sigma, sim->model->v, q);
  }
}

void nsds_unreduced_apply(nsds_simulation *sim) {
  const nsds_unreduced *u = &sim->unreduced;
  nsds_plan *plan = &sim->plan;
  size_t nv = sim->model->nv, ny = sim->model->ny;
  for (size_t k = 0; k < nv; ++k) plan->v[k] = plan->v_free[k] + u->z[k];
  memcpy(plan->impulse, u->z + nv, ny * sizeof *plan->impulse);
}
