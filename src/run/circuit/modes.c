/* Diodes and switches, in the order of the netlist. */
#include "run/circuit/modes.h"

#include "base/text/words.h"

static bool has_mode(const nsds_element *element) {
  return element->kind == NSDS_ELEMENT_DIODE || element->kind == NSDS_ELEMENT_SWITCH;
}

nsds_status nsds_modes_make(nsds_modes *m, const nsds_equations *equations) {
  *m = (nsds_modes){.equations = equations, .moved = -1};
  const nsds_elements *elements = equations->elements;
  nsds_context *context = elements->netlist->job->context;
  size_t count = 1;
  for (int k = 0; k < elements->count; ++k) count += has_mode(&elements->item[k]);
  NSDS_MAKE(context, m->element, count);
  NSDS_MAKE(context, m->conducts, count);
  if (!m->element || !m->conducts) return NSDS_ERROR_MEMORY;
  for (int k = 0; k < elements->count; ++k)
    if (has_mode(&elements->item[k])) m->element[m->count++] = k;
  return NSDS_OK;
}

void nsds_modes_free(nsds_modes *m) {
  nsds_free(m->element);
  nsds_free(m->conducts);
  *m = (nsds_modes){0};
}

void nsds_modes_set(nsds_modes *m, int k, bool conducts) { m->conducts[k] = conducts; }
