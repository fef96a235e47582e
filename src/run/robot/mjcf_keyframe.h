/*
 * Keyframes of MJCF.
 */
#ifndef NSDS_RUN_MJCF_KEYFRAME_H
#define NSDS_RUN_MJCF_KEYFRAME_H

#include "run/robot/mjcf_parts.h"

/* Moves the start of the robot to the keyframe that is asked for. */
void nsds_mjcf_keyframes(nsds_mjcf *m);

#endif
