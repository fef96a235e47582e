/*
 * Meshes as sets of convex parts. A part has the faces with its number, or the faces that share
 * vertices. The core of a part is the convex hull of its vertices. By convexity a face lies on the
 * surface of the hull if its center does, so the centers tell whether a part is convex. A part
 * without a number that is not convex is cut into cells (mesh_cut.c), which must have its volume.
 */
#include "kernel/contact/mesh_parts.h"

#include "base/context.h"
#include "kernel/contact/hull.h"
#include "kernel/contact/mesh_cut.h"
#include "kernel/modeling/body.h"

#include <stdio.h>

enum { most_points = 4096, most_cut_faces = 5000, most_cells = 1000 };

/* Depth of a face in its hull that is left alone, relative to the size of the part: files of meshes
 * have six digits. */
static const double dent = 1e-5;
/* Fraction of the volume of a part that its cells may miss. */
static const double lost = 1e-6;

/* Faces of a mesh by parts, and what their hulls are made of. */
typedef struct mesh_parts {
  nsds_context *context;
  const nsds_shape_def *def;
  int dimension, n;
  int *part;         /* of each face */
  int *first, *face; /* part k has the faces face[first[k]] .. face[first[k + 1] - 1] */
  int *seen, *root;  /* of each vertex: the last part that listed it; its set */
  double *point;     /* of the part under way */
  int count;         /* of cores */
  size_t room;
  nsds_core *core;
  double **vertex; /* of each hull */
  int **index;     /* of each hull: first, loop and edge of the core */
  char *why;
} mesh_parts;

static const int *corners_at(const mesh_parts *m, int face) {
  return m->def->face + (size_t)face * (size_t)m->dimension;
}

static const double *point_at(const mesh_parts *m, int vertex) {
  return m->def->vertex + (size_t)m->dimension * (size_t)vertex;
}

/* ---- which faces are a part ------------------------------------------------------------------ */

static int set_of_vertex(int *up, int k) {
  while (up[k] != k) k = up[k] = up[up[k]];
  return k;
}

/* Numbers the sets of faces that share vertices, in the order of their first faces. */
static void join_faces(mesh_parts *m) {
  for (int v = 0; v < m->def->nvertex; ++v) m->root[v] = v, m->seen[v] = -1;
  for (int f = 0; f < m->def->nface; ++f) {
    const int *corner = corners_at(m, f);
    for (int k = 1; k < m->dimension; ++k)
      m->root[set_of_vertex(m->root, corner[k])] = set_of_vertex(m->root, corner[0]);
  }
  for (int f = 0; f < m->def->nface; ++f) {
    int *number = &m->seen[set_of_vertex(m->root, corners_at(m, f)[0])];
    if (*number < 0) *number = m->n++;
    m->part[f] = *number;
  }
}

static void take_given_parts(mesh_parts *m) {
  for (int f = 0; f < m->def->nface; ++f) {
    m->part[f] = m->def->part[f];
    if (m->part[f] >= m->n) m->n = m->part[f] + 1;
  }
}

/* Lists the faces of each part. Returns false if a number has no face. */
static bool list_faces(mesh_parts *m) {
  for (int f = 0; f < m->def->nface; ++f) ++m->first[m->part[f] + 1];
  for (int k = 0; k < m->n; ++k) {
    if (m->first[k + 1] == 0) {
      snprintf(m->why, nsds_why_size,
               "part has no face with the number %d, but %d; valid are 0, 1, ... without a gap", k,
               m->n - 1);
      return false;
    }
    m->first[k + 1] += m->first[k];
  }
  for (int f = m->def->nface - 1; f >= 0; --f) m->face[--m->first[m->part[f] + 1]] = f;
  memmove(m->first, m->first + 1, (size_t)m->n * sizeof *m->first);
  m->first[m->n] = m->def->nface;
  return true;
}

/* ---- hulls ----------------------------------------------------------------------------------- */

/* Lists the points of part k. Returns their number, up to one more than valid. */
static int list_points(mesh_parts *m, int k) {
  int n = 0;
  for (int at = m->first[k]; at < m->first[k + 1]; ++at)
    for (int i = 0; i < m->dimension; ++i) {
      int vertex = corners_at(m, m->face[at])[i];
      if (m->seen[vertex] == k) continue;
      m->seen[vertex] = k;
      if (n == most_points) return n + 1;
      double *x = m->point + 3 * n++;
      x[2] = 0.0;
      memcpy(x, point_at(m, vertex), (size_t)m->dimension * sizeof *x);
    }
  return n;
}

/* Computes the normal of a face of a hull, with its area as length; in the plane its length. */
static void area_of(const mesh_parts *m, const nsds_core *hull, const double *vertex, int f,
                    double *n) {
  const int *loop = hull->loop + hull->first[f];
  const double *o = vertex + 3 * loop[0];
  n[0] = n[1] = n[2] = 0.0;
  if (m->dimension == 2) {
    n[0] = vertex[3 * loop[1] + 1] - o[1];
    n[1] = o[0] - vertex[3 * loop[1]];
  }
  for (int k = 1; m->dimension == 3 && k + 1 < hull->first[f + 1] - hull->first[f]; ++k) {
    double a[3], b[3], c[3];
    for (int i = 0; i < 3; ++i) {
      a[i] = vertex[3 * loop[k] + i] - o[i];
      b[i] = vertex[3 * loop[k + 1] + i] - o[i];
    }
    nsds_cross(a, b, c);
    for (int i = 0; i < 3; ++i) n[i] += 0.5 * c[i];
  }
}

/* Returns how deep the center of a face lies in a hull, and the size of the hull. */
static double depth_of(const mesh_parts *m, const nsds_core *hull, const double *vertex, int face,
                       double *size) {
  const int *corner = corners_at(m, face);
  double x[3] = {0.0}, depth = INFINITY;
  for (int k = 0; k < m->dimension; ++k)
    for (int i = 0; i < m->dimension; ++i) x[i] += point_at(m, corner[k])[i] / m->dimension;
  *size = 0.0;
  for (int f = 0; f < hull->nf; ++f) {
    const double *p = vertex + 3 * hull->loop[hull->first[f]];
    double n[3], way[3];
    area_of(m, hull, vertex, f, n);
    for (int i = 0; i < 3; ++i) way[i] = p[i] - x[i];
    depth = fmin(depth, nsds_dot(n, way) / nsds_length(n));
    *size = fmax(*size, nsds_length(way));
  }
  return depth;
}

static void drop_hull(mesh_parts *m) {
  --m->count;
  nsds_release(m->context, m->vertex[m->count]);
  nsds_release(m->context, m->index[m->count]);
}

/* Adds the hull of points as a core. Returns false without memory, or with a fault in *why. */
static bool add_hull(mesh_parts *m, int n, const double *point, const char **why) {
  size_t room[3] = {m->room, m->room, m->room}, wanted = (size_t)m->count + 1;
  *why = NULL;
  if (nsds_grow(m->context, &m->core, &room[0], wanted, sizeof *m->core) ||
      nsds_grow(m->context, &m->vertex, &room[1], wanted, sizeof *m->vertex) ||
      nsds_grow(m->context, &m->index, &room[2], wanted, sizeof *m->index))
    return false;
  m->room = room[0];
  m->core[m->count] = (nsds_core){.radius = m->def->radius};
  m->vertex[m->count] = NULL;
  m->index[m->count] = NULL;
  nsds_status status = nsds_hull(m->context, m->dimension, n, point, &m->core[m->count],
                                 &m->vertex[m->count], &m->index[m->count], why);
  ++m->count;
  if (!status && !*why) return true;
  drop_hull(m);
  return false;
}

/* ---- parts that are not convex --------------------------------------------------------------- */

static double volume_of_hull(const mesh_parts *m, int k) {
  const nsds_core *hull = &m->core[k];
  double volume = 0.0, n[3], way[3];
  for (int f = 0; f < hull->nf; ++f) {
    area_of(m, hull, m->vertex[k], f, n);
    for (int i = 0; i < 3; ++i)
      way[i] = m->vertex[k][3 * hull->loop[hull->first[f]] + i] - m->vertex[k][i];
    volume += nsds_dot(n, way) / 3.0;
  }
  return volume;
}

/* Returns the volume inside the triangles of part k; less than zero if their fronts are inside. */
static double volume_of_faces(const mesh_parts *m, int k) {
  const double *from = point_at(m, corners_at(m, m->face[m->first[k]])[0]);
  double volume = 0.0, r[3][3], c[3];
  for (int at = m->first[k]; at < m->first[k + 1]; ++at) {
    for (int i = 0; i < 9; ++i)
      r[i / 3][i % 3] = point_at(m, corners_at(m, m->face[at])[i / 3])[i % 3] - from[i % 3];
    nsds_cross(r[1], r[2], c);
    volume += nsds_dot(r[0], c) / 6.0;
  }
  return volume;
}

/* Copies the triangles of part k. Returns NULL without memory. */
static double *triangles_of(const mesh_parts *m, int k) {
  int n = m->first[k + 1] - m->first[k];
  double *x = NSDS_NEW_ARRAY(m->context, double, 9 * (size_t)n);
  for (int i = 0; x && i < 3 * n; ++i)
    memcpy(x + 3 * i, point_at(m, corners_at(m, m->face[m->first[k] + i / 3])[i % 3]),
           3 * sizeof *x);
  return x;
}

/* Adds the cells of part k. Flat ones are left out. */
static bool add_cells(mesh_parts *m, const nsds_cells *cells, double volume) {
  double sum = 0.0;
  for (int k = 0; k < cells->n; ++k) {
    const char *why;
    if (add_hull(m, cells->first[k + 1] - cells->first[k], cells->point + 3 * cells->first[k],
                 &why))
      sum += volume_of_hull(m, m->count - 1);
    else if (!why) return false;
  }
  return fabs(sum - volume) <= lost * fabs(volume);
}

static bool cut_part(mesh_parts *m, int k) {
  int n = m->first[k + 1] - m->first[k];
  nsds_cells cells = {0};
  bool many = n > most_cut_faces, fine = false;
  double volume = many ? 0.0 : volume_of_faces(m, k), *triangle = many ? NULL : triangles_of(m, k);
  nsds_status status = many || triangle ? NSDS_OK : NSDS_ERROR_MEMORY;
  if (!status && !many) status = nsds_mesh_cut(m->context, n, triangle, most_cells, &cells, &many);
  if (!status && !many) fine = volume > 0.0 && add_cells(m, &cells, volume);
  if (!status && many)
    snprintf(
        m->why, nsds_why_size,
        "part %d is not convex, and has too many faces (%d) or cells; valid are %d faces and %d "
        "cells, or convex parts",
        k, n, most_cut_faces, most_cells);
  else if (!status && !fine && !nsds_error(m->context))
    snprintf(m->why, nsds_why_size,
             "part %d is not convex, and does not close around a volume; valid are closed parts "
             "whose fronts are outside, or convex parts",
             k);
  nsds_release(m->context, triangle);
  nsds_release(m->context, cells.first);
  nsds_release(m->context, cells.point);
  return fine;
}

/* ---- all parts ------------------------------------------------------------------------------- */

/* Replaces the hull of part k by cells, or refuses the part, if a face lies deep in it. */
static bool settle_hull(mesh_parts *m, int k) {
  const nsds_core *hull = &m->core[m->count - 1];
  double inside = m->dimension == 3 ? volume_of_faces(m, k) : 0.0;
  if (inside < 0.0) {
    snprintf(m->why, nsds_why_size,
             "part %d has its fronts inside, its volume is %.3g m^3; valid are fronts outside, and "
             "solids without cavities",
             k, inside);
    return false;
  }
  for (int at = m->first[k]; at < m->first[k + 1]; ++at) {
    double size, depth = depth_of(m, hull, m->vertex[m->count - 1], m->face[at], &size);
    if (depth <= dent * size) continue;
    if (m->dimension == 3 && !m->def->part) {
      drop_hull(m);
      return cut_part(m, k);
    }
    snprintf(m->why, nsds_why_size,
             "part %d is not convex: face %d lies %.3g m inside the hull of the part; valid are "
             "convex parts, and in space parts without numbers, which are cut",
             k, m->face[at], depth);
    return false;
  }
  return true;
}

static bool make_hulls(mesh_parts *m) {
  for (int v = 0; v < m->def->nvertex; ++v) m->seen[v] = -1;
  for (int k = 0; k < m->n; ++k) {
    const char *why;
    int n = list_points(m, k), least = m->dimension + 1;
    if (n < least || n > most_points) {
      snprintf(m->why, nsds_why_size, "part %d has %s%d vertices; valid are %d to %d", k,
               n > most_points ? "more than " : "", n > most_points ? most_points : n, least,
               most_points);
      return false;
    }
    bool made = add_hull(m, n, m->point, &why);
    if (why) snprintf(m->why, nsds_why_size, "part %d: %s", k, why);
    if (!made || !settle_hull(m, k)) return false;
  }
  return true;
}

static int integers_of(const nsds_core *core) {
  return core->nf + 1 + core->first[core->nf] + 2 * core->ne;
}

/* Moves the hulls of all parts into the solid. */
static bool pack_hulls(mesh_parts *m, nsds_solid *solid) {
  bool scenery = !m->def->ds;
  size_t doubles = 0, integers = 0;
  for (int k = 0; k < m->count; ++k) {
    doubles += nsds_core_doubles(&m->core[k], scenery);
    integers += (size_t)integers_of(&m->core[k]);
  }
  solid->store = NSDS_NEW_ARRAY(m->context, double, doubles);
  solid->topology = NSDS_NEW_ARRAY(m->context, int, integers);
  if (!solid->store || !solid->topology) return false;
  double *store = solid->store;
  int *topology = solid->topology;
  for (int k = 0; k < m->count; ++k) {
    nsds_core *core = &m->core[k];
    int loops = core->first[core->nf], count = integers_of(core);
    memcpy(topology, m->index[k], (size_t)count * sizeof *topology);
    core->first = topology;
    core->loop = topology + core->nf + 1;
    core->edge = core->loop + loops;
    topology += count;
    nsds_core_lay(core, store, scenery);
    store += nsds_core_doubles(core, scenery);
    memcpy(core->v, m->vertex[k], 3 * (size_t)core->nv * sizeof *core->v);
  }
  return true;
}

/* ---- public ---------------------------------------------------------------------------------- */

static bool mesh_reserve(mesh_parts *m) {
  size_t faces = (size_t)m->def->nface, vertices = (size_t)m->def->nvertex;
  m->part = NSDS_NEW_ARRAY(m->context, int, faces);
  m->face = NSDS_NEW_ARRAY(m->context, int, faces);
  m->first = NSDS_NEW_ARRAY(m->context, int, faces + 1);
  m->seen = NSDS_NEW_ARRAY(m->context, int, vertices);
  m->root = NSDS_NEW_ARRAY(m->context, int, vertices);
  m->point = NSDS_NEW_ARRAY(m->context, double, 3 * (size_t)most_points);
  return m->part && m->face && m->first && m->seen && m->root && m->point;
}

static void mesh_release(mesh_parts *m) {
  for (int k = 0; k < m->count; ++k) {
    nsds_release(m->context, m->vertex[k]);
    nsds_release(m->context, m->index[k]);
  }
  void *arrays[] = {m->part,  m->face, m->first,  m->seen, m->root,
                    m->point, m->core, m->vertex, m->index};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) nsds_release(m->context, arrays[k]);
}

bool nsds_make_parts(nsds_context *context, const nsds_shape_def *def, int dimension,
                     nsds_solid *solid, char why[nsds_why_size]) {
  mesh_parts m = {.context = context, .def = def, .dimension = dimension, .why = why};
  why[0] = '\0';
  bool fine = mesh_reserve(&m);
  if (fine && def->part) take_given_parts(&m);
  else if (fine) join_faces(&m);
  fine = fine && list_faces(&m) && make_hulls(&m) && pack_hulls(&m, solid);
  if (fine) {
    solid->core = m.core;
    solid->count = m.count;
    m.core = NULL;
  }
  mesh_release(&m);
  return fine;
}
