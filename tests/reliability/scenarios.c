/*
 * The table of all scenarios; those made of the scenes of the golden tables, which are told with
 * fewer steps; what is asked of every model in the end.
 */
#include "scenarios.h"

#include <string.h>

const scenario *scenario_at(int k) {
  const scenario *const tables[] = {scenarios_stored,   scenarios_stepping, scenarios_events,
                                    scenarios_contacts, scenarios_own,      scenarios_numerics,
                                    scenarios_jobs};
  for (size_t t = 0; t < sizeof tables / sizeof *tables; ++t)
    for (const scenario *row = tables[t]; row->name; ++row)
      if (k-- == 0) return row;
  return NULL;
}

/* Evaluations, after which the run goes on. */
static nsds_status ask_energy(nsds_model *model) {
  for (int k = 0; k < nsds_ds_count(model); ++k)
    if (nsds_nv(nsds_ds_at(model, k)) > 0 && isnan(nsds_kinetic_energy(nsds_ds_at(model, k))))
      return nsds_error(nsds_model_context(model));
  return NSDS_OK;
}

static nsds_status ask_jacobians(nsds_model *model, double t) {
  nsds_status status = nsds_check_jacobians(model, t, 1.0, NULL);
  nsds_context *context = nsds_model_context(model);
  if (status == NSDS_ERROR_VALUE) return NSDS_OK; /* what agrees to what is not in question here */
  (void)context;
  return status;
}

static void ask(story *s) {
  if (!s->simulation) return;
  STORY(s, ask_energy(s->model));
  s->by_last_message = true; /* errors of the functions it compares stay out of the context */
  STORY(s, ask_jacobians(s->model, nsds_time(s->simulation)));
  s->by_last_message = false;
  story_steps(s, nsds_step_count(s->simulation) + 1);
}

/* ---- plays ---- */

static void build_play(story *s) {
  const play *p = s->scenario->self;
  s->simulation = p->make(s->model);
}

void scenario_play(story *s) {
  const play *p = s->scenario->self;
  story_build(s, build_play);
  s->quiet = true;
  story_steps(s, s->scenario->skipped);
  s->quiet = false;
  story_steps(s, s->scenario->skipped + s->scenario->steps);
  if (p->afterwards && !s->over) p->afterwards(s);
  ask(s);
}

/* ---- scenes of the golden tables ---- */

static const golden *find_golden(const char *name) {
  const golden *const tables[] = {golden_bundled, golden_second, golden_first, golden_adaptive};
  const int count[] = {golden_bundled_count, golden_second_count, golden_first_count,
                       golden_adaptive_count};
  for (int t = 0; t < 4; ++t)
    for (int k = 0; k < count[t]; ++k)
      if (strcmp(tables[t][k].name, name) == 0) return &tables[t][k];
  return NULL;
}

static void build_golden(story *s) {
  const golden *scene = find_golden(s->scenario->self);
  if (s->tries > 1 && scene->done) scene->done();
  s->simulation = scene->make(s->model, scene);
}

static void tell_golden(story *s) {
  const golden *scene = find_golden(s->scenario->self);
  story_build(s, build_golden);
  long most = s->scenario->skipped + s->scenario->steps;
  for (long k = 0; k < most && !s->over; k = nsds_step_count(s->simulation)) {
    s->quiet = k < s->scenario->skipped;
    if (scene->before) STORY(s, scene->before(s->model, s->simulation, k));
    story_steps(s, k + 1);
    if (s->status == NSDS_END) break;
  }
  ask(s);
  if (scene->done) scene->done();
}

#define STORED(title, ahead, count)                                                                \
  { .name = title, .tell = tell_golden, .self = title, .skipped = ahead, .steps = count }
const scenario scenarios_stored[] = {
    STORED("adaptive_relay", 0, 30),
    STORED("adaptive_relay_free", 0, 30),
    STORED("adaptive_relay_by_laws", 0, 30),
    STORED("adaptive_rectifier", 0, 30),
    STORED("adaptive_saturation", 0, 30),
    STORED("adaptive_rod", 0, 10),
    STORED("adaptive_rod_sparse", 0, 4),
    STORED("adaptive_bent", 0, 12),
    STORED("adaptive_cubic", 0, 12),
    STORED("adaptive_charger", 0, 20),
    STORED("adaptive_charger_free", 20, 20),
    STORED("double_pendulum", 0, 12),
    STORED("double_pendulum_differences", 0, 6),
    STORED("compliant_impact", 195, 12),
    STORED("rheonomous", 138, 25),
    STORED("feedthrough", 108, 12),
    STORED("joint", 190, 12),
    STORED("sparse_bar_damped", 0, 30),
    STORED("dense_12", 0, 30),
    STORED("prescribed_linear", 0, 20),
    STORED("prescribed_nonlinear", 0, 12),
    STORED("changing", 84, 60),
    STORED("churn", 0, 20),
    STORED("cam_forced_660", 0, 40),
    STORED("pendulum_slider", 0, 10),
    STORED("chain_5", 0, 12),
    STORED("ladder_100", 0, 6),
    STORED("sample_and_hold", 0, 30),
    STORED("buck_converter", 0, 30),
    STORED("twisting_control", 0, 40),
    {.name = "smc_implicit",
     .tell = tell_golden,
     .self = "smc_implicit",
     .steps = 40,
     .eventful = true},
    STORED("first_relay", 0, 20),
    STORED("first_saturation", 0, 12),
    STORED("first_polyhedron", 0, 12),
    STORED("theta_gamma_initial_lambda", 0, 12),
    STORED("full_theta_gamma_relay", 0, 12),
    STORED("zero_order_hold_relay", 0, 20),
    STORED("cluster_theta_gamma", 0, 10),
    STORED("world_column", 0, 30),
    STORED("world_net", 0, 12),
    STORED("world_machine", 0, 8),
    STORED("world_bodies", 0, 10),
    STORED("world_linkage", 0, 8),
    {.name = NULL},
};
