/*
 * Runs a golden scene and hashes what it does. Motion is what later steps follow from; whatever else
 * can be read after a step is a value.
 */
#include "golden.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

golden_contacts golden_found;
bool golden_is_event_driven;
static const nsds_ds *bystander; /* NULL: none */

static const uint64_t start = UINT64_C(14695981039346656037);

static uint64_t mix(uint64_t hash, const double *x, int n) {
  for (int k = 0; x && k < n; ++k) {
    unsigned char byte[sizeof *x];
    memcpy(byte, &x[k], sizeof byte);
    for (size_t b = 0; b < sizeof byte; ++b) hash = (hash ^ byte[b]) * UINT64_C(1099511628211);
  }
  return hash;
}

static uint64_t mix_motion(uint64_t hash, const nsds_model *model,
                           const nsds_simulation *simulation) {
  double t = nsds_time(simulation);
  hash = mix(hash, &t, 1);
  for (int k = 0; k < nsds_ds_count(model); ++k) {
    const nsds_ds *ds = nsds_ds_at(model, k);
    if (ds == bystander) continue;
    hash = mix(hash, nsds_q(ds), nsds_nq(ds));
    hash = mix(hash, nsds_v(ds), nsds_nv(ds));
    hash = mix(hash, nsds_x(ds), nsds_nx(ds));
  }
  return hash;
}

static uint64_t mix_interactions(uint64_t hash, const nsds_model *model) {
  for (int k = 0; k < nsds_interaction_count(model); ++k) {
    const nsds_interaction *interaction = nsds_interaction_at(model, k);
    int m = nsds_interaction_size(interaction);
    double active = nsds_is_active(interaction);
    hash = mix(hash, nsds_y(interaction), m);
    hash = mix(hash, nsds_ydot(interaction), m);
    if (nsds_impulse(interaction)) hash = mix(hash, nsds_impulse(interaction), m);
    hash = mix(hash, nsds_lambda(interaction), m);
    hash = mix(hash, &active, 1);
  }
  return hash;
}

static uint64_t mix_set(uint64_t hash, const nsds_contact_set *set, int rows) {
  for (int k = 0; set && k < nsds_contact_set_count(set); ++k) {
    nsds_contact_info info;
    if (nsds_contact_set_get(set, k, &info)) continue;
    double key[3] = {(double)(info.key >> 32), (double)(info.key & 0xffffffffu), info.active};
    hash = mix(hash, key, 3);
    hash = mix(hash, info.y, 1);
    hash = mix(hash, info.ydot, rows);
    hash = mix(hash, info.impulse, rows);
    hash = mix(hash, info.force, rows);
  }
  return hash;
}

/* The one-step problem and how well its solution fixes the velocities, where that is quick to find. */
static uint64_t mix_problem(uint64_t hash, nsds_simulation *simulation) {
  enum { few = 12 };
  const nsds_problem *problem = nsds_simulation_problem(simulation);
  if (!problem) return hash;
  double error = problem->n <= few ? nsds_simulation_velocity_error(simulation) : 0.0;
  const double what[] = {problem->n, isnan(error) ? -1.0 : error};
  hash = mix(hash, nsds_simulation_solution(simulation), problem->n);
  return mix(hash, what, 2);
}

static uint64_t mix_event(uint64_t hash, const nsds_event_info *event) {
  double counters[] = {event->kind, event->count,
                       event->undecided}; /* totals start anew by loading */
  hash = mix(hash, counters, 3);
  for (int k = 0; k < event->count; ++k) {
    const nsds_event_row *row = &event->row[k];
    double what[] = {row->row,         row->closed_before, row->closed_after,
                     row->ydot_before, row->ydot_after,    row->impulse};
    hash = mix(hash, what, 6);
  }
  return hash;
}

static uint64_t mix_values(uint64_t hash, const nsds_model *model, nsds_simulation *simulation) {
  for (int k = 0; k < nsds_ds_count(model); ++k) {
    const nsds_ds *ds = nsds_ds_at(model, k);
    hash = mix(hash, nsds_p(ds), nsds_nv(ds));
    hash = mix(hash, nsds_prescribed_force(ds), nsds_nv(ds));
    hash = mix(hash, nsds_r(ds), nsds_nx(ds));
    hash = mix(hash, nsds_simulation_displacement(simulation, ds), nsds_nv(ds));
  }
  hash = mix_interactions(hash, model);
  hash = mix_set(hash, golden_found.set, golden_found.rows);
  const nsds_step_info *info = nsds_simulation_info(simulation);
  double counters[] = {info->substeps, info->predicted, info->newton_iterations,
                       info->active,   info->rows,      info->projection.iterations,
                       info->lifted};
  hash = mix(hash, counters, 7);
  const nsds_event_info *event = nsds_simulation_event(simulation);
  return event ? mix_event(hash, event) : mix_problem(hash, simulation);
}

/* What comes before the second half: a snapshot in `path` is written, or read after what the program
 * has done so far. */
static nsds_status prepare(const golden *scene, nsds_model *model, nsds_simulation *simulation,
                           golden_part part, const char *path) {
  nsds_status status = NSDS_OK;
  long half = scene->steps / 2;
  for (long k = 0; k < half && status == NSDS_OK; ++k) {
    if (scene->before) status = scene->before(model, simulation, k);
    if (part != AFTER_LOADING && status == NSDS_OK) status = nsds_step(simulation);
  }
  if (status || part == SECOND_HALF) return status;
  return part == AFTER_SAVING ? nsds_snapshot_save(simulation, path)
                              : nsds_snapshot_load(simulation, path);
}

/* Steps from `step` to the end of the scene. False, with a message, when a step fails. */
static bool run_steps(const golden *scene, nsds_model *model, nsds_simulation *simulation,
                      long step, nsds_status status, golden_bits *bits) {
  *bits = (golden_bits){start, start};
  for (; step < scene->steps && status == NSDS_OK; ++step) {
    if (scene->before) status = scene->before(model, simulation, step);
    if (status == NSDS_OK) status = nsds_step(simulation);
    if (status) break;
    bits->motion = mix_motion(bits->motion, model, simulation);
    bits->values = mix_values(bits->values, model, simulation);
  }
  bool fine = simulation && status == NSDS_OK;
  if (!fine)
    printf("%s: step %ld of %ld: %s: %s\n", scene->name, step, scene->steps,
           nsds_status_text(status), nsds_error_message(nsds_model_context(model)));
  return fine;
}

bool golden_run(const golden *scene, golden_part part, const char *path, golden_bits *bits) {
  golden_found = (golden_contacts){NULL, 0};
  nsds_model *model = nsds_model_create(NULL);
  nsds_simulation *simulation = scene->make(model, scene);
  nsds_status status = simulation ? NSDS_OK : nsds_error(nsds_model_context(model));
  long step = part == WHOLE ? 0 : scene->steps / 2;
  if (step > 0 && status == NSDS_OK) status = prepare(scene, model, simulation, part, path);
  bool fine = run_steps(scene, model, simulation, step, status, bits);
  if (scene->done) scene->done();
  nsds_model_destroy(model);
  return fine;
}

/* Adds a first-order system of many states, or a body, that nothing moves. */
static const nsds_ds *stand_beside(nsds_model *model, bool body) {
  enum { states = 60 };
  double volts[states];
  for (int k = 0; k < states; ++k) volts[k] = 1e3;
  if (!body)
    return nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = states, .x0 = volts});
  const double M[] = {1e3, 0.0, 0.0, 1e3}, q0[] = {1e3, -1e3};
  return nsds_lagrangian_linear(model,
                                &(nsds_lagrangian_linear_def){.ndof = 2, .mass = M, .q0 = q0});
}

int golden_run_beside(const golden *scene, golden_beside beside, golden_bits *bits, double *end,
                      int n) {
  int count = 0;
  golden_found = (golden_contacts){NULL, 0};
  nsds_model *model = nsds_model_create(NULL);
  nsds_simulation *simulation = scene->make(model, scene);
  if (beside != BESIDE_NOTHING) bystander = stand_beside(model, beside == BESIDE_A_BODY);
  nsds_status status = nsds_error(nsds_model_context(model));
  bool fine = run_steps(scene, model, simulation, 0, status, bits);
  golden_is_event_driven = simulation && nsds_simulation_event(simulation);
  for (int k = 0; fine && k < nsds_ds_count(model); ++k) {
    const nsds_ds *ds = nsds_ds_at(model, k);
    if (ds == bystander) continue;
    for (int i = 0; i < nsds_nq(ds) && count < n; ++i) end[count++] = nsds_q(ds)[i];
    for (int i = 0; i < nsds_nx(ds) && count < n; ++i) end[count++] = nsds_x(ds)[i];
  }
  bystander = NULL;
  if (scene->done) scene->done();
  nsds_model_destroy(model);
  return fine ? count : -1;
}

/* LAPACK's, of which the library has the same. */
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *pivot, int *info);
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t length);

static uint64_t mix_lapack(uint64_t hash) {
  enum { n = 96 };
  static double A[n * n], B[n * n];
  static int pivot[n];
  const int size = n;
  int info;
  uint64_t seed = 1;
  for (int k = 0; k < n * n; ++k) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    A[k] = B[k] = (double)(seed >> 40) * 0x1p-24 - 0.5;
  }
  for (int k = 0; k < n; ++k) B[k + n * k] += n;
  dgetrf_(&size, &size, A, &size, pivot, &info);
  dpotrf_("L", &size, B, &size, &info, 1);
  return mix(mix(hash, A, n * n), B, n * n);
}

uint64_t golden_machine(void) {
  uint64_t hash = start;
  for (int k = 1; k < 20000; ++k) {
    volatile double x = 1e-3 * k; /* so that no compiler computes them */
    const double f[] = {sin(x),        cos(x), tan(x),      atan2(x, 3.0), acos(1.0 / (1.0 + x)),
                        exp(-0.1 * x), log(x), pow(x, 0.2), hypot(x, 0.7), cbrt(x)};
    hash = mix(hash, f, sizeof f / sizeof *f);
  }
  return mix_lapack(hash);
}
