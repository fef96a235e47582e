/*
 * The plan: the model's graph compiled to flat arrays when its topology changes, and the constant
 * operators (W and its factor, H, Y = W^-1 H^T) computed when the topology, a parameter, a state
 * set from outside or the step size changes. Nothing here runs in an ordinary step.
 */
#include "relative_degree.h"
#include "simulation.h"
#include "unreduced.h"

void nsds_plan_destroy(nsds_simulation *sim, nsds_plan *plan) {
  nsds_context *context = sim->context;
  for (int s = 0; plan->slot && s < plan->nslot; ++s) nsds_factor_destroy(plan->slot[s].factor);
  nsds_clusters_destroy(sim, plan);
  void *arrays[] = {plan->slot,   plan->contact, plan->edge,    plan->edge_slot,
                    plan->edge_q, plan->numbers, plan->indices, plan->trial};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) nsds_release(context, arrays[k]);
  *plan = (nsds_plan){0};
}

static const nsds_integrator *choose_integrator(const nsds_simulation *sim, const nsds_ds *ds) {
  if (ds->order == 2) return &nsds_moreau_jean;
  return sim->def.scheme == NSDS_ZERO_ORDER_HOLD ? &nsds_zero_order_hold : &nsds_euler_moreau;
}

static void describe_slot(const nsds_simulation *sim, nsds_slot *slot, nsds_ds *ds) {
  *slot = (nsds_slot){.ds = ds,
                      .osi = choose_integrator(sim, ds),
                      .nv = ds->nv,
                      .v0 = ds->v_offset,
                      .q0 = ds->q_offset,
                      .cluster = -1,
                      .affine = ds->affine};
  bool c = ds->damping.present, k = ds->stiffness.present;
  slot->drift =
      ds->order == 2 && ds->affine && !c && !k && ds->force_constant && ds->nprescribed == 0;
  slot->fixed_w = (!ds->mass.present || ds->mass.constant) && (!c || ds->damping.constant) &&
                  (!k || ds->stiffness.constant);
}

static void describe_contact(nsds_contact *contact, nsds_interaction *ia) {
  const nsds_relation *relation = ia->relation;
  const nsds_law_ops *law = ia->law->ops;
  bool first = relation->order == 1;
  bool level0 = first || (relation->ops->jacobian_lambda && !law->restitution);
  *contact = (nsds_contact){.interaction = ia,
                            .active = level0 ? NULL : law->active,
                            .restitution = level0 ? NULL : law->restitution,
                            .law_self = ia->law->self,
                            .ops = first ? &nsds_contact_first : &nsds_contact_second,
                            .m = ia->m,
                            .y0 = ia->y_offset,
                            .affine = relation->affine,
                            .linear = relation->linear,
                            .level0 = level0};
}

/* Tells in advance when lambda reaches y only through two or more integrations: degrees from 3 on
 * have no consistent theta-gamma discretisation, degree 2 has impulses in lambda. */
static nsds_status check_degree(const nsds_simulation *sim, const nsds_contact *contact) {
  const nsds_interaction *ia = contact->interaction;
  double work = (double)ia->m * ia->m * ia->relation->nq;
  if (ia->relation->order != 1 || work > 1e7 || !nsds_degree_is_defined(ia)) return NSDS_OK;
  char label[nsds_label_size];
  nsds_relation_label(ia->relation, label);
  for (int row = 0; row < ia->m; ++row) {
    int degree = nsds_search_degree(ia, row, ia->relation->nq, 1e-12);
    if (degree < 0) return NSDS_ERROR_MEMORY;
    if (degree > 2 && degree <= ia->relation->nq)
      return nsds_fail(
          sim->context, NSDS_ERROR_UNSUPPORTED,
          "interaction #%d (%s): row %d has relative degree %d; the first-order schemes "
          "treat degrees 0 and 1, and 2 with impulses",
          ia->index, label, row, degree);
    if (degree == 2)
      nsds_log(
          sim->context, NSDS_LOG_WARNING,
          "interaction #%d (%s): row %d has relative degree 2: lambda grows like 1/h where the "
          "motion has corners",
          ia->index, label, row);
  }
  return NSDS_OK;
}

/* Worth it where the reduced matrix would be full: many rows on sparse linear circuits. */
static bool keep_unreduced(const nsds_simulation *sim, const nsds_plan *plan) {
  enum { many = nsds_dense_rows / 2 };
  bool sparse = false;
  for (int s = 0; s < plan->nslot; ++s) {
    const nsds_slot *slot = &plan->slot[s];
    if (slot->osi != &nsds_euler_moreau || !slot->fixed_w) return false;
    sparse = sparse || slot->ds->stiffness.p || slot->ds->mass.p;
  }
  return sparse && plan->all_fixed && plan->linear && sim->model->ny >= many;
}

static nsds_status compile(nsds_simulation *sim, nsds_plan *plan) {
  nsds_model *model = sim->model;
  nsds_context *context = sim->context;
  plan->nslot = (int)model->ds.count;
  plan->ncontact = (int)model->interaction.count;
  plan->slot = NSDS_NEW_ARRAY(context, nsds_slot, plan->nslot);
  plan->contact = NSDS_NEW_ARRAY(context, nsds_contact, plan->ncontact);
  if (!plan->slot || !plan->contact) return NSDS_ERROR_MEMORY;
  plan->linear = plan->all_fixed = plan->aligned = true;
  for (int s = 0; s < plan->nslot; ++s) describe_slot(sim, &plan->slot[s], model->ds.item[s]);
  for (int c = 0; c < plan->ncontact; ++c) {
    nsds_contact *contact = &plan->contact[c];
    describe_contact(contact, model->interaction.item[c]);
    plan->linear = plan->linear && contact->linear;
    plan->any_compliant =
        plan->any_compliant || (contact->interaction->relation->order == 2 &&
                                contact->interaction->relation->ops->jacobian_lambda != NULL);
    /* a nonlinear input changes the right-hand side in every iteration */
    for (int e = 0; contact->interaction->relation->order == 1 && !contact->linear &&
                    e < contact->interaction->nds;
         ++e)
      plan->slot[contact->interaction->ds[e]->index].affine = false;
    if (contact->level0 && contact->interaction->relation->order == 2 && sim->def.theta == 0.0)
      return nsds_fail(context, NSDS_ERROR_UNSUPPORTED,
                       "interaction #%d is compliant, which needs theta > 0", c);
  }
  nsds_status status = nsds_clusters_build(sim, plan);
  for (int s = 0; !status && s < plan->nslot; ++s) {
    const nsds_slot *slot = &plan->slot[s];
    plan->linear = plan->linear && slot->affine;
    plan->aligned = plan->aligned && slot->ds->order == 2 && slot->v0 == slot->q0;
    plan->any_finish = plan->any_finish || slot->ds->order == 1 || slot->ds->nprescribed > 0;
    plan->any_first = plan->any_first || slot->ds->order == 1;
    if (slot->osi->check) status = slot->osi->check(sim, slot);
  }
  for (int c = 0; c < plan->ncontact; ++c) {
    nsds_contact *contact = &plan->contact[c];
    contact->fixed = contact->affine;
    for (int e = 0; e < contact->interaction->nds; ++e) {
      const nsds_slot *slot = &plan->slot[contact->interaction->ds[e]->index];
      contact->fixed = contact->fixed && slot->fixed_w && slot->cluster < 0;
    }
    plan->all_fixed = plan->all_fixed && contact->fixed;
    if (!status) status = check_degree(sim, contact);
  }
  plan->unreduced = keep_unreduced(sim, plan);
  return status ? status : nsds_plan_layout(sim, plan);
}

void nsds_plan_edges(nsds_simulation *sim, const nsds_contact *contact) {
  const nsds_plan *plan = &sim->plan;
  double *Y = contact->Y;
  int last = -1;
  for (int e = 0; e < contact->interaction->nds; ++e) {
    const nsds_slot *slot = &plan->slot[plan->edge_slot[contact->first_edge + e]];
    if (slot->cluster < 0) {
      contact->ops->load_input(sim, contact, e, Y);
      slot->osi->apply(slot, contact->m, Y);
    } else if (slot->cluster != last) {
      last = slot->cluster; /* the systems of a cluster follow each other or are done twice */
      nsds_cluster_edges(sim, contact, &plan->cluster[last]);
    }
    Y += (size_t)contact->m * (size_t)slot->nv;
  }
}

static nsds_status outputs(nsds_simulation *sim) {
  const nsds_plan *plan = &sim->plan;
  nsds_model *model = sim->model;
  nsds_status status = NSDS_OK;
  for (int c = 0; !status && c < plan->ncontact; ++c)
    status = plan->contact[c].ops->output(sim, &plan->contact[c], false);
  if (!status) model->shown = model->topology + model->values;
  return status;
}

/* Numbers that hold until a parameter, an outside state or h changes; and y, dy/dt of the state. */
static nsds_status refresh(nsds_simulation *sim) {
  nsds_plan *plan = &sim->plan;
  nsds_model *model = sim->model;
  nsds_status status = NSDS_OK;
  for (int s = 0; !status && s < plan->nslot; ++s)
    status = plan->slot[s].osi->refresh(sim, &plan->slot[s]);
  for (int c = 0; !status && c < plan->ncontact; ++c) {
    nsds_contact *contact = &plan->contact[c];
    status = contact->ops->refresh(sim, contact);
    if (!status && contact->fixed && !plan->unreduced) nsds_plan_edges(sim, contact);
  }
  if (!status && plan->unreduced) status = nsds_unreduced_build(sim);
  if (!status) status = outputs(sim);
  memcpy(plan->impulse, model->impulse, model->ny * sizeof *plan->impulse);
  sim->osp.idle = false;
  ++sim->osp.stamp;
  return status;
}

nsds_status nsds_plan_show(nsds_simulation *sim) {
  const nsds_plan *plan = &sim->plan;
  if (plan->topology != sim->model->topology) return nsds_plan_update(sim, sim->h_now);
  nsds_status status = NSDS_OK;
  for (int c = 0; !status && c < plan->ncontact; ++c)
    status = plan->contact[c].ops->refresh(sim, &plan->contact[c]);
  return status ? status : outputs(sim); /* the rest is redone by the next step */
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
      nsds_plan_destroy(sim, &fresh);
      return status;
    }
    nsds_plan_destroy(sim, plan);
    *plan = fresh;
    plan->topology = model->topology;
    status = nsds_one_step_resize(sim);
    if (status) return status;
  }
  plan->values = 0; /* until all numbers are in place */
  nsds_status status = refresh(sim);
  if (!status && !sim->osp.reserved && !plan->unreduced) status = nsds_one_step_reserve(sim);
  if (status) return status;
  sim->osp.reserved = true;
  plan->values = model->values;
  plan->h = h;
  return NSDS_OK;
}
