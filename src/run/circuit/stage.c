/*
 * A stage is one problem with bounds, w = M z + q, whose matrix depends on a alone. Matrices of the last few a are
 * kept, each with a solver whose factors stay: a step in which nothing switches is two substitutions. The problem is
 * that of the change of z, so that what the solver compares errors with are currents that flow, not C v / a. A solution
 * that is not exact enough is the guess of the next problem, which corrects it. Junctions are
 * linearised by Newton's method around their voltage. Voltages rise by at most the logarithm of Newton's step, as in
 * SPICE (L. W. Nagel, SPICE2, UCB/ERL M520, 1975, pnjlim), so that exponentials stay finite.
 */
#include "run/circuit/stage.h"

#include "base/text/words.h"

#include <math.h>
#include <string.h>

enum { most_newton = 150, most_refined = 3 };
static const double nearly_solved = 1e-3; /* residual from which the next problem is a correction */
static const double rounding_of_voltage = 1e-12;
static const double holding = 1e6; /* conductance that holds a potential at its .ic [S] */

nsds_status nsds_stage_make(nsds_stage *s, nsds_context *context, const nsds_equations *equations) {
  *s = (nsds_stage){.context = context, .equations = equations, .worst_row = -1};
  size_t n = (size_t)equations->n + 1, junctions = (size_t)equations->njunction + 1;
  NSDS_MAKE(s->context, s->q, n);
  NSDS_MAKE(s->context, s->change, n);
  NSDS_MAKE(s->context, s->lower, n);
  NSDS_MAKE(s->context, s->upper, n);
  NSDS_MAKE(s->context, s->q_error, n);
  if (!s->change || !s->lower || !s->upper || !s->q_error) return NSDS_ERROR_MEMORY;
  NSDS_MAKE(s->context, s->voltage, junctions);
  NSDS_MAKE(s->context, s->kept, junctions);
  return s->q && s->voltage && s->kept ? NSDS_OK : NSDS_ERROR_MEMORY;
}

void nsds_stage_free(nsds_stage *s) {
  for (int k = 0; k < nsds_stage_slots; ++k) {
    nsds_solver_destroy(s->slot[k].solver);
    nsds_free(s->slot[k].x);
  }
  nsds_solver_destroy(s->careful);
  nsds_free(s->q);
  nsds_free(s->change);
  nsds_free(s->lower);
  nsds_free(s->upper);
  nsds_free(s->q_error);
  nsds_free(s->voltage);
  nsds_free(s->kept);
  nsds_free(s->held);
  *s = (nsds_stage){0};
}

void nsds_stage_set_scales(nsds_stage *s, double voltage, double current) {
  const double rounding = 1e-14;
  for (int k = 0; k < s->equations->n; ++k)
    s->q_error[k] = rounding * (k < s->equations->nnode ? current : voltage);
}

void nsds_stage_keep(nsds_stage *s) {
  memcpy(s->kept, s->voltage, (size_t)s->equations->njunction * sizeof *s->kept);
}

void nsds_stage_return(nsds_stage *s) {
  memcpy(s->voltage, s->kept, (size_t)s->equations->njunction * sizeof *s->kept);
}

/* ---- matrices ---- */

static void fill(nsds_stage *s, nsds_stage_slot *slot, double a) {
  const nsds_equations *e = s->equations;
  nsds_equations_matrix(e, a, slot->x);
  for (int k = 0; s->held && k < e->nnode; ++k)
    if (!isnan(s->held[k])) slot->x[e->diagonal[k]] += holding;
  slot->a = a;
  slot->stamp = ++s->stamp;
}

/* Problems of changes correct each other, so the residual decides. */
static nsds_solver *stage_solver(const nsds_stage *s, const char *name) {
  nsds_solver *solver = nsds_solver_create(s->context, name);
  if (solver) nsds_solver_judge_by_terms(solver);
  return solver;
}

/* The slot of a, or the one that was not used for longest. */
static nsds_stage_slot *stage_slot(nsds_stage *s, double a) {
  nsds_stage_slot *oldest = &s->slot[0];
  for (int k = 0; k < nsds_stage_slots; ++k) {
    nsds_stage_slot *slot = &s->slot[k];
    if (slot->solver && slot->a == a && !s->held) return slot;
    if (slot->used < oldest->used) oldest = slot;
  }
  if (!oldest->solver) {
    if (!oldest->x) NSDS_MAKE(s->context, oldest->x, s->equations->count + 1);
    oldest->solver = oldest->x ? stage_solver(s, "semismooth_newton") : NULL;
    if (!oldest->solver) return NULL;
  }
  fill(s, oldest, a);
  return oldest;
}

/* ---- one problem ---- */

static nsds_status solve_change(nsds_stage *s, nsds_stage_slot *slot, double *w) {
  const nsds_equations *e = s->equations;
  nsds_block block = {.set = NSDS_SET_BOX, .size = e->n, .lower = s->lower, .upper = s->upper};
  nsds_problem problem = {.n = e->n,
                          .nblock = 1,
                          .block = &block,
                          .q = s->q,
                          .q_error = s->q_error,
                          .M = {.storage = NSDS_CSC,
                                .n = e->n,
                                .x = slot->x,
                                .p = e->p,
                                .i = e->i,
                                .stamp = slot->stamp,
                                .pattern = 1}};
  nsds_solver_info info;
  memset(s->change, 0, (size_t)e->n * sizeof *s->change);
  nsds_status status = nsds_solve(slot->solver, &problem, s->change, w, &info);
  if (status != NSDS_ERROR_SOLVER) return status;
  if (info.residual < nearly_solved && s->refined++ < most_refined) return NSDS_AGAIN;
  if (!s->careful) s->careful = stage_solver(s, "auto");
  if (!s->careful) return NSDS_ERROR_MEMORY;
  memset(s->change, 0, (size_t)e->n * sizeof *s->change);
  status = nsds_solve(s->careful, &problem, s->change, w, &info);
  s->worst_row = info.worst_row;
  s->outcome = info.outcome;
  return status;
}

/* From the guess z to the solution. */
static nsds_status solve_bounded(nsds_stage *s, nsds_stage_slot *slot, const double *lower,
                                 const double *upper, double *z, double *w) {
  int n = s->equations->n;
  for (int k = 0; k < n; ++k) {
    s->lower[k] = lower[k] - z[k];
    s->upper[k] = upper[k] - z[k];
  }
  nsds_status status = solve_change(s, slot, w);
  bool taken = status == NSDS_OK || status == NSDS_AGAIN;
  for (int k = 0; taken && k < n; ++k) {
    double x = z[k] + s->change[k];
    z[k] = s->change[k] <= s->lower[k] ? lower[k] : s->change[k] >= s->upper[k] ? upper[k] : x;
  }
  return status;
}

/* ---- junctions ---- */

/* Tangents at the voltages, and w of their rows at z. */
static void linearise(nsds_stage *s, nsds_stage_slot *slot, const double *z) {
  const nsds_equations *e = s->equations;
  for (int k = 0; k < e->njunction; ++k) {
    const nsds_element *element = &e->elements->item[e->junction[k]];
    double v = s->voltage[k], grown = element->saturation * exp(v / element->thermal);
    double g = grown / element->thermal, i = grown - element->saturation;
    const int *place = e->place[k];
    slot->x[place[0]] = 1.0 + g * element->value;
    if (place[1] >= 0) slot->x[place[1]] = -g;
    if (place[2] >= 0) slot->x[place[2]] = g;
    double away = nsds_equations_voltage(e, z, element, 0) -
                  element->value * z[e->branch[e->junction[k]]] - v;
    s->q[e->branch[e->junction[k]]] = z[e->branch[e->junction[k]]] - i - g * away;
  }
  slot->stamp = ++s->stamp;
}

/* A step up that Newton's method asks for, bounded. */
static double limited(const nsds_element *element, double from, double to) {
  double thermal = element->thermal;
  double critical = thermal * log(thermal / (sqrt(2.0) * element->saturation));
  if (to <= critical || fabs(to - from) <= 2.0 * thermal) return to;
  if (from > 0.0) {
    double grown = 1.0 + (to - from) / thermal;
    return grown > 0.0 ? from + thermal * log(grown) : critical;
  }
  return thermal * log(fmax(to / thermal, 1.0));
}

/*
 * Moves the voltages to what z says. Returns true if they and the currents stand still. A voltage that moves by
 * rounding alone is at the point of its tangent. The difference of the currents is then the error of the bounded
 * problem, which its solver has accepted.
 */
static bool junctions_settle(nsds_stage *s, const double *z) {
  const nsds_equations *e = s->equations;
  bool settled = true;
  for (int k = 0; k < e->njunction; ++k) {
    const nsds_element *element = &e->elements->item[e->junction[k]];
    double i = z[e->branch[e->junction[k]]];
    double to = nsds_equations_voltage(e, z, element, 0) - element->value * i;
    double next = limited(element, s->voltage[k], to);
    double current = element->saturation * (exp(next / element->thermal) - 1.0);
    double moved = fabs(next - s->voltage[k]) / fmax(fabs(next), element->thermal);
    bool met = fabs(current - i) <= 1e-6 * fabs(i) + 1e-3 * element->saturation + 1e-14;
    settled = settled && (moved <= rounding_of_voltage || (moved <= 1e-6 && met));
    s->voltage[k] = next;
  }
  return settled;
}

nsds_status nsds_stage_solve(nsds_stage *s, double a, double t, double inside, const double *before,
                             const double *lower, const double *upper, double *z, double *w) {
  const nsds_equations *e = s->equations;
  nsds_stage_slot *slot = stage_slot(s, a);
  if (!slot) return NSDS_ERROR_MEMORY;
  slot->used = ++s->clock;
  s->worst_row = -1;
  s->outcome = NSDS_NOT_CONVERGED;
  s->refined = 0;
  for (int iteration = 0; iteration < most_newton; ++iteration) {
    nsds_equations_load(e, a, t, inside, before, z, s->q);
    for (int k = 0; s->held && k < e->nnode; ++k)
      if (!isnan(s->held[k])) s->q[k] += holding * (z[k] - s->held[k]);
    if (e->njunction) linearise(s, slot, z);
    nsds_status status = solve_bounded(s, slot, lower, upper, z, w);
    if (status == NSDS_AGAIN) continue;
    if (status || e->njunction == 0 || junctions_settle(s, z)) return status;
  }
  return NSDS_ERROR_NEWTON;
}
