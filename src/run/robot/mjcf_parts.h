/*
 * MJCF from inside: options, classes of defaults, and the frames of bodies, which the parts of the reader
 * share.
 */
#ifndef NSDS_RUN_MJCF_PARTS_H
#define NSDS_RUN_MJCF_PARTS_H

#include "run/robot/mesh.h"
#include "run/robot/robot.h"

/* Defaults of a class; -1 has no parent. Number 0 is the class of all. */
typedef struct nsds_mjcf_class {
  const char *name;
  int parent;
  nsds_xml *at;
} nsds_mjcf_class;

/* A frame that things refer to by name: of a body of the file, or a site. */
typedef struct nsds_mjcf_frame {
  const char *name;
  int body;       /* of the robot, which may be several bodies of the file */
  nsds_pose pose; /* in the world at the start */
} nsds_mjcf_frame;

typedef struct nsds_mjcf_frames {
  int count, room;
  nsds_mjcf_frame *item;
} nsds_mjcf_frames;

/* An actuator by name, for sensors. */
typedef struct nsds_mjcf_actuator {
  const char *name;
  int joint;
} nsds_mjcf_actuator;

typedef struct nsds_mjcf {
  nsds_robot *robot;
  double angle; /* radians of a unit of the file */
  const char *euler, *mesh_folder;
  bool auto_limits, masses_from_geoms, masses_never, no_contact;
  double mass_groups[2];
  int nclass, class_room;
  nsds_mjcf_class *classes;
  nsds_mjcf_frames bodies, sites;
  int nactuator, actuator_room;
  nsds_mjcf_actuator *actuator;
} nsds_mjcf;

/* An element with its class of defaults. */
typedef struct nsds_mjcf_view {
  nsds_mjcf *m;
  nsds_xml *at;
  const char *tag; /* in the defaults */
  int class;
} nsds_mjcf_view;

/* ---- mjcf_default.c ---- */

/* Reads the classes of <default>. */
void nsds_mjcf_read_defaults(nsds_mjcf *m, nsds_xml *at, int parent);
/* Number of a class; `inherited` without a name; -1 after a failure. */
int nsds_mjcf_class_of(nsds_mjcf *m, nsds_xml *at, const char *key, int inherited);
/* An element whose attribute `class`, or else the class of the bodies around it, has its defaults. */
nsds_mjcf_view nsds_mjcf_look(nsds_mjcf *m, nsds_xml *at, const char *tag, int inherited);
/* The element that has the attribute: this one or its class's. NULL: nobody. */
nsds_xml *nsds_mjcf_holder(const nsds_mjcf_view *v, const char *key);
const char *nsds_mjcf_get(const nsds_mjcf_view *v, const char *key);
/* As nsds_robot_numbers() and nsds_robot_number(), with defaults. */
int nsds_mjcf_numbers(const nsds_mjcf_view *v, const char *key, int least, int most, double *value);
bool nsds_mjcf_number(const nsds_mjcf_view *v, const char *key, double *value);
/* Tells if a limit holds: "true", or "auto" where the range is given. */
bool nsds_mjcf_limited(const nsds_mjcf_view *v, const char *key, bool has_range);
/* The place by pos and quat, axisangle, euler, xyaxes or zaxis. */
nsds_pose nsds_mjcf_pose(const nsds_mjcf_view *v);

/* ---- mjcf_geom.c ---- */

/* Adds a geom to a body of the robot whose frame of the file stands at `pose` in the world. Its mass goes
 * to *own unless that is NULL. */
void nsds_mjcf_geom(nsds_mjcf *m, nsds_xml *at, int class, int body, const nsds_pose *pose,
                    nsds_robot_body *own);
/* Excludes bodies whose geoms cannot meet by contype and conaffinity. */
void nsds_mjcf_exclude_by_bits(nsds_mjcf *m);

/* ---- mjcf_body.c ---- */

void nsds_mjcf_worldbody(nsds_mjcf *m, nsds_xml *at);
const nsds_mjcf_frame *nsds_mjcf_frame_of(const nsds_mjcf_frames *frames, const char *name);

/* ---- mjcf_actuator.c ---- */

void nsds_mjcf_actuators(nsds_mjcf *m, nsds_xml *section);
void nsds_mjcf_sensors(nsds_mjcf *m, nsds_xml *section);
/* The joint that an attribute names; -1 after a failure. */
int nsds_mjcf_joint_of(nsds_mjcf *m, nsds_xml *at, const char *key);

/* ---- mjcf_equality.c ---- */

void nsds_mjcf_equalities(nsds_mjcf *m, nsds_xml *section);
void nsds_mjcf_contacts(nsds_mjcf *m, nsds_xml *section);

#endif
