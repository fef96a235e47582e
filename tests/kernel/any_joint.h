/* Joints and coordinates of joints from one definition, for tests that go over all kinds. */
#ifndef NSDS_TESTS_ANY_JOINT_H
#define NSDS_TESTS_ANY_JOINT_H

#include <nsds/joint.h>

#include <string.h>

/* Coordinates of joints, as kinds beside those of nsds_joint_kind. */
#define ANY_ANGLE ((nsds_joint_kind)(NSDS_JOINT_PLANAR + 1))
#define ANY_SLIDE ((nsds_joint_kind)(NSDS_JOINT_PLANAR + 2))

typedef struct any_joint_def {
  const char *name;
  nsds_joint_kind kind; /* or ANY_ANGLE, ANY_SLIDE */
  nsds_ds *ds[3];
  double point[3], other[3], axis[3], other_axis[3];
  int teeth[2];
  double length;
  bool reversed;
  double offset, D;
} any_joint_def;

/* Tells if a kind exists in the plane. */
static inline bool any_joint_in_plane(int kind) {
  return kind != NSDS_JOINT_CYLINDRICAL && kind != NSDS_JOINT_UNIVERSAL &&
         kind != NSDS_JOINT_PLANAR;
}

static inline nsds_joint_coordinate_def any_joint_coordinate(const any_joint_def *d) {
  nsds_joint_coordinate_def is = {.name = d->name,
                                  .kind = d->kind == ANY_ANGLE ? NSDS_COORDINATE_ANGLE
                                                               : NSDS_COORDINATE_DISPLACEMENT,
                                  .ds = {d->ds[0], d->ds[1]},
                                  .reversed = d->reversed,
                                  .offset = d->offset,
                                  .D = d->D};
  memcpy(is.point, d->point, sizeof is.point);
  memcpy(is.axis, d->axis, sizeof is.axis);
  return is;
}

static inline nsds_joint_def any_joint_itself(const any_joint_def *d) {
  nsds_joint_def is = {.name = d->name,
                       .kind = d->kind,
                       .ds = {d->ds[0], d->ds[1], d->ds[2]},
                       .teeth = {d->teeth[0], d->teeth[1]},
                       .length = d->length,
                       .reversed = d->reversed,
                       .D = d->D};
  memcpy(is.point, d->point, sizeof is.point);
  memcpy(is.other, d->other, sizeof is.other);
  memcpy(is.axis, d->axis, sizeof is.axis);
  memcpy(is.other_axis, d->other_axis, sizeof is.other_axis);
  if (d->kind == NSDS_JOINT_UNIVERSAL) { /* across the axis */
    is.other_axis[0] = d->axis[1] - d->axis[2];
    is.other_axis[1] = d->axis[2] - d->axis[0];
    is.other_axis[2] = d->axis[0] - d->axis[1];
  }
  return is;
}

static inline nsds_relation *any_joint(nsds_model *model, const any_joint_def *d) {
  if (d->kind == ANY_ANGLE || d->kind == ANY_SLIDE) {
    nsds_joint_coordinate_def is = any_joint_coordinate(d);
    return nsds_joint_coordinate(model, &is);
  }
  nsds_joint_def is = any_joint_itself(d);
  return nsds_joint(model, &is);
}

#endif
