/*
 * Drawn models: one to three systems of drawn kinds, drawn relations, laws, joints and contact sets over
 * them, time stepping or event-driven with a drawn scheme or integrator.
 */
#ifndef NSDS_TEST_RELIABILITY_DRAWN_H
#define NSDS_TEST_RELIABILITY_DRAWN_H

#include "story.h"

/* Numbers that follow from a seed alone. */
typedef struct drawing {
  uint64_t state;
} drawing;

uint64_t drawing_next(drawing *d);
int drawing_below(drawing *d, int n);
double drawing_between(drawing *d, double a, double b);

/* The model of a seed; the simulation, or NULL where the library refuses the model. */
nsds_simulation *drawn_model(nsds_model *model, uint64_t seed);
/* What the last model is made of. */
const char *drawn_words(void);

#endif
