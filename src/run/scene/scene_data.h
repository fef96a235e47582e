/* A recorded scene: bodies, frames of poses, contacts and quantities. */
#ifndef NSDS_SRC_SCENE_DATA_H
#define NSDS_SRC_SCENE_DATA_H

#include "run/scene/bytes.h"
#include "run/job/job_columns.h"

#include <nsds/run.h>

/* How coordinates of a system tell its place. */
typedef enum nsds_scene_kind {
  NSDS_SCENE_POINT, /* the first coordinates, at most three */
  NSDS_SCENE_PLANE, /* x, y and an angle */
  NSDS_SCENE_SPACE  /* x, y, z and a quaternion */
} nsds_scene_kind;

typedef struct nsds_scene_body {
  nsds_ds *ds;
  nsds_scene_kind kind;
  bool shown; /* has a shape */
} nsds_scene_body;

typedef struct nsds_scene_pose {
  float x[3], turn[4];
} nsds_scene_pose;

typedef struct nsds_scene_force {
  uint64_t key; /* of the contact, the same in each frame */
  float point[3], force[3];
} nsds_scene_force;

typedef struct nsds_scene_frame {
  double t;
  int end; /* of the frame's forces */
} nsds_scene_frame;

struct nsds_scene {
  nsds_context *context;
  nsds_model *model; /* NULL: quantities alone */
  char *title;
  bool without_forces;
  nsds_columns columns;
  int nbody, found; /* found: behind the body that was looked for last */
  nsds_scene_body *body;
  nsds_bytes shapes; /* JSON */
  nsds_bytes ties;   /* JSON */
  double reach;      /* of the largest shape from its body */
  int nframe, frame_capacity, pose_capacity, nforce, force_capacity, value_capacity;
  nsds_scene_frame *frame;
  nsds_scene_pose *pose;   /* nbody of each frame */
  nsds_scene_force *force; /* of all frames */
  float *value;            /* of the columns of each frame */
};

#endif
