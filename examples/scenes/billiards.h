/*
 * A pool table from above: 15 balls racked as a triangle with a hundredth of a millimetre between them,
 * and the cue ball, struck along the table. Two contact sets: the balls on the cloth, with friction and
 * without restitution, and the balls among each other and before the cushions, which are vertical and
 * smooth. Nothing slows a ball that rolls.
 */
#ifndef NSDS_SCENES_BILLIARDS_H
#define NSDS_SCENES_BILLIARDS_H

#include <nsds/nsds.h>

enum { billiard_balls = 16 }; /* the cue ball first */

/* [m], [m], [m], [kg] */
extern const double billiard_length, billiard_width, billiard_radius, billiard_mass;

typedef struct billiards {
  nsds_ds *ball[billiard_balls];
  nsds_contact_set *cloth, *meetings;
} billiards;

/* The cue ball starts at `speed` [m/s], sliding, `aside` [m] of the middle of the table. */
billiards scene_billiards(nsds_model *model, double speed, double aside);

#endif
