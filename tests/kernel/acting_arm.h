/* A machine with every part of nsds_joint_act(): an arm of two links in space with a stick on a ball joint, a slide, a
 * rotor that follows the slide, and two links in the plane. */
#ifndef NSDS_TESTS_ACTING_ARM_H
#define NSDS_TESTS_ACTING_ARM_H

#include <math.h>

#include <nsds/nsds.h>

enum { acting_bodies = 7 };

typedef struct acting_arm {
  nsds_ds *body[acting_bodies];
  nsds_joint_actions shoulder, elbow, wrist, slide, knee;
  nsds_interaction *couple;
} acting_arm;

static inline nsds_ds *acting_body(nsds_model *model, double x, double y) {
  static const double J[9] = {[0] = 0.02, [4] = 0.03, [8] = 0.04};
  return nsds_rigid_body(model, &(nsds_rigid_body_def){.mass = 1.0,
                                                       .inertia = J,
                                                       .gravity = {0, 0, -9.81},
                                                       .q0 = (double[]){x, y, 0, 1, 0, 0, 0}});
}

static inline void acting_joint(nsds_model *model, nsds_joint_kind kind,
                                const nsds_joint_coordinate_def *c) {
  nsds_joint_def joint = {.kind = kind,
                          .ds = {c->ds[0], c->ds[1]},
                          .point = {c->point[0], c->point[1], c->point[2]},
                          .axis = {c->axis[0], c->axis[1], c->axis[2]}};
  nsds_connect(model, nsds_joint(model, &joint), nsds_equality(model), c->ds[1] ? 2 : 1, c->ds);
}

static inline acting_arm acting_make(nsds_model *model) {
  acting_arm a = {0};
  for (int k = 0; k < 5; ++k) a.body[k] = acting_body(model, 0.5 * k + 0.25, k > 2);
  for (int k = 5; k < acting_bodies; ++k)
    a.body[k] = nsds_rigid_body_2d(
        model,
        &(nsds_rigid_body_2d_def){
            .mass = 1.0, .inertia = 0.05, .gravity = {0, -9.81}, .q0 = (double[]){k - 4.5, 0, 0}});
  nsds_joint_coordinate_def at[5] = {
      {.name = "shoulder", .kind = 1, .ds = {a.body[0]}, .axis = {0, -1, 0}},
      {.name = "elbow", .kind = 1, .ds = {a.body[1], a.body[0]}, .axis = {0, -1, 0.3}},
      {.name = "wrist", .ds = {a.body[2], a.body[1]}, .axis = {1, 0, 0}},
      {.name = "slide", .ds = {a.body[3]}, .axis = {0, 0, 1}},
      {.name = "knee", .kind = 1, .ds = {a.body[6], a.body[5]}}};
  at[1].point[0] = 0.5;
  at[2].point[0] = 1.0;
  at[3].kind = NSDS_COORDINATE_DISPLACEMENT;
  at[2].kind = NSDS_COORDINATE_SWING;
  at[4].point[0] = 1.0;
  acting_joint(model, NSDS_JOINT_HINGE, &at[0]);
  acting_joint(model, NSDS_JOINT_HINGE, &at[1]);
  acting_joint(model, NSDS_JOINT_BALL, &at[2]);
  acting_joint(model, NSDS_JOINT_PRISMATIC, &at[3]);
  acting_joint(model, NSDS_JOINT_HINGE, &at[4]);
  nsds_joint_coordinate_def hip = {.kind = 1, .ds = {a.body[5]}}, wheel = hip;
  wheel.ds[0] = a.body[4];
  wheel.axis[1] = 1.0;
  acting_joint(model, NSDS_JOINT_HINGE, &hip);
  acting_joint(model, NSDS_JOINT_HINGE, &wheel);
  nsds_joint_act(model,
                 &(nsds_joint_act_def){.coordinate = at[0],
                                       .stiffness = 30.0,
                                       .damping = 0.5,
                                       .friction = 0.2,
                                       .armature = 0.1,
                                       .lower = -0.4,
                                       .upper = 3.0,
                                       .restitution = 0.4},
                 &a.shoulder);
  nsds_joint_act(model,
                 &(nsds_joint_act_def){.coordinate = at[1],
                                       .driven = true,
                                       .drive_stiffness = 2e4,
                                       .drive_damping = 50.0,
                                       .target = 0.7,
                                       .most = 20.0},
                 &a.elbow);
  nsds_joint_act(model, &(nsds_joint_act_def){.coordinate = at[2], .upper = 0.5, .stiffness = 0.1},
                 &a.wrist);
  nsds_joint_act(
      model,
      &(nsds_joint_act_def){
          .coordinate = at[3], .lower = -0.2, .upper = INFINITY, .stop_stiffness = 500.0},
      &a.slide);
  nsds_joint_act(model,
                 &(nsds_joint_act_def){.coordinate = at[4],
                                       .friction = 0.1,
                                       .driven = true,
                                       .drive_damping = 3.0,
                                       .rate = 4.0,
                                       .lower = -INFINITY,
                                       .upper = 9.0},
                 &a.knee);
  nsds_joint_term term[2] = {{.coordinate = at[3], .weight = 1.0},
                             {.coordinate = wheel, .weight = 0.1}};
  a.couple =
      nsds_joint_couple(model, &(nsds_joint_couple_def){.name = "rack", .nterm = 2, .term = term});
  return a;
}

#endif
