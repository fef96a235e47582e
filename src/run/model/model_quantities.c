/*
 * Quantities of a running model by name, see model_quantities.h. A quantity is an object's name, a
 * point and a property of the library's table with the place of an entry: "ball.q[0]". All quantities that are used are read into
 * a table at once, and expressions refer to places of the table.
 */
#include "run/model/model_quantities.h"

#include "base/text/number.h"
#include "run/expression/expression_program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct quantity quantity;
struct quantity {
  const char *name, *unit;
  const nsds_named *named;
  const nsds_quantity *what; /* NULL: a parameter */
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
  bool found_far;        /* one is not known of a world */
  bool went;             /* an interval is over */
  nsds_expressions read; /* the expression that is read */
};

/* ---- values ---- */

static bool owner_of(const nsds_named *n, nsds_owner *owner) {
  switch (n->kind) {
  case NSDS_NAMED_SYSTEM: *owner = NSDS_OWNER_SYSTEM; return true;
  case NSDS_NAMED_INTERACTION: *owner = NSDS_OWNER_INTERACTION; return true;
  case NSDS_NAMED_SET: *owner = NSDS_OWNER_CONTACT_SET; return true;
  case NSDS_NAMED_SENSOR: *owner = NSDS_OWNER_SENSOR; return true;
  default: return false;
  }
}

/* The object that a quantity belongs to; NULL: the run. */
static void *object_of(const nsds_named *n) {
  if (!n) return NULL;
  return n->kind == NSDS_NAMED_SYSTEM        ? (void *)n->ds
         : n->kind == NSDS_NAMED_INTERACTION ? (void *)n->interaction
         : n->kind == NSDS_NAMED_SET         ? (void *)n->set
                                             : (void *)n->sensor;
}

static int size_of(const nsds_named *n, const nsds_quantity *what) {
  return nsds_quantity_size(what, object_of(n));
}

static nsds_moment moment_of(const nsds_model_file *file, const quantity *q) {
  return nsds_quantity_moment(q->what, file->simulation, object_of(q->named), q->k);
}

/* Returns true for values that stay over an interval, and jump between intervals. The overlap does
 * not, but none is known before contacts have been searched. */
static bool is_held(const nsds_model_file *file, const quantity *q) {
  return !q->what || moment_of(file, q) != NSDS_MOMENT_PRESENT;
}

static const double *present_parameters(const nsds_named *n) {
  if (n->kind == NSDS_NAMED_SYSTEM) return nsds_ds_z(n->ds);
  if (n->kind == NSDS_NAMED_RELATION) return n->relation ? nsds_relation_z(n->relation) : NULL;
  return nsds_relation_z(n->own_relation);
}

/* Quantities that are known where others step a world: forces and contacts stay with them. */
static const struct of_world {
  nsds_owner owner;
  const char *name;
} of_world[] = {{NSDS_OWNER_SYSTEM, "q"},
                {NSDS_OWNER_SYSTEM, "v"},
                {NSDS_OWNER_SYSTEM, "kinetic_energy"},
                {NSDS_OWNER_CONTACT_SET, "count"},
                {NSDS_OWNER_RUN, "t"},
                {NSDS_OWNER_RUN, "step"},
                {NSDS_OWNER_RUN, "h"},
                {NSDS_OWNER_RUN, "kinetic_energy"},
                {NSDS_OWNER_RUN, "active"},
                {NSDS_OWNER_RUN, "iterations"},
                {NSDS_OWNER_RUN, "residual"}};

static bool stays_elsewhere(const nsds_model_file *file, const nsds_quantity *what) {
  if (!file->world || !what) return false;
  for (size_t k = 0; k < sizeof of_world / sizeof *of_world; ++k)
    if (of_world[k].owner == what->owner && strcmp(of_world[k].name, what->name) == 0) return false;
  return true;
}

/* A quantity of a run whose steps others take. Returns false for those of the model. */
static bool driven_value(const nsds_model_file *file, const nsds_quantity *what, double *value) {
  const nsds_job_figures *f = file->figures;
  const struct {
    const char *name;
    double value;
  } row[] = {{"t", f->t},
             {"step", (double)f->steps},
             {"h", f->steps > 0 ? file->world_step : 0.0},
             {"active", (double)f->active},
             {"count", (double)f->found},
             {"iterations", f->iterations},
             {"residual", f->residual}};
  if (what->owner != NSDS_OWNER_RUN && what->owner != NSDS_OWNER_CONTACT_SET) return false;
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    *value = row[k].value;
    if (strcmp(row[k].name, what->name) == 0) return true;
  }
  *value = 0.0; /* the kinetic energy of all */
  for (int k = 0; k < nsds_ds_count(file->model); ++k)
    if (nsds_nq(nsds_ds_at(file->model, k)) > 0)
      *value += nsds_kinetic_energy(nsds_ds_at(file->model, k));
  return true;
}

/* Rays are not cast between the stages of a step, where only forces are asked for. */
static double quantity_value(const nsds_model_file *file, const quantity *q) {
  if (!q->what) {
    const double *z = present_parameters(q->named);
    return z ? z[q->k] : 0.0;
  }
  double value;
  if (file->figures && driven_value(file, q->what, &value)) return value;
  value = nsds_quantity_read(q->what, file->simulation, object_of(q->named), q->k);
  if (!isnan(value) || nsds_error(file->context) == NSDS_OK) return value;
  if (nsds_error(file->context) == NSDS_ERROR_STATE) nsds_error_clear(file->context);
  return q->now;
}

/* ---- names ---- */

/* Splits "q[11]" or "q12" into a property and 11; NULL if the owner has no such property. */
static const nsds_quantity *find_row(nsds_owner owner, const char *name, int *number) {
  char word[40];
  size_t size = strcspn(name, "[0123456789");
  if (size >= sizeof word) return NULL;
  memcpy(word, name, size);
  word[size] = '\0';
  const nsds_quantity *row = nsds_quantity_find(owner, word);
  if (!row) return NULL;
  *number = row->size ? nsds_parse_place(name + size) : 0;
  return (row->size ? *number >= 0 : !name[size]) ? row : NULL;
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
  memcpy(object, name, (size_t)(point - name));
  object[point - name] = '\0';
  *what = point + 1;
  const nsds_named *found = nsds_file_look_up(file, object,
                                              NSDS_NAMED_SYSTEM | NSDS_NAMED_INTERACTION |
                                                  NSDS_NAMED_SET | NSDS_NAMED_SENSOR);
  return found ? found : nsds_file_look_up(file, object, NSDS_NAMED_RELATION);
}

/* Finds the meaning of a name; false if it has none. */
static bool understand(const nsds_model_file *file, const char *name, quantity *q) {
  const char *what;
  nsds_owner owner = NSDS_OWNER_RUN;
  q->what = find_row(owner, name, &q->k);
  if (q->what) return true;
  q->named = split(file, name, &what);
  if (!q->named) return false;
  q->what = owner_of(q->named, &owner) ? find_row(owner, what, &q->k) : NULL;
  if (q->what && q->k < size_of(q->named, q->what)) return true;
  q->what = NULL;
  q->k = parameter_index(q->named, what);
  return q->k >= 0 && present_parameters(q->named) != NULL;
}

static quantity *take_quantity(nsds_quantities *all, const char *name) {
  quantity q = {0};
  if (!understand(all->file, name, &q)) return NULL;
  q.unit = nsds_quantity_unit(q.what, object_of(q.named), q.k);
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
  if (q && is_held(all->file, q)) all->found_held = true;
  if (q && stays_elsewhere(all->file, q->what)) all->found_far = true;
  if (q) *term = nsds_term_variable(&all->read, &q->value);
  else if (parameter) *term = nsds_term_number(*parameter);
  return q || parameter;
}

/* "ball.q[0]", "ball.q[0] to ball.q[2]" or "ball.angle". */
static void list_property(char *text, size_t size, const nsds_named *n, const nsds_quantity *row) {
  char words[160];
  int count = size_of(n, row);
  if (count == 0) return;
  if (!row->size) snprintf(words, sizeof words, "%s.%s", n->name, row->name);
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
  nsds_owner owner;
  if (owner_of(n, &owner))
    for (const nsds_quantity *row = nsds_quantity_table(); row->name; ++row)
      if (row->owner == owner) list_property(text, size, n, row);
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
  nsds_owner owner;
  if (owner_of(n, &owner)) list_property(text, size, n, nsds_quantity_find(owner, first));
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
  all->found_held = all->found_far = false;
  bool fine = observe(all, node, o);
  if (fine && all->found_far)
    return nsds_file_fail(all->file, node,
                          "\"%.60s\" is not known on several processes; valid are t, step, h, "
                          "kinetic_energy, active, iterations and residual of the run, q, v and "
                          "kinetic_energy of bodies, and count of the contact set",
                          node->text);
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
    nsds_moment moment = moment_of(all->file, q);
    bool known = moment != NSDS_MOMENT_INTERVAL && (moment != NSDS_MOMENT_SEARCH || all->went);
    bool old = q->what ? end == NSDS_INTERVAL_BEGIN && known : end != NSDS_BEHIND_INTERVAL;
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
  const char *what;
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
  if (!understand(file, name, &q) || q.what) {
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
    nsds_owner owner = system ? NSDS_OWNER_SYSTEM : NSDS_OWNER_INTERACTION;
    const char *const letter[2] = {system ? o->second_order ? "q" : "x" : "y",
                                   system ? "v" : "lambda"};
    for (; at->part < 2; ++at->part, at->k = 0)
      if (at->k < size_of(o, nsds_quantity_find(owner, letter[at->part]))) {
        char name[80];
        snprintf(name, sizeof name, "%s.%s[%d]", o->name, letter[at->part], at->k++);
        return nsds_file_copy(file, name);
      }
  }
  return NULL;
}
