/* Model files as worlds of bodies, whose steps another driver takes: nsds_job_world() of nsds/run.h. */
#ifndef NSDS_SRC_MODEL_WORLD_H
#define NSDS_SRC_MODEL_WORLD_H

#include "run/model/model_reader.h"

/* A body of the scenery. */
typedef struct nsds_moved_body {
  const nsds_rigid_body_def *def;
  int nshape;
  const nsds_shape_def *shape; /* `ds` NULL */
} nsds_moved_body;

typedef struct nsds_model_world {
  nsds_job_world_info info;
  int nscenery; /* shapes without a body */
  const nsds_shape_def *scenery;
  nsds_moved_body *moved; /* info.nprescribed */
} nsds_model_world;

/* Describes the file as a world. false with a message at the part that a world does not take. */
bool nsds_model_world_make(const nsds_entry *root, nsds_model_world *world);
/* Adds the scenery to another model. */
nsds_status nsds_model_world_scenery(nsds_model_file *file, const nsds_model_world *world,
                                     nsds_model *model, nsds_contact_set *set);

#endif
