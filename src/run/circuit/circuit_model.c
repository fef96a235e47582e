/*
 * The equations of circuit_equations.c as a differential-algebraic system with laws. The potentials come first in x, with
 * the currents of all branches but diodes and switches, whose currents are lambda. Voltages of capacitors u follow:
 *
 *   node        0 = sum of currents
 *   C           0 = -(v+ - v-) + u,   C du/dt = i
 *   L           sum_j L_j di_j/dt = v+ - v-
 *   otherwise   0 = -(v+ - v-) + what the element adds
 *   D, S        y = -(v+ - v-) + drop + r lambda
 *
 * A diode has the law of complementarity, a switch that is off lambda = 0. At rest, a switch with a small resistance
 * holds each potential that has a start value.
 */
#include "run/circuit/circuit_model.h"

#include "run/circuit/circuit_junctions.h"
#include "base/text/words.h"

#include <nsds/extend.h>
#include <nsds/first_order.h>
#include <nsds/matrix.h>

#include <math.h>
#include <string.h>

static const double holding = 1e-6; /* resistance that holds a potential at its .ic [Ohm] */

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
  memcpy(M, m->mass, (size_t)m->mass_p[m->nx] * sizeof *M);
  return NSDS_OK;
}

static nsds_status circuit_jacobian(void *self, const nsds_arguments *in, double *A) {
  const nsds_circuit_model *m = self;
  (void)in;
  memcpy(A, m->A, (size_t)m->A_p[m->nx] * sizeof *A);
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
    double value = nsds_wave_value(&elements->wave[e->wave], in->t, in->t);
    if (e->kind == NSDS_ELEMENT_VOLTAGE) {
      b[m->x_of[m->equations->branch[k]]] -= value;
      continue;
    }
    inject(m, e->node[0], -value, b);
    inject(m, e->node[1], value, b);
  }
  return NSDS_OK;
}

static const nsds_first_order_ops circuit_system_ops = {
    .type = "circuit", .mass = circuit_mass, .rhs = circuit_b, .jacobian = circuit_jacobian};

/* M and A from the equations, by columns. Voltages of capacitors come behind the other unknowns. */
static nsds_status fill_matrices(nsds_circuit_model *m) {
  const nsds_equations *e = m->equations;
  size_t count = (size_t)e->count + 2 * (size_t)e->nstate + 1, columns = (size_t)m->nx + 1;
  NSDS_MAKE(m->context, m->mass_p, columns);
  NSDS_MAKE(m->context, m->mass_i, count);
  NSDS_MAKE(m->context, m->mass, count);
  NSDS_MAKE(m->context, m->A_p, columns);
  NSDS_MAKE(m->context, m->A_i, count);
  NSDS_MAKE(m->context, m->A, count);
  int *state_of = nsds_alloc(m->context, "the circuit", (size_t)e->n + 1, sizeof *state_of);
  if (!m->mass_p || !m->mass_i || !m->mass || !m->A_p || !m->A_i || !m->A || !state_of) {
    nsds_free(state_of);
    return NSDS_ERROR_MEMORY;
  }
  int nmass = 0, nA = 0;
  for (int j = 0; j < e->n; ++j) state_of[j] = -1;
  for (int s = 0; s < e->nstate; ++s)
    if (m->voltage_of[s] >= 0) state_of[e->branch[e->owner[s]]] = s;
  for (int j = 0; j < e->n; ++j) {
    if (m->x_of[j] < 0) continue;
    for (int k = e->p[j]; k < e->p[j + 1]; ++k) {
      int row = m->x_of[e->i[k]];
      if (row < 0) continue;
      if (e->dynamic[k] != 0.0) m->mass_i[nmass] = row, m->mass[nmass++] = e->dynamic[k];
      if (e->base[k] != 0.0) m->A_i[nA] = row, m->A[nA++] = -e->base[k];
    }
    if (state_of[j] >= 0) m->A_i[nA] = m->voltage_of[state_of[j]], m->A[nA++] = 1.0;
    m->mass_p[m->x_of[j] + 1] = nmass;
    m->A_p[m->x_of[j] + 1] = nA;
  }
  for (int s = 0; s < e->nstate; ++s) {
    int x = m->voltage_of[s];
    if (x < 0) continue;
    m->mass_i[nmass] = x, m->mass[nmass++] = model_elements(m)->item[e->owner[s]].value;
    m->A_i[nA] = m->x_of[e->branch[e->owner[s]]], m->A[nA++] = -1.0;
    m->mass_p[x + 1] = nmass;
    m->A_p[x + 1] = nA;
  }
  nsds_free(state_of);
  return NSDS_OK;
}

static nsds_status number_circuit(nsds_circuit_model *m) {
  const nsds_equations *e = m->equations;
  NSDS_MAKE(m->context, m->x_of, e->n + 1);
  NSDS_MAKE(m->context, m->lambda_of, e->n + 1);
  int switches = m->modes->count + model_elements(m)->nstart + 1;
  NSDS_MAKE(m->context, m->interaction, m->modes->count + e->njunction + 1);
  NSDS_MAKE(m->context, m->switched, switches);
  NSDS_MAKE(m->context, m->mode_of, switches);
  NSDS_MAKE(m->context, m->off_lower, switches);
  NSDS_MAKE(m->context, m->on, switches);
  if (!m->x_of || !m->lambda_of || !m->interaction || !m->switched || !m->mode_of ||
      !m->off_lower || !m->on)
    return NSDS_ERROR_MEMORY;
  for (int k = 0; k < e->n; ++k) m->lambda_of[k] = -1;
  for (int k = 0; k < m->modes->count; ++k) m->lambda_of[e->branch[m->modes->element[k]]] = k;
  for (int k = 0; k < e->njunction; ++k)
    m->lambda_of[e->branch[e->junction[k]]] = m->modes->count + k;
  for (int k = 0; k < e->n; ++k) m->x_of[k] = m->lambda_of[k] < 0 ? m->nx++ : -1;
  NSDS_MAKE(m->context, m->voltage_of, e->nstate + 1);
  if (!m->voltage_of) return NSDS_ERROR_MEMORY;
  for (int s = 0; s < e->nstate; ++s) {
    bool voltage = model_elements(m)->item[e->owner[s]].kind == NSDS_ELEMENT_CAPACITOR;
    m->voltage_of[s] = voltage ? m->nx++ : -1;
  }
  return NSDS_OK;
}

/* ---- laws ---- */

/* ON and OFF count within the hysteresis of a control; a drive by time has its value before the start. */
static bool begins_on(const nsds_circuit_model *m, const nsds_element *element) {
  const nsds_elements *elements = model_elements(m);
  double before = -1e-9 * elements->analysis.end;
  if (element->wave < 0) return element->closed;
  return nsds_wave_value(&elements->wave[element->wave], before, before) > element->threshold;
}

/* The relation of mode k: column of its current in the rows of x, and its own row. */
static nsds_interaction *connect_mode(nsds_circuit_model *m, int k, double *C, double *B) {
  const nsds_equations *e = m->equations;
  const nsds_element *element = mode_element(m, k);
  int own = e->branch[m->modes->element[k]];
  double D = 0.0;
  memset(C, 0, (size_t)m->nx * sizeof *C);
  memset(B, 0, (size_t)m->nx * sizeof *B);
  for (int j = 0; j < e->n; ++j)
    for (int n = e->p[j]; n < e->p[j + 1]; ++n) {
      if (e->i[n] == own && m->x_of[j] >= 0) C[m->x_of[j]] = e->base[n];
      if (j == own && m->x_of[e->i[n]] >= 0) B[m->x_of[e->i[n]]] = -e->base[n];
      if (j == own && e->i[n] == own) D = e->base[n];
    }
  bool gated = element->kind == NSDS_ELEMENT_SWITCH;
  bool both = gated && element->type != NSDS_SWITCH_THYRISTOR;
  nsds_relation *relation = nsds_first_order_linear_relation(
      m->model, &(nsds_first_order_linear_relation_def){.name = element->name,
                                                        .ny = 1,
                                                        .nx = m->nx,
                                                        .C = C,
                                                        .B = B,
                                                        .D = &D,
                                                        .e = &element->drop});
  nsds_law *law = both ? nsds_equality(m->model) : nsds_complementarity(m->model);
  nsds_interaction *interaction = nsds_connect(m->model, relation, law, 1, &m->ds);
  nsds_interaction_set_name(interaction, element->name);
  if (gated) {
    m->switched[m->nswitch] = interaction;
    if (element->type == NSDS_SWITCH_TRANSISTOR)
      m->off_lower[m->nswitch] = -INFINITY; /* its own diode */
    m->on[m->nswitch] = begins_on(m, element);
    m->mode_of[m->nswitch++] = k;
  }
  return m->interaction[k] = interaction;
}

static nsds_status connect_modes(nsds_circuit_model *m) {
  double *C = nsds_alloc(m->context, "the circuit", 2 * (size_t)m->nx + 1, sizeof *C);
  if (!C) return NSDS_ERROR_MEMORY;
  nsds_status status = NSDS_OK;
  for (int k = 0; !status && k < m->modes->count; ++k)
    if (!connect_mode(m, k, C, C + m->nx)) status = nsds_error(m->context);
  nsds_free(C);
  return status;
}

/* A switch of small resistance between a node and the potential it is held at. */
static nsds_status connect_hold(nsds_circuit_model *m, int k, double *C) {
  int node = m->equations->node[model_elements(m)->start[k].node];
  double e = model_elements(m)->start[k].value;
  if (node < 0) return NSDS_OK;
  memset(C, 0, (size_t)m->nx * sizeof *C);
  C[m->x_of[node]] = -1.0;
  nsds_relation *relation = nsds_first_order_linear_relation(
      m->model, &(nsds_first_order_linear_relation_def){
                    .ny = 1, .nx = m->nx, .C = C, .B = C, .D = &holding, .e = &e});
  nsds_interaction *interaction =
      nsds_connect(m->model, relation, nsds_equality(m->model), 1, &m->ds);
  if (!interaction) return nsds_error(m->context);
  m->switched[m->nswitch] = interaction;
  m->mode_of[m->nswitch++] = -1;
  return NSDS_OK;
}

static nsds_status connect_holds(nsds_circuit_model *m) {
  int count = model_elements(m)->analysis.from_initial ? 0 : model_elements(m)->nstart;
  if (count == 0) return NSDS_OK;
  double *C = nsds_alloc(m->context, "the circuit", (size_t)m->nx + 1, sizeof *C);
  nsds_status status = C ? NSDS_OK : NSDS_ERROR_MEMORY;
  for (int k = 0; !status && k < count; ++k) status = connect_hold(m, k, C);
  nsds_free(C);
  return status;
}

/* ---- switches and corners ---- */

static double seen_unknown(const nsds_circuit_model *m, const nsds_adaptive_view *at, int unknown) {
  if (unknown < 0) return 0.0;
  int x = m->x_of[unknown], row = m->lambda_of[unknown];
  return x >= 0 ? at->x[x] : nsds_junctions_current(m, row, at->lambda[row]);
}

static double seen_voltage(const nsds_circuit_model *m, const nsds_adaptive_view *at, int a,
                           int b) {
  const nsds_equations *e = m->equations;
  return seen_unknown(m, at, a < 0 ? -1 : e->node[a]) -
         seen_unknown(m, at, b < 0 ? -1 : e->node[b]);
}

/* A drive by time moves a switch at once, a control with its hysteresis. A thyristor goes on while it conducts. */
static double circuit_margin(const nsds_adaptive_view *at, int k, bool on, void *user) {
  nsds_circuit_model *m = user;
  int mode = m->mode_of[k];
  if (mode < 0) return m->resting == on ? INFINITY : -INFINITY;
  const nsds_element *e = mode_element(m, mode);
  bool thyristor = e->type == NSDS_SWITCH_THYRISTOR;
  if (thyristor && on && at->lambda[mode] > 0.0) return INFINITY;
  if (e->wave >= 0) {
    double value = nsds_wave_value(&model_elements(m)->wave[e->wave], at->t, at->t);
    return (value > e->threshold) == on ? INFINITY : -INFINITY;
  }
  if (m->unseen > 0) return --m->unseen, INFINITY;
  double signal = e->control >= 0 ? seen_unknown(m, at, m->equations->branch[e->control])
                                  : seen_voltage(m, at, e->node[2], e->node[3]);
  return on ? signal - (e->threshold - e->width) : e->threshold + e->width - signal;
}

static double circuit_corner(double t, void *user) {
  const nsds_circuit_model *m = user;
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

/* ---- making ---- */

int nsds_circuit_model_state(const nsds_circuit_model *m, int s) {
  const nsds_equations *e = m->equations;
  return m->voltage_of[s] >= 0 ? m->voltage_of[s] : m->x_of[e->branch[e->owner[s]]];
}

static void fill_start(const nsds_circuit_model *m, const double *z, const double *state,
                       double *x) {
  for (int k = 0; k < m->equations->n; ++k)
    if (m->x_of[k] >= 0) x[m->x_of[k]] = z[k];
  for (int s = 0; s < m->equations->nstate; ++s) x[nsds_circuit_model_state(m, s)] = state[s];
}

nsds_status nsds_circuit_model_make(nsds_circuit_model *m, nsds_context *context,
                                    const nsds_modes *modes, const double *z, const double *state,
                                    const nsds_step_watch *watch) {
  *m = (nsds_circuit_model){
      .context = context, .equations = modes->equations, .modes = modes, .watch = *watch};
  nsds_status status = number_circuit(m);
  if (!status) status = fill_matrices(m);
  if (status) return status;
  double *x0 = nsds_alloc(context, "the circuit", (size_t)m->nx + 1, sizeof *x0);
  m->model = nsds_model_create(context);
  if (!x0 || !m->model) {
    nsds_free(x0);
    return NSDS_ERROR_MEMORY;
  }
  fill_start(m, z, state, x0);
  m->ds = nsds_custom_first_order(
      m->model, &(nsds_custom_first_order_def){.ops = &circuit_system_ops,
                                               .self = m,
                                               .name = "circuit",
                                               .n = m->nx,
                                               .x0 = x0,
                                               .mass = {true, true, m->mass_p, m->mass_i},
                                               .jacobian = {true, true, m->A_p, m->A_i},
                                               .affine = true});
  nsds_free(x0);
  if (!m->ds) return nsds_error(context);
  status = connect_modes(m);
  if (!status) status = nsds_junctions_connect(m, z);
  return status ? status : connect_holds(m);
}

void nsds_circuit_model_free(nsds_circuit_model *m) {
  nsds_model_destroy(m->model);
  void *arrays[] = {m->interaction, m->switched, m->mode_of,   m->voltage_of, m->off_lower, m->on,
                    m->junction,    m->x_of,     m->lambda_of, m->mass_p,     m->mass_i,    m->A_p,
                    m->A_i,         m->mass,     m->A,         m->size};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) nsds_free(arrays[k]);
  *m = (nsds_circuit_model){0};
}

/* The first look at the switches is at the start, whose potentials may be any; the next is at a solution. */
static void start_unseen(nsds_circuit_model *m) {
  m->unseen = 0;
  for (int k = 0; k < m->nswitch; ++k)
    m->unseen += m->mode_of[k] >= 0 && mode_element(m, m->mode_of[k])->wave < 0;
}

static nsds_status circuit_after_step(nsds_simulation *simulation, void *user) {
  (void)simulation;
  const nsds_circuit_model *m = user;
  return m->watch.step(m->watch.user);
}

static void circuit_keep(double *numbers, bool back, void *user) {
  const nsds_circuit_model *m = user;
  m->watch.keep(m->watch.user, &(nsds_keeper){numbers, back});
}

nsds_status nsds_circuit_model_start(nsds_circuit_model *m, double largest, double settling,
                                     bool locate) {
  const nsds_analysis *a = &model_elements(m)->analysis;
  nsds_adaptive_def def = {.t1 = a->end,
                           .largest_step = largest,
                           .settling = settling,
                           .tolerance = a->tolerance > 0.0 ? a->tolerance : NSDS_EQUAL_STEPS,
                           .size = m->size,
                           .next_corner = circuit_corner,
                           .nswitch = m->nswitch,
                           .switched = m->switched,
                           .off_lower = m->off_lower,
                           .margin = circuit_margin,
                           .on = m->on,
                           .after_step = circuit_after_step,
                           .nkept = m->watch.nkept,
                           .keep = circuit_keep,
                           .user = m,
                           .by_laws = !locate,
                           .solver = "semismooth_newton"};
  if (a->from_initial) start_unseen(m);
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

nsds_status nsds_circuit_model_set(nsds_circuit_model *m, const double *z, const double *state) {
  double *x = nsds_alloc(m->context, "the circuit", (size_t)m->nx + 1, sizeof *x);
  if (!x) return NSDS_ERROR_MEMORY;
  fill_start(m, z, state, x);
  start_unseen(m);
  nsds_status status = nsds_set_x(m->ds, x);
  nsds_free(x);
  const double none = 0.0;
  int count = m->modes->count + m->equations->njunction;
  for (int k = 0; !status && k < count; ++k) status = nsds_set_lambda(m->interaction[k], &none);
  return status;
}

void nsds_circuit_model_start_values(const nsds_circuit_model *m, double *z, double *state) {
  const double *x = nsds_x(m->ds);
  for (int k = 0; k < m->equations->n; ++k) {
    int lambda = m->lambda_of[k];
    z[k] = m->x_of[k] >= 0
               ? x[m->x_of[k]]
               : nsds_junctions_current(m, lambda, *nsds_lambda(m->interaction[lambda]));
  }
  for (int s = 0; s < m->equations->nstate; ++s) state[s] = x[nsds_circuit_model_state(m, s)];
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
