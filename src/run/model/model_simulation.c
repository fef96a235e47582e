/*
 * The simulation of a model file, see model_simulation.h. The keys of the driver fill its
 * definition. The solver is named; it may come from a plugin, which is opened first.
 */
#include "run/model/model_simulation.h"

#include "run/model/model_schemes.h"

#include <math.h>
#include <string.h>

static nsds_verdict take_answer(nsds_simulation *simulation, const nsds_solver_info *info,
                                void *user) {
  (void)simulation, (void)info, (void)user;
  return NSDS_ACCEPT;
}

/* Returns the number of a key, or 0 for the library's default. */
static double number_or_zero(const nsds_entry *e, const char *key) {
  return nsds_entry_has(e, key) ? nsds_entry_number(e, key) : 0.0;
}

static int integer_or_zero(const nsds_entry *e, const char *key) {
  return nsds_entry_has(e, key) ? nsds_entry_integer(e, key) : 0;
}

/* The name of the solver; NULL: the default, or a failure. */
static const char *take_solver(const nsds_entry *e) {
  const char *name = nsds_entry_text(e, "solver");
  nsds_model_file *file = e->file;
  if (nsds_entry_has(e, "solver_plugin")) {
    const nsds_yaml *place = nsds_entry_place(e, "solver_plugin");
    if (!nsds_file_may_open(file, place)) return NULL;
    const char *path = nsds_file_path(file, nsds_entry_text(e, "solver_plugin"));
    nsds_plugin *plugin = path ? nsds_plugin_open(file->model, path) : NULL;
    if (plugin) nsds_plugin_solver(plugin, name);
    if (nsds_file_call_failed(file, place)) return NULL;
  }
  return strcmp(name, "auto") == 0 ? NULL : name;
}

static void take_newton(const nsds_entry *e, nsds_newton_def *newton) {
  nsds_entry n = nsds_entry_object(e, "newton");
  *newton = (nsds_newton_def){.residual = number_or_zero(&n, "residual"),
                              .increment = number_or_zero(&n, "increment"),
                              .max_iterations = integer_or_zero(&n, "max_iterations"),
                              .accept = nsds_entry_truth(&n, "accept")};
}

static void take_projection(const nsds_entry *e, nsds_projection_def *projection) {
  nsds_entry p = nsds_entry_object(e, "projection");
  *projection = (nsds_projection_def){.kind = (nsds_projection_kind)nsds_entry_word(&p, "kind"),
                                      .metric = (nsds_metric)nsds_entry_word(&p, "metric"),
                                      .tolerance = number_or_zero(&p, "tolerance"),
                                      .max_iterations = integer_or_zero(&p, "max_iterations"),
                                      .activation = number_or_zero(&p, "activation"),
                                      .settles = nsds_entry_truth(&p, "settles")};
}

/* Returns a count: 0 means never, and the schema has the default. */
static int count_or_never(const nsds_entry *e, const char *key) {
  if (!nsds_entry_has(e, key)) return 0;
  int count = nsds_entry_integer(e, key);
  return count == 0 ? -1 : count;
}

static nsds_simulation *make_time_stepping(const nsds_entry *e) {
  nsds_time_stepping_def def = {.t0 = nsds_entry_number(e, "t0"),
                                .t1 = nsds_entry_number(e, "t1"),
                                .h = nsds_entry_number(e, "h"),
                                .tolerance = nsds_entry_number(e, "tolerance")};
  def.first_order = nsds_scheme_read(e, "first_order");
  def.second_order = nsds_scheme_read(e, "second_order");
  if (nsds_entry_has(e, "activation")) {
    nsds_entry a = nsds_entry_object(e, "activation");
    def.activation = nsds_activation(nsds_entry_number(&a, "gamma_prediction"),
                                     nsds_entry_number(&a, "tolerance"));
  }
  def.contacts_at_start = nsds_entry_truth(e, "contacts_at_start");
  def.update_prediction = nsds_entry_truth(e, "update_prediction");
  take_newton(e, &def.newton);
  take_projection(e, &def.projection);
  def.max_halvings = count_or_never(e, "max_halvings");
  def.overlap_sweeps = count_or_never(e, "overlap_sweeps");
  def.coordinates = (nsds_coordinates)nsds_entry_word(e, "coordinates");
  def.solver = take_solver(e);
  if (nsds_entry_truth(e, "accept_unsolved")) def.check_solver = take_answer;
  return nsds_file_is_sound(e->file) ? nsds_time_stepping(e->file->model, &def) : NULL;
}

static nsds_simulation *make_event_driven(const nsds_entry *e) {
  static const char *const integrators[] = {"auto", "dormand_prince", "esdirk", "arkode", "cvode"};
  nsds_event_driven_def def = {.t0 = nsds_entry_number(e, "t0"),
                               .t1 = nsds_entry_number(e, "t1"),
                               .tolerance = nsds_entry_number(e, "tolerance")};
  def.output_period = number_or_zero(e, "output_period");
  def.integrator = integrators[nsds_entry_word(e, "integrator")];
  def.relative_tolerance = nsds_entry_number(e, "relative_tolerance");
  def.absolute_tolerance = nsds_entry_number(e, "absolute_tolerance");
  def.largest_step = number_or_zero(e, "largest_step");
  def.root_tolerance = number_or_zero(e, "root_tolerance");
  def.root_panels = nsds_entry_integer(e, "root_panels");
  def.accumulation = nsds_entry_number(e, "accumulation");
  if (def.accumulation == 0.0) def.accumulation = NSDS_ACCUMULATE_NEVER;
  def.max_events = nsds_entry_integer(e, "max_events");
  def.window = number_or_zero(e, "window");
  def.window_steps = nsds_entry_integer(e, "window_steps");
  def.max_steps = nsds_entry_integer(e, "max_steps");
  def.solver = take_solver(e);
  return nsds_file_is_sound(e->file) ? nsds_event_driven(e->file->model, &def) : NULL;
}

static bool set_solver_options(const nsds_entry *e) {
  const nsds_yaml *options = nsds_entry_node(e, "solver_options");
  nsds_model_file *file = e->file;
  if (options && options->kind != NSDS_YAML_MAP)
    return nsds_file_fail(file, options,
                          "solver_options is a list; valid is a map of names to numbers") != NULL;
  for (int k = 0; options && k < options->count; ++k) {
    double value;
    if (!nsds_file_constant(file, options->item[k], &value)) return false;
    nsds_solver_set(nsds_simulation_solver(file->simulation), options->key[k]->text, value);
    if (nsds_file_call_failed(file, options->key[k])) return false;
  }
  return true;
}

bool nsds_simulation_make(const nsds_entry *root) {
  nsds_entry e = nsds_entry_object(root, "simulation");
  nsds_model_file *file = root->file;
  file->simulation =
      strcmp(e.schema->type, "time_stepping") == 0 ? make_time_stepping(&e) : make_event_driven(&e);
  return !nsds_file_call_failed(file, e.node) && file->simulation && set_solver_options(&e);
}
