/*
 * The model: owner of everything created in it, and of the contiguous state arrays.
 */
#include "modeling.h"

#include <dlfcn.h>
#include <stdio.h>

nsds_status nsds_report(nsds_context *context, nsds_status status, const char *format, ...) {
  char message[480];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  return nsds_fail(context, status, "%s", message);
}

nsds_status nsds_list_push(nsds_context *context, nsds_list *list, void *item) {
  nsds_status status =
      nsds_grow(context, &list->item, &list->capacity, list->count + 1, sizeof *list->item);
  if (!status) list->item[list->count++] = item;
  return status;
}

void nsds_list_remove(nsds_list *list, const void *item) {
  size_t k = 0;
  while (k < list->count && list->item[k] != item) ++k;
  if (k == list->count) return;
  --list->count;
  memmove(list->item + k, list->item + k + 1, (list->count - k) * sizeof *list->item);
}

nsds_model *nsds_model_create(nsds_context *context) {
  bool owns = !context;
  if (owns) context = nsds_context_create(NULL);
  if (!context) return NULL;
  nsds_model *model = NSDS_NEW(context, nsds_model);
  if (!model) {
    if (owns) nsds_context_destroy(context);
    return NULL;
  }
  model->context = context;
  model->owns_context = owns;
  model->topology = model->values = 1;
  return model;
}

void nsds_model_destroy(nsds_model *model) {
  if (!model) return;
  nsds_context *context = model->context;
  while (model->borrower.count > 0) {
    nsds_borrower *borrower = model->borrower.item[model->borrower.count - 1];
    borrower->destroy(borrower);
  }
  for (size_t k = 0; k < model->interaction.count; ++k) {
    nsds_interaction *interaction = model->interaction.item[k];
    nsds_release(context, interaction->ds);
    nsds_release(context, interaction);
  }
  for (size_t k = 0; k < model->law.count; ++k) {
    nsds_law *law = model->law.item[k];
    if (law->ops->destroy) law->ops->destroy(law->self);
    nsds_release(context, law);
  }
  for (size_t k = 0; k < model->relation.count; ++k) {
    nsds_relation *relation = model->relation.item[k];
    if (relation->ops->destroy) relation->ops->destroy(relation->self);
    nsds_release(context, relation->z);
    nsds_release(context, relation);
  }
  for (size_t k = 0; k < model->ds.count; ++k) {
    nsds_ds *ds = model->ds.item[k];
    if (ds->destroy) ds->destroy(ds->self);
    nsds_release(context, ds->prescribed);
    nsds_release(context, ds->z_storage);
    nsds_release(context, ds);
  }
  for (size_t k = 0; k < model->plugin.count; ++k) {
    nsds_plugin *plugin = model->plugin.item[k];
    dlclose(plugin->handle);
    nsds_release(context, plugin->path);
    nsds_release(context, plugin);
  }
  nsds_list *lists[] = {&model->ds,          &model->relation, &model->law,
                        &model->interaction, &model->plugin,   &model->borrower};
  for (size_t k = 0; k < sizeof lists / sizeof *lists; ++k) nsds_release(context, lists[k]->item);
  nsds_release(context, model->state);
  bool owns = model->owns_context;
  nsds_release(context, model);
  if (owns) nsds_context_destroy(context);
}

nsds_context *nsds_model_context(const nsds_model *model) { return model ? model->context : NULL; }

int nsds_ds_count(const nsds_model *model) { return model ? (int)model->ds.count : 0; }

nsds_ds *nsds_ds_at(const nsds_model *model, int k) {
  return model && k >= 0 && k < (int)model->ds.count ? model->ds.item[k] : NULL;
}

int nsds_interaction_count(const nsds_model *model) {
  return model ? (int)model->interaction.count : 0;
}

nsds_interaction *nsds_interaction_at(const nsds_model *model, int k) {
  return model && k >= 0 && k < (int)model->interaction.count ? model->interaction.item[k] : NULL;
}

const char *nsds_ds_label(const nsds_ds *ds, char *buffer) {
  if (ds->name[0]) snprintf(buffer, nsds_label_size, "system '%s'", ds->name);
  else snprintf(buffer, nsds_label_size, "system #%d (%s)", ds->index, ds->type);
  return buffer;
}

const char *nsds_relation_label(const nsds_relation *relation, char *buffer) {
  if (relation->name[0]) snprintf(buffer, nsds_label_size, "relation '%s'", relation->name);
  else snprintf(buffer, nsds_label_size, "relation #%d (%s)", relation->index, relation->ops->type);
  return buffer;
}

const char *nsds_ds_name(const nsds_ds *ds) { return ds ? ds->name : ""; }
int nsds_nq(const nsds_ds *ds) { return ds ? ds->nq : 0; }

/* An array of the model, for systems of the order it belongs to. */
static const double *view(const nsds_ds *ds, int order, const double *array, int offset) {
  return ds->order == order ? array + offset : NULL;
}

int nsds_nv(const nsds_ds *ds) { return ds && ds->order == 2 ? ds->nv : 0; }
int nsds_nx(const nsds_ds *ds) { return ds && ds->order == 1 ? ds->nv : 0; }

const double *nsds_q(const nsds_ds *ds) {
  return ds ? view(ds, 2, ds->model->q, ds->q_offset) : NULL;
}

const double *nsds_v(const nsds_ds *ds) {
  return ds ? view(ds, 2, ds->model->v, ds->v_offset) : NULL;
}

const double *nsds_p(const nsds_ds *ds) {
  return ds ? view(ds, 2, ds->model->p, ds->v_offset) : NULL;
}

const double *nsds_reaction(const nsds_ds *ds) {
  return ds ? view(ds, 2, ds->model->reaction, ds->v_offset) : NULL;
}

const double *nsds_x(const nsds_ds *ds) {
  return ds ? view(ds, 1, ds->model->v, ds->v_offset) : NULL;
}

const double *nsds_r(const nsds_ds *ds) {
  return ds ? view(ds, 1, ds->model->p, ds->v_offset) : NULL;
}

const double *nsds_ds_z(const nsds_ds *ds) { return ds && ds->nz > 0 ? ds->z : NULL; }

const double *nsds_relation_z(const nsds_relation *relation) {
  return relation && relation->nz_own > 0 ? relation->z : NULL;
}

/* "<call>: <object>", what messages of calls between steps begin with. */
enum { occasion_size = nsds_label_size + 32 };
static const char *occasion(const char *call, const char *label, char *buffer) {
  snprintf(buffer, occasion_size, "%s: %s", call, label);
  return buffer;
}

nsds_status nsds_set_state(nsds_ds *ds, const double *q, const double *v) {
  if (!ds) return nsds_fail_null(NULL, "nsds_set_state", "ds");
  nsds_model *model = ds->model;
  char label[nsds_label_size], buffer[occasion_size];
  if (ds->order != 2)
    return nsds_fail(model->context, NSDS_ERROR_ARGUMENT,
                     "nsds_set_state: %s is of first order; use nsds_set_x()",
                     nsds_ds_label(ds, label));
  const char *call = occasion("nsds_set_state", nsds_ds_label(ds, label), buffer);
  if (!nsds_check_finite(model->context, call, "q", q, ds->nq) ||
      !nsds_check_finite(model->context, call, "v", v, ds->nv))
    return NSDS_ERROR_VALUE;
  if (q) memcpy(model->q + ds->q_offset, q, (size_t)ds->nq * sizeof *q);
  if (v) memcpy(model->v + ds->v_offset, v, (size_t)ds->nv * sizeof *v);
  ++model->values;
  return NSDS_OK;
}

nsds_status nsds_set_x(nsds_ds *ds, const double *x) {
  if (!ds || !x)
    return nsds_fail_null(ds ? ds->model->context : NULL, "nsds_set_x", ds ? "x" : "ds");
  nsds_model *model = ds->model;
  char label[nsds_label_size], buffer[occasion_size];
  if (ds->order != 1)
    return nsds_fail(model->context, NSDS_ERROR_ARGUMENT,
                     "nsds_set_x: %s is of second order; use nsds_set_state()",
                     nsds_ds_label(ds, label));
  const char *call = occasion("nsds_set_x", nsds_ds_label(ds, label), buffer);
  if (!nsds_check_finite(model->context, call, "x", x, ds->nv)) return NSDS_ERROR_VALUE;
  memcpy(model->v + ds->v_offset, x, (size_t)ds->nv * sizeof *x);
  ++model->values;
  return NSDS_OK;
}

static nsds_status set_z(nsds_model *model, const char *call, int have, double *z, int nz,
                         const double *values) {
  if (nz != have)
    return nsds_fail(model->context, NSDS_ERROR_SIZE, "%s: nz is %d; it has %d parameters", call,
                     nz, have);
  if (nz > 0 && !values) return nsds_fail_null(model->context, call, "z");
  if (!nsds_check_finite(model->context, call, "z", values, nz)) return NSDS_ERROR_VALUE;
  if (nz > 0) memcpy(z, values, (size_t)nz * sizeof *z);
  ++model->values;
  return NSDS_OK;
}

nsds_status nsds_ds_set_z(nsds_ds *ds, int nz, const double *z) {
  if (!ds) return nsds_fail_null(NULL, "nsds_ds_set_z", "ds");
  char label[nsds_label_size], buffer[occasion_size];
  const char *call = occasion("nsds_ds_set_z", nsds_ds_label(ds, label), buffer);
  return set_z(ds->model, call, ds->nz, ds->z, nz, z);
}

nsds_status nsds_relation_set_z(nsds_relation *relation, int nz, const double *z) {
  if (!relation) return nsds_fail_null(NULL, "nsds_relation_set_z", "relation");
  char label[nsds_label_size], buffer[occasion_size];
  const char *call = occasion("nsds_relation_set_z", nsds_relation_label(relation, label), buffer);
  return set_z(relation->model, call, relation->nz_own, relation->z, nz, z);
}

int nsds_interaction_size(const nsds_interaction *interaction) {
  return interaction ? interaction->m : 0;
}

/* Local variables after states, parameters or interactions have changed between steps. */
static void bring_up_to_date(const nsds_model *model) {
  if (NSDS_LIKELY(model->shown == model->topology + model->values)) return;
  if (model->borrower.count == 0) return;
  nsds_borrower *last = model->borrower.item[model->borrower.count - 1];
  last->show(last);
}

const double *nsds_y(const nsds_interaction *interaction) {
  if (interaction) bring_up_to_date(interaction->model);
  return interaction ? interaction->model->y + interaction->y_offset : NULL;
}

const double *nsds_ydot(const nsds_interaction *interaction) {
  if (interaction) bring_up_to_date(interaction->model);
  return interaction ? interaction->model->ydot + interaction->y_offset : NULL;
}

const double *nsds_impulse(const nsds_interaction *interaction) {
  return interaction ? interaction->model->impulse + interaction->y_offset : NULL;
}

const double *nsds_lambda(const nsds_interaction *interaction) { return nsds_impulse(interaction); }

bool nsds_is_active(const nsds_interaction *interaction) {
  return interaction && interaction->active;
}

double nsds_kinetic_energy(nsds_ds *ds) {
  if (!ds) {
    nsds_fail_null(NULL, "nsds_kinetic_energy", "ds");
    return NAN;
  }
  const nsds_model *model = ds->model;
  char label[nsds_label_size];
  if (ds->order != 2) {
    nsds_fail(model->context, NSDS_ERROR_ARGUMENT,
              "nsds_kinetic_energy: %s is of first order and has none", nsds_ds_label(ds, label));
    return NAN;
  }
  int n = ds->nv;
  size_t count = ds->mass.p ? (size_t)ds->mass.p[n] : (size_t)n * (size_t)n;
  double *mass = NSDS_NEW_ARRAY(model->context, double, count);
  if (!mass) return NAN;
  const double *v = model->v + ds->v_offset;
  nsds_in in = nsds_ds_in(ds, 0.0, model->q + ds->q_offset, v);
  double energy = NAN;
  if (ds->ops->mass(ds->self, &in, mass) == NSDS_OK) {
    energy = 0.0;
    for (int j = 0; j < n; ++j) {
      int first = ds->mass.p ? ds->mass.p[j] : j * n,
          last = ds->mass.p ? ds->mass.p[j + 1] : first + n;
      for (int k = first; k < last; ++k)
        energy += 0.5 * v[ds->mass.p ? ds->mass.i[k] : k - first] * mass[k] * v[j];
    }
  }
  nsds_release(model->context, mass);
  return energy;
}
