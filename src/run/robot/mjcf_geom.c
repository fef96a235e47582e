/*
 * Geoms of MJCF, see mjcf_parts.h. A geom gives its body a shape and a mass.
 */
#include "run/robot/mjcf_geom.h"
#include "run/robot/mjcf_frame.h"
#include "run/robot/mjcf_default.h"
#include "run/robot/mjcf_surface.h"
#include "run/robot/height_file.h"
#include "run/robot/mesh_draw.h"
#include "run/robot/mesh_hull.h"

#include "base/text/format.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* Whom a geom meets, and from which gap on. */
static void read_meeting(const nsds_mjcf_view *v, nsds_robot_shape *s) {
  double type = 1.0, with = 1.0, margin = 0.0, gap = 0.0;
  nsds_robot *r = v->m->robot;
  nsds_mjcf_number(v, "contype", &type);
  nsds_mjcf_number(v, "conaffinity", &with);
  nsds_mjcf_number(v, "margin", &margin);
  nsds_mjcf_number(v, "gap", &gap);
  if (type < 0.0 || with < 0.0 || type > 2147483647.0 || with > 2147483647.0) {
    nsds_robot_fail(r, v->at, "contype is %g and conaffinity is %g; valid are 0 to 2147483647",
                    type, with);
    return;
  }
  s->type = (unsigned)type;
  s->with = (unsigned)with;
  s->meets = (s->type || s->with) && !v->m->no_contact;
  s->radius = fmax(0.0, margin - gap);
  if (s->radius > 0.0 && s->meets)
    nsds_robot_note(r, v->at, "the margin of %g m becomes a radius around the geom", s->radius);
}

/* ---- measures ---- */

static bool is_type(const char *type, const char *name) { return strcmp(type, name) == 0; }

/* The place of a geom from one point to another: the third axis along the line. */
static bool read_fromto(const nsds_mjcf_view *v, nsds_pose *pose, double *half) {
  double x[6], along[3];
  if (nsds_mjcf_numbers(v, "fromto", 6, 6, x) <= 0) return false;
  for (int i = 0; i < 3; ++i) {
    pose->p[i] = 0.5 * (x[i] + x[i + 3]);
    along[i] = x[i] - x[i + 3];
  }
  double length = sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
  *half = 0.5 * length;
  if (!(length > 1e-10))
    return nsds_robot_fail(v->m->robot, v->at,
                           "fromto has the length %g; valid is a length above 0", length);
  nsds_quaternion_of_z(along, pose->q);
  return true;
}

static nsds_xml *asset_of(nsds_mjcf *m, const char *kind, const char *name) {
  for (nsds_xml *section = NULL;
       (section = nsds_xml_child(m->robot->root, "asset", section)) != NULL;)
    for (nsds_xml *e = NULL; (e = nsds_xml_child(section, kind, e)) != NULL;) {
      const char *own = nsds_xml_get(e, "name"), *file = nsds_xml_get(e, "file");
      const char *slash = file ? strrchr(file, '/') : NULL, *base = slash ? slash + 1 : file;
      size_t size = base ? strcspn(base, ".") : 0;
      if (own ? strcmp(own, name) == 0
              : base && strlen(name) == size && strncmp(base, name, size) == 0)
        return e;
    }
  return NULL;
}

/* Faces of an asset that has them in the file, or none. */
static bool read_faces(nsds_mjcf *m, nsds_xml *asset, nsds_mesh *mesh) {
  const char *text = nsds_xml_get(asset, "face");
  int room = text ? (int)strlen(text) / 2 + 2 : 0;
  double *x = text ? nsds_robot_memory(m->robot, (size_t)room, sizeof *x) : NULL;
  int count = x ? nsds_robot_numbers(m->robot, asset, "face", 3, room, x) : 0;
  mesh->face = count > 0 ? nsds_robot_memory(m->robot, (size_t)count, sizeof *mesh->face) : NULL;
  for (int k = 0; k < count && !m->robot->failed; ++k) {
    if (count % 3 || !(x[k] >= 0.0 && x[k] < mesh->nvertex && x[k] == floor(x[k])))
      return nsds_robot_fail(m->robot, asset,
                             "face has %d numbers, and number %d is %g; valid are 3 for each face, "
                             "from 0 to %d",
                             count, k + 1, x[k], mesh->nvertex - 1);
    mesh->face[k] = (int)x[k];
  }
  mesh->nface = count / 3;
  return !m->robot->failed;
}

/* Points of an asset that has them in the file. */
static bool read_vertices(nsds_mjcf *m, nsds_xml *asset, nsds_mesh *mesh) {
  int room = (int)strlen(nsds_xml_get(asset, "vertex")) / 2 + 2;
  double *x = nsds_robot_memory(m->robot, (size_t)room, sizeof *x);
  int count = x ? nsds_robot_numbers(m->robot, asset, "vertex", 12, room, x) : -1;
  if (count < 0) return false;
  if (count % 3)
    return nsds_robot_fail(m->robot, asset, "vertex has %d numbers; valid are 3 for each point",
                           count);
  *mesh = (nsds_mesh){.nvertex = count / 3, .vertex = x};
  return read_faces(m, asset, mesh);
}

/* The path of a file of <asset>; NULL after a failure. */
static const char *mesh_path(nsds_mjcf *m, const char *file) {
  char path[600];
  nsds_print(path, sizeof path, "%.300s%s%.250s", m->mesh_folder, m->mesh_folder[0] ? "/" : "",
             file);
  return nsds_robot_text(m->robot, path);
}

/* Mass and shape of a mesh. MuJoCo moves a mesh to its center; pos is that of the file's origin there
 * too, so nothing moves here. */
static bool read_mesh(const nsds_mjcf_view *v, nsds_robot_shape *s, nsds_mesh *mesh) {
  nsds_mjcf *m = v->m;
  const char *name = nsds_mjcf_get(v, "mesh");
  nsds_xml *asset = name ? asset_of(m, "mesh", name) : NULL;
  double scale[3] = {1.0, 1.0, 1.0};
  if (!asset)
    return nsds_robot_fail(m->robot, v->at, "there is no mesh \"%.60s\" under <asset>",
                           name ? name : "");
  nsds_mjcf_view a = nsds_mjcf_look(m, asset, "mesh", 0);
  nsds_mjcf_numbers(&a, "scale", 3, 3, scale);
  const char *file = nsds_xml_get(asset, "file");
  if (!file && !nsds_xml_get(asset, "vertex"))
    return nsds_robot_fail(m->robot, asset, "the mesh has neither a file nor points");
  if (file) {
    const char *path = mesh_path(m, file);
    if (!path || !nsds_mesh_read(m->robot, asset, path, scale, mesh)) return false;
  } else if (!read_vertices(m, asset, mesh) ||
             !nsds_mesh_finish(m->robot, asset, name, scale, mesh)) {
    return false;
  } else if (mesh->nface == 0) {
    nsds_mesh hull;
    if (nsds_mesh_hull(m->robot, mesh, &hull)) *mesh = hull;
  }
  return nsds_mesh_shape(m->robot, asset, mesh, s);
}

/* Numbers of the file itself, from the top row down. */
static bool read_elevation(nsds_robot *r, nsds_xml *asset, double rows, double columns,
                           nsds_heights *heights) {
  if (!nsds_heights_begin(r, asset, rows, columns, heights)) return false;
  int wide = heights->columns, count = heights->rows * wide;
  double *turned = heights->value, *given = nsds_robot_memory(r, (size_t)count, sizeof *given);
  if (!given || nsds_robot_numbers(r, asset, "elevation", count, count, given) < 0) return false;
  for (int k = 0; k < count; ++k)
    turned[(heights->rows - 1 - k / wide) * wide + k % wide] = given[k];
  return true;
}

/* Heights count from 0 to `most`. */
static void scale_heights(nsds_heights *heights, double most) {
  double least = INFINITY, largest = -INFINITY, *h = heights->value;
  int count = heights->rows * heights->columns;
  for (int k = 0; k < count; ++k) least = fmin(least, h[k]), largest = fmax(largest, h[k]);
  for (int k = 0; k < count; ++k)
    h[k] = largest > least ? most * ((h[k] - least) / (largest - least)) : 0.0;
}

static bool mjcf_read_heights(const nsds_mjcf_view *v, nsds_robot_shape *s) {
  nsds_mjcf *m = v->m;
  const char *name = nsds_mjcf_get(v, "hfield");
  nsds_xml *asset = name ? asset_of(m, "hfield", name) : NULL;
  double rows = 0.0, columns = 0.0, size[4];
  if (!asset || s->body != nsds_robot_world)
    return nsds_robot_fail(
        m->robot, v->at,
        "a geom of type hfield needs a height field under <asset>, and stands in the world");
  const char *file = nsds_xml_get(asset, "file");
  nsds_heights heights;
  nsds_robot_number(m->robot, asset, "nrow", &rows);
  nsds_robot_number(m->robot, asset, "ncol", &columns);
  if (nsds_robot_numbers(m->robot, asset, "size", 4, 4, size) <= 0 ||
      (!file && !nsds_xml_get(asset, "elevation")))
    return nsds_robot_fail(m->robot, asset,
                           "a height field needs size, and a file or nrow, ncol and elevation");
  const char *path = file ? mesh_path(m, file) : NULL;
  if (m->robot->failed) return false;
  bool read = file ? nsds_heights_read(m->robot, asset, path, &heights)
                   : read_elevation(m->robot, asset, rows, columns, &heights);
  if (!read) return false;
  scale_heights(&heights, size[2]);
  s->kind = NSDS_ROBOT_HEIGHTS;
  s->size[0] = size[0];
  s->size[1] = size[1];
  s->nvertex = heights.columns;
  s->nface = heights.rows;
  s->vertex = heights.value;
  return true;
}

typedef struct plain_kind {
  const char *type;
  nsds_robot_shape_kind kind;
  int sizes; /* that it has without fromto */
} plain_kind;

/* Kinds of geoms and, but for the last one, of sites. */
static const plain_kind kinds[] = {
    {"sphere", NSDS_ROBOT_SPHERE, 1},       {"capsule", NSDS_ROBOT_CAPSULE, 2},
    {"cylinder", NSDS_ROBOT_CYLINDER, 2},   {"box", NSDS_ROBOT_BOX, 3},
    {"ellipsoid", NSDS_ROBOT_ELLIPSOID, 3}, {"plane", NSDS_ROBOT_PLANE, 0}};

static bool read_geom_size(const nsds_mjcf_view *v, const plain_kind *of, int count,
                           nsds_pose *pose, double size[3]) {
  nsds_robot *r = v->m->robot;
  double half = 0.0;
  int need = of->sizes;
  if (need > 1 && read_fromto(v, pose, &half)) {
    if (need == 2) size[1] = half;
    else size[1] = size[0], size[2] = half;
    need = 1;
  }
  if (r->failed) return false;
  if (count < need)
    return nsds_robot_fail(r, v->at, "a %s of type %s needs %d numbers in size; it has %d", v->tag,
                           of->type, need, count);
  for (int i = 0; i < of->sizes; ++i)
    if (!(size[i] > 0.0))
      return nsds_robot_fail(r, v->at, "size has the number %g; valid are numbers > 0", size[i]);
  return true;
}

void nsds_mjcf_site(nsds_mjcf *m, nsds_xml *at, int class, const nsds_mjcf_frame *of) {
  nsds_mjcf_view v = nsds_mjcf_look(m, at, "site", class);
  nsds_pose own = nsds_mjcf_pose(&v);
  nsds_mjcf_frame site = {.name = nsds_mjcf_name(m, at),
                          .body = of->body,
                          .merged = of->merged,
                          .shape = -1,
                          .kind = NSDS_ROBOT_SPHERE,
                          .size = {0.005, 0.005, 0.005}};
  const char *type = nsds_mjcf_get(&v, "type");
  const int last = (int)(sizeof kinds / sizeof *kinds) - 1;
  int k = 0;
  while (type && k < last && !is_type(type, kinds[k].type)) ++k;
  if (k == last) {
    nsds_robot_fail(m->robot, at,
                    "the type of a site is \"%.40s\"; valid are sphere, capsule, ellipsoid, "
                    "cylinder and box",
                    type);
    return;
  }
  site.kind = kinds[k].kind;
  nsds_mjcf_numbers(&v, "size", 1, 3, site.size);
  if (!read_geom_size(&v, &kinds[k], 3, &own, site.size)) return;
  site.pose = nsds_pose_times(&of->pose, &own);
  nsds_mjcf_add_frame(m, &m->sites, at, &site);
  nsds_mjcf_pass(&v);
}

/* Kind and measures of a geom; false after a failure. */
static bool read_kind(const nsds_mjcf_view *v, nsds_robot_shape *s, nsds_mesh *mesh) {
  const char *type = nsds_mjcf_get(v, "type");
  nsds_robot *r = v->m->robot;
  if (!type) type = nsds_mjcf_get(v, "mesh") ? "mesh" : "sphere";
  if (is_type(type, "mesh")) return read_mesh(v, s, mesh);
  if (nsds_mjcf_get(v, "mesh"))
    return nsds_robot_fail(
        r, v->at,
        "a geom of type %.40s has a mesh to be fitted to; valid is type=\"mesh\", "
        "or size without a mesh",
        type);
  if (is_type(type, "hfield")) return mjcf_read_heights(v, s);
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
    if (!is_type(type, kinds[k].type)) continue;
    s->kind = kinds[k].kind;
    int count = nsds_mjcf_numbers(v, "size", 1, 3, s->size);
    if (!read_geom_size(v, &kinds[k], count, &s->pose, s->size)) return false;
    if (s->kind == NSDS_ROBOT_PLANE && s->body != nsds_robot_world)
      return nsds_robot_fail(r, v->at, "a plane stands on a body that moves; valid is the world");
    return true;
  }
  return nsds_robot_fail(r, v->at,
                         "the type of a geom is \"%.40s\"; valid are plane, hfield, sphere, "
                         "capsule, ellipsoid, cylinder, box and mesh",
                         type);
}

/* Reads rgba, of the geom or of its material. */
static void read_color(const nsds_mjcf_view *v, nsds_robot_shape *s) {
  double color[4];
  const char *name = nsds_mjcf_get(v, "material");
  nsds_xml *material = name ? asset_of(v->m, "material", name) : NULL;
  int count = nsds_mjcf_numbers(v, "rgba", 4, 4, color);
  if (count == 0 && material) {
    nsds_mjcf_view of_material = nsds_mjcf_look(v->m, material, "material", 0);
    count = nsds_mjcf_numbers(&of_material, "rgba", 4, 4, color);
  }
  if (count > 0) nsds_robot_color(s, color);
  double group = 0.0; /* MuJoCo shows the groups 0 to 2 */
  nsds_mjcf_number(v, "group", &group);
  s->hidden = group > 2.0 || (count > 0 && color[3] == 0.0);
}

/* ---- masses ---- */

/* Volume and inertia about the center of a shape of density 1. */
static double volume_of(const nsds_robot_shape *s, const nsds_mesh *mesh, double center[3],
                        double J[9]) {
  const double a = s->size[0], b = s->size[1], c = s->size[2];
  double V = 0.0, side[3] = {0.0};
  memset(J, 0, 9 * sizeof *J);
  switch (s->kind) {
  case NSDS_ROBOT_SPHERE:
    V = 4.0 / 3.0 * pi * a * a * a;
    for (int i = 0; i < 3; ++i) side[i] = 0.4 * V * a * a;
    break;
  case NSDS_ROBOT_CYLINDER:
    V = 2.0 * pi * a * a * b;
    side[0] = side[1] = V * (a * a / 4.0 + b * b / 3.0);
    side[2] = 0.5 * V * a * a;
    break;
  case NSDS_ROBOT_CAPSULE: {
    double middle = 2.0 * pi * a * a * b, ends = 4.0 / 3.0 * pi * a * a * a;
    V = middle + ends;
    side[2] = 0.5 * middle * a * a + 0.4 * ends * a * a;
    side[0] = side[1] =
        middle * (a * a / 4.0 + b * b / 3.0) + ends * (0.4 * a * a + b * b + 0.75 * a * b);
    break;
  }
  case NSDS_ROBOT_BOX:
    V = 8.0 * a * b * c;
    side[0] = V * (b * b + c * c) / 3.0, side[1] = V * (a * a + c * c) / 3.0,
    side[2] = V * (a * a + b * b) / 3.0;
    break;
  case NSDS_ROBOT_ELLIPSOID:
    V = 4.0 / 3.0 * pi * a * b * c;
    side[0] = V * (b * b + c * c) / 5.0, side[1] = V * (a * a + c * c) / 5.0,
    side[2] = V * (a * a + b * b) / 5.0;
    break;
  case NSDS_ROBOT_HULL: return nsds_mesh_mass(mesh, center, J);
  default: return 0.0;
  }
  for (int i = 0; i < 3; ++i) J[4 * i] = side[i];
  return V;
}

static void add_geom_mass(const nsds_mjcf_view *v, const nsds_robot_shape *s, const nsds_mesh *mesh,
                          nsds_robot_body *own) {
  double mass = 0.0, density = 1000.0, center[3] = {0.0}, J[9], turned[9], moved[3], group = 0.0;
  nsds_robot *r = v->m->robot;
  bool given = nsds_mjcf_get(v, "mass") != NULL;
  nsds_mjcf_number(v, "mass", &mass);
  nsds_mjcf_number(v, "density", &density);
  nsds_mjcf_number(v, "group", &group);
  if (mass < 0.0 || density < 0.0) {
    nsds_robot_fail(r, v->at, "mass is %g and density is %g; valid are numbers >= 0", mass,
                    density);
    return;
  }
  if (!own || r->failed || group < v->m->mass_groups[0] || group > v->m->mass_groups[1]) return;
  double volume = volume_of(s, mesh, center, J);
  bool weighs = given ? mass > 0.0 : density > 0.0;
  if (s->kind == NSDS_ROBOT_HULL && weighs && !(volume > 0.0)) {
    nsds_robot_fail(
        r, v->at,
        "the mesh has the volume %g: it is not closed, has no faces, or its faces look inwards; "
        "give the body <inertial>",
        volume);
    return;
  }
  if (!(volume > 0.0) || !weighs) return;
  double scale = given ? mass / volume : density;
  for (int k = 0; k < 9; ++k) J[k] *= scale;
  nsds_pose_tensor(s->pose.q, J, turned);
  nsds_pose_point(&s->pose, center, moved);
  nsds_robot_add_mass(own, scale * volume, moved, turned);
}

/* A mesh that is drawn alone becomes its triangles. Contacts have its hull, which is hidden then. */
static void add_drawn_mesh(nsds_robot *r, const nsds_xml *at, const nsds_mesh *mesh,
                           nsds_robot_shape *s) {
  nsds_robot_shape drawn = *s;
  if (mesh->nface == 0 || s->hidden || s->kind != NSDS_ROBOT_HULL || nsds_mesh_is_convex(mesh))
    return;
  if (!nsds_mesh_draw(r, at, mesh, &drawn)) return;
  drawn.meets = false;
  if (!s->meets) {
    *s = drawn;
    return;
  }
  s->hidden = true;
  nsds_robot_add_shape(r, &drawn);
}

/* Own geometry is in the frame of the file's body, s->pose. */
void nsds_mjcf_geom(nsds_mjcf *m, nsds_xml *at, int class, int body, const nsds_pose *pose,
                    nsds_robot_body *own) {
  nsds_mjcf_view v = nsds_mjcf_look(m, at, "geom", class);
  nsds_robot *r = m->robot;
  nsds_robot_shape s = {.at = at, .body = body};
  nsds_mesh mesh = {0};
  s.pose = nsds_mjcf_pose(&v);
  if (r->failed || !read_kind(&v, &s, &mesh)) return;
  add_geom_mass(&v, &s, &mesh, own);
  read_meeting(&v, &s);
  nsds_mjcf_read_surface(&v, &s);
  read_color(&v, &s);
  nsds_pose back = nsds_pose_inverse(&r->body[body].pose), in_body = nsds_pose_times(&back, pose);
  nsds_pose place = nsds_pose_times(pose, &s.pose);
  s.pose = nsds_pose_times(&in_body, &s.pose);
  bool round =
      s.kind == NSDS_ROBOT_SPHERE || s.kind == NSDS_ROBOT_CAPSULE || s.kind == NSDS_ROBOT_CYLINDER;
  if (round) s.size[0] += s.radius;
  add_drawn_mesh(r, at, &mesh, &s);
  nsds_robot_add_shape(r, &s);
  if (!r->failed)
    nsds_mjcf_add_frame(
        m, &m->geoms, at,
        &(nsds_mjcf_frame){
            .name = nsds_mjcf_name(m, at), .body = body, .pose = place, .shape = r->nshape - 1});
}

/* ---- which bodies meet ---- */

static bool is_pair(const nsds_mjcf *m, int i, int j) {
  for (int k = 0; k < m->npair; ++k) {
    const nsds_mjcf_pair *p = &m->pair[k];
    if ((p->a == i && p->b == j) || (p->a == j && p->b == i)) return true;
  }
  return false;
}

static bool bits_meet(const nsds_robot_shape *a, const nsds_robot_shape *b) {
  return (a->type & b->with) || (b->type & a->with);
}

/* Pairs of geoms of two bodies. */
typedef struct geom_pairs {
  int apart, meeting, asked; /* by their bits; by a <pair> */
  const nsds_robot_shape *first;
} geom_pairs;

static geom_pairs count_pairs(const nsds_mjcf *m, int a, int b) {
  const nsds_robot *r = m->robot;
  geom_pairs n = {0};
  for (int i = 0; i < r->nshape; ++i) {
    if (r->shape[i].body != a || !r->shape[i].meets) continue;
    for (int j = 0; j < r->nshape; ++j) {
      if (r->shape[j].body != b || !r->shape[j].meets) continue;
      bool asked = is_pair(m, i, j), meets = bits_meet(&r->shape[i], &r->shape[j]);
      n.asked += asked;
      n.meeting += meets && !asked;
      n.apart += !meets && !asked;
      n.first = &r->shape[i];
    }
  }
  return n;
}

/* Excludes two bodies, or lets them meet, by what most of the file says; tells where geoms differ. */
static void settle_bodies(nsds_mjcf *m, int a, int b) {
  nsds_robot *r = m->robot;
  geom_pairs n = count_pairs(m, a, b);
  bool excluded = nsds_robot_has_pair(r, a, b);
  int apart = n.apart + (excluded ? n.meeting : 0), meeting = n.asked + (excluded ? 0 : n.meeting);
  if (apart && meeting)
    nsds_robot_note(
        r, n.first->at,
        "some geoms of two bodies meet by their bits or a <pair>, and others do not; all meet");
  if (meeting && excluded) nsds_robot_drop_pair(r, a, b);
  else if (apart && !meeting) nsds_robot_add_pair(r, &(nsds_robot_pair){b, a, n.first->at});
}

void nsds_mjcf_exclude_by_bits(nsds_mjcf *m) {
  nsds_robot *r = m->robot;
  bool same = m->npair == 0;
  for (int k = 1; k < r->nshape; ++k)
    same = same && (!r->shape[k].meets || !r->shape[0].meets ||
                    (r->shape[k].type == r->shape[0].type && r->shape[k].with == r->shape[0].with));
  if (r->failed || (same && r->nshape > 0 && bits_meet(&r->shape[0], &r->shape[0]))) return;
  if (r->nshape > 2000) {
    nsds_robot_note(r, r->root, "the file has %d geoms; above 2000, contype has no effect",
                    r->nshape);
    return;
  }
  for (int a = 0; a < r->nbody; ++a)
    for (int b = a + 1; b < r->nbody && !r->failed; ++b) settle_bodies(m, a, b);
}
