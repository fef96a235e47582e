/*
 * Schemes of time stepping in a model file, see model_schemes.h. The type names the scheme of
 * nsds/scheme.h; further keys change single parameters of it.
 */
#include "run/model/model_schemes.h"

#include <string.h>

static nsds_discretisation make_scheme(const nsds_entry *e) {
  const char *type = e->schema->type;
  double theta = nsds_schema_find(e->schema, "theta") ? nsds_entry_number(e, "theta") : 0.0;
  double gamma = nsds_schema_find(e->schema, "gamma") ? nsds_entry_number(e, "gamma") : 0.0;
  if (strcmp(type, "moreau_jean") == 0) return nsds_moreau_jean(theta, gamma);
  if (strcmp(type, "schatzman_paoli") == 0) return nsds_schatzman_paoli(theta);
  if (strcmp(type, "d1_minus") == 0) return nsds_d1_minus();
  if (strcmp(type, "rattle") == 0) return nsds_rattle();
  if (strcmp(type, "euler_moreau") == 0) return nsds_euler_moreau(theta);
  if (strcmp(type, "theta_gamma") == 0) return nsds_theta_gamma(theta, gamma);
  if (strcmp(type, "full_theta_gamma") == 0) return nsds_full_theta_gamma(theta, gamma);
  return nsds_zero_order_hold();
}

static bool asks_for(const nsds_entry *e, const char *key) {
  return nsds_schema_find(e->schema, key) && nsds_entry_truth(e, key);
}

nsds_discretisation nsds_scheme_read(const nsds_entry *entry, const char *key) {
  if (!nsds_entry_has(entry, key)) return (nsds_discretisation){.kind = NSDS_SCHEME_UNSAID};
  nsds_entry e = nsds_entry_object(entry, key);
  nsds_discretisation scheme = make_scheme(&e);
  if (nsds_schema_find(e.schema, "gamma_mass") && nsds_entry_has(&e, "gamma_mass"))
    scheme = nsds_with_gamma_mass(scheme, nsds_entry_number(&e, "gamma_mass"));
  if (asks_for(&e, "predict_once")) scheme = nsds_with_predict_once(scheme);
  if (asks_for(&e, "input_at_theta")) scheme = nsds_with_input_at_theta(scheme);
  if (asks_for(&e, "f_at_theta")) scheme = nsds_with_f_at_theta(scheme);
  if (asks_for(&e, "initial_lambda")) scheme = nsds_with_initial_lambda(scheme);
  if (nsds_schema_find(e.schema, "step_ratio") && nsds_entry_integer(&e, "step_ratio") > 1)
    scheme = nsds_with_step_ratio(scheme, nsds_entry_integer(&e, "step_ratio"));
  return scheme;
}
