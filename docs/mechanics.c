/* A crate is thrown onto a rough floor: it lands on a corner, bounces, tumbles and slides to rest. */
#include <nsds/nsds.h>

#include <math.h>
#include <stdio.h>

/* Appends the outline of the crate, five points and an empty line. */
static void outline(FILE *out, const double q[3], double a, double b) {
  const double x[5] = {-a, a, a, -a, -a}, y[5] = {-b, -b, b, b, -b};
  for (int k = 0; k < 5; ++k)
    fprintf(out, "%g,%g\n", q[0] + cos(q[2]) * x[k] - sin(q[2]) * y[k],
            q[1] + sin(q[2]) * x[k] + cos(q[2]) * y[k]);
  fprintf(out, "\n");
}

int main(void) {
  const double m = 20.0, a = 0.3, b = 0.2; /* kg; half width and half height [m] */
  nsds_model *model = nsds_model_create(NULL);

  nsds_ds *crate = nsds_rigid_body_2d(model, &(nsds_rigid_body_2d_def){
      .name = "crate", .mass = m, .inertia = m * (a * a + b * b) / 3.0,
      .q0 = (double[]){0.0, 1.0, 0.3},   /* x [m], y [m], angle [rad] */
      .v0 = (double[]){4.0, 1.0, -6.0},  /* m/s, m/s, rad/s */
      .gravity = {0.0, -9.81}});
  nsds_contact_set *contacts = nsds_shapes(model, &(nsds_shapes_def){
      .name = "contacts", .dimension = 2,
      .nmaterial = 1, .material = &(nsds_material){.mu = 0.4, .e_n = 0.3},
      .nshape = 2, .shape = (nsds_shape_def[]){
          {.kind = NSDS_BOX, .ds = crate, .half = {a, b}},
          {.kind = NSDS_HALF_SPACE, .plane = {.normal = {0.0, 1.0}}}}});

  nsds_simulation *simulation =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 2.5, .h = 1e-3});

  FILE *csv = fopen("crate.csv", "w"), *outlines = fopen("outlines.csv", "w");
  if (!csv || !outlines) return 1;
  fprintf(csv, "time [s],height [m],angle [rad],speed [m/s],impulse of the floor [N s]\n");
  while (nsds_step(simulation) == NSDS_OK) {
    const double *q = nsds_q(crate), *v = nsds_v(crate);
    double up = 0.0; /* the sum over all contacts of the step */
    nsds_contact_info contact;
    nsds_contact_iterator at = nsds_set_contacts(contacts);
    while (nsds_next_contact(&at, &contact)) up += contact.world_impulse[1];
    fprintf(csv, "%g,%g,%g,%g,%g\n", nsds_time(simulation), q[1], q[2], v[0], up);
    if (nsds_step_count(simulation) % 80 == 1) outline(outlines, q, a, b);
  }
  fclose(csv);
  fclose(outlines);
  printf("rests at x = %.3f m, turned by %.3f rad, speed %.1e m/s\n", nsds_q(crate)[0],
         nsds_q(crate)[2], fabs(nsds_v(crate)[0]));

  nsds_status status = nsds_error(nsds_model_context(model));
  if (status) fprintf(stderr, "%s\n", nsds_error_message(nsds_model_context(model)));
  nsds_model_destroy(model);
  return status != NSDS_OK;
}
