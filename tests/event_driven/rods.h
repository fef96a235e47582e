/* Painleve's rod in every kind of model that can show it, and what is known of it. */
#ifndef NSDS_TEST_RODS_H
#define NSDS_TEST_RODS_H

#include "support.h"

static const double g = 9.81, J = 1.0 / 3.0; /* of a rod of 1 kg and half length 1 */
static const double set_radius = 0.05;       /* of capsules */

typedef enum rod_kind {
  PLUGIN,
  PLUGIN_IN_SPACE,
  PLANE,
  SPACE,
  SET_IN_PLANE,
  SET_IN_SPACE
} rod_kind;
enum { nkinds = SET_IN_SPACE + 1 };

/* Seen from A, the centre is at `angle` from the x axis, over pi/2 behind an end that slides along x. */
typedef struct rod_start {
  double angle, slip, rate, mu, e;
  double x, heading; /* place of the contact; bodies in space: of the x axis to that of the world */
  bool mirrored;
} rod_start;

typedef struct rod {
  rod_kind kind;
  nsds_ds *ds;
  nsds_interaction *contact; /* NULL: in a set */
  double heading, r[2], v[3];
  double rate, part; /* of the angle, and of the energy, after the jam */
} rod;

static inline bool is_set(rod_kind kind) { return kind == SET_IN_PLANE || kind == SET_IN_SPACE; }
static inline bool in_space(rod_kind kind) { return kind == SPACE || kind == SET_IN_SPACE; }

rod lean(nsds_model *model, rod_kind kind, rod_start start);
/* Whose contact is a relation. */
nsds_relation *end_relation(nsds_model *model, rod_kind kind);

/* Velocities of a rod with the contact at -r that moves at u along the floor; as they are now, in the
 * plane of the rod: x, y and angle, beside which there are none. */
void velocities(const double r[2], double u, double rate, double v[3]);
void read_velocities(const rod *r, double v[3]);
double energy_at(const double v[3]);
double difference(const double a[3], const double b[3]);

/* How far velocities are from those after the jam, and the part of the energy that is left. */
double error_of_jam(const rod *r);
double part_left(const rod *r);

#endif
