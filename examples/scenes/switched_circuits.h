/*
 * Circuits with switches that something else opens and closes, shared by examples and tests. A
 * switch is a relation with a product of multipliers: its position s, in [0, 1], and its current i,
 *
 *     0 = (1 - s) R0 i + s (R_on i - u)
 *
 * so that it carries no current when open (s = 0) and is a small resistor when closed (s = 1); u is
 * the voltage across it, and R0 only gives both terms one unit.
 */
#ifndef NSDS_SCENES_SWITCHED_CIRCUITS_H
#define NSDS_SCENES_SWITCHED_CIRCUITS_H

#include <nsds/nsds.h>

typedef struct switched_scene {
  nsds_ds *circuit;
  nsds_interaction *switches;
} switched_scene;

/*
 * Sample and hold: a capacitor of 1 uF with a leak of 1 MOhm behind a switch, which a clock closes
 * for the first tenth of each millisecond. x = v: its voltage [V]; lambda = (s, i). Returned are
 * also the source it samples and the clock, positive while the switch is to be closed.
 */
switched_scene scene_sample_and_hold(nsds_model *model);
double sample_source(double t); /* V */
double sample_clock(double t);

/*
 * A step-down converter: source of 12 V, switch, freewheeling diode, coil of 100 uH and capacitor
 * of 47 uF with the load across it. A controller integrates the deviation of the output from 5 V; a
 * comparator closes the switch while its output exceeds a sawtooth of 100 kHz.
 *
 *   x      = (coil current i [A], output voltage v [V], duty asked for w)
 *   lambda = (s, voltage before the coil u [V], switch current i_s [A])
 *   y      = (sawtooth - w - k (5 V - v), diode current i - i_s, equation of the switch)
 *
 *   L di/dt = u - v,   C dv/dt = i - G v,   dw/dt = K (5 V - v)
 *
 * The conductance of the load is the parameter z = (G) of the circuit.
 */
switched_scene scene_buck_converter(nsds_model *model, double load_conductance);
extern const double buck_reference, buck_period; /* V, s */

#endif
