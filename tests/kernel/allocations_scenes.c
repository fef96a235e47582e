/*
 * Steps of all golden scenes allocate nothing once they have been through their first half, unless a step needs more
 * rows or contacts than any before: neither through the hooks of the context nor behind them. The scenes have every
 * driver, scheme, kind of system, relation, law and contact set; allocations_complete.py holds them to that.
 *
 *   kernel_allocations_scenes [NAME...]
 */
#include "golden.h"
#include "interpose.h"
#include "support.h"

#include <stdio.h>
#include <string.h>

golden_contacts golden_found;

typedef struct tally {
  int rows, active, contacts; /* most so far */
  long hooks, behind;         /* allocations of later steps */
  long steps;                 /* later steps */
  long first;                 /* the first that has allocated */
} tally;

static int largest(int a, int b) { return a > b ? a : b; }

/* Whether the step had more to keep than any before. */
static bool grew(tally *t, const nsds_model *model, const nsds_simulation *simulation) {
  const nsds_step_info *info = nsds_simulation_info(simulation);
  int contacts = 0;
  for (int k = 0; k < nsds_model_contact_set_count(model); ++k)
    contacts += nsds_contact_set_count(nsds_model_contact_set_at(model, k));
  const nsds_event_info *event = nsds_simulation_event(simulation);
  if (event) contacts += event->count;
  bool more = info->rows > t->rows || info->active > t->active || contacts > t->contacts;
  t->rows = largest(t->rows, info->rows);
  t->active = largest(t->active, info->active);
  t->contacts = largest(t->contacts, contacts);
  return more;
}

static void count_steps(const golden *scene, nsds_model *model, nsds_simulation *simulation,
                        const meter *m, tally *t) {
  for (long k = 0; k < scene->steps; ++k) {
    if (scene->before && scene->before(model, simulation, k)) return;
    long before = m->calls;
    arm();
    nsds_status status = nsds_step(simulation);
    long behind = disarm(), hooks = m->calls - before;
    if (status) {
      printf("%s: step %ld: %s\n", scene->name, k, nsds_error_message(nsds_model_context(model)));
      t->hooks = -1;
      return;
    }
    if (grew(t, model, simulation) || k < scene->steps / 2) continue;
    ++t->steps;
    t->hooks += hooks;
    t->behind += behind;
    if ((hooks || behind) && !t->first) t->first = k;
  }
}

static bool scene_allocates_nothing(const golden *scene) {
  meter m = {0};
  tally t = {0};
  golden_found = (golden_contacts){NULL, 0};
  nsds_context *context = meter_context(&m);
  nsds_model *model = nsds_model_create(context);
  nsds_simulation *simulation = scene->make(model, scene);
  if (simulation) count_steps(scene, model, simulation, &m, &t);
  if (scene->done) scene->done();
  nsds_model_destroy(model);
  nsds_context_destroy(context);
  bool fine = simulation && t.hooks == 0 && t.behind == 0 && m.live == 0;
  if (!fine)
    printf("%s: %ld allocations through the hooks, %ld behind them in %ld steps, first in step %ld "
           "of %ld; %ld left behind\n",
           scene->name, t.hooks, t.behind, t.steps, t.first, scene->steps, m.live);
  return fine;
}

int main(int argc, char **argv) {
  const golden *scene;
  int wrong = 0, count = 0;
  for (int k = 0; (scene = golden_at(k)) != NULL; ++k) {
    bool wanted = argc == 1;
    for (int i = 1; i < argc; ++i) wanted |= strcmp(argv[i], scene->name) == 0;
    if (!wanted) continue;
    ++count;
    wrong += !scene_allocates_nothing(scene);
  }
  printf("%d scenes, %d of them allocate\n", count, wrong);
  return wrong || count == 0;
}
