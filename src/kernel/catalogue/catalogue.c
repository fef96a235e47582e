/*
 * All families of the catalogue. Types stand beside their constructors; the lists of their names are
 * in the public headers.
 */
#include "kernel/modeling/law.h"

#include <nsds/catalogue.h>

#include <string.h>

#define LAW(name) &nsds_law_##name,
static const nsds_type *const laws[] = {NSDS_LAW_TYPES(LAW) NULL};

static const nsds_family families[] = {{"law", "A nonsmooth law between y and lambda.", laws}};

const nsds_family *nsds_catalogue(const char *family) {
  for (size_t k = 0; family && k < sizeof families / sizeof *families; ++k)
    if (strcmp(families[k].name, family) == 0) return &families[k];
  return NULL;
}
