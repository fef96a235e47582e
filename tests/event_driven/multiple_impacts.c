/*
 * Impacts of several contacts by Newton's, Poisson's and the distributing law: closed forms,
 * compliant chains integrated here, the distributing law in its own variables, energy and momentum,
 * what does not go together.
 */
#include "support.h"

enum { most_balls = 12 };

typedef enum impact_law { NEWTON, POISSON, DISTRIBUTING } impact_law;

/* Balls on a line that all touch; contact i is between i and i + 1. */
typedef struct chain {
  int n;
  impact_law law;
  bool bi_stiffness;
  double exponent;
  double mass[most_balls], v[most_balls]; /* before */
  double e[most_balls], stiffness[most_balls];
  int order[most_balls]; /* in which the contacts are connected; {0}: as they are */
} chain;

typedef struct outcome {
  double v[most_balls], P[most_balls];
  double before, after; /* kinetic energy */
} outcome;

static nsds_law *law_of(nsds_model *model, const chain *c, int i) {
  if (c->law == NEWTON) return nsds_newton_impact(model, c->e[i]);
  if (c->law == POISSON) return nsds_poisson_impact(model, c->e[i]);
  return nsds_distributing_impact(model,
                                  &(nsds_distributing_impact_def){.restitution = c->e[i],
                                                                  .stiffness = c->stiffness[i],
                                                                  .exponent = c->exponent,
                                                                  .bi_stiffness = c->bi_stiffness});
}

static nsds_relation *between(nsds_model *model) {
  return nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 2, .H = (double[]){-1.0, 1.0}});
}

static nsds_ds *ball(nsds_model *model, double mass, double v) {
  return nsds_lagrangian_linear(model,
                                &(nsds_lagrangian_linear_def){.ndof = 1, .mass = &mass, .v0 = &v});
}

static outcome strike(const chain *c) {
  outcome out = {0};
  nsds_model *model = nsds_model_create(NULL);
  nsds_relation *gap = between(model);
  nsds_ds *balls[most_balls];
  nsds_interaction *contact[most_balls];
  for (int i = 0; i < c->n; ++i) balls[i] = ball(model, c->mass[i], c->v[i]);
  for (int k = 0; k + 1 < c->n; ++k) {
    int i = c->order[0] == c->order[1] ? k : c->order[k];
    contact[i] = nsds_connect(model, gap, law_of(model, c, i), 2, &balls[i]);
  }
  nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0});
  assert_sound(model);
  assert_ok(model, nsds_step(s));
  const nsds_event_info *event = nsds_simulation_event(s);
  assert_true(event->kind & NSDS_EVENT_IMPACT);
  out.before = event->kinetic_before;
  out.after = event->kinetic_after;
  for (int i = 0; i < c->n; ++i) out.v[i] = nsds_v(balls[i])[0];
  for (int i = 0; i + 1 < c->n; ++i) out.P[i] = nsds_impulse(contact[i])[0];
  nsds_model_destroy(model);
  return out;
}

static chain equal(int n, impact_law law, double e, double exponent) {
  chain c = {.n = n, .law = law, .exponent = exponent, .v = {1.0}};
  for (int i = 0; i < n; ++i) c.mass[i] = c.stiffness[i] = 1.0, c.e[i] = e;
  return c;
}

/* Momentum to rounding, nothing approaches, no energy comes to be; the balance of each ball, to
 * what the distributing law leaves open of contacts that close. */
static void check_balances(const chain *c, const outcome *o) {
  double momentum = 0.0, size = 0.0, fastest = 0.0;
  for (int i = 0; i < c->n; ++i) {
    momentum += c->mass[i] * (o->v[i] - c->v[i]);
    size += c->mass[i] * (fabs(c->v[i]) + fabs(o->v[i]));
    fastest = fmax(fastest, fmax(fabs(c->v[i]), fabs(o->v[i])));
    double P = (i > 0 ? o->P[i - 1] : 0.0) - (i + 1 < c->n ? o->P[i] : 0.0);
    assert_near(c->mass[i] * (o->v[i] - c->v[i]), P,
                (c->law == DISTRIBUTING ? 1e-9 : 1e-13) * size);
  }
  assert_near(momentum, 0.0, 1e-15 * c->n * size);
  for (int i = 0; i + 1 < c->n; ++i) {
    assert_true(o->P[i] >= 0.0);
    assert_true(o->v[i + 1] - o->v[i] >= -1e-9 * fastest);
  }
  assert_true(o->after <= o->before * (1.0 + 1e-10));
}

/* ---- the compliant chain --------------------------------------------------------------------- */

static double springs(const chain *c, const double *x, double *a) {
  double loaded = 0.0;
  for (int i = 0; i < c->n; ++i) a[i] = 0.0;
  for (int i = 0; i + 1 < c->n; ++i) {
    double d = x[i] - x[i + 1];
    if (d <= 0.0) continue;
    double F = c->stiffness[i] * pow(d, c->exponent);
    a[i] -= F / c->mass[i];
    a[i + 1] += F / c->mass[i + 1];
    loaded += d;
  }
  return loaded;
}

/* Point masses between springs, which pull not, by Runge and Kutta's method; until all are apart.
 */
static void compliant(const chain *c, double h, double *v) {
  double x[most_balls] = {0}, k[4][most_balls], l[4][most_balls], y[most_balls];
  static const double at[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
  for (int i = 0; i < c->n; ++i) v[i] = c->v[i];
  for (long step = 0;; ++step) {
    assert_true(step < 100000000);
    bool apart = springs(c, x, y) == 0.0;
    for (int i = 0; i + 1 < c->n; ++i) apart = apart && v[i + 1] >= v[i] - 1e-12;
    if (apart && step > 0) return;
    for (int r = 0; r < 4; ++r) {
      for (int i = 0; i < c->n; ++i) {
        l[r][i] = v[i] + (r > 0 ? at[r] * h * k[r - 1][i] : 0.0);
        y[i] = x[i] + (r > 0 ? at[r] * h * l[r - 1][i] : 0.0);
      }
      springs(c, y, k[r]);
    }
    for (int i = 0; i < c->n; ++i)
      for (int r = 0; r < 4; ++r) {
        x[i] += h * weight[r] / 6.0 * l[r][i];
        v[i] += h * weight[r] / 6.0 * k[r][i];
      }
  }
}

static void agrees_with_springs(const chain *c, double h, double tolerance) {
  double v[most_balls];
  outcome o = strike(c);
  compliant(c, h, v);
  check_balances(c, &o);
  assert_near(o.after, o.before, 1e-10 * o.before);
  for (int i = 0; i < c->n; ++i) assert_near(o.v[i], v[i], tolerance);
}

/* ---- one contact ----------------------------------------------------------------------------- */

/* u+ = -e u-, by every law, for every e, flight after flight. */
static void one_contact(void **state) {
  (void)state;
  static const double e[] = {0.0, 1e-13, 0.1, 0.5, 0.9, 1.0};
  for (size_t k = 0; k < sizeof e / sizeof *e; ++k)
    for (int law = NEWTON; law <= DISTRIBUTING; ++law) {
      chain c = equal(2, (impact_law)law, e[k], 1.5);
      c.mass[1] = 3.0;
      c.v[1] = -1.0;
      outcome o = strike(&c);
      double given = law == DISTRIBUTING && e[k] < 1e-12 ? 0.0 : e[k];
      assert_near(o.v[1] - o.v[0], 2.0 * given, 1e-15);
      assert_near(o.P[0], 2.0 * (1.0 + given) * 0.75, 1e-15);
      check_balances(&c, &o);
    }
}

static void bounces(void **state) {
  (void)state;
  double g = 9.81, e = 0.8;
  for (int law = NEWTON; law <= DISTRIBUTING; ++law) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds =
        nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.ndof = 1,
                                                                    .mass = (double[]){2.0},
                                                                    .q0 = (double[]){1.0},
                                                                    .fext = (double[]){-2.0 * g}});
    nsds_relation *floor = nsds_lagrangian_linear_relation(
        model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
    chain c = equal(2, (impact_law)law, e, 1.5);
    nsds_connect(model, floor, law_of(model, &c, 0), 1, &ds);
    nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 10.0});
    assert_sound(model);
    double t = sqrt(2.0 / g), v = g * t, limit = NAN;
    for (int k = 0; k < 12; ++k) {
      assert_ok(model, nsds_step(s));
      assert_near(nsds_time(s), t, 1e-11);
      t += 2.0 * (v *= e) / g;
    }
    nsds_status status;
    while ((status = nsds_step(s)) == NSDS_OK)
      if (nsds_simulation_event(s)->kind & NSDS_EVENT_ACCUMULATION)
        limit = nsds_simulation_event(s)->row[0].limit_time;
    assert_int_equal(status, NSDS_END);
    assert_near(limit, sqrt(2.0 / g) * (1.0 + e) / (1.0 - e), 1e-8);
    nsds_model_destroy(model);
  }
}

/* A bar falls flat on two props that act on each other: both rebound with e, whatever the law, the
 * compliance and the exponent. */
static void bar_on_two_props(void **state) {
  (void)state;
  for (int which = 0; which < 6; ++which)
    for (int j = 0; j <= 4; ++j) {
      double e = 0.25 * j;
      nsds_model *model = nsds_model_create(NULL);
      nsds_ds *bar = nsds_lagrangian_linear(
          model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                               .mass = (double[]){2.0, 0.0, 0.0, 0.3},
                                               .v0 = (double[]){-1.5, 0.0}});
      chain c = equal(2, which < 2 ? (impact_law)which : DISTRIBUTING, e, which % 2 ? 1.5 : 1.0);
      c.bi_stiffness = which >= 4;
      nsds_law *law = law_of(model, &c, 0);
      for (int side = -1; side <= 1; side += 2) {
        nsds_relation *r = nsds_lagrangian_linear_relation(
            model,
            &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 2, .H = (double[]){1.0, side}});
        nsds_connect(model, r, law, 1, &bar);
      }
      nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0});
      assert_ok(model, nsds_step(s));
      assert_near(nsds_v(bar)[0], 1.5 * e, 1e-10);
      assert_near(nsds_v(bar)[1], 0.0, 1e-10);
      nsds_model_destroy(model);
    }
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
      chain c = equal(3, (impact_law)law, e, 1.0);
      outcome o = strike(&c);
      check_balances(&c, &o);
      assert_near(o.v[0], (1.0 - 2.0 * e) / 3.0, 1e-15);
      assert_near(o.v[1], (1.0 + e) / 3.0, 1e-15);
      assert_near(o.v[2], (1.0 + e) / 3.0, 1e-15);
    }
    chain c = equal(3, (impact_law)law, 0.0, 1.0);
    c.e[1] = 1.0;
    outcome o = strike(&c);
    check_balances(&c, &o);
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
  chain c = equal(3, DISTRIBUTING, 1.0, 1.0);
  outcome o = strike(&c);
  check_balances(&c, &o);
  assert_near(o.v[0], 1.0 - P, 1e-11);
  assert_near(o.v[1], 0.5 * (P - apart), 1e-11);
  assert_near(o.v[2], 0.5 * (P + apart), 1e-11);
  assert_near(o.v[0], -0.1303, 5e-5); /* Nguyen and Brogliato (2014) */
  assert_near(o.v[1], 0.1502, 5e-5);
  assert_near(o.v[2], 0.9800, 5e-5);
}

/* The law in its own variables: E and u over the impulse of the contact with most energy. Two
 * contacts of equal balls, e = 1. The start is the leading term of each: with u_1 = -1
 *   E_1 = P_1,  d_2 = P_1^((eta + 2) / (eta + 1)) ..., from tau: P_1 = tau^(eta + 1) / (eta + 1),
 *   d_2 = tau^(eta + 2) / ((eta + 1) (eta + 2)). */
static void distribute_by_impulse(double eta, double gamma, double step, double *v) {
  double K[2] = {1.0, gamma}, tau = 0.05, E[2], u[2] = {-1.0, 0.0}, P[2];
  double d2 = pow(tau, eta + 2.0) / ((eta + 1.0) * (eta + 2.0)); /* A_12 = -1 */
  P[0] = pow(tau, eta + 1.0) / (eta + 1.0);
  P[1] = gamma * pow(d2, eta) * tau / (eta * (eta + 2.0) + 1.0);
  E[0] = P[0] - P[0] * P[0]; /* u_1 = -1 + 2 P_1 */
  E[1] = gamma * pow(d2, eta + 1.0) / (eta + 1.0);
  while (E[0] > 0.0 || E[1] > 0.0) {
    int i = E[1] > E[0], j = 1 - i;
    double ratio = 0.0;
    if (E[j] > 0.0)
      ratio = pow(K[j] / K[i], 1.0 / (eta + 1.0)) * pow(E[j] / E[i], eta / (eta + 1.0));
    double dP[2];
    dP[i] = step;
    dP[j] = ratio * step;
    for (int k = 0; k < 2; ++k) {
      P[k] += dP[k];
      double now = (k == 0 ? -1.0 : 0.0) + 2.0 * P[k] - P[1 - k];
      u[k] = now - dP[k] + 0.5 * dP[1 - k]; /* in the middle, of old P[1] where k = 0 */
      if (k == 0) u[0] = now - dP[0] - 0.5 * dP[1];
      E[k] = fmax(E[k] - u[k] * dP[k], 0.0);
    }
  }
  v[0] = 1.0 - P[0];
  v[1] = P[0] - P[1];
  v[2] = P[1];
}

static void three_balls_by_impulse(void **state) {
  (void)state;
  static const double gammas[] = {0.1, 1.0, 4.0};
  for (int k = 0; k < 6; ++k) {
    chain c = equal(3, DISTRIBUTING, 1.0, k < 3 ? 1.0 : 1.5);
    c.stiffness[1] = gammas[k % 3];
    double v[3];
    distribute_by_impulse(c.exponent, c.stiffness[1], 2e-7, v);
    outcome o = strike(&c);
    for (int i = 0; i < 3; ++i) assert_near(o.v[i], v[i], 2e-3);
  }
}

/* ---- longer chains --------------------------------------------------------------------------- */

static void chains_on_springs(void **state) {
  (void)state;
  for (int eta = 0; eta < 2; ++eta) {
    double exponent = eta ? 1.5 : 1.0;
    chain c = equal(5, DISTRIBUTING, 1.0, exponent); /* Newton's cradle: one, two, both ends */
    agrees_with_springs(&c, 1e-3, 1e-6);
    c.v[1] = 1.0;
    agrees_with_springs(&c, 1e-3, 1e-6);
    c.v[1] = 0.0, c.v[4] = -1.0;
    agrees_with_springs(&c, 1e-3, 1e-6);
    c = equal(4, DISTRIBUTING, 1.0, exponent);
    c.mass[1] = 1000.0, c.stiffness[2] = 50.0;
    agrees_with_springs(&c, 1e-3, 1e-6);
    c.mass[0] = 1000.0, c.mass[1] = 1.0, c.stiffness[0] = 1e-2;
    agrees_with_springs(&c, 1e-3, 1e-6);
    c = equal(3, DISTRIBUTING, 1.0, exponent); /* the light ball runs to and fro */
    c.mass[1] = 1e-3;
    agrees_with_springs(&c, 1e-4, 1e-6);
    c.mass[0] = 1e3, c.mass[1] = c.mass[2] = 1.0;
    agrees_with_springs(&c, 1e-3, 1e-5);
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

/* Any masses, stiffnesses and coefficients: the balances; with the same e Poisson's law keeps to
 * them too. */
static void random_chains(void **state) {
  (void)state;
  uint64_t seed = 7;
  for (int k = 0; k < 100; ++k) {
    chain c = random_chain(&seed);
    outcome o = strike(&c);
    check_balances(&c, &o);
    c.law = POISSON;
    for (int i = 1; i < c.n; ++i) c.e[i] = c.e[0];
    o = strike(&c);
    check_balances(&c, &o);
  }
}

/* The order in which the contacts were connected says nothing. */
static void order_of_connection(void **state) {
  (void)state;
  static const int orders[][7] = {{6, 5, 4, 3, 2, 1, 0}, {3, 0, 6, 2, 5, 1, 4}};
  for (int law = NEWTON; law <= DISTRIBUTING; ++law)
    for (int e = 0; e <= 4; ++e) {
      chain c = equal(8, (impact_law)law, 0.25 * e, 1.5);
      c.v[3] = -0.5, c.v[7] = -1.0, c.mass[5] = 4.0;
      outcome o = strike(&c);
      for (int k = 0; k < 2; ++k) {
        memcpy(c.order, orders[k], sizeof orders[k]);
        outcome other = strike(&c);
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
      chain c = equal(5, DISTRIBUTING, 0.1 * k, 1.5);
      c.bi_stiffness = bi;
      outcome o = strike(&c);
      check_balances(&c, &o);
      assert_true(o.after < 0.95 * o.before);
      assert_true(o.after >= 0.2 * o.before * (1.0 - 1e-12));
    }
}

/* ---- what goes with what --------------------------------------------------------------------- */

/* A ball of two halves in an equality moves as one. */
static void joints(void **state) {
  (void)state;
  for (int law = NEWTON; law <= DISTRIBUTING; ++law) {
    chain c = equal(3, (impact_law)law, 0.7, 1.5);
    outcome whole = strike(&c);
    nsds_model *model = nsds_model_create(NULL);
    static const double mass[4] = {1.0, 0.25, 0.75, 1.0};
    nsds_ds *part[4];
    nsds_relation *gap = between(model);
    for (int i = 0; i < 4; ++i) part[i] = ball(model, mass[i], i == 0 ? 1.0 : 0.0);
    nsds_connect(model, gap, law_of(model, &c, 0), 2, &part[0]);
    for (int k = 0; k < 2; ++k) /* one too many */
      nsds_connect(model, gap, nsds_equality(model), 2, &part[1]);
    nsds_connect(model, gap, law_of(model, &c, 1), 2, &part[2]);
    nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0});
    assert_ok(model, nsds_step(s));
    for (int i = 0; i < 4; ++i) assert_near(nsds_v(part[i])[0], whole.v[i < 2 ? i : i - 1], 1e-10);
    nsds_model_destroy(model);
  }
}

/* Contacts elsewhere have laws of their own, also at the same instant; one impact has one law. */
static void laws_apart(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_relation *gap = between(model);
  nsds_ds *balls[12];
  for (int i = 0; i < 12; ++i) balls[i] = ball(model, 1.0, i % 3 == 0 ? 1.0 : 0.0);
  for (int law = 0; law < 3; ++law) {
    chain c = equal(3, (impact_law)law, 0.6, 1.5);
    for (int i = 0; i < 2; ++i)
      nsds_connect(model, gap, law_of(model, &c, i), 2, &balls[3 * law + i]);
  }
  for (int i = 0; i < 2; ++i)
    nsds_connect(model, gap, nsds_complementarity(model), 2, &balls[9 + i]);
  nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0});
  assert_ok(model, nsds_step(s));
  for (int law = 0; law < 4; ++law) {
    chain c = equal(3, law < 3 ? (impact_law)law : NEWTON, law < 3 ? 0.6 : 0.0, 1.5);
    outcome o = strike(&c);
    for (int i = 0; i < 3; ++i) assert_near(nsds_v(balls[3 * law + i])[0], o.v[i], 1e-13);
  }
  nsds_model_destroy(model);
}

static nsds_law *second(nsds_model *model, int which) {
  switch (which) {
  case 0: return nsds_newton_impact(model, 0.5);
  case 1: return nsds_poisson_impact(model, 0.5);
  case 2: return nsds_distributing_impact(model, &(nsds_distributing_impact_def){.stiffness = 1.0});
  case 3: return nsds_complementarity(model);
  default:
    return nsds_distributing_impact(
        model, &(nsds_distributing_impact_def){.stiffness = 1.0, .exponent = 1.5});
  }
}

static void laws_together(void **state) {
  (void)state;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 5; ++b) {
      nsds_model *model = nsds_model_create(NULL);
      nsds_relation *gap = between(model);
      nsds_ds *balls[3];
      for (int i = 0; i < 3; ++i) balls[i] = ball(model, 1.0, i == 0);
      nsds_connect(model, gap, second(model, a), 2, balls);
      nsds_connect(model, gap, second(model, b), 2, balls + 1);
      nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0});
      assert_sound(model);
      bool fits = a == b || (b == 3 && a < 2);
      assert_status(model, nsds_step(s), fits ? NSDS_OK : NSDS_ERROR_UNSUPPORTED);
      if (!fits) {
        const char *words[] = {"meet in one impact", "#0", "#1", b == 3 ? "complementarity" : NULL};
        assert_words(nsds_error_message(nsds_model_context(model)), words, 4);
        assert_near(nsds_v(balls[0])[0], 1.0, 0.0);
      }
      nsds_model_destroy(model);
    }
}

/* A ball that a joint holds and another that strikes it. */
static void held_by_a_joint(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *one = ball(model, 1.0, 0.0);
  nsds_relation *wall = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
  nsds_connect(model, wall, nsds_equality(model), 1, &one);
  nsds_ds *pair[2] = {ball(model, 1.0, 1.0), one};
  chain c = equal(2, DISTRIBUTING, 0.5, 1.0);
  nsds_connect(model, between(model), law_of(model, &c, 0), 2, pair);
  nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0});
  assert_ok(model, nsds_step(s));
  assert_near(nsds_v(pair[0])[0], -0.5, 1e-15);
  assert_near(nsds_v(one)[0], 0.0, 1e-15);
  nsds_model_destroy(model);
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void assert_law_refused(nsds_model *model, nsds_law *law, const char *word) {
  assert_null(law);
  assert_int_equal(nsds_error(nsds_model_context(model)), NSDS_ERROR_VALUE);
  assert_words(nsds_error_message(nsds_model_context(model)), &word, 1);
  nsds_error_clear(nsds_model_context(model));
}

static void definitions(void **state) {
  (void)state;
  static const struct {
    nsds_distributing_impact_def def;
    const char *word;
  } wrong[] = {
      {{.stiffness = 0.0}, "stiffness is 0"},
      {{.stiffness = -1.0}, "stiffness is -1"},
      {{.stiffness = INFINITY}, "stiffness is inf"},
      {{.stiffness = NAN}, "stiffness is"},
      {{.stiffness = 1.0, .exponent = 0.5}, "exponent is 0.5"},
      {{.stiffness = 1.0, .exponent = -1.0}, "exponent is -1"},
      {{.stiffness = 1.0, .exponent = 11.0}, "exponent is 11"},
      {{.stiffness = 1.0, .exponent = NAN}, "exponent is"},
      {{.stiffness = 1.0, .restitution = 1.1}, "restitution is 1.1"},
      {{.stiffness = 1.0, .restitution = -0.1}, "restitution is -0.1"},
      {{.stiffness = 1.0, .restitution = NAN}, "restitution is"},
  };
  nsds_model *model = nsds_model_create(NULL);
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k)
    assert_law_refused(model, nsds_distributing_impact(model, &wrong[k].def), wrong[k].word);
  assert_law_refused(model, nsds_poisson_impact(model, 1.5), "e is 1.5");
  assert_law_refused(model, nsds_poisson_impact(model, -0.5), "e is -0.5");
  assert_law_refused(model, nsds_poisson_impact(model, NAN), "valid are values in [0, 1]");
  assert_null(nsds_poisson_impact(NULL, 0.5));
  assert_null(nsds_distributing_impact(NULL, &wrong[0].def));
  assert_null(nsds_distributing_impact(model, NULL));
  nsds_model_destroy(model);
}

static void assert_unsupported(nsds_model *model, const char *law) {
  nsds_context *context = nsds_model_context(model);
  const char *words[] = {law, "time stepping"};
  assert_int_equal(nsds_error(context), NSDS_ERROR_UNSUPPORTED);
  assert_words(nsds_error_message(context), words, 2);
  nsds_error_clear(context);
}

/* Time stepping refuses the laws, when it is made and when they come; so do contact sets. */
static void time_stepping(void **state) {
  (void)state;
  for (int which = 1; which < 3; ++which) {
    const char *name = which == 1 ? "nsds_poisson_impact" : "nsds_distributing_impact";
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *pair[2] = {ball(model, 1.0, 1.0), ball(model, 1.0, 0.0)};
    nsds_interaction *ia = nsds_connect(model, between(model), second(model, which), 2, pair);
    nsds_time_stepping_def def = {.t1 = 1.0, .h = 0.1};
    assert_null(nsds_time_stepping(model, &def));
    assert_unsupported(model, name);
    nsds_disconnect(ia);
    nsds_simulation *s = nsds_time_stepping(model, &def);
    assert_ok(model, nsds_step(s));
    ia = nsds_connect(model, between(model), second(model, which), 2, pair);
    assert_int_equal(nsds_step(s), NSDS_ERROR_UNSUPPORTED);
    assert_unsupported(model, name);
    nsds_disconnect(ia);
    assert_ok(model, nsds_step(s));
    assert_null(nsds_balls(model, &(nsds_balls_def){.dimension = 2, .law = second(model, which)}));
    nsds_error_clear(nsds_model_context(model));
    nsds_model_destroy(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_contact),
      cmocka_unit_test(bounces),
      cmocka_unit_test(bar_on_two_props),
      cmocka_unit_test(three_balls_in_problems),
      cmocka_unit_test(three_balls_on_linear_springs),
      cmocka_unit_test(three_balls_by_impulse),
      cmocka_unit_test(chains_on_springs),
      cmocka_unit_test(random_chains),
      cmocka_unit_test(order_of_connection),
      cmocka_unit_test(losses),
      cmocka_unit_test(joints),
      cmocka_unit_test(laws_apart),
      cmocka_unit_test(laws_together),
      cmocka_unit_test(held_by_a_joint),
      cmocka_unit_test(definitions),
      cmocka_unit_test(time_stepping),
  };
  return cmocka_run_group_tests_name("event_driven.multiple_impacts", tests, NULL, NULL);
}
