/*
 * An impulse without collision (Painleve's paradox). Let a sliding contact rest in its normal
 * direction. Friction may press the contact shut, W_nn - mu W_nt < 0. If free motion goes into such
 * a contact, no acceleration obeys the laws, and velocities must jump.
 *
 * The problem of impact with e = 0 at the present velocities has two solutions: p = 0, which no
 * motion follows, and another one in which the contact jams. The second is the limit tau -> 0 of
 * time stepping. So dy/dt- is taken a short time tau ahead in free motion, to second order in tau.
 * This decides which rows close, stick, slip and open. On these rows the problem with tau = 0 is
 * then solved to rounding.
 *
 * A sliding contact may come to such a place by itself, when W_nn - mu W_nt passes zero. This is a
 * pole of its force: the force grows, even without bound, while the load on the contact vanishes.
 * There, too, free motion decides.
 *
 * If nothing jams at tau, rows that are open at tau leave. On the edge of the paradox accelerations
 * are zero up to errors of the integration, and the next derivative decides.
 *
 * Source: F. Genot, B. Brogliato, New results on Painleve paradoxes, Eur. J. Mech. A/Solids 18
 * (1999).
 */
#include "kernel/events/jamming_impact.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/events/closed_rows.h"
#include "kernel/events/event_parts.h"
#include "kernel/events/event_rates.h"
#include "kernel/events/event_rows.h"
#include "kernel/events/friction_modes.h"
#include "kernel/events/gap_projection.h"
#include "kernel/events/impact.h"
#include "kernel/events/row_state.h"
#include "kernel/events/row_values.h"
#include "kernel/events/trial_ahead.h"

/* tau, relative to the time in which free motion creates the present speeds. */
static const double pressed = 1e-5;

nsds_status nsds_jam_reserve(nsds_event_rows *s) {
  if (!s->listed.friction) return NSDS_OK;
  return nsds_grow(s->plan->context, &s->memory.jam_way, &s->memory.jam_way_capacity,
                   s->plan->model->size.nv, sizeof *s->memory.jam_way);
}

static bool is_jammed(const nsds_event_rows *s, const nsds_row *row) {
  (void)s;
  return row->mark.jam == NSDS_JAM_JAMS;
}

/* ---- free motion ----------------------------------------------------------------------------- */

/* Returns d^2y/dt^2 of a row for the present rates. *terms: sum of the sizes of its terms. */
static double acceleration(const nsds_event_rows *s, const nsds_row *row, double *terms) {
  double b;
  nsds_rows_rate_part(s, row, &b, terms);
  *terms += fabs(row->bias);
  return b + row->bias;
}

/* Returns tau, or 0 if nothing moves. */
static double time_to_press(const nsds_event_rows *s) {
  double time = INFINITY, terms;
  for (int k = 0; k < s->list.n; ++k) {
    const nsds_row *row = &s->row[s->list.row[k]];
    if (row->degree != 2) continue;
    acceleration(s, row, &terms);
    if (terms > 0.0) time = fmin(time, pressed * nsds_row_speed_terms(s, row) / terms);
  }
  return isfinite(time) ? time : 0.0;
}

static nsds_status step_free(nsds_event_rows *s, double t, double h) {
  nsds_status status = nsds_event_rates(s, NULL);
  return status ? status : nsds_trial_go(s, t, h);
}

/* Computes M, H and dy/dt of the trial state. */
static nsds_status describe_trial(nsds_event_rows *s) {
  nsds_status status = nsds_event_rates(s, NULL);
  return status ? status : nsds_rows_outputs(s);
}

/* ---- impulses -------------------------------------------------------------------------------- */

/* Forms the problem of the part at the trial state. */
static nsds_status form_jam(nsds_event_rows *s, const nsds_row_part *part) {
  for (int k = 0; k < part->n; ++k) {
    const nsds_row *row = &s->row[part->chosen[k]];
    part->b[k] = nsds_impact_before(s, row, true);
    part->terms[k] = nsds_row_speed_terms(s, row);
  }
  return nsds_rows_matrix(s, part, true);
}

/* Marks contacts that are open in the solution of the part. */
static void note_open(nsds_event_rows *s, const nsds_row_part *part) {
  for (int k = 0; k < part->n; ++k) {
    nsds_row *row = &s->row[part->chosen[k]];
    double diagonal = s->system.A[k + (ptrdiff_t)k * part->n];
    bool opens = row->degree == 2 && !nsds_row_bilateral(row) && part->z[k] * diagonal < part->w[k];
    if (row->mark.jam == NSDS_JAM_LEAVES) nsds_row_forget_jam(row);
    if (row->mark.jam == NSDS_JAM_JAMS && opens) nsds_row_let_leave(row);
  }
}

/* Solves all parts the time tau ahead, for z and the rows that leave. */
static nsds_status solve_ahead(nsds_event_rows *s, nsds_solver_info *info) {
  double t = s->plan->trial.t, tau = time_to_press(s);
  nsds_trial_keep(s);
  nsds_status status = step_free(s, t, 0.5 * tau);
  if (!status) status = step_free(s, t, tau);
  if (!status) status = describe_trial(s);
  for (int p = 0; !status && p < s->list.nparts; ++p) {
    const nsds_row_part part = nsds_part_of(s, &s->list, p);
    status = form_jam(s, &part);
    if (!status) status = nsds_event_solve_closely(s, &part, true, info);
    if (!status) note_open(s, &part);
  }
  nsds_trial_return(s, t);
  nsds_status back = describe_trial(s);
  return status ? status : back;
}

/* Corrects z of the part to tau = 0, and updates velocities. */
static nsds_status jam_part(nsds_event_rows *s, const nsds_row_part *part,
                            const nsds_solver_info *info, bool *moved, bool *left) {
  bool moves = false;
  nsds_status status = form_jam(s, part);
  if (status) return status;
  nsds_event_correct(s, part);
  for (int k = 0; k < part->n; ++k)
    moves = moves || fabs(part->w[k] - part->b[k]) > 64.0 * nsds_rounding * part->terms[k];
  for (int k = 0; k < part->n; ++k) {
    nsds_row *row = &s->row[part->chosen[k]];
    bool at_pole = row->degree == 2 && row->mark.bound == NSDS_BOUND_UPPER;
    if (moves) nsds_row_forget_jam(row);
    *left = *left || at_pole || row->mark.jam == NSDS_JAM_LEAVES;
    if (at_pole) nsds_row_leave_bound(row);
  }
  *moved = *moved || moves;
  if (moves) nsds_impact_push(s, part, info->residual);
  return NSDS_OK;
}

/* Takes back drift of the rows that jam, because drift may exceed the speeds that free motion
 * adds. */
static nsds_status take_back_drift(nsds_event_rows *s) {
  nsds_rows_clear(s, &s->closed);
  for (int r = 0; r < s->nrow; ++r) {
    nsds_row *row = &s->row[r];
    if (row->mark.jam != NSDS_JAM_JAMS || row->degree != 2) continue;
    nsds_row_share(row); /* rows may depend on each other */
    s->closed.row[s->closed.n++] = r;
  }
  nsds_status status = nsds_gaps_project(s, false);
  for (int k = 0; k < s->closed.n; ++k) nsds_row_stand_alone(&s->row[s->closed.row[k]]);
  nsds_rows_clear(s, &s->closed);
  return status;
}

/* Marks slip within the drift of sticking as zero, because it has no direction. Returns true if
 * there is any. */
static bool take_back_slip(nsds_event_rows *s) {
  bool any = false;
  for (nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row) {
    double slip = 0.0, terms = 0.0;
    bool jams = row->span > 0 && row[-row->normal].mark.jam == NSDS_JAM_JAMS;
    if (!jams || nsds_row_at_zero(row)) continue;
    for (const nsds_row *t = row, *last = row + row->span; t < last; ++t) {
      slip = fmax(slip, fabs(nsds_row_value(s, t)));
      terms += nsds_row_speed_terms(s, t) + fabs(t->given);
    }
    if (!(slip <= s->scales.drift * terms)) continue;
    any = true;
    for (nsds_row *t = row, *last = row + row->span; t < last; ++t) nsds_row_locate(t, true);
  }
  return any;
}

/* Forgets the sizes of rates near a pole, which do not apply behind the pole. */
static void forget_rates(nsds_event_rows *s) {
  bool any = false;
  for (const nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row)
    any = any || (row->degree == 2 && row->mark.bound == NSDS_BOUND_UPPER);
  for (int k = 0; any && k < s->plan->nslot; ++k)
    s->sizes.size[NSDS_SIZE_OF_RATES * s->plan->nslot + k] = 0.0;
}

nsds_status nsds_jam_settle(nsds_event_rows *s, nsds_solver_info *info, bool *moved, bool *left) {
  *moved = *left = false;
  if (take_back_slip(s)) {
    *left = true;
    return NSDS_OK;
  }
  forget_rates(s);
  nsds_status status = take_back_drift(s);
  if (!status) status = nsds_impact_choose(s, is_jammed);
  if (!status) status = nsds_event_rates(s, NULL);
  if (!status) status = solve_ahead(s, info);
  for (int p = 0; !status && p < s->list.nparts; ++p) {
    const nsds_row_part part = nsds_part_of(s, &s->list, p);
    status = jam_part(s, &part, info, moved, left);
  }
  if (!status && *moved) status = nsds_rows_outputs(s);
  if (!status && *moved) nsds_impact_part(s);
  return status;
}

/* ---- forces that grow without bound ---------------------------------------------------------- */

/* Returns true if friction multiplies the load of a closed row many times, for free rates. */
static bool is_pole(const nsds_event_rows *s, const nsds_row *row) {
  static const double many = 100.0;
  double terms;
  if (row->tangents == 0 || row->mode != NSDS_MODE_CLOSED || row->degree != 2) return false;
  if (!nsds_row_any_slides(row)) return false;
  acceleration(s, row, &terms);
  return terms > 0.0 && fabs(row->lambda) * nsds_rows_bare_product(s, row, row) > many * terms;
}

/* Sets the velocities v + x e of the trial state, and computes d^2y/dt^2 of the row in free
 * motion. */
static nsds_status press(nsds_event_rows *s, const nsds_row *row, double x, double *b) {
  nsds_state *at = &s->plan->trial;
  const nsds_state_size *size = &s->plan->model->size;
  const double *v = s->ahead.v, *e = s->memory.jam_way;
  double terms;
  for (size_t k = 0; k < size->nv; ++k) at->v[k] = v[k] + x * e[k];
  nsds_status status = nsds_rows_free_rates(s);
  if (!status) *b = acceleration(s, row, &terms);
  return status;
}

/* Returns true if slip and rolling of the contact, where they slide, keep their direction. */
static bool slip_goes_on(const nsds_event_rows *s, const nsds_row *row) {
  bool on = true;
  for (const nsds_row *t = row + 1, *end = t + row->tangents; t < end; ++t)
    if (t->span > 0 && nsds_row_slides(t)) on = on && nsds_friction_distance(s, t) > 0.0;
  return on;
}

/* The largest |v| and |e| of second-order systems: states of first-order systems have other units. */
static void largest_of_bodies(const nsds_plan *plan, const double *v, const double *e,
                              double *speed, double *pull) {
  *speed = *pull = 0.0;
  for (int k = 0; k < plan->nslot; ++k) {
    const nsds_slot *slot = &plan->slot[k];
    if (nsds_is_first_order(slot->ds)) continue;
    for (int j = slot->v0; j < slot->v0 + slot->nv; ++j) {
      *speed = fmax(*speed, fabs(v[j]));
      *pull = fmax(*pull, fabs(e[j]));
    }
  }
}

/* Takes the rest of the way to the pole, which is shorter than the resolution of time. Forces along
 * e remove the load on the row there; the secant method finds this point. If slip stops before, the
 * contact jams. */
static nsds_status end_at_pole(nsds_event_rows *s, const nsds_row *row) {
  enum { most = 20 };
  const nsds_state_size *size = &s->plan->model->size;
  double *e = s->memory.jam_way, speed, pull;
  double sign = row->lambda < 0.0 ? -1.0 : 1.0; /* beyond the pole */
  double b[2] = {0.0}, x[2] = {0.0};
  nsds_trial_keep(s);
  nsds_copy_doubles(e, s->rate, size->nv);
  nsds_status status = press(s, row, 0.0, &b[0]);
  for (size_t k = 0; k < size->nv; ++k) e[k] = sign * (e[k] - s->rate[k]);
  largest_of_bodies(s->plan, s->ahead.v, e, &speed, &pull);
  double longest = pull > 0.0 ? speed / pull : 0.0;
  x[1] = 1e-6 * longest;
  for (int k = 0; !status && k < most && x[1] > 0.0 && x[1] < longest; ++k) {
    status = press(s, row, x[1], &b[1]);
    if (status || !(fabs(b[1]) < fabs(b[0]))) break;
    double next = x[1] - b[1] * (x[1] - x[0]) / (b[1] - b[0]);
    x[0] = x[1], b[0] = b[1], x[1] = next;
  }
  if (!status) status = press(s, row, x[0], &b[0]);
  if (!status) status = nsds_rows_outputs(s);
  if (status || slip_goes_on(s, row)) return status;
  return press(s, row, 0.0, &b[0]);
}

nsds_status nsds_jam_find_poles(nsds_event_rows *s, bool *any) {
  *any = false;
  nsds_status status = nsds_event_rates(s, NULL); /* for lambda */
  if (!status) status = nsds_rows_free_rates(s);
  for (nsds_row *row = s->row, *end = row + s->nrow; !status && row < end; ++row) {
    if (!is_pole(s, row)) continue;
    *any = true;
    nsds_row_reach_bound(row, NSDS_BOUND_UPPER);
  }
  for (nsds_row *row = s->row, *end = row + s->nrow; !status && row < end; ++row) {
    if (row->degree != 2 || row->mark.bound != NSDS_BOUND_UPPER) continue;
    status = nsds_event_rates(s, NULL);
    if (!status) status = end_at_pole(s, row);
  }
  return status;
}
