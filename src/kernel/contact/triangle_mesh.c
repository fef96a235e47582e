/*
 * Triangles of scenery, in the plane segments. Vertices at one place, up to rounding, are one
 * vertex. A sort along one direction finds them.
 *
 * If two triangles share a side, the normal of either may lean over the side as far as the other's.
 * Beyond that, or over a side that does not stick out, the contact is the neighbor's or takes the
 * surface's own normal. Bodies that roll or slide over the side then do not stumble.
 */
#include "kernel/contact/triangle_mesh.h"

#include "base/context.h"
#include "kernel/contact/clip.h"
#include "kernel/contact/core.h"
#include "kernel/modeling/body.h"

#include <stdlib.h>

typedef struct side {
  int low, high; /* vertices, in the plane the same vertex twice */
  int core, k;   /* side k of a core */
  bool turned;   /* from high to low; in the plane the end of a segment */
} side;

static int triangle_mesh_compare(const void *a, const void *b) {
  const side *p = a, *q = b;
  if (p->low != q->low) return p->low < q->low ? -1 : 1;
  if (p->high != q->high) return p->high < q->high ? -1 : 1;
  if (p->core != q->core) return p->core < q->core ? -1 : 1;
  return p->k - q->k;
}

typedef struct nsds_spread {
  double along;
  int vertex;
} nsds_spread;

static int compare_spread(const void *a, const void *b) {
  const nsds_spread *p = a, *q = b;
  if (p->along != q->along) return p->along < q->along ? -1 : 1;
  return p->vertex - q->vertex;
}

static double extent(const nsds_shape_def *def, int dimension) {
  double most = 0.0;
  for (int i = 0; i < dimension; ++i) {
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < def->nvertex; ++k) {
      low = fmin(low, def->vertex[dimension * k + i]);
      high = fmax(high, def->vertex[dimension * k + i]);
    }
    most = fmax(most, high - low);
  }
  return most;
}

static bool at_one_place(const nsds_shape_def *def, int dimension, int a, int b, double off) {
  bool same = true;
  for (int i = 0; i < dimension; ++i)
    same = same && fabs(def->vertex[dimension * a + i] - def->vertex[dimension * b + i]) <= off;
  return same;
}

nsds_status nsds_weld_vertices(nsds_context *context, const nsds_shape_def *def, int dimension,
                               int *one) {
  static const double direction[] = {0.5377, 0.6180, 0.5736}; /* along no grid */
  double off = 1e-9 * extent(def, dimension);
  nsds_spread *order = NSDS_NEW_ARRAY(context, nsds_spread, def->nvertex);
  if (!order) return NSDS_ERROR_MEMORY;
  for (int k = 0; k < def->nvertex; ++k) {
    order[k] = (nsds_spread){.vertex = k};
    for (int i = 0; i < dimension; ++i)
      order[k].along += direction[i] * def->vertex[dimension * k + i];
    one[k] = k;
  }
  qsort(order, (size_t)def->nvertex, sizeof *order, compare_spread);
  for (int k = 0; k < def->nvertex; ++k) {
    int a = order[k].vertex;
    for (int j = k + 1; j < def->nvertex && order[j].along - order[k].along <= 2.0 * off; ++j) {
      int b = order[j].vertex;
      if (one[b] == b && at_one_place(def, dimension, a, b, off)) one[b] = one[a];
    }
  }
  nsds_release(context, order);
  return NSDS_OK;
}

static void list_sides(const nsds_shape_def *def, int dimension, const int *one, side *list) {
  for (int f = 0; f < def->nface; ++f)
    for (int k = 0; k < dimension; ++k) {
      int a = one[def->face[dimension * f + k]];
      int b = one[def->face[dimension * f + (k + 1) % dimension]];
      if (dimension == 2) b = a;
      list[dimension * f + k] = (side){.low = a < b ? a : b,
                                       .high = a < b ? b : a,
                                       .core = f,
                                       .k = k,
                                       .turned = dimension == 2 ? k == 1 : a > b};
    }
}

static void set_lean(nsds_core *core, int k, const nsds_core *neighbour) {
  double m[3];
  const double *x;
  nsds_side(core, 0, k, core->wn, m, &x);
  bool sharp = nsds_dot(core->wn, neighbour->wn) < 0.0;
  core->lean[k] = sharp ? 2.0 : fmax(0.0, nsds_dot(neighbour->wn, m));
}

static bool same_place(const side *a, const side *b) {
  return a->low == b->low && a->high == b->high;
}

/* Pairs each side with the triangle on the other side that turns least: a sheet may have a back. */
static void pair_sides(const side *list, int count, nsds_core *core) {
  for (int first = 0, end = 0; first < count; first = end) {
    while (end < count && same_place(&list[first], &list[end])) ++end;
    for (int i = first; i < end; ++i) {
      nsds_core *own = &core[list[i].core], *best = NULL;
      for (int j = first; j < end; ++j) {
        nsds_core *other = &core[list[j].core];
        if (list[i].turned == list[j].turned || own == other) continue;
        if (!best || nsds_dot(own->wn, other->wn) > nsds_dot(own->wn, best->wn)) best = other;
      }
      if (best) set_lean(own, list[i].k, best);
    }
  }
}

nsds_status nsds_make_soup(nsds_context *context, const nsds_shape_def *def, int dimension,
                           nsds_solid *solid) {
  size_t count = (size_t)def->nface;
  nsds_core one = {0};
  nsds_core_flat(&one, dimension);
  size_t doubles = nsds_core_doubles(&one, true);
  solid->core = NSDS_NEW_ARRAY(context, nsds_core, count);
  solid->store = NSDS_NEW_ARRAY(context, double, count *doubles);
  side *list = NSDS_NEW_ARRAY(context, side, count * (size_t)dimension);
  int *one_place = NSDS_NEW_ARRAY(context, int, def->nvertex);
  bool there = solid->core && solid->store && list && one_place;
  nsds_status status = there ? NSDS_OK : NSDS_ERROR_MEMORY;
  solid->count = status ? 0 : def->nface;
  for (int f = 0; f < solid->count; ++f) {
    nsds_core *core = &solid->core[f];
    *core = one;
    core->radius = def->radius;
    for (int k = 0; k < 3; ++k) core->lean[k] = 2.0;
    nsds_core_lay(core, solid->store + (size_t)f * doubles, true);
    for (int k = 0; k < dimension; ++k)
      for (int i = 0; i < dimension; ++i)
        core->v[3 * k + i] = def->vertex[dimension * def->face[dimension * f + k] + i];
  }
  if (!status) status = nsds_weld_vertices(context, def, dimension, one_place);
  if (!status) {
    list_sides(def, dimension, one_place, list);
    qsort(list, count * (size_t)dimension, sizeof *list, triangle_mesh_compare);
    for (int f = 0; f < solid->count; ++f) nsds_core_normals(&solid->core[f], dimension);
    pair_sides(list, def->nface * dimension, solid->core);
  }
  nsds_release(context, list);
  nsds_release(context, one_place);
  return status;
}
