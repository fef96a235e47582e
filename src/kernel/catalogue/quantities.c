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
static nsds_moment of_multiplier(const nsds_simulation *simulation, const void *object, int k) {
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
static const double *q_of(const void *ds) { return nsds_q(ds); }
static const double *v_of(const void *ds) { return nsds_v(ds); }
static const double *x_of(const void *ds) { return nsds_x(ds); }
static const double *r_of(const void *ds) { return nsds_r(ds); }
static const double *p_of(const void *ds) { return nsds_p(ds); }
static const double *force_of(const void *ds) { return nsds_prescribed_force(ds); }

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

static double kinetic_energy_of(nsds_simulation *simulation, void *ds, int k) {
  (void)simulation, (void)k;
  return nsds_kinetic_energy(ds);
}

static double normal_force_of(nsds_simulation *simulation, void *body, int k) {
  (void)simulation, (void)k;
  double sum = 0.0;
  nsds_contact_iterator contacts = nsds_body_contacts(body);
  for (nsds_contact_info c; nsds_next_contact(&contacts, &c);)
    if (c.force) sum += c.force[0];
  return sum;
}

/* ---- interactions ------------------------------------------------------------------------------ */

static int rows_of(const void *interaction) { return nsds_interaction_size(interaction); }
static int impulse_size(const void *interaction) {
  return nsds_impulse(interaction) ? nsds_interaction_size(interaction) : 0;
}
static const double *lambda_of(const void *interaction) { return nsds_lambda(interaction); }
static const double *impulse_of(const void *interaction) { return nsds_impulse(interaction); }

/* A change from outside is evaluated when you ask for y. */
static double y_of(nsds_simulation *simulation, void *interaction, int k) {
  (void)simulation;
  const double *y = nsds_y(interaction);
  return y ? y[k] : NAN;
}

static double ydot_of(nsds_simulation *simulation, void *interaction, int k) {
  (void)simulation;
  const double *ydot = nsds_ydot(interaction);
  return ydot ? ydot[k] : NAN;
}

static double active_of(nsds_simulation *simulation, void *interaction, int k) {
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
MEMBER(angle_of, nsds_joint_read, nsds_joint_motion, angle)
MEMBER(angular_velocity_of, nsds_joint_read, nsds_joint_motion, angular_velocity)
MEMBER(displacement_of, nsds_joint_read, nsds_joint_motion, displacement)
MEMBER(velocity_of, nsds_joint_read, nsds_joint_motion, velocity)
MEMBER(length_of, nsds_spring_read, nsds_spring_motion, length)
MEMBER(rate_of, nsds_spring_read, nsds_spring_motion, rate)
MEMBER(pull_of, nsds_spring_read, nsds_spring_motion, pull)
MEMBER(energy_of, nsds_spring_read, nsds_spring_motion, energy)

/* ---- contact sets and sensors ------------------------------------------------------------------ */

static double count_of(nsds_simulation *simulation, void *set, int k) {
  (void)simulation, (void)k;
  return nsds_contact_set_count(set);
}

static double overlap_of(nsds_simulation *simulation, void *set, int k) {
  (void)simulation, (void)k;
  double depth = 0.0;
  nsds_contact_info c;
  for (int i = 0; i < nsds_contact_set_count(set); ++i)
    if (nsds_contact_set_get(set, i, &c) == NSDS_OK && -c.y[0] > depth) depth = -c.y[0];
  return depth;
}

static int sensor_size(const void *sensor) { return nsds_sensor_size(sensor); }
static const char *sensor_unit(const void *sensor, int k) { return nsds_sensor_unit(sensor, k); }

static double sensed(nsds_simulation *simulation, void *sensor, int k) {
  (void)simulation;
  double value[nsds_most_sensed];
  return nsds_sensor_read(sensor, value) ? NAN : value[k];
}

static nsds_moment of_sensor(const nsds_simulation *simulation, const void *sensor, int k) {
  (void)simulation;
  return nsds_sensor_has_force(sensor, k) ? NSDS_MOMENT_INTERVAL : NSDS_MOMENT_PRESENT;
}

/* ---- the run ----------------------------------------------------------------------------------- */

static double time_of(nsds_simulation *simulation, void *none, int k) {
  (void)none, (void)k;
  return nsds_time(simulation);
}

static double step_of(nsds_simulation *simulation, void *none, int k) {
  (void)none, (void)k;
  return (double)nsds_step_count(simulation);
}

static double energy_of_all(nsds_simulation *simulation, void *none, int k) {
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
OF_STEP(h_of, h)
OF_STEP(active_of_all, active)
OF_STEP(rows_of_all, rows)
OF_STEP(newton_iterations_of, newton_iterations)
OF_STEP(iterations_of, solver.iterations)
OF_STEP(residual_of, solver.residual)

static double event_has(nsds_simulation *simulation, unsigned kind) {
  const nsds_event_info *event = nsds_simulation_event(simulation);
  return event && event->kind & kind ? 1.0 : 0.0;
}

static double nonsmooth_of(nsds_simulation *simulation, void *none, int k) {
  (void)none, (void)k;
  return event_has(simulation, NSDS_EVENT_NONSMOOTH);
}

static double impact_of(nsds_simulation *simulation, void *none, int k) {
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
    {"t", RUN(time_of, "s", "time")},
    {"step", RUN(step_of, "1", "number of steps")},
    {"h", RUN(h_of, "s", "size of the last step"), .moment = of_interval},
    {"kinetic_energy", RUN(energy_of_all, "J", "kinetic energy of all systems")},
    {"active", RUN(active_of_all, "1", "interactions in the last problem"), .moment = of_interval},
    {"rows", RUN(rows_of_all, "1", "unknowns of the last problem"), .moment = of_interval},
    {"iterations", RUN(iterations_of, "1", "iterations of the solver"), .moment = of_interval},
    {"residual", RUN(residual_of, "1", "residual of the solution"), .moment = of_interval},
    {"newton_iterations", RUN(newton_iterations_of, "1", "Newton iterations of the last step"),
     .moment = of_interval},
    {"nonsmooth", RUN(nonsmooth_of, "1", "1 if the last event was nonsmooth (event-driven)")},
    {"impact", RUN(impact_of, "1", "1 if the last event was an impact (event-driven)")},

    {"q", SYSTEM, ENTRIES("nq", q_size, q_of), .unit_of = q_unit, .help = "coordinates"},
    {"v", SYSTEM, ENTRIES("nv", v_size, v_of), .unit_of = v_unit, .help = "velocities"},
    {"x", SYSTEM, ENTRIES("nx", x_size, x_of), .help = "state of a first-order system"},
    {"r", SYSTEM, ENTRIES("nx", x_size, r_of), .help = "input of a first-order system",
     .moment = of_multiplier},
    {"p", SYSTEM, ENTRIES("nv", v_size, p_of), .unit = "N s", .help = "impulse of all contacts",
     .moment = of_interval},
    {"force", SYSTEM, ENTRIES("nv", v_size, force_of), .unit = "N",
     .help = "force that holds a prescribed velocity", .moment = of_interval},
    {"normal_force", SYSTEM, .size_of = is_second, .read = normal_force_of, .unit = "N",
     .help = "sum of the normal forces of all contacts of a body", .moment = of_interval},
    {"kinetic_energy", SYSTEM, .size_of = is_second, .read = kinetic_energy_of, .unit = "J",
     .help = "kinetic energy of a system"},

    {"y", INTERACTION, .size = "size", .size_of = rows_of, .read = y_of,
     .help = "gap, or another output"},
    {"ydot", INTERACTION, .size = "size", .size_of = rows_of, .read = ydot_of, .help = "rate of y"},
    {"lambda", INTERACTION, ENTRIES("size", rows_of, lambda_of),
     .help = "force or another multiplier", .moment = of_multiplier},
    {"impulse", INTERACTION, ENTRIES("size", impulse_size, impulse_of), .unit = "N s",
     .help = "impulse of the last step", .moment = of_interval},
    {"active", INTERACTION, .read = active_of, .unit = "1",
     .help = "1 if the interaction took part in the last step", .moment = of_interval},
    {"angle", MEASURED(has_angle, angle_of, "rad", "angle of a joint, 0 at the start")},
    {"angular_velocity", MEASURED(has_angle, angular_velocity_of, "rad/s", "rate of the angle")},
    {"displacement", MEASURED(has_displacement, displacement_of, "m", "displacement of a joint")},
    {"velocity", MEASURED(has_displacement, velocity_of, "m/s", "rate of the displacement")},
    {"length", MEASURED(is_spring, length_of, "m", "length of a spring")},
    {"rate", MEASURED(is_spring, rate_of, "m/s", "rate of the length")},
    {"pull", MEASURED(is_spring, pull_of, "N", "pull of a spring")},
    {"energy", MEASURED(is_spring, energy_of, "J", "energy of a spring")},

    {"count", SET, .read = count_of, .unit = "1", .help = "number of contacts",
     .moment = of_interval},
    {"overlap", SET, .read = overlap_of, .unit = "m", .help = "deepest overlap",
     .moment = of_search},

    {"value", .owner = NSDS_OWNER_SENSOR, .size = "size", .size_of = sensor_size,
     .unit_of = sensor_unit, .read = sensed, .help = "values of a sensor", .moment = of_sensor},
    {NULL}};

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
static const nsds_model *model_of(nsds_owner owner, const nsds_simulation *simulation,
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
  const nsds_model *model = model_of(quantity->owner, simulation, object);
  if (!model || nsds_check_quiet(model, "nsds_quantity_read")) return NAN;
  if (k < 0 || k >= nsds_quantity_size(quantity, object)) return 0.0;
  if (quantity->read) return quantity->read(simulation, object, k);
  const double *array = quantity->array(object);
  return array ? array[k] : 0.0;
}
