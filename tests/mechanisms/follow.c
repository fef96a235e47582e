/* The events of a mechanism one by one, and how far time stepping is from them: to look at a finding. */
#include "mechanisms.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int index_of(const mechanism *m, const built *b, const nsds_interaction *i) {
  for (int k = 0; k < m->links; ++k)
    if (i && b->link[k] == i) return k;
  return -1;
}

static void tell_event(const mechanism *m, const built *b, const nsds_simulation *s) {
  const nsds_event_info *e = nsds_simulation_event(s);
  printf("t %.15g kind %#x undecided %d energy %.9g %.9g\n", nsds_time(s), e->kind, e->undecided,
         e->kinetic_before, e->kinetic_after);
  for (int k = 0; k < e->count; ++k) {
    const nsds_event_row *r = &e->row[k];
    printf("  link %d row %d: closed %d %d, dy/dt %.9g %.9g, P %.6g%s\n",
           index_of(m, b, r->interaction), r->row, r->closed_before, r->closed_after,
           r->ydot_before, r->ydot_after, r->impulse,
           isnan(r->limit_time) ? "" : ", the end of a series");
  }
}

static void tell_rows(const mechanism *m, const built *b) {
  for (int k = 0; k < m->links; ++k)
    for (int i = 0; b->link[k] && i < nsds_interaction_size(b->link[k]); ++i)
      printf("    link %d.%d y %.3g dy/dt %.6g lambda %.6g\n", k, i, nsds_y(b->link[k])[i],
             nsds_ydot(b->link[k])[i], nsds_lambda(b->link[k])[i]);
}

static void tell_steps(const mechanism *m) {
  static motion events, steps;
  int when;
  event_driven(m, &events);
  if (!events.good) printf("%s\n", events.message);
  printf("first difference above 1e-2, 1e-3, ... of time stepping, and the largest\n");
  for (int n = 8 * SAMPLES; n <= 2048 * SAMPLES; n *= 4) {
    time_stepping(m, n, &steps);
    printf("h %-9.3g", m->t1 / n);
    for (double d = 1e-2; d > 5e-8; d *= 0.1) {
      apart(&events, &steps, d, &when);
      if (when <= SAMPLES) printf(" %-8.5g", when * m->t1 / SAMPLES);
      else printf(" -       ");
    }
    printf(" %.3g %s\n", apart(&events, &steps, 0.0, NULL), steps.message);
  }
}

void follow(mechanism *m, bool all_rows) {
  static motion all;
  find_end(m, &all);
  built b = build(m, true);
  nsds_simulation *s = nsds_event_driven(b.model, &(nsds_event_driven_def){.t1 = m->t1});
  long count = 0;
  while (s && nsds_step(s) == NSDS_OK && ++count < 200) {
    tell_event(m, &b, s);
    if (all_rows) tell_rows(m, &b);
  }
  printf("%s\n", nsds_error_message(nsds_model_context(b.model)));
  nsds_model_destroy(b.model);
  tell_steps(m);
}
