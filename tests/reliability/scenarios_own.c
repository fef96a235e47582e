/*
 * Types of the program's own: systems of both orders, relations, a law, a geometry, an integrator
 * and a solver, in time stepping and event-driven.
 */
#include "scenarios.h"

#include <nsds/contact.h>
#include <nsds/extend.h>

#define PLAY(symbol, maker, after) static const play symbol = {maker, after};

/* ---- systems ---- */

static int freed; /* what was handed over and given back */

static void let_go(void *self) {
  (void)self;
  ++freed;
}

/* A pendulum of q = angle as a point in the plane of its angle; M = 1, F = -g sin q - 0.1 v. */
static nsds_status body_mass(void *self, const nsds_arguments *in, double *M) {
  (void)self, (void)in;
  M[0] = 1.0;
  M[3] = 2.0 + 0.1 * in->q[0];
  M[1] = M[2] = 0.0;
  return NSDS_OK;
}

static nsds_status body_force(void *self, const nsds_arguments *in, double *F) {
  (void)self;
  F[0] = -9.81 * sin(in->q[0]) - 0.1 * in->v[0] - 3.0;
  F[1] = -in->q[1] - 8.0;
  return NSDS_OK;
}

static nsds_status body_damping(void *self, const nsds_arguments *in, double *C) {
  (void)self, (void)in;
  C[0] = 0.1;
  C[1] = C[2] = C[3] = 0.0;
  return NSDS_OK;
}

static nsds_status body_stiffness(void *self, const nsds_arguments *in, double *K) {
  (void)self;
  K[0] = 9.81 * cos(in->q[0]);
  K[1] = K[2] = 0.0;
  K[3] = 1.0;
  return NSDS_OK;
}

static nsds_status body_map(void *self, const nsds_arguments *in, double *T) {
  (void)self, (void)in;
  T[0] = T[3] = 1.0;
  T[1] = T[2] = 0.0;
  return NSDS_OK;
}

static nsds_status body_advance(void *self, const nsds_arguments *in, const double *step,
                                double *q) {
  (void)self;
  for (int k = 0; k < 2; ++k) q[k] = in->q[k] + step[k];
  return NSDS_OK;
}

static const nsds_second_order_ops body_ops = {.type = "own body",
                                               .mass = body_mass,
                                               .force = body_force,
                                               .damping = body_damping,
                                               .stiffness = body_stiffness,
                                               .velocity_map = body_map,
                                               .advance = body_advance,
                                               .destroy = let_go};

static nsds_ds *own_body(nsds_model *model) {
  return nsds_custom_second_order(model,
                                  &(nsds_custom_second_order_def){.ops = &body_ops,
                                                                  .self = &freed,
                                                                  .name = "body",
                                                                  .ndof = 2,
                                                                  .q0 = (double[]){0.02, 0.01},
                                                                  .v0 = (double[]){-0.5, -0.5},
                                                                  .damping = {.present = true},
                                                                  .stiffness = {.present = true}});
}

static nsds_status tank_mass(void *self, const nsds_arguments *in, double *M) {
  (void)self, (void)in;
  M[0] = 2.0;
  M[1] = M[2] = 0.0;
  M[3] = 1.0;
  return NSDS_OK;
}

static nsds_status tank_rate(void *self, const nsds_arguments *in, double *f) {
  (void)self;
  f[0] = -in->x[0] * in->x[0] - 1.0;
  f[1] = in->x[0] - in->x[1] + 0.2 * in->t;
  return NSDS_OK;
}

static nsds_status tank_jacobian(void *self, const nsds_arguments *in, double *A) {
  (void)self;
  A[0] = -2.0 * in->x[0];
  A[1] = 1.0;
  A[2] = 0.0;
  A[3] = -1.0;
  return NSDS_OK;
}

static const nsds_first_order_ops tank_ops = {.type = "own tank",
                                              .mass = tank_mass,
                                              .rhs = tank_rate,
                                              .jacobian = tank_jacobian,
                                              .destroy = let_go};

static nsds_ds *own_tank(nsds_model *model) {
  return nsds_custom_first_order(
      model, &(nsds_custom_first_order_def){.ops = &tank_ops,
                                            .self = &freed,
                                            .n = 2,
                                            .x0 = (double[]){0.02, 0.3},
                                            .mass = {.present = true, .constant = true},
                                            .jacobian = {.present = true}});
}

/* ---- relations ---- */

static nsds_status gap_output(void *self, const nsds_arguments *in, double *y) {
  (void)self;
  y[0] = in->q[0] + 0.1 * in->q[1] * in->q[1];
  y[1] = in->q[1] + 0.01 * in->t;
  return NSDS_OK;
}

static nsds_status gap_gradient(void *self, const nsds_arguments *in, double *H) {
  (void)self;
  H[0] = 1.0;
  H[1] = 0.0;
  H[2] = 0.2 * in->q[1];
  H[3] = 1.0;
  return NSDS_OK;
}

static nsds_status gap_rate(void *self, const nsds_arguments *in, double *ht) {
  (void)self, (void)in;
  ht[0] = 0.0;
  ht[1] = 0.01;
  return NSDS_OK;
}

static nsds_status gap_bias(void *self, const nsds_arguments *in, double *bias) {
  (void)self;
  bias[0] = 0.2 * in->v[1] * in->v[1];
  bias[1] = 0.0;
  return NSDS_OK;
}

static const nsds_relation_ops gap_ops = {.type = "own gap",
                                          .output = gap_output,
                                          .jacobian_q = gap_gradient,
                                          .jacobian_t = gap_rate,
                                          .bias = gap_bias,
                                          .destroy = let_go};

static nsds_status valve_output(void *self, const nsds_arguments *in, double *y) {
  (void)self;
  y[0] = in->x[0] + 0.1 * in->lambda[0];
  return NSDS_OK;
}

static nsds_status valve_jacobian(void *self, const nsds_arguments *in, double *C) {
  (void)self, (void)in;
  C[0] = 1.0;
  C[1] = 0.0;
  return NSDS_OK;
}

static nsds_status valve_lambda(void *self, const nsds_arguments *in, double *D) {
  (void)self, (void)in;
  D[0] = 0.1;
  return NSDS_OK;
}

static nsds_status valve_input(void *self, const nsds_arguments *in, double *r) {
  (void)self;
  r[0] = in->lambda[0];
  r[1] = 0.0;
  return NSDS_OK;
}

static nsds_status valve_input_lambda(void *self, const nsds_arguments *in, double *B) {
  (void)self, (void)in;
  B[0] = 1.0;
  B[1] = 0.0;
  return NSDS_OK;
}

static const nsds_relation_ops valve_ops = {.type = "own valve",
                                            .output = valve_output,
                                            .jacobian_q = valve_jacobian,
                                            .jacobian_lambda = valve_lambda,
                                            .input = valve_input,
                                            .input_lambda = valve_input_lambda,
                                            .destroy = let_go};

/* ---- a law: Newton's impact, a little soft ---- */

static void stop_block(void *self, nsds_block *block) {
  (void)self;
  block->set = NSDS_SET_NONNEGATIVE;
}

static bool stop_active(void *self, const double *y, const double *ydot, double tau, double slack) {
  (void)self;
  return y[0] + tau * ydot[0] <= slack;
}

static void stop_restitution(void *self, const double *ydot, double *q) {
  (void)self;
  q[0] += 0.5 * ydot[0];
}

static void stop_compliance(void *self, double *D, int ld) {
  (void)self, (void)ld;
  D[0] += 0.01;
}

static const nsds_law_ops stop_ops = {.type = "own stop",
                                      .block = stop_block,
                                      .active = stop_active,
                                      .restitution = stop_restitution,
                                      .compliance = stop_compliance,
                                      .destroy = let_go};

static nsds_simulation *own_types(nsds_model *model) {
  nsds_ds *body = own_body(model), *tank = own_tank(model);
  nsds_relation *gap = nsds_custom_relation(
      model, &(nsds_custom_relation_def){.ops = &gap_ops, .self = &freed, .ny = 2, .nq = 2});
  nsds_relation *valve = nsds_custom_relation(
      model, &(nsds_custom_relation_def){.ops = &valve_ops, .self = &freed, .ny = 1, .nq = 2});
  nsds_law *stop = nsds_custom_law(model, &(nsds_custom_law_def){.ops = &stop_ops, .self = &freed});
  nsds_connect(model, gap, stop, 1, &body);
  nsds_connect(model, valve, nsds_complementarity(model), 1, &tank);
  return nsds_time_stepping(model,
                            &(nsds_time_stepping_def){.t1 = 100.0,
                                                      .h = 5e-3,
                                                      .first_order = nsds_euler_moreau(0.6),
                                                      .second_order = nsds_moreau_jean(0.6, 1.0)});
}
PLAY(play_own_types, own_types, NULL)

static nsds_simulation *own_events(nsds_model *model) {
  nsds_ds *body = own_body(model);
  nsds_relation *gap = nsds_custom_relation(
      model, &(nsds_custom_relation_def){.ops = &gap_ops, .self = &freed, .ny = 2, .nq = 2});
  nsds_connect(model, gap, nsds_newton_impact(model, 0.5), 1, &body);
  own_tank(model);
  return nsds_event_driven(
      model,
      &(nsds_event_driven_def){.t1 = 100.0, .output_period = 0.1, .relative_tolerance = 1e-5});
}
PLAY(play_own_events, own_events, NULL)

/* ---- an integrator and a solver ---- */

static nsds_status own_refresh(nsds_integration *s) {
  s->force[0] = -9.81;
  return NSDS_OK;
}

static nsds_status own_free(nsds_integration *s) {
  s->u_free[0] = s->u[0] + s->scheme->h * s->force[0];
  return NSDS_OK;
}

static void own_apply(const nsds_integration *s, int nrhs, double *b) {
  (void)s, (void)nrhs, (void)b;
}

static nsds_status own_advance(nsds_integration *s) {
  s->q_end[0] = s->q[0] + 0.5 * s->scheme->h * (s->u[0] + s->u_end[0]);
  return NSDS_OK;
}

static nsds_status own_finish(nsds_integration *s) {
  s->reaction_end[0] = 0.0;
  return NSDS_OK;
}

static const nsds_integrator own_integrator = {.name = "own",
                                               .order = 2,
                                               .refresh = own_refresh,
                                               .free = own_free,
                                               .apply = own_apply,
                                               .advance = own_advance,
                                               .finish = own_finish};

static nsds_status own_reserve(void *self, const nsds_problem *problem) {
  (void)self, (void)problem;
  return NSDS_OK;
}

static nsds_status own_solve(void *self, nsds_solver_task *task, double *z) {
  enum { most = 8, sweeps = 200 };
  const nsds_problem *problem = task->problem;
  double M[most * most], w[most], work[256];
  int n = problem->n;
  (void)self;
  if (n > most || nsds_problem_work(problem) > 256) return NSDS_ERROR_SIZE;
  nsds_problem_to_dense(problem, M);
  for (int k = 0; k < sweeps; ++k)
    for (int i = 0; i < n; ++i) {
      nsds_problem_multiply(problem, z, w, work);
      z[i] = fmax(0.0, z[i] - w[i] / M[i + i * n]);
    }
  return NSDS_OK;
}

static const nsds_solver_ops own_solver = {.name = "own sweeps",
                                           .sets = NSDS_SET_NONNEGATIVE,
                                           .storages = NSDS_DENSE | NSDS_FACTORED,
                                           .reserve = own_reserve,
                                           .solve = own_solve};

/* ---- a geometry: a floor, more of it with time ---- */

static nsds_ds *ball;

static nsds_status floor_find(void *self, double t, nsds_contacts *contacts) {
  const double H = 1.0;
  nsds_status status = NSDS_OK;
  (void)self;
  for (int k = 0; !status && k < 1 + (int)(t * 50.0); ++k) {
    double y = nsds_q(ball)[0] + 0.1 * k;
    status = nsds_contacts_add(
        contacts, &(nsds_contact_point){.key = (uint64_t)k, .ds = {ball}, .y = &y, .H = &H});
  }
  return status;
}

static nsds_status floor_output(void *self, uint64_t key, const nsds_arguments *in, double *y) {
  (void)self;
  y[0] = in->q[0] + 0.1 * (double)key;
  return NSDS_OK;
}

static nsds_status floor_gradient(void *self, uint64_t key, const nsds_arguments *in,
                                  const double *found, double *H) {
  (void)self, (void)key, (void)in, (void)found;
  H[0] = 1.0;
  return NSDS_OK;
}

static nsds_status floor_bias(void *self, uint64_t key, const nsds_arguments *in,
                              const double *found, double *bias) {
  (void)self, (void)key, (void)in, (void)found;
  bias[0] = 0.0;
  return NSDS_OK;
}

static double floor_reach(void *self) {
  (void)self;
  return 0.05;
}

static double floor_travel(void *self, const nsds_ds *ds, const double *q0, const double *q) {
  (void)self;
  return ds == ball ? fabs(q[0] - q0[0]) : 0.0;
}

static const nsds_geometry_ops floor_ops = {.type = "own floor",
                                            .find = floor_find,
                                            .destroy = let_go,
                                            .output = floor_output,
                                            .gradient_v = floor_gradient,
                                            .bias = floor_bias,
                                            .reach = floor_reach,
                                            .travel = floor_travel};

static void make_floor(nsds_model *model) {
  const double mass = 1.0, q0 = 0.01, weight = -9.81;
  ball = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 1, .q0 = &q0, .mass = &mass, .fext = &weight});
  nsds_custom_contact_set(
      model, &(nsds_custom_contact_set_def){
                 .ops = &floor_ops, .self = &freed, .law = nsds_newton_impact(model, 0.5)});
}

static nsds_simulation *own_parts(nsds_model *model) {
  nsds_context *context = nsds_model_context(model);
  if (!nsds_solver_registered(context, 0)) nsds_solver_register(context, &own_solver);
  make_floor(model);
  nsds_ds_set_integrator(ball, &own_integrator);
  return nsds_time_stepping(
      model, &(nsds_time_stepping_def){.t1 = 100.0, .h = 5e-3, .solver = "own sweeps"});
}
PLAY(play_own_parts, own_parts, NULL)

static nsds_simulation *own_floor_events(nsds_model *model) {
  make_floor(model);
  return nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 100.0, .output_period = 0.05});
}
PLAY(play_own_floor_events, own_floor_events, NULL)

#define OWN(title, count, symbol)                                                                  \
  { .name = title, .tell = scenario_play, .self = &symbol, .steps = count }
const scenario scenarios_own[] = {
    OWN("own_types", 12, play_own_types),
    OWN("own_events", 6, play_own_events),
    OWN("own_parts", 20, play_own_parts),
    OWN("own_floor_events", 8, play_own_floor_events),
    {.name = NULL},
};
