/*
 * MJCF, see mjcf.h. Included files take the place of <include>. Then come options and defaults, the bodies,
 * and all that refers to them.
 */
#include "run/robot/mjcf.h"

#include "base/text/words.h"
#include "run/robot/mjcf_actuator.h"
#include "run/robot/mjcf_body.h"
#include "run/robot/mjcf_default.h"
#include "run/robot/mjcf_equality.h"
#include "run/robot/mjcf_geom.h"
#include "run/robot/mjcf_keyframe.h"
#include "run/robot/mjcf_sensor.h"
#include "run/robot/mjcf_surface.h"
#include "run/robot/mjcf_tendon.h"

#include <math.h>
#include <string.h>

enum { most_includes = 100 };

/* ---- include ---- */

typedef struct include_list {
  int count;
  const char *path[most_includes];
} include_list;

/* Reads an included file; NULL after a failure. The elements of the file are freed with those of the root. */
static nsds_xml *mjcf_read_included(nsds_robot *r, nsds_xml *at, include_list *list) {
  const char *name = nsds_xml_get(at, "file"), *slash = strrchr(at->file, '/');
  int folder = slash && name && name[0] != '/' ? (int)(slash - at->file) + 1 : 0;
  char reason[200], *text = NULL, *path;
  size_t size;
  nsds_xml_error error;
  if (!name) return nsds_robot_fail(r, at, "<include> has no file"), NULL;
  path = nsds_robot_memory(r, (size_t)folder + strlen(name) + 1, 1);
  if (!path) return NULL;
  memcpy(path, at->file, (size_t)folder);
  memcpy(path + folder, name, strlen(name) + 1);
  for (int k = 0; k < list->count; ++k)
    if (strcmp(list->path[k], path) == 0)
      return nsds_robot_fail(r, at, "the file %.200s is included for the second time", path), NULL;
  if (list->count == most_includes)
    return nsds_robot_fail(r, at, "more than %d files are included", most_includes), NULL;
  list->path[list->count++] = path;
  nsds_status status = nsds_source_read(&r->job->sources, path, &text, &size, reason);
  if (status) return nsds_robot_fail(r, at, "%.200s cannot be read: %s", path, reason), NULL;
  nsds_xml *root = nsds_xml_read(r->context, path, text, size, &error);
  nsds_free(text);
  if (!root) {
    nsds_xml place = {.file = path, .line = error.line, .column = error.column};
    return nsds_robot_fail(r, &place, "%s", error.text), NULL;
  }
  nsds_xml *end = root;
  while (end->made_before) end = end->made_before;
  end->made_before = r->root->made_before;
  r->root->made_before = root;
  return root;
}

/* Puts the children of an element in the place of its child `at`, which stands behind `before`. */
static void take_place(nsds_xml *parent, nsds_xml *before, nsds_xml *at, nsds_xml *from) {
  nsds_xml *next = from->first ? from->first : at->next;
  for (nsds_xml *e = from->first; e; e = e->next) e->parent = parent;
  if (from->last) from->last->next = at->next;
  if (before) before->next = next;
  else parent->first = next;
  if (parent->last == at) parent->last = from->last ? from->last : before;
  from->first = from->last = NULL;
}

static void expand_includes(nsds_robot *r, nsds_xml *parent, include_list *list) {
  nsds_xml *before = NULL;
  for (nsds_xml *e = parent->first; e && !r->failed;) {
    if (strcmp(e->name, "include") != 0) {
      expand_includes(r, e, list);
      before = e;
      e = e->next;
      continue;
    }
    nsds_xml *root = mjcf_read_included(r, e, list);
    if (!root) return;
    take_place(parent, before, e, root);
    e = before ? before->next : parent->first;
  }
}

/* ---- options ---- */

static bool is_true(nsds_xml *at, const char *key, bool otherwise) {
  const char *text = nsds_xml_get(at, key);
  return text ? strcmp(text, "true") == 0 : otherwise;
}

static void read_compiler(nsds_mjcf *m, nsds_xml *at) {
  nsds_robot *r = m->robot;
  const char *angle = nsds_xml_get(at, "angle"), *euler = nsds_xml_get(at, "eulerseq");
  const char *coordinate = nsds_xml_get(at, "coordinate"),
             *from = nsds_xml_get(at, "inertiafromgeom");
  const char *folder = nsds_xml_get(at, "meshdir");
  if (!folder) folder = nsds_xml_get(at, "assetdir");
  if (folder) m->mesh_folder = folder;
  if (angle) m->angle = strcmp(angle, "radian") == 0 ? 1.0 : 3.14159265358979323846 / 180.0;
  if (coordinate && strcmp(coordinate, "local") != 0)
    nsds_robot_fail(r, at, "coordinate is \"%.40s\"; valid is local", coordinate);
  if (euler && (strlen(euler) != 3 || strspn(euler, "xyzXYZ") != 3))
    nsds_robot_fail(r, at, "eulerseq is \"%.40s\"; valid are three of the letters xyzXYZ", euler);
  else if (euler) m->euler = euler;
  m->auto_limits = is_true(at, "autolimits", m->auto_limits);
  if (from) {
    m->masses_from_geoms = strcmp(from, "true") == 0;
    m->masses_never = strcmp(from, "false") == 0;
  }
  nsds_robot_numbers(r, at, "inertiagrouprange", 2, 2, m->mass_groups);
  static const char *const without_effect[] = {"texturedir", "usethread", "discardvisual",
                                               "fusestatic", "strippath"};
  for (size_t k = 0; k < sizeof without_effect / sizeof *without_effect; ++k)
    nsds_xml_get(at, without_effect[k]);
}

static void mjcf_read_option(nsds_mjcf *m, nsds_xml *at) {
  nsds_robot *r = m->robot;
  static const char *const of_the_solver[] = {"integrator",    "solver",   "iterations",
                                              "tolerance",     "cone",     "jacobian",
                                              "ls_iterations", "impratio", "noslip_iterations"};
  nsds_robot_number(r, at, "timestep", &r->h);
  nsds_robot_numbers(r, at, "gravity", 3, 3, r->gravity);
  nsds_robot_numbers(r, at, "magnetic", 3, 3, m->magnetic);
  for (size_t k = 0; k < sizeof of_the_solver / sizeof *of_the_solver; ++k)
    nsds_xml_get(at, of_the_solver[k]);
  if (!(r->h > 0.0)) nsds_robot_fail(r, at, "timestep is %g s; valid are numbers > 0", r->h);
  nsds_xml *flag = nsds_xml_child(at, "flag", NULL);
  const char *gravity = flag ? nsds_xml_get(flag, "gravity") : NULL,
             *contact = flag ? nsds_xml_get(flag, "contact") : NULL;
  if (gravity && strcmp(gravity, "disable") == 0) memset(r->gravity, 0, sizeof r->gravity);
  m->no_contact = contact && strcmp(contact, "disable") == 0;
}

/* ---- all of it ---- */

typedef void read_section(nsds_mjcf *m, nsds_xml *section);

static void each_section(nsds_mjcf *m, const char *name, read_section *read) {
  for (nsds_xml *e = NULL;
       !m->robot->failed && (e = nsds_xml_child(m->robot->root, name, e)) != NULL;)
    read(m, e);
}

static void read_default_section(nsds_mjcf *m, nsds_xml *at) { nsds_mjcf_read_defaults(m, at, -1); }

static void pass_section(nsds_mjcf *m, nsds_xml *at) {
  (void)m;
  nsds_xml_use_all(at);
}

/* Materials and textures are looks. */
static void read_assets(nsds_mjcf *m, nsds_xml *at) {
  (void)m;
  for (nsds_xml *e = NULL; (e = nsds_xml_child(at, NULL, e)) != NULL;)
    if (strcmp(e->name, "material") == 0 || strcmp(e->name, "texture") == 0) nsds_xml_use_all(e);
}

void nsds_mjcf_read(nsds_robot *robot) {
  include_list list = {0};
  nsds_mjcf m = {.robot = robot,
                 .angle = 3.14159265358979323846 / 180.0,
                 .euler = "xyz",
                 .mesh_folder = "",
                 .auto_limits = true,
                 .mass_groups = {0.0, 5.0},
                 .magnetic = {0.0, -0.5, 0.0}};
  const char *name = nsds_xml_get(robot->root, "model");
  if (name && name[0]) robot->name = name;
  expand_includes(robot, robot->root, &list);
  each_section(&m, "compiler", read_compiler);
  each_section(&m, "option", mjcf_read_option);
  each_section(&m, "default", read_default_section);
  each_section(&m, "asset", read_assets);
  each_section(&m, "size", pass_section);
  each_section(&m, "statistic", pass_section);
  each_section(&m, "visual", pass_section);
  each_section(&m, "worldbody", nsds_mjcf_worldbody);
  each_section(&m, "actuator", nsds_mjcf_actuators);
  each_section(&m, "equality", nsds_mjcf_equalities);
  each_section(&m, "tendon", nsds_mjcf_tendons);
  each_section(&m, "contact", nsds_mjcf_contacts);
  nsds_mjcf_exclude_by_bits(&m);
  nsds_mjcf_surfaces(&m);
  nsds_robot_part_names(robot);
  nsds_mjcf_keyframes(&m);
  each_section(&m, "sensor", nsds_mjcf_sensors);
  nsds_free(m.classes);
  nsds_free(m.bodies.item);
  nsds_free(m.sites.item);
  nsds_free(m.geoms.item);
  nsds_free(m.actuator);
  nsds_free(m.pair);
  nsds_free(m.surface);
}
