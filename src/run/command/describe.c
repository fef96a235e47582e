/*
 * Lists the objects of a model, one a line.
 */
#include "base/text/format.h"
#include "run/job/guard_call.h"

#include <nsds/extend.h>
#include <nsds/first_order.h>
#include <nsds/run.h>

#include <stdarg.h>
#include <stdio.h>

typedef struct describer {
  const nsds_model *model;
  nsds_write_fn write;
  void *user;
} describer;

NSDS_PRINTF(2, 3)
static void say(const describer *d, const char *format, ...) {
  char text[400];
  va_list list;
  va_start(list, format);
  nsds_format_message(text, sizeof text, format, list);
  va_end(list);
  d->write(text, d->user);
}

static void say_name(const describer *d, const char *kind, const char *name, int place) {
  if (name[0]) say(d, "%s %s", kind, name);
  else say(d, "%s %d", kind, place);
}

static void describe_system(const describer *d, int k) {
  const nsds_ds *ds = nsds_ds_at(d->model, k);
  nsds_ds_operators is = nsds_ds_describe(ds);
  say_name(d, "system", nsds_ds_name(ds), k);
  int nx = nsds_nx(ds), nq = nsds_nq(ds), nv = nsds_nv(ds);
  if (nx > 0) say(d, ": first order, %d state%s", nx, nx == 1 ? "" : "s");
  else
    say(d, ": second order, %d coordinate%s, %d velocit%s", nq, nq == 1 ? "" : "s", nv,
        nv == 1 ? "y" : "ies");
  const char *type = is.second ? is.second->type : is.first ? is.first->type : NULL;
  say(d, ", %s%s%s\n", type ? type : "", type ? ", " : "", is.affine ? "linear" : "nonlinear");
}

static void describe_interaction(const describer *d, int k) {
  const nsds_interaction *edge = nsds_interaction_at(d->model, k);
  int size = nsds_interaction_size(edge);
  say_name(d, "interaction", nsds_interaction_name(edge), k);
  say(d, ": %d row%s, between", size, size == 1 ? "" : "s");
  for (int i = 0; i < nsds_interaction_ds_count(edge); ++i) {
    const nsds_ds *ds = nsds_interaction_ds(edge, i);
    say(d, "%s", i ? ", " : " ");
    if (nsds_ds_name(ds)[0]) say(d, "%s", nsds_ds_name(ds));
    else say(d, "system %d", nsds_ds_index(ds));
  }
  say(d, "%s\n", nsds_impulse(edge) ? "" : ", without impulses");
}

nsds_status nsds_describe(const nsds_model *model, nsds_write_fn write, void *user) {
  describer d = {model, write, user};
  const char *call = "nsds_describe";
  if (!model || !write)
    return nsds_refuse_null(nsds_model_context(model), call, model ? "write" : "model");
  const char *name = nsds_model_name(model);
  int systems = nsds_ds_count(model), interactions = nsds_interaction_count(model);
  say(&d, "model%s%s: %d system%s, %d interaction%s\n", name[0] ? " " : "", name, systems,
      systems == 1 ? "" : "s", interactions, interactions == 1 ? "" : "s");
  for (int k = 0; k < nsds_ds_count(model); ++k) describe_system(&d, k);
  for (int k = 0; k < nsds_interaction_count(model); ++k) describe_interaction(&d, k);
  return NSDS_OK;
}
