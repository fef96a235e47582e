/*
 * A context that counts its allocations and can let one fail.
 */
#ifndef NSDS_TEST_METER_H
#define NSDS_TEST_METER_H

#include <nsds/base.h>

typedef struct meter {
  long count;   /* allocations so far */
  long live;    /* not yet released */
  long fail_at; /* this one fails, 0: none */
} meter;

nsds_context *metered_context(meter *m);

#endif
