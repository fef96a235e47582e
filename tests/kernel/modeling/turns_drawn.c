/*
 * Drawn rotors whose angles are known in closed form, over up to 20 turns and more:
 *
 *   free       w t, also of two bodies on one axis
 *   stops      reflection at one or two stops with restitution e
 *   spring     A sin(w t) of a torsion spring: of the library in the plane, else a moment set by the program
 *   friction   a relay takes a given moment until the rotor rests
 *   drive      a prescribed rate a + b cos(c t)
 *
 * in the plane and in space, by time stepping with steps of up to several turns, and event-driven. Each runs again
 * while the program saves and restores states, takes snapshots and goes on from these in another model, rejects steps,
 * lets functions fail, sets q and connects joints. That run must give the same bits, or the same turns if the
 * program has changed the model.
 *
 *   kernel_turns_drawn [--count N] [--seed S] [--verbose]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <nsds/nsds.h>

static const double turn = 6.283185307179586;

/* ---- drawing ---- */

static uint64_t word;

static double even(double low, double high) {
  word ^= word << 13, word ^= word >> 7, word ^= word << 17;
  return low + (high - low) * ((double)(word >> 11) * 0x1p-53);
}

static bool chance(double p) { return even(0.0, 1.0) < p; }

static int pick(int n) { return (int)even(0.0, n) % n; }

typedef enum family { FREE, STOPS, SPRING, FRICTION, DRIVE, FAMILIES } family;
static const char *const families[] = {"free", "stops", "spring", "friction", "drive"};

typedef struct rotor_def {
  family of;
  bool space, events, pair, slides, has[2], reversed, grid;
  double axis[3], J, rate, other_rate, stop[2], e, k, moment, b, c, offset, theta, h, t1;
  int steps;
} rotor_def;

static rotor_def draw(uint64_t seed) {
  word = seed * 0x9e3779b97f4a7c15u + 1;
  for (int k = 0; k < 10; ++k) even(0.0, 1.0);
  rotor_def d = {.of = pick(FAMILIES), .space = chance(0.6), .events = chance(0.5)};
  double length = 0.0, turns = (chance(0.5) ? 1.0 : -1.0) * exp(even(log(0.3), log(40.0)));
  d.pair = d.of == FREE && chance(0.5);
  d.slides = d.space && chance(0.3);
  for (int k = 0; k < 3; ++k) length += pow(d.axis[k] = even(-1.0, 1.0), 2);
  if (length < 0.01 || d.of == DRIVE || !d.space) {
    memcpy(d.axis, (double[]){0, 0, 1}, sizeof d.axis);
    length = 1.0;
  }
  for (int k = 0; k < 3; ++k) d.axis[k] /= sqrt(length);
  d.steps = 20 + pick(100);
  d.t1 = exp(even(log(0.1), log(10.0)));
  d.rate = turns * turn / d.t1;
  d.J = exp(even(log(0.01), log(10.0)));
  d.other_rate = even(-1.0, 1.0) * d.rate;
  d.e = chance(0.2) ? 1.0 : even(0.0, 1.0);
  d.reversed = chance(0.5);
  d.offset = even(-30.0, 30.0);
  d.theta = chance(0.5) ? 0.5 : even(0.5, 1.0);
  d.grid = chance(0.6);
  for (int k = 0; k < 2; ++k) {
    d.has[k] = d.of == STOPS && chance(0.8);
    d.stop[k] = (k ? 1.0 : -1.0) * exp(even(log(0.1), log(20.0))) * turn;
  }
  if (d.of == SPRING) {
    double w = even(0.5, 8.0) / d.t1;
    d.k = d.J * w * w;
    d.steps *= 20;
  }
  d.moment = d.J * fabs(d.rate) / (d.t1 * even(0.4, 2.0));
  d.b = even(0.0, 1.0) * d.rate;
  d.c = even(0.0, 6.0) / d.t1;
  if (d.of == DRIVE) d.steps *= 4;
  d.h = d.t1 / d.steps;
  return d;
}

/* ---- closed forms ---- */

/* Counts the impacts, each of which costs time stepping a part of a step. */
static double reflected(const rotor_def *d, double t, int *impacts) {
  double x = 0.0, v = d->rate;
  for (*impacts = 0; *impacts < 1000; ++*impacts) {
    int k = v > 0.0;
    double left = (d->stop[k] - x) / v;
    if (v == 0.0 || !d->has[k] || left >= t) break;
    x = d->stop[k];
    v *= -d->e;
    t -= left;
  }
  return x + v * t;
}

static double closed_form(const rotor_def *d, double t, int *impacts) {
  *impacts = 0;
  double way = d->J * fabs(d->rate) / d->moment, w = sqrt(d->k / d->J);
  switch (d->of) {
  case STOPS: return reflected(d, t, impacts);
  case SPRING: return d->rate / w * sin(w * t);
  case FRICTION:
    t = fmin(t, way);
    return d->rate * t - copysign(0.5 * d->moment / d->J * t * t, d->rate);
  case DRIVE: return d->rate * t + (d->c > 1e-9 ? d->b * sin(d->c * t) / d->c : d->b * t);
  default: return (d->rate - (d->pair ? d->other_rate : 0.0)) * t;
  }
}

/* Returns the error that the method may have. */
static double allowance(const rotor_def *d, int impacts, double angle) {
  double rate = fabs(d->rate), off = 1e-9 * (1.0 + fabs(angle)), w = sqrt(d->k / d->J);
  double T = d->t1, h = d->h;
  if (d->events) off += d->space ? 1e-6 * (1.0 + rate * T) : 1e-7 * (1.0 + rate * T);
  else if (d->of == STOPS) off += 3.0 * h * rate * impacts;
  else if (d->of == FRICTION) off += 2.0 * h * rate;
  if (d->of == DRIVE && !d->events) /* the rate at the end of a step has the weight theta */
    off += fabs(d->b) * (h * h * d->c * d->c * T + 2.0 * (d->theta - 0.5) * h);
  if (d->of == SPRING) {
    bool midway = !d->space && !d->events;
    double size = rate / w, grown = 0.5 * w * w * h * T;
    off += midway && d->theta == 0.5 ? size * w * w * w * h * h * T
                                     : size * (expm1(2.0 * grown) + 2.0 * w * h);
  }
  return off;
}

/* ---- models ---- */

typedef struct rotor {
  nsds_model *m;
  nsds_ds *ds[2];
  nsds_interaction *hinge, *angle, *dummy;
  nsds_relation *spare;
  nsds_law *far;
  nsds_simulation *s;
  bool fails; /* the next call of the fuse */
} rotor;

static int fuse(const nsds_arguments *in, double *F, void *user) {
  rotor *r = user;
  F[0] = 0.1 * cos(in->t);
  return r->fails ? -1 : 0;
}

static int drive(const nsds_arguments *in, double *v, void *user) {
  const rotor_def *d = user;
  v[0] = d->rate + d->b * cos(d->c * in->t);
  return 0;
}

static nsds_ds *body(const rotor_def *d, nsds_model *m, double rate) {
  const double J[9] = {d->J, 0, 0, 0, d->J, 0, 0, 0, d->J}, flat[3] = {0, 0, rate};
  const int index[1] = {d->space ? 5 : 2};
  double v[6] = {0};
  for (int k = 0; k < 3; ++k) v[3 + k] = rate * d->axis[k];
  nsds_prescribed given = {0};
  if (d->of == DRIVE) given = (nsds_prescribed){.n = 1, .index = index, .fn = drive};
  if (d->space)
    return nsds_rigid_body(
        m,
        &(nsds_rigid_body_def){
            .mass = 1.0, .inertia = J, .v0 = v, .prescribed = given, .user = (void *)(uintptr_t)d});
  return nsds_rigid_body_2d(m, &(nsds_rigid_body_2d_def){.mass = 1.0,
                                                         .inertia = d->J,
                                                         .v0 = flat,
                                                         .prescribed = given,
                                                         .user = (void *)(uintptr_t)d});
}

static nsds_relation *coordinate(const rotor_def *d, rotor *r, bool reversed, double offset) {
  nsds_joint_coordinate_def def = {.kind = NSDS_COORDINATE_ANGLE,
                                   .ds = {r->ds[0], r->ds[1]},
                                   .axis = {d->axis[0], d->axis[1], d->axis[2]},
                                   .reversed = reversed,
                                   .offset = offset};
  return nsds_joint_coordinate(r->m, &def);
}

static nsds_interaction *connect(const rotor_def *d, rotor *r, nsds_relation *relation,
                                 nsds_law *law) {
  return nsds_connect(r->m, relation, law, d->pair ? 2 : 1, r->ds);
}

static bool make(const rotor_def *d, rotor *r) {
  *r = (rotor){.m = nsds_model_create(NULL)};
  nsds_model *m = r->m;
  r->ds[0] = body(d, m, d->of == DRIVE ? d->rate + d->b : d->rate);
  if (d->pair) r->ds[1] = body(d, m, d->other_rate);
  nsds_joint_def def = {.kind = d->slides ? NSDS_JOINT_CYLINDRICAL : NSDS_JOINT_HINGE,
                        .ds = {r->ds[0], r->ds[1]},
                        .axis = {d->axis[0], d->axis[1], d->axis[2]}};
  r->hinge = nsds_connect(m, nsds_joint(m, &def), nsds_equality(m), d->pair ? 2 : 1, r->ds);
  r->far = nsds_newton_impact(m, 0.5);
  r->spare = coordinate(d, r, false, 1e5);
  for (int k = 0; k < 2; ++k)
    if (d->has[k])
      connect(d, r, coordinate(d, r, k, k ? d->stop[1] : -d->stop[0]), nsds_newton_impact(m, d->e));
  bool rubs = d->of == FRICTION;
  nsds_law *law = rubs ? nsds_relay(m, 1, (double[]){-d->moment}, (double[]){d->moment}) : r->far;
  r->angle = connect(d, r, coordinate(d, r, d->reversed, d->offset + (rubs ? 0.0 : 1e4)), law);
  if (d->of == SPRING && !d->space && !d->events)
    nsds_connect(m,
                 nsds_spring(m, &(nsds_spring_def){.ds = {r->ds[0]},
                                                   .stiffness = d->k,
                                                   .coordinates = true,
                                                   .coordinate = {2}}),
                 nsds_equality(m), 1, r->ds);
  nsds_lagrangian(
      m,
      &(nsds_lagrangian_def){
          .ndof = 1, .mass = (double[]){1.0}, .q0 = (double[]){0.1}, .fext_fn = fuse, .user = r});
  bool grid = d->grid || d->of == SPRING;
  r->s = d->events
             ? nsds_event_driven(
                   m, &(nsds_event_driven_def){.t1 = d->t1, .output_period = grid ? d->h : 0.0})
             : nsds_time_stepping(
                   m, &(nsds_time_stepping_def){
                          .t1 = d->t1, .h = d->h, .second_order = nsds_moreau_jean(d->theta, 1.0)});
  return r->s != NULL;
}

/* ---- runs ---- */

static char why[400];

static bool wrong(const char *what, double t, double is, double right) {
  snprintf(why, sizeof why, "%s at t = %.9g: %.17g, not %.17g", what, t, is, right);
  return false;
}

static bool failed(const rotor *r, const char *call) {
  snprintf(why, sizeof why, "%s: %.350s", call, nsds_last_message(nsds_model_context(r->m)));
  return false;
}

static double angle_of(const rotor *r, double *rate) {
  nsds_joint_motion motion = {.angle = NAN};
  nsds_joint_read(r->hinge, &motion);
  *rate = motion.angular_velocity;
  return motion.angle;
}

/* Sets the moment of a torsion spring that the program makes. */
static void load(const rotor_def *d, const rotor *r) {
  double rate, moment[3];
  if (d->of != SPRING || (!d->space && !d->events)) return;
  double angle = angle_of(r, &rate);
  for (int k = 0; k < 3; ++k) moment[k] = -d->k * angle * (d->space ? d->axis[k] : 1.0);
  nsds_set_body_force(r->ds[0], NULL, moment, NSDS_FRAME_WORLD);
}

static nsds_status step(const rotor_def *d, const rotor *r) {
  load(d, r);
  return nsds_step(r->s);
}

typedef struct sample {
  double t, angle, y;
} sample;

enum { most = 4000 };

static sample look(const rotor *r) {
  double rate;
  return (sample){nsds_time(r->s), angle_of(r, &rate), nsds_y(r->angle)[0]};
}

/* Compares the run with the closed form, and each step with its rates. */
static bool plain_run(const rotor_def *d, sample *x, int *n) {
  rotor r;
  bool good = make(d, &r) || failed(&r, "making");
  double before = 0.0, first = 0.0, last;
  nsds_status status = NSDS_OK;
  double offset = d->offset + (d->of == FRICTION ? 0.0 : 1e4);
  for (*n = 0; good && status == NSDS_OK && *n < most; ++*n) {
    double t = nsds_time(r.s);
    angle_of(&r, &first);
    status = step(d, &r);
    if (status < 0) good = failed(&r, "a step");
    if (status) break;
    x[*n] = look(&r);
    double angle = angle_of(&r, &last), h = x[*n].t - t;
    int impacts;
    double right = closed_form(d, x[*n].t, &impacts);
    double off = allowance(d, impacts, right);
    if (!(fabs(angle - right) <= off)) good = wrong("angle", x[*n].t, angle, right);
    double y = (d->reversed ? -angle : angle) + offset;
    if (good && !(fabs(x[*n].y - y) <= 1e-11 * (1e4 + fabs(angle))))
      good = wrong("y", x[*n].t, x[*n].y, y);
    double way = h * ((1.0 - d->theta) * first + d->theta * last);
    if (good && !d->events && !(fabs(angle - before - way) <= 1e-8 * (1.0 + fabs(angle))))
      good = wrong("step", x[*n].t, angle - before, way);
    before = angle;
  }
  nsds_model_destroy(r.m);
  return good;
}

static bool same_q(rotor *r, bool both) {
  for (int b = 0; b < 2 && r->ds[b]; ++b) {
    double q[7], v[6];
    memcpy(q, nsds_q(r->ds[b]), (size_t)nsds_nq(r->ds[b]) * sizeof *q);
    memcpy(v, nsds_v(r->ds[b]), (size_t)nsds_nv(r->ds[b]) * sizeof *v);
    if (nsds_set_state(r->ds[b], q, both ? v : NULL)) return failed(r, "setting");
  }
  return true;
}

/* Goes on from a snapshot in a model of its own. */
static bool move_house(const rotor_def *d, rotor *r) {
  static rotor other; /* its address is the fuse's */
  nsds_snapshot *kept = nsds_snapshot_take(r->s);
  bool good = kept || failed(r, "a snapshot");
  nsds_model *old = r->m;
  if (good) good = make(d, &other) || failed(&other, "making again");
  if (good) good = !nsds_snapshot_restore(other.s, kept) || failed(&other, "a snapshot back");
  nsds_snapshot_destroy(kept);
  if (!good) return false;
  nsds_model_destroy(old);
  *r = other; /* the fuse of the new model looks at `other`, which never fails */
  return true;
}

/* Disturbs the run between two steps. *exact: the motion has the same bits after this. */
static bool disturb(const rotor_def *d, rotor *r, bool *exact) {
  double rate;
  nsds_status status = NSDS_OK;
  int ahead = 1 + pick(4);
  switch (pick(8)) {
  case 0:
    if (nsds_simulation_save(r->s)) return failed(r, "saving");
    for (int k = 0; !status && k < ahead; ++k) status = step(d, r);
    return !nsds_simulation_restore(r->s) || failed(r, "restoring");
  case 1: {
    nsds_snapshot *kept = nsds_snapshot_take(r->s);
    for (int k = 0; !status && k < ahead; ++k) status = step(d, r);
    status = nsds_snapshot_restore(r->s, kept);
    nsds_snapshot_destroy(kept);
    return !status || failed(r, "a snapshot back");
  }
  case 2: return r->dummy || move_house(d, r);
  case 3:
    if (d->events) return true;
    load(d, r);
    if (nsds_step_begin(r->s)) return true; /* at the end */
    status = nsds_step_solve(r->s);
    if (!status) status = nsds_step_update(r->s);
    return !nsds_step_reject(r->s) || failed(r, "rejecting");
  case 4:
    load(d, r);
    r->fails = true;
    status = nsds_step(r->s);
    r->fails = false;
    nsds_error_clear(nsds_model_context(r->m));
    return true; /* dense output may have gone on without the fuse, and the step be taken */
  case 5: *exact = false; return same_q(r, chance(0.5));
  case 6:
    *exact = false;
    if (r->dummy) nsds_disconnect(r->dummy);
    r->dummy = r->dummy ? NULL : connect(d, r, r->spare, r->far);
    return true;
  default:
    angle_of(r, &rate);
    nsds_y(r->angle);
    return true;
  }
}

static bool disturbed_run(const rotor_def *d, const sample *x, int n, int *disturbances) {
  rotor r;
  bool good = make(d, &r) || failed(&r, "making"), exact = true;
  for (int k = 0; good && k < n;) {
    double t = nsds_time(r.s);
    if (chance(8.0 / n)) {
      good = disturb(d, &r, &exact);
      ++*disturbances;
      if (!good || nsds_time(r.s) == t) continue;
      ++k; /* a failure that the step has passed by */
      continue;
    }
    if (step(d, &r)) return failed(&r, "a disturbed step");
    sample now = look(&r);
    double slack = (exact ? 0.0 : d->events ? 1e-5 : 1e-8) * (1.0 + fabs(x[k].angle));
    if (exact && now.t != x[k].t) good = wrong("time", x[k].t, now.t, x[k].t);
    if (d->events && !d->grid && !exact && d->of != SPRING) break; /* events may differ by one */
    if (good && !(fabs(now.angle - x[k].angle) <= slack))
      good = wrong("angle again", x[k].t, now.angle, x[k].angle);
    if (good && !(fabs(now.y - x[k].y) <= slack)) good = wrong("y again", x[k].t, now.y, x[k].y);
    ++k;
  }
  nsds_model_destroy(r.m);
  return good;
}

int main(int argc, char **argv) {
  long count = 200, wrongs = 0, of[FAMILIES] = {0};
  uint64_t seed = 1;
  bool verbose = false;
  static sample x[most];
  for (int k = 1; k < argc; ++k) {
    if (strcmp(argv[k], "--verbose") == 0) verbose = true;
    else if (strcmp(argv[k], "--count") == 0 && k + 1 < argc) count = atol(argv[++k]);
    else if (strcmp(argv[k], "--seed") == 0 && k + 1 < argc) seed = (uint64_t)atoll(argv[++k]);
    else return fprintf(stderr, "unknown argument '%s'\n", argv[k]), 2;
  }
  long steps = 0;
  int disturbances = 0;
  for (uint64_t s = seed; s < seed + (uint64_t)count; ++s) {
    rotor_def d = draw(s);
    int n = 0;
    const char *run = "plain";
    bool good = plain_run(&d, x, &n);
    steps += n;
    if (good) run = "disturbed", good = disturbed_run(&d, x, n, &disturbances);
    ++of[d.of];
    wrongs += !good;
    if (!good || verbose)
      printf("%llu: %s in %s, %s, %s run: %s\n", (unsigned long long)s, families[d.of],
             d.space ? "space" : "the plane", d.events ? "event-driven" : "time stepping", run,
             good ? "right" : why);
    fflush(stdout);
  }
  printf("%ld rotors, %ld steps, %d disturbances, %ld wrong:", count, steps, disturbances, wrongs);
  for (int k = 0; k < FAMILIES; ++k) printf(" %s %ld", families[k], of[k]);
  printf("\n");
  return wrongs > 0;
}
