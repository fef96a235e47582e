/*
 * Mechanical systems with few events that have to be exact, shared by examples, tests and
 * benchmarks of event-driven simulation.
 */
#ifndef NSDS_SCENES_EVENTS_H
#define NSDS_SCENES_EVENTS_H

#include <nsds/nsds.h>

/* A ball of 1 kg between a floor, y = q, and, where `ceiling` is not 0, y = ceiling - q; gravity
 * g [m/s^2]. */
typedef struct room_scene {
  nsds_ds *ball;
  nsds_interaction *floor, *ceiling;
} room_scene;

room_scene scene_room(nsds_model *model, double g, double q0, double v0, double ceiling, double e);

/*
 * A mass of 1 kg on a string of 1 m, q = (x, z) from the hook, z upwards: y = 1 - |q| >= 0. It
 * hangs at rest and is pushed sideways. Pushed with v^2 between 2 g l and 5 g l it leaves the
 * circle where z / l = (v^2 / (g l) - 2) / 3, and is caught by the string on the other side.
 */
typedef struct string_scene {
  nsds_ds *mass;
  nsds_interaction *string;
} string_scene;

string_scene scene_string_pendulum(nsds_model *model, double push, double e);

/*
 * A block on a floor without friction, q = (x, z, angle): width 2 * half, height 2 * height, 1 kg
 * spread evenly; y of its two lower corners. It stands on one of them, tilted, and is let go. With
 * e = 0 its angular velocity falls at each change of corners by (J - half^2) / (J + half^2), J
 * being its moment of inertia, so that it comes to rest after infinitely many.
 */
typedef struct block_scene {
  nsds_ds *block;
  nsds_interaction *corners;
  double inertia; /* J [kg m^2] */
} block_scene;

extern const double block_half, block_height; /* [m] */

block_scene scene_rocking_block(nsds_model *model, double tilt, double e);

/*
 * A block on a belt that moves at `speed`, held by a spring: 1 kg, friction of at most `most` that
 * falls with the slip s, by `fall` [N s/m],
 *
 *     x'' + k x = lambda + fall s,   s = x' - speed,   lambda in -most sign(s)
 *
 * It sticks until k x = most, slips until it has the belt's speed again, and so on.
 */
typedef struct belt_scene {
  nsds_ds *block;
  nsds_interaction *friction;
} belt_scene;

typedef struct belt_def {
  double stiffness, most, fall, speed; /* N/m, N, N s/m, m/s */
  double x0, v0;                       /* m, m/s */
} belt_def;

belt_scene scene_belt(nsds_model *model, const belt_def *def);

/*
 * A vertical chain of n masses of 1 kg that falls on the floor, one system: springs between
 * neighbours of 1e2 and 1e8 N/m in turn, the stiff ones beside a damper of 2e4 N s/m, which is
 * critical. The slow motion is that of pairs; the stiff springs bound the steps of explicit
 * methods.
 */
typedef struct stiff_scene {
  nsds_ds *chain;
  nsds_interaction *floor;
} stiff_scene;

stiff_scene scene_stiff_chain(nsds_model *model, int n, double e);

/* The woodpecker toy, see woodpecker.c; interactions of two rows, normal and tangent. */
typedef struct woodpecker_scene {
  nsds_ds *toy; /* height, tilt of the sleeve, tilt of the bird */
  nsds_interaction *beak, *lower, *upper;
} woodpecker_scene;

woodpecker_scene scene_woodpecker(nsds_model *model);

#endif
