/*
 * Makes the laws of a set of shapes beforehand: one law, or one for each pair of materials.
 */
#include "kernel/contact/material.h"

#include "base/context.h"
#include "base/text/field_rows.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/definition.h"
#include "kernel/modeling/modeling.h"

#include <nsds/law.h>

#include <stdio.h>

static const char call[] = "nsds_shapes";

static double mix(nsds_mix rule, double a, double b) {
  switch (rule) {
  case NSDS_MIX_MIN: return fmin(a, b);
  case NSDS_MIX_MAX: return fmax(a, b);
  case NSDS_MIX_MEAN: return 0.5 * a + 0.5 * b;
  default: return sqrt(a) * sqrt(b);
  }
}

/* Mixes coefficients that may be negative. The geometric mean has their sign; 0 if the signs
 * differ. */
static double mix_signed(nsds_mix rule, double a, double b) {
  if (rule != NSDS_MIX_GEOMETRIC) return mix(rule, a, b);
  double size = mix(rule, fabs(a), fabs(b));
  return a < 0.0 && b < 0.0 ? -size : a >= 0.0 && b >= 0.0 ? size : 0.0;
}

static nsds_law *law_of_pair(const nsds_shape_set *set, const nsds_shapes_def *d, int i, int j) {
  const nsds_material *a = &d->material[i], *b = &d->material[j];
  nsds_material pair = {.mu = mix(d->mix, a->mu, b->mu),
                        .mu_rolling = mix(d->mix, a->mu_rolling, b->mu_rolling),
                        .e_n = mix(d->mix, a->e_n, b->e_n),
                        .e_t = mix_signed(d->mix, a->e_t, b->e_t)};
  unsigned busy = set->model->busy;
  set->model->busy |= NSDS_BUSY_CALL;
  if (d->mix_fn) d->mix_fn(a, b, &pair, d->user);
  set->model->busy = busy;
  if (d->rolling)
    return nsds_newton_impact_rolling(
        set->model, &(nsds_newton_impact_rolling_def){.dimension = set->dimension,
                                                      .mu = pair.mu,
                                                      .mu_rolling = pair.mu_rolling,
                                                      .e_n = pair.e_n,
                                                      .e_t = pair.e_t});
  return nsds_newton_impact_friction(
      set->model,
      &(nsds_newton_impact_friction_def){
          .dimension = set->dimension, .mu = pair.mu, .e_n = pair.e_n, .e_t = pair.e_t});
}

#define DEF nsds_material
const nsds_type nsds_material_type = {
    .help = "Coefficients of a surface.",
    .field =
        (const nsds_field[]){
            NUMBER_OF(DEF, mu, "1", ">= 0", "0", "Coefficient of friction."),
            NUMBER_OF(DEF, mu_rolling, "m", ">= 0", "0", "Coefficient of rolling friction."),
            NUMBER_OF(DEF, e_n, "1", "[0, 1]", "0", "Coefficient of normal restitution."),
            NUMBER_OF(DEF, e_t, "1", "[-1, 1]", "0", "Coefficient of tangential restitution."),
            END},
    .call = call,
    .bytes = sizeof(DEF)};

const nsds_type nsds_material_pair_type = {
    .help =
        "Coefficients of contacts between two materials; those that are absent follow from mix.",
    .field =
        (const nsds_field[]){
            VECTOR("materials", "2", NULL, NULL, "Places of both in the list materials, from 0."),
            NUMBER("mu", "1", ">= 0", "auto", "Coefficient of friction."),
            NUMBER("mu_rolling", "m", ">= 0", "auto", "Coefficient of rolling friction."),
            NUMBER("e_n", "1", "[0, 1]", "auto", "Coefficient of normal restitution."),
            NUMBER("e_t", "1", "[-1, 1]", "auto", "Coefficient of tangential restitution."), END},
    .call = call};

static bool check_material(nsds_context *context, const nsds_shapes_def *d, int k) {
  nsds_material own = d->material[k];
  char prefix[48];
  snprintf(prefix, sizeof prefix, "material[%d].", k);
  return nsds_definition_check(context, call, prefix, nsds_material_type.field, &own);
}

static bool check_materials(nsds_context *context, const nsds_shapes_def *d) {
  if (d->nmaterial > 0 && !d->material) {
    nsds_fail_null(context, call, "material");
    return false;
  }
  if (d->nmaterial == 0) {
    nsds_fail(context, NSDS_ERROR_ARGUMENT,
              "%s: neither law nor material is given; contacts need one of them", call);
    return false;
  }
  if (!nsds_check_range(context, call, "nmaterial", d->nmaterial, 1, 256)) return false;
  for (int k = 0; k < d->nmaterial; ++k)
    if (!check_material(context, d, k)) return false;
  return true;
}

static bool take_law(nsds_shape_set *set, const nsds_shapes_def *d) {
  int rows = d->law->size, plane = set->dimension == 2;
  set->law = d->law;
  set->rows = rows;
  if (d->nmaterial > 0) {
    nsds_fail(set->model->context, NSDS_ERROR_ARGUMENT,
              "%s: law and material are given; give one of them", call);
    return false;
  }
  if (rows == 1 || rows == (plane ? 2 : 3) || rows == (plane ? 3 : 5)) return true;
  nsds_fail(set->model->context, NSDS_ERROR_ARGUMENT, "%s: the law has %d rows; it must be of %s",
            call, rows,
            plane ? "1 (normal), 2 (with tangent) or 3 rows (with rolling) in the plane"
                  : "1 (normal), 3 (with tangents) or 5 rows (with rolling)");
  return false;
}

bool nsds_make_laws(nsds_shape_set *set, const nsds_shapes_def *def) {
  if (def->law) return take_law(set, def);
  nsds_context *context = set->model->context;
  int n = def->nmaterial;
  if (!check_materials(context, def)) return false;
  set->pair_law = NSDS_NEW_ARRAY(context, nsds_law *, n * n);
  if (!set->pair_law) return false;
  set->nmaterial = n;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) {
      nsds_law *law = law_of_pair(set, def, j, i);
      if (!law) return false;
      set->pair_law[i * n + j] = set->pair_law[j * n + i] = law;
    }
  set->law = set->pair_law[0];
  set->rows = set->law->size;
  return true;
}
