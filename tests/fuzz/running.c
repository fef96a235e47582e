/* Calls that advance simulations, as a whole and by stages; saved states and snapshots. */
#include "calls.h"

#include <math.h>
#include <string.h>

enum { FEW_STEPS = 20 };

nsds_status call_step(scene *s) { return CALL(nsds_step, argument(s, SIMULATIONS)); }

/* To an end that is a few steps away; how long they are, one step shows. */
nsds_status call_run(scene *s) {
  nsds_simulation *simulation = argument(s, SIMULATIONS);
  if (!simulation) return CALL(nsds_run, simulation);
  nsds_status status = CALL(nsds_step, simulation);
  if (status) return status;
  double time = nsds_time(simulation), h = nsds_simulation_info(simulation)->h;
  status = CALL(nsds_simulation_set_end, simulation, time + h * (1 + (int)pick(FEW_STEPS)));
  if (!status) status = CALL(nsds_run, simulation);
  fuzz.changed = true; /* by the step */
  return status;
}

static nsds_status take(nsds_simulation *simulation) {
  const nsds_problem *problem = MAKE(nsds_simulation_problem, simulation);
  double *z = array(problem ? problem->n : 1, 0.0, 1.0);
  const nsds_problem *impact = MAKE(nsds_event_impact_problem, simulation);
  const double *impulse = MAKE(nsds_event_impact_solution, simulation);
  if (!impact != !impulse) finding("an impact has a problem or a solution alone");
  const nsds_problem *force = MAKE(nsds_event_force_problem, simulation);
  const double *forces = MAKE(nsds_event_force_solution, simulation);
  if (!force != !forces) finding("forces have a problem or a solution alone");
  const double *solution = MAKE(nsds_simulation_solution, simulation);
  return CALL(nsds_step_take, simulation, odd(3) ? NULL : chance(50) && solution ? solution : z);
}

/* Between the halves of an event the time is that of the event. */
static nsds_status reject(nsds_simulation *simulation) {
  nsds_status status = CALL(nsds_step_reject, simulation);
  if (!status) fuzz.rewound = true;
  return status;
}

nsds_status call_stage(scene *s) {
  nsds_simulation *simulation = argument(s, SIMULATIONS);
  switch (pick(8)) {
  case 0: return CALL(nsds_step_solve, simulation);
  case 1: return take(simulation);
  case 2: return CALL(nsds_step_update, simulation);
  case 3: return CALL(nsds_step_accept, simulation);
  case 4:
  case 5: return reject(simulation);
  default: return CALL(nsds_step_begin, simulation);
  }
}

/* All of them, in their order. */
nsds_status call_stages(scene *s) {
  nsds_simulation *simulation = argument(s, SIMULATIONS);
  nsds_status status = CALL(nsds_step_begin, simulation);
  if (status) return status;
  int most = 60;
  do {
    status = CALL(nsds_step_solve, simulation);
    if (!status) status = CALL(nsds_step_update, simulation);
  } while (status == NSDS_AGAIN && --most);
  if (!status) status = CALL(nsds_step_accept, simulation);
  if (status) CALL(nsds_step_reject, simulation);
  return status;
}

nsds_status call_event_half(scene *s) {
  nsds_simulation *simulation = argument(s, SIMULATIONS);
  READ(nsds_event_next, simulation);
  if (chance(30)) return CALL(nsds_event_process, simulation);
  bool ahead = READ(nsds_event_ahead, simulation) != 0.0;
  nsds_status status = CALL(nsds_event_meet, simulation);
  if (!ahead && status == NSDS_OK) finding("an event is met where none is ahead");
  if (status || chance(20)) return status;
  check_before(); /* the other half fails back to the state before the event */
  return CALL(nsds_event_process, simulation);
}

nsds_status call_window(scene *s) {
  nsds_simulation *simulation = argument(s, SIMULATIONS);
  double length = real(1e-3, 0.1);
  return CALL(nsds_event_window, simulation, length, odd(5) ? (int)pick(3) - 2 : 1 + (int)pick(20));
}

nsds_status call_save(scene *s) { return CALL(nsds_simulation_save, argument(s, SIMULATIONS)); }

nsds_status call_restore(scene *s) {
  nsds_status status = CALL(nsds_simulation_restore, argument(s, SIMULATIONS));
  if (!status) fuzz.rewound = true;
  return status;
}

static const char *choose_path(void) {
  if (odd(5)) return chance(30) ? NULL : chance(50) ? "no_folder/x.nsds" : ".";
  return world_path(chance(20) ? "other.nsds" : "nsds");
}

/* A table of one column, which is read back by no one. */
nsds_status call_table(scene *s) {
  (void)s;
  char text[32];
  static const char *const words[2] = {"a", "b"};
  const double x[2] = {odd(5) ? odd_real() : 0.5, 1.0};
  nsds_table_column column = {.name = odd(5) ? NULL : "a/b", .unit = odd(50) ? NULL : "m"};
  if (chance(70)) column.x = x;
  else column.text = words;
  const nsds_table_note note = {.name = odd(5) ? NULL : "seed", .number = 3};
  nsds_table_def def = {.nrows = odd(5) ? number(0) : (long)pick(3),
                        .ncolumns = 1,
                        .columns = odd(5) ? NULL : &column,
                        .nnotes = (int)pick(2),
                        .notes = odd(5) ? NULL : &note};
  if (def.nrows > 2) def.nrows = 2;
  if (odd(3)) def.reserved[pick(NSDS_RESERVED)] = 1;
  READ(nsds_number_text, x[0], text, sizeof text);
  return CALL(nsds_table_write, fuzz.context, odd(3) ? NULL : &def,
              odd(5) ? choose_path() : world_path("h5"));
}

/* A series of a frame or two; its files have the endings that world.c removes. */
nsds_status call_vtk(scene *s) {
  nsds_vtk_def def = {.path = odd(5) ? choose_path() : world_path("vtk"),
                      .sphere_level = odd(5) ? number(0) : (int)pick(3)};
  if (odd(3)) def.reserved[pick(NSDS_RESERVED)] = 1;
  nsds_vtk *series = MAKE(nsds_vtk_create, fuzz.context, odd(3) ? NULL : &def);
  nsds_model *model = model_argument(&s);
  nsds_status status = NSDS_OK;
  for (unsigned k = 1 + pick(2); k > 0 && !status; --k)
    status = CALL(nsds_write_vtk, series, odd(3) ? NULL : model, odd(5) ? odd_real() : 0.5);
  DO(nsds_vtk_destroy, series);
  return status;
}

nsds_status call_snapshot_save(scene *s) {
  nsds_simulation *simulation = argument(s, SIMULATIONS);
  return CALL(nsds_snapshot_save, simulation, choose_path());
}

nsds_status call_snapshot_load(scene *s) {
  nsds_simulation *simulation = argument(s, SIMULATIONS);
  nsds_status status = CALL(nsds_snapshot_load, simulation, choose_path());
  if (!status) fuzz.rewound = true;
  return status;
}

/* Bytes of a snapshot as they are, cut short or with one of them changed: all but the first copy must be
 * refused, or restore a sound state. */
static nsds_snapshot *snapshot_again(nsds_context *context, const nsds_snapshot *snapshot) {
  size_t size = 0;
  const void *bytes = MAKE(nsds_snapshot_bytes, snapshot, odd(3) ? NULL : &size);
  if (!bytes || size == 0) return NULL;
  unsigned char *copy = brief(size, 1);
  if (!copy) return NULL;
  memcpy(copy, bytes, size);
  if (odd(20)) copy[pick((unsigned)size)] ^= (unsigned char)(1 + pick(255));
  if (odd(10)) size = pick((unsigned)size);
  return MAKE(nsds_snapshot_from_bytes, context, odd(2) ? NULL : copy, size);
}

nsds_status call_snapshot_memory(scene *s) {
  nsds_simulation *simulation = argument(s, SIMULATIONS);
  nsds_snapshot *first = MAKE(nsds_snapshot_take, simulation), *second = NULL;
  if (first) second = snapshot_again(s->context, first);
  for (unsigned k = pick(3); first && k > 0; --k) nsds_step(simulation);
  nsds_simulation *to = chance(80) ? simulation : argument(s, SIMULATIONS);
  nsds_status status = CALL(nsds_snapshot_restore, to, chance(50) && second ? second : first);
  fuzz.rewound = true;
  fuzz.changed = true; /* by the steps between */
  DO(nsds_snapshot_destroy, first);
  DO(nsds_snapshot_destroy, second);
  return status;
}

nsds_status call_snapshot_every(scene *s) {
  nsds_simulation *simulation = argument(s, SIMULATIONS);
  nsds_snapshot_every_def def = {.path = choose_path(),
                                 .seconds = chance(50) ? real(0.01, 0.1) : 0.0};
  def.steps = chance(50) ? (long)pick(10) - (odd(5) ? 5 : 0) : 0;
  return CALL(nsds_snapshot_every, simulation, chance(20) ? NULL : &def);
}
