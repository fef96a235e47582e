/*
 * Balls of unequal sizes: how many pairs and cells the grids try, beside the pairs that are near
 * and those that a sweep along the longest axis would try, whose extents overlap on it. All near
 * pairs are found, and what is tried grows with the number of balls, whatever their sizes.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "kernel/contact/grid.h"

typedef struct tries {
  const nsds_grid *grid;
  long tested, found;
} tries;

static bool near(const nsds_grid *g, int i, int j) {
  const nsds_grid_item *a = &g->item[i], *b = &g->item[j];
  double d = hypot(hypot(a->x[0] - b->x[0], a->x[1] - b->x[1]), a->x[2] - b->x[2]);
  return d <= a->radius + b->radius + g->reach;
}

static nsds_status meet(void *user, int i, int j) {
  tries *t = user;
  ++t->tested;
  t->found += near(t->grid, i, j);
  return NSDS_OK;
}

/* ---- scenes ---- */

static double uniform(uint64_t *seed) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*seed >> 11) / 9007199254740992.0;
}

typedef void (*scene)(nsds_grid *grid, uint64_t *seed);

/* A box in which balls take up a given part of the volume. */
static void spread(nsds_grid *g, double part, uint64_t *seed) {
  double volume = 0.0;
  for (int k = 0; k < g->count; ++k)
    volume += 4.18879 * g->item[k].radius * g->item[k].radius * g->item[k].radius;
  for (int k = 0; k < g->count; ++k)
    for (int i = 0; i < 3; ++i) g->item[k].x[i] = cbrt(volume / part) * uniform(seed);
}

static void of_one_size(nsds_grid *g, uint64_t *seed) {
  for (int k = 0; k < g->count; ++k) g->item[k].radius = 1.0;
  spread(g, 0.6, seed);
}

static void of_one_to_two(nsds_grid *g, uint64_t *seed) {
  for (int k = 0; k < g->count; ++k) g->item[k].radius = 1.0 + uniform(seed);
  spread(g, 0.6, seed);
}

/* As many in each octave. */
static void of_every_size(nsds_grid *g, uint64_t *seed) {
  for (int k = 0; k < g->count; ++k) g->item[k].radius = pow(1000.0, uniform(seed));
  spread(g, 0.6, seed);
}

/* Small ones between 27 large ones, three a side: as densely as those of one size. */
static void small_among_large(nsds_grid *g, uint64_t *seed) {
  double edge = cbrt(4.18879 * g->count / 0.6);
  for (int k = 0; k < g->count; ++k) {
    g->item[k].radius = k < 27 ? 1000.0 : 1.0;
    for (int i = 0, site = k; i < 3; ++i, site /= 3)
      g->item[k].x[i] = k < 27 ? 2000.0 * (site % 3) : 1000.0 + edge * (uniform(seed) - 0.5);
  }
}

/* A thousandth of its radius, all over the surface of one. */
static void dust_on_a_ball(nsds_grid *g, uint64_t *seed) {
  for (int k = 0; k < g->count; ++k) {
    double z = 2.0 * uniform(seed) - 1.0, turn = 6.28318530718 * uniform(seed),
           rho = sqrt(1 - z * z);
    double r = k ? 1001.0 : 0.0, n[] = {rho * cos(turn), rho * sin(turn), z};
    g->item[k].radius = k ? 1.0 : 1000.0;
    for (int i = 0; i < 3; ++i) g->item[k].x[i] = r * n[i];
  }
}

/* ---- a sweep ---- */

static int by_start(const void *a, const void *b) {
  const double *x = a, *y = b;
  return (x[0] > y[0]) - (x[0] < y[0]);
}

/* Pairs whose extents overlap along the longest axis; those of them that are near. */
static long sweep(const nsds_grid *g, long *found) {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  double(*extent)[3] = malloc((size_t)g->count * sizeof *extent);
  int axis = 0;
  long tested = 0;
  assert_non_null(extent);
  for (int k = 0; k < 3 * g->count; ++k) {
    low[k % 3] = fmin(low[k % 3], g->item[k / 3].x[k % 3]);
    high[k % 3] = fmax(high[k % 3], g->item[k / 3].x[k % 3]);
  }
  for (int i = 1; i < 3; ++i)
    if (high[i] - low[i] > high[axis] - low[axis]) axis = i;
  for (int k = 0; k < g->count; ++k) {
    double half = g->item[k].radius + 0.5 * g->reach;
    extent[k][0] = g->item[k].x[axis] - half;
    extent[k][1] = g->item[k].x[axis] + half;
    extent[k][2] = k;
  }
  qsort(extent, (size_t)g->count, sizeof *extent, by_start);
  *found = 0;
  for (int i = 0; i < g->count; ++i)
    for (int j = i + 1; j < g->count && extent[j][0] <= extent[i][1]; ++j) {
      ++tested;
      *found += near(g, (int)extent[i][2], (int)extent[j][2]);
    }
  free(extent);
  return tested;
}

/* ---- both ---- */

/* Pairs that the grids try for each ball. */
static double count(const char *name, scene make, int n) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_grid grid;
  uint64_t seed = 7;
  assert_int_equal(nsds_grid_create(&grid, context, n), NSDS_OK);
  make(&grid, &seed);
  nsds_grid_open(&grid, 0.1);
  nsds_grid_fill(&grid);
  tries t = {.grid = &grid};
  long cells = 0, near_pairs;
  for (int i = 0; i < n; ++i) {
    assert_int_equal(nsds_grid_partners(&grid, i, meet, &t), NSDS_OK);
    cells += 14;
    for (int l = grid.item[i].level + 1; l < 64; ++l) cells += 27 * (long)(grid.used >> l & 1);
  }
  long swept = sweep(&grid, &near_pairs);
  print_message(
      "             %-22s %6d balls, near %6.2f a ball, grids try %7.2f in %5.0f cells, a "
      "sweep tries %9.2f\n",
      name, n, (double)near_pairs / n, (double)t.tested / n, (double)cells / n, (double)swept / n);
  assert_int_equal(t.found, near_pairs);
  nsds_grid_release(&grid, context);
  nsds_context_destroy(context);
  return (double)t.tested / n;
}

static void unequal_sizes(void **state) {
  (void)state;
  static const struct {
    const char *name;
    scene make;
    double most; /* tries of a ball: half as many again as seen */
  } scenes[] = {{"of one size", of_one_size, 25},
                {"of 1 to 2", of_one_to_two, 50},
                {"of 1 to 1000", of_every_size, 100},
                {"among large ones", small_among_large, 75},
                {"dust on a ball", dust_on_a_ball, 2}};
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; ++k) {
    double few = count(scenes[k].name, scenes[k].make, 4000);
    double many = count(scenes[k].name, scenes[k].make, 27000);
    assert_true(many < scenes[k].most);
    assert_true(many < 1.5 * few); /* what is at the rim has fewer neighbours */
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(unequal_sizes)};
  return cmocka_run_group_tests_name("assembly.broad_phase", tests, NULL, NULL);
}
