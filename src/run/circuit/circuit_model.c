/*
 * The equations of circuit_equations.c as a differential-algebraic system with laws. The unknown x
 * has the states: voltages u of capacitors and currents of inductors. Potentials and the other
 * currents of branches are in x too. The currents of diodes and switches are lambda.
 *
 *   node        0 = sum of currents
 *   C           0 = -(v+ - v-) + u,   C du/dt = i
 *   L           sum_j L_j di_j/dt = v+ - v-
 *   otherwise   0 = -(v+ - v-) + what the element adds
 *   D, S        y = -(v+ - v-) + drop + r lambda
 *
 * A diode has the law of complementarity. A switch is one in the model too
 * (nsds_relation_ops::margin). At rest, a switch with a small resistance holds each potential that
 * has a start value.
 *
 * In time stepping lambda is eliminated through the system alone, without diodes and switches.
 * Sections that hang on these alone would then have no potential but by leaks. A conductance ties
 * one node of each to the ground, and the lambda of another row cancels its current.
 */
#include "run/circuit/circuit_model.h"

#include "run/circuit/circuit_junctions.h"
#include "run/circuit/circuit_rows.h"
#include "run/circuit/sections.h"
#include "base/text/words.h"

#include <nsds/extend.h>
#include <nsds/first_order.h>
#include <nsds/scheme.h>

#include <math.h>
#include <string.h>

static const nsds_elements *model_elements(const nsds_circuit_model *m) {
  return m->equations->elements;
}

static const nsds_element *mode_element(const nsds_circuit_model *m, int k) {
  return &model_elements(m)->item[m->modes->element[k]];
}

/* ---- the system ---- */

static nsds_status circuit_mass(void *self, const nsds_arguments *in, double *M) {
  const nsds_circuit_model *m = self;
  (void)in;
  memcpy(M, m->mass.x, (size_t)m->mass.p[m->nx] * sizeof *M);
  return NSDS_OK;
}

static nsds_status circuit_jacobian(void *self, const nsds_arguments *in, double *A) {
  const nsds_circuit_model *m = self;
  (void)in;
  memcpy(A, m->A.x, (size_t)m->A.p[m->nx] * sizeof *A);
  return NSDS_OK;
}

static void inject(const nsds_circuit_model *m, int node, double current, double *b) {
  int unknown = node < 0 ? -1 : m->equations->node[node];
  if (unknown >= 0) b[m->x_of[unknown]] += current;
}

static nsds_status circuit_b(void *self, const nsds_arguments *in, double *b) {
  const nsds_circuit_model *m = self;
  const nsds_elements *elements = model_elements(m);
  memset(b, 0, (size_t)m->nx * sizeof *b);
  for (int k = 0; k < elements->count; ++k) {
    const nsds_element *e = &elements->item[k];
    if (e->kind != NSDS_ELEMENT_VOLTAGE && e->kind != NSDS_ELEMENT_CURRENT) continue;
    double value = nsds_wave_at_end(&elements->wave[e->wave], in->t);
    if (e->kind == NSDS_ELEMENT_VOLTAGE) {
      b[m->x_of[m->equations->branch[k]]] -= value;
      continue;
    }
    inject(m, e->node[0], -value, b);
    inject(m, e->node[1], value, b);
  }
  return NSDS_OK;
}

/* The first time after t at which a source, or a switch that time drives, jumps. */
static double circuit_corner(void *self, double t) {
  const nsds_circuit_model *m = self;
  const nsds_elements *elements = model_elements(m);
  double next = INFINITY;
  for (int k = 0; k < elements->nwave; ++k)
    next = fmin(next, nsds_wave_next(&elements->wave[k], t));
  for (int k = 0; k < m->modes->count; ++k) {
    const nsds_element *e = mode_element(m, k);
    if (e->wave >= 0)
      next = fmin(next, nsds_wave_next_passage(&elements->wave[e->wave], e->threshold, t));
  }
  return next;
}

static void circuit_scales(void *self, nsds_scales *scales) {
  const nsds_circuit_model *m = self;
  if (m->size) memcpy(scales->size, m->size, (size_t)m->nx * sizeof *m->size);
  scales->largest_step = m->largest;
}

static nsds_status circuit_look(void *self, const nsds_arguments *in) {
  const nsds_circuit_model *m = self;
  return m->owner.look(m->owner.user, in->t, in->x, m->lambda);
}

#define SYSTEM_OPS                                                                                 \
  .type = "circuit", .mass = circuit_mass, .rhs = circuit_b, .jacobian = circuit_jacobian,         \
  .next_corner = circuit_corner, .scales = circuit_scales, .destroy = nsds_circuit_model_drop
static const nsds_first_order_ops job_system_ops = {SYSTEM_OPS};
static const nsds_first_order_ops model_system_ops = {SYSTEM_OPS, .look = circuit_look};

/* A column under way, with increasing rows. */
typedef struct matrix_column {
  nsds_circuit_matrix *of;
  int first, *count;
} matrix_column;

static void enter_sorted(const matrix_column *c, int row, double value) {
  nsds_circuit_matrix *m = c->of;
  int at = (*c->count)++;
  for (; at > c->first && m->i[at - 1] > row; --at) {
    m->i[at] = m->i[at - 1];
    m->x[at] = m->x[at - 1];
  }
  m->i[at] = row;
  m->x[at] = value;
}

/* Enters the column of an unknown z, or of a capacitor's voltage. */
static void enter_circuit_column(const nsds_circuit_model *m, int j, int s,
                                 const matrix_column *mass, const matrix_column *A) {
  const nsds_equations *e = m->equations;
  for (int k = j < 0 ? 0 : e->p[j]; j >= 0 && k < e->p[j + 1]; ++k) {
    int row = m->x_of[e->i[k]];
    double base = e->base[k] + (e->i[k] == j && m->tied[j] ? nsds_tie : 0.0);
    if (row >= 0 && e->dynamic[k] != 0.0) enter_sorted(mass, row, e->dynamic[k]);
    if (row >= 0 && base != 0.0) enter_sorted(A, row, -base);
  }
  if (j >= 0 && s >= 0) enter_sorted(A, m->voltage_of[s], 1.0);
  if (j >= 0) return;
  enter_sorted(mass, m->voltage_of[s], model_elements(m)->item[e->owner[s]].value);
  enter_sorted(A, m->x_of[e->branch[e->owner[s]]], -1.0);
}

/* Origin of a column of x: an unknown, and the state of a capacitor with this branch; or a state
 * alone. */
typedef struct column_source {
  int unknown, state;
} column_source;

static void list_sources(const nsds_circuit_model *m, column_source *from) {
  const nsds_equations *e = m->equations;
  for (int x = 0; x < m->nx; ++x) from[x] = (column_source){-1, -1};
  for (int j = 0; j < e->n; ++j)
    if (m->x_of[j] >= 0) from[m->x_of[j]].unknown = j;
  for (int s = 0; s < e->nstate; ++s) {
    if (m->voltage_of[s] < 0) continue;
    from[m->voltage_of[s]].state = s;
    from[m->x_of[e->branch[e->owner[s]]]].state = s;
  }
}

static bool make_matrix(const nsds_circuit_model *m, nsds_circuit_matrix *a, size_t count) {
  NSDS_MAKE(m->context, a->p, (size_t)m->nx + 1);
  NSDS_MAKE(m->context, a->i, count);
  NSDS_MAKE(m->context, a->x, count);
  return a->p && a->i && a->x;
}

/* M and A from the equations, by columns. */
static nsds_status fill_matrices(nsds_circuit_model *m) {
  const nsds_equations *e = m->equations;
  size_t count = (size_t)e->count + 2 * (size_t)e->nstate + 1;
  column_source *from = nsds_alloc(m->context, "the circuit", (size_t)m->nx + 1, sizeof *from);
  bool there = from && make_matrix(m, &m->mass, count) && make_matrix(m, &m->A, count);
  if (there) list_sources(m, from);
  int nmass = 0, nA = 0;
  for (int x = 0; there && x < m->nx; ++x) {
    const matrix_column mass = {&m->mass, nmass, &nmass}, A = {&m->A, nA, &nA};
    enter_circuit_column(m, from[x].unknown, from[x].state, &mass, &A);
    m->mass.p[x + 1] = nmass;
    m->A.p[x + 1] = nA;
  }
  nsds_free(from);
  return there ? NSDS_OK : NSDS_ERROR_MEMORY;
}

static void number_states(nsds_circuit_model *m, bool currents) {
  const nsds_equations *e = m->equations;
  for (int s = 0; s < e->nstate; ++s) {
    int owner = e->owner[s];
    bool voltage = model_elements(m)->item[owner].kind == NSDS_ELEMENT_CAPACITOR;
    m->voltage_of[s] = voltage ? m->nx++ : -1;
    if (!voltage && currents) m->x_of[e->branch[owner]] = m->nx++;
  }
}

/* Numbers x. In a model of others the states come first; a job factors faster with voltages of
 * capacitors last. */
static void number_x(nsds_circuit_model *m) {
  const nsds_equations *e = m->equations;
  for (int k = 0; k < e->n; ++k) m->x_of[k] = -1;
  if (m->in_model) number_states(m, true);
  for (int k = 0; k < e->n; ++k)
    if (m->lambda_of[k] < 0 && m->x_of[k] < 0) m->x_of[k] = m->nx++;
  if (!m->in_model) number_states(m, false);
}

static nsds_status number_circuit(nsds_circuit_model *m) {
  const nsds_equations *e = m->equations;
  size_t n = (size_t)e->n + 1, modes = (size_t)m->modes->count + 1;
  size_t rows = modes + (size_t)model_elements(m)->nstart + n + 1;
  NSDS_MAKE(m->context, m->x_of, n);
  NSDS_MAKE(m->context, m->lambda_of, n);
  NSDS_MAKE(m->context, m->tied, n);
  NSDS_MAKE(m->context, m->voltage_of, (size_t)e->nstate + 1);
  NSDS_MAKE(m->context, m->interaction, modes + (size_t)e->njunction);
  NSDS_MAKE(m->context, m->lambda, modes);
  NSDS_MAKE(m->context, m->row, rows);
  NSDS_MAKE(m->context, m->mode_of, rows);
  if (!m->x_of || !m->lambda_of || !m->tied || !m->voltage_of || !m->interaction || !m->lambda ||
      !m->row || !m->mode_of)
    return NSDS_ERROR_MEMORY;
  for (int k = 0; k < e->n; ++k) m->lambda_of[k] = -1;
  for (int k = 0; k < m->modes->count; ++k) m->lambda_of[e->branch[m->modes->element[k]]] = k;
  for (int k = 0; k < e->njunction; ++k)
    m->lambda_of[e->branch[e->junction[k]]] = m->modes->count + k;
  number_x(m);
  return m->in_model ? nsds_sections_tie(e, m->tied) : NSDS_OK;
}

/* ---- making ---- */

int nsds_circuit_model_state(const nsds_circuit_model *m, int s) {
  const nsds_equations *e = m->equations;
  return m->voltage_of[s] >= 0 ? m->voltage_of[s] : m->x_of[e->branch[e->owner[s]]];
}

/* States; and potentials and currents too, unless z is NULL. */
static void fill_start(const nsds_circuit_model *m, const double *z, const double *state,
                       double *x) {
  for (int k = 0; z && k < m->equations->n; ++k)
    if (m->x_of[k] >= 0) x[m->x_of[k]] = z[k];
  for (int s = 0; s < m->equations->nstate; ++s) x[nsds_circuit_model_state(m, s)] = state[s];
}

static nsds_status make_system(nsds_circuit_model *m, const double *z, const double *state) {
  double *x0 = nsds_alloc(m->context, "the circuit", (size_t)m->nx + 1, sizeof *x0);
  if (!x0) return NSDS_ERROR_MEMORY;
  fill_start(m, z, state, x0);
  ++m->users;
  m->ds = nsds_custom_first_order(
      m->model,
      &(nsds_custom_first_order_def){.ops = m->in_model ? &model_system_ops : &job_system_ops,
                                     .self = m,
                                     .name = "circuit",
                                     .n = m->nx,
                                     .x0 = x0,
                                     .mass = {true, true, m->mass.p, m->mass.i},
                                     .jacobian = {true, true, m->A.p, m->A.i},
                                     .affine = true});
  nsds_free(x0);
  return m->ds ? NSDS_OK : nsds_error(m->context);
}

nsds_status nsds_circuit_model_make(nsds_circuit_model *m, const nsds_circuit_start *start,
                                    const nsds_circuit_owner *owner) {
  *m = (nsds_circuit_model){.context = start->context,
                            .equations = start->modes->equations,
                            .modes = start->modes,
                            .owner = *owner,
                            .model = start->model,
                            .in_model = start->model != NULL,
                            .users = 1};
  nsds_status status = number_circuit(m);
  if (!status) status = fill_matrices(m);
  if (!status && !m->model) m->model = nsds_model_create(m->context);
  if (!status && !m->model) status = NSDS_ERROR_MEMORY;
  if (!status) status = make_system(m, start->solved ? start->z : NULL, start->state);
  if (!status && m->in_model) status = nsds_ds_discretise(m->ds, nsds_euler_moreau(1.0));
  if (!status) status = nsds_rows_connect_modes(m);
  if (!status) status = nsds_junctions_connect(m, start->z);
  if (!status) status = nsds_rows_connect_holds(m);
  if (!status) status = nsds_rows_connect_ties(m);
  return status || !m->in_model ? status : nsds_rows_keep(m);
}

void nsds_circuit_model_free(nsds_circuit_model *m) {
  if (!m->in_model) nsds_model_destroy(m->model);
  void *arrays[] = {m->interaction, m->row,  m->mode_of, m->voltage_of, m->lambda, m->junction,
                    m->x_of,        m->tied, m->size,    m->lambda_of,  m->mass.p, m->mass.i,
                    m->mass.x,      m->A.p,  m->A.i,     m->A.x};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) nsds_free(arrays[k]);
  *m = (nsds_circuit_model){0};
}

static nsds_status circuit_after_step(nsds_simulation *simulation, void *user) {
  (void)simulation;
  const nsds_circuit_model *m = user;
  return m->owner.step(m->owner.user);
}

static void circuit_keep(double *numbers, bool back, void *user) {
  const nsds_circuit_model *m = user;
  m->owner.keep(m->owner.user, &(nsds_keeper){numbers, back});
}

nsds_status nsds_circuit_model_start(nsds_circuit_model *m, double largest, double settling,
                                     bool locate) {
  const nsds_analysis *a = &model_elements(m)->analysis;
  nsds_adaptive_def def = {.t1 = a->end,
                           .largest_step = largest,
                           .settling = settling,
                           .tolerance = a->tolerance > 0.0 ? a->tolerance : NSDS_EQUAL_STEPS,
                           .after_step = m->owner.step ? circuit_after_step : NULL,
                           .nkept = m->owner.nkept,
                           .keep = circuit_keep,
                           .user = m,
                           .by_laws = !locate,
                           .solver = "semismooth_newton"};
  m->simulation = nsds_adaptive(m->model, &def);
  return m->simulation ? NSDS_OK : nsds_error(m->context);
}

nsds_status nsds_circuit_model_rest(nsds_circuit_model *m, double t) {
  double length = 1e6 * fmax(model_elements(m)->analysis.end, 1.0);
  m->resting = true;
  nsds_status status = nsds_adaptive_rest(m->simulation, t, length);
  m->resting = false;
  return status;
}

nsds_status nsds_circuit_model_set(nsds_circuit_model *m, const double *state) {
  double *x = nsds_alloc(m->context, "the circuit", (size_t)m->nx + 1, sizeof *x);
  if (!x) return NSDS_ERROR_MEMORY;
  fill_start(m, NULL, state, x);
  nsds_status status = nsds_set_x(m->ds, x);
  nsds_free(x);
  const double none = 0.0;
  int count = m->modes->count + m->equations->njunction;
  for (int k = 0; !status && k < count; ++k) status = nsds_set_lambda(m->interaction[k], &none);
  for (int k = 0; !status && k < m->modes->count; ++k)
    if (mode_element(m, k)->kind == NSDS_ELEMENT_SWITCH)
      status = nsds_set_on(m->interaction[k], nsds_rows_begin_on(m, mode_element(m, k)));
  return status;
}

bool nsds_circuit_model_start_values(const nsds_circuit_model *m, double *z, double *state) {
  const double *x = nsds_x(m->ds);
  if (!x) return false; /* removed from the model, as the message says */
  for (int k = 0; k < m->equations->n; ++k) {
    int row = m->lambda_of[k];
    const double *lambda = row >= 0 ? nsds_lambda(m->interaction[row]) : NULL;
    if (row >= 0 && !lambda) return false;
    z[k] = m->x_of[k] >= 0 ? x[m->x_of[k]] : nsds_junctions_current(m, row, *lambda);
  }
  for (int s = 0; s < m->equations->nstate; ++s) state[s] = x[nsds_circuit_model_state(m, s)];
  return true;
}

void nsds_circuit_model_unknowns(const nsds_circuit_model *m, const nsds_adaptive_stage *stage,
                                 double *z, double *w, double *state, double *rate) {
  const nsds_equations *e = m->equations;
  for (int k = 0; k < e->n; ++k) {
    int x = m->x_of[k], lambda = m->lambda_of[k];
    z[k] = x >= 0 ? stage->x[x] : nsds_junctions_current(m, lambda, stage->lambda[lambda]);
    w[k] = x >= 0 ? 0.0 : stage->y[lambda];
  }
  for (int s = 0; s < e->nstate; ++s) {
    state[s] = stage->x[nsds_circuit_model_state(m, s)];
    rate[s] = stage->rate[nsds_circuit_model_state(m, s)];
  }
}
