/*
 * Time steps of a circuit.
 *
 *   at a corner of a source, or after an event:  settle
 *   otherwise:   try a step with all modes frozen
 *                error too large or no solution: a shorter one
 *                a mode ends within the step: shorten the step to where it ends, then settle;
 *                    or, in large circuits, make the step by the laws of the elements
 *
 * A step is two implicit stages, gamma = 1 - 1 / sqrt(2),
 *
 *   x1 = x + gamma h x1',   x2 = x + h ((1 - gamma) x1' + gamma x2')
 *
 * of order 2 and L-stable, both with the same matrix (R. Alexander, SIAM J. Numer. Anal. 14 (1977)). The derivative at
 * the start gives a quadrature of order 3 beside it, whose difference is the error. Settling is two very short
 * implicit Euler steps. The first takes jumps, such as the charge that moves when a switch joins two capacitors, and
 * finds the modes. The second has values without the impulse.
 */
#include "run/stepper.h"

#include "run/words.h"

#include "run/shorts.h"

#include <nsds/extend.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double gamma_stage = 0.29289321881345247559915563789515; /* 1 - 1 / sqrt(2) */

enum { most_levels = 24, most_tries = 60, most_interpolated = 6, located_up_to = 40 };

/* ---- memory ---- */

static nsds_status make_instant(nsds_context *context, nsds_instant *i, size_t n, size_t nstate) {
  NSDS_MAKE(context, i->z, n + 1);
  NSDS_MAKE(context, i->w, n + 1);
  NSDS_MAKE(context, i->x, nstate + 1);
  NSDS_MAKE(context, i->rate, nstate + 1);
  return i->z && i->w && i->x && i->rate ? NSDS_OK : NSDS_ERROR_MEMORY;
}

static void free_instant(nsds_instant *i) {
  nsds_free(i->z);
  nsds_free(i->w);
  nsds_free(i->x);
  nsds_free(i->rate);
}

void nsds_stepper_free(nsds_stepper *s) {
  nsds_stage_free(&s->stage);
  nsds_modes_free(&s->modes);
  nsds_equations_free(&s->equations);
  free_instant(&s->now);
  free_instant(&s->middle);
  free_instant(&s->trial);
  free_instant(&s->jump);
  nsds_free(s->before);
  nsds_free(s->scale);
}

static nsds_status make_arrays(nsds_stepper *s, const bool *reference) {
  nsds_status status = nsds_equations_make(&s->equations, s->elements, reference);
  if (!status) status = nsds_modes_make(&s->modes, &s->equations);
  if (!status) status = nsds_stage_make(&s->stage, s->context, &s->equations);
  size_t n = (size_t)s->equations.n, nstate = (size_t)s->equations.nstate;
  if (!status) status = make_instant(s->context, &s->now, n, nstate);
  if (!status) status = make_instant(s->context, &s->middle, n, nstate);
  if (!status) status = make_instant(s->context, &s->trial, n, nstate);
  if (!status) status = make_instant(s->context, &s->jump, n, nstate);
  NSDS_MAKE(s->context, s->before, nstate + 1);
  NSDS_MAKE(s->context, s->scale, nstate + 1);
  return status || (s->before && s->scale) ? status : NSDS_ERROR_MEMORY;
}

/* ---- stages ---- */

/* Solves a stage from `start`, whose z is the guess, into `end`. */
static nsds_status solve_stage(nsds_stepper *s, double a, double t, double inside,
                               const double *before, const double *guess, nsds_instant *end) {
  const nsds_equations *e = &s->equations;
  if (end->z != guess) memcpy(end->z, guess, (size_t)e->n * sizeof *end->z);
  nsds_status status = nsds_stage_solve(&s->stage, a, t, inside, before, s->modes.lower,
                                        s->modes.upper, end->z, end->w);
  if (status) return status;
  end->t = end->solved = t;
  end->inside = inside;
  nsds_equations_states(e, end->z, end->x);
  for (int k = 0; k < e->nstate; ++k) end->rate[k] = (end->x[k] - before[k]) / a;
  return NSDS_OK;
}

/* A step of two stages with frozen modes. */
static nsds_status try_step(nsds_stepper *s, double h) {
  double inside = s->now.t + 0.5 * h, a = gamma_stage * h;
  nsds_status status = solve_stage(s, a, s->now.t + a, inside, s->now.x, s->now.z, &s->middle);
  if (status) return status;
  for (int k = 0; k < s->equations.nstate; ++k)
    s->before[k] = s->now.x[k] + (1.0 - gamma_stage) * h * s->middle.rate[k];
  return solve_stage(s, a, s->now.t + h, inside, s->before, s->middle.z, &s->trial);
}

static bool is_current(const nsds_equations *e, int state) {
  return e->elements->item[e->owner[state]].kind == NSDS_ELEMENT_INDUCTOR;
}

/*
 * The size that the error of a state is compared with. The largest of these counts: the largest value so far, and a
 * thousandth of the largest of its kind. For a current two more values count: a hundredth of what the largest voltage
 * builds up in a step, and the leak at open elements.
 */
static double state_size(const nsds_stepper *s, int k) {
  const nsds_equations *e = &s->equations;
  const nsds_analysis *a = &s->elements->analysis;
  if (!is_current(e, k)) return fmax(s->scale[k], 1e-3 * s->voltage_scale);
  double built = 1e-2 * s->voltage_scale * s->largest / e->elements->item[e->owner[k]].value;
  double leaks = 10.0 * s->voltage_scale * fmax(a->leak, nsds_leak_most) / a->tolerance;
  return fmax(fmax(s->scale[k], 1e-3 * s->current_scale), fmax(built, leaks));
}

/* The error of the step that was tried, 1: as large as it may be. */
static double step_error(const nsds_stepper *s, double h) {
  const nsds_equations *e = &s->equations;
  double b1 = 1.0 / (6.0 * gamma_stage * (1.0 - gamma_stage)), b2 = 0.5 - gamma_stage * b1,
         b0 = 1.0 - b1 - b2;
  double worst = 0.0, tolerance = s->elements->analysis.tolerance;
  if (tolerance == 0.0) return 0.0;
  for (int k = 0; k < e->nstate; ++k) {
    double third =
        s->now.x[k] + h * (b0 * s->now.rate[k] + b1 * s->middle.rate[k] + b2 * s->trial.rate[k]);
    double size = state_size(s, k);
    double error = fabs(third - s->trial.x[k]);
    if (error > tolerance * size * worst && size > 0.0) worst = error / (tolerance * size);
  }
  return worst;
}

/* ---- accepting ---- */

static void measure_scales(nsds_stepper *s) {
  const nsds_equations *e = &s->equations;
  double voltage = s->voltage_scale, current = s->current_scale;
  for (int k = 0; k < e->nstate; ++k) s->scale[k] = fmax(s->scale[k], fabs(s->now.x[k]));
  for (int k = 0; k < e->n; ++k) {
    double *scale = k < e->nnode ? &s->voltage_scale : &s->current_scale;
    if (fabs(s->now.z[k]) > *scale) *scale = fabs(s->now.z[k]);
  }
  if (s->voltage_scale > voltage || s->current_scale > current || s->steps == 0)
    nsds_stage_set_scales(&s->stage, s->voltage_scale, s->current_scale);
}

static void copy_instant(const nsds_stepper *s, const nsds_instant *from, nsds_instant *to) {
  size_t n = (size_t)s->equations.n, nstate = (size_t)s->equations.nstate;
  to->t = from->t, to->solved = from->solved, to->inside = from->inside;
  memcpy(to->z, from->z, n * sizeof *to->z);
  memcpy(to->w, from->w, n * sizeof *to->w);
  memcpy(to->x, from->x, nstate * sizeof *to->x);
  memcpy(to->rate, from->rate, nstate * sizeof *to->rate);
}

static void accept_trial(nsds_stepper *s) {
  nsds_instant old = s->now;
  s->now = s->trial;
  s->trial = old;
  nsds_stage_keep(&s->stage);
  ++s->steps;
}

/* The quadrature of a step of two stages takes both with their weights. */
static void accept_stages(nsds_stepper *s) {
  accept_trial(s);
  s->middle_weight = 1.0 - gamma_stage;
}

/* A voltage beyond all sources is that of a current that finds no way but the leaks. */
static nsds_status check_voltages(nsds_stepper *s) {
  const nsds_equations *e = &s->equations;
  const double beyond = 1e8;
  measure_scales(s);
  if (s->voltage_scale <= beyond * fmax(s->source_scale, 1.0)) return NSDS_OK;
  int worst = 0;
  for (int k = 0; k < e->nnode; ++k)
    if (fabs(s->now.z[k]) > fabs(s->now.z[worst])) worst = k;
  nsds_place place;
  const char *kind, *name = nsds_equations_row_name(e, worst, &kind, &place);
  return nsds_netlist_report(
      s->elements->netlist, place, NSDS_ERROR_VALUE,
      "t = %g s: node %s comes to %g V, since a current has no way but open elements; give the "
      "current a way, for example a diode",
      s->now.t, name, s->now.z[worst]);
}

static nsds_status step_failed(nsds_stepper *s, nsds_status status, double t) {
  const nsds_netlist *netlist = s->elements->netlist;
  nsds_place place = s->elements->analysis.place;
  if (status == NSDS_ERROR_NEWTON)
    return nsds_netlist_report(
        netlist, place, status,
        "t = %g s: Newton's method did not converge on the junctions of diodes; try ideal "
        "diodes or a smaller TMAX",
        t);
  if (status != NSDS_ERROR_SOLVER)
    return nsds_netlist_report(netlist, place, status, "t = %g s: %s", t, nsds_status_text(status));
  const char *kind,
      *name = nsds_equations_row_name(&s->equations, s->stage.worst_row, &kind, &place);
  return nsds_netlist_report(
      netlist, place, status,
      "t = %g s: no currents and voltages were found (%s); the worst equation is that of %s %s; "
      "give a current a way, or a source a resistance",
      t, nsds_outcome_text(s->stage.outcome), kind, name);
}

/* ---- settling ---- */

/* Moves the switches that their controls would have elsewhere; whether there are any. */
static bool move_switches(nsds_stepper *s, const double *z) {
  return nsds_modes_move(&s->modes, z, 1e-9 * fmax(s->voltage_scale, s->current_scale) + 1e-15);
}

/* An Euler step of length a by the laws, switches moved until they stand still. */
static nsds_status settle_once(nsds_stepper *s, double a) {
  double t = s->now.t + a, inside = s->now.t + 0.5 * a;
  for (int turn = 0; turn <= s->modes.count + 2; ++turn) {
    nsds_modes_bounds(&s->modes, false);
    nsds_status status = solve_stage(s, a, t, inside, s->now.x, s->now.z, &s->trial);
    if (status) return status;
    nsds_modes_take(&s->modes, s->trial.z);
    if (!move_switches(s, s->trial.z)) break;
  }
  return NSDS_OK;
}

/* Tells once of an inductor whose current a switch has taken its way. */
static nsds_status tell_of_jumps(nsds_stepper *s, const nsds_instant *old) {
  const nsds_equations *e = &s->equations;
  if (s->jump_told || s->now.t <= 2.0 * s->settling) return NSDS_OK;
  for (int k = 0; k < e->nstate; ++k) {
    const nsds_element *element = &e->elements->item[e->owner[k]];
    double jump = fabs(s->now.x[k] - old->x[k]);
    if (!is_current(e, k) || jump <= 1e-3 * s->current_scale) continue;
    if (jump * element->value <= 1e3 * s->voltage_scale * s->settling) continue;
    s->jump_told = true;
    return nsds_netlist_warn(
        e->elements->netlist, element->place,
        "%s: its current jumps from %.4g A to %.4g A at t = %g s, since a switch or diode takes it "
        "its way; give the current a way, for example a diode",
        element->name, old->x[k], s->now.x[k], s->now.t);
  }
  return NSDS_OK;
}

/* A switch that its own opening and closing moves goes on without end: the time hardly does. */
static nsds_status check_progress(nsds_stepper *s) {
  const int looked_at = 5000;
  const double least = 20.0; /* settling lengths for each time */
  if (++s->settled % looked_at) return NSDS_OK;
  double progress = s->now.t - s->watched;
  s->watched = s->now.t;
  if (progress > least * looked_at * s->settling || s->modes.moved < 0) return NSDS_OK;
  const nsds_element *element = &s->elements->item[s->modes.moved];
  return nsds_netlist_report(
      s->elements->netlist, element->place, NSDS_ERROR_VALUE,
      "t = %g s: switch %s opens and closes without end, since its control follows it; give it a "
      "hysteresis (VH), its control a capacitor, or .tran a smaller TMAX",
      s->now.t, element->name);
}

/* The two short steps behind a corner or an event; longer ones where they have no solution. */
static nsds_status settle(nsds_stepper *s) {
  double a = s->settling, begun = s->now.t;
  nsds_status status = check_progress(s);
  if (status) return status;
  nsds_modes_drive(&s->modes, s->now.t + 0.5 * a);
  nsds_modes_save(&s->modes);
  for (int turn = 0; turn < 2; ++turn) {
    status = settle_once(s, a);
    for (int longer = 0; status && status != NSDS_ERROR_MEMORY && longer < 4; ++longer) {
      nsds_stage_return(&s->stage);
      nsds_modes_restore(&s->modes);
      status = settle_once(s, a *= 8.0);
    }
    if (status) return step_failed(s, status, s->now.t);
    if (turn == 0) s->jump_length = s->trial.t - s->now.t;
    accept_trial(s);
    if (turn == 0) copy_instant(s, &s->now, &s->jump);
    nsds_modes_save(&s->modes);
    if (turn == 0) status = tell_of_jumps(s, &s->trial);
    if (status) return status;
  }
  s->settle_due = false;
  status = check_voltages(s); /* the first of the two has impulses */
  return status ? status : nsds_shorts_check(&s->modes, s->now.z, begun, s->source_scale);
}

/* ---- events ---- */

/* Fraction of the step at which the first mode ends; 1: none does. `z`, `w`: at the end of the step or stage. */
static double first_end(const nsds_stepper *s, const double *z, const double *w) {
  double first = 1.0, least = 1e-9;
  for (int k = 0; k < s->modes.count; ++k)
    for (int control = 0; control < 2; ++control) {
      double after = control ? nsds_modes_control_margin(&s->modes, k, z)
                             : nsds_modes_margin(&s->modes, k, z, w);
      if (!(after < 0.0)) continue;
      bool current = !control && s->modes.conducts[k];
      if (after > -least * (current ? s->current_scale : s->voltage_scale)) continue;
      double start = control ? nsds_modes_control_margin(&s->modes, k, s->now.z)
                             : nsds_modes_margin(&s->modes, k, s->now.z, s->now.w);
      first = fmin(first, start <= 0.0 ? 0.0 : start / (start - after));
    }
  return first;
}

/* Time at which the first mode ends in the step of length h that was tried; h: none does. */
static double time_of_end(const nsds_stepper *s, double h) {
  double middle = first_end(s, s->middle.z, s->middle.w),
         end = first_end(s, s->trial.z, s->trial.w);
  double at = end < 1.0 ? end * h : h;
  return middle < 1.0 ? fmin(at, middle * gamma_stage * h) : at;
}

/* The step by the laws, of first order, for circuits in which events are not located. */
static nsds_status step_by_laws(nsds_stepper *s, double h) {
  nsds_modes_save(&s->modes);
  nsds_modes_bounds(&s->modes, false);
  nsds_status status =
      solve_stage(s, h, s->now.t + h, s->now.t + 0.5 * h, s->now.x, s->now.z, &s->trial);
  if (status) {
    nsds_modes_restore(&s->modes);
    return status;
  }
  nsds_modes_take(&s->modes, s->trial.z);
  s->settle_due = move_switches(s, s->trial.z);
  accept_trial(s);
  return check_voltages(s);
}

/* ---- one step ---- */

/* The next corner of a source or passage of a drive. */
static double next_corner(const nsds_stepper *s) {
  const nsds_elements *elements = s->elements;
  double next = elements->analysis.end;
  for (int k = 0; k < elements->nwave; ++k)
    next = fmin(next, nsds_wave_next(&elements->wave[k], s->now.t));
  for (int k = 0; k < s->modes.count; ++k) {
    const nsds_element *element = &elements->item[s->modes.element[k]];
    if (element->wave >= 0)
      next = fmin(next, nsds_wave_next_passage(&elements->wave[element->wave], element->threshold,
                                               s->now.t));
  }
  return next;
}

/* After a step of length h that was tried with success: accepted, or the length to try next in *again. */
static nsds_status judge_step(nsds_stepper *s, double h, int attempt, double *again) {
  *again = 0.0;
  double end = time_of_end(s, h);
  if (end >= h) {
    accept_stages(s);
    return check_voltages(s);
  }
  if (!s->locate) return step_by_laws(s, h);
  if (h - end > s->settling && end > 0.0) {
    *again = end + 0.5 * s->settling;
    /* where the line between start and end is no guide, as behind a jump that settling has not seen */
    if (attempt >= most_interpolated) *again = fmin(*again, 0.5 * h);
    return NSDS_OK;
  }
  if (end > 0.0 || h <= s->settling)
    accept_stages(s); /* else: it has ended already, and settling finds the next one */
  ++s->events;
  s->settle_due = true;
  return NSDS_OK;
}

/* Shorter and longer steps by the error; whether the step has to be made again. */
static bool control_step(nsds_stepper *s, double h) {
  double error = step_error(s, h), level = s->largest / pow(2.0, s->level);
  if (error > 1.0 && h > s->largest / pow(2.0, most_levels)) {
    while (level >= h) level *= 0.5, ++s->level;
    return true;
  }
  if (error < 0.06 && h > 0.6 * level && s->level > 0) --s->level;
  return false;
}

nsds_status nsds_stepper_advance(nsds_stepper *s) {
  s->middle_weight = 0.0;
  if (s->settle_due) return settle(s);
  s->jump_length = 0.0;
  double corner = next_corner(s), start = s->now.t, again = 0.0, shorter = 1.0;
  nsds_status status = NSDS_OK;
  for (int attempt = 0; attempt < most_tries; ++attempt) {
    double h = again > 0.0 ? again : shorter * s->largest / pow(2.0, s->level);
    if (start + h * (1.0 + 1e-6) >= corner) h = corner - start;
    if (nsds_context_stops(s->context)) return NSDS_STOPPED;
    nsds_modes_bounds(&s->modes, true);
    status = try_step(s, h);
    if (status == NSDS_ERROR_MEMORY) break;
    if (status) {
      nsds_stage_return(&s->stage);
      shorter *= 0.25, again = 0.0;
      continue;
    }
    if (again == 0.0 && control_step(s, h)) {
      nsds_stage_return(&s->stage);
      continue;
    }
    status = judge_step(s, h, attempt, &again);
    if (again > 0.0) continue;
    if (!status && s->now.t >= corner * (1.0 - 1e-15))
      s->settle_due = s->now.t < s->elements->analysis.end;
    if (!status || status == NSDS_ERROR_VALUE) return status;
    nsds_stage_return(&s->stage);
    shorter *= 0.25;
  }
  return step_failed(s, status ? status : NSDS_ERROR_SOLVER, start);
}

/* ---- the start ---- */

static double shortest_period(const nsds_elements *elements) {
  double period = INFINITY;
  for (int k = 0; k < elements->nwave; ++k)
    period = fmin(period, nsds_wave_period(&elements->wave[k]));
  return period;
}

static nsds_status choose_lengths(nsds_stepper *s) {
  const nsds_analysis *a = &s->elements->analysis;
  s->largest = a->largest > 0.0 ? a->largest : fmin(a->step, (a->end - a->start) / 50.0);
  s->largest = fmin(s->largest, fmin(shortest_period(s->elements) / 40.0, a->end));
  s->settling = 1e-4 * s->largest;
  for (int k = 0; k < s->elements->count; ++k) {
    const nsds_element *element = &s->elements->item[k];
    double *scale = element->kind == NSDS_ELEMENT_VOLTAGE ? &s->voltage_scale : &s->current_scale;
    if (element->kind == NSDS_ELEMENT_VOLTAGE || element->kind == NSDS_ELEMENT_CURRENT)
      *scale = fmax(*scale, nsds_wave_size(&s->elements->wave[element->wave]));
    if (element->kind == NSDS_ELEMENT_CAPACITOR && !isnan(element->initial))
      s->voltage_scale = fmax(s->voltage_scale, fabs(element->initial));
  }
  for (int k = 0; k < s->elements->nstart; ++k)
    s->voltage_scale = fmax(s->voltage_scale, fabs(s->elements->start[k].value));
  s->source_scale = s->voltage_scale;
  s->locate = a->locate < 0 ? s->modes.count <= located_up_to : a->locate == 1;
  const double most = 2e9;
  if (a->end / s->largest <= most) return NSDS_OK;
  return nsds_netlist_report(
      s->elements->netlist, a->place, NSDS_ERROR_VALUE,
      ".tran: the run would take %g steps of %g s, as TMAX or the shortest period of a source "
      "asks for; at most %g are made",
      a->end / s->largest, s->largest, most);
}

/* Voltages and currents that are given, with uic. */
static void take_initial(nsds_stepper *s) {
  const nsds_equations *e = &s->equations;
  for (int k = 0; k < s->elements->nstart; ++k) {
    int node = e->node[s->elements->start[k].node];
    if (node >= 0) s->now.z[node] = s->elements->start[k].value;
  }
  for (int k = 0; k < e->nstate; ++k) {
    const nsds_element *element = &e->elements->item[e->owner[k]];
    bool given = !isnan(element->initial);
    if (given) s->now.x[k] = element->initial;
    else if (element->kind == NSDS_ELEMENT_CAPACITOR)
      s->now.x[k] = nsds_equations_voltage(e, s->now.z, element, 0);
  }
}

/* An inductor that keeps a voltage at rest, or an ideal element that carries what only its least
 * resistance bounds; NULL: there is none. */
static const nsds_element *find_unrest(const nsds_stepper *s) {
  const nsds_equations *e = &s->equations;
  const double part = 1e-3;
  double least = s->elements->analysis.least_resistance;
  for (int k = 0; k < s->elements->count; ++k) {
    const nsds_element *element = &s->elements->item[k];
    bool ideal = (element->kind == NSDS_ELEMENT_DIODE || element->kind == NSDS_ELEMENT_SWITCH) &&
                 element->value <= least;
    double voltage = element->kind == NSDS_ELEMENT_INDUCTOR
                         ? nsds_equations_voltage(e, s->now.z, element, 0)
                     : ideal ? element->value * s->now.z[e->branch[k]]
                             : 0.0;
    if (fabs(voltage) > part * fmax(s->source_scale, 1.0)) return element;
  }
  return NULL;
}

/* No operating point: starts from initial values as with uic. */
static nsds_status start_without_rest(nsds_stepper *s, nsds_status status,
                                      const nsds_element *element) {
  char why[120] = "a switch opens and closes without end at rest";
  if (status) snprintf(why, sizeof why, "no currents and voltages of rest were found");
  if (element)
    snprintf(why, sizeof why, "nothing bounds the current of %.60s at rest", element->name);
  nsds_modes_restore(&s->modes);
  nsds_stage_return(&s->stage);
  for (int k = 0; k < s->equations.n; ++k) s->now.z[k] = s->now.w[k] = 0.0;
  take_initial(s);
  return nsds_netlist_warn(s->elements->netlist, s->elements->analysis.place,
                           "there is no operating point, since %s; the run starts from initial "
                           "values, zero where none are given, as with uic",
                           why);
}

/*
 * Rest: a step so long that capacitors carry nothing and inductors have no voltage; .ic holds potentials. Sources have
 * their values before the start, as in SPICE: a pulse that rises at once finds the circuit at rest below it.
 */
static nsds_status find_rest(nsds_stepper *s) {
  const nsds_equations *e = &s->equations;
  double length = 1e6 * fmax(s->elements->analysis.end, 1.0);
  double before_start = -1e-9 * s->elements->analysis.end;
  if (s->elements->nstart) {
    NSDS_MAKE(s->context, s->stage.held, e->nnode + 1);
    if (!s->stage.held) return NSDS_ERROR_MEMORY;
    for (int k = 0; k < e->nnode; ++k) s->stage.held[k] = NAN;
    for (int k = 0; k < s->elements->nstart; ++k) {
      int node = e->node[s->elements->start[k].node];
      if (node >= 0) s->stage.held[node] = s->elements->start[k].value;
    }
  }
  nsds_modes_save(&s->modes);
  nsds_modes_drive(&s->modes, before_start);
  bool still = false;
  nsds_status status = NSDS_OK;
  for (int turn = 0; !status && !still && turn <= s->modes.count + 2; ++turn) {
    nsds_modes_bounds(&s->modes, false);
    status = nsds_stage_solve(&s->stage, length, 0.0, before_start, s->now.x, s->modes.lower,
                              s->modes.upper, s->now.z, s->now.w);
    if (!status) nsds_modes_take(&s->modes, s->now.z);
    still = !status && !move_switches(s, s->now.z);
  }
  nsds_free(s->stage.held);
  s->stage.held = NULL;
  const nsds_element *unbounded = !status && still ? find_unrest(s) : NULL;
  if (status == NSDS_ERROR_SOLVER || status == NSDS_ERROR_NEWTON || (!status && !still) ||
      unbounded)
    return start_without_rest(s, status, unbounded);
  if (status) return step_failed(s, status, 0.0);
  nsds_equations_states(e, s->now.z, s->now.x);
  nsds_stage_keep(&s->stage);
  return NSDS_OK;
}

/* The largest change of a capacitor's voltage in the second of the steps that settled. */
static double still_moved(const nsds_stepper *s) {
  double most = 0.0;
  for (int k = 0; k < s->equations.nstate; ++k)
    if (!is_current(&s->equations, k)) most = fmax(most, fabs(s->now.x[k] - s->jump.x[k]));
  return most;
}

/*
 * Initial values that contradict each other jump at the start. The jump takes as long as RMIN and a capacitance ask for,
 * which may be longer than settling. The rest would count as a current of the run, so that longer steps end it first.
 */
static nsds_status settle_start(nsds_stepper *s) {
  enum { most_settled = 16, growing = 4 };
  const double begins = 1e-5, ends = 1e-9, shrinks = 0.7, length = s->settling;
  nsds_status status = settle(s);
  double moved = status ? 0.0 : still_moved(s), before = INFINITY;
  if (moved <= begins * s->voltage_scale) return status;
  for (int k = 0; !status && k < most_settled && moved > ends * s->voltage_scale; ++k) {
    if (k > growing && moved > shrinks * before) break; /* it is no jump */
    if (k < growing) s->settling *= 3.0;
    before = moved;
    status = settle(s);
    moved = still_moved(s);
  }
  s->settling = length;
  return status;
}

nsds_status nsds_stepper_make(nsds_stepper *s, nsds_context *context, const nsds_elements *elements,
                              const bool *reference) {
  *s = (nsds_stepper){.context = context, .elements = elements};
  nsds_status status = make_arrays(s, reference);
  if (status) return status;
  status = choose_lengths(s);
  if (status) return status;
  nsds_stage_set_scales(&s->stage, s->voltage_scale, s->current_scale);
  if (elements->analysis.from_initial) take_initial(s);
  else status = find_rest(s);
  if (status) return status;
  measure_scales(s);
  return settle_start(s);
}
