/*
 * The programmes of bench/qp.c by Ipopt, told that they are quadratic, with Mehrotra's algorithm where
 * IPOPT_MEHROTRA is set; bounds are not relaxed.
 *
 *   qp FAMILY FIRST LAST LEAST MOST TOLERANCE
 */
#include "../qp.h"
#include "../qp_known.h"

#include <coin/IpStdCInterface.h>
#include <time.h>

static const double far = 2e19; /* no bound */

static Bool objective(Index n, Number *x, Bool new_x, Number *value, UserDataPtr user) {
  const qp *p = (const qp *)user;
  double *g = qp_numbers(n);
  (void)new_x;
  qp_multiply(&p->H, false, 0.5, x, g, NULL);
  *value = 0.0;
  for (int j = 0; j < n; ++j) *value += (g[j] + p->c[j]) * x[j];
  free(g);
  return TRUE;
}

static Bool gradient(Index n, Number *x, Bool new_x, Number *g, UserDataPtr user) {
  const qp *p = (const qp *)user;
  (void)new_x;
  memcpy(g, p->c, (size_t)n * sizeof *g);
  qp_multiply(&p->H, false, 1.0, x, g, NULL);
  return TRUE;
}

static Bool rows(Index n, Number *x, Bool new_x, Index m, Number *g, UserDataPtr user) {
  (void)n, (void)new_x;
  memset(g, 0, (size_t)m * sizeof *g);
  qp_multiply(&((const qp *)user)->A, false, 1.0, x, g, NULL);
  return TRUE;
}

static Bool jacobian(Index n, Number *x, Bool new_x, Index m, Index count, Index *i, Index *j,
                     Number *value, UserDataPtr user) {
  const qp_matrix *A = &((const qp *)user)->A;
  (void)n, (void)x, (void)new_x, (void)m;
  for (int k = 0; k < count; ++k) {
    if (value) value[k] = A->entry[k].x;
    else i[k] = A->entry[k].i, j[k] = A->entry[k].j;
  }
  return TRUE;
}

/* The lower triangle. */
static Bool hessian(Index n, Number *x, Bool new_x, Number factor, Index m, Number *y, Bool new_y,
                    Index count, Index *i, Index *j, Number *value, UserDataPtr user) {
  const qp_matrix *H = &((const qp *)user)->H;
  (void)n, (void)x, (void)new_x, (void)m, (void)y, (void)new_y, (void)count;
  for (int k = 0, at = 0; k < H->count; ++k) {
    if (H->entry[k].i < H->entry[k].j) continue;
    if (value) value[at] = factor * H->entry[k].x;
    else i[at] = H->entry[k].i, j[at] = H->entry[k].j;
    ++at;
  }
  return TRUE;
}

static int steps;

static Bool count_steps(Index mode, Index step, Number f, Number primal, Number dual, Number mu,
                        Number d, Number regular, Number alpha_dual, Number alpha_primal, Index ls,
                        UserDataPtr user) {
  (void)mode, (void)f, (void)primal, (void)dual, (void)mu, (void)d, (void)regular, (void)user;
  (void)alpha_dual, (void)alpha_primal, (void)ls;
  steps = step;
  return TRUE;
}

static void options(IpoptProblem ipopt, double tolerance) {
  static char *const constant[] = {"hessian_constant", "jac_c_constant", "jac_d_constant"};
  for (int k = 0; k < 3; ++k) AddIpoptStrOption(ipopt, constant[k], (char[]){"yes"});
  if (getenv("IPOPT_MEHROTRA"))
    AddIpoptStrOption(ipopt, (char[]){"mehrotra_algorithm"}, (char[]){"yes"});
  AddIpoptStrOption(ipopt, (char[]){"sb"}, (char[]){"yes"});
  AddIpoptIntOption(ipopt, (char[]){"print_level"}, 0);
  AddIpoptNumOption(ipopt, (char[]){"tol"}, tolerance);
  AddIpoptNumOption(ipopt, (char[]){"bound_relax_factor"}, 0.0);
  AddIpoptNumOption(ipopt, (char[]){"max_cpu_time"}, 30.0);
}

static void solve(const qp *p, double tolerance, qp_answer *answer) {
  static char outcome[32];
  double *lower = qp_numbers(p->n), *upper = qp_numbers(p->n), *above = qp_numbers(p->m), value;
  int half = 0;
  for (int k = 0; k < p->H.count; ++k) half += p->H.entry[k].i >= p->H.entry[k].j;
  for (int j = 0; j < p->n; ++j) {
    lower[j] = isfinite(p->lower[j]) ? p->lower[j] : -far;
    upper[j] = isfinite(p->upper[j]) ? p->upper[j] : far;
  }
  for (int i = 0; i < p->m; ++i) above[i] = p->equal[i] ? p->b[i] : far;
  answer->seconds = INFINITY;
  for (int run = 0; run < 3; ++run) {
    memset(answer->x, 0, (size_t)p->n * sizeof *answer->x);
    clock_t begin = clock();
    IpoptProblem ipopt = CreateIpoptProblem(p->n, lower, upper, p->m, p->b, above, p->A.count, half,
                                            0, objective, rows, gradient, jacobian, hessian);
    options(ipopt, tolerance);
    SetIntermediateCallback(ipopt, count_steps);
    snprintf(outcome, sizeof outcome, "%d",
             (int)IpoptSolve(ipopt, answer->x, NULL, &value, answer->y, NULL, NULL,
                             (void *)(uintptr_t)p));
    FreeIpoptProblem(ipopt);
    answer->seconds = fmin(answer->seconds, (double)(clock() - begin) / CLOCKS_PER_SEC);
    if (answer->seconds > 1.0) break;
  }
  /* its multipliers are of the other sign */
  for (int i = 0; i < p->m; ++i) answer->y[i] = -answer->y[i];
  answer->steps = steps;
  answer->by = outcome;
  free(lower);
  free(upper);
  free(above);
}

int main(int argc, char **argv) { return qp_main(argc, argv, qp_any_draw, solve); }
