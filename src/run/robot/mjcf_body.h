/*
 * Bodies of MJCF.
 */
#ifndef NSDS_RUN_MJCF_BODY_H
#define NSDS_RUN_MJCF_BODY_H

#include "run/robot/mjcf_parts.h"

void nsds_mjcf_worldbody(nsds_mjcf *m, nsds_xml *at);

#endif
