/*
 * Laws whose force lies in a bounded region: relay, saturation, normal cone to a polyhedron.
 */
#include "base/context.h"
#include "base/text/field_rows.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/law.h"
#include "numerics/problem.h"

#include <float.h>

/* Bounds of a box and facets of a polyhedron share their storage: [lower | upper] or [H | K]. */
typedef struct region {
  nsds_context *context;
  int size, nfacet;
  double slope; /* saturation; 0: vertical */
  const double *first, *second;
  double values[];
} region;

static void box_block(void *self, nsds_block *block) {
  const region *s = self;
  block->set = NSDS_SET_BOX;
  block->lower = s->first;
  block->upper = s->second;
}

static void polyhedron_block(void *self, nsds_block *block) {
  const region *s = self;
  block->set = NSDS_SET_POLYHEDRON;
  block->nfacet = s->nfacet;
  block->H = s->first;
  block->K = s->second;
}

static void saturation_compliance(void *self, double *D, int ld) {
  const region *s = self;
  for (int i = 0; i < s->size; ++i) D[i + i * ld] += 1.0 / s->slope;
}

static void region_destroy(void *self) {
  region *s = self;
  nsds_release(s->context, s);
}

static const nsds_law_ops relay_ops = {
    .type = "nsds_relay", .block = box_block, .destroy = region_destroy};
static const nsds_law_ops saturation_ops = {.type = "nsds_saturation",
                                            .block = box_block,
                                            .compliance = saturation_compliance,
                                            .destroy = region_destroy};
static const nsds_law_ops normal_cone_ops = {
    .type = "nsds_normal_cone", .block = polyhedron_block, .destroy = region_destroy};

static nsds_law *create_region(nsds_model *model, const nsds_law_ops *ops, int size, size_t nfirst,
                               const double *first, size_t nsecond, const double *second,
                               int nfacet, double slope) {
  nsds_context *context = model->context;
  region *s = nsds_alloc_for(context, ops->type, "its bounds", 1,
                             sizeof *s + (nfirst + nsecond) * sizeof(double));
  if (!s) return NULL;
  s->context = context;
  s->size = size;
  s->nfacet = nfacet;
  s->slope = slope;
  s->first = s->values;
  s->second = s->values + nfirst;
  memcpy(s->values, first, nfirst * sizeof *first);
  memcpy(s->values + nfirst, second, nsecond * sizeof *second);
  return nsds_make_law(
      model, &(nsds_custom_law_def){.ops = ops, .self = s, .size = size, .level = NSDS_LEVEL_FORCE},
      false);
}

static nsds_law *create_box(nsds_model *model, const nsds_law_ops *ops, int size,
                            const double *lower, const double *upper, double slope) {
  if (!model || !lower || !upper) {
    nsds_fail_null(nsds_model_context(model), ops->type,
                   !model   ? "model"
                   : !lower ? "lower"
                            : "upper");
    return NULL;
  }
  if (!nsds_check_count(model->context, ops->type, "size", size, 1)) return NULL;
  for (int i = 0; i < size; ++i)
    if (!(lower[i] <= upper[i]) || lower[i] == INFINITY || upper[i] == -INFINITY) {
      nsds_fail(
          model->context, NSDS_ERROR_VALUE,
          "%s: the bounds of row %d are [%g, %g]; a lower bound must not exceed the upper one",
          ops->type, i, lower[i], upper[i]);
      return NULL;
    }
  size_t n = (size_t)size;
  return create_region(model, ops, size, n, lower, n, upper, 0, slope);
}

nsds_law *nsds_relay(nsds_model *model, int size, const double *lower, const double *upper) {
  return create_box(model, &relay_ops, size, lower, upper, 0.0);
}

nsds_law *nsds_saturation(nsds_model *model, int size, const double *lower, const double *upper,
                          double slope) {
  if (model && !(slope >= DBL_MIN && isfinite(slope))) {
    nsds_fail(model->context, NSDS_ERROR_VALUE,
              "%s: slope is %g; it must be positive and finite, and so must 1 / slope: valid are "
              "values from %g on",
              saturation_ops.type, slope, DBL_MIN);
    return NULL;
  }
  return create_box(model, &saturation_ops, size, lower, upper, slope);
}

nsds_law *nsds_normal_cone(nsds_model *model, int size, int nfacet, const double *H,
                           const double *K) {
  const char *type = normal_cone_ops.type;
  if (!model || !H || !K) {
    nsds_fail_null(nsds_model_context(model), type, !model ? "model" : !H ? "H" : "K");
    return NULL;
  }
  if (!nsds_check_count(model->context, type, "size", size, 1) ||
      !nsds_check_count(model->context, type, "nfacet", nfacet, 1) ||
      !nsds_check_dense(model->context, type, "H", nfacet, size) ||
      !nsds_check_range(model->context, type, "size", size, 1, NSDS_COUPLED_ROWS) ||
      !nsds_check_entries(model->context, type, "H", H, nfacet, size) ||
      !nsds_check_finite(model->context, type, "K", K, nfacet))
    return NULL;
  nsds_block block = {.set = NSDS_SET_POLYHEDRON, .size = size, .nfacet = nfacet, .H = H, .K = K};
  if (nsds_check_block(&(nsds_subject){.context = model->context, .of = type}, &block))
    return NULL; /* the polyhedron is empty */
  return create_region(model, &normal_cone_ops, size, (size_t)nfacet * (size_t)size, H,
                       (size_t)nfacet, K, nfacet, 0.0);
}

/* ---- catalogue ------------------------------------------------------------------------------- */

/* The arguments of the constructors as definitions. */
typedef struct box_def {
  const double *lower, *upper;
  double slope;
  int size;
} box_def;

typedef struct polyhedron_def {
  const double *H, *K;
  int size, nfacet;
} polyhedron_def;

static void *make_relay(nsds_model *model, const void *def) {
  const box_def *d = def;
  return nsds_relay(model, d->size, d->lower, d->upper);
}

static void *make_saturation(nsds_model *model, const void *def) {
  const box_def *d = def;
  return nsds_saturation(model, d->size, d->lower, d->upper, d->slope);
}

static void *make_normal_cone(nsds_model *model, const void *def) {
  const polyhedron_def *d = def;
  return nsds_normal_cone(model, d->size, d->nfacet, d->H, d->K);
}

#define BOUNDS                                                                                     \
  POINTER_OF(box_def, lower, size, "m", NULL, NULL, "Lower bounds of lambda; -inf is allowed."),   \
      POINTER_OF(box_def, upper, size, "m", NULL, NULL, "Upper bounds of lambda; inf is allowed.")

const nsds_type nsds_law_relay = {
    .type = "relay",
    .help = "lambda between bounds: at the lower one where y > 0, at the upper one where y < 0.",
    .field = (const nsds_field[]){BOUNDS, END},
    .call = "nsds_relay",
    .bytes = sizeof(box_def),
    .make = make_relay};
const nsds_type nsds_law_saturation = {
    .type = "saturation",
    .help = "lambda = -slope y, cut off at bounds.",
    .field =
        (const nsds_field[]){
            BOUNDS, NUMBER_OF(box_def, slope, NULL, "> 0", NULL, "Slope, common to all rows."),
            END},
    .call = "nsds_saturation",
    .bytes = sizeof(box_def),
    .make = make_saturation};
const nsds_type nsds_law_normal_cone = {
    .type = "normal_cone",
    .help = "-y in the normal cone to the polyhedron {l : H l >= K} at lambda.",
    .field =
        (const nsds_field[]){
            MATRIX_OF(polyhedron_def, H, nfacet, size, "facets x m", NULL, NULL,
                      "One row a half space."),
            POINTER_OF(polyhedron_def, K, nfacet, "facets", NULL, NULL, "Right-hand side."), END},
    .call = "nsds_normal_cone",
    .bytes = sizeof(polyhedron_def),
    .make = make_normal_cone};
