#include "grains.h"

#include <math.h>
#include <string.h>

enum { columns = 25 }; /* of the lattice */

static const double g = 9.81, density = 2500.0, grain = 1e-2, wide = 30.0, pitch = 1.15e-2;

static double column(int k) { return pitch * (k + 0.5 - 0.5 * columns); }

/* Bottom left and right of the opening, then the plug: segments with the discs on their left. */
static void add_bottom(silo_scene *scene) {
  double half = 0.5 * scene->width, gap = 0.5 * scene->opening;
  const double point[] = {-half, 0, -gap, 0, gap, 0, half, 0};
  const int bottom[] = {0, 1, 2, 3}, plug[] = {1, 2};
  nsds_shape_def shape = {
      .kind = NSDS_TRIANGLES, .nvertex = 4, .vertex = point, .nface = 2, .face = bottom};
  nsds_shapes_add(scene->contacts, &shape);
  shape.nface = 1;
  shape.face = plug;
  scene->plug = nsds_shapes_add(scene->contacts, &shape);
}

void scene_silo(nsds_model *model, silo_scene *scene, int count, double opening) {
  memset(scene, 0, sizeof *scene);
  scene->count = count < silo_most ? count : silo_most;
  scene->grain = grain;
  scene->width = wide * grain;
  scene->opening = opening * grain;
  nsds_shape_def wall[2];
  for (int k = 0; k < 2; ++k)
    wall[k] = (nsds_shape_def){.kind = NSDS_HALF_SPACE,
                               .plane = {{k ? -1 : 1, 0, 0}, -0.5 * scene->width}};
  scene->contacts = nsds_shapes(model, &(nsds_shapes_def){.name = "grains",
                                                          .dimension = 2,
                                                          .nmaterial = 1,
                                                          .material = &(nsds_material){.mu = 0.5},
                                                          .nshape = 2,
                                                          .shape = wall,
                                                          .reach = 0.2 * grain});
  add_bottom(scene);
  for (int k = 0; k < scene->count; ++k) {
    double r = 0.5 * grain * (1.0 + 0.1 * sin(12.9898 * k)), m = density * 3.14159265358979 * r * r;
    /* rows lie to the left and right by turns: columns would stand */
    double aside = (k / columns % 2 ? 0.25 : -0.25) * pitch;
    const double q[] = {column(k % columns) + aside, pitch * (k / columns + 0.5), 0.0};
    scene->radius[k] = r;
    scene->disc[k] = nsds_rigid_body_2d(
        model, &(nsds_rigid_body_2d_def){
                   .mass = m, .inertia = 0.5 * m * r * r, .q0 = q, .gravity = {0, -g}});
    nsds_shapes_add(scene->contacts,
                    &(nsds_shape_def){.kind = NSDS_SPHERE, .ds = scene->disc[k], .radius = r});
  }
}

void scene_silo_open(silo_scene *scene) {
  if (scene->plug >= 0) nsds_shapes_remove(scene->contacts, scene->plug);
  scene->plug = -1;
}

/* The lattice column whose surface is lowest, and how high that is. */
static int lowest_column(const silo_scene *scene, double *top) {
  double surface[columns] = {0.0};
  int best = 0;
  for (int k = 0; k < scene->count; ++k) {
    const double *q = nsds_q(scene->disc[k]);
    for (int i = 0; i < columns; ++i)
      if (fabs(q[0] - column(i)) < 1.1 * grain) surface[i] = fmax(surface[i], q[1]);
  }
  for (int i = 1; i < columns; ++i)
    if (surface[i] < surface[best]) best = i;
  *top = surface[best];
  return best;
}

int scene_silo_refill(silo_scene *scene) {
  const double level = 0.75 * pitch * scene->count / columns, speed[] = {0.0, -0.6, 0.0};
  int below = 0;
  for (int k = 0; k < scene->count; ++k) {
    double q[3] = {0.0, level, 0.0}, top;
    if (nsds_q(scene->disc[k])[1] > -2.0 * grain) continue;
    ++below;
    q[0] = column(lowest_column(scene, &top));
    if (top > level - 1.2 * grain) continue;
    nsds_set_state(scene->disc[k], q, speed);
    ++scene->returned;
    --below;
  }
  return scene->returned + below;
}

int scene_silo_lost(const silo_scene *scene) {
  int lost = 0;
  for (int k = 0; k < scene->count; ++k) {
    const double *q = nsds_q(scene->disc[k]), far = q[1] > 0.0 ? scene->width : scene->opening;
    lost += !(fabs(q[0]) < 0.5 * far + (q[1] > 0.0 ? 0.0 : grain));
  }
  return lost;
}
