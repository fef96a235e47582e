/* Systems and contact sets are checked when a simulation is made, and again after each change of the model. Laws are
 * checked with their rows (implicit_rows.c). */
#include "kernel/adaptive/adaptive_parts.h"

#include "base/context.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"

/* The scheme of systems with a singular M in time stepping; adaptive steps are implicit anyway. */
static bool is_implicit_euler(const nsds_discretisation *scheme) {
  return scheme->kind == NSDS_EULER_MOREAU && scheme->theta == 1.0 && scheme->options == 0;
}

nsds_status nsds_adaptive_check_parts(const nsds_model *model) {
  nsds_context *context = model->context;
  char label[nsds_label_size];
  if (model->set.count > 0)
    return nsds_fail(context, NSDS_ERROR_UNSUPPORTED,
                     "adaptive simulation: the model has contact sets; valid are models without; "
                     "nsds_time_stepping() and nsds_event_driven() take contact sets");
  for (size_t k = 0; k < model->ds.count; ++k) {
    const nsds_ds *ds = model->ds.item[k];
    const char *why = NULL;
    if (nsds_is_second_order(ds)) why = "is of second order";
    else if (ds->mass.present && !ds->mass.constant) why = "has an M that depends on time";
    else if (ds->damping.present) why = "has an f that depends on dx/dt";
    else if (ds->own.integrator) why = "has an integrator of its own";
    else if (ds->own.scheme.kind != NSDS_SCHEME_UNSAID && !is_implicit_euler(&ds->own.scheme))
      why = "has a scheme of its own (nsds_ds_discretise()) other than nsds_euler_moreau(1.0)";
    if (why)
      return nsds_fail(context, NSDS_ERROR_UNSUPPORTED,
                       "adaptive simulation: %s %s; valid are first-order systems with constant M",
                       nsds_ds_label(ds, label), why);
  }
  return NSDS_OK;
}
