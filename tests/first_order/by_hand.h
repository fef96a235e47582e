/*
 * The theta-gamma schemes written out once more, for a whole model at a time: dense matrices,
 * Newton's method on all unknowns together, and the nonsmooth problem by trying every combination
 * of bounds. Slow and simple, and it shares nothing with the library.
 */
#ifndef NSDS_TEST_BY_HAND_H
#define NSDS_TEST_BY_HAND_H

enum { hand_max = 12 };

/* Everything of a model at one point; matrices column by column with leading dimension n or m. */
typedef struct hand_point {
  double mass[hand_max * hand_max];                                   /* n x n */
  double f[hand_max], A[hand_max * hand_max];                         /* f, df/dx */
  double y[hand_max], C[hand_max * hand_max], D[hand_max * hand_max]; /* h, dh/dx, dh/dlambda */
  double r[hand_max], B[hand_max * hand_max], K[hand_max * hand_max]; /* g, dg/dlambda, dg/dx */
} hand_point;

/* M(t) dx/dt = f(t,x) + r, y = h(t,x,lambda), r = g(t,x,lambda), -y in the normal cone of the box
 * at lambda. */
typedef struct hand_model {
  int n, m;
  double lower[hand_max], upper[hand_max];
  void (*at)(const void *self, double t, const double *x, const double *lambda, hand_point *p);
  const void *self;
} hand_model;

typedef struct hand_state {
  double t, x[hand_max], lambda[hand_max], y[hand_max], r[hand_max];
  int iterations; /* Newton iterations of the last step */
} hand_state;

/* One step: M (x - x_k) = h theta f + h (1-theta) f_k + h rho r + h (1-rho) r_k, the law and r at
 * sigma x + (1-sigma) x_k. Fails the running test when Newton's method does not converge. */
void hand_step(const hand_model *model, double theta, double rho, double sigma, double h,
               hand_state *state);

/* Solves A x = b for nrhs columns in place of b, by elimination with pivoting; 0 when singular. */
int hand_solve(int n, const double *A, int nrhs, double *b);

/* lambda with w = M lambda + q, -w in the normal cone of the box at lambda; 0 if no combination of
 * bounds gives one within 1e-9. */
int hand_box_problem(int m, const double *M, const double *q, const double *lower,
                     const double *upper, double *lambda);

#endif
