/*
 * Random networks of first-order systems and relations of every kind, each made twice: as objects
 * of the library, and as one hand_model. The formulas are shared, the schemes are not.
 */
#ifndef NSDS_TEST_NETWORK_H
#define NSDS_TEST_NETWORK_H

#include "by_hand.h"
#include "support.h"

typedef enum net_kind { net_linear, net_varying, net_type1, net_type2, net_general } net_kind;
typedef enum net_law { net_complementarity, net_equality, net_relay, net_saturation } net_law;

/*
 *   linear     f = A x
 *   varying    f = (1 + sin(t)/3) A x
 *   nonlinear  f = A x - c x^3 + b sin(t + k)
 *
 * M = identity, constant, or a function of time.
 */
typedef struct net_system {
  int n;
  net_kind kind; /* net_linear, net_varying or net_general (nonlinear) */
  int mass;      /* 0: identity, 1: constant, 2: function of time */
  double M[16], A[16], b[4], x0[4];
} net_system;

/* See network.c for the formulas of each kind. */
typedef struct net_relation {
  net_kind kind;
  net_law law;
  int ny, nx, nds, ds[3];
  double C[32], D[16], B[32], e[4];
} net_relation;

typedef struct network {
  int nsystem, nrelation;
  net_system system[4];
  net_relation relation[4];
  /* the library's side */
  nsds_model *model;
  nsds_ds *ds[4];
  nsds_interaction *interaction[4];
  /* the other side */
  hand_model hand;
  hand_state state;
} network;

/* What a network is to be made of; unused entries are zero. */
typedef struct net_plan {
  int nsystem, n[4], mass[4];
  net_kind system[4];
  int nrelation;
  struct {
    net_kind kind;
    net_law law;
    int ny, nds, ds[3];
  } relation[4];
} net_plan;

/* Fills the network, which must stay where it is, with numbers that make its problems monotone. */
void net_build(network *net, const net_plan *plan, uint64_t seed);
void net_free(network *net);

/* Steps both sides, Newton's method to rounding, and compares x, lambda, y and r after every step.
 */
void net_compare(network *net, const char *what, const nsds_time_stepping_def *def, int steps,
                 double allowed);

#endif
