/* Linear equations between coordinates of joints and systems. See joint_coupler.c. */
#ifndef NSDS_SRC_JOINT_COUPLER_H
#define NSDS_SRC_JOINT_COUPLER_H

#include "kernel/modeling/joint_data.h"

enum { nsds_coupler_terms = 8, nsds_coupler_systems = 2 * nsds_coupler_terms };

/* A coordinate with its weight: of bodies, or q[index] of one system. */
typedef struct nsds_coupled {
  bool of_system;
  nsds_joint_data joint;
  int system[2], index; /* systems of the relation; coordinate */
  double weight;
} nsds_coupled;

typedef struct nsds_coupler {
  nsds_caller caller;
  int nsystem, nterm;
  nsds_ds *ds[nsds_coupler_systems];
  int q0[nsds_coupler_systems + 1], v0[nsds_coupler_systems + 1]; /* where their Q and V begin */
  nsds_coupled term[nsds_coupler_terms];
  double offset, period; /* b; 2 pi g, 0: no angles in space */
  double scale;
} nsds_coupler;

/* Returns the place of a system among those of the relation, a new one if needed. */
int nsds_coupler_system(nsds_coupler *s, nsds_ds *ds);
/* Fills the coordinate of a term from the valid definition of its row. */
void nsds_coupler_take(nsds_coupler *s, nsds_coupled *t, const nsds_joint_def *d);
/* Makes the relation, which owns `s` from then on, also after an error. */
nsds_relation *nsds_coupler_relate(nsds_model *model, nsds_coupler *s, const char *name, bool gear);
/* Tells if an interaction is a joint GEAR. */
bool nsds_joint_is_gear(const nsds_interaction *ia);

/* Returns the data of a coupler of nsds_joint_couple(); NULL: another interaction. */
const nsds_coupler *nsds_joint_coupler_of(const nsds_interaction *ia);

#endif
