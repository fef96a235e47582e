/*
 * Follows contacts of sets along the motion between two searches. Each contact is an interaction of
 * the plan's own, whose relation asks the geometry for the contact with its key. The geometry's
 * numbers are checked like those of a user's relation.
 */
#include "kernel/assembly/tracked_contact.h"

#include "base/base.h"
#include "base/context.h"
#include "base/finite.h"
#include "kernel/assembly/local_second.h"
#include "kernel/modeling/contact_frame.h"
#include "kernel/modeling/contact_set.h"
#include "kernel/modeling/guard.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/local.h"
#include "kernel/modeling/modeling.h"

static nsds_status tracked_contact_judge(const nsds_followed *f, const char *operation, double t,
                                         unsigned long failures, nsds_status status,
                                         const double *out, int n) {
  int bad = status ? -1 : nsds_first_nonfinite(out, n);
  if (NSDS_LIKELY(!status && bad < 0)) return NSDS_OK;
  nsds_context *context = f->set->model->context;
  char label[nsds_label_size];
  nsds_contact_set_label(f->set, label);
  if (status) return nsds_judge(context, label, operation, t, failures, status);
  return nsds_fail(context, NSDS_ERROR_CALLBACK,
                   "%s: %s wrote %g to entry %d of the contact with key %llu at t = %.17g; entries "
                   "must be finite",
                   label, operation, out[bad], bad, (unsigned long long)f->key, t);
}

static nsds_status tracked_contact_output(void *self, const nsds_arguments *in, double *y) {
  const nsds_followed *f = self;
  const nsds_contact_set *set = f->set;
  unsigned long failures = nsds_failures(set->model->context);
  for (int i = 0; i < f->relation.ny; ++i) y[i] = 0.0;
  nsds_status status = set->ops->output(set->self, f->key, in, y);
  return tracked_contact_judge(f, "output", in->t, failures, status, y, set->law->ngap);
}

static nsds_status tracked_contact_gradient(void *self, const nsds_arguments *in, double *H) {
  const nsds_followed *f = self;
  const nsds_contact_set *set = f->set;
  unsigned long failures = nsds_failures(set->model->context);
  nsds_status status = set->ops->gradient_v(set->self, f->key, in, f->found, H);
  return tracked_contact_judge(f, "gradient_v", in->t, failures, status, H,
                               f->relation.ny * f->relation.nv);
}

static nsds_status tracked_contact_bias(void *self, const nsds_arguments *in, double *value) {
  const nsds_followed *f = self;
  const nsds_contact_set *set = f->set;
  unsigned long failures = nsds_failures(set->model->context);
  nsds_status status = set->ops->bias(set->self, f->key, in, f->found, value);
  return tracked_contact_judge(f, "bias", in->t, failures, status, value, f->relation.ny);
}

static const nsds_relation_ops differenced = {.type = "a contact found",
                                              .output = tracked_contact_output,
                                              .gradient_v = tracked_contact_gradient};
static const nsds_relation_ops biased = {.type = "a contact found",
                                         .output = tracked_contact_output,
                                         .gradient_v = tracked_contact_gradient,
                                         .bias = tracked_contact_bias};

void nsds_contact_follow(nsds_contact *contact, nsds_followed *f, const nsds_contact_point *point) {
  nsds_model *model = contact->found.set->model;
  *f = (nsds_followed){.set = contact->found.set, .key = point->key, .found = contact->H};
  nsds_relation *relation = &f->relation;
  nsds_interaction *ia = &f->interaction;
  *relation = (nsds_relation){.model = model,
                              .ops = contact->found.set->ops->bias ? &biased : &differenced,
                              .self = f,
                              .index = -1,
                              .kind = NSDS_RELATION_SECOND_ORDER,
                              .ny = contact->m,
                              .nv = contact->nv,
                              .tangents = contact->m > 1,
                              .users = 1};
  *ia = (nsds_interaction){.model = model,
                           .relation = relation,
                           .law = (nsds_law *)(uintptr_t)contact->law,
                           .index = -1,
                           .m = contact->m,
                           .ncopy = 1,
                           .nds = contact->nds,
                           .nv = contact->nv,
                           .serial = point->key};
  ia->ds = ia->few;
  for (int e = 0; e < contact->nds; ++e) {
    ia->few[e] = point->ds[e];
    ia->nZ += point->ds[e]->parameters.n;
    relation->nq += point->ds[e]->nq;
  }
  contact->ops = &nsds_contact_second;
  contact->interaction = ia;
  contact->is.affine = contact->is.linear = contact->is.fixed = false;
}

nsds_status nsds_follow_reserve(nsds_plan *plan) {
  size_t most = 0;
  for (int c = plan->ninteraction; c < plan->ncontact; ++c) {
    size_t wanted = nsds_local_work(plan->contact[c].interaction);
    if (wanted > most) most = wanted;
  }
  return nsds_plan_reserve_work(plan, most);
}

/* A place that a geometry does not know, or reports wrongly, becomes unknown; the touching shapes
 * stay. */
static NSDS_NOINLINE void follow_place(nsds_plan *plan, const nsds_contact *contact) {
  const nsds_followed *f = contact->interaction ? contact->interaction->relation->self : NULL;
  if (!f) return;
  nsds_contact_set *set = contact->found.set;
  nsds_contact_pair *pair = &set->pair[contact->found.place];
  nsds_contact_place at = {.dimension = 0};
  nsds_arguments in =
      nsds_gather(contact->interaction, &plan->model->state, NULL, 0.0, plan->memory.work);
  if (f->set->ops->place) f->set->ops->place(f->set->self, f->key, &in, f->found, &at);
  memcpy(at.shape, pair->shape, sizeof at.shape);
  if (nsds_is_contact_place(&at)) nsds_contact_set_locate(set, contact->found.place, &at);
  else pair->dimension = 0;
}

void nsds_follow_places(nsds_plan *plan) {
  for (int c = plan->ninteraction; c < plan->ncontact; ++c) follow_place(plan, &plan->contact[c]);
}

static nsds_status fail_number(const nsds_contact_set *set, const char *operation, double value,
                               const char *valid) {
  char label[nsds_label_size];
  return nsds_fail(set->model->context, NSDS_ERROR_CALLBACK,
                   "%s: %s returned %g; valid are %s numbers", nsds_contact_set_label(set, label),
                   operation, value, valid);
}

/* Fraction of the reach that is used before the next search. The rest lies far above rounding:
 * contacts whose gaps are equal up to rounding are all found before they close. */
static const double used = 0.9;

/* Computes the unused fraction of the set's reach. Two bodies may have moved towards each other. */
static nsds_status left_of(const nsds_contact_set *set, const double *q0, const double *q,
                           double *left) {
  const nsds_model *model = set->model;
  double farthest = 0.0, next = 0.0, reach = set->ops->reach(set->self);
  if (!(reach > 0.0)) return fail_number(set, "reach", reach, "positive");
  for (size_t k = 0; k < model->ds.count; ++k) {
    const nsds_ds *ds = model->ds.item[k];
    if (!nsds_is_second_order(ds)) continue;
    double way =
        set->ops->travel(set->self, nsds_ds_handle(ds), q0 + ds->q_offset, q + ds->q_offset);
    if (!(way >= 0.0)) return fail_number(set, "travel", way, "non-negative");
    next = fmax(next, fmin(way, farthest));
    farthest = fmax(farthest, way);
  }
  *left = 1.0 - (farthest + next) / (used * reach);
  return NSDS_OK;
}

nsds_status nsds_follow_left(const nsds_plan *plan, const double *q0, double *left) {
  nsds_status status = NSDS_OK;
  *left = 1.0;
  for (size_t k = 0; !status && k < plan->model->set.count; ++k) {
    double one = 1.0;
    status = left_of(plan->model->set.item[k], q0, plan->trial.q, &one);
    *left = fmin(*left, one);
  }
  return status;
}

double nsds_follow_margin(const nsds_plan *plan) {
  double least = 1.0;
  for (size_t k = 0; k < plan->model->set.count; ++k) {
    const nsds_contact_set *set = plan->model->set.item[k];
    if (set->margin) least = fmin(least, set->margin(set->self, plan->trial.q));
  }
  return least;
}

nsds_status nsds_check_followed(const nsds_contact_set *set) {
  const nsds_geometry_ops *ops = set->ops;
  const char *missing = !ops->output       ? "output"
                        : !ops->gradient_v ? "gradient_v"
                        : !ops->reach      ? "reach"
                        : !ops->travel     ? "travel"
                                           : NULL;
  char label[nsds_label_size];
  if (!missing) return NSDS_OK;
  return nsds_fail(
      set->model->context, NSDS_ERROR_UNSUPPORTED,
      "event-driven simulation and RATTLE: %s: its geometry (%s) has no operation `%s`, by which "
      "contacts are "
      "followed between searches; valid are the bundled sets, geometries with these operations "
      "(nsds/contact.h), and interactions in place of the set",
      nsds_contact_set_label(set, label), ops->type, missing);
}
