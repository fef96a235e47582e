/*
 * Evaluates the equations of implicit stages, see implicit_rows.h: constant parts by the columns of the pattern, other
 * parts by the operations of systems and relations.
 */
#include "kernel/adaptive/implicit_evaluate.h"

#include "base/base.h"
#include "kernel/adaptive/implicit_second.h"
#include "kernel/assembly/slot.h"
#include "kernel/modeling/local.h"
#include "kernel/modeling/modeling.h"

void nsds_implicit_mass(const nsds_implicit_rows *r, const double *d, double *e) {
  nsds_zero_doubles(e, (size_t)r->nx);
  for (int j = 0; j < r->nx; ++j)
    for (int k = r->mass_columns.p[j]; k < r->mass_columns.p[j + 1]; ++k)
      e[r->mass_columns.i[k]] += r->mass_columns.x[k] * d[j];
}

/* Adds what a system that varies, or its b(t), contributes; `slopes`: the place for its values. */
static nsds_status vary_slot(nsds_implicit_rows *r, nsds_slot *slot, double a, double t,
                             const double *before, const double *z, double **slopes, double *F) {
  const nsds_ds *ds = slot->ds;
  if (nsds_is_second_order(ds))
    return nsds_implicit_second_slot(r, slot, a, t, before, z, slopes, F);
  bool stays = nsds_implicit_stays(slot);
  if (stays && ds->force_constant) return NSDS_OK;
  const double *x = z + slot->v0;
  nsds_arguments in = nsds_ds_in(ds, t, x, x);
  nsds_status status = ds->first->rhs(ds->self, &in, r->work);
  if (!stays && slot->K && !status) status = ds->first->jacobian(ds->self, &in, slot->K);
  if (status) return status;
  if (!stays && ds->affine) nsds_shape_multiply(&ds->stiffness, slot->nv, slot->K, 1.0, x, r->work);
  for (int k = 0; k < slot->nv; ++k) F[slot->v0 + k] -= r->work[k];
  if (stays || !slot->K) return NSDS_OK;
  size_t count = nsds_value_count(ds->stiffness.p, slot->nv);
  for (size_t k = 0; *slopes && k < count; ++k) *(*slopes)++ = -slot->K[k];
  return NSDS_OK;
}

/* Writes a value that is in the pattern. Returns false for a value that should be. */
static inline bool write_known(unsigned char known, double value, double **to) {
  if (known) *(*to)++ = value;
  return known || value == 0.0;
}

static nsds_status write_slopes(nsds_implicit_rows *r, nsds_contact *contact,
                                const nsds_arguments *in, double a, const unsigned char **known,
                                double **slopes) {
  double *D = r->work;
  bool fits = true;
  const nsds_relation *relation = contact->interaction->relation;
  const nsds_first_terms *first = contact->first;
  int m = contact->m, nX = relation->nv;
  nsds_zero_doubles(D, (size_t)m * (size_t)m);
  nsds_status status = nsds_implicit_jacobians(r, contact, in, a);
  if (!status && relation->ops->jacobian_lambda)
    status = relation->ops->jacobian_lambda(relation->self, in, D);
  if (status) return status;
  double *to = *slopes;
  for (int k = 0; k < nX; ++k)
    for (int i = 0; i < m; ++i) {
      fits &= write_known(*(*known)++, first->C[i + (ptrdiff_t)k * m], &to);
      fits &= write_known(*(*known)++, -first->B[k + (ptrdiff_t)i * nX], &to);
    }
  for (int k = 0; k < m * m; ++k) *to++ = D[k];
  for (int k = 0; first->K && k < nX * nX; ++k) *to++ = -first->K[k];
  *slopes = to;
  if (fits) return NSDS_OK;
  nsds_implicit_rows_fill(r);
  return NSDS_AGAIN;
}

static nsds_status vary_contact(nsds_implicit_rows *r, nsds_contact *contact, double a, double t,
                                const double *z, const unsigned char **known, double **slopes,
                                double *F) {
  if (nsds_has_gap(contact->kind))
    return nsds_implicit_second_contact(r, contact, a, t, z, slopes, F);
  if (contact->is.affine) return NSDS_OK;
  const nsds_interaction *ia = contact->interaction;
  const nsds_relation *relation = ia->relation;
  nsds_state at = {.t = t, .q = r->motion.q, .v = (double *)(uintptr_t)z};
  nsds_arguments in = nsds_gather(ia, &at, z + r->nx, 1.0, r->plan->memory.work);
  double *y = r->work, *g = y + contact->m;
  nsds_status status = relation->ops->output(relation->self, &in, y);
  if (!status) status = relation->ops->input(relation->self, &in, g);
  if (status) return status;
  for (int i = 0; i < contact->m; ++i) F[r->nx + contact->y0 + i] += y[i];
  for (int s = 0; s < ia->nds; ++s)
    for (int k = 0; k < ia->ds[s]->nv; ++k) F[ia->ds[s]->v_offset + k] -= *g++;
  return *slopes ? write_slopes(r, contact, &in, a, known, slopes) : NSDS_OK;
}

nsds_status nsds_implicit_evaluate(nsds_implicit_rows *r, double a, double t, const double *before,
                                   const double *z, bool slopes, double *F) {
  nsds_plan *plan = r->plan;
  double inverse = 1.0 / a;
  nsds_copy_doubles(F, r->load, (size_t)r->n);
  for (int j = 0; j < r->nx; ++j) {
    double rate = (z[j] - before[j]) * inverse;
    for (int k = r->mass_columns.p[j]; k < r->mass_columns.p[j + 1]; ++k)
      F[r->mass_columns.i[k]] += r->mass_columns.x[k] * rate;
  }
  const nsds_implicit_list *base = &r->base_columns;
  for (int j = 0; j < r->n; ++j)
    for (int k = base->p[j]; k < base->p[j + 1]; ++k) F[base->i[k]] += base->x[k] * z[j];
  double *to = slopes && r->nvarying > 0 ? r->varying : NULL;
  const unsigned char *known = r->known.entry;
  nsds_status status = r->motion.nq > 0 ? nsds_implicit_place(r, a, t, z) : NSDS_OK;
  for (int s = 0; !status && s < plan->nslot; ++s)
    status = vary_slot(r, &plan->slot[s], a, t, before, z, &to, F);
  for (int c = 0; !status && nsds_implicit_varies(r) && c < plan->ncontact; ++c)
    status = vary_contact(r, &plan->contact[c], a, t, z, &known, &to, F);
  return status;
}

nsds_status nsds_implicit_laws(nsds_implicit_rows *r, double t, const double *z, double *w) {
  nsds_plan *plan = r->plan;
  for (int row = 0; row < r->ny; ++row) {
    double sum = r->load[r->nx + row];
    for (int k = r->law_rows.p[row]; k < r->law_rows.p[row + 1]; ++k)
      sum += r->law_rows.x[k] * z[r->law_rows.i[k]];
    w[row] = sum;
  }
  for (int c = 0; nsds_implicit_varies(r) && c < plan->ncontact; ++c) {
    const nsds_contact *contact = &plan->contact[c];
    const nsds_relation *relation = contact->interaction->relation;
    if (nsds_has_gap(contact->kind)) {
      const double *H;
      nsds_status status = nsds_implicit_second_rows(r, contact, t, z, r->work, &H);
      if (status) return status;
      for (int i = 0; i < contact->m; ++i) w[contact->y0 + i] += r->work[i];
      continue;
    }
    if (contact->is.affine) continue;
    nsds_state at = {.t = t, .q = r->motion.q, .v = (double *)(uintptr_t)z};
    nsds_arguments in = nsds_gather(contact->interaction, &at, z + r->nx, 1.0, plan->memory.work);
    nsds_status status = relation->ops->output(relation->self, &in, r->work);
    if (status) return status;
    for (int i = 0; i < contact->m; ++i) w[contact->y0 + i] += r->work[i];
  }
  return NSDS_OK;
}

void nsds_implicit_matrix(const nsds_implicit_rows *r, double a, double *x) {
  double inverse = 1.0 / a;
  int count = r->p[r->n];
  for (int k = 0; k < count; ++k) x[k] = r->base[k] + r->mass[k] * inverse;
  for (int k = 0; k < r->nvarying; ++k) x[r->place[k]] += r->varying[k];
  for (int k = 0; k < r->n; ++k) r->work[k] = nsds_implicit_scale(r, k, a);
  for (int k = 0; k < count; ++k) x[k] *= r->work[r->i[k]];
}

/* Adds H^T lambda of a contact of second-order systems. */
static nsds_status add_forces(nsds_implicit_rows *r, const nsds_contact *contact, double t,
                              const double *z, double *input) {
  const double *H;
  nsds_status status = nsds_implicit_second_rows(r, contact, t, z, r->work, &H);
  for (const nsds_reach *at = contact->reach, *end = at + contact->nds; !status && at < end; ++at)
    for (int k = 0; k < at->size; ++k)
      for (int i = 0; i < contact->m; ++i)
        input[at->column + k] += *H++ * z[r->nx + contact->y0 + i];
  return status;
}

nsds_status nsds_implicit_inputs(nsds_implicit_rows *r, double t, const double *z, double *input) {
  const nsds_plan *plan = r->plan;
  nsds_zero_doubles(input, (size_t)r->nx);
  for (int j = r->nx; j < r->n; ++j)
    for (int k = r->p[j]; k < r->p[j + 1]; ++k)
      if (r->i[k] < r->nx) input[r->i[k]] -= r->base[k] * z[j];
  for (int c = 0; nsds_implicit_varies(r) && c < plan->ncontact; ++c) {
    const nsds_interaction *ia = plan->contact[c].interaction;
    if (nsds_has_gap(plan->contact[c].kind)) {
      nsds_status status = add_forces(r, &plan->contact[c], t, z, input);
      if (status) return status;
      continue;
    }
    if (plan->contact[c].is.affine) continue;
    nsds_state at = {.t = t, .q = r->motion.q, .v = (double *)(uintptr_t)z};
    nsds_arguments in = nsds_gather(ia, &at, z + r->nx, 1.0, plan->memory.work);
    nsds_status status = ia->relation->ops->input(ia->relation->self, &in, r->work);
    if (status) return status;
    const double *g = r->work;
    for (int s = 0; s < ia->nds; ++s)
      for (int k = 0; k < ia->ds[s]->nv; ++k) input[ia->ds[s]->v_offset + k] += *g++;
  }
  return NSDS_OK;
}

bool nsds_implicit_limit(const nsds_implicit_rows *r, const double *from, double *lambda) {
  const nsds_plan *plan = r->plan;
  bool changed = false;
  for (int c = 0; plan->count.varying > 0 && c < plan->ncontact; ++c) {
    const nsds_contact *contact = &plan->contact[c];
    const nsds_relation *relation = contact->interaction->relation;
    if (contact->is.affine || !relation->ops->limit) continue;
    changed |= relation->ops->limit(relation->self, from + contact->y0, lambda + contact->y0);
  }
  return changed;
}
