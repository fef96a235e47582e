/* Sizes for the errors of steps, from the netlist and from solutions. */
#include "run/circuit/circuit_scales.h"

#include <math.h>

bool nsds_state_is_current(const nsds_equations *e, int state) {
  return e->elements->item[e->owner[state]].kind == NSDS_ELEMENT_INDUCTOR;
}

static double shortest_period(const nsds_elements *elements) {
  double period = INFINITY;
  for (int k = 0; k < elements->nwave; ++k)
    period = fmin(period, nsds_wave_period(&elements->wave[k]));
  return period;
}

/* TMAX, else the least of TSTEP and a fiftieth of the run; a fortieth of the shortest period. */
static double longest_step(const nsds_elements *elements) {
  const nsds_analysis *a = &elements->analysis;
  double longest = a->largest > 0.0 ? a->largest
                   : a->given       ? fmin(a->step, (a->end - a->start) / 50.0)
                                    : INFINITY;
  longest = fmin(longest, shortest_period(elements) / 40.0);
  return a->given ? fmin(longest, a->end) : longest;
}

nsds_circuit_scales nsds_scales_begin(const nsds_elements *elements) {
  nsds_circuit_scales s = {.longest = longest_step(elements)};
  for (int k = 0; k < elements->count; ++k) {
    const nsds_element *element = &elements->item[k];
    double *scale = element->kind == NSDS_ELEMENT_VOLTAGE ? &s.voltage : &s.current;
    if (element->kind == NSDS_ELEMENT_VOLTAGE || element->kind == NSDS_ELEMENT_CURRENT)
      *scale = fmax(*scale, nsds_wave_size(&elements->wave[element->wave]));
    if (element->kind == NSDS_ELEMENT_CAPACITOR && !isnan(element->initial))
      s.voltage = fmax(s.voltage, fabs(element->initial));
  }
  for (int k = 0; k < elements->nstart; ++k)
    s.voltage = fmax(s.voltage, fabs(elements->start[k].value));
  s.source = s.voltage;
  return s;
}

void nsds_scales_take(nsds_circuit_scales *s, const nsds_equations *e, const double *z) {
  double voltage = s->voltage, current = s->current;
  for (int k = 0; k < e->nnode; ++k) voltage = fabs(z[k]) > voltage ? fabs(z[k]) : voltage;
  for (int k = e->nnode; k < e->n; ++k) current = fabs(z[k]) > current ? fabs(z[k]) : current;
  s->voltage = voltage;
  s->current = current;
}

/*
 * The largest of these counts: the largest value so far, and a thousandth of the largest of its
 * kind. For a current two more values count: a hundredth of what the largest voltage builds up in a
 * step, and the leak at open elements.
 */
double nsds_scales_state(const nsds_circuit_scales *s, const nsds_equations *e, int state,
                         double largest) {
  const nsds_analysis *a = &e->elements->analysis;
  if (!nsds_state_is_current(e, state)) return fmax(largest, 1e-3 * s->voltage);
  double step = isfinite(s->longest) ? s->longest : 0.0;
  double built = 1e-2 * s->voltage * step / e->elements->item[e->owner[state]].value;
  double tolerance = a->tolerance > 0.0 ? a->tolerance : 1e-4;
  double leaks = 10.0 * s->voltage * fmax(a->leak, nsds_leak_most) / tolerance;
  return fmax(fmax(largest, 1e-3 * s->current), fmax(built, leaks));
}

nsds_status nsds_scales_refuse(const nsds_equations *e, const double *z, double t) {
  int worst = 0;
  for (int k = 0; k < e->nnode; ++k)
    if (fabs(z[k]) > fabs(z[worst])) worst = k;
  nsds_place place;
  const char *kind, *name = nsds_equations_row_name(e, worst, &kind, &place);
  return nsds_netlist_report(
      e->elements->netlist, place, NSDS_ERROR_VALUE,
      "t = %g s: node %s comes to %g V, since a current has no way but open elements; give the "
      "current a way, for example a diode",
      t, name, z[worst]);
}
