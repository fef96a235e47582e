/*
 * Helpers of both problems of a step of nonsmooth RATTLE: which rows are about gaps, the rounding
 * of a gap, the slip of moving surfaces. Parts that the scheme cannot treat are refused. The problem of
 * positions is in rattle_places.c, that of velocities in rattle_speeds.c.
 */
#include "kernel/stepping/rattle_rows.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/assembly/contact.h"
#include "kernel/assembly/displacement.h"
#include "kernel/assembly/reduced.h"
#include "kernel/assembly/slot.h"
#include "kernel/assembly/terms.h"
#include "kernel/assembly/tracked_contact.h"
#include "kernel/modeling/contact_set.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"
#include "kernel/stepping/rattle_springs.h"

static const double grazing = 1e-9; /* of h times the speeds of a row */

/* ---- what it treats --------------------------------------------------------------------------- */

static nsds_status rattle_refuse(const nsds_one_step *o, const char *name, const char *why) {
  return nsds_fail(o->op.plan->context, NSDS_ERROR_UNSUPPORTED, "RATTLE: %s: %s", name, why);
}

nsds_status nsds_rattle_admit(const nsds_one_step *o, const nsds_contact *contact) {
  char label[nsds_label_size];
  const nsds_interaction *ia = contact->interaction;
  const char *why =
      ia->relation->midway
          ? nsds_rattle_gives_force(ia->law)
                ? NULL
                : "the law of a spring or drive is not one of its force; valid are y = 0, "
                  "complementarity and relays, or Moreau-Jean"
      : nsds_acts_on_states(ia->relation->kind)
          ? "it ties systems of first order; valid are those of second order, or Moreau-Jean"
      : !nsds_relation_is_rigid(ia->relation) || ia->relation->ops->feedthrough ||
              ia->law->ops->compliance
          ? "it yields: y or dy/dt depends on lambda; valid are rigid relations and laws, or "
            "Moreau-Jean"
          : NULL;
  return why ? rattle_refuse(o, nsds_interaction_label(ia, label), why) : NSDS_OK;
}

nsds_status nsds_rattle_prepare(nsds_one_step *o) {
  const nsds_model *model = o->op.plan->model;
  char label[nsds_label_size];
  for (size_t k = 0; k < model->set.count; ++k) {
    nsds_status status = nsds_check_followed(model->set.item[k]);
    if (status) return status;
  }
  for (size_t k = 0; k < model->ds.count; ++k) {
    const nsds_ds *ds = model->ds.item[k];
    if (nsds_is_first_order(ds) || ds->own.integrator)
      return rattle_refuse(o, nsds_ds_label(ds, label),
                           nsds_is_first_order(ds)
                               ? "it is of first order; valid is Moreau-Jean"
                               : "it has an integrator of its own; valid is Moreau-Jean");
  }
  return nsds_reduced_prepare(o);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Returns true if row i is about a gap, false if it is about a velocity. */
bool nsds_rattle_about_gap(const nsds_contact *contact, int i) {
  return i % contact->size < contact->law->ngap && nsds_displacement_keeps(contact);
}

/* Computes the slip of a moving surface: what a law adds to velocities at rest. Work has room for
 * 3 m numbers. */
void nsds_rattle_surface(const nsds_plan *plan, const nsds_contact *contact, double *surface) {
  double *rest = plan->memory.work + contact->m;
  nsds_zero_doubles(surface, (size_t)contact->size);
  nsds_zero_doubles(rest, (size_t)contact->size);
  if (contact->restitution) contact->restitution(contact->law_self, rest, surface);
}

bool nsds_rattle_is_on(const nsds_contact *contact, const unsigned char *on, int i) {
  return !on || on[i / contact->size];
}

/* Returns what rounding and the tolerance of the first problem leave of the gap of row i. */
double nsds_rattle_slack(const nsds_plan *plan, const nsds_contact *contact,
                         const nsds_entry *entry, int i) {
  double speed = 0.0;
  const double *H = entry->H + i;
  for (const nsds_reach *r = contact->reach, *end = r + contact->nds; r < end; ++r)
    for (int k = 0; k < r->size; ++k, H += contact->m)
      speed += fabs(*H * plan->trial.v[r->column + k]);
  return 0x1p-46 * nsds_terms_of_gap(plan, contact, entry->H, i) +
         grazing * plan->scheme->h * speed;
}

/* ---- memory ---------------------------------------------------------------------------------- */

nsds_status nsds_rattle_reserve(nsds_plan *plan, nsds_second_half *half) {
  size_t nv = plan->model->size.nv, ny = plan->model->size.ny, nslot = (size_t)plan->nslot;
  nsds_status status = nsds_grow(plan->context, &half->p, &half->capacity,
                                 4 * nv + 5 * ny + nslot + 1, sizeof *half->p);
  if (!status)
    status =
        nsds_grow(plan->context, &half->use, &half->use_capacity, 3 * ny + 1, sizeof *half->use);
  if (status) return status;
  half->v_free = half->p + nv;
  half->impulse = half->v_free + nv;
  half->ydot = half->impulse + ny;
  half->middle = half->ydot + ny;
  half->offset = half->middle + ny;
  half->size = half->offset + ny;
  half->pull = half->size + nslot;
  half->spring = half->pull + 2 * nv;
  half->closed = half->use + ny;
  half->tried = half->closed + ny;
  return NSDS_OK;
}

void nsds_rattle_release(nsds_context *context, nsds_second_half *half) {
  nsds_release(context, half->p);
  nsds_release(context, half->use);
}
