/*
 * Checks algebraic equations at the start of a simulation. A zero row i of M states 0 = f_i(t,x) +
 * r_i; if no interaction drives the row, f_i(t_0,x_0) = 0 must hold. The theta-scheme turns a
 * violation into
 *
 *   f_{k+1} = -(1 - theta)/theta f_k,
 *
 * which rings for ever at theta = 1/2 and is refused. With theta = 1 the first step restores the
 * equation; the log gets a warning. The same holds for y = 0 of an equality law with gamma in place
 * of theta.
 */
#include "kernel/assembly/consistency.h"

#include "base/context.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/law.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/shape_column.h"

static const double tolerance = 1e-6; /* of the terms that should cancel */

/* Adds |B| of an interaction to the rows that the interaction drives. */
static void mark_driven(const nsds_contact *contact, double *driven) {
  const nsds_interaction *ia = contact->interaction;
  if (nsds_has_gap(contact->kind)) return;
  int row = 0, nx = ia->relation->nv;
  for (int e = 0; e < ia->nds; ++e)
    for (int k = 0; k < ia->ds[e]->nv; ++k, ++row)
      for (int j = 0; j < contact->m; ++j)
        driven[ia->ds[e]->v_offset + k] +=
            contact->is.affine ? fabs(contact->first->B[row + (ptrdiff_t)j * nx]) : 1.0;
}

static nsds_status violated(nsds_plan *plan, bool carried, const char *label, const char *what,
                            int row, double value, const char *parameter) {
  if (carried)
    return nsds_fail(plan->context, NSDS_ERROR_VALUE,
                     "%s: the initial state violates %s %d by %g, and %s < 1 would carry that on; "
                     "start from a consistent state or take %s = 1",
                     label, what, row, value, parameter, parameter);
  nsds_log(plan->context, NSDS_LOG_WARNING,
           "%s: the initial state violates %s %d by %g; the first step jumps to a consistent one",
           label, what, row, value);
  return NSDS_OK;
}

/* Checks the rows without a driving interaction. `work` has room for f, the size of its terms and
 * the row sums of |M|, each nv. */
static nsds_status consistency_check_rows(nsds_plan *plan, const nsds_slot *slot,
                                          const double *driven, double *work) {
  const nsds_ds *ds = slot->ds;
  int n = slot->nv;
  double *f = work, *size = f + n, *mass = size + n;
  const double *x = plan->model->state.v + slot->v0;
  nsds_arguments in = nsds_ds_in(ds, plan->scheme->t, x, x);
  for (int k = 0; k < n; ++k) size[k] = mass[k] = 0.0;
  nsds_status status = ds->mass.constant ? NSDS_OK : ds->first->mass(ds->self, &in, slot->M);
  if (!status) status = ds->first->rhs(ds->self, &in, f);
  if (!status && slot->K && !ds->stiffness.constant)
    status = ds->first->jacobian(ds->self, &in, slot->K);
  if (status) return status;
  const nsds_matrix_shape *shape[2] = {&ds->mass, &ds->stiffness};
  const double *value[2] = {slot->M, slot->K};
  for (int s = 0; s < 2; ++s)
    for (int j = 0; value[s] && j < n; ++j) {
      nsds_shape_column column = nsds_shape_column_at(shape[s]->p, shape[s]->i, n, j);
      for (int e = column.first; e < column.last; ++e) {
        int i = nsds_shape_column_row(&column, e);
        if (s == 0) mass[i] += fabs(value[s][e]);
        else size[i] += fabs(value[s][e] * x[j]);
        if (s == 1 && ds->affine) f[i] += value[s][e] * x[j];
      }
    }
  char label[nsds_label_size];
  for (int k = 0; k < n; ++k) {
    if (mass[k] > 0.0 || driven[slot->v0 + k] > 0.0) continue;
    if (fabs(f[k]) <= tolerance * size[k]) continue;
    status = violated(plan, slot->on.scheme->theta < 1.0, nsds_ds_label(ds, label),
                      "algebraic equation", k, f[k], "theta");
    if (status) return status;
  }
  return NSDS_OK;
}

static nsds_status check_equality(nsds_plan *plan, const nsds_contact *contact) {
  const nsds_interaction *ia = contact->interaction;
  nsds_block block = nsds_law_block(ia->law);
  bool direct = ia->relation->ops->jacobian_lambda || ia->law->ops->compliance;
  if (block.set != NSDS_SET_EQUALITY || direct) return NSDS_OK;
  char label[nsds_label_size];
  const double *y = plan->model->state.y + contact->y0;
  for (int i = 0; i < contact->m; ++i) {
    double size = fabs(contact->shift[i]);
    int column = 0;
    for (int e = 0; e < ia->nds; ++e)
      for (int k = 0; k < ia->ds[e]->nv; ++k, ++column)
        size += fabs(contact->first->C[i + (ptrdiff_t)column * contact->m] *
                     plan->model->state.v[ia->ds[e]->v_offset + k]);
    if (!contact->is.affine || fabs(y[i]) <= tolerance * size) continue;
    bool carried = plan->scheme->relation_weight < 1.0;
    for (int e = 0; e < ia->nds; ++e)
      carried = carried || plan->slot[ia->ds[e]->index].on.scheme->input_new < 1.0;
    nsds_status status = violated(plan, carried, nsds_relation_label(ia->relation, label),
                                  "the equality y = 0 of row", i, y[i], "gamma");
    if (status) return status;
  }
  return NSDS_OK;
}

nsds_status nsds_consistency_check(nsds_plan *plan) {
  bool any = false;
  int widest = 1;
  for (int s = 0; s < plan->nslot; ++s)
    if (nsds_is_first_order(plan->slot[s].ds) && plan->slot[s].M) {
      any = true;
      if (plan->slot[s].nv > widest) widest = plan->slot[s].nv;
    }
  nsds_status status = NSDS_OK;
  if (any) {
    size_t nv = plan->model->size.nv;
    double *driven = NSDS_NEW_ARRAY(plan->context, double, nv + 3 * (size_t)widest);
    if (!driven) return NSDS_ERROR_MEMORY;
    for (int c = 0; c < plan->ncontact; ++c) mark_driven(&plan->contact[c], driven);
    for (int s = 0; !status && s < plan->nslot; ++s)
      if (nsds_is_first_order(plan->slot[s].ds) && plan->slot[s].M &&
          !plan->slot[s].ds->damping.present)
        status = consistency_check_rows(plan, &plan->slot[s], driven, driven + nv);
    nsds_release(plan->context, driven);
  }
  for (int c = 0; !status && c < plan->ncontact; ++c)
    if (nsds_acts_on_states(plan->contact[c].kind))
      status = check_equality(plan, &plan->contact[c]);
  return status;
}
