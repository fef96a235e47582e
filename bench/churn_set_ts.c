/*
 * SIZE rigid bodies that rest on the ground (churn.h), all contacts found anew in every step by a
 * contact set; with VARIANT `plain` they are interactions that stay. Both variants compute the same
 * motion, and their times compare what it costs to find contacts instead of keeping them.
 */
#include "churn.h"

#include <string.h>

/* The geometry: one contact per body, its gap computed from the state. */
typedef struct ground {
  int n;
  nsds_ds *body[];
} ground;

static nsds_status find(void *self, double t, nsds_contacts *contacts) {
  const ground *g = (const ground *)self;
  nsds_status status = NSDS_OK;
  (void)t;
  for (int k = 0; k < g->n && !status; ++k) {
    const double *q = nsds_q(g->body[k]);
    double gap = 0.0;
    for (int i = 0; i < 6; ++i) gap += churn_H[i] * q[i];
    status = nsds_contacts_add(
        contacts,
        &(nsds_contact_point){.key = (uint64_t)k, .ds = {g->body[k]}, .y = &gap, .H = churn_H});
  }
  return status;
}

static const nsds_geometry_ops geometry = {.type = "ground", .find = find, .destroy = free};

static void *build(const char *size, long steps, const char *variant) {
  int n = atoi(size);
  bool plain = strcmp(variant, "plain") == 0;
  ground *g = (ground *)malloc(sizeof *g + (size_t)n * sizeof(nsds_ds *));
  if (!g) {
    fprintf(stderr, "out of memory\n");
    return NULL;
  }
  nsds_model *model = nsds_model_create(NULL);
  nsds_relation *gap = plain ? churn_gap(model) : NULL;
  nsds_law *impact = nsds_newton_impact(model, 0.0);
  g->n = n;
  for (int k = 0; k < n; ++k) {
    g->body[k] = churn_body(model, k);
    if (plain) nsds_connect(model, gap, impact, 1, &g->body[k]);
  }
  if (plain) free(g);
  else
    nsds_custom_contact_set(model,
                            &(nsds_custom_contact_set_def){
                                .name = "ground", .ops = &geometry, .self = g, .law = impact});
  return churn_start(model, steps);
}

int main(int argc, char **argv) { return stepping_main(argc, argv, build); }
