/*
 * Grains in a turning drum, and running out of a silo: contact sets of shapes, and what such
 * motions are judged by. Functions of a model read its scene, which outlives it.
 */
#ifndef NSDS_SCENES_GRAINS_H
#define NSDS_SCENES_GRAINS_H

#include <nsds/nsds.h>

/*
 * A drum of staves, boxes on one body whose six velocities are prescribed: it turns about y, its
 * lower side towards +x. In it spheres of glass of 10 mm, give or take 15%, with friction 0.5
 * among themselves and with the staves; both ends are half spaces without friction.
 */
enum { drum_staves = 40, drum_most = 500 };

typedef struct drum_scene {
  int count;
  nsds_ds *drum, *ball[drum_most];
  double radius[drum_most], mass[drum_most];
  nsds_contact_set *contacts;
  double inner, width;         /* from the axis to the middle of a stave; between the ends [m] */
  double rate;                 /* [rad/s] */
  double before[drum_most][6]; /* velocities at the start of a step */
} drum_scene;

/* Places `count` spheres, at most drum_most, on a lattice in the drum, from the bottom. */
void scene_drum(nsds_model *model, drum_scene *scene, int count);

/* Of the present state. */
typedef struct drum_state {
  double energy; /* kinetic and potential [J] */
  double angle;  /* from the vertical to the line from the axis to the centre of mass [rad] */
  double weight; /* its moment about the axis [N m] */
  double beyond; /* how far a sphere is behind the outer side of a stave, or an end [m] */
} drum_state;

drum_state scene_drum_state(const drum_scene *scene);

/*
 * Of one step, between two calls: with v and v' before and after, theta = 1/2, p = H^T P
 *
 *     dE = sum over spheres of p.(v + v') / 2,   sum over all bodies of p.v' = sum P.u'
 *
 * so that the work -p.W of the drum is dE, what friction takes, -P.u', and impacts, p.(v' - v) / 2.
 */
typedef struct drum_balance {
  double work, friction, impacts; /* [J] */
} drum_balance;

drum_balance scene_drum_balance(drum_scene *scene);

/*
 * A silo in the plane: walls, a flat bottom with an opening in the middle that a plug closes, and
 * discs of mean diameter `grain`, give or take 10%, with friction 0.5.
 */
enum { silo_most = 2000 };

typedef struct silo_scene {
  int count;
  nsds_ds *disc[silo_most];
  double radius[silo_most];
  nsds_contact_set *contacts;
  double grain, width, opening; /* [m] */
  int plug;                     /* the shape that closes it; -1 when it is open */
  int returned;                 /* discs put back so far */
} silo_scene;

/* Places `count` discs, at most silo_most, on a lattice above an opening of so many diameters. */
void scene_silo(nsds_model *model, silo_scene *scene, int count, double opening);

/* Takes the plug away. */
void scene_silo_open(silo_scene *scene);

/* Lets discs that have come through fall into the silo again, at 0.6 m/s from about the height that
 * it was filled to, where there is room; how many have come through so far. */
int scene_silo_refill(silo_scene *scene);

/* How many discs are neither between the walls nor below the opening. */
int scene_silo_lost(const silo_scene *scene);

#endif
