/*
 * SIZE rigid bodies that rest on the ground (churn.h). Before each step one contact is taken away
 * and connected anew, as by a detection of contacts that finds another one; with VARIANT `plain`
 * nothing is replaced. The new contact is the same as the old one, so both variants compute the
 * same motion, and their times compare what a change of topology costs.
 */
#include "churn.h"

#include <string.h>

typedef struct churn {
  stepping *stepping;
  nsds_relation *gap;
  nsds_law *impact;
  nsds_interaction **contact; /* of each body */
  int n, next;                /* bodies; whose contact is replaced next */
  bool plain;
} churn;

static void destroy(void *self) {
  churn *c = self;
  if (c->stepping) stepping_destroy(c->stepping);
  free(c->contact);
  free(c);
}

static void *build(const char *size, long steps, const char *variant) {
  int n = atoi(size);
  churn *c = calloc(1, sizeof *c);
  if (c) c->contact = calloc((size_t)n, sizeof *c->contact);
  if (!c || !c->contact) {
    free(c);
    fprintf(stderr, "out of memory\n");
    return NULL;
  }
  nsds_model *model = nsds_model_create(NULL);
  c->gap = churn_gap(model);
  c->impact = nsds_newton_impact(model, 0.0);
  for (int k = 0; k < n; ++k) {
    nsds_ds *body = churn_body(model, k);
    c->contact[k] = nsds_connect(model, c->gap, c->impact, 1, &body);
  }
  c->n = n;
  c->plain = strcmp(variant, "plain") == 0;
  c->stepping = churn_start(model, steps);
  if (c->stepping) return c;
  destroy(c);
  return NULL;
}

static nsds_status replace(churn *c) {
  nsds_model *model = c->stepping->model;
  nsds_ds *body = nsds_interaction_ds(c->contact[c->next], 0);
  nsds_status status = nsds_disconnect(c->contact[c->next]);
  if (status) return status;
  c->contact[c->next] = nsds_connect(model, c->gap, c->impact, 1, &body);
  c->next = (c->next + 617) % c->n; /* here and there; 617 is prime */
  return nsds_error(nsds_model_context(model));
}

static int run(void *self, long steps) {
  churn *c = self;
  nsds_status status = NSDS_OK;
  for (long k = 0; k < steps && status == NSDS_OK; ++k) {
    if (!c->plain) status = replace(c);
    if (status == NSDS_OK) status = nsds_step(c->stepping->simulation);
  }
  if (status == NSDS_OK) return 1;
  fprintf(stderr, "%s\n", nsds_error_message(nsds_model_context(c->stepping->model)));
  return 0;
}

static void report(void *self) { stepping_report(((churn *)self)->stepping); }

int main(int argc, char **argv) {
  const bench_case c = {build, run, report, destroy};
  return bench_main(argc, argv, &c);
}
