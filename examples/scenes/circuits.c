#include "circuits.h"

#include <nsds/extend.h>

#include <math.h>
#include <stdlib.h>

circuit_scene scene_rlcd(nsds_model *model, double L, double C, double R, double v0, double i0) {
  circuit_scene scene;
  scene.circuit = nsds_first_order_linear(model, &(nsds_first_order_linear_def){
                                                     .name = "LC circuit",
                                                     .n = 2,
                                                     .x0 = (double[]){v0, i0},
                                                     .A = (double[]){0.0, 1.0 / L, /* column 1 */
                                                                     -1.0 / C, 0.0},
                                                 });
  nsds_relation *relation =
      nsds_first_order_linear_relation(model, &(nsds_first_order_linear_relation_def){
                                                  .name = "resistor and diode",
                                                  .ny = 1,
                                                  .nx = 2,
                                                  .C = (double[]){-1.0, 0.0},
                                                  .D = (double[]){R},
                                                  .B = (double[]){-1.0 / C, 0.0},
                                              });
  scene.diodes = nsds_connect(model, relation, nsds_complementarity(model), 1, &scene.circuit);
  return scene;
}

circuit_scene scene_diode_bridge(nsds_model *model, double L, double C, double R, double v0) {
  circuit_scene scene;
  scene.circuit = nsds_first_order_linear(model, &(nsds_first_order_linear_def){
                                                     .name = "LC circuit",
                                                     .n = 2,
                                                     .x0 = (double[]){v0, 0.0},
                                                     .A = (double[]){0.0, 1.0 / L, -1.0 / C, 0.0},
                                                 });
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){
                 .name = "diode bridge",
                 .ny = 4,
                 .nx = 2,
                 .C = (double[]){0.0, 0.0, -1.0, 1.0,        /* of v */
                                 0.0, 0.0, 0.0, 0.0},        /* of i */
                 .D = (double[]){1.0 / R, 1.0 / R, 1.0, 0.0, /* of lambda_1 */
                                 1.0 / R, 1.0 / R, 0.0, 1.0, /* of lambda_2 */
                                 -1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0},
                 .B = (double[]){0.0, 0.0, 0.0, 0.0, -1.0 / C, 0.0, 1.0 / C, 0.0},
             });
  scene.diodes = nsds_connect(model, relation, nsds_complementarity(model), 1, &scene.circuit);
  return scene;
}

circuit_scene scene_filtered_bridge(nsds_model *model, double L, double C, double R, double Cf,
                                    double v0) {
  circuit_scene scene;
  scene.circuit = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){
                 .name = "LC circuit and filter",
                 .n = 3,
                 .x0 = (double[]){v0, 0.0, v0},
                 .A = (double[]){0.0, 1.0 / L, 0.0, -1.0 / C, 0.0, 0.0, 0.0, 0.0, -1.0 / (R * Cf)},
             });
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){
                 .name = "diode bridge",
                 .ny = 4,
                 .nx = 3,
                 .C = (double[]){-1.0, 0.0, 1.0, 0.0, /* of v */
                                 0.0, 0.0, 0.0, 0.0,  /* of i */
                                 1.0, 1.0, 0.0, 0.0}, /* of u */
                 .D = (double[]){0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, -1.0, -1.0,
                                 -1.0, 1.0, 0.0},
                 .B = (double[]){-1.0 / C, 0.0, 1.0 / Cf, 0.0, 0.0, 1.0 / Cf, 1.0 / C, 0.0, 0.0,
                                 0.0, 0.0, 0.0},
             });
  scene.diodes = nsds_connect(model, relation, nsds_complementarity(model), 1, &scene.circuit);
  return scene;
}

/* ---- ladder ---- */

/* A column by column: i_k acts on v_(k-1) and v_k, v_k on i_k and i_(k+1). */
static nsds_ds *line(nsds_model *model, int n, double L, double C, const double *x0) {
  int size = 2 * n, filled = 0;
  int *p = malloc(((size_t)size + 1) * sizeof *p);
  int *row = malloc(2 * (size_t)size * sizeof *row);
  double *value = malloc(2 * (size_t)size * sizeof *value);
  nsds_ds *ds = NULL;
  if (p && row && value) {
    p[0] = 0;
    for (int j = 0; j < size; ++j) {
      bool current = j % 2 == 0;
      double storage = current ? C : L;
      if (j > 0) {
        row[filled] = j - 1;
        value[filled++] = -1.0 / storage;
      }
      if (j + 1 < size) {
        row[filled] = j + 1;
        value[filled++] = 1.0 / storage;
      }
      p[j + 1] = filled;
    }
    nsds_csc A = {.nrow = size, .ncol = size, .p = p, .i = row, .x = value};
    ds = nsds_first_order_linear(
        model, &(nsds_first_order_linear_def){.name = "line", .n = size, .x0 = x0, .A_sparse = &A});
  } else nsds_report(nsds_model_context(model), NSDS_ERROR_MEMORY, "line: out of memory");
  free(p);
  free(row);
  free(value);
  return ds;
}

ladder_scene scene_diode_ladder(nsds_model *model, int n, double L, double C, double R, double v0,
                                int cells) {
  const double pi = 3.14159265358979323846;
  ladder_scene scene = {.n = n, .diode = calloc((size_t)n, sizeof *scene.diode)};
  size_t size = 2 * (size_t)n;
  double *x = calloc(size, sizeof *x), *c = calloc(size, sizeof *c), *b = calloc(size, sizeof *b);
  if (scene.diode && x && c && b) {
    for (int k = 0; k < n; ++k) x[2 * k + 1] = v0 * sin(2.0 * pi * (k + 1) / cells);
    scene.line = line(model, n, L, C, x);
    nsds_law *ideal = nsds_complementarity(model);
    for (int k = 0; k < n; ++k) {
      c[2 * k + 1] = 1.0;
      b[2 * k + 1] = 1.0 / C;
      nsds_relation *relation = nsds_first_order_linear_relation(
          model, &(nsds_first_order_linear_relation_def){
                     .name = "diode", .ny = 1, .nx = 2 * n, .C = c, .D = (double[]){R}, .B = b});
      scene.diode[k] = nsds_connect(model, relation, ideal, 1, &scene.line);
      c[2 * k + 1] = b[2 * k + 1] = 0.0;
    }
  } else nsds_report(nsds_model_context(model), NSDS_ERROR_MEMORY, "diodes: out of memory");
  free(x);
  free(c);
  free(b);
  return scene;
}

void ladder_free(ladder_scene *scene) {
  free(scene->diode);
  *scene = (ladder_scene){0};
}
