/* Calls that make simulations, and what samplers, events and check_solver do. */
#include "calls.h"

#include <math.h>

enum {
  MOST_EVENTS = 200,
  MOST_INTEGRATION_STEPS = 500,
  MOST_PANELS = 64,
  FEW_EVENTS = 20,
  FEW_INTEGRATION_STEPS = 200,
  FEW_HALVINGS = 1,
  FEW_NEWTON_ITERATIONS = 4,
  MOST_NEWTON_ITERATIONS = 1000 /* any int is allowed */
};

static nsds_verdict check_solver(nsds_simulation *simulation, const nsds_solver_info *info,
                                 void *user) {
  (void)user;
  if (!info) finding("check_solver without a report");
  int fault = misbehave(NULL, 0);
  if (fault == 1) return NSDS_STOP;
  if (fault == 2) return NSDS_ACCEPT;
  if (fault == 3) {
    CALL(nsds_simulation_set_solver, simulation, chance(50) ? "nsgs" : "auto", 0.0);
    return NSDS_RETRY;
  }
  return fault < 0 ? (nsds_verdict)9 : NSDS_CONTINUE;
}

static const char *choose_solver(void) {
  static const char *const names[] = {"auto",  "nsgs",        "lemke",       "newton", "direct",
                                      "pgs",   "own sweeps",  "enumeration", "psor",   "admm",
                                      "latin", "fixed_point", "projection"};
  if (odd(5)) return "no such";
  if (chance(50)) {
    int rows = 0;
    while (nsds_solver_table(rows) && !nsds_solver_table(rows)->global) ++rows;
    return nsds_solver_table((int)pick((unsigned)rows))->name;
  }
  return names[pick(sizeof names / sizeof *names)];
}

static void bound_iterations(nsds_simulation *simulation) {
  nsds_solver *solver = MAKE(nsds_simulation_solver, simulation);
  if (nsds_solver_get_row(solver)) few_iterations(solver, odd(5));
}

static nsds_status simulation_kept(scene *s, nsds_simulation *simulation) {
  bound_iterations(simulation);
  keep(s, SIMULATIONS, (thing){.object = simulation});
  return made(simulation);
}

/* How many there are of a scene; each costs in every check. */
static bool enough_simulations(scene *s) {
  int count = 0;
  for (int i = 0; i < SLOTS; ++i) count += s->things[SIMULATIONS][i].object != NULL;
  return count >= 3;
}

static void choose_newton(nsds_time_stepping_def *def) {
  if (chance(15)) def->newton.residual = real(1e-12, 1e-6);
  if (chance(15)) def->newton.increment = chance(50) ? HUGE_VAL : real(1e-12, 1e-6);
  if (chance(20)) def->newton.max_iterations = number(1 + (int)pick(10));
  def->newton.accept = chance(20);
  if (chance(40)) def->max_halvings = odd(2) ? number(5) : (int)pick(4) - 1;
}

/* Most of the time goes into the few steps that are made in very many pieces or iterations. */
static void bound_pieces(nsds_time_stepping_def *def) {
  if (def->newton.max_iterations > MOST_NEWTON_ITERATIONS)
    def->newton.max_iterations = MOST_NEWTON_ITERATIONS;
  if (chance(4)) return;
  if (def->max_halvings == 0 || def->max_halvings > FEW_HALVINGS) def->max_halvings = FEW_HALVINGS;
  if (def->newton.max_iterations == 0) def->newton.max_iterations = FEW_NEWTON_ITERATIONS;
}

static void bound_integration(nsds_event_driven_def *def) {
  if (chance(10)) return;
  if (def->max_events > FEW_EVENTS) def->max_events = FEW_EVENTS;
  if (def->max_steps > FEW_INTEGRATION_STEPS) def->max_steps = FEW_INTEGRATION_STEPS;
}

static void choose_projection(nsds_projection_def *def) {
  if (!chance(35)) return;
  def->kind = (nsds_projection_kind)number(1 + (int)pick(2));
  def->metric = (nsds_metric)pick(2);
  if (chance(20)) def->tolerance = real(1e-12, 1e-6);
  if (chance(20)) def->max_iterations = number(1 + (int)pick(5));
  if (chance(20)) def->activation = real(0.0, 1e-3);
}

static double choose_t0(void) { return chance(80) ? 0.0 : real(-1.0, 5.0); }

nsds_status call_time_stepping(scene *s) {
  nsds_model *model = model_argument(&s);
  if (enough_simulations(s)) return NSDS_OK;
  nsds_time_stepping_def def = {.t0 = choose_t0(), .h = real(1e-3, 5e-2)};
  def.t1 = def.t0 + (odd(3) ? odd_real() : even(0.01, 5.0));
  if (chance(60)) def.first_order = choose_scheme(1, false);
  if (chance(60)) def.second_order = choose_scheme(2, false);
  def.update_prediction = chance(15);
  if (chance(15)) {
    def.activation = nsds_activation(real(0.0, 1.0), real(0.0, 1e-8));
    noted_call(F_nsds_activation);
  }
  choose_newton(&def);
  choose_projection(&def.projection);
  if (chance(40)) def.solver = choose_solver();
  if (chance(20)) def.tolerance = real(1e-12, 1e-4);
  if (chance(50)) def.check_solver = check_solver;
  bound_pieces(&def);
  if (chance(30)) def.coordinates = (nsds_coordinates)number(1);
  return simulation_kept(s, MAKE(nsds_time_stepping, model, odd(1) ? NULL : &def));
}

nsds_status call_event_driven(scene *s) {
  nsds_model *model = model_argument(&s);
  if (enough_simulations(s)) return NSDS_OK;
  nsds_event_driven_def def = {
      .t0 = choose_t0(), .max_events = MOST_EVENTS, .max_steps = MOST_INTEGRATION_STEPS};
  def.t1 = def.t0 + (odd(3) ? odd_real() : even(0.01, 5.0));
  if (chance(70)) def.output_period = real(1e-2, 0.1);
  static const char *const methods[] = {"auto",   "dormand_prince", "esdirk",
                                        "arkode", "cvode",          "no such"};
  if (chance(30)) def.integrator = methods[odd(10) ? 5 : pick(5)];
  if (chance(30)) def.relative_tolerance = real(1e-10, 1e-4);
  if (chance(30)) def.absolute_tolerance = real(1e-12, 1e-6);
  if (chance(15)) def.largest_step = real(1e-3, 0.1);
  if (chance(15)) def.root_tolerance = real(1e-14, 1e-6);
  if (chance(15)) def.root_panels = number(1 + (int)pick(4));
  if (chance(15)) def.accumulation = real(1e-9, 1e-3);
  if (chance(15)) def.max_events = number(1 + (int)pick(20));
  if (chance(25)) def.window = real(1e-3, 0.1);
  if (chance(30)) def.coordinates = (nsds_coordinates)number(1);
  if (chance(25)) def.window_steps = number(1 + (int)pick(20));
  if (chance(20)) def.max_steps = 1 + (long)pick(100);
  if (def.max_events > MOST_EVENTS) def.max_events = MOST_EVENTS;
  if (def.root_panels > MOST_PANELS) def.root_panels = MOST_PANELS;
  if (chance(40)) def.solver = choose_solver();
  if (chance(20)) def.tolerance = real(1e-12, 1e-6);
  bound_integration(&def);
  return simulation_kept(s, MAKE(nsds_event_driven, model, odd(1) ? NULL : &def));
}

static double next_corner(double t, void *user) {
  const double *period = user;
  int fault = misbehave(NULL, 0);
  if (fault < 0) return fault == -1 ? NAN : t - 1.0;
  return *period > 0.0 ? (floor(t / *period) + 1.0) * *period : HUGE_VAL;
}

static double switch_margin(const nsds_adaptive_view *at, int k, bool on, void *user) {
  (void)user;
  if (!at || !at->lambda) finding("a margin without a view");
  if (misbehave(NULL, 0) < 0) return NAN;
  double middle = at->lambda[0] + sin(3.0 * at->t + k);
  return on ? 0.5 - middle : middle + 0.5;
}

nsds_status call_adaptive(scene *s) {
  static const double periods[] = {0.0, 0.1, 0.37};
  nsds_model *model = model_argument(&s);
  if (enough_simulations(s)) return NSDS_OK;
  nsds_adaptive_def def = {.t0 = choose_t0(), .user = (void *)(uintptr_t)&periods[pick(3)]};
  def.t1 = def.t0 + (odd(3) ? odd_real() : even(0.01, 5.0));
  if (chance(50)) def.output_period = real(1e-2, 0.1);
  if (chance(70)) def.largest_step = real(1e-3, 0.1);
  if (chance(40)) def.tolerance = chance(20) ? NSDS_EQUAL_STEPS : real(1e-8, 1e-2);
  if (chance(15)) def.settling = real(1e-7, 1e-4);
  if (chance(30)) def.next_corner = next_corner;
  nsds_interaction *switched[2] = {argument(s, INTERACTIONS), argument(s, INTERACTIONS)};
  const double low[2] = {-real(0.0, 1.0), 0.0}, high[2] = {real(0.0, 1.0), real(0.0, 1.0)};
  if (switched[0] && switched[1] && chance(40)) {
    def.nswitch = number(1 + (int)pick(2));
    if (def.nswitch > 2) def.nswitch = 2;
    def.switched = switched;
    if (chance(95)) def.margin = switch_margin;
    if (chance(30)) def.off_lower = low;
    if (chance(30)) def.off_upper = high;
  }
  def.by_laws = chance(15);
  if (chance(40)) def.solver = choose_solver();
  if (chance(20)) def.solver_tolerance = real(1e-12, 1e-6);
  return simulation_kept(s, MAKE(nsds_adaptive, model, odd(1) ? NULL : &def));
}

nsds_status call_simulation_destroy(scene *s) {
  nsds_simulation *simulation = argument(s, SIMULATIONS);
  if (!simulation) return DO(nsds_simulation_destroy, simulation), NSDS_OK;
  scene *of = owner(s, SIMULATIONS, simulation);
  nsds_error_clear(of->context);
  /* within a hook nothing is cleared and nothing destroyed */
  if (fuzz.in_hook) return NSDS_OK;
  DO(nsds_simulation_destroy, simulation);
  nsds_status status = CALL(nsds_error, of->context);
  if (!status) forget(of, SIMULATIONS, simulation);
  return status;
}

/* ---- what happens at given times ---- */

static int sampled(nsds_simulation *simulation, void *user) {
  (void)user;
  int fault = misbehave(NULL, 0);
  if (fault) fuzz.changed = true;
  if (nsds_time(simulation) != nsds_time(simulation)) finding("a sample at no time");
  return fault;
}

static int happened(nsds_simulation *simulation, void *user) {
  int fault = sampled(simulation, NULL);
  if (!fault && user) {
    fuzz.changed = true;
    run_inside();
  }
  return fault;
}

nsds_status call_sample(scene *s) {
  nsds_simulation *simulation = argument(s, SIMULATIONS);
  nsds_sampler_def def = {.name = name(),
                          .period = real(0.01, 0.1),
                          .phase = chance(30) ? real(0.0, 0.1) : 0.0,
                          .sample = odd(2) ? NULL : sampled};
  return CALL(nsds_simulation_sample, simulation, odd(2) ? NULL : &def);
}

nsds_status call_at(scene *s) {
  nsds_simulation *simulation = argument(s, SIMULATIONS);
  static int acts;
  double time = simulation ? nsds_time(simulation) : 0.0;
  nsds_event_def def = {.name = name(),
                        .time = time + (chance(20) ? 0.0 : real(0.0, 0.2)),
                        .call = odd(2) ? NULL : happened,
                        .user = chance(60) ? &acts : NULL};
  return CALL(nsds_simulation_at, simulation, odd(2) ? NULL : &def);
}

nsds_status call_set_h(scene *s) {
  nsds_simulation *simulation = argument(s, SIMULATIONS);
  return CALL(nsds_simulation_set_h, simulation, real(1e-3, 5e-2));
}

/* Not so far that a run takes long. */
nsds_status call_set_end(scene *s) {
  nsds_simulation *simulation = argument(s, SIMULATIONS);
  double time = simulation ? nsds_time(simulation) : 0.0;
  return CALL(nsds_simulation_set_end, simulation, time + (odd(3) ? odd_real() : even(0.0, 2.0)));
}

nsds_status call_set_solver(scene *s) {
  nsds_simulation *simulation = argument(s, SIMULATIONS);
  nsds_status status = CALL(nsds_simulation_set_solver, simulation, odd(3) ? NULL : choose_solver(),
                            chance(30) ? real(1e-12, 1e-6) : 0.0);
  bound_iterations(simulation);
  nsds_solver *solver = nsds_simulation_solver(simulation);
  if (solver && chance(20)) {
    CALL(nsds_solver_set, solver, "max_iterations", (double)number(3));
    few_iterations(solver, false);
  }
  return status;
}
