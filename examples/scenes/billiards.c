/* A pool table, see billiards.h. */
#include "billiards.h"

#include <math.h>

const double billiard_length = 2.54, billiard_width = 1.27, billiard_radius = 0.02858,
             billiard_mass = 0.17;
static const double between = 1e-5, gravity = 9.81;

static nsds_ds *ball(nsds_model *model, double x, double y, double speed) {
  double J = 0.4 * billiard_mass * billiard_radius * billiard_radius;
  const double inertia[9] = {[0] = J, [4] = J, [8] = J};
  return nsds_rigid_body(model,
                         &(nsds_rigid_body_def){.mass = billiard_mass,
                                                .inertia = inertia,
                                                .q0 = (double[]){x, y, billiard_radius, 1, 0, 0, 0},
                                                .v0 = (double[]){speed, 0, 0, 0, 0, 0},
                                                .gravity = {0, 0, -gravity}});
}

static void rack(nsds_model *model, billiards *t) {
  double step = 2.0 * billiard_radius + between, middle = 0.5 * billiard_width;
  int k = 1;
  for (int row = 0; row < 5; ++row)
    for (int i = 0; i <= row; ++i)
      t->ball[k++] = ball(model, 0.75 * billiard_length + row * step * sqrt(0.75),
                          middle + (i - 0.5 * row) * step, 0.0);
}

billiards scene_billiards(nsds_model *model, double speed, double aside) {
  const nsds_plane floor = {{0, 0, 1}, 0};
  const nsds_plane cushion[4] = {{{1, 0, 0}, 0},
                                 {{-1, 0, 0}, -billiard_length},
                                 {{0, 1, 0}, 0},
                                 {{0, -1, 0}, -billiard_width}};
  billiards t;
  t.ball[0] = ball(model, 0.25 * billiard_length, 0.5 * billiard_width + aside, speed);
  rack(model, &t);
  nsds_spheres_def def = {.name = "cloth",
                          .count = billiard_balls,
                          .ds = t.ball,
                          .radius = billiard_radius,
                          .nplane = 1,
                          .plane = &floor,
                          .planes_only = true,
                          .reach = 0.02};
  def.law = nsds_newton_impact_friction(model, &(nsds_newton_impact_friction_def){.mu = 0.2});
  t.cloth = nsds_spheres(model, &def);
  def.name = "balls and cushions";
  def.law = nsds_newton_impact(model, 0.94);
  def.nplane = 4;
  def.plane = cushion;
  def.planes_only = false;
  t.meetings = nsds_spheres(model, &def);
  return t;
}
