/* Problems of the integration tests, see odes.h. */
#include "numerics/ode/advance.h"
#include "numerics/ode/ode.h"
#include "cmocka_setup.h"
#include "odes.h"

#include <string.h>

void odes_clear(odes *o) {
  memset(o, 0, sizeof *o);
  o->rhs_end = INFINITY;
  o->latest = -INFINITY;
}

static void asked(odes *o, double t) {
  ++o->calls;
  assert_true(t <= o->rhs_end);
  o->latest = fmax(o->latest, t);
}

int odes_fall(void *self, double t, const double *x, double *dx) {
  odes *o = self;
  asked(o, t);
  dx[0] = x[1];
  dx[1] = -o->a[0];
  return 0;
}

int odes_oscillator(void *self, double t, const double *x, double *dx) {
  odes *o = self;
  asked(o, t);
  dx[0] = x[1];
  dx[1] = -o->a[0] * o->a[0] * x[0];
  return 0;
}

int odes_polynomials(void *self, double t, const double *x, double *dx) {
  odes *o = self;
  (void)x;
  asked(o, t);
  for (int i = 0; i < o->m; ++i) {
    const double *a = o->a + 5 * i;
    dx[i] = a[1] + t * (2.0 * a[2] + t * (3.0 * a[3] + t * 4.0 * a[4]));
  }
  return 0;
}

int odes_levels(void *self, double t, const double *x, double *g) {
  const odes *o = self;
  (void)t;
  for (int i = 0; i < o->m; ++i) g[i] = x[i] - o->c[i];
  return 0;
}

int odes_heights(void *self, double t, const double *x, double *g) {
  const odes *o = self;
  (void)t;
  for (int i = 0; i < o->m; ++i) g[i] = x[0] - o->c[i];
  return 0;
}

int odes_roots(nsds_ode *ode, double t, const double *x, nsds_root_direction direction,
               double t_stop, int most, double *time, nsds_ode_root *root) {
  double state[odes_numbers];
  int count = 0, result;
  assert_status(nsds_ode_start(ode, t, x), NSDS_OK);
  for (int i = 0; i < odes_numbers; ++i) nsds_ode_watch(ode, i, direction);
  while ((result = nsds_ode_advance(ode, t_stop, &t, state)) == NSDS_ODE_ROOT)
    for (int k = 0; k < nsds_ode_root_count(ode); ++k, ++count)
      if (count < most) {
        time[count] = t;
        root[count] = nsds_ode_root_at(ode, k);
      }
  assert_int_equal(result, NSDS_ODE_REACHED);
  assert_true(t == t_stop);
  return count;
}

static int of_time(void *self, double t, const double *x, double *g) {
  odes *o = self;
  (void)x;
  ++o->calls;
  g[0] = o->of_time(t);
  return 0;
}

nsds_ode *odes_of_time(nsds_context *context, odes *o, double (*g)(double t), double largest_step) {
  nsds_ode_problem problem = {.roots = 1, .self = o, .root = of_time};
  nsds_ode_options options = {.largest_step = largest_step};
  o->of_time = g;
  nsds_ode *ode = nsds_ode_create(context, &problem, &options);
  assert_non_null(ode);
  return ode;
}

int odes_roots_of_time(nsds_context *context, odes *o, double (*g)(double t), double largest_step,
                       nsds_root_direction direction, double t_stop, double time[4],
                       nsds_ode_root root[4]) {
  nsds_ode *ode = odes_of_time(context, o, g, largest_step);
  int count = odes_roots(ode, 0.0, NULL, direction, t_stop, 4, time, root);
  nsds_ode_destroy(ode);
  return count;
}
