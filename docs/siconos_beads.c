#include <nsds/nsds.h>
#include <stdio.h>
#include <stdlib.h>

/* ColumnOfBeadsTS: ten beads fall on a floor and on each other. The argument is gamma_prediction. */
int main(int argc, char **argv) {
  enum { n = 10 };
  const double gamma_prediction = argc > 1 ? atof(argv[1]) : 0.5;
  nsds_model *model = nsds_model_create(NULL);
  nsds_relation *floor_gap = nsds_lagrangian_linear_relation(model,
      &(nsds_lagrangian_linear_relation_def){
          .ny = 1, .nq = 1, .H = (double[]){1.0}, .b = (double[]){-0.1}});
  nsds_relation *pair_gap = nsds_lagrangian_linear_relation(model,
      &(nsds_lagrangian_linear_relation_def){
          .ny = 1, .nq = 2, .H = NSDS_ROWS(1, 2, -1.0, 1.0), .b = (double[]){-0.2}});
  nsds_law *impact = nsds_newton_impact(model, 0.9);
  nsds_ds *bead[n];
  for (int i = 0; i < n; ++i) {
    bead[i] = nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){
        .ndof = 1, .q0 = (double[]){1.0 + 0.25 * i}, .mass = (double[]){1.0},
        .fext = (double[]){-9.81}});
    if (i == 0) nsds_connect(model, floor_gap, impact, 1, &bead[0]);
    else nsds_connect(model, pair_gap, impact, 2, &bead[i - 1]);
  }

  nsds_simulation *simulation = nsds_time_stepping(model, &(nsds_time_stepping_def){
      .t1 = 2.0, .h = 5e-4, .activation = nsds_activation(gamma_prediction, 0.0)});

  FILE *table = fopen("beads.dat", "w");
  if (!table) return 1;
  while (nsds_step(simulation) == NSDS_OK) {
    fprintf(table, "%.15e", nsds_time(simulation));
    for (int i = 0; i < n; ++i)
      fprintf(table, " %.15e %.15e", nsds_q(bead[i])[0], nsds_v(bead[i])[0]);
    fputc('\n', table);
  }
  fclose(table);
  printf("gamma_prediction %g: in the end q0 = %.9f m, q9 = %.9f m\n", gamma_prediction,
         nsds_q(bead[0])[0], nsds_q(bead[n - 1])[0]);

  nsds_status status = nsds_error(nsds_model_context(model));
  if (status) fprintf(stderr, "%s\n", nsds_error_message(nsds_model_context(model)));
  nsds_model_destroy(model);
  return status != NSDS_OK;
}
