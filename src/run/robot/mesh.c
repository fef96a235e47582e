/*
 * Meshes, see mesh.h. STL repeats the points of each triangle; sorting finds equal ones. A body's shape
 * is the convex hull. If the mesh has more points than a hull may have, the points of its hull stay. If
 * these are too many, those stay that are farthest in some direction.
 */
#include "run/robot/mesh.h"

#include "run/robot/mesh_hull.h"
#include "run/robot/robot_open.h"

#include "base/text/format.h"
#include "base/text/number.h"
#include "base/text/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_faces = 1000000, most_hull = 4096, directions = 4000 };

/* ---- points ---- */

typedef struct corner {
  double x[3];
  int number;
} corner;

static int compare_corners(const void *a, const void *b) {
  const corner *p = a, *q = b;
  for (int i = 0; i < 3; ++i)
    if (p->x[i] != q->x[i]) return p->x[i] < q->x[i] ? -1 : 1;
  return p->number - q->number;
}

static bool same_corner(const double a[3], const double b[3]) {
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* Makes a mesh of 3 corners for each face. */
static bool join_corners(nsds_robot *robot, corner *all, int nface, nsds_mesh *mesh) {
  int count = 3 * nface;
  mesh->vertex = nsds_robot_memory(robot, 3 * (size_t)count, sizeof *mesh->vertex);
  mesh->face = nsds_robot_memory(robot, (size_t)count, sizeof *mesh->face);
  if (robot->failed) return false;
  qsort(all, (size_t)count, sizeof *all, compare_corners);
  for (int k = 0; k < count; ++k) {
    if (k == 0 || !same_corner(all[k].x, all[k - 1].x))
      memcpy(mesh->vertex + 3 * mesh->nvertex++, all[k].x, sizeof all[k].x);
    mesh->face[all[k].number] = mesh->nvertex - 1;
  }
  mesh->nface = nface;
  return true;
}

/* ---- STL ---- */

static unsigned little_endian(const char *c) {
  const unsigned char *u = (const unsigned char *)c;
  return u[0] | (unsigned)u[1] << 8 | (unsigned)u[2] << 16 | (unsigned)u[3] << 24;
}

static double float_at(const char *c) {
  unsigned bits = little_endian(c);
  float value;
  memcpy(&value, &bits, sizeof value);
  return (double)value;
}

static bool read_binary_stl(nsds_robot *robot, const char *text, int nface, nsds_mesh *mesh) {
  corner *all = nsds_alloc(robot->context, "a mesh", 3 * (size_t)nface, sizeof *all);
  if (!all) nsds_robot_took(robot, NSDS_ERROR_MEMORY);
  for (int k = 0; all && k < 3 * nface; ++k) {
    const char *at = text + 84 + 50 * (k / 3) + 12 + 12 * (k % 3);
    for (int i = 0; i < 3; ++i) all[k].x[i] = float_at(at + 4 * i) + 0.0;
    all[k].number = k;
  }
  bool fine = all && join_corners(robot, all, nface, mesh);
  nsds_free(all);
  return fine;
}

/* Reads `count` numbers; returns the text behind them, NULL if there are not so many. */
static const char *mesh_read_row(const char *c, int count, double *x) {
  for (int i = 0; i < count; ++i) {
    c += strspn(c, " \t");
    bool minus = *c == '-';
    c += *c == '-' || *c == '+';
    int size = nsds_decimal_begin(c, &x[i]);
    if (size == 0) return NULL;
    if (minus) x[i] = -x[i];
    c += size;
  }
  return c;
}

static int mesh_count_words(const char *text, const char *word) {
  int count = 0;
  size_t size = strlen(word);
  for (const char *c = text; (c = strstr(c, word)) != NULL; c += size) ++count;
  return count;
}

static bool read_text_stl(nsds_robot *robot, const nsds_xml *at, const char *text,
                          nsds_mesh *mesh) {
  int count = mesh_count_words(text, "vertex"), k = 0;
  if (count == 0 || count % 3 || count / 3 > most_faces)
    return nsds_robot_fail(robot, at,
                           "the STL mesh has %d corners; valid are 3 for each of up to %d faces",
                           count, most_faces);
  corner *all = nsds_alloc(robot->context, "a mesh", (size_t)count, sizeof *all);
  if (!all) nsds_robot_took(robot, NSDS_ERROR_MEMORY);
  for (const char *c = text; all && (c = strstr(c, "vertex")) != NULL; c += 6, ++k) {
    all[k].number = k;
    if (!mesh_read_row(c + 6, 3, all[k].x)) {
      nsds_robot_fail(robot, at, "corner %d of the STL mesh is no row of three numbers", k + 1);
      break;
    }
  }
  bool fine = all && !robot->failed && join_corners(robot, all, count / 3, mesh);
  nsds_free(all);
  return fine;
}

/* A file in bytes has 80 bytes, the number of faces, and 50 bytes for each. */
static bool read_stl(nsds_robot *robot, const nsds_xml *at, const char *text, size_t size,
                     nsds_mesh *mesh) {
  unsigned faces = size >= 84 ? little_endian(text + 80) : 0;
  if (faces > 0 && faces <= most_faces && size == 84 + 50 * (size_t)faces)
    return read_binary_stl(robot, text, (int)faces, mesh);
  if (strncmp(text, "solid", 5) == 0 && strlen(text) == size)
    return read_text_stl(robot, at, text, mesh);
  return nsds_robot_fail(
      robot, at,
      "the mesh is no STL file: in bytes it would have 84 + 50 n bytes for n faces, "
      "up to %d, and it has %zu; in text it would begin with \"solid\"",
      most_faces, size);
}

/* ---- OBJ ---- */

/* The number of a point in "7/1/2" or "-1"; -1 if there is none. */
static int corner_of(const char **c, int nvertex) {
  bool minus;
  double value;
  *c += strspn(*c, " \t");
  minus = **c == '-';
  int size = nsds_decimal_begin(*c + minus, &value);
  if (size == 0) return -1;
  *c += minus + size;
  *c += strcspn(*c, " \t\r\n");
  double at = minus ? nvertex - value : value - 1.0;
  return at >= 0.0 && at < nvertex && at == floor(at) ? (int)at : -1;
}

/* A face of any number of corners becomes a fan of triangles. */
static bool read_obj_face(nsds_robot *robot, const nsds_xml *at, const char *c, int line, int room,
                          nsds_mesh *mesh) {
  int first = -1, last = -1, count = 0;
  for (c += strspn(c, " \t"); *c && *c != '\n' && *c != '\r'; c += strspn(c, " \t")) {
    int k = corner_of(&c, mesh->nvertex);
    if (k < 0)
      return nsds_robot_fail(
          robot, at, "line %d of the OBJ mesh has a face of a point that is not there", line);
    if (count >= 2 && mesh->nface < room) {
      const int face[3] = {first, last, k};
      memcpy(mesh->face + 3 * mesh->nface++, face, sizeof face);
    }
    if (count++ == 0) first = k;
    last = k;
  }
  return count >= 3 ||
         nsds_robot_fail(robot, at,
                         "line %d of the OBJ mesh has a face of %d points; valid are 3 or more",
                         line, count);
}

static bool read_obj(nsds_robot *robot, const nsds_xml *at, const char *text, nsds_mesh *mesh) {
  int lines = mesh_count_words(text, "\n") + 1, line = 0;
  size_t size = strlen(text), room = size / 2 + 1; /* a corner takes two characters */
  if (room > most_faces) room = most_faces;
  mesh->vertex = nsds_robot_memory(robot, 3 * (size_t)lines, sizeof *mesh->vertex);
  mesh->face = nsds_robot_memory(robot, 3 * room, sizeof *mesh->face);
  for (const char *c = text; *c && !robot->failed; c += strcspn(c, "\n"), c += *c == '\n') {
    ++line;
    if (c[0] == 'v' && (c[1] == ' ' || c[1] == '\t')) {
      if (!mesh_read_row(c + 1, 3, mesh->vertex + 3 * mesh->nvertex++))
        nsds_robot_fail(robot, at, "line %d of the OBJ mesh is no row of three numbers", line);
    } else if (c[0] == 'f' && (c[1] == ' ' || c[1] == '\t')) {
      read_obj_face(robot, at, c + 1, line, (int)room, mesh);
    }
  }
  return !robot->failed;
}

/* ---- meshes ---- */

bool nsds_mesh_finish(nsds_robot *robot, const nsds_xml *at, const char *name,
                      const double scale[3], nsds_mesh *mesh) {
  for (int k = 0; k < 3 * mesh->nvertex; ++k) {
    if (!isfinite(mesh->vertex[k]) || fabs(mesh->vertex[k]) > 1e100)
      return nsds_robot_fail(robot, at, "a point of the mesh \"%.100s\" is not finite", name);
    mesh->vertex[k] *= scale[k % 3];
  }
  if (scale[0] * scale[1] * scale[2] < 0.0) /* a mirror turns faces inside out */
    for (int k = 0; k < mesh->nface; ++k) {
      int other = mesh->face[3 * k + 1];
      mesh->face[3 * k + 1] = mesh->face[3 * k + 2];
      mesh->face[3 * k + 2] = other;
    }
  return mesh->nvertex >= 4 ||
         nsds_robot_fail(robot, at, "the mesh \"%.100s\" has %d points; valid are 4 or more", name,
                         mesh->nvertex);
}

/* Says why a mesh cannot be read: a failure, or for a mesh that is drawn alone a note. NULL: its format. */
static bool tell_missing(nsds_robot *robot, const nsds_xml *at, const char *name, bool drawn,
                         const char *reason) {
  const char *help = "";
  if (!reason) reason = "its format is unknown; valid are .stl and .obj";
  else if (strncmp(name, "package://", 10) == 0)
    help = "; name the folder of the package by --folders";
  if (drawn)
    nsds_robot_note(robot, at, "the mesh \"%.100s\" is not drawn: %s%s", name, reason, help);
  else nsds_robot_fail(robot, at, "the mesh \"%.100s\" cannot be read: %s%s", name, reason, help);
  return false;
}

static bool read_mesh_file(nsds_robot *robot, const nsds_xml *at, const char *name,
                           const double scale[3], bool drawn, nsds_mesh *mesh) {
  size_t size = 0, length = strlen(name);
  char reason[200] = "";
  *mesh = (nsds_mesh){0};
  if (robot->failed) return false;
  const char *end = length > 4 ? name + length - 4 : "";
  bool stl = nsds_same_word(end, ".stl"), obj = nsds_same_word(end, ".obj");
  if (!stl && !obj) return tell_missing(robot, at, name, drawn, NULL);
  char *text = nsds_robot_open(robot, at, name, &size, reason);
  if (!text) return robot->failed ? false : tell_missing(robot, at, name, drawn, reason);
  bool fine = stl ? read_stl(robot, at, text, size, mesh) : read_obj(robot, at, text, mesh);
  nsds_free(text);
  return fine && nsds_mesh_finish(robot, at, name, scale, mesh);
}

bool nsds_mesh_read(nsds_robot *robot, const nsds_xml *at, const char *name, const double scale[3],
                    nsds_mesh *mesh) {
  return read_mesh_file(robot, at, name, scale, false, mesh);
}

bool nsds_mesh_read_drawn(nsds_robot *robot, const nsds_xml *at, const char *name,
                          const double scale[3], nsds_mesh *mesh) {
  return read_mesh_file(robot, at, name, scale, true, mesh);
}

/* The points that are farthest in many directions, spread by a spiral. */
static int farthest_points(const nsds_mesh *mesh, int *chosen) {
  int count = 0;
  for (int d = 0; d < directions; ++d) {
    double z = 1.0 - (2.0 * d + 1.0) / directions, turn = 2.39996322972865332 * d;
    double r = sqrt(1.0 - z * z), u[3] = {r * cos(turn), r * sin(turn), z}, most = -INFINITY;
    int best = 0;
    for (int k = 0; k < mesh->nvertex; ++k) {
      const double *x = mesh->vertex + 3 * k;
      double along = u[0] * x[0] + u[1] * x[1] + u[2] * x[2];
      if (along > most) most = along, best = k;
    }
    bool there = false;
    for (int k = 0; k < count && !there; ++k) there = chosen[k] == best;
    if (!there) chosen[count++] = best;
  }
  return count;
}

bool nsds_mesh_shape(nsds_robot *robot, const nsds_xml *at, const nsds_mesh *mesh,
                     nsds_robot_shape *s) {
  nsds_mesh hull;
  s->kind = s->body == nsds_robot_world ? NSDS_ROBOT_TRIANGLES : NSDS_ROBOT_HULL;
  s->nvertex = mesh->nvertex;
  s->vertex = mesh->vertex;
  s->nface = mesh->nface;
  s->face = mesh->face;
  if (s->kind == NSDS_ROBOT_TRIANGLES || mesh->nvertex <= most_hull) return !robot->failed;
  if (nsds_mesh_hull(robot, mesh, &hull)) {
    mesh = &hull;
    s->nvertex = hull.nvertex;
    s->vertex = hull.vertex;
    if (hull.nvertex <= most_hull) return true;
  }
  int *chosen = nsds_robot_memory(robot, directions, sizeof *chosen);
  double *vertex = nsds_robot_memory(robot, 3 * (size_t)directions, sizeof *vertex);
  if (robot->failed) return false;
  s->nvertex = farthest_points(mesh, chosen);
  for (int k = 0; k < s->nvertex; ++k)
    memcpy(vertex + 3 * k, mesh->vertex + 3 * chosen[k], 3 * sizeof *vertex);
  s->vertex = vertex;
  nsds_robot_note(robot, at, "the hull of the mesh has %d points; %d of them approximate it",
                  mesh->nvertex, s->nvertex);
  return !robot->failed;
}

/* Sums over the tetrahedra between the origin and the faces. */
double nsds_mesh_mass(const nsds_mesh *mesh, double center[3], double inertia[9]) {
  double volume = 0.0, first[3] = {0.0}, second[9] = {0.0};
  for (int f = 0; f < mesh->nface; ++f) {
    const double *a = mesh->vertex + 3 * mesh->face[3 * f];
    const double *b = mesh->vertex + 3 * mesh->face[3 * f + 1];
    const double *c = mesh->vertex + 3 * mesh->face[3 * f + 2];
    double det = a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
                 a[2] * (b[0] * c[1] - b[1] * c[0]);
    volume += det / 6.0;
    for (int i = 0; i < 3; ++i) {
      double s = a[i] + b[i] + c[i];
      first[i] += det * s / 24.0;
      for (int j = 0; j < 3; ++j)
        second[3 * i + j] +=
            det * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + s * (a[j] + b[j] + c[j])) / 120.0;
    }
  }
  if (!(volume > 0.0)) return volume;
  for (int i = 0; i < 3; ++i) center[i] = first[i] / volume;
  for (int k = 0; k < 9; ++k) second[k] -= volume * center[k / 3] * center[k % 3];
  double trace = second[0] + second[4] + second[8];
  for (int k = 0; k < 9; ++k) inertia[k] = (k % 4 == 0 ? trace : 0.0) - second[k];
  return volume;
}
