/* Lists of elements, waveforms, couplings and probes; names of nodes and elements are numbers in
 * two tables. */
#include "run/circuit/elements.h"

#include "base/text/words.h"

#include <string.h>

const nsds_element_traits nsds_element_traits_of[] = {
#define TRAITS_OF(kind, words, sets, energy) {words, NSDS_SETS_##sets, NSDS_ENERGY_##energy},
    NSDS_ELEMENT_KINDS(TRAITS_OF)
#undef TRAITS_OF
};

nsds_status nsds_elements_node(nsds_elements *elements, const char *name, int *node) {
  *node = -1;
  if (strcmp(name, "0") == 0 || strcmp(name, "gnd") == 0) return NSDS_OK;
  *node = nsds_names_add(elements->netlist->job->context, &elements->node, name);
  return *node < 0 ? NSDS_ERROR_MEMORY : NSDS_OK;
}

const char *nsds_elements_node_name(const nsds_elements *elements, int node) {
  return node < 0 ? "0" : elements->node.name[node];
}

nsds_status nsds_elements_add(nsds_elements *elements, const nsds_element *element,
                              const char *name) {
  const nsds_netlist *netlist = elements->netlist;
  if (elements->count == nsds_most_elements)
    return nsds_netlist_refuse(netlist, element->place, "more than %d elements",
                               (int)nsds_most_elements);
  int known = nsds_names_find(&elements->name, name);
  if (known >= 0)
    return nsds_netlist_refuse(netlist, element->place,
                               "there is an element %s already, in line %d", name,
                               elements->item[known].place.line);
  if (nsds_room(elements->netlist->job->context, &elements->item, &elements->capacity,
                elements->count + 1, sizeof *elements->item) ||
      nsds_names_add(elements->netlist->job->context, &elements->name, name) != elements->count)
    return NSDS_ERROR_MEMORY;
  elements->item[elements->count] = *element;
  elements->item[elements->count].name = elements->name.name[elements->count];
  ++elements->count;
  return NSDS_OK;
}

nsds_status nsds_elements_doubt(nsds_elements *elements, const char *prefix,
                                const nsds_card *card) {
  for (int k = 0; k < card->count; ++k) {
    if (card->token[k].kind != NSDS_TOKEN_WORD) continue;
    char *whole =
        nsds_make_word(elements->netlist->job->context, "%s%s", prefix, card->token[k].text);
    int number =
        whole ? nsds_names_add(elements->netlist->job->context, &elements->doubtful, whole) : -1;
    nsds_free(whole);
    if (number < 0) return NSDS_ERROR_MEMORY;
  }
  return NSDS_OK;
}

bool nsds_elements_are_doubtful(const nsds_elements *elements, const char *name) {
  bool found = nsds_names_find(&elements->doubtful, name) >= 0;
  char *part =
      elements->doubtful.count ? nsds_copy_word(elements->netlist->job->context, name) : NULL;
  for (char *point; !found && part && (point = strrchr(part, '.'));) {
    *point = '\0';
    found = nsds_names_find(&elements->doubtful, part) >= 0;
  }
  nsds_free(part);
  return found;
}

nsds_status nsds_elements_add_wave(nsds_elements *elements, const nsds_wave *wave, int *number) {
  if (nsds_room(elements->netlist->job->context, &elements->wave, &elements->wave_capacity,
                elements->nwave + 1, sizeof *elements->wave))
    return NSDS_ERROR_MEMORY;
  *number = elements->nwave;
  elements->wave[elements->nwave++] = *wave;
  return NSDS_OK;
}

nsds_status nsds_elements_add_probe(nsds_elements *elements, nsds_probe probe) {
  if (nsds_room(elements->netlist->job->context, &elements->probe, &elements->probe_capacity,
                elements->nprobe + 1, sizeof *elements->probe))
    return NSDS_ERROR_MEMORY;
  elements->probe[elements->nprobe++] = probe;
  return NSDS_OK;
}

void nsds_elements_free(nsds_elements *elements) {
  for (int k = 0; k < elements->nwave; ++k) {
    nsds_free(elements->wave[k].t);
    nsds_free(elements->wave[k].x);
  }
  nsds_free(elements->wave);
  nsds_free(elements->item);
  nsds_free(elements->coupling);
  nsds_free(elements->start);
  nsds_free(elements->probe);
  nsds_names_free(&elements->node);
  nsds_names_free(&elements->name);
  nsds_names_free(&elements->doubtful);
}
