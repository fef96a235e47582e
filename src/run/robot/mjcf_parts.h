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

/* A frame that things refer to by name: of a body of the file, a geom or a site. */
typedef struct nsds_mjcf_frame {
  const char *name;
  int body;                   /* of the robot, which may be several bodies of the file */
  nsds_pose pose;             /* in the world at the start */
  double center[3];           /* of the mass of a body of the file, in its frame */
  bool merged;                /* the body of the file is a part of the body around it */
  int shape;                  /* of a geom; -1: none */
  nsds_robot_shape_kind kind; /* of a site */
  double size[3];
} nsds_mjcf_frame;

typedef struct nsds_mjcf_frames {
  int count, room;
  nsds_mjcf_frame *item;
} nsds_mjcf_frames;

/* An actuator, with the force gear (gain control + constant - stiffness length - damping rate). */
typedef struct nsds_mjcf_actuator {
  const char *name;
  int joint; /* -1: it has no effect */
  double gear, gain, constant, stiffness, damping;
  double least, most; /* control */
  bool shares;        /* its drive is that of other actuators too */
} nsds_mjcf_actuator;

/* The surface of a geom in the words of MJCF. */
typedef struct nsds_mjcf_surface {
  double condim, friction[3], solref[2], solmix, priority;
  bool alone; /* of one geom */
} nsds_mjcf_surface;

/* A pair of geoms that meet whatever their bits say, with coefficients of their own. */
typedef struct nsds_mjcf_pair {
  int a, b; /* shapes */
  nsds_robot_coefficients of;
} nsds_mjcf_pair;

typedef struct nsds_mjcf {
  nsds_robot *robot;
  double angle; /* radians of a unit of the file */
  const char *euler, *mesh_folder;
  bool auto_limits, masses_from_geoms, masses_never, no_contact;
  double mass_groups[2];
  int nclass, class_room;
  nsds_mjcf_class *classes;
  double magnetic[3];
  const char *suffix; /* of names in a copy of <replicate>; "": none */
  int ncopy;
  nsds_mjcf_frames bodies, sites, geoms;
  int nactuator, actuator_room;
  nsds_mjcf_actuator *actuator;
  int npair, pair_room;
  nsds_mjcf_pair *pair;
  int nsurface, surface_room;
  nsds_mjcf_surface *surface; /* shapes count them from 1 */
} nsds_mjcf;

/* An element with its class of defaults. */
typedef struct nsds_mjcf_view {
  nsds_mjcf *m;
  nsds_xml *at;
  const char *tag; /* in the defaults */
  int class;
} nsds_mjcf_view;

#endif
