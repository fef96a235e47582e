/*
 * Rows with a law: diodes and switches, potentials that are held at the start, and ties
 * (circuit_model.c). Margins tell when switches move.
 */
#include "run/circuit/circuit_rows.h"

#include "run/circuit/circuit_junctions.h"

#include <nsds/extend.h>
#include <nsds/first_order.h>

#include <math.h>
#include <string.h>

static const double holding = 1e-6; /* resistance that holds a potential at its .ic [Ohm] */

static const nsds_elements *row_elements(const nsds_circuit_model *m) {
  return m->equations->elements;
}

static const nsds_element *row_element(const nsds_circuit_model *m, int k) {
  return &row_elements(m)->item[m->modes->element[k]];
}

static double at_place(const double *x, int place) { return place < 0 ? 0.0 : x[place]; }

static nsds_status row_output(void *self, const nsds_arguments *in, double *y) {
  const nsds_circuit_row *r = self;
  y[0] = r->e + r->d * in->lambda[0] - at_place(in->x, r->plus) + at_place(in->x, r->minus);
  return NSDS_OK;
}

/* Writes a column that has minus `value` at n+ and `value` at n-. */
static nsds_status row_column(const nsds_circuit_row *r, double value, double *out) {
  memset(out, 0, (size_t)r->model->nx * sizeof *out);
  if (r->plus >= 0) out[r->plus] -= value;
  if (r->minus >= 0) out[r->minus] += value;
  return NSDS_OK;
}

static nsds_status row_c(void *self, const nsds_arguments *in, double *C) {
  (void)in;
  return row_column(self, 1.0, C);
}

static nsds_status row_b(void *self, const nsds_arguments *in, double *B) {
  const nsds_circuit_row *r = self;
  (void)in;
  return row_column(r, r->sign, B);
}

static nsds_status row_input(void *self, const nsds_arguments *in, double *r) {
  const nsds_circuit_row *row = self;
  return row_column(row, row->sign * in->lambda[0], r);
}

static nsds_status row_d(void *self, const nsds_arguments *in, double *D) {
  const nsds_circuit_row *r = self;
  (void)in;
  D[0] = r->d;
  return NSDS_OK;
}

/* Tells if potentials are known. At a start from states alone all of them are zero. */
static bool is_solved(const nsds_circuit_model *m, const double *x) {
  for (int k = 0; k < m->equations->nnode; ++k)
    if (x[m->x_of[k]] != 0.0) return true;
  return false;
}

static double seen_potential(const nsds_circuit_model *m, const double *x, int node) {
  int unknown = node < 0 ? -1 : m->equations->node[node];
  return unknown < 0 ? 0.0 : x[m->x_of[unknown]];
}

/* A drive by time moves a switch at once, a control with its hysteresis. A thyristor goes on while
 * it conducts. */
static double row_margin(void *self, const nsds_arguments *in, bool on) {
  const nsds_circuit_row *r = self;
  const nsds_circuit_model *m = r->model;
  if (r->mode < 0) return m->resting == on ? INFINITY : -INFINITY;
  const nsds_element *e = row_element(m, r->mode);
  bool thyristor = e->type == NSDS_SWITCH_THYRISTOR;
  if (thyristor && on && in->lambda[0] > 0.0) return INFINITY;
  if (e->wave >= 0) {
    double value = nsds_wave_at_end(&row_elements(m)->wave[e->wave], in->t);
    return (value > e->threshold) == on ? INFINITY : -INFINITY;
  }
  if (!is_solved(m, in->x)) return INFINITY;
  double signal = e->control >= 0
                      ? in->x[m->x_of[m->equations->branch[e->control]]]
                      : seen_potential(m, in->x, e->node[2]) - seen_potential(m, in->x, e->node[3]);
  return on ? signal - (e->threshold - e->width) : e->threshold + e->width - signal;
}

static nsds_status row_look(void *self, const nsds_arguments *in) {
  const nsds_circuit_row *r = self;
  r->model->lambda[r->mode] = in->lambda[0];
  return NSDS_OK;
}

static void row_release(void *self) { nsds_circuit_model_drop(((nsds_circuit_row *)self)->model); }

#define ROW_OPS                                                                                    \
  .output = row_output, .jacobian_q = row_c, .jacobian_lambda = row_d, .input = row_input,         \
  .input_lambda = row_b, .destroy = row_release
static const nsds_relation_ops tie_ops = {.type = "tied potential", ROW_OPS};
static const nsds_relation_ops hold_ops = {.type = "potential", ROW_OPS, .margin = row_margin};
static const nsds_relation_ops diode_ops = {.type = "diode", ROW_OPS};
static const nsds_relation_ops switch_ops = {.type = "switch", ROW_OPS, .margin = row_margin};
static const nsds_relation_ops seen_diode_ops = {.type = "diode", ROW_OPS, .look = row_look};
static const nsds_relation_ops seen_switch_ops = {
    .type = "switch", ROW_OPS, .margin = row_margin, .look = row_look};

/* ON and OFF count within the hysteresis of a control; a drive by time has its value before the
 * start. */
bool nsds_rows_begin_on(const nsds_circuit_model *m, const nsds_element *element) {
  const nsds_elements *elements = row_elements(m);
  double before = -1e-9 * elements->analysis.end;
  if (element->wave < 0) return element->closed;
  return nsds_wave_value(&elements->wave[element->wave], before, before) > element->threshold;
}

/* Makes the relation of a row that has been filled in. */
static nsds_relation *make_row(nsds_circuit_model *m, nsds_circuit_row row,
                               const nsds_custom_relation_def *like) {
  nsds_circuit_row *kept = &m->row[m->nrow++];
  *kept = row;
  kept->model = m;
  nsds_custom_relation_def def = *like;
  def.self = kept;
  def.ny = 1;
  def.nq = m->nx;
  def.affine = true;
  ++m->users;
  return nsds_custom_relation(m->model, &def);
}

static nsds_interaction *connect_row(nsds_circuit_model *m, nsds_circuit_row row,
                                     const nsds_custom_relation_def *like, nsds_law *law) {
  nsds_interaction *interaction = nsds_connect(m->model, make_row(m, row, like), law, 1, &m->ds);
  if (interaction && like->name) nsds_interaction_set_name(interaction, like->name);
  return interaction;
}

nsds_status nsds_rows_keep(nsds_circuit_model *m) {
  nsds_circuit_row row = {.mode = -1, .plus = -1, .minus = -1};
  return make_row(m, row, &(nsds_custom_relation_def){.ops = &tie_ops, .name = "circuit"})
             ? NSDS_OK
             : nsds_error(m->context);
}

static int row_place(const nsds_circuit_model *m, int node) {
  int unknown = node < 0 ? -1 : m->equations->node[node];
  return unknown < 0 ? -1 : m->x_of[unknown];
}

static nsds_interaction *connect_mode(nsds_circuit_model *m, int k) {
  const nsds_element *element = row_element(m, k);
  bool gated = element->kind == NSDS_ELEMENT_SWITCH;
  bool both = gated && element->type != NSDS_SWITCH_THYRISTOR;
  const nsds_relation_ops *ops = gated ? (m->in_model ? &seen_switch_ops : &switch_ops)
                                       : (m->in_model ? &seen_diode_ops : &diode_ops);
  nsds_custom_relation_def def = {.ops = ops, .name = element->name};
  if (gated) {
    def.on = nsds_rows_begin_on(m, element);
    if (element->type == NSDS_SWITCH_TRANSISTOR) def.off_lower = -INFINITY; /* its own diode */
    m->mode_of[m->nswitch++] = k;
  }
  return connect_row(m,
                     (nsds_circuit_row){.mode = k,
                                        .plus = row_place(m, element->node[0]),
                                        .minus = row_place(m, element->node[1]),
                                        .sign = 1.0,
                                        .d = element->value,
                                        .e = element->drop},
                     &def, both ? nsds_equality(m->model) : nsds_complementarity(m->model));
}

nsds_status nsds_rows_connect_modes(nsds_circuit_model *m) {
  for (int k = 0; k < m->modes->count; ++k)
    if (!(m->interaction[k] = connect_mode(m, k))) return nsds_error(m->context);
  return NSDS_OK;
}

/* A switch of small resistance between a node and the potential it is held at. */
nsds_status nsds_rows_connect_holds(nsds_circuit_model *m) {
  const nsds_elements *elements = row_elements(m);
  if (elements->analysis.from_initial || m->in_model) return NSDS_OK;
  for (int k = 0; k < elements->nstart; ++k) {
    int place = row_place(m, elements->start[k].node);
    if (place < 0) continue;
    nsds_circuit_row row = {.mode = -1,
                            .plus = place,
                            .minus = -1,
                            .sign = 1.0,
                            .d = holding,
                            .e = elements->start[k].value};
    m->mode_of[m->nswitch++] = -1;
    if (!connect_row(m, row, &(nsds_custom_relation_def){.ops = &hold_ops},
                     nsds_equality(m->model)))
      return nsds_error(m->context);
  }
  return NSDS_OK;
}

/* The rows whose lambda cancels the current of a tie. */
nsds_status nsds_rows_connect_ties(nsds_circuit_model *m) {
  for (int k = 0; k < m->equations->nnode; ++k) {
    if (!m->tied[k]) continue;
    nsds_circuit_row row = {
        .mode = -1, .plus = m->x_of[k], .minus = -1, .sign = -1.0, .d = 1.0 / nsds_tie};
    if (!connect_row(m, row, &(nsds_custom_relation_def){.ops = &tie_ops}, nsds_equality(m->model)))
      return nsds_error(m->context);
  }
  return NSDS_OK;
}
