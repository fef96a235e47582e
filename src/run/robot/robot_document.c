/*
 * The model file of a robot, see robot_document.h. Bodies become systems, whose state is that of the
 * center of mass along the axes of the body's frame. Joints become interactions, with all that acts on
 * them under `acts`. Shapes become one contact set; those of the world are its scenery.
 */
#include "run/robot/robot_document.h"
#include "run/robot/robot_ball.h"

#include "base/text/format.h"
#include "run/model/yaml_make.h"

#include <math.h>
#include <string.h>

enum { most_materials = 256 };

typedef struct material_row {
  nsds_robot_coefficients of;
  int surface; /* 0: one that has no meeting of its own */
} material_row;

typedef struct document {
  nsds_robot *robot;
  nsds_yaml_maker maker;
  int nmaterial;
  material_row material[most_materials];
  bool uses_mu, rolling;
} document;

/* New nodes get the place of an element. */
static void stand_at(document *d, const nsds_xml *at) {
  d->maker.file = at->file;
  d->maker.line = at->line;
  d->maker.column = at->column;
}

static nsds_yaml *new_map(document *d) { return nsds_yaml_make(&d->maker, NSDS_YAML_MAP); }
static nsds_yaml *new_list(document *d) { return nsds_yaml_make(&d->maker, NSDS_YAML_LIST); }

static void put_text(document *d, nsds_yaml *map, const char *key, const char *text) {
  nsds_yaml_put(&d->maker, map, key, nsds_yaml_text(&d->maker, text));
}

static void put_number(document *d, nsds_yaml *map, const char *key, double value) {
  nsds_yaml_put(&d->maker, map, key, nsds_yaml_number(&d->maker, value));
}

/* Puts a number that is not the default. */
static void put_unless(document *d, nsds_yaml *map, const char *key, double value,
                       double fallback) {
  if (value != fallback) put_number(d, map, key, value);
}

/* Takes what rounding has added to a number of 14 decimals: 0.15000000000000002 is 0.15. */
static double tidy(double x) {
  double near = round(x * 1e14) / 1e14;
  return fabs(x) < 10.0 && fabs(x - near) <= 3e-16 * fmax(1.0, fabs(x)) ? near + 0.0 : x;
}

/* Puts up to 7 numbers. */
static void put_vector(document *d, nsds_yaml *map, const char *key, int count, const double *v) {
  double own[7];
  for (int i = 0; i < count; ++i) own[i] = tidy(v[i]);
  nsds_yaml_put(&d->maker, map, key, nsds_yaml_vector(&d->maker, count, own));
}

/* ---- shapes ---- */

static bool has_meeting(const nsds_robot *r, int surface) {
  for (int k = 0; k < r->nmeeting; ++k)
    if (r->meeting[k].a == surface || r->meeting[k].b == surface) return true;
  return false;
}

/* Number of a material in the contact set. */
static int material_of(document *d, const nsds_robot_shape *s) {
  const material_row row = {s->of, has_meeting(d->robot, s->surface) ? s->surface : 0};
  d->uses_mu = d->uses_mu || isnan(row.of.mu);
  d->rolling = d->rolling || row.of.mu_rolling > 0.0;
  for (int k = 0; row.surface && k < d->robot->nmeeting; ++k) {
    const nsds_robot_meeting *meeting = &d->robot->meeting[k];
    bool own = meeting->a == row.surface || meeting->b == row.surface;
    d->rolling = d->rolling || (own && meeting->of.mu_rolling > 0.0);
  }
  for (int k = 0; k < d->nmaterial; ++k) {
    const material_row *m = &d->material[k];
    bool same = isnan(m->of.mu) ? isnan(row.of.mu) : m->of.mu == row.of.mu;
    if (same && m->surface == row.surface && m->of.mu_rolling == row.of.mu_rolling &&
        m->of.restitution == row.of.restitution)
      return k;
  }
  if (d->nmaterial == most_materials) {
    nsds_robot_fail(d->robot, s->at, "the file has more than %d different surfaces",
                    most_materials);
    return 0;
  }
  d->material[d->nmaterial] = row;
  return d->nmaterial++;
}

static void put_faces(document *d, nsds_yaml *map, const nsds_robot_shape *s) {
  nsds_yaml *faces = nsds_yaml_put(&d->maker, map, "faces", new_list(d));
  for (int k = 0; k < s->nface; ++k) {
    const double face[3] = {s->face[3 * k], s->face[3 * k + 1], s->face[3 * k + 2]};
    nsds_yaml_append(&d->maker, faces, nsds_yaml_vector(&d->maker, 3, face));
  }
}

/* A plane, which only the world has: the points x with n.x = offset. */
static void document_put_plane(document *d, nsds_yaml *map, const nsds_robot_shape *s) {
  const double up[3] = {0.0, 0.0, 1.0};
  double n[3];
  nsds_pose_turn(s->pose.q, up, n);
  put_vector(d, map, "normal", 3, n);
  put_unless(d, map, "offset", n[0] * s->pose.p[0] + n[1] * s->pose.p[1] + n[2] * s->pose.p[2],
             0.0);
}

static bool has_points(const nsds_robot_shape *s) {
  return s->kind == NSDS_ROBOT_HULL || s->kind == NSDS_ROBOT_TRIANGLES;
}

/* Points and faces, which come last: they are long. */
static void document_put_points(document *d, nsds_yaml *map, const nsds_robot_shape *s) {
  if (!has_points(s)) return;
  nsds_yaml_put(&d->maker, map, "vertices", nsds_yaml_rows(&d->maker, s->nvertex, 3, s->vertex));
  if (s->kind == NSDS_ROBOT_TRIANGLES) put_faces(d, map, s);
}

static void put_measures(document *d, nsds_yaml *map, const nsds_robot_shape *s) {
  switch (s->kind) {
  case NSDS_ROBOT_SPHERE: put_number(d, map, "radius", s->size[0]); break;
  case NSDS_ROBOT_CAPSULE:
  case NSDS_ROBOT_CYLINDER:
    put_number(d, map, "radius", s->size[0]);
    put_number(d, map, "half", s->size[1]);
    break;
  case NSDS_ROBOT_BOX:
  case NSDS_ROBOT_ELLIPSOID: put_vector(d, map, "half", 3, s->size); break;
  case NSDS_ROBOT_PLANE: document_put_plane(d, map, s); break;
  case NSDS_ROBOT_HEIGHTS:
    put_vector(d, map, "half", 2, s->size);
    nsds_yaml_put(&d->maker, map, "heights",
                  nsds_yaml_rows(&d->maker, s->nface, s->nvertex, s->vertex));
    break;
  default: break; /* by document_put_points() */
  }
}

/* Shapes of model files lie along the first axis, those of robots along the third. */
static nsds_pose document_place(const nsds_robot_shape *s, const double center[3]) {
  nsds_pose place = s->pose;
  if (s->kind == NSDS_ROBOT_CAPSULE || s->kind == NSDS_ROBOT_CYLINDER)
    nsds_quaternion_times(s->pose.q, nsds_third_axis_first, place.q);
  for (int i = 0; i < 3; ++i) place.p[i] -= center[i];
  return place;
}

/* Rounding is no turn. */
static bool is_turned(const double q[4]) {
  return fabs(q[1]) > 1e-15 || fabs(q[2]) > 1e-15 || fabs(q[3]) > 1e-15;
}

static nsds_yaml *shape_map(document *d, const nsds_robot_shape *s) {
  static const char *const type[] = {"sphere", "capsule",   "cylinder",
                                     "box",    "ellipsoid", "half_space",
                                     "hull",   "triangles", "height_field"};
  stand_at(d, s->at);
  nsds_yaml *map = new_map(d);
  nsds_pose place = document_place(s, d->robot->body[s->body].center);
  put_text(d, map, "type", type[s->kind]);
  put_measures(d, map, s);
  bool rounded = s->kind != NSDS_ROBOT_SPHERE && s->kind != NSDS_ROBOT_CAPSULE &&
                 s->kind != NSDS_ROBOT_CYLINDER && s->kind != NSDS_ROBOT_PLANE &&
                 s->kind != NSDS_ROBOT_ELLIPSOID;
  if (rounded) put_unless(d, map, "radius", s->radius, 0.0);
  if (s->kind != NSDS_ROBOT_PLANE) {
    if (place.p[0] != 0.0 || place.p[1] != 0.0 || place.p[2] != 0.0)
      put_vector(d, map, "position", 3, place.p);
    if (is_turned(place.q)) put_vector(d, map, "quaternion", 4, place.q);
  }
  if (s->color[0] != 0.0) put_vector(d, map, "color", 3, s->color);
  if (s->hidden) put_text(d, map, "hidden", "true");
  if (!s->meets) put_text(d, map, "drawn_only", "true");
  else put_unless(d, map, "material", material_of(d, s), 0.0);
  document_put_points(d, map, s);
  return map;
}

static nsds_yaml *document_shapes(document *d, int body) {
  nsds_yaml *list = NULL;
  for (int k = 0; k < d->robot->nshape; ++k) {
    const nsds_robot_shape *s = &d->robot->shape[k];
    if (s->body != body) continue;
    if (!list) list = new_list(d);
    nsds_yaml_append(&d->maker, list, shape_map(d, s));
  }
  return list;
}

/* ---- bodies ---- */

static void put_gravity(document *d, nsds_yaml *map, const nsds_robot_body *b) {
  const double *g = d->robot->gravity, part = 1.0 - b->gravcomp;
  char text[40] = "-g";
  if (part == 0.0 || (g[0] == 0.0 && g[1] == 0.0 && g[2] == 0.0)) return;
  if (!nsds_robot_falls_down(d->robot)) {
    put_vector(d, map, "gravity", 3, (const double[]){part * g[0], part * g[1], part * g[2]});
    return;
  }
  if (part != 1.0) nsds_print(text, sizeof text, "%.17g*g", -part);
  nsds_yaml *list = nsds_yaml_put(&d->maker, map, "gravity", new_list(d));
  nsds_yaml_append(&d->maker, list, nsds_yaml_number(&d->maker, 0.0));
  nsds_yaml_append(&d->maker, list, nsds_yaml_number(&d->maker, 0.0));
  nsds_yaml_append(&d->maker, list, nsds_yaml_text(&d->maker, text));
}

/* The velocity of the center of mass, and the angular velocity along the axes of the body. */
static void put_rate(document *d, nsds_yaml *map, const nsds_robot_body *b) {
  const double *w = b->rate + 3;
  double arm[3], v[6];
  bool still = true;
  for (int i = 0; i < 6; ++i) still = still && b->rate[i] == 0.0;
  if (still) return;
  nsds_pose back = nsds_pose_inverse(&b->pose);
  nsds_pose_turn(b->pose.q, b->center, arm);
  for (int i = 0; i < 3; ++i) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    v[i] = b->rate[i] + w[j] * arm[k] - w[k] * arm[j];
  }
  nsds_pose_turn(back.q, w, v + 3);
  put_vector(d, map, "v0", 6, v);
}

static nsds_yaml *body_map(document *d, int k) {
  const nsds_robot_body *b = &d->robot->body[k];
  nsds_yaml *shapes = document_shapes(d, k);
  double q[7];
  stand_at(d, b->at);
  nsds_yaml *map = new_map(d);
  nsds_pose_point(&b->pose, b->center, q);
  memcpy(q + 3, b->pose.q, 4 * sizeof *q);
  put_text(d, map, "type", "rigid_body");
  put_number(d, map, "mass", b->mass);
  nsds_yaml_put(&d->maker, map, "inertia", nsds_yaml_rows(&d->maker, 3, 3, b->inertia));
  put_vector(d, map, "q0", 7, q);
  put_rate(d, map, b);
  put_gravity(d, map, b);
  if (shapes) nsds_yaml_put(&d->maker, map, "shapes", shapes);
  return map;
}

static nsds_yaml *systems_map(document *d) {
  nsds_yaml *map = new_map(d);
  for (int k = 1; k < d->robot->nbody; ++k)
    nsds_yaml_put(&d->maker, map, d->robot->body[k].name, body_map(d, k));
  return map;
}

/* ---- joints ---- */

static void put_bodies(document *d, nsds_yaml *map, const char *key, int child, int parent) {
  nsds_yaml *list = nsds_yaml_put(&d->maker, map, key, new_list(d));
  const int body[2] = {child, parent};
  for (int k = 0; k < 2; ++k)
    if (body[k] != nsds_robot_world)
      nsds_yaml_append(&d->maker, list, nsds_yaml_text(&d->maker, d->robot->body[body[k]].name));
}

static bool joint_has_coordinate(const nsds_robot_joint *j) {
  return j->kind == NSDS_ROBOT_HINGE || j->kind == NSDS_ROBOT_SLIDE;
}

static void document_put_gain(document *d, nsds_yaml *map, const char *key, const char *name,
                              double value) {
  if (name) put_text(d, map, key, name);
  else put_unless(d, map, key, value, 0.0);
}

static void put_drive(document *d, nsds_yaml *acts, const nsds_robot_drive *drive) {
  nsds_yaml *map = nsds_yaml_put(&d->maker, acts, "drive", new_map(d));
  document_put_gain(d, map, "stiffness", drive->stiffness_name, drive->stiffness);
  document_put_gain(d, map, "damping", drive->damping_name, drive->damping);
  put_unless(d, map, "target", drive->target, 0.0);
  put_unless(d, map, "rate", drive->rate, 0.0);
  put_unless(d, map, "force", drive->force, 0.0);
  put_unless(d, map, "most", drive->most, 0.0);
  if (drive->integrated) put_text(d, map, "integrated", "true");
  put_unless(d, map, "target_lower", drive->least_target, 0.0);
  put_unless(d, map, "target_upper", drive->most_target, 0.0);
}

static void put_acts(document *d, nsds_yaml *interaction, const nsds_robot_joint *j) {
  nsds_yaml *acts = new_map(d);
  bool stops = isfinite(j->lower) || isfinite(j->upper);
  put_unless(d, acts, "stiffness", j->stiffness, 0.0);
  put_unless(d, acts, "damping", j->damping, 0.0);
  if (j->stiffness > 0.0) put_unless(d, acts, "rest", j->rest, 0.0);
  put_unless(d, acts, "friction", j->friction, 0.0);
  put_unless(d, acts, "armature", j->armature, 0.0);
  if (isfinite(j->lower)) put_number(d, acts, "lower", j->lower);
  if (isfinite(j->upper)) put_number(d, acts, "upper", j->upper);
  if (stops) put_unless(d, acts, "restitution", j->restitution, 0.0);
  if (j->drive.there) put_drive(d, acts, &j->drive);
  bool any = acts && acts->count > 0;
  if (any) put_unless(d, acts, "offset", j->start, 0.0);
  if (any) nsds_yaml_put(&d->maker, interaction, "acts", acts);
}

static nsds_yaml *joint_map(document *d, const nsds_robot_joint *j) {
  static const char *const type[] = {"hinge", "prismatic", "ball", "planar", "fixed"};
  stand_at(d, j->at);
  nsds_yaml *map = new_map(d);
  put_bodies(d, map, "systems", j->child, j->parent);
  nsds_yaml *relation = nsds_yaml_put(&d->maker, map, "relation", new_map(d));
  put_text(d, relation, "type", type[j->kind]);
  put_vector(d, relation, "point", 3, j->point);
  if (joint_has_coordinate(j) || j->kind == NSDS_ROBOT_PLANAR)
    put_vector(d, relation, "axis", 3, j->axis);
  if (joint_has_coordinate(j)) put_unless(d, relation, "start", j->start, 0.0);
  if (joint_has_coordinate(j)) put_acts(d, map, j);
  return map;
}

/* The largest turn r of a ball joint. Let p, c and z be the quaternions of the parent, of the child, and
 * of the joint at its zero. Then w = (p z).c is the cosine of half the angle a. Near a = r the gap
 * y = 2 (w^2 - cos^2(r/2)) / sin r is close to r - a. */
static nsds_yaml *ball_limit_map(document *d, const nsds_robot_joint *j) {
  static const int place[4][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
  static const int sign[4][4] = {{1, -1, -1, -1}, {1, 1, 1, -1}, {1, -1, 1, 1}, {1, 1, -1, 1}};
  const double half = cos(0.5 * j->upper), scale = 2.0 / sin(j->upper);
  char text[2000], part[100];
  bool first = true;
  stand_at(d, j->at);
  nsds_yaml *map = new_map(d), *relation = new_map(d), *law = new_map(d);
  put_bodies(d, map, "systems", j->child, j->parent);
  nsds_print(text, sizeof text, "(%.17g)*((", scale);
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 4;
         ++k) { /* part k of p meets part place[i][k] of z in part i of the product */
      double z = sign[i][k] * j->zero[place[i][k]];
      if (z == 0.0 || (j->parent == nsds_robot_world && k > 0)) continue;
      if (j->parent == nsds_robot_world) nsds_print(part, sizeof part, "(%.17g)*q%d", z, 4 + i);
      else nsds_print(part, sizeof part, "(%.17g)*q%d*q%d", z, 11 + k, 4 + i);
      nsds_print(text + strlen(text), sizeof text - strlen(text), "%s%s", first ? "" : " + ", part);
      first = false;
    }
  nsds_print(text + strlen(text), sizeof text - strlen(text), ")^2 - (%.17g))", half * half);
  put_text(d, relation, "type", "lagrangian");
  nsds_yaml *output = nsds_yaml_put(&d->maker, relation, "output", new_list(d));
  nsds_yaml_append(&d->maker, output, nsds_yaml_text(&d->maker, text));
  nsds_yaml_put(&d->maker, map, "relation", relation);
  put_text(d, law, "type", "newton_impact");
  put_unless(d, law, "e", j->restitution, 0.0);
  nsds_yaml_put(&d->maker, map, "law", law);
  return map;
}

/* The spring and damper of a ball joint, or its friction. */
static nsds_yaml *ball_acts_map(document *d, const nsds_robot_joint *j, bool friction) {
  stand_at(d, j->at);
  nsds_yaml *map = new_map(d);
  put_bodies(d, map, "systems", j->child, j->parent);
  nsds_yaml_put(&d->maker, map, "relation", nsds_robot_ball_relation(&d->maker, j, friction));
  nsds_yaml *law = nsds_yaml_put(&d->maker, map, "law", new_map(d));
  put_text(d, law, "type", friction ? "relay" : "equality");
  const double f = j->friction;
  if (friction) put_vector(d, law, "lower", 3, (const double[]){-f, -f, -f});
  if (friction) put_vector(d, law, "upper", 3, (const double[]){f, f, f});
  return map;
}

static double cable_length(const nsds_robot_cable *c) {
  double square = 0.0;
  for (int i = 0; i < 3; ++i) square += pow(c->point[0][i] - c->point[1][i], 2);
  return sqrt(square);
}

/* A spring between the ends of a cable, or the rope that keeps them from going apart. */
static nsds_yaml *cable_map(document *d, const nsds_robot_cable *c, bool rope) {
  stand_at(d, c->at);
  nsds_yaml *map = new_map(d), *relation = new_map(d);
  put_bodies(d, map, "systems", c->body[0], c->body[1]);
  put_text(d, relation, "type", rope ? "rope" : "spring");
  put_vector(d, relation, "point", 3, c->point[0]);
  put_vector(d, relation, "other", 3, c->point[1]);
  if (!rope) put_unless(d, relation, "stiffness", c->stiffness, 0.0);
  if (!rope) put_unless(d, relation, "damping", c->damping, 0.0);
  put_number(d, relation, "length", rope ? c->longest : c->rest);
  nsds_yaml_put(&d->maker, map, "relation", relation);
  if (rope) put_text(d, nsds_yaml_put(&d->maker, map, "law", new_map(d)), "type", "newton_impact");
  return map;
}

/* The name of a part of another one. */
static void put_part(document *d, nsds_yaml *map, const char *name, const char *part,
                     nsds_yaml *value) {
  char text[64];
  nsds_print(text, sizeof text, "%.34s_%s", name, part);
  nsds_yaml_put(&d->maker, map, text, value);
}

static void put_cables(document *d, nsds_yaml *map) {
  const nsds_robot *r = d->robot;
  for (int k = 0; k < r->ncable; ++k) {
    const nsds_robot_cable *c = &r->cable[k];
    if (!(cable_length(c) > 0.0)) {
      nsds_robot_fail(d->robot, c->at, "both sites of the tendon stand in one place at the start");
      return;
    }
    if (c->stiffness > 0.0 || c->damping > 0.0)
      put_part(d, map, c->name, "spring", cable_map(d, c, false));
    if (c->longest > 0.0) put_part(d, map, c->name, "rope", cable_map(d, c, true));
  }
}

/* Number of a body in the list of a coupler's systems, from 1; it is added unless it is there. */
static int place_in(int body, int *count, int list[16]) {
  for (int k = 0; k < *count; ++k)
    if (list[k] == body) return k + 1;
  list[(*count)++] = body;
  return *count;
}

static nsds_yaml *term_map(document *d, const nsds_robot_coupler *c, int k, int *count,
                           int list[16]) {
  const nsds_robot_joint *j = &d->robot->joint[c->joint[k]];
  nsds_yaml *term = new_map(d);
  double of[2] = {place_in(j->child, count, list)};
  int bodies = 1;
  if (j->parent != nsds_robot_world) of[bodies++] = place_in(j->parent, count, list);
  put_text(d, term, "coordinate", j->kind == NSDS_ROBOT_HINGE ? "angle" : "displacement");
  put_vector(d, term, "of", bodies, of);
  put_number(d, term, "weight", c->weight[k]);
  put_vector(d, term, "point", 3, j->point);
  put_vector(d, term, "axis", 3, j->axis);
  put_unless(d, term, "offset", j->start, 0.0);
  return term;
}

static nsds_yaml *coupler_map(document *d, const nsds_robot_coupler *c) {
  int count = 0, list[16];
  stand_at(d, c->at);
  nsds_yaml *map = new_map(d), *relation = new_map(d), *terms = new_list(d);
  for (int k = 0; k < c->nterm; ++k)
    nsds_yaml_append(&d->maker, terms, term_map(d, c, k, &count, list));
  nsds_yaml *systems = nsds_yaml_put(&d->maker, map, "systems", new_list(d));
  for (int k = 0; k < count; ++k)
    nsds_yaml_append(&d->maker, systems, nsds_yaml_text(&d->maker, d->robot->body[list[k]].name));
  put_text(d, relation, "type", "coupler");
  nsds_yaml_put(&d->maker, relation, "terms", terms);
  put_unless(d, relation, "offset", c->offset, 0.0);
  nsds_yaml_put(&d->maker, map, "relation", relation);
  return map;
}

static void put_interactions(document *d, nsds_yaml *root) {
  const nsds_robot *r = d->robot;
  if (r->njoint + r->ncoupler + r->ncable == 0) return;
  nsds_yaml *map = nsds_yaml_put(&d->maker, root, "interactions", new_map(d));
  for (int k = 0; k < r->njoint; ++k)
    nsds_yaml_put(&d->maker, map, r->joint[k].name, joint_map(d, &r->joint[k]));
  for (int k = 0; k < r->ncoupler; ++k)
    nsds_yaml_put(&d->maker, map, r->coupler[k].name, coupler_map(d, &r->coupler[k]));
  for (int k = 0; k < r->njoint; ++k) {
    const nsds_robot_joint *j = &r->joint[k];
    if (j->kind != NSDS_ROBOT_BALL) continue;
    if (isfinite(j->upper)) put_part(d, map, j->name, "limit", ball_limit_map(d, j));
    if (j->stiffness > 0.0 || j->damping > 0.0)
      put_part(d, map, j->name, "spring", ball_acts_map(d, j, false));
    if (j->friction > 0.0) put_part(d, map, j->name, "friction", ball_acts_map(d, j, true));
  }
  put_cables(d, map);
}

/* ---- contacts ---- */

static void document_put_surface(document *d, nsds_yaml *map, const nsds_robot_coefficients *c) {
  if (isnan(c->mu)) put_text(d, map, "mu", "mu");
  else put_number(d, map, "mu", c->mu);
  put_unless(d, map, "mu_rolling", c->mu_rolling, 0.0);
  put_unless(d, map, "e_n", c->restitution, 0.0);
}

static void put_materials(document *d, nsds_yaml *set) {
  nsds_yaml *list = nsds_yaml_put(&d->maker, set, "materials", new_list(d));
  if (d->nmaterial == 0) d->material[d->nmaterial++] = (material_row){.of.mu = 1.0};
  for (int k = 0; k < d->nmaterial; ++k) {
    nsds_yaml *map = new_map(d);
    document_put_surface(d, map, &d->material[k].of);
    nsds_yaml_append(&d->maker, list, map);
  }
}

/* The coefficients of two materials that are not the larger ones of both. */
static void put_meetings(document *d, nsds_yaml *set) {
  const nsds_robot *r = d->robot;
  nsds_yaml *list = NULL;
  for (int n = 0; n < r->nmeeting; ++n)
    for (int i = 0; i < d->nmaterial; ++i)
      for (int j = 0; j < d->nmaterial; ++j) {
        const nsds_robot_meeting *meeting = &r->meeting[n];
        if (d->material[i].surface != meeting->a || d->material[j].surface != meeting->b) continue;
        if (!list) list = new_list(d);
        nsds_yaml *map = new_map(d);
        put_vector(d, map, "materials", 2, (const double[]){i, j});
        put_number(d, map, "mu", meeting->of.mu);
        if (d->rolling) put_number(d, map, "mu_rolling", meeting->of.mu_rolling);
        put_number(d, map, "e_n", meeting->of.restitution);
        nsds_yaml_append(&d->maker, list, map);
      }
  if (list) nsds_yaml_put(&d->maker, set, "material_pairs", list);
}

static bool body_meets(const nsds_robot *r, int body) {
  for (int k = 0; k < r->nshape; ++k)
    if (r->shape[k].body == body && r->shape[k].meets) return true;
  return false;
}

static void put_excluded(document *d, nsds_yaml *set) {
  const nsds_robot *r = d->robot;
  nsds_yaml *list = NULL;
  for (int k = 0; k < r->npair; ++k) {
    const nsds_robot_pair *p = &r->pair[k];
    if (!body_meets(r, p->a) || !body_meets(r, p->b)) continue;
    stand_at(d, p->at);
    if (!list) list = new_list(d);
    nsds_yaml *map = new_map(d);
    bool first = p->a != nsds_robot_world;
    put_bodies(d, map, "bodies", first ? p->a : p->b, first ? p->b : p->a);
    nsds_yaml_append(&d->maker, list, map);
  }
  if (list) nsds_yaml_put(&d->maker, set, "exclude", list);
}

static void document_put_contacts(document *d, nsds_yaml *root, nsds_yaml *scenery) {
  if (!nsds_robot_has_contacts(d->robot)) return;
  stand_at(d, d->robot->root);
  nsds_yaml *sets = nsds_yaml_put(&d->maker, root, "contacts", new_map(d)), *set = new_map(d);
  put_text(d, set, "type", "shapes");
  put_materials(d, set);
  put_text(d, set, "mix", "max");
  put_meetings(d, set);
  if (d->rolling) put_text(d, set, "rolling", "true");
  if (scenery) nsds_yaml_put(&d->maker, set, "scenery", scenery);
  put_excluded(d, set);
  nsds_yaml_put(&d->maker, sets, "contact", set);
}

/* ---- sensors ---- */

static void put_subtree(document *d, nsds_yaml *map, int root) {
  const nsds_robot *r = d->robot;
  nsds_yaml *list = nsds_yaml_put(&d->maker, map, "bodies", new_list(d));
  for (int k = 1; k < r->nbody; ++k)
    if (nsds_robot_hangs_on(r, k, root))
      nsds_yaml_append(&d->maker, list, nsds_yaml_text(&d->maker, r->body[k].name));
}

static void put_zone(document *d, nsds_yaml *map, const nsds_robot_sense *s) {
  put_text(d, map, "zone", s->zone);
  put_unless(d, map, "radius", s->radius, 0.0);
  if (s->half[0] > 0.0) put_vector(d, map, "half", 3, s->half);
}

static nsds_yaml *sense_map(document *d, const nsds_robot_sense *s) {
  const nsds_robot *r = d->robot;
  bool turned = s->quaternion[0] != 1.0;
  stand_at(d, s->at);
  nsds_yaml *map = new_map(d);
  put_text(d, map, "type", s->type);
  if (s->joint >= 0) put_text(d, map, "joint", r->joint[s->joint].name);
  if (s->on_contacts) put_text(d, map, "contacts", "contact");
  if (s->on_subtree) {
    put_subtree(d, map, s->body);
    return map;
  }
  if (s->body != nsds_robot_world) put_text(d, map, "body", r->body[s->body].name);
  if (s->point[0] != 0.0 || s->point[1] != 0.0 || s->point[2] != 0.0)
    put_vector(d, map, "point", 3, s->point);
  if (turned) put_vector(d, map, "quaternion", 4, s->quaternion);
  if (s->zone) put_zone(d, map, s);
  else if (s->own_axes && !s->on_contacts) put_text(d, map, "axes", "body");
  return map;
}

static void put_senses(document *d, nsds_yaml *root) {
  const nsds_robot *r = d->robot;
  if (r->nsense == 0) return;
  stand_at(d, r->root);
  nsds_yaml *map = nsds_yaml_put(&d->maker, root, "sensors", new_map(d));
  for (int k = 0; k < r->nsense; ++k)
    nsds_yaml_put(&d->maker, map, r->sense[k].name, sense_map(d, &r->sense[k]));
}

/* ---- the rest of the file ---- */

static void document_put_parameters(document *d, nsds_yaml *map) {
  const nsds_robot *r = d->robot;
  if (nsds_robot_falls_down(r)) put_number(d, map, "g", -r->gravity[2]);
  put_number(d, map, "h", r->h);
  put_number(d, map, "t1", r->end);
  if (d->uses_mu) put_number(d, map, "mu", 1.0);
  if (!r->drives_by_parameters) return;
  put_number(d, map, "drive_stiffness", 0.0);
  put_number(d, map, "drive_damping", 0.0);
}

/* Joints of a tree have no rows in joint coordinates: fewer unknowns, and no forces of joints that share
 * the loads of contacts. The springs of ball joints depend on attitudes, which these do not take. */
static bool has_tree(const nsds_robot *r) {
  bool any = false, plain = true;
  for (int k = 0; k < r->njoint; ++k) {
    const nsds_robot_joint *j = &r->joint[k];
    any = any || !j->closes;
    plain = plain && !(j->kind == NSDS_ROBOT_BALL &&
                       (j->stiffness > 0.0 || j->damping > 0.0 || j->friction > 0.0));
  }
  return any && plain;
}

static void put_simulation(document *d, nsds_yaml *root) {
  nsds_yaml *map = nsds_yaml_put(&d->maker, root, "simulation", new_map(d));
  put_text(d, map, "type", "time_stepping");
  put_text(d, map, "t1", "t1");
  put_text(d, map, "h", "h");
  bool tree = has_tree(d->robot);
  if (tree) put_text(d, map, "coordinates", "joint");
  nsds_yaml *projection = nsds_yaml_put(&d->maker, map, "projection", new_map(d));
  put_text(d, projection, "kind", "direct");
  if (tree) put_text(d, projection, "settles", "true");
}

static void document_add_column(document *d, nsds_yaml *list, const char *object,
                                const char *quantity) {
  char name[80];
  nsds_print(name, sizeof name, "%s.%s", object, quantity);
  nsds_yaml_append(&d->maker, list, nsds_yaml_text(&d->maker, name));
}

static void add_sensor_column(document *d, nsds_yaml *list, const nsds_robot_sensor *s) {
  stand_at(d, s->at);
  nsds_yaml *map = new_map(d);
  put_text(d, map, "name", s->name);
  put_text(d, map, "value", s->value);
  if (s->unit[0]) put_text(d, map, "unit", s->unit);
  nsds_yaml_append(&d->maker, list, map);
}

/* Coordinates of joints, places of free bodies, sensors. */
static void document_put_outputs(document *d, nsds_yaml *root) {
  const nsds_robot *r = d->robot;
  nsds_yaml *list = new_list(d);
  for (int k = 1; k < r->nbody; ++k) {
    static const char *const place[] = {"q[0]", "q[1]", "q[2]"};
    for (int i = 0; i < 3 && !r->body[k].has_joint; ++i)
      document_add_column(d, list, r->body[k].name, place[i]);
  }
  for (int k = 0; k < r->njoint; ++k) {
    const nsds_robot_joint *j = &r->joint[k];
    stand_at(d, j->at);
    if (joint_has_coordinate(j))
      document_add_column(d, list, j->name, j->kind == NSDS_ROBOT_HINGE ? "angle" : "displacement");
  }
  for (int k = 0; k < r->nsensor; ++k) add_sensor_column(d, list, &r->sensor[k]);
  if (!list || list->count == 0) return;
  nsds_yaml *outputs = nsds_yaml_put(&d->maker, root, "outputs", new_map(d));
  nsds_yaml_put(&d->maker, outputs, "columns", list);
}

nsds_yaml *nsds_robot_document(nsds_robot *robot) {
  document d = {.robot = robot, .maker = {.context = robot->context}};
  if (!robot->failed && robot->nbody == 1)
    nsds_robot_fail(robot, robot->root,
                    "no body moves: every link is fixed to the world; give a joint that moves");
  if (robot->failed) return NULL;
  stand_at(&d, robot->root);
  nsds_yaml *root = new_map(&d);
  put_number(&d, root, "nsds", 1.0);
  put_text(&d, root, "name", robot->name);
  nsds_yaml *parameters = nsds_yaml_put(&d.maker, root, "parameters", new_map(&d));
  nsds_yaml_put(&d.maker, root, "systems", systems_map(&d));
  put_interactions(&d, root);
  document_put_contacts(&d, root, document_shapes(&d, nsds_robot_world));
  put_senses(&d, root);
  stand_at(&d, robot->root);
  if (parameters) document_put_parameters(&d, parameters);
  put_simulation(&d, root);
  document_put_outputs(&d, root);
  nsds_yaml *tree = nsds_yaml_finish(&d.maker, root);
  if (!robot->failed) return tree;
  nsds_yaml_free(tree);
  return NULL;
}
