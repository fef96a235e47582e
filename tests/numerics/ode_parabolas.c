/*
 * Drawn motions of known acceleration with affine root functions, from root to root. Between two
 * roots each function is a parabola, known in closed form. At a root some velocities are reversed
 * or changed, as by impacts, and the motion starts anew. Functions have one to three entries, are far
 * from zero or close to it, are zero at the start, or stay just above zero.
 *
 *     numerics_ode_parabolas [MODELS [SEED]]
 *
 * A function is right if it is zero at its root up to rounding, and if no watched function was
 * below zero before by more than rounding.
 */
#include "numerics/ode/advance.h"
#include "numerics/ode/ode.h"
#include "cmocka_setup.h"
#include "families.h"
#include "numerics/ode/ode_internal.h"

#include <stdlib.h>

enum { most_half = 6, most_functions = 9 };

static long models = 300;
static unsigned seed = 1;

typedef struct model {
  int half, m;
  double x[2 * most_half], rate[most_half];
  double constant[most_functions], value[3 * most_functions];
  int start[most_functions + 1], column[3 * most_functions];
} model;

static int never(void *self, double t, const double *x, double *out) {
  (void)self, (void)t, (void)x, (void)out;
  return NSDS_ERROR_CALLBACK;
}

/* The parabola of function i from the state x at time 0, and the size of its terms up to t. */
typedef struct fall {
  long double g, slope, bend, size;
} fall;

static fall fall_of(const model *m, const double *x, int i, double t) {
  fall f = {.g = m->constant[i], .size = fabs(m->constant[i])};
  for (int k = m->start[i]; k < m->start[i + 1]; ++k) {
    int j = m->column[k];
    bool speed = j >= m->half;
    int c = speed ? j - m->half : j;
    long double v = x[c + m->half], a = m->rate[c], h = m->value[k];
    f.g += h * x[j];
    f.slope += h * (speed ? a : v);
    f.bend += speed ? 0.0L : 0.5L * h * a;
    f.size += fabsl(h) * (fabsl(x[j]) + fabsl(speed ? a : v) * t + (speed ? 0 : fabsl(a) * t * t));
  }
  return f;
}

static long double fall_at(const fall *f, long double t) {
  return f->g + t * (f->slope + t * f->bend);
}

/* The least value on [0, t]. */
static long double fall_least(const fall *f, long double t) {
  long double least = fminl(f->g, fall_at(f, t)),
              turn = f->bend > 0 ? -f->slope / (2 * f->bend) : -1;
  return turn > 0 && turn < t ? fminl(least, fall_at(f, turn)) : least;
}

static void draw(model *m) {
  m->half = 1 + (int)uniform(0.0, most_half);
  m->m = 1 + (int)uniform(0.0, most_functions);
  double scale = pow(10.0, uniform(-4.0, 4.0));
  for (int k = 0; k < m->half; ++k) {
    m->x[k] = scale * random_number();
    m->x[m->half + k] = scale * random_number() * (uniform(0.0, 1.0) < 0.8);
    m->rate[k] = uniform(0.0, 1.0) < 0.7 ? -scale : scale * random_number();
  }
  int count = 0;
  for (int i = 0; i < m->m; ++i) {
    m->start[i] = count;
    int entries = 1 + (int)uniform(0.0, 3.0);
    for (int e = 0; e < entries; ++e) {
      bool speed = uniform(0.0, 1.0) < 0.1;
      m->column[count] = (int)uniform(0.0, m->half) + (speed ? m->half : 0);
      m->value[count++] = uniform(0.0, 1.0) < 0.7 ? (e % 2 ? -1.0 : 1.0) : random_number();
    }
  }
  m->start[m->m] = count;
  for (int i = 0; i < m->m; ++i) { /* positive at the start, by much or little */
    m->constant[i] = 0.0;
    fall f = fall_of(m, m->x, i, 0.0);
    double chance = uniform(0.0, 1.0);
    double gap = scale * (chance < 0.6 ? uniform(0.01, 2.0) : pow(10.0, uniform(-14.0, 0.0)));
    if (chance > 0.8 && f.slope < 0 && f.bend >= 0)
      gap = (double)(f.slope * f.slope / (4 * f.bend + 1e-30L)) * (1.0 + 1e-6 * random_number());
    if (!(gap < 1e3 * scale)) gap = scale;
    m->constant[i] = gap - (double)f.g;
  }
}

/* Returns the error of a function at t that rounding allows, of its terms up to `far` and of the time
 * `now` of the stop. */
static long double allowed(const fall *f, long double t, double now) {
  return 1e-13L * f->size + 8 * DBL_EPSILON * now * (fabsl(f->slope) + 2 * fabsl(f->bend) * t) +
         1e-300L;
}

/* Checks a stop at t after the start. Returns the largest error relative to what rounding allows; a
 * step, and with it rounding, may reach up to `far`. */
static double check(const model *m, const double *x, double t, double far, double now,
                    const nsds_ode *ode) {
  double worst = 0.0;
  for (int i = 0; i < m->m; ++i) {
    fall f = fall_of(m, x, i, far);
    worst = fmax(worst, (double)(-fall_least(&f, t) / allowed(&f, t, now)));
  }
  for (int k = 0; k < nsds_ode_root_count(ode); ++k) {
    fall f = fall_of(m, x, nsds_ode_root_at(ode, k).index, far);
    worst = fmax(worst, (double)(fabsl(fall_at(&f, t)) / allowed(&f, t, now)));
  }
  return worst;
}

/* Turns functions that have come to zero back, as an impact does. Returns false if one cannot turn. */
static bool turn_back(model *m, const nsds_ode *ode) {
  for (int k = 0; k < nsds_ode_root_count(ode); ++k) {
    int i = nsds_ode_root_at(ode, k).index, first = m->column[m->start[i]];
    if (first >= m->half || m->value[m->start[i]] == 0.0) return false;
    fall f = fall_of(m, m->x, i, 0.0);
    m->x[first + m->half] -= 1.8 * (double)f.slope / m->value[m->start[i]];
  }
  if (uniform(0.0, 1.0) < 0.3) m->x[m->half + (int)uniform(0.0, m->half)] *= -0.5;
  for (int i = 0; i < m->m; ++i) { /* none may jump below zero, and all at zero have to rise */
    fall f = fall_of(m, m->x, i, 0.0);
    if (f.g < -1e-12L * f.size) return false;
    if (f.g < 1e-9L * f.size && !(f.slope > 1e-6L * f.size)) return false;
  }
  return true;
}

static long events_of(nsds_context *context, model *m, double *worst) {
  const nsds_ode_problem problem = {.n = 2 * m->half, .roots = m->m, .rhs = never, .root = never};
  const nsds_ode_rows rows = {m->constant, m->start, m->column, m->value};
  nsds_ode *ode = nsds_ode_create(context, &problem, NULL);
  assert_non_null(ode);
  nsds_ode_quadratic(ode, m->rate);
  nsds_ode_affine(ode, &rows);
  for (int i = 0; i < m->m; ++i) {
    nsds_ode_side(ode, i, 1);
    nsds_ode_watch(ode, i, NSDS_ROOT_FALLING);
  }
  double t0 = 0.0, t, end = uniform(0.1, 5.0);
  long events = 0;
  for (bool goes_on = true; goes_on && events < 20; ++events) {
    double before[2 * most_half];
    memcpy(before, m->x, sizeof before);
    assert_int_equal(nsds_ode_start(ode, t0, m->x), NSDS_OK);
    int got = NSDS_ODE_REACHED; /* in parts, as times of a grid */
    for (double part = 0.25; got == NSDS_ODE_REACHED && part <= 1.0; part += 0.25)
      got = nsds_ode_advance(ode, t0 + part * (end - t0), &t, m->x);
    assert_true(got >= 0);
    *worst = fmax(*worst, check(m, before, t - t0, end - t0, t, ode));
    goes_on = got == NSDS_ODE_ROOT && t > t0 && turn_back(m, ode);
    t0 = t;
  }
  nsds_ode_destroy(ode);
  return events;
}

static void drawn_parabolas(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  long events = 0, wrong = 0;
  double largest = 0.0;
  for (long k = 0; k < models; ++k) {
    model m = {0};
    double worst = 0.0;
    random_seed(seed + (unsigned)k);
    draw(&m);
    events += events_of(context, &m, &worst);
    if (!(worst <= 1.0))
      print_message("seed %ld: %g of the allowed error\n", (long)seed + k, worst);
    wrong += !(worst <= 1.0);
    largest = fmax(largest, worst);
  }
  print_message("%ld models, %ld motions, %ld wrong; the largest error is %.2g of the allowed\n",
                models, events, wrong, largest);
  assert_int_equal(wrong, 0);
  nsds_context_destroy(context);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(drawn_parabolas)};
  if (argc > 1) models = strtol(argv[1], NULL, 10);
  if (argc > 2) seed = (unsigned)strtoul(argv[2], NULL, 10);
  return cmocka_run_group_tests_name("numerics.ode_parabolas", tests, NULL, NULL);
}
