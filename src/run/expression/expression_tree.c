/*
 * Nodes are found by a hash of their operation and inputs (open addressing, slots double when half
 * full). Terms of numbers become numbers at once, by the same operations that a running program
 * does.
 */
#include "run/expression/expression_tree.h"

#include "base/text/words.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

void nsds_expressions_free(nsds_expressions *all) {
  nsds_free(all->node);
  nsds_free(all->slot);
  *all = (nsds_expressions){.context = all->context};
}

nsds_term nsds_term_number(double value) { return (nsds_term){-1, value}; }

bool nsds_term_is(nsds_term term, double number) { return term.node < 0 && term.number == number; }

static uint64_t mix_hash(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 29;
}

static uint64_t bits_of_number(double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

static uint64_t node_hash(const nsds_node *n) {
  uint64_t hash = mix_hash((uint64_t)n->operation, (uint64_t)(uintptr_t)n->variable);
  for (int k = 0; k < 3; ++k)
    hash =
        mix_hash(mix_hash(hash, (uint64_t)(int64_t)n->in[k].node), bits_of_number(n->in[k].number));
  return hash;
}

static bool nodes_equal(const nsds_node *a, const nsds_node *b) {
  bool equal = a->operation == b->operation && a->variable == b->variable;
  for (int k = 0; equal && k < 3; ++k)
    equal = a->in[k].node == b->in[k].node &&
            bits_of_number(a->in[k].number) == bits_of_number(b->in[k].number);
  return equal;
}

/* Returns the slot of a node, or the empty slot for the node. */
static int node_slot(const nsds_expressions *all, const nsds_node *n) {
  unsigned mask = (unsigned)all->nslot - 1, k = (unsigned)node_hash(n) & mask;
  while (all->slot[k] && !nodes_equal(&all->node[all->slot[k] - 1], n)) k = (k + 1) & mask;
  return (int)k;
}

static bool reserve_node(nsds_expressions *all) {
  if (nsds_room(all->context, &all->node, &all->capacity, all->count + 1, sizeof *all->node))
    return false;
  if (2 * (all->count + 1) <= all->nslot) return true;
  int nslot = all->nslot ? 2 * all->nslot : 32;
  int *slot = nsds_alloc(all->context, "an expression", (size_t)nslot, sizeof *slot);
  if (!slot) return false;
  nsds_free(all->slot);
  all->slot = slot;
  all->nslot = nslot;
  for (int k = 0; k < all->count; ++k) all->slot[node_slot(all, &all->node[k])] = k + 1;
  return true;
}

static nsds_term keep_node(nsds_expressions *all, const nsds_node *n) {
  if (!reserve_node(all)) {
    all->no_memory = true;
    return nsds_term_number(NAN);
  }
  int slot = node_slot(all, n);
  if (!all->slot[slot]) {
    all->node[all->count++] = *n;
    all->slot[slot] = all->count;
  }
  return (nsds_term){all->slot[slot] - 1, 0.0};
}

nsds_term nsds_term_variable(nsds_expressions *all, const double *variable) {
  nsds_term none = nsds_term_number(0.0);
  return keep_node(all, &(nsds_node){NSDS_OP_VARIABLE, variable, {none, none, none}});
}

nsds_term nsds_term_make(nsds_expressions *all, nsds_operation operation, nsds_term a, nsds_term b,
                         nsds_term c) {
  int inputs = nsds_operation_inputs(operation);
  if (operation == NSDS_OP_CHOICE && a.node < 0) return a.number != 0.0 ? b : c;
  if (a.node < 0 && (inputs < 2 || b.node < 0) && inputs < 3)
    return nsds_term_number(nsds_operate(operation, (double[]){a.number, b.number, c.number}));
  if (inputs < 2) b = nsds_term_number(0.0);
  if (inputs < 3) c = nsds_term_number(0.0);
  return keep_node(all, &(nsds_node){operation, NULL, {a, b, c}});
}
