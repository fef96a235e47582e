/*
 * Parameters and user data of single operators. The caller of an object's functions keeps the data
 * and finds them by the function.
 */
#include "kernel/modeling/operator_data.h"

#include "base/arena.h"
#include "base/context.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"

#include <stdio.h>

nsds_caller nsds_relation_caller(const nsds_model *model, const char *type, const char *name) {
  nsds_caller caller = {.context = model->context};
  if (name) snprintf(caller.label, nsds_label_size, "relation '%.*s'", nsds_name_size - 1, name);
  else snprintf(caller.label, nsds_label_size, "relation #%zu (%s)", model->relation.count, type);
  return caller;
}

/* Refuses data without effect: for a function that is never called, or a second entry for one
 * function. */
static bool operator_data_check_function(const nsds_caller *caller, const nsds_operator_data *data,
                                         int k, const nsds_operator *functions, int count) {
  const char *wrong = data[k].function ? "is not a function of the definition" : "is NULL";
  for (int i = 0; data[k].function && i < count; ++i)
    if (functions[i] == data[k].function) wrong = NULL;
  for (int i = 0; !wrong && i < k; ++i)
    if (data[i].function == data[k].function) wrong = "has data already, by an entry before";
  if (wrong)
    nsds_fail(caller->context, NSDS_ERROR_ARGUMENT,
              "%s: data[%d].function %s; valid is each of its functions once", caller->label, k,
              wrong);
  return !wrong;
}

bool nsds_caller_take(nsds_caller *caller, int ndata, const nsds_operator_data *data,
                      const nsds_operator *functions, int count) {
  nsds_context *context = caller->context;
  if (!nsds_check_count(context, caller->label, "ndata", ndata, 0)) return false;
  if (ndata == 0 && !data) return true;
  if (ndata == 0 || !data) {
    nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: data is %s, but ndata is %d; give both or none",
              caller->label, data ? "given" : "NULL", ndata);
    return false;
  }
  caller->own = NSDS_NEW_ARRAY(context, nsds_own_data, ndata);
  if (!caller->own) return false;
  caller->nown = ndata;
  for (int k = 0; k < ndata; ++k) {
    const nsds_operator_data *d = &data[k];
    if (!operator_data_check_function(caller, data, k, functions, count)) return false;
    if (!nsds_check_parameters(context, caller->label, "data.nz", d->nz, d->z)) return false;
    caller->own[k] = (nsds_own_data){.function = d->function, .user = d->user, .nz = d->nz};
    if (d->nz == 0) continue;
    caller->own[k].z =
        nsds_alloc_for(context, caller->label, "data.nz parameters", (size_t)d->nz, sizeof *d->z);
    if (!caller->own[k].z) return false;
    if (d->z) memcpy(caller->own[k].z, d->z, (size_t)d->nz * sizeof *d->z);
  }
  return true;
}

void nsds_caller_release(nsds_caller *caller) {
  for (int k = 0; k < caller->nown; ++k) nsds_release(caller->context, caller->own[k].z);
  nsds_release(caller->context, caller->own);
  nsds_release(caller->context, caller->scratch);
}

nsds_ds *nsds_ds_called_by(nsds_ds *ds, nsds_caller *caller) {
  if (ds) ds->caller = caller;
  return nsds_ds_handle(ds);
}

nsds_relation *nsds_relation_called_by(nsds_relation *relation, nsds_caller *caller) {
  if (relation) ((nsds_relation *)nsds_handle_place(relation))->caller = caller;
  return relation;
}

static nsds_status set(nsds_model *model, const char *call, const char *label, nsds_caller *caller,
                       nsds_operator function, int nz, const double *z, uint64_t *changed) {
  nsds_status status = nsds_check_idle(model, call);
  if (status) return status;
  for (int k = 0; caller && k < caller->nown; ++k) {
    nsds_own_data *own = &caller->own[k];
    if (own->function != function || own->nz == 0) continue;
    if (nz != own->nz)
      return nsds_fail(model->context, NSDS_ERROR_SIZE,
                       "%s: %s: nz is %d; it must be %d, as in the definition", call, label, nz,
                       own->nz);
    if (!z) return nsds_fail_null(model->context, call, "z");
    if (!nsds_check_finite(model->context, call, "z", z, nz)) return NSDS_ERROR_VALUE;
    memcpy(own->z, z, (size_t)nz * sizeof *z);
    *changed = nsds_touch(model);
    return NSDS_OK;
  }
  return nsds_fail(model->context, NSDS_ERROR_ARGUMENT,
                   "%s: %s has no parameters of its own for this function; valid are functions "
                   "that `data` of its definition gives some",
                   call, label);
}

nsds_status nsds_ds_set_operator_z(nsds_ds *handle, nsds_operator function, int nz,
                                   const double *z) {
  const char *call = "nsds_ds_set_operator_z";
  if (!handle) return nsds_fail_null(NULL, call, "ds");
  nsds_ds *ds = nsds_ds_find(handle, call);
  if (!ds) return NSDS_ERROR_ARGUMENT;
  char label[nsds_label_size];
  return set(ds->model, call, nsds_ds_label(ds, label), ds->caller, function, nz, z, &ds->changed);
}

nsds_status nsds_relation_set_operator_z(nsds_relation *relation, nsds_operator function, int nz,
                                         const double *z) {
  const char *call = "nsds_relation_set_operator_z";
  if (!relation) return nsds_fail_null(NULL, call, "relation");
  nsds_relation *r = nsds_relation_find(relation, call);
  if (!r) return NSDS_ERROR_ARGUMENT;
  char label[nsds_label_size];
  return set(r->model, call, nsds_relation_label(r, label), r->caller, function, nz, z,
             &r->changed);
}
