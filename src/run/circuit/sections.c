/*
 * Resistors, capacitors and voltage sources join their nodes. A group of nodes that they do not
 * join to the ground is a section. The potential follows from currents of diodes and switches.
 * Inductors join nodes too, unless there are no leaks (gmin = 0): at an instant the current of an
 * inductor is known, and determines no potential. Sections are found by joining trees of nodes.
 */
#include "run/circuit/sections.h"

#include "base/text/words.h"

/* The root of a place: 0 is the ground, 1 + unknown a potential. */
static int section_root(int *parent, int place) {
  while (parent[place] != place) place = parent[place] = parent[parent[place]];
  return place;
}

static bool joins_nodes(const nsds_elements *elements, const nsds_element *e) {
  return e->kind == NSDS_ELEMENT_RESISTOR || e->kind == NSDS_ELEMENT_CAPACITOR ||
         e->kind == NSDS_ELEMENT_VOLTAGE ||
         (e->kind == NSDS_ELEMENT_INDUCTOR && elements->analysis.leak != 0.0);
}

static int section_place(const nsds_equations *e, int node) {
  return node < 0 ? 0 : e->node[node] + 1; /* a reference node stands for the ground */
}

nsds_status nsds_sections_tie(const nsds_equations *e, bool *tied) {
  const nsds_elements *elements = e->elements;
  int *parent = nsds_alloc(elements->netlist->job->context, "the circuit", (size_t)e->nnode + 1,
                           sizeof *parent);
  if (!parent) return NSDS_ERROR_MEMORY;
  for (int k = 0; k <= e->nnode; ++k) parent[k] = k;
  for (int k = 0; k < elements->count; ++k) {
    const nsds_element *element = &elements->item[k];
    if (!joins_nodes(elements, element)) continue;
    int a = section_root(parent, section_place(e, element->node[0])),
        b = section_root(parent, section_place(e, element->node[1]));
    parent[a > b ? a : b] = a < b ? a : b; /* the ground stays a root */
  }
  for (int k = 0; k < e->nnode; ++k) tied[k] = parent[k + 1] == k + 1;
  nsds_free(parent);
  return NSDS_OK;
}
