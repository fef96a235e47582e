/* Guards the operations of users' types; see guard.c. */
#ifndef NSDS_SRC_GUARD_H
#define NSDS_SRC_GUARD_H

#include "kernel/modeling/modeling.h"

#include <stdio.h>

/* Replaces a user's `self`. The operations of the guard call the user's operations. */
struct nsds_guard {
  nsds_context *context;
  const nsds_ds *ds;             /* the object is one of these, set at its creation */
  const nsds_relation *relation; /* */
  void *self;
  union {
    const nsds_second_order_ops *second;
    const nsds_first_order_ops *first;
    const nsds_relation_ops *relation;
  } user;
  union {
    nsds_second_order_ops second;
    nsds_first_order_ops first;
    nsds_relation_ops relation;
  } ops;
};

struct nsds_guarded_integrator {
  const nsds_integrator *user;
  nsds_integrator ops;
};

/* Returns NULL if memory is short. Release the guard with nsds_release() if the object is not
 * made. */
nsds_guard *nsds_guard_second(nsds_context *context, const nsds_second_order_ops *user, void *self);
nsds_guard *nsds_guard_first(nsds_context *context, const nsds_first_order_ops *user, void *self);
nsds_guard *nsds_guard_relation(nsds_context *context, const nsds_relation_ops *user, void *self);

/* Makes the system use the guarded operations of a user's integrator. */
nsds_status nsds_guard_integrator(nsds_ds *ds, const nsds_integrator *user);

/* Returns the status of a user's operation that returned `status`. Adds a message if the operation
 * has recorded none. `failures` is nsds_failures() before the call. */
nsds_status nsds_judge(nsds_context *context, const char *label, const char *operation, double t,
                       unsigned long failures, nsds_status status);

#endif
