/*
 * Time steps of a circuit, by adaptive simulation of its model (circuit_model.c). The start is the
 * operating point, or initial values. Messages about steps speak of nodes and elements.
 */
#include "run/circuit/stepper.h"

#include "base/text/words.h"

#include "run/circuit/shorts.h"

#include <nsds/extend.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { located_up_to = 40 }; /* modes of a circuit whose events are located */

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
  nsds_circuit_model_free(&s->kernel);
  nsds_modes_free(&s->modes);
  nsds_equations_free(&s->equations);
  free_instant(&s->now);
  free_instant(&s->middle);
  free_instant(&s->trial);
  free_instant(&s->jump);
  nsds_free(s->scale);
  nsds_free(s->flux);
}

static nsds_status make_arrays(nsds_stepper *s, const bool *reference) {
  nsds_status status = nsds_equations_make(&s->equations, s->elements, reference);
  if (!status) status = nsds_modes_make(&s->modes, &s->equations);
  size_t n = (size_t)s->equations.n, nstate = (size_t)s->equations.nstate;
  if (!status) status = make_instant(s->context, &s->now, n, nstate);
  if (!status) status = make_instant(s->context, &s->middle, n, nstate);
  if (!status) status = make_instant(s->context, &s->trial, n, nstate);
  if (!status) status = make_instant(s->context, &s->jump, n, nstate);
  NSDS_MAKE(s->context, s->scale, nstate + 1);
  NSDS_MAKE(s->context, s->flux, nstate + 1);
  return status || (s->scale && s->flux) ? status : NSDS_ERROR_MEMORY;
}

/* ---- accepting ---- */

static void measure_scales(nsds_stepper *s) {
  for (int k = 0; k < s->equations.nstate; ++k) s->scale[k] = fmax(s->scale[k], fabs(s->now.x[k]));
  nsds_scales_take(&s->scales, &s->equations, s->now.z);
}

static void copy_solution(const nsds_stepper *s, const nsds_instant *from, nsds_instant *to) {
  size_t n = (size_t)s->equations.n, nstate = (size_t)s->equations.nstate;
  to->t = from->t, to->solved = from->solved, to->inside = from->inside;
  memcpy(to->z, from->z, n * sizeof *to->z);
  memcpy(to->w, from->w, n * sizeof *to->w);
  memcpy(to->x, from->x, nstate * sizeof *to->x);
  memcpy(to->rate, from->rate, nstate * sizeof *to->rate);
}

/* The node or element whose equation the solver met worst. */
static const char *worst_row(const nsds_stepper *s, const nsds_solver_info *info, const char **kind,
                             nsds_place *place) {
  const nsds_circuit_model *m = &s->kernel;
  int worst = -1;
  for (int k = 0; info->solver && k < s->equations.n; ++k)
    if ((m->x_of[k] >= 0 ? m->x_of[k] : m->nx + m->lambda_of[k]) == info->worst_row) worst = k;
  return nsds_equations_row_name(&s->equations, worst, kind, place);
}

/* Says in the words of circuits why a step has failed. */
static nsds_status step_failed(nsds_stepper *s, nsds_status status) {
  const nsds_netlist *netlist = s->elements->netlist;
  nsds_place place = s->elements->analysis.place;
  if (status != NSDS_ERROR_SOLVER && status != NSDS_ERROR_NEWTON && status != NSDS_ERROR_SINGULAR)
    return status;
  nsds_error_clear(s->context);
  if (status == NSDS_ERROR_NEWTON)
    return nsds_netlist_report(
        netlist, place, status,
        "t = %g s: Newton's method did not converge on the junctions of diodes; try ideal "
        "diodes or a smaller TMAX",
        s->now.t);
  const nsds_solver_info *info = &nsds_simulation_info(s->kernel.simulation)->solver;
  const char *kind, *name = worst_row(s, info, &kind, &place);
  return nsds_netlist_report(
      netlist, place, NSDS_ERROR_SOLVER,
      "t = %g s: no currents and voltages were found (%s); the worst equation is that of %s %s; "
      "give a current a way, or a source a resistance",
      s->now.t, nsds_outcome_text(info->solver ? info->outcome : NSDS_NOT_CONVERGED), kind, name);
}

/* ---- settling ---- */

/* Finds by how much the flux of each inductor has jumped. A coupled inductor may take the flux
 * over. */
static void find_flux_jumps(nsds_stepper *s, const nsds_instant *old) {
  const nsds_equations *e = &s->equations;
  for (int k = 0; k < e->nstate; ++k)
    s->flux[k] = e->elements->item[e->owner[k]].value * (s->now.x[k] - old->x[k]);
  for (int n = 0; n < e->elements->ncoupling; ++n) {
    const nsds_coupling *c = &e->elements->coupling[n];
    double mutual = nsds_equations_mutual(e->elements, c);
    int a = e->state[c->first], b = e->state[c->second];
    s->flux[a] += mutual * (s->now.x[b] - old->x[b]);
    s->flux[b] += mutual * (s->now.x[a] - old->x[a]);
  }
}

/* Tells once of an inductor whose flux has no way: a switch or diode has taken that of its
 * current. */
static nsds_status tell_of_jumps(nsds_stepper *s, const nsds_instant *old) {
  const nsds_equations *e = &s->equations;
  if (s->jump_told || s->now.t <= 2.0 * s->settling) return NSDS_OK;
  find_flux_jumps(s, old);
  for (int k = 0; k < e->nstate; ++k) {
    const nsds_element *element = &e->elements->item[e->owner[k]];
    double flux = fabs(s->flux[k]), jump = fabs(s->now.x[k] - old->x[k]),
           part = 1e-3 * s->scales.current;
    if (!nsds_state_is_current(e, k) || jump <= part || flux <= part * element->value) continue;
    if (flux <= 1e3 * s->scales.voltage * s->settling) continue;
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
      "t = %g s: switch %s opens and closes without end, since its control follows it; give its "
      "control a capacitor, or a hysteresis (VH) of at least half the jump of its control; a small "
      "capacitor needs a smaller TMAX",
      s->now.t, element->name);
}

/* ---- one step ---- */

static void take_kernel_stage(nsds_stepper *s, const nsds_adaptive_stage *stage, double begun,
                              nsds_instant *to) {
  nsds_circuit_model_unknowns(&s->kernel, stage, to->z, to->w, to->x, to->rate);
  to->t = to->solved = stage->t;
  to->inside = 0.5 * (begun + stage->t);
}

/* Modes as the kernel has them. */
static void take_kernel_modes(nsds_stepper *s) {
  const nsds_circuit_model *m = &s->kernel;
  for (int k = 0; k < s->modes.count; ++k)
    nsds_modes_set(&s->modes, k, s->now.z[s->equations.branch[s->modes.element[k]]] != 0.0);
  int moved = nsds_simulation_adaptive(m->simulation)->moved;
  if (moved >= 0 && m->mode_of[moved] >= 0 &&
      s->elements->item[s->modes.element[m->mode_of[moved]]].wave < 0)
    s->modes.moved = s->modes.element[m->mode_of[moved]];
}

/* Takes the step that the simulation has just made. */
static nsds_status take_kernel_step(void *user) {
  nsds_stepper *s = user;
  nsds_adaptive_stage stage[2];
  int count = nsds_adaptive_stages(s->kernel.simulation, stage);
  const nsds_adaptive_info *info = nsds_simulation_adaptive(s->kernel.simulation);
  double begun = s->now.t;
  bool jumps = info->settled > s->seen;
  s->seen = info->settled;
  s->jump_length = jumps ? stage[0].t - begun : 0.0;
  s->middle_weight = !jumps && count > 1 ? stage[0].weight : 0.0;
  copy_solution(s, &s->now, &s->trial);
  if (jumps) take_kernel_stage(s, &stage[0], begun, &s->jump);
  else if (count > 1) take_kernel_stage(s, &stage[0], begun, &s->middle);
  take_kernel_stage(s, &stage[count - 1], begun, &s->now);
  s->steps = info->steps;
  take_kernel_modes(s);
  nsds_status status = jumps ? check_progress(s) : NSDS_OK;
  if (!status && jumps) status = tell_of_jumps(s, &s->trial);
  measure_scales(s);
  if (!status) status = nsds_scales_check(&s->scales, &s->equations, s->now.z, s->now.t);
  if (!status && jumps) status = nsds_shorts_check(&s->modes, s->now.z, begun, s->scales.source);
  return status || !s->started ? status : s->owner.step(s->owner.user);
}

nsds_status nsds_stepper_advance(nsds_stepper *s) {
  if (nsds_context_stops(s->context)) return NSDS_STOPPED;
  nsds_status status = nsds_step(s->kernel.simulation);
  return status ? step_failed(s, status) : NSDS_OK;
}

static int stepper_kept(const nsds_stepper *s) {
  return 10 + 2 * s->equations.n + 3 * s->equations.nstate + s->modes.count;
}

static void keep_stepper(void *user, nsds_keeper *k) {
  nsds_stepper *s = user;
  nsds_instant *now = &s->now;
  double *const number[] = {
      &now->t, &now->solved, &now->inside, &s->scales.voltage, &s->scales.current, &s->watched};
  for (size_t n = 0; n < sizeof number / sizeof *number; ++n) nsds_keep_number(k, number[n]);
  nsds_keep_numbers(k, now->z, s->equations.n);
  nsds_keep_numbers(k, now->w, s->equations.n);
  nsds_keep_numbers(k, now->x, s->equations.nstate);
  nsds_keep_numbers(k, now->rate, s->equations.nstate);
  nsds_keep_numbers(k, s->scale, s->equations.nstate);
  nsds_keep_count(k, &s->settled, 0.0, 1e15);
  nsds_keep_count(k, &s->seen, 0.0, 1e15);
  nsds_keep_count(k, &s->steps, 0.0, 1e15);
  nsds_keep_bool(k, &s->jump_told);
  for (int m = 0; m < s->modes.count; ++m) nsds_keep_bool(k, &s->modes.conducts[m]);
  if (s->started) s->owner.keep(s->owner.user, k);
}

/* ---- the start ---- */

static nsds_status choose_lengths(nsds_stepper *s) {
  const nsds_analysis *a = &s->elements->analysis;
  s->scales = nsds_scales_begin(s->elements);
  s->largest = s->scales.longest;
  s->settling = 1e-4 * s->largest;
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
    if (fabs(voltage) > part * fmax(s->scales.source, 1.0)) return element;
  }
  return NULL;
}

static nsds_status start_kernel(nsds_stepper *s) {
  return nsds_circuit_model_start(&s->kernel, s->largest, s->settling, s->locate);
}

/* No operating point: starts from initial values as with uic. */
static nsds_status start_without_rest(nsds_stepper *s, nsds_status status,
                                      const nsds_element *element) {
  char why[120] = "no currents and voltages of rest were found";
  if (status == NSDS_ERROR_VALUE)
    snprintf(why, sizeof why, "a switch opens and closes without end at rest");
  if (element)
    snprintf(why, sizeof why, "nothing bounds the current of %.60s at rest", element->name);
  if (status) nsds_error_clear(s->context);
  for (int k = 0; k < s->equations.n; ++k) s->now.z[k] = 0.0;
  for (int k = 0; k < s->equations.nstate; ++k) s->now.x[k] = 0.0;
  take_initial(s);
  nsds_simulation_destroy(s->kernel.simulation); /* its switches are those of rest */
  s->kernel.simulation = NULL;
  status = nsds_circuit_model_set(&s->kernel, s->now.x);
  if (!status) status = start_kernel(s);
  if (status) return status;
  return nsds_netlist_warn(s->elements->netlist, s->elements->analysis.place,
                           "there is no operating point, since %s; the run starts from initial "
                           "values, zero where none are given, as with uic",
                           why);
}

/* Sources have their values before the start, as in SPICE: a pulse that rises at once finds the
 * circuit at rest below it. */
static nsds_status find_rest(nsds_stepper *s) {
  nsds_status status = nsds_circuit_model_rest(&s->kernel, -1e-9 * s->elements->analysis.end);
  if (status == NSDS_ERROR_SOLVER || status == NSDS_ERROR_NEWTON || status == NSDS_ERROR_SINGULAR ||
      status == NSDS_ERROR_VALUE)
    return start_without_rest(s, status, NULL);
  if (status) return status;
  nsds_circuit_model_start_values(&s->kernel, s->now.z, s->now.x);
  const nsds_element *unbounded = find_unrest(s);
  return unbounded ? start_without_rest(s, NSDS_OK, unbounded) : NSDS_OK;
}

static nsds_status tell_sizes(nsds_stepper *s) {
  nsds_circuit_model *m = &s->kernel;
  measure_scales(s);
  NSDS_MAKE(s->context, m->size, m->nx + 1);
  if (!m->size) return NSDS_ERROR_MEMORY;
  for (int k = 0; k < s->equations.nstate; ++k)
    m->size[nsds_circuit_model_state(m, k)] =
        nsds_scales_state(&s->scales, &s->equations, k, s->scale[k]);
  return nsds_adaptive_set_size(m->simulation, NULL); /* asks for the scales again */
}

nsds_status nsds_stepper_make(nsds_stepper *s, nsds_context *context, const nsds_elements *elements,
                              const bool *reference, const nsds_circuit_owner *owner) {
  *s = (nsds_stepper){.context = context, .elements = elements, .owner = *owner};
  bool initial = elements->analysis.from_initial;
  nsds_status status = make_arrays(s, reference);
  if (!status) status = choose_lengths(s);
  if (status) return status;
  if (initial) take_initial(s);
  status = nsds_circuit_model_make(
      &s->kernel,
      &(nsds_circuit_start){
          .context = s->context, .modes = &s->modes, .z = s->now.z, .state = s->now.x},
      &(nsds_circuit_owner){.step = take_kernel_step,
                            .keep = keep_stepper,
                            .nkept = stepper_kept(s) + owner->nkept,
                            .user = s});
  if (!status) status = start_kernel(s);
  if (!status && !initial) status = find_rest(s);
  if (!status) status = tell_sizes(s);
  if (!status) status = nsds_stepper_advance(s);
  s->started = !status;
  return status;
}
