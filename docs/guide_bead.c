#include <nsds/nsds.h>

#include <math.h>
#include <stdio.h>

static const double radius = 0.5, clearance = 1e-4; /* of the ring; of the bead on it [m] */

/* Rows: gap to the outside of the wire, tangent; gap to its inside, tangent. */
static int gaps(const nsds_arguments *in, double *y, void *user) {
  (void)user;
  double r = hypot(in->q[0], in->q[1]);
  y[0] = radius + clearance - r;
  y[2] = r - radius + clearance;
  return 0;
}

/* H[row + 4 * column]: the normals point to where the gap grows, the tangents along the wire. */
static int directions(const nsds_arguments *in, double *H, void *user) {
  (void)user;
  double r = hypot(in->q[0], in->q[1]), nx = in->q[0] / r, nz = in->q[1] / r;
  H[0] = -nx, H[4] = -nz;
  H[1] = -nz, H[5] = nx;
  H[2] = nx, H[6] = nz;
  H[3] = -nz, H[7] = nx;
  return 0;
}

int main(void) {
  const double m = 0.1, g = 9.81, mu = 0.2, v0 = 7.0;
  nsds_model *model = nsds_model_create(NULL);

  nsds_ds *bead = nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){
      .name = "bead", .ndof = 2,
      .q0 = (double[]){0.0, -radius - clearance}, .v0 = (double[]){v0, 0.0},
      .mass = NSDS_ROWS(2, 2,   m, 0.0,
                                0.0, m),
      .fext = (double[]){0.0, -m * g}});
  nsds_relation *wire = nsds_lagrangian_relation(model, &(nsds_lagrangian_relation_def){
      .name = "wire", .ny = 4, .nq = 2, .output_fn = gaps, .jac_output_q_fn = directions});
  nsds_law *friction = nsds_newton_impact_friction(model, &(nsds_newton_impact_friction_def){
      .dimension = 2, .mu = mu, .e_n = 0.0});
  nsds_interaction *contact = nsds_connect(model, wire, friction, 1, &bead);

  nsds_simulation *simulation =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 4.0, .h = 1e-4});

  FILE *csv = fopen("bead.csv", "w");
  if (!csv) return 1;
  fprintf(csv, "time [s],angle [rad],speed [m/s],wire on bead [N],friction [N]\n");
  double angle = 0.0, top = 0.0, last = 0.0;
  while (nsds_step(simulation) == NSDS_OK) {
    const double *q = nsds_q(bead), *v = nsds_v(bead), *P = nsds_lambda(contact);
    angle += remainder(atan2(q[0], -q[1]) - angle, 6.283185307179586);
    double speed = (v[1] * q[0] - v[0] * q[1]) / radius;
    if (angle > top) top = angle;
    if (fabs(speed) > 1e-9) last = nsds_time(simulation);
    fprintf(csv, "%g,%g,%g,%g,%g\n", nsds_time(simulation), angle, speed, P[0] - P[2], P[1] + P[3]);
  }
  fclose(csv);
  printf("turns back at %.3f rad, rests at %.3f rad after %.2f s\n", top, angle, last);

  nsds_status status = nsds_error(nsds_model_context(model));
  if (status) fprintf(stderr, "%s\n", nsds_error_message(nsds_model_context(model)));
  nsds_model_destroy(model);
  return status != NSDS_OK;
}
