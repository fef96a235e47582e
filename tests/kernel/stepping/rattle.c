/*
 * Nonsmooth RATTLE: orders of q and v by halvings of h, in scenes with contact, friction and joints,
 * for docs/orders.md; the same limit as Moreau-Jean's; energy and gaps of long runs; closed forms of
 * stick, slip, impact, prescribed velocities and their forces; drawn trees of bodies.
 *
 *   kernel_rattle [FILE]          writes the table of orders to FILE too
 *   kernel_rattle --steps N       energy over N steps, with its mean in each tenth of the run
 */
#include "scenes.h"
#include "support.h"

#include <float.h>
#include <stdlib.h>

static const double g = 9.81;

static nsds_law *coulomb(nsds_model *model, int dimension, double mu) {
  return nsds_newton_impact_friction(
      model, &(nsds_newton_impact_friction_def){.dimension = dimension, .mu = mu});
}

static nsds_ds *body(nsds_model *model, const double *J, const double *q0, const double *v0) {
  return nsds_rigid_body(
      model, &(nsds_rigid_body_def){
                 .mass = 1.0, .inertia = J, .q0 = q0, .v0 = v0, .gravity = {0.0, 0.0, -g}});
}

/* ---- scenes ----------------------------------------------------------------------------------- */

enum { most_bodies = 4 };

typedef struct made {
  int n, nv; /* bodies, velocities of one */
  nsds_ds *ds[most_bodies];
} made;

/* A ball of radius 0.1 in a bowl of radius 1. */
static int in_bowl(const nsds_arguments *in, nsds_body_contact *contact, void *user) {
  const double *q = in->q, far = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
  (void)user;
  contact->gap = 0.9 - far;
  for (int k = 0; k < 3; ++k) {
    contact->normal[k] = -q[k] / far;
    contact->point[k] = q[k] / far;
  }
  return 0;
}

static const double ball_inertia[] = {0.004, 0.0, 0.0, 0.0, 0.004, 0.0, 0.0, 0.0, 0.004};

static void bowl(nsds_model *model, double mu, const double *v0, made *s) {
  const double q0[] = {0.9 * sin(1.0), 0.0, -0.9 * cos(1.0), 1.0, 0.0, 0.0, 0.0};
  s->n = 1;
  s->ds[0] = body(model, ball_inertia, q0, v0);
  nsds_relation *r =
      nsds_contact_relation(model, &(nsds_contact_relation_def){.contact_fn = in_bowl});
  nsds_connect(model, r, coulomb(model, 3, mu), 1, s->ds);
}

static void bowl_rolling(nsds_model *model, made *s) {
  bowl(model, 5.0, (const double[]){0.0, 1.0, 0.0, -10.0 * cos(1.0), 0.0, -10.0 * sin(1.0)}, s);
}

static void bowl_sliding(nsds_model *model, made *s) {
  bowl(model, 0.1, (const double[]){0.0, 1.0, 0.0, 0.0, 0.0, 5.0}, s);
}

/* The lowest point of an ellipsoid over the plane z = 0: p = -D^2 n / |D n| in the body. */
static int on_plane(const nsds_arguments *in, nsds_body_contact *contact, void *user) {
  const double *half = user;
  double up[3] = {0.0, 0.0, 1.0}, n[3], p[3], world[3], length = 0.0;
  nsds_to_body(in->q, up, n);
  for (int k = 0; k < 3; ++k) length += half[k] * half[k] * n[k] * n[k];
  length = sqrt(length);
  for (int k = 0; k < 3; ++k) p[k] = -half[k] * half[k] * n[k] / length;
  nsds_to_world(in->q, p, world);
  contact->gap = in->q[2] - length;
  contact->normal[2] = 1.0;
  for (int k = 0; k < 3; ++k) contact->point[k] = in->q[k] + world[k];
  return 0;
}

static void ellipsoid(nsds_model *model, const double *half, const double *J, const double *q0,
                      const double *v0, double mu, made *s) {
  s->n = 1;
  s->ds[0] = body(model, J, q0, v0);
  nsds_relation *r = nsds_contact_relation(
      model, &(nsds_contact_relation_def){.contact_fn = on_plane, .user = (void *)(uintptr_t)half});
  nsds_connect(model, r, coulomb(model, 3, mu), 1, s->ds);
}

/* A rattleback: its axes of inertia are turned away from those of its surface. */
static void rattleback(nsds_model *model, made *s) {
  static const double half[] = {1.0, 0.3, 0.2};
  static const double J[] = {0.035, -0.03, 0.0, -0.03, 0.2, 0.0, 0.0, 0.0, 0.22};
  ellipsoid(model, half, J, (const double[]){0.0, 0.0, 0.2, 1.0, 0.0, 0.0, 0.0},
            (const double[]){0.0, -0.1, 0.0, 0.5, 0.0, -2.0}, 5.0, s);
}

/* A top whose round tip slides. */
static void sliding_top(nsds_model *model, made *s) {
  static const double J[] = {0.35, 0.0, 0.0, 0.0, 0.35, 0.0, 0.0, 0.0, 0.4};
  const double q0[] = {0.0, 0.0, 1.0 - 0.1 * cos(0.2), cos(0.1), sin(0.1), 0.0, 0.0};
  s->n = 1;
  s->ds[0] = body(model, J, q0, (const double[]){0.0, 0.0, 0.0, 0.0, 0.0, 20.0});
  nsds_relation *r = nsds_sphere_plane_relation(
      model, &(nsds_sphere_plane_relation_def){
                 .radius = 1.0, .center = {0.0, 0.0, 0.1}, .normal = {0.0, 0.0, 1.0}});
  nsds_connect(model, r, coulomb(model, 3, 0.3), 1, s->ds);
}

/* A thin disc on its rim. */
static int on_rim(const nsds_arguments *in, nsds_body_contact *contact, void *user) {
  double up[3] = {0.0, 0.0, 1.0}, n[3], p[3] = {0.0}, world[3];
  (void)user;
  nsds_to_body(in->q, up, n);
  double flat = hypot(n[0], n[1]);
  for (int k = 0; k < 2; ++k) p[k] = -n[k] / flat;
  nsds_to_world(in->q, p, world);
  contact->gap = in->q[2] - flat;
  contact->normal[2] = 1.0;
  for (int k = 0; k < 3; ++k) contact->point[k] = in->q[k] + world[k];
  return 0;
}

static void disc(nsds_model *model, made *s) {
  static const double J[] = {0.25, 0.0, 0.0, 0.0, 0.25, 0.0, 0.0, 0.0, 0.5};
  const double a = 0.4; /* angle to the floor */
  const double q0[] = {0.0, 0.0, sin(a), cos(0.5 * a), sin(0.5 * a), 0.0, 0.0};
  s->n = 1;
  s->ds[0] = body(model, J, q0, (const double[]){0.0, 0.0, 0.0, 0.0, 9.0 * sin(a), 0.0});
  nsds_relation *r =
      nsds_contact_relation(model, &(nsds_contact_relation_def){.contact_fn = on_rim});
  nsds_connect(model, r, coulomb(model, 3, 5.0), 1, s->ds);
}

/* An arm of two links whose hand slides on a table, in its angles. */
static int arm_mass(const nsds_arguments *in, double *M, void *user) {
  (void)user;
  M[0] = 2.0;
  M[1] = M[2] = cos(in->q[0] - in->q[1]);
  M[3] = 1.0;
  return 0;
}

static int arm_forces(const nsds_arguments *in, double *out, void *user) {
  const double s = sin(in->q[0] - in->q[1]), *q = in->q, *v = in->v;
  (void)user;
  out[0] = s * v[1] * v[1] + 2.0 * g * sin(q[0]) + 30.0 * (q[0] - 0.9 - 0.3 * sin(3.0 * in->t));
  out[1] = -s * v[0] * v[0] + g * sin(q[1]) + 4.0 * v[1];
  return 0;
}

static int hand(const nsds_arguments *in, double *y, void *user) {
  (void)user;
  y[0] = 1.5 - cos(in->q[0]) - cos(in->q[1]);
  y[1] = sin(in->q[0]) + sin(in->q[1]);
  return 0;
}

static int hand_slopes(const nsds_arguments *in, double *J, void *user) {
  (void)user;
  for (int k = 0; k < 2; ++k) {
    J[2 * k] = sin(in->q[k]);
    J[2 * k + 1] = cos(in->q[k]);
  }
  return 0;
}

static void arm(nsds_model *model, made *s) {
  const double a = 0.9, b = acos(1.5 - cos(a));
  s->n = 1;
  s->nv = 2;
  s->ds[0] = nsds_lagrangian(model, &(nsds_lagrangian_def){.ndof = 2,
                                                           .q0 = (double[]){a, b},
                                                           .mass_fn = arm_mass,
                                                           .nnl.fn = arm_forces,
                                                           .nnl.jac_q_fn = nsds_differences,
                                                           .nnl.jac_v_fn = nsds_differences});
  nsds_relation *r = nsds_lagrangian_relation(
      model, &(nsds_lagrangian_relation_def){
                 .ny = 2, .nq = 2, .output_fn = hand, .jac_output_q_fn = hand_slopes});
  nsds_connect(model, r, coulomb(model, 2, 0.3), 1, s->ds);
}

/* A four-bar linkage in the plane, with dry friction between its bars. */
static void four_bar(nsds_model *model, made *s) {
  static const double from[4][2] = {{0.0, 0.0}, {0.0, 0.5}, {0.9, 1.2}, {1.5, 0.0}};
  double rate = 6.0;
  s->n = s->nv = 3;
  for (int k = 0; k < 3; ++k) {
    const double *a = from[k], *b = from[k + 1], x = 0.5 * (a[0] + b[0]), y = 0.5 * (a[1] + b[1]);
    /* the crank turns, and the others start at rest: the first step makes them consistent */
    const double v0[] = {k == 0 ? -rate * y : 0.0, k == 0 ? rate * x : 0.0, k == 0 ? rate : 0.0};
    s->ds[k] =
        nsds_rigid_body_2d(model, &(nsds_rigid_body_2d_def){.mass = 1.0,
                                                            .inertia = 0.1,
                                                            .q0 = (const double[]){x, y, 0.0},
                                                            .v0 = v0,
                                                            .gravity = {0.0, -g}});
  }
  for (int k = 0; k < 4; ++k) {
    nsds_joint_def def = {.kind = NSDS_JOINT_HINGE,
                          .ds = {s->ds[k < 3 ? k : 2], k > 0 && k < 3 ? s->ds[k - 1] : NULL},
                          .point = {from[k][0], from[k][1], 0.0}};
    nsds_connect(model, nsds_joint(model, &def), nsds_equality(model), def.ds[1] ? 2 : 1, def.ds);
    if (!def.ds[1]) continue;
    nsds_relation *turn = nsds_lagrangian_linear_relation(
        model, &(nsds_lagrangian_linear_relation_def){
                   .ny = 1, .nq = 6, .H = (const double[]){0.0, 0.0, 1.0, 0.0, 0.0, -1.0}});
    nsds_law *dry = nsds_relay(model, 1, (const double[]){-0.3}, (const double[]){0.3});
    nsds_connect(model, turn, dry, 2, def.ds);
  }
}

/* A ball that rolls over another ball, found by a contact set. */
static void over_a_ball(nsds_model *model, made *s) {
  static const double J[] = {0.1, 0.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 0.1};
  const double a = 0.1, q0[] = {2.5 * sin(a), 0.0, 2.5 * cos(a), 1.0, 0.0, 0.0, 0.0};
  s->n = 1;
  s->ds[0] = body(model, J, q0, (const double[]){0.0, 0.5, 0.0, -cos(a), 0.0, sin(a)});
  nsds_shapes(model, &(nsds_shapes_def){.law = coulomb(model, 3, 0.2),
                                        .nshape = 2,
                                        .shape = (nsds_shape_def[]){
                                            {.kind = NSDS_SPHERE, .radius = 2.0},
                                            {.kind = NSDS_SPHERE, .ds = s->ds[0], .radius = 0.5}}});
}

/* Two tops that hang on springs with dampers: from the world, and from each other. */
static void on_springs(nsds_model *model, double damping, made *s) {
  static const double J[] = {0.02, 0.0, 0.0, 0.0, 0.03, 0.0, 0.0, 0.0, 0.04};
  s->n = 2;
  for (int k = 0; k < 2; ++k) {
    const double q0[] = {0.2 * k, 0.1, -1.0 - k, 0.8, 0.6, 0.0, 0.0};
    s->ds[k] = body(model, J, q0, (const double[]){0.3, -0.2, 0.0, 1.0, 3.0, 2.0});
    nsds_spring_def def = {.ds = {s->ds[k], k ? s->ds[0] : NULL},
                           .point = {0.2 * k, 0.2, -0.9 - k},
                           .other = {0.1, 0.0, -1.1 * k},
                           .stiffness = 80.0,
                           .damping = damping,
                           .rest = NSDS_REST_LENGTH,
                           .length = 0.7};
    nsds_connect(model, nsds_spring(model, &def), nsds_equality(model), k + 1, def.ds);
  }
}

static void damped_on_springs(nsds_model *model, made *s) { on_springs(model, 0.8, s); }

/* A ball on the ground, pulled to and fro by a spring at its side: it rolls and slides. */
static void ball_on_a_spring(nsds_model *model, made *s) {
  const double q0[] = {0.0, 0.0, 0.1, 1.0, 0.0, 0.0, 0.0};
  s->n = 1;
  s->ds[0] = body(model, ball_inertia, q0, (const double[]){2.0, 0.0, 0.0, 0.0, 20.0, 0.0});
  nsds_relation *ground = nsds_sphere_plane_relation(
      model, &(nsds_sphere_plane_relation_def){.radius = 0.1, .normal = {0, 0, 1}});
  nsds_connect(model, ground, coulomb(model, 3, 0.3), 1, s->ds);
  nsds_spring_def def = {.ds = {s->ds[0]},
                         .other = {-1.0, 0.2, 0.1},
                         .point = {0.0, 0.0, 0.1},
                         .stiffness = 30.0,
                         .damping = 0.2};
  nsds_connect(model, nsds_spring(model, &def), nsds_equality(model), 1, def.ds);
}

typedef struct moving {
  const char *name;
  void (*make)(nsds_model *, made *);
  double end, h; /* h: the coarsest step */
  bool slips;    /* stick and slip change */
} moving;

static const moving scenes[] = {
    {"ball rolling in a bowl", bowl_rolling, 1.0, 1.0 / 100, false},
    {"ball sliding in a bowl", bowl_sliding, 0.3, 1.0 / 200, false},
    {"rattleback", rattleback, 1.0, 1.0 / 100, false},
    {"top on a sliding tip", sliding_top, 0.5, 1.0 / 100, false},
    {"Euler's disc", disc, 0.5, 1.0 / 200, false},
    {"arm that presses a table", arm, 1.5, 1.0 / 40, true},
    {"four-bar with dry friction", four_bar, 0.5, 1.0 / 100, true},
    {"ball over a ball of a set", over_a_ball, 0.5, 1.0 / 100, false},
    {"tops on springs and dampers", damped_on_springs, 1.0, 1.0 / 100, false},
    {"ball pulled by a spring", ball_on_a_spring, 1.0, 1.0 / 100, true}};

enum { most_numbers = 40 };

/* Runs a scene. Writes q and v of all bodies, and returns their number. */
static int play(const moving *of, nsds_discretisation scheme, double h, double *q, double *v,
                double *iterations) {
  nsds_model *model = nsds_model_create(NULL);
  made s = {.nv = 6};
  of->make(model, &s);
  assert_sound(model);
  nsds_simulation *sim = nsds_time_stepping(
      model,
      &(nsds_time_stepping_def){.t1 = of->end, .h = h, .second_order = scheme, .tolerance = 1e-13});
  assert_sound(model);
  long count = 0, steps = 0;
  nsds_status status;
  for (; (status = nsds_step(sim)) == NSDS_OK; ++steps)
    count += nsds_simulation_info(sim)->newton_iterations;
  assert_status(model, status, NSDS_END);
  int n = 0;
  for (int b = 0; b < s.n; ++b)
    for (int k = 0; k < s.nv; ++k, ++n) {
      q[n] = nsds_q(s.ds[b])[k];
      v[n] = nsds_v(s.ds[b])[k];
    }
  if (iterations) *iterations = (double)count / (double)steps;
  nsds_model_destroy(model);
  return n;
}

static double apart(int n, const double *a, const double *b) {
  double sum = 0.0;
  for (int k = 0; k < n; ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sqrt(sum);
}

/* ---- orders ----------------------------------------------------------------------------------- */

static FILE *report;

/* The slope over halvings of the mean error of some runs with steps in [0.64 h, h]: where in a step
 * stick and slip change is a matter of chance. */
static void order_of_scene(const moving *of) {
  enum { halvings = 5 };
  int runs = of->slips ? 12 : 3;
  double q0[most_numbers], v0[most_numbers], q[most_numbers], v[most_numbers];
  double error[2][halvings + 1] = {{0.0}}, moreau = 0.0, its;
  int n = play(of, nsds_rattle(), of->h / 512.0, q0, v0, NULL);
  for (int k = 0; k <= halvings; ++k)
    for (int i = 0; i < runs; ++i) {
      double h = of->h * (1.0 - 0.36 * i / runs);
      h = of->end / ceil(of->end / h - 1e-6) / (double)(1 << k);
      play(of, nsds_rattle(), h, q, v, &its);
      error[0][k] += apart(n, q, q0) / runs;
      error[1][k] += apart(n, v, v0) / runs;
    }
  play(of, nsds_moreau_jean(0.5, 1.0), of->h / 32.0, q, v, NULL);
  moreau = apart(n, q, q0);
  double order[2];
  for (int j = 0; j < 2; ++j) order[j] = log2(error[j][0] / error[j][halvings]) / halvings;
  print_message("             %-28s q %.2f (%.1e to %.1e), v %.2f (%.1e); Moreau-Jean %.1e; %.1f "
                "iterations\n",
                of->name, order[0], error[0][0], error[0][halvings], order[1], error[1][halvings],
                moreau, its);
  if (report)
    fprintf(report, "| %s | %.2f (%.1e) | %.2f (%.1e) | %.1e |\n", of->name, order[0],
            error[0][halvings], order[1], error[1][halvings], moreau);
  double least = of->slips ? 1.7 : 1.9;
  assert_true(order[0] > least && order[1] > least);
  /* Moreau-Jean is of order one, and tends to the same motion */
  assert_true(moreau < 64.0 * error[0][0] + 1e-2 && moreau > error[0][halvings]);
}

static void orders(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; ++k) order_of_scene(&scenes[k]);
}

/* ---- long runs -------------------------------------------------------------------------------- */

static nsds_simulation *steps_of(nsds_model *model, double h, double end) {
  nsds_simulation *sim = nsds_time_stepping(
      model, &(nsds_time_stepping_def){
                 .t1 = end, .h = h, .second_order = nsds_rattle(), .tolerance = 1e-12});
  assert_sound(model);
  return sim;
}

/* Energy of rigid bodies of mass 1 in space, whose inertia is a multiple J of the identity. */
static double energy_of(const nsds_ds *ds, double J) {
  const double *q = nsds_q(ds), *v = nsds_v(ds);
  double sum = g * q[2];
  for (int k = 0; k < 3; ++k) sum += 0.5 * (v[k] * v[k] + J * v[3 + k] * v[3 + k]);
  return sum;
}

/* A ball let go in a bowl loses at most a thousandth of its energy in ten seconds, and its gap is
 * zero. Moreau-Jean loses five hundredths. */
static void energy_in_a_bowl(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  made s;
  bowl(model, 5.0, NULL, &s);
  nsds_simulation *sim = steps_of(model, 1e-3, 10.0);
  double start = energy_of(s.ds[0], ball_inertia[0]), height = g * 0.9 * (1.0 - cos(1.0));
  const nsds_interaction *contact = nsds_interaction_at(model, 0);
  while (nsds_step(sim) == NSDS_OK) {
    assert_near(energy_of(s.ds[0], ball_inertia[0]), start, 1e-5 * height);
    assert_near(nsds_y(contact)[0], 0.0, 1e-14);
    for (int i = 0; i < 3; ++i) assert_near(nsds_ydot(contact)[i], 0.0, 1e-9);
  }
  assert_sound(model);
  nsds_model_destroy(model);
}

/* A chain of bars in the plane, joined by hinges and hung up, after a push. */
static int chain(nsds_model *model, int n, nsds_ds **bar) {
  for (int k = 0; k < n; ++k) {
    const double q0[] = {k + 0.5, 0.0, 0.0};
    bar[k] = nsds_rigid_body_2d(
        model, &(nsds_rigid_body_2d_def){
                   .mass = 1.0, .inertia = 1.0 / 12.0, .q0 = q0, .gravity = {0.0, -g}});
    nsds_joint_def def = {.kind = NSDS_JOINT_HINGE,
                          .ds = {bar[k], k > 0 ? bar[k - 1] : NULL},
                          .point = {k, 0.0, 0.0}};
    nsds_connect(model, nsds_joint(model, &def), nsds_equality(model), def.ds[1] ? 2 : 1, def.ds);
  }
  assert_sound(model);
  return n;
}

static int steps_of_energy = 60000;

/* The error of an energy over a run: the largest in each half, the mean in each tenth. */
typedef struct energy_error {
  double worst[2], mean[10];
} energy_error;

static void note_energy(energy_error *e, int k, double error) {
  const int half = (int)(2L * k / steps_of_energy), tenth = (int)(10L * k / steps_of_energy);
  e->worst[half] = worse(e->worst[half], fabs(error));
  e->mean[tenth] += 10.0 * error / steps_of_energy;
}

/* The error goes to and fro, and its mean stays where it is: a line through the means of the tenths
 * rises by less than a part of the largest error. */
static void check_drift(const energy_error *e, double most, double part) {
  double slope = 0.0;
  print_message(
      "             energy off by at most %.1e J; means of the tenths of %d steps:\n            ",
      worse(e->worst[0], e->worst[1]), steps_of_energy);
  for (int i = 0; i < 10; ++i) {
    print_message(" %.1e", e->mean[i]);
    slope += (i - 4.5) * e->mean[i] / 82.5;
  }
  print_message("; drift %.1e\n", 10.0 * slope);
  assert_true(e->worst[1] < 2.0 * e->worst[0] && e->worst[1] < most);
  assert_true(fabs(10.0 * slope) < part * e->worst[0]);
}

static void energy_of_a_chain_does_not_drift(void **state) {
  (void)state;
  enum { n = 3 };
  const int steps = steps_of_energy;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *bar[n];
  chain(model, n, bar);
  const double h = 2e-3;
  nsds_simulation *sim = steps_of(model, h, h * steps);
  energy_error error = {0};
  double gap = 0.0, rate = 0.0, wound = 1.0;
  for (int k = 0; k < steps; ++k) {
    assert_ok(model, nsds_step(sim));
    double sum = 0.0;
    for (int b = 0; b < n; ++b) {
      const double *v = nsds_v(bar[b]);
      sum += g * nsds_q(bar[b])[1] + 0.5 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] / 12.0);
      wound = worse(wound, fabs(nsds_q(bar[b])[2])); /* the last bar turns over and over */
      for (int i = 0; i < 2; ++i) {
        gap = worse(gap, fabs(nsds_y(nsds_interaction_at(model, b))[i]));
        rate = worse(rate, fabs(nsds_ydot(nsds_interaction_at(model, b))[i]));
      }
    }
    note_energy(&error, k, sum);
  }
  print_message("             of %.0f J; joints by %.1e m, %.1e m/s; angles up to %.0f\n", g * 4.5,
                gap, rate, wound);
  check_drift(&error, 0.2, 0.1);
  assert_true(gap < 8.0 * DBL_EPSILON * wound && rate < 1e-12);
  nsds_model_destroy(model);
}

/* Springs without dampers keep the energy: its error does not grow in a long run. */
static void energy_of_springs_does_not_drift(void **state) {
  (void)state;
  const int steps = steps_of_energy;
  nsds_model *model = nsds_model_create(NULL);
  made s = {.nv = 6};
  on_springs(model, 0.0, &s);
  nsds_simulation *sim = steps_of(model, 2e-3, 2e-3 * steps);
  energy_error error = {0};
  double start = 0.0;
  for (int k = 0; k < steps; ++k) {
    double sum = 0.0;
    for (int b = 0; b < 2; ++b) {
      const double *q = nsds_q(s.ds[b]), *v = nsds_v(s.ds[b]);
      nsds_spring_motion spring;
      assert_ok(model, nsds_spring_read(nsds_interaction_at(model, b), &spring));
      sum += g * q[2] + spring.energy;
      for (int i = 0; i < 3; ++i)
        sum += 0.5 * (v[i] * v[i] + (0.02 + 0.01 * i) * v[3 + i] * v[3 + i]);
    }
    if (k == 0) start = sum;
    note_energy(&error, k, sum - start);
    assert_ok(model, nsds_step(sim));
  }
  check_drift(&error, 5e-2,
              0.5); /* tops on springs move chaotically, and the mean goes to and fro */
  nsds_model_destroy(model);
}

/* A mass on a spring with a damper in closed form; nsds_lambda() is the force of the spring. */
static void a_damped_spring_in_closed_form(void **state) {
  (void)state;
  const double m = 2.0, k = 50.0, d = 3.0, rate = 0.5 * d / m, w = sqrt(k / m - rate * rate);
  double error[2][2];
  for (int i = 0; i < 2; ++i) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = nsds_lagrangian_linear(
        model, &(nsds_lagrangian_linear_def){.ndof = 1, .q0 = (double[]){0.4}, .mass = &m});
    nsds_spring_def def = {
        .ds = {ds}, .coordinates = true, .stiffness = k, .damping = d, .rest = NSDS_REST_LENGTH};
    nsds_interaction *spring =
        nsds_connect(model, nsds_spring(model, &def), nsds_equality(model), 1, &ds);
    const double h = i ? 5e-3 : 1e-2, t = 1.0, e = 0.4 * exp(-rate * t);
    nsds_simulation *sim = steps_of(model, h, t);
    nsds_status status;
    while ((status = nsds_step(sim)) == NSDS_OK) continue;
    assert_status(model, status, NSDS_END);
    double q = e * (cos(w * t) + rate / w * sin(w * t)),
           v = -e * (w + rate * rate / w) * sin(w * t);
    error[i][0] = hypot(nsds_q(ds)[0] - q, nsds_v(ds)[0] - v);
    error[i][1] = fabs(nsds_lambda(spring)[0] + k * q + d * v);
    nsds_model_destroy(model);
  }
  assert_between(error[0][0] / error[1][0], 3.6, 4.4);
  assert_true(error[0][0] < 1e-2);
  assert_between(error[0][1] / error[1][1], 1.6, 2.4); /* of the middle of the step */
}

/* ---- closed forms ----------------------------------------------------------------------------- */

/* A block slides on the floor and stops: at v^2 / (2 mu g), where it stays to the bit. */
static void a_block_stops(void **state) {
  (void)state;
  double error[2];
  for (int fine = 0; fine < 2; ++fine) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = nsds_lagrangian_linear(
        model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                             .v0 = (double[]){0.0, 1.0},
                                             .mass = (double[]){2.0, 0.0, 0.0, 2.0},
                                             .fext = (double[]){-2.0 * g, 0.0}});
    nsds_relation *r = nsds_lagrangian_linear_relation(
        model, &(nsds_lagrangian_linear_relation_def){
                   .ny = 2, .nq = 2, .H = (const double[]){1.0, 0.0, 0.0, 1.0}});
    const double mu = 0.3;
    nsds_interaction *floor = nsds_connect(model, r, coulomb(model, 2, mu), 1, &ds);
    const double h = fine ? 1e-3 : 8e-3;
    nsds_simulation *sim = steps_of(model, h, 1.0);
    while (nsds_time(sim) < 0.5) assert_ok(model, nsds_step(sim));
    double place = nsds_q(ds)[1];
    error[fine] = fabs(place - 1.0 / (2.0 * mu * g));
    while (nsds_step(sim) == NSDS_OK) {
      assert_near(nsds_q(ds)[1], place, 0.0);
      assert_near(nsds_q(ds)[0], 0.0, 0.0);
      assert_near(nsds_lambda(floor)[0], 2.0 * g, 1e-9);
      assert_near(nsds_lambda(floor)[1], 0.0, 1e-9);
    }
    nsds_model_destroy(model);
  }
  assert_true(error[0] < 1e-4 && error[1] < error[0] / 20.0);
}

/* Balls at rest in a box: a step solves each problem once, and the balls stay. */
static void a_heap_at_rest_takes_one_iteration(void **state) {
  (void)state;
  enum { side = 3, balls = side * side * side };
  const double r = 0.1, J = 0.4 * r * r, inertia[9] = {[0] = J, [4] = J, [8] = J};
  const double wide = 2.0 * r * side;
  const nsds_plane box[] = {
      {{0, 0, 1}, 0}, {{1, 0, 0}, 0}, {{-1, 0, 0}, -wide}, {{0, 1, 0}, 0}, {{0, -1, 0}, -wide}};
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds[balls];
  for (int k = 0; k < balls; ++k) {
    const int at[] = {k % side, k / side % side, k / side / side};
    double q0[7] = {[3] = 1};
    for (int i = 0; i < 3; ++i) q0[i] = (2 * at[i] + 1) * r;
    ds[k] = nsds_rigid_body(model, &(nsds_rigid_body_def){.mass = 1.0 + 0.1 * (k % 4),
                                                          .inertia = inertia,
                                                          .q0 = q0,
                                                          .gravity = {0, 0, -9.81}});
  }
  nsds_law *law = nsds_newton_impact_friction(model, &(nsds_newton_impact_friction_def){.mu = 0.3});
  nsds_spheres(model,
               &(nsds_spheres_def){
                   .law = law, .count = balls, .ds = ds, .radius = r, .nplane = 5, .plane = box});
  nsds_simulation *s = nsds_time_stepping(
      model, &(nsds_time_stepping_def){.t1 = 1, .h = 1e-3, .second_order = nsds_rattle()});
  for (int step = 0; step < 100; ++step) {
    assert_ok(model, nsds_step(s));
    if (step > 0) assert_int_equal(nsds_simulation_info(s)->newton_iterations, 1);
  }
  for (int k = 0; k < balls; ++k)
    assert_near(nsds_q(ds[k])[2], (2 * (k / side / side) + 1) * r, 1e-9);
  nsds_model_destroy(model);
}

/* A ball with restitution comes to rest on the floor, at a gap of zero, under its weight. */
static void a_ball_comes_to_rest(void **state) {
  (void)state;
  for (int k = 0; k < 4; ++k) {
    nsds_model *model = nsds_model_create(NULL);
    ball_scene scene = scene_bouncing_ball(model, 1.0, 0.0, 1.0, 0.25 * k);
    nsds_simulation *sim = steps_of(model, 5e-3, 12.0);
    while (nsds_step(sim) == NSDS_OK) assert_true(nsds_y(scene.floor)[0] >= -1e-15);
    assert_near(nsds_y(scene.floor)[0], 0.0, 1e-15);
    assert_near(nsds_v(scene.ball)[0], 0.0, 1e-9);
    assert_near(nsds_lambda(scene.floor)[0], g, 1e-6);
    nsds_model_destroy(model);
  }
}

static int far_from_pivot(const nsds_arguments *in, double *y, void *user) {
  (void)user;
  y[0] = hypot(in->q[0], in->q[1]) - 1.0;
  return 0;
}

static int pivot_slopes(const nsds_arguments *in, double *J, void *user) {
  double far = hypot(in->q[0], in->q[1]);
  (void)user;
  for (int k = 0; k < 2; ++k) J[k] = in->q[k] / far;
  return 0;
}

/* An elastic ball on a rod between two walls keeps its speed over some hundred impacts. */
static void an_elastic_ball_on_a_rod_keeps_its_speed(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                           .q0 = (double[]){0.0, 1.0},
                                           .v0 = (double[]){2.0, 0.0},
                                           .mass = (double[]){1.0, 0.0, 0.0, 1.0}});
  nsds_relation *rod = nsds_lagrangian_relation(
      model, &(nsds_lagrangian_relation_def){
                 .ny = 1, .nq = 2, .output_fn = far_from_pivot, .jac_output_q_fn = pivot_slopes});
  nsds_connect(model, rod, nsds_equality(model), 1, &ds);
  for (int side = -1; side <= 1; side += 2) {
    const double H[] = {-side, 0.0}, half = 0.5;
    nsds_relation *wall = nsds_lagrangian_linear_relation(
        model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 2, .H = H, .b = &half});
    nsds_connect(model, wall, nsds_newton_impact(model, 1.0), 1, &ds);
  }
  nsds_simulation *sim = steps_of(model, 1e-3, 50.0);
  nsds_status status;
  while ((status = nsds_step(sim)) == NSDS_OK) continue;
  assert_status(model, status, NSDS_END);
  print_message("             speed %.6f of 2\n", hypot(nsds_v(ds)[0], nsds_v(ds)[1]));
  assert_near(hypot(nsds_v(ds)[0], nsds_v(ds)[1]), 2.0, 2e-3);
  nsds_model_destroy(model);
}

static int swing(const nsds_arguments *in, double *v, void *user) {
  (void)user;
  v[0] = sin(3.0 * in->t);
  return 0;
}

/* A coordinate moved as sin 3t, tied to another through M, C and K: the other's motion, and the force
 * on the first, both of order two. */
static void prescribed_motion(void **state) {
  (void)state;
  static const double M[] = {2.0, 0.5, 0.5, 1.0}, C[] = {0.6, -0.2, -0.2, 0.5},
                      K[] = {20.0, -8.0, -8.0, 12.0};
  double q[3], force[3];
  for (int k = 0; k < 3; ++k) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = nsds_lagrangian_linear(
        model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                             .q0 = (double[]){0.0, 0.2},
                                             .mass = M,
                                             .damping = C,
                                             .stiffness = K,
                                             .prescribed = {1, (int[]){0}, swing}});
    const double h = k == 2 ? 1.0 / 12800.0 : k == 1 ? 1.0 / 400.0 : 1.0 / 100.0;
    nsds_simulation *sim = steps_of(model, h, 1.0);
    while (nsds_step(sim) == NSDS_OK) continue;
    assert_near(nsds_v(ds)[0], sin(3.0), 1e-12);
    q[k] = nsds_q(ds)[1];
    force[k] = nsds_prescribed_force(ds)[0];
    /* M dv/dt + C v + K q of the first row, in the middle of the last step */
    nsds_model_destroy(model);
  }
  print_message("             q off by %.1e and %.1e, the force by %.1e and %.1e\n",
                fabs(q[0] - q[2]), fabs(q[1] - q[2]), fabs(force[0] - force[2]),
                fabs(force[1] - force[2]));
  assert_true(fabs(q[1] - q[2]) < fabs(q[0] - q[2]) / 14.0 && fabs(q[0] - q[2]) < 1e-3);
  assert_true(fabs(force[1] - force[2]) < fabs(force[0] - force[2]) / 3.0);
}

/* ---- drawn chains in space -------------------------------------------------------------------- */

/* Energy and joints of chains of turned bodies with drawn joints, and order two of their motion. */
static void drawn_chain(long seed) {
  enum { most = 4 };
  double q[3][7 * most];
  int n = 1 + (int)(seed % most);
  for (int level = 0; level < 3; ++level) {
    uint64_t draw = (uint64_t)seed;
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds[most] = {NULL};
    double at[3] = {0.0};
    for (int b = 0; b < n; ++b) {
      double J[9] = {0.0}, q0[7] = {0.0}, size = 0.0, v0[6] = {0.0};
      for (int k = 0; k < 3; ++k) J[4 * k] = random_in(&draw, 0.2, 0.3);
      for (int k = 3; k < 7; ++k) {
        q0[k] = random_in(&draw, -0.4, 0.6);
        size += q0[k] * q0[k];
      }
      for (int k = 3; k < 7; ++k) q0[k] /= sqrt(size);
      for (int k = 0; k < 3; ++k) q0[k] = at[k] + random_in(&draw, -0.5, 0.5);
      ds[b] = body(model, J, q0, v0);
      static const nsds_joint_kind kinds[] = {NSDS_JOINT_HINGE, NSDS_JOINT_BALL,
                                              NSDS_JOINT_CYLINDRICAL, NSDS_JOINT_PRISMATIC};
      nsds_joint_def def = {.kind = kinds[(int)random_in(&draw, 0.0, 3.999)],
                            .ds = {ds[b], b > 0 ? ds[b - 1] : NULL},
                            .point = {at[0], at[1], at[2]},
                            .axis = {1.0, random_in(&draw, 0.0, 1.0), 0.3}};
      nsds_connect(model, nsds_joint(model, &def), nsds_equality(model), def.ds[1] ? 2 : 1, def.ds);
      for (int k = 0; k < 3; ++k) at[k] = 2.0 * q0[k] - at[k];
    }
    assert_sound(model);
    nsds_simulation *sim = steps_of(model, 0.01 / (1 << 2 * level), 0.3);
    nsds_status status;
    while ((status = nsds_step(sim)) == NSDS_OK)
      for (int b = 0; b < n; ++b) {
        const nsds_interaction *joint = nsds_interaction_at(model, b);
        for (int i = 0; i < nsds_interaction_size(joint); ++i) {
          assert_near(nsds_y(joint)[i], 0.0, 1e-12);
          assert_near(nsds_ydot(joint)[i], 0.0, 1e-11);
        }
      }
    assert_status(model, status, NSDS_END);
    for (int b = 0; b < n; ++b) memcpy(q[level] + 7 * b, nsds_q(ds[b]), 7 * sizeof(double));
    nsds_model_destroy(model);
  }
  double coarse = apart(7 * n, q[0], q[1]), fine = apart(7 * n, q[1], q[2]);
  if (!(fine < coarse / 12.0 + 1e-10))
    fail_msg("chain %ld of %d bodies: %.2e and %.2e between levels", seed, n, coarse, fine);
}

static void drawn_chains(void **state) {
  (void)state;
  for (long seed = 1; seed <= 40; ++seed) drawn_chain(seed);
}

/* Energy over a long run, apart from the other tests. */
static int energies(int steps) {
  steps_of_energy = steps;
  const struct CMUnitTest tests[] = {cmocka_unit_test(energy_of_a_chain_does_not_drift),
                                     cmocka_unit_test(energy_of_springs_does_not_drift)};
  return cmocka_run_group_tests_name("kernel.rattle energies", tests, NULL, NULL);
}

int main(int argc, char **argv) {
  if (argc > 2 && strcmp(argv[1], "--steps") == 0) return energies(atoi(argv[2]));
  report = argc > 1 ? fopen(argv[1], "w") : NULL;
  if (report)
    fprintf(report, "| | order of q (error) | order of v (error) | Moreau–Jean: error of q |\n"
                    "|---|---|---|---|\n");
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(orders),
      cmocka_unit_test(energy_in_a_bowl),
      cmocka_unit_test(energy_of_a_chain_does_not_drift),
      cmocka_unit_test(energy_of_springs_does_not_drift),
      cmocka_unit_test(a_damped_spring_in_closed_form),
      cmocka_unit_test(a_block_stops),
      cmocka_unit_test(a_heap_at_rest_takes_one_iteration),
      cmocka_unit_test(a_ball_comes_to_rest),
      cmocka_unit_test(an_elastic_ball_on_a_rod_keeps_its_speed),
      cmocka_unit_test(prescribed_motion),
      cmocka_unit_test(drawn_chains),
  };
  int failed = cmocka_run_group_tests_name("kernel.rattle", tests, NULL, NULL);
  if (report) fclose(report);
  return failed;
}
