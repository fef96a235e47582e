/*
 * The plan: the model's graph compiled to flat arrays when its topology changes, and the constant
 * operators (W and its factor, H, Y = W^-1 H^T) computed when the topology, a parameter, a state
 * set from outside or the step size changes. Nothing here runs in an ordinary step.
 */
#include "simulation.h"

static void destroy_plan(nsds_simulation *sim, nsds_plan *plan) {
  nsds_context *context = sim->context;
  for (int s = 0; plan->slot && s < plan->nslot; ++s) nsds_factor_destroy(plan->slot[s].factor);
  void *arrays[] = {plan->slot,    plan->contact, plan->edge, plan->edge_slot,
                    plan->numbers, plan->indices, plan->trial};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) nsds_release(context, arrays[k]);
  *plan = (nsds_plan){0};
}

void nsds_plan_destroy(nsds_simulation *sim) { destroy_plan(sim, &sim->plan); }

/* Pools are laid out in two passes over the same code: first with NULL bases to count, then with
 * the memory to place pointers. */
typedef struct layout {
  double *numbers;
  int *indices;
  size_t nnumber, nindex;
} layout;

static double *take(layout *l, size_t count) {
  double *at = l->numbers ? l->numbers + l->nnumber : NULL;
  l->nnumber += count;
  return at;
}

static int *take_indices(layout *l, size_t count) {
  int *at = l->indices ? l->indices + l->nindex : NULL;
  l->nindex += count;
  return at;
}

static bool is_sparse(const nsds_ds *ds) {
  return ds->mass.p || (ds->damping.present && ds->damping.p) ||
         (ds->stiffness.present && ds->stiffness.p);
}

static void place_slot(layout *l, nsds_slot *slot) {
  const nsds_ds *ds = slot->ds;
  int n = slot->nv;
  size_t m = nsds_shape_count(&ds->mass, n);
  size_t c = ds->damping.present ? nsds_shape_count(&ds->damping, n) : 0;
  size_t k = ds->stiffness.present ? nsds_shape_count(&ds->stiffness, n) : 0;
  size_t vector = (size_t)n;
  slot->M = take(l, m);
  slot->C = c > 0 ? take(l, c) : NULL;
  slot->K = k > 0 ? take(l, k) : NULL;
  slot->W = take(l, is_sparse(ds) ? m + c + k + vector : vector * vector);
  slot->increment = slot->drift ? take(l, vector) : NULL;
  slot->force = take(l, vector);
  slot->force_end = take(l, vector);
  slot->residual = slot->affine ? NULL : take(l, vector);
  slot->scratch = take(l, vector);
  if (is_sparse(ds)) {
    slot->p = take_indices(l, vector + 1);
    slot->i = take_indices(l, m + c + k + vector);
    slot->to_w = take_indices(l, m + c + k);
  }
}

static void place_contact(layout *l, nsds_contact *contact, nsds_edge *edge) {
  const nsds_interaction *ia = contact->interaction;
  const nsds_relation_ops *ops = ia->relation->ops;
  size_t m = (size_t)contact->m, nq = (size_t)ia->relation->nq;
  contact->H = take(l, m * nq);
  contact->D = ops->feedthrough || ops->jacobian_lambda ? take(l, m * m) : NULL;
  contact->shift = take(l, m);
  contact->offset = ops->jacobian_lambda ? take(l, m) : NULL;
  contact->Y = take(l, m * nq);
  size_t at = 0;
  for (int e = 0; e < ia->nds; ++e) {
    edge[e].column = ia->ds[e]->v_offset;
    edge[e].size = ia->ds[e]->nv;
    edge[e].H = contact->H ? contact->H + at : NULL;
    edge[e].Y = contact->Y ? contact->Y + at : NULL;
    at += m * (size_t)ia->ds[e]->nv;
  }
}

/* Union of the patterns of M, C, K and the diagonal, column by column, with the place of each
 * source entry in it. mark[i] is the position of row i in the current column, -1 if absent. */
static void merge_patterns(nsds_slot *slot, int *mark) {
  const nsds_ds *ds = slot->ds;
  int n = slot->nv, filled = 0;
  const nsds_shape *shapes[3] = {&ds->mass, slot->C ? &ds->damping : NULL,
                                 slot->K ? &ds->stiffness : NULL};
  size_t base[3] = {0, 0, 0};
  for (int s = 1; s < 3; ++s)
    base[s] = base[s - 1] + (shapes[s - 1] ? nsds_shape_count(shapes[s - 1], n) : 0);
  for (int i = 0; i < n; ++i) mark[i] = -1;
  for (int j = 0; j < n; ++j) {
    int start = filled;
    mark[j] = 0;
    for (int s = 0; s < 3; ++s) {
      if (!shapes[s]) continue;
      int first = shapes[s]->p ? shapes[s]->p[j] : j * n;
      int last = shapes[s]->p ? shapes[s]->p[j + 1] : first + n;
      for (int k = first; k < last; ++k) mark[shapes[s]->p ? shapes[s]->i[k] : k - first] = 0;
    }
    /* rows come out increasing; a full scan of n per column only for a dense member */
    int low = n, high = -1;
    for (int s = 0; s < 3; ++s) {
      if (!shapes[s]) continue;
      if (!shapes[s]->p) {
        low = 0, high = n - 1;
      } else if (shapes[s]->p[j + 1] > shapes[s]->p[j]) {
        int first = shapes[s]->i[shapes[s]->p[j]], last = shapes[s]->i[shapes[s]->p[j + 1] - 1];
        if (first < low) low = first;
        if (last > high) high = last;
      }
    }
    if (j < low) low = j;
    if (j > high) high = j;
    for (int i = low; i <= high; ++i)
      if (mark[i] == 0) {
        mark[i] = filled;
        slot->i[filled++] = i;
      }
    for (int s = 0; s < 3; ++s) {
      if (!shapes[s]) continue;
      int first = shapes[s]->p ? shapes[s]->p[j] : j * n;
      int last = shapes[s]->p ? shapes[s]->p[j + 1] : first + n;
      for (int k = first; k < last; ++k)
        slot->to_w[base[s] + (size_t)k] = mark[shapes[s]->p ? shapes[s]->i[k] : k - first];
    }
    for (int k = start; k < filled; ++k) mark[slot->i[k]] = -1;
    slot->p[j + 1] = filled;
  }
}

static void describe_slot(nsds_slot *slot, nsds_ds *ds) {
  *slot = (nsds_slot){.ds = ds, .nv = ds->nv, .v0 = ds->v_offset, .affine = ds->affine};
  bool c = ds->damping.present, k = ds->stiffness.present;
  slot->drift = ds->affine && !c && !k && ds->force_constant && ds->nprescribed == 0;
  slot->fixed_w = ds->mass.constant && (!c || ds->damping.constant) &&
                  (!k || ds->stiffness.constant);
}

static void describe_contact(nsds_contact *contact, nsds_interaction *ia) {
  const nsds_relation_ops *ops = ia->relation->ops;
  *contact = (nsds_contact){.interaction = ia,
                            .m = ia->m,
                            .y0 = ia->y_offset,
                            .affine = ia->relation->affine,
                            .compliant = ops->jacobian_lambda && !ia->law->ops->restitution,
                            .fixed = ia->relation->affine};
}

static nsds_status allocate_trial(nsds_simulation *sim, nsds_plan *plan) {
  const nsds_model *model = sim->model;
  size_t nv = model->nv, widest = 1;
  for (int c = 0; c < plan->ncontact; ++c) {
    const nsds_interaction *ia = plan->contact[c].interaction;
    size_t width = 2 * (size_t)ia->relation->nq + (size_t)ia->nz + (size_t)ia->m + 1;
    if (width > widest) widest = width;
  }
  for (int s = 0; s < plan->nslot; ++s)
    if ((size_t)plan->slot[s].nv > widest) widest = (size_t)plan->slot[s].nv;
  plan->trial = NSDS_NEW_ARRAY(sim->context, double, model->state_size + 2 * nv + widest);
  if (!plan->trial) return NSDS_ERROR_MEMORY;
  nsds_state_view s = nsds_view_state(model, plan->trial);
  plan->q = s.q, plan->v = s.v, plan->p = s.p, plan->reaction = s.reaction;
  plan->y = s.y, plan->ydot = s.ydot, plan->impulse = s.impulse;
  plan->v_free = plan->trial + model->state_size;
  plan->v_last = plan->v_free + nv;
  plan->gather = plan->v_last + nv;
  return NSDS_OK;
}

static nsds_status compile(nsds_simulation *sim, nsds_plan *plan) {
  nsds_model *model = sim->model;
  nsds_context *context = sim->context;
  plan->nslot = (int)model->ds.count;
  plan->ncontact = (int)model->interaction.count;
  for (int c = 0; c < plan->ncontact; ++c)
    plan->nedge += ((nsds_interaction *)model->interaction.item[c])->nds;
  plan->slot = NSDS_NEW_ARRAY(context, nsds_slot, plan->nslot);
  plan->contact = NSDS_NEW_ARRAY(context, nsds_contact, plan->ncontact);
  plan->edge = NSDS_NEW_ARRAY(context, nsds_edge, plan->nedge);
  plan->edge_slot = NSDS_NEW_ARRAY(context, int, plan->nedge);
  if (!plan->slot || !plan->contact || !plan->edge || !plan->edge_slot) return NSDS_ERROR_MEMORY;
  int largest = 1, edge = 0;
  plan->linear = true;
  for (int s = 0; s < plan->nslot; ++s) {
    describe_slot(&plan->slot[s], model->ds.item[s]);
    plan->linear = plan->linear && plan->slot[s].affine;
    plan->any_prescribed = plan->any_prescribed || plan->slot[s].ds->nprescribed > 0;
    if (plan->slot[s].nv > largest) largest = plan->slot[s].nv;
  }
  for (int c = 0; c < plan->ncontact; ++c) {
    nsds_contact *contact = &plan->contact[c];
    describe_contact(contact, model->interaction.item[c]);
    contact->first_edge = edge;
    for (int e = 0; e < contact->interaction->nds; ++e) {
      int s = contact->interaction->ds[e]->index;
      plan->edge_slot[edge++] = s;
      contact->fixed = contact->fixed && plan->slot[s].fixed_w;
    }
    plan->linear = plan->linear && contact->affine;
    if (contact->compliant && sim->def.theta == 0.0)
      return nsds_fail(context, NSDS_ERROR_UNSUPPORTED,
                       "interaction #%d is compliant, which needs theta > 0", c);
  }
  plan->all_fixed = true;
  for (int c = 0; c < plan->ncontact; ++c)
    plan->all_fixed = plan->all_fixed && plan->contact[c].fixed;
  layout l = {0};
  for (int pass = 0; pass < 2; ++pass) {
    if (pass == 1) {
      plan->numbers = NSDS_NEW_ARRAY(context, double, l.nnumber);
      plan->indices = NSDS_NEW_ARRAY(context, int, l.nindex + (size_t)largest);
      if (!plan->numbers || !plan->indices) return NSDS_ERROR_MEMORY;
      l = (layout){.numbers = plan->numbers, .indices = plan->indices};
    }
    for (int s = 0; s < plan->nslot; ++s) place_slot(&l, &plan->slot[s]);
    for (int c = 0; c < plan->ncontact; ++c)
      place_contact(&l, &plan->contact[c], plan->edge + plan->contact[c].first_edge);
  }
  for (int s = 0; s < plan->nslot; ++s) {
    nsds_slot *slot = &plan->slot[s];
    if (slot->p) merge_patterns(slot, plan->indices + l.nindex);
    if (slot->nv > 1 || slot->p) {
      slot->factor = nsds_factor_create(context);
      if (!slot->factor) return NSDS_ERROR_MEMORY;
    }
  }
  return allocate_trial(sim, plan);
}

/* H and the constant part of an affine relation: y at Q = 0, and the Jacobian anywhere; D of any. */
static nsds_status refresh_contact(nsds_simulation *sim, nsds_contact *contact) {
  const nsds_relation *relation = contact->interaction->relation;
  if (!contact->affine && !relation->ops->feedthrough) return NSDS_OK;
  double *gather = sim->plan.gather;
  const nsds_interaction *ia = contact->interaction;
  int nq = relation->nq;
  for (int k = 0; k < 2 * nq; ++k) gather[k] = 0.0;
  double *Z = gather + 2 * nq;
  nsds_in in = {.t = sim->t, .q = gather, .v = gather + nq, .z = Z, .nq = nq, .nv = nq,
                .nz = ia->nz, .nlambda = ia->m};
  for (int k = 0; k < ia->nds; ++k)
    for (int j = 0; j < ia->ds[k]->nz; ++j) *Z++ = ia->ds[k]->z[j];
  for (int j = 0; j < relation->nz_own; ++j) *Z++ = relation->z[j];
  if (ia->nz == 0) *Z++ = NAN;
  in.lambda = Z;
  for (int j = 0; j < ia->m; ++j) Z[j] = 0.0;
  nsds_status status = NSDS_OK;
  if (contact->affine) status = relation->ops->output(relation->self, &in, contact->shift);
  if (!status && contact->affine)
    status = relation->ops->jacobian_q(relation->self, &in, contact->H);
  if (!status && relation->ops->feedthrough)
    status = relation->ops->feedthrough(relation->self, &in, contact->D);
  return status;
}

void nsds_plan_edges(nsds_simulation *sim, const nsds_contact *contact) {
  const nsds_plan *plan = &sim->plan;
  double *Y = contact->Y;
  for (int e = 0; e < contact->interaction->nds; ++e) {
    const nsds_edge *edge = &plan->edge[contact->first_edge + e];
    nsds_mj_edge(&plan->slot[plan->edge_slot[contact->first_edge + e]], contact->m, edge->H, Y);
    Y += (size_t)contact->m * (size_t)edge->size;
  }
}

/* Numbers that hold until a parameter, an outside state or h changes; and y, dy/dt of the state. */
static nsds_status refresh(nsds_simulation *sim) {
  nsds_plan *plan = &sim->plan;
  nsds_model *model = sim->model;
  nsds_status status = NSDS_OK;
  for (int s = 0; !status && s < plan->nslot; ++s) status = nsds_mj_refresh(sim, &plan->slot[s]);
  for (int c = 0; !status && c < plan->ncontact; ++c)
    status = refresh_contact(sim, &plan->contact[c]);
  for (int c = 0; !status && c < plan->ncontact; ++c) {
    if (plan->contact[c].fixed) nsds_plan_edges(sim, &plan->contact[c]);
    status = nsds_contact_output(sim, &plan->contact[c], sim->t, model->q, model->v,
                                 model->impulse, sim->h_now, model->y, model->ydot);
  }
  memcpy(plan->impulse, model->impulse, model->ny * sizeof *plan->impulse);
  ++sim->osp.stamp;
  return status;
}

nsds_status nsds_plan_update(nsds_simulation *sim, double h) {
  nsds_plan *plan = &sim->plan;
  nsds_model *model = sim->model;
  if (NSDS_LIKELY(plan->topology == model->topology && plan->values == model->values &&
                  plan->h == h))
    return NSDS_OK;
  if (plan->topology != model->topology) {
    nsds_plan fresh = {0};
    nsds_status status = compile(sim, &fresh);
    if (status) {
      destroy_plan(sim, &fresh);
      return status;
    }
    destroy_plan(sim, plan);
    *plan = fresh;
    plan->topology = model->topology;
    status = nsds_one_step_resize(sim);
    if (status) return status;
  }
  plan->values = 0; /* until all numbers are in place */
  nsds_status status = refresh(sim);
  if (status) return status;
  plan->values = model->values;
  plan->h = h;
  return NSDS_OK;
}
