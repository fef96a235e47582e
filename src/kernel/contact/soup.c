/*
 * Triangles of scenery, in the plane segments. Where two share a side, a normal of either may lean
 * over it as far as the other's: beyond, or over a side that does not stick out, contacts are the
 * neighbour's, or the surface's own. Then what rolls or slides over the side does not stumble.
 */
#include "shape_set.h"

#include <stdlib.h>

typedef struct side {
  int low, high; /* vertices, in the plane the same one twice */
  int core, k;   /* which side of which core */
  bool turned;   /* from high to low; in the plane the end of a segment */
} side;

static int compare(const void *a, const void *b) {
  const side *p = a, *q = b;
  if (p->low != q->low) return p->low < q->low ? -1 : 1;
  if (p->high != q->high) return p->high < q->high ? -1 : 1;
  if (p->core != q->core) return p->core < q->core ? -1 : 1;
  return p->k - q->k;
}

static void list_sides(const nsds_shape_def *def, int dimension, side *list) {
  for (int f = 0; f < def->nface; ++f)
    for (int k = 0; k < dimension; ++k) {
      int a = def->face[dimension * f + k], b = def->face[dimension * f + (k + 1) % dimension];
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

static void pair_sides(const side *list, int count, nsds_core *core) {
  for (int i = 0; i < count; ++i)
    for (int j = i + 1; j < count && list[j].low == list[i].low && list[j].high == list[i].high;
         ++j) {
      if (list[i].turned == list[j].turned || list[i].core == list[j].core) continue;
      set_lean(&core[list[i].core], list[i].k, &core[list[j].core]);
      set_lean(&core[list[j].core], list[j].k, &core[list[i].core]);
      break;
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
  nsds_status status = solid->core && solid->store && list ? NSDS_OK : NSDS_ERROR_MEMORY;
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
  if (!status) {
    list_sides(def, dimension, list);
    qsort(list, count * (size_t)dimension, sizeof *list, compare);
    for (int f = 0; f < solid->count; ++f) nsds_core_normals(&solid->core[f], dimension);
    pair_sides(list, def->nface * dimension, solid->core);
  }
  nsds_release(context, list);
  return status;
}
