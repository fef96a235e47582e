/* Calls that read and evaluate: models, simulations, contact sets. */
#include "calls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 4 };

/* Reads all n values, so that a sanitizer sees where they end. */
static double sum(const double *values, int n) {
  double total = 0.0;
  for (int i = 0; values && i < n; ++i) total += values[i];
  return total;
}

static double read_text(const char *text) { return text ? (double)strlen(text) : 0.0; }

static volatile double ignored;

nsds_status call_read_systems(scene *s) {
  nsds_ds *ds = argument(s, SYSTEMS);
  int nq = (int)READ(nsds_nq, ds), nv = (int)READ(nsds_nv, ds), nx = (int)READ(nsds_nx, ds);
  double total = sum(MAKE(nsds_q, ds), nq) + sum(MAKE(nsds_v, ds), nv) + sum(MAKE(nsds_p, ds), nv);
  total += sum(MAKE(nsds_prescribed_force, ds), nv) + sum(MAKE(nsds_x, ds), nx) +
           sum(MAKE(nsds_r, ds), nx);
  const double *z = MAKE(nsds_ds_z, ds);
  total += z ? z[0] : 0.0;
  total += read_text(MAKE(nsds_ds_name, ds));
  READ(nsds_ds_index, ds);
  DO(nsds_ds_describe, ds);
  DO(nsds_ds_point, ds, real(0.0, 1.0), nsds_q(ds), nx ? nsds_x(ds) : nsds_v(ds));
  nsds_model *model = model_argument(&s);
  READ(nsds_ds_count, model);
  MAKE(nsds_ds_at, model, odd(20) ? number(0) : (int)pick(4));
  double body[3] = {0.1, 0.2, 0.3}, there[3];
  if (nq == 7) {
    DO(nsds_to_world, nsds_q(ds), body, there);
    DO(nsds_to_body, nsds_q(ds), there, body);
    total += sum(body, 3);
  }
  ignored = total;
  return NSDS_OK;
}

nsds_status call_read_interactions(scene *s) {
  nsds_interaction *ia = argument(s, INTERACTIONS);
  int n = (int)READ(nsds_interaction_size, ia);
  double total = sum(MAKE(nsds_y, ia), n) + sum(MAKE(nsds_ydot, ia), n);
  total += sum(MAKE(nsds_impulse, ia), n);
  total += sum(MAKE(nsds_lambda, ia), n) + READ(nsds_is_active, ia);
  total += read_text(MAKE(nsds_interaction_name, ia));
  const double *z = MAKE(nsds_interaction_z, ia);
  total += z ? z[0] : 0.0;
  z = MAKE(nsds_relation_z, argument(s, RELATIONS));
  total += z ? z[0] : 0.0;
  nsds_interaction *linked[FEW] = {0};
  int capacity = odd(10) ? (int)pick(2) - 1 : FEW;
  int count = (int)READ(nsds_linked_interactions, ia, capacity, capacity > 0 ? linked : NULL);
  for (int i = 0; i < count && i < capacity; ++i) total += nsds_interaction_size(linked[i]);
  READ(nsds_interaction_ds_count, ia);
  MAKE(nsds_interaction_ds, ia, odd(20) ? number(0) : (int)pick(3));
  nsds_model *model = model_argument(&s);
  READ(nsds_interaction_count, model);
  MAKE(nsds_interaction_at, model, odd(20) ? number(0) : (int)pick(4));
  nsds_joint_motion motion;
  if (!CALL(nsds_joint_read, ia, odd(3) ? NULL : &motion)) total += motion.angle + motion.velocity;
  double first[3], second[3];
  if (!CALL(nsds_joint_points, ia, odd(3) ? NULL : first, second)) total += first[0] + second[0];
  ignored = total;
  return NSDS_OK;
}

nsds_status call_read_sets(scene *s) {
  nsds_model *model = model_argument(&s);
  READ(nsds_model_contact_set_count, model);
  MAKE(nsds_model_contact_set_at, model, odd(20) ? number(0) : (int)pick(4));
  nsds_contact_set *set = argument(s, SETS);
  int count = (int)READ(nsds_contact_set_count, set);
  int k = odd(20) ? number(0) : (int)pick(4);
  nsds_contact_info info;
  nsds_status status = CALL(nsds_contact_set_get, set, k, odd(3) ? NULL : &info);
  if (!status) {
    if (k < 0 || k >= count) finding("contact %d of %d is there", k, count);
    ignored = info.y[0] + info.ydot[0] + info.impulse[0] + info.force[0];
  }
  return NSDS_OK;
}

static double read_shape(const nsds_shape_info *shape) {
  double total = sum(shape->vertex, 3 * shape->nvertex) + shape->radius + nsds_nv(shape->ds);
  for (int i = 0; shape->nface > 0 && i < shape->first[shape->nface]; ++i) {
    int v = shape->face[i];
    if (v < 0 || v >= shape->nvertex) finding("vertex %d of %d", v, shape->nvertex);
  }
  for (int i = 0; i < 4; ++i) total += shape->world_quaternion[i];
  return total;
}

nsds_status call_read_shapes(scene *s) {
  nsds_contact_set *set = argument(s, SETS);
  nsds_shape_info shape;
  int count = (int)READ(nsds_shapes_count, set), listed[FEW];
  if (!CALL(nsds_shapes_at, set, odd(20) ? number(0) : 0, odd(3) ? NULL : &shape))
    ignored = read_shape(&shape);
  for (int k = 0; k < count; ++k) {
    if (CALL(nsds_shapes_at, set, k, &shape)) finding("shape %d of %d is not there", k, count);
    else ignored = read_shape(&shape);
  }
  CALL(nsds_shapes_get, set, odd(10) ? number(0) : (int)pick(6), odd(3) ? NULL : &shape);
  nsds_ray ray = {.direction = {odd(20) ? number(0) : 1.0, number(0), 0.5},
                  .ignore = odd(3) ? argument(s, SYSTEMS) : NULL};
  nsds_shape_hit hit;
  nsds_shape_gap gap;
  CALL(nsds_shapes_cast, set, odd(20) ? (int)pick(3) - 1 : 1, &ray, odd(20) ? NULL : &hit);
  CALL(nsds_shapes_nearest, set, ray.direction, odd(5) ? number(0) : 0.0, ray.ignore, &hit);
  CALL(nsds_shapes_gap, set, (int)pick(6), (int)pick(6), &gap);
  int capacity = odd(10) ? (int)pick(2) - 1 : FEW;
  READ(nsds_shapes_in_ball, set, ray.direction, number(0), ray.ignore, capacity,
       capacity > 0 ? listed : NULL);
  READ(nsds_shapes_of_body, set, argument(s, SYSTEMS), capacity, capacity > 0 ? listed : NULL);
  return NSDS_OK;
}

static double read_contact(const nsds_contact_info *c) {
  double total = sum(c->y, c->rows) + sum(c->ydot, c->rows) + sum(c->impulse, c->rows);
  total += sum(c->force, c->rows) + nsds_nv(c->ds[0]) + nsds_nv(c->ds[1]);
  if (!c->located && c->world_force[0] != 0.0) finding("a force of a contact without a place");
  for (int i = 0; c->located && i < 3; ++i)
    if (!isfinite(c->point[i]) || !(fabs(c->normal[i]) <= 1.1)) finding("a contact is nowhere");
  return total + c->world_force[0] + c->world_moment[2];
}

nsds_status call_read_contacts(scene *s) {
  nsds_contact_info contact;
  double total = 0.0;
  if (!CALL(nsds_interaction_contact, argument(s, INTERACTIONS), odd(3) ? NULL : &contact))
    total += read_contact(&contact);
  nsds_contact_set *set = argument(s, SETS);
  nsds_ds *ds = argument(s, SYSTEMS);
  nsds_model *model = model_argument(&s);
  nsds_contact_iterator at = {0};
  switch (pick(3)) {
  case 0: at = nsds_set_contacts(set); break;
  case 1: at = nsds_body_contacts(ds); break;
  default: at = nsds_model_contacts(model); break;
  }
  while (READ(nsds_next_contact, odd(20) ? NULL : &at, odd(20) ? NULL : &contact) != 0.0)
    total += read_contact(&contact);
  ignored = total;
  return NSDS_OK;
}

static double read_event(const nsds_event_info *event) {
  double total = 0.0;
  for (int i = 0; event && i < event->count; ++i) {
    const nsds_event_row *row = &event->row[i];
    total += row->impulse + row->ydot_after + row->row;
  }
  return total;
}

nsds_status call_read_simulation(scene *s) {
  nsds_simulation *simulation = argument(s, SIMULATIONS);
  const nsds_step_info *info = MAKE(nsds_simulation_info, simulation);
  if (simulation && !info) finding("no report of a simulation");
  const nsds_problem *problem = MAKE(nsds_simulation_problem, simulation);
  double total = sum(MAKE(nsds_simulation_solution, simulation), problem ? problem->n : 0);
  total += problem ? sum(problem->q, problem->n) : 0.0;
  nsds_ds *ds = argument(s, SYSTEMS);
  total += sum(MAKE(nsds_simulation_displacement, simulation, ds), ds ? nsds_nv(ds) : 0);
  total += read_event(MAKE(nsds_simulation_event, simulation));
  total += READ(nsds_time, simulation) + READ(nsds_step_count, simulation);
  READ(nsds_event_ahead, simulation);
  READ(nsds_event_next, simulation);
  nsds_adaptive_stage stage[2];
  int stages = (int)READ(nsds_adaptive_stages, simulation, stage);
  for (int k = 0; k < stages; ++k) total += sum(stage[k].x, 1) + stage[k].weight;
  READ(nsds_adaptive_is_on, simulation, number((int)pick(3)));
  const nsds_adaptive_info *counters = MAKE(nsds_simulation_adaptive, simulation);
  total += counters ? (double)counters->steps : 0.0;
  if (chance(50)) READ(nsds_simulation_velocity_error, simulation);
  MAKE(nsds_simulation_solver, simulation);
  ignored = total;
  return NSDS_OK;
}

/* Reads an entry of any row of the table, of an object of its owner. */
static nsds_status read_quantity(scene *s) {
  static const int kinds[] = {SIMULATIONS, SYSTEMS, INTERACTIONS, SETS};
  const nsds_quantity *q = noted_pointer(F_nsds_quantity_table, nsds_quantity_table());
  for (int k = (int)pick(30); k > 0; --k) ++q;
  if (q->owner == NSDS_OWNER_SENSOR) return NSDS_OK;
  if (MAKE(nsds_quantity_find, q->owner, q->name) != q) abort();
  void *object = q->owner == NSDS_OWNER_RUN ? NULL : argument(s, kinds[q->owner]);
  int n = object || q->owner == NSDS_OWNER_RUN ? (int)READ(nsds_quantity_size, q, object) : 0;
  nsds_simulation *simulation = argument(s, SIMULATIONS);
  for (int k = 0; k < n && k < 8; ++k) {
    MAKE(nsds_quantity_unit, q, object, k);
    READ(nsds_quantity_moment, q, simulation, object, k);
    READ(nsds_quantity_read, q, simulation, object, number(k));
  }
  return NSDS_OK;
}

nsds_status call_evaluate(scene *s) {
  switch (pick(4)) {
  case 3: return read_quantity(s);
  case 0: return READ(nsds_kinetic_energy, argument(s, SYSTEMS)), NSDS_OK;
  case 1:
    READ(nsds_relative_degree, argument(s, INTERACTIONS), odd(20) ? number(0) : 0, real(0.0, 1e-9));
    return NSDS_OK;
  default: break;
  }
  nsds_jacobian_report report;
  return CALL(nsds_check_jacobians, model_argument(&s), real(0.0, 1.0), real(0.0, 1e-2),
              chance(50) ? &report : NULL);
}
