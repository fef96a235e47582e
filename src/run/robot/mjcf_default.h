/*
 * Classes of defaults of MJCF, and attributes read with them.
 */
#ifndef NSDS_RUN_MJCF_DEFAULT_H
#define NSDS_RUN_MJCF_DEFAULT_H

#include "run/robot/mjcf_parts.h"

/* Reads the classes of <default>. */
void nsds_mjcf_read_defaults(nsds_mjcf *m, nsds_xml *at, int parent);
/* Number of a class; `inherited` without a name; -1 after a failure. */
int nsds_mjcf_class_of(nsds_mjcf *m, nsds_xml *at, const char *key, int inherited);
/* An element whose attribute `class`, or else the class of the bodies around it, has its defaults. */
nsds_mjcf_view nsds_mjcf_look(nsds_mjcf *m, nsds_xml *at, const char *tag, int inherited);
/* The element that has the attribute: this one or its class's. NULL: nobody. */
nsds_xml *nsds_mjcf_holder(const nsds_mjcf_view *v, const char *key);
const char *nsds_mjcf_get(const nsds_mjcf_view *v, const char *key);
/* Passes over an element with its defaults: nothing of them is told as unused. */
void nsds_mjcf_pass(const nsds_mjcf_view *v);
/* As nsds_robot_numbers() and nsds_robot_number(), with defaults. */
int nsds_mjcf_numbers(const nsds_mjcf_view *v, const char *key, int least, int most, double *value);
bool nsds_mjcf_number(const nsds_mjcf_view *v, const char *key, double *value);
/* Tells if a limit holds: "true", or "auto" where the range is given. */
bool nsds_mjcf_limited(const nsds_mjcf_view *v, const char *key, bool has_range);
/* The quaternion of three turns, in the angles and the order of the file. */
void nsds_mjcf_euler(const nsds_mjcf *m, const double angle[3], double q[4]);
/* The place by pos and quat, axisangle, euler, xyaxes or zaxis. */
nsds_pose nsds_mjcf_pose(const nsds_mjcf_view *v);

#endif
