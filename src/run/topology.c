/* Sections, loops and cutsets by union of sets of nodes. */
#include "run/topology.h"

#include "run/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sets of nodes; place 0 is the ground. */
typedef struct node_sets {
  int *parent;
} node_sets;

static int root_of(node_sets *sets, int node) {
  int k = node + 1;
  while (sets->parent[k] != k) k = sets->parent[k] = sets->parent[sets->parent[k]];
  return k;
}

/* Whether they were apart. */
static bool join(node_sets *sets, int a, int b) {
  int x = root_of(sets, a), y = root_of(sets, b);
  if (x == y) return false;
  if (x < y) sets->parent[y] = x; /* the ground stays a root */
  else sets->parent[x] = y;
  return true;
}

static void reset_sets(node_sets *sets, int nodes) {
  for (int k = 0; k <= nodes; ++k) sets->parent[k] = k;
}

static void find_references(const nsds_elements *elements, node_sets *sets, bool *reference) {
  reset_sets(sets, elements->node.count);
  for (int k = 0; k < elements->count; ++k) {
    const nsds_element *element = &elements->item[k];
    join(sets, element->node[0], element->node[1]);
    if (element->kind == NSDS_ELEMENT_TRANSFORMER) join(sets, element->node[2], element->node[3]);
  }
  for (int k = 0; k < elements->node.count; ++k) reference[k] = root_of(sets, k) == k + 1;
}

nsds_status nsds_topology_check(const nsds_elements *elements, bool *reference) {
  node_sets sets = {.parent = malloc(((size_t)elements->node.count + 1) * sizeof *sets.parent)};
  if (!sets.parent) return nsds_netlist_no_memory(elements->netlist);
  find_references(elements, &sets, reference);
  free(sets.parent);
  return NSDS_OK;
}
