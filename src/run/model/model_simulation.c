/*
 * The simulation of a model file, see model_simulation.h. The rows of the driver fill its
 * definition. The solver is named; it may come from a plugin, which is opened first.
 */
#include "run/model/model_simulation.h"

#include "run/model/model_define.h"

#include <math.h>
#include <string.h>

static nsds_verdict take_answer(nsds_simulation *simulation, const nsds_solver_info *info,
                                void *user) {
  (void)simulation, (void)info, (void)user;
  return NSDS_ACCEPT;
}

/* Opens the plugin that has the solver. */
static void open_solver(const nsds_entry *e) {
  nsds_model_file *file = e->file;
  const nsds_yaml *place = nsds_entry_place(e, "solver_plugin");
  if (!nsds_entry_has(e, "solver_plugin") || !nsds_file_may_open(file, place)) return;
  const char *path = nsds_file_path(file, nsds_entry_text(e, "solver_plugin"));
  nsds_plugin *plugin = path ? nsds_plugin_open(file->model, path) : NULL;
  if (plugin) nsds_plugin_solver(plugin, nsds_entry_text(e, "solver"));
  nsds_file_call_failed(file, place);
}

/* Sets the members of time stepping that have no rows. */
static void finish_time_stepping(const nsds_entry *e, nsds_time_stepping_def *def) {
  def->activation.given = nsds_entry_has(e, "activation");
  if (nsds_entry_truth(e, "accept_unsolved")) def->check_solver = take_answer;
}

static nsds_simulation *make_simulation(const nsds_entry *e) {
  double def[nsds_definition_bytes / sizeof(double)] = {0.0};
  nsds_entry_define(e, 3, def);
  if (strcmp(e->schema->type, "time_stepping") == 0)
    finish_time_stepping(e, (nsds_time_stepping_def *)(void *)def);
  open_solver(e);
  return nsds_file_is_sound(e->file) ? e->schema->make(e->file->model, def) : NULL;
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
  file->simulation = make_simulation(&e);
  return !nsds_file_call_failed(file, e.node) && file->simulation && set_solver_options(&e);
}
