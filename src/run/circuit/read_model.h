/* Reads .model: diodes and switches. */
#ifndef NSDS_RUN_READ_MODEL_H
#define NSDS_RUN_READ_MODEL_H

#include "run/circuit/instance.h"

typedef enum nsds_device_kind { NSDS_DEVICE_DIODE, NSDS_DEVICE_SWITCH } nsds_device_kind;

/* A model with its numbers; those that are not given have their defaults. */
typedef struct nsds_device {
  nsds_device_kind kind;
  nsds_switch_kind type;
  bool by_current; /* CSW */
  bool ideal;
  double saturation, emission, series, breakdown; /* D: IS, N, RS, BV; 0: no breakdown */
  double drop, on, off;                           /* VF, RON, ROFF; off 0: as the option GMIN */
  double threshold, width;                        /* VT, VH or IT, IH */
  double diode_drop, diode_on;                    /* of a transistor's diode; diode_on < 0: RON */
} nsds_device;

/* Finds the model that the next word names, and that must be of the kind. */
nsds_status nsds_device_read(nsds_cursor *c, nsds_device_kind kind, nsds_device *device);

/* Tells if the next word names a model. */
bool nsds_device_follows(const nsds_cursor *c);

/* Reads a model that nobody uses, to find its faults. */
nsds_status nsds_device_check(const nsds_instance *instance, const nsds_card *card);

#endif
