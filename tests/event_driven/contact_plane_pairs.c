/*
 * Every kind of shape of the plane before every other one, event-driven, by nonsmooth RATTLE and by
 * Moreau-Jean: a body flies at another body or at scenery, and strikes. No driver refuses a pair. No energy
 * appears, momentum stays, and nothing sinks in. All end at about the same places. Where corners strike
 * corners, small errors decide the motion; shorter steps then come to the event-driven motion.
 *
 *   event_contact_plane_pairs [COUNT [FIRST]]     drawn strikes of each pair, default 4 from seed 1
 */
#include "shape_scenes.h"

#include <stdio.h>
#include <stdlib.h>

static int drawn = 4;
static uint64_t first_seed = 1;

/* ---- kinds ------------------------------------------------------------------------------------ */

static const double pentagon[] = {.12, 0, .05, .09, -.09, .08, -.1, -.06, .03, -.11};

/* Two blocks side by side, one lower than the other; fronts are on the left of each segment. */
static const double blocks[] = {-.12, -.08, 0,   -.08, 0,   .08, -.12, .08,
                                0,    -.08, .12, -.08, .12, .02, 0,    .02};
static const int block_face[] = {1, 0, 2, 1, 3, 2, 0, 3, 5, 4, 6, 5, 7, 6, 4, 7};

/* A ridge, then a groove. */
static const double hill[] = {-.5, 0, -.2, .02, 0, .06, .15, .0, .3, .05, .5, .04};
static const int hill_face[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5};
static const double dune[] = {.01, .03, 0, .04, .02, 0, .02};

enum { movers = 8, kinds = 13 };
static const char *const names[kinds] = {
    "disc",           "capsule",      "rectangle",  "round rectangle", "polygon",
    "round polygon",  "mesh",         "round mesh", "half space",      "segments",
    "round segments", "height field", "round field"};

static nsds_shape_def shape_of(int k) {
  nsds_shape_def all[kinds] = {
      {.kind = NSDS_SPHERE, .radius = 0.1},
      {.kind = NSDS_CAPSULE, .radius = 0.06, .half = {0.1}},
      {.kind = NSDS_BOX, .half = {0.12, 0.08}},
      {.kind = NSDS_BOX, .half = {0.1, 0.06}, .radius = 0.02},
      {.kind = NSDS_HULL, .nvertex = 5, .vertex = pentagon},
      {.kind = NSDS_HULL, .nvertex = 5, .vertex = pentagon, .radius = 0.02},
      {.kind = NSDS_MESH, .nvertex = 8, .vertex = blocks, .nface = 8, .face = block_face},
      {.kind = NSDS_MESH, .nvertex = 8, .vertex = blocks, .nface = 8, .face = block_face},
      {.kind = NSDS_HALF_SPACE, .plane = {{-0.28, 0.96}, 0.0}},
      {.kind = NSDS_TRIANGLES, .nvertex = 6, .vertex = hill, .nface = 5, .face = hill_face},
      {.kind = NSDS_TRIANGLES, .nvertex = 6, .vertex = hill, .nface = 5, .face = hill_face},
      {.kind = NSDS_HEIGHT_FIELD, .nx = 7, .height = dune, .half = {0.5}},
      {.kind = NSDS_HEIGHT_FIELD, .nx = 7, .height = dune, .half = {0.5}}};
  all[7].radius = 0.01;
  all[10].radius = all[12].radius = 0.02;
  return all[k];
}

/* ---- strikes ---------------------------------------------------------------------------------- */

typedef enum partner { is_body, is_scenery } partner;

static scene drawn_scene(uint64_t number, int one, int other, partner second) {
  uint64_t draw = (number + 100 * (uint64_t)(one + kinds * other)) * 0x9E3779B97F4A7C15u + 3u,
           *seed = &draw;
  scene c = {.n = 2,
             .plane = true,
             .mass = {1.0, second == is_body ? 2.5 : 0.0},
             .reach = 0.05,
             .gravity = second == is_body ? 0.0 : 3.0};
  c.mu = random_in(seed, 0.0, 0.6);
  c.e = random_in(seed, 0.0, 0.8);
  c.shape[0] = shape_of(one);
  c.shape[1] = shape_of(other);
  for (int i = 0; i < 2; ++i) {
    double side = i == 0 ? 1.0 : -1.0;
    c.q[i][0] = random_in(seed, -0.1, 0.1);
    c.q[i][1] = 0.3 * side;
    c.q[i][2] = random_in(seed, -3.2, 3.2);
    c.v[i][0] = random_in(seed, -0.3, 0.3);
    c.v[i][1] = -side * random_in(seed, 0.6, 1.2);
    c.v[i][2] = random_in(seed, -1.0, 1.0);
    if (other >= movers && i == 1) memset(c.q[i], 0, sizeof c.q[i]);
  }
  return c;
}

/* Returns the largest change of momentum of two bodies. */
static double momentum_off(const scene *c, const result *r) {
  double most = 0.0;
  for (int k = 0; k < 2; ++k)
    most = fmax(most, fabs(c->mass[0] * (r->v[0][k] - c->v[0][k]) +
                           c->mass[1] * (r->v[1][k] - c->v[1][k])));
  return c->mass[1] > 0.0 ? most : 0.0;
}

/* Newton's law with friction may add energy in a slanted impact, with any driver. */
static bool is_fine(const scene *c, const result *events, const result *rattle,
                    const result *steps) {
  return events->rise < fmax(1e-8, 1.1 * steps->rise) && events->deepest > -1e-6 &&
         momentum_off(c, events) < 1e-10 && rattle->deepest > -3e-4 && steps->deepest > -5e-4 &&
         rattle->rise < 0.02 * rattle->energy[0];
}

/* Returns true if each scheme ends near the events, some with shorter steps. */
static bool agree(const scene *c, const result *events, const result *rattle, const result *steps) {
  static const double near = 0.1;
  result finer;
  bool by_one = apart(c, events, rattle) < near, by_other = apart(c, events, steps) < near;
  for (double h = 5e-5; !by_one && h > 1e-6; h *= 0.2)
    by_one = move(c, by_rattle, h, 0.4, &finer) && apart(c, events, &finer) < near;
  for (double h = 2e-5; !by_other && h > 5e-7; h *= 0.2)
    by_other = move(c, by_steps, h, 0.4, &finer) && apart(c, events, &finer) < near;
  return by_one && by_other;
}

/* Returns false, and says why, if a driver refuses the pair or moves it wrongly. */
static bool strike(uint64_t number, int one, int other, partner second) {
  scene c = drawn_scene(number, one, other, second);
  result events, rattle, steps;
  bool ran[] = {move(&c, by_events, 0.0, 0.4, &events), move(&c, by_rattle, 5e-4, 0.4, &rattle),
                move(&c, by_steps, 2e-4, 0.4, &steps)};
  bool all = ran[0] && ran[1] && ran[2];
  if (all && is_fine(&c, &events, &rattle, &steps) && agree(&c, &events, &rattle, &steps))
    return true;
  printf("%s before %s %s, strike %llu: rise %g and %g of %g, deepest %g and %g (%g), momentum %g, "
         "from time stepping %g and %g; %s %s %s\n",
         names[one], second == is_body ? "moving" : "fixed", names[other],
         (unsigned long long)number, events.rise, rattle.rise, rattle.energy[0], events.deepest,
         rattle.deepest, steps.deepest, momentum_off(&c, &events), apart(&c, &events, &steps),
         apart(&c, &rattle, &steps), events.message, rattle.message, steps.message);
  return false;
}

static void every_pair_of_the_plane_is_followed(void **state) {
  (void)state;
  int wrong = 0, all = 0;
  for (int one = 0; one < movers; ++one)
    for (int other = 0; other < kinds; ++other)
      for (int k = 0; k < drawn; ++k) {
        uint64_t number = first_seed + (uint64_t)k;
        bool moves = other <= one && k % 2 == 0;
        wrong += !strike(number, one, other, moves ? is_body : is_scenery), ++all;
      }
  printf("%d drawn strikes, %d wrong\n", all, wrong);
  assert_int_equal(wrong, 0);
}

int main(int argc, char **argv) {
  if (argc > 1) drawn = atoi(argv[1]);
  if (argc > 2) first_seed = strtoull(argv[2], NULL, 10);
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_pair_of_the_plane_is_followed)};
  return cmocka_run_group_tests_name("event_driven.contact_plane_pairs", tests, NULL, NULL);
}
