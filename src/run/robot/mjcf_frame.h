/*
 * Parts of MJCF by name: frames of bodies, geoms and sites; joints.
 */
#ifndef NSDS_RUN_MJCF_FRAME_H
#define NSDS_RUN_MJCF_FRAME_H

#include "run/robot/mjcf_parts.h"

/* The frame with a name; NULL: there is none, or no name. */
const nsds_mjcf_frame *nsds_mjcf_frame_of(const nsds_mjcf_frames *frames, const char *name);
/* Adds a frame with a name; without one, nothing. */
void nsds_mjcf_add_frame(nsds_mjcf *m, nsds_mjcf_frames *frames, const nsds_xml *at,
                         const nsds_mjcf_frame *frame);

/* The name of an element, with the suffix of its copy; NULL: it has none, or after a failure. */
const char *nsds_mjcf_name(nsds_mjcf *m, nsds_xml *at);
/* The joint that an attribute names; -1 after a failure. */
int nsds_mjcf_joint_of(nsds_mjcf *m, nsds_xml *at, const char *key);

#endif
