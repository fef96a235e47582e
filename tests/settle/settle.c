/*
 * Draws models, runs them until they have settled and for a while after, and compares what is left with what must be
 * left (settle.h). The whole campaign is script/settle.
 *
 *     settle [--count N] [--seed S] [--verbose]      N models of the seeds S, S + 1, ...
 */
#include "settle.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double drawn(world *w) { /* splitmix64 */
  uint64_t x = w->random += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

double between(world *w, double low, double high) { return low + (high - low) * drawn(w); }
double power(world *w, double low, double high) { return pow(10.0, between(w, low, high)); }
int one_of(world *w, int n) { return (int)(n * drawn(w)); }

void expect(world *w, const nsds_ds *ds, enum part part, int at, double right) {
  if (w->n == most_expected) abort();
  w->right[w->n++] = (expected){.ds = ds, .part = part, .at = at, .right = right, .tolerance = 1.0};
}

typedef struct counts {
  int right, refused, wrong, failed;
} counts;

static int length_of(const scene *s) {
  int n = 0;
  while (s[n].name) ++n;
  return n;
}

static void draw_world(world *w, uint64_t seed) {
  *w = (world){.random = seed * 0x2545F4914F6CDD1Du + 1u, .M = 1.0, .L = 1.0, .T = 1.0};
  if (one_of(w, 2))
    w->M = power(w, -6.0, 6.0), w->L = power(w, -6.0, 6.0), w->T = power(w, -3.0, 3.0);
  if (one_of(w, 3) == 0)
    for (int k = 0; k < 3; ++k) w->away[k] = 1e3 * w->L * between(w, -1.0, 1.0);
  w->gravity = one_of(w, 2) ? w->L / w->T / w->T : 0.0;
  w->damping = between(w, 0.3, 1.5);
  w->t1 = 60.0 / fmin(w->damping, 1.0 / (2.0 * w->damping)) * w->T;
}

static nsds_discretisation first_order_scheme(world *w) {
  double theta = between(w, 0.55, 1.0), gamma = between(w, 0.55, 1.0);
  switch (w->cut ? 3 : one_of(w, 4)) {
  case 0: return nsds_theta_gamma(theta, gamma);
  case 1: return nsds_full_theta_gamma(theta, gamma);
  case 2: return nsds_with_initial_lambda(nsds_theta_gamma(theta, gamma));
  default: return nsds_euler_moreau(theta);
  }
}

static nsds_simulation *simulate(world *w, double h, bool events, char *how, size_t size) {
  if (events) {
    snprintf(how, size, "event-driven");
    return nsds_event_driven(w->m,
                             &(nsds_event_driven_def){.t1 = w->t1,
                                                      .integrator = one_of(w, 3) ? NULL : "esdirk",
                                                      .absolute_tolerance = 1e-11 * w->speed});
  }
  double theta = one_of(w, 2) ? 0.5 : between(w, 0.5, 1.0);
  bool never = one_of(w, 2), project = one_of(w, 4) == 0;
  snprintf(how, size, "theta %.3f, h %g T%s%s", theta, h / w->T, never ? ", never halved" : "",
           project ? ", projected" : "");
  return nsds_time_stepping(
      w->m, &(nsds_time_stepping_def){
                .t1 = w->t1,
                .h = h,
                .second_order = nsds_moreau_jean(theta, 1.0),
                .first_order = first_order_scheme(w),
                .max_halvings = never ? NSDS_HALVE_NEVER : 0,
                .projection = {.kind = project ? NSDS_PROJECTION_DIRECT : NSDS_PROJECTION_NONE,
                               .tolerance = 1e-9 * fmax(w->L, 1e-6 * w->reach)}});
}

/* Says what differs, if anything does. */
static bool right_at_the_end(world *w, double tolerance, const char *name) {
  bool right = true;
  for (int k = 0; k < w->n; ++k) {
    const expected *e = &w->right[k];
    const double *all = e->part == PLACE      ? nsds_q(e->ds)
                        : e->part == VELOCITY ? nsds_v(e->ds)
                                              : nsds_x(e->ds);
    double limit = e->tolerance * tolerance, is = all[e->at];
    if (fabs(is - e->right) <= limit) continue;
    if (right)
      printf("  %s: %c[%d] is %.17g, right is %.17g, off by %.2g, allowed %.2g\n", name,
             "qvx"[e->part], e -> at, is, e -> right, fabs(is - e->right), limit);
    right = false;
  }
  for (int i = 0; i < 3 && w->n == 0; ++i) {
    double p = 0.0, all = 0.0;
    for (int k = 0; k < w->nbody; ++k) p += w->mass[k] * nsds_v(w->body[k])[i], all += w->mass[k];
    if (fabs(p - w->momentum[i]) <= all * tolerance) continue;
    printf("  %s: momentum %d is %.17g, right is %.17g\n", name, i, p, w->momentum[i]);
    right = false;
  }
  return right;
}

static void run_one(uint64_t seed, bool verbose, counts *c) {
  world w;
  draw_world(&w, seed);
  w.m = nsds_model_create(NULL);
  nsds_context *context = nsds_model_context(w.m);
  int masses = length_of(scenes_of_masses), bodies = length_of(scenes_of_bodies),
      k = one_of(&w, masses + bodies);
  const scene *s = k < masses ? &scenes_of_masses[k] : &scenes_of_bodies[k - masses];
  double h = w.T * power(&w, -1.7, -0.5);
  bool events = one_of(&w, 6) == 0;
  w.speed = 1e-3 * w.L / w.T, w.reach = w.L;
  s->build(&w);
  if (w.least_h > 0.0) h = fmin(h, w.least_h);
  const char *beside = put_beside(&w, h);
  char how[128], name[256];
  nsds_simulation *simulation =
      nsds_error(context) ? NULL : simulate(&w, h, events, how, sizeof how);
  if (events && nsds_error(context) ==
                    NSDS_ERROR_UNSUPPORTED) { /* laws and relations that it refuses by name */
    nsds_error_clear(context);
    ++c->refused;
    events = false;
    simulation = simulate(&w, h, events, how, sizeof how);
  }
  snprintf(name, sizeof name, "seed %llu: %s beside %s, %s, M %.2g L %.2g T %.2g%s",
           (unsigned long long)seed, s->name, beside, simulation ? how : "no simulation", w.M, w.L,
           w.T, w.away[0] != 0.0 ? ", far away" : "");
  nsds_status status = simulation ? nsds_run(simulation) : nsds_error(context);
  /* rounding of q is that of forces; event-driven runs stop at the tolerance of a step */
  double tolerance = 1e-9 * w.speed + 1e3 * DBL_EPSILON * w.reach / (events ? w.T : h);
  if (events) tolerance += 1e-6 * w.speed;
  if (status < 0) ++c->failed, printf("  %s: %s\n", name, nsds_error_message(context));
  else if (!right_at_the_end(&w, tolerance, name)) ++c->wrong;
  else ++c->right;
  if (verbose) printf("  %s\n", name);
  nsds_model_destroy(w.m);
}

int main(int argc, char **argv) {
  unsigned long long seed = 1;
  long count = 100;
  bool verbose = false;
  for (int k = 1; k < argc; ++k)
    if (strcmp(argv[k], "--verbose") == 0) verbose = true;
    else if (k + 1 < argc && strcmp(argv[k], "--count") == 0) count = strtol(argv[++k], NULL, 10);
    else if (k + 1 < argc && strcmp(argv[k], "--seed") == 0) seed = strtoull(argv[++k], NULL, 10);
    else return fprintf(stderr, "unknown option '%s'\n", argv[k]), 2;
  counts c = {0};
  for (long k = 0; k < count; ++k) run_one(seed + (unsigned long long)k, verbose, &c);
  printf("%ld models: %d settled, %d wrong, %d failed; %d were not for event-driven runs\n", count,
         c.right, c.wrong, c.failed, c.refused);
  return c.wrong + c.failed > 0;
}
