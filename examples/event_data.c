/*
 * All data of the events of two models: every row with its index set, y, dy/dt, d^2y/dt^2, p(1) and
 * p(2), and every problem with M, q, z and w. The tables are for reading, and for a check by hand.
 *
 *   event_data [FILE.txt [block]]       (default: standard output, the woodpecker)
 */
#include "events.h"
#include "output.h"

#include <string.h>

enum { most_problems = 16, most_rows = 8, most_events = 12 };

static void print_place(FILE *out, const nsds_event_place *place) {
  const char *name = nsds_interaction_name(place->interaction);
  fprintf(out, "%s[%d]", *name ? name : "corner", place->row);
}

static void print_vector(FILE *out, const char *name, int n, const double *x) {
  fprintf(out, "  %s", name);
  for (int k = 0; k < n; ++k) fprintf(out, " %.17g", x[k]);
  fputc('\n', out);
}

static void print_rows(FILE *out, nsds_simulation *s) {
  for (int k = 0; k < nsds_event_row_count(s); ++k) {
    nsds_event_row_state row;
    if (nsds_event_row_at(s, k, &row)) return;
    fprintf(out, "  row ");
    print_place(out, &row.place);
    fprintf(out, " in I%d%s y %.17g dy/dt %.17g d2y/dt2 %.17g P %.17g lambda %.17g\n",
            row.index_set, row.closed ? " kept" : "", row.y, row.ydot, row.yddot, row.impulse,
            row.lambda);
  }
}

/* Row by row: M, q, z and w = M z + q. */
static void print_problem(FILE *out, const nsds_event_problem_info *info) {
  const nsds_problem *p = info->problem;
  bool impulses = info->level == NSDS_EVENT_IMPULSES;
  fprintf(out, "  problem in %s, %d rows\n", impulses ? "impulses" : "forces", p->n);
  for (int i = 0; i < p->n; ++i) {
    double w = p->q[i];
    fprintf(out, "    ");
    print_place(out, &info->place[i]);
    fprintf(out, " M");
    for (int j = 0; j < p->n; ++j) {
      double entry = p->M.x[i + (ptrdiff_t)j * p->n];
      fprintf(out, " %.17g", entry);
      w += entry * info->z[j];
    }
    fprintf(out, " q %.17g z %.17g w %.17g\n", p->q[i], info->z[i], w);
  }
}

static void print_problems(FILE *out, const nsds_simulation *s) {
  nsds_event_problem_info info;
  for (int k = 0; k < nsds_event_problem_count(s) && k < most_problems; ++k)
    if (!nsds_event_problem_at(s, k, &info)) print_problem(out, &info);
}

static void print_state(FILE *out, nsds_simulation *s, nsds_ds *ds) {
  double force[most_rows] = {0.0}, f[2 * most_rows] = {0.0};
  int n = nsds_nv(ds);
  print_vector(out, "q", n, nsds_q(ds));
  print_vector(out, "v", n, nsds_v(ds));
  print_vector(out, "p(1)", n, nsds_p(ds));
  if (!nsds_event_force(s, ds, force)) print_vector(out, "p(2)", n, force);
  if (!nsds_ds_rates(ds, nsds_time(s), f, NULL)) print_vector(out, "f", 2 * n, f);
}

/* Prints one event: the state before, then rows and problems, then the state after. */
static nsds_status print_event(FILE *out, nsds_simulation *s, nsds_ds *ds) {
  nsds_status status = nsds_event_meet(s);
  if (status) return status;
  fprintf(out, "event %d at t = %.17g s\n before\n", nsds_event_past_count(s) + 1, nsds_time(s));
  print_state(out, s, ds);
  print_rows(out, s);
  status = nsds_event_process(s);
  if (status) return status;
  fprintf(out, " after, kind %u\n", nsds_simulation_event(s)->kind);
  print_problems(out, s);
  print_state(out, s, ds);
  print_rows(out, s);
  return NSDS_OK;
}

int main(int argc, char **argv) {
  FILE *out = output_open(argc, argv);
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds;
  if (argc > 2 && strcmp(argv[2], "block") == 0) {
    ds = scene_rocking_block(model, 0.15, 0.0).block;
  } else {
    woodpecker_scene scene = scene_woodpecker(model);
    nsds_interaction_set_name(scene.beak, "beak");
    nsds_interaction_set_name(scene.lower, "lower");
    nsds_interaction_set_name(scene.upper, "upper");
    ds = scene.toy;
  }
  nsds_simulation *s = nsds_event_driven(
      model,
      &(nsds_event_driven_def){.t1 = 5.0, .problems = most_problems, .history = most_events});
  nsds_status status = NSDS_OK;
  while (!status && nsds_event_past_count(s) < most_events && nsds_event_ahead(s))
    status = print_event(out, s, ds);
  for (int k = nsds_event_past_count(s) - 1; !status && k >= 0; --k) {
    nsds_event_record past;
    status = nsds_event_past_at(s, k, &past);
    fprintf(out, "past %.17g s, kind %u, %d rows changed\n", past.t, past.kind, past.count);
  }
  return output_close(out, model, status ? status : NSDS_END);
}
