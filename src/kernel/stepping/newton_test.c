/*
 * Newton's test. Small must be
 *
 *   ||R - H^T P||_2 (H of the last linearisation) and the increment of u,
 *   |y - h| and |r - g| of nonlinear relations in which lambda acts on states,
 *
 * each compared with sums of terms that are known anyway. Systems of second order and of first order
 * have sums apart, since their units differ. Each system, row and input is judged by its own
 * terms too, less strictly. Otherwise a fast or large part of a model could hide an error of another
 * part.
 *
 * At rest the terms cancel. So errors that are large beside the known sums are compared with the
 * magnitudes of all terms (terms.c). And an increment below the rounding of the quantities that
 * change (u, q / h, lambda) ends the iteration: the next iterate would be the same.
 *
 * Functions of the program may have terms inside that cancel, of which nobody knows. If an iteration
 * goes on, functions are asked whether they resolve its increments (newton_blur.c). Unknowns and rows
 * whose functions do not are left out, and increments do not count any more: they come from there.
 */
#include "kernel/stepping/newton_test.h"

#include "base/base.h"
#include "kernel/assembly/local_first.h"
#include "kernel/assembly/slot.h"
#include "kernel/assembly/terms.h"
#include "kernel/modeling/modeling.h"
#include "kernel/stepping/newton_blur.h"

#include <float.h>

static const double relative = 1e-10; /* default, relative to known sums of the model */
static const double own = 100.0;      /* tolerance of a part, relative to that of the model */
static const double rounding = 1e-12; /* of a sum, relative to all its terms */
/* All terms are summed only after an iteration has changed u by less than this part of u or q / h,
 * or after so many iterations. */
static const double near = 1e-12;
enum { many = 4 };

/* Returns false for infinite errors too. Subnormal errors are zero: numbers as small have hardly any
 * digits, and a state that decays for ever passes through them. */
static bool within(double error, double limit) {
  return (error <= limit || error <= DBL_MIN) && error < INFINITY;
}

/* ---- judgements ------------------------------------------------------------------------------ */

/* The errors of all parts so far. */
typedef struct nsds_judgement {
  double error, scale; /* the largest */
  bool fine, fair;     /* each part is within the tolerance; within that for parts of a model */
} nsds_judgement;

static const nsds_judgement nothing_judged = {.fine = true, .fair = true};

/* Notes the error of a part. Returns true if the error is small beside the part's own terms. */
static bool note(nsds_judgement *j, double tolerance, double error, double size) {
  nsds_raise(&j->error, error);
  nsds_raise(&j->scale, size);
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

/* ---- what functions do not resolve ---------------------------------------------------------- */

/* Returns true if unknown k of the model is left out; of a row: k = nv + row. */
static inline bool blurred(const nsds_plan *plan, size_t k) {
  return NSDS_UNLIKELY(plan->blurred != NULL) && plan->blurred[k] != 0.0;
}

static bool row_blurred(const nsds_plan *plan, const nsds_contact *contact, int i) {
  return blurred(plan, plan->model->size.nv + (size_t)(contact->y0 + i));
}

/* ---- relations ------------------------------------------------------------------------------- */

/* Returns true if u of no system, and lambda of no row, of a contact has changed by more than its
 * rounding since the linearisation. */
static bool contact_at_rounding(const nsds_plan *plan, const nsds_contact *contact) {
  for (int e = 0; e < contact->nds; ++e)
    if (!nsds_terms_at_rounding(plan, &plan->slot[contact->reach[e].slot])) return false;
  const double *lambda = plan->trial.impulse + contact->y0, *last = contact->first->lambda;
  for (int i = 0; i < contact->m; ++i)
    if (!within(fabs(lambda[i] - last[i]),
                4.0 * DBL_EPSILON * fmax(fabs(lambda[i]), fabs(last[i]))))
      return false;
  return true;
}

/* Returns the part of row i of the linearised y that comes from a compliance of the law. */
static double law_part(const nsds_plan *plan, const nsds_contact *contact, const nsds_entry *entry,
                       int i) {
  const double *lambda = plan->trial.impulse + contact->y0;
  double sum = 0.0;
  const double *law_D = entry->more->law_D;
  for (int j = 0; law_D && j < contact->m; ++j) sum += law_D[i + j * contact->m] * lambda[j];
  return sum;
}

/* Judges |y of the linearisation - h| of a contact by the terms that are known anyway, and then by
 * all. */
static void judge_outputs(const nsds_plan *plan, const nsds_one_step *o, int a,
                          const double *speeds, nsds_judgement *outputs) {
  const nsds_contact *contact = &plan->contact[o->set.active[a]];
  const nsds_entry *entry = &o->op.entry[o->set.active[a]];
  for (int i = 0; i < contact->m; ++i) {
    double y = contact->first->h[i], size = fabs(y) + fabs(entry->offset[i]);
    double w = o->w[o->reduced.row[a] + i] - law_part(plan, contact, entry, i);
    for (int j = 0; entry->D && j < contact->m; ++j)
      size += fabs(entry->D[i + j * contact->m] * plan->trial.impulse[contact->y0 + j]);
    double error = fabs(w - y);
    if (note(outputs, relative, error, size) ||
        within(error, rounding * nsds_terms_of_output(plan, contact, entry, i, speeds)) ||
        contact_at_rounding(plan, contact) || row_blurred(plan, contact, i))
      continue;
    object(outputs, relative, error, size);
  }
}

/* Returns the largest |y - h| over relations in which lambda acts on states. */
static double output_residual(const nsds_plan *plan, const nsds_one_step *o, double limit,
                              const double *speeds, bool *solved) {
  nsds_judgement outputs = nothing_judged;
  for (int a = 0; a < o->set.nactive; ++a) {
    const nsds_contact *contact = &plan->contact[o->set.active[a]];
    if (!contact->is.linear && nsds_acts_on_states(contact->kind))
      judge_outputs(plan, o, a, speeds, &outputs);
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
  nsds_raise(error, fabs(first->g[i] - r));
  nsds_raise(size, sum);
}

/* Returns true if the inputs of a contact are solved. The inputs of a system are judged together.
 * Raises *largest to |r of the linearisation - g|. */
static bool inputs_solved(const nsds_plan *plan, const nsds_contact *contact,
                          const nsds_entry *entry, const double *speeds, double *largest) {
  double *u = plan->memory.work;
  nsds_judgement inputs = nothing_judged;
  nsds_input_state(plan, contact, u);
  for (int e = 0, row = 0; e < contact->nds; ++e) {
    double error = 0.0, size = 0.0, terms = 0.0;
    int first = row, end = row + contact->reach[e].size;
    for (; row < end; ++row)
      if (!blurred(plan, (size_t)(contact->reach[e].column + row - first)))
        raise_input_error(contact, plan->trial.impulse + contact->y0, u, row, &error, &size);
    if (note(&inputs, relative, error, size)) continue;
    for (int i = first; i < end; ++i)
      nsds_raise(&terms, nsds_terms_of_input(plan, contact, entry, u, i, speeds));
    if (!within(error, rounding * terms) && !contact_at_rounding(plan, contact))
      object(&inputs, relative, error, size);
  }
  nsds_raise(largest, inputs.error);
  return passes(&inputs, relative);
}

/* Returns the largest |r of the linearisation - g| over relations in which lambda acts on states.
 * The residual of the dynamics has h r beside M x, which hides this error. */
static double input_residual(const nsds_plan *plan, const nsds_one_step *o, const double *speeds,
                             bool *solved) {
  double largest = 0.0;
  for (int c = 0; c < plan->ncontact; ++c) {
    const nsds_contact *contact = &plan->contact[c];
    if (contact->first && contact->first->g_offset)
      *solved = inputs_solved(plan, contact, &o->op.entry[c], speeds, &largest) && *solved;
  }
  return largest;
}

/* ---- systems --------------------------------------------------------------------------------- */

static const double small_unit = 0x1p-600; /* of numbers whose squares overflow */

/* Returns the squared norm of unit (x - weight y) over the unknowns that are not prescribed. */
static double square_of_free(const nsds_slot *slot, double unit, const double *x, double weight,
                             const double *y) {
  const int *prescribed = slot->ds->prescribed.index, *end = prescribed + slot->ds->prescribed.n;
  double sum = 0.0;
  for (int k = 0; k < slot->nv; ++k) {
    double d = unit * (x[k] - weight * y[k]);
    if (prescribed < end && *prescribed == k) ++prescribed;
    else sum += d * d;
  }
  return sum;
}

static double norm_of_free(const nsds_slot *slot, const double *x, double weight, const double *y) {
  double sum = square_of_free(slot, 1.0, x, weight, y);
  return sum < INFINITY ? sqrt(sum)
                        : sqrt(square_of_free(slot, small_unit, x, weight, y)) / small_unit;
}

/* Squared norms of R - input, and of its terms that are known anyway. */
typedef struct nsds_squares {
  double residual, momentum, force, input;
} nsds_squares;

static nsds_squares squares_of_free(const nsds_plan *plan, const nsds_slot *slot, double unit) {
  const nsds_integration *on = &slot->on;
  double h = unit * plan->scheme->h, w = unit * on->input_weight;
  return (nsds_squares){.residual =
                            square_of_free(slot, unit, on->residual, on->input_weight, on->p_end),
                        .momentum = square_of_free(slot, unit, slot->scratch, 0.0, on->p_end),
                        .force = square_of_free(slot, h, on->force_end, 0.0, on->p_end),
                        .input = square_of_free(slot, w, on->p_end, 0.0, on->p_end)};
}

static nsds_squares squares_of(const nsds_plan *plan, const nsds_slot *slot, double unit) {
  const nsds_integration *on = &slot->on;
  for (int k = 0; k < slot->nv; ++k) slot->scratch[k] = 0.0;
  nsds_mass_multiply(slot, 1.0, on->u_end, slot->scratch);
  if (NSDS_UNLIKELY(slot->ds->prescribed.n > 0 || unit != 1.0))
    return squares_of_free(plan, slot, unit);
  nsds_squares s = {.residual = 0.0};
  double h = plan->scheme->h, w = on->input_weight;
  for (int k = 0; k < slot->nv; ++k) {
    double p = w * on->p_end[k], r = on->residual[k] - p, F = h * on->force_end[k];
    s.residual += r * r;
    s.momentum += slot->scratch[k] * slot->scratch[k];
    s.force += F * F;
    s.input += p * p;
  }
  return s;
}

/* Errors of all systems, or of those of one order. */
typedef struct nsds_systems_error {
  double unit; /* of `sum` */
  nsds_squares sum;
  double increment, size; /* the largest of all systems */
  bool fine, fair;        /* see nsds_judgement */
  bool close;             /* increments are small beside u or q / h */
} nsds_systems_error;

/* Adds the residual alone, for an absolute limit of all systems together. */
static void add_bare_residual(const nsds_slot *slot, nsds_systems_error *t) {
  const nsds_integration *on = &slot->on;
  if (NSDS_UNLIKELY(slot->ds->prescribed.n > 0 || t->unit != 1.0)) {
    t->sum.residual += square_of_free(slot, t->unit, on->residual, on->input_weight, on->p_end);
    return;
  }
  double sum = t->sum.residual;
  for (int k = 0; k < slot->nv; ++k) {
    double r = on->residual[k] - on->input_weight * on->p_end[k];
    sum += r * r;
  }
  t->sum.residual = sum;
}

/* Returns the squared norm of the residual of a system, and that of its own terms. */
static double add_residual(const nsds_plan *plan, const nsds_slot *slot, nsds_systems_error *t,
                           double *terms) {
  nsds_squares s = squares_of(plan, slot, t->unit);
  t->sum.residual += s.residual;
  t->sum.momentum += s.momentum;
  t->sum.force += s.force;
  t->sum.input += s.input;
  *terms = s.momentum + s.force + s.input;
  return s.residual;
}

static bool still(const nsds_newton_def *def, double change, double size) {
  return within(change, def->increment * size) || isinf(def->increment);
}

/* Judges a system by the terms that are known anyway, and by the rounding of u and q / h. Returns
 * true if nothing is left. */
static bool judge_system(const nsds_plan *plan, const nsds_slot *slot, const nsds_newton_def *def,
                         nsds_systems_error *t) {
  const double square = relative * relative;
  double change = 0.0, size = 0.0, residual = 0.0, terms = 0.0;
  if (!slot->on.affine && def->residual > 0.0) add_bare_residual(slot, t);
  else if (!slot->on.affine) residual = add_residual(plan, slot, t, &terms);
  bool small = within(residual, square * terms);
  for (int k = slot->v0; k < slot->v0 + slot->nv; ++k) {
    nsds_raise(&change, fabs(plan->trial.v[k] - plan->v_last[k]));
    nsds_raise(&size, fabs(plan->trial.v[k]));
    nsds_raise(&size, fabs(plan->v_free[k]));
    nsds_raise(&size, fabs(plan->model->state.v[k]));
  }
  nsds_raise(&t->increment, change);
  nsds_raise(&t->size, size);
  if (small && still(def, change, size)) return true;
  double place = nsds_terms_size(plan, slot);
  t->close = t->close && within(change, near * place);
  if (within(change, 4.0 * DBL_EPSILON * place)) return true;
  t->fine = false;
  small = within(residual, own * own * square * terms);
  t->fair = t->fair && small && still(def, change, own * size);
  return false;
}

/* Judges a system by the sizes of all terms. The momentum of the increment stands for the
 * increment. */
static bool rounding_is_left(const nsds_slot *slot, const double *terms, const double *last,
                             const nsds_newton_def *def) {
  double size = norm_of_free(slot, terms, 0.0, terms), residual = 0.0;
  if (!slot->on.affine)
    residual = norm_of_free(slot, slot->on.residual, slot->on.input_weight, slot->on.p_end);
  if (def->residual == 0.0 && !within(residual, rounding * size)) return false;
  for (int k = 0; k < slot->nv; ++k) slot->scratch[k] = 0.0;
  nsds_mass_multiply(slot, 1.0, slot->on.u_end, slot->scratch);
  nsds_mass_multiply(slot, -1.0, last, slot->scratch);
  return isinf(def->increment) ||
         within(norm_of_free(slot, slot->scratch, 0.0, slot->scratch), rounding * size);
}

static NSDS_NOINLINE bool judge_by_all_terms(nsds_time_stepping_driver *d) {
  nsds_plan *plan = &d->base.plan;
  const nsds_newton_def *def = &d->def.newton;
  nsds_systems_error unused = {.unit = 1.0};
  const double *terms = nsds_terms_of_dynamics(plan, &d->velocity);
  for (int s = 0; s < plan->nslot; ++s) {
    const nsds_slot *slot = &plan->slot[s];
    if (!rounding_is_left(slot, terms + slot->v0, plan->v_last + slot->v0, def) &&
        !judge_system(plan, slot, def, &unused))
      return false;
  }
  return true;
}

static const nsds_systems_error no_error = {.unit = 1.0, .fine = true, .fair = true, .close = true};

static bool has_overflown(const nsds_systems_error *t) {
  return !(t->sum.residual + t->sum.momentum + t->sum.force + t->sum.input < INFINITY);
}

static void judge_systems(const nsds_plan *plan, const nsds_newton_def *def, double unit,
                          nsds_systems_error *t) {
  *t = no_error;
  t->unit = unit;
  for (int s = 0; s < plan->nslot; ++s) judge_system(plan, &plan->slot[s], def, t);
}

/* Returns true if the sums of all systems are small. */
static bool sums_small(const nsds_newton_def *def, const nsds_systems_error *t, double residual) {
  if (def->residual > 0.0) return within(residual, def->residual);
  const nsds_squares *sum = &t->sum;
  double scale = (sqrt(sum->momentum) + sqrt(sum->force) + sqrt(sum->input)) / t->unit;
  return within(residual, relative * scale);
}

/* Judges t and writes its errors to info. */
static inline bool sums_solved(nsds_time_stepping_driver *d, const nsds_systems_error *t) {
  const nsds_newton_def *def = &d->def.newton;
  nsds_step_info *info = &d->base.info;
  info->newton_residual = sqrt(t->sum.residual) / t->unit;
  info->newton_increment = t->increment;
  bool small = sums_small(def, t, info->newton_residual);
  if (def->residual > 0.0 && !small) return false;
  if (t->fine || (small && t->fair && still(def, t->increment, t->size))) return true;
  return (t->close || info->newton_iterations >= many) && judge_by_all_terms(d);
}

/* Judges systems of both orders, t[1] those of first order. An absolute limit is that of both together. */
static NSDS_NOINLINE bool both_orders_solved(nsds_time_stepping_driver *d) {
  const nsds_plan *plan = &d->base.plan;
  nsds_step_info *info = &d->base.info;
  nsds_systems_error t[2] = {no_error, no_error};
  for (int again = 0; again < 2; ++again) {
    for (int s = 0; s < plan->nslot; ++s)
      judge_system(plan, &plan->slot[s], &d->def.newton, &t[nsds_is_first_order(plan->slot[s].ds)]);
    if (again || !(has_overflown(&t[0]) || has_overflown(&t[1]))) break;
    t[0] = t[1] = no_error;
    t[0].unit = t[1].unit = small_unit;
  }
  bool solved = sums_solved(d, &t[1]);
  double residual = info->newton_residual, increment = info->newton_increment;
  solved = sums_solved(d, &t[0]) && solved;
  info->newton_residual = hypot(info->newton_residual, residual);
  nsds_raise(&info->newton_increment, increment);
  double absolute = d->def.newton.residual;
  return solved && (absolute == 0.0 || within(info->newton_residual, absolute));
}

/* Judges all systems and writes their errors to info. */
static bool systems_solved(nsds_time_stepping_driver *d) {
  const nsds_plan *plan = &d->base.plan;
  nsds_systems_error t;
  if (NSDS_UNLIKELY(plan->both_orders)) return both_orders_solved(d);
  judge_systems(plan, &d->def.newton, 1.0, &t);
  if (NSDS_UNLIKELY(has_overflown(&t))) judge_systems(plan, &d->def.newton, small_unit, &t);
  return sums_solved(d, &t);
}

/* Judges the relations in which lambda acts on states, and writes their errors to info. */
static bool relations_solved(nsds_time_stepping_driver *d, const double *speeds) {
  const nsds_plan *plan = &d->base.plan;
  nsds_step_info *info = &d->base.info;
  double absolute = d->def.newton.residual;
  bool outputs = true, inputs = true;
  info->newton_residual_y = output_residual(plan, &d->velocity, absolute, speeds, &outputs);
  info->newton_residual_r = input_residual(plan, &d->velocity, speeds, &inputs);
  return outputs && (absolute > 0.0 || inputs);
}

/* Judges them with speeds that impulses have brought to rest. */
static NSDS_NOINLINE bool relations_at_rounding(nsds_time_stepping_driver *d) {
  return relations_solved(d, nsds_terms_of_speeds(&d->base.plan, &d->velocity));
}

/* ---- functions that do not resolve the increment ---------------------------------------------- */

/* Returns true if the relations are solved but for what is left out. */
static bool relations_blurred(nsds_time_stepping_driver *d) {
  nsds_plan *plan = &d->base.plan;
  nsds_one_step *o = &d->velocity;
  if (plan->count.first == 0) return true;
  for (int c = 0; c < plan->ncontact; ++c)
    if (nsds_acts_on_states(plan->contact[c].kind))
      nsds_blur_of_relation(plan, &plan->contact[c], &o->op.entry[c]);
  nsds_first_order_inputs(plan);
  return relations_solved(d, nsds_terms_of_speeds(plan, o));
}

/* Returns true if the residual of a system is rounding of its terms but for what is left
 * out. */
static bool residual_blurred(nsds_plan *plan, nsds_slot *slot, const double *terms) {
  const nsds_integration *on = &slot->on;
  double size = rounding * norm_of_free(slot, terms, 0.0, terms);
  if (slot->on.affine ||
      within(norm_of_free(slot, on->residual, on->input_weight, on->p_end), size))
    return true;
  nsds_blur_of_system(plan, slot);
  for (int k = 0; k < slot->nv; ++k)
    slot->scratch[k] = blurred(plan, (size_t)slot->v0 + (size_t)k)
                           ? 0.0
                           : on->residual[k] - on->input_weight * on->p_end[k];
  return within(norm_of_free(slot, slot->scratch, 0.0, slot->scratch), size);
}

/* Asks for y of compliant relations. An error there is one of lambda, which only increments show. */
static void ask_springs(nsds_plan *plan, const nsds_one_step *o) {
  for (int a = 0; plan->count.compliant > 0 && a < o->set.nactive; ++a) {
    nsds_contact *contact = &plan->contact[o->set.active[a]];
    if (contact->is.compliant && contact->is.level0)
      nsds_blur_of_relation(plan, contact, &o->op.entry[o->set.active[a]]);
  }
}

static bool any_blurred(const nsds_plan *plan) {
  bool any = false;
  for (size_t k = 0; k < plan->model->size.nv + plan->model->size.ny; ++k)
    any = any || blurred(plan, k);
  return any;
}

static bool blur_is_left(nsds_time_stepping_driver *d) {
  nsds_plan *plan = &d->base.plan;
  bool solved = relations_blurred(d);
  const double *terms = nsds_terms_of_dynamics(plan, &d->velocity);
  for (int s = 0; solved && s < plan->nslot; ++s)
    solved = residual_blurred(plan, &plan->slot[s], terms + plan->slot[s].v0);
  if (!solved || any_blurred(plan)) return solved;
  ask_springs(plan, &d->velocity);
  return any_blurred(plan);
}

/* Returns true if nothing is left but what functions do not resolve. To ask them takes evaluations,
 * so this is done after some iterations only. */
static NSDS_NOINLINE bool all_is_blurred(nsds_time_stepping_driver *d) {
  const nsds_newton_def *def = &d->def.newton;
  int n = d->base.info.newton_iterations;
  if (def->residual > 0.0 || ((n < 2 * many || (n & (n - 1)) != 0) && n < def->max_iterations))
    return false;
  nsds_blur_begin(&d->base.plan);
  bool left = blur_is_left(d);
  nsds_blur_end(&d->base.plan);
  return left;
}

bool nsds_newton_converged(nsds_time_stepping_driver *d) {
  nsds_step_info *info = &d->base.info;
  bool solved = true;
  info->newton_residual_y = info->newton_residual_r = 0.0;
  if (d->base.plan.count.first > 0) {
    nsds_first_order_inputs(&d->base.plan);
    solved = relations_solved(d, NULL);
  }
  if (systems_solved(d) && (solved || relations_at_rounding(d))) return true;
  return all_is_blurred(d);
}
