/* A free chain of SIZE links, rods of 0.2 m with hinges about axes across each other, that turns and bends
 * in flight; h = 1e-3. Variant "joint": in joint coordinates. */
#include "jointed.h"

static void *build(const char *size, long steps, const char *variant) {
  static const double edge[3] = {0.2, 0.03, 0.02};
  int n = atoi(size);
  if (n < 1) return NULL;
  nsds_model *model = nsds_model_create(NULL);
  nsds_law *law = nsds_equality(model);
  nsds_ds *before = NULL;
  for (int k = 0; k < n; ++k) {
    const double at[3] = {0.2 * k, 0.0, 0.0};
    nsds_ds *link = jointed_body(model, "link", 0.5, edge, at, 0.0);
    const double turn[6] = {0, 0.3, 0.2 * k - 0.1 * n, 0, -0.2 / 0.2, 0};
    nsds_set_state(link, NULL, turn);
    nsds_joint_def hinge = {.kind = NSDS_JOINT_HINGE,
                            .ds = {link, before},
                            .point = {0.2 * k - 0.1, 0, 0},
                            .axis = {0, k % 2, 1 - k % 2}};
    if (before) nsds_connect(model, nsds_joint(model, &hinge), law, 2, hinge.ds);
    before = link;
  }
  nsds_time_stepping_def def = {.h = 1e-3};
  if (strcmp(variant, "joint") == 0) def.coordinates = NSDS_COORDINATES_JOINT;
  return stepping_start(model, steps, def);
}

int main(int argc, char **argv) { return stepping_main(argc, argv, build); }
