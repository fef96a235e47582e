/*
 * Drawn systems that dissipate, against event-driven simulation with tight tolerances:
 *
 *   dx/dt = A x + G a + b + s sin(w t) + C^T lambda,   0 = F x - a,   y = C x + D lambda + e
 *
 * A + G F is negative definite, D positive semidefinite, and each relation has a relay, saturation, complementarity or
 * equality. So the solution is unique and errors do not grow. Event-driven simulation gets A + G F, without a.
 *
 *   adaptive_drawn [COUNT [FIRST]]
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

enum { most = 6, most_rows = 4, most_algebraic = 3, most_all = most + most_algebraic };

static uint64_t draws;

/* splitmix64 */
static uint64_t draw(void) {
  uint64_t z = (draws += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static double real(double low, double high) {
  return low + (high - low) * (double)(draw() >> 11) * 0x1p-53;
}

static int number(int count) { return (int)(draw() % (uint64_t)count); }

typedef struct drawn {
  int n, k, m; /* states, algebraic unknowns, relations */
  double A[most * most], G[most * most_algebraic], F[most_algebraic * most];
  double C[most_rows][most], D[most_rows], e[most_rows];
  int law[most_rows];
  double low[most_rows], high[most_rows], slope[most_rows];
  double b[most], s[most], w, stiff;
} drawn;

static void draw_system(drawn *d) {
  double R[most * most];
  *d = (drawn){.n = 1 + number(most), .m = 1 + number(most_rows), .w = real(0.5, 4.0)};
  d->k = number(2) ? 1 + number(most_algebraic) : 0;
  int n = d->n;
  for (int j = 0; j < n * n; ++j) R[j] = real(-1.0, 1.0);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = i == j ? 0.1 : 0.0, turn = j > i ? real(-2.0, 2.0) : 0.0;
      for (int l = 0; l < n; ++l) sum += R[l + i * n] * R[l + j * n];
      d->A[i + j * n] += turn - sum;
      if (j > i) d->A[j + i * n] -= turn;
    }
  if (number(3) == 0) d->A[0] -= d->stiff = real(1e2, 1e5);
  for (int j = 0; j < n; ++j) d->b[j] = real(-2.0, 2.0), d->s[j] = real(-2.0, 2.0);
  for (int i = 0; i < d->k; ++i)
    for (int j = 0; j < n; ++j) {
      d->F[i + j * d->k] = real(-1.0, 1.0);
      d->G[j + i * n] =
          -real(0.0, 1.0) * d->F[i + j * d->k]; /* G F has no definite part of its own */
    }
  for (int r = 0; r < d->m; ++r) {
    for (int j = 0; j < n; ++j) d->C[r][j] = real(-1.0, 1.0);
    d->law[r] = number(4);
    d->D[r] = d->law[r] == 3 || number(2) ? real(0.1, 1.0) : 0.0;
    d->e[r] = d->law[r] == 2 ? real(0.01, 1.0) : real(-0.5, 0.5);
    d->low[r] = -real(0.1, 1.5);
    d->high[r] = real(0.1, 1.5);
    d->slope[r] = real(0.5, 5.0);
  }
}

/* G F made dissipative: G = -c F^T with c > 0. */
static void tie_algebraic(drawn *d) {
  double c = real(0.1, 1.0);
  for (int i = 0; i < d->k; ++i)
    for (int j = 0; j < d->n; ++j) d->G[j + i * d->n] = -c * d->F[i + j * d->k];
}

static int load(const nsds_arguments *in, double *out, void *user) {
  const drawn *d = user;
  for (int j = 0; j < in->nx; ++j) out[j] = j < d->n ? d->b[j] + d->s[j] * sin(d->w * in->t) : 0.0;
  return 0;
}

static nsds_law *law_of(nsds_model *model, const drawn *d, int r) {
  switch (d->law[r]) {
  case 0: return nsds_relay(model, 1, &d->low[r], &d->high[r]);
  case 1: return nsds_saturation(model, 1, &d->low[r], &d->high[r], d->slope[r]);
  case 2: return nsds_complementarity(model);
  default: return nsds_equality(model);
  }
}

/* `whole`: with the algebraic unknowns. */
static nsds_ds *build(nsds_model *model, drawn *d, bool whole) {
  int n = d->n, k = d->k, N = whole ? n + k : n;
  double A[most_all * most_all] = {0}, M[most_all * most_all] = {0}, C[most_all] = {0};
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      A[i + j * N] = d->A[i + j * n];
      for (int l = 0; !whole && l < k; ++l) A[i + j * N] += d->G[i + l * n] * d->F[l + j * k];
    }
  for (int j = 0; j < n; ++j) M[j + j * N] = 1.0;
  for (int l = 0; whole && l < k; ++l) {
    A[n + l + (n + l) * N] = -1.0;
    for (int j = 0; j < n; ++j) {
      A[j + (n + l) * N] = d->G[j + l * n];
      A[n + l + j * N] = d->F[l + j * k];
    }
  }
  nsds_ds *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){
                 .n = N, .A = A, .mass = whole ? M : NULL, .b_fn = load, .user = d});
  for (int r = 0; r < d->m; ++r) {
    memcpy(C, d->C[r], (size_t)n * sizeof *C);
    nsds_relation *relation = nsds_first_order_linear_relation(
        model, &(nsds_first_order_linear_relation_def){
                   .ny = 1, .nx = N, .C = C, .B = C, .D = &d->D[r], .e = &d->e[r]});
    nsds_connect(model, relation, law_of(model, d, r), 1, &ds);
  }
  return ds;
}

/* Returns the largest difference over the times of the grid, relative to the largest state. */
static double compare(drawn *d, double tolerance, long *events) {
  const double end = 5.0, period = 0.05;
  nsds_model *model[2] = {nsds_model_create(NULL), nsds_model_create(NULL)};
  nsds_ds *ds[2] = {build(model[0], d, true), build(model[1], d, false)};
  nsds_simulation *sim = nsds_adaptive(
      model[0], &(nsds_adaptive_def){.t1 = end, .output_period = period, .tolerance = tolerance});
  assert_sound(model[0]);
  nsds_simulation *exact =
      nsds_event_driven(model[1], &(nsds_event_driven_def){.t1 = end,
                                                           .output_period = period,
                                                           .integrator = "esdirk",
                                                           .relative_tolerance = 1e-9,
                                                           .absolute_tolerance = 1e-11});
  assert_sound(model[1]);
  double worst = 0.0, largest = 0.1;
  while (nsds_step(sim) == NSDS_OK) {
    nsds_status status = NSDS_OK;
    while (!status && nsds_time(exact) < nsds_time(sim) - 1e-9) status = nsds_step(exact);
    if (status < 0) { /* more than event-driven simulation takes: chattering at higher degrees */
      worst = NAN;
      break;
    }
    for (int j = 0; j < d->n; ++j) {
      largest = fmax(largest, fabs(nsds_x(ds[1])[j]));
      worst = fmax(worst, fabs(nsds_x(ds[0])[j] - nsds_x(ds[1])[j]));
    }
  }
  assert_sound(model[0]);
  *events += nsds_simulation_adaptive(sim)->events;
  nsds_model_destroy(model[0]);
  nsds_model_destroy(model[1]);
  return worst / largest;
}

/* dx/dt = a - k x, by a function. */
static int pull(const nsds_arguments *in, double *f, void *user) {
  const double *of = user;
  f[0] = of[0] - of[1] * in->x[0];
  return 0;
}

static int pull_slope(const nsds_arguments *in, double *slope, void *user) {
  (void)in;
  slope[0] = -((const double *)user)[1];
  return 0;
}

/* Regression: a nonlinear system that a relay holds at x = 0, where Newton's corrections have nothing
 * to be small beside. Returns true if the run is short, and right at its end. */
static bool slides_at_zero(bool by_laws) {
  double of[2] = {real(-2.0, 2.0), real(0.0, 2.0)}, x0 = number(4) ? real(0.1, 0.5) : 0.0;
  double high = fabs(of[0]) + real(0.1, 2.0), low = -high, one = 1.0;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_first_order(
      model, &(nsds_first_order_def){
                 .n = 1, .x0 = &x0, .f_fn = pull, .jac_f_x_fn = pull_slope, .user = of});
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){.ny = 1, .nx = 1, .C = &one, .B = &one});
  nsds_interaction *ia = nsds_connect(model, relation, nsds_relay(model, 1, &low, &high), 1, &ds);
  nsds_simulation *sim =
      nsds_adaptive(model, &(nsds_adaptive_def){.t1 = 4.0, .tolerance = 1e-6, .by_laws = by_laws});
  assert_sound(model);
  long steps = 0;
  while (steps < 2000 && nsds_step(sim) == NSDS_OK) ++steps;
  assert_sound(model);
  bool right =
      steps < 2000 && fabs(nsds_x(ds)[0]) < 1e-6 && fabs(nsds_lambda(ia)[0] + of[0]) < 1e-4 * high;
  if (!right)
    printf("slides: x %g, lambda %g for %g after %ld steps\n", nsds_x(ds)[0], nsds_lambda(ia)[0],
           -of[0], steps);
  nsds_model_destroy(model);
  return right;
}

int main(int count, char **words) {
  long runs = count > 1 ? atol(words[1]) : 60, first = count > 2 ? atol(words[2]) : 1;
  long wrong = 0, left = 0, events = 0;
  double worst = 0.0;
  for (long k = first; k < first + runs; ++k) {
    drawn d;
    draws = (uint64_t)k * 1000003u;
    draw_system(&d);
    tie_algebraic(&d);
    double error = compare(&d, 1e-6, &events);
    if (isnan(error)) ++left;
    else worst = fmax(worst, error);
    if (error > 1e-3) {
      printf("system %ld: %d states, %d algebraic, %d relations, stiff %g: error %.3g\n", k, d.n,
             d.k, d.m, d.stiff, error);
      ++wrong;
    }
  }
  for (long k = first; k < first + runs; ++k) {
    draws = (uint64_t)k * 7919u;
    wrong += !slides_at_zero(k % 2);
  }
  printf("%ld systems, %ld events, worst error %.3g; %ld too large, %ld without a reference\n",
         runs, events, worst, wrong, left);
  return wrong > 0;
}
