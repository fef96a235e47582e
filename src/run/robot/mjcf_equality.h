/*
 * Equalities and excluded pairs of MJCF.
 */
#ifndef NSDS_RUN_MJCF_EQUALITY_H
#define NSDS_RUN_MJCF_EQUALITY_H

#include "run/robot/mjcf_parts.h"

void nsds_mjcf_equalities(nsds_mjcf *m, nsds_xml *section);
void nsds_mjcf_contacts(nsds_mjcf *m, nsds_xml *section);

#endif
