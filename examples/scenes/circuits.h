/*
 * Electrical circuits as first-order systems, shared by examples, tests and benchmarks. Diodes are
 * ideal: current and reverse voltage are complementary.
 */
#ifndef NSDS_SCENES_CIRCUITS_H
#define NSDS_SCENES_CIRCUITS_H

#include <nsds/nsds.h>

/* A circuit with one interaction for all of its diodes. */
typedef struct circuit_scene {
  nsds_ds *circuit;
  nsds_interaction *diodes;
} circuit_scene;

/*
 * A capacitor C, an inductor L, and across both a resistor R in series with a diode. x = (v, i):
 * capacitor voltage [V], inductor current [A]; lambda: diode current [A]; y: its reverse voltage
 * [V].
 *
 *     C dv/dt = -i - lambda,   L di/dt = v,   y = R lambda - v
 */
circuit_scene scene_rlcd(nsds_model *model, double L, double C, double R, double v0, double i0);

/*
 * An oscillating circuit L, C feeds a load R through a bridge of four diodes. x = (v, i). The
 * circuit stands between A and B, the load between P and N; diodes lead A->P, B->P, N->A and N->B.
 *
 *     lambda = (reverse voltage of B->P, reverse voltage of N->B, current of A->P, current of N->A)
 *     y      = (current of B->P, current of N->B, reverse voltage of A->P, reverse voltage of N->A)
 *
 *     C dv/dt = -i - lambda_3 + lambda_4,   L di/dt = v,   lambda_1 + lambda_2: load voltage
 *     y = ((lambda_1 + lambda_2)/R - lambda_3,  (lambda_1 + lambda_2)/R - lambda_4,
 *          lambda_1 - v,  lambda_2 + v)
 */
circuit_scene scene_diode_bridge(nsds_model *model, double L, double C, double R, double v0);

/*
 * The same bridge with a capacitor Cf across its load. x = (v, i, u), u: load voltage [V], v0 as
 * well at the start.
 *
 *     lambda = (currents of A->P, B->P and N->A, reverse voltage of N->B)
 *     y      = (reverse voltages of A->P, B->P and N->A, current of N->B)
 *
 *     C dv/dt = -i - lambda_1 + lambda_3,   L di/dt = v,   Cf du/dt = lambda_1 + lambda_2 - u/R
 *     y = (u - v - lambda_4,  u - lambda_4,  v + lambda_4,  lambda_1 + lambda_2 - lambda_3)
 */
circuit_scene scene_filtered_bridge(nsds_model *model, double L, double C, double R, double Cf,
                                    double v0);

/*
 * A line of n cells, each an inductor L in series, a capacitor C to the ground, and from the ground
 * a diode with resistance R that keeps the voltage of the cell from falling much below zero. One
 * system x = (i_1, v_1, i_2, v_2, ...) with sparse A, one interaction per diode; both ends are open
 * to the ground: v_0 = 0, and no current leaves the last cell.
 *
 *     L di_k/dt = v_(k-1) - v_k,   C dv_k/dt = i_k - i_(k+1) + lambda_k,   y_k = v_k + R lambda_k
 *
 * At the start v_k is a standing wave of amplitude v0 with `cells` cells to a period, i_k = 0.
 */
typedef struct ladder_scene {
  int n;
  nsds_ds *line;
  nsds_interaction **diode; /* n of them; freed by ladder_free() */
} ladder_scene;

ladder_scene scene_diode_ladder(nsds_model *model, int n, double L, double C, double R, double v0,
                                int cells);
void ladder_free(ladder_scene *scene);

#endif
