/*
 * Contact sets in event-driven simulation: beside the same contacts as interactions, closed forms,
 * nothing missed between searches, saved and restored, geometries of a program's own.
 */
#include "support.h"

#include <nsds/rigid_body.h>

static const double g = 9.81;

static nsds_ds *sphere(nsds_model *model, double mass, double radius, const double *x,
                       const double *v, double gravity) {
  double inertia = 0.4 * mass * radius * radius;
  const double J[9] = {[0] = inertia, [4] = inertia, [8] = inertia};
  return nsds_rigid_body(model,
                         &(nsds_rigid_body_def){.mass = mass,
                                                .inertia = J,
                                                .q0 = (double[]){x[0], x[1], x[2], 1, 0, 0, 0},
                                                .v0 = v,
                                                .gravity = {0, 0, -gravity}});
}

static nsds_law *law_of(nsds_model *model, int rows, double mu, double e) {
  if (rows == 1) return nsds_newton_impact(model, e);
  return nsds_newton_impact_friction(model, &(nsds_newton_impact_friction_def){.mu = mu, .e_n = e});
}

static nsds_simulation *run_exactly(nsds_model *model, double t1, double h) {
  nsds_simulation *s =
      nsds_event_driven(model, &(nsds_event_driven_def){.t1 = t1,
                                                        .output_period = h,
                                                        .relative_tolerance = 1e-12,
                                                        .absolute_tolerance = 1e-13,
                                                        .root_panels = 4});
  assert_sound(model);
  return s;
}

/* ---- beside interactions ---- */

/* Spheres that spin about any axis bounce, slide and roll on an inclined plane and meet. */
static void as_interactions(void **state) {
  (void)state;
  const double radius[] = {0.2, 0.3}, n[] = {2.0 / 7.0, -3.0 / 7.0, 6.0 / 7.0};
  for (int rows = 1; rows <= 3; rows += 2) {
    nsds_model *m[2];
    nsds_ds *ds[2][2];
    nsds_simulation *s[2];
    nsds_contact_set *set = NULL;
    for (int k = 0; k < 2; ++k) {
      m[k] = nsds_model_create(NULL);
      ds[k][0] = sphere(m[k], 1.0, 0.2, (double[]){0.0, 0.0, 0.3},
                        (double[]){1.0, 0.2, -0.5, 3.0, -2.0, 5.0}, g);
      ds[k][1] = sphere(m[k], 2.0, 0.3, (double[]){0.7, 0.1, 0.2},
                        (double[]){-1.0, 0.0, 0.3, -4.0, 1.0, 2.0}, g);
      nsds_law *law = law_of(m[k], rows, 0.3, 0.4);
      if (k == 0)
        set = nsds_spheres(m[0],
                           &(nsds_spheres_def){.law = law,
                                               .count = 2,
                                               .ds = ds[0],
                                               .radii = radius,
                                               .nplane = 1,
                                               .plane = &(nsds_plane){{n[0], n[1], n[2]}, -0.1}});
      for (int i = 0; k == 1 && i < 2; ++i)
        nsds_connect(m[1],
                     nsds_sphere_plane_relation(
                         m[1], &(nsds_sphere_plane_relation_def){.rows = rows,
                                                                 .radius = radius[i],
                                                                 .normal = {n[0], n[1], n[2]},
                                                                 .offset = -0.1}),
                     law, 1, &ds[1][i]);
      if (k == 1)
        nsds_connect(
            m[1],
            nsds_sphere_sphere_relation(
                m[1], &(nsds_sphere_sphere_relation_def){.rows = rows, .radius = {0.2, 0.3}}),
            law, 2, ds[1]);
      s[k] = run_exactly(m[k], 1.0, 0.01);
    }
    long searches = 0;
    for (int k = 1; k <= 100; ++k) {
      for (int j = 0; j < 2; ++j)
        while (nsds_time(s[j]) < 0.01 * k - 1e-9) {
          assert_true(nsds_step(s[j]) >= 0);
          searches += (nsds_simulation_event(s[j])->kind & NSDS_EVENT_SEARCH) != 0;
        }
      for (int i = 0; i < 2; ++i)
        for (int c = 0; c < 7; ++c) assert_near(nsds_q(ds[0][i])[c], nsds_q(ds[1][i])[c], 1e-8);
    }
    assert_true(searches > 5);
    assert_true(nsds_contact_set_count(set) > 0);
    assert_int_equal(nsds_simulation_event(s[0])->nonsmooth,
                     nsds_simulation_event(s[1])->nonsmooth);
    for (int k = 0; k < 2; ++k) nsds_model_destroy(m[k]);
  }
}

/* ---- nothing is missed ---- */

enum { most = 40 };

typedef struct gas {
  nsds_model *model;
  nsds_ds *ds[most];
  double radius[most];
  int count;
  nsds_contact_set *set;
} gas;

static const double side = 2.0;

/* Spheres of different sizes in a box, at random places. */
static void fill(gas *p, int count, uint64_t seed, double reach, double e) {
  *p = (gas){.model = nsds_model_create(NULL), .count = count};
  double x[most][3];
  for (int i = 0; i < count; ++i) {
    p->radius[i] = 0.06 + 0.08 * random_in(&seed, 0.0, 1.0);
    bool fits = false;
    while (!fits) {
      for (int k = 0; k < 3; ++k)
        x[i][k] = p->radius[i] + (side - 2.0 * p->radius[i]) * random_in(&seed, 0.0, 1.0);
      fits = true;
      for (int j = 0; j < i && fits; ++j)
        fits = hypot(hypot(x[i][0] - x[j][0], x[i][1] - x[j][1]), x[i][2] - x[j][2]) >
               p->radius[i] + p->radius[j] + 1e-3;
    }
    double v[6] = {0.0};
    for (int k = 0; k < 3; ++k) v[k] = 2.0 * random_in(&seed, 0.0, 1.0) - 1.0;
    p->ds[i] = sphere(p->model, 50.0 * pow(p->radius[i], 3), p->radius[i], x[i], v, 0.0);
  }
  nsds_plane plane[6] = {{{1, 0, 0}, 0},      {{0, 1, 0}, 0},      {{0, 0, 1}, 0},
                         {{-1, 0, 0}, -side}, {{0, -1, 0}, -side}, {{0, 0, -1}, -side}};
  p->set = nsds_spheres(p->model, &(nsds_spheres_def){.law = nsds_newton_impact(p->model, e),
                                                      .count = count,
                                                      .ds = p->ds,
                                                      .radii = p->radius,
                                                      .nplane = 6,
                                                      .plane = plane,
                                                      .reach = reach});
  assert_sound(p->model);
}

static double least_gap(const gas *p) {
  double least = INFINITY;
  for (int i = 0; i < p->count; ++i) {
    const double *x = nsds_q(p->ds[i]);
    for (int k = 0; k < 3; ++k) least = fmin(least, fmin(x[k], side - x[k]) - p->radius[i]);
    for (int j = 0; j < i; ++j) {
      const double *y = nsds_q(p->ds[j]);
      least = fmin(least, hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]) - p->radius[i] -
                              p->radius[j]);
    }
  }
  return least;
}

static double energy(const gas *p) {
  double sum = 0.0;
  for (int i = 0; i < p->count; ++i)
    for (int k = 0; k < 3; ++k)
      sum += 25.0 * pow(p->radius[i], 3) * nsds_v(p->ds[i])[k] * nsds_v(p->ds[i])[k];
  return sum;
}

/* A gas of spheres: none gets into another or a wall, whatever sets reach, and energy stays. */
static void gas_of_spheres(void **state) {
  (void)state;
  for (int run = 0; run < 6; ++run) {
    gas p;
    fill(&p, run < 3 ? most : 12, 7 + (uint64_t)run, run % 2 ? 0.02 : 0.2, 1.0);
    nsds_simulation *s =
        nsds_event_driven(p.model, &(nsds_event_driven_def){.t1 = 4.0, .output_period = 0.01});
    assert_sound(p.model);
    double before = energy(&p);
    nsds_status status = NSDS_OK;
    while ((status = nsds_step(s)) == NSDS_OK) assert_true(least_gap(&p) > -1e-9);
    assert_int_equal(status, NSDS_END);
    assert_near(energy(&p), before, 1e-10 * before);
    assert_true(nsds_simulation_event(s)->nonsmooth > 2 * p.count);
    nsds_model_destroy(p.model);
  }
}

/* Collision by collision as with all pairs and walls as interactions. */
static void gas_beside_all_pairs(void **state) {
  (void)state;
  enum { n = 8, events = 40 };
  for (uint64_t seed = 1; seed < 6; ++seed) {
    gas p, all;
    fill(&p, n, seed, 0.05, 1.0);
    fill(&all, n, seed, 0.05, 1.0);
    assert_int_equal(nsds_contact_set_destroy(all.set), NSDS_OK);
    nsds_law *law = nsds_newton_impact(all.model, 1.0);
    for (int i = 0; i < n; ++i) {
      for (int w = 0; w < 6; ++w) {
        nsds_sphere_plane_relation_def def = {
            .rows = 1, .radius = all.radius[i], .offset = w < 3 ? 0.0 : -side};
        def.normal[w % 3] = w < 3 ? 1.0 : -1.0;
        nsds_connect(all.model, nsds_sphere_plane_relation(all.model, &def), law, 1, &all.ds[i]);
      }
      for (int j = i + 1; j < n; ++j)
        nsds_connect(
            all.model,
            nsds_sphere_sphere_relation(all.model,
                                        &(nsds_sphere_sphere_relation_def){
                                            .rows = 1, .radius = {all.radius[i], all.radius[j]}}),
            law, 2, (nsds_ds *[]){all.ds[i], all.ds[j]});
    }
    nsds_simulation *s[2] = {run_exactly(p.model, 100.0, 0.0), run_exactly(all.model, 100.0, 0.0)};
    double error = 1e-9;
    for (int k = 0; k < events; ++k) {
      for (int j = 0; j < 2; ++j) do
          assert_int_equal(nsds_step(s[j]), NSDS_OK);
        while (!(nsds_simulation_event(s[j])->kind & NSDS_EVENT_NONSMOOTH));
      assert_near(nsds_time(s[0]), nsds_time(s[1]), error);
      for (int i = 0; i < n; ++i)
        for (int c = 0; c < 3; ++c) assert_near(nsds_q(p.ds[i])[c], nsds_q(all.ds[i])[c], error);
      error *= 1.3; /* impacts of round bodies pull trajectories apart */
    }
    nsds_model_destroy(p.model);
    nsds_model_destroy(all.model);
  }
}

/* ---- closed forms ---- */

/* Slides, then rolls with 5/7 of its speed from t = 2 v / (7 mu g) on. */
static void rolls(void **state) {
  (void)state;
  const double v0 = 2.0, mu = 0.2, r = 0.1, stop = 2.0 * v0 / (7.0 * mu * g);
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds = sphere(m, 1.0, r, (double[]){0, 0, r}, (double[]){v0, 0, 0, 0, 0, 0}, g);
  nsds_contact_set *set =
      nsds_spheres(m, &(nsds_spheres_def){.law = law_of(m, 3, mu, 0.0),
                                          .count = 1,
                                          .ds = &ds,
                                          .radius = r,
                                          .nplane = 1,
                                          .plane = &(nsds_plane){{0, 0, 1}, 0}});
  nsds_simulation *s = run_exactly(m, 1.0, 0.0);
  double began = NAN;
  nsds_status status = NSDS_OK;
  while (status == NSDS_OK) {
    status = nsds_step(s);
    const nsds_event_info *e = nsds_simulation_event(s);
    for (int k = 0; k < e->count; ++k)
      if (nsds_time(s) > 0.0 && e->row[k].row > 0 && e->row[k].closed_after && isnan(began)) {
        began = nsds_time(s);
        assert_null(e->row[k].interaction);
        assert_ptr_equal(e->row[k].set, set);
        nsds_contact_info info;
        assert_int_equal(nsds_contact_set_get(set, 0, &info), NSDS_OK);
        assert_true(info.key == e->row[k].key && info.active);
      }
  }
  assert_int_equal(status, NSDS_END);
  assert_near(began, stop, 1e-9);
  assert_near(nsds_v(ds)[0], 5.0 / 7.0 * v0, 1e-10);
  nsds_contact_info info;
  assert_int_equal(nsds_contact_set_get(set, 0, &info), NSDS_OK);
  assert_near(info.force[0], g, 1e-10);
  nsds_model_destroy(m);
}

/* Newton's cradle in a tube: the last of a row of equal balls leaves with the speed of the first. */
static void cradle(void **state) {
  (void)state;
  enum { n = 5 };
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds[n];
  const double eye[4] = {1, 0, 0, 1};
  for (int i = 0; i < n; ++i)
    ds[i] = nsds_lagrangian_linear(
        m, &(nsds_lagrangian_linear_def){.ndof = 2,
                                         .mass = eye,
                                         .q0 = (double[]){i == 0 ? -1.0 : 0.21 * i, 0.0},
                                         .v0 = (double[]){i == 0 ? 3.0 : 0.0, 0.0}});
  nsds_balls(m, &(nsds_balls_def){.law = nsds_newton_impact(m, 1.0),
                                  .count = n,
                                  .ds = ds,
                                  .dimension = 2,
                                  .radius = 0.1,
                                  .pairs = true});
  nsds_simulation *s = run_exactly(m, 2.0, 0.0);
  assert_int_equal(nsds_run(s), NSDS_END);
  for (int i = 0; i < n; ++i) assert_near(nsds_v(ds[i])[0], i == n - 1 ? 3.0 : 0.0, 1e-11);
  assert_int_equal(nsds_simulation_event(s)->nonsmooth, n - 1);
  nsds_model_destroy(m);
}

/* A pyramid of four spheres on the floor bears its weight by friction. */
static void pyramid(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  const double r = 0.5, rise = sqrt(2.0 / 3.0);
  nsds_ds *ds[4];
  for (int i = 0; i < 4; ++i) {
    double angle = 2.0 * acos(-1.0) * i / 3.0, away = i < 3 ? 1.0 / sqrt(3.0) : 0.0;
    ds[i] = sphere(m, 1.0, r,
                   (double[]){away * cos(angle), away * sin(angle), i < 3 ? r : r + rise}, NULL, g);
  }
  nsds_contact_set *set =
      nsds_spheres(m, &(nsds_spheres_def){.law = law_of(m, 3, 0.5, 0.0),
                                          .count = 4,
                                          .ds = ds,
                                          .radius = r,
                                          .nplane = 1,
                                          .plane = &(nsds_plane){{0, 0, 1}, 0}});
  nsds_simulation *s = run_exactly(m, 0.5, 0.0);
  assert_int_equal(nsds_run(s), NSDS_END);
  double floor = 0.0;
  for (int k = 0; k < nsds_contact_set_count(set); ++k) {
    nsds_contact_info info;
    assert_int_equal(nsds_contact_set_get(set, k, &info), NSDS_OK);
    if (!info.ds[1]) floor += info.force[0];
  }
  assert_near(floor, 4.0 * g, 1e-8);
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 6; ++k) assert_near(nsds_v(ds[i])[k], 0.0, 1e-9);
  nsds_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(as_interactions),
      cmocka_unit_test(gas_of_spheres),
      cmocka_unit_test(gas_beside_all_pairs),
      cmocka_unit_test(rolls),
      cmocka_unit_test(cradle),
      cmocka_unit_test(pyramid),
  };
  return cmocka_run_group_tests_name("event_driven.contact_sets", tests, NULL, NULL);
}
