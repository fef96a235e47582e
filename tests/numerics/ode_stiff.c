/*
 * Stiff motions by "esdirk" and by "auto", which changes between explicit and implicit steps: the
 * coefficients, errors where solutions are known, roots, resumption, and the linear systems.
 */
#include "base/archive.h"
#include "base/context.h"
#include "numerics/ode/advance.h"
#include "numerics/ode/esdirk.h"
#include "numerics/ode/iteration_matrix.h"
#include "numerics/ode/mark.h"
#include "numerics/ode/ode.h"
#include "numerics/ode/ode_archive.h"
#include "numerics/store.h"
#include "cmocka_setup.h"
#include "meter.h"

#include <complex.h>
#include <string.h>

static nsds_context *context;

static int setup(void **unused) {
  (void)unused;
  context = nsds_context_create(NULL);
  return 0;
}

static int teardown(void **unused) {
  (void)unused;
  assert_string_equal(nsds_error_message(context), "");
  nsds_context_destroy(context);
  return 0;
}

static nsds_ode *make(const char *method, nsds_ode_problem problem, double tolerance) {
  nsds_ode_options options = {.method = method,
                              .relative_tolerance = tolerance,
                              .absolute_tolerance = 1e-3 * tolerance,
                              .max_steps = 10000000};
  nsds_ode *ode = nsds_ode_create(context, &problem, &options);
  assert_non_null(ode);
  return ode;
}

/* ---- coefficients ---- */

static const nsds_implicit_tableau *const tableau = &nsds_esdirk_tableau;
enum { stages = 6 };

static double dot(const double *v, const double *w) {
  double sum = 0.0;
  for (int s = 0; s < stages; ++s) sum += v[s] * w[s];
  return sum;
}

static void through_a(const double *v, double *av) {
  for (int s = 0; s < stages; ++s) av[s] = dot(tableau->a[s], v);
}

/* How much weights w of a state at u miss the conditions of this order (Hairer, Norsett & Wanner,
 * Solving ODEs I, II.2), all trees. */
static double violation(const double *w, int order, double u) {
  double one[stages], c[stages], c2[stages], c3[stages], ac[stages], cac[stages], ac2[stages],
      aac[stages];
  for (int s = 0; s < stages; ++s) {
    one[s] = 1.0;
    c[s] = tableau->c[s];
    c2[s] = c[s] * c[s];
    c3[s] = c[s] * c2[s];
  }
  through_a(c, ac);
  through_a(c2, ac2);
  through_a(ac, aac);
  for (int s = 0; s < stages; ++s) cac[s] = c[s] * ac[s];
  const struct {
    const double *v;
    int order;
    double inverse; /* of the coefficient of u^order */
  } tree[] = {{one, 1, 1.0}, {c, 2, 2.0},   {c2, 3, 3.0},   {ac, 3, 6.0},
              {c3, 4, 4.0},  {cac, 4, 8.0}, {ac2, 4, 12.0}, {aac, 4, 24.0}};
  double worst = 0.0;
  for (size_t k = 0; k < sizeof tree / sizeof *tree; ++k)
    if (tree[k].order <= order)
      worst = fmax(worst, fabs(dot(w, tree[k].v) - pow(u, tree[k].order) / tree[k].inverse));
  return worst;
}

/* The weights of the dense output at u, from its slopes at the ends and its quartic part. */
static void dense_weights(double u, double *w) {
  double v = 1.0 - u;
  for (int s = 0; s < stages; ++s) {
    double b = tableau->a[5][s], bend = tableau->first[s] - b, turn = b - (s == 5) - bend;
    w[s] = u * (b + v * (bend + u * (turn + v * tableau->d[s])));
  }
}

static void test_order_conditions(void **unused) {
  (void)unused;
  double one[stages] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0}, sum[stages], ac[stages], other[stages];
  const double *b = tableau->a[5], *c = tableau->c;
  through_a(one, sum);
  through_a(c, ac);
  for (int s = 0; s < stages; ++s) {
    assert_true(fabs(sum[s] - c[s]) < 1e-15);
    assert_true(fabs(ac[s] - 0.5 * c[s] * c[s]) < 1e-15); /* stage order 2 */
    assert_true(tableau->a[s][s] == (s > 0 ? 0.25 : 0.0));
    other[s] = b[s] - tableau->e[s];
  }
  assert_true(violation(b, 4, 1.0) < 1e-15);
  assert_true(violation(other, 3, 1.0) < 1e-15);
  assert_true(violation(other, 4, 1.0) > 1e-3); /* a lower order, or it would estimate nothing */
  for (int k = 0; k <= 20; ++k) {
    double w[stages];
    dense_weights(0.05 * k, w);
    assert_true(violation(w, 4, 0.05 * k) < 3e-14);
    assert_true(w[0] == w[1]); /* what is stiff stays bounded */
  }
}

/* Growth of x' = z x in a step. */
static double growth(double complex z) {
  double complex x[stages];
  for (int s = 0; s < stages; ++s) {
    x[s] = 1.0;
    for (int r = 0; r < s; ++r) x[s] += z * tableau->a[s][r] * x[r];
    x[s] /= 1.0 - z * tableau->a[s][s];
  }
  return cabs(x[5]);
}

static void test_l_stability(void **unused) {
  (void)unused;
  for (double y = 1e-3; y < 1e6; y *= 1.1) {
    assert_true(growth(I * y) <= 1.0 + 1e-14);
    assert_true(growth(-y + I * y) < 1.0);
  }

  for (int s = 0; s < stages; ++s) assert_true(tableau->c[s] >= 0.0 && tableau->c[s] <= 1.0);
  assert_true(growth(-1e6) < 1e-5);
}

/* ---- orders and errors ---- */

/* x' = x (1 - x), y' = y cos t, with a Jacobian that is as wrong as `self` says. */
static int curves(void *self, double t, const double *x, double *dx) {
  (void)self;
  dx[0] = x[0] * (1.0 - x[0]);
  dx[1] = x[1] * cos(t);
  return 0;
}

static int curves_jacobian(void *self, double t, const double *x, double *J) {
  double wrong = *(const double *)self;
  J[0] = (1.0 - 2.0 * x[0]) * (1.0 + wrong);
  J[1] = wrong;
  J[2] = -0.5 * wrong;
  J[3] = cos(t) * (1.0 - wrong);
  return 0;
}

/* Error at t = 4, and the number of steps. */
static double curves_error(double *wrong, double tolerance, double *steps) {
  nsds_ode_problem problem = {.n = 2, .self = wrong, .rhs = curves};
  if (wrong) problem.jacobian = curves_jacobian;
  nsds_ode *ode = make("esdirk", problem, tolerance);
  double t, x[2];
  assert_status(nsds_ode_start(ode, 0.0, (double[]){0.5, 1.0}), NSDS_OK);
  assert_int_equal(nsds_ode_advance(ode, 4.0, &t, x), NSDS_ODE_REACHED);
  *steps = (double)nsds_ode_count(ode)->steps;
  nsds_ode_destroy(ode);
  return fmax(fabs(x[0] - 1.0 / (1.0 + exp(-4.0))), fabs(x[1] - exp(sin(4.0))));
}

/* Order 4 with a Jacobian that is exact, by differences, or wrong. */
static void test_order_with_any_jacobian(void **unused) {
  (void)unused;
  double wrong[] = {0.0, NAN, 0.1, 0.5};
  for (int k = 0; k < 4; ++k) {
    double few, many, *how = k == 1 ? NULL : &wrong[k];
    double large = curves_error(how, 1e-5, &few), small = curves_error(how, 1e-10, &many);
    double order = log(large / small) / log(many / few);
    if (!(order > 3.6 && order < 5.0) || !(small < 1e-8)) fail_msg("%d: order %g", k, order);
  }
}

/* x' = rate (x - sin t) + cos t: x = sin t (Prothero & Robinson). */
typedef struct follower {
  double rate, from, to; /* the rate holds in between, else -1 */
  long jacobians;
  double latest; /* of these */
  int refuses;   /* what the Jacobian returns */
} follower;

static double follower_rate(const follower *f, double t) {
  return t >= f->from && t < f->to ? f->rate : -1.0;
}

static int follow(void *self, double t, const double *x, double *dx) {
  dx[0] = follower_rate(self, t) * (x[0] - sin(t)) + cos(t);
  return 0;
}

static int follow_jacobian(void *self, double t, const double *x, double *J) {
  follower *f = self;
  (void)x;
  ++f->jacobians;
  f->latest = t;
  J[0] = f->refuses < 0 ? NAN : follower_rate(f, t);
  return f->refuses > 0;
}

static int follow_level(void *self, double t, const double *x, double *g) {
  (void)self;
  (void)t;
  g[0] = x[0] - 0.5;
  return 0;
}

static const char *const implicit[] = {"esdirk", "auto"};

/* Also where the Jacobian refuses or is no number, which then comes by differences. */
static void test_prothero_robinson(void **unused) {
  (void)unused;
  for (int k = 0; k < 2; ++k)
    for (double rate = -1e2; rate > -1e9; rate *= 10.0)
      for (int refuses = -1; refuses <= 1; ++refuses) {
        follower f = {.rate = rate, .to = INFINITY, .refuses = refuses};
        nsds_ode *ode = make(
            implicit[k], (nsds_ode_problem){1, 0, &f, follow, NULL, follow_jacobian, NULL}, 1e-8);
        double t, x = 0.0;
        assert_status(nsds_ode_start(ode, 0.0, &x), NSDS_OK);
        assert_int_equal(nsds_ode_advance(ode, 10.0, &t, &x), NSDS_ODE_REACHED);
        assert_true(fabs(x - sin(10.0)) < 1e-7);
        if (rate < -1e5) assert_true(nsds_ode_count(ode)->steps < 1500 && f.jacobians > 0);
        assert_false(nsds_ode_count(ode)->stiff);
        nsds_ode_destroy(ode);
      }
}

/* A stretch of a stiff motion between two that are not: implicit steps there alone, and errors as
 * ever; roots all along. */
static void test_there_and_back(void **unused) {
  (void)unused;
  follower f = {.rate = -1e6, .from = 10.0, .to = 20.0};
  int64_t last = 0;
  int roots = 0;
  nsds_ode *ode =
      make("auto", (nsds_ode_problem){1, 1, &f, follow, follow_level, follow_jacobian, NULL}, 1e-9);
  double t = 0.0, x = 0.0;
  nsds_ode_watch(ode, 0, NSDS_ROOT_BOTH);
  assert_status(nsds_ode_start(ode, t, &x), NSDS_OK);
  for (double stop = 10.0; stop <= 60.0; stop += 10.0) { /* two stretches of 10, and four */
    int outcome;
    while ((outcome = nsds_ode_advance(ode, stop, &t, &x)) == NSDS_ODE_ROOT) {
      double turn = 4.0 * asin(1.0), first = asin(0.5);
      double exact = (roots % 2 ? 2.0 * asin(1.0) - first : first) + turn * (roots / 2);
      assert_true(fabs(t - exact) < 1e-7);
      ++roots;
    }
    assert_int_equal(outcome, NSDS_ODE_REACHED);
    assert_true(fabs(x - sin(t)) < 1e-7);
    int64_t steps = nsds_ode_count(ode)->steps - last;
    last = nsds_ode_count(ode)->steps;
    if (stop == 10.0) assert_int_equal(f.jacobians, 0);
    if (stop == 20.0) assert_true(f.jacobians > 0 && f.latest > 10.0);
    if (stop > 30.0) assert_true(f.latest < 30.0); /* explicit again */
    assert_true(steps < 3000);                     /* three million where stability bounds them */
  }
  assert_int_equal(roots, 20);
  nsds_ode_destroy(ode);
}

/* q'' = -K q - b K q', K that of a chain of springs between walls: its modes are sines, each with a
 * solution in closed form. */
enum { masses = 12, chain_states = 2 * masses };
static const double chain_spring = 1e7, chain_damper = 1e-3;

static int chain(void *self, double t, const double *x, double *dx) {
  (void)self;
  (void)t;
  for (int i = 0; i < masses; ++i) {
    double force = 0.0;
    for (int j = i - 1; j <= i + 1; ++j) {
      double weight = j == i ? 2.0 : -1.0;
      if (j >= 0 && j < masses) force -= weight * (x[j] + chain_damper * x[masses + j]);
    }
    dx[i] = x[masses + i];
    dx[masses + i] = chain_spring * force;
  }
  return 0;
}

/* exp(t A) of y'' + b y' + k y = 0 from (1, 0). */
static double mode_at(double k, double b, double t) {
  double complex root = csqrt(0.25 * b * b - k);
  double complex fast = -0.5 * b - root, slow = k / fast; /* without cancellation */
  return creal((fast * cexp(slow * t) - slow * cexp(fast * t)) / (fast - slow));
}

static void test_linear_chain(void **unused) {
  (void)unused;
  const double pi = 3.14159265358979323846, end = 0.02, amplitude[] = {1.0, 0.3, 0.0, -0.2};
  double start[chain_states] = {0.0}, exact[masses] = {0.0}, steps[2];
  for (int k = 0; k < 4; ++k) {
    double wave = pi * (k + 1) / (masses + 1), stiffness = chain_spring * (2.0 - 2.0 * cos(wave));
    for (int i = 0; i < masses; ++i) {
      start[i] += amplitude[k] * sin(wave * (i + 1));
      exact[i] +=
          amplitude[k] * sin(wave * (i + 1)) * mode_at(stiffness, chain_damper * stiffness, end);
    }
  }
  for (int k = 0; k < 2; ++k)
    for (double tolerance = 1e-5; tolerance > 1e-11; tolerance *= 0.01) {
      nsds_ode *ode =
          make(implicit[k], (nsds_ode_problem){.n = chain_states, .rhs = chain}, tolerance);
      double t, x[chain_states];
      assert_status(nsds_ode_start(ode, 0.0, start), NSDS_OK);
      assert_int_equal(nsds_ode_advance(ode, end, &t, x), NSDS_ODE_REACHED);
      for (int i = 0; i < masses; ++i) assert_true(fabs(x[i] - exact[i]) < 30.0 * tolerance);
      steps[k] = (double)nsds_ode_count(ode)->steps;
      nsds_ode_destroy(ode);
    }
  assert_true(steps[0] < 3000.0 && steps[1] < 3000.0);
}

/* Van der Pol with 1e6 at t = 2 and Robertson's reaction at t = 40, with the values of the Test Set
 * for IVP Solvers (Mazzia & Magherini, 2008; Hairer & Wanner, Solving ODEs II, IV.10). */
static int van_der_pol(void *self, double t, const double *x, double *dx) {
  (void)self;
  (void)t;
  dx[0] = x[1];
  dx[1] = 1e6 * ((1.0 - x[0] * x[0]) * x[1] - x[0]);
  return 0;
}

static int robertson(void *self, double t, const double *x, double *dx) {
  (void)self;
  (void)t;
  dx[0] = -0.04 * x[0] + 1e4 * x[1] * x[2];
  dx[2] = 3e7 * x[1] * x[1];
  dx[1] = -dx[0] - dx[2];
  return 0;
}

static void test_references(void **unused) {
  (void)unused;
  static const struct {
    nsds_ode_problem problem;
    double end, start[3], exact[3];
  } cases[] = {{{.n = 2, .rhs = van_der_pol}, 2.0, {2.0}, {1.706167732170483, -0.8928097010247975}},
               {{.n = 3, .rhs = robertson},
                40.0,
                {1.0},
                {0.7158270687193941, 0.9185534764557338e-5, 0.2841637457458413}}};
  for (int c = 0; c < 2; ++c)
    for (int k = 0; k < 2; ++k)
      for (double tolerance = 1e-5; tolerance > 1e-10; tolerance *= 0.01) {
        nsds_ode *ode = make(implicit[k], cases[c].problem, tolerance);
        double t, x[3];
        assert_status(nsds_ode_start(ode, 0.0, cases[c].start), NSDS_OK);
        assert_int_equal(nsds_ode_advance(ode, cases[c].end, &t, x), NSDS_ODE_REACHED);
        for (int i = 0; i < cases[c].problem.n; ++i)
          if (!(fabs(x[i] / cases[c].exact[i] - 1.0) < 1e3 * tolerance))
            fail_msg("%s, %d, %g: x[%d] = %.17g", implicit[k], c, tolerance, i, x[i]);
        assert_true(nsds_ode_count(ode)->steps < 20000);
        nsds_ode_destroy(ode);
      }
}

/* ---- resumption ---- */

static void follow_to(nsds_ode *ode, double stop, int *roots, double *t, double *x) {
  while (nsds_ode_advance(ode, stop, t, x) == NSDS_ODE_ROOT) ++*roots;
  assert_true(*t == stop);
}

/* At any time, in steps of any kind, and without a trace in what goes on. */
static void test_same_bits_when_resumed(void **unused) {
  (void)unused;
  for (int k = 0; k < 2; ++k)
    for (double cut = 0.5; cut < 30.0; cut += 1.75) {
      follower f = {.rate = -1e6, .from = 10.0, .to = 20.0}, other = f;
      nsds_ode_problem problem = {1, 1, &f, follow, follow_level, NULL, NULL};
      nsds_ode *ode = make(implicit[k], problem, 1e-7), *undisturbed;
      problem.self = &other;
      nsds_ode *resumed = make(implicit[k], problem, 1e-7);
      nsds_archive a = {0};
      undisturbed = make(implicit[k], problem, 1e-7);
      nsds_ode *all[] = {ode, undisturbed, resumed};
      double t[3], x[3] = {0.0};
      int roots[3] = {0};
      for (int j = 0; j < 2; ++j) {
        nsds_ode_limit(all[j], 40.0);
        nsds_ode_watch(all[j], 0, NSDS_ROOT_BOTH);
        assert_status(nsds_ode_start(all[j], 0.0, &x[j]), NSDS_OK);
        follow_to(all[j], cut, &roots[j], &t[j], &x[j]);
      }
      assert_true(nsds_ode_resumable(ode));
      nsds_archive_begin_write(&a, context, "test", "memory");
      nsds_ode_archive(ode, &a);
      nsds_archive_begin_check(&a);
      nsds_ode_archive(resumed, &a);
      nsds_archive_begin_read(&a);
      nsds_ode_archive(resumed, &a);
      assert_int_equal(a.status, NSDS_OK);
      assert_true(nsds_ode_agrees(resumed));
      nsds_ode_limit(resumed, 40.0);
      roots[2] = roots[0];
      for (int j = 0; j < 3; ++j) {
        follow_to(all[j], 40.0, &roots[j], &t[j], &x[j]);
        assert_int_equal(roots[j], roots[0]);
        assert_memory_equal(&x[j], &x[0], sizeof *x);
        nsds_ode_destroy(all[j]);
      }
      nsds_archive_release(&a);
    }
}

/* A start that is recalled takes the same steps, and one behind forget() those of a new motion. */
static void test_same_bits_again(void **unused) {
  (void)unused;
  for (int k = 0; k < 2; ++k) {
    nsds_ode *ode = make(implicit[k], (nsds_ode_problem){.n = chain_states, .rhs = chain}, 1e-7);
    nsds_ode_mark mark = {0};
    double t, start[chain_states] = {0.1}, x[4][chain_states];
    assert_status(nsds_ode_mark_reserve(ode, &mark), NSDS_OK);
    for (int run = 0; run < 2; ++run) {
      nsds_ode_forget(ode);
      assert_status(nsds_ode_start(ode, 0.0, start), NSDS_OK);
      assert_int_equal(nsds_ode_advance(ode, 0.01, &t, x[run]), NSDS_ODE_REACHED);
    }
    assert_memory_equal(x[0], x[1], sizeof x[0]);
    assert_status(nsds_ode_start(ode, t, x[0]), NSDS_OK); /* amid implicit steps */
    nsds_ode_mark_take(ode, &mark);
    assert_int_equal(nsds_ode_advance(ode, 0.03, &t, x[2]), NSDS_ODE_REACHED);
    assert_true(nsds_ode_mark_recall(ode, &mark));
    assert_int_equal(nsds_ode_advance(ode, 0.03, &t, x[3]), NSDS_ODE_REACHED);
    assert_memory_equal(x[2], x[3], sizeof x[2]);
    nsds_release(context, mark.memory);
    nsds_ode_destroy(ode);
  }
}

/* Implicit steps too take all memory in advance; with many states "auto" makes none, and says so. */
static void test_memory(void **unused) {
  (void)unused;
  meter m = {.fail_at = 0};
  nsds_context *metered = metered_context(&m);
  nsds_ode_problem problem = {.n = chain_states, .rhs = chain};
  nsds_ode *ode = nsds_ode_create(metered, &problem, NULL);
  double t, start[chain_states] = {0.1}, x[chain_states];
  long before = m.count;
  assert_status(nsds_ode_start(ode, 0.0, start), NSDS_OK);
  assert_int_equal(nsds_ode_advance(ode, 0.05, &t, x), NSDS_ODE_REACHED);
  assert_int_equal(m.count, before);
  assert_true(nsds_ode_count(ode)->steps < 3000);
  nsds_ode_destroy(ode);
  nsds_context_destroy(metered);
  assert_int_equal(m.live, 0);
}

enum { many = 500 };

static int decay(void *self, double t, const double *x, double *dx) {
  (void)self;
  (void)t;
  for (int i = 0; i < many; ++i) dx[i] = -1e4 * (x[i] - 1.0);
  return 0;
}

static void test_many_states(void **unused) {
  (void)unused;
  static double start[many], x[many];
  nsds_ode *ode = make("auto", (nsds_ode_problem){.n = many, .rhs = decay}, 1e-6);
  double t;
  assert_status(nsds_ode_start(ode, 0.0, start), NSDS_OK);
  assert_int_equal(nsds_ode_advance(ode, 0.1, &t, x), NSDS_ODE_REACHED);
  assert_true(fabs(x[0] - 1.0) < 1e-5);
  nsds_ode_destroy(ode);
}

/* ---- the linear systems ---- */

static double some_number(unsigned *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return ldexp((double)(*seed >> 8), -23) - 1.0;
}

/* Rows of positions, of positions of positions, none; J as it is and as differences have it. */
static void test_linear_systems(void **unused) {
  (void)unused;
  enum { most = 40 };
  static double J[most * most];
  unsigned seed = 1;
  for (int n = 1; n <= most; n += 3)
    for (int rows = 0; rows <= n; rows += 1 + n / 3) {
      nsds_store store = {.context = context};
      nsds_iteration_matrix m = {0};
      assert_status(nsds_iteration_matrix_reserve(&store, &m, n), NSDS_OK);
      for (int k = 0; k < n * n; ++k) m.J[k] = some_number(&seed);
      for (int i = 0; i < rows; ++i) { /* x_i' = x_target */
        int target = (i * 7 + n / 2) % n;
        for (int j = 0; j < n; ++j) m.J[i + j * n] = j == target ? 1.0 + (i % 2) * 1e-8 : 0.0;
      }
      memcpy(J, m.J, (size_t)(n * n) * sizeof *J);
      nsds_iteration_matrix_taken(&m);
      if (rows > 1 && rows < n / 2) assert_true(m.nleft < n);
      double c = 0.1 / n, d[most], r[most];
      assert_true(nsds_iteration_matrix_factor(&m, c));
      for (int i = 0; i < n; ++i) d[i] = r[i] = some_number(&seed);
      nsds_iteration_matrix_solve(&m, d);
      for (int i = 0; i < n; ++i) {
        double left = d[i] - r[i];
        for (int j = 0; j < n; ++j) left -= c * J[i + j * n] * d[j];
        assert_true(fabs(left) < 1e-8);
      }
      nsds_store_release(&store);
    }
}

static void test_spectral_radius(void **unused) {
  (void)unused;
  const struct {
    double J[4], radius;
  } cases[] = {{{0.0, -1e8, 1.0, 0.0}, 1e4}, /* an oscillator */
               {{0.0, -1e4, 1.0, -1e6}, 1e6},
               {{-3.0, 0.0, 0.0, 2.0}, 3.0},
               {{0.0, 0.0, 0.0, 0.0}, 0.0}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    nsds_store store = {.context = context};
    nsds_iteration_matrix m = {0};
    assert_status(nsds_iteration_matrix_reserve(&store, &m, 2), NSDS_OK);
    memcpy(m.J, cases[k].J, sizeof cases[k].J);
    nsds_iteration_matrix_taken(&m);
    assert_true(fabs(m.radius - cases[k].radius) <= 0.1 * cases[k].radius);
    nsds_store_release(&store);
  }
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(test_order_conditions),
      TEST(test_l_stability),
      TEST(test_order_with_any_jacobian),
      TEST(test_prothero_robinson),
      TEST(test_there_and_back),
      TEST(test_linear_chain),
      TEST(test_references),
      TEST(test_same_bits_when_resumed),
      TEST(test_same_bits_again),
      TEST(test_memory),
      TEST(test_many_states),
      TEST(test_linear_systems),
      TEST(test_spectral_radius),
  };
#undef TEST
  return cmocka_run_group_tests_name("numerics.ode_stiff", tests, NULL, NULL);
}
