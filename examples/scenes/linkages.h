/*
 * Mechanisms with a closed form: a four-bar linkage in the plane, a chain of links in space.
 * Functions of a model read its scene, which outlives it.
 */
#ifndef NSDS_SCENES_LINKAGES_H
#define NSDS_SCENES_LINKAGES_H

#include <nsds/nsds.h>

#include <stdbool.h>

/*
 * Crank, coupler and rocker on hinges, y upwards, the crank's pivot at the origin, the rocker's at
 * (base, 0). The crank is turned at `rate`, a prescribed velocity; its angle at the start is
 * `start`. The coupler point lies at `point` in the frame of the coupler, from the crank's pin
 * along the line to the rocker's.
 */
enum { four_bar_crank, four_bar_coupler, four_bar_rocker, four_bar_bodies };

typedef struct four_bar_scene {
  double length[four_bar_bodies], base; /* [m] */
  double mass[four_bar_bodies], inertia[four_bar_bodies];
  double point[2], rate, start;
  nsds_ds *body[four_bar_bodies];
  nsds_interaction *hinge[4]; /* crank's pivot, its pin, the rocker's pin and pivot */
} four_bar_scene;

void scene_four_bar(nsds_model *model, four_bar_scene *scene);

/* Where pins and coupler point are, and the energy of the whole. */
typedef struct four_bar_state {
  double crank[2], rocker[2], point[2]; /* [m] */
  double energy;                        /* [J] */
} four_bar_state;

/* Of the model. */
four_bar_state scene_four_bar_state(const four_bar_scene *scene);

/* By closure of the loop: the rocker's pin is where the circles of coupler and rocker meet; the
 * rates of the angles follow from d/dt of the closure. */
four_bar_state scene_four_bar_exact(const four_bar_scene *scene, double t);

/*
 * Equal links on ball joints, z upwards, hung at (0, 0, 0) and (span, 0, 0); at the start they form
 * two straight halves, at rest. Drag -c v, and a moment in proportion, let the chain come to rest.
 */
enum { chain_most = 64 };

typedef struct hanging_scene {
  int links;                 /* even */
  double length, mass, span; /* of a link [m], [kg]; of the chain [m] */
  nsds_ds *link[chain_most];
  nsds_interaction *joint[chain_most + 1]; /* joint k is at the left end of link k */
} hanging_scene;

void scene_hanging_chain(nsds_model *model, hanging_scene *scene, int links, double span);

/* Joint k in the world, 0 to links. */
void scene_hanging_joint(const hanging_scene *scene, int k, double *x);

/*
 * The chain at rest. Each link balances H (z_b - z_a) = (V_a + V_b) (x_b - x_a) / 2, so that its
 * slope is (k + 1/2 - n/2) m g / H, and H follows from the span. Gives H and the places of joints.
 */
double scene_hanging_exact(const hanging_scene *scene, double x[chain_most + 1][2]);

/*
 * A rhombus of four bars of 1 kg in space, its hinges parallel, tumbles about its first corner; a
 * force of 0.3 N pushes the first bar. Three of the twenty rows follow from the others in every
 * configuration, but off them, where gaps are not zero, they do not. With `once` a ball and a
 * cylindrical joint take the place of two hinges: the same motion without such rows.
 */
enum { ring_bars = 4 };

typedef struct ring_scene {
  nsds_ds *bar[ring_bars];
  nsds_interaction *joint[ring_bars]; /* joint k is between bars k and k + 1 */
} ring_scene;

void scene_ring_of_bars(nsds_model *model, ring_scene *scene, bool once);

#endif
