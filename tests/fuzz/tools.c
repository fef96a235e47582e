/* Calls on models, contexts and plugins, and those that need no object. */
#include "calls.h"
#include "own_types.h"

#include <math.h>
#include <string.h>

/* Anew; the old model is destroyed where nothing of it is at work. */
nsds_status call_model(scene *s) {
  int k = (int)(s - fuzz.scenes);
  nsds_error_clear(s->context);
  bool own_context = s->context != fuzz.context;
  if (fuzz.depth > 0 && (own_context || fuzz.in_hook)) {
    nsds_model *model = MAKE(nsds_model_create, fuzz.context);
    DO(nsds_model_destroy, model);
    return NSDS_OK;
  }
  DO(nsds_model_destroy, s->model);
  nsds_status status = own_context ? NSDS_OK : CALL(nsds_error, s->context);
  if (status && fuzz.depth == 0) finding("not destroyed: %s", nsds_error_message(s->context));
  disarm(); /* a scene without a model is none */
  if (!status) scene_create(k);
  return status;
}

/* There and back. */
static nsds_status exchange_log(scene *s) {
  nsds_log_fn log = NULL;
  void *user = NULL;
  nsds_status status =
      CALL(nsds_context_swap_log, s->context, odd(10) ? NULL : &log, odd(10) ? NULL : &user);
  return status ? status : CALL(nsds_context_swap_log, s->context, &log, &user);
}

nsds_status call_context(scene *s) {
  switch (pick(7)) {
  case 5: return exchange_log(s);
  case 0:
    return CALL(nsds_context_set_threads, odd(3) ? NULL : s->context,
                odd(10) ? (int)pick(2) - 1 : 1 + (int)pick(3));
  case 1: return READ(nsds_context_threads, s->context), NSDS_OK;
  case 2: /* refused, as there are models in it */
    DO(nsds_context_destroy, fuzz.context);
    return NSDS_OK;
  case 3:
    return CALL(nsds_solver_register, s->context,
                odd(20) ? NULL : &own_solvers[odd(30) ? pick(OWN_SOLVERS) : 0]);
  case 4: {
    const nsds_solver_row *row = MAKE(nsds_solver_registered, s->context, odd(20) ? number(0) : 0);
    if (row && !row->name) finding("a solver without a name");
    return NSDS_OK;
  }
  default: {
    nsds_context *context = MAKE(nsds_context_create, NULL);
    CALL(nsds_report, context, NSDS_ERROR_STATE, "%s %d", "a report", 7);
    MAKE(nsds_error_message, context);
    MAKE(nsds_last_message, context);
    DO(nsds_error_clear, context);
    DO(nsds_context_destroy, context);
    MAKE(nsds_error_message, NULL);
    return NSDS_OK;
  }
  }
}

static nsds_status compress(void) {
  nsds_triplet triplets[4] = {{0, 0, 1.0}, {1, 1, 2.0}, {0, 1, 3.0}, {0, 0, 1.0}};
  if (odd(20)) triplets[pick(4)].row = number(1);
  if (odd(20)) triplets[pick(4)].col = number(1);
  int p[3], i[4];
  double x[4];
  nsds_csc matrix;
  int count = odd(20) ? (int)pick(5) - 1 : 4;
  return CALL(nsds_triplets_to_csc, 2, 2, count, triplets, p, i, x, &matrix);
}

nsds_status call_texts(scene *s) {
  (void)s;
  int k = odd(50) ? number(0) : (int)pick(12);
  MAKE(nsds_status_text, (nsds_status)(-(long)k));
  MAKE(nsds_outcome_text, (nsds_outcome)k);
  MAKE(nsds_kind_text, (nsds_kind)k);
  MAKE(nsds_format_text, (nsds_format)k);
  MAKE(nsds_solver_table, k);
  noted_pointer(F_nsds_version, nsds_version());
  double rows[6] = {0}, columns[6];
  MAKE(nsds_by_rows, 2, 3, rows, columns);
  nsds_arguments in = {.nq = 1, .q = rows};
  READ(nsds_zero, &in, columns, NULL);
  READ(nsds_differences, &in, columns, NULL);
  return compress();
}

nsds_status call_plugin(scene *s) {
  nsds_model *model = model_argument(&s);
  static const char *const files[] = {
      "every_kind", "laws_and_solvers", "wrong_abi", "no_table", "text", "absent"};
  char path[512] = FUZZ_PLUGINS "/";
  strcat(strcat(path, files[chance(60) ? pick(2) : pick(6)]), ".so");
  if (!s->plugin || chance(30)) {
    nsds_plugin *plugin = MAKE(nsds_plugin_open, model, odd(5) ? NULL : path);
    if (plugin && model) s->plugin = plugin;
    return made(plugin);
  }
  if (chance(30)) return CALL(nsds_plugin_solver, s->plugin, odd(10) ? NULL : "plugin_sweeps");
  if (chance(40)) {
    int nz = number(2);
    nsds_law *law =
        MAKE(nsds_plugin_law, s->plugin, odd(10) ? "absent" : "clutch", nz, array(nz, 0.0, 1.0));
    keep(s, LAWS, (thing){.object = law, .ny = 1, .order = 2});
    return made(law);
  }
  nsds_kind kind = (nsds_kind)number(1 + (int)pick(NSDS_KIND_JAC_CONTROL_MAP_Q));
  nsds_operator function =
      nsds_plugin_get(odd(5) ? NULL : s->plugin, odd(10) ? "absent" : nsds_kind_text(kind), kind);
  noted_number(F_nsds_plugin_get, function ? 0.0 : NAN);
  if (!function || kind != NSDS_KIND_FEXT) return NSDS_OK;
  nsds_lagrangian_linear_def def = {.ndof = 1, .mass = (double[]){1.0}, .fext_fn = function};
  nsds_ds *ds = MAKE(nsds_lagrangian_linear, s->model, &def);
  keep(s, SYSTEMS, (thing){.object = ds, .order = 2, .n = 1});
  return made(ds);
}
