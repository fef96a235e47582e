/*
 * Geoms of MJCF.
 */
#ifndef NSDS_RUN_MJCF_GEOM_H
#define NSDS_RUN_MJCF_GEOM_H

#include "run/robot/mjcf_parts.h"

/* Adds a geom to a body of the robot whose frame of the file stands at `pose` in the world. The mass of
 * the geom goes to *own unless that is NULL. */
void nsds_mjcf_geom(nsds_mjcf *m, nsds_xml *at, int class, int body, const nsds_pose *pose,
                    nsds_robot_body *own);
/* Adds a site of a body of the file, which has the frame `of`. */
void nsds_mjcf_site(nsds_mjcf *m, nsds_xml *at, int class, const nsds_mjcf_frame *of);
/* Excludes bodies whose geoms cannot meet by contype and conaffinity. */
void nsds_mjcf_exclude_by_bits(nsds_mjcf *m);

#endif
