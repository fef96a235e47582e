/*
 * The model owns everything created in it.
 */
#include "kernel/modeling/model.h"

#include "base/arena.h"
#include "base/context.h"
#include "base/text/format.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/contact_set.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/shape_column.h"
#include "kernel/modeling/state.h"
#include "kernel/modeling/system_destroy.h"

#include <dlfcn.h>
#include <stdio.h>

nsds_status nsds_report(nsds_context *context, nsds_status status, const char *format, ...) {
  char message[480];
  va_list arguments;
  va_start(arguments, format);
  nsds_format_message(message, sizeof message, format, arguments);
  va_end(arguments);
  return nsds_fail(context, status, "%s", message);
}

nsds_model *nsds_model_create(nsds_context *context) {
  bool owns = !context;
  if (context && nsds_check_hook(context, "nsds_model_create")) return NULL;
  if (owns) context = nsds_context_create(NULL);
  if (!context) return NULL;
  nsds_model *model = NSDS_NEW(context, nsds_model);
  if (!model) {
    if (owns) nsds_context_destroy(context);
    return NULL;
  }
  model->context = context;
  model->owns_context = owns;
  model->now.graph = model->now.change = model->now.values = 1;
  model->journal[1] = -1;
  return model;
}

static void destroy_edges(nsds_model *model) {
  nsds_context *context = model->context;
  for (size_t k = 0; k < model->interaction.count; ++k) {
    nsds_interaction *interaction = model->interaction.item[k];
    if (interaction->ds != interaction->few) nsds_release(context, interaction->ds);
    nsds_release(context, interaction->z);
  }
  nsds_places_destroy(context, &model->interactions);
  for (size_t k = 0; k < model->law.count; ++k) {
    nsds_law *law = model->law.item[k];
    if (law->ops->destroy) law->ops->destroy(law->self);
    nsds_release(context, law);
  }
  for (size_t k = 0; k < model->relation.count; ++k) {
    nsds_relation *relation = model->relation.item[k];
    if (relation->ops->destroy) relation->ops->destroy(relation->self);
    nsds_release(context, relation->z);
  }
  nsds_places_destroy(context, &model->relations);
}

static void destroy_systems(nsds_model *model) {
  nsds_context *context = model->context;
  for (size_t k = 0; k < model->ds.count; ++k) nsds_ds_release(model->ds.item[k]);
  nsds_places_destroy(context, &model->systems.places);
}

static void close_plugins(nsds_model *model) {
  nsds_context *context = model->context;
  for (size_t k = 0; k < model->plugin.count; ++k) {
    nsds_plugin *plugin = model->plugin.item[k];
    if (!plugin->stays) dlclose(plugin->handle);
    nsds_release(context, plugin->path);
    nsds_release(context, plugin);
  }
}

/* Refuses destruction during a call of a function, a sampler or check_solver: each returns into the
 * model. */
static nsds_status check_unused(const nsds_model *model) {
  const char *call = "nsds_model_destroy";
  nsds_status status = nsds_check_quiet(model, call);
  for (size_t k = 0; !status && k < model->borrower.count; ++k)
    if (((nsds_borrower *)model->borrower.item[k])->busy) status = nsds_fail_busy(model, call);
  return status;
}

void nsds_model_destroy(nsds_model *model) {
  if (!model || check_unused(model)) return;
  nsds_context *context = model->context;
  model->busy = NSDS_BUSY_CALL; /* during `destroy` of systems, relations ... */
  while (model->borrower.count > 0) {
    nsds_borrower *borrower = model->borrower.item[model->borrower.count - 1];
    borrower->destroy(borrower);
  }
  nsds_contact_sets_destroy(model);
  destroy_edges(model);
  destroy_systems(model);
  for (size_t k = 0; k < model->sensor.count; ++k) nsds_release(context, model->sensor.item[k]);
  close_plugins(model); /* last: destroy functions may be the plugins' */
  nsds_list *lists[] = {&model->ds,          &model->relation, &model->law,
                        &model->interaction, &model->plugin,   &model->borrower,
                        &model->set,         &model->turning,  &model->sensor};
  for (size_t k = 0; k < sizeof lists / sizeof *lists; ++k) nsds_release(context, lists[k]->item);
  for (size_t k = 0; k < model->rows.n; ++k) nsds_release(context, model->rows.of[k].first);
  nsds_release(context, model->rows.of);
  nsds_release(context, model->scratch);
  nsds_state_destroy(context, &model->state);
  bool owns = model->owns_context;
  nsds_release(context, model);
  if (owns) nsds_context_destroy(context);
}

nsds_context *nsds_model_context(const nsds_model *model) { return model ? model->context : NULL; }

int nsds_ds_count(const nsds_model *model) { return model ? (int)model->ds.count : 0; }

nsds_ds *nsds_ds_at(const nsds_model *model, int k) {
  bool there = model && k >= 0 && k < (int)model->ds.count;
  return there ? nsds_ds_handle(model->ds.item[k]) : NULL;
}

int nsds_ds_index(const nsds_ds *handle) {
  const nsds_ds *ds = nsds_ds_find(handle, "nsds_ds_index");
  return ds ? ds->index : -1;
}

int nsds_interaction_count(const nsds_model *model) {
  return model ? (int)model->interaction.count : 0;
}

nsds_interaction *nsds_interaction_at(const nsds_model *model, int k) {
  bool there = model && k >= 0 && k < (int)model->interaction.count;
  return there ? nsds_place_handle(model->interaction.item[k]) : NULL;
}

uint64_t nsds_state_moves(const nsds_model *model) { return model ? model->state.moves : 0; }

double nsds_kinetic_energy(nsds_ds *handle) {
  if (!handle) {
    nsds_fail_null(NULL, "nsds_kinetic_energy", "ds");
    return NAN;
  }
  nsds_ds *ds = nsds_ds_find(handle, "nsds_kinetic_energy");
  if (!ds) return NAN;
  nsds_model *model = ds->model;
  char label[nsds_label_size];
  if (!nsds_is_second_order(ds)) {
    nsds_fail(
        model->context, NSDS_ERROR_ARGUMENT,
        "nsds_kinetic_energy: %s is of first order and has none; valid are second-order systems",
        nsds_ds_label(ds, label));
    return NAN;
  }
  if (nsds_check_quiet(model, "nsds_kinetic_energy")) return NAN;
  int n = ds->nv;
  if (nsds_grow(model->context, &model->scratch, &model->scratch_capacity,
                (size_t)nsds_value_count(ds->mass.p, n), sizeof *model->scratch))
    return NAN;
  double *mass = model->scratch;
  memset(mass, 0, (size_t)nsds_value_count(ds->mass.p, n) * sizeof *mass);
  const double *v = model->state.v + ds->v_offset;
  nsds_arguments in = nsds_ds_in(ds, model->state.t, model->state.q + ds->q_offset, v);
  double energy = NAN;
  model->busy |= NSDS_BUSY_CALL;
  nsds_status status = ds->ops->mass(ds->self, &in, mass);
  model->busy &= ~(unsigned)NSDS_BUSY_CALL;
  if (status == NSDS_OK) {
    energy = 0.0;
    for (int j = 0; j < n; ++j) {
      nsds_shape_column column = nsds_shape_column_at(ds->mass.p, ds->mass.i, n, j);
      for (int k = column.first; k < column.last; ++k)
        energy += 0.5 * v[nsds_shape_column_row(&column, k)] * mass[k] * v[j];
    }
  }
  return energy;
}
