/* Calls that make laws of every kind. */
#include "calls.h"
#include "own_types.h"

#include <math.h>

enum { FACETS = 2 };

static nsds_law *bounded(nsds_model *model, int size, bool slope) {
  int n = number(size);
  if (n == 65536) n = 64; /* geometries of contact sets have room for so many rows */
  double *lower = array(n, -1.0, 0.0), *upper = array(n, 0.01, 1.0);
  if (slope) return MAKE(nsds_saturation, model, n, lower, upper, real(0.5, 3.0));
  if (lower && chance(20)) lower[0] = -INFINITY;
  if (upper && chance(20)) upper[0] = INFINITY;
  return MAKE(nsds_relay, model, n, lower, upper);
}

/* The box [-k, k] in `size` dimensions, by facets. */
static nsds_law *box_cone(nsds_model *model, int size) {
  int n = number(size), nfacet = FACETS * n;
  if (n < 1 || n > 64)
    return MAKE(nsds_normal_cone, model, n, 1, array(1, 0.0, 1.0), array(1, 0.0, 1.0));
  double *H = brief((size_t)(nfacet * n), sizeof *H), *K = array(nfacet, -1.0, -0.1);
  for (int i = 0; i < n; ++i) {
    H[i + i * nfacet] = 1.0;
    H[n + i + i * nfacet] = -1.0;
  }
  return MAKE(nsds_normal_cone, model, n, odd(5) ? number(nfacet) % (nfacet + 1) : nfacet, H, K);
}

static nsds_law *own(nsds_model *model, int size) {
  own_law *self = own_self(sizeof *self);
  *self = (own_law){size == 2, 0.3};
  nsds_custom_law_def def = {.ops = &own_laws[odd(5) ? OWN_OPS - 1 : pick(2)],
                             .self = self,
                             .size = size,
                             .ngap = size == 2,
                             .level = (nsds_level)(odd(3)       ? number(3)
                                                   : chance(70) ? 0
                                                                : (int)pick(3))};
  return MAKE(nsds_custom_law, model, &def);
}

static nsds_law *with_friction(nsds_model *model, int size) {
  nsds_newton_impact_friction_def def = {.dimension = number(size),
                                         .mu = real(0.0, 0.8),
                                         .e_n = real(0.0, 1.0),
                                         .e_t = chance(30) ? real(-0.3, 0.3) : 0.0};
  if (chance(10)) def.slip[0] = real(-1.0, 1.0);
  return MAKE(nsds_newton_impact_friction, model, &def);
}

static nsds_law *with_rolling(nsds_model *model, int size) {
  nsds_newton_impact_rolling_def def = {.dimension = number(size == 3 ? 2 : 3),
                                        .mu = real(0.0, 0.8),
                                        .mu_rolling = real(0.0, 0.1),
                                        .e_n = real(0.0, 1.0)};
  return MAKE(nsds_newton_impact_rolling, model, &def);
}

static nsds_law *of_fremond(nsds_model *model, int size) {
  nsds_fremond_impact_friction_def def = {
      .dimension = number(size), .mu = real(0.0, 0.8), .e_n = real(0.0, 1.0)};
  return MAKE(nsds_fremond_impact_friction, model, &def);
}

static nsds_law *distributing(nsds_model *model) {
  nsds_distributing_impact_def def = {.restitution = real(0.0, 1.0),
                                      .stiffness = real(0.5, 100.0),
                                      .exponent = chance(50) ? 1.5 : 0.0,
                                      .bi_stiffness = chance(30)};
  return MAKE(nsds_distributing_impact, model, &def);
}

/* A law of one row; between second-order systems those of impacts too. */
static nsds_law *of_one_row(nsds_model *model, int order) {
  static const unsigned laws[flavour_count] = {[BODIES_IN_STEPS] = 0x13f,
                                               [BODIES_BY_EVENTS] = 0x1c7,
                                               [CIRCUITS] = 0x1f,
                                               [BOTH_ORDERS] = 0x13f};
  switch (pick_of(order == 2 ? 9 : 6, laws[run_flavour()])) {
  case 0: return MAKE(nsds_complementarity, model);
  case 1: return MAKE(nsds_equality, model);
  case 2: return bounded(model, 1, false);
  case 3: return bounded(model, 1, true);
  case 4: return box_cone(model, 1);
  case 5: return own(model, 1);
  case 6: return MAKE(nsds_poisson_impact, model, real(0.0, 1.0));
  case 7: return distributing(model);
  default: return MAKE(nsds_newton_impact, model, real(0.0, 1.0));
  }
}

static nsds_law *of_rows(nsds_model *model, int size) {
  static const unsigned laws[flavour_count] = {
      [BODIES_IN_STEPS] = 0x7f, [BODIES_BY_EVENTS] = 0x70, [CIRCUITS] = 0x7, [BOTH_ORDERS] = 0x7f};
  switch (pick_of(7, laws[run_flavour()])) {
  case 0: return bounded(model, size, false);
  case 1: return bounded(model, size, true);
  case 2: return box_cone(model, size);
  case 3: return size == 2 ? own(model, size) : bounded(model, size, false);
  case 4: return of_fremond(model, size);
  case 5: return size == 3 || size == 5 ? with_rolling(model, size) : with_friction(model, size);
  default: return with_friction(model, size);
  }
}

nsds_law *make_law(scene *s, nsds_model *model, int size, int order) {
  bool single = size == 1 || chance(order == 2 ? 40 : 60);
  nsds_law *law = size == 5 ? with_rolling(model, size)
                  : single  ? of_one_row(model, order)
                            : of_rows(model, size);
  keep(s, LAWS, (thing){.object = law, .ny = single && size != 5 ? 1 : size});
  return law;
}

nsds_law *choose_law(scene *s, nsds_model *model, int ny, int order) {
  thing *old = chance(60) ? any_thing(s, LAWS) : NULL;
  if (old && (ny % old->ny == 0 || odd(5))) return old->object;
  return odd(3) ? argument(s, LAWS) : make_law(s, model, ny, order);
}

nsds_status call_law(scene *s) {
  nsds_model *model = model_argument(&s);
  static const int sizes[] = {1, 1, 2, 3, 3, 5};
  int size = sizes[pick(sizeof sizes / sizeof *sizes)];
  return made(make_law(s, model, size, 2));
}
