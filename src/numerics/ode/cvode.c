/*
 * Backward differentiation formulas of orders 1 to 5 with variable steps, by CVODE (Cohen &
 * Hindmarsh, Computers in Physics 10(2), 1996). Newton's method with a dense Jacobian, the
 * problem's or by differences. Dense output is the polynomial of the formula. For stiff motions
 * with few events: behind each start the order grows from 1 again, with short steps. Everything
 * else is implicit.c.
 */
#include "implicit.h"

#if NSDS_HAVE_SUNDIALS

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

_Static_assert(sizeof(realtype) == sizeof(double), "SUNDIALS in double precision");

typedef struct cvode {
  SUNContext context;
  N_Vector x, other; /* where steps end; for dense output */
  SUNMatrix matrix;
  SUNLinearSolver linear;
  void *memory;
} cvode;

static int rhs(realtype t, N_Vector x, N_Vector dx, void *self) {
  return nsds_implicit_rhs(self, t, N_VGetArrayPointer(x), N_VGetArrayPointer(dx));
}

static int jacobian(realtype t, N_Vector x, N_Vector dx, SUNMatrix J, void *self, N_Vector a,
                    N_Vector b, N_Vector c) {
  (void)dx, (void)a, (void)b, (void)c;
  return nsds_implicit_jacobian(self, t, N_VGetArrayPointer(x), SUNDenseMatrix_Data(J));
}

static bool set_up(nsds_implicit *implicit, cvode *cv) {
  const nsds_ode *ode = implicit->ode;
  const nsds_ode_options *options = &ode->options;
  void *memory = cv->memory;
  return !CVodeSetErrHandlerFn(memory, nsds_implicit_said, implicit) &&
         !CVodeSetUserData(memory, implicit) &&
         !CVodeSStolerances(memory, options->relative_tolerance, options->absolute_tolerance) &&
         !CVodeSetMaxStep(memory, options->largest_step) &&
         !CVodeSetLinearSolver(memory, cv->linear, cv->matrix) &&
         (!ode->problem.jacobian || !CVodeSetJacFn(memory, jacobian));
}

static bool make(nsds_implicit *implicit) {
  nsds_context *context = implicit->ode->context;
  cvode *cv = implicit->solver = NSDS_NEW(context, cvode);
  if (!cv || SUNContext_Create(NULL, &cv->context)) return false;
  cv->x = N_VNew_Serial(implicit->n, cv->context);
  cv->other = N_VNew_Serial(implicit->n, cv->context);
  cv->matrix = SUNDenseMatrix(implicit->n, implicit->n, cv->context);
  if (!cv->x || !cv->other || !cv->matrix) return false;
  cv->linear = SUNLinSol_Dense(cv->x, cv->matrix, cv->context);
  N_VConst(0.0, cv->x);
  cv->memory = CVodeCreate(CV_BDF, cv->context);
  return cv->linear && cv->memory && !CVodeInit(cv->memory, rhs, 0.0, cv->x) &&
         set_up(implicit, cv);
}

static void unmake(nsds_implicit *implicit) {
  cvode *cv = implicit->solver;
  if (!cv) return;
  if (cv->memory) CVodeFree(&cv->memory);
  if (cv->linear) SUNLinSolFree(cv->linear);
  if (cv->matrix) SUNMatDestroy(cv->matrix);
  if (cv->other) N_VDestroy(cv->other);
  if (cv->x) N_VDestroy(cv->x);
  if (cv->context) SUNContext_Free(&cv->context);
  nsds_release(implicit->ode->context, cv);
  implicit->solver = NULL;
}

static bool restart(nsds_implicit *implicit, double step) {
  cvode *cv = implicit->solver;
  memcpy(N_VGetArrayPointer(cv->x), implicit->ode->x1, (size_t)implicit->n * sizeof(double));
  return !CVodeReInit(cv->memory, implicit->ode->t1, cv->x) && !CVodeSetInitStep(cv->memory, step);
}

static nsds_implicit_outcome outcome_of(int flag) {
  switch (flag) {
  case CV_SUCCESS:
  case CV_TSTOP_RETURN: return NSDS_IMPLICIT_DONE;
  case CV_ERR_FAILURE:
  case CV_CONV_FAILURE:
  case CV_FIRST_RHSFUNC_ERR:
  case CV_REPTD_RHSFUNC_ERR:
  case CV_UNREC_RHSFUNC_ERR: return NSDS_IMPLICIT_SMALL;
  case CV_RHSFUNC_FAIL:
  case CV_LSETUP_FAIL: return NSDS_IMPLICIT_CALLBACK;
  default: return NSDS_IMPLICIT_OTHER;
  }
}

static nsds_implicit_outcome step(nsds_implicit *implicit, double limit, double *t, double *x,
                                  long *failed_tests) {
  cvode *cv = implicit->solver;
  if (CVodeSetStopTime(cv->memory, limit)) return NSDS_IMPLICIT_OTHER;
  int flag = CVode(cv->memory, limit, cv->x, t, CV_ONE_STEP);
  nsds_implicit_outcome outcome = outcome_of(flag);
  if (outcome != NSDS_IMPLICIT_DONE) return outcome;
  memcpy(x, N_VGetArrayPointer(cv->x), (size_t)implicit->n * sizeof *x);
  CVodeGetNumErrTestFails(cv->memory, failed_tests);
  return outcome;
}

static void dense(nsds_implicit *implicit, double t, double *x) {
  cvode *cv = implicit->solver;
  CVodeGetDky(cv->memory, t, 0, cv->other);
  memcpy(x, N_VGetArrayPointer(cv->other), (size_t)implicit->n * sizeof *x);
}

static const nsds_implicit_ops ops = {make, unmake, restart, step, dense};

static nsds_status reserve(nsds_ode *ode) { return nsds_implicit_reserve(ode, &ops); }

const nsds_ode_method nsds_cvode = {
    .name = "cvode",
    .reserve = reserve,
    .destroy = nsds_implicit_destroy,
    .start = nsds_implicit_start,
    .step = nsds_implicit_step,
    .dense = nsds_implicit_dense,
};

#endif
