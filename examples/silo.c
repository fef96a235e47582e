/*
 * Discs run out of a silo in the plane through openings of several widths D, and come in again at
 * its top. The number per second follows Beverloo's law,
 *
 *     W = C sqrt(g / d) (D / d - k)^(3/2),   d the mean diameter,
 *
 * whatever the height above: grains pass as if they fell freely from an arch as high as the opening
 * is wide, and the outermost ones, k d, are in each other's way. Source: W. A. Beverloo, H. A.
 * Leniger, J. van de Velde, The flow of granular solids through orifices, Chem. Eng. Sci. 15
 * (1961); in the plane the exponent is 3/2.
 *
 *   silo [FILE.csv [N]]       (default: standard output, 750 discs; at most 2000)
 *
 * Writes the rates; then C, k and the exponent of two fits, with the exponent 3/2 and with all
 * three free; then discs through over time; then where the discs are in the last silo.
 */
#include "grains.h"
#include "output.h"
#include "progress.h"

#include <math.h>
#include <stdlib.h>

enum { widths = 5, samples = 100, most_sweeps = 25 };

static const double width[widths] = {6, 7.5, 9, 10.5, 12}, h = 2e-3, settle = 0.4, start = 0.3,
                    run = 2.0;
static const double g = 9.81;

static silo_scene silo;

static nsds_verdict take(nsds_simulation *simulation, const nsds_solver_info *info, void *user) {
  (void)simulation, (void)info, (void)user;
  return NSDS_ACCEPT;
}

/* Discs through one opening, from when the flow is steady, at equal times. */
static nsds_status flow(nsds_model *model, int n, int place, int through[samples + 1]) {
  double opens = settle + start;
  scene_silo(model, &silo, n, width[place]);
  nsds_simulation *simulation = nsds_time_stepping(
      model,
      &(nsds_time_stepping_def){
          .t1 = opens + run, .h = h, .solver = "nsgs", .tolerance = 1e-4, .check_solver = take});
  nsds_solver *solver = nsds_simulation_solver(simulation);
  nsds_solver_set(solver, "acceleration", 0.0);
  nsds_solver_set(solver, "momentum", 15.0);
  nsds_solver_set(solver, "max_iterations", most_sweeps);
  nsds_status status;
  int before = 0, next = 0;
  while ((status = nsds_step(simulation)) == NSDS_OK) {
    double t = nsds_time(simulation);
    if (t >= settle) scene_silo_open(&silo);
    int out = scene_silo_refill(&silo);
    if (t < opens) before = out;
    while (next <= samples && t > opens + (next - 1e-6) * run / samples)
      through[next++] = out - before;
    progress("silo", (place + t / (opens + run)) / widths);
  }
  return status;
}

/* A straight line y = a + b x through the points but one, -1: all; the sum of squares left. */
static double line(const double *x, const double *y, int but, double *a, double *b) {
  double n = 0.0, sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0, left = 0.0;
  for (int i = 0; i < widths; ++i)
    if (i != but) n += 1.0, sx += x[i], sy += y[i], sxx += x[i] * x[i], sxy += x[i] * y[i];
  *b = (n * sxy - sx * sy) / (n * sxx - sx * sx);
  *a = (sy - *b * sx) / n;
  for (int i = 0; i < widths; ++i)
    if (i != but) left += pow(y[i] - *a - *b * x[i], 2.0);
  return left;
}

typedef struct beverloo {
  double C, k, exponent;
} beverloo;

/* With the exponent 3/2, W^(2/3) is a straight line over D. */
static beverloo fit_law(const double *W) {
  double y[widths], a, b;
  for (int i = 0; i < widths; ++i) y[i] = pow(W[i], 2.0 / 3.0);
  line(width, y, -1, &a, &b);
  return (beverloo){pow(b, 1.5), -a / b, 1.5};
}

/* With any exponent log W is one over log (D - k): k by search. */
static beverloo fit_free(const double *W, int but) {
  beverloo best = {0};
  double least = INFINITY;
  for (double k = 0.0; k < width[0] - 1.0; k += 0.01) {
    double x[widths], y[widths], a, b;
    for (int i = 0; i < widths; ++i) x[i] = log(width[i] - k), y[i] = log(W[i]);
    double left = line(x, y, but, &a, &b);
    if (left < least) least = left, best = (beverloo){exp(a), k, b};
  }
  return best;
}

static void report(FILE *out, int through[widths][samples + 1]) {
  double W[widths], unit = sqrt(g / silo.grain);
  for (int i = 0; i < widths; ++i) W[i] = through[i][samples] / run / unit;
  const beverloo law[] = {fit_law(W), fit_free(W, -1)};
  double least = INFINITY, most = -INFINITY;
  for (int i = 0; i < widths; ++i) {
    double exponent = fit_free(W, i).exponent;
    least = fmin(least, exponent), most = fmax(most, exponent);
  }
  fprintf(out, "D / d,W [1/s],W sqrt(d / g),fit with 3/2,free fit\n");
  for (int i = 0; i < widths; ++i) {
    fprintf(out, "%g,%.6g,%.6g", width[i], W[i] * unit, W[i]);
    for (int k = 0; k < 2; ++k)
      fprintf(out, ",%.6g", law[k].C * pow(width[i] - law[k].k, law[k].exponent));
    fputs("\n", out);
  }
  fprintf(out, "\n\nC,k,exponent,least,most\n");
  fprintf(out, "%.4g,%.4g,%.4g,1.5,1.5\n", law[0].C, law[0].k, law[0].exponent);
  fprintf(out, "%.4g,%.4g,%.4g,%.4g,%.4g\n", law[1].C, law[1].k, law[1].exponent, least, most);
  fprintf(out, "\n\nt [s]");
  for (int i = 0; i < widths; ++i) fprintf(out, ",D = %g d", width[i]);
  for (int s = 0; s <= samples; ++s) {
    fprintf(out, "\n%.4g", s * run / samples);
    for (int i = 0; i < widths; ++i) fprintf(out, ",%d", through[i][s]);
  }
  fprintf(out, "\n\n\nx [m],y [m],radius [m],speed [m/s]\n");
  for (int k = 0; k < silo.count; ++k) {
    const double *q = nsds_q(silo.disc[k]), *v = nsds_v(silo.disc[k]);
    fprintf(out, "%.6g,%.6g,%.6g,%.6g\n", q[0], q[1], silo.radius[k], hypot(v[0], v[1]));
  }
}

int main(int argc, char **argv) {
  int n = argc > 2 ? atoi(argv[2]) : 750;
  if (n < 1 || n > silo_most) {
    fprintf(stderr, "usage: %s [FILE.csv [N]], N discs, 1 to %d\n", argv[0], silo_most);
    return 2;
  }
  static int through[widths][samples + 1];
  FILE *out = output_open(argc, argv);
  nsds_model *model = NULL;
  nsds_status status = NSDS_END;
  for (int i = 0; i < widths && status == NSDS_END; ++i) {
    nsds_model_destroy(model);
    model = nsds_model_create(NULL);
    status = flow(model, n, i, through[i]);
  }
  if (status == NSDS_END) report(out, through);
  return output_close(out, model, status);
}
