/*
 * Robots in URDF and MJCF: places, masses and kinetic energy of drawn chains against sums over their links; the
 * imported model file against the file itself; equations of couplers; what is refused, and what is told.
 */
#include "run_test.h"

#include <nsds/joint.h>
#include <nsds/tree.h>

static unsigned long long state = 1;

/* A number in [-1, 1]. */
static double draw(void) {
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double)(state >> 11) / 4503599627370496.0 - 1.0;
}

static int draw_int(int count) { return (int)(0.5 * (draw() + 1.0) * (count - 1e-9)) % count; }

static nsds_job *open_text(nsds_context *context, const char *name, const char *text) {
  return nsds_job_create(context,
                         &(nsds_job_def){.file = name, .text = text, .kind = NSDS_JOB_ROBOT});
}

static nsds_job *robot_of(nsds_context *context, const char *text) {
  nsds_job *job = open_text(context, "test.urdf", text);
  if (!job) fail_msg("%s\n%s", nsds_error_message(context), text);
  return job;
}

/* ---- a drawn chain, and what its links say --------------------------------------------------- */

enum { most_links = 12 };

typedef struct frame {
  double R[9], p[3];
} frame;

typedef struct chain {
  int n;
  int type[most_links]; /* of the joint above: 0 revolute, 1 prismatic, 2 fixed, 3 continuous */
  int parent[most_links];
  double xyz[most_links][3], rpy[most_links][3], axis[most_links][3];
  double mass[most_links], center[most_links][3], turn[most_links][3], J[most_links][9];
} chain;

static void times(const double *A, const double *B, double *out) {
  double r[9] = {0.0};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) r[3 * i + j] += A[3 * i + k] * B[3 * k + j];
  memcpy(out, r, sizeof r);
}

/* Turn by an angle about an axis of length 1, by Rodrigues. */
static void rodrigues(const double *a, double angle, double *R) {
  double c = cos(angle), s = sin(angle);
  const double K[9] = {0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      R[3 * i + j] = (i == j ? c : 0.0) + s * K[3 * i + j] + (1.0 - c) * a[i] * a[j];
}

/* Rz(yaw) Ry(pitch) Rx(roll), as URDF says. */
static void of_rpy(const double *rpy, double *R) {
  double X[9], Y[9], Z[9];
  rodrigues((double[]){1, 0, 0}, rpy[0], X);
  rodrigues((double[]){0, 1, 0}, rpy[1], Y);
  rodrigues((double[]){0, 0, 1}, rpy[2], Z);
  times(Z, Y, R);
  times(R, X, R);
}

static void point_of(const frame *f, const double *x, double *out) {
  for (int i = 0; i < 3; ++i)
    out[i] = f->p[i] + f->R[3 * i] * x[0] + f->R[3 * i + 1] * x[1] + f->R[3 * i + 2] * x[2];
}

/* Frames of all links; q has a number for each joint that moves, in the order of the links. */
static void place_links(const chain *c, const double *q, frame *f) {
  int at = 0;
  for (int k = 0; k < c->n; ++k) {
    frame base = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
    double R[9], turn[9], along[3] = {0};
    if (c->parent[k] >= 0) base = f[c->parent[k]];
    point_of(&base, c->xyz[k], f[k].p);
    of_rpy(c->rpy[k], R);
    times(base.R, R, f[k].R);
    if (c->type[k] == 1) {
      for (int i = 0; i < 3; ++i) along[i] = q[at] * c->axis[k][i];
      frame moved = f[k];
      point_of(&moved, along, f[k].p);
    } else if (c->type[k] != 2) {
      rodrigues(c->axis[k], q[at], turn);
      times(f[k].R, turn, f[k].R);
    }
    at += c->type[k] != 2;
  }
}

static void draw_chain(chain *c) {
  c->n = 2 + draw_int(most_links - 2);
  for (int k = 0; k < c->n; ++k) {
    double length = 0.0;
    c->type[k] = k == 0 ? 0 : draw_int(4);
    c->parent[k] = k == 0 ? -1 : draw_int(k);
    for (int i = 0; i < 3; ++i) {
      c->xyz[k][i] = draw();
      c->rpy[k][i] = 3.0 * draw();
      c->axis[k][i] = draw() + (i == 0 ? 1.5 : 0.0);
      c->center[k][i] = 0.3 * draw();
      c->turn[k][i] = 3.0 * draw();
      length += c->axis[k][i] * c->axis[k][i];
    }
    for (int i = 0; i < 3; ++i) c->axis[k][i] /= sqrt(length);
    c->mass[k] = 1.2 + draw();
    memset(c->J[k], 0, sizeof c->J[k]);
    for (int i = 0; i < 3; ++i) c->J[k][4 * i] = 0.05 + 0.01 * draw();
    c->J[k][1] = c->J[k][3] = 0.01 * draw();
    c->J[k][5] = c->J[k][7] = 0.01 * draw();
  }
}

static void write_chain(const chain *c, char *text, size_t size) {
  static const char *const type[] = {"revolute", "prismatic", "fixed", "continuous"};
  size_t n = (size_t)snprintf(text, size, "<robot name=\"chain\"><link name=\"world\"/>\n");
  for (int k = 0; k < c->n; ++k) {
    char parent[20] = "world";
    if (c->parent[k] >= 0) snprintf(parent, sizeof parent, "l%02d", c->parent[k]);
    n += (size_t)snprintf(
        text + n, size - n,
        "<link name=\"l%02d\"><inertial><origin xyz=\"%.17g %.17g %.17g\" rpy=\"%.17g %.17g "
        "%.17g\"/>"
        "<mass value=\"%.17g\"/><inertia ixx=\"%.17g\" ixy=\"%.17g\" ixz=\"0\" iyy=\"%.17g\" "
        "iyz=\"%.17g\" izz=\"%.17g\"/></inertial></link>\n"
        "<joint name=\"j%02d\" type=\"%s\"><parent link=\"%s\"/><child link=\"l%02d\"/>"
        "<origin xyz=\"%.17g %.17g %.17g\" rpy=\"%.17g %.17g %.17g\"/><axis xyz=\"%.17g %.17g "
        "%.17g\"/>"
        "<limit lower=\"-100\" upper=\"100\"/></joint>\n",
        k, c->center[k][0], c->center[k][1], c->center[k][2], c->turn[k][0], c->turn[k][1],
        c->turn[k][2], c->mass[k], c->J[k][0], c->J[k][1], c->J[k][4], c->J[k][5], c->J[k][8], k,
        type[c->type[k]], parent, k, c->xyz[k][0], c->xyz[k][1], c->xyz[k][2], c->rpy[k][0],
        c->rpy[k][1], c->rpy[k][2], c->axis[k][0], c->axis[k][1], c->axis[k][2]);
  }
  snprintf(text + n, size - n, "</robot>\n");
}

/* Places of the tree's velocities: u of the tree is in the order of its bodies. */
static int joint_place(nsds_tree *tree, int link) {
  char name[20];
  snprintf(name, sizeof name, "l%02d", link);
  for (int k = 0; k < nsds_tree_size(tree); ++k) {
    nsds_tree_body body;
    nsds_tree_at(tree, k, &body);
    if (strcmp(nsds_ds_name(body.ds), name) == 0) return body.u;
  }
  fail_msg("there is no body %s", name);
  return -1;
}

/* Kinetic energy by differences of the links' frames along q + s u. */
static double kinetic_energy(const chain *c, const double *q, const double *u, int n) {
  const double s = 1e-4;
  double T = 0.0, qa[most_links], qb[most_links];
  frame a[most_links], b[most_links], now[most_links];
  for (int i = 0; i < n; ++i) qa[i] = q[i] - s * u[i], qb[i] = q[i] + s * u[i];
  place_links(c, qa, a);
  place_links(c, qb, b);
  place_links(c, q, now);
  for (int k = 0; k < c->n; ++k) {
    double xa[3], xb[3], dR[9], W[9], P[9], w[3], turn[9], R[9];
    point_of(&a[k], c->center[k], xa);
    point_of(&b[k], c->center[k], xb);
    for (int i = 0; i < 3; ++i) T += 0.5 * c->mass[k] * pow((xb[i] - xa[i]) / (2.0 * s), 2);
    for (int i = 0; i < 9; ++i) dR[i] = (b[k].R[i] - a[k].R[i]) / (2.0 * s);
    for (int i = 0; i < 9; ++i) P[i] = now[k].R[3 * (i % 3) + i / 3];
    times(P, dR, W); /* R' dR/dt: the angular velocity in the link */
    const double in_link[3] = {0.5 * (W[7] - W[5]), 0.5 * (W[2] - W[6]), 0.5 * (W[3] - W[1])};
    of_rpy(c->turn[k], turn);
    for (int i = 0; i < 9; ++i) R[i] = turn[3 * (i % 3) + i / 3];
    for (int i = 0; i < 3; ++i)
      w[i] = R[3 * i] * in_link[0] + R[3 * i + 1] * in_link[1] + R[3 * i + 2] * in_link[2];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) T += 0.5 * w[i] * c->J[k][3 * i + j] * w[j];
  }
  return T;
}

static void test_chain(const chain *c) {
  static char text[most_links * 1500 + 200];
  nsds_context *context = nsds_context_create(NULL);
  write_chain(c, text, sizeof text);
  nsds_job *job = robot_of(context, text);
  nsds_tree *tree = nsds_tree_create(nsds_job_model(job));
  double q[most_links], u[most_links], qt[most_links], ut[most_links], M[most_links * most_links];
  int n = 0;
  for (int k = 0; k < c->n; ++k) {
    if (c->type[k] == 2) continue;
    int at = joint_place(tree, k);
    q[n] = 2.0 * draw();
    u[n] = draw();
    qt[at] = q[n];
    ut[at] = u[n++];
  }
  assert_int_equal(nsds_tree_nu(tree), n);
  frame f[most_links];
  place_links(c, q, f);
  nsds_tree_sums sums;
  assert_int_equal(nsds_tree_sum(tree, qt, ut, &sums), NSDS_OK);
  double mass = 0.0, center[3] = {0.0}, x[3], T = 0.0;
  for (int k = 0; k < c->n; ++k) {
    point_of(&f[k], c->center[k], x);
    mass += c->mass[k];
    for (int i = 0; i < 3; ++i) center[i] += c->mass[k] * x[i];
  }
  assert_close("the mass", sums.mass, mass, 1e-12 * mass);
  for (int i = 0; i < 3; ++i) assert_close("the center", sums.center[i], center[i] / mass, 1e-11);
  assert_int_equal(nsds_tree_mass(tree, qt, M), NSDS_OK);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) T += 0.5 * ut[i] * M[i + n * j] * ut[j];
  double expected = kinetic_energy(c, q, u, n); /* differences: an error of s^2 */
  assert_close("the kinetic energy", T, expected, 1e-6 * (1.0 + expected));
  nsds_tree_destroy(tree);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

static void drawn_chains(void **unused) {
  (void)unused;
  for (int k = 0; k < 200; ++k) {
    chain c;
    draw_chain(&c);
    test_chain(&c);
  }
}

/* ---- the arm --------------------------------------------------------------------------------- */

typedef struct written {
  size_t size;
  char text[200000];
} written;

static void keep(const char *piece, void *user) {
  written *w = user;
  size_t size = strlen(piece);
  assert_true(w->size + size < sizeof w->text);
  memcpy(w->text + w->size, piece, size + 1);
  w->size += size;
}

static double *last_row(nsds_context *context, const nsds_job_def *def, int *count) {
  nsds_job *job = nsds_job_create(context, def);
  if (!job) fail_msg("%s", nsds_error_message(context));
  job_to_the_end(context, job);
  *count = nsds_job_column_count(job);
  double *row = malloc((size_t)*count * sizeof *row);
  memcpy(row, nsds_job_row(job), (size_t)*count * sizeof *row);
  nsds_job_destroy(job);
  return row;
}

/* The model file of a robot gives the bits of the robot. */
static void import_is_the_robot(void **unused) {
  (void)unused;
  static const char *const robots[] = {"arm.urdf", "arm.xml", "quadruped.xml", "four_bar.xml"};
  const nsds_job_setting setting[] = {{"t1", "0.05"}};
  for (size_t k = 0; k < sizeof robots / sizeof *robots; ++k) {
    char path[400];
    static written w;
    int n, m;
    snprintf(path, sizeof path, NSDS_TEST_SOURCE "/examples/robots/%s", robots[k]);
    nsds_context *context = nsds_context_create(NULL);
    nsds_job_def def = {.file = path, .nsettings = 1, .settings = setting};
    nsds_job *job = nsds_job_create(context, &def);
    if (!job) fail_msg("%s", nsds_error_message(context));
    w.size = 0;
    assert_int_equal(nsds_job_import(job, keep, &w), NSDS_OK);
    nsds_job_destroy(job);
    double *row = last_row(context, &def, &n);
    def.text = w.text;
    def.kind = NSDS_JOB_MODEL_FILE;
    double *again = last_row(context, &def, &m);
    assert_int_equal(n, m);
    assert_memory_equal(row, again, (size_t)n * sizeof *row);
    free(row);
    free(again);
    nsds_context_destroy(context);
  }
}

/* The second finger of the gripper follows the first. */
static void mimic_follows(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  int n;
  const nsds_job_setting setting[] = {{"t1", "0.2"}, {"g", "1"}};
  double *row = last_row(context,
                         &(nsds_job_def){.file = NSDS_TEST_SOURCE "/examples/robots/arm.urdf",
                                         .nsettings = 2,
                                         .settings = setting},
                         &n);
  assert_int_equal(n, 10);
  assert_close("the second finger", row[9], row[8], 1e-9);
  free(row);
  nsds_context_destroy(context);
}

/* ---- faults ---------------------------------------------------------------------------------- */

#define LINK(name)                                                                                 \
  "<link name=\"" name "\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" "   \
  "ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>"
#define JOINT(name, type, parent, child, more)                                                     \
  "<joint name=\"" name "\" type=\"" type "\"><parent link=\"" parent "\"/><child link=\"" child   \
  "\"/>" more "</joint>"
#define ROBOT(words) "<robot name=\"r\">\n" words "</robot>"
#define ARM(words) ROBOT("<link name=\"base\"/>" LINK("a") "\n" words)
#define TURNS(more) JOINT("j", "continuous", "base", "a", more)

static void wrong_files_are_refused(void **unused) {
  (void)unused;
  static const char *const wrong[][2] = {
      {"<robot", "test.urdf:1:1: this is not XML"},
      {"<robot><link></robot>", "this is not XML: mismatched tag"},
      {"<!DOCTYPE a [<!ENTITY b \"c\">]><robot/>", "a document type"},
      {"<sdf/>", "the first element is <sdf>; valid are <robot> of URDF and <mujoco> of MJCF"},
      {"<robot/>", "the robot has no <link>"},
      {ROBOT("<link/>"), "test.urdf:2:1: <link> has no name"},
      {ROBOT("<link name=\"a\"/>\n<link name=\"a\"/>"),
       "test.urdf:3:1: a link is called \"a\" here and at test.urdf:2"},
      {ROBOT("<link name=\"a\"/><link name=\"b\"/>"),
       "the links \"b\" and \"a\" (line 2) have no parent"},
      {ROBOT("<link name=\"a\"/>"), "no body moves"},
      {ARM(JOINT("j", "screw", "base", "a", "")), "the type of a joint is \"screw\""},
      {ARM(JOINT("j", "continuous", "b", "a", "")), "there is no link \"b\""},
      {ARM(JOINT("j", "continuous", "a", "a", "")), "hangs on a circle of joints"},
      {ARM("<joint name=\"j\" type=\"fixed\"/>"), "the joint has no <parent link=\"...\"/>"},
      {ARM(JOINT("j", "revolute", "base", "a", "")), "needs <limit"},
      {ARM(TURNS("<axis xyz=\"0 0 0\"/>")), "the axis has the length 0"},
      {ARM(TURNS("<axis xyz=\"0 0\"/>")), "xyz of <axis> has 2 numbers; valid is 3"},
      {ARM(TURNS("<axis xyz=\"0 x 0\"/>")), "xyz of <axis> is \"0 x 0\"; valid are finite numbers"},
      {ARM(TURNS("<axis xyz=\"0 1e999 0\"/>")), "valid are finite numbers"},
      {ARM(TURNS("<dynamics damping=\"-1\"/>")), "damping is -1"},
      {ARM(JOINT("j", "revolute", "base", "a", "<limit lower=\"1\" upper=\"0\"/>")),
       "lower is 1 and upper is 0"},
      {ARM(TURNS("<mimic joint=\"k\"/>")), "the joint cannot follow \"k\""},
      {ARM(TURNS("<mimic joint=\"j\"/>")), "the joint cannot follow \"j\""},
      {ARM(TURNS("") TURNS("")), "a joint is called \"j\" here and at test.urdf:3"},
      {ARM(TURNS("") JOINT("k", "fixed", "base", "a", "")),
       "has a second parent here, after line 3"},
      {ARM(TURNS("") "<link name=\"b\"/>" JOINT("k", "continuous", "a", "b", "")),
       "the link moves and has the mass 0"},
      {ROBOT("<link name=\"base\"/><link name=\"a\"><inertial><mass "
             "value=\"-1\"/></inertial></link>" TURNS("")),
       "the mass is -1 kg"},
      {ROBOT("<link name=\"base\"/><link name=\"a\"><inertial><mass value=\"1\"/><inertia "
             "ixx=\"1\" iyy=\"1\" "
             "izz=\"3\"/></inertial></link>" TURNS("")),
       "no mass has a moment above the sum of the other two"},
      {ROBOT("<link name=\"base\"/><link name=\"a\"><inertial><mass value=\"1\"/><inertia "
             "ixx=\"1\" iyy=\"1\" "
             "izz=\"-1\"/></inertial></link>" TURNS("")),
       "check signs and units"},
      {ARM(TURNS("") "<link name=\"c\"><collision/></link>" JOINT("k", "fixed", "a", "c", "")),
       "<collision> has no <geometry>"},
      {ARM(TURNS("") "<link name=\"c\"><collision><geometry><box size=\"1 1 "
                     "-1\"/></geometry></collision></link>" JOINT("k", "fixed", "a", "c", "")),
       "a measure of <box> is -0.5 m"},
      {ARM(TURNS("") "<link name=\"c\"><collision><geometry><mesh "
                     "filename=\"../../etc/x.stl\"/></geometry>"
                     "</collision></link>" JOINT("k", "fixed", "a", "c", "")),
       "cannot be read"},
      {ARM(TURNS("") "<link name=\"c\"><collision><geometry><mesh filename=\"a.dae\"/></geometry>"
                     "</collision></link>" JOINT("k", "fixed", "a", "c", "")),
       "valid are .stl and .obj"},
      {ROBOT("<link name=\"base\"/>" LINK(
           "a") "<link name=\"a-very-long-name-of-a-link-of-forty-letters\"/>" TURNS("")
                 JOINT("k", "continuous", "a", "a-very-long-name-of-a-link-of-forty-letters", "")),
       "valid are 1 to 37"},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    nsds_context *context = nsds_context_create(NULL);
    nsds_job *job = open_text(context, "test.urdf", wrong[k][0]);
    if (job) fail_msg("%s is accepted", wrong[k][0]);
    if (!strstr(nsds_error_message(context), wrong[k][1]))
      fail_msg("%s\n%s\nexpected: %s", wrong[k][0], nsds_error_message(context), wrong[k][1]);
    nsds_context_destroy(context);
  }
}

/* ---- MJCF, one feature at a time -------------------------------------------------------------- */

#define MJCF(words) "<mujoco>" words "</mujoco>"
#define WORLD(words) MJCF("<worldbody>" words "</worldbody>")
#define INERTIAL "<inertial pos=\"0 0 0\" mass=\"2\" diaginertia=\"1 1 1\"/>"
#define BODY(words) "<body name=\"b\">" words "</body>"

static nsds_job *mjcf_of(nsds_context *context, const char *text) {
  nsds_job *job = open_text(context, "test.xml", text);
  if (!job) fail_msg("%s\n%s", nsds_error_message(context), text);
  return job;
}

/* The first body of a file: its place at the start, and its mass matrix. */
static nsds_ds *first_body(nsds_job *job) { return nsds_ds_at(nsds_job_model(job), 0); }

/* Attitudes in all their forms: 90 degrees about z. */
static void attitudes_are_one(void **unused) {
  (void)unused;
  static const char *const files[] = {
      WORLD("<body quat=\"1 0 0 1\"><freejoint/>" INERTIAL "</body>"),
      WORLD("<body axisangle=\"0 0 3 90\"><freejoint/>" INERTIAL "</body>"),
      WORLD("<body euler=\"0 0 90\"><freejoint/>" INERTIAL "</body>"),
      MJCF("<compiler angle=\"radian\"/><worldbody><body euler=\"0 0 "
           "1.5707963267948966\"><freejoint/>" INERTIAL "</body></worldbody>"),
      MJCF("<compiler eulerseq=\"zxy\"/><worldbody><body euler=\"90 0 0\"><freejoint/>" INERTIAL
           "</body></worldbody>"),
      WORLD("<body xyaxes=\"0 1 0 -1 1 0\"><freejoint/>" INERTIAL "</body>"),
      WORLD("<frame euler=\"0 0 45\"><body euler=\"0 0 45\"><freejoint/>" INERTIAL
            "</body></frame>")};
  for (size_t k = 0; k < sizeof files / sizeof *files; ++k) {
    nsds_context *context = nsds_context_create(NULL);
    nsds_job *job = mjcf_of(context, files[k]);
    const double *q = nsds_q(first_body(job));
    assert_close("w", q[3], sqrt(0.5), 1e-15);
    assert_close("x", q[4], 0.0, 1e-15);
    assert_close("y", q[5], 0.0, 1e-15);
    assert_close("z", q[6], sqrt(0.5), 1e-15);
    nsds_job_destroy(job);
    nsds_context_destroy(context);
  }
}

/* A free body of one geom: mass and the third moment in closed form. */
static void geoms_have_masses(void **unused) {
  (void)unused;
  const double pi = 3.14159265358979323846;
  const struct {
    const char *geom;
    double mass, Jz, height;
  } cases[] = {
      {"size=\"0.5\"", 1000 * 4 / 3.0 * pi * 0.125, 1000 * 4 / 3.0 * pi * 0.125 * 0.4 * 0.25, 0.0},
      {"type=\"box\" size=\"1 2 3\" mass=\"6\"", 6.0, 6.0 * (1.0 + 4.0) / 3.0, 0.0},
      {"type=\"cylinder\" size=\"1 2\" density=\"2\" pos=\"0 0 5\"", 8 * pi, 4 * pi, 5.0},
      {"type=\"ellipsoid\" size=\"1 2 3\" mass=\"5\"", 5.0, 5.0, 0.0},
      {"type=\"cylinder\" size=\"1\" fromto=\"0 0 0 0 0 4\" density=\"1\"", 4 * pi, 2 * pi, 2.0},
      {"type=\"capsule\" size=\"1 2\" density=\"3\"", 3 * (4 * pi + 4 / 3.0 * pi),
       3 * (2 * pi + 0.4 * 4 / 3.0 * pi), 0.0}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    char text[500];
    double J[36], q[7];
    nsds_context *context = nsds_context_create(NULL);
    snprintf(text, sizeof text, WORLD("<body><freejoint/><geom %s/></body>"), cases[k].geom);
    nsds_job *job = mjcf_of(context, text);
    nsds_tree *tree = nsds_tree_create(nsds_job_model(job));
    assert_int_equal(nsds_tree_get_state(tree, q, NULL), NSDS_OK);
    assert_int_equal(nsds_tree_mass(tree, q, J), NSDS_OK);
    assert_close(cases[k].geom, J[0], cases[k].mass, 1e-12 * cases[k].mass);
    assert_close(cases[k].geom, J[35], cases[k].Jz, 1e-12 * cases[k].Jz);
    assert_close(cases[k].geom, q[2], cases[k].height, 1e-12);
    nsds_tree_destroy(tree);
    nsds_job_destroy(job);
    nsds_context_destroy(context);
  }
}

/* A ball falls 1 m on a plane: the damping ratio of solref gives the speed after the blow. */
static void solref_becomes_restitution(void **unused) {
  (void)unused;
  const double e = exp(-3.14159265358979323846 * 0.2 / sqrt(1.0 - 0.04));
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = mjcf_of(
      context, MJCF("<option timestep=\"0.001\" gravity=\"0 0 -10\"/>"
                    "<default><geom solref=\"0.02 0.2\"/></default><worldbody><geom type=\"plane\" "
                    "size=\"0 0 1\"/>"
                    "<body pos=\"0 0 1.1\"><freejoint/><geom size=\"0.1\"/></body></worldbody>"));
  double before = 0.0, after = 0.0;
  while (nsds_job_step(job) == NSDS_OK && after <= 0.0) {
    after = nsds_v(first_body(job))[2];
    if (after < 0.0) before = after;
  }
  assert_close("the speed after the blow", after, -e * before, 0.02); /* two steps of gravity */
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

/* Defaults: the class of an element, else that of the bodies around it, else that of all. */
static void classes_give_defaults(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job =
      mjcf_of(context, MJCF("<default><geom mass=\"1\"/><default class=\"a\"><geom "
                            "mass=\"2\"/><default class=\"c\"/></default>"
                            "<default class=\"b\"><geom size=\"3\"/></default></default><worldbody>"
                            "<body childclass=\"c\"><freejoint/><geom size=\"1\"/><geom "
                            "class=\"b\"/><geom class=\"main\" size=\"1\"/>"
                            "</body></worldbody>"));
  nsds_tree *tree = nsds_tree_create(nsds_job_model(job));
  double q[7], M[36];
  nsds_tree_get_state(tree, q, NULL);
  nsds_tree_mass(tree, q, M);
  assert_close("the mass", M[0], 2.0 + 1.0 + 1.0, 1e-12);
  nsds_tree_destroy(tree);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

/* The closing joint of the gripper holds while its servo turns the crank. */
static void loops_close(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = nsds_job_create(
      context, &(nsds_job_def){.file = NSDS_TEST_SOURCE "/examples/robots/four_bar.xml"});
  if (!job) fail_msg("%s", nsds_error_message(context));
  nsds_interaction *servo = NULL;
  for (int k = 0; k < nsds_interaction_count(nsds_job_model(job)); ++k) {
    nsds_interaction *ia = nsds_interaction_at(nsds_job_model(job), k);
    if (strstr(nsds_interaction_name(ia), "drive")) servo = ia;
  }
  assert_non_null(servo);
  assert_int_equal(nsds_joint_drive_set(servo, 0.5, 0.0, 0.0), NSDS_OK);
  job_to_the_end(context, job);
  const double *row = nsds_job_row(job); /* t, crank, finger, follower, sensor */
  assert_close("the follower", row[3], row[1], 1e-9);
  assert_close("the finger", row[2], -row[1], 1e-9);
  assert_true(row[1] > 0.4);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

static void wrong_mjcf_is_refused(void **unused) {
  (void)unused;
  static const char *const wrong[][2] = {
      {WORLD(""), "no body moves"},
      {WORLD("<body><freejoint/></body>"), "the body moves and has no mass"},
      {WORLD("<body><joint type=\"screw\"/>" INERTIAL "</body>"),
       "the type of a joint is \"screw\""},
      {WORLD("<body><joint axis=\"0 0 0\"/>" INERTIAL "</body>"), "the axis has the length 0"},
      {WORLD("<body><joint range=\"2 1\"/>" INERTIAL "</body>"), "LOWER < UPPER"},
      {WORLD("<body quat=\"0 0 0 0\"><joint/>" INERTIAL "</body>"),
       "quat of <body> has the length 0"},
      {WORLD("<body quat=\"1 0 0 0\" euler=\"0 0 0\"><joint/>" INERTIAL "</body>"),
       "<body> has 2 attitudes"},
      {WORLD(BODY("<joint name=\"j\"/>" INERTIAL) BODY("<joint/>" INERTIAL)),
       "a body is called b here and at test.xml:1"},
      {WORLD("<body><joint name=\"j\"/>" INERTIAL "</body><body><joint name=\"j\"/>" INERTIAL
             "</body>"),
       "a joint is called j here"},
      {WORLD("<body><joint class=\"x\"/>" INERTIAL "</body>"), "there is no class \"x\""},
      {WORLD("<body><joint/><body><freejoint/>" INERTIAL "</body>" INERTIAL "</body>"),
       "a free joint belongs to a body of the world"},
      {WORLD("<body><joint/><freejoint/>" INERTIAL "</body>"), "none beside a free joint"},
      {WORLD("<body><joint/><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 3\"/></body>"),
       "no mass has a moment above"},
      {WORLD("<body><joint/><geom type=\"plane\" size=\"1 1 1\"/>" INERTIAL "</body>"),
       "a plane stands on a body that moves"},
      {WORLD("<body><joint/><geom type=\"box\" size=\"1 1\"/></body>"),
       "needs 3 numbers in size; it has 2"},
      {WORLD("<body><joint/><geom type=\"cube\"/></body>"), "the type of a geom is \"cube\""},
      {WORLD("<body><joint/><geom size=\"-1\"/></body>"), "size has the number -1"},
      {WORLD("<body><joint/><geom size=\"1\" density=\"-1\"/></body>"), "density is -1"},
      {WORLD("<body><joint/><geom type=\"mesh\" mesh=\"m\"/></body>"), "there is no mesh \"m\""},
      {WORLD("<body><joint/><geom size=\"1\" friction=\"-1\"/></body>"),
       "friction has the numbers -1"},
      {MJCF("<compiler coordinate=\"global\"/>"), "valid is local"},
      {MJCF("<compiler eulerseq=\"abc\"/>"), "three of the letters xyzXYZ"},
      {MJCF("<option timestep=\"0\"/>"), "timestep is 0 s"},
      {MJCF("<include file=\"../missing.xml\"/>"), "../missing.xml cannot be read"},
      {MJCF("<include/>"), "<include> has no file"},
      {MJCF("<default><default/></default>"), "needs a name"},
      {MJCF("<worldbody>" BODY(
           "<joint name=\"j\"/>" INERTIAL) "</worldbody><actuator><motor joint=\"k\"/></actuator>"),
       "joint of <motor> is \"k\""},
      {MJCF("<worldbody>" BODY(
           "<joint name=\"j\"/>" INERTIAL) "</worldbody><equality><joint joint1=\"j\" polycoef=\"0 "
                                           "1 2 0 0\"/></equality>"),
       "polycoef has powers above 1"},
      {MJCF("<worldbody>" BODY(
           "<joint name=\"j\"/>" INERTIAL) "</worldbody><equality><connect body1=\"c\" anchor=\"0 "
                                           "0 0\"/></equality>"),
       "there is no body \"c\""},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    nsds_context *context = nsds_context_create(NULL);
    nsds_job *job = open_text(context, "test.xml", wrong[k][0]);
    if (job) fail_msg("%s is accepted", wrong[k][0]);
    if (!strstr(nsds_error_message(context), wrong[k][1]))
      fail_msg("%s\n%s\nexpected: %s", wrong[k][0], nsds_error_message(context), wrong[k][1]);
    nsds_context_destroy(context);
  }
}

/* ---- what is told ---------------------------------------------------------------------------- */

/* What has no effect is told once, with its first place. */
static void unknown_parts_are_told(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = robot_of(
      context,
      ARM(TURNS("<safety_controller k=\"1\"/>") "<gazebo reference=\"a\"/>\n<gazebo/>\n<gazebo/>"));
  assert_int_equal(nsds_job_warning_count(job), 2);
  assert_string_equal(nsds_job_warning(job, 0),
                      "test.urdf:3:73: <safety_controller> has no effect");
  assert_non_null(strstr(nsds_job_warning(job, 1), "<gazebo> has no effect (3 times in the file)"));
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(drawn_chains),           cmocka_unit_test(import_is_the_robot),
      cmocka_unit_test(mimic_follows),          cmocka_unit_test(wrong_files_are_refused),
      cmocka_unit_test(unknown_parts_are_told), cmocka_unit_test(attitudes_are_one),
      cmocka_unit_test(geoms_have_masses),      cmocka_unit_test(solref_becomes_restitution),
      cmocka_unit_test(classes_give_defaults),  cmocka_unit_test(loops_close),
      cmocka_unit_test(wrong_mjcf_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
