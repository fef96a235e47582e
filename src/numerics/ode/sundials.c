/*
 * Implicit methods of SUNDIALS (Hindmarsh et al., ACM TOMS 31(3), 2005). Both use Newton's method
 * with a dense Jacobian, from the problem or by differences.
 *
 * arkode  diagonally implicit Runge-Kutta steps of order 4, stiffly accurate and L-stable, by
 *         ARKStep (Reynolds et al., ACM TOMS 49(2), 2023) with the coefficients ESDIRK4(3)6L[2]SA
 *         (Kennedy & Carpenter, NASA/TM-2016-219173, 7.1); dense output by the cubic Hermite
 *         polynomial of a step. For stiff motions with events: a restart costs no order.
 *
 * cvode   backward differentiation formulas of orders 1 to 5 with variable steps (Cohen &
 *         Hindmarsh, Computers in Physics 10(2), 1996); dense output by the polynomial of the
 *         formula. For stiff motions with few events: after each start the order grows from 1
 *         again, with short steps.
 *
 * Both are used for one step at a time, up to a stop time, and for their dense output. SUNDIALS's
 * own search for roots is not used, for three reasons. Two crossings within a step are missed,
 * since only signs at the ends are compared. Directions cannot change on the way for each function.
 * The methods would disagree about roots. SUNDIALS allocates by malloc(), when the number of states
 * changes and at the first step.
 */
#include "numerics/ode/sundials.h"

#include "base/context.h"
#include "numerics/ode/ode_functions.h"
#include "numerics/ode/ode_internal.h"
#include "numerics/store.h"

#if NSDS_HAVE_SUNDIALS

#include <arkode/arkode_arkstep.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

_Static_assert(sizeof(realtype) == sizeof(double), "SUNDIALS in double precision");
_Static_assert((int)ARK_ONE_STEP == (int)CV_ONE_STEP && ARK_TSTOP_RETURN == CV_TSTOP_RETURN &&
                   ARK_ERR_FAILURE == CV_ERR_FAILURE && ARK_CONV_FAILURE == CV_CONV_FAILURE &&
                   ARK_FIRST_RHSFUNC_ERR == CV_FIRST_RHSFUNC_ERR &&
                   ARK_REPTD_RHSFUNC_ERR == CV_REPTD_RHSFUNC_ERR &&
                   ARK_UNREC_RHSFUNC_ERR == CV_UNREC_RHSFUNC_ERR &&
                   ARK_RHSFUNC_FAIL == CV_RHSFUNC_FAIL && ARK_LSETUP_FAIL == CV_LSETUP_FAIL,
               "ARKODE and CVODE say the same in the same numbers");

/* In ulp of t. SUNDIALS refuses steps below the first as too close, so they go by a line. Steps
 * below the second, which SUNDIALS may take if f refuses longer ones, lead nowhere. */
static const double line_ulps = 64.0, shortest_ulps = 4.0;

typedef struct sundials sundials;

/* Functions that have different names in ARKODE and CVODE. All return 0 or an error; `memory` is
 * the package's. */
typedef struct package {
  void *(*create)(sundials *s); /* NULL: out of memory */
  void (*destroy)(void **memory);
  int (*restart)(void *memory, realtype t, N_Vector x);
  int (*evolve)(void *memory, realtype limit, N_Vector x, realtype *t, int task);
  int (*set_user)(void *memory, void *user);
  int (*set_tolerances)(void *memory, realtype relative, realtype absolute);
  int (*set_largest_step)(void *memory, realtype step);
  int (*set_first_step)(void *memory, realtype step);
  int (*set_stop)(void *memory, realtype t);
  int (*set_linear)(void *memory, SUNLinearSolver solver, SUNMatrix matrix);
  int (*set_jacobian)(void *memory, ARKLsJacFn jacobian);
  int (*get_step)(void *memory, realtype *step);
  int (*get_dense)(void *memory, realtype t, int derivative, N_Vector x);
  int (*get_failed_tests)(void *memory, long *count);
} package;

struct sundials {
  nsds_ode *ode;
  const package *package;
  int n; /* states for which the fields below are made; 0: none */
  SUNContext context;
  N_Vector x, other; /* end of the step; for dense output */
  SUNMatrix matrix;
  SUNLinearSolver linear;
  void *memory;
  double limit; /* f is not evaluated for later times */
  double wish;  /* first step size; 0: chosen */
  bool restart; /* restart before the next step */
  bool line;    /* the last step was a few ulp, on a straight line */
  bool begun;   /* a first step has been chosen */
  long failed_tests;
  double *slope;          /* n: slope of the line */
  int result;             /* of a function that failed */
  nsds_ode_cause refusal; /* reason of the last refusal by f */
  double refused_at;
  char said[256];
};

/* ---- functions that SUNDIALS calls: return 0; > 0: recoverable; < 0: fatal ---- */

static int sundials_rhs(realtype t, N_Vector x, N_Vector dx, void *self) {
  sundials *s = self;
  int result =
      nsds_ode_rhs(s->ode, fmin(t, s->limit), N_VGetArrayPointer(x), N_VGetArrayPointer(dx));
  if (result < 0) s->result = result;
  if (result > 0) {
    s->refusal = s->ode->cause;
    s->refused_at = t;
  }
  return result;
}

/* Returns the change of x_i for a difference: sqrt(eps) |x_i|, but at least the part `least` of the
 * tolerance, which exceeds the rounding of f. */
static double sundials_increment(const sundials *s, const double *x, double least, int i) {
  double allowed =
      s->ode->options.relative_tolerance * fabs(x[i]) + s->ode->options.absolute_tolerance;
  return fmax(sqrt(DBL_EPSILON) * fabs(x[i]), least * allowed);
}

/* Writes the Jacobian by differences. SUNDIALS's own function allocates in each call and ignores
 * lack of memory. */
static int sundials_differences(sundials *s, realtype t, N_Vector x, N_Vector dx, N_Vector moved,
                                double *J) {
  const nsds_ode_options *options = &s->ode->options;
  double *at = N_VGetArrayPointer(x), sum = 0.0, h = 0.0;
  const double *f = N_VGetArrayPointer(dx), *f_moved = N_VGetArrayPointer(moved);
  int n = s->n, result = s->package->get_step(s->memory, &h);
  for (int i = 0; i < n; ++i) {
    double e = f[i] / (options->relative_tolerance * fabs(at[i]) + options->absolute_tolerance);
    sum += e * e / n;
  }
  double least = sum > 0.0 ? 1000.0 * fabs(h) * DBL_EPSILON * n * sqrt(sum) : 1.0;
  for (int j = 0; j < n && result == 0; ++j) {
    double stood = at[j], sundials_step = sundials_increment(s, at, least, j);
    at[j] += sundials_step;
    result = sundials_rhs(t, x, moved, s);
    at[j] = stood;
    for (int i = 0; i < n; ++i)
      J[(size_t)i + (size_t)n * (size_t)j] = (f_moved[i] - f[i]) / sundials_step;
  }
  return result;
}

static int sundials_jacobian(realtype t, N_Vector x, N_Vector dx, SUNMatrix J, void *self,
                             N_Vector a, N_Vector b, N_Vector c) {
  sundials *s = self;
  (void)b, (void)c;
  if (!s->ode->problem.jacobian)
    return sundials_differences(s, t, x, dx, a, SUNDenseMatrix_Data(J));
  int result =
      nsds_ode_jacobian(s->ode, fmin(t, s->limit), N_VGetArrayPointer(x), SUNDenseMatrix_Data(J));
  if (result < 0) s->result = result;
  return result;
}

/* Keeps the message of SUNDIALS. */
static void listen(int code, const char *module, const char *function, char *text, void *self) {
  sundials *s = self;
  if (code < 0) snprintf(s->said, sizeof s->said, "%s, %s: %s", module, function, text);
}

/* ---- the packages ---- */

static void *create_arkode(sundials *s) {
  void *memory = ARKStepCreate(NULL, sundials_rhs, 0.0, s->x, s->context);
  if (memory && (ARKStepSetErrHandlerFn(memory, listen, s) ||
                 ARKStepSetTableNum(memory, ARKODE_ESDIRK436L2SA_6_3_4, ARKODE_ERK_NONE) ||
                 ARKStepSetNonlinCRDown(memory, 1.0))) /* the estimated rate never falls */
    ARKStepFree(&memory);
  return memory;
}

static int restart_arkode(void *memory, realtype t, N_Vector x) {
  return ARKStepReInit(memory, NULL, sundials_rhs, t, x);
}

static void *create_cvode(sundials *s) {
  void *memory = CVodeCreate(CV_BDF, s->context);
  if (memory &&
      (CVodeSetErrHandlerFn(memory, listen, s) || CVodeInit(memory, sundials_rhs, 0.0, s->x)))
    CVodeFree(&memory);
  return memory;
}

#define PACKAGE(prefix)                                                                            \
  .destroy = prefix##Free, .set_user = prefix##SetUserData,                                        \
  .set_tolerances = prefix##SStolerances, .set_largest_step = prefix##SetMaxStep,                  \
  .set_first_step = prefix##SetInitStep, .set_stop = prefix##SetStopTime,                          \
  .set_linear = prefix##SetLinearSolver, .set_jacobian = prefix##SetJacFn,                         \
  .get_step = prefix##GetCurrentStep, .get_dense = prefix##GetDky,                                 \
  .get_failed_tests = prefix##GetNumErrTestFails

static const package arkode = {PACKAGE(ARKStep), .create = create_arkode, .restart = restart_arkode,
                               .evolve = ARKStepEvolve};
static const package cvode = {PACKAGE(CVode), .create = create_cvode, .restart = CVodeReInit,
                              .evolve = CVode};

/* ---- memory ---- */

/* Sets the options, which have been checked; only lack of memory can fail. */
static bool sundials_set_up(sundials *s) {
  const nsds_ode *ode = s->ode;
  const nsds_ode_options *options = &ode->options;
  const package *p = s->package;
  return !p->set_user(s->memory, s) &&
         !p->set_tolerances(s->memory, options->relative_tolerance, options->absolute_tolerance) &&
         !p->set_largest_step(s->memory, options->largest_step) &&
         !p->set_linear(s->memory, s->linear, s->matrix) &&
         !p->set_jacobian(s->memory, sundials_jacobian);
}

static bool sundials_make(sundials *s, int n) {
  s->n = n; /* unmake() frees incomplete parts too */
  if (SUNContext_Create(NULL, &s->context)) return false;
  s->x = N_VNew_Serial(n, s->context);
  s->other = N_VNew_Serial(n, s->context);
  s->matrix = SUNDenseMatrix(n, n, s->context);
  if (!s->x || !s->other || !s->matrix) return false;
  s->linear = SUNLinSol_Dense(s->x, s->matrix, s->context);
  N_VConst(0.0, s->x);
  s->memory = s->package->create(s);
  return s->linear && s->memory && sundials_set_up(s);
}

static void unmake(sundials *s) {
  if (s->memory) s->package->destroy(&s->memory);
  if (s->linear) SUNLinSolFree(s->linear);
  if (s->matrix) SUNMatDestroy(s->matrix);
  if (s->other) N_VDestroy(s->other);
  if (s->x) N_VDestroy(s->x);
  if (s->context) SUNContext_Free(&s->context);
  s->linear = NULL;
  s->matrix = NULL;
  s->other = s->x = NULL;
  s->n = 0;
}

static nsds_status sundials_reserve(nsds_ode *ode) {
  sundials *s = ode->self;
  int n = ode->problem.n;
  s->ode = ode;
  s->package = ode->method == &nsds_arkode ? &arkode : &cvode;
  if (n == s->n) return NSDS_OK;
  unmake(s);
  nsds_status status = NSDS_HOLD_ONE(&ode->store, s->slope, n);
  if (status || n == 0 || sundials_make(s, n)) return status;
  unmake(s);
  return nsds_fail(ode->context, NSDS_ERROR_MEMORY,
                   "integration (%s): out of memory for %d states%s%s", ode->method->name, n,
                   s->said[0] ? ": " : "", s->said);
}

static void sundials_destroy(nsds_ode *ode) { unmake(ode->self); }

/* ---- steps ---- */

static nsds_status sundials_start(nsds_ode *ode, double sundials_step) {
  sundials *s = ode->self;
  s->restart = true;
  s->wish = sundials_step;
  return NSDS_OK;
}

/* Steps along the tangent, for a few ulp. */
static int step_on_line(nsds_ode *ode, double limit) {
  sundials *s = ode->self;
  double h = limit - ode->t1;
  int result = nsds_ode_rhs(ode, ode->t1, ode->x1, s->slope);
  if (result > 0) return nsds_ode_fail_step_size(ode, ode->t1);
  if (result < 0) return result;
  for (int i = 0; i < s->n; ++i) ode->x1[i] += h * s->slope[i];
  s->line = s->restart = true;
  ode->t0 = ode->t1;
  ode->t1 = limit;
  ++ode->count.steps;
  return 0;
}

/* Restarts at t1, x1 with the first step `wish`; 0: chosen. */
static bool sundials_restart(sundials *s) {
  const nsds_ode *ode = s->ode;
  double sundials_step = s->wish > 0.0 ? s->wish : s->begun ? 0.0 : ode->options.first_step;
  s->begun = true;
  s->restart = false;
  s->failed_tests = 0;
  memcpy(N_VGetArrayPointer(s->x), ode->x1, (size_t)s->n * sizeof(double));
  return !s->package->restart(s->memory, ode->t1, s->x) &&
         !s->package->set_first_step(s->memory, sundials_step);
}

/* Fails: no step is small enough for the error, for Newton's method or for f. */
static int failed_small(sundials *s) {
  nsds_ode *ode = s->ode;
  double distance = fabs(s->refused_at - ode->t1);
  bool near = distance <= 1e-8 * fmax(fabs(ode->t1), fabs(s->limit));
  ode->cause = near ? s->refusal : NSDS_ODE_FAILED_NOT;
  s->restart = s->restart || ode->stopped;
  return nsds_ode_fail_step_size(ode, ode->t1);
}

static int sundials_failed(sundials *s, int flag) {
  switch (flag) {
  case ARK_ERR_FAILURE:
  case ARK_CONV_FAILURE:
  case ARK_FIRST_RHSFUNC_ERR:
  case ARK_REPTD_RHSFUNC_ERR:
  case ARK_UNREC_RHSFUNC_ERR: return failed_small(s);
  case ARK_RHSFUNC_FAIL:
  case ARK_LSETUP_FAIL: /* f or the Jacobian */
    if (s->result < 0) return s->result;
  }
  return nsds_ode_fail(s->ode, NSDS_ODE_FAILED_METHOD, "at t = %.17g: %s", s->ode->t1,
                       s->said[0] ? s->said : "no reason given");
}

static int sundials_step(nsds_ode *ode, double limit) {
  sundials *s = ode->self;
  int result = nsds_ode_try(ode), flag = ARK_ILL_INPUT;
  if (result) return result;
  double ulp = nsds_ode_ulp(fmax(fabs(ode->t1), fabs(limit)));
  if (limit - ode->t1 <= line_ulps * ulp) return step_on_line(ode, limit);
  double t = ode->t1;
  s->limit = limit;
  s->result = 0;
  s->said[0] = '\0';
  if ((!s->restart || sundials_restart(s)) && !s->package->set_stop(s->memory, limit))
    flag = s->package->evolve(s->memory, limit, s->x, &t, ARK_ONE_STEP);
  if (flag != ARK_SUCCESS && flag != ARK_TSTOP_RETURN) return sundials_failed(s, flag);
  if (t < limit && t - ode->t1 < shortest_ulps * ulp) return failed_small(s);
  long failed_tests = 0;
  s->package->get_failed_tests(s->memory, &failed_tests);
  ode->count.rejected += failed_tests - s->failed_tests;
  s->failed_tests = failed_tests;
  s->line = false;
  memcpy(ode->x1, N_VGetArrayPointer(s->x), (size_t)s->n * sizeof *ode->x1);
  ode->t0 = ode->t1;
  ode->t1 = limit - t <= 4.0 * ulp ? limit : t;
  ++ode->count.steps;
  return 0;
}

static void dense(nsds_ode *ode, double t, double *x) {
  sundials *s = ode->self;
  if (s->line) {
    for (int i = 0; i < s->n; ++i) x[i] = ode->x1[i] - (ode->t1 - t) * s->slope[i];
    return;
  }
  s->package->get_dense(s->memory, t, 0, s->other);
  memcpy(x, N_VGetArrayPointer(s->other), (size_t)s->n * sizeof *x);
}

#define METHOD(text)                                                                               \
  {                                                                                                \
    .name = text, .self_size = sizeof(sundials), .reserve = sundials_reserve,                      \
    .destroy = sundials_destroy, .start = sundials_start, .step = sundials_step, .dense = dense    \
  }

const nsds_ode_method nsds_arkode = METHOD("arkode");
const nsds_ode_method nsds_cvode = METHOD("cvode");

#endif
