/*
 * Rates of all unknowns at an instant, with the closed rows kept at zero: see event_rows.h.
 */
#include "kernel/events/event_rows.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/assembly/one_step.h"
#include "kernel/assembly/plan.h"
#include "kernel/assembly/tracked_contact.h"
#include "kernel/events/event_functions.h"
#include "kernel/events/event_parts.h"
#include "kernel/events/event_problem.h"
#include "kernel/events/event_rows_matrix.h"
#include "kernel/events/friction_modes.h"
#include "kernel/events/impact_distribution.h"
#include "kernel/events/jamming_impact.h"
#include "kernel/events/prescribed_rates.h"
#include "kernel/events/row_carryover.h"
#include "kernel/events/slip_onset.h"
#include "kernel/modeling/contact_set.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/law.h"
#include "kernel/modeling/local.h"
#include "kernel/modeling/modeling.h"

nsds_status nsds_smooth_create(nsds_plan *plan, nsds_smooth *s) {
  s->plan = plan;
  s->from = -INFINITY;
  s->until = INFINITY;
  s->naside = -1;
  return nsds_one_step_create(plan, false, &s->carrier);
}

void nsds_smooth_destroy(nsds_smooth *s) {
  if (!s->plan) return;
  nsds_context *context = s->plan->context;
  nsds_one_step_destroy(&s->carrier);
  nsds_distribution_destroy(s);
  nsds_parts_release(s);
  nsds_event_problem_destroy(s);
  void *arrays[] = {s->row,        s->rate,       s->work,        s->map,      s->size,
                    s->onset,      s->onset_step, s->onset_state, s->block,    s->bounds,
                    s->g_constant, s->g_value,    s->g_start,     s->weight,   s->scratch,
                    s->g_column,   s->aside,      s->start,       s->jam_state};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) nsds_release(context, arrays[k]);
  *s = (nsds_smooth){0};
}

/* ---- rows ------------------------------------------------------------------------------------ */

static nsds_status event_rows_refuse(const nsds_smooth *s, const nsds_contact *contact,
                                     const char *why) {
  char label[nsds_label_size], relation[nsds_label_size];
  return nsds_fail(s->plan->context, NSDS_ERROR_UNSUPPORTED, "event-driven: %s (%s, law %s): %s",
                   nsds_contact_label(contact, label),
                   nsds_relation_label(contact->interaction->relation, relation),
                   contact->law->ops->type, why);
}

static const char coupled[] =
    "its law couples rows; valid are impact, Coulomb friction, complementarity, equality, relay "
    "and, of first order, saturation";

static bool has_modes(const nsds_law *law) {
  nsds_set set = law->set;
  return set == NSDS_SET_NONNEGATIVE || set == NSDS_SET_EQUALITY || set == NSDS_SET_BOX ||
         (set == NSDS_SET_COULOMB && law->ops->restitution);
}

/* What event-driven simulation has no modes for. */
static nsds_status event_rows_check(const nsds_smooth *s, const nsds_contact *contact) {
  const nsds_relation *relation = contact->interaction->relation;
  if (!has_modes(contact->law)) return event_rows_refuse(s, contact, coupled);
  if (relation->order == 0)
    return event_rows_refuse(s, contact,
                             "its relation ties systems of both orders; valid is time stepping");
  if (nsds_input_depends(relation->ops))
    return event_rows_refuse(s, contact, "its inputs depend on states; valid is time stepping");
  if (relation->order == 1)
    return relation->linear
               ? NSDS_OK
               : event_rows_refuse(s, contact, "its relation must be affine in x and lambda");
  if (!nsds_relation_is_rigid(relation))
    return event_rows_refuse(s, contact,
                             "its relation has a part in lambda; a spring is a force of a system");
  if (contact->law->ops->compliance)
    return event_rows_refuse(s, contact,
                             "a saturation between second-order systems is a force of a system");
  return NSDS_OK;
}

/* Before any of its contacts is found. */
static nsds_status event_rows_check_set(const nsds_smooth *s, const nsds_contact_set *set) {
  char label[nsds_label_size];
  nsds_status status = nsds_check_followed(set);
  if (status || (has_modes(set->law) && !set->law->ops->compliance)) return status;
  return nsds_fail(s->plan->context, NSDS_ERROR_UNSUPPORTED, "event-driven: %s (law %s): %s",
                   nsds_contact_set_label(set, label), set->law->ops->type, coupled);
}

static bool has_entries(const double *row, int ld, int n) {
  for (int j = 0; j < n; ++j)
    if (row[(size_t)j * (size_t)ld] != 0.0) return true;
  return false;
}

/* Row k of a contact with Coulomb friction. What the law adds at rest is (1 + e_t) times the given
 * slip, and e_t what it adds at unit speed to that. */
static void describe_friction(const nsds_contact *contact, int k, const nsds_block *block,
                              nsds_row *row) {
  double rest[3] = {0.0}, unit[3] = {0.0};
  static const double zeros[3] = {0.0, 0.0, 0.0}, ones[3] = {1.0, 1.0, 1.0};
  contact->restitution(contact->law_self, zeros, rest);
  contact->restitution(contact->law_self, ones, unit);
  row->mu = block->mu;
  row->normal = k;
  row->tangents = k == 0 ? contact->size - 1 : 0;
  row->degree = k == 0 ? 2 : 1;
  row->upper = k == 0 ? INFINITY : 0.0;
  double weight = 1.0 + unit[k] - rest[k];
  row->given = k > 0 && weight != 0.0 ? rest[k] / weight : 0.0;
}

/* sum |H| of row i */
static double event_rows_norm_of(const nsds_contact *contact, const nsds_entry *entry, int i) {
  double sum = 0.0;
  for (int e = 0; e < contact->nds; ++e)
    for (int k = 0; k < entry->edge[e].size; ++k)
      sum += fabs(entry->edge[e].H[i + (ptrdiff_t)k * contact->m]);
  return sum;
}

static int first_order_degree(const nsds_contact *contact, const nsds_entry *entry, int i) {
  return entry->D && has_entries(entry->D + i, contact->m, contact->m) ? 0 : 1;
}

static void event_rows_describe(const nsds_smooth *s, int c, int i, const nsds_block *block,
                                nsds_row *row) {
  const nsds_contact *contact = &s->plan->contact[c];
  const nsds_entry *entry = &s->carrier.op.entry[c];
  int k = i % contact->size;
  bool box = block->set == NSDS_SET_BOX;
  *row = (nsds_row){
      .contact = c,
      .i = i,
      .y = contact->y0 + i,
      .set = contact->set,
      .key = contact->serial,
      .lower = box                               ? block->lower[k]
               : block->set == NSDS_SET_EQUALITY ? -INFINITY
                                                 : 0.0,
      .upper = box ? block->upper[k] : INFINITY,
      .norm = contact->fixed && contact->affine ? event_rows_norm_of(contact, entry, i) : INFINITY,
      .last = -INFINITY};
  if (block->set == NSDS_SET_COULOMB) describe_friction(contact, k, block, row);
  else if (!contact->C) row->degree = contact->law->level == NSDS_LEVEL_FORCE ? 1 : 2;
  else row->degree = first_order_degree(contact, entry, i);
}

static nsds_status event_rows_reserve(nsds_smooth *s) {
  const nsds_plan *plan = s->plan;
  nsds_context *context = plan->context;
  size_t rows = 0, map = 1, work = 1, local = 0, weights = 0, square = 1;
  size_t nq = plan->model->size.nq, nv = plan->model->size.nv;
  for (int c = 0; c < plan->ncontact; ++c) {
    size_t m = (size_t)plan->contact[c].m;
    rows += m;
    weights += plan->contact[c].C ? m * m : 0;
    if (plan->contact[c].C && m * m > square) square = m * m;
    size_t wanted = nsds_bias_work(plan->contact[c].interaction) + m;
    if (wanted > work) work = wanted;
    wanted = plan->contact[c].set ? nsds_local_work(plan->contact[c].interaction) : 0;
    if (wanted > local) local = wanted;
  }
  for (int k = 0; k < plan->nslot; ++k) {
    size_t wanted = (size_t)plan->slot[k].nv * (size_t)plan->slot[k].ds->nq;
    if (wanted > map) map = wanted;
  }
  nsds_status status = nsds_grow(context, &s->row, &s->row_capacity, rows, sizeof *s->row);
  if (!status)
    status = nsds_grow(context, &s->plan->memory.work, &s->plan->memory.work_capacity, local,
                       sizeof *s->work);
  if (!status && s->follows)
    status = nsds_grow(context, &s->start, &s->start_capacity, nq, sizeof *s->start);
  if (!status) status = nsds_grow(context, &s->rate, &s->rate_capacity, nv, sizeof *s->rate);
  if (!status)
    status =
        nsds_grow(context, &s->size, &s->size_capacity, 3 * (size_t)plan->nslot, sizeof *s->size);
  if (!status && s->nsize != plan->nslot) nsds_zero_doubles(s->size, 3 * (size_t)plan->nslot);
  s->nsize = plan->nslot;
  if (!status) status = nsds_grow(context, &s->map, &s->map_capacity, map, sizeof *s->map);
  if (!status) status = nsds_grow(context, &s->work, &s->work_capacity, work, sizeof *s->work);
  if (!status)
    status = nsds_grow(context, &s->weight, &s->weight_capacity, weights, sizeof *s->weight);
  if (!status)
    status = nsds_grow(context, &s->scratch, &s->scratch_capacity, square, sizeof *s->scratch);
  s->nrow = status ? 0 : (int)rows;
  if (!status) status = nsds_smooth_reserve_functions(s);
  return status ? status : nsds_smooth_reserve(s);
}

/* D of a first-order contact, at the trial state. */
static nsds_status event_rows_evaluate(nsds_smooth *s, int c) {
  nsds_contact *contact = &s->plan->contact[c];
  if (contact->affine) return NSDS_OK;
  nsds_status status = contact->ops->evaluate(s->plan, contact);
  return status ? status : contact->ops->linearise(s->plan, contact, &s->carrier.op.entry[c]);
}

/* Rows of all contacts. */
static nsds_status event_rows_list_rows(nsds_smooth *s) {
  const nsds_plan *plan = s->plan;
  nsds_row *row = s->row;
  size_t weights = 0;
  int spatial = 0; /* contacts with friction */
  for (int c = 0; c < plan->ncontact; ++c) {
    nsds_contact *contact = &plan->contact[c];
    nsds_block block = nsds_law_block(contact->law);
    nsds_status status = event_rows_check(s, contact);
    if (!status && contact->C) status = event_rows_evaluate(s, c);
    if (status) return status;
    for (int i = 0; i < contact->m; ++i, ++row) {
      event_rows_describe(s, c, i, &block, row);
      row->weights = weights;
    }
    if (contact->C) weights += (size_t)contact->m * (size_t)contact->m;
    s->friction = s->friction || block.set == NSDS_SET_COULOMB;
    if (block.set == NSDS_SET_COULOMB && contact->size == 3) spatial += contact->m / 3;
    s->grouped = s->grouped || contact->law->impact.kind != NSDS_IMPACT_NEWTON;
  }
  nsds_status status = nsds_onset_reserve(s, spatial);
  return status ? status : nsds_jam_reserve(s);
}

/* Degrees anew: D may have other zeros than before. What was closed says nothing of lambda then. */
static nsds_status renew_degrees(nsds_smooth *s) {
  nsds_status status = NSDS_OK;
  for (nsds_row *row = s->row, *end = row + s->nrow; !status && row < end; ++row) {
    const nsds_contact *contact = &s->plan->contact[row->contact];
    const nsds_entry *entry = &s->carrier.op.entry[row->contact];
    if (!contact->C || !entry->D) continue;
    if (row->i == 0) status = event_rows_evaluate(s, row->contact);
    row->degree = first_order_degree(contact, entry, row->i);
    nsds_rows_clear(&s->closed);
    s->factored = false;
  }
  return status;
}

/* All rows, for the contacts that there are. */
static nsds_status event_rows_list(nsds_smooth *s) {
  const nsds_model *model = s->plan->model;
  nsds_status status = NSDS_OK;
  s->follows = model->set.count > 0;
  s->driven = false;
  for (int k = 0; k < s->plan->nslot; ++k)
    s->driven = s->driven || s->plan->slot[k].ds->nprescribed > 0;
  for (size_t k = 0; !status && k < model->set.count; ++k)
    status = event_rows_check_set(s, model->set.item[k]);
  if (!status) status = event_rows_reserve(s);
  if (!status) status = event_rows_list_rows(s);
  if (!status) status = nsds_smooth_reserve_parts(s);
  if (!status && s->grouped) status = nsds_distribution_reserve(s);
  return status;
}

nsds_status nsds_smooth_renew(nsds_smooth *s) {
  const nsds_plan *plan = s->plan;
  bool stays = s->topology == plan->seen.topology && s->rate;
  nsds_status status;
  if (!stays || s->detections != plan->search.detections) {
    if (stays && s->naside < 0) {
      status = nsds_rows_reserve_aside(s, s->nrow);
      if (status) return status;
      nsds_rows_put_aside(s, s->row, s->nrow);
      s->aside_topology = plan->seen.topology;
    }
    if (!stays && s->aside_topology != plan->seen.topology) s->naside = -1;
    s->topology = 0;
    nsds_rows_clear(&s->closed); /* by the places that rows had */
    s->shared = s->friction = s->begins = s->grouped = s->factored = false;
    status = event_rows_list(s);
    if (status) return status;
    if (s->naside >= 0) nsds_rows_take_back(s);
    s->aside_topology = 0;
    s->topology = plan->seen.topology;
    s->detections = plan->search.detections;
  }
  status = stays ? renew_degrees(s) : NSDS_OK;
  if (s->return_all) nsds_smooth_mark_loaded(s);
  s->start_t = plan->model->state.t;
  if (s->follows) nsds_copy_doubles(s->start, plan->model->state.q, plan->model->size.nq);
  return status;
}

/* ---- evaluation ------------------------------------------------------------------------------ */

/* Largest |q|, or |x|, and |v| of each system so far: the scales of displacements and speeds. */
void nsds_smooth_note_sizes(nsds_smooth *s, const double *q, const double *v) {
  const nsds_plan *plan = s->plan;
  for (int k = 0; k < plan->nslot; ++k) {
    const nsds_slot *slot = &plan->slot[k];
    bool first = slot->ds->order == 1;
    const double *x = first ? v + slot->v0 : q + slot->q0;
    double most = s->size[k], fastest = s->size[2 * plan->nslot + k];
    for (int j = 0, n = first ? slot->nv : slot->on.nq; j < n; ++j) nsds_raise(&most, fabs(x[j]));
    for (int j = 0; j < slot->nv; ++j) nsds_raise(&fastest, fabs(v[slot->v0 + j]));
    s->size[k] = most;
    s->size[2 * plan->nslot + k] = fastest;
  }
}

/* A time over which relations change little, for their differences. */
static double difference_step(const nsds_smooth *s, const nsds_interaction *ia) {
  const nsds_plan *plan = s->plan;
  double time = s->time_scale;
  for (int k = 0; ia->relation->order == 2 && k < ia->nds; ++k) {
    const nsds_ds *ds = ia->ds[k];
    double size = s->size[ds->index] > 0.0 ? s->size[ds->index] : 1.0, speed = 0.0;
    for (int j = 0; j < ds->nv; ++j) speed = fmax(speed, fabs(plan->trial.v[ds->v_offset + j]));
    if (speed * time > size) time = size / speed;
  }
  return NSDS_EPSILON_TO_FIFTH * time;
}

/* By differences on this side of what is scheduled, where the relation may change. */
static nsds_status find_bias(nsds_smooth *s, const nsds_interaction *ia, double *bias) {
  nsds_state *at = &s->plan->trial;
  double step = fmin(difference_step(s, ia), (s->until - s->from) / 8.0);
  int side = at->t + 2.0 * step > s->until ? -1 : at->t - 2.0 * step < s->from;
  return nsds_bias(ia, at, step, side, bias, s->work);
}

/* H, bias (or c) of one contact that is not constant, and its Y. */
static nsds_status event_rows_linearise(nsds_smooth *s, int c, double *bias) {
  nsds_plan *plan = s->plan;
  nsds_contact *contact = &plan->contact[c];
  const nsds_interaction *ia = contact->interaction;
  nsds_entry *entry = &s->carrier.op.entry[c];
  nsds_status status = NSDS_OK;
  if (contact->C && !contact->affine) {
    status = contact->ops->evaluate(plan, contact);
    if (!status) status = contact->ops->linearise(plan, contact, entry);
  } else if (!contact->affine) {
    nsds_in in = nsds_gather(ia, &plan->trial, plan->trial.force, 1.0, s->work);
    double *rest = s->work + ia->relation->nq + ia->nv + ia->nz + 1 + ia->m;
    status = nsds_gradient(ia, &in, entry->H, rest);
  }
  if (!status && !contact->affine) status = find_bias(s, ia, bias);
  if (!status && !contact->fixed) nsds_one_step_edges(&s->carrier, c);
  return status;
}

/* Between events D keeps its zeros. */
static nsds_status check_zeros(const nsds_smooth *s, const nsds_row *first) {
  const nsds_contact *contact = &s->plan->contact[first->contact];
  const nsds_entry *entry = &s->carrier.op.entry[first->contact];
  char label[nsds_label_size];
  for (int i = 0; contact->C && entry->D && i < contact->m; ++i)
    if (first_order_degree(contact, entry, i) != first[i].degree)
      return nsds_fail(
          s->plan->context, NSDS_ERROR_UNSUPPORTED,
          "event-driven: row %d of D of %s %s at t = %.17g; a user event belongs where "
          "that changes",
          i, nsds_contact_label(contact, label),
          first[i].degree > 0 ? "is no longer zero" : "is zero", s->plan->trial.t);
  return NSDS_OK;
}

nsds_status nsds_smooth_linearise(nsds_smooth *s) {
  nsds_status status = NSDS_OK;
  const nsds_row *end = s->row + s->nrow;
  for (nsds_row *row = s->row; !status && row < end; row += s->plan->contact[row->contact].m) {
    const nsds_contact *contact = &s->plan->contact[row->contact];
    if (contact->fixed && contact->affine) continue;
    double *bias = s->work + s->work_capacity - contact->m;
    for (int i = 0; i < contact->m; ++i) bias[i] = 0.0;
    status = event_rows_linearise(s, row->contact, bias);
    if (!status) status = check_zeros(s, row);
    for (int i = 0; i < contact->m; ++i) row[i].bias = bias[i];
  }
  return status;
}

/* c + C X of the rows of degree 0, at the trial state. */
static void find_slips(nsds_smooth *s) {
  const nsds_plan *plan = s->plan;
  for (nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row) {
    if (row->degree > 0) continue;
    const nsds_contact *contact = &plan->contact[row->contact];
    const nsds_entry *entry = &s->carrier.op.entry[row->contact];
    row->bias = contact->affine ? contact->shift[row->i] : entry->offset[row->i];
    for (int e = 0; e < contact->nds; ++e)
      for (int k = 0; k < entry->edge[e].size; ++k)
        row->bias += entry->edge[e].H[row->i + (ptrdiff_t)k * contact->m] *
                     plan->trial.v[entry->edge[e].column + k];
  }
}

/* s of the rows of degree 0 with lambda as it is. */
static void close_slips(nsds_smooth *s) {
  for (nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row) {
    if (row->degree > 0) continue;
    const nsds_contact *contact = &s->plan->contact[row->contact];
    const double *D = s->carrier.op.entry[row->contact].D;
    const nsds_row *first = row - row->i;
    row->slip = row->bias;
    for (int j = 0; j < contact->m; ++j)
      row->slip += D[row->i + (ptrdiff_t)j * contact->m] * first[j].lambda;
  }
}

/* lambda of the closed rows of the present part: what they rest at, and the least beside it. */
static nsds_status solve_part(nsds_smooth *s) {
  bool keep = s->factored && s->constant;
  for (int k = 0; k < s->n; ++k) {
    const nsds_row *row = &s->row[s->chosen[k]];
    if (row->rest != 0.0) nsds_smooth_load(s, row, row->rest, s->rate);
  }
  nsds_status status = nsds_smooth_matrix(s, false);
  if (!status && !keep) status = nsds_smooth_factor(s, nsds_dependent);
  if (status == NSDS_ERROR_SINGULAR)
    return nsds_fail(s->plan->context, status,
                     "event-driven: lambda of the %d closed rows is not determined at t = %.17g: "
                     "d s/d lambda is singular (relative degree, or constraints that depend on "
                     "each other in this position only)",
                     s->n, s->plan->trial.t);
  if (status) return status;
  for (int k = 0; k < s->n; ++k) s->z[k] = -s->b[k];
  nsds_smooth_solve(s);
  for (int k = 0; k < s->n; ++k) {
    nsds_row *row = &s->row[s->chosen[k]];
    row->lambda = s->z[k] + row->rest;
    nsds_smooth_load(s, row, s->z[k], s->rate);
  }
  return NSDS_OK;
}

static nsds_status solve_closed(nsds_smooth *s) {
  nsds_status status = NSDS_OK;
  for (int p = 0; !status && p < s->closed.nparts; ++p) {
    nsds_part_enter(s, &s->closed, p);
    status = solve_part(s);
  }
  s->factored = !status;
  if (!status && s->friction) nsds_friction_follow(s);
  return status;
}

nsds_status nsds_smooth_close(nsds_smooth *s) {
  for (nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row)
    if (row->lambda != 0.0 &&
        (row->held || (row->mode != NSDS_MODE_CLOSED && row->mode != NSDS_MODE_SLIDING)))
      nsds_smooth_load(s, row, row->lambda, s->rate);
  return s->closed.n > 0 ? solve_closed(s) : NSDS_OK;
}

nsds_status nsds_smooth_coordinate_rates(const nsds_smooth *s, double *dq) {
  const nsds_plan *plan = s->plan;
  const nsds_state *at = &plan->trial;
  if (plan->slots_aligned) {
    nsds_copy_doubles(dq, at->v, plan->model->size.nq);
    return NSDS_OK;
  }
  for (int k = 0; k < plan->nslot; ++k) {
    const nsds_slot *slot = &plan->slot[k];
    const nsds_ds *ds = slot->ds;
    double *out = dq + slot->q0;
    const double *v = at->v + slot->v0;
    if (ds->order == 1) continue;
    if (!ds->ops->velocity_map) {
      nsds_copy_doubles(out, v, (size_t)ds->nq);
      continue;
    }
    nsds_in in = nsds_ds_in(ds, at->t, at->q + slot->q0, v);
    nsds_status status = ds->ops->velocity_map(ds->self, &in, s->map);
    if (status) return status;
    for (int i = 0; i < ds->nq; ++i) {
      out[i] = 0.0;
      for (int j = 0; j < ds->nv; ++j) out[i] += s->map[i + (ptrdiff_t)j * ds->nq] * v[j];
    }
  }
  return NSDS_OK;
}

nsds_status nsds_smooth_free_rates(nsds_smooth *s) {
  nsds_plan *plan = s->plan;
  nsds_status status = nsds_driven_rates(s);
  for (int k = 0; !status && k < plan->nslot; ++k)
    status = plan->slot[k].osi->evaluate(&plan->slot[k].on);
  if (status) return status;
  nsds_copy_doubles(s->rate, plan->v_free, plan->model->size.nv);
  if (!s->loaded) return NSDS_OK;
  status = nsds_smooth_linearise(s);
  if (!status && s->friction) status = nsds_friction_update(s);
  if (!status) find_slips(s);
  return status;
}

static nsds_status find_rates(nsds_smooth *s) {
  nsds_status status = nsds_smooth_free_rates(s);
  if (status || !s->loaded) return status;
  bool onset =
      s->begins && s->closed.n > 0; /* else forces are being looked for, as slip goes now */
  status = onset ? nsds_onset_follow(s) : nsds_smooth_close(s);
  close_slips(s);
  return status;
}

nsds_status nsds_smooth_rates(nsds_smooth *s, double *dx) {
  const nsds_state_size *size = &s->plan->model->size;
  nsds_status status = s->uniform ? NSDS_OK : find_rates(s);
  if (!status && dx) status = nsds_smooth_coordinate_rates(s, dx);
  if (!status && dx) nsds_copy_doubles(dx + size->nq, s->rate, size->nv);
  return status;
}

double nsds_row_value(const nsds_smooth *s, const nsds_row *row) {
  const nsds_state *at = &s->plan->trial;
  if (row->degree == 0) return row->slip;
  bool speed = row->degree == 1 && !s->plan->contact[row->contact].C;
  return speed ? at->ydot[row->y] + row->given : at->y[row->y];
}

void nsds_smooth_note_rates(nsds_smooth *s) {
  const nsds_plan *plan = s->plan;
  for (int k = 0; k < plan->nslot; ++k)
    for (int j = 0; j < plan->slot[k].nv; ++j) {
      double *size = &s->size[plan->nslot + k];
      *size = fmax(*size, fabs(s->rate[plan->slot[k].v0 + j]));
    }
}

/* What y of first-order relations is a function of, D lambda. */
static void show_lambda(const nsds_smooth *s) {
  nsds_state *at = &s->plan->trial;
  for (const nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row)
    if (s->plan->contact[row->contact].C) at->force[row->y] = at->impulse[row->y] = row->lambda;
}

nsds_status nsds_smooth_outputs(nsds_smooth *s) {
  nsds_plan *plan = s->plan;
  nsds_status status = NSDS_OK;
  nsds_smooth_note_sizes(s, plan->trial.q, plan->trial.v);
  show_lambda(s);
  nsds_contact *contact = plan->contact, *end = contact + plan->ncontact;
  for (; !status && contact < end; ++contact) status = contact->ops->output(plan, contact);
  return status;
}

void nsds_smooth_forces(nsds_smooth *s, bool event) {
  nsds_state *at = &s->plan->trial;
  nsds_zero_doubles(at->p, s->plan->model->size.nv);
  for (nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row) {
    if (!event) row->impulse = 0.0;
    const nsds_contact *contact = &s->plan->contact[row->contact];
    const nsds_entry *entry = &s->carrier.op.entry[row->contact];
    int m = contact->m, nx = contact->nv;
    at->force[row->y] = row->lambda;
    at->impulse[row->y] = contact->C ? row->lambda : row->impulse;
    double p = contact->C ? row->lambda : row->impulse;
    for (int e = 0, first = 0; p != 0.0 && e < contact->nds; first += entry->edge[e++].size)
      for (int k = 0; k < entry->edge[e].size; ++k)
        at->p[entry->edge[e].column + k] +=
            p * (contact->C ? contact->first->B[first + k + (ptrdiff_t)row->i * nx]
                            : entry->edge[e].H[row->i + (ptrdiff_t)k * m]);
  }
}
