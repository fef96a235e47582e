/* A step of a tree in joint coordinates, see tree_step.c. */
#ifndef NSDS_SRC_TREE_STEP_H
#define NSDS_SRC_TREE_STEP_H

#include "tree/tree.h"

typedef struct nsds_tree_step {
  nsds_tree *tree;
  nsds_ds **ds;             /* by bodies */
  nsds_interaction **joint; /* by bodies; NULL: free */
  int *first;               /* by bodies: the first link of the joint */
  double *q0, *u0;          /* at the start of the step */
  double *q, *u;            /* at the iterate */
  double *way;              /* of a displacement, like u */
  double reach;             /* a of the last nsds_tree_step_move(): dq/du */
} nsds_tree_step;

/* Makes the step of all bodies with joints; *step is NULL if there are none. */
nsds_status nsds_tree_step_create(nsds_model *model, nsds_tree_step **step);
void nsds_tree_step_destroy(nsds_tree_step *step);
/* Takes q and u of the start from the state of the model. u is the first iterate. */
void nsds_tree_step_begin(nsds_tree_step *step);
/* Computes q = q0 (+) (a u + b u0), and from q and u the coordinates and velocities of all bodies at
 * their places in Q and V. */
void nsds_tree_step_move(nsds_tree_step *step, double a, double b, double *Q, double *V);
/* Puts the state Q, V of all systems on the tree: computes q and u from it, and the coordinates and
 * velocities of the bodies from q and u. */
void nsds_tree_step_settle(nsds_tree_step *step, double *Q, double *V);
/* Takes the matrix W of body k, 6 x 6 by columns, as its velocities have it. The linear motion is about
 * the present place of the body from now on. */
void nsds_tree_step_load(nsds_tree_step *step, int k, const double *W);
/* Factors the matrices of all bodies. Returns -1, or a body whose joint moves no mass. */
int nsds_tree_step_factor(nsds_tree_step *step);
/* Takes the residual r of body k. */
void nsds_tree_step_add(nsds_tree_step *step, int k, const double *r);
/* Computes w of the free motion from the residuals of all bodies. */
void nsds_tree_step_free(nsds_tree_step *step, double *w);
/* Computes the accelerations dJ/dt u of all bodies, 6 each, at q and u. */
void nsds_tree_step_turning(nsds_tree_step *step, double *a);
/* Computes w of the accelerations du/dt of the free motion from the residuals of all bodies. */
void nsds_tree_step_rest(nsds_tree_step *step, double *w);
/* Computes u of w, and the velocities of the bodies of the linear motion. u may be step->u. */
void nsds_tree_step_solve(nsds_tree_step *step, const double *w, double *u);
/* Adds the velocities that w gives to the bodies of one robot to v of all systems. `leader` has for each
 * system the system of the root of its robot. */
void nsds_tree_step_answer(nsds_tree_step *step, int root, const int *leader, const double *w,
                           double *v);
/* Moves q by step->way. Then computes the coordinates and velocities of all bodies as
 * nsds_tree_step_move(). */
void nsds_tree_step_displace(nsds_tree_step *step, double *Q, double *V);
/* Writes the velocity J u of body k to v: of the last solution, or where the linear motion is about. */
void nsds_tree_step_velocity(const nsds_tree_step *step, int k, double *v);
/* Clears the loads on the way from body k to the root. */
void nsds_tree_step_clear(nsds_tree_step *step, int k);
/* Adds a row H of body k, 6 numbers with the stride h, and a load B; NULL: H^T. */
void nsds_tree_step_push(nsds_tree_step *step, int k, const double *H, int h, const double *B);
/* Passes the loads of body k on. Writes the row X by w of its joint, and the gain Y of the load. */
void nsds_tree_step_pass(nsds_tree_step *step, int k, double *X, double *Y);

/* Loads body k with an impulse p, as its velocities have it. */
void nsds_tree_step_weigh(nsds_tree_step *step, int k, const double *p);
/* Writes what the joint of body k must bear, and loads the parent with it. Children come first. */
void nsds_tree_step_carry(nsds_tree_step *step, int k, double *F);

#endif
