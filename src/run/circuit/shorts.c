/*
 * Sources and what conducts without resistance give potentials, node by node from one node of a
 * suspect element:
 *
 *   v(n+) - v(n-) = E of a voltage source, the drop of a conducting ideal diode, 0 of a closed
 *   ideal switch
 *
 * An element between two nodes whose potentials are known closes a loop. The loop is a short if the
 * potentials contradict the element. An element is suspect if the voltage at its RMIN counts beside
 * the sources.
 */
#include "run/circuit/shorts.h"

#include "base/text/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double counts = 1e-3; /* voltage, relative to the largest source */

/* A search over nodes; place 0 is the ground. */
typedef struct short_search {
  const nsds_elements *elements;
  double t, least;   /* voltage that counts [V] */
  bool *bare;        /* by element: a source, or conducts without resistance */
  double *across;    /* by bare element: voltage from n+ to n- that it asks for */
  double *potential; /* by place */
  int *queue, *by;   /* places in the order of arrival; by place: the element that led there, -1 */
  int *depth;        /* by place: elements back to the first one; -1: not reached */
} short_search;

static bool asks_for_voltage(const nsds_element *e) {
  return nsds_element_does_set(e, NSDS_SETS_VOLTAGE);
}

static void mark_bare(short_search *s, const nsds_modes *m, const double *z) {
  const double least = s->elements->analysis.least_resistance;
  for (int k = 0; k < s->elements->count; ++k) {
    const nsds_element *e = &s->elements->item[k];
    s->bare[k] = asks_for_voltage(e) || (e->kind == NSDS_ELEMENT_RESISTOR && e->value == 0.0);
    if (asks_for_voltage(e)) s->across[k] = nsds_equations_voltage(m->equations, z, e, 0);
  }
  for (int k = 0; k < m->count; ++k) {
    const nsds_element *e = &s->elements->item[m->element[k]];
    s->bare[m->element[k]] = m->conducts[k] && e->value <= least;
    if (e->kind == NSDS_ELEMENT_DIODE) s->across[m->element[k]] = e->drop;
  }
}

static int other_end(const short_search *s, int k, int place) {
  const nsds_element *e = &s->elements->item[k];
  return e->node[0] + 1 == place ? e->node[1] + 1 : e->node[0] + 1;
}

/* Takes element k from a place that is reached. Returns true if it contradicts its potentials. */
static bool go_over(short_search *s, int k, int place, int *tail) {
  const nsds_element *e = &s->elements->item[k];
  int to = other_end(s, k, place);
  double across = e->node[0] + 1 == place ? s->across[k] : -s->across[k];
  double there = s->potential[place] - across;
  if (s->depth[to] >= 0) return fabs(s->potential[to] - there) > s->least;
  s->potential[to] = there;
  s->depth[to] = s->depth[place] + 1;
  s->by[to] = k;
  s->queue[(*tail)++] = to;
  return false;
}

/* The element that closes a short in what hangs together with a place; -1: none. */
static int find_closing(short_search *s, int start) {
  int head = 0, tail = 0;
  for (int k = 0; k <= s->elements->node.count; ++k) s->depth[k] = s->by[k] = -1;
  s->depth[start] = 0;
  s->potential[start] = 0.0;
  s->queue[tail++] = start;
  for (; head < tail; ++head)
    for (int k = 0; k < s->elements->count; ++k) {
      const nsds_element *e = &s->elements->item[k];
      int place = s->queue[head];
      if (!s->bare[k] || (e->node[0] + 1 != place && e->node[1] + 1 != place)) continue;
      if (go_over(s, k, place, &tail)) return k;
    }
  return -1;
}

static void add_name(char *words, size_t size, const char *name) {
  size_t used = strlen(words);
  snprintf(words + used, size - used, "%s%s", used ? ", " : "", name);
}

/* Names the loop that an element closes: from its ends back to where both ways meet. */
static nsds_status refuse_loop(const short_search *s, int closing, double i) {
  const nsds_elements *elements = s->elements;
  const nsds_element *e = &elements->item[closing];
  char names[300] = "", nodes[300] = "";
  nsds_place place = e->place;
  int a = e->node[0] + 1, b = e->node[1] + 1;
  add_name(names, sizeof names, e->name);
  while (a != b) {
    int *deeper = s->depth[a] >= s->depth[b] ? &a : &b;
    const nsds_element *last = &elements->item[s->by[*deeper]];
    add_name(names, sizeof names, last->name);
    add_name(nodes, sizeof nodes, nsds_elements_node_name(elements, *deeper - 1));
    if (!asks_for_voltage(last)) place = last->place;
    *deeper = other_end(s, s->by[*deeper], *deeper);
  }
  add_name(nodes, sizeof nodes, nsds_elements_node_name(elements, a - 1));
  return nsds_netlist_report(
      elements->netlist, place, NSDS_ERROR_VALUE,
      "t = %g s: %s short a source, in a loop through nodes %s: the current of %.3g A has no bound "
      "but RMIN; let one switch open before the other closes, or give a switch RON or the source a "
      "resistance",
      s->t, names, nodes, fabs(i));
}

static double current_of(const nsds_modes *m, int k, const double *z) {
  return z[m->equations->branch[m->element[k]]];
}

/* Searches around the elements whose currents are suspect. */
static nsds_status search_shorts(short_search *s, const nsds_modes *m, const double *z,
                                 double suspect) {
  mark_bare(s, m, z);
  for (int k = 0; k < m->count; ++k) {
    if (!s->bare[m->element[k]] || fabs(current_of(m, k, z)) <= suspect) continue;
    int closing = find_closing(s, s->elements->item[m->element[k]].node[0] + 1);
    if (closing >= 0) return refuse_loop(s, closing, current_of(m, k, z));
  }
  return NSDS_OK;
}

static bool any_suspect(const nsds_modes *m, const double *z, double suspect) {
  for (int k = 0; k < m->count; ++k)
    if (fabs(current_of(m, k, z)) > suspect) return true;
  return false;
}

nsds_status nsds_shorts_check(const nsds_modes *m, const double *z, double t, double largest) {
  const nsds_elements *elements = m->equations->elements;
  double least = elements->analysis.least_resistance, suspect = counts * largest / least;
  if (!(least > 0.0) || !(largest > 0.0) || !any_suspect(m, z, suspect)) return NSDS_OK;
  short_search s = {.elements = elements, .t = t, .least = counts * largest};
  size_t count = (size_t)elements->count + 1, places = (size_t)elements->node.count + 1;
  NSDS_MAKE(elements->netlist->job->context, s.bare, count);
  NSDS_MAKE(elements->netlist->job->context, s.across, count);
  NSDS_MAKE(elements->netlist->job->context, s.potential, places);
  NSDS_MAKE(elements->netlist->job->context, s.queue, places);
  NSDS_MAKE(elements->netlist->job->context, s.by, places);
  NSDS_MAKE(elements->netlist->job->context, s.depth, places);
  nsds_status status = s.bare && s.across && s.potential && s.queue && s.by && s.depth
                           ? search_shorts(&s, m, z, suspect)
                           : NSDS_ERROR_MEMORY;
  nsds_free(s.bare);
  nsds_free(s.across);
  nsds_free(s.potential);
  nsds_free(s.queue);
  nsds_free(s.by);
  nsds_free(s.depth);
  return status;
}
