/*
 * Meshes as sets of convex parts. A part has the faces with its number, or the faces that share
 * vertices. The core of a part is the convex hull of its vertices. By convexity a face lies on the
 * surface of the hull if its center does, so the centers tell whether a part is convex.
 */
#include "kernel/contact/mesh_parts.h"

#include "base/context.h"
#include "kernel/contact/hull.h"
#include "kernel/modeling/body.h"

#include <stdio.h>

enum { most_points = 4096 };

/* Depth of a face in its hull that is left alone, relative to the size of the part: files of meshes
 * have six digits. */
static const double dent = 1e-5;

/* Faces of a mesh by parts, and what their hulls are made of. */
typedef struct mesh_parts {
  nsds_context *context;
  const nsds_shape_def *def;
  int dimension, n;
  int *part;         /* of each face */
  int *first, *face; /* part k has the faces face[first[k]] .. face[first[k + 1] - 1] */
  int *seen, *root;  /* of each vertex: the last part that listed it; its set */
  double *point;     /* of the part under way */
  nsds_core *core;   /* of each part */
  double **vertex;   /* of each hull */
  int **index;       /* of each hull: first, loop and edge of the core */
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

/* Returns how deep the center of a face lies in the hull. */
static double depth_of(const mesh_parts *m, const nsds_core *core, int face) {
  const int *corner = corners_at(m, face);
  double x[3] = {0.0}, depth = INFINITY;
  for (int k = 0; k < m->dimension; ++k)
    for (int i = 0; i < m->dimension; ++i) x[i] += point_at(m, corner[k])[i] / m->dimension;
  for (int f = 0; f < core->nf; ++f) {
    const double *n = core->n + 3 * f, *p = core->v + 3 * core->loop[core->first[f]];
    depth = fmin(depth, nsds_dot(n, p) - nsds_dot(n, x));
  }
  return depth;
}

static bool make_hulls(mesh_parts *m) {
  for (int v = 0; v < m->def->nvertex; ++v) m->seen[v] = -1;
  for (int k = 0; k < m->n; ++k) {
    const char *why = NULL;
    int n = list_points(m, k), least = m->dimension + 1;
    if (n < least || n > most_points) {
      snprintf(m->why, nsds_why_size, "part %d has %s%d vertices; valid are %d to %d", k,
               n > most_points ? "more than " : "", n > most_points ? most_points : n, least,
               most_points);
      return false;
    }
    if (nsds_hull(m->context, m->dimension, n, m->point, &m->core[k], &m->vertex[k], &m->index[k],
                  &why))
      return false;
    if (why) snprintf(m->why, nsds_why_size, "part %d: %s", k, why);
    if (why) return false;
    m->core[k].radius = m->def->radius;
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
  for (int k = 0; k < m->n; ++k) {
    doubles += nsds_core_doubles(&m->core[k], scenery);
    integers += (size_t)integers_of(&m->core[k]);
  }
  solid->store = NSDS_NEW_ARRAY(m->context, double, doubles);
  solid->topology = NSDS_NEW_ARRAY(m->context, int, integers);
  if (!solid->store || !solid->topology) return false;
  double *store = solid->store;
  int *topology = solid->topology;
  for (int k = 0; k < m->n; ++k) {
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

static bool check_convex(mesh_parts *m) {
  for (int k = 0; k < m->n; ++k) {
    nsds_core *core = &m->core[k];
    int directions = core->nd;
    nsds_core_normals(core, m->dimension);
    nsds_core_bound(core);
    core->nd = directions;
    for (int at = m->first[k]; at < m->first[k + 1]; ++at) {
      double depth = depth_of(m, core, m->face[at]);
      if (depth <= dent * core->around) continue;
      snprintf(m->why, nsds_why_size,
               "part %d is not convex: face %d lies %.3g m inside the hull of the part; valid are "
               "convex parts, which share no vertices or have numbers in part",
               k, m->face[at], depth);
      return false;
    }
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

static bool reserve_hulls(mesh_parts *m) {
  m->core = NSDS_NEW_ARRAY(m->context, nsds_core, m->n);
  m->vertex = NSDS_NEW_ARRAY(m->context, double *, m->n);
  m->index = NSDS_NEW_ARRAY(m->context, int *, m->n);
  return m->core && m->vertex && m->index;
}

static void mesh_release(mesh_parts *m) {
  for (int k = 0; m->vertex && m->index && k < m->n; ++k) {
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
  fine = fine && list_faces(&m) && reserve_hulls(&m) && make_hulls(&m) && pack_hulls(&m, solid) &&
         check_convex(&m);
  if (fine) {
    solid->core = m.core;
    solid->count = m.n;
    m.core = NULL;
  }
  mesh_release(&m);
  return fine;
}
