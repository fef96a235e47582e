/* Calls that connect systems, and joints. */
#include "../kernel/any_joint.h"
#include "calls.h"

#include <math.h>
#include <string.h>

/* Systems that a relation can tie: of one order, or of both with those of first order before. */
group choose_group(scene *s) {
  group g = {0};
  thing *first = any_thing(s, SYSTEMS);
  if (!first) return g;
  thing *t[2] = {first, chance(40) ? any_thing(s, SYSTEMS) : NULL};
  if (t[1] == first && !odd(10)) t[1] = NULL;
  g.order = first->order;
  if (t[1] && t[1]->order != g.order) {
    g.order = 3;
    if (t[1]->order == 1) {
      t[0] = t[1];
      t[1] = first;
    }
  }
  g.body = first->body;
  for (int i = 0; i < 2 && t[i]; ++i) {
    g.ds[g.count++] = t[i]->object;
    g.nx += nsds_nx(t[i]->object);
    g.nq += nsds_nq(t[i]->object);
    g.nv += nsds_nv(t[i]->object);
    if (t[i]->body != g.body) g.body = ANY_SYSTEM;
  }
  return g;
}

scene *owner(scene *s, object_kind k, const void *object) {
  for (int m = 0; m < MODELS; ++m) {
    for (int i = 0; i < SLOTS; ++i) {
      if (fuzz.scenes[m].things[k][i].object == object) return &fuzz.scenes[m];
    }
  }
  return s;
}

static int choose_rows(const group *g) {
  if (g->body == SPACE_BODY) return chance(60) ? 3 : chance(50) ? 1 : 5;
  if (g->body == PLANE_BODY) return chance(60) ? 2 : chance(50) ? 1 : 3;
  return 1 + (int)pick(3);
}

static nsds_status connect(scene *s, nsds_model *model, nsds_relation *r, nsds_law *law, group *g) {
  if (odd(3)) g->ds[pick(2)] = argument(s, SYSTEMS);
  int nds = odd(3) ? (int)pick(3) : g->count;
  bool named = !chance(60);
  nsds_interaction *ia = MAKE(nsds_connect, model, r, law, nds, odd(2) ? NULL : g->ds);
  int nz = named && chance(30) ? number(1) : 0;
  if (named) CALL(nsds_interaction_set_name, ia, name());
  if (nz > 0) CALL(nsds_interaction_set_z, ia, nz, array(nz, -1.0, 1.0));
  keep(s, INTERACTIONS, (thing){.object = ia});
  return made(ia);
}

nsds_status call_connect(scene *s) {
  nsds_model *model = model_argument(&s);
  group g = choose_group(s);
  if (g.count == 0) return NSDS_OK;
  int ny = choose_rows(&g);
  nsds_relation *r = NULL;
  thing *old = chance(25) ? any_thing(s, RELATIONS) : NULL;
  if (old && ((old->order == g.order && old->n == g.nq + g.nx) || odd(10))) {
    r = old->object;
    ny = old->ny;
  } else {
    r = odd(2) ? argument(s, RELATIONS) : make_relation(s, model, &g, ny);
  }
  return connect(s, model, r, choose_law(s, model, ny, g.order == 3 ? 1 : g.order), &g);
}

nsds_status call_disconnect(scene *s) {
  nsds_interaction *ia = argument(s, INTERACTIONS);
  nsds_status status = CALL(nsds_disconnect, ia);
  if (!status) forget(owner(s, INTERACTIONS, ia), INTERACTIONS, ia);
  return status;
}

/* So that systems go now and then. */
static bool free_system(scene *s, const nsds_ds *ds) {
  bool freed = false;
  for (int i = 0; i < SLOTS; ++i) {
    nsds_interaction *ia = s->things[INTERACTIONS][i].object;
    bool part = false;
    for (int k = 0; ia && k < nsds_interaction_ds_count(ia); ++k)
      part = part || nsds_interaction_ds(ia, k) == ds;
    if (part && !CALL(nsds_disconnect, ia)) {
      forget(s, INTERACTIONS, ia);
      freed = true;
    }
    nsds_contact_set *set = s->things[SETS][i].object;
    if (set && nsds_shapes_of_body(set, ds, 0, NULL) > 0)
      freed = CALL(nsds_shapes_remove_body, set, ds) == NSDS_OK || freed;
  }
  return freed;
}

nsds_status call_ds_destroy(scene *s) {
  nsds_ds *ds = argument(s, SYSTEMS);
  scene *of = owner(s, SYSTEMS, ds);
  bool freed = ds && chance(60) && free_system(of, ds);
  nsds_status status = CALL(nsds_ds_destroy, ds);
  if (!status) forget(of, SYSTEMS, ds);
  return freed ? NSDS_OK : status; /* which says that something has changed */
}

/* 1 to 10: the joints, with the coordinates of joints before the gear; others as they are. */
static nsds_joint_kind kind_of_joint(int number) {
  if (number == 8 || number == 9) return number == 8 ? ANY_ANGLE : ANY_SLIDE;
  return (nsds_joint_kind)(number == 10 ? NSDS_JOINT_GEAR : number);
}

static any_joint_def choose_joint(scene *s, const group *g) {
  any_joint_def def = {.name = name(),
                       .kind = kind_of_joint(number(1 + (int)pick(10))),
                       .ds = {g->ds[0], g->ds[1], NULL},
                       .axis = {even(-1.0, 1.0), 1.0, real(-1.0, 1.0)},
                       .teeth = {number(10), number(20)},
                       .reversed = chance(30)};
  for (int i = 0; i < 3; ++i) {
    def.point[i] = real(-1.0, 1.0);
    def.other[i] = real(-1.0, 1.0);
  }
  if (chance(30)) def.length = real(0.1, 2.0);
  if (chance(30)) def.offset = real(-1.0, 1.0);
  if (chance(20)) def.D = real(1e-4, 1e-2);
  if (def.kind == NSDS_JOINT_GEAR && chance(30)) def.ds[2] = argument(s, SYSTEMS);
  if (odd(5)) memset(def.axis, 0, sizeof def.axis);
  return def;
}

static nsds_relation *make_joint(nsds_model *model, const any_joint_def *d) {
  if (d->kind != ANY_ANGLE && d->kind != ANY_SLIDE) {
    nsds_joint_def def = any_joint_itself(d);
    return MAKE(nsds_joint, model, odd(1) ? NULL : &def);
  }
  nsds_joint_coordinate_def def = any_joint_coordinate(d);
  return MAKE(nsds_joint_coordinate, model, odd(1) ? NULL : &def);
}

/* Of a joint: it may be held, limited, or rubbed. */
nsds_status call_joint(scene *s) {
  nsds_model *model = model_argument(&s);
  group g = choose_group(s);
  if (g.count == 0 || (g.body == ANY_SYSTEM && !odd(30))) return NSDS_OK;
  any_joint_def def = choose_joint(s, &g);
  nsds_relation *r = make_joint(model, &def);
  static const int rows[2][NSDS_JOINT_GEAR + 1] = {{1, 2, 2, 2, 1, 3, 1, 1, 1},
                                                   {1, 3, 5, 5, 4, 6, 1, 1, 1}};
  int kind_index = def.kind >= 1 && def.kind <= NSDS_JOINT_GEAR ? (int)def.kind : 0;
  int ny = rows[g.body == SPACE_BODY][kind_index];
  keep(s, RELATIONS, (thing){.object = r, .ny = ny, .order = 2, .n = g.nq, .body = g.body});
  nsds_law *law = chance(70) ? MAKE(nsds_equality, model) : choose_law(s, model, ny, 2);
  if (def.ds[2] && g.count < 3) g.ds[g.count++] = def.ds[2];
  return connect(s, model, r, law, &g);
}

static nsds_joint_coordinate_def choose_coordinate(const group *g) {
  nsds_joint_coordinate_def c = {.name = name(),
                                 .kind = (nsds_joint_coordinate_kind)number(1 + (int)pick(4)),
                                 .ds = {g->ds[0], g->count > 1 ? g->ds[1] : NULL},
                                 .point = {real(-1.0, 1.0), real(-1.0, 1.0), 0.0},
                                 .axis = {even(-1.0, 1.0), 1.0, real(-1.0, 1.0)},
                                 .reversed = chance(30),
                                 .offset = chance(30) ? real(-1.0, 1.0) : 0.0};
  if (odd(5)) memset(c.axis, 0, sizeof c.axis);
  return c;
}

static nsds_status couple(scene *s, nsds_model *model, const group *g) {
  nsds_joint_term term[3] = {{.coordinate = choose_coordinate(g), .weight = number(1)},
                             {.coordinate = choose_coordinate(g), .weight = real(-2.0, 2.0)},
                             {.weight = 1.0, .index = odd(10) ? number(1) : 0}};
  term[2].coordinate.kind = NSDS_COORDINATE_OF_SYSTEM;
  term[2].coordinate.ds[0] = argument(s, SYSTEMS);
  nsds_joint_couple_def def = {
      .name = name(), .nterm = number(1 + (int)pick(3)), .term = odd(3) ? NULL : term};
  if (def.nterm > 3) def.nterm = 9; /* refused before they are read */
  nsds_interaction *ia = MAKE(nsds_joint_couple, model, odd(1) ? NULL : &def);
  keep(s, INTERACTIONS, (thing){.object = ia});
  return made(ia);
}

static nsds_status act(scene *s, nsds_model *model, const group *g) {
  nsds_joint_act_def def = {.coordinate = choose_coordinate(g),
                            .stiffness = chance(40) ? real(0.0, 1e3) : 0.0,
                            .damping = chance(40) ? real(0.0, 10.0) : 0.0,
                            .friction = chance(40) ? real(0.0, 2.0) : 0.0,
                            .armature = chance(30) ? real(0.0, 2.0) : 0.0,
                            .lower = chance(40) ? real(-3.0, 0.0) : 0.0,
                            .upper = chance(40) ? real(0.0, 3.0) : 0.0,
                            .restitution = chance(30) ? real(0.0, 1.0) : 0.0,
                            .stop_stiffness = chance(30) ? real(0.0, 1e4) : 0.0,
                            .driven = chance(60),
                            .drive_stiffness = real(0.0, 1e5),
                            .drive_damping = real(0.0, 1e3),
                            .target = real(-9.0, 9.0),
                            .most = chance(50) ? real(0.0, 20.0) : 0.0};
  nsds_joint_actions a = {0};
  nsds_status status = CALL(nsds_joint_act, model, odd(1) ? NULL : &def, odd(3) ? NULL : &a);
  nsds_interaction *parts[] = {a.spring, a.drive, a.friction, a.lower, a.upper, a.armature};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k)
    if (parts[k]) keep(s, INTERACTIONS, (thing){.object = parts[k]});
  if (a.rotor) keep(s, SYSTEMS, (thing){.object = a.rotor, .order = 2, .n = 1});
  return status;
}

/* Drives and other parts of joints, made, set and read. */
nsds_status call_act(scene *s) {
  nsds_interaction *old = argument(s, INTERACTIONS);
  nsds_joint_drive_motion motion;
  if (chance(20)) return CALL(nsds_joint_drive_read, old, odd(10) ? NULL : &motion);
  if (chance(20))
    return CALL(nsds_joint_drive_set, old, real(-9.0, 9.0), odd(10) ? NAN : 0.0, real(-1.0, 1.0));
  if (chance(10)) MAKE(nsds_interaction_relation, old);
  nsds_model *model = model_argument(&s);
  group g = choose_group(s);
  if (g.count == 0 || (g.body == ANY_SYSTEM && !odd(30))) return NSDS_OK;
  if (chance(25)) return couple(s, model, &g);
  if (chance(50)) return act(s, model, &g);
  nsds_joint_drive_def def = {.coordinate = choose_coordinate(&g),
                              .stiffness = real(0.0, 1e4),
                              .damping = real(0.0, 1e2),
                              .target = real(-9.0, 9.0),
                              .passive = chance(40)};
  nsds_relation *r = MAKE(nsds_joint_drive, model, &def);
  if (!r) return NSDS_ERROR_ARGUMENT;
  return connect(s, model, r, choose_law(s, model, 1, 1), &g);
}

/* A tree is made, asked and destroyed. */
nsds_status call_tree(scene *s) {
  enum { most = 7 * SLOTS, body = 3 };
  static double q[most], u[most], to[most * most], place[most], twist[most];
  nsds_model *model = model_argument(&s);
  nsds_tree *tree = MAKE(nsds_tree_create, model);
  int n = (int)READ(nsds_tree_size, tree);
  nsds_tree_body b;
  nsds_tree_sums sums;
  CALL(nsds_tree_at, tree, odd(10) ? number(0) : n - 1, odd(3) ? NULL : &b);
  MAKE(nsds_tree_left, tree, odd(10) ? number(0) : 0);
  READ(nsds_tree_nq, tree);
  if (n > SLOTS || !tree) {
    CALL(nsds_tree_get_state, NULL, q, u);
    nsds_tree_destroy(tree);
    return made(tree);
  }
  nsds_status status = CALL(nsds_tree_get_state, tree, q, u);
  if (odd(5)) q[0] = NAN;
  for (int k = 0; k < READ(nsds_tree_nu, tree); ++k) twist[k] = real(-1.0, 1.0);
  CALL(nsds_tree_mass, tree, q, odd(3) ? NULL : to);
  CALL(nsds_tree_bias, tree, q, u, place);
  CALL(nsds_tree_inverse, tree, q, u, twist, place);
  CALL(nsds_tree_dynamics, tree, q, u, odd(30) ? NULL : place, twist);
  CALL(nsds_tree_jacobian, tree, q, odd(5) ? number(body) : 0, NULL, to);
  CALL(nsds_tree_sum, tree, q, odd(30) ? NULL : u, &sums);
  CALL(nsds_tree_forward, tree, q, u, place, chance(50) ? twist : NULL);
  if (chance(30)) status = CALL(nsds_tree_set_state, tree, q, chance(50) ? u : NULL);
  nsds_tree_destroy(tree);
  return status;
}

/* A sensor is made, read, found and sometimes destroyed. Models keep some to their end. */
nsds_status call_sensor(scene *s) {
  nsds_model *model = model_argument(&s);
  nsds_sensor_def def = {.name = name(),
                         .kind = (nsds_sensor_kind)number(1 + (int)pick(8)),
                         .ds = argument(s, SYSTEMS),
                         .joint = argument(s, INTERACTIONS),
                         .set = chance(60) ? argument(s, SETS) : NULL,
                         .point = {real(-1.0, 1.0), 0.0, real(-1.0, 1.0)},
                         .axes = (nsds_frame)number((int)pick(2)),
                         .coordinate = (nsds_joint_coordinate_kind)number((int)pick(3)),
                         .most = chance(30) ? real(0.0, 9.0) : 0.0};
  double value[7];
  for (int k = 0; chance(50) && k < 4; ++k) def.quaternion[k] = real(-1.0, 1.0);
  nsds_sensor *sensor = MAKE(nsds_sensor_create, model, odd(1) ? NULL : &def);
  int count = (int)READ(nsds_sensor_count, model);
  if (!sensor && chance(50)) sensor = MAKE(nsds_sensor_at, model, odd(10) ? number(1) : count - 1);
  if (READ(nsds_sensor_size, sensor) > 7) abort();
  MAKE(nsds_sensor_unit, sensor, number((int)pick(7)));
  MAKE(nsds_sensor_name, sensor);
  MAKE(nsds_sensor_find, model, name());
  nsds_status status = CALL(nsds_sensor_read, sensor, odd(3) ? NULL : value);
  if (count > SLOTS || chance(30)) DO(nsds_sensor_destroy, sensor);
  return status;
}

/* A rollout of a few steps under a control. */
nsds_status call_rollout(scene *s) {
  static double states[64 * SLOTS], values[8];
  nsds_simulation *simulation = argument(s, SIMULATIONS);
  nsds_rollout_control control = {argument(s, INTERACTIONS), (nsds_drive_setting)number(pick(3))};
  nsds_model *model = model_argument(&s);
  int steps = (int)pick(8), size = (int)READ(nsds_rollout_size, model), done;
  for (int k = 0; k < 8; ++k) values[k] = real(-2.0, 2.0);
  nsds_rollout_def def = {.steps = odd(5) ? -1 : steps,
                          .ncontrol = chance(50),
                          .control = &control,
                          .controls = odd(10) ? NULL : values};
  if (size > 0 && size <= 64 * SLOTS) CALL(nsds_rollout_state, model, states);
  nsds_status status = CALL(nsds_rollout, simulation, odd(2) ? NULL : &def, &done);
  fuzz.changed = fuzz.changed || def.steps > 0; /* by steps and controls before a failure */
  return status;
}

nsds_status call_spring(scene *s) {
  nsds_interaction *old = argument(s, INTERACTIONS);
  nsds_spring_motion motion;
  if (chance(30)) return CALL(nsds_spring_read, old, odd(10) ? NULL : &motion);
  nsds_model *model = model_argument(&s);
  group g = choose_group(s);
  nsds_spring_def def = {.name = name(),
                         .ds = {g.ds[0], g.count > 1 && chance(70) ? g.ds[1] : NULL},
                         .coordinates = g.body == ANY_SYSTEM ? !odd(10) : chance(20),
                         .coordinate = {odd(10) ? number(1) : 0, odd(10) ? number(1) : 0},
                         .stiffness = chance(70) ? real(0.0, 20.0) : 0.0,
                         .damping = chance(60) ? real(0.0, 1.0) : 0.0};
  for (int i = 0; i < 3; ++i) {
    def.point[i] = real(-1.0, 1.0);
    def.other[i] = real(-1.0, 1.0);
  }
  if (chance(50)) def.rest = NSDS_REST_LENGTH, def.length = real(0.0, 1.0);
  nsds_relation *r = MAKE(nsds_spring, model, &def);
  if (!r) return NSDS_ERROR_ARGUMENT;
  group of = g;
  of.count = def.ds[1] ? 2 : 1;
  return connect(s, model, r, choose_law(s, model, 1, 1), &of);
}
