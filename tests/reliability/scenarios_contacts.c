/*
 * Contact sets in time stepping: balls, spheres with friction and rolling, shapes of every kind by
 * materials, shapes that come and go; what is said of the contacts.
 */
#include "scenarios.h"

#define PLAY(symbol, maker, after) static const play symbol = {maker, after};

static nsds_contact_set *set_made; /* of the scenario that is told */

static nsds_simulation *step_by(nsds_model *model, double h) {
  return nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 100.0, .h = h});
}

/* All that is said of the contacts, between two steps. */
static void mark_contacts(story *s) {
  for (int k = 0; !s->over && k < nsds_contact_set_count(set_made); ++k) {
    nsds_contact_info c = {0};
    STORY_READ(s, nsds_contact_set_get(set_made, k, &c));
    if (s->over) return;
    const double x[6] = {(double)c.key, c.y[0], c.ydot[0], c.impulse[0], c.force[0], c.active};
    story_mark_doubles(s, x, 6);
  }
}

static const double round_inertia[9] = {0.004, 0, 0, 0, 0.004, 0, 0, 0, 0.004};

static nsds_ds *body_at(nsds_model *model, double x, double y, double z, double v) {
  return nsds_rigid_body(model, &(nsds_rigid_body_def){.mass = 1.0,
                                                       .inertia = round_inertia,
                                                       .q0 = (double[]){x, y, z, 1, 0, 0, 0},
                                                       .v0 = (double[]){v, 0, -0.5, 0, 2, 0},
                                                       .gravity = {0, 0, -9.81}});
}

/* ---- balls ---- */

static int wind(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 0.1 * in->t;
  out[1] = -9.81;
  return 0;
}

static nsds_simulation *balls(nsds_model *model) {
  nsds_ds *ds[4];
  const double mass[4] = {1.0, 0.0, 0.0, 1.0};
  for (int k = 0; k < 4; ++k)
    ds[k] = nsds_lagrangian_linear(
        model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                             .q0 = (double[]){0.15 * k, 0.11 + 0.05 * k},
                                             .v0 = (double[]){k ? -1.0 : 1.0, -1.0},
                                             .mass = mass,
                                             .fext_fn = wind});
  set_made = nsds_balls(model, &(nsds_balls_def){.law = nsds_newton_impact(model, 0.4),
                                                 .count = 4,
                                                 .ds = ds,
                                                 .dimension = 2,
                                                 .radius = 0.1,
                                                 .normal = (double[]){0.0, 1.0},
                                                 .pairs = true});
  return step_by(model, 5e-3);
}
PLAY(play_balls, balls, mark_contacts)

/* ---- spheres that roll, by two threads ---- */

static nsds_simulation *spheres(nsds_model *model) {
  nsds_ds *ds[8];
  for (int k = 0; k < 8; ++k)
    ds[k] = body_at(model, 0.19 * (k % 2), 0.19 * (k / 2 % 2), 0.1 + 0.21 * (k / 4), 1.0);
  nsds_law *law = nsds_newton_impact_rolling(
      model,
      &(nsds_newton_impact_rolling_def){.mu = 0.3, .mu_rolling = 0.002, .e_n = 0.2, .e_t = 0.0});
  set_made = nsds_spheres(model, &(nsds_spheres_def){.law = law,
                                                     .count = 8,
                                                     .ds = ds,
                                                     .radius = 0.1,
                                                     .nplane = 1,
                                                     .plane = &(nsds_plane){.normal = {0, 0, 1}}});
  nsds_context_set_threads(nsds_model_context(model), 2);
  return step_by(model, 5e-3);
}
PLAY(play_spheres, spheres, mark_contacts)

/* ---- shapes ---- */

static void softer(const nsds_material *a, const nsds_material *b, nsds_material *pair,
                   void *user) {
  (void)a, (void)user;
  pair->mu = 0.9 * pair->mu;
  pair->e_n = b->e_n;
}

static int carry(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 0.2 * in->t;
  return 0;
}

enum { shaped = 5 };

static nsds_simulation *shapes(nsds_model *model) {
  static const double tetrahedron[12] = {0.1,   0,     -0.07, -0.05, 0.09, -0.07,
                                         -0.05, -0.09, -0.07, 0,     0,    0.1};
  static const double ground[12] = {-2, -2, 0, 2, -2, 0, 2, 2, 0, -2, 2, 0};
  static const int faces[6] = {0, 1, 2, 0, 2, 3};
  const nsds_material material[2] = {{.mu = 0.5, .e_n = 0.1}, {.mu = 0.2, .e_n = 0.3}};
  nsds_ds *ds[shaped];
  for (int k = 0; k < shaped; ++k) ds[k] = body_at(model, 0.18 * k, 0.02 * k, 0.11, 0.5);
  nsds_ds *lift =
      nsds_rigid_body(model, &(nsds_rigid_body_def){.mass = 1.0,
                                                    .inertia = round_inertia,
                                                    .q0 = (double[]){0, 0.5, 0.05, 1, 0, 0, 0},
                                                    .prescribed.n = 6,
                                                    .prescribed.index = (int[]){0, 1, 2, 3, 4, 5},
                                                    .prescribed.fn = carry});
  const nsds_shape_def shape[] = {
      {.kind = NSDS_SPHERE, .ds = ds[0], .radius = 0.1},
      {.kind = NSDS_CAPSULE, .ds = ds[1], .radius = 0.05, .half = {0.1}, .material = 1},
      {.kind = NSDS_BOX, .ds = ds[2], .half = {0.1, 0.1, 0.1}},
      {.kind = NSDS_HULL, .ds = ds[3], .nvertex = 4, .vertex = tetrahedron, .radius = 0.01},
      {.kind = NSDS_BOX, .ds = ds[4], .half = {0.1, 0.1, 0.1}, .position = {0, 0, 0.02}},
      {.kind = NSDS_BOX, .ds = lift, .half = {0.2, 0.1, 0.05}},
      {.kind = NSDS_TRIANGLES, .nvertex = 4, .vertex = ground, .nface = 2, .face = faces},
      {.kind = NSDS_HALF_SPACE, .plane = {.normal = {0, 0, 1}, .offset = -1.0}}};
  set_made = nsds_shapes(model, &(nsds_shapes_def){.nmaterial = 2,
                                                   .material = material,
                                                   .mix = NSDS_MIX_MIN,
                                                   .mix_fn = softer,
                                                   .nshape = 8,
                                                   .shape = shape});
  return step_by(model, 5e-3);
}

static void change_shapes(story *s) {
  mark_contacts(s);
  nsds_ds *first = nsds_ds_at(s->model, 0), *second = nsds_ds_at(s->model, 1);
  STORY(s, nsds_shapes_exclude(set_made, first, second));
  STORY(s, nsds_shapes_add(set_made, &(nsds_shape_def){.kind = NSDS_BOX,
                                                       .ds = first,
                                                       .half = {0.05, 0.05, 0.15},
                                                       .position = {0.05, 0, 0.02}}) < 0
               ? nsds_error(s->context)
               : NSDS_OK);
  STORY(s, nsds_shapes_remove(set_made, 2));
  story_steps(s, nsds_step_count(s->simulation) + 3);
  STORY(s, nsds_shapes_include(set_made, first, second));
  STORY(s, nsds_shapes_remove_body(set_made, second));
  story_steps(s, nsds_step_count(s->simulation) + 3);
  mark_contacts(s);
}
PLAY(play_shapes, shapes, change_shapes)

static nsds_simulation *flat_shapes(nsds_model *model) {
  static const double corner[6] = {-0.1, -0.1, 0.1, -0.1, 0.0, 0.1};
  nsds_ds *ds[2];
  for (int k = 0; k < 2; ++k)
    ds[k] =
        nsds_rigid_body_2d(model, &(nsds_rigid_body_2d_def){.mass = 1.0,
                                                            .inertia = 0.01,
                                                            .q0 = (double[]){0.15 * k, 0.11, 0.1},
                                                            .v0 = (double[]){-0.2 * k, -0.3, 0},
                                                            .force_fn = wind});
  const nsds_shape_def shape[] = {{.kind = NSDS_HULL, .ds = ds[0], .nvertex = 3, .vertex = corner},
                                  {.kind = NSDS_BOX, .ds = ds[1], .half = {0.08, 0.08}},
                                  {.kind = NSDS_HALF_SPACE, .plane = {.normal = {0, 1}}}};
  set_made = nsds_shapes(
      model,
      &(nsds_shapes_def){
          .dimension = 2,
          .law = nsds_newton_impact_friction(
              model, &(nsds_newton_impact_friction_def){.dimension = 2, .mu = 0.4, .e_n = 0.2}),
          .nshape = 3,
          .shape = shape});
  return step_by(model, 5e-3);
}
PLAY(play_flat_shapes, flat_shapes, mark_contacts)

#define CONTACTS(title, count, symbol)                                                             \
  { .name = title, .tell = scenario_play, .self = &symbol, .steps = count }
const scenario scenarios_contacts[] = {
    CONTACTS("balls", 20, play_balls),
    CONTACTS("spheres", 8, play_spheres),
    CONTACTS("shapes", 8, play_shapes),
    CONTACTS("flat_shapes", 12, play_flat_shapes),
    {.name = NULL},
};
