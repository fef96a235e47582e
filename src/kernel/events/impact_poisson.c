/*
 * Poisson's impact law: compression, Newton's problem with e = 0; then
 *   0 <= dy/dt+  perpendicular to  P_r - e P_c >= 0
 * Source: see nsds_poisson_impact() in nsds/law.h.
 */
#include "kernel/events/event_parts.h"
#include "kernel/events/impact_rule.h"
#include "kernel/modeling/law_constraint.h"

/* Solves expansion after compression. At least e times the impulses of compression is given
 * back. */
static nsds_status impact_poisson_expand(nsds_event_rows *s, const nsds_row_part *part,
                                         nsds_solver_info *info) {
  double *least = s->system.A + (size_t)part->n * (size_t)part->n; /* P_c + e P_c */
  for (int k = 0; k < part->n; ++k) part->b[k] = part->w[k];
  for (int j = 0; j < part->n; ++j) {
    const nsds_row *row = &s->row[part->chosen[j]];
    double given =
        row->flights.ends ? 0.0 : s->plan->contact[row->contact].law->impact.e * part->z[j];
    for (int k = 0; k < part->n; ++k) part->b[k] += s->system.A[k + (ptrdiff_t)j * part->n] * given;
    least[j] = part->z[j] + given;
  }
  nsds_status status = nsds_event_solve(s, part, true, info);
  for (int k = 0; k < part->n; ++k) part->z[k] += least[k];
  return status;
}

static nsds_status impact_poisson_strike(nsds_event_rows *s, const nsds_row_part *part,
                                         bool inelastic, nsds_solver_info *info, double *residual) {
  nsds_status status = nsds_event_solve(s, part, true, info);
  if (!status && !inelastic) status = impact_poisson_expand(s, part, info);
  *residual = info->residual;
  return status;
}

static const nsds_law_ops ops = {.type = "nsds_poisson_impact", NSDS_IMPACT_OPS};
static const nsds_impact_rule rule = {.strike = impact_poisson_strike, .solves = true};

nsds_law *nsds_poisson_impact(nsds_model *model, double e) {
  return nsds_plain_impact_law(model, &nsds_law_poisson_impact, &ops, &rule, e);
}

static void *make_poisson_impact(nsds_model *model, const void *def) {
  return nsds_poisson_impact(model, ((const nsds_restitution *)def)->e);
}

const nsds_type nsds_law_poisson_impact = {
    .type = "poisson_impact",
    .help = "Unilateral contact with Poisson's impact law. Event-driven simulation alone.",
    NSDS_RESTITUTION_TYPE(poisson_impact)};
