/*
 * A robot between its file and the model file that it becomes: bodies, joints, shapes. The readers of
 * URDF and MJCF fill it; robot_document.h makes the model file.
 */
#ifndef NSDS_RUN_ROBOT_H
#define NSDS_RUN_ROBOT_H

#include "base/text/names.h"
#include "base/text/printf.h"
#include "run/job/job_parts.h"
#include "run/robot/pose.h"
#include "run/robot/xml_tree.h"

enum { nsds_robot_most_parts = 10000, nsds_robot_world = 0 };

/* A rigid body; number 0 is the world, which has shapes alone. */
typedef struct nsds_robot_body {
  const char *name;
  nsds_xml *at;
  int parent;        /* number of the body that it hangs on */
  nsds_pose pose;    /* in the world, where all joints are at their start */
  double mass;       /* [kg] */
  double center[3];  /* in the body [m] */
  double inertia[9]; /* about the center, along the axes of the body [kg m^2] */
  bool has_joint;    /* or it is free */
  double gravcomp;   /* part of its weight that something else bears */
  double rate
      [6]; /* of its frame at the start: velocity [m/s], angular velocity [rad/s], in the world */
} nsds_robot_body;

typedef enum nsds_robot_joint_kind {
  NSDS_ROBOT_HINGE,
  NSDS_ROBOT_SLIDE,
  NSDS_ROBOT_BALL,
  NSDS_ROBOT_PLANAR,
  NSDS_ROBOT_FIXED
} nsds_robot_joint_kind;

typedef struct nsds_robot_drive {
  bool there;
  const char *stiffness_name, *damping_name; /* parameters of the file in place of numbers; NULL */
  double stiffness, damping, target, rate, force;
  double most;                      /* 0: no limit */
  bool integrated;                  /* the target moves with the rate */
  double least_target, most_target; /* of it; both 0: none */
} nsds_robot_drive;

/* A joint of two bodies. Units: [rad], [m], [N m], [N]. */
typedef struct nsds_robot_joint {
  const char *name;  /* in the model */
  const char *given; /* in the file; NULL: the same */
  nsds_xml *at;
  nsds_robot_joint_kind kind;
  int child, parent;
  bool closes;              /* closes a loop: the child hangs on another joint too */
  double point[3], axis[3]; /* in the world at the start */
  double start;             /* coordinate at the start */
  double zero[4];           /* ball: attitude of the child in the parent at the zero of the joint */
  double lower, upper;      /* infinite: no stop; ball: largest angle of its turn */
  double stiffness, damping, rest, friction, armature, restitution;
  double most_drive; /* largest force of all actuators together; 0: no limit */
  nsds_robot_drive drive;
} nsds_robot_joint;

/* sum of weight times coordinate, plus offset, is 0. */
typedef struct nsds_robot_coupler {
  const char *name;
  nsds_xml *at;
  int nterm, joint[8];
  double weight[8], offset;
} nsds_robot_coupler;

/* A spring and a rope between two points. */
typedef struct nsds_robot_cable {
  const char *name;
  nsds_xml *at;
  int body[2];               /* the world only as the second one */
  double point[2][3];        /* in the world at the start */
  double stiffness, damping; /* [N/m], [N s/m] */
  double rest;               /* length without force [m] */
  double longest;            /* of the rope [m]; 0: none */
} nsds_robot_cable;

typedef enum nsds_robot_shape_kind {
  NSDS_ROBOT_SPHERE,    /* size: radius */
  NSDS_ROBOT_CAPSULE,   /* radius, half length on the third axis */
  NSDS_ROBOT_CYLINDER,  /* the same */
  NSDS_ROBOT_BOX,       /* half lengths */
  NSDS_ROBOT_ELLIPSOID, /* half axes */
  NSDS_ROBOT_PLANE,     /* the plane across the third axis */
  NSDS_ROBOT_HULL,      /* vertices */
  NSDS_ROBOT_TRIANGLES, /* vertices and faces */
  NSDS_ROBOT_HEIGHTS    /* half lengths, heights */
} nsds_robot_shape_kind;

/* Coefficients of a contact; mu NaN: the parameter mu of the file. */
typedef struct nsds_robot_coefficients {
  double mu, mu_rolling, restitution;
} nsds_robot_coefficients;

/* Two surfaces that meet with other coefficients than the larger ones of both. */
typedef struct nsds_robot_meeting {
  int a, b;
  nsds_robot_coefficients of;
} nsds_robot_meeting;

typedef struct nsds_robot_shape {
  nsds_xml *at;
  nsds_robot_shape_kind kind;
  int body;
  nsds_pose pose; /* in the body */
  double size[3];
  double radius;       /* of rounding */
  bool meets;          /* other shapes; or it is only drawn */
  unsigned type, with; /* meets shapes whose `with` has a bit of `type`, or the other way round */
  nsds_robot_coefficients of; /* of two such shapes */
  int surface;                /* 0: one that has no meeting of its own */
  double color[3];            /* red, green, blue in [0, 1]; zeros: by the body */
  bool hidden;                /* on pages */
  int nvertex, nface;         /* heights: columns and rows */
  const double *vertex;
  const int *face;
} nsds_robot_shape;

/* A sensor of the model, whose values columns show. */
typedef struct nsds_robot_sense {
  const char *name, *type;
  nsds_xml *at;
  int body, joint;                /* joint -1: none */
  double point[3], quaternion[4]; /* in the body, from its center of mass; in the world */
  bool own_axes;                  /* vectors along its own axes, where the type has a choice */
  bool on_contacts;               /* looks at the shapes of contacts */
  bool on_subtree;                /* of the body and of all that hang on it */
  const char *zone;               /* of touch; else NULL */
  double radius, half[3];         /* of the zone */
} nsds_robot_sense;

/* A quantity that the file asks for. */
typedef struct nsds_robot_sensor {
  const char *name, *value, *unit;
  nsds_xml *at;
} nsds_robot_sensor;

typedef struct nsds_robot_pair {
  int a, b;
  nsds_xml *at;
} nsds_robot_pair;

typedef struct nsds_robot_block nsds_robot_block;
typedef struct nsds_robot_remark nsds_robot_remark;

typedef struct nsds_robot {
  nsds_context *context;
  nsds_job *job;
  nsds_xml *root;
  const char *name, *path;
  const char *keyframe; /* name or number of the start that is asked for; NULL: none */
  bool failed;
  bool drives_by_parameters; /* drive_stiffness and drive_damping are parameters of the file */
  double gravity[3], h, end;
  int nbody, njoint, nshape, ncoupler, ncable, nsensor, nsense, npair, nmeeting;
  int body_room, joint_room, shape_room, coupler_room, cable_room, sensor_room, sense_room,
      pair_room, meeting_room;
  nsds_robot_body *body;
  nsds_robot_joint *joint;
  nsds_robot_shape *shape;
  nsds_robot_coupler *coupler;
  nsds_robot_cable *cable;
  nsds_robot_sensor *sensor;
  nsds_robot_sense *sense;
  nsds_robot_pair *pair; /* bodies that do not meet */
  nsds_robot_meeting *meeting;
  nsds_robot_block *block;
  int nremark, remark_room;
  nsds_robot_remark *remark;
} nsds_robot;

/* Begins with the world as body 0. */
void nsds_robot_begin(nsds_robot *robot, nsds_job *job, nsds_xml *root, const char *path);
/* Frees all but the XML. */
void nsds_robot_free(nsds_robot *robot);
/* Zeroed memory that lives as long as the robot; NULL after a failure. */
void *nsds_robot_memory(nsds_robot *robot, size_t count, size_t size);

/* Copies a text; NULL after a failure. */
const char *nsds_robot_text(nsds_robot *robot, const char *text);
/* Keeps that a call has failed, which has reported it. Returns true if nothing has failed so far. */
bool nsds_robot_took(nsds_robot *robot, nsds_status status);
/* Marks the drive of a joint as there, and returns it. */
nsds_robot_drive *nsds_robot_give_drive(nsds_robot_joint *joint);

/* Reports "file:line:column: ..." unless something has failed before; returns false. */
bool nsds_robot_fail(nsds_robot *robot, const nsds_xml *at, const char *format, ...)
    NSDS_PRINTF(3, 4);
/* Notes something that was not understood or is approximated. Equal notes are one. */
void nsds_robot_note(nsds_robot *robot, const nsds_xml *at, const char *format, ...)
    NSDS_PRINTF(3, 4);
/* Warns of all notes: "file:line:column: ... (3 times in the file)", with the first place. */
void nsds_robot_tell_notes(nsds_robot *robot);
/* Notes each kind of element and attribute that nobody has used, with the first place and how often. */
void nsds_robot_note_unused(nsds_robot *robot, nsds_xml *root);

/* A name that model files allow, made of a name of the file; "" fails. */
const char *nsds_robot_name(nsds_robot *robot, const nsds_xml *at, const char *name);
/* Add a part, whose number they return; -1 after a failure. Names that are there already fail. */
int nsds_robot_add_body(nsds_robot *robot, const nsds_robot_body *body);
int nsds_robot_add_joint(nsds_robot *robot, const nsds_robot_joint *joint);
void nsds_robot_add_shape(nsds_robot *robot, const nsds_robot_shape *shape);
void nsds_robot_add_coupler(nsds_robot *robot, const nsds_robot_coupler *coupler);
void nsds_robot_add_cable(nsds_robot *robot, const nsds_robot_cable *cable);
void nsds_robot_add_sensor(nsds_robot *robot, const nsds_robot_sensor *sensor);
void nsds_robot_add_pair(nsds_robot *robot, const nsds_robot_pair *pair);
void nsds_robot_add_meeting(nsds_robot *robot, const nsds_robot_meeting *meeting);
/* Adds a sensor of the model unless one measures the same already, and returns the name of either. A name
 * that another part has gets a number. */
const char *nsds_robot_add_sense(nsds_robot *robot, const nsds_robot_sense *sense);
/* Tells if the model has a contact set: a shape of a body meets others, or the world has a shape. */
bool nsds_robot_has_contacts(const nsds_robot *robot);
/* Gravity points along the negative third axis: the parameter g of the file. */
bool nsds_robot_falls_down(const nsds_robot *robot);
/* Pairs of bodies that do not meet. */
bool nsds_robot_has_pair(const nsds_robot *robot, int a, int b);
void nsds_robot_drop_pair(nsds_robot *robot, int a, int b);
/* Keeps the attitude of the child in the parent, for ball joints. */
void nsds_robot_set_zero(const nsds_robot *robot, nsds_robot_joint *joint);
/* Takes a color (red, green, blue, opacity); black becomes almost black. */
void nsds_robot_color(nsds_robot_shape *shape, const double rgba[4]);
/* Gives joints, couplers and tendons other names where another part has theirs: model files have one list
 * of names. Call it when all of them are there, before names of the model are used. */
void nsds_robot_part_names(nsds_robot *robot);
/* Tells if a body is another one or hangs on it by any number of joints. */
bool nsds_robot_hangs_on(const nsds_robot *robot, int body, int root);
int nsds_robot_find_body(const nsds_robot *robot, const char *name);
int nsds_robot_find_joint(const nsds_robot *robot, const char *name);

/* Reads `least` to `most` numbers of an attribute. Returns their count, 0 if the attribute is absent,
 * -1 after a failure. */
int nsds_robot_numbers(nsds_robot *robot, nsds_xml *at, const char *key, int least, int most,
                       double *value);
/* One number, or what stands in *value; false after a failure. */
bool nsds_robot_number(nsds_robot *robot, nsds_xml *at, const char *key, double *value);
/* Fails if the tensor cannot be the inertia of a mass, and says what to do. Differences up to 1e-6 of
 * the largest moment are taken as rounding of the file. */
bool nsds_robot_check_inertia(nsds_robot *robot, const nsds_xml *at, const char *what,
                              const double J[9]);
/* Adds the mass of `part`, which is given in its own frame at `pose` in the body. */
void nsds_robot_add_mass(nsds_robot_body *body, double mass, const double center[3],
                         const double inertia[9]);

#endif
