/*
 * Drawn trees for MuJoCo: writes an MJCF file of each, and what the library computes in drawn states. trees_mujoco.mjs
 * reads both and compares. A velocity of a joint that turns its body is a hinge, one that does not a slide; their axes
 * are columns of the Jacobian where the joints were made.
 *
 *   trees_oracle COUNT FOLDER
 */
#include <stdio.h>
#include <stdlib.h>

#include "drawn_tree.h"

enum { states = 3 };

static void print(FILE *to, const char *word, int count, const double *x) {
  fprintf(to, "%s", word);
  for (int k = 0; k < count; ++k) fprintf(to, " %.17g", x[k]);
  fprintf(to, "\n");
}

static void cross(const double *a, const double *b, double *c) {
  for (int i = 0; i < 3; ++i)
    c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* v turned by a quaternion, or back by its inverse. */
static void turn(const double *p, double back, const double *v, double *to) {
  const double axis[3] = {back * p[1], back * p[2], back * p[3]};
  double once[3], twice[3];
  cross(axis, v, once);
  cross(axis, once, twice);
  for (int i = 0; i < 3; ++i) to[i] = v[i] + 2.0 * (p[0] * once[i] + twice[i]);
}

static const double world[7] = {[3] = 1.0};

/* Place and attitude of a body in its parent, where the joints were made. */
static void print_frame(FILE *to, const double *parent, const double *own) {
  double d[3], x[3], p[4];
  const double *a = parent + 3, *b = own + 3;
  for (int i = 0; i < 3; ++i) d[i] = own[i] - parent[i];
  turn(a, -1.0, d, x);
  p[0] = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  for (int i = 0; i < 3; ++i) {
    int j = 1 + (i + 1) % 3, k = 1 + (i + 2) % 3;
    p[1 + i] = a[0] * b[1 + i] - a[1 + i] * b[0] - a[j] * b[k] + a[k] * b[j];
  }
  fprintf(to, "pos=\"%.17g %.17g %.17g\" quat=\"%.17g %.17g %.17g %.17g\"", x[0], x[1], x[2], p[0],
          p[1], p[2], p[3]);
}

/* The joint of one velocity, whose twist of the body is (v, w) in the world. */
static void print_joint(FILE *to, const double *own, const double *v, const double *w) {
  double square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2], arm[3], at[3], axis[3];
  bool turns = square > 0.5; /* of length 1, or 0 */
  cross(v, w, arm);
  for (int i = 0; i < 3; ++i) arm[i] = turns ? -arm[i] / square : 0.0;
  turn(own + 3, -1.0, arm, at);
  turn(own + 3, -1.0, turns ? w : v, axis);
  fprintf(to, "<joint type=\"%s\" pos=\"%.17g %.17g %.17g\" axis=\"%.17g %.17g %.17g\"/>\n",
          turns ? "hinge" : "slide", at[0], at[1], at[2], axis[0], axis[1], axis[2]);
}

/* Where the point of a ball joint is, from the body's center: the same for all directions of w. */
static void ball_point(const double *J, int rows, int u, double *arm) {
  double first[3], second[3];
  const double *a = J + (ptrdiff_t)rows * u, *b = a + rows;
  cross(a, a + 3, first);
  cross(b, b + 3, second);
  double along = 0.0; /* arm has no part along the first axis in `first`; `second` has it */
  for (int i = 0; i < 3; ++i) along += second[i] * a[3 + i];
  for (int i = 0; i < 3; ++i) arm[i] = -(first[i] + along * a[3 + i]);
}

/* The order of MuJoCo's joints: the one next to the parent comes first. Directions of slides of a planar joint, and
 * the second axis of a universal one, belong to the joint's second body. */
static int joint_order(const nsds_tree_body *b, int k) {
  if (!b->joint) return k;
  bool swapped = nsds_interaction_ds(b->joint, 0) != b->ds;
  if (b->kind == NSDS_JOINT_UNIVERSAL) return swapped ? k : 1 - k;
  return b->kind == NSDS_JOINT_PLANAR && swapped ? (k + 2) % 3 : k;
}

static void print_joints(FILE *to, drawn_tree *t, const double *q0, int body,
                         const nsds_tree_body *b, const double *own) {
  double J[6 * most_u], arm[3];
  if (!b->joint) fprintf(to, "<freejoint/>\n");
  if (!b->joint || b->nu == 0) return;
  assert_ok(t->m, nsds_tree_jacobian(t->tree, q0, body, NULL, J));
  if (b->kind == NSDS_JOINT_BALL) {
    double at[3];
    ball_point(J, 6, b->u, arm);
    turn(own + 3, -1.0, arm, at);
    fprintf(to, "<joint type=\"ball\" pos=\"%.17g %.17g %.17g\"/>\n", at[0], at[1], at[2]);
    return;
  }
  for (int k = 0; k < b->nu; ++k) {
    const double *column = J + 6 * (b->u + joint_order(b, k));
    print_joint(to, own, column, column + 3);
  }
}

/* Writes a body with all that hangs on it; `order` receives the bodies as MuJoCo counts them. */
static void print_body(FILE *to, drawn_tree *t, const double *q0, int body, int *order,
                       int *count) {
  nsds_tree_body b, parent;
  assert_ok(t->m, nsds_tree_at(t->tree, body, &b));
  if (b.parent >= 0) assert_ok(t->m, nsds_tree_at(t->tree, b.parent, &parent));
  const double *own = nsds_q(b.ds), *J = t->J[number_of(t, body)];
  order[(*count)++] = body;
  fprintf(to, "<body ");
  print_frame(to, b.parent >= 0 ? nsds_q(parent.ds) : world, own);
  fprintf(to,
          ">\n<inertial pos=\"0 0 0\" mass=\"%.17g\" fullinertia=", t->mass[number_of(t, body)]);
  fprintf(to, "\"%.17g %.17g %.17g %.17g %.17g %.17g\"/>\n", J[0], J[4], J[8], J[1], J[2], J[5]);
  print_joints(to, t, q0, body, &b, own);
  for (int k = body + 1; k < t->n; ++k) {
    nsds_tree_body child;
    assert_ok(t->m, nsds_tree_at(t->tree, k, &child));
    if (child.parent == body) print_body(to, t, q0, k, order, count);
  }
  fprintf(to, "</body>\n");
}

static void print_file(FILE *to, drawn_tree *t, int *order) {
  double q0[most_q];
  int count = 0;
  assert_ok(t->m, nsds_tree_get_state(t->tree, q0, NULL));
  fprintf(to, "<mujoco><compiler angle=\"radian\"/><option gravity=\"%.17g %.17g %.17g\"/>\n",
          gravity[0], gravity[1], gravity[2]);
  fprintf(to, "<worldbody>\n");
  for (int k = 0; k < t->n; ++k) {
    nsds_tree_body b;
    assert_ok(t->m, nsds_tree_at(t->tree, k, &b));
    if (b.parent < 0) print_body(to, t, q0, k, order, &count);
  }
  fprintf(to, "</worldbody></mujoco>\n");
  assert_int_equal(count, t->n);
}

/* Places of the library's coordinates and velocities, in MuJoCo's order. */
static void list_places(const drawn_tree *t, const int *order, int *of_q, int *of_u) {
  for (int k = 0, q = 0, u = 0; k < t->n; ++k) {
    nsds_tree_body b;
    assert_ok(t->m, nsds_tree_at(t->tree, order[k], &b));
    bool one = b.nq == b.nu; /* angles and displacements */
    for (int i = 0; i < b.nq; ++i) of_q[q++] = b.q + (one ? joint_order(&b, i) : i);
    for (int i = 0; i < b.nu; ++i) of_u[u++] = b.u + joint_order(&b, i);
  }
}

static void print_state(drawn_tree *t, const int *order, const int *of_q, const int *of_u,
                        uint64_t *seed) {
  static double M[most_u * most_u], place[7 * most_bodies], twist[6 * most_bodies];
  double a[most_u], b[most_u], tau[most_u], x[most_q + most_u];
  int nq = nsds_tree_nq(t->tree), nu = nsds_tree_nu(t->tree);
  draw_state(t, seed);
  for (int k = 0; k < nu; ++k) a[k] = random_in(seed, -1.0, 1.0);
  assert_ok(t->m, nsds_tree_forward(t->tree, t->q, t->u, place, twist));
  assert_ok(t->m, nsds_tree_mass(t->tree, t->q, M));
  assert_ok(t->m, nsds_tree_bias(t->tree, t->q, t->u, b));
  assert_ok(t->m, nsds_tree_inverse(t->tree, t->q, t->u, a, tau));
  for (int k = 0; k < nq; ++k) x[k] = t->q[of_q[k]];
  print(stdout, "q", nq, x);
  for (int k = 0; k < nu; ++k) x[k] = t->u[of_u[k]];
  print(stdout, "u", nu, x);
  for (int k = 0; k < nu; ++k) x[k] = a[of_u[k]];
  print(stdout, "a", nu, x);
  for (int k = 0; k < t->n; ++k) print(stdout, "x", 7, place + (ptrdiff_t)7 * order[k]);
  for (int i = 0; i < nu; ++i) {
    for (int k = 0; k < nu; ++k) x[k] = M[of_u[i] + (ptrdiff_t)nu * of_u[k]];
    print(stdout, "M", nu, x);
  }
  for (int k = 0; k < nu; ++k) x[k] = b[of_u[k]];
  print(stdout, "b", nu, x);
  for (int k = 0; k < nu; ++k) x[k] = tau[of_u[k]];
  print(stdout, "tau", nu, x);
}

int main(int argc, char **argv) {
  int count = argc > 2 ? atoi(argv[1]) : 0;
  for (int k = 0; k < count; ++k) {
    uint64_t seed = (uint64_t)k + 1;
    char name[1000];
    int order[most_bodies], of_q[most_q], of_u[most_u];
    drawn_tree t = draw_tree(1 + k % most_bodies, &seed);
    snprintf(name, sizeof name, "%s/tree_%d.xml", argv[2], k);
    FILE *file = fopen(name, "w");
    if (!file) return 1;
    print_file(file, &t, order);
    if (fclose(file)) return 1;
    list_places(&t, order, of_q, of_u);
    printf("tree %s %d\n", name, t.n);
    for (int s = 0; s < states; ++s) print_state(&t, order, of_q, of_u, &seed);
    nsds_tree_destroy(t.tree);
    nsds_model_destroy(t.m);
  }
  return count > 0 ? 0 : 2;
}
