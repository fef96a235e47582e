/*
 * Impacts of several contacts: closed forms, compliant chains integrated here, the distributing law
 * in its own variables, energy and momentum.
 */
#include "chain.h"

/* ---- the compliant chain --------------------------------------------------------------------- */

/* Point masses between springs, which pull not. */
typedef struct springs {
  const chain *c;
  bool unloading[most_balls];
  double K[most_balls], length[most_balls], E0[most_balls]; /* now; E at the start of loading */
  double x[most_balls], v[most_balls];
} springs;

static double squeezed(const springs *s, const double *x, int i) {
  return fmax(x[i] - x[i + 1] - s->length[i], 0.0);
}

static void accelerate(const springs *s, const double *x, double *a) {
  const chain *c = s->c;
  for (int i = 0; i < c->n; ++i) a[i] = 0.0;
  for (int i = 0; i + 1 < c->n; ++i) {
    double F = s->K[i] * pow(squeezed(s, x, i), c->exponent);
    a[i] -= F / c->mass[i];
    a[i + 1] += F / c->mass[i + 1];
  }
}

/* Where loading ends the spring becomes shorter, or stiffer, so that the energy of this loading
 * falls by e^2; where it begins again the spring is what it was. */
static void turn(springs *s, int i) {
  const chain *c = s->c;
  bool apart = s->v[i + 1] > s->v[i];
  double d = squeezed(s, s->x, i), eta = c->exponent, e = c->e[i];
  if (e == 1.0 || d == 0.0) {
    s->unloading[i] = false;
    s->E0[i] = 0.0;
    s->K[i] = c->stiffness[i];
    return;
  }
  if (apart == s->unloading[i]) return;
  double E = s->K[i] * pow(d, eta + 1.0) / (eta + 1.0);
  if (apart) E = s->E0[i] + e * e * (E - s->E0[i]);
  else s->E0[i] = E;
  s->unloading[i] = apart;
  s->K[i] = c->stiffness[i] / (apart && c->bi_stiffness ? pow(e, 2.0 * eta) : 1.0);
  s->length[i] += d - pow((eta + 1.0) * E / s->K[i], 1.0 / (eta + 1.0));
}

static bool at_rest(const springs *s) {
  for (int i = 0; i + 1 < s->c->n; ++i)
    if (squeezed(s, s->x, i) > 0.0 || s->v[i + 1] < s->v[i] - 1e-12) return false;
  return true;
}

/* By Runge and Kutta's method, until all are apart. */
static void compliant(const chain *c, double h, double *v) {
  springs s = {.c = c};
  double k[4][most_balls], l[4][most_balls], y[most_balls];
  static const double at[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
  memcpy(s.v, c->v, sizeof s.v);
  memcpy(s.K, c->stiffness, sizeof s.K);
  for (long step = 0; step == 0 || !at_rest(&s); ++step) {
    assert_true(step < 100000000);
    for (int r = 0; r < 4; ++r) {
      for (int i = 0; i < c->n; ++i) {
        l[r][i] = s.v[i] + (r > 0 ? at[r] * h * k[r - 1][i] : 0.0);
        y[i] = s.x[i] + (r > 0 ? at[r] * h * l[r - 1][i] : 0.0);
      }
      accelerate(&s, y, k[r]);
    }
    for (int i = 0; i < c->n; ++i)
      for (int r = 0; r < 4; ++r) {
        s.x[i] += h * weight[r] / 6.0 * l[r][i];
        s.v[i] += h * weight[r] / 6.0 * k[r][i];
      }
    for (int i = 0; i + 1 < c->n; ++i) turn(&s, i);
  }
  memcpy(v, s.v, sizeof s.v);
}

static void agrees_with_springs(const chain *c, double h, double tolerance) {
  double v[most_balls];
  outcome o = chain_strike(c);
  compliant(c, h, v);
  chain_check(c, &o);
  if (c->e[0] == 1.0) assert_near(o.after, o.before, 1e-10 * o.before);
  for (int i = 0; i < c->n; ++i) assert_near(o.v[i], v[i], tolerance);
}

/* ---- three balls ----------------------------------------------------------------------------- */

/* One ball strikes two at rest that touch. Newton and Poisson: ((1 - 2e)/3, (1 + e)/3, (1 + e)/3).
 * With e = 0 at the contact struck and 1 at the other, Newton keeps all three together, Poisson
 * lets the last one go. */
static void three_balls_in_problems(void **state) {
  (void)state;
  for (int law = NEWTON; law <= POISSON; ++law) {
    for (int k = 0; k <= 10; ++k) {
      double e = 0.1 * k;
      chain c = chain_equal(3, (impact_law)law, e, 1.0);
      outcome o = chain_strike(&c);
      chain_check(&c, &o);
      assert_near(o.v[0], (1.0 - 2.0 * e) / 3.0, 1e-15);
      assert_near(o.v[1], (1.0 + e) / 3.0, 1e-15);
      assert_near(o.v[2], (1.0 + e) / 3.0, 1e-15);
    }
    chain c = chain_equal(3, (impact_law)law, 0.0, 1.0);
    c.e[1] = 1.0;
    outcome o = chain_strike(&c);
    chain_check(&c, &o);
    for (int i = 0; i < 3; ++i)
      assert_near(o.v[i], law == NEWTON ? 1.0 / 3.0 : i < 2 ? 1.0 / 6.0 : 2.0 / 3.0, 1e-15);
  }
}

/* Unit springs: with s = d_1 + d_2 = sin t and d_1 - d_2 = sin(sqrt(3) t) / sqrt(3) the first
 * contact opens at d_1 = 0; the second goes on alone, with its energy. */
static void three_balls_on_linear_springs(void **state) {
  (void)state;
  double r = sqrt(3.0), low = 1.0, high = 3.0;
  for (int k = 0; k < 100; ++k) {
    double t = 0.5 * (low + high);
    *(sin(t) + sin(r * t) / r > 0.0 ? &low : &high) = t;
  }
  double t = low, P = 0.5 * (1.0 - cos(t) + (1.0 - cos(r * t)) / 3.0);
  double d = 0.5 * (sin(t) - sin(r * t) / r), rate = 0.5 * (cos(t) - cos(r * t));
  double apart = sqrt(rate * rate + 2.0 * d * d);
  assert_true(d > 0.0);
  chain c = chain_equal(3, DISTRIBUTING, 1.0, 1.0);
  outcome o = chain_strike(&c);
  chain_check(&c, &o);
  assert_near(o.v[0], 1.0 - P, 1e-11);
  assert_near(o.v[1], 0.5 * (P - apart), 1e-11);
  assert_near(o.v[2], 0.5 * (P + apart), 1e-11);
  assert_near(o.v[0], -0.1303, 5e-5); /* Nguyen and Brogliato (2014) */
  assert_near(o.v[1], 0.1502, 5e-5);
  assert_near(o.v[2], 0.9800, 5e-5);
}

/* The law in its own variables: E and u over the impulse of the contact with most energy, by the
 * midpoint rule. Equal balls, e = 1. The start, with u_1 = -1 and A_12 = -1, from d_1 = tau: P_1 =
 * tau^(eta + 1) / (eta + 1), d_2 = tau^(eta + 2) / ((eta + 1) (eta + 2)). */
static double ratio(const double *E, double gamma, double eta, int i) {
  if (E[i] <= 0.0 || E[1 - i] <= 0.0) return 0.0;
  double stiffer = i == 0 ? gamma : 1.0 / gamma;
  return pow(stiffer, 1.0 / (eta + 1.0)) * pow(E[1 - i] / E[i], eta / (eta + 1.0));
}

static void move(const double *E, const double *u, const double *dP, double *E_next,
                 double *u_next) {
  for (int k = 0; k < 2; ++k) {
    double du = 2.0 * dP[k] - dP[1 - k];
    E_next[k] = fmax(E[k] - (u[k] + 0.5 * du) * dP[k], 0.0);
    u_next[k] = u[k] + du;
  }
}

static void distribute_by_impulse(double eta, double gamma, double longest, double *v) {
  double tau = 0.01, d2 = pow(tau, eta + 2.0) / ((eta + 1.0) * (eta + 2.0));
  double P[2] = {pow(tau, eta + 1.0) / (eta + 1.0),
                 gamma * pow(d2, eta) * tau / (eta * (eta + 2.0) + 1.0)};
  double u[2] = {-1.0 + 2.0 * P[0], -P[0]}, halfway[2], there[2];
  double E[2] = {P[0] - P[0] * P[0], gamma * pow(d2, eta + 1.0) / (eta + 1.0)};
  while (E[0] > 0.0 || E[1] > 0.0) {
    int i = E[1] > E[0];
    double step = fmin(longest, 1e-3 * P[0]), half[2], whole[2];
    half[i] = 0.5 * step;
    half[1 - i] = ratio(E, gamma, eta, i) * half[i];
    move(E, u, half, halfway, there);
    whole[i] = step;
    whole[1 - i] = ratio(halfway, gamma, eta, i) * step;
    move(E, u, whole, E, u);
    for (int k = 0; k < 2; ++k) P[k] += whole[k];
  }
  v[0] = 1.0 - P[0];
  v[1] = P[0] - P[1];
  v[2] = P[1];
}

static void three_balls_by_impulse(void **state) {
  (void)state;
  static const double gammas[] = {0.1, 1.0, 4.0};
  for (int k = 0; k < 6; ++k) {
    chain c = chain_equal(3, DISTRIBUTING, 1.0, k < 3 ? 1.0 : 1.5);
    c.stiffness[1] = gammas[k % 3];
    double v[3];
    distribute_by_impulse(c.exponent, c.stiffness[1], 1e-5, v);
    outcome o = chain_strike(&c);
    for (int i = 0; i < 3; ++i) assert_near(o.v[i], v[i], 1e-4);
  }
}

/* ---- longer chains --------------------------------------------------------------------------- */

static void chains_on_springs(void **state) {
  (void)state;
  for (int eta = 0; eta < 2; ++eta) {
    double exponent = eta ? 1.5 : 1.0;
    chain c =
        chain_equal(5, DISTRIBUTING, 1.0, exponent); /* Newton's cradle: one, two, both ends */
    agrees_with_springs(&c, 1e-3, 1e-6);
    c.v[1] = 1.0;
    agrees_with_springs(&c, 1e-3, 1e-6);
    c.v[1] = 0.0, c.v[4] = -1.0;
    agrees_with_springs(&c, 1e-3, 1e-6);
    c = chain_equal(4, DISTRIBUTING, 1.0, exponent);
    c.mass[1] = 1000.0, c.stiffness[2] = 50.0;
    agrees_with_springs(&c, 1e-3, 1e-6);
    c.mass[0] = 1000.0, c.mass[1] = 1.0, c.stiffness[0] = 1e-2;
    agrees_with_springs(&c, 1e-3, 1e-6);
    c = chain_equal(3, DISTRIBUTING, 1.0, exponent); /* the light ball runs to and fro */
    c.mass[1] = 1e-3;
    agrees_with_springs(&c, 1e-4, 1e-6);
    c.mass[0] = 1e3, c.mass[1] = c.mass[2] = 1.0;
    agrees_with_springs(&c, 1e-3, 1e-5);
  }
}

/* Losses: springs whose turns are found to a step of h. */
static void chains_with_losses(void **state) {
  (void)state;
  for (int which = 0; which < 4; ++which) {
    chain c = chain_equal(which < 2 ? 3 : 5, DISTRIBUTING, 0.8, which % 2 ? 1.5 : 1.0);
    c.e[1] = 0.5, c.stiffness[1] = 2.0;
    for (int bi = 0; bi < 2; ++bi) {
      c.bi_stiffness = bi;
      agrees_with_springs(&c, 2e-5, 1e-4);
    }
  }
}

static double random_between(uint64_t *seed, double low, double high) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return low + (high - low) * (double)(*seed >> 11) * 0x1p-53;
}

static chain random_chain(uint64_t *seed) {
  chain c = {.n = 2 + (int)random_between(seed, 0.0, 7.0),
             .law = DISTRIBUTING,
             .bi_stiffness = random_between(seed, 0.0, 1.0) < 0.5,
             .exponent = random_between(seed, 0.0, 1.0) < 0.5 ? 1.0 : 1.5};
  bool same = random_between(seed, 0.0, 1.0) < 0.3;
  double first = random_between(seed, 0.0, 1.0);
  for (int i = 0; i < c.n; ++i) {
    c.mass[i] = pow(10.0, random_between(seed, -1.0, 1.0));
    c.stiffness[i] = pow(10.0, random_between(seed, -1.5, 1.5));
    c.e[i] = same ? first : random_between(seed, -0.2, 1.2);
    c.e[i] = fmin(fmax(c.e[i], 0.0), 1.0);
    c.v[i] = random_between(seed, 0.0, 1.0) < 0.4 ? 0.0 : random_between(seed, -1.0, 1.0);
  }
  c.v[0] = 1.5; /* which strikes */
  return c;
}

/* Any masses, stiffnesses and coefficients: the balances. */
static void random_chains(void **state) {
  (void)state;
  uint64_t seed = 7;
  for (int k = 0; k < 100; ++k) {
    chain c = random_chain(&seed);
    outcome o = chain_strike(&c);
    chain_check(&c, &o);
    c.law = POISSON;
    o = chain_strike(&c);
    chain_check(&c, &o);
  }
}

/* The order in which the contacts were connected says nothing. */
static void order_of_connection(void **state) {
  (void)state;
  static const int orders[][7] = {{6, 5, 4, 3, 2, 1, 0}, {3, 0, 6, 2, 5, 1, 4}};
  for (int law = NEWTON; law <= DISTRIBUTING; ++law)
    for (int e = 0; e <= 4; ++e) {
      chain c = chain_equal(8, (impact_law)law, 0.25 * e, 1.5);
      c.v[3] = -0.5, c.v[7] = -1.0, c.mass[5] = 4.0;
      outcome o = chain_strike(&c);
      for (int k = 0; k < 2; ++k) {
        memcpy(c.order, orders[k], sizeof orders[k]);
        outcome other = chain_strike(&c);
        for (int i = 0; i < c.n; ++i)
          assert_near(other.v[i], o.v[i], law == DISTRIBUTING ? 1e-10 : 1e-13);
      }
    }
}

/* A cradle of spheres loses energy with any e < 1, and no more than what leaves all at one speed.
 */
static void losses(void **state) {
  (void)state;
  for (int k = 0; k < 10; ++k)
    for (int bi = 0; bi < 2; ++bi) {
      chain c = chain_equal(5, DISTRIBUTING, 0.1 * k, 1.5);
      c.bi_stiffness = bi;
      outcome o = chain_strike(&c);
      chain_check(&c, &o);
      assert_true(o.after < 0.95 * o.before);
      assert_true(o.after >= 0.2 * o.before * (1.0 - 1e-12));
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(three_balls_in_problems), cmocka_unit_test(three_balls_on_linear_springs),
      cmocka_unit_test(three_balls_by_impulse),  cmocka_unit_test(chains_on_springs),
      cmocka_unit_test(chains_with_losses),      cmocka_unit_test(random_chains),
      cmocka_unit_test(order_of_connection),     cmocka_unit_test(losses),
  };
  return cmocka_run_group_tests_name("event_driven.multiple_impacts", tests, NULL, NULL);
}
