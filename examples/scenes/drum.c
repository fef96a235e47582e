#include "grains.h"

#include <math.h>
#include <string.h>

static const double g = 9.81, pi = 3.14159265358979323846, density = 2500.0, grain = 5e-3;
static const double thickness = 8e-3, bar = 2.5e-3; /* of staves; radius of bars */

static int turn(const nsds_arguments *in, double *out, void *user) {
  (void)in;
  out[4] = -((const drum_scene *)user)->rate;
  return 0;
}

/* A stave and, where it meets the next one, a bar that the bed does not slip over. */
static void add_stave(drum_scene *scene, int k) {
  const double half[] = {scene->inner * tan(pi / drum_staves), 0.5 * scene->width + 2.0 * grain,
                         0.5 * thickness};
  double angle = 2.0 * pi * k / drum_staves, middle = scene->inner + half[2];
  double next = angle + pi / drum_staves, corner = scene->inner / cos(pi / drum_staves);
  nsds_shapes_add(scene->contacts,
                  &(nsds_shape_def){.kind = NSDS_BOX,
                                    .ds = scene->drum,
                                    .position = {middle * sin(angle), 0, middle * cos(angle)},
                                    .quaternion = {cos(0.5 * angle), 0, sin(0.5 * angle), 0},
                                    .half = {half[0], half[1], half[2]}});
  nsds_shapes_add(scene->contacts,
                  &(nsds_shape_def){.kind = NSDS_CAPSULE,
                                    .ds = scene->drum,
                                    .position = {corner * sin(next), 0, corner * cos(next)},
                                    .quaternion = {sqrt(0.5), 0, 0, sqrt(0.5)},
                                    .radius = bar,
                                    .half = {half[1]}});
}

static void add_drum(nsds_model *model, drum_scene *scene) {
  scene->drum = nsds_rigid_body(
      model, &(nsds_rigid_body_def){.name = "drum",
                                    .mass = 1.0,
                                    .inertia = (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1},
                                    .v0 = (double[]){0, 0, 0, 0, -scene->rate, 0},
                                    .prescribed.n = 6,
                                    .prescribed.index = (int[]){0, 1, 2, 3, 4, 5},
                                    .prescribed.fn = turn,
                                    .user = scene});
  for (int k = 0; k < drum_staves; ++k) add_stave(scene, k);
}

static void add_sphere(nsds_model *model, drum_scene *scene, const double *x) {
  int k = scene->count++;
  double r = grain * (1.0 + 0.15 * sin(12.9898 * k)), m = density * 4.0 / 3.0 * pi * r * r * r;
  double J = 0.4 * m * r * r;
  scene->radius[k] = r;
  scene->mass[k] = m;
  scene->ball[k] = nsds_rigid_body(
      model, &(nsds_rigid_body_def){.mass = m,
                                    .inertia = (double[]){J, 0, 0, 0, J, 0, 0, 0, J},
                                    .q0 = (double[]){x[0], x[1], x[2], 1, 0, 0, 0},
                                    .gravity = {0, 0, -g}});
  nsds_shapes_add(scene->contacts,
                  &(nsds_shape_def){.kind = NSDS_SPHERE, .ds = scene->ball[k], .radius = r});
}

void scene_drum(nsds_model *model, drum_scene *scene, int count) {
  memset(scene, 0, sizeof *scene);
  scene->inner = 18.0 * grain;
  scene->width = 10.0 * grain;
  scene->rate = 1.5;
  nsds_shape_def end[2];
  for (int k = 0; k < 2; ++k)
    end[k] = (nsds_shape_def){
        .kind = NSDS_HALF_SPACE, .plane = {{0, k ? -1 : 1, 0}, -0.5 * scene->width}, .material = 1};
  scene->contacts =
      nsds_shapes(model, &(nsds_shapes_def){.name = "grains",
                                            .nmaterial = 2,
                                            .material = (nsds_material[]){{.mu = 0.5}, {.mu = 0.0}},
                                            .nshape = 2,
                                            .shape = end,
                                            .reach = 0.2 * grain});
  add_drum(model, scene);
  const double pitch = 2.4 * grain;
  int across = (int)(scene->width / pitch), half = (int)(scene->inner / pitch);
  int edge = 2 * half + 1, most = count < drum_most ? count : drum_most;
  for (int k = 0; k < edge * edge * across && scene->count < most; ++k) {
    const double x[] = {pitch * (k / across % edge - half),
                        pitch * (k % across + 0.5 - 0.5 * across),
                        pitch * (k / across / edge - half)};
    if (hypot(x[0], x[2]) < scene->inner - bar - 1.2 * grain) add_sphere(model, scene, x);
  }
}

drum_state scene_drum_state(const drum_scene *scene) {
  drum_state s = {.beyond = -scene->inner};
  double moment[3] = {0.0}, outer = (scene->inner + thickness) / cos(pi / drum_staves);
  for (int k = 0; k < scene->count; ++k) {
    const double *q = nsds_q(scene->ball[k]);
    for (int i = 0; i < 3; ++i) moment[i] += scene->mass[k] * q[i];
    s.energy += nsds_kinetic_energy(scene->ball[k]) + scene->mass[k] * g * q[2];
    s.beyond = fmax(s.beyond, fmax(hypot(q[0], q[2]) - outer, fabs(q[1]) - 0.5 * scene->width));
  }
  s.angle = atan2(moment[0], -moment[2]);
  s.weight = g * moment[0];
  return s;
}

drum_balance scene_drum_balance(drum_scene *scene) {
  drum_balance b = {.work = scene->rate * nsds_p(scene->drum)[4]};
  for (int k = 0; k < nsds_contact_set_count(scene->contacts); ++k) {
    nsds_contact_info c;
    if (nsds_contact_set_get(scene->contacts, k, &c)) continue;
    for (int i = 0; i < 3; ++i) b.friction -= c.impulse[i] * c.ydot[i];
  }
  for (int k = 0; k < scene->count; ++k)
    for (int i = 0; i < 6; ++i) {
      double v = nsds_v(scene->ball[k])[i];
      b.impacts += 0.5 * nsds_p(scene->ball[k])[i] * (v - scene->before[k][i]);
      scene->before[k][i] = v;
    }
  return b;
}
