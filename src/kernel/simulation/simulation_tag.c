/* The name and the user pointer of a simulation. */
#include "base/context.h"
#include "kernel/simulation/simulation.h"

const char *nsds_simulation_name(const nsds_simulation *simulation) {
  return simulation ? simulation->tag.name : "";
}

nsds_status nsds_simulation_set_name(nsds_simulation *simulation, const char *name) {
  if (!simulation) return nsds_fail_null(NULL, "nsds_simulation_set_name", "simulation");
  nsds_tag_name(&simulation->tag, name);
  return NSDS_OK;
}

void *nsds_simulation_user(const nsds_simulation *simulation) {
  return simulation ? simulation->tag.user : NULL;
}

nsds_status nsds_simulation_set_user(nsds_simulation *simulation, void *user) {
  if (!simulation) return nsds_fail_null(NULL, "nsds_simulation_set_user", "simulation");
  simulation->tag.user = user;
  return NSDS_OK;
}
