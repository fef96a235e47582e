/*
 * Formulas of the relations, X being all of the relation's systems:
 *
 *   linear   h = C X + D lambda + e                        g = B lambda
 *   varying  the same with factors 1 + sin(t + k)/3 on C, D, B, and e + cos(t)/5
 *   type 1   h = C (X + sin(X)/5) + e                      g = B (lambda + lambda^2/10)
 *   type 2   h = C (X + sin(X)/5) + D (lambda + lambda^3/10) + e + cos(t)/5
 *            g = (1 + cos(t)/3) B (lambda + lambda^2/10)
 *   general  h as type 2, g_j = (1 + sin(X_j)/5) (B lambda)_j + sin(X_(j+1))/4
 *
 * with functions applied entry by entry. C is near B^T and D positive definite, so that the
 * problems of small steps have one solution each.
 */
#include "network.h"

/* ---- relations ---- */

static double varies(const net_relation *r, double t, int k) {
  return r->kind == net_varying ? 1.0 + sin(t + k) / 3.0 : 1.0;
}

static bool has_d(const net_relation *r) { return r->kind != net_type1; }

static int output_fn(const nsds_arguments *in, double *out, void *user) {
  const net_relation *r = user;
  double eps = r->kind >= net_type1 ? 0.2 : 0.0, cubic = r->kind >= net_type2 ? 0.1 : 0.0;
  for (int i = 0; i < r->ny; ++i) {
    out[i] = r->e[i];
    if (r->kind == net_varying || r->kind >= net_type2) out[i] += cos(in->t) / 5.0;
    for (int j = 0; j < r->nx; ++j)
      out[i] += varies(r, in->t, 0) * r->C[i + j * r->ny] * (in->x[j] + eps * sin(in->x[j]));
    for (int j = 0; has_d(r) && j < r->ny; ++j) {
      double l = in->lambda[j];
      out[i] += varies(r, in->t, 1) * r->D[i + j * r->ny] * (l + cubic * l * l * l);
    }
  }
  return 0;
}

static int c_fn(const nsds_arguments *in, double *out, void *user) {
  const net_relation *r = user;
  double eps = r->kind >= net_type1 ? 0.2 : 0.0;
  for (int j = 0; j < r->nx; ++j)
    for (int i = 0; i < r->ny; ++i)
      out[i + j * r->ny] = varies(r, in->t, 0) * r->C[i + j * r->ny] *
                           (1.0 + (eps != 0.0 ? eps * cos(in->x[j]) : 0.0));
  return 0;
}

static int d_fn(const nsds_arguments *in, double *out, void *user) {
  const net_relation *r = user;
  double cubic = r->kind >= net_type2 ? 0.3 : 0.0;
  for (int j = 0; has_d(r) && j < r->ny; ++j)
    for (int i = 0; i < r->ny; ++i)
      out[i + j * r->ny] = varies(r, in->t, 1) * r->D[i + j * r->ny] *
                           (1.0 + (cubic != 0.0 ? cubic * in->lambda[j] * in->lambda[j] : 0.0));
  return 0;
}

static int e_fn(const nsds_arguments *in, double *out, void *user) {
  const net_relation *r = user;
  for (int i = 0; i < r->ny; ++i) out[i] = r->e[i] + cos(in->t) / 5.0;
  return 0;
}

/* The factor of B in row j of g, and its derivative with respect to X_j. */
static double input_factor(const net_relation *r, const nsds_arguments *in, int j,
                           double *derivative) {
  *derivative = r->kind == net_general ? cos(in->x[j]) / 5.0 : 0.0;
  if (r->kind == net_general) return 1.0 + sin(in->x[j]) / 5.0;
  return r->kind == net_type2 ? 1.0 + cos(in->t) / 3.0 : varies(r, in->t, 2);
}

static bool square(const net_relation *r) { return r->kind == net_type1 || r->kind == net_type2; }

static double b_lambda(const net_relation *r, const nsds_arguments *in, int j) {
  double sum = 0.0;
  for (int i = 0; i < r->ny; ++i) {
    double l = in->lambda[i];
    sum += r->B[j + i * r->nx] * (square(r) ? l + 0.1 * l * l : l);
  }
  return sum;
}

static int input_fn(const nsds_arguments *in, double *out, void *user) {
  const net_relation *r = user;
  double derivative;
  for (int j = 0; j < r->nx; ++j) {
    out[j] = input_factor(r, in, j, &derivative) * b_lambda(r, in, j);
    if (r->kind == net_general) out[j] += sin(in->x[(j + 1) % r->nx]) / 4.0;
  }
  return 0;
}

static int b_fn(const nsds_arguments *in, double *out, void *user) {
  const net_relation *r = user;
  double derivative;
  for (int i = 0; i < r->ny; ++i)
    for (int j = 0; j < r->nx; ++j)
      out[j + i * r->nx] = input_factor(r, in, j, &derivative) * r->B[j + i * r->nx] *
                           (square(r) ? 1.0 + 0.2 * in->lambda[i] : 1.0);
  return 0;
}

static int k_fn(const nsds_arguments *in, double *out, void *user) {
  const net_relation *r = user;
  if (r->kind != net_general) return 0;
  for (int j = 0; j < r->nx; ++j) {
    double derivative;
    input_factor(r, in, j, &derivative);
    out[j + j * r->nx] += derivative * b_lambda(r, in, j);
    int next = (j + 1) % r->nx;
    out[j + next * r->nx] += cos(in->x[next]) / 4.0;
  }
  return 0;
}

static nsds_relation *make_relation(nsds_model *model, net_relation *r) {
  if (r->kind == net_linear)
    return nsds_first_order_linear_relation(
        model, &(nsds_first_order_linear_relation_def){
                   .ny = r->ny, .nx = r->nx, .C = r->C, .D = r->D, .B = r->B, .e = r->e});
  if (r->kind == net_varying)
    return nsds_first_order_linear_relation(model,
                                            &(nsds_first_order_linear_relation_def){.ny = r->ny,
                                                                                    .nx = r->nx,
                                                                                    .C_fn = c_fn,
                                                                                    .D_fn = d_fn,
                                                                                    .B_fn = b_fn,
                                                                                    .e_fn = e_fn,
                                                                                    .user = r});
  return nsds_first_order_relation(
      model,
      &(nsds_first_order_relation_def){.ny = r->ny,
                                       .nx = r->nx,
                                       .output_fn = output_fn,
                                       .jac_output_x_fn = c_fn,
                                       .jac_output_lambda_fn = has_d(r) ? d_fn : NULL,
                                       .input_fn = input_fn,
                                       .jac_input_lambda_fn = b_fn,
                                       .jac_input_x_fn = r->kind == net_general ? k_fn : NULL,
                                       .user = r});
}

static const double bound = 0.8, slope = 4.0;

static nsds_law *make_law(nsds_model *model, const net_relation *r) {
  double lower[4], upper[4];
  for (int i = 0; i < 4; ++i) lower[i] = -bound, upper[i] = bound;
  switch (r->law) {
  case net_equality: return nsds_equality(model);
  case net_relay: return nsds_relay(model, r->ny, lower, upper);
  case net_saturation: return nsds_saturation(model, r->ny, lower, upper, slope);
  default: return nsds_complementarity(model);
  }
}

/* ---- systems ---- */

static int f_fn(const nsds_arguments *in, double *out, void *user) {
  const net_system *s = user;
  double factor = s->kind == net_varying ? 1.0 + sin(in->t) / 3.0 : 1.0;
  for (int i = 0; i < s->n; ++i) {
    out[i] = s->kind == net_linear ? s->b[i] : s->b[i] * sin(in->t + i);
    for (int j = 0; j < s->n; ++j) out[i] += factor * s->A[i + j * s->n] * in->x[j];
    if (s->kind == net_general) out[i] -= in->x[i] * in->x[i] * in->x[i];
  }
  return 0;
}

static int a_fn(const nsds_arguments *in, double *out, void *user) {
  const net_system *s = user;
  double factor = s->kind == net_varying ? 1.0 + sin(in->t) / 3.0 : 1.0;
  for (int k = 0; k < s->n * s->n; ++k) out[k] = factor * s->A[k];
  for (int i = 0; s->kind == net_general && i < s->n; ++i)
    out[i + i * s->n] -= 3.0 * in->x[i] * in->x[i];
  return 0;
}

static int b_of_t(const nsds_arguments *in, double *out, void *user) {
  const net_system *s = user;
  for (int i = 0; i < s->n; ++i) out[i] = s->b[i] * sin(in->t + i);
  return 0;
}

static int mass_fn(const nsds_arguments *in, double *out, void *user) {
  const net_system *s = user;
  double factor = s->mass == 2 ? 1.0 + cos(in->t) / 4.0 : 1.0;
  for (int k = 0; k < s->n * s->n; ++k) out[k] = factor * s->M[k];
  return 0;
}

static nsds_ds *make_system(nsds_model *model, net_system *s) {
  if (s->kind == net_general)
    return nsds_first_order(model, &(nsds_first_order_def){.n = s->n,
                                                           .x0 = s->x0,
                                                           .mass = s->mass == 1 ? s->M : NULL,
                                                           .mass_fn = s->mass == 2 ? mass_fn : NULL,
                                                           .f_fn = f_fn,
                                                           .jac_f_x_fn = a_fn,
                                                           .user = s});
  bool varying = s->kind == net_varying;
  return nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.n = s->n,
                                            .x0 = s->x0,
                                            .mass = s->mass == 1 ? s->M : NULL,
                                            .mass_fn = s->mass == 2 ? mass_fn : NULL,
                                            .A = varying ? NULL : s->A,
                                            .A_fn = varying ? a_fn : NULL,
                                            .b = varying ? NULL : s->b,
                                            .b_fn = varying ? b_of_t : NULL,
                                            .user = s});
}

/* ---- the whole model at one point ---- */

static void at(const void *self, double t, const double *x, const double *lambda, hand_point *p) {
  const network *net = self;
  int n = net->hand.n, m = net->hand.m, first[4], column = 0;
  *p = (hand_point){0};
  for (int s = 0; s < net->nsystem; ++s) {
    const net_system *system = &net->system[s];
    nsds_arguments in = {.t = t, .x = x + column, .nx = system->n};
    double A[16], M[16];
    f_fn(&in, p->f + column, (void *)(uintptr_t)system);
    a_fn(&in, A, (void *)(uintptr_t)system);
    mass_fn(&in, M, (void *)(uintptr_t)system);
    for (int j = 0; j < system->n; ++j)
      for (int i = 0; i < system->n; ++i) {
        int k = column + i + (column + j) * n;
        p->A[k] = A[i + j * system->n];
        p->mass[k] = system->mass == 0 ? i == j : M[i + j * system->n];
      }
    first[s] = column;
    column += system->n;
  }
  int row = 0;
  for (int k = 0; k < net->nrelation; ++k) {
    const net_relation *r = &net->relation[k];
    double X[hand_max], C[32] = {0}, D[16] = {0}, B[32] = {0}, K[64] = {0}, g[8] = {0};
    int place[hand_max], nx = 0;
    for (int d = 0; d < r->nds; ++d)
      for (int i = 0; i < net->system[r->ds[d]].n; ++i) place[nx++] = first[r->ds[d]] + i;
    for (int j = 0; j < nx; ++j) X[j] = x[place[j]];
    nsds_arguments in = {.t = t, .x = X, .nx = nx, .lambda = lambda + row, .nlambda = r->ny};
    void *user = (void *)(uintptr_t)r;
    output_fn(&in, p->y + row, user);
    c_fn(&in, C, user);
    d_fn(&in, D, user);
    input_fn(&in, g, user);
    b_fn(&in, B, user);
    k_fn(&in, K, user);
    for (int j = 0; j < nx; ++j) {
      p->r[place[j]] += g[j];
      for (int i = 0; i < r->ny; ++i) {
        p->C[row + i + place[j] * m] = C[i + j * r->ny];
        p->B[place[j] + (row + i) * n] = B[j + i * nx];
      }
      for (int i = 0; i < nx; ++i) p->K[place[i] + place[j] * n] += K[i + j * nx];
    }
    for (int j = 0; j < r->ny; ++j) {
      for (int i = 0; i < r->ny; ++i) p->D[row + i + (row + j) * m] = D[i + j * r->ny];
      if (r->law == net_saturation) { /* the law ties y + lambda/slope to lambda */
        p->D[row + j + (row + j) * m] += 1.0 / slope;
        p->y[row + j] += lambda[row + j] / slope;
      }
    }
    row += r->ny;
  }
}

/* ---- building ---- */

void net_build(network *net, const net_plan *plan, uint64_t seed) {
  *net = (network){.nsystem = plan->nsystem, .nrelation = plan->nrelation};
  net->model = nsds_model_create(NULL);
  net->hand = (hand_model){.at = at, .self = net};
  for (int k = 0; k < plan->nsystem; ++k) {
    net_system *s = &net->system[k];
    *s = (net_system){.n = plan->n[k], .kind = plan->system[k], .mass = plan->mass[k]};
    for (int j = 0; j < s->n; ++j) {
      for (int i = 0; i < s->n; ++i) {
        s->A[i + j * s->n] = random_in(&seed, -1.0, 1.0) - (i == j);
        s->M[i + j * s->n] = random_in(&seed, -0.2, 0.2) + (i == j);
      }
      s->b[j] = random_in(&seed, -2.0, 2.0);
      s->x0[j] = random_in(&seed, -1.0, 1.0);
      net->state.x[net->hand.n + j] = s->x0[j];
    }
    net->hand.n += s->n;
    net->ds[k] = make_system(net->model, s);
  }
  for (int k = 0; k < plan->nrelation; ++k) {
    net_relation *r = &net->relation[k];
    nsds_ds *ds[3];
    *r = (net_relation){.kind = plan->relation[k].kind,
                        .law = plan->relation[k].law,
                        .ny = plan->relation[k].ny,
                        .nds = plan->relation[k].nds};
    for (int d = 0; d < r->nds; ++d) {
      r->ds[d] = plan->relation[k].ds[d];
      r->nx += net->system[r->ds[d]].n;
      ds[d] = net->ds[r->ds[d]];
    }
    for (int i = 0; i < r->ny; ++i) {
      for (int j = 0; j < r->nx; ++j) {
        double b = random_in(&seed, -1.0, 1.0);
        r->B[j + i * r->nx] = b;
        r->C[i + j * r->ny] = b + random_in(&seed, -0.05, 0.05);
      }
      for (int j = 0; j < r->ny; ++j)
        r->D[i + j * r->ny] = random_in(&seed, -0.1, 0.1) + (i == j ? 0.6 : 0.0);
      r->e[i] = random_in(&seed, -0.5, 0.5);
      int row = net->hand.m++;
      bool box = r->law == net_relay || r->law == net_saturation;
      net->hand.lower[row] = r->law == net_equality ? -INFINITY : box ? -bound : 0.0;
      net->hand.upper[row] = box ? bound : INFINITY;
    }
    net->interaction[k] =
        nsds_connect(net->model, make_relation(net->model, r), make_law(net->model, r), r->nds, ds);
  }
  assert_true(net->hand.n <= hand_max && net->hand.m <= hand_max);
  assert_sound(net->model);
}

void net_free(network *net) { nsds_model_destroy(net->model); }

void net_compare(network *net, const char *what, const nsds_time_stepping_def *def, int steps,
                 double allowed) {
  const nsds_discretisation *scheme = &def->first_order;
  double rho = scheme->kind == NSDS_THETA_GAMMA ? scheme->gamma : 1.0;
  double sigma = scheme->kind == NSDS_FULL_THETA_GAMMA ? scheme->gamma : 1.0;
  double theta = scheme->kind == NSDS_SCHEME_UNSAID ? 0.5 : scheme->theta;
  nsds_time_stepping_def tight = *def;
  tight.newton.residual = 1e-13;
  tight.newton.increment = 1e-11;
  nsds_simulation *simulation = nsds_time_stepping(net->model, &tight);
  assert_sound(net->model);
  assert_ok(net->model, nsds_check_jacobians(net->model, 0.3, 1e-6, NULL));
  double worst = 0.0;
  int iterations = 0, at_bound = 0, between = 0;
  for (int k = 0; k < steps; ++k) {
    hand_step(&net->hand, theta, rho, sigma, def->h, &net->state);
    assert_ok(net->model, nsds_step(simulation));
    int most = nsds_simulation_info(simulation)->newton_iterations;
    if (most > iterations) iterations = most;
    int column = 0, row = 0;
    for (int s = 0; s < net->nsystem; ++s)
      for (int i = 0; i < net->system[s].n; ++i, ++column) {
        worst = worse(worst, fabs(nsds_x(net->ds[s])[i] - net->state.x[column]));
        worst = worse(worst, fabs(nsds_r(net->ds[s])[i] - net->state.r[column]));
      }
    for (int r = 0; r < net->nrelation; ++r)
      for (int i = 0; i < net->relation[r].ny; ++i, ++row) {
        double lambda = net->state.lambda[row], y = net->state.y[row];
        if (net->relation[r].law == net_saturation) y -= lambda / slope;
        worst = worse(worst, fabs(nsds_lambda(net->interaction[r])[i] - lambda));
        worst = worse(worst, fabs(nsds_y(net->interaction[r])[i] - y));
        bool bounded = lambda == net->hand.lower[row] || lambda == net->hand.upper[row];
        at_bound += bounded;
        between += !bounded;
      }
  }
  print_message(
      "             %-34s max diff %8.2g in %d steps, at most %d iterations; %d rows at a "
      "bound, %d between\n",
      what, worst, steps, iterations, at_bound, between);
  assert_between(worst, 0.0, allowed);
}
