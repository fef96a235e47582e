/*
 * Diodes with a junction, as relations. lambda is the voltage u of the junction itself, g(u) = Is
 * (exp(u / Vt) - 1) its current:
 *
 *   0 = u + R g(u) - (v+ - v-),   r = B g(u)
 */
#include "run/circuit/circuit_junctions.h"

#include "base/text/words.h"

#include <nsds/extend.h>

#include <math.h>
#include <string.h>

typedef struct nsds_junction_relation {
  nsds_circuit_model *model;
  const nsds_element *element;
  int own; /* unknown of its current */
} nsds_junction_relation;

static double junction_current(const nsds_element *e, double u) {
  return e->saturation * expm1(u / e->thermal);
}

static double junction_slope(const nsds_element *e, double u) {
  return e->saturation / e->thermal * exp(u / e->thermal);
}

static double potential_of(const nsds_circuit_model *m, int node, const double *x) {
  int unknown = node < 0 ? -1 : m->equations->node[node];
  return unknown < 0 ? 0.0 : x[m->x_of[unknown]];
}

static nsds_status junction_output(void *self, const nsds_arguments *in, double *y) {
  const nsds_junction_relation *j = self;
  const nsds_element *e = j->element;
  double u = in->lambda[0];
  y[0] = u + e->value * junction_current(e, u) - potential_of(j->model, e->node[0], in->x) +
         potential_of(j->model, e->node[1], in->x);
  return NSDS_OK;
}

static nsds_status junction_c(void *self, const nsds_arguments *in, double *C) {
  const nsds_junction_relation *j = self;
  const nsds_circuit_model *m = j->model;
  (void)in;
  memset(C, 0, (size_t)m->nx * sizeof *C);
  for (int k = 0; k < 2; ++k) {
    int node = j->element->node[k], unknown = node < 0 ? -1 : m->equations->node[node];
    if (unknown >= 0) C[m->x_of[unknown]] += k == 0 ? -1.0 : 1.0;
  }
  return NSDS_OK;
}

static nsds_status junction_d(void *self, const nsds_arguments *in, double *D) {
  const nsds_junction_relation *j = self;
  D[0] = 1.0 + j->element->value * junction_slope(j->element, in->lambda[0]);
  return NSDS_OK;
}

/* Minus the column of its current in the rows of x, times a factor. */
static void junction_column(const nsds_junction_relation *j, double factor, double *out) {
  const nsds_circuit_model *m = j->model;
  const nsds_equations *e = m->equations;
  memset(out, 0, (size_t)m->nx * sizeof *out);
  for (int k = e->p[j->own]; k < e->p[j->own + 1]; ++k)
    if (m->x_of[e->i[k]] >= 0) out[m->x_of[e->i[k]]] = -e->base[k] * factor;
}

static nsds_status junction_input(void *self, const nsds_arguments *in, double *r) {
  const nsds_junction_relation *j = self;
  junction_column(j, junction_current(j->element, in->lambda[0]), r);
  return NSDS_OK;
}

static nsds_status junction_b(void *self, const nsds_arguments *in, double *B) {
  const nsds_junction_relation *j = self;
  junction_column(j, junction_slope(j->element, in->lambda[0]), B);
  return NSDS_OK;
}

/* A step up that Newton's method asks for, bounded. */
static double limited_voltage(const nsds_element *e, double from, double to) {
  double thermal = e->thermal, critical = thermal * log(thermal / (sqrt(2.0) * e->saturation));
  if (to <= critical || fabs(to - from) <= 2.0 * thermal) return to;
  if (from > 0.0) {
    double grown = 1.0 + (to - from) / thermal;
    return grown > 0.0 ? from + thermal * log(grown) : critical;
  }
  return thermal * log(fmax(to / thermal, 1.0));
}

static bool junction_limit(void *self, const double *from, double *lambda) {
  const nsds_junction_relation *j = self;
  double to = limited_voltage(j->element, from[0], lambda[0]);
  bool changed = to != lambda[0];
  lambda[0] = to;
  return changed;
}

static void junction_release(void *self) {
  nsds_circuit_model_drop(((nsds_junction_relation *)self)->model);
}

static const nsds_relation_ops junction_ops = {.type = "junction",
                                               .output = junction_output,
                                               .jacobian_q = junction_c,
                                               .jacobian_lambda = junction_d,
                                               .input = junction_input,
                                               .input_lambda = junction_b,
                                               .limit = junction_limit,
                                               .destroy = junction_release};

nsds_status nsds_junctions_connect(nsds_circuit_model *m, const double *z) {
  const nsds_equations *e = m->equations;
  NSDS_MAKE(m->context, m->junction, e->njunction + 1);
  if (!m->junction) return NSDS_ERROR_MEMORY;
  for (int k = 0; k < e->njunction; ++k) {
    const nsds_element *element = &e->elements->item[e->junction[k]];
    int own = e->branch[e->junction[k]];
    m->junction[k] = (nsds_junction_relation){m, element, own};
    ++m->users;
    nsds_relation *relation =
        nsds_custom_relation(m->model, &(nsds_custom_relation_def){.ops = &junction_ops,
                                                                   .self = &m->junction[k],
                                                                   .name = element->name,
                                                                   .ny = 1,
                                                                   .nq = m->nx});
    nsds_interaction *interaction =
        nsds_connect(m->model, relation, nsds_equality(m->model), 1, &m->ds);
    double u = element->thermal * log1p(fmax(z[own] / element->saturation, -0.5));
    nsds_interaction_set_name(interaction, element->name);
    if (!interaction || nsds_set_lambda(interaction, &u)) return nsds_error(m->context);
    m->interaction[m->modes->count + k] = interaction;
  }
  return NSDS_OK;
}

double nsds_junctions_current(const nsds_circuit_model *m, int row, double lambda) {
  int junction = row - m->modes->count;
  return junction < 0 ? lambda : junction_current(m->junction[junction].element, lambda);
}
