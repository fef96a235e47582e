/*
 * A robot between its file and a model file, see robot.h. Parts stand in arrays that grow. The first
 * failure is the one that is reported.
 */
#include "run/robot/robot.h"

#include "base/text/number.h"
#include "base/text/format.h"
#include "base/text/words.h"
#include "run/model/model_reader.h"

#include <nsds/extend.h>

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct nsds_robot_block {
  nsds_robot_block *before;
  max_align_t memory[];
};

void *nsds_robot_memory(nsds_robot *robot, size_t count, size_t size) {
  size_t wanted = count > 0 ? count * size : 1;
  nsds_robot_block *block =
      robot->failed ? NULL : nsds_alloc(robot->context, "a robot", 1, sizeof *block + wanted);
  robot->failed = !block;
  if (!block) return NULL;
  block->before = robot->block;
  robot->block = block;
  return block->memory;
}

const char *nsds_robot_text(nsds_robot *robot, const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = nsds_robot_memory(robot, size, 1);
  return copy ? memcpy(copy, text, size) : NULL;
}

void nsds_robot_begin(nsds_robot *robot, nsds_job *job, nsds_xml *root, const char *path) {
  *robot = (nsds_robot){.context = job->context,
                        .job = job,
                        .root = root,
                        .path = path,
                        .name = "robot",
                        .gravity = {0.0, 0.0, -9.81},
                        .h = 2e-3,
                        .end = 1.0};
  nsds_robot_add_body(
      robot,
      &(nsds_robot_body){.name = "", .at = root, .parent = -1, .pose = nsds_pose_identity()});
}

void nsds_robot_free(nsds_robot *robot) {
  while (robot->block) {
    nsds_robot_block *before = robot->block->before;
    nsds_free(robot->block);
    robot->block = before;
  }
  nsds_free(robot->body);
  nsds_free(robot->joint);
  nsds_free(robot->shape);
  nsds_free(robot->coupler);
  nsds_free(robot->cable);
  nsds_free(robot->sensor);
  nsds_free(robot->sense);
  nsds_free(robot->remark);
  nsds_free(robot->pair);
  nsds_free(robot->meeting);
}

bool nsds_robot_took(nsds_robot *robot, nsds_status status) {
  robot->failed = robot->failed || status != NSDS_OK;
  return !robot->failed;
}

nsds_robot_drive *nsds_robot_give_drive(nsds_robot_joint *joint) {
  joint->drive.there = true;
  return &joint->drive;
}

/* ---- messages ---- */

bool nsds_robot_fail(nsds_robot *robot, const nsds_xml *at, const char *format, ...) {
  char text[900];
  va_list list;
  if (robot->failed) return false;
  robot->failed = true;
  va_start(list, format);
  nsds_format_message(text, sizeof text, format, list);
  va_end(list);
  nsds_report(robot->context, NSDS_ERROR_FORMAT, "%s:%d:%d: %s", at->file, at->line, at->column,
              text);
  return false;
}

/* A note with its first place, and how often it was made. */
struct nsds_robot_remark {
  const nsds_xml *at;
  const char *text;
  int count;
};

void nsds_robot_note(nsds_robot *robot, const nsds_xml *at, const char *format, ...) {
  char text[1000];
  va_list list;
  if (robot->failed) return;
  va_start(list, format);
  nsds_format_message(text, sizeof text, format, list);
  va_end(list);
  for (int k = 0; k < robot->nremark; ++k)
    if (strcmp(robot->remark[k].text, text) == 0) {
      ++robot->remark[k].count;
      return;
    }
  if (nsds_room(robot->context, &robot->remark, &robot->remark_room, robot->nremark + 1,
                sizeof *robot->remark)) {
    robot->failed = true;
    return;
  }
  const char *copy = nsds_robot_text(robot, text);
  if (copy) robot->remark[robot->nremark++] = (nsds_robot_remark){at, copy, 1};
}

void nsds_robot_tell_notes(nsds_robot *robot) {
  char text[1400], often[40];
  for (int k = 0; k < robot->nremark && !robot->failed; ++k) {
    const nsds_robot_remark *r = &robot->remark[k];
    often[0] = '\0';
    if (r->count > 1) nsds_print(often, sizeof often, " (%d times in the file)", r->count);
    nsds_print(text, sizeof text, "%.300s:%d:%d: %.1000s%s", r->at->file, r->at->line,
               r->at->column, r->text, often);
    robot->failed = nsds_job_warn(robot->job, text) != NSDS_OK;
  }
}

/* A thing that nobody has used: "element joint" or "attribute pos of joint". */
typedef struct unused_thing {
  const nsds_xml *at;
  const char *attribute; /* NULL: the element */
  int count;
} unused_thing;

typedef struct unused_list {
  int count, room;
  unused_thing *item;
} unused_list;

static void add_unused(nsds_robot *robot, unused_list *all, const nsds_xml *at,
                       const char *attribute) {
  for (int k = 0; k < all->count; ++k) {
    unused_thing *u = &all->item[k];
    bool same = !u->attribute == !attribute && strcmp(u->at->name, at->name) == 0 &&
                (!attribute || strcmp(u->attribute, attribute) == 0);
    if (same) {
      ++u->count;
      return;
    }
  }
  if (all->count >= 200) return;
  if (nsds_room(robot->context, &all->item, &all->room, all->count + 1, sizeof *all->item)) {
    robot->failed = true;
    return;
  }
  all->item[all->count++] = (unused_thing){at, attribute, 1};
}

static void collect_unused(nsds_robot *robot, unused_list *all, const nsds_xml *e) {
  if (!e->used) {
    add_unused(robot, all, e, NULL);
    return;
  }
  for (int k = 0; k < e->nattribute; ++k)
    if (!e->attribute[k].used) add_unused(robot, all, e, e->attribute[k].name);
  for (const nsds_xml *child = e->first; child; child = child->next)
    collect_unused(robot, all, child);
}

void nsds_robot_note_unused(nsds_robot *robot, nsds_xml *root) {
  unused_list all = {0};
  collect_unused(robot, &all, root);
  for (int k = 0; k < all.count; ++k) {
    const unused_thing *u = &all.item[k];
    if (u->attribute)
      nsds_robot_note(robot, u->at, "the attribute %.60s of <%.60s> has no effect", u->attribute,
                      u->at->name);
    else nsds_robot_note(robot, u->at, "<%.60s> has no effect", u->at->name);
    if (robot->nremark > 0) robot->remark[robot->nremark - 1].count = u->count;
  }
  nsds_free(all.item);
}

/* ---- names ---- */

const char *nsds_robot_name(nsds_robot *robot, const nsds_xml *at, const char *name) {
  char text[40];
  size_t size = strlen(name), n = 0;
  if (robot->failed) return NULL;
  if (size == 0 || size > 37) {
    nsds_robot_fail(robot, at, "the name \"%.60s\" has %zu characters; valid are 1 to 37", name,
                    size);
    return NULL;
  }
  if (name[0] >= '0' && name[0] <= '9') text[n++] = '_';
  for (size_t k = 0; k < size; ++k) {
    char c = name[k];
    bool fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    text[n++] = fine ? c : '_';
  }
  text[n] = '\0';
  if (nsds_name_is_reserved(text)) {
    text[n++] = '_';
    text[n] = '\0';
  }
  return nsds_robot_text(robot, text);
}

int nsds_robot_find_body(const nsds_robot *robot, const char *name) {
  for (int k = 1; name && k < robot->nbody; ++k)
    if (strcmp(robot->body[k].name, name) == 0) return k;
  return -1;
}

int nsds_robot_find_joint(const nsds_robot *robot, const char *name) {
  for (int k = 0; name && k < robot->njoint; ++k) {
    const nsds_robot_joint *j = &robot->joint[k];
    if (strcmp(j->given ? j->given : j->name, name) == 0) return k;
  }
  return -1;
}

/* Keeps a name that nobody has, or the name with an ending. */
static const char *take_own_name(nsds_robot *robot, nsds_names *taken, const nsds_xml *at,
                                 const char *name, const char *ending) {
  char text[48];
  const char *own = name;
  if (robot->failed) return name;
  if (nsds_names_find(taken, name) >= 0) {
    nsds_print(text, sizeof text, "%.30s_%s", name, ending);
    own = nsds_robot_text(robot, text);
    if (own && nsds_names_find(taken, own) >= 0)
      nsds_robot_fail(robot, at,
                      "the names %s and %s are those of other parts; give it another one", name,
                      own);
  }
  if (!robot->failed && nsds_names_add(robot->context, taken, own) < 0) robot->failed = true;
  return own ? own : name;
}

void nsds_robot_part_names(nsds_robot *robot) {
  nsds_names taken = {.borrows = true};
  for (int k = 1; k < robot->nbody; ++k)
    take_own_name(robot, &taken, robot->body[k].at, robot->body[k].name, "body");
  for (int k = 0; k < robot->njoint; ++k) {
    nsds_robot_joint *j = &robot->joint[k];
    j->given = j->name;
    j->name = take_own_name(robot, &taken, j->at, j->name, "joint");
  }
  for (int k = 0; k < robot->ncoupler; ++k) {
    nsds_robot_coupler *c = &robot->coupler[k];
    c->name = take_own_name(robot, &taken, c->at, c->name, "equality");
  }
  for (int k = 0; k < robot->ncable; ++k) {
    nsds_robot_cable *c = &robot->cable[k];
    c->name = take_own_name(robot, &taken, c->at, c->name, "tendon");
  }
  nsds_names_free(&taken);
}

/* ---- parts ---- */

/* Room for one more part; false after a failure. */
static bool more(nsds_robot *robot, const nsds_xml *at, void *array, int *room, int count,
                 size_t size) {
  if (robot->failed) return false;
  if (count >= nsds_robot_most_parts)
    return nsds_robot_fail(robot, at, "the file has more than %d parts of a kind",
                           nsds_robot_most_parts);
  robot->failed = nsds_room(robot->context, array, room, count + 1, size) != NSDS_OK;
  return !robot->failed;
}

int nsds_robot_add_body(nsds_robot *robot, const nsds_robot_body *body) {
  int other = nsds_robot_find_body(robot, body->name);
  if (other > 0) {
    nsds_robot_fail(robot, body->at,
                    "a body is called %s here and at %s:%d; give each a name of its own",
                    body->name, robot->body[other].at->file, robot->body[other].at->line);
    return -1;
  }
  if (!more(robot, body->at, &robot->body, &robot->body_room, robot->nbody, sizeof *body))
    return -1;
  robot->body[robot->nbody] = *body;
  return robot->nbody++;
}

int nsds_robot_add_joint(nsds_robot *robot, const nsds_robot_joint *joint) {
  int other = nsds_robot_find_joint(robot, joint->name);
  if (other >= 0) {
    nsds_robot_fail(robot, joint->at,
                    "a joint is called %s here and at %s:%d; give each a name of its own",
                    joint->name, robot->joint[other].at->file, robot->joint[other].at->line);
    return -1;
  }
  if (!more(robot, joint->at, &robot->joint, &robot->joint_room, robot->njoint, sizeof *joint))
    return -1;
  robot->joint[robot->njoint] = *joint;
  return robot->njoint++;
}

void nsds_robot_add_shape(nsds_robot *robot, const nsds_robot_shape *shape) {
  if (more(robot, shape->at, &robot->shape, &robot->shape_room, robot->nshape, sizeof *shape))
    robot->shape[robot->nshape++] = *shape;
}

void nsds_robot_add_coupler(nsds_robot *robot, const nsds_robot_coupler *coupler) {
  for (int k = 0; k < robot->ncoupler; ++k)
    if (strcmp(robot->coupler[k].name, coupler->name) == 0) {
      nsds_robot_fail(robot, coupler->at,
                      "an equality is called %s here and at %s:%d; give each a name of its own",
                      coupler->name, robot->coupler[k].at->file, robot->coupler[k].at->line);
      return;
    }
  if (more(robot, coupler->at, &robot->coupler, &robot->coupler_room, robot->ncoupler,
           sizeof *coupler))
    robot->coupler[robot->ncoupler++] = *coupler;
}

void nsds_robot_add_cable(nsds_robot *robot, const nsds_robot_cable *cable) {
  for (int k = 0; k < robot->ncable; ++k)
    if (strcmp(robot->cable[k].name, cable->name) == 0) {
      nsds_robot_fail(robot, cable->at,
                      "a tendon is called %s here and at %s:%d; give each a name of its own",
                      cable->name, robot->cable[k].at->file, robot->cable[k].at->line);
      return;
    }
  if (more(robot, cable->at, &robot->cable, &robot->cable_room, robot->ncable, sizeof *cable))
    robot->cable[robot->ncable++] = *cable;
}

void nsds_robot_add_sensor(nsds_robot *robot, const nsds_robot_sensor *sensor) {
  if (more(robot, sensor->at, &robot->sensor, &robot->sensor_room, robot->nsensor, sizeof *sensor))
    robot->sensor[robot->nsensor++] = *sensor;
}

static bool same_numbers_of(const double *a, const double *b, int count) {
  for (int i = 0; i < count; ++i)
    if (fabs(a[i] - b[i]) > 1e-15) return false;
  return true;
}

static bool same_sense(const nsds_robot_sense *a, const nsds_robot_sense *b) {
  return strcmp(a->type, b->type) == 0 && a->body == b->body && a->joint == b->joint &&
         a->own_axes == b->own_axes && a->zone == b->zone && a->radius == b->radius &&
         same_numbers_of(a->half, b->half, 3) && same_numbers_of(a->point, b->point, 3) &&
         same_numbers_of(a->quaternion, b->quaternion, 4);
}

/* Tells if a part of the model has a name. Parts of joints and cables have a point or an ending of theirs. */
static bool has_part(const nsds_robot *r, const char *name) {
  bool found = strcmp(name, "contact") == 0 || nsds_robot_find_body(r, name) > 0;
  for (int k = 0; k < r->njoint; ++k) found = found || strcmp(r->joint[k].name, name) == 0;
  for (int k = 0; k < r->ncoupler; ++k) found = found || strcmp(r->coupler[k].name, name) == 0;
  for (int k = 0; k < r->nsense; ++k) found = found || strcmp(r->sense[k].name, name) == 0;
  for (int k = 0; k < r->ncable; ++k)
    found = found || strncmp(r->cable[k].name, name, strlen(r->cable[k].name)) == 0;
  return found;
}

const char *nsds_robot_add_sense(nsds_robot *robot, const nsds_robot_sense *sense) {
  char text[48];
  for (int k = 0; k < robot->nsense; ++k)
    if (same_sense(&robot->sense[k], sense)) return robot->sense[k].name;
  if (!more(robot, sense->at, &robot->sense, &robot->sense_room, robot->nsense, sizeof *sense))
    return NULL;
  nsds_robot_sense own = *sense;
  for (int k = 2; has_part(robot, own.name); ++k) {
    nsds_print(text, sizeof text, "%.32s_%d", sense->name, k);
    own.name = nsds_robot_text(robot, text);
    if (!own.name) return NULL;
  }
  robot->sense[robot->nsense++] = own;
  return own.name;
}

bool nsds_robot_hangs_on(const nsds_robot *robot, int body, int root) {
  while (body > root) body = robot->body[body].parent;
  return body == root;
}

bool nsds_robot_has_contacts(const nsds_robot *robot) {
  for (int k = 0; k < robot->nshape; ++k)
    if (robot->shape[k].meets || robot->shape[k].body == nsds_robot_world) return true;
  return false;
}

bool nsds_robot_falls_down(const nsds_robot *robot) {
  const double *g = robot->gravity;
  return g[0] == 0.0 && g[1] == 0.0 && g[2] < 0.0;
}

/* Place of a pair in the list; -1: it is not there. */
static int place_of_pair(const nsds_robot *robot, int a, int b) {
  for (int k = 0; k < robot->npair; ++k) {
    const nsds_robot_pair *p = &robot->pair[k];
    if ((p->a == a && p->b == b) || (p->a == b && p->b == a)) return k;
  }
  return -1;
}

bool nsds_robot_has_pair(const nsds_robot *robot, int a, int b) {
  return place_of_pair(robot, a, b) >= 0;
}

void nsds_robot_drop_pair(nsds_robot *robot, int a, int b) {
  int k = place_of_pair(robot, a, b);
  for (; k >= 0 && k + 1 < robot->npair; ++k) robot->pair[k] = robot->pair[k + 1];
  robot->npair -= k >= 0;
}

void nsds_robot_set_zero(const nsds_robot *robot, nsds_robot_joint *joint) {
  nsds_pose back = nsds_pose_inverse(&robot->body[joint->parent].pose);
  nsds_quaternion_times(back.q, robot->body[joint->child].pose.q, joint->zero);
}

void nsds_robot_color(nsds_robot_shape *shape, const double rgba[4]) {
  for (int i = 0; i < 3; ++i) shape->color[i] = fmin(1.0, fmax(1e-3, rgba[i]));
}

void nsds_robot_add_pair(nsds_robot *robot, const nsds_robot_pair *pair) {
  if (nsds_robot_has_pair(robot, pair->a, pair->b)) return;
  if (more(robot, pair->at, &robot->pair, &robot->pair_room, robot->npair, sizeof *pair))
    robot->pair[robot->npair++] = *pair;
}

void nsds_robot_add_meeting(nsds_robot *robot, const nsds_robot_meeting *meeting) {
  if (more(robot, robot->root, &robot->meeting, &robot->meeting_room, robot->nmeeting,
           sizeof *meeting))
    robot->meeting[robot->nmeeting++] = *meeting;
}

/* ---- values ---- */

/* Reads a signed number at the begin of a text; returns its length, 0 if there is none. */
static size_t number_at(const char *text, double *value) {
  size_t sign = *text == '-' || *text == '+';
  int size = nsds_decimal_begin(text + sign, value);
  if (*text == '-') *value = -*value;
  return size > 0 ? sign + (size_t)size : 0;
}

int nsds_robot_numbers(nsds_robot *robot, nsds_xml *at, const char *key, int least, int most,
                       double *value) {
  const char *text = nsds_xml_get(at, key), *blanks = " \t\r\n";
  int count = 0;
  if (!text || robot->failed) return robot->failed ? -1 : 0;
  for (const char *c = text + strspn(text, blanks); *c; c += strspn(c, blanks)) {
    double x = 0.0;
    size_t size = number_at(c, &x);
    if (size == 0 || !isfinite(x) || (c[size] && !strchr(blanks, c[size]))) {
      nsds_robot_fail(robot, at, "%s of <%s> is \"%.60s\"; valid are finite numbers", key, at->name,
                      text);
      return -1;
    }
    if (count < most) value[count] = x;
    ++count;
    c += size;
  }
  if (count >= least && count <= most) return count;
  if (least == most)
    nsds_robot_fail(robot, at, "%s of <%s> has %d numbers; valid is %d", key, at->name, count,
                    least);
  else
    nsds_robot_fail(robot, at, "%s of <%s> has %d numbers; valid are %d to %d", key, at->name,
                    count, least, most);
  return -1;
}

bool nsds_robot_number(nsds_robot *robot, nsds_xml *at, const char *key, double *value) {
  return nsds_robot_numbers(robot, at, key, 1, 1, value) >= 0;
}

/* ---- masses ---- */

/* The eigenvalues of a symmetric 3 x 3 matrix in closed form, ascending. */
static void principal(const double J[9], double e[3]) {
  const double pi = 3.14159265358979323846;
  double mean = (J[0] + J[4] + J[8]) / 3.0, off = J[1] * J[1] + J[2] * J[2] + J[5] * J[5];
  double a = J[0] - mean, b = J[4] - mean, c = J[8] - mean;
  double p = sqrt((a * a + b * b + c * c + 2.0 * off) / 6.0);
  double det =
      a * (b * c - J[5] * J[5]) - J[1] * (J[1] * c - J[5] * J[2]) + J[2] * (J[1] * J[5] - b * J[2]);
  double r = p > 0.0 ? fmin(1.0, fmax(-1.0, 0.5 * det / (p * p * p))) : 0.0;
  double angle = acos(r) / 3.0;
  e[2] = mean + 2.0 * p * cos(angle);
  e[0] = mean + 2.0 * p * cos(angle + 2.0 * pi / 3.0);
  e[1] = 3.0 * mean - e[0] - e[2];
}

bool nsds_robot_check_inertia(nsds_robot *robot, const nsds_xml *at, const char *what,
                              const double J[9]) {
  double e[3];
  principal(J, e);
  double slack = 1e-6 * fabs(e[2]);
  if (!(e[0] > 0.0))
    return nsds_robot_fail(robot, at,
                           "the inertia of %s has the principal moments %g, %g, %g; valid are "
                           "positive ones: check signs and units (kg m^2)",
                           what, e[0], e[1], e[2]);
  if (e[0] + e[1] < e[2] - slack)
    return nsds_robot_fail(robot, at,
                           "the inertia of %s has the principal moments %g, %g, %g; no mass has a "
                           "moment above the sum of the other two: check the tensor, or compute it "
                           "from the shape",
                           what, e[0], e[1], e[2]);
  return !robot->failed;
}

void nsds_robot_add_mass(nsds_robot_body *body, double mass, const double center[3],
                         const double inertia[9]) {
  double total = body->mass + mass, joint[3], d[3];
  if (total <= 0.0) return;
  for (int i = 0; i < 3; ++i) joint[i] = (body->mass * body->center[i] + mass * center[i]) / total;
  for (int i = 0; i < 3; ++i) d[i] = body->center[i] - joint[i];
  nsds_tensor_shift(body->mass, d, body->inertia);
  for (int i = 0; i < 3; ++i) d[i] = center[i] - joint[i];
  nsds_tensor_shift(mass, d, body->inertia);
  for (int i = 0; i < 9; ++i) body->inertia[i] += inertia[i];
  memcpy(body->center, joint, sizeof joint);
  body->mass = total;
}
