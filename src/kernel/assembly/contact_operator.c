/*
 * Operators: creation, gains of their own, Y. Arrays are sized for all contacts.
 */
#include "kernel/assembly/contact_operator.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/assembly/cluster.h"
#include "kernel/assembly/local_second.h"
#include "kernel/assembly/plan.h"
#include "kernel/assembly/plan_tree.h"
#include "kernel/assembly/slot.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/shape_column.h"
#include "numerics/linear/factor.h"

void nsds_contact_operator_create(nsds_plan *plan, bool own_gain, nsds_contact_operator *op) {
  *op = (nsds_contact_operator){.plan = plan, .own_gain = own_gain};
  nsds_contact_operator **end = &plan->operator;
  while (*end) end = &(*end)->next;
  *end = op;
  plan->seen.of.graph = 0; /* its entries come with the next update */
}

static void release_gains(nsds_contact_operator *op) {
  for (int s = 0; op->gain && s < op->ngain; ++s) {
    nsds_factor_destroy(op->gain[s].factor);
    nsds_release(op->plan->context, op->gain[s].M);
  }
  op->ngain = 0;
}

void nsds_contact_operator_destroy(nsds_contact_operator *op) {
  if (!op->plan) return;
  nsds_context *context = op->plan->context;
  nsds_contact_operator **at = &op->plan->operator;
  while (*at && *at != op) at = &(*at)->next;
  if (*at) *at = op->next;
  release_gains(op);
  nsds_release(context, op->gain);
  nsds_release(context, op->entry);
  nsds_release(context, op->id);
  *op = (nsds_contact_operator){0};
}

/* Reserves a factor and room for M and W of each system. */
static nsds_status resize_gains(nsds_contact_operator *op) {
  const nsds_plan *plan = op->plan;
  if (!op->own_gain ||
      (op->gain && op->ngain == plan->nslot && op->rearranged == plan->model->systems.rearranged))
    return NSDS_OK;
  release_gains(op);
  nsds_release(plan->context, op->gain);
  op->gain = NSDS_NEW_ARRAY(plan->context, nsds_gain, plan->nslot);
  if (!op->gain) return NSDS_ERROR_MEMORY;
  op->ngain = plan->nslot;
  op->rearranged = plan->model->systems.rearranged;
  for (int s = 0; s < plan->nslot; ++s) {
    const nsds_slot *slot = &plan->slot[s];
    nsds_gain *gain = &op->gain[s];
    const int *of_mass = op->coordinates ? NULL : slot->ds->mass.p; /* a metric may be dense */
    size_t m = slot->M ? nsds_value_count(of_mass, slot->nv) : 0;
    size_t w = nsds_value_count(op->coordinates && slot->pattern.diagonal ? NULL : slot->pattern.p,
                                slot->nv);
    size_t map = op->coordinates ? (size_t)slot->ds->nq * (size_t)slot->nv : 0;
    gain->M = NSDS_NEW_ARRAY(plan->context, double, m + w + map);
    gain->W = gain->M ? gain->M + m : NULL;
    gain->T = gain->M && map > 0 ? gain->W + w : NULL;
    bool scalar = nsds_slot_is_scalar(slot);
    if (!scalar) gain->factor = nsds_factor_create(plan->context);
    if (!gain->M || (!scalar && !gain->factor)) {
      release_gains(op);
      return NSDS_ERROR_MEMORY;
    }
  }
  return NSDS_OK;
}

nsds_status nsds_contact_operator_resize(nsds_contact_operator *op, size_t contacts) {
  nsds_context *context = op->plan->context;
  nsds_status status = resize_gains(op);
  if (!status)
    status = nsds_grow(context, &op->entry, &op->entry_capacity, contacts, sizeof *op->entry);
  return status ? status : nsds_grow(context, &op->id, &op->id_capacity, contacts, sizeof *op->id);
}

void nsds_contact_operator_number(const nsds_contact_operator *op, int c, uint64_t id) {
  op->id[c] =
      id | (op->entry[c].more->packed ? nsds_several : 0) | (op->entry[c].D ? nsds_has_d : 0);
}

void nsds_contact_operator_renumber(nsds_contact_operator *op, int c) {
  nsds_contact_operator_number(op, c, ++op->ids);
}

/* Computes Y = diag(scaling) H^T. */
static void scale_transpose(int m, int n, const double *H, const double *scaling, double *Y) {
  if (m == 3) { /* a contact in 3D */
    for (int i = 0; i < n; ++i, H += 3) {
      double s = scaling[i];
      Y[i] = H[0] * s;
      Y[i + n] = H[1] * s;
      Y[i + 2 * n] = H[2] * s;
    }
    return;
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) Y[i + (ptrdiff_t)j * n] = *H++ * scaling[i];
}

void nsds_contact_operator_form_y(const nsds_contact_operator *op, int c) {
  nsds_plan *plan = op->plan;
  const nsds_contact *contact = &plan->contact[c];
  const nsds_entry *entry = &op->entry[c];
  const double *H = entry->H;
  double *Y = entry->Y;
  if (NSDS_UNLIKELY(contact->is.lifted)) {
    nsds_plan_tree_form_y(op, contact, entry);
    return;
  }
  bool transposed = contact->ops->load_input == nsds_load_transpose;
  int last = -1;
  for (int e = 0; e < contact->nedge; ++e) {
    const nsds_slot *slot = &plan->slot[contact->reach[e].slot];
    const double *scaling = plan->seat[contact->reach[e].slot].scaling;
    if (scaling && transposed && !op->own_gain) {
      scale_transpose(contact->m, contact->reach[e].size, H, scaling, Y);
    } else if (slot->cluster < 0 || op->own_gain) {
      if (e < contact->nds) contact->ops->load_input(plan, contact, entry, e, Y);
      if (op->own_gain) nsds_gain_apply(slot, &op->gain[contact->reach[e].slot], contact->m, Y);
      else slot->osi->apply(&slot->on, contact->m, Y);
    } else if (slot->cluster != last) {
      last = slot->cluster; /* systems of a cluster follow each other or are done twice */
      nsds_cluster_form_y(plan, contact, entry, &plan->cluster[last]);
    }
    H += (size_t)contact->m * (size_t)contact->reach[e].size;
    Y += (size_t)contact->m * (size_t)contact->reach[e].size;
  }
}

nsds_status nsds_contact_operator_gains(nsds_contact_operator *op, const nsds_state *at) {
  nsds_plan *plan = op->plan;
  nsds_status status = NSDS_OK;
  for (int s = 0; !status && s < plan->nslot; ++s) {
    nsds_slot *slot = &plan->slot[s];
    if (nsds_is_first_order(slot->ds)) continue; /* no impulses on x; M may be singular */
    status = nsds_gain_factor(slot, at->q + slot->q0, at->v + slot->v0, &op->gain[s]);
  }
  for (int c = 0; !status && c < plan->ncontact; ++c)
    if (plan->contact[c].is.affine && nsds_has_gap(plan->contact[c].kind))
      nsds_contact_operator_form_y(op, c);
  nsds_contact_operator_restamp(op);
  return status;
}
