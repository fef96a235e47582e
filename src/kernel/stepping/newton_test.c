/*
 * Newton's test. Small must be
 *
 *   ||R - H^T P||_2 (H of the last linearisation) and the increment of u,
 *   |y - h| and |r - g| of nonlinear relations in which lambda acts on states,
 *
 * each compared with the sums of terms that are known anyway, of the whole model. Each system, row
 * and input is judged by its own terms too, less strictly, so that a fast or large part of a model
 * hides no error of another part.
 *
 * At rest the terms cancel. So errors that are large beside the known sums are compared with the
 * magnitudes of all terms (terms.c). And an increment below the rounding of the quantities that
 * change (u, q / h, lambda) ends the iteration: the next iterate would be the same.
 */
#include "kernel/stepping/newton_test.h"

#include "base/base.h"
#include "kernel/assembly/local_first.h"
#include "kernel/assembly/slot.h"
#include "kernel/assembly/terms.h"
#include "kernel/modeling/modeling.h"

#include <float.h>

static const double relative = 1e-10; /* default, relative to known sums of the model */
static const double own = 100.0;      /* tolerance of a part, relative to that of the model */
static const double rounding = 1e-12; /* of a sum, relative to all its terms */
/* All terms are summed only after an iteration has changed u by less than this part of u or q / h,
 * or after so many iterations. */
static const double near = 1e-6;
enum { many = 4 };

/* Returns false for infinite errors too. */
static bool within(double error, double limit) { return error <= limit && error < INFINITY; }

/* ---- judgements ------------------------------------------------------------------------------ */

/* What is known of the errors of all parts. */
typedef struct nsds_judgement {
  double error, scale; /* the largest */
  bool fine, fair;     /* each part is within the tolerance; within that for parts of a model */
} nsds_judgement;

static const nsds_judgement nothing_judged = {.fine = true, .fair = true};

/* Notes the error of a part. Returns true if the error is small beside the part's own terms. */
static bool note(nsds_judgement *j, double tolerance, double error, double size) {
  j->error = fmax(j->error, error);
  j->scale = fmax(j->scale, size);
  return within(error, tolerance * size);
}

/* Notes that the error of a part is neither small nor rounding. */
static void object(nsds_judgement *j, double tolerance, double error, double size) {
  j->fine = false;
  j->fair = j->fair && within(error, own * tolerance * size);
}

static bool passes(const nsds_judgement *j, double tolerance) {
  return j->fine || (j->fair && within(j->error, tolerance * j->scale));
}

/* ---- relations ------------------------------------------------------------------------------- */

/* Returns true if u of no system, and lambda of no row, of a contact has changed by more than its
 * rounding since the linearisation. */
static bool contact_at_rounding(const nsds_plan *plan, const nsds_contact *contact) {
  for (int e = 0; e < contact->nds; ++e)
    if (!nsds_terms_at_rounding(plan, &plan->slot[contact->reach[e].slot])) return false;
  const double *lambda = plan->trial.impulse + contact->y0, *last = contact->first->lambda;
  for (int i = 0; i < contact->m; ++i)
    if (!(fabs(lambda[i] - last[i]) <= 4.0 * DBL_EPSILON * fmax(fabs(lambda[i]), fabs(last[i]))))
      return false;
  return true;
}

/* Returns the part of row i of the linearised y that comes from a compliance of the law. */
static double law_part(const nsds_plan *plan, const nsds_contact *contact, const nsds_entry *entry,
                       int i) {
  const double *lambda = plan->trial.impulse + contact->y0;
  double sum = 0.0;
  for (int j = 0; entry->law_D && j < contact->m; ++j)
    sum += entry->law_D[i + j * contact->m] * lambda[j];
  return sum;
}

/* Judges |y of the linearisation - h| of a contact by the terms that are known anyway, and then by
 * all. */
static void judge_outputs(const nsds_plan *plan, const nsds_one_step *o, int a,
                          nsds_judgement *outputs) {
  const nsds_contact *contact = &plan->contact[o->set.active[a]];
  const nsds_entry *entry = &o->op.entry[o->set.active[a]];
  for (int i = 0; i < contact->m; ++i) {
    double y = contact->first->h[i], size = fabs(y) + fabs(entry->offset[i]);
    double w = o->w[o->reduced.row[a] + i] - law_part(plan, contact, entry, i);
    for (int j = 0; entry->D && j < contact->m; ++j)
      size += fabs(entry->D[i + j * contact->m] * plan->trial.impulse[contact->y0 + j]);
    double error = fabs(w - y);
    if (note(outputs, relative, error, size) ||
        within(error, rounding * nsds_terms_of_output(plan, contact, entry, i)) ||
        contact_at_rounding(plan, contact))
      continue;
    object(outputs, relative, error, size);
  }
}

/* Returns the largest |y - h| over relations in which lambda acts on states. */
static double output_residual(const nsds_plan *plan, const nsds_one_step *o, double limit,
                              bool *solved) {
  nsds_judgement outputs = nothing_judged;
  for (int a = 0; a < o->set.nactive; ++a) {
    const nsds_contact *contact = &plan->contact[o->set.active[a]];
    if (!contact->is.linear && nsds_acts_on_states(contact->kind))
      judge_outputs(plan, o, a, &outputs);
  }
  *solved = limit > 0.0 ? within(outputs.error, limit) : passes(&outputs, relative);
  return outputs.error;
}

/* Raises *error to |r of the linearisation - g| of row i, and *size to the size of the terms of r. */
static void raise_input_error(const nsds_contact *contact, const double *lambda, const double *u,
                              int i, double *error, double *size) {
  const nsds_first_terms *first = contact->first;
  int nx = contact->nv, m = contact->m;
  double r = first->g_offset[i], sum = fabs(r);
  for (int j = 0; j < m + (first->K ? nx : 0); ++j) {
    double term = j < m ? first->B[i + (ptrdiff_t)j * nx] * lambda[j]
                        : first->K[i + (ptrdiff_t)(j - m) * nx] * u[j - m];
    r += term;
    sum += fabs(term);
  }
  *error = fmax(*error, fabs(first->g[i] - r));
  *size = fmax(*size, sum);
}

/* Returns true if the inputs of a contact are solved. The inputs of a system are judged together.
 * Raises *largest to |r of the linearisation - g|. */
static bool inputs_solved(const nsds_plan *plan, const nsds_contact *contact, double *largest) {
  double *u = plan->memory.work;
  nsds_judgement inputs = nothing_judged;
  nsds_input_state(plan, contact, u);
  for (int e = 0, row = 0; e < contact->nds; ++e) {
    double error = 0.0, size = 0.0, terms = 0.0;
    int first = row, end = row + contact->reach[e].size;
    for (; row < end; ++row)
      raise_input_error(contact, plan->trial.impulse + contact->y0, u, row, &error, &size);
    if (note(&inputs, relative, error, size)) continue;
    for (int i = first; i < end; ++i) nsds_raise(&terms, nsds_terms_of_input(plan, contact, u, i));
    if (!within(error, rounding * terms) && !contact_at_rounding(plan, contact))
      object(&inputs, relative, error, size);
  }
  *largest = fmax(*largest, inputs.error);
  return passes(&inputs, relative);
}

/* Returns the largest |r of the linearisation - g| over relations in which lambda acts on states.
 * The residual of the dynamics has h r beside M x, which hides this error. */
static double input_residual(const nsds_plan *plan, bool *solved) {
  double largest = 0.0;
  for (int c = 0; c < plan->ncontact; ++c) {
    const nsds_contact *contact = &plan->contact[c];
    if (contact->first && contact->first->g_offset)
      *solved = inputs_solved(plan, contact, &largest) && *solved;
  }
  return largest;
}

/* ---- systems --------------------------------------------------------------------------------- */

static const double unit = 0x1p-600; /* of squares that are summed again if their sum overflows */

/* Returns the Euclidean norm of unit (x - weight y) over the unknowns that are not prescribed. */
static double norm_in(double scale, const nsds_slot *slot, const double *x, double weight,
                      const double *y) {
  const int *prescribed = slot->ds->prescribed.index, *end = prescribed + slot->ds->prescribed.n;
  double sum = 0.0;
  for (int k = 0; k < slot->nv; ++k) {
    double d = scale * (x[k] - weight * y[k]);
    if (prescribed < end && *prescribed == k) ++prescribed;
    else sum += d * d;
  }
  return sqrt(sum);
}

static double norm_of_free(const nsds_slot *slot, const double *x, double weight, const double *y) {
  double norm = norm_in(1.0, slot, x, weight, y);
  return norm < INFINITY ? norm : norm_in(unit, slot, x, weight, y) / unit;
}

/* Returns ||R - weighted input||_2 of a system. */
static double residual_of(const nsds_slot *slot) {
  return norm_of_free(slot, slot->on.residual, slot->on.input_weight, slot->on.p_end);
}

enum { RESIDUAL, MOMENTUM, FORCE, INPUT, NORMS };

/* Computes the norms of the residual of a system and of its terms that are known anyway. */
static void take_norms(const nsds_plan *plan, const nsds_slot *slot, double norm[NORMS]) {
  const nsds_integration *on = &slot->on;
  for (int k = 0; k < slot->nv; ++k) slot->scratch[k] = 0.0;
  nsds_mass_multiply(slot, 1.0, on->u_end, slot->scratch);
  norm[RESIDUAL] = residual_of(slot);
  norm[MOMENTUM] = norm_of_free(slot, slot->scratch, 0.0, on->p_end);
  norm[FORCE] = plan->scheme->h * norm_of_free(slot, on->force_end, 0.0, on->p_end);
  norm[INPUT] = fabs(on->input_weight) * norm_of_free(slot, on->p_end, 0.0, on->p_end);
}

/* Errors of all systems. */
typedef struct nsds_systems_error {
  double sum[NORMS], small[NORMS]; /* of squared norms; the same in the small unit */
  nsds_judgement residual, increment;
  bool close; /* increments are small beside u or q / h */
} nsds_systems_error;

static double total(const nsds_systems_error *t, int k) {
  return t->sum[k] < INFINITY ? sqrt(t->sum[k]) : sqrt(t->small[k]) / unit;
}

/* Judges a system by the terms that are known anyway, and by the rounding of u and q / h. An
 * absolute limit of the residual is for all systems together. Returns true if nothing is left. */
static bool judge_system(const nsds_plan *plan, const nsds_slot *slot, const nsds_newton_def *def,
                         nsds_systems_error *t) {
  double norm[NORMS] = {0.0}, change = 0.0, size = 0.0;
  if (!slot->is.affine) take_norms(plan, slot, norm);
  for (int k = 0; k < NORMS; ++k) {
    t->sum[k] += norm[k] * norm[k];
    t->small[k] += (unit * norm[k]) * (unit * norm[k]);
  }
  for (int k = slot->v0; k < slot->v0 + slot->nv; ++k) {
    nsds_raise(&change, fabs(plan->trial.v[k] - plan->v_last[k]));
    nsds_raise(&size, fabs(plan->trial.v[k]));
    nsds_raise(&size, fabs(plan->v_free[k]));
    nsds_raise(&size, fabs(plan->model->state.v[k]));
  }
  double terms = norm[MOMENTUM] + norm[FORCE] + norm[INPUT];
  bool small = note(&t->residual, relative, norm[RESIDUAL], terms) || def->residual > 0.0;
  bool still = note(&t->increment, def->increment, change, size) || isinf(def->increment);
  if (small && still) return true;
  double place = nsds_terms_size(plan, slot);
  t->close = t->close && change <= near * place;
  if (change <= 4.0 * DBL_EPSILON * place) return true;
  if (!small) object(&t->residual, relative, norm[RESIDUAL], terms);
  if (!still) object(&t->increment, def->increment, change, size);
  return false;
}

/* Judges a system by all terms, whose sizes are in its scratch. The momentum of the increment stands
 * for the increment. */
static bool rounding_is_left(const nsds_slot *slot, const double *last,
                             const nsds_newton_def *def) {
  double size = norm_of_free(slot, slot->scratch, 0.0, slot->scratch);
  if (!slot->is.affine && def->residual == 0.0 && !within(residual_of(slot), rounding * size))
    return false;
  for (int k = 0; k < slot->nv; ++k) slot->scratch[k] = 0.0;
  nsds_mass_multiply(slot, 1.0, slot->on.u_end, slot->scratch);
  nsds_mass_multiply(slot, -1.0, last, slot->scratch);
  return isinf(def->increment) ||
         within(norm_of_free(slot, slot->scratch, 0.0, slot->scratch), rounding * size);
}

static NSDS_NOINLINE bool judge_by_all_terms(nsds_time_stepping_driver *d) {
  nsds_plan *plan = &d->base.plan;
  const nsds_newton_def *def = &d->def.newton;
  nsds_systems_error unused = {0};
  nsds_terms_of_dynamics(plan, &d->velocity);
  for (int s = 0; s < plan->nslot; ++s)
    if (!rounding_is_left(&plan->slot[s], plan->v_last + plan->slot[s].v0, def) &&
        !judge_system(plan, &plan->slot[s], def, &unused))
      return false;
  return true;
}

/* Judges all systems and writes their errors to info. */
static bool systems_solved(nsds_time_stepping_driver *d) {
  const nsds_plan *plan = &d->base.plan;
  const nsds_newton_def *def = &d->def.newton;
  nsds_step_info *info = &d->base.info;
  nsds_systems_error t = {.residual = nothing_judged, .increment = nothing_judged, .close = true};
  for (int s = 0; s < plan->nslot; ++s) judge_system(plan, &plan->slot[s], def, &t);
  info->newton_residual = t.residual.error = total(&t, RESIDUAL);
  info->newton_increment = t.increment.error;
  t.residual.scale = total(&t, MOMENTUM) + total(&t, FORCE) + total(&t, INPUT);
  if (def->residual > 0.0 && !within(info->newton_residual, def->residual)) return false;
  return (passes(&t.residual, relative) && passes(&t.increment, def->increment)) ||
         ((t.close || info->newton_iterations >= many) && judge_by_all_terms(d));
}

bool nsds_newton_converged(nsds_time_stepping_driver *d) {
  const nsds_plan *plan = &d->base.plan;
  nsds_step_info *info = &d->base.info;
  double absolute = d->def.newton.residual;
  bool outputs = true, inputs = true;
  info->newton_residual_y = info->newton_residual_r = 0.0;
  if (plan->count.first > 0) {
    nsds_first_order_inputs(&d->base.plan);
    info->newton_residual_y = output_residual(plan, &d->velocity, absolute, &outputs);
    info->newton_residual_r = input_residual(plan, &inputs);
  }
  return systems_solved(d) && outputs && (absolute > 0.0 || inputs);
}
