/*
 * Diagonally implicit Runge-Kutta steps of order 4, stiffly accurate and L-stable, by ARKODE's
 * ARKStep (Reynolds et al., ACM TOMS 49(2), 2023) with the coefficients ESDIRK4(3)6L[2]SA (Kennedy
 * & Carpenter, NASA/TM-2016-219173, 7.1). Newton's method with a dense Jacobian, the problem's or
 * by differences. Dense output is the cubic Hermite polynomial of a step. For stiff motions with
 * events: a restart costs no order, other than with multistep methods. Everything else is
 * implicit.c.
 */
#include "implicit.h"

#if NSDS_HAVE_SUNDIALS

#include <arkode/arkode_arkstep.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

_Static_assert(sizeof(realtype) == sizeof(double), "SUNDIALS in double precision");

typedef struct arkode {
  SUNContext context;
  N_Vector x, other; /* where steps end; for dense output */
  SUNMatrix matrix;
  SUNLinearSolver linear;
  void *memory;
} arkode;

static int rhs(realtype t, N_Vector x, N_Vector dx, void *self) {
  return nsds_implicit_rhs(self, t, N_VGetArrayPointer(x), N_VGetArrayPointer(dx));
}

static int jacobian(realtype t, N_Vector x, N_Vector dx, SUNMatrix J, void *self, N_Vector a,
                    N_Vector b, N_Vector c) {
  (void)dx, (void)a, (void)b, (void)c;
  return nsds_implicit_jacobian(self, t, N_VGetArrayPointer(x), SUNDenseMatrix_Data(J));
}

/* The options, which are checked; only memory can be missing. */
static bool set_up(nsds_implicit *implicit, arkode *ark) {
  const nsds_ode *ode = implicit->ode;
  const nsds_ode_options *options = &ode->options;
  void *memory = ark->memory;
  return !ARKStepSetErrHandlerFn(memory, nsds_implicit_said, implicit) &&
         !ARKStepSetUserData(memory, implicit) &&
         !ARKStepSetTableNum(memory, ARKODE_ESDIRK436L2SA_6_3_4, ARKODE_ERK_NONE) &&
         !ARKStepSStolerances(memory, options->relative_tolerance, options->absolute_tolerance) &&
         !ARKStepSetMaxStep(memory, options->largest_step) &&
         !ARKStepSetNonlinCRDown(memory, 1.0) && /* see above */
         !ARKStepSetLinearSolver(memory, ark->linear, ark->matrix) &&
         (!ode->problem.jacobian || !ARKStepSetJacFn(memory, jacobian));
}

static bool make(nsds_implicit *implicit) {
  nsds_context *context = implicit->ode->context;
  arkode *ark = implicit->solver = NSDS_NEW(context, arkode);
  if (!ark || SUNContext_Create(NULL, &ark->context)) return false;
  ark->x = N_VNew_Serial(implicit->n, ark->context);
  ark->other = N_VNew_Serial(implicit->n, ark->context);
  ark->matrix = SUNDenseMatrix(implicit->n, implicit->n, ark->context);
  if (!ark->x || !ark->other || !ark->matrix) return false;
  ark->linear = SUNLinSol_Dense(ark->x, ark->matrix, ark->context);
  N_VConst(0.0, ark->x);
  ark->memory = ARKStepCreate(NULL, rhs, 0.0, ark->x, ark->context);
  return ark->linear && ark->memory && set_up(implicit, ark);
}

static void unmake(nsds_implicit *implicit) {
  arkode *ark = implicit->solver;
  if (!ark) return;
  if (ark->memory) ARKStepFree(&ark->memory);
  if (ark->linear) SUNLinSolFree(ark->linear);
  if (ark->matrix) SUNMatDestroy(ark->matrix);
  if (ark->other) N_VDestroy(ark->other);
  if (ark->x) N_VDestroy(ark->x);
  if (ark->context) SUNContext_Free(&ark->context);
  nsds_release(implicit->ode->context, ark);
  implicit->solver = NULL;
}

static bool restart(nsds_implicit *implicit, double step) {
  arkode *ark = implicit->solver;
  memcpy(N_VGetArrayPointer(ark->x), implicit->ode->x1, (size_t)implicit->n * sizeof(double));
  return !ARKStepReInit(ark->memory, NULL, rhs, implicit->ode->t1, ark->x) &&
         !ARKStepSetInitStep(ark->memory, step);
}

static nsds_implicit_outcome outcome_of(int flag) {
  switch (flag) {
  case ARK_SUCCESS:
  case ARK_TSTOP_RETURN: return NSDS_IMPLICIT_DONE;
  case ARK_ERR_FAILURE:
  case ARK_CONV_FAILURE:
  case ARK_FIRST_RHSFUNC_ERR:
  case ARK_REPTD_RHSFUNC_ERR:
  case ARK_UNREC_RHSFUNC_ERR: return NSDS_IMPLICIT_SMALL;
  case ARK_RHSFUNC_FAIL:
  case ARK_LSETUP_FAIL: return NSDS_IMPLICIT_CALLBACK;
  default: return NSDS_IMPLICIT_OTHER;
  }
}

static nsds_implicit_outcome step(nsds_implicit *implicit, double limit, double *t, double *x,
                                  long *failed_tests) {
  arkode *ark = implicit->solver;
  if (ARKStepSetStopTime(ark->memory, limit)) return NSDS_IMPLICIT_OTHER;
  int flag = ARKStepEvolve(ark->memory, limit, ark->x, t, ARK_ONE_STEP);
  nsds_implicit_outcome outcome = outcome_of(flag);
  if (outcome != NSDS_IMPLICIT_DONE) return outcome;
  memcpy(x, N_VGetArrayPointer(ark->x), (size_t)implicit->n * sizeof *x);
  ARKStepGetNumErrTestFails(ark->memory, failed_tests);
  return outcome;
}

static void dense(nsds_implicit *implicit, double t, double *x) {
  arkode *ark = implicit->solver;
  ARKStepGetDky(ark->memory, t, 0, ark->other);
  memcpy(x, N_VGetArrayPointer(ark->other), (size_t)implicit->n * sizeof *x);
}

static const nsds_implicit_ops ops = {make, unmake, restart, step, dense};

static nsds_status reserve(nsds_ode *ode) { return nsds_implicit_reserve(ode, &ops); }

const nsds_ode_method nsds_arkode = {
    .name = "arkode",
    .reserve = reserve,
    .destroy = nsds_implicit_destroy,
    .start = nsds_implicit_start,
    .step = nsds_implicit_step,
    .dense = nsds_implicit_dense,
};

#endif
