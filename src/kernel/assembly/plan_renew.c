/*
 * Keeps the plan up to date, at the cost of the change:
 *
 *      systems came, or first-order interactions changed   everything is compiled anew
 *      second-order interactions came or went              their contacts, entries and rows
 *      a state or parameters were set from outside         the slots and contacts they belong to
 *      the scheme changed (another h)                      all numbers
 *
 * Nothing here runs in an ordinary step.
 */
#include "kernel/assembly/index_one.h"
#include "kernel/assembly/plan.h"

#include "base/arena.h"
#include "base/base.h"
#include "base/context.h"
#include "kernel/assembly/cluster.h"
#include "kernel/assembly/contact.h"
#include "kernel/assembly/contact_operator.h"
#include "kernel/assembly/detect.h"
#include "kernel/assembly/entry.h"
#include "kernel/assembly/layout.h"
#include "kernel/assembly/one_step.h"
#include "kernel/assembly/plan_check.h"
#include "kernel/assembly/plan_memory.h"
#include "kernel/assembly/plan_renew.h"
#include "kernel/assembly/plan_tree.h"
#include "kernel/assembly/turned_rows.h"
#include "kernel/modeling/contact_set.h"
#include "kernel/modeling/guard.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/local.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/state.h"
#include "numerics/linear/factor.h"

static void plan_clear(nsds_plan *plan) {
  for (int s = 0; plan->slot && s < plan->nslot; ++s) {
    nsds_factor_destroy(plan->slot[s].factor);
    nsds_factor_destroy(plan->slot[s].half.factor);
    nsds_factor_destroy(plan->slot[s].definite.factor);
    nsds_index_one_destroy(plan->slot[s].index_one);
  }
  nsds_clusters_destroy(plan);
  nsds_plan_tree_destroy(plan);
  for (nsds_contact_operator *op = plan->operator; op; op = op->next)
    for (size_t c = 0; c < op->entry_capacity; ++c) op->entry[c] = (nsds_entry){0};
  nsds_arena_destroy(plan->context, &plan->memory.arena);
  nsds_release(plan->context, plan->slot);
  nsds_release(plan->context, plan->seat);
  nsds_release(plan->context, plan->lists.apart);
  nsds_release(plan->context, plan->memory.numbers);
  nsds_release(plan->context, plan->memory.indices);
  nsds_release(plan->context, plan->schemes.own);
  plan->slot = NULL;
  plan->seat = NULL;
  plan->lists.apart = NULL;
  plan->memory.numbers = plan->gain = NULL;
  plan->memory.indices = NULL;
  plan->schemes.own = NULL;
  plan->nslot = plan->ncontact = plan->ninteraction = 0;
  plan->lists.nfinish = plan->lists.nforced = plan->lists.napart = plan->lists.nlook = 0;
  plan->schemes.nown = 0;
  for (size_t c = 0; c < plan->memory.contact_capacity; ++c) plan->contact[c] = (nsds_contact){0};
  plan->count = (nsds_counts){0};
  plan->search.furnished_to = 0;
  plan->seen.of.graph = plan->seen.attitudes = 0;
  plan->seen.stale = true;
}

void nsds_plan_destroy(nsds_plan *plan) {
  plan_clear(plan);
  nsds_release(plan->context, plan->contact);
  nsds_release(plan->context, plan->v_free);
  nsds_release(plan->context, plan->attitude);
  nsds_release(plan->context, plan->v_last);
  nsds_release(plan->context, plan->memory.work);
  nsds_release(plan->context, plan->memory.probe);
  nsds_state_destroy(plan->context, &plan->trial);
}

/* ---- everything anew ------------------------------------------------------------------------- */

/* Returns the common scheme of all systems of the order of `ds`. */
static const nsds_scheme *common_scheme(const nsds_plan *plan, const nsds_ds *ds) {
  bool apart = nsds_is_first_order(ds) && plan->schemes.first && !plan->scheme->uniform;
  return apart ? plan->schemes.first : plan->scheme;
}

/* Returns true if a system has a scheme other than all systems have. Rates at an instant have no
 * scheme. */
static bool has_own_scheme(const nsds_plan *plan, const nsds_ds *ds) {
  const nsds_discretisation *own = &ds->own.scheme;
  bool same = own->kind == NSDS_EULER_MOREAU && own->options == 0 &&
              plan->schemes.kind[ds->order] == NSDS_EULER_MOREAU &&
              common_scheme(plan, ds)->theta == own->theta;
  return own->kind != NSDS_SCHEME_UNSAID && !same && !plan->at_instant;
}

/* Takes the parameters of a system in place of the plan's. */
static void take_parameters(const nsds_discretisation *own, nsds_scheme *scheme) {
  switch (own->kind) {
  case NSDS_MOREAU_JEAN:
    scheme->theta = own->theta;
    scheme->gamma = own->gamma;
    scheme->gamma_mass = own->options & NSDS_OPTION_GAMMA_MASS ? own->gamma_mass : own->gamma;
    break;
  case NSDS_EULER_MOREAU:
  case NSDS_THETA_GAMMA:
    scheme->theta = own->theta;
    scheme->input_new = own->kind == NSDS_THETA_GAMMA ? own->gamma : 1.0;
    scheme->input_old = 1.0 - scheme->input_new;
    break;
  case NSDS_FULL_THETA_GAMMA:
  case NSDS_SCHATZMAN_PAOLI: scheme->theta = own->theta; break;
  case NSDS_ZERO_ORDER_HOLD:
    scheme->input_new = 1.0;
    scheme->input_old = 0.0;
    break;
  default: break;
  }
}

/* Takes theta and gamma of a system in place of the plan's. */
static void set_scheme(const nsds_plan *plan, nsds_slot *slot) {
  const nsds_ds *ds = slot->ds;
  const nsds_scheme *common = common_scheme(plan, ds);
  slot->on.scheme = slot->is.own ? slot->scheme : common;
  slot->parts.ratio = plan->scheme->uniform ? 1 : ds->own.step_ratio;
  slot->parts.coasted = false;
  if (!slot->is.own) return;
  *slot->scheme = *common;
  if (!plan->scheme->uniform) take_parameters(&ds->own.scheme, slot->scheme);
}

void nsds_plan_own_schemes(nsds_plan *plan) {
  for (int s = 0; s < plan->nslot; ++s)
    if (plan->slot[s].is.own) set_scheme(plan, &plan->slot[s]);
}

/* Uses the slot's integrator for the parts of its steps from now on. */
static void plan_take_parts(const nsds_plan *plan, nsds_slot *slot) {
  slot->parts.integrator = slot->osi;
  slot->osi = plan->schemes.in_parts[slot->ds->order];
  slot->parts.affine = slot->on.affine;
  slot->on.affine = slot->ds->affine && slot->is.fixed;
}

/* Returns a system's own integrator, else the one of its own scheme, else the one of all
 * systems. */
static const nsds_integrator *plan_integrator(const nsds_plan *plan, const nsds_ds *ds) {
  const nsds_integrator *own = ds->own.integrator;
  if (!own) own = plan->schemes.of[ds->own.scheme.kind];
  return own ? own : plan->schemes.integrator[ds->order];
}

static void describe_slot(const nsds_plan *plan, nsds_slot *slot, const nsds_ds *ds) {
  *slot = (nsds_slot){.ds = ds,
                      .osi = plan_integrator(plan, ds),
                      .nv = ds->nv,
                      .v0 = ds->v_offset,
                      .q0 = ds->q_offset,
                      .cluster = -1,
                      .is.own = has_own_scheme(plan, ds)};
  bool c = ds->damping.present, k = ds->stiffness.present;
  slot->is.drifting = nsds_is_second_order(ds) && ds->affine && !c && !k && ds->force_constant &&
                      ds->prescribed.n == 0;
  slot->is.fixed = (!ds->mass.present || ds->mass.constant) && (!c || ds->damping.constant) &&
                   (!k || ds->stiffness.constant);
  const nsds_guarded_integrator *own = ds->own.integrator ? ds->guarded.integrator : NULL;
  slot->on = (nsds_integration){.context = plan->context,
                                .ds = own && !own->user->bundled ? nsds_ds_handle(ds) : ds,
                                .nq = ds->nq,
                                .nu = ds->nv,
                                .affine = ds->affine || ds->explicit_force,
                                .input_weight = 1.0};
  if (ds->own.step_ratio > 1 && plan->schemes.in_parts[ds->order]) plan_take_parts(plan, slot);
}

/* Returns true if `force` is constant until something changes. */
static bool force_stays(const nsds_slot *slot) {
  return (slot->parts.integrator ? slot->parts.affine : slot->on.affine) &&
         slot->ds->force_constant && !slot->ds->explicit_force &&
         (nsds_is_second_order(slot->ds) || !slot->K || slot->ds->stiffness.constant);
}

/* Reserves the schemes of slots with a scheme of their own. */
static nsds_status make_schemes(nsds_plan *plan) {
  for (int s = 0; s < plan->nslot; ++s) plan->schemes.nown += plan->slot[s].is.own;
  plan->schemes.own = NSDS_NEW_ARRAY(plan->context, nsds_scheme, 2 * (size_t)plan->schemes.nown);
  if (!plan->schemes.own) return NSDS_ERROR_MEMORY;
  nsds_scheme *next = plan->schemes.own;
  for (int s = 0; s < plan->nslot; ++s) {
    nsds_slot *slot = &plan->slot[s];
    if (!slot->is.own) continue;
    slot->scheme = next++;
    slot->parts.scheme = next++;
  }
  return NSDS_OK;
}

/* Compiles the systems with the effects of their interactions. */
static nsds_status compile_slots(nsds_plan *plan) {
  const nsds_model *model = plan->model;
  plan->slot = NSDS_NEW_ARRAY(plan->context, nsds_slot, model->ds.count);
  plan->lists.apart = NSDS_NEW_ARRAY(plan->context, int, 2 * model->ds.count);
  plan->seat = NSDS_NEW_ARRAY(plan->context, nsds_seat, model->ds.count);
  if (!plan->slot || !plan->seat || !plan->lists.apart) return NSDS_ERROR_MEMORY;
  plan->nslot = (int)model->ds.count;
  plan->lists.forced = plan->lists.apart + plan->nslot;
  for (int s = 0; s < plan->nslot; ++s) describe_slot(plan, &plan->slot[s], model->ds.item[s]);
  for (size_t c = 0; c < model->interaction.count; ++c) {
    const nsds_interaction *ia = model->interaction.item[c];
    /* a nonlinear input changes the right-hand side in every iteration */
    for (int e = 0; nsds_acts_on_states(ia->relation->kind) && !ia->relation->linear && e < ia->nds;
         ++e)
      plan->slot[ia->ds[e]->index].on.affine = false;
  }
  nsds_status status = make_schemes(plan);
  if (!status) status = nsds_clusters_build(plan);
  if (!status && plan->schemes.in_joints) status = nsds_plan_tree_build(plan);
  bool first = false, second = false;
  plan->slots_affine = plan->slots_aligned = true;
  for (int s = 0; !status && s < plan->nslot; ++s) {
    nsds_slot *slot = &plan->slot[s];
    set_scheme(plan, slot);
    plan->slots_affine = plan->slots_affine && slot->on.affine;
    *(nsds_is_first_order(slot->ds) ? &first : &second) = true;
    plan->slots_aligned = plan->slots_aligned && !slot->is.own &&
                          slot->osi == plan->schemes.integrator[2] && slot->v0 == slot->q0 &&
                          slot->ds->nq == slot->nv && !slot->ds->ops->advance;
    status = nsds_plan_check_slot(plan, slot);
  }
  plan->both_orders = first && second;
  if (!status) status = nsds_plan_layout(plan);
  for (int s = 0; !status && s < plan->nslot; ++s) {
    nsds_slot *slot = &plan->slot[s];
    const nsds_integrator *osi = slot->osi;
    slot->is.finishing = osi->finish && (!osi->finishes || osi->finishes(&slot->on));
    plan->lists.nfinish += slot->is.finishing;
    plan->lists.nlook += slot->ds->first && slot->ds->first->look;
    slot->is.shared = slot->ds->alone && slot->on.affine && slot->is.fixed && slot->cluster < 0 &&
                      !slot->parts.integrator && !slot->ds->own.integrator;
    if (!slot->is.shared) plan->lists.apart[plan->lists.napart++] = s;
    plan->seat[s] = (nsds_seat){.column = slot->v0,
                                .size = slot->nv,
                                .q = slot->q0,
                                .fixed = slot->is.fixed && !slot->is.jointed,
                                .coupled = slot->cluster >= 0,
                                .jointed = slot->is.jointed};
    slot->is.forced = !force_stays(slot);
    if (slot->is.forced) plan->lists.forced[plan->lists.nforced++] = s;
  }
  return status;
}

/* Returns true if the reduced matrix would be full: many rows on sparse linear circuits. */
static bool keep_unreduced(const nsds_plan *plan) {
  enum { many = nsds_dense_rows / 2 };
  bool sparse = false;
  for (int s = 0; s < plan->nslot; ++s) {
    const nsds_slot *slot = &plan->slot[s];
    if (!slot->osi->sparse_gain || !slot->is.fixed || slot->is.own) return false;
    sparse = sparse || slot->ds->stiffness.p || slot->ds->mass.p;
  }
  for (size_t c = 0; c < plan->model->interaction.count; ++c) {
    const nsds_interaction *ia = plan->model->interaction.item[c];
    if (nsds_reads_positions(ia->relation->kind) || !ia->relation->affine ||
        ia->relation->ops->input_x)
      return false;
  }
  return sparse && plan->slots_affine && plan->model->set.count == 0 &&
         plan->model->size.ny >= many;
}

static nsds_status plan_add_contact(nsds_plan *plan, int c) {
  nsds_interaction *ia = plan->model->interaction.item[c];
  nsds_status status = nsds_plan_check_interaction(plan, ia);
  if (!status) status = nsds_contact_create(plan, c, ia);
  for (nsds_one_step *o = plan->problem; !status && o; o = o->next)
    if (o->form->admit) status = o->form->admit(o, &plan->contact[c]);
  for (nsds_contact_operator *op = plan->operator; !status && op; op = op->next)
    status = nsds_entry_create(op, &plan->contact[c], &op->entry[c]);
  return status;
}

static nsds_status check_sets(const nsds_plan *plan) {
  const nsds_model *model = plan->model;
  char label[nsds_label_size];
  nsds_status status = NSDS_OK;
  for (size_t k = 0; !status && k < model->set.count; ++k) {
    const nsds_contact_set *set = model->set.item[k];
    status = nsds_plan_check_law(plan, set->law, nsds_contact_set_label(set, label));
  }
  return status;
}

static nsds_status plan_compile(nsds_plan *plan) {
  plan_clear(plan);
  nsds_status status = compile_slots(plan);
  if (!status) status = check_sets(plan);
  if (!status) status = nsds_plan_reserve(plan, plan->model->interaction.count);
  if (status) return status;
  bool unreduced = keep_unreduced(plan);
  plan->unreduced = NULL;
  for (nsds_one_step *o = plan->problem; o; o = o->next) {
    nsds_one_step_begin(o, unreduced);
    if (o->op.without_gain) plan->unreduced = o;
  }
  int count = (int)plan->model->interaction.count;
  for (int c = 0; !status && c < count; ++c) {
    status = plan_add_contact(plan, c);
    plan->ncontact = plan->ninteraction = c + 1;
  }
  if (!status) nsds_layout_bind(plan);
  return status;
}

/* ---- changes --------------------------------------------------------------------------------- */

static nsds_status refresh_contact(nsds_plan *plan, int c) {
  nsds_contact *contact = &plan->contact[c];
  nsds_status status = contact->ops->refresh(plan, contact);
  contact->is.shown_active = contact->interaction->active;
  for (nsds_contact_operator *op = plan->operator; !status && op; op = op->next) {
    status = nsds_entry_load(plan, contact, &op->entry[c]);
    nsds_contact_operator_renumber(op, c);
    if (contact->is.fixed && op->entry[c].Y) nsds_contact_operator_form_y(op, c);
    nsds_contact_operator_restamp(op);
  }
  return status;
}

/* Evaluates y and dy/dt between steps, for the index set. */
static nsds_status plan_show(nsds_plan *plan, nsds_interaction *ia) {
  return nsds_local_show(ia, plan->memory.work);
}

/* Returns true if contact c stands for an interaction that still exists. */
static bool plan_alive(const nsds_plan *plan, int c) {
  const nsds_contact *contact = &plan->contact[c];
  return contact->reach && contact->interaction->place.alive &&
         contact->interaction->serial == contact->serial;
}

static void plan_retire(nsds_plan *plan, int c) {
  for (nsds_contact_operator *op = plan->operator; op; op = op->next)
    nsds_entry_retire(plan, &op->entry[c]);
  nsds_contact_retire(plan, c);
}

static void plan_exchange(nsds_plan *plan, int a, int b) {
  nsds_contact contact = plan->contact[a];
  plan->contact[a] = plan->contact[b];
  plan->contact[b] = contact;
  for (nsds_contact_operator *op = plan->operator; op; op = op->next) {
    nsds_entry entry = op->entry[a];
    op->entry[a] = op->entry[b];
    op->entry[b] = entry;
    uint64_t id = op->id[a];
    op->id[a] = op->id[b];
    op->id[b] = id;
  }
}

/* Moves the contact at position k to its place in the model, or retires it if its interaction is
 * gone. */
static void settle_position(nsds_plan *plan, int k) {
  while (k < plan->ninteraction && plan->contact[k].reach) {
    if (!plan_alive(plan, k)) {
      plan_retire(plan, k);
      return;
    }
    int target = plan->contact[k].interaction->index;
    if (target == k) return;
    if (plan->contact[target].reach && !plan_alive(plan, target)) plan_retire(plan, target);
    plan_exchange(plan, k, target);
  }
}

static nsds_status fill_position(nsds_plan *plan, int k) {
  if (k >= plan->ninteraction || plan->contact[k].reach) return NSDS_OK;
  nsds_status status = plan_add_contact(plan, k);
  if (!status) status = refresh_contact(plan, k);
  return status ? status : plan_show(plan, plan->contact[k].interaction);
}

/* Returns true if the slots stay valid with the interactions that came or went since the plan was
 * made. */
static bool slots_stay(const nsds_plan *plan) {
  const nsds_model *model = plan->model;
  uint64_t missed = model->now.graph - plan->seen.of.graph;
  if (!plan->slot || missed >= nsds_journal_size || plan->count.first > 0) return false;
  for (uint64_t t = plan->seen.of.graph + 1; t <= model->now.graph; ++t) {
    int k = model->journal[t % nsds_journal_size];
    if (k < 0) return false;
    if (plan->schemes.in_joints && !nsds_plan_tree_stays(plan, k)) return false;
    if (k >= (int)model->interaction.count) continue;
    if (nsds_acts_on_states(((nsds_interaction *)model->interaction.item[k])->relation->kind))
      return false;
  }
  return true;
}

/* Moves the contacts of sets behind `count` contacts of interactions. Former found contacts beyond
 * them lose their memory. */
static void move_found(nsds_plan *plan, int count) {
  int from = plan->ninteraction, found = plan->ncontact - from;
  for (int c = from + found; c < count + found; ++c) plan_retire(plan, c);
  size_t moved = (size_t)found;
  if (found > 0) {
    memmove(plan->contact + count, plan->contact + from, moved * sizeof *plan->contact);
    for (nsds_contact_operator *op = plan->operator; op; op = op->next) {
      memmove(op->entry + count, op->entry + from, moved * sizeof *op->entry);
      memmove(op->id + count, op->id + from, moved * sizeof *op->id);
    }
  }
  int first = count > from ? from : count + found, end = count > from ? count : from + found;
  for (int c = first; c < end; ++c) { /* the contact here has moved or is retired */
    plan->contact[c] = (nsds_contact){0};
    for (nsds_contact_operator *op = plan->operator; op; op = op->next)
      op->entry[c] = (nsds_entry){0};
  }
  plan->ninteraction = count;
  plan->ncontact = count + found;
  plan->search.furnished_to = 0;
}

/* Updates the contacts after interactions came or went. Systems and slots stay. */
static nsds_status plan_sync(nsds_plan *plan) {
  const nsds_model *model = plan->model;
  int before = plan->ninteraction, now = (int)model->interaction.count;
  size_t found = (size_t)(plan->ncontact - before);
  nsds_status status = nsds_plan_reserve(plan, (size_t)(before > now ? before : now) + found);
  if (status) return status;
  if (now > before) move_found(plan, now);
  for (int c = now; c < before; ++c) settle_position(plan, c);
  for (uint64_t t = plan->seen.of.graph + 1; t <= model->now.graph; ++t)
    settle_position(plan, model->journal[t % nsds_journal_size]);
  if (now < before) move_found(plan, now);
  for (uint64_t t = plan->seen.of.graph + 1; !status && t <= model->now.graph; ++t)
    status = fill_position(plan, model->journal[t % nsds_journal_size]);
  ++plan->structure;
  return status;
}

/* Switches Y of found contacts on or off. This changes their memory, so a new search is needed. */
static void set_diagonal(nsds_plan *plan, bool diagonal) {
  if (diagonal == plan->diagonal) return;
  nsds_detect_forget(plan, plan->ninteraction);
  plan->search.furnished_to = 0;
  plan->diagonal = diagonal;
}

/* Refreshes all numbers, or those that depend on changes since stamp `since`. */
static nsds_status plan_refresh(nsds_plan *plan, bool all, uint64_t since) {
  nsds_status status = NSDS_OK;
  bool diagonal = !plan->tree;
  for (int s = 0; !status && s < plan->nslot; ++s) {
    nsds_slot *slot = &plan->slot[s];
    set_scheme(plan, slot);
    if (all || nsds_is_newer(slot->ds->changed, since)) status = slot->osi->refresh(&slot->on);
    plan->seat[s].scaling = slot->scaling;
    diagonal = diagonal && slot->scaling;
  }
  set_diagonal(plan, diagonal);
  ++plan->refreshed;
  for (int c = 0; !status && c < plan->ninteraction; ++c)
    if (all || nsds_interaction_changed(plan->contact[c].interaction, since))
      status = refresh_contact(plan, c);
  if (all) ++plan->structure;
  return status;
}

/* Evaluates y and dy/dt of the interactions that have changed since their last evaluation. */
static nsds_status show_changed(nsds_plan *plan) {
  uint64_t settled = plan->model->settled;
  for (int c = 0; c < plan->ninteraction; ++c) {
    nsds_interaction *ia = plan->contact[c].interaction;
    if (!nsds_interaction_changed(ia, ia->shown > settled ? ia->shown : settled)) continue;
    if (plan->contact[c].is.built_in && ia->shown > 0) {
      plan->tree->unshown = true; /* no step reads its gaps */
      continue;
    }
    nsds_status status = plan_show(plan, ia);
    if (status) return status;
  }
  return NSDS_OK;
}

nsds_status nsds_plan_renew(nsds_plan *plan, const nsds_scheme *scheme) {
  nsds_model *model = plan->model;
  unsigned missed =
      nsds_versions_missed(&plan->seen.of, &model->now, NSDS_NEW_GRAPH | NSDS_NEW_VALUES);
  bool stays = !(missed & NSDS_NEW_GRAPH), moved = plan->scheme != scheme;
  plan->scheme = scheme;
  bool again = !stays && !slots_stay(plan);
  bool failed = plan->seen.stale; /* the failure may have come before the changes were shown */
  bool all = again || moved || failed || model->stepper != plan || plan->seen.h != scheme->h;
  plan->seen.stale = true; /* until all numbers are in place */
  nsds_status status = NSDS_OK;
  if (again) status = plan_compile(plan);
  else if (!stays) status = plan_sync(plan);
  if (!stays && status) plan_clear(plan);
  if (status) return status;
  plan->seen.of.graph = model->now.graph;
  if (all || missed & NSDS_NEW_VALUES) status = plan_refresh(plan, all, plan->seen.of.values);
  for (nsds_one_step *o = plan->problem; !status && o; o = o->next) status = o->form->prepare(o);
  bool shown = !again && !failed && !nsds_is_newer(model->now.values, model->settled);
  if (!status && !shown) status = show_changed(plan);
  if (!status)
    status = nsds_state_reserve(plan->context, &plan->trial, model->size); /* sets grow */
  if (!status) status = nsds_turned_rows_reserve(plan);
  if (status) return status;
  nsds_copy_doubles(plan->trial.impulse, model->state.impulse, model->size.ny);
  for (nsds_one_step *o = plan->problem; o; o = o->next) o->set.idle = false;
  model->settled = model->now.change;
  model->stepper = plan;
  plan->seen.of.values = model->now.change; /* includes the interactions connected so far */
  plan->seen.h = scheme->h;
  plan->seen.stale = false;
  return NSDS_OK;
}
