/*
 * Cylinders and cones before boxes, capsules, triangles and each other, event-driven and by nonsmooth
 * RATTLE: they move as on half spaces, by closed forms, or as time stepping for small steps. Nothing sinks
 * in, and no energy appears.
 *
 *   event_contact_round_parts [COUNT [FIRST]]     drawn strikes, default 24 from seed 1
 */
#include "support.h"

#include <nsds/mass.h>

#include <stdio.h>
#include <stdlib.h>

static const double g = 9.81, pi = 3.14159265358979323846;
static int drawn = 24;
static uint64_t first_seed = 1;

enum { most_bodies = 3 };

/* Bodies of one shape each; mass 0: scenery. */
typedef struct scene {
  int n;
  nsds_shape_def shape[most_bodies];
  double q[most_bodies][7], v[most_bodies][6], mass[most_bodies];
  double mu, e, gravity, reach;
} scene;

typedef enum way { by_events, by_rattle, by_steps } way;

typedef struct result {
  double q[most_bodies][7], v[most_bodies][6], energy[2], rise, deepest;
  long steps;
  int impacts;
  char message[400];
} result;

static double energy_of(const scene *c, nsds_ds *const *ds) {
  double sum = 0.0;
  for (int i = 0; i < c->n; ++i)
    if (ds[i]) sum += nsds_kinetic_energy(ds[i]) + c->mass[i] * c->gravity * nsds_q(ds[i])[2];
  return sum;
}

static void note_gap(const scene *c, nsds_contact_set *set, result *to) {
  for (int i = 0; i < c->n; ++i)
    for (int j = 0; j < i; ++j) {
      nsds_shape_gap gap;
      if ((c->mass[i] == 0.0 && c->mass[j] == 0.0) || nsds_shapes_gap(set, i, j, &gap)) continue;
      to->deepest = fmin(to->deepest, gap.distance);
    }
}

/* Runs a scene. Returns false if it was refused. */
static bool move(const scene *c, way how, double h, double t1, result *to) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_shape_def shape[most_bodies];
  nsds_ds *ds[most_bodies] = {NULL};
  *to = (result){.deepest = INFINITY};
  for (int i = 0; i < c->n; ++i) {
    bool fixed = c->mass[i] == 0.0;
    nsds_mass mass;
    shape[i] = c->shape[i];
    for (int k = 0; fixed && k < 3; ++k) shape[i].position[k] = c->q[i][k];
    for (int k = 0; fixed && k < 4; ++k) shape[i].quaternion[k] = c->q[i][3 + k];
    if (fixed) continue;
    assert_ok(model,
              nsds_mass_properties(
                  model, &(nsds_mass_def){.nshape = 1, .shape = &shape[i], .mass = c->mass[i]},
                  &mass));
    for (int k = 0; k < 3; ++k) shape[i].position[k] = -mass.center[k];
    ds[i] = nsds_rigid_body(model, &(nsds_rigid_body_def){.mass = mass.mass,
                                                          .inertia = mass.inertia,
                                                          .q0 = c->q[i],
                                                          .v0 = c->v[i],
                                                          .gravity = {0, 0, -c->gravity}});
    shape[i].ds = ds[i];
  }
  nsds_material material = {.mu = c->mu, .e_n = c->e};
  nsds_contact_set *set = nsds_shapes(model, &(nsds_shapes_def){.nmaterial = 1,
                                                                .material = &material,
                                                                .nshape = c->n,
                                                                .shape = shape,
                                                                .reach = c->reach});
  assert_sound(model);
  nsds_time_stepping_def steps = {.t1 = t1, .h = h};
  if (how == by_rattle) steps.second_order = nsds_rattle();
  nsds_simulation *s =
      how == by_events
          ? nsds_event_driven(model, &(nsds_event_driven_def){.t1 = t1, .output_period = 0.01})
          : nsds_time_stepping(model, &steps);
  assert_sound(model);
  nsds_status status = NSDS_OK;
  double last = to->energy[0] = energy_of(c, ds);
  while (status == NSDS_OK) {
    status = nsds_step(s);
    if (status < 0) break;
    const nsds_event_info *event = nsds_simulation_event(s);
    if (how == by_events && event && event->kind & NSDS_EVENT_IMPACT) ++to->impacts;
    double now = energy_of(c, ds);
    to->rise = fmax(to->rise, now - last);
    last = now;
    ++to->steps;
    note_gap(c, set, to);
  }
  to->energy[1] = last;
  if (status != NSDS_END)
    snprintf(to->message, sizeof to->message, "t = %.6g: %s", nsds_time(s),
             nsds_error_message(nsds_model_context(model)));
  for (int i = 0; i < c->n; ++i)
    for (int k = 0; k < 7; ++k) {
      to->q[i][k] = ds[i] ? nsds_q(ds[i])[k] : 0.0;
      if (k < 6) to->v[i][k] = ds[i] ? nsds_v(ds[i])[k] : 0.0;
    }
  nsds_model_destroy(model);
  return status == NSDS_END;
}

static void demand(bool fine, const result *r) {
  if (!fine) fail_msg("%s", r->message);
}

static double apart(const scene *c, const result *a, const result *b) {
  double worst = 0.0;
  for (int i = 0; i < c->n; ++i)
    for (int k = 0; k < 7; ++k) worst = fmax(worst, fabs(a->q[i][k] - b->q[i][k]));
  return worst;
}

static const double along_y[4] = {0.7071067811865476, 0, 0, 0.7071067811865476};
static const double upright[4] = {0.7071067811865476, 0, -0.7071067811865476, 0};

static const way exact[2] = {by_events, by_rattle};

static scene on_ground(nsds_shape_def ground) {
  scene c = {.n = 2, .gravity = g, .mass = {2.0, 0.0}, .mu = 0.5, .reach = 0.05};
  c.shape[1] = ground;
  c.q[1][3] = 1.0;
  return c;
}

static const double square[] = {-5, -5, 0, 5, -5, 0, 5, 5, 0, -5, 5, 0, 0.1, 0.2, 0};
static const int square_faces[] = {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};

/* The ground with its top at z = 0: a half space, a box, triangles. */
static nsds_shape_def ground_of(int k, double *z) {
  *z = k == 1 ? -1.0 : 0.0;
  return k == 0 ? (nsds_shape_def){.kind = NSDS_HALF_SPACE, .plane = {{0, 0, 1}, 0}}
         : k == 1
             ? (nsds_shape_def){.kind = NSDS_BOX, .half = {5, 5, 1}}
             : (nsds_shape_def){.kind = NSDS_TRIANGLES,
                                .nvertex = 5,
                                .vertex = square,
                                .nface = 4,
                                .face = square_faces};
}

/* A cylinder rolls over boxes, triangles and their seams as on a half space. */
static void a_cylinder_rolls_on_any_ground(void **state) {
  (void)state;
  for (int k = 0; k < 3; ++k)
    for (int w = 0; w < 2; ++w) {
      double z, r = 0.2;
      scene c = on_ground(ground_of(k, &z));
      c.q[1][2] = z;
      c.shape[0] = (nsds_shape_def){.kind = NSDS_CYLINDER, .radius = r, .half = {0.3}};
      memcpy(c.q[0], (double[]){-1, 0, r}, 24);
      memcpy(c.q[0] + 3, along_y, sizeof along_y);
      c.v[0][0] = 1.0;
      c.v[0][3] = 1.0 / r;
      result end;
      demand(move(&c, exact[w], 1e-3, 2.0, &end), &end);
      printf("ground %d way %d: x %.3g v %.3g z %.3g steps %ld\n", k, w, end.q[0][0] - 1.0, end.v[0][0] - 1.0, end.q[0][2] - r, end.steps);
      assert_near(end.v[0][0], 1.0, 1e-9);
      assert_near(end.q[0][0], 1.0, 1e-9);
      assert_near(end.q[0][2], r, 1e-9);
    }
}

/* A plank on a log that lies across it. */
static scene plank_on_log(double off, double tilt, double log_half) {
  scene c = {.n = 2, .gravity = g, .mass = {2.0, 0.0}, .mu = 1.0, .reach = 0.05};
  const double r = 0.5, half = 0.05;
  c.shape[0] = (nsds_shape_def){.kind = NSDS_BOX, .half = {1.0, 0.2, half}};
  c.shape[1] = (nsds_shape_def){.kind = NSDS_CYLINDER, .radius = r, .half = {log_half}};
  memcpy(c.q[1] + 3, along_y, sizeof along_y);
  /* rolled over by tilt from balance */
  double s = sin(tilt), co = cos(tilt), arc = r * tilt + off;
  c.q[0][0] = (r + half) * s - arc * co;
  c.q[0][2] = (r + half) * co + arc * s;
  c.q[0][3] = cos(0.5 * tilt);
  c.q[0][5] = sin(0.5 * tilt);
  return c;
}

/* A plank rocks on a log without slip: by the energy, with the angle a and half thickness d,
 * (I + m (d^2 + r^2 a^2)) a'^2 / 2 + m g ((r + d) cos a + r a sin a) is kept. */
static double rocks(double tilt, double t1) {
  const double r = 0.5, d = 0.05, i = (1.0 + d * d) / 3.0, n = 200000;
  double a = tilt, w = 0.0, h = t1 / n;
  for (int k = 0; k < (int)n; ++k) { /* the midpoint rule */
    double b[2] = {a, w}, f = 0.0;
    for (int half = 0; half < 2; ++half) {
      double x = b[0];
      f = -(r * r * x * b[1] * b[1] + g * (r * x * cos(x) - d * sin(x))) / (i + d * d + r * r * x * x);
      double step = half == 0 ? 0.5 * h : h;
      double next[2] = {a + step * b[1], w + step * f};
      b[0] = next[0], b[1] = next[1];
    }
    a = b[0], w = b[1];
  }
  return a;
}

static void a_plank_rocks_on_a_log(void **state) {
  (void)state;
  static const double halves[] = {0.1, 0.2, 0.4};
  for (int k = 0; k < 3; ++k)
    for (int w = 0; w < 2; ++w) {
      scene c = plank_on_log(0.0, 0.1, halves[k]);
      result end;
      demand(move(&c, exact[w], 1e-3, 1.0, &end), &end);
      double a = 2.0 * atan2(end.q[0][5], end.q[0][3]);
      printf("log %g way %d: %.12g and %.12g, steps %ld, energy %g, deepest %g\n", halves[k], w, a, rocks(0.1, 1.0), end.steps,
             end.energy[1] - end.energy[0], end.deepest);
    }
}

/* A log on an equal log rolls off it. */
static void a_log_rolls_off_a_log(void **state) {
  (void)state;
  for (int k = 0; k < 4; ++k)
    for (int w = 0; w < 2; ++w) {
      const double r = 0.2, a = 0.3;
      scene c = {.n = 2, .gravity = g, .mass = {2.0, 0.0}, .mu = 2.0, .reach = 0.05};
      c.shape[0] = (nsds_shape_def){.kind = k == 3 ? NSDS_CAPSULE : NSDS_CYLINDER, .radius = r, .half = {k == 1 ? 0.5 : 0.3}};
      c.shape[1] = (nsds_shape_def){.kind = NSDS_CYLINDER, .radius = r, .half = {k == 2 ? 0.3 : 0.4}};
      memcpy(c.q[0] + 3, along_y, 32);
      memcpy(c.q[1] + 3, along_y, 32);
      c.q[0][0] = 2 * r * sin(a);
      c.q[0][2] = 2 * r * cos(a);
      result end;
      demand(move(&c, exact[w], 1e-3, 0.5, &end), &end);
      printf("logs %d way %d: x %.9g z %.9g off %.3g energy %g deepest %g steps %ld impacts %d\n", k, w, end.q[0][0], end.q[0][2],
             hypot(end.q[0][0], end.q[0][2]) - 2 * r, end.energy[1] - end.energy[0], end.deepest, end.steps, end.impacts);
    }
}

/* Cans fall flat. */
static void cans_fall_flat(void **state) {
  (void)state;
  for (int k = 0; k < 3; ++k)
    for (int w = 0; w < 2; ++w)
      for (int j = 0; j < 3; ++j) {
        double z, r = 0.2, lean = j == 0 ? 0.0 : j == 1 ? 0.1 : 0.3;
        scene c = on_ground(ground_of(k, &z));
        c.q[1][2] = z;
        c.shape[0] = (nsds_shape_def){.kind = j == 2 ? NSDS_CONE : NSDS_CYLINDER, .radius = r, .top_radius = 0.1, .half = {0.3, 0.3, 0.3}};
        double turn[4] = {cos(0.5 * lean), sin(0.5 * lean), 0, 0}, q[4];
        const double *b = upright;
        q[0] = turn[0] * b[0] - turn[1] * b[1];
        q[1] = turn[0] * b[1] + turn[1] * b[0];
        q[2] = turn[0] * b[2] - turn[1] * b[3];
        q[3] = turn[0] * b[3] + turn[1] * b[2];
        memcpy(c.q[0] + 3, q, sizeof q);
        memcpy(c.q[0], (double[]){0.3, 0.7, 0.45}, 24);
        result end;
        bool fine = move(&c, exact[w], 1e-3, 2.0, &end);
        printf("ground %d way %d lean %g: z %.9g energy rise %g deepest %g steps %ld impacts %d v %g w %g %s\n", k, w, lean, end.q[0][2],
               end.rise, end.deepest, end.steps, end.impacts, end.v[0][2], end.v[0][3], fine ? "" : end.message);
      }
}

int main(int argc, char **argv) {
  setvbuf(stdout, NULL, _IONBF, 0);
  if (argc > 1) drawn = atoi(argv[1]);
  if (argc > 2) first_seed = strtoull(argv[2], NULL, 10);
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_cylinder_rolls_on_any_ground), cmocka_unit_test(a_plank_rocks_on_a_log), cmocka_unit_test(a_log_rolls_off_a_log), cmocka_unit_test(cans_fall_flat)};
  (void)apart; (void)upright; (void)pi; (void)drawn; (void)first_seed;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
