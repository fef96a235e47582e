/*
 * A gripper: two fingers of 0.2 kg on prismatic joints press a box of 0.5 kg between them, each with
 * 10 N, and hold it by friction, mu = 0.6. Ten rows of joints, and two faces with four contacts each,
 * of which any three would do: forces are not unique. The carrier stands still.
 *
 * Programs report the state, and on stderr how fast the box creeps at the end and the largest certified
 * residual of all steps. SIZE: grippers side by side.
 */
#include "jointed.h"

enum { most_grippers = 100 };

static const double squeeze = 10.0, half = 0.02;

typedef struct watched {
  nsds_ds *box[most_grippers];
  int count;
  double residual; /* the largest of all steps */
} watched;

static watched seen;

static nsds_verdict note_residual(nsds_simulation *simulation, const nsds_solver_info *info,
                                  void *user) {
  (void)simulation, (void)user;
  if (info->residual > seen.residual) seen.residual = info->residual;
  return NSDS_ACCEPT;
}

/* A finger at `side` of the box, which slides along x and presses towards it. */
static nsds_ds *add_finger(nsds_model *model, nsds_law *law, const double at[3], double side) {
  static const double edge[] = {0.02, 0.03, 0.06};
  double place[3] = {at[0] + side * (half + 0.5 * edge[0]), at[1], at[2]};
  double input[jointed_inputs] = {-side * squeeze};
  nsds_ds *finger = jointed_body(model, "finger", 0.2, edge, place, 0.0);
  nsds_joint_def def = {.name = "slide",
                        .kind = NSDS_JOINT_PRISMATIC,
                        .ds = {finger},
                        .point = {place[0], place[1], place[2]},
                        .axis = {1, 0, 0}};
  nsds_connect(model, nsds_joint(model, &def), law, 1, def.ds);
  nsds_ds_set_z(finger, jointed_inputs, input);
  return finger;
}

static void *build(const char *size, long steps, const char *variant) {
  static const double edge[] = {0.04, 0.04, 0.04};
  static nsds_shape_def shape[3 * most_grippers];
  nsds_model *model = nsds_model_create(NULL);
  nsds_law *law = nsds_equality(model);
  seen.count = atoi(size);
  seen.residual = 0.0;
  if (seen.count < 1 || seen.count > most_grippers) return NULL;
  for (int k = 0; k < seen.count; ++k) {
    double at[3] = {0.2 * k, 0, 1};
    seen.box[k] = jointed_body(model, "box", 0.5, edge, at, 0.0);
    shape[3 * k] =
        (nsds_shape_def){.kind = NSDS_BOX, .ds = seen.box[k], .half = {half, half, half}};
    for (int f = 0; f < 2; ++f)
      shape[3 * k + 1 + f] = (nsds_shape_def){.kind = NSDS_BOX,
                                              .ds = add_finger(model, law, at, f ? 1.0 : -1.0),
                                              .half = {0.01, 0.015, 0.03}};
  }
  nsds_shapes(model, &(nsds_shapes_def){.nmaterial = 1,
                                        .material = &(nsds_material){.mu = 0.6},
                                        .nshape = 3 * seen.count,
                                        .shape = shape});
  stepping *s = (stepping *)stepping_start(
      model, steps,
      (nsds_time_stepping_def){.h = 2e-3,
                               .tolerance = 1e-10,
                               .check_solver = note_residual,
                               .projection = {.kind = NSDS_PROJECTION_DIRECT, .tolerance = 1e-8}});
  if (s && !jointed_choose(s, variant)) {
    stepping_destroy(s);
    s = NULL;
  }
  return s;
}

static void report(void *self) {
  double creep = 0.0;
  stepping_report(self);
  for (int k = 0; k < seen.count; ++k) creep = fmax(creep, fabs(nsds_v(seen.box[k])[2]));
  fprintf(stderr, "creep %.3g m/s, residual %.3g\n", creep, seen.residual);
}

int main(int argc, char **argv) {
  const bench_case c = {build, stepping_run, report, stepping_destroy};
  return bench_main(argc, argv, &c);
}
