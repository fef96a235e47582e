/* The integrators that a system can be given by name. */
#include "kernel/integrators/euler_moreau.h"
#include "kernel/integrators/moreau_jean.h"
#include "kernel/integrators/zero_order_hold.h"
#include "kernel/modeling/system_create.h"

#include <string.h>

const nsds_integrator *nsds_integrator_named(const char *name) {
  const nsds_integrator *all[] = {&nsds_moreau_jean_integrator, &nsds_euler_moreau_integrator,
                                  &nsds_zero_order_hold_integrator, &nsds_default_integrator};
  for (size_t k = 0; name && k < sizeof all / sizeof *all; ++k)
    if (strcmp(all[k]->name, name) == 0) return all[k];
  return NULL;
}
