/*
 * Scenes of few bodies, each of one shape, moved by the drivers: whether they were refused, how their
 * energy rose, how deep they overlapped, and where they ended.
 */
#include "shape_scenes.h"

#include <stdio.h>

static double energy_of(const scene *c, nsds_ds *const *ds) {
  double sum = 0.0;
  for (int i = 0; i < c->n; ++i)
    if (ds[i])
      sum += nsds_kinetic_energy(ds[i]) + c->mass[i] * c->gravity * nsds_q(ds[i])[c->plane ? 1 : 2];
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

/* Makes a body around the center of mass of the shape. */
static nsds_ds *make_body(nsds_model *model, const scene *c, int i, nsds_shape_def *shape) {
  nsds_mass mass;
  double radius = shape->radius; /* a mesh has a mass without */
  if (shape->kind == NSDS_MESH) shape->radius = 0.0;
  assert_ok(model, nsds_mass_properties(model,
                                        &(nsds_mass_def){.dimension = c->plane ? 2 : 3,
                                                         .nshape = 1,
                                                         .shape = shape,
                                                         .mass = c->mass[i]},
                                        &mass));
  shape->radius = radius;
  for (int k = 0; k < 3; ++k) shape->position[k] = -mass.center[k];
  return c->plane
             ? nsds_rigid_body_2d(model, &(nsds_rigid_body_2d_def){.mass = mass.mass,
                                                                   .inertia = mass.inertia[8],
                                                                   .q0 = c->q[i],
                                                                   .v0 = c->v[i],
                                                                   .gravity = {0, -c->gravity}})
             : nsds_rigid_body(model, &(nsds_rigid_body_def){.mass = mass.mass,
                                                             .inertia = mass.inertia,
                                                             .q0 = c->q[i],
                                                             .v0 = c->v[i],
                                                             .gravity = {0, 0, -c->gravity}});
}

static void place_scenery(const scene *c, int i, nsds_shape_def *shape) {
  const double *q = c->q[i];
  if (c->plane) shape->angle = q[2];
  for (int k = 0; k < (c->plane ? 2 : 3); ++k) shape->position[k] = q[k];
  for (int k = 0; !c->plane && k < 4; ++k) shape->quaternion[k] = q[3 + k];
}

bool move(const scene *c, way how, double h, double t1, result *to) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_shape_def shape[most_bodies];
  nsds_ds *ds[most_bodies] = {NULL};
  *to = (result){.deepest = INFINITY};
  for (int i = 0; i < c->n; ++i) {
    shape[i] = c->shape[i];
    if (c->mass[i] == 0.0) place_scenery(c, i, &shape[i]);
    else shape[i].ds = ds[i] = make_body(model, c, i, &shape[i]);
  }
  nsds_material material = {.mu = c->mu, .e_n = c->e};
  nsds_contact_set *set = nsds_shapes(model, &(nsds_shapes_def){.dimension = c->plane ? 2 : 3,
                                                                .nmaterial = 1,
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
    for (int k = 0; ds[i] && k < (c->plane ? 3 : 7); ++k) {
      to->q[i][k] = nsds_q(ds[i])[k];
      if (k < 6) to->v[i][k] = nsds_v(ds[i])[k];
    }
  nsds_model_destroy(model);
  return status == NSDS_END;
}

double apart(const scene *c, const result *a, const result *b) {
  double worst = 0.0;
  for (int i = 0; i < c->n; ++i)
    for (int k = 0; k < 7; ++k) worst = fmax(worst, fabs(a->q[i][k] - b->q[i][k]));
  return worst;
}

void draw_attitude(uint64_t *seed, double *p) {
  double square = 0.0;
  for (int k = 0; k < 4; ++k) p[k] = random_in(seed, -1, 1), square += p[k] * p[k];
  for (int k = 0; k < 4; ++k) p[k] /= sqrt(square);
}
