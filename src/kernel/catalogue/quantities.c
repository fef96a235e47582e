/*
 * The table of quantities that a run reads by name, beside the functions that read them. A row has
 * the array of its values in the memory of the model, or a function that computes entry k.
 */
#include "base/context.h"
#include "kernel/modeling/body.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/contact_set.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/joint_create.h"
#include "kernel/modeling/spring.h"
#include "kernel/sensing/sensor.h"
#include "kernel/simulation/simulation.h"

#include <nsds/adaptive.h>
#include <nsds/event_driven.h>
#include <nsds/quantity.h>
#include <nsds/spring.h>

#include <math.h>
#include <string.h>

/* ---- moments ----------------------------------------------------------------------------------- */

static nsds_moment of_interval(const nsds_simulation *simulation, const void *object, int k) {
  (void)simulation, (void)object, (void)k;
  return NSDS_MOMENT_INTERVAL;
}

/* Adaptive simulation has r and lambda at each time. */
static nsds_moment moment_of_multiplier(const nsds_simulation *simulation, const void *object,
                                        int k) {
  (void)object, (void)k;
  return simulation && nsds_simulation_adaptive(simulation) ? NSDS_MOMENT_PRESENT
                                                            : NSDS_MOMENT_INTERVAL;
}

static nsds_moment of_search(const nsds_simulation *simulation, const void *object, int k) {
  (void)simulation, (void)object, (void)k;
  return NSDS_MOMENT_SEARCH;
}

/* ---- systems ----------------------------------------------------------------------------------- */

static int q_size(const void *ds) { return nsds_nq(ds); }
static int v_size(const void *ds) { return nsds_nv(ds); }
static int x_size(const void *ds) { return nsds_nx(ds); }
static int is_second(const void *ds) { return nsds_nv(ds) > 0; }
static const double *q_array(const void *ds) { return nsds_q(ds); }
static const double *v_array(const void *ds) { return nsds_v(ds); }
static const double *x_array(const void *ds) { return nsds_x(ds); }
static const double *r_array(const void *ds) { return nsds_r(ds); }
static const double *p_array(const void *ds) { return nsds_p(ds); }
static const double *force_array(const void *ds) { return nsds_prescribed_force(ds); }

/* Rigid bodies have units; coordinates of other systems may mean anything. */
static const char *body_unit(const void *handle, int k, const char *way, const char *turn) {
  const nsds_ds *ds = nsds_ds_find(handle, "nsds_quantity_unit");
  if (!ds || !ds->type.load) return "";
  return k < (nsds_turns_in_plane(ds) ? 2 : 3) ? way : turn;
}

static const char *q_unit(const void *handle, int k) {
  return body_unit(handle, k, "m", nsds_nq(handle) == 3 ? "rad" : "1");
}

static const char *v_unit(const void *handle, int k) {
  return body_unit(handle, k, "m/s", "rad/s");
}

static double read_kinetic_energy(nsds_simulation *simulation, void *ds, int k) {
  (void)simulation, (void)k;
  return nsds_kinetic_energy(ds);
}

static double read_normal_force(nsds_simulation *simulation, void *body, int k) {
  (void)simulation, (void)k;
  double sum = 0.0;
  nsds_contact_iterator contacts = nsds_body_contacts(body);
  for (nsds_contact_info c; nsds_next_contact(&contacts, &c);)
    if (c.force) sum += c.force[0];
  return sum;
}

/* ---- interactions ------------------------------------------------------------------------------ */

static int interaction_rows(const void *interaction) { return nsds_interaction_size(interaction); }
static int impulse_rows(const void *interaction) {
  return nsds_impulse(interaction) ? nsds_interaction_size(interaction) : 0;
}
static const double *lambda_array(const void *interaction) { return nsds_lambda(interaction); }
static const double *impulse_array(const void *interaction) { return nsds_impulse(interaction); }

/* A change from outside is evaluated when you ask for y. */
static double read_y(nsds_simulation *simulation, void *interaction, int k) {
  (void)simulation;
  const double *y = nsds_y(interaction);
  return y ? y[k] : NAN;
}

static double read_ydot(nsds_simulation *simulation, void *interaction, int k) {
  (void)simulation;
  const double *ydot = nsds_ydot(interaction);
  return ydot ? ydot[k] : NAN;
}

static double read_active(nsds_simulation *simulation, void *interaction, int k) {
  (void)simulation, (void)k;
  return nsds_is_active(interaction);
}

/* A motion that the joint prevents is no quantity of the joint. */
static int has_angle(const void *interaction) {
  const nsds_interaction *ia = nsds_interaction_find(interaction, "nsds_quantity_size");
  return ia && nsds_joint_has_angle(ia);
}

static int has_displacement(const void *interaction) {
  const nsds_interaction *ia = nsds_interaction_find(interaction, "nsds_quantity_size");
  return ia && nsds_joint_has_displacement(ia);
}

static int is_spring(const void *interaction) {
  const nsds_interaction *ia = nsds_interaction_find(interaction, "nsds_quantity_size");
  int at[2];
  return ia && (nsds_spring_points(ia) || nsds_spring_coordinates(ia, at));
}

/* Makes a function that reads a member of a report about an interaction. */
#define MEMBER(name, call, report, member)                                                         \
  static double name(nsds_simulation *simulation, void *interaction, int k) {                      \
    (void)simulation, (void)k;                                                                     \
    report now;                                                                                    \
    return call(interaction, &now) ? NAN : now.member;                                             \
  }
MEMBER(read_angle, nsds_joint_read, nsds_joint_motion, angle)
MEMBER(read_angular_velocity, nsds_joint_read, nsds_joint_motion, angular_velocity)
MEMBER(read_displacement, nsds_joint_read, nsds_joint_motion, displacement)
MEMBER(read_velocity, nsds_joint_read, nsds_joint_motion, velocity)
MEMBER(read_length, nsds_spring_read, nsds_spring_motion, length)
MEMBER(read_rate, nsds_spring_read, nsds_spring_motion, rate)
MEMBER(read_pull, nsds_spring_read, nsds_spring_motion, pull)
MEMBER(read_energy, nsds_spring_read, nsds_spring_motion, energy)

/* ---- contact sets and sensors ------------------------------------------------------------------ */

static double read_count(nsds_simulation *simulation, void *set, int k) {
  (void)simulation, (void)k;
  return nsds_contact_set_count(set);
}

static double read_overlap(nsds_simulation *simulation, void *set, int k) {
  (void)simulation, (void)k;
  double depth = 0.0;
  nsds_contact_info c;
  for (int i = 0; i < nsds_contact_set_count(set); ++i)
    if (nsds_contact_set_get(set, i, &c) == NSDS_OK && -c.y[0] > depth) depth = -c.y[0];
  return depth;
}

static int sensor_size(const void *sensor) { return nsds_sensor_size(sensor); }
static const char *sensor_unit(const void *sensor, int k) { return nsds_sensor_unit(sensor, k); }

static double read_sensed(nsds_simulation *simulation, void *sensor, int k) {
  (void)simulation;
  double value[nsds_most_sensed];
  return nsds_sensor_read(sensor, value) ? NAN : value[k];
}

static nsds_moment of_sensor(const nsds_simulation *simulation, const void *sensor, int k) {
  (void)simulation;
  return nsds_sensor_has_force(sensor, k) ? NSDS_MOMENT_INTERVAL : NSDS_MOMENT_PRESENT;
}

/* ---- the run ----------------------------------------------------------------------------------- */

static double read_time(nsds_simulation *simulation, void *none, int k) {
  (void)none, (void)k;
  return nsds_time(simulation);
}

static double read_step(nsds_simulation *simulation, void *none, int k) {
  (void)none, (void)k;
  return (double)nsds_step_count(simulation);
}

static double read_all_energy(nsds_simulation *simulation, void *none, int k) {
  (void)none, (void)k;
  const nsds_model *model = simulation ? simulation->model : NULL;
  double sum = 0.0;
  for (int i = 0; i < nsds_ds_count(model); ++i)
    if (nsds_nq(nsds_ds_at(model, i)) > 0) sum += nsds_kinetic_energy(nsds_ds_at(model, i));
  return sum;
}

/* Makes a function that reads a number of the last step. */
#define OF_STEP(name, member)                                                                      \
  static double name(nsds_simulation *simulation, void *none, int k) {                             \
    (void)none, (void)k;                                                                           \
    const nsds_step_info *info = nsds_simulation_info(simulation);                                 \
    return info ? (double)info->member : 0.0;                                                      \
  }
OF_STEP(read_h, h)
OF_STEP(read_all_active, active)
OF_STEP(read_all_rows, rows)
OF_STEP(read_newton_iterations, newton_iterations)
OF_STEP(read_iterations, solver.iterations)
OF_STEP(read_residual, solver.residual)

static double event_has(nsds_simulation *simulation, unsigned kind) {
  const nsds_event_info *event = nsds_simulation_event(simulation);
  return event && event->kind & kind ? 1.0 : 0.0;
}

static double read_nonsmooth(nsds_simulation *simulation, void *none, int k) {
  (void)none, (void)k;
  return event_has(simulation, NSDS_EVENT_NONSMOOTH);
}

static double read_impact(nsds_simulation *simulation, void *none, int k) {
  (void)none, (void)k;
  return event_has(simulation, NSDS_EVENT_IMPACT);
}

/* ---- the table --------------------------------------------------------------------------------- */

#define RUN(of, u, h) .owner = NSDS_OWNER_RUN, .read = of, .unit = u, .help = h
#define SYSTEM .owner = NSDS_OWNER_SYSTEM
#define INTERACTION .owner = NSDS_OWNER_INTERACTION
#define SET .owner = NSDS_OWNER_CONTACT_SET
#define ENTRIES(text, of, values) .size = text, .size_of = of, .array = values
#define MEASURED(has, of, u, h) INTERACTION, .size_of = has, .read = of, .unit = u, .help = h

static const nsds_quantity quantities[] = {
    {"t", RUN(read_time, "s", "time")},
    {"step", RUN(read_step, "1", "number of steps")},
    {"h", RUN(read_h, "s", "size of the last step"), .moment = of_interval},
    {"kinetic_energy", RUN(read_all_energy, "J", "kinetic energy of all systems")},
    {"active", RUN(read_all_active, "1", "interactions in the last problem"),
     .moment = of_interval},
    {"rows", RUN(read_all_rows, "1", "unknowns of the last problem"), .moment = of_interval},
    {"iterations", RUN(read_iterations, "1", "iterations of the solver"), .moment = of_interval},
    {"residual", RUN(read_residual, "1", "residual of the solution"), .moment = of_interval},
    {"newton_iterations", RUN(read_newton_iterations, "1", "Newton iterations of the last step"),
     .moment = of_interval},
    {"nonsmooth", RUN(read_nonsmooth, "1", "1 if the last event was nonsmooth (event-driven)")},
    {"impact", RUN(read_impact, "1", "1 if the last event was an impact (event-driven)")},

    {"q", SYSTEM, ENTRIES("nq", q_size, q_array), .unit_of = q_unit, .help = "coordinates"},
    {"v", SYSTEM, ENTRIES("nv", v_size, v_array), .unit_of = v_unit, .help = "velocities"},
    {"x", SYSTEM, ENTRIES("nx", x_size, x_array), .help = "state of a first-order system"},
    {"r", SYSTEM, ENTRIES("nx", x_size, r_array), .help = "input of a first-order system",
     .moment = moment_of_multiplier},
    {"p", SYSTEM, ENTRIES("nv", v_size, p_array), .unit = "N s", .help = "impulse of all contacts",
     .moment = of_interval},
    {"force", SYSTEM, ENTRIES("nv", v_size, force_array), .unit = "N",
     .help = "force that holds a prescribed velocity", .moment = of_interval},
    {"normal_force", SYSTEM, .size_of = is_second, .read = read_normal_force, .unit = "N",
     .help = "sum of the normal forces of all contacts of a body", .moment = of_interval},
    {"kinetic_energy", SYSTEM, .size_of = is_second, .read = read_kinetic_energy, .unit = "J",
     .help = "kinetic energy of a system"},

    {"y", INTERACTION, .size = "size", .size_of = interaction_rows, .read = read_y,
     .help = "gap, or another output"},
    {"ydot", INTERACTION, .size = "size", .size_of = interaction_rows, .read = read_ydot,
     .help = "rate of y"},
    {"lambda", INTERACTION, ENTRIES("size", interaction_rows, lambda_array),
     .help = "force or another multiplier", .moment = moment_of_multiplier},
    {"impulse", INTERACTION, ENTRIES("size", impulse_rows, impulse_array), .unit = "N s",
     .help = "impulse of the last step", .moment = of_interval},
    {"active", INTERACTION, .read = read_active, .unit = "1",
     .help = "1 if the interaction took part in the last step", .moment = of_interval},
    {"angle", MEASURED(has_angle, read_angle, "rad", "angle of a joint, 0 at the start")},
    {"angular_velocity", MEASURED(has_angle, read_angular_velocity, "rad/s", "rate of the angle")},
    {"displacement", MEASURED(has_displacement, read_displacement, "m", "displacement of a joint")},
    {"velocity", MEASURED(has_displacement, read_velocity, "m/s", "rate of the displacement")},
    {"length", MEASURED(is_spring, read_length, "m", "length of a spring")},
    {"rate", MEASURED(is_spring, read_rate, "m/s", "rate of the length")},
    {"pull", MEASURED(is_spring, read_pull, "N", "pull of a spring")},
    {"energy", MEASURED(is_spring, read_energy, "J", "energy of a spring")},

    {"count", SET, .read = read_count, .unit = "1", .help = "number of contacts",
     .moment = of_interval},
    {"overlap", SET, .read = read_overlap, .unit = "m", .help = "deepest overlap",
     .moment = of_search},

    {"value", .owner = NSDS_OWNER_SENSOR, .size = "size", .size_of = sensor_size,
     .unit_of = sensor_unit, .read = read_sensed, .help = "values of a sensor",
     .moment = of_sensor},
    {.name = NULL}};

const nsds_quantity *nsds_quantity_table(void) { return quantities; }

const nsds_quantity *nsds_quantity_find(nsds_owner owner, const char *name) {
  for (const nsds_quantity *q = quantities; name && q->name; ++q)
    if (q->owner == owner && strcmp(q->name, name) == 0) return q;
  return NULL;
}

int nsds_quantity_size(const nsds_quantity *quantity, const void *object) {
  if (!quantity) return 0;
  return quantity->size_of ? quantity->size_of(object) : 1;
}

const char *nsds_quantity_unit(const nsds_quantity *quantity, const void *object, int k) {
  if (!quantity) return "";
  if (quantity->unit_of) return quantity->unit_of(object, k);
  return quantity->unit ? quantity->unit : "";
}

nsds_moment nsds_quantity_moment(const nsds_quantity *quantity, const nsds_simulation *simulation,
                                 const void *object, int k) {
  bool given = quantity && quantity->moment;
  return given ? quantity->moment(simulation, object, k) : NSDS_MOMENT_PRESENT;
}

/* The model of an object; NULL with an error. */
static const nsds_model *quantity_model(nsds_owner owner, const nsds_simulation *simulation,
                                        const void *object) {
  const char *call = "nsds_quantity_read";
  bool run = owner == NSDS_OWNER_RUN;
  if (run ? !simulation : !object) {
    nsds_fail_null(NULL, call, run ? "simulation" : "object");
    return NULL;
  }
  switch (owner) {
  case NSDS_OWNER_RUN: return simulation->model;
  case NSDS_OWNER_SYSTEM: {
    const nsds_ds *ds = nsds_ds_find(object, call);
    return ds ? ds->model : NULL;
  }
  case NSDS_OWNER_INTERACTION: {
    const nsds_interaction *ia = nsds_interaction_find(object, call);
    return ia ? ia->model : NULL;
  }
  case NSDS_OWNER_CONTACT_SET: {
    const nsds_contact_set *set = nsds_contact_set_alive(object, call);
    return set ? set->model : NULL;
  }
  default: return ((const nsds_sensor *)object)->model;
  }
}

double nsds_quantity_read(const nsds_quantity *quantity, nsds_simulation *simulation, void *object,
                          int k) {
  if (!quantity) return nsds_fail_null(NULL, "nsds_quantity_read", "quantity"), NAN;
  const nsds_model *model = quantity_model(quantity->owner, simulation, object);
  if (!model || nsds_check_quiet(model, "nsds_quantity_read")) return NAN;
  if (k < 0 || k >= nsds_quantity_size(quantity, object)) return 0.0;
  if (quantity->read) return quantity->read(simulation, object, k);
  const double *array = quantity->array(object);
  return array ? array[k] : 0.0;
}
