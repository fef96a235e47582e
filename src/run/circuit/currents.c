/*
 * The current of an element is an unknown, or follows from voltages: of a resistor, a capacitor, a
 * source.
 */
#include "run/circuit/currents.h"

/* The current of an element from n+ to n-, without that beside it. */
static double bare_current(const nsds_equations *e, const nsds_instant *at,
                           const nsds_element *element, int k) {
  const double *z = at->z;
  if (e->branch[k] >= 0) return z[e->branch[k]];
  switch (element->kind) {
  case NSDS_ELEMENT_RESISTOR: return nsds_equations_voltage(e, z, element, 0) / element->value;
  case NSDS_ELEMENT_CAPACITOR: return element->value * at->rate[e->state[k]];
  case NSDS_ELEMENT_CURRENT:
    return nsds_wave_value(&e->elements->wave[element->wave], at->solved, at->inside);
  case NSDS_ELEMENT_F: return element->value * z[e->branch[element->control]];
  case NSDS_ELEMENT_G: return element->value * nsds_equations_voltage(e, z, element, 2);
  default: return 0.0;
  }
}

double nsds_current_of(const nsds_equations *e, const nsds_instant *at, int k) {
  const nsds_element *element = &e->elements->item[k];
  double i = bare_current(e, at, element, k);
  if (element->leak > 0.0) i += element->leak * nsds_equations_voltage(e, at->z, element, 0);
  if (element->twin >= 0) i -= at->z[e->branch[element->twin]];
  return i;
}
