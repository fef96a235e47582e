/*
 * Quantities of a running model by name, see model_quantities.h. A quantity is an object's name, a
 * point and a property with the place of an entry: "ball.q[0]". All quantities that are used are read into
 * a table at once, and expressions refer to places of the table.
 */
#include "run/model/model_quantities.h"

#include "base/text/number.h"
#include "run/expression/expression_program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum property {
  Q,
  V,
  X,
  R,
  P,
  FORCE,
  NORMAL_FORCE,
  KINETIC,
  PARAMETER,
  Y,
  YDOT,
  LAMBDA,
  IMPULSE,
  ACTIVE,
  ANGLE,
  ANGULAR_VELOCITY,
  DISPLACEMENT,
  VELOCITY,
  LENGTH,
  RATE,
  PULL,
  ENERGY,
  COUNT,
  OVERLAP,
  SENSOR,
  SENSED_FORCE,
  TIME,
  STEP,
  STEP_SIZE,
  ALL_KINETIC,
  ALL_ACTIVE,
  ROWS,
  ITERATIONS,
  RESIDUAL,
  NONSMOOTH,
  IMPACT
} property;

typedef struct quantity quantity;
struct quantity {
  const char *name, *unit;
  const nsds_named *named;
  property what;
  int k;
  double value, now, old; /* shown, of the last refresh, of the one before */
  quantity *before;
};

struct nsds_observed {
  const nsds_program *program; /* NULL: a number */
  double number;
  const char *unit;
  bool holds;
};

struct nsds_quantities {
  nsds_model_file *file;
  quantity *last;
  bool found_held;       /* a name of the last expression is held */
  bool went;             /* an interval is over */
  nsds_expressions read; /* the expression that is read */
};

/* A property of a kind of objects. */
typedef struct property_row {
  unsigned kinds; /* of objects; 0: of the run */
  const char *name;
  bool numbered;
  property what;
  const char *unit;
} property_row;

static const property_row rows[] = {
    {NSDS_NAMED_SYSTEM, "q", true, Q, ""},
    {NSDS_NAMED_SYSTEM, "v", true, V, ""},
    {NSDS_NAMED_SYSTEM, "x", true, X, ""},
    {NSDS_NAMED_SYSTEM, "r", true, R, ""},
    {NSDS_NAMED_SYSTEM, "p", true, P, "N s"},
    {NSDS_NAMED_SYSTEM, "force", true, FORCE, "N"},
    {NSDS_NAMED_SYSTEM, "normal_force", false, NORMAL_FORCE, "N"},
    {NSDS_NAMED_SYSTEM, "kinetic_energy", false, KINETIC, "J"},
    {NSDS_NAMED_INTERACTION, "y", true, Y, ""},
    {NSDS_NAMED_INTERACTION, "ydot", true, YDOT, ""},
    {NSDS_NAMED_INTERACTION, "lambda", true, LAMBDA, ""},
    {NSDS_NAMED_INTERACTION, "impulse", true, IMPULSE, "N s"},
    {NSDS_NAMED_INTERACTION, "active", false, ACTIVE, "1"},
    {NSDS_NAMED_INTERACTION, "angle", false, ANGLE, "rad"},
    {NSDS_NAMED_INTERACTION, "angular_velocity", false, ANGULAR_VELOCITY, "rad/s"},
    {NSDS_NAMED_INTERACTION, "displacement", false, DISPLACEMENT, "m"},
    {NSDS_NAMED_INTERACTION, "velocity", false, VELOCITY, "m/s"},
    {NSDS_NAMED_INTERACTION, "length", false, LENGTH, "m"},
    {NSDS_NAMED_INTERACTION, "rate", false, RATE, "m/s"},
    {NSDS_NAMED_INTERACTION, "pull", false, PULL, "N"},
    {NSDS_NAMED_INTERACTION, "energy", false, ENERGY, "J"},
    {NSDS_NAMED_SET, "count", false, COUNT, "1"},
    {NSDS_NAMED_SET, "overlap", false, OVERLAP, "m"},
    {NSDS_NAMED_SENSOR, "value", true, SENSOR, ""},
    {0, "t", false, TIME, "s"},
    {0, "step", false, STEP, "1"},
    {0, "h", false, STEP_SIZE, "s"},
    {0, "kinetic_energy", false, ALL_KINETIC, "J"},
    {0, "active", false, ALL_ACTIVE, "1"},
    {0, "rows", false, ROWS, "1"},
    {0, "iterations", false, ITERATIONS, "1"},
    {0, "residual", false, RESIDUAL, "1"},
    {0, "nonsmooth", false, NONSMOOTH, "1"},
    {0, "impact", false, IMPACT, "1"}};

enum { nrows = sizeof rows / sizeof *rows };

/* ---- sizes and values ---- */

static bool is_joint(const nsds_named *n) {
  static const char *const types[] = {"hinge", "prismatic", "cylindrical", "joint_coordinate",
                                      "joint_drive"};
  for (size_t k = 0; k < sizeof types / sizeof *types; ++k)
    if (strcmp(n->schema->type, types[k]) == 0) return true;
  return false;
}

/* A motion that the joint prevents is no quantity of it. */
static bool joint_turns(const nsds_named *n) {
  return is_joint(n) && strcmp(n->schema->type, "prismatic") != 0;
}
static bool joint_slides(const nsds_named *n) {
  return is_joint(n) && strcmp(n->schema->type, "hinge") != 0;
}

static bool is_spring(const nsds_named *n) { return strstr(n->schema->type, "spring") != NULL; }

/* Returns true for values of intervals of time: forces, and numbers of the report of a step. None
 * is known before the first interval. Adaptive simulation has r and lambda at each time. */
static bool is_of_interval(const nsds_model_file *file, property what) {
  switch (what) {
  case R:
  case LAMBDA: return !nsds_simulation_adaptive(file->simulation);
  case P:
  case FORCE:
  case NORMAL_FORCE:
  case IMPULSE:
  case ACTIVE:
  case COUNT:
  case SENSED_FORCE:
  case STEP_SIZE:
  case ALL_ACTIVE:
  case ROWS:
  case ITERATIONS:
  case RESIDUAL: return true;
  default: return false;
  }
}

/* Returns true for values that stay over an interval, and jump between intervals. The overlap does
 * not, but none is known before contacts have been searched. */
static bool is_held(const nsds_model_file *file, property what) {
  return is_of_interval(file, what) || what == PARAMETER || what == OVERLAP;
}

/* How many numbers a property of an object has. */
static int size_of(const nsds_named *n, property what) {
  switch (what) {
  case Q: return n->second_order ? nsds_nq(n->ds) : 0;
  case V:
  case P:
  case FORCE: return n->second_order ? nsds_nv(n->ds) : 0;
  case NORMAL_FORCE:
  case KINETIC: return n->second_order;
  case X:
  case R: return nsds_nx(n->ds);
  case Y:
  case YDOT:
  case LAMBDA: return nsds_interaction_size(n->interaction);
  case IMPULSE: return nsds_impulse(n->interaction) ? nsds_interaction_size(n->interaction) : 0;
  case ANGLE:
  case ANGULAR_VELOCITY: return joint_turns(n);
  case DISPLACEMENT:
  case VELOCITY: return joint_slides(n);
  case LENGTH:
  case RATE:
  case PULL:
  case ENERGY: return is_spring(n);
  case SENSOR: return nsds_sensor_size(n->sensor);
  default: return 1;
  }
}

static double joint_value(const nsds_named *n, property what) {
  nsds_joint_motion m;
  if (nsds_joint_read(n->interaction, &m)) return NAN;
  return what == ANGLE              ? m.angle
         : what == ANGULAR_VELOCITY ? m.angular_velocity
         : what == DISPLACEMENT     ? m.displacement
                                    : m.velocity;
}

static double spring_value(const nsds_named *n, property what) {
  nsds_spring_motion m;
  if (nsds_spring_read(n->interaction, &m)) return NAN;
  return what == LENGTH ? m.length : what == RATE ? m.rate : what == PULL ? m.pull : m.energy;
}

static double deepest_overlap(const nsds_contact_set *set) {
  double depth = 0.0;
  nsds_contact_info c;
  for (int k = 0; k < nsds_contact_set_count(set); ++k)
    if (nsds_contact_set_get(set, k, &c) == NSDS_OK && -c.y[0] > depth) depth = -c.y[0];
  return depth;
}

/* The sum of the normal forces of all contacts of a body. */
static double normal_force(const nsds_ds *body) {
  double sum = 0.0;
  nsds_contact_iterator contacts = nsds_body_contacts(body);
  for (nsds_contact_info c; nsds_next_contact(&contacts, &c);)
    if (c.force) sum += c.force[0];
  return sum;
}

static double all_kinetic(const nsds_model *model) {
  double sum = 0.0;
  for (int k = 0; k < nsds_ds_count(model); ++k)
    if (nsds_nq(nsds_ds_at(model, k)) > 0) sum += nsds_kinetic_energy(nsds_ds_at(model, k));
  return sum;
}

enum { most_sensed = 7 }; /* values of a sensor */

/* Rays are not cast between the stages of a step, where only forces are asked for. */
static double sensor_value(const nsds_model_file *file, const quantity *q) {
  double value[most_sensed];
  nsds_status status = nsds_sensor_read(q->named->sensor, value);
  if (status == NSDS_ERROR_STATE) nsds_error_clear(file->context);
  return status ? q->now : value[q->k];
}

static const double *array_of(const nsds_named *n, property what) {
  switch (what) {
  case Q: return nsds_q(n->ds);
  case V: return nsds_v(n->ds);
  case X: return nsds_x(n->ds);
  case R: return nsds_r(n->ds);
  case P: return nsds_p(n->ds);
  case FORCE: return nsds_prescribed_force(n->ds);
  case PARAMETER:
    if (n->kind == NSDS_NAMED_SYSTEM) return nsds_ds_z(n->ds);
    if (n->kind == NSDS_NAMED_RELATION) return n->relation ? nsds_relation_z(n->relation) : NULL;
    return nsds_relation_z(n->own_relation);
  case Y: return nsds_y(n->interaction);
  case YDOT: return nsds_ydot(n->interaction);
  case LAMBDA: return nsds_lambda(n->interaction);
  case IMPULSE: return nsds_impulse(n->interaction);
  default: return NULL;
  }
}

/* A quantity of the run: of the last step or event. */
static double run_value(const nsds_model_file *file, property what) {
  nsds_simulation *s = file->simulation;
  const nsds_step_info *info = nsds_simulation_info(s);
  const nsds_event_info *event = nsds_simulation_event(s);
  switch (what) {
  case TIME: return nsds_time(s);
  case STEP: return (double)nsds_step_count(s);
  case STEP_SIZE: return info ? info->h : 0.0;
  case ALL_KINETIC: return all_kinetic(file->model);
  case ALL_ACTIVE: return info ? info->active : 0;
  case ROWS: return info ? info->rows : 0;
  case ITERATIONS: return info ? info->solver.iterations : 0;
  case RESIDUAL: return info ? info->solver.residual : 0.0;
  case NONSMOOTH: return event && event->kind & NSDS_EVENT_NONSMOOTH ? 1.0 : 0.0;
  default: return event && event->kind & NSDS_EVENT_IMPACT ? 1.0 : 0.0;
  }
}

static double quantity_value(const nsds_model_file *file, const quantity *q) {
  if (q->what >= TIME) return run_value(file, q->what);
  if (q->what >= ANGLE && q->what <= VELOCITY) return joint_value(q->named, q->what);
  if (q->what >= LENGTH && q->what <= ENERGY) return spring_value(q->named, q->what);
  if (q->what == NORMAL_FORCE) return normal_force(q->named->ds);
  if (q->what == KINETIC) return nsds_kinetic_energy(q->named->ds);
  if (q->what == ACTIVE) return nsds_is_active(q->named->interaction);
  if (q->what == COUNT) return nsds_contact_set_count(q->named->set);
  if (q->what == SENSOR || q->what == SENSED_FORCE) return sensor_value(file, q);
  if (q->what == OVERLAP) return deepest_overlap(q->named->set);
  const double *array = array_of(q->named, q->what);
  return array ? array[q->k] : 0.0;
}

/* ---- names ---- */

/* Splits "q[11]" or "q12" into a property and 11; NULL if the kind has no such property. */
static const property_row *find_row(unsigned kind, const char *name, int *number) {
  size_t size = strcspn(name, "[0123456789");
  for (int k = 0; k < nrows; ++k) {
    const property_row *row = &rows[k];
    if (row->kinds != kind || strncmp(row->name, name, size) != 0 || row->name[size]) continue;
    *number = row->numbered ? nsds_parse_place(name + size) : 0;
    if (row->numbered ? *number >= 0 : !name[size]) return row;
  }
  return NULL;
}

static int parameter_index(const nsds_named *n, const char *name) {
  for (int k = 0; k < n->nz && n->z_name; ++k)
    if (strcmp(n->z_name[k], name) == 0) return k;
  int k = name[0] == 'z' ? nsds_parse_place(name + 1) : -1;
  return k < n->nz ? k : -1;
}

/* The object in front of the last point, and the property behind it. */
static const nsds_named *split(const nsds_model_file *file, const char *name, const char **what) {
  const char *point = strrchr(name, '.');
  char object[64];
  if (!point || point == name || point - name >= 64) return NULL;
  snprintf(object, sizeof object, "%.*s", (int)(point - name), name);
  *what = point + 1;
  const nsds_named *found = nsds_file_look_up(file, object,
                                              NSDS_NAMED_SYSTEM | NSDS_NAMED_INTERACTION |
                                                  NSDS_NAMED_SET | NSDS_NAMED_SENSOR);
  return found ? found : nsds_file_look_up(file, object, NSDS_NAMED_RELATION);
}

/* Forces and accelerations of a sensor belong to intervals; places and velocities do not. */
static property sensed(const nsds_named *n, int k) {
  static const struct {
    const char *type;
    int first, last; /* values that follow from forces */
  } kinds[] = {{"acceleration", 0, 5}, {"imu", 0, 2},           {"joint", 2, 2},
               {"joint_force", 0, 5},  {"contact_force", 0, 5}, {"touch", 0, 0}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    if (strcmp(n->schema->type, kinds[i].type) == 0)
      return k >= kinds[i].first && k <= kinds[i].last ? SENSED_FORCE : SENSOR;
  return SENSOR;
}

/* Finds the meaning of a name; false if it has none. */
static bool understand(const nsds_model_file *file, const char *name, quantity *q,
                       const char **unit) {
  const char *what;
  const property_row *row = find_row(0, name, &q->k);
  *unit = row ? row->unit : "";
  if (row) {
    q->what = row->what;
    return true;
  }
  q->named = split(file, name, &what);
  if (!q->named) return false;
  row = find_row(q->named->kind, what, &q->k);
  if (row && q->k < size_of(q->named, row->what)) {
    q->what = row->what == SENSOR ? sensed(q->named, q->k) : row->what;
    *unit = row->what == SENSOR ? nsds_sensor_unit(q->named->sensor, q->k) : row->unit;
    return true;
  }
  q->what = PARAMETER;
  q->k = parameter_index(q->named, what);
  return q->k >= 0 && array_of(q->named, PARAMETER) != NULL;
}

/* Returns the unit of a body's quantity, by the kind of the body. */
static const char *quantity_unit(const quantity *q, const char *unit) {
  const char *type = q->named ? q->named->schema->type : NULL;
  if (!type || (q->what != Q && q->what != V)) return unit;
  if (strcmp(type, "rigid_body") == 0)
    return q->k < 3 ? (q->what == Q ? "m" : "m/s") : q->what == Q ? "1" : "rad/s";
  if (strcmp(type, "rigid_body_2d") == 0)
    return q->k < 2 ? (q->what == Q ? "m" : "m/s") : q->what == Q ? "rad" : "rad/s";
  return unit;
}

static quantity *take_quantity(nsds_quantities *all, const char *name) {
  quantity q = {0};
  if (!understand(all->file, name, &q, &q.unit)) return NULL;
  q.unit = quantity_unit(&q, q.unit);
  quantity *other = all->last; /* the same again is among the last ones, if at all */
  for (int k = 0; other && k < 16; ++k, other = other->before)
    if (strcmp(other->name, name) == 0) return other;
  quantity *place = nsds_file_memory(all->file, 1, sizeof *place);
  if (!place) return NULL;
  q.name = nsds_file_copy(all->file, name);
  q.before = all->last;
  if (!q.name) return NULL;
  *place = q;
  all->last = place;
  if (all->file->simulation) place->value = place->now = quantity_value(all->file, place);
  return place;
}

static bool find_quantity(void *user, const char *name, nsds_term *term) {
  nsds_quantities *all = user;
  const quantity *q = take_quantity(all, name);
  const double *parameter = q ? NULL : nsds_file_parameter_value(all->file, name);
  if (q && is_held(all->file, q->what)) all->found_held = true;
  if (q) *term = nsds_term_variable(&all->read, &q->value);
  else if (parameter) *term = nsds_term_number(*parameter);
  return q || parameter;
}

/* "ball.q[0]", "ball.q[0] to ball.q[2]" or "ball.angle". */
static void list_property(char *text, size_t size, const nsds_named *n, const property_row *row) {
  char words[160];
  int count = size_of(n, row->what);
  if (count == 0) return;
  if (!row->numbered) snprintf(words, sizeof words, "%s.%s", n->name, row->name);
  else if (count == 1) snprintf(words, sizeof words, "%s.%s[0]", n->name, row->name);
  else
    snprintf(words, sizeof words, "%s.%s[0] to %s.%s[%d]", n->name, row->name, n->name, row->name,
             count - 1);
  nsds_list_word(text, size, words);
}

static void list_parameters(char *text, size_t size, const nsds_named *n) {
  for (int k = 0; k < n->nz; ++k) {
    char words[32];
    snprintf(words, sizeof words, "z[%d]", k);
    nsds_list_word(text, size, n->z_name ? n->z_name[k] : words);
  }
}

/* All that may stand behind the name of an object. */
static void list_properties(char *text, size_t size, const nsds_named *n) {
  for (int k = 0; k < nrows; ++k)
    if (rows[k].kinds == (unsigned)n->kind) list_property(text, size, n, &rows[k]);
  for (int k = 0; k < n->nz; ++k) {
    char words[160];
    if (n->z_name) snprintf(words, sizeof words, "%s.%s", n->name, n->z_name[k]);
    else snprintf(words, sizeof words, "%s.z[%d]", n->name, k);
    nsds_list_word(text, size, words);
  }
}

/* Coordinates of a system, y of an interaction, the count of a set, values of a sensor. */
static void list_first_property(char *text, size_t size, const nsds_named *n) {
  const char *first = n->kind == NSDS_NAMED_SET           ? "count"
                      : n->kind == NSDS_NAMED_SENSOR      ? "value"
                      : n->kind == NSDS_NAMED_INTERACTION ? "y"
                      : n->second_order                   ? "q"
                                                          : "x";
  for (int k = 0; k < nrows; ++k)
    if (rows[k].kinds == (unsigned)n->kind && strcmp(rows[k].name, first) == 0)
      list_property(text, size, n, &rows[k]);
}

static const char *valid_quantities(void *user, const char *name) {
  nsds_quantities *all = user;
  const nsds_model_file *file = all->file;
  char text[340] = "";
  const char *what;
  const nsds_named *asked = split(file, name, &what);
  if (asked) {
    list_properties(text, sizeof text, asked);
  } else {
    nsds_list_word(text, sizeof text, "t");
    for (int k = 0; k < file->nnamed; ++k) list_first_property(text, sizeof text, &file->named[k]);
    for (int k = 0; k < file->nparameter; ++k)
      nsds_list_word(text, sizeof text, file->parameter[k].name);
  }
  const char *copy = nsds_file_copy(all->file, text);
  return copy ? copy : "t";
}

/* ---- observed ---- */

nsds_quantities *nsds_quantities_create(nsds_model_file *file) {
  nsds_quantities *all = nsds_file_memory(file, 1, sizeof *all);
  if (all) all->read.context = file->context;
  if (all) all->file = file;
  return all;
}

/* Tells if the name that is not there is a quantity of an object that has failed. */
static bool asks_for_doubtful(const nsds_quantities *all, const char *name) {
  char object[64];
  const char *point = strrchr(name, '.');
  snprintf(object, sizeof object, "%.*s", point ? (int)(point - name) : 0, name);
  return nsds_file_is_doubtful(all->file, object);
}

static void *program_memory(void *file, size_t count, size_t size) {
  return nsds_file_memory(file, count, size);
}

/* The unit of a quantity; "" of an expression. */
static const char *unit_of_term(const nsds_quantities *all, nsds_term term) {
  const double *variable = all->read.node[term.node].variable;
  const quantity *q = variable ? all->last : NULL;
  while (q && &q->value != variable) q = q->before;
  return q ? q->unit : "";
}

/* Reads the expression of a node into the store. */
static bool observe(nsds_quantities *all, const nsds_yaml *node, nsds_observed *o) {
  const nsds_expression_names names = {
      .kind = NSDS_TEXT_MODEL_FILE, .find = find_quantity, .valid = valid_quantities, .user = all};
  nsds_expression_error error;
  nsds_term term;
  if (!nsds_expression_read(&all->read, node->text, &names, &term, &error)) {
    if (error.fault != NSDS_EXPRESSION_NO_NAME || !asks_for_doubtful(all, error.name))
      return nsds_file_refuse_expression(all->file, node, &error);
    nsds_file_fail_after(all->file); /* the object is reported */
    return false;
  }
  o->number = term.number;
  if (term.node < 0) return true;
  o->unit = unit_of_term(all, term);
  o->program =
      nsds_program_create(&all->read, &term, 1, &(nsds_program_memory){program_memory, all->file});
  return o->program != NULL;
}

nsds_observed *nsds_quantities_observe(nsds_quantities *all, const nsds_yaml *node) {
  nsds_observed *o = nsds_file_memory(all->file, 1, sizeof *o);
  if (!o) return NULL;
  o->unit = "";
  if (nsds_read_number(node->text, &o->number)) return o;
  all->found_held = false;
  bool fine = observe(all, node, o);
  nsds_expressions_free(&all->read);
  o->holds = all->found_held;
  return fine ? o : NULL;
}

const char *nsds_observed_unit(const nsds_observed *observed) { return observed->unit; }

bool nsds_observed_is_held(const nsds_observed *observed) { return observed->holds; }

void nsds_quantities_refresh(nsds_quantities *all) {
  for (quantity *q = all->last; q; q = q->before) {
    q->old = q->now;
    q->value = q->now = quantity_value(all->file, q);
  }
}

void nsds_quantities_return(nsds_quantities *all) {
  for (quantity *q = all->last; q; q = q->before) q->value = q->now = q->old;
}

void nsds_quantities_show(nsds_quantities *all, nsds_interval_end end) {
  for (quantity *q = all->last; q; q = q->before) {
    bool known = !is_of_interval(all->file, q->what) && (q->what != OVERLAP || all->went);
    bool old =
        q->what == PARAMETER ? end != NSDS_BEHIND_INTERVAL : end == NSDS_INTERVAL_BEGIN && known;
    q->value = old ? q->old : q->now;
  }
  all->went = all->went || end == NSDS_BEHIND_INTERVAL;
}

double nsds_observed_value(const nsds_observed *o) {
  if (!o->program) return o->number;
  nsds_program_run(o->program);
  return nsds_program_value(o->program, 0);
}

/* ---- parameters ---- */

bool nsds_settable_find(nsds_model_file *file, const nsds_yaml *node, const char *name,
                        nsds_settable *to) {
  const char *what, *unit;
  quantity q = {0};
  const nsds_named *named = split(file, name, &what);
  char object[64];
  snprintf(object, sizeof object, "%.*s", (int)strcspn(name, "."), name);
  if (!named && nsds_file_is_doubtful(file, object)) {
    nsds_file_fail_after(file);
    return false;
  }
  if (!named) {
    char valid[200] = "";
    for (int k = 0; k < file->nnamed; ++k)
      if (file->named[k].nz > 0) nsds_list_word(valid, sizeof valid, file->named[k].name);
    return nsds_file_fail(file, node,
                          "\"%.60s\" is not the parameter of a system or relation; valid is "
                          "name.parameter, the name among: %s",
                          name, valid[0] ? valid : "none, as no object has the key z") != NULL;
  }
  if (!understand(file, name, &q, &unit) || q.what != PARAMETER) {
    char valid[200] = "";
    list_parameters(valid, sizeof valid, named);
    return nsds_file_fail(file, node,
                          "%s has no parameter \"%.40s\"; valid are the names under its key z: %s",
                          named->name, what, valid[0] ? valid : "there are none") != NULL;
  }
  *to = (nsds_settable){.nz = named->nz, .k = q.k};
  if (named->kind == NSDS_NAMED_SYSTEM) to->ds = named->ds;
  else to->relation = named->kind == NSDS_NAMED_RELATION ? named->relation : named->own_relation;
  return true;
}

nsds_status nsds_settable_set(nsds_model_file *file, const nsds_settable *s, double value) {
  (void)file;
  enum { most = 256 };
  double z[most];
  const double *now = s->ds ? nsds_ds_z(s->ds) : nsds_relation_z(s->relation);
  if (s->nz > most || !now) return NSDS_ERROR_SIZE;
  memcpy(z, now, (size_t)s->nz * sizeof *z);
  z[s->k] = value;
  return s->ds ? nsds_ds_set_z(s->ds, s->nz, z) : nsds_relation_set_z(s->relation, s->nz, z);
}

/* ---- columns without being asked for ---- */

const char *nsds_quantities_default(nsds_model_file *file, nsds_default_column *at) {
  for (; at->object < file->nnamed; ++at->object, at->part = 0) {
    const nsds_named *o = &file->named[at->object];
    bool system = o->kind == NSDS_NAMED_SYSTEM;
    if (!system && o->kind != NSDS_NAMED_INTERACTION) continue;
    const property of[2] = {system ? o->second_order ? Q : X : Y, system ? V : LAMBDA};
    const char *const letter[2] = {system ? o->second_order ? "q" : "x" : "y",
                                   system ? "v" : "lambda"};
    for (; at->part < 2; ++at->part, at->k = 0)
      if (at->k < size_of(o, of[at->part])) {
        char name[80];
        snprintf(name, sizeof name, "%s.%s[%d]", o->name, letter[at->part], at->k++);
        return nsds_file_copy(file, name);
      }
  }
  return NULL;
}
