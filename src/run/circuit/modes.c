/*
 * Modes of diodes and switches. Currents have these bounds:
 *
 *   diode, fired thyristor          [0, inf)
 *   closed switch or transistor     (-inf, inf)
 *   open transistor                 (-inf, 0], its own diode
 *   open switch, unfired thyristor  [0, 0]
 *
 * A frozen mode is an equation: a current that is not at a bound has none, one at a bound is zero. How long the mode
 * lasts is then seen from the sign of the current, or of w, and of what a control says.
 */
#include "run/circuit/modes.h"

#include "base/text/words.h"

#include <float.h>
#include <math.h>
#include <string.h>

static bool has_mode(const nsds_element *element) {
  return element->kind == NSDS_ELEMENT_DIODE || element->kind == NSDS_ELEMENT_SWITCH;
}

static const nsds_element *element_of(const nsds_modes *m, int k) {
  return &m->equations->elements->item[m->element[k]];
}

nsds_status nsds_modes_make(nsds_modes *m, const nsds_equations *equations) {
  *m = (nsds_modes){.equations = equations, .moved = -1};
  const nsds_elements *elements = equations->elements;
  nsds_context *context = elements->netlist->job->context;
  size_t count = 1, n = (size_t)equations->n + 1;
  for (int k = 0; k < elements->count; ++k) count += has_mode(&elements->item[k]);
  NSDS_MAKE(context, m->element, count);
  NSDS_MAKE(context, m->conducts, count);
  NSDS_MAKE(context, m->closed, count);
  NSDS_MAKE(context, m->saved_conducts, count);
  NSDS_MAKE(context, m->saved_closed, count);
  NSDS_MAKE(context, m->lower, n);
  NSDS_MAKE(context, m->upper, n);
  if (!m->element || !m->conducts || !m->closed || !m->saved_conducts || !m->saved_closed ||
      !m->lower || !m->upper)
    return NSDS_ERROR_MEMORY;
  for (int k = 0; k < equations->n; ++k) m->lower[k] = -INFINITY, m->upper[k] = INFINITY;
  for (int k = 0; k < elements->count; ++k)
    if (has_mode(&elements->item[k])) {
      m->closed[m->count] = elements->item[k].closed;
      m->element[m->count++] = k;
    }
  return NSDS_OK;
}

void nsds_modes_free(nsds_modes *m) {
  nsds_free(m->element);
  nsds_free(m->conducts);
  nsds_free(m->closed);
  nsds_free(m->saved_conducts);
  nsds_free(m->saved_closed);
  nsds_free(m->lower);
  nsds_free(m->upper);
  *m = (nsds_modes){0};
}

void nsds_modes_save(nsds_modes *m) {
  memcpy(m->saved_conducts, m->conducts, (size_t)m->count * sizeof *m->conducts);
  memcpy(m->saved_closed, m->closed, (size_t)m->count * sizeof *m->closed);
}

void nsds_modes_restore(nsds_modes *m) {
  memcpy(m->conducts, m->saved_conducts, (size_t)m->count * sizeof *m->conducts);
  memcpy(m->closed, m->saved_closed, (size_t)m->count * sizeof *m->closed);
}

/* ---- bounds ---- */

/* The law of a mode: bounds of the current. */
static void law_bounds(const nsds_element *element, bool closed, double *lower, double *upper) {
  bool diode = element->kind == NSDS_ELEMENT_DIODE;
  bool thyristor = !diode && element->type == NSDS_SWITCH_THYRISTOR;
  bool transistor = !diode && element->type == NSDS_SWITCH_TRANSISTOR;
  *lower = *upper = 0.0;
  if (diode || (thyristor && closed)) *upper = INFINITY;
  else if (closed) *lower = -INFINITY, *upper = INFINITY;
  else if (transistor) *lower = -INFINITY;
}

/* Tells if a current has two bounds or none. */
static bool is_equation(double lower, double upper) {
  return lower == upper || (lower < -DBL_MAX && upper > DBL_MAX);
}

void nsds_modes_bounds(nsds_modes *m, bool frozen) {
  for (int k = 0; k < m->count; ++k) {
    int row = m->equations->branch[m->element[k]];
    law_bounds(element_of(m, k), m->closed[k], &m->lower[row], &m->upper[row]);
    bool free = m->lower[row] < m->upper[row] &&
                (m->conducts[k] || is_equation(m->lower[row], m->upper[row]));
    if (!frozen) continue;
    m->lower[row] = free ? -INFINITY : 0.0;
    m->upper[row] = free ? INFINITY : 0.0;
  }
}

void nsds_modes_take(nsds_modes *m, const double *z) {
  for (int k = 0; k < m->count; ++k) {
    const nsds_element *element = element_of(m, k);
    double lower, upper, i = z[m->equations->branch[m->element[k]]];
    law_bounds(element, m->closed[k], &lower, &upper);
    m->conducts[k] = lower < upper && (i > 0.0 || (i < 0.0 && lower < 0.0));
    bool thyristor = element->kind == NSDS_ELEMENT_SWITCH && element->type == NSDS_SWITCH_THYRISTOR;
    if (!thyristor || !m->closed[k] || m->conducts[k]) continue;
    /* its gate holds it fired as long as there is a signal; nsds_modes_control_margin() is then >= 0 */
    if (element->wave < 0 && nsds_modes_control_margin(m, k, z) < 0.0) m->closed[k] = false;
  }
}

void nsds_modes_set(nsds_modes *m, int k, bool conducts) { m->conducts[k] = conducts; }

/* ---- margins ---- */

double nsds_modes_margin(const nsds_modes *m, int k, const double *z, const double *w) {
  int row = m->equations->branch[m->element[k]];
  double lower, upper;
  law_bounds(element_of(m, k), m->closed[k], &lower, &upper);
  if (is_equation(lower, upper)) return INFINITY; /* no law that could end it */
  double sign = upper > 0.0 ? 1.0 : -1.0;
  return sign * (m->conducts[k] ? z[row] : w[row]);
}

double nsds_modes_control_margin(const nsds_modes *m, int k, const double *z) {
  const nsds_element *element = element_of(m, k);
  const nsds_equations *e = m->equations;
  if (element->kind != NSDS_ELEMENT_SWITCH || element->wave >= 0) return INFINITY;
  double signal = element->control >= 0 ? z[e->branch[element->control]]
                                        : nsds_equations_voltage(e, z, element, 2);
  double above = signal - (element->threshold - element->width),
         below = element->threshold + element->width - signal;
  bool thyristor = element->type == NSDS_SWITCH_THYRISTOR;
  if (!m->closed[k]) return below;
  return thyristor && m->conducts[k] ? INFINITY : above;
}

bool nsds_modes_drive(nsds_modes *m, double inside) {
  bool moved = false;
  for (int k = 0; k < m->count; ++k) {
    const nsds_element *element = element_of(m, k);
    if (element->wave < 0) continue;
    const nsds_wave *wave = &m->equations->elements->wave[element->wave];
    bool on = nsds_wave_value(wave, inside, inside) > element->threshold;
    if (element->type == NSDS_SWITCH_THYRISTOR && !on && m->conducts[k])
      continue; /* goes on without a gate */
    moved = moved || on != m->closed[k];
    m->closed[k] = on;
  }
  return moved;
}

bool nsds_modes_move(nsds_modes *m, const double *z, double tolerance) {
  bool moved = false;
  for (int k = 0; k < m->count; ++k)
    if (nsds_modes_control_margin(m, k, z) < -tolerance) {
      m->closed[k] = !m->closed[k];
      m->moved = m->element[k];
      moved = true;
    }
  return moved;
}
