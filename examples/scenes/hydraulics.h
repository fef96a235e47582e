/*
 * A hydraulic cylinder that lifts a load between two stops, with the valves that protect it.
 *
 *   chambers   V1(q) dp1/dt = beta (q1 - A v + l0 - l2),    V1 = V0 + A q
 *              V2(q) dp2/dt = beta (q2 + A v + l1 - l3),    V2 = V0 + A (stroke - q)
 *   piston     m dv/dt = A (p1 - p2) - c v - load,          0 <= q <= stroke, e = 0.1
 *   suction    0 <= p1, p2  perpendicular to  l0, l1 >= 0        nothing below the tank's pressure
 *   relief     0 <= pr - p1, pr - p2  perpendicular to  l2, l3 >= 0
 *   valve      q1 = K [o(u) f(ps - p1) - o(-u) f(p1)],   q2 = K [o(-u) f(ps - p2) - o(u) f(p2)]
 *
 * o(u) = (u + sqrt(u^2 + e^2))/2 opens an edge, e = 0.02 being the underlap; f(d) = d / sqrt(|d| +
 * 0.05 MPa) is the flow of an orifice, laminar where the drop d is small. Pressures [MPa] above
 * that of the tank, flows [l/s], volumes [l].
 */
#ifndef NSDS_SCENES_HYDRAULICS_H
#define NSDS_SCENES_HYDRAULICS_H

#include <nsds/nsds.h>

typedef struct cylinder_scene {
  nsds_ds *chambers, *piston; /* x = (p1, p2) [MPa]; q [m], v [m/s] */
  nsds_interaction *limits;   /* lambda = (l0, l1, l2, l3) [l/s] */
  nsds_interaction *valve;    /* lambda = u, in [-1, 1] */
  nsds_interaction *low, *high;
} cylinder_scene;

static const double cylinder_area = 2.0;      /* A [l/m] */
static const double cylinder_stroke = 0.4;    /* [m] */
static const double cylinder_dead = 0.1;      /* V0 [l] */
static const double cylinder_bulk = 1200.0;   /* beta [MPa] */
static const double cylinder_mass = 500.0;    /* m [kg] */
static const double cylinder_damping = 800.0; /* c [N s/m] */
static const double cylinder_load = 5000.0;   /* [N] */
static const double cylinder_supply = 15.0;   /* ps [MPa] */
static const double cylinder_relief = 21.0;   /* pr [MPa] */
static const double cylinder_flow = 0.35;     /* K [l/s per sqrt(MPa)] */

/* At rest at q(0), p1 and p2 carrying the load. The valve follows a programme: it lifts the load to
 * the upper stop, lets it down, closes at 2.4 s while it moves, and lets it down to the lower stop
 * from 3 s on. */
cylinder_scene scene_cylinder(nsds_model *model);
double cylinder_programme(double t);

/* The same under a relay: u = -sign(s), s = d + 2 d'/w + d''/w^2, d = q - reference(t), d'' = dv/dt
 * from the pressures, w = 15/s. Where the relay can, s stays zero, and d decays with w. */
cylinder_scene scene_relay_valve(nsds_model *model);
double relay_valve_reference(double t);
static const double relay_valve_rate = 15.0; /* w [1/s] */

#endif
