/*
 * A step ratio m: one system takes m parts of h/m inside each step, by the integrator `part`. The
 * input of its interactions is constant meanwhile: r in each part of a first-order system, p/m in
 * each part of a second-order one. The plan sees one integrator. Each part is, linearized,
 *
 *   d_{j+1} = A_j d_j + B_j p,     d the change of (q,u),     so that at the end of the step
 *   u = u_free + S p,              S = sum_j A_{m-1} ... A_{j+1} B_j
 *
 * If all parts have the same matrices, S b is computed by Horner's rule, one part at a time.
 * Otherwise S is summed up along the parts. Affine systems with equal matrices take one pass.
 * Others take Newton's method on x(p), the end of all parts, each solved by itself. With the last
 * input p^a
 *
 *   u = x(p^a) + S (p - p^a),      R = M (u - x(p^a)) + p
 *
 * A_j and B_j use the tangents at the end of a part. If these change inside a part, S has an error
 * of O(h^2/m). The iteration sees this error, the result does not.
 */
#include "kernel/integrators/step_ratio.h"

#include "base/base.h"
#include "base/context.h"
#include "base/finite.h"
#include "kernel/assembly/slot.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"

#include <float.h>

static nsds_slot *step_ratio_slot_of(nsds_integration *s) { return (nsds_slot *)(void *)s; }

static const nsds_slot *slot_seen(const nsds_integration *s) {
  return (const nsds_slot *)(const void *)s;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* The current part, S (or one column of S), and the memory of `part`. */
typedef struct parts {
  double *q, *q_end, *u, *u_end, *force, *force_end, *u_free, *residual, *input, *reaction;
  double *S_q, *S, *own;
} parts;

enum { vectors = 8 };

static size_t step_ratio_columns(const nsds_slot *slot) {
  return slot->is.fixed ? 1 : (size_t)slot->nv;
}

static size_t step_ratio_memory(const nsds_integration *s) {
  const nsds_slot *slot = slot_seen(s);
  size_t n = (size_t)s->nu,
         own = slot->parts.integrator->memory ? slot->parts.integrator->memory(s) : 0;
  size_t moved = s->nq > 0 ? n : 0;
  return 2 * (size_t)s->nq + vectors * n + step_ratio_columns(slot) * (n + moved) + own;
}

static parts parts_of(const nsds_slot *slot, double *at) {
  size_t n = (size_t)slot->nv, nq = (size_t)slot->on.nq;
  parts p = {.q = at, .q_end = at + nq};
  at += 2 * nq;
  double **vector[vectors] = {&p.u,      &p.u_end,    &p.force, &p.force_end,
                              &p.u_free, &p.residual, &p.input, &p.reaction};
  for (int k = 0; k < vectors; ++k, at += n) *vector[k] = at;
  p.S = at;
  at += step_ratio_columns(slot) * n;
  p.S_q = nq > 0 ? at : NULL;
  p.own = at + (nq > 0 ? step_ratio_columns(slot) * n : 0);
  return p;
}

/* ---- the slot as `part` sees it -------------------------------------------------------------- */

/* Shows the slot to `part`. Returns the values that step_ratio_leave() puts back. */
static nsds_integration enter(nsds_slot *slot) {
  nsds_integration outer = slot->on;
  *slot->parts.scheme = *outer.scheme;
  slot->parts.scheme->h = outer.scheme->h / slot->parts.ratio;
  slot->parts.scheme->t_next = outer.scheme->t + slot->parts.scheme->h;
  slot->on.scheme = slot->parts.scheme;
  slot->on.memory = parts_of(slot, outer.memory).own;
  slot->on.affine = slot->parts.affine;
  return outer;
}

static void step_ratio_leave(nsds_slot *slot, const nsds_integration *outer) {
  double weight = slot->on.input_weight;
  slot->on = *outer;
  slot->on.input_weight = weight;
}

static nsds_status step_ratio_check(nsds_integration *s) {
  nsds_slot *slot = step_ratio_slot_of(s);
  char label[nsds_label_size];
  nsds_ds_label(nsds_ds_of(s->ds), label);
  if (!slot->parts.integrator->carry)
    return nsds_fail(s->context, NSDS_ERROR_UNSUPPORTED,
                     "%s has a step ratio of its own (%d), which integrator '%s' does not treat: "
                     "it has no carry; valid are Moreau-Jean, Euler-Moreau and zero-order hold",
                     label, slot->ds->own.step_ratio, slot->parts.integrator->name);
  if (!slot->is.fixed && !nsds_check_dense(s->context, label, "its sensitivity", s->nu, s->nu))
    return NSDS_ERROR_SIZE;
  nsds_integration outer = enter(slot);
  nsds_status status =
      slot->parts.integrator->check ? slot->parts.integrator->check(&slot->on) : NSDS_OK;
  step_ratio_leave(slot, &outer);
  return status;
}

static nsds_status step_ratio_refresh(nsds_integration *s) {
  nsds_slot *slot = step_ratio_slot_of(s);
  nsds_integration outer = enter(slot);
  nsds_status status = slot->parts.integrator->refresh(&slot->on);
  step_ratio_leave(slot, &outer);
  return status;
}

/* ---- one part -------------------------------------------------------------------------------- */

static double step_ratio_largest(int n, const double *x) {
  double size = 0.0;
  for (int k = 0; k < n; ++k) size = fmax(size, fabs(x[k]));
  return size;
}

static nsds_status solve_once(nsds_slot *slot) {
  nsds_integration *s = &slot->on;
  nsds_status status = slot->parts.integrator->free(s);
  if (status) return status;
  for (int k = 0; k < s->nu; ++k) s->u_end[k] = s->input_weight * s->p_end[k];
  if (step_ratio_largest(s->nu, s->u_end) > 0.0) slot->parts.integrator->apply(s, 1, s->u_end);
  for (int k = 0; k < s->nu; ++k) s->u_end[k] += s->u_free[k];
  return slot->parts.integrator->advance ? slot->parts.integrator->advance(s) : NSDS_OK;
}

static nsds_status step_ratio_unconverged(const nsds_integration *s, double change) {
  char label[nsds_label_size];
  return nsds_fail(s->context, NSDS_ERROR_NEWTON,
                   "%s: Newton's method did not converge in the part of its step to t = %.17g: "
                   "increment %g",
                   nsds_ds_label(nsds_ds_of(s->ds), label), s->scheme->t_next, change);
}

/* Runs Newton's method on one part, until the increment is below the rounding of u and q / h, or is
 * small and no longer falls. */
static nsds_status step_ratio_iterate(nsds_slot *slot) {
  enum { most = 50 };
  nsds_integration *s = &slot->on;
  const nsds_integrator *part = slot->parts.integrator;
  double change = INFINITY;
  nsds_copy_doubles(s->u_end, s->u, (size_t)s->nu);
  nsds_status status = part->advance ? part->advance(s) : NSDS_OK;
  if (!status) status = part->evaluate(s);
  for (int i = 0; !status && i < most; ++i) {
    status = part->tangent(s);
    for (int k = 0; k < s->nu; ++k) s->u_free[k] = s->input_weight * s->p_end[k] - s->residual[k];
    if (!status) status = part->solve(s);
    for (int k = 0; k < s->nu; ++k) s->u_end[k] += s->u_free[k];
    if (status || nsds_first_nonfinite(s->u_end, s->nu) >= 0) break;
    if (part->advance) status = part->advance(s);
    if (!status) status = part->evaluate(s);
    double last = change,
           size = fmax(step_ratio_largest(s->nu, s->u_end), step_ratio_largest(s->nu, s->u));
    double rounding = fmax(size, step_ratio_largest(s->nq, s->q_end) / s->scheme->h);
    change = step_ratio_largest(s->nu, s->u_free);
    bool still = change <= 1e-8 * size && change > 0.5 * last;
    if (change <= 4.0 * DBL_EPSILON * rounding || still) return status;
  }
  return status ? status : step_ratio_unconverged(s, change);
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Adds one part to S. */
static void add_part(nsds_slot *slot, const parts *p) {
  int n = slot->nv;
  for (int j = 0; j < n; ++j) {
    for (int k = 0; k < n; ++k) p->u_free[k] = 0.0;
    p->u_free[j] = nsds_is_second_order(slot->ds) ? 1.0 / slot->parts.ratio : 1.0;
    size_t at = (size_t)j * (size_t)n;
    slot->parts.integrator->carry(&slot->on, p->u_free, p->S_q ? p->S_q + at : NULL, p->S + at);
  }
}

static bool part_finishes(const nsds_slot *slot) {
  const nsds_integrator *part = slot->parts.integrator;
  return part->finish && (!part->finishes || part->finishes(&slot->on));
}

static nsds_status step_ratio_take_part(nsds_slot *slot, const parts *p, int j) {
  const nsds_scheme *whole = slot->scheme;
  nsds_scheme *scheme = slot->parts.scheme;
  scheme->t = whole->t + j * scheme->h;
  scheme->t_next = j == slot->parts.ratio - 1 ? whole->t_next : whole->t + (j + 1) * scheme->h;
  nsds_status status = slot->parts.affine ? solve_once(slot) : step_ratio_iterate(slot);
  if (!status && part_finishes(slot)) status = slot->parts.integrator->finish(&slot->on);
  if (!status && !slot->is.fixed) add_part(slot, p);
  return status;
}

/* Makes the end of a part the start of the next. */
static void step_ratio_go_on(nsds_slot *slot, const parts *p) {
  size_t n = (size_t)slot->nv;
  nsds_copy_doubles(p->q, p->q_end, (size_t)slot->on.nq);
  nsds_copy_doubles(p->u, p->u_end, n);
  if (slot->is.forced) nsds_copy_doubles(p->force, p->force_end, n);
}

/* Takes all parts from the start of the step; input NULL: none. The end of the last part stays in
 * the memory. force_end and reaction_end are those of the step. */
static nsds_status step_ratio_run(nsds_slot *slot, const double *input) {
  nsds_integration outer = enter(slot);
  const parts p = parts_of(slot, outer.memory);
  size_t n = (size_t)slot->nv, nq = (size_t)outer.nq;
  double share = nsds_is_second_order(slot->ds) ? 1.0 / slot->parts.ratio : 1.0;
  for (size_t k = 0; k < n; ++k) p.input[k] = input ? share * input[k] : 0.0;
  slot->parts.coasted = !(step_ratio_largest(slot->nv, p.input) > 0.0);
  nsds_copy_doubles(p.q_end, outer.q, nq);
  nsds_copy_doubles(p.u_end, outer.u, n);
  nsds_copy_doubles(p.force_end, outer.force, n);
  nsds_zero_doubles(p.reaction, n);
  nsds_zero_doubles(outer.reaction_end, n);
  nsds_zero_doubles(p.S, n * step_ratio_columns(slot));
  if (p.S_q) nsds_zero_doubles(p.S_q, n * step_ratio_columns(slot));
  slot->on.q = p.q, slot->on.q_end = p.q_end;
  slot->on.u = p.u, slot->on.u_end = p.u_end;
  slot->on.u_free = p.u_free, slot->on.residual = p.residual;
  slot->on.p_end = p.input, slot->on.reaction_end = p.reaction;
  if (slot->is.forced) slot->on.force = p.force;
  slot->on.force_end = p.force_end;
  nsds_status status = NSDS_OK;
  for (int j = 0; !status && j < slot->parts.ratio; ++j) {
    step_ratio_go_on(slot, &p);
    status = step_ratio_take_part(slot, &p, j);
    for (size_t k = 0; k < n; ++k) outer.reaction_end[k] += p.reaction[k] / slot->parts.ratio;
  }
  if (slot->is.forced) nsds_copy_doubles(outer.force_end, p.force_end, n);
  step_ratio_leave(slot, &outer);
  return status;
}

/* ---- the operations -------------------------------------------------------------------------- */

static nsds_status step_ratio_free_affine(nsds_integration *s) {
  nsds_slot *slot = step_ratio_slot_of(s);
  nsds_status status = step_ratio_run(slot, NULL);
  nsds_copy_doubles(s->u_free, parts_of(slot, s->memory).u_end, (size_t)s->nu);
  return status;
}

/* Computes b := S b, one column at a time. */
static void step_ratio_apply(const nsds_integration *s, int nrhs, double *b) {
  nsds_slot seen = *slot_seen(s);
  const parts p = parts_of(&seen, s->memory);
  enter(&seen);
  int n = s->nu;
  double share = nsds_is_second_order(seen.ds) ? 1.0 / seen.parts.ratio : 1.0;
  for (int c = 0; c < nrhs; ++c, b += n) {
    for (int k = 0; k < n; ++k) p.u_free[k] = b[k];
    for (int k = 0; k < n; ++k) b[k] = 0.0;
    if (!seen.is.fixed) {
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k) b[k] += p.S[k + (ptrdiff_t)j * n] * p.u_free[j];
      continue;
    }
    for (int k = 0; k < n; ++k) p.u_free[k] *= share;
    if (p.S_q) nsds_zero_doubles(p.S_q, (size_t)n);
    for (int j = 0; j < seen.parts.ratio; ++j)
      seen.parts.integrator->carry(&seen.on, p.u_free, p.S_q, b);
  }
}

/* Second order: takes all parts with the impulse, and copies the positions of their end. */
static nsds_status step_ratio_advance(nsds_integration *s) {
  nsds_slot *slot = step_ratio_slot_of(s);
  bool done = slot->parts.coasted && !(step_ratio_largest(s->nu, s->p_end) > 0.0);
  nsds_status status = done ? NSDS_OK : step_ratio_run(slot, s->p_end);
  nsds_copy_doubles(s->q_end, parts_of(slot, s->memory).q_end, (size_t)s->nq);
  return status;
}

static void step_ratio_residual(nsds_integration *s) {
  nsds_slot *slot = step_ratio_slot_of(s);
  const double *end = parts_of(slot, s->memory).u_end;
  for (int k = 0; k < s->nu; ++k) {
    s->residual[k] = s->input_weight * s->p_end[k];
    slot->scratch[k] = s->u_end[k] - end[k];
  }
  nsds_mass_multiply(slot, 1.0, slot->scratch, s->residual);
}

static nsds_status evaluate_first(nsds_integration *s) {
  nsds_status status = step_ratio_run(step_ratio_slot_of(s), s->p_end);
  step_ratio_residual(s);
  return status;
}

static nsds_status evaluate_second(nsds_integration *s) {
  step_ratio_residual(s); /* step_ratio_advance() has made the parts */
  return NSDS_OK;
}

static nsds_status step_ratio_tangent(nsds_integration *s) {
  (void)s; /* S is known */
  return NSDS_OK;
}

/* Terms that relations have added to the right-hand side count as inputs too. */
static nsds_status step_ratio_solve(nsds_integration *s) {
  const double *end = parts_of(step_ratio_slot_of(s), s->memory).u_end;
  for (int k = 0; k < s->nu; ++k) s->u_free[k] += s->residual[k] - s->input_weight * s->p_end[k];
  for (int k = 0; k < s->nu; ++k) s->residual[k] = end[k] - s->u_end[k];
  step_ratio_apply(s, 1, s->u_free);
  for (int k = 0; k < s->nu; ++k) s->u_free[k] += s->residual[k];
  return NSDS_OK;
}

/* Takes the parts with the final input, so that `part` keeps its values for the next step. */
static nsds_status finish_first(nsds_integration *s) {
  return step_ratio_run(step_ratio_slot_of(s), s->p_end);
}

static bool finishes_first(const nsds_integration *s) {
  return s->affine && part_finishes(slot_seen(s));
}

/* Evaluates the force if a projection or rounding has moved the end of the last part. The next step
 * then depends on the accepted state alone, and has the same bits with a new plan. */
static nsds_status finish_second(nsds_integration *s) {
  const parts p = parts_of(step_ratio_slot_of(s), s->memory);
  bool moved = false;
  for (int k = 0; k < s->nq; ++k) moved = moved || s->q_end[k] != p.q_end[k];
  for (int k = 0; k < s->nu; ++k) moved = moved || s->u_end[k] != p.u_end[k];
  if (!moved) return NSDS_OK;
  nsds_arguments in = nsds_ds_in(nsds_ds_of(s->ds), s->scheme->t_next, s->q_end, s->u_end);
  return nsds_ds_of(s->ds)->ops->force(nsds_ds_of(s->ds)->self, &in, s->force_end);
}

static bool finishes_second(const nsds_integration *s) { return !nsds_ds_of(s->ds)->affine; }

const nsds_integrator nsds_step_ratio_first = {.name = "Euler-Moreau in parts",
                                               .order = 1,
                                               .memory = step_ratio_memory,
                                               .check = step_ratio_check,
                                               .refresh = step_ratio_refresh,
                                               .free = step_ratio_free_affine,
                                               .evaluate = evaluate_first,
                                               .tangent = step_ratio_tangent,
                                               .solve = step_ratio_solve,
                                               .apply = step_ratio_apply,
                                               .finish = finish_first,
                                               .finishes = finishes_first};
const nsds_integrator nsds_step_ratio_second = {.name = "Moreau-Jean in parts",
                                                .order = 2,
                                                .memory = step_ratio_memory,
                                                .check = step_ratio_check,
                                                .refresh = step_ratio_refresh,
                                                .free = step_ratio_free_affine,
                                                .evaluate = evaluate_second,
                                                .tangent = step_ratio_tangent,
                                                .solve = step_ratio_solve,
                                                .apply = step_ratio_apply,
                                                .advance = step_ratio_advance,
                                                .finish = finish_second,
                                                .finishes = finishes_second};
