#include "worlds.h"
#include "scenes.h"

static void ball(nsds_model *model) { scene_bouncing_ball(model, 1.0, 0.1, 0.3, 0.9); }

static void column(nsds_model *model) {
  static bead_scene scene;
  scene_bead_column(model, &scene, 10, 0.1, 0.15, 0.22, 0.5);
}

static void long_column(nsds_model *model) {
  static bead_scene scene;
  scene_bead_column(model, &scene, 80, 0.1, 0.1, 0.2, 0.3);
}

/* A tree of bodies that press on each other: contacts meet in threes, not in a chain. */
static void net(nsds_model *model) {
  enum { bodies = 40 };
  nsds_relation *one = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
  nsds_relation *two = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 2, .H = (double[]){-1.0, 1.0}});
  nsds_law *impact = nsds_newton_impact(model, 0.4);
  nsds_ds *ds[bodies];
  uint64_t seed = 3;
  for (int i = 0; i < bodies; ++i) {
    double mass = random_in(&seed, 0.5, 2.0), v = random_in(&seed, -0.2, 0.2);
    double q = random_in(&seed, 0.0, 1e-3) + 1e-3 * i;
    ds[i] = nsds_lagrangian_linear(
        model, &(nsds_lagrangian_linear_def){
                   .ndof = 1, .q0 = &q, .v0 = &v, .mass = &mass, .fext = (double[]){-9.81 * mass}});
    if (i == 0) nsds_connect(model, one, impact, 1, ds);
    else nsds_connect(model, two, impact, 2, (nsds_ds *[]){ds[(i - 1) / 2], ds[i]});
    if (i > 4) nsds_connect(model, two, impact, 2, (nsds_ds *[]){ds[i / 3], ds[i]});
  }
}

static void cam_forced(nsds_model *model) { scene_cam_forced(model, 700.0, NSDS_TEST_CAM_PLUGIN); }

static void cam_rheonomous(nsds_model *model) { scene_cam_rheonomous(model, 700.0); }

/* ---- nonlinear: a pendulum on a slider, the joint an equality, a rigid and a soft stop ---- */

static const double arm = 0.5; /* m */

static int mass(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 2.0 + 0.1 * sin(in->q[0]);
  return 0;
}

static int spring(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 5.0 * in->q[0] + in->q[0] * in->q[0] * in->q[0];
  return 0;
}

static int joint(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  double x = in->q[1] - in->q[0], y = in->q[2];
  out[0] = x * x + y * y - arm * arm;
  return 0;
}

static int joint_q(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  double x = in->q[1] - in->q[0], y = in->q[2];
  out[0] = -2.0 * x;
  out[1] = 2.0 * x;
  out[2] = 2.0 * y;
  return 0;
}

static int stop(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 0.2 - in->q[0];
  return 0;
}

static int soft_stop(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->q[0] + 0.1 + 1e-3 * in->lambda[0];
  return 0;
}

static int compliance(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 1e-3;
  return 0;
}

static int moving(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 0.3 * cos(3.0 * in->t);
  return 0;
}

static void machine(nsds_model *model) {
  nsds_ds *ds[2];
  ds[0] = nsds_lagrangian(model, &(nsds_lagrangian_def){.name = "slider",
                                                        .ndof = 1,
                                                        .v0 = (double[]){1.0},
                                                        .mass_fn = mass,
                                                        .fint.fn = spring,
                                                        .fint.jac_q_fn = nsds_differences,
                                                        .fint.jac_v_fn = nsds_zero});
  ds[1] = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.name = "bob",
                                           .ndof = 2,
                                           .q0 = (double[]){0.0, -arm},
                                           .v0 = (double[]){1.0, 0.0},
                                           .mass = (double[]){1.0, 0.0, 0.0, 1.0},
                                           .fext = (double[]){0.0, -9.81}});
  nsds_ds *plate = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.name = "plate",
                                           .ndof = 2,
                                           .mass = (double[]){1.0, 0.1, 0.1, 1.0},
                                           .prescribed.n = 1,
                                           .prescribed.index = (int[]){0},
                                           .prescribed.fn = moving,
                                           .nz = 1,
                                           .z = (double[]){1.0}});
  nsds_relation *rod = nsds_lagrangian_relation(
      model, &(nsds_lagrangian_relation_def){
                 .name = "rod", .ny = 1, .nq = 3, .output_fn = joint, .jac_output_q_fn = joint_q});
  nsds_relation *rigid = nsds_lagrangian_relation(
      model, &(nsds_lagrangian_relation_def){.ny = 1,
                                             .nq = 1,
                                             .output_fn = stop,
                                             .jac_output_q_fn = nsds_differences,
                                             .jac_output_t_fn = nsds_zero,
                                             .nz = 1});
  nsds_relation *soft = nsds_lagrangian_relation(
      model, &(nsds_lagrangian_relation_def){.ny = 1,
                                             .nq = 1,
                                             .output_fn = soft_stop,
                                             .jac_output_q_fn = nsds_differences,
                                             .jac_output_lambda_fn = compliance});
  nsds_relation *below = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 2,
                                                    .nq = 4,
                                                    .H = (double[]){0, 0, 1, 0, 0, 1, -1, 0},
                                                    .D = (double[]){0.1, 0.0, 0.0, 0.1},
                                                    .b = (double[]){0.6, 0.7}});
  nsds_connect(model, rod, nsds_equality(model), 2, ds);
  nsds_connect(model, rigid, nsds_newton_impact(model, 0.5), 1, ds);
  nsds_connect(model, soft, nsds_complementarity(model), 1, ds);
  nsds_connect(model, below, nsds_newton_impact(model, 0.5), 2, (nsds_ds *[]){ds[1], plate});
}

/* ---- a bar of many degrees of freedom against a wall, sparse or dense ---- */

enum { nodes = 40 };

static void bar(nsds_model *model, bool sparse) {
  static double mass_x[nodes * nodes], stiffness_x[nodes * nodes], v[nodes], H[nodes];
  static int p[nodes + 1], i[3 * nodes];
  static double mass_s[3 * nodes], stiffness_s[3 * nodes];
  const double dx = 1.0 / (nodes - 1);
  int filled = 0;
  for (int c = 0; c < nodes; ++c) {
    bool end = c == 0 || c == nodes - 1;
    v[c] = 1.0;
    p[c] = filled;
    for (int r = c > 0 ? c - 1 : 0; r <= c + 1 && r < nodes; ++r) {
      mass_s[filled] = r != c ? dx / 6.0 : end ? dx / 3.0 : dx / 1.5;
      stiffness_s[filled] = r != c ? -1.0 / dx : end ? 1.0 / dx : 2.0 / dx;
      mass_x[r + nodes * c] = mass_s[filled];
      stiffness_x[r + nodes * c] = stiffness_s[filled];
      i[filled++] = r;
    }
  }
  p[nodes] = filled;
  H[nodes - 1] = -1.0;
  const nsds_csc M = {nodes, nodes, p, i, mass_s}, K = {nodes, nodes, p, i, stiffness_s};
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.name = "bar",
                                           .ndof = nodes,
                                           .v0 = v,
                                           .mass = sparse ? NULL : mass_x,
                                           .stiffness = sparse ? NULL : stiffness_x,
                                           .mass_sparse = sparse ? &M : NULL,
                                           .stiffness_sparse = sparse ? &K : NULL});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model,
      &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = nodes, .H = H, .b = (double[]){0.1}});
  nsds_connect(model, gap, nsds_newton_impact(model, 0.0), 1, &ds);
}

static void sparse_bar(nsds_model *model) { bar(model, true); }
static void dense_bar(nsds_model *model) { bar(model, false); }

const world worlds[] = {
    {"ball", ball, 5e-3, 200, false, false},
    {"column of beads", column, 2e-3, 400, false, false},
    {"long column of beads", long_column, 2e-3, 200, false, false},
    {"net of bodies", net, 1e-3, 600, true, false},
    {"cam follower, forced", cam_forced, 5e-4, 1500, false, false},
    {"cam follower, rheonomous", cam_rheonomous, 5e-4, 1500, false, false},
    {"machine", machine, 2e-3, 1000, false, false},
    {"sparse bar", sparse_bar, 1e-2, 300, false, false},
    {"dense bar", dense_bar, 1e-2, 300, false, false},
    {"rigid bodies", world_bodies, 1e-3, 400, false, true},
    {"linkage", world_linkage, 2e-3, 300, false, false},
};
const int world_count = sizeof worlds / sizeof *worlds;
