/*
 * A robot against MuJoCo: reads what robots_mujoco.mjs prints from standard input, and compares
 *   states   attitudes, center of mass, mass matrix and bias forces with those of the tree of the file
 *   keys     values of sensors and forces of actuators at keyframes
 *   forces   values of sensors of forces and accelerations after a step of 1e-8 s
 *   rest     values of sensors of forces after the run, at rest
 *   motion   coordinates after a second of free motion: of the tree, and of small robots by event-driven
 *            simulation
 *
 *   robots_oracle states|keys|forces|rest|motion FILE < numbers
 */
#include <nsds/event_driven.h>
#include <nsds/joint.h>
#include <nsds/run.h>
#include <nsds/tree.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most = 100 };
static const double rounding = 1e-10; /* of numbers around 1 to 100, computed by other sums */
static const double after_a_second = 1e-6;
static const double at_rest = 1e-3; /* MuJoCo's bodies sink in by a few thousandths of their size */
static const double after_a_step = 1e-5; /* the state changes by 1e-8 of velocities up to 10 */

static double worst = 0.0, tolerance = 1e-10;
static int compared = 0;

static void compare(const char *what, double found, double expected) {
  double error = fabs(found - expected) / fmax(1.0, fabs(expected));
  ++compared;
  if (error > worst) worst = error;
  if (error <= tolerance) return;
  fprintf(stderr, "%s is %.17g; MuJoCo has %.17g\n", what, found, expected);
  exit(1);
}

static void expect(const char *word) {
  char found[80];
  if (scanf("%79s", found) == 1 && strcmp(found, word) == 0) return;
  fprintf(stderr, "there is no line %s\n", word);
  exit(1);
}

static void read_numbers(const char *word, int count, double *x) {
  expect(word);
  for (int k = 0; k < count; ++k)
    if (scanf("%lf", &x[k]) != 1) exit(1);
}

/* Number of the body with a name; -1: it is a part of another one. */
static int body_by_name(nsds_tree *tree, const char *name, bool joint, nsds_tree_body *body) {
  for (int k = 0; k < nsds_tree_size(tree); ++k) {
    nsds_tree_at(tree, k, body);
    const char *own = !joint        ? nsds_ds_name(body->ds)
                      : body->joint ? nsds_interaction_name(body->joint)
                                    : "-";
    if (strcmp(own, name) == 0) return k;
  }
  return -1;
}

/* ---- states ---- */

/* The robot with the places of MuJoCo's coordinates in those of the tree. */
typedef struct robot {
  nsds_context *context;
  nsds_job *job;
  nsds_tree *tree;
  int nv, nbody, nq, u_of[most], q_of[2 * most], body_of[most];
} robot;

static void fail(const char *what, const char *name) {
  fprintf(stderr, "%s %s\n", what, name);
  exit(1);
}

static void open_robot(robot *r, const char *file, const char *keyframe) {
  const nsds_job_setting setting = {"keyframe", keyframe};
  r->context = nsds_context_create(NULL);
  r->job = nsds_job_create(
      r->context,
      &(nsds_job_def){.file = file, .nsettings = keyframe != NULL, .settings = &setting});
  if (!r->job) fail("", nsds_error_message(r->context));
  r->tree = nsds_tree_create(nsds_job_model(r->job));
  if (!r->tree) fail("", nsds_error_message(r->context));
}

static void close_robot(robot *r) {
  nsds_tree_destroy(r->tree);
  nsds_job_destroy(r->job);
  nsds_context_destroy(r->context);
}

static void read_sizes(robot *r) {
  int njoint;
  char name[80];
  expect("size");
  if (scanf("%d %d %d", &r->nv, &njoint, &r->nbody) != 3 || r->nv > most || r->nbody > most)
    fail("the robot is too large:", "");
  if (nsds_tree_nu(r->tree) != r->nv) fail("the tree has another number of velocities", "");
  r->nq = 0;
  for (int j = 0; j < njoint; ++j) {
    int type, place, dof;
    nsds_tree_body body;
    expect("joint");
    if (scanf("%79s %d %d %d", name, &type, &place, &dof) != 4) fail("no joint in line", "joint");
    if (body_by_name(r->tree, name, true, &body) < 0) fail("there is no joint", name);
    for (int i = 0; i < body.nu; ++i) r->u_of[dof + i] = body.u + i;
    for (int i = 0; i < body.nq; ++i) r->q_of[r->nq++] = body.q + i;
  }
  for (int b = 0; b < r->nbody; ++b) {
    nsds_tree_body body;
    expect("body");
    if (scanf("%79s", name) != 1) fail("no name in line", "body");
    r->body_of[b] = body_by_name(r->tree, name, false, &body);
  }
}

static void read_state(const robot *r, double *q, double *u) {
  double x[2 * most];
  read_numbers("q", r->nq, x);
  for (int k = 0; k < r->nq; ++k) q[r->q_of[k]] = x[k];
  read_numbers("u", r->nv, x);
  for (int k = 0; k < r->nv; ++k) u[r->u_of[k]] = x[k];
}

static bool more(char wanted) {
  char next;
  if (scanf(" %c", &next) != 1) return false;
  ungetc(next, stdin);
  return next == wanted;
}

static void compare_states(const char *file) {
  robot r;
  open_robot(&r, file, NULL);
  read_sizes(&r);
  while (more('q')) {
    double x[4 * most], q[2 * most], u[most], M[most * most], bias[most], place[7 * most];
    nsds_tree_sums sums;
    read_state(&r, q, u);
    nsds_tree_forward(r.tree, q, u, place, NULL);
    nsds_tree_mass(r.tree, q, M);
    nsds_tree_bias(r.tree, q, u, bias);
    nsds_tree_sum(r.tree, q, u, &sums);
    read_numbers("x", 4 * r.nbody, x);
    for (int b = 0; b < r.nbody; ++b) {
      const double *mine = place + 7 * r.body_of[b] + 3, *other = x + 4 * b;
      double dot = 0.0; /* of quaternions: 1 or -1 for one attitude */
      for (int i = 0; r.body_of[b] >= 0 && i < 4; ++i) dot += mine[i] * other[i];
      for (int i = 0; r.body_of[b] >= 0 && i < 4; ++i)
        compare("a quaternion", dot < 0.0 ? -mine[i] : mine[i], other[i]);
    }
    read_numbers("c", 3, x);
    for (int i = 0; i < 3; ++i) compare("the center of mass", sums.center[i], x[i]);
    for (int i = 0; i < r.nv; ++i) {
      read_numbers("M", r.nv, x);
      for (int j = 0; j < r.nv; ++j)
        compare("the mass matrix", M[r.u_of[i] + r.nv * r.u_of[j]], x[j]);
    }
    read_numbers("b", r.nv, x);
    for (int i = 0; i < r.nv; ++i) compare("a bias force", bias[r.u_of[i]], x[i]);
  }
  close_robot(&r);
}

/* ---- keyframes ---- */

typedef struct written {
  size_t size;
  char text[400000];
} written;

static void keep(const char *piece, void *user) {
  written *w = user;
  size_t size = strlen(piece);
  if (w->size + size >= sizeof w->text) fail("the model file is too long", "");
  memcpy(w->text + w->size, piece, size + 1);
  w->size += size;
}

/* A number of the drive of a joint in the model file; 0: it is not there. */
static double drive_number(const written *w, const char *joint, const char *key) {
  char mark[120];
  snprintf(mark, sizeof mark, "\n  %s:\n", joint);
  const char *at = strstr(w->text, mark), *next, *end;
  if (!at) fail("the model file has no joint", joint);
  for (next = at + strlen(mark); *next == ' ' && strncmp(next, "    ", 4) == 0;)
    next = strchr(next, '\n') + 1;
  at = strstr(at, "drive: {");
  if (!at || at > next) return 0.0;
  end = strchr(at, '}');
  snprintf(mark, sizeof mark, "%s: ", key);
  at = strstr(at + 7, mark);
  return at && at < end ? strtod(at + strlen(mark), NULL) : 0.0;
}

/* The force of a drive by the numbers of the model file. */
static double drive_force(const written *w, const char *joint, double q, double v) {
  double most_force = drive_number(w, joint, "most");
  double force = drive_number(w, joint, "stiffness") * (drive_number(w, joint, "target") - q) +
                 drive_number(w, joint, "damping") * (drive_number(w, joint, "rate") - v) +
                 drive_number(w, joint, "force");
  return most_force > 0.0 ? fmax(-most_force, fmin(most_force, force)) : force;
}

static double column(const nsds_job *job, const char *name, const char *suffix) {
  char full[120];
  snprintf(full, sizeof full, "%s%s", name, suffix);
  for (int k = 0; k < nsds_job_column_count(job); ++k)
    if (strcmp(nsds_job_column_name(job, k), full) == 0) return nsds_job_row(job)[k];
  fail("there is no column", full);
  return 0.0;
}

typedef enum stage { BEFORE_A_STEP, AFTER_A_STEP, AT_REST } stage;

/* Compares a sensor of places or velocities, or of forces, which are known after a step; at rest any. */
static void compare_sensor(const robot *r, stage when) {
  static const char *const suffix[5][4] = {
      {""}, {""}, {"", ""}, {"_x", "_y", "_z"}, {"_w", "_x", "_y", "_z"}};
  char name[80];
  int needs, size;
  double x[4];
  if (scanf("%79s %d %d", name, &needs, &size) != 3 || size > 4) fail("no sensor in line", name);
  for (int i = 0; i < size; ++i)
    if (scanf("%lf", &x[i]) != 1) fail("no number of the sensor", name);
  bool known = when == AT_REST || (needs == 3) == (when == AFTER_A_STEP);
  for (int i = 0; known && i < size; ++i)
    compare(name, column(r->job, name, suffix[size][i]), x[i]);
}

static void compare_keys(const char *file, bool forces) {
  static written w;
  while (more('k')) {
    char key[80], joint[80];
    double q, v, force;
    robot r;
    expect("key");
    if (scanf("%79s", key) != 1) fail("no name in line", "key");
    open_robot(&r, file, key);
    w.size = 0;
    nsds_job_import(r.job, keep, &w);
    if (forces && nsds_job_step(r.job)) fail("", nsds_error_message(r.context));
    while (more('d')) {
      expect("drive");
      if (scanf("%79s %lf %lf %lf", joint, &q, &v, &force) != 4) fail("no numbers of", joint);
      compare(joint, drive_force(&w, joint, q, v), force);
    }
    while (more('s')) {
      expect("sensor");
      compare_sensor(&r, forces ? AFTER_A_STEP : BEFORE_A_STEP);
    }
    close_robot(&r);
  }
}

static void compare_rest(const char *file) {
  robot r;
  nsds_status status = NSDS_OK;
  open_robot(&r, file, NULL);
  while (status == NSDS_OK) status = nsds_job_step(r.job);
  if (status < 0) fail("", nsds_error_message(r.context));
  while (more('s')) {
    expect("sensor");
    compare_sensor(&r, AT_REST);
  }
  close_robot(&r);
}

/* ---- motion ---- */

/* dq/dt: velocities, of a free body and a ball joint with half of q times the angular velocity. */
static void rates_of(nsds_tree *tree, const double *q, const double *u, double *rate) {
  nsds_tree_body b;
  for (int k = 0; k < nsds_tree_size(tree); ++k) {
    nsds_tree_at(tree, k, &b);
    int ahead = b.nq == b.nu ? b.nu : b.nu - 3;
    const double *p = q + b.q + ahead, *w = u + b.u + ahead;
    for (int i = 0; i < ahead; ++i) rate[b.q + i] = u[b.u + i];
    if (b.nq == b.nu) continue;
    double *r = rate + b.q + ahead;
    r[0] = -0.5 * (p[1] * w[0] + p[2] * w[1] + p[3] * w[2]);
    r[1] = 0.5 * (p[0] * w[0] + p[2] * w[2] - p[3] * w[1]);
    r[2] = 0.5 * (p[0] * w[1] + p[3] * w[0] - p[1] * w[2]);
    r[3] = 0.5 * (p[0] * w[2] + p[1] * w[1] - p[2] * w[0]);
  }
}

/* A second of free motion in the coordinates of the tree, by the classical method of Runge and Kutta. */
static void integrate(nsds_tree *tree, double *q, double *u, int steps) {
  static const double place[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
  const double h = 1.0 / steps;
  int nq = nsds_tree_nq(tree), nu = nsds_tree_nu(tree);
  for (int n = 0; n < steps; ++n) {
    double dq[2 * most] = {0.0}, du[most] = {0.0}, sq[2 * most] = {0.0}, su[most] = {0.0};
    for (int k = 0; k < 4; ++k) {
      double x[2 * most], v[most];
      for (int i = 0; i < nq; ++i) x[i] = q[i] + place[k] * h * dq[i];
      for (int i = 0; i < nu; ++i) v[i] = u[i] + place[k] * h * du[i];
      rates_of(tree, x, v, dq);
      if (nsds_tree_dynamics(tree, x, v, NULL, du)) fail("no acceleration of", "the tree");
      for (int i = 0; i < nq; ++i) sq[i] += weight[k] * h / 6.0 * dq[i];
      for (int i = 0; i < nu; ++i) su[i] += weight[k] * h / 6.0 * du[i];
    }
    for (int i = 0; i < nq; ++i) q[i] += sq[i];
    for (int i = 0; i < nu; ++i) u[i] += su[i];
  }
}

/* The simulation of the model, whose bodies have six velocities each; for small robots. */
static void simulate(const robot *r, double *q, double *u) {
  nsds_status status = NSDS_OK;
  nsds_simulation *s =
      nsds_event_driven(nsds_job_model(r->job), &(nsds_event_driven_def){.t1 = 1.0});
  while (s && status == NSDS_OK) status = nsds_step(s);
  if (!s || status < 0) fail("", nsds_error_message(r->context));
  nsds_tree_get_state(r->tree, q, u);
}

static void compare_end(const robot *r, const double *q, const double *u, const double *found,
                        const double *rate) {
  bool floats = r->nq > r->nv;
  double sign = 1.0, dot = 0.0; /* of the quaternion */
  for (int i = 3; floats && i < 7; ++i) dot += q[r->q_of[i]] * found[r->q_of[i]];
  if (dot < 0.0) sign = -1.0;
  for (int i = 0; i < r->nq; ++i) {
    double x = found[r->q_of[i]];
    compare("a coordinate", floats && i >= 3 && i < 7 ? sign * x : x, q[r->q_of[i]]);
  }
  for (int i = 0; i < r->nv; ++i) compare("a velocity", rate[r->u_of[i]], u[r->u_of[i]]);
}

static void compare_motion(const char *file) {
  robot r;
  double q[2 * most], u[most], end_q[2 * most], end_u[most];
  open_robot(&r, file, NULL);
  read_sizes(&r);
  read_state(&r, q, u);
  read_state(&r, end_q, end_u);
  if (nsds_tree_set_state(r.tree, q, u)) fail("", nsds_error_message(r.context));
  integrate(r.tree, q, u, 1000);
  compare_end(&r, end_q, end_u, q, u);
  if (r.nv < 10) {
    simulate(&r, q, u);
    compare_end(&r, end_q, end_u, q, u);
  }
  close_robot(&r);
}

int main(int argc, char **argv) {
  const char *what = argc == 3 ? argv[1] : "";
  bool forces = strcmp(what, "forces") == 0;
  tolerance = strcmp(what, "motion") == 0 ? after_a_second
              : strcmp(what, "rest") == 0 ? at_rest
              : forces                    ? after_a_step
                                          : rounding;
  if (strcmp(what, "states") == 0) compare_states(argv[2]);
  else if (strcmp(what, "keys") == 0 || forces) compare_keys(argv[2], forces);
  else if (strcmp(what, "rest") == 0) compare_rest(argv[2]);
  else if (strcmp(what, "motion") == 0) compare_motion(argv[2]);
  else fail("usage: robots_oracle states|keys|forces|rest|motion FILE", "");
  printf("%s: %d %s, largest difference %.2g\n", argv[2], compared, what, worst);
  return compared > 0 ? 0 : 1;
}
