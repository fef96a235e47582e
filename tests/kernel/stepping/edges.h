/*
 * A world in which every definition struct of the public headers is filled soundly, to be spoiled
 * one field at a time; see edges.c.
 */
#ifndef NSDS_TEST_KERNEL_EDGES_H
#define NSDS_TEST_KERNEL_EDGES_H

#include "support.h"

#include <nsds/contact.h>

typedef struct world {
  nsds_lagrangian_def lagrangian;
  nsds_lagrangian_linear_def linear;
  nsds_lagrangian_linear_relation_def linear_relation;
  nsds_lagrangian_relation_def relation;
  nsds_first_order_def first;
  nsds_first_order_linear_def first_linear;
  nsds_first_order_linear_relation_def first_relation;
  nsds_first_order_relation_def nonlinear;
  nsds_second_order_ops second_ops;
  nsds_custom_second_order_def second;
  nsds_first_order_ops first_ops;
  nsds_custom_first_order_def first_system;
  nsds_relation_ops relation_ops;
  nsds_custom_relation_def own_relation;
  nsds_relation_ops first_relation_ops;
  nsds_custom_relation_def own_first_relation;
  nsds_law_ops law_ops;
  nsds_custom_law_def law;
  nsds_geometry_ops geometry;
  nsds_custom_contact_set_def set;
  nsds_balls_def balls;
  struct {
    const char *name;
    nsds_relation *relation;
    nsds_law *law;
    int nds;
    nsds_ds **ds;
    int nz;
    const double *z;
  } interaction;
  nsds_time_stepping_def stepping;
  nsds_sampler_def sampler;
  nsds_event_def event;
  double e, slope, t, tolerance;
  int size, nfacet, row;
  const double *lower, *upper, *H, *K;
  nsds_csc sparse;
  double two[2], mass[4], mass_sparse[2], row_of[2], one[1], own_z[2], bound[2], facet[2], K_of[2];
  double normal[2];
  int starts[3], index[2], prescribed[1];
} world;

typedef enum scene_kind {
  of_functions,
  of_matrices,
  of_states,
  of_circuits,
  of_own_second,
  of_own_first,
  of_polyhedra,
  of_sets,
  of_relays,
  rheonomous,
  compliant
} scene_kind;

void fill_world(world *w);

/* Builds a scene and makes a few steps; false where something was refused. */
bool build_and_run(world *w, nsds_model *m, scene_kind scene);

/* T, 2 x 2, as a function. */
int unit_2(const nsds_arguments *in, double *out, void *user);

#endif
