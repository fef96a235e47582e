/*
 * A robot against MuJoCo: reads what robots_mujoco.mjs prints from standard input, and compares attitudes,
 * center of mass, mass matrix and bias forces with those of the tree of the file.
 *
 *   robots_oracle FILE < numbers
 */
#include <nsds/run.h>
#include <nsds/tree.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most = 100 };
static const double tolerance = 1e-10; /* of numbers around 1 to 100, computed by other sums */

static double worst = 0.0;
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

int main(int argc, char **argv) {
  int nv, njoint, nbody, nstate = 0, nq = 0, u_of[most] = {0}, q_of[most] = {0}, body_of[most];
  char name[80], next;
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = argc == 2 ? nsds_job_create(context, &(nsds_job_def){.file = argv[1]}) : NULL;
  if (!job) {
    fprintf(stderr, "%s\n", nsds_error_message(context));
    return 1;
  }
  nsds_tree *tree = nsds_tree_create(nsds_job_model(job));
  expect("size");
  if (scanf("%d %d %d", &nv, &njoint, &nbody) != 3 || nv > most || nbody > most) return 1;
  if (nsds_tree_nu(tree) != nv) {
    fprintf(stderr, "the tree has %d velocities; MuJoCo has %d\n", nsds_tree_nu(tree), nv);
    return 1;
  }
  for (int j = 0; j < njoint; ++j) {
    int type, place, dof;
    nsds_tree_body body;
    expect("joint");
    if (scanf("%79s %d %d %d", name, &type, &place, &dof) != 4) return 1;
    if (body_by_name(tree, name, true, &body) < 0) {
      fprintf(stderr, "there is no joint %s\n", name);
      return 1;
    }
    for (int i = 0; i < body.nu; ++i) u_of[dof + i] = body.u + i;
    for (int i = 0; i < body.nq; ++i) q_of[nq++] = body.q + i;
  }
  for (int b = 0; b < nbody; ++b) {
    nsds_tree_body body;
    expect("body");
    if (scanf("%79s", name) != 1) return 1;
    body_of[b] = body_by_name(tree, name, false, &body);
  }
  while (scanf(" %c", &next) == 1 && next == 'q') {
    double x[4 * most], q[2 * most], u[most], M[most * most], bias[most], place[7 * most];
    nsds_tree_sums sums;
    ungetc(next, stdin);
    read_numbers("q", nq, x);
    for (int k = 0; k < nq; ++k) q[q_of[k]] = x[k];
    read_numbers("u", nv, x);
    for (int k = 0; k < nv; ++k) u[u_of[k]] = x[k];
    nsds_tree_forward(tree, q, u, place, NULL);
    nsds_tree_mass(tree, q, M);
    nsds_tree_bias(tree, q, u, bias);
    nsds_tree_sum(tree, q, u, &sums);
    read_numbers("x", 4 * nbody, x);
    for (int b = 0; b < nbody; ++b) {
      const double *mine = place + 7 * body_of[b] + 3, *other = x + 4 * b;
      double dot = 0.0; /* of quaternions: 1 or -1 for one attitude */
      for (int i = 0; body_of[b] >= 0 && i < 4; ++i) dot += mine[i] * other[i];
      for (int i = 0; body_of[b] >= 0 && i < 4; ++i)
        compare("a quaternion", dot < 0.0 ? -mine[i] : mine[i], other[i]);
    }
    read_numbers("c", 3, x);
    for (int i = 0; i < 3; ++i) compare("the center of mass", sums.center[i], x[i]);
    for (int i = 0; i < nv; ++i) {
      read_numbers("M", nv, x);
      for (int j = 0; j < nv; ++j) compare("the mass matrix", M[u_of[i] + nv * u_of[j]], x[j]);
    }
    read_numbers("b", nv, x);
    for (int i = 0; i < nv; ++i) compare("a bias force", bias[u_of[i]], x[i]);
    ++nstate;
  }
  printf("%s: %d states, %d numbers, largest difference %.2g\n", argv[1], nstate, compared, worst);
  nsds_tree_destroy(tree);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
  return nstate > 0 ? 0 : 1;
}
