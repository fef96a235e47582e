/*
 * The one-step nonsmooth problem over the active contacts (index set I1):
 *   w_a = sum_s H_as v_s + D_a P_a + e dy_a/dt(t_i)      (terms per relation and law)
 *   v   = v_free + Y P,   Y = W^-1 H^T
 * Arrays are sized for all contacts, so that a change of the active set allocates nothing here.
 */
#include "small.h"
#include "unreduced.h"

static void release(nsds_simulation *sim) {
  nsds_one_step *o = &sim->osp;
  void *arrays[] = {o->active, o->candidate, o->block, o->row, o->first_edge,
                    o->edge,   o->D,         o->q,     o->dense};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k)
    nsds_release(sim->context, arrays[k]);
}

void nsds_one_step_destroy(nsds_simulation *sim) { release(sim); }

nsds_status nsds_one_step_resize(nsds_simulation *sim) {
  nsds_one_step *o = &sim->osp;
  const nsds_plan *plan = &sim->plan;
  size_t nc = (size_t)plan->ncontact, ny = sim->model->ny;
  uint64_t stamp = o->stamp;
  release(sim);
  *o = (nsds_one_step){.stamp = stamp + 1};
  o->active = NSDS_NEW_ARRAY(sim->context, int, nc);
  o->candidate = NSDS_NEW_ARRAY(sim->context, int, nc);
  o->block = NSDS_NEW_ARRAY(sim->context, nsds_block, nc);
  o->row = NSDS_NEW_ARRAY(sim->context, int, nc + 1);
  o->first_edge = NSDS_NEW_ARRAY(sim->context, int, nc + 1);
  o->edge = NSDS_NEW_ARRAY(sim->context, nsds_edge, plan->nedge);
  o->D = NSDS_NEW_ARRAY(sim->context, const double *, nc);
  o->q = NSDS_NEW_ARRAY(sim->context, double, 3 * ny);
  size_t few = ny < nsds_dense_rows ? ny : nsds_dense_rows;
  o->dense = NSDS_NEW_ARRAY(sim->context, double, few * few);
  if (!o->active || !o->candidate || !o->block || !o->row || !o->first_edge || !o->edge || !o->D ||
      !o->q || !o->dense) {
    release(sim);
    *o = (nsds_one_step){.stamp = stamp + 1};
    sim->plan.topology = 0; /* the plan is not usable without its problem */
    return NSDS_ERROR_MEMORY;
  }
  o->z = o->q + ny;
  o->w = o->z + ny;
  return NSDS_OK;
}

/* The problem's structure for the contacts in o->active. */
static void rebuild(nsds_simulation *sim) {
  nsds_one_step *o = &sim->osp;
  const nsds_plan *plan = &sim->plan;
  int rows = 0, edges = 0;
  bool any_d = false;
  for (int a = 0; a < o->nactive; ++a) {
    const nsds_contact *contact = &plan->contact[o->active[a]];
    const nsds_law *law = contact->interaction->law;
    o->block[a] = (nsds_block){0};
    law->ops->block(law->self, contact->m, &o->block[a]);
    o->row[a] = rows;
    o->first_edge[a] = edges;
    o->D[a] = contact->D;
    any_d = any_d || contact->D;
    for (int e = 0; e < contact->nedge; ++e)
      o->edge[edges++] = plan->edge[contact->first_edge + e];
    rows += contact->m;
  }
  o->row[o->nactive] = rows;
  o->first_edge[o->nactive] = edges;
  o->rows = rows;
  o->factored = (nsds_factored){.nrow_block = o->nactive,
                                .ncolumn = (int)sim->model->nv,
                                .row = o->row,
                                .first_edge = o->first_edge,
                                .edge = o->edge,
                                .D = any_d ? o->D : NULL};
  o->problem = (nsds_problem){
      .n = rows,
      .nblock = o->nactive,
      .block = o->block,
      .M = {.storage = NSDS_FACTORED, .n = rows, .factored = &o->factored},
      .q = o->q};
}

/* Workspace of the solver for the problem of all contacts, which no active set exceeds. */
nsds_status nsds_one_step_reserve(nsds_simulation *sim) {
  nsds_one_step *o = &sim->osp;
  for (int c = 0; c < sim->plan.ncontact; ++c) o->active[c] = c;
  o->nactive = sim->plan.ncontact;
  rebuild(sim);
  o->changed = true;
  o->problem.M.stamp = ++o->stamp;
  nsds_status status = nsds_solver_reserve(sim->solver, &o->problem);
  o->problem.M.stamp = 0; /* not formed yet */
  if (status || o->rows <= nsds_dense_rows) return status;
  nsds_problem few = o->problem; /* smaller problems come as dense matrices */
  int blocks = 0, rows = 0;
  while (blocks < few.nblock && rows + o->block[blocks].size <= nsds_dense_rows)
    rows += o->block[blocks++].size;
  few.n = few.M.n = rows;
  few.nblock = blocks;
  few.M.storage = NSDS_DENSE;
  few.M.factored = NULL;
  few.M.x = o->dense;
  return nsds_solver_reserve(sim->solver, &few);
}

/* Few rows are handed over as a dense matrix, which solvers and certifier read fastest. */
static void form_matrix(nsds_one_step *o) {
  nsds_matrix *M = &o->problem.M;
  if (o->rows > nsds_dense_rows || M->stamp == o->stamp) {
    M->stamp = o->stamp;
    return;
  }
  M->storage = NSDS_FACTORED;
  M->factored = &o->factored;
  nsds_problem_to_dense(&o->problem, o->dense);
  M->storage = NSDS_DENSE;
  M->factored = NULL;
  M->x = o->dense;
  M->stamp = o->stamp;
}

/* Determines I1 from y and dy/dt at the start of the step. */
void nsds_one_step_select(nsds_simulation *sim) {
  nsds_one_step *o = &sim->osp;
  const nsds_plan *plan = &sim->plan;
  const nsds_model *model = sim->model;
  double tau = sim->def.gamma_prediction * sim->h_now;
  int count = 0;
  for (int c = 0; c < plan->ncontact; ++c) {
    const nsds_contact *contact = &plan->contact[c];
    bool active = !contact->active ||
                  contact->active(contact->law_self, contact->m, model->y + contact->y0,
                                  model->ydot + contact->y0, tau);
    o->candidate[count] = c;
    count += active;
  }
  bool same = count == o->nactive && o->problem.block &&
              memcmp(o->candidate, o->active, (size_t)count * sizeof *o->active) == 0;
  if (!same) {
    int *swap = o->active;
    o->active = o->candidate;
    o->candidate = swap;
    o->nactive = count;
    rebuild(sim);
    o->changed = true;
    ++o->stamp;
  }
}

/* (1 - sigma) C X_k of an affine first-order relation. */
static void add_old_state(const nsds_simulation *sim, const nsds_contact *contact, double *q) {
  const double *C = contact->C;
  for (int e = 0; e < contact->interaction->nds; ++e) {
    const nsds_ds *ds = contact->interaction->ds[e];
    for (int k = 0; k < ds->nv; ++k) {
      double x = (1.0 - sim->sigma) * sim->model->v[ds->v_offset + k];
      for (int i = 0; i < contact->m; ++i) q[i] += *C++ * x;
    }
  }
}

/* One contact; contacts of one row, by far the most frequent, in registers. */
static void constant_term_of(nsds_simulation *sim, const nsds_contact *contact,
                             const nsds_edge *edge, const nsds_edge *end, double *q) {
  const double *v_free = sim->plan.v_free;
  int m = contact->m;
  if (m == 1) {
    double sum = !contact->affine ? *contact->offset : contact->level0 ? *contact->shift : 0.0;
    for (; edge < end; ++edge) {
      const double *H = edge->H, *v = v_free + edge->column;
      for (int k = 0; k < edge->size; ++k) sum += H[k] * v[k];
    }
    *q = sum;
    return;
  }
  for (int i = 0; i < m; ++i)
    q[i] = !contact->affine ? contact->offset[i] : contact->level0 ? contact->shift[i] : 0.0;
  for (; edge < end; ++edge)
    nsds_add_product(m, edge->size, edge->H, m, v_free + edge->column, q);
}

static void constant_term(nsds_simulation *sim) {
  nsds_one_step *o = &sim->osp;
  const nsds_plan *plan = &sim->plan;
  const double *ydot = sim->model->ydot;
  for (int a = 0; a < o->nactive; ++a) {
    const nsds_contact *contact = &plan->contact[o->active[a]];
    double *q = o->q + o->row[a], *z = o->z + o->row[a];
    constant_term_of(sim, contact, o->edge + o->first_edge[a], o->edge + o->first_edge[a + 1], q);
    if (contact->affine && contact->level0 && sim->sigma != 1.0) add_old_state(sim, contact, q);
    if (contact->restitution)
      contact->restitution(contact->law_self, contact->m, ydot + contact->y0, q);
    for (int i = 0; i < contact->m; ++i) z[i] = plan->impulse[contact->y0 + i];
  }
}

/* u = u_free + Y lambda, and p = H^T P of second-order systems. */
static void apply(nsds_simulation *sim) {
  const nsds_one_step *o = &sim->osp;
  nsds_plan *plan = &sim->plan;
  for (int a = 0; a < o->nactive; ++a) {
    const nsds_contact *contact = &plan->contact[o->active[a]];
    int m = contact->m;
    const double *z = o->z + o->row[a];
    const nsds_edge *edge = o->edge + o->first_edge[a], *end = o->edge + o->first_edge[a + 1];
    for (int i = 0; i < m; ++i) plan->impulse[contact->y0 + i] = z[i];
    for (; edge < end; ++edge) {
      double *v = plan->v + edge->column, *p = plan->p + edge->column;
      if (m == 1 && !contact->C) {
        const double *Y = edge->Y, *H = edge->H;
        for (int k = 0; k < edge->size; ++k) {
          v[k] += Y[k] * z[0];
          p[k] += H[k] * z[0];
        }
        continue;
      }
      nsds_add_product(edge->size, m, edge->Y, edge->size, z, v);
      if (contact->C) continue; /* first order: inputs are summed separately */
      for (int i = 0; i < m; ++i)
        for (int k = 0; k < edge->size; ++k) p[k] += edge->H[i + (size_t)k * (size_t)m] * z[i];
    }
  }
}

static nsds_status unsolved(nsds_simulation *sim, const nsds_solver_info *info) {
  const nsds_one_step *o = &sim->osp;
  char label[nsds_label_size] = "none";
  int worst = info->worst_block - (sim->plan.unreduced ? 1 : 0); /* which has the systems first */
  if (worst >= 0 && worst < o->nactive)
    nsds_ds_label(sim->plan.contact[o->active[worst]].interaction->ds[0], label);
  return nsds_fail(sim->context, NSDS_ERROR_SOLVER,
                   "step to t = %.17g: the one-step problem of %d rows was not solved: %s by %s, "
                   "residual %g, tolerance %g, worst at interaction #%d (first system: %s)%s%s",
                   sim->t_next, o->rows, nsds_outcome_text(info->outcome), info->solver,
                   info->residual, nsds_solver_get(sim->solver, "tolerance"),
                   worst >= 0 && worst < o->nactive ? o->active[worst] : -1, label,
                   info->path[0] ? "; tried " : "", info->path);
}

static nsds_status solve(nsds_simulation *sim) {
  nsds_one_step *o = &sim->osp;
  nsds_solver_info *info = &sim->info.solver;
  enum { max_retries = 10 };
  for (int attempt = 0; attempt <= max_retries; ++attempt) {
    nsds_status status =
        sim->plan.unreduced
            ? nsds_solve(sim->solver, &sim->unreduced.problem, sim->unreduced.z, sim->unreduced.w,
                         info)
            : nsds_solve(sim->solver, &o->problem, o->z, o->w, info);
    if (status != NSDS_OK && status != NSDS_ERROR_SOLVER) return status;
    nsds_verdict verdict =
        sim->def.check_solver ? sim->def.check_solver(sim, info, sim->def.check_solver_user)
                              : NSDS_CONTINUE;
    if (verdict == NSDS_ACCEPT) return NSDS_OK;
    if (verdict == NSDS_STOP) return NSDS_STOPPED;
    if (verdict == NSDS_CONTINUE) return status == NSDS_OK ? NSDS_OK : unsolved(sim, info);
  }
  return nsds_fail(sim->context, NSDS_ERROR_SOLVER,
                   "step to t = %.17g: check_solver asked for more than %d repeated solves",
                   sim->t_next, max_retries);
}

/* Solves for the impulses at the present free velocities; leaves v, p, impulse in the plan. */
nsds_status nsds_one_step_solve(nsds_simulation *sim, bool operators_changed) {
  nsds_one_step *o = &sim->osp;
  nsds_plan *plan = &sim->plan;
  size_t nv = sim->model->nv;
  if (operators_changed) ++o->stamp;
  nsds_status status = NSDS_OK;
  if (plan->unreduced) {
    nsds_unreduced_constant_term(sim);
    status = solve(sim);
    if (!status) nsds_unreduced_apply(sim);
    return status;
  }
  if (o->nactive > 0) {
    form_matrix(o);
    constant_term(sim);
    status = solve(sim);
  }
  if (status) return status;
  memcpy(plan->v, plan->v_free, nv * sizeof *plan->v);
  if (o->nactive == 0 && o->idle) return NSDS_OK; /* p and impulse are zero from the last time */
  memset(plan->p, 0, nv * sizeof *plan->p);
  memset(plan->impulse, 0, sim->model->ny * sizeof *plan->impulse);
  apply(sim);
  o->idle = o->nactive == 0 && !plan->any_first;
  return NSDS_OK;
}
