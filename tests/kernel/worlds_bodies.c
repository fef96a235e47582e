/*
 * Worlds of rigid bodies: balls and an egg that roll, slide and meet, a disc in the plane; a
 * linkage of all joints with stops and dry friction.
 */
#include "any_joint.h"
#include "worlds.h"

static const double ball_inertia[9] = {0.004, 0, 0, 0, 0.004, 0, 0, 0, 0.004};
static const double skew[9] = {0.03, 0.005, -0.002, 0.005, 0.05, 0.01, -0.002, 0.01, 0.04};

static nsds_ds *body(nsds_model *model, const char *name, const double *J, double x, double z,
                     const double *v) {
  return nsds_rigid_body(model, &(nsds_rigid_body_def){.name = name,
                                                       .mass = 1.0,
                                                       .inertia = J,
                                                       .q0 = (double[]){x, 0, z, 0.8, 0, 0.6, 0},
                                                       .v0 = v,
                                                       .gravity = {0.0, 0.0, -9.81}});
}

/* An egg of half axes 0.1, 0.15, 0.1 over the floor z = 0. */
static int egg(const nsds_arguments *in, nsds_body_contact *contact, void *user) {
  const double axis[3] = {0.1, 0.15, 0.1}, up[3] = {0.0, 0.0, 1.0};
  double m[3], lowest[3], length = 0.0;
  (void)user;
  nsds_to_body(in->q, up, m);
  for (int k = 0; k < 3; ++k) length += axis[k] * m[k] * axis[k] * m[k];
  for (int k = 0; k < 3; ++k) lowest[k] = -axis[k] * axis[k] * m[k] / sqrt(length);
  nsds_to_world(in->q, lowest, contact->point);
  for (int k = 0; k < 3; ++k) contact->point[k] += in->q[k];
  contact->gap = contact->point[2];
  contact->normal[2] = 1.0;
  return 0;
}

static int drag(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  for (int k = 0; k < 3; ++k) out[k] = -0.2 * in->v[k] * in->z[0];
  return 0;
}

static void add_flat(nsds_model *model, nsds_law *rolling) {
  nsds_ds *disc = nsds_rigid_body_2d(model, &(nsds_rigid_body_2d_def){.name = "disc",
                                                                      .mass = 1.0,
                                                                      .inertia = 0.005,
                                                                      .q0 = (double[]){0, 0.15, 0},
                                                                      .v0 = (double[]){1, 0, 8},
                                                                      .gravity = {0, -9.81}});
  nsds_relation *line = nsds_sphere_plane_relation(
      model, &(nsds_sphere_plane_relation_def){
                 .dimension = 2, .rows = 3, .radius = 0.1, .normal = {0.0, 1.0}});
  nsds_connect(model, line, rolling, 1, &disc);
}

void world_bodies(nsds_model *model) {
  nsds_ds *ds[3];
  ds[0] = body(model, "ball", ball_inertia, 0.0, 0.12, (double[]){1.0, 0.2, 0, 0, -20, 5});
  ds[1] = nsds_rigid_body(model, &(nsds_rigid_body_def){.name = "other",
                                                        .mass = 1.0,
                                                        .inertia = skew,
                                                        .q0 = (double[]){0.5, 0, 0.1, 1, 0, 0, 0},
                                                        .gravity = {0.0, 0.0, -9.81},
                                                        .force.fn = drag,
                                                        .force.jac_q_fn = nsds_zero,
                                                        .force.jac_v_fn = nsds_differences,
                                                        .force.in_body = true,
                                                        .nz = 1,
                                                        .z = (double[]){1.0}});
  ds[2] = body(model, "egg", skew, -1.0, 0.2, (double[]){0, 0.5, 0, 1, 2, 0});
  nsds_law *law =
      nsds_newton_impact_friction(model, &(nsds_newton_impact_friction_def){.mu = 0.3, .e_n = 0.3});
  nsds_relation *floor = nsds_sphere_plane_relation(
      model, &(nsds_sphere_plane_relation_def){.radius = 0.1, .normal = {0.0, 0.0, 1.0}});
  nsds_relation *pair =
      nsds_sphere_sphere_relation(model, &(nsds_sphere_sphere_relation_def){.radius = {0.1, 0.1}});
  nsds_relation *shell =
      nsds_contact_relation(model, &(nsds_contact_relation_def){.contact_fn = egg});
  nsds_connect(model, floor, law, 1, &ds[0]);
  nsds_connect(model, floor, law, 1, &ds[1]);
  nsds_connect(model, pair, law, 2, ds);
  nsds_connect(model, shell, law, 1, &ds[2]);
  add_flat(model, nsds_newton_impact_rolling(
                      model, &(nsds_newton_impact_rolling_def){
                                 .dimension = 2, .mu = 0.2, .mu_rolling = 0.002, .e_n = 0.4}));
}

static void tie(nsds_model *model, nsds_law *law, any_joint_def def) {
  nsds_connect(model, any_joint(model, &def), law, def.ds[1] ? 2 : 1, def.ds);
}

void world_linkage(nsds_model *model) {
  nsds_ds *ds[6];
  for (int k = 0; k < 6; ++k) {
    ds[k] = body(model, "link", skew, 0.3 * k, 0.0, NULL);
    if (!ds[k]) return; /* joints name the body that is missing */
  }
  nsds_law *tied = nsds_equality(model), *stop = nsds_newton_impact(model, 0.2);
  nsds_law *dry = nsds_relay(model, 1, (double[]){-0.1}, (double[]){0.1});
  any_joint_def hinge = {.kind = NSDS_JOINT_HINGE, .ds = {ds[0]}, .axis = {0.0, 1.0, 0.2}};
  tie(model, tied, hinge);
  hinge.kind = ANY_ANGLE;
  tie(model, dry, hinge);
  hinge.offset = 0.3;
  tie(model, stop, hinge);
  any_joint_def next = {.kind = NSDS_JOINT_BALL, .ds = {ds[1], ds[0]}, .point = {0.15, 0, 0}};
  tie(model, tied, next);
  next = (any_joint_def){.kind = NSDS_JOINT_PRISMATIC, .ds = {ds[2], ds[1]}, .axis = {1, 0, 1}};
  tie(model, tied, next);
  next.kind = ANY_SLIDE;
  next.offset = 0.05;
  tie(model, stop, next);
  next = (any_joint_def){.kind = NSDS_JOINT_CYLINDRICAL, .ds = {ds[3], ds[2]}, .axis = {0, 1, 0}};
  tie(model, tied, next);
  next = (any_joint_def){.kind = NSDS_JOINT_FIXED, .ds = {ds[4], ds[3]}};
  tie(model, tied, next);
  next = (any_joint_def){.kind = NSDS_JOINT_DISTANCE, .ds = {ds[5], ds[4]}, .point = {1.5, 0, 0.1}};
  next.other[0] = 1.2;
  tie(model, tied, next);
  next = (any_joint_def){.kind = NSDS_JOINT_ROPE, .ds = {ds[5]}, .point = {1.5}, .length = 1.6};
  tie(model, stop, next);
}
