/*
 * Modified nodal analysis with a current for each element that is not a conductance. With the
 * current i of a branch in the row of n+ and -i in that of n-, and the branch's row
 *
 *   V, E, H   0 = -(v+ - v-) + E(t), gain (vc+ - vc-), r ic
 *   C         0 = -(v+ - v-) + u,   C du/dt = i
 *   L         0 = -(v+ - v-) + sum_j L_j di_j/dt
 *   D         w = -(v+ - v-) + drop + r i,   0 <= w perpendicular to i >= 0
 *   S         w = -(v+ - v-) + drop + r i,   i free when closed, 0 when open
 *   junction  its current in the rows of its nodes; circuit_junctions.c has the rest
 *   T         0 = -(v1+ - v1-) + n (v2+ - v2-),   n i leaves the second winding
 *
 * M is positive semidefinite where no source is controlled: what is in the rows of potentials of
 * currents is minus its transpose. Capacitors and small resistors are branches too: rows of nodes
 * then have entries 1 and -1, elimination by which is exact. D and S have a small conductance
 * beside them, so that sections between open ones have a potential. Conductances C / a may be 1e15
 * times larger, and the small one would be lost beside them.
 */
#include "run/circuit/circuit_equations.h"

#include "base/text/words.h"

#include <nsds/matrix.h>

#include <math.h>
#include <string.h>

static const double least_conductance_form = 1.0; /* [Ohm]; smaller resistors are branches */

/* Triplets of base and dynamic, of the same places. */
typedef struct entry_list {
  int count, capacity;
  nsds_triplet *base, *dynamic;
  int base_capacity, dynamic_capacity;
  bool failed;
  nsds_context *context;
} entry_list;

static void enter_value(entry_list *list, int row, int column, double base, double dynamic) {
  if (row < 0 || column < 0 || list->failed) return;
  if (nsds_room(list->context, &list->base, &list->base_capacity, list->count + 1,
                sizeof *list->base) ||
      nsds_room(list->context, &list->dynamic, &list->dynamic_capacity, list->count + 1,
                sizeof *list->dynamic)) {
    list->failed = true;
    return;
  }
  list->base[list->count] = (nsds_triplet){row, column, base};
  list->dynamic[list->count++] = (nsds_triplet){row, column, dynamic};
}

/* A conductance, or transconductance, from (a, b) to (c, d). */
static void add_conductance(entry_list *list, int a, int b, int c, int d, double base,
                            double dynamic) {
  enter_value(list, a, c, base, dynamic);
  enter_value(list, a, d, -base, -dynamic);
  enter_value(list, b, c, -base, -dynamic);
  enter_value(list, b, d, base, dynamic);
}

static int unknown_of(const nsds_equations *e, const nsds_element *element, int k) {
  return element->node[k] < 0 ? -1 : e->node[element->node[k]];
}

static bool has_branch(const nsds_element *element) {
  switch (element->kind) {
  case NSDS_ELEMENT_RESISTOR: return element->value < least_conductance_form;
  case NSDS_ELEMENT_CURRENT:
  case NSDS_ELEMENT_F:
  case NSDS_ELEMENT_G: return false;
  default: return true;
  }
}

/* The branch's current in the rows of its nodes, and -(v+ - v-) in its own. */
static void add_branch(const nsds_equations *e, entry_list *list, const nsds_element *element,
                       int row) {
  int a = unknown_of(e, element, 0), b = unknown_of(e, element, 1);
  enter_value(list, a, row, 1.0, 0.0);
  enter_value(list, b, row, -1.0, 0.0);
  double sign = element->kind == NSDS_ELEMENT_JUNCTION
                    ? 0.0
                    : -1.0; /* a junction's are found by Newton's method */
  enter_value(list, row, a, sign, 0.0);
  enter_value(list, row, b, -sign, 0.0);
}

static void add_transformer(const nsds_equations *e, entry_list *list, const nsds_element *element,
                            int row) {
  int c = unknown_of(e, element, 2), d = unknown_of(e, element, 3);
  enter_value(list, c, row, -element->value, 0.0);
  enter_value(list, d, row, element->value, 0.0);
  enter_value(list, row, c, element->value, 0.0);
  enter_value(list, row, d, -element->value, 0.0);
}

/* Adds the equations of an element beside its branch. */
static void add_element_entries(const nsds_equations *e, entry_list *list, int k) {
  const nsds_element *element = &e->elements->item[k];
  int a = unknown_of(e, element, 0), b = unknown_of(e, element, 1), row = e->branch[k];
  int c = unknown_of(e, element, 2), d = unknown_of(e, element, 3);
  int control = element->control < 0 ? -1 : e->branch[element->control];
  if (row >= 0) add_branch(e, list, element, row);
  switch (element->kind) {
  case NSDS_ELEMENT_RESISTOR:
    if (row < 0) add_conductance(list, a, b, a, b, 1.0 / element->value, 0.0);
    else enter_value(list, row, row, element->value, 0.0);
    break;
  case NSDS_ELEMENT_INDUCTOR: enter_value(list, row, row, 0.0, element->value); break;
  case NSDS_ELEMENT_E:
    enter_value(list, row, c, element->value, 0.0);
    enter_value(list, row, d, -element->value, 0.0);
    break;
  case NSDS_ELEMENT_F:
    enter_value(list, a, control, element->value, 0.0);
    enter_value(list, b, control, -element->value, 0.0);
    break;
  case NSDS_ELEMENT_G: add_conductance(list, a, b, c, d, element->value, 0.0); break;
  case NSDS_ELEMENT_H: enter_value(list, row, control, element->value, 0.0); break;
  case NSDS_ELEMENT_DIODE:
  case NSDS_ELEMENT_SWITCH:
    enter_value(list, row, row, element->value, 0.0);
    add_conductance(list, a, b, a, b, element->leak, 0.0);
    break;
  case NSDS_ELEMENT_JUNCTION: add_conductance(list, a, b, a, b, element->leak, 0.0); break;
  case NSDS_ELEMENT_TRANSFORMER: add_transformer(e, list, element, row); break;
  case NSDS_ELEMENT_VOLTAGE:
  case NSDS_ELEMENT_CURRENT:
  case NSDS_ELEMENT_CAPACITOR: break;
  }
}

double nsds_equations_mutual(const nsds_elements *elements, const nsds_coupling *c) {
  return c->k * sqrt(elements->item[c->first].value * elements->item[c->second].value);
}

static void list_entries(const nsds_equations *e, entry_list *list) {
  const nsds_elements *elements = e->elements;
  for (int k = 0; k < e->n; ++k) enter_value(list, k, k, 0.0, 0.0);
  for (int k = 0; k < elements->count; ++k) add_element_entries(e, list, k);
  for (int k = 0; k < elements->ncoupling; ++k) {
    const nsds_coupling *c = &elements->coupling[k];
    int a = e->branch[c->first], b = e->branch[c->second];
    enter_value(list, a, b, 0.0, nsds_equations_mutual(elements, c));
    enter_value(list, b, a, 0.0, nsds_equations_mutual(elements, c));
  }
}

/* ---- making ---- */

static nsds_context *context_of(const nsds_equations *e) {
  return e->elements->netlist->job->context;
}

static nsds_status number_unknowns(nsds_equations *e, const bool *reference) {
  const nsds_elements *elements = e->elements;
  size_t nodes = (size_t)elements->node.count + 1, count = (size_t)elements->count + 1;
  NSDS_MAKE(context_of(e), e->node, nodes);
  NSDS_MAKE(context_of(e), e->branch, count);
  NSDS_MAKE(context_of(e), e->state, count);
  NSDS_MAKE(context_of(e), e->owner, count);
  NSDS_MAKE(context_of(e), e->junction, count);
  if (!e->node || !e->branch || !e->state || !e->owner || !e->junction) return NSDS_ERROR_MEMORY;
  for (int k = 0; k < elements->node.count; ++k) e->node[k] = reference[k] ? -1 : e->n++;
  e->nnode = e->n;
  for (int k = 0; k < elements->count; ++k) {
    const nsds_element *element = &elements->item[k];
    e->branch[k] = has_branch(element) ? e->n++ : -1;
    bool state = element->kind == NSDS_ELEMENT_CAPACITOR || element->kind == NSDS_ELEMENT_INDUCTOR;
    e->state[k] = state ? e->nstate : -1;
    if (state) e->owner[e->nstate++] = k;
    if (element->kind == NSDS_ELEMENT_JUNCTION) e->junction[e->njunction++] = k;
  }
  return NSDS_OK;
}

static nsds_status compress(nsds_equations *e, const entry_list *list) {
  size_t count = (size_t)list->count + 1, n = (size_t)e->n + 1;
  nsds_csc out;
  NSDS_MAKE(context_of(e), e->p, n);
  NSDS_MAKE(context_of(e), e->i, count);
  NSDS_MAKE(context_of(e), e->base, count);
  NSDS_MAKE(context_of(e), e->dynamic, count);
  if (!e->p || !e->i || !e->base || !e->dynamic) return NSDS_ERROR_MEMORY;
  nsds_status status =
      nsds_triplets_to_csc(e->n, e->n, list->count, list->dynamic, e->p, e->i, e->dynamic, &out);
  if (!status)
    status = nsds_triplets_to_csc(e->n, e->n, list->count, list->base, e->p, e->i, e->base, &out);
  if (status) return status;
  e->count = e->p[e->n];
  return NSDS_OK;
}

nsds_status nsds_equations_make(nsds_equations *e, const nsds_elements *elements,
                                const bool *reference) {
  *e = (nsds_equations){.elements = elements};
  entry_list list = {.context = context_of(e)};
  nsds_status status = number_unknowns(e, reference);
  if (!status) {
    list_entries(e, &list);
    status = list.failed ? NSDS_ERROR_MEMORY : compress(e, &list);
  }
  nsds_free(list.base);
  nsds_free(list.dynamic);
  return status;
}

void nsds_equations_free(nsds_equations *e) {
  nsds_free(e->node);
  nsds_free(e->branch);
  nsds_free(e->state);
  nsds_free(e->owner);
  nsds_free(e->junction);
  nsds_free(e->p);
  nsds_free(e->i);
  nsds_free(e->base);
  nsds_free(e->dynamic);
  *e = (nsds_equations){0};
}

/* ---- values ---- */

double nsds_equations_voltage(const nsds_equations *e, const double *z, const nsds_element *element,
                              int k) {
  int a = unknown_of(e, element, k), b = unknown_of(e, element, k + 1);
  return (a < 0 ? 0.0 : z[a]) - (b < 0 ? 0.0 : z[b]);
}

/* The first element at a node. */
static nsds_place place_of_node(const nsds_elements *elements, int node) {
  for (int k = 0; k < elements->count; ++k)
    for (int end = 0; end < 4; ++end)
      if (elements->item[k].node[end] == node) return elements->item[k].place;
  return elements->analysis.place;
}

const char *nsds_equations_row_name(const nsds_equations *e, int row, const char **kind,
                                    nsds_place *place) {
  *kind = "node";
  for (int k = 0; k < e->elements->node.count; ++k)
    if (row >= 0 && e->node[k] == row) {
      *place = place_of_node(e->elements, k);
      return e->elements->node.name[k];
    }
  *kind = "element";
  for (int k = 0; k < e->elements->count; ++k)
    if (row >= 0 && e->branch[k] == row) {
      *place = e->elements->item[k].place;
      return e->elements->item[k].name;
    }
  *kind = "the whole";
  *place = e->elements->analysis.place;
  return "circuit";
}
