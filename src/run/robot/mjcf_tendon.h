/*
 * Tendons of MJCF.
 */
#ifndef NSDS_RUN_MJCF_TENDON_H
#define NSDS_RUN_MJCF_TENDON_H

#include "run/robot/mjcf_parts.h"

enum { nsds_mjcf_most_terms = 8 };

/* A fixed tendon: its length is the sum of weights and coordinates of joints. */
typedef struct nsds_mjcf_tendon {
  int count, joint[nsds_mjcf_most_terms];
  double weight[nsds_mjcf_most_terms];
} nsds_mjcf_tendon;

/* Reads the fixed tendon that an attribute names; false after a failure. */
bool nsds_mjcf_tendon_of(nsds_mjcf *m, nsds_xml *at, const char *key, nsds_mjcf_tendon *tendon);
/* Reads a section <tendon>: straight tendons become springs and ropes. */
void nsds_mjcf_tendons(nsds_mjcf *m, nsds_xml *section);

/* Tells if an attribute names a fixed tendon. */
bool nsds_mjcf_names_fixed(nsds_mjcf *m, nsds_xml *at, const char *key);
/* Tells if an attribute names a spatial tendon, and finds the cable that it has become; NULL: none. */
bool nsds_mjcf_names_spatial(nsds_mjcf *m, nsds_xml *at, const char *key,
                             const nsds_robot_cable **cable);

#endif
