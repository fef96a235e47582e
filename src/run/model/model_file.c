/*
 * Model files, see model_file.h. The text becomes a tree. The tree is compared with the schema.
 * Then come parameters, the parts of the model in the order of their needs, columns and measures.
 */
#include "run/model/model_file.h"

#include "run/job/guard_call.h"
#include "run/model/model_contacts.h"
#include "run/model/model_control.h"
#include "run/model/model_functions.h"
#include "run/model/model_laws.h"
#include "run/model/model_quantities.h"
#include "run/model/model_relations.h"
#include "run/model/model_sensors.h"
#include "run/model/model_simulation.h"
#include "run/model/model_systems.h"
#include "run/model/model_world.h"
#include "run/model/schema_check.h"
#include "run/model/schema_print.h"
#include "base/text/words.h"

#include <nsds/extend.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A model file that runs as a job. */
typedef struct model_job {
  nsds_model_file file;
  nsds_yaml *tree;
  char *path, *folder;
  nsds_quantities *quantities;
  nsds_observed **column, **measure;
  bool holds, went; /* a measure has a held quantity; the first event has been */
  int every, made;  /* steps of a row; those of the next row that were made before a stop */
  nsds_job *job;
  int nsettings;
  char **setting; /* names and values in turn */
  nsds_model_world world;
  nsds_job_figures figures; /* of the last step of a world */
  nsds_job_step_fn drive;   /* takes steps of a world; NULL: the simulation does */
  void *drive_user;
} model_job;

/* ---- running ---- */

static double model_job_time(const model_job *m) {
  return m->drive ? m->figures.t : nsds_time(m->file.simulation);
}

static void model_job_fill_row(model_job *m) {
  nsds_job *job = m->job;
  job->row[0] = model_job_time(m);
  for (int k = 1; k < job->columns.count; ++k) job->row[k] = nsds_observed_value(m->column[k - 1]);
}

/* Takes the values of all measures with held quantities, or of all other measures. */
static void take_measures(model_job *m, bool held, double t) {
  for (int k = 0; k < m->job->measures.count; ++k)
    if (nsds_observed_is_held(m->measure[k]) == held)
      nsds_measure_take(&m->job->measures.item[k], t, nsds_observed_value(m->measure[k]));
}

static void take_end(model_job *m, nsds_interval_end end, double t) {
  nsds_quantities_show(m->quantities, end);
  take_measures(m, true, t);
}

/* Meets an end shortly after the start of an event-driven run. Returns false if the clock cannot
 * tell the two apart, or the start itself is an event. */
static bool meet_behind_start(nsds_simulation *s, double from, double to) {
  enum { most_parts = 8 };
  double part = 0x1p-36;
  for (int k = 0; k < most_parts; ++k, part *= 8.0) {
    double near = from + part * (to - from);
    if (nsds_simulation_set_end(s, near) != NSDS_OK) return false;
    nsds_status status = nsds_event_meet(s);
    if (status == NSDS_END) continue;
    if (status == NSDS_OK && nsds_time(s) > from) return true;
    if (status == NSDS_OK) nsds_step_reject(s);
    return false;
  }
  return false;
}

/* Takes the forces at the start of an event-driven run. No event tells them, so that the run looks
 * at the forces shortly behind the start, and goes back. */
static bool take_forces_of_start(model_job *m) {
  nsds_simulation *s = m->file.simulation;
  double from = nsds_time(s), end = nsds_simulation_end(s);
  bool met = meet_behind_start(s, from, end);
  if (met) {
    nsds_quantities_refresh(m->quantities);
    take_end(m, NSDS_INTERVAL_BEGIN, from);
    nsds_quantities_return(m->quantities);
    nsds_step_reject(s);
  }
  nsds_error_clear(m->job->context);
  nsds_simulation_set_end(s, end);
  return met;
}

/* Both halves of an event. The forces of its interval are those before the event. */
static nsds_status take_event(model_job *m, double from) {
  nsds_simulation *s = m->file.simulation;
  bool known = m->went || take_forces_of_start(m);
  nsds_status status = nsds_event_meet(s);
  if (status != NSDS_OK) return status;
  nsds_quantities_refresh(m->quantities);
  if (!known) take_end(m, NSDS_INTERVAL_BEGIN, from);
  take_end(m, NSDS_INTERVAL_END, nsds_time(s));
  m->went = true;
  status = nsds_event_process(s);
  if (status < 0 || status == NSDS_STOPPED) nsds_step_reject(s);
  return status;
}

/* A step of the simulation, or of the world that is driven, up to the same end. States are shown where rows
 * or measures look at them. */
static nsds_status advance(model_job *m) {
  const nsds_job_world_info *info = &m->world.info;
  if (!m->drive) return nsds_step(m->file.simulation);
  if ((double)m->figures.steps >= round((info->t1 - info->t0) / info->h)) return NSDS_END;
  bool show = m->job->measures.count > 0 || m->made + 1 == m->every;
  return m->drive(show, &m->figures, m->drive_user);
}

/*
 * A step, with the measures of held quantities. A force of time stepping is the mean of a step and
 * counts from the begin of the step on. Forces of an event-driven simulation change between events.
 */
static nsds_status step_with_held(model_job *m) {
  nsds_simulation *s = m->file.simulation;
  double from = model_job_time(m);
  bool events = nsds_simulation_event(s) != NULL;
  nsds_status status = events ? take_event(m, from) : advance(m);
  if (events && status < 0) { /* only a whole step may pass a window of time stepping */
    nsds_error_clear(m->job->context);
    status = nsds_step(s);
  }
  if (status != NSDS_OK) return status;
  nsds_quantities_refresh(m->quantities);
  if (!events) {
    take_end(m, NSDS_INTERVAL_BEGIN, from);
    take_end(m, NSDS_INTERVAL_END, model_job_time(m));
  }
  take_end(m, NSDS_BEHIND_INTERVAL, model_job_time(m));
  return NSDS_OK;
}

/* The message of a step with the file and the time in front. */
static nsds_status model_job_failed(const model_job *m, nsds_status status) {
  char text[900];
  if (status >= 0) return status;
  snprintf(text, sizeof text, "%s", nsds_error_message(m->job->context));
  nsds_error_clear(m->job->context);
  return nsds_report(m->job->context, status, "%s: after t = %.9g: %s", m->path, model_job_time(m),
                     text);
}

static nsds_status model_job_step(nsds_job *job) {
  model_job *m = job->self;
  nsds_status before = nsds_error(job->context);
  for (; m->made < m->every; ++m->made) {
    nsds_status status = m->holds ? step_with_held(m) : advance(m);
    if (status != NSDS_OK) return model_job_failed(m, status);
    if (!m->holds) nsds_quantities_refresh(m->quantities);
    take_measures(m, false, model_job_time(m));
  }
  m->made = 0;
  model_job_fill_row(m);
  return before ? NSDS_OK : nsds_error(job->context); /* of a sensor that cannot be read */
}

static void model_job_destroy(nsds_job *job) {
  model_job *m = job->self;
  nsds_model_destroy(m->file.model);
  nsds_functions_free(&m->file);
  nsds_file_free_memory(&m->file);
  nsds_yaml_free(m->tree);
  for (int k = 0; m->setting && k < 2 * m->nsettings; ++k) nsds_free(m->setting[k]);
  nsds_free(m->setting);
  nsds_free(m->path);
  nsds_free(m->folder);
  nsds_free(m);
  job->self = NULL;
}

static double model_job_end(const nsds_job *job) {
  const model_job *m = job->self;
  return nsds_simulation_end(m->file.simulation);
}

static const nsds_job_ops model_job_ops = {
    .step = model_job_step, .end = model_job_end, .destroy = model_job_destroy};

/* ---- worlds ---- */

static model_job *job_with_world(const nsds_job *job) {
  model_job *m = job && job->ops == &model_job_ops ? job->self : NULL;
  return m && m->file.world ? m : NULL;
}

const nsds_job_world_info *nsds_job_world(const nsds_job *job) {
  const model_job *m = job_with_world(job);
  return m ? &m->world.info : NULL;
}

static nsds_status refuse_without_world(const nsds_job *job, const char *call) {
  return nsds_report(job ? job->context : NULL, NSDS_ERROR_ARGUMENT,
                     "%s: %s; valid is the job of a model file with nsds_job_def::world", call,
                     job ? "the job has no world" : "job is NULL");
}

nsds_status nsds_job_scenery(const nsds_job *job, nsds_model *model, nsds_contact_set *set) {
  model_job *m = job_with_world(job);
  if (!m) return refuse_without_world(job, "nsds_job_scenery");
  if (!model || !set)
    return nsds_refuse_null(job->context, "nsds_job_scenery", model ? "set" : "model");
  return nsds_model_world_scenery(&m->file, &m->world, model, set);
}

nsds_status nsds_job_drive(nsds_job *job, nsds_job_step_fn step, void *user) {
  model_job *m = job_with_world(job);
  if (!m) return refuse_without_world(job, "nsds_job_drive");
  m->drive = step;
  m->drive_user = user;
  m->figures = (nsds_job_figures){.t = m->world.info.t0};
  m->file.world_step = m->world.info.h;
  m->file.figures = step ? &m->figures : NULL;
  return NSDS_OK;
}

/* ---- parameters ---- */

static const nsds_job_setting *find_setting(const nsds_job_def *def, const char *name) {
  for (int k = def->nsettings - 1; k >= 0; --k)
    if (strcmp(def->settings[k].name, name) == 0) return &def->settings[k];
  return NULL;
}

static bool file_take_parameter(nsds_model_file *file, const nsds_job_def *def,
                                const nsds_yaml *key, const nsds_yaml *value) {
  nsds_file_parameter *p = &file->parameter[file->nparameter];
  const nsds_job_setting *setting = find_setting(def, key->text);
  nsds_yaml given =
      setting ? (nsds_yaml){.kind = NSDS_YAML_SCALAR, .line = value->line, .column = value->column}
              : *value;
  if (nsds_name_is_reserved(key->text))
    return nsds_file_fail(file, key,
                          "\"%s\" is not free as the name of a parameter; expressions use it",
                          key->text) != NULL;
  if (setting) given.text = (char *)(uintptr_t)setting->value;
  *p = (nsds_file_parameter){key->text, NAN};
  bool fine = nsds_file_constant(file, &given, &p->value);
  if (fine && !isfinite(p->value))
    nsds_file_fail(file, value, "the parameter %s has to be finite", key->text);
  if (nsds_file_failed(file)) p->value = NAN;
  ++file->nparameter;
  return !nsds_file_failed(file);
}

static void unknown_setting(nsds_model_file *file, const char *name) {
  nsds_name_list list;
  nsds_name_list_begin(&list, name);
  for (int k = 0; k < file->nparameter; ++k) nsds_name_list_add(&list, file->parameter[k].name);
  nsds_report(file->context, NSDS_ERROR_ARGUMENT, "%s: there is no parameter %s%s; %s%s",
              file->path, name, list.did_you_mean,
              list.count ? "the parameters are " : "the file has no parameters",
              list.count ? list.names : "");
}

/* The key nsds says the version of the format; a file of another version may have any keys. */
static bool version_is_known(nsds_model_file *file) {
  const nsds_yaml *node = nsds_yaml_find(file->root, "nsds");
  double version;
  if (!node || node->kind != NSDS_YAML_SCALAR || !nsds_read_number(node->text, &version) ||
      version == 1.0)
    return true;
  return nsds_file_fail(file, node, "this file is of format %s; this version of nsds reads 1",
                        node->text) != NULL;
}

static bool file_take_parameters(nsds_model_file *file, const nsds_entry *root,
                                 const nsds_job_def *def) {
  const nsds_yaml *map = nsds_entry_node(root, "parameters");
  if (map && map->kind != NSDS_YAML_MAP)
    return nsds_file_fail(file, map, "parameters is a list; valid is a map of names to numbers") !=
           NULL;
  file->parameter = nsds_file_memory(file, map ? (size_t)map->count : 0, sizeof *file->parameter);
  for (int k = 0; map && file->parameter && k < map->count; ++k) {
    if (file_take_parameter(file, def, map->key[k], map->item[k])) continue;
    file->faults.parameter = true;
    if (!nsds_file_go_on(file)) return false;
  }
  for (int k = 0; k < def->nsettings; ++k)
    if (!nsds_file_parameter_value(file, def->settings[k].name)) {
      unknown_setting(file, def->settings[k].name);
      file->faults.parameter = true;
      if (!nsds_file_go_on(file)) return false;
    }
  return file->parameter && !file->faults.parameter;
}

/* ---- columns and measures ---- */

typedef struct column_words {
  const nsds_yaml *value;
  const char *name, *unit; /* NULL: those of the value */
} column_words;

static bool file_add_column(model_job *m, const column_words *words) {
  nsds_observed *o = nsds_quantities_observe(m->quantities, words->value);
  if (!o) return false;
  const char *unit = words->unit ? words->unit : nsds_observed_unit(o);
  int place = nsds_columns_add(m->job->context, &m->job->columns,
                               words->name ? words->name : words->value->text, unit);
  if (place < 0) return false;
  m->column[place - 1] = o;
  return true;
}

/* The text with an index such as "[3]" in place of each "[*]"; NULL with a message. */
static char *text_of_index(nsds_model_file *file, const char *text, const char *index) {
  size_t size = strlen(text) + 1, more = strlen(index);
  for (const char *star = text; (star = strstr(star, "[*]")) != NULL; ++star) size += more;
  char *copy = nsds_file_memory(file, size, 1), *to = copy;
  if (!copy) return NULL;
  for (const char *star; (star = strstr(text, "[*]")) != NULL; text = star + 3) {
    memcpy(to, text, (size_t)(star - text));
    to += star - text;
    memcpy(to, index, more);
    to += more;
  }
  memcpy(to, text, strlen(text) + 1);
  return copy;
}

/* "bead[*].q[0]": one column for each of the repeated objects whose name stands before the first
 * star. */
static bool add_star(model_job *m, const column_words *words, const char *star) {
  const nsds_yaml *node = words->value;
  const char *begin = star;
  int found = 0;
  while (begin > node->text && (isalnum((unsigned char)begin[-1]) || begin[-1] == '_')) --begin;
  int size = (int)(star - begin);
  for (int k = 0; k < m->file.nnamed; ++k) {
    const char *name = m->file.named[k].name;
    if (m->file.named[k].kind == NSDS_NAMED_RELATION || m->file.named[k].kind == NSDS_NAMED_LAW)
      continue;
    if (strncmp(name, begin, (size_t)size) != 0 || name[size] != '[') continue;
    nsds_yaml one = *node;
    one.text = text_of_index(&m->file, node->text, name + size);
    if (!one.text || !file_add_column(m, &(column_words){&one, NULL, words->unit})) return false;
    ++found;
  }
  char object[64];
  snprintf(object, sizeof object, "%.*s", size, begin);
  if (found || nsds_file_is_doubtful(&m->file, object)) return found > 0;
  return nsds_file_fail(&m->file, node,
                        "there are no objects %.*s[0], %.*s[1], ... made by the key repeat", size,
                        begin, size, begin) != NULL;
}

static bool add_default_columns(model_job *m, int room) {
  nsds_default_column at = {0};
  for (int k = 0; k < room; ++k) {
    nsds_yaml node = {
        .line = 1, .column = 1, .text = (char *)(uintptr_t)nsds_quantities_default(&m->file, &at)};
    if (!node.text || !file_add_column(m, &(column_words){.value = &node})) return false;
  }
  return true;
}

static bool add_listed_column(model_job *m, const nsds_yaml *item) {
  const nsds_yaml *name = nsds_yaml_find(item, "name"), *unit = nsds_yaml_find(item, "unit");
  column_words words = {item->kind == NSDS_YAML_MAP ? nsds_yaml_find(item, "value") : item,
                        name ? name->text : NULL, unit ? unit->text : NULL};
  const char *star = strstr(words.value->text, "[*]");
  return star ? add_star(m, &words, star) : file_add_column(m, &words);
}

/* Columns that are asked for, or those of all objects. Returns false if the reading ends. */
static bool add_columns(model_job *m, const nsds_entry *outputs) {
  const nsds_yaml *list = nsds_entry_node(outputs, "columns");
  nsds_model_file *file = &m->file;
  int room = 0;
  nsds_default_column count = {0};
  bool sound = nsds_file_is_sound(file);
  while (!list && sound && nsds_quantities_default(file, &count)) ++room;
  if (list) room = list->count * (file->nnamed + 1);
  m->column = nsds_file_memory(file, (size_t)room, sizeof(nsds_observed *));
  if (!m->column || nsds_columns_add(m->job->context, &m->job->columns, "t", "s") < 0) return false;
  if (!list) return add_default_columns(m, room);
  for (int k = 0; k < list->count; ++k)
    if (!add_listed_column(m, list->item[k]) && !nsds_file_go_on(file)) return false;
  return true;
}

static bool add_measure(model_job *m, const nsds_entry *e, int k, const char *name) {
  nsds_model_file *file = &m->file;
  double from = nsds_entry_has(e, "from") ? nsds_entry_number(e, "from") : -INFINITY;
  double to = nsds_entry_has(e, "to") ? nsds_entry_number(e, "to") : INFINITY;
  double level = nsds_entry_number(e, "level");
  if (!(from < to))
    return nsds_file_fail(file, nsds_entry_place(e, "to"),
                          "the measure is from %.15g to %.15g; to has to be above from", from,
                          to) != NULL;
  m->measure[k] = nsds_quantities_observe(m->quantities, nsds_entry_place(e, "of"));
  if (!m->measure[k] || nsds_file_failed(file)) return false;
  m->holds = m->holds || nsds_observed_is_held(m->measure[k]);
  if (nsds_measures_add(m->job->context, &m->job->measures, name,
                        (nsds_measure_kind)nsds_entry_word(e, "kind"), from, to, level) < 0)
    return false;
  return true;
}

static bool add_measures(model_job *m, const nsds_entry *root) {
  const nsds_yaml *map = nsds_entry_node(root, "measures");
  nsds_model_file *file = &m->file;
  m->measure = nsds_file_memory(file, map ? (size_t)map->count : 0, sizeof(nsds_observed *));
  for (int k = 0; m->measure && map && k < map->count; ++k) {
    if (nsds_file_is_doubtful(file, map->key[k]->text)) continue;
    nsds_entry e = nsds_entry_at(root, "measures", k);
    if (!add_measure(m, &e, k, map->key[k]->text) && !nsds_file_go_on(file)) return false;
  }
  return m->measure != NULL;
}

/* ---- reading ---- */

static bool make_outputs(model_job *m, const nsds_entry *root) {
  nsds_model_file *file = &m->file;
  m->quantities = nsds_quantities_create(file);
  if (!m->quantities) return false;
  if (!nsds_file_is_doubtful(file, "outputs")) {
    nsds_entry outputs = nsds_entry_object(root, "outputs");
    m->every = nsds_entry_integer(&outputs, "every");
    if (nsds_file_failed(file) && !nsds_file_go_on(file)) return false;
    if (!add_columns(m, &outputs)) return false;
  }
  if (!add_measures(m, root) || !nsds_file_is_sound(file)) return false;
  NSDS_MAKE(file->context, m->job->row, m->job->columns.count);
  if (!m->job->row) return false;
  nsds_quantities_refresh(m->quantities);
  take_measures(m, false, nsds_time(file->simulation));
  model_job_fill_row(m);
  return !nsds_file_call_failed(file, root->node);
}

/* Objects that need each other, in their order; false if the reading ends. */
static bool make_parts(model_job *m, const nsds_entry *root) {
  nsds_model_file *file = &m->file;
  if (!nsds_systems_make(root) || !nsds_laws_make(root) || !nsds_interactions_make(root) ||
      !nsds_contacts_make(root) || !nsds_sensors_make(root))
    return false;
  if (nsds_file_is_sound(file)) m->job->shape = nsds_contacts_left_shapes(file, &m->job->nshape);
  if (nsds_file_failed(file) && !nsds_file_go_on(file)) return false;
  bool made = nsds_file_is_doubtful(file, "simulation") || nsds_simulation_make(root);
  if (!made && !nsds_file_go_on(file)) return false;
  m->job->simulation = file->simulation;
  if (file->world && nsds_file_is_sound(file) && !nsds_model_world_make(root, &m->world) &&
      !nsds_file_go_on(file))
    return false;
  return nsds_control_make(root);
}

/* Reads all that can be read; true if there is no fault. */
static bool make_model(model_job *m, const nsds_job_def *def) {
  nsds_model_file *file = &m->file;
  if (!version_is_known(file)) return false;
  if (!nsds_schema_check(file, &nsds_schema_file, file->root) && !nsds_file_go_on(file))
    return false;
  if (file->faults.root) return false;
  nsds_entry root = nsds_file_entry(file, &nsds_schema_file, file->root);
  nsds_entry_integer(&root, "nsds");
  if (nsds_file_failed(file) && !nsds_file_go_on(file)) return false;
  if (!file_take_parameters(file, &root, def)) return false;
  m->job->title = nsds_copy_word(m->job->context, nsds_entry_text(&root, "name"));
  nsds_model_set_name(file->model, nsds_entry_text(&root, "name"));
  if (nsds_file_call_failed(file, nsds_entry_place(&root, "name")) && !nsds_file_go_on(file))
    return false;
  return make_parts(m, &root) && make_outputs(m, &root);
}

static bool keep_settings(model_job *m, const nsds_job_def *def) {
  m->setting =
      nsds_alloc(m->job->context, "the model file", 2 * (size_t)def->nsettings + 1, sizeof(char *));
  if (!m->setting) return false;
  m->nsettings = def->nsettings;
  bool fine = true;
  for (int k = 0; k < def->nsettings; ++k) {
    m->setting[2 * k] = nsds_copy_word(m->job->context, def->settings[k].name);
    m->setting[2 * k + 1] = nsds_copy_word(m->job->context, def->settings[k].value);
    fine = fine && m->setting[2 * k] && m->setting[2 * k + 1];
  }
  return fine;
}

static const char *kept_setting(void *user, const char *parameter) {
  const model_job *m = user;
  for (int k = m->nsettings - 1; k >= 0; --k)
    if (strcmp(m->setting[2 * k], parameter) == 0) return m->setting[2 * k + 1];
  return NULL;
}

nsds_status nsds_job_expand(const nsds_job *job, nsds_write_fn write, void *user) {
  if (!job || !write)
    return nsds_refuse_null(job ? job->context : NULL, "nsds_job_expand", job ? "write" : "job");
  if (job->ops != &model_job_ops)
    return nsds_report(job->context, NSDS_ERROR_UNSUPPORTED,
                       "nsds_job_expand: the job is a circuit; model files are expanded");
  model_job *m = job->self;
  nsds_schema_print_expansion(&(nsds_printer){write, user},
                              &(nsds_expansion){m->tree, kept_setting, m});
  return NSDS_OK;
}

/* Writes a line of comment. Names of a robot may have any characters. */
static void write_comment(nsds_write_fn write, void *user, const char *text) {
  char line[1200];
  snprintf(line, sizeof line, "# %.1180s", text);
  for (char *c = line; *c; ++c)
    if ((unsigned char)*c < ' ') *c = ' ';
  write(line, user);
  write("\n", user);
}

/* The heading of a robot: its file, units, and what the reader has told. */
static void write_heading(const nsds_job *job, nsds_write_fn write, void *user) {
  char line[600];
  snprintf(line, sizeof line, "Made of %.400s by nsds %s.", job->sources.name, nsds_version());
  write_comment(write, user, line);
  write_comment(
      write, user,
      "Units: m, kg, s, rad, N. q0 is the center of mass and a quaternion (w, x, y, z); places of "
      "shapes and");
  write_comment(
      write, user,
      "sensors count from the center, along the axes of the body. Points of joints are those "
      "of the start.");
  for (int k = 0; k < nsds_job_warning_count(job); ++k)
    write_comment(write, user, nsds_job_warning(job, k));
}

nsds_status nsds_job_import(const nsds_job *job, nsds_write_fn write, void *user) {
  const char *call = "nsds_job_import";
  if (!job || !write)
    return nsds_refuse_null(job ? job->context : NULL, call, job ? "write" : "job");
  if (job->ops != &model_job_ops)
    return nsds_report(job->context, NSDS_ERROR_UNSUPPORTED,
                       "%s: the job is a circuit; robots and model files are written", call);
  const model_job *m = job->self;
  if (job->robot) write_heading(job, write, user);
  nsds_schema_print_tree(&(nsds_printer){write, user}, m->tree);
  return NSDS_OK;
}

nsds_status nsds_model_format(nsds_model_format_kind kind, nsds_write_fn write, void *user) {
  const char *call = "nsds_model_format";
  if (!write) return nsds_refuse_null(NULL, call, "write");
  if (kind != NSDS_MODEL_FORMAT_JSON_SCHEMA && kind != NSDS_MODEL_FORMAT_REFERENCE)
    return nsds_report(NULL, NSDS_ERROR_ARGUMENT, "%s: kind is %d; valid are %d and %d", call,
                       (int)kind, (int)NSDS_MODEL_FORMAT_JSON_SCHEMA,
                       (int)NSDS_MODEL_FORMAT_REFERENCE);
  if (kind == NSDS_MODEL_FORMAT_JSON_SCHEMA) nsds_schema_print_json(&(nsds_printer){write, user});
  else nsds_schema_print_reference(&(nsds_printer){write, user});
  return NSDS_OK;
}

/* The log that a context had. */
typedef struct earlier_log {
  nsds_log_fn log;
  void *user;
} earlier_log;

static void pass_warning_on(nsds_log_level level, const char *message, void *user) {
  const earlier_log *earlier = user;
  if (level != NSDS_LOG_ERROR && earlier->log) earlier->log(level, message, earlier->user);
}

/* Faults that the library finds reach the log with their place in the file, with all others. */
static nsds_status make_model_quietly(model_job *m, const nsds_job_def *def) {
  earlier_log earlier = {pass_warning_on, &earlier};
  nsds_context *context = m->job->context;
  nsds_status status = nsds_context_swap_log(context, &earlier.log, &earlier.user);
  if (status) return status;
  bool made = make_model(m, def);
  if (!made) nsds_file_go_on(&m->file);
  nsds_context_swap_log(context, &earlier.log, &earlier.user);
  status = nsds_file_report(&m->file);
  if (nsds_context_stops(context)) return NSDS_STOPPED;
  if (!made && !status && m->file.sources->left_out > 0) return NSDS_END; /* of a check */
  return made || status ? status : NSDS_ERROR_FORMAT;
}

/* The folder of a path, with its last '/'. */
static char *folder_of(nsds_context *context, const char *path) {
  const char *slash = strrchr(path, '/');
  return nsds_copy_part(context, path, slash ? (size_t)(slash - path) + 1 : 0);
}

/* The job of a file whose tree is not read yet. */
static nsds_status begin_model_job(nsds_job *job, const nsds_job_def *def) {
  model_job *m = nsds_alloc(job->context, "the model file", 1, sizeof *m);
  if (!m) return NSDS_ERROR_MEMORY;
  job->ops = &model_job_ops;
  job->self = m;
  m->job = job;
  m->path = nsds_copy_word(job->context, def->file ? def->file : "text");
  m->folder = folder_of(job->context, def->file ? def->file : "");
  if (!m->path || !m->folder || !keep_settings(m, def)) return NSDS_ERROR_MEMORY;
  m->file = (nsds_model_file){.context = job->context,
                              .path = m->path,
                              .folder = m->folder,
                              .sources = &job->sources,
                              .job = job,
                              .names = {.borrows = true}, /* texts of the tree and of the file */
                              .world = def->world,
                              .index = NAN};
  return NSDS_OK;
}

static nsds_status take_tree(model_job *m, const nsds_job_def *def) {
  nsds_job *job = m->job;
  m->file.root = m->tree;
  if (nsds_error(job->context)) return nsds_error(job->context);
  job->model = m->file.model = nsds_model_create(job->context);
  if (!job->model) return NSDS_ERROR_MEMORY;
  return make_model_quietly(m, def);
}

nsds_status nsds_model_tree_read(nsds_job *job, const nsds_job_def *def, nsds_yaml *tree) {
  nsds_status status = begin_model_job(job, def);
  if (status) {
    nsds_yaml_free(tree);
    return status;
  }
  model_job *m = job->self;
  m->tree = tree;
  return take_tree(m, def);
}

nsds_status nsds_model_file_read(nsds_job *job, const nsds_job_def *def, const char *text,
                                 size_t size) {
  const char *path = def->file ? def->file : "text";
  if (!nsds_yaml_is_there())
    return nsds_report(job->context, NSDS_ERROR_UNSUPPORTED,
                       "%s: this library was built without libyaml, which reads model files", path);
  nsds_status status = begin_model_job(job, def);
  if (status) return status;
  model_job *m = job->self;
  nsds_yaml_error error;
  m->tree = nsds_yaml_read(job->context, text, size, &error);
  if (m->tree) return take_tree(m, def);
  if (error.line == 0)
    return nsds_report(job->context, NSDS_ERROR_MEMORY, "%s: out of memory", path);
  return nsds_report(job->context, NSDS_ERROR_FORMAT, "%s:%d:%d: %s", path, error.line,
                     error.column, error.text);
}
