#include "by_hand.h"
#include "support.h"

int hand_solve(int n, const double *A, int nrhs, double *b) {
  double a[hand_max * hand_max];
  memcpy(a, A, (size_t)(n * n) * sizeof *a);
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (fabs(a[i + k * n]) > fabs(a[pivot + k * n])) pivot = i;
    if (a[pivot + k * n] == 0.0) return 0;
    for (int j = 0; j < n && pivot != k; ++j) {
      double swap = a[k + j * n];
      a[k + j * n] = a[pivot + j * n];
      a[pivot + j * n] = swap;
    }
    for (int j = 0; j < nrhs && pivot != k; ++j) {
      double swap = b[k + j * n];
      b[k + j * n] = b[pivot + j * n];
      b[pivot + j * n] = swap;
    }
    for (int i = k + 1; i < n; ++i) {
      double s = a[i + k * n] / a[k + k * n];
      for (int j = k; j < n; ++j) a[i + j * n] -= s * a[k + j * n];
      for (int j = 0; j < nrhs; ++j) b[i + j * n] -= s * b[k + j * n];
    }
  }
  for (int j = 0; j < nrhs; ++j)
    for (int k = n - 1; k >= 0; --k) {
      for (int i = k + 1; i < n; ++i) b[k + j * n] -= a[k + i * n] * b[i + j * n];
      b[k + j * n] /= a[k + k * n];
    }
  return 1;
}

/* lambda when row i is at its lower bound, free, or at its upper one (side -1, 0, 1); how far the
 * answer is from being one, or infinity. */
static double try_sides(int m, const double *M, const double *q, const double *lower,
                        const double *upper, const int *side, double *lambda) {
  double A[hand_max * hand_max], b[hand_max];
  int row[hand_max], n = 0;
  for (int i = 0; i < m; ++i) {
    lambda[i] = side[i] < 0 ? lower[i] : side[i] > 0 ? upper[i] : 0.0;
    if (isinf(lambda[i])) return INFINITY;
    if (side[i] == 0) row[n++] = i;
  }
  for (int k = 0; k < n; ++k) {
    b[k] = -q[row[k]];
    for (int i = 0; i < m; ++i) b[k] -= M[row[k] + i * m] * lambda[i];
    for (int l = 0; l < n; ++l) A[k + l * n] = M[row[k] + row[l] * m];
  }
  if (!hand_solve(n, A, 1, b)) return INFINITY;
  for (int k = 0; k < n; ++k) lambda[row[k]] = b[k];
  double violation = 0.0;
  for (int i = 0; i < m; ++i) {
    double w = q[i];
    for (int j = 0; j < m; ++j) w += M[i + j * m] * lambda[j];
    if (side[i] < 0) violation = worse(violation, fmax(0.0, -w));
    if (side[i] > 0) violation = worse(violation, fmax(0.0, w));
    if (side[i] == 0)
      violation = worse(violation, fmax(0.0, fmax(lower[i] - lambda[i], lambda[i] - upper[i])));
  }
  return violation;
}

int hand_box_problem(int m, const double *M, const double *q, const double *lower,
                     const double *upper, double *lambda) {
  int side[hand_max];
  double trial[hand_max], least = INFINITY;
  for (int i = 0; i < m; ++i) side[i] = -1;
  for (int i = 0; i < m;) { /* counts in base three */
    double violation = try_sides(m, M, q, lower, upper, side, trial);
    if (violation < least) {
      least = violation;
      memcpy(lambda, trial, (size_t)m * sizeof *trial);
    }
    for (i = 0; i < m && ++side[i] > 1; ++i) side[i] = -1;
  }
  return m == 0 || least <= 1e-9;
}

void hand_step(const hand_model *model, double theta, double rho, double sigma, double h,
               hand_state *s) {
  static hand_point old, end, middle;
  int n = model->n, m = model->m;
  double x[hand_max], lambda[hand_max], law_x[hand_max], change = 1.0;
  model->at(model->self, s->t, s->x, s->lambda, &old);
  model->at(model->self, s->t + theta * h, s->x, s->lambda, &middle);
  double mass[hand_max * hand_max];
  memcpy(mass, middle.mass, sizeof mass);
  memcpy(x, s->x, sizeof x);
  memcpy(lambda, s->lambda, sizeof lambda);
  int k = 0;
  for (; change > 1e-13 && k < 60; ++k) {
    for (int i = 0; i < n; ++i) law_x[i] = sigma * x[i] + (1.0 - sigma) * s->x[i];
    model->at(model->self, s->t + h, x, lambda, &end);
    model->at(model->self, s->t + sigma * h, law_x, lambda, &middle);
    /* W^ [x_free - x | gain] = [-R + h rho (r - B lambda) ... | h rho B] */
    double W[hand_max * hand_max], b[hand_max * (hand_max + 1)];
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        W[i + j * n] =
            mass[i + j * n] - h * theta * end.A[i + j * n] - h * rho * sigma * middle.K[i + j * n];
    for (int i = 0; i < n; ++i) {
      b[i] = h * theta * end.f[i] + h * (1.0 - theta) * old.f[i] + h * rho * middle.r[i] +
             h * (1.0 - rho) * s->r[i];
      for (int j = 0; j < n; ++j) b[i] -= mass[i + j * n] * (x[j] - s->x[j]);
      for (int j = 0; j < m; ++j) {
        b[i + (j + 1) * n] = h * rho * middle.B[i + j * n];
        b[i] -= b[i + (j + 1) * n] * lambda[j];
      }
    }
    if (!hand_solve(n, W, m + 1, b)) fail_msg("singular W");
    double M[hand_max * hand_max], q[hand_max], new_lambda[hand_max];
    for (int i = 0; i < m; ++i) {
      q[i] = middle.y[i];
      for (int j = 0; j < n; ++j) q[i] += sigma * middle.C[i + j * m] * b[j];
      for (int j = 0; j < m; ++j) {
        M[i + j * m] = middle.D[i + j * m];
        for (int l = 0; l < n; ++l)
          M[i + j * m] += sigma * middle.C[i + l * m] * b[l + (j + 1) * n];
        q[i] -= middle.D[i + j * m] * lambda[j];
      }
    }
    if (!hand_box_problem(m, M, q, model->lower, model->upper, new_lambda))
      fail_msg("no combination of bounds");
    change = 0.0;
    for (int i = 0; i < n; ++i) {
      double dx = b[i];
      for (int j = 0; j < m; ++j) dx += b[i + (j + 1) * n] * new_lambda[j];
      x[i] += dx;
      change = worse(change, fabs(dx) / fmax(1.0, fabs(x[i])));
    }
    for (int j = 0; j < m; ++j)
      change = worse(change, fabs(new_lambda[j] - lambda[j]) / fmax(1.0, fabs(new_lambda[j])));
    memcpy(lambda, new_lambda, (size_t)m * sizeof *lambda);
  }
  if (!(change <= 1e-13)) fail_msg("the scheme by hand did not converge: last change %g", change);
  for (int i = 0; i < n; ++i) law_x[i] = sigma * x[i] + (1.0 - sigma) * s->x[i];
  model->at(model->self, s->t + sigma * h, law_x, lambda, &middle);
  model->at(model->self, s->t + h, x, lambda, &end);
  memcpy(s->r, middle.r, sizeof s->r);
  memcpy(s->y, end.y, sizeof s->y); /* at the end of the step, whatever sigma */
  memcpy(s->x, x, sizeof x);
  memcpy(s->lambda, lambda, sizeof lambda);
  s->t += h;
  s->iterations = k;
}
