/*
 * Values of sensors at the model's state. A frame has the point x + R d and the axes R A, where x, R
 * are center and rotation of the body, d and A the point and the axes in the body. With the angular
 * velocity w and its rate a' in the world
 *
 *     velocity   v + w x R d,   acceleration   dv/dt + a' x R d + w x (w x R d)
 *
 * The acceleration of a joint's coordinate is H dV/dt + d/dt(H) V.
 */
#include "kernel/sensing/sensor.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/contact_set.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/joint_bias.h"
#include "kernel/modeling/joint_coupler.h"
#include "kernel/modeling/joint_data.h"
#include "kernel/modeling/joint_kinds.h"
#include "kernel/modeling/joint_pose.h"
#include "kernel/modeling/rigid_body.h"
#include "kernel/modeling/rigid_body_2d.h"
#include "kernel/sensing/body_forces.h"
#include "kernel/sensing/zone.h"

#include <nsds/shapes.h>

static const char call[] = "nsds_sensor_read";

/* ---- frames -------------------------------------------------------------------------------------- */

/* The frame of a sensor in the world. */
typedef struct placed {
  const nsds_ds *body; /* NULL: the world */
  bool plane;
  double R[9], arm[3], point[3];     /* of the body; R d; x + R d */
  double axes[9], velocity[3], w[3]; /* of the frame; of the center; of the body */
} placed;

static void place_frame(const nsds_sensor *s, const nsds_ds *body, placed *f) {
  static const double none[nsds_body_nq] = {0.0};
  const nsds_state *now = &s->model->state;
  const double *q = body ? now->q + body->q_offset : NULL;
  *f = (placed){.body = body, .plane = body && !nsds_turns_in_space(body)};
  nsds_joint_place(f->plane, q, f->R, f->point);
  nsds_joint_twist(f->plane, body ? now->v + body->v_offset : none, f->R, f->velocity, f->w);
  nsds_turn(f->R, s->def.point, f->arm);
  for (int i = 0; i < 3; ++i) f->point[i] += f->arm[i];
  for (int j = 0; j < 3; ++j) nsds_turn(f->R, s->axes + 3 * j, f->axes + 3 * j);
}

/* Writes a vector of the world along the axes that the sensor has. */
static void write_vector(const placed *f, bool own, const double *vector, double *value) {
  if (own) nsds_turn_back(f->axes, vector, value);
  else nsds_copy_doubles(value, vector, 3);
}

static bool has_own_axes(const nsds_sensor *s) { return s->def.axes == NSDS_FRAME_BODY; }

static void sense_place(const nsds_sensor *s, const placed *f, double *value) {
  const double *q = s->model->state.q + f->body->q_offset;
  double in_plane[4] = {1.0, 0.0, 0.0, 0.0};
  if (f->plane) in_plane[0] = cos(0.5 * q[2]), in_plane[3] = sin(0.5 * q[2]);
  nsds_copy_doubles(value, f->point, 3);
  nsds_quaternion_product(f->plane ? in_plane : q + 3, s->def.quaternion, value + 3);
}

static void sense_motion(const nsds_sensor *s, const placed *f, double *value) {
  double velocity[3];
  nsds_cross(f->w, f->arm, velocity);
  for (int i = 0; i < 3; ++i) velocity[i] += f->velocity[i];
  write_vector(f, has_own_axes(s), velocity, value);
  write_vector(f, has_own_axes(s), f->w, value + 3);
}

/* Computes the acceleration of the point, and that of the angle, in the world. */
static nsds_status point_acceleration(const placed *f, double *a, double *turning) {
  double rates[nsds_body_nv], swept[3], inward[3];
  nsds_status status = nsds_body_acceleration(f->body, call, rates);
  if (status) return status;
  nsds_joint_twist(f->plane, rates, f->R, a, turning);
  nsds_cross(f->w, f->arm, swept);
  nsds_cross(f->w, swept, inward);
  nsds_cross(turning, f->arm, swept);
  for (int i = 0; i < 3; ++i) a[i] += swept[i] + inward[i];
  return NSDS_OK;
}

static nsds_status sense_acceleration(const nsds_sensor *s, const placed *f, double *value) {
  double a[3], turning[3];
  nsds_status status = point_acceleration(f, a, turning);
  if (status) return status;
  write_vector(f, has_own_axes(s), a, value);
  write_vector(f, has_own_axes(s), turning, value + 3);
  return NSDS_OK;
}

static void read_weight(const nsds_ds *body, double *mass, double gravity[3]) {
  double inertia[9];
  if (nsds_rigid_body_read(body, mass, inertia, gravity)) return;
  gravity[2] = 0.0;
  nsds_rigid_body_2d_read(body, mass, gravity);
}

static nsds_status sense_imu(const placed *f, double *value) {
  double a[3], turning[3], mass, gravity[3];
  nsds_status status = point_acceleration(f, a, turning);
  if (status) return status;
  read_weight(f->body, &mass, gravity);
  for (int i = 0; i < 3; ++i) a[i] -= gravity[i];
  write_vector(f, true, a, value);
  write_vector(f, true, f->w, value + 3);
  return NSDS_OK;
}

/* ---- joints -------------------------------------------------------------------------------------- */

/* Gathers coordinates, velocities and, if wanted, accelerations of the bodies of a joint. */
static nsds_status gather_bodies(const nsds_interaction *ia, double *q, double *v, double *a) {
  const nsds_state *now = &ia->model->state;
  nsds_status status = NSDS_OK;
  for (int k = 0; !status && k < ia->nds; ++k) {
    const nsds_ds *ds = ia->ds[k];
    nsds_copy_doubles(q, now->q + ds->q_offset, (size_t)ds->nq);
    nsds_copy_doubles(v, now->v + ds->v_offset, (size_t)ds->nv);
    status = nsds_body_acceleration(ds, call, a);
    q += ds->nq;
    v += ds->nv;
    a += ds->nv;
  }
  return status;
}

/* Computes H V. */
static nsds_status joint_rate(nsds_joint_data *joint, const nsds_arguments *in, double *rate) {
  double H[2 * nsds_body_nv];
  nsds_status status = nsds_joint_ops.gradient_v(joint, in, H);
  *rate = 0.0;
  for (int k = 0; !status && k < in->nv; ++k) *rate += H[k] * in->v[k];
  return status;
}

static nsds_status coordinate_acceleration(const nsds_interaction *ia, bool angle, double *second) {
  double q[2 * nsds_body_nq], v[2 * nsds_body_nv], a[2 * nsds_body_nv], bias = 0.0;
  nsds_joint_data joint = *ia->relation->joint;
  nsds_status status = gather_bodies(ia, q, v, a);
  if (status) return status;
  int bodies = joint.pair ? 2 : 1;
  nsds_arguments in = {
      .t = ia->model->state.t, .q = q, .v = v, .nq = bodies * joint.nq, .nv = bodies * joint.nv};
  joint.sign = 1.0;
  int row = angle ? nsds_joint_angle_row : nsds_joint_displacement_row;
  if (nsds_joint_is_kind(joint.kind)) joint.kind = (nsds_joint_kind)row, joint.rows = 1;
  status = nsds_joint_bias(&joint, &in, &bias);
  in.v = a;
  if (!status) status = joint_rate(&joint, &in, second);
  *second += bias;
  return status;
}

static nsds_status sense_joint(const nsds_sensor *s, double *value) {
  nsds_joint_motion motion;
  const nsds_interaction *ia = nsds_interaction_find(s->def.joint, call);
  if (!ia) return NSDS_ERROR_ARGUMENT;
  nsds_status status = nsds_joint_read(s->def.joint, &motion);
  bool angle = s->def.coordinate == NSDS_COORDINATE_ANGLE;
  double second = 0.0;
  if (!status) status = coordinate_acceleration(ia, angle, &second);
  if (status) return status;
  value[0] = angle ? motion.angle : motion.displacement;
  value[1] = angle ? motion.angular_velocity : motion.velocity;
  value[2] = second;
  return NSDS_OK;
}

/* ---- forces -------------------------------------------------------------------------------------- */

/* Returns true if an interaction is a joint, or acts on one, and has the same systems as another. */
static bool acts_on_joint(const nsds_interaction *ia, const nsds_interaction *joint) {
  if (!ia->relation->joint || ia->nds != joint->nds) return false;
  bool same = ia->ds[0] == joint->ds[0];
  if (ia->nds == 1) return same;
  return same ? ia->ds[1] == joint->ds[1] : ia->ds[0] == joint->ds[1] && ia->ds[1] == joint->ds[0];
}

/* Returns true if an interaction ties a rotor to a coordinate of a joint's bodies: their armature. */
static bool turns_rotor(const nsds_interaction *ia, const nsds_interaction *joint) {
  const nsds_coupler *c = nsds_joint_coupler_of(ia);
  if (!c || c->nterm != 2 || c->term[0].of_system || !c->term[1].of_system) return false;
  const nsds_coupled *term = &c->term[0];
  if (joint->nds != (term->joint.pair ? 2 : 1)) return false;
  for (int k = 0; k < joint->nds; ++k) {
    const nsds_ds *one = c->ds[term->system[k]];
    if (one != joint->ds[0] && (joint->nds == 1 || one != joint->ds[1])) return false;
  }
  return true;
}

/* Writes a load about the point of the frame. */
static void write_load(const nsds_sensor *s, const placed *f, const nsds_wrench *load,
                       double *value) {
  double moment[3];
  nsds_cross(load->force, f->arm, moment); /* minus arm x force */
  for (int i = 0; i < 3; ++i) moment[i] += load->moment[i];
  write_vector(f, has_own_axes(s), load->force, value);
  write_vector(f, has_own_axes(s), moment, value + 3);
}

static nsds_status sense_joint_force(const nsds_sensor *s, placed *f, double *value) {
  nsds_wrench sum = {{0.0}, {0.0}}, one;
  const nsds_interaction *joint = nsds_interaction_find(s->def.joint, call);
  if (!joint) return NSDS_ERROR_ARGUMENT;
  if (!s->def.ds) {
    double second[3];
    place_frame(s, joint->ds[0], f);
    nsds_status status = nsds_joint_points(s->def.joint, f->point, second);
    if (status) return status;
    const double *center = s->model->state.q + joint->ds[0]->q_offset;
    for (int i = 0; i < 3; ++i) f->arm[i] = i == 2 && f->plane ? 0.0 : f->point[i] - center[i];
  }
  for (size_t k = 0; k < s->model->interaction.count; ++k) {
    nsds_interaction *ia = s->model->interaction.item[k];
    if (!acts_on_joint(ia, joint) && !turns_rotor(ia, joint)) continue;
    nsds_status status = nsds_body_load_of(ia, f->body, &one);
    if (status) return status;
    for (int i = 0; i < 3; ++i) {
      sum.force[i] += one.force[i];
      sum.moment[i] += one.moment[i];
    }
  }
  write_load(s, f, &sum, value);
  return NSDS_OK;
}

static nsds_status sense_contact_force(const nsds_sensor *s, const placed *f, double *value) {
  nsds_wrench sum;
  if (s->def.set && !nsds_contact_set_alive(s->def.set, call)) return NSDS_ERROR_ARGUMENT;
  nsds_status status = nsds_body_contact_load(f->body, s->def.set, call, &sum);
  if (!status) write_load(s, f, &sum, value);
  return status;
}

/* Tells if the zone of a sensor has a contact of the body: always, or with a place. */
static nsds_status zone_has(const nsds_sensor *s, const placed *f, const nsds_contact_info *c,
                            bool *has) {
  double way[3], away[3], from[3];
  double outwards = nsds_ds_of(c->ds[0]) == f->body ? -1.0 : 1.0;
  *has = true;
  if (s->def.zone == NSDS_ZONE_ALL) return NSDS_OK;
  if (!c->located) return nsds_fail_contact_place(s->model->context, call);
  for (int i = 0; i < 3; ++i) {
    way[i] = outwards * c->normal[i];
    away[i] = c->point[i] - f->point[i];
  }
  nsds_turn_back(f->axes, away, from);
  nsds_turn_back(f->axes, way, away);
  *has = nsds_zone_meets(&s->def, from, away);
  return NSDS_OK;
}

static nsds_status sense_touch(const nsds_sensor *s, const placed *f, double *value) {
  if (s->def.set && !nsds_contact_set_alive(s->def.set, call)) return NSDS_ERROR_ARGUMENT;
  nsds_contact_iterator contacts = nsds_body_contacts(nsds_ds_handle(f->body));
  nsds_status status = NSDS_OK;
  double sum = 0.0;
  bool has;
  for (nsds_contact_info c; !status && nsds_next_contact(&contacts, &c);) {
    if ((s->def.set && c.set != s->def.set) || !(c.force[0] > 0.0)) continue;
    status = zone_has(s, f, &c, &has);
    if (!status && has) sum += c.force[0];
  }
  if (!status) *value = sum;
  return status;
}

/* ---- several bodies ------------------------------------------------------------------------------ */

static nsds_status sense_center(const nsds_sensor *s, double *value) {
  double sum[7] = {0.0}, mass = 0.0, gravity[3], R[9], x[3], v[3], w[3];
  for (int k = 0; k < s->def.count; ++k) {
    const nsds_ds *body = nsds_ds_find(s->def.bodies[k], call);
    if (!body) return NSDS_ERROR_ARGUMENT;
    bool plane = !nsds_turns_in_space(body);
    read_weight(body, &mass, gravity);
    nsds_joint_place(plane, s->model->state.q + body->q_offset, R, x);
    nsds_joint_twist(plane, s->model->state.v + body->v_offset, R, v, w);
    sum[6] += mass;
    for (int i = 0; i < 3; ++i) {
      sum[i] += mass * x[i];
      sum[3 + i] += mass * v[i];
    }
  }
  for (int i = 0; i < 6; ++i) value[i] = sum[i] / sum[6];
  return NSDS_OK;
}

static nsds_status sense_range(const nsds_sensor *s, const placed *f, double *value) {
  nsds_ray ray = {.length = s->def.most, .ignore = s->def.ds};
  nsds_shape_hit hit;
  nsds_copy_doubles(ray.origin, f->point, 3);
  nsds_turn(f->R, s->ray, ray.direction);
  nsds_status status = nsds_shapes_cast(s->def.set, 1, &ray, &hit);
  if (!status) *value = hit.shape >= 0 ? hit.distance : -1.0;
  return status;
}

/* ---- all ----------------------------------------------------------------------------------------- */

static nsds_status sense_kind(const nsds_sensor *s, placed *f, double *value) {
  switch (s->def.kind) {
  case NSDS_SENSOR_PLACE: sense_place(s, f, value); return NSDS_OK;
  case NSDS_SENSOR_MOTION: sense_motion(s, f, value); return NSDS_OK;
  case NSDS_SENSOR_ACCELERATION: return sense_acceleration(s, f, value);
  case NSDS_SENSOR_IMU: return sense_imu(f, value);
  case NSDS_SENSOR_JOINT: return sense_joint(s, value);
  case NSDS_SENSOR_JOINT_FORCE: return sense_joint_force(s, f, value);
  case NSDS_SENSOR_CONTACT_FORCE: return sense_contact_force(s, f, value);
  case NSDS_SENSOR_RANGE: return sense_range(s, f, value);
  case NSDS_SENSOR_TOUCH: return sense_touch(s, f, value);
  case NSDS_SENSOR_CENTER: return sense_center(s, value);
  }
  return NSDS_OK;
}

nsds_status nsds_sensor_read(nsds_sensor *sensor, double *value) {
  placed frame;
  if (!sensor || !value) return nsds_fail_null(NULL, call, sensor ? "value" : "sensor");
  if (nsds_check_quiet(sensor->model, call)) return NSDS_ERROR_STATE;
  const nsds_ds *body = sensor->def.ds ? nsds_ds_find(sensor->def.ds, call) : NULL;
  if (sensor->def.ds && !body) return NSDS_ERROR_ARGUMENT;
  place_frame(sensor, body, &frame);
  return sense_kind(sensor, &frame, value);
}
