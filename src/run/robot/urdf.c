/*
 * URDF, see urdf.h. Links and joints are listed first, then a walk from the root gives each link its
 * place. A fixed joint makes two links one body; the root is the world. A joint that does not move
 * never becomes an equation.
 */
#include "run/robot/urdf.h"

#include "base/text/format.h"
#include "base/text/words.h"
#include "run/robot/mesh_draw.h"

#include <math.h>
#include <string.h>

typedef struct urdf_link {
  nsds_xml *at;
  int joint, first_child; /* joint to its parent; first joint below it; -1: none */
  nsds_pose pose;         /* in the world */
  int body;
} urdf_link;

typedef struct urdf_joint {
  nsds_xml *at;
  const char *type;
  int parent, child, next; /* links; next joint below the same parent */
  nsds_pose origin;
  double axis[3];
  int made; /* number in the robot; -1: it is fixed or floats */
} urdf_joint;

typedef struct urdf {
  nsds_robot *robot;
  nsds_names links, joints;
  int nlink, njoint;
  urdf_link *link;
  urdf_joint *joint;
} urdf;

static int count_children(nsds_xml *root, const char *name) {
  int count = 0;
  for (nsds_xml *e = NULL; (e = nsds_xml_child(root, name, e)) != NULL;) ++count;
  return count;
}

/* The place of an <origin>, in roll, pitch and yaw. */
static nsds_pose read_origin(nsds_robot *robot, nsds_xml *parent) {
  static const double axis[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  nsds_pose pose = nsds_pose_identity();
  double rpy[3] = {0.0}, turn[4];
  nsds_xml *e = nsds_xml_child(parent, "origin", NULL);
  if (!e) return pose;
  nsds_robot_numbers(robot, e, "xyz", 3, 3, pose.p);
  nsds_robot_numbers(robot, e, "rpy", 3, 3, rpy);
  for (int i = 2; i >= 0; --i) {
    nsds_quaternion_of_axis(axis[i], rpy[i], turn);
    nsds_quaternion_times(pose.q, turn, pose.q);
  }
  return pose;
}

/* Adds a name of a link or joint; false if it is there already. */
static bool urdf_add_name(urdf *u, nsds_names *names, nsds_xml *at, int number) {
  const char *name = nsds_xml_get(at, "name");
  if (!name || !name[0]) return nsds_robot_fail(u->robot, at, "<%s> has no name", at->name);
  int other = nsds_names_find(names, name);
  if (other >= 0) {
    const nsds_xml *first = names == &u->links ? u->link[other].at : u->joint[other].at;
    return nsds_robot_fail(
        u->robot, at, "a %s is called \"%.60s\" here and at %s:%d; give each a name of its own",
        at->name, name, first->file, first->line);
  }
  return nsds_robot_took(u->robot, nsds_names_add(u->robot->context, names, name) == number
                                       ? NSDS_OK
                                       : NSDS_ERROR_MEMORY);
}

static int link_of(urdf *u, nsds_xml *joint, const char *role) {
  nsds_xml *e = nsds_xml_child(joint, role, NULL);
  const char *name = e ? nsds_xml_get(e, "link") : NULL;
  int link = name ? nsds_names_find(&u->links, name) : -1;
  if (!name) nsds_robot_fail(u->robot, joint, "the joint has no <%s link=\"...\"/>", role);
  else if (link < 0) nsds_robot_fail(u->robot, e, "there is no link \"%.60s\"", name);
  return link;
}

static bool read_joint(urdf *u, nsds_xml *at, int k) {
  static const char *const types[] = {"fixed",     "revolute", "continuous",
                                      "prismatic", "floating", "planar"};
  urdf_joint *j = &u->joint[k];
  if (!urdf_add_name(u, &u->joints, at, k)) return false;
  *j =
      (urdf_joint){.at = at, .type = nsds_xml_get(at, "type"), .axis = {1.0, 0.0, 0.0}, .made = -1};
  bool known = false;
  for (size_t n = 0; j->type && n < sizeof types / sizeof *types; ++n)
    known = known || strcmp(types[n], j->type) == 0;
  if (!known)
    return nsds_robot_fail(u->robot, at,
                           "the type of a joint is \"%.40s\"; valid are revolute, continuous, "
                           "prismatic, fixed, floating and planar",
                           j->type ? j->type : "");
  j->parent = link_of(u, at, "parent");
  j->child = link_of(u, at, "child");
  j->origin = read_origin(u->robot, at);
  nsds_xml *axis = nsds_xml_child(at, "axis", NULL);
  if (axis) nsds_robot_numbers(u->robot, axis, "xyz", 3, 3, j->axis);
  double length = sqrt(j->axis[0] * j->axis[0] + j->axis[1] * j->axis[1] + j->axis[2] * j->axis[2]);
  if (!(length > 1e-10))
    return nsds_robot_fail(u->robot, axis ? axis : at,
                           "the axis has the length %g; valid is a length above 0", length);
  for (int i = 0; i < 3; ++i) j->axis[i] /= length;
  if (u->robot->failed) return false;
  urdf_link *child = &u->link[j->child];
  if (child->joint >= 0)
    return nsds_robot_fail(
        u->robot, at,
        "the link \"%.60s\" has a second parent here, after line %d; a loop needs "
        "an equality, which MJCF has",
        nsds_xml_get(child->at, "name"), u->joint[child->joint].at->line);
  child->joint = k;
  return true;
}

static bool read_lists(urdf *u) {
  nsds_robot *r = u->robot;
  int k = 0;
  u->nlink = count_children(r->root, "link");
  u->njoint = count_children(r->root, "joint");
  if (u->nlink == 0) return nsds_robot_fail(r, r->root, "the robot has no <link>");
  if (u->nlink > nsds_robot_most_parts || u->njoint > nsds_robot_most_parts)
    return nsds_robot_fail(r, r->root, "the robot has %d links and %d joints; the most are %d each",
                           u->nlink, u->njoint, nsds_robot_most_parts);
  u->link = nsds_robot_memory(r, (size_t)u->nlink, sizeof *u->link);
  u->joint = nsds_robot_memory(r, (size_t)u->njoint, sizeof *u->joint);
  if (r->failed) return false;
  for (nsds_xml *e = NULL; (e = nsds_xml_child(r->root, "link", e)) != NULL; ++k) {
    u->link[k] = (urdf_link){.at = e, .joint = -1, .first_child = -1};
    if (!urdf_add_name(u, &u->links, e, k)) return false;
  }
  k = 0;
  for (nsds_xml *e = NULL; (e = nsds_xml_child(r->root, "joint", e)) != NULL; ++k)
    if (!read_joint(u, e, k)) return false;
  while (--k >= 0) { /* from the last on, so that the chains are in the order of the file */
    urdf_joint *j = &u->joint[k];
    j->next = u->link[j->parent].first_child;
    u->link[j->parent].first_child = k;
  }
  return true;
}

/* ---- masses and shapes ---- */

static bool read_inertia(nsds_robot *r, nsds_xml *at, double J[9]) {
  static const char *const key[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
  static const int place[] = {0, 1, 2, 4, 5, 8};
  for (int k = 0; k < 6; ++k)
    if (!nsds_robot_number(r, at, key[k], &J[place[k]])) return false;
  J[3] = J[1];
  J[6] = J[2];
  J[7] = J[5];
  bool zero = true;
  for (int k = 0; k < 9; ++k) zero = zero && J[k] == 0.0;
  return zero || nsds_robot_check_inertia(r, at, "the link", J);
}

/* Adds the mass of a link to its body. */
static void add_inertial(urdf *u, const urdf_link *link) {
  nsds_robot *r = u->robot;
  nsds_xml *e = nsds_xml_child(link->at, "inertial", NULL);
  nsds_xml *mass = e ? nsds_xml_child(e, "mass", NULL) : NULL;
  nsds_xml *inertia = e ? nsds_xml_child(e, "inertia", NULL) : NULL;
  double m = 0.0, J[9] = {0.0}, turned[9];
  if (!e) return;
  nsds_pose origin = read_origin(r, e);
  if (mass && !nsds_robot_number(r, mass, "value", &m)) return;
  if (m < 0.0) {
    nsds_robot_fail(r, mass, "the mass is %g kg; valid are numbers > 0", m);
    return;
  }
  if (inertia && !read_inertia(r, inertia, J)) return;
  nsds_robot_body *body = &r->body[link->body];
  if (link->body == nsds_robot_world || m == 0.0) return;
  nsds_pose back = nsds_pose_inverse(&body->pose), in_body = nsds_pose_times(&back, &link->pose);
  in_body = nsds_pose_times(&in_body, &origin);
  nsds_pose_tensor(in_body.q, J, turned);
  nsds_robot_add_mass(body, m, in_body.p, turned);
}

/* The shape of a mesh: that of contacts, or what is drawn. */
static bool urdf_read_mesh(urdf *u, nsds_xml *e, nsds_robot_shape *s) {
  nsds_robot *r = u->robot;
  double scale[3] = {1.0, 1.0, 1.0};
  const char *file = nsds_xml_get(e, "filename");
  nsds_mesh mesh;
  nsds_robot_numbers(r, e, "scale", 3, 3, scale);
  if (!file) return nsds_robot_fail(r, e, "the mesh has no filename");
  if (s->meets) return nsds_mesh_read(r, e, file, scale, &mesh) && nsds_mesh_shape(r, e, &mesh, s);
  return nsds_mesh_read_drawn(r, e, file, scale, &mesh) && nsds_mesh_draw(r, e, &mesh, s);
}

/* The measures of a <geometry>; false if nothing is to be made of it, or after a failure. */
static bool read_geometry(urdf *u, nsds_xml *at, nsds_robot_shape *s) {
  nsds_robot *r = u->robot;
  nsds_xml *geometry = nsds_xml_child(at, "geometry", NULL), *e;
  if (!geometry) return nsds_robot_fail(r, at, "<%s> has no <geometry>", at->name);
  int count = 0, least = 1;
  s->at = geometry;
  if ((e = nsds_xml_child(geometry, "box", NULL)) != NULL) {
    s->kind = NSDS_ROBOT_BOX;
    count = nsds_robot_numbers(r, e, "size", 3, 3, s->size);
    for (int i = 0; i < 3; ++i) s->size[i] *= 0.5;
    least = 3;
  } else if ((e = nsds_xml_child(geometry, "sphere", NULL)) != NULL) {
    s->kind = NSDS_ROBOT_SPHERE;
    count = nsds_robot_numbers(r, e, "radius", 1, 1, s->size);
  } else if ((e = nsds_xml_child(geometry, "cylinder", NULL)) != NULL ||
             (e = nsds_xml_child(geometry, "capsule", NULL)) != NULL) {
    s->kind = e->name[1] == 'y' ? NSDS_ROBOT_CYLINDER : NSDS_ROBOT_CAPSULE;
    count = nsds_robot_numbers(r, e, "radius", 1, 1, s->size) +
            nsds_robot_numbers(r, e, "length", 1, 1, s->size + 1);
    s->size[1] *= 0.5;
    least = 2;
  } else if ((e = nsds_xml_child(geometry, "mesh", NULL)) != NULL) {
    return urdf_read_mesh(u, e, s);
  } else {
    return nsds_robot_fail(r, geometry,
                           "the geometry has no shape; valid are <box>, <sphere>, <cylinder>, "
                           "<capsule> and <mesh>");
  }
  if (count != least)
    return nsds_robot_fail(r, e, "<%s> has no measures; see its attributes", e->name);
  for (int i = 0; i < least; ++i)
    if (!(s->size[i] > 0.0))
      return nsds_robot_fail(r, e, "a measure of <%s> is %g m; valid are numbers > 0", e->name,
                             s->size[i]);
  return true;
}

/* Reads the color of a <visual>: its own, or that of the material of the robot that it names. */
static void read_material(urdf *u, nsds_xml *visual, nsds_robot_shape *s) {
  nsds_xml *material = nsds_xml_child(visual, "material", NULL), *shared = NULL;
  const char *name = material ? nsds_xml_get(material, "name") : NULL;
  double rgba[4];
  if (!material) return;
  nsds_xml_use_all(material);
  while (name && (shared = nsds_xml_child(u->robot->root, "material", shared)) != NULL) {
    const char *own = nsds_xml_get(shared, "name");
    if (own && strcmp(own, name) == 0) break;
  }
  nsds_xml *color = nsds_xml_child(material, "color", NULL);
  if (!color && shared) color = nsds_xml_child(shared, "color", NULL);
  if (color && nsds_robot_numbers(u->robot, color, "rgba", 4, 4, rgba) > 0)
    nsds_robot_color(s, rgba);
}

static void urdf_add_shapes(urdf *u, const urdf_link *link, const char *kind, bool meets) {
  nsds_robot *r = u->robot;
  nsds_xml *visual = nsds_xml_child(link->at, "visual", NULL);
  nsds_pose back = nsds_pose_inverse(&r->body[link->body].pose);
  nsds_pose in_body = nsds_pose_times(&back, &link->pose);
  for (nsds_xml *e = NULL; !r->failed && (e = nsds_xml_child(link->at, kind, e)) != NULL;) {
    nsds_robot_shape s = {
        .body = link->body, .meets = meets, .type = 1, .with = 1, .of.mu = (double)NAN};
    nsds_pose origin = read_origin(r, e);
    s.pose = nsds_pose_times(&in_body, &origin);
    nsds_xml_get(e, "name");
    if (!meets) read_material(u, e, &s);
    else if (visual) read_material(u, visual, &s);
    if (read_geometry(u, e, &s)) nsds_robot_add_shape(r, &s);
  }
}

static bool same_numbers(const double *a, const double *b, int count) {
  for (int i = 0; i < count; ++i)
    if (fabs(a[i] - b[i]) > 1e-12) return false;
  return true;
}

static bool same_geometry(const nsds_robot_shape *a, const nsds_robot_shape *b) {
  return a->kind == b->kind && a->nvertex == b->nvertex && same_numbers(a->size, b->size, 3) &&
         same_numbers(a->pose.p, b->pose.p, 3) && same_numbers(a->pose.q, b->pose.q, 4) &&
         same_numbers(a->vertex, b->vertex, 3 * a->nvertex);
}

/* A <visual> that looks like a shape of contacts gives it its color and goes. Beside other ones the shapes of
 * contacts are hidden. `collision` and `visual` are the places of the first ones. */
static void join_visuals(nsds_robot *r, int collision, int visual) {
  bool others = false;
  int left = visual;
  for (int v = visual; v < r->nshape; ++v) {
    nsds_robot_shape *twin = NULL;
    for (int k = collision; k < visual && !twin; ++k)
      if (same_geometry(&r->shape[k], &r->shape[v])) twin = &r->shape[k];
    if (twin) {
      memcpy(twin->color, r->shape[v].color, sizeof twin->color);
      twin->hidden = false;
      continue;
    }
    if (!others)
      for (int k = collision; k < visual; ++k) r->shape[k].hidden = true;
    others = true;
    r->shape[left++] = r->shape[v];
  }
  r->nshape = left;
}

static void add_link_shapes(urdf *u, const urdf_link *link) {
  int collision = u->robot->nshape;
  urdf_add_shapes(u, link, "collision", true);
  int visual = u->robot->nshape;
  urdf_add_shapes(u, link, "visual", false);
  join_visuals(u->robot, collision, visual);
}

/* ---- the walk from the root ---- */

static bool urdf_read_limits(urdf *u, nsds_xml *at, const char *type, nsds_robot_joint *j) {
  nsds_robot *r = u->robot;
  nsds_xml *limit = nsds_xml_child(at, "limit", NULL);
  bool stops = strcmp(type, "revolute") == 0 || strcmp(type, "prismatic") == 0;
  double lower = 0.0, upper = 0.0, effort = 0.0;
  if (stops && !limit)
    return nsds_robot_fail(r, at, "a joint of type %s needs <limit lower=\"...\" upper=\"...\"/>",
                           type);
  if (!limit) return true;
  if (!nsds_robot_number(r, limit, "lower", &lower) ||
      !nsds_robot_number(r, limit, "upper", &upper) ||
      !nsds_robot_number(r, limit, "effort", &effort))
    return false;
  if (effort < 0.0)
    return nsds_robot_fail(r, limit, "effort is %g; valid are numbers >= 0", effort);
  if (stops && lower > upper)
    return nsds_robot_fail(r, limit, "lower is %g and upper is %g; valid is lower < upper", lower,
                           upper);
  if (stops && lower == upper)
    nsds_robot_note(r, limit, "lower and upper are both %g: the joint has no stops", lower);
  if (stops && lower < upper) {
    j->lower = lower;
    j->upper = upper;
  }
  bool follows = nsds_xml_child(at, "mimic", NULL) != NULL;
  if (effort > 0.0 && !follows) nsds_robot_give_drive(j)->most = effort;
  return true;
}

/* Adds the joint of a body, with all that acts on it. */
static void urdf_add_joint(urdf *u, urdf_joint *from, int child, int parent) {
  nsds_robot *r = u->robot;
  const nsds_pose *pose = &u->link[from->child].pose;
  nsds_robot_joint j = {.name = nsds_robot_name(r, from->at, nsds_xml_get(from->at, "name")),
                        .at = from->at,
                        .kind = strcmp(from->type, "prismatic") == 0 ? NSDS_ROBOT_SLIDE
                                : strcmp(from->type, "planar") == 0  ? NSDS_ROBOT_PLANAR
                                                                     : NSDS_ROBOT_HINGE,
                        .child = child,
                        .parent = parent,
                        .lower = -(double)INFINITY,
                        .upper = (double)INFINITY};
  memcpy(j.point, pose->p, sizeof j.point);
  nsds_pose_turn(pose->q, from->axis, j.axis);
  nsds_xml *dynamics = nsds_xml_child(from->at, "dynamics", NULL);
  if (!urdf_read_limits(u, from->at, from->type, &j)) return;
  if (dynamics) {
    nsds_robot_number(r, dynamics, "damping", &j.damping);
    nsds_robot_number(r, dynamics, "friction", &j.friction);
  }
  if (j.damping < 0.0 || j.friction < 0.0) {
    nsds_robot_fail(r, dynamics, "damping is %g and friction is %g; valid are numbers >= 0",
                    j.damping, j.friction);
    return;
  }
  if (j.drive.there) {
    j.drive.stiffness_name = "drive_stiffness";
    j.drive.damping_name = "drive_damping";
    r->drives_by_parameters = true;
  }
  from->made = r->failed ? -1 : nsds_robot_add_joint(r, &j);
}

/* Gives a link its place and its body. */
static void place_link(urdf *u, int k) {
  nsds_robot *r = u->robot;
  urdf_link *link = &u->link[k];
  urdf_joint *j = link->joint < 0 ? NULL : &u->joint[link->joint];
  if (!j) {
    link->pose = nsds_pose_identity();
    link->body = nsds_robot_world;
    return;
  }
  const urdf_link *parent = &u->link[j->parent];
  link->pose = nsds_pose_times(&parent->pose, &j->origin);
  link->body = parent->body;
  if (strcmp(j->type, "fixed") == 0) return;
  bool floats = strcmp(j->type, "floating") == 0;
  if (floats && parent->body != nsds_robot_world) {
    nsds_robot_fail(r, j->at,
                    "the parent of a floating joint moves; valid is a link fixed to the world");
    return;
  }
  nsds_robot_body body = {.name = nsds_robot_name(r, link->at, nsds_xml_get(link->at, "name")),
                          .at = link->at,
                          .parent = parent->body,
                          .pose = link->pose,
                          .has_joint = !floats};
  link->body = r->failed ? -1 : nsds_robot_add_body(r, &body);
  if (r->failed) return;
  if (!floats) urdf_add_joint(u, j, link->body, parent->body);
  if (!floats) nsds_robot_add_pair(r, &(nsds_robot_pair){link->body, parent->body, j->at});
}

static bool walk(urdf *u) {
  nsds_robot *r = u->robot;
  int root = -1, count = 1;
  for (int k = 0; k < u->nlink; ++k) {
    if (u->link[k].joint >= 0) continue;
    if (root >= 0)
      return nsds_robot_fail(r, u->link[k].at,
                             "the links \"%.40s\" and \"%.40s\" (line %d) have no parent; valid is "
                             "one root",
                             nsds_xml_get(u->link[k].at, "name"),
                             nsds_xml_get(u->link[root].at, "name"), u->link[root].at->line);
    root = k;
  }
  int *order = nsds_robot_memory(r, (size_t)u->nlink, sizeof *order);
  if (root < 0)
    return nsds_robot_fail(r, r->root, "the joints go round in a circle: no link is the root");
  if (!order) return false;
  order[0] = root;
  for (int at = 0; at < count && !r->failed; ++at) {
    place_link(u, order[at]);
    for (int j = u->link[order[at]].first_child; j >= 0; j = u->joint[j].next)
      order[count++] = u->joint[j].child;
    if (r->failed) return false;
    add_inertial(u, &u->link[order[at]]);
    add_link_shapes(u, &u->link[order[at]]);
  }
  for (int k = 0; k < u->nlink && count < u->nlink; ++k)
    if (u->link[k].joint >= 0 && !u->link[k].body && k != root) {
      bool reached = false;
      for (int i = 0; i < count; ++i) reached = reached || order[i] == k;
      if (!reached)
        return nsds_robot_fail(r, u->link[k].at,
                               "the link \"%.60s\" hangs on a circle of joints, not on the root",
                               nsds_xml_get(u->link[k].at, "name"));
    }
  return !r->failed;
}

static void check_bodies(urdf *u) {
  nsds_robot *r = u->robot;
  for (int k = 1; k < r->nbody && !r->failed; ++k) {
    const nsds_robot_body *b = &r->body[k];
    if (!(b->mass > 0.0))
      nsds_robot_fail(
          r, b->at,
          "the link moves and has the mass 0; give it <inertial>, or make its joint fixed");
    else nsds_robot_check_inertia(r, b->at, b->name, b->inertia);
  }
}

/* URDF has no ground: a robot that is free, and has shapes, falls for ever. */
static void tell_ground(urdf *u) {
  nsds_robot *r = u->robot;
  const nsds_robot_body *free_body = NULL;
  bool meets = false;
  for (int k = 1; k < r->nbody; ++k)
    if (!r->body[k].has_joint) free_body = &r->body[k];
  for (int k = 0; k < r->nshape; ++k) {
    if (r->shape[k].body == nsds_robot_world && r->shape[k].meets) return;
    meets = meets || r->shape[k].meets;
  }
  if (free_body && meets)
    nsds_robot_note(r, free_body->at,
                    "the robot falls: nothing lies under it; for a ground give the root link a "
                    "<collision>, such as a box");
}

/* A joint that follows another: q - multiplier p - offset = 0. */
static void add_mimic(urdf *u, const urdf_joint *j) {
  nsds_robot *r = u->robot;
  nsds_xml *e = nsds_xml_child(j->at, "mimic", NULL);
  const char *name = e ? nsds_xml_get(e, "joint") : NULL;
  double multiplier = 1.0, offset = 0.0;
  char text[48];
  if (!e || r->failed) return;
  int other = name ? nsds_names_find(&u->joints, name) : -1;
  int from = other >= 0 ? u->joint[other].made : -1;
  if (j->made < 0 || from < 0 || from == j->made || r->joint[from].kind == NSDS_ROBOT_PLANAR ||
      r->joint[j->made].kind == NSDS_ROBOT_PLANAR) {
    nsds_robot_fail(r, e,
                    "the joint cannot follow \"%.60s\"; valid is another joint of type revolute, "
                    "continuous or prismatic",
                    name ? name : "");
    return;
  }
  if (!nsds_robot_number(r, e, "multiplier", &multiplier) ||
      !nsds_robot_number(r, e, "offset", &offset))
    return;
  nsds_print(text, sizeof text, "%s_mimic", r->joint[j->made].name);
  nsds_robot_coupler c = {.at = e, .nterm = multiplier == 0.0 ? 1 : 2, .offset = -offset};
  c.name = nsds_robot_name(r, e, text);
  c.joint[0] = j->made;
  c.weight[0] = 1.0;
  c.joint[1] = from;
  c.weight[1] = -multiplier;
  if (c.name) nsds_robot_add_coupler(r, &c);
}

void nsds_urdf_read(nsds_robot *robot) {
  urdf u = {.robot = robot, .links = {.borrows = true}, .joints = {.borrows = true}};
  const char *name = nsds_xml_get(robot->root, "name");
  if (name && name[0]) robot->name = name;
  nsds_xml_get(robot->root, "version");
  if (read_lists(&u) && walk(&u)) {
    check_bodies(&u);
    tell_ground(&u);
    for (int k = 0; k < u.njoint; ++k) add_mimic(&u, &u.joint[k]);
    nsds_robot_part_names(robot);
    for (nsds_xml *e = NULL; (e = nsds_xml_child(robot->root, "material", e)) != NULL;)
      nsds_xml_use_all(e);
  }
  nsds_names_free(&u.links);
  nsds_names_free(&u.joints);
}
