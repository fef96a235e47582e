/*
 * What acts on joints, against closed forms in both drivers, in the plane and in space: dry friction, stops over
 * several turns, soft stops, armature, the largest force of a drive, couplers; and what is refused.
 */
#include "acting_arm.h"
#include "support.h"

static const double pi = 3.141592653589793;
static const double tilted[3] = {0.48, -0.6, 0.64}; /* of length 1 */

/* A rotor on a hinge through its center. */
typedef struct rotor {
  nsds_model *m;
  bool space, events;
  double J;
  nsds_ds *ds;
  nsds_interaction *hinge;
  nsds_joint_actions act;
  nsds_simulation *s;
} rotor;

static nsds_joint_coordinate_def about(nsds_ds *ds) {
  nsds_joint_coordinate_def c = {.kind = NSDS_COORDINATE_ANGLE, .ds = {ds}};
  memcpy(c.axis, tilted, sizeof c.axis);
  return c;
}

static nsds_ds *add_rotor(nsds_model *m, bool space, double J, double rate) {
  const double inertia[9] = {J, 0, 0, 0, J, 0, 0, 0, J};
  double v[6] = {0, 0, 0, rate * tilted[0], rate * tilted[1], rate * tilted[2]};
  nsds_ds *ds =
      space ? nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1.0, .inertia = inertia, .v0 = v})
            : nsds_rigid_body_2d(m, &(nsds_rigid_body_2d_def){
                                        .mass = 1.0, .inertia = J, .v0 = (double[]){0, 0, rate}});
  nsds_joint_def hinge = {.kind = NSDS_JOINT_HINGE, .ds = {ds}};
  memcpy(hinge.axis, tilted, sizeof hinge.axis);
  nsds_connect(m, nsds_joint(m, &hinge), nsds_equality(m), 1, &ds);
  assert_sound(m);
  return ds;
}

/* One of the four: plane or space, time stepping or events. */
static rotor make_rotor(int kind, double J, double rate, nsds_joint_act_def def) {
  rotor r = {.m = nsds_model_create(NULL), .space = kind & 1, .events = kind & 2, .J = J};
  r.ds = add_rotor(r.m, r.space, J, rate);
  def.coordinate = about(r.ds);
  def.coordinate.name = "axle";
  assert_ok(r.m, nsds_joint_act(r.m, &def, &r.act));
  r.hinge = nsds_interaction_at(r.m, 0);
  return r;
}

static void simulate(rotor *r, double t1, double h) {
  r->s = r->events ? nsds_event_driven(r->m, &(nsds_event_driven_def){.t1 = t1, .output_period = h})
                   : nsds_time_stepping(r->m, &(nsds_time_stepping_def){.t1 = t1, .h = h});
  assert_sound(r->m);
}

static nsds_joint_motion motion_of(const rotor *r) {
  nsds_joint_motion motion;
  assert_ok(r->m, nsds_joint_read(r->hinge, &motion));
  return motion;
}

static bool step(rotor *r) {
  nsds_status status = nsds_step(r->s);
  if (status != NSDS_END) assert_ok(r->m, status);
  return status != NSDS_END;
}

/* ---- one joint ---- */

/* Friction M takes J w / M to stop a rotor, after many turns, and then holds it. */
static void dry_friction_stops_and_holds(void **state) {
  (void)state;
  uint64_t seed = 1;
  for (int k = 0; k < 12; ++k) {
    double J = random_in(&seed, 0.05, 0.5), w = random_in(&seed, -60.0, 60.0);
    double M = random_in(&seed, 0.5, 3.0), stops = J * fabs(w) / M, h = 1e-3;
    rotor r = make_rotor(k % 4, J, w, (nsds_joint_act_def){.friction = M});
    simulate(&r, stops + 0.5, h);
    while (step(&r)) {
      double t = fmin(nsds_time(r.s), stops), a = copysign(M / J, w);
      double slack = r.events ? 1e-8 : h * fabs(a) * h + 1e-9;
      assert_near(motion_of(&r).angular_velocity, w - a * t, r.events ? 1e-8 : fabs(a) * h);
      assert_near(motion_of(&r).angle, w * t - 0.5 * a * t * t, slack);
    }
    assert_near(motion_of(&r).angular_velocity, 0.0, 1e-11);
    nsds_model_destroy(r.m);
  }
}

/* Stops past half a turn and past several: w goes to -e w at the upper one, then meets the lower one. */
static void rigid_stops_over_turns(void **state) {
  (void)state;
  uint64_t seed = 2;
  for (int k = 0; k < 12; ++k) {
    double w = random_in(&seed, 5.0, 20.0), e = random_in(&seed, 0.2, 0.9), h = 1e-3;
    double upper = random_in(&seed, 3.2, 25.0), lower = -random_in(&seed, 3.2, 10.0);
    rotor r = make_rotor(k % 4, 0.3, w,
                         (nsds_joint_act_def){.lower = lower, .upper = upper, .restitution = e});
    double first = upper / w, second = first + (upper - lower) / (e * w);
    simulate(&r, second + 0.3, h);
    while (step(&r)) {
      double t = nsds_time(r.s), slack = r.events ? 1e-8 : 2.5 * w * h;
      double right = t < first    ? w * t
                     : t < second ? upper - e * w * (t - first)
                                  : lower + e * e * w * (t - second);
      assert_near(motion_of(&r).angle, right, slack);
      assert_near(nsds_y(r.act.lower)[0], motion_of(&r).angle - lower, 1e-9);
      assert_near(nsds_y(r.act.upper)[0], upper - motion_of(&r).angle, 1e-9);
    }
    assert_near(motion_of(&r).angular_velocity, e * e * w, 1e-8);
    nsds_model_destroy(r.m);
  }
}

/* A soft stop is half a period of an oscillator. */
static void soft_stop_is_a_spring(void **state) {
  (void)state;
  const double J = 0.2, k = 500.0, w = 10.0, stop = 7.0, frequency = sqrt(k / J);
  const double leaves = stop / w + pi / frequency, t1 = leaves + 0.2;
  for (int kind = 0; kind < 4; ++kind) {
    double error[2] = {0.0, 0.0}, deepest = 0.0;
    for (int fine = 0; fine < 2; ++fine) {
      rotor r = make_rotor(
          kind, J, w, (nsds_joint_act_def){.lower = -INFINITY, .upper = stop, .stop_stiffness = k});
      simulate(&r, t1, fine ? 1e-4 : 2e-4);
      assert_null(r.act.lower);
      while (step(&r)) deepest = fmax(deepest, motion_of(&r).angle - stop);
      error[fine] = motion_of(&r).angle - (stop - w * (t1 - leaves));
      nsds_model_destroy(r.m);
    }
    if (kind & 2) assert_near(error[1], 0.0, 1e-7);
    else assert_between(error[0] / error[1], 1.8, 2.2); /* order 1 */
    assert_near(deepest, w / frequency, kind & 2 ? 1e-4 : 3e-3);
  }
}

/* A given force turns the rotor together with its armature: rate F t / (J + J_a). */
static void armature_adds_inertia(void **state) {
  (void)state;
  uint64_t seed = 3;
  for (int k = 0; k < 12; ++k) {
    double J = random_in(&seed, 0.05, 0.5), Ja = J * random_in(&seed, 0.01, 50.0);
    double F = random_in(&seed, -3.0, 3.0), w = random_in(&seed, -10.0, 10.0);
    rotor r =
        make_rotor(k % 4, J, w, (nsds_joint_act_def){.driven = true, .force = F, .armature = Ja});
    simulate(&r, 2.0, 0.01);
    while (step(&r)) {
      double t = nsds_time(r.s), right = w + F * t / (J + Ja),
             angle = w * t + F * t * t / (J + Ja) / 2.0;
      assert_near(motion_of(&r).angular_velocity, right, 1e-9);
      assert_near(motion_of(&r).angle, angle, 1e-8);
      assert_near(nsds_v(r.act.rotor)[0], right, 1e-9);
      assert_near(nsds_q(r.act.rotor)[0], angle, 1e-8);
      assert_near(nsds_lambda(r.act.drive)[0], F, 1e-12);
    }
    nsds_model_destroy(r.m);
  }
}

/* A drive with a largest force accelerates by F / J until spring and damper ask for less. */
static void largest_force_of_a_drive(void **state) {
  (void)state;
  const double J = 0.2, k = 100.0, d = 12.0, F = 3.0, target = 15.0;
  /* k (target - c) - d dc/dt = F with c = F t^2 / 2 J */
  const double a = 0.5 * k * F / J, b = d * F / J, c = F - k * target;
  const double leaves = (-b + sqrt(b * b - 4.0 * a * c)) / (2.0 * a);
  for (int kind = 0; kind < 4; ++kind) {
    rotor r = make_rotor(
        kind, J, 0.0,
        (nsds_joint_act_def){
            .driven = true, .drive_stiffness = k, .drive_damping = d, .target = target, .most = F});
    simulate(&r, leaves + 1.0, 1e-3);
    while (step(&r)) {
      double t = nsds_time(r.s), now = nsds_lambda(r.act.drive)[0];
      assert_between(now, -F * (1.0 + 1e-12), F * (1.0 + 1e-12));
      if (t > leaves - 3e-3) continue;
      assert_near(now, F, 1e-12);
      assert_near(motion_of(&r).angle, 0.5 * F / J * t * t, 1e-9);
    }
    assert_near(nsds_time(r.s), leaves + 1.0, 1e-12);
    nsds_model_destroy(r.m);
  }
}

/* The target of a rate, and force added to a drive, as a program sets them between steps. */
static void programs_set_targets(void **state) {
  (void)state;
  for (int kind = 0; kind < 4; ++kind) {
    rotor r =
        make_rotor(kind, 0.2, 0.0, (nsds_joint_act_def){.driven = true, .drive_damping = 500.0});
    simulate(&r, 2.0, 1e-2);
    while (step(&r)) {
      double t = nsds_time(r.s), ask = t < 1.0 ? 40.0 : -3.0;
      if (t > 0.2 && fabs(t - 1.0) > 0.2) assert_near(motion_of(&r).angular_velocity, ask, 1e-6);
      assert_ok(r.m, nsds_joint_drive_set(r.act.drive, 0.0, ask, 0.0));
    }
    assert_between(motion_of(&r).angle, 35.0, 38.0);
    nsds_joint_drive_motion drive;
    assert_ok(r.m, nsds_joint_drive_read(r.act.drive, &drive));
    assert_near(drive.target_rate, -3.0, 0.0);
    assert_near(drive.rate, motion_of(&r).angular_velocity, 1e-12);
    assert_near(drive.coordinate, motion_of(&r).angle, 1e-12);
    assert_near(drive.force, nsds_lambda(r.act.drive)[0], 0.0);
    nsds_model_destroy(r.m);
  }
}

/* The target of an integrated drive is the sum of drawn rates, within its bounds, and the joint follows. The clock of
 * the simulation begins at 3 s, so the way until then counts as none. */
static void integrated_targets_follow_their_rates(void **state) {
  (void)state;
  uint64_t seed = 11;
  for (int k = 0; k < 12; ++k) {
    double bound = random_in(&seed, 1.0, 4.0), rate = random_in(&seed, -2.0, 2.0), target = 0.5;
    rotor r = make_rotor(k % 4, 0.2, 0.0,
                         (nsds_joint_act_def){.driven = true,
                                              .integrated = true,
                                              .drive_stiffness = 500.0,
                                              .drive_damping = 30.0,
                                              .target = target,
                                              .rate = rate,
                                              .target_lower = -bound,
                                              .target_upper = bound});
    double t0 = k & 4 ? 3.0 : 0.0, h = 1e-3;
    r.s = r.events
              ? nsds_event_driven(
                    r.m, &(nsds_event_driven_def){.t0 = t0, .t1 = t0 + 8, .output_period = h})
              : nsds_time_stepping(r.m, &(nsds_time_stepping_def){.t0 = t0, .t1 = t0 + 8, .h = h});
    assert_sound(r.m);
    nsds_joint_drive_motion drive;
    for (int phase = 0; phase < 6; ++phase) {
      int settled = 0; /* steps since the target came to a bound */
      for (int i = 0; i < 1000; ++i) {
        assert_true(step(&r));
        double next = fmax(-bound, fmin(target + rate * h, bound));
        bool arrives = fabs(next) == bound && fabs(target) < bound;
        settled = arrives ? 0 : settled + 1;
        target = next;
        assert_ok(r.m, nsds_joint_drive_read(r.act.drive, &drive));
        assert_near(drive.target, target, 1e-9);
        if (i % 100 == 0) /* the same again changes nothing */
          assert_ok(r.m, nsds_joint_drive_set(r.act.drive, 0.5, rate, 0.0));
      }
      if (settled > 600) assert_near(drive.coordinate, target, 1e-5);
      assert_near(drive.target_rate, fabs(target) < bound ? rate : 0.0, 1e-12);
      rate = random_in(&seed, -2.0, 2.0);
      assert_ok(r.m, nsds_joint_drive_set(r.act.drive, 0.5, rate, 0.0));
    }
    assert_ok(r.m, nsds_joint_drive_set(r.act.drive, 0.25, 0.0, 0.0)); /* a new target */
    assert_ok(r.m, nsds_joint_drive_read(r.act.drive, &drive));
    assert_near(drive.target, 0.25, 0.0);
    nsds_model_destroy(r.m);
  }
}

/* A snapshot has the way of an integrated target. */
static void snapshots_have_integrated_targets(void **state) {
  (void)state;
  for (int kind = 0; kind < 4; ++kind) {
    rotor r[2];
    nsds_joint_drive_motion drive[2];
    for (int k = 0; k < 2; ++k) {
      r[k] = make_rotor(
          kind, 0.2, 0.0,
          (nsds_joint_act_def){
              .driven = true, .integrated = true, .drive_stiffness = 50.0, .drive_damping = 3.0});
      simulate(&r[k], 1.0, 1e-2);
    }
    for (int i = 0; i < 40; ++i) {
      assert_true(step(&r[0]));
      assert_ok(r[0].m, nsds_joint_drive_set(r[0].act.drive, 0.0, sin(i), 0.0));
    }
    nsds_snapshot *saved = nsds_snapshot_take(r[0].s);
    assert_non_null(saved);
    assert_ok(r[1].m, nsds_snapshot_restore(r[1].s, saved));
    for (int k = 0; k < 2; ++k) {
      for (int i = 0; i < 20; ++i) assert_true(step(&r[k]));
      assert_ok(r[k].m, nsds_joint_drive_read(r[k].act.drive, &drive[k]));
    }
    assert_true(drive[0].target != 0.0);
    assert_memory_equal(&drive[0], &drive[1], sizeof drive[0]);
    nsds_snapshot_destroy(saved);
    for (int k = 0; k < 2; ++k) nsds_model_destroy(r[k].m);
  }
}

/* A drive to a target several turns away gets there, and counts them. */
static void targets_over_turns(void **state) {
  (void)state;
  for (int kind = 0; kind < 4; ++kind) {
    rotor r = make_rotor(kind, 0.2, 0.0,
                         (nsds_joint_act_def){.driven = true,
                                              .drive_stiffness = 1e3,
                                              .drive_damping = 40.0,
                                              .target = -47.0,
                                              .most = 400.0});
    simulate(&r, 6.0, 5e-3);
    while (step(&r)) {
    }
    assert_near(motion_of(&r).angle, -47.0, 1e-8);
    nsds_model_destroy(r.m);
  }
}

/* A spring without damping keeps its energy, and is of order 2. */
static void springs_keep_energy(void **state) {
  (void)state;
  const double J = 0.2, k = 80.0, w = 3.0, frequency = sqrt(k / J);
  for (int kind = 0; kind < 4; ++kind) {
    double error[2];
    for (int fine = 0; fine < 2; ++fine) {
      rotor r = make_rotor(kind, J, w, (nsds_joint_act_def){.stiffness = k, .rest = 0.0});
      simulate(&r, 2.0, fine ? 1e-3 : 2e-3);
      while (step(&r)) {
        nsds_joint_motion at = motion_of(&r);
        double energy =
            0.5 * J * at.angular_velocity * at.angular_velocity + 0.5 * k * at.angle * at.angle;
        assert_near(energy, 0.5 * J * w * w, r.events ? 1e-7 : 1e-10);
      }
      error[fine] = motion_of(&r).angle - w / frequency * sin(2.0 * frequency);
      nsds_model_destroy(r.m);
    }
    if (kind & 2) assert_near(error[1], 0.0, 1e-7);
    else assert_between(error[0] / error[1], 3.6, 4.4);
  }
}

/* Newton's iteration on the force of a drive had no scale: it failed when the force had decayed to zero, and far from
 * the origin. Event-driven runs come to rest. */
static void drives_come_to_rest_in_events(void **state) {
  (void)state;
  uint64_t seed = 8;
  for (int k = 0; k < 40; ++k) {
    nsds_model *m = nsds_model_create(NULL);
    double far = k % 2 ? 1e3 : 0.0, J = pow(10.0, random_in(&seed, -5.0, 3.0)),
           w = pow(10.0, random_in(&seed, 0.5, 2.5));
    const double inertia[9] = {J, 0, 0, 0, 2 * J, 0, 0, 0, 1.5 * J};
    nsds_ds *ds = nsds_rigid_body(
        m, &(nsds_rigid_body_def){
               .mass = J, .inertia = inertia, .q0 = (double[]){far, -2.0 * far, far, 1, 0, 0, 0}});
    nsds_joint_coordinate_def c = about(ds);
    for (int i = 0; i < 3; ++i) c.point[i] = nsds_q(ds)[i] + random_in(&seed, -1.0, 1.0);
    nsds_joint_def hinge = {.kind = NSDS_JOINT_HINGE, .ds = {ds}};
    memcpy(hinge.axis, c.axis, sizeof hinge.axis);
    memcpy(hinge.point, c.point, sizeof hinge.point);
    nsds_connect(m, nsds_joint(m, &hinge), nsds_equality(m), 1, &ds);
    nsds_joint_actions act;
    assert_ok(m, nsds_joint_act(m,
                                &(nsds_joint_act_def){.coordinate = c,
                                                      .driven = true,
                                                      .drive_stiffness = J * w * w,
                                                      .drive_damping = 1.5 * J * w,
                                                      .target = k % 3 ? 0.4 : 0.0},
                                &act));
    nsds_simulation *s =
        nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 60.0 / w, .output_period = 6.0 / w});
    assert_status(m, nsds_run(s), NSDS_END);
    nsds_joint_drive_motion drive;
    assert_ok(m, nsds_joint_drive_read(act.drive, &drive));
    assert_near(drive.coordinate, drive.target, 1e-5); /* decays as exp(-0.2 w t) */
    nsds_model_destroy(m);
  }
}

/* ---- couplers ---- */

/* c_1 = ratio c_2: a moment T on the first of two rotors gives both T / (J_1 + J_2 / ratio^2). */
static void mimic_against_closed_form(void **state) {
  (void)state;
  uint64_t seed = 4;
  for (int k = 0; k < 16; ++k) {
    nsds_model *m = nsds_model_create(NULL);
    bool space = k & 1, events = k & 2;
    double J[2] = {random_in(&seed, 0.1, 1.0), random_in(&seed, 0.1, 1.0)},
           T = random_in(&seed, 1, 20);
    double ratio = round(100.0 * random_in(&seed, 0.1, 3.0)) / 100.0 * (k & 4 ? -1.0 : 1.0);
    if (!space) ratio *= pi / 3.0;
    nsds_ds *ds[2] = {add_rotor(m, space, J[0], 0.0), add_rotor(m, space, J[1], 0.0)};
    nsds_joint_actions act;
    assert_ok(m,
              nsds_joint_act(
                  m, &(nsds_joint_act_def){.coordinate = about(ds[0]), .driven = true, .force = T},
                  &act));
    nsds_joint_term term[2] = {{.coordinate = about(ds[0]), .weight = 1.0},
                               {.coordinate = about(ds[1]), .weight = -ratio}};
    term[0].coordinate.offset = 0.3;
    nsds_interaction *tie =
        nsds_joint_couple(m, &(nsds_joint_couple_def){.nterm = 2, .term = term, .offset = -0.3});
    assert_sound(m);
    nsds_simulation *s =
        events ? nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 1.5, .output_period = 0.05})
               : nsds_time_stepping(
                     m, &(nsds_time_stepping_def){
                            .t1 = 1.5, .h = 2e-3, .projection.kind = NSDS_PROJECTION_DIRECT});
    double a = T / (J[0] + J[1] / (ratio * ratio));
    nsds_status status = NSDS_OK;
    while ((status = nsds_step(s)) == NSDS_OK) {
      nsds_joint_motion first, second;
      assert_ok(m, nsds_joint_read(nsds_interaction_at(m, 0), &first));
      assert_ok(m, nsds_joint_read(nsds_interaction_at(m, 1), &second));
      assert_near(first.angular_velocity, a * nsds_time(s), 1e-8 * (1.0 + a));
      assert_near(first.angle, ratio * second.angle, 1e-8);
      assert_near(nsds_y(tie)[0], 0.0, 1e-8); /* drift of events */
    }
    assert_int_equal(status, NSDS_END);
    nsds_model_destroy(m);
  }
}

/* A nut of mass m and inertia J about a vertical screw falls with m g / (m + J (2 pi / lead)^2). */
static void screw_against_closed_form(void **state) {
  (void)state;
  uint64_t seed = 5;
  for (int k = 0; k < 6; ++k) {
    nsds_model *m = nsds_model_create(NULL);
    double J = random_in(&seed, 1e-4, 1e-2), lead = random_in(&seed, 0.005, 0.5);
    const double inertia[9] = {J, 0, 0, 0, J, 0, 0, 0, J};
    nsds_ds *nut = nsds_rigid_body(
        m, &(nsds_rigid_body_def){.mass = 2.0, .inertia = inertia, .gravity = {0, 0, -9.81}});
    nsds_joint_def guide = {.kind = NSDS_JOINT_CYLINDRICAL, .ds = {nut}, .axis = {0, 0, 1}};
    nsds_interaction *joint = nsds_connect(m, nsds_joint(m, &guide), nsds_equality(m), 1, &nut);
    nsds_joint_term term[2] = {
        {.coordinate = {.kind = NSDS_COORDINATE_ANGLE, .ds = {nut}, .axis = {0, 0, 1}},
         .weight = lead / (2.0 * pi)},
        {.coordinate = {.kind = NSDS_COORDINATE_DISPLACEMENT, .ds = {nut}, .axis = {0, 0, 1}},
         .weight = -1.0}};
    nsds_joint_couple(m, &(nsds_joint_couple_def){.nterm = 2, .term = term});
    assert_sound(m);
    nsds_simulation *s =
        k & 1 ? nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 1.0, .output_period = 0.1})
              : nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-3});
    double pitch = 2.0 * pi / lead, a = -2.0 * 9.81 / (2.0 + J * pitch * pitch);
    nsds_status status = NSDS_OK;
    while ((status = nsds_step(s)) == NSDS_OK) {
      nsds_joint_motion at;
      assert_ok(m, nsds_joint_read(joint, &at));
      assert_near(at.velocity, a * nsds_time(s), 1e-8);
      assert_near(at.angular_velocity, a * pitch * nsds_time(s), 1e-8 * pitch);
      assert_near(at.displacement, lead * at.angle / (2.0 * pi), 1e-8);
    }
    assert_int_equal(status, NSDS_END);
    nsds_model_destroy(m);
  }
}

/* Two wheels and a cage, c_1 + c_2 = 2 c_3, with moments on all: the equations of Lagrange. */
static void differential_against_closed_form(void **state) {
  (void)state;
  const double J[3] = {0.2, 0.5, 0.9}, M[3] = {4.0, -7.0, 5.0}, w[3] = {1.0, 1.0, -2.0};
  double mean = 0.0, gain = 0.0;
  for (int k = 0; k < 3; ++k) {
    mean += w[k] * M[k] / J[k];
    gain += w[k] * w[k] / J[k];
  }
  for (int kind = 0; kind < 4; ++kind) {
    nsds_model *m = nsds_model_create(NULL);
    nsds_joint_term term[3];
    for (int k = 0; k < 3; ++k) {
      nsds_ds *ds = add_rotor(m, kind & 1, J[k], 0.0);
      term[k] = (nsds_joint_term){.coordinate = about(ds), .weight = w[k]};
      assert_ok(
          m, nsds_joint_act(
                 m, &(nsds_joint_act_def){.coordinate = about(ds), .driven = true, .force = M[k]},
                 NULL));
    }
    nsds_interaction *tie =
        nsds_joint_couple(m, &(nsds_joint_couple_def){.nterm = 3, .term = term});
    assert_sound(m);
    nsds_simulation *s =
        kind & 2 ? nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 1.0, .output_period = 0.1})
                 : nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-2});
    nsds_status status = NSDS_OK;
    while ((status = nsds_step(s)) == NSDS_OK) {
      assert_near(nsds_lambda(tie)[0], -mean / gain, 1e-7);
      for (int k = 0; k < 3; ++k) {
        nsds_joint_motion at;
        assert_ok(m, nsds_joint_read(nsds_interaction_at(m, 2 * k), &at));
        assert_near(at.angular_velocity, (M[k] - w[k] * mean / gain) / J[k] * nsds_time(s), 1e-7);
      }
    }
    assert_int_equal(status, NSDS_END);
    nsds_model_destroy(m);
  }
}

/* ---- ball, universal and planar joints ---- */

static nsds_ds *add_top(nsds_model *m, uint64_t *seed) {
  const double inertia[9] = {0.3, 0, 0, 0, 0.2, 0, 0, 0, 0.4};
  double p[4], size = 0.0, w[6] = {0};
  for (int k = 0; k < 4; ++k) p[k] = random_in(seed, -1.0, 1.0);
  for (int k = 0; k < 4; ++k) size += p[k] * p[k];
  double q[7] = {
      0, 0, 0, p[0] / sqrt(size), p[1] / sqrt(size), p[2] / sqrt(size), p[3] / sqrt(size)};
  for (int k = 3; k < 6; ++k) w[k] = random_in(seed, -1.0, 1.0);
  return nsds_rigid_body(m,
                         &(nsds_rigid_body_def){.mass = 1.0, .inertia = inertia, .q0 = q, .v0 = w});
}

/* Rates of swing and twist are differences of their values along the motion, in any attitude of two bodies. */
static void swing_and_twist_have_their_rates(void **state) {
  (void)state;
  uint64_t seed = 6;
  for (int draw = 0; draw < 200; ++draw) {
    nsds_model *m = nsds_model_create(NULL);
    int bodies = 1 + draw % 2;
    nsds_ds *ds[2] = {0};
    for (int k = 0; k < bodies; ++k) ds[k] = add_top(m, &seed);
    nsds_joint_coordinate_def def = {.kind =
                                         draw & 2 ? NSDS_COORDINATE_SWING : NSDS_COORDINATE_TWIST,
                                     .ds = {ds[0], ds[1]},
                                     .axis = {0.4, -1.0, 0.3},
                                     .reversed = draw & 4,
                                     .offset = 0.7};
    nsds_interaction *ia = nsds_connect(m, nsds_joint_coordinate(m, &def),
                                        nsds_relay(m, 1, (double[]){0}, (double[]){0}), bodies, ds);
    for (int k = 0; k < bodies; ++k) {
      nsds_ds *other = add_top(m, &seed);
      assert_ok(m, nsds_set_state(ds[k], nsds_q(other), nsds_v(other)));
    }
    const double h = 1e-4;
    nsds_simulation *s =
        nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 1.0, .output_period = h});
    double y[3], rate = 0.0;
    for (int k = 0; k < 3; ++k) {
      assert_ok(m, nsds_step(s));
      y[k] = nsds_y(ia)[0];
      if (k == 1) rate = nsds_ydot(ia)[0];
    }
    double swing = draw & 2 ? fmin(fabs(y[1] - 0.7), pi - fabs(y[1] - 0.7)) : 1.0;
    if (fabs(y[2] - y[0]) < 1.0 && swing > 0.1) assert_near((y[2] - y[0]) / (2.0 * h), rate, 1e-4);
    nsds_model_destroy(m);
  }
}

/* A stick on a ball joint swings to its cone, and comes back with the restitution; a twist meets its stop. */
static void cones_and_twists_are_stops(void **state) {
  (void)state;
  for (int kind = 0; kind < 8; ++kind) {
    bool twist = kind & 1, events = kind & 2, world = kind & 4;
    const double inertia[9] = {0.2, 0, 0, 0, 0.2, 0, 0, 0, 0.2}, w = 3.0, stop = 0.8, e = 0.5;
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds[2] = {nsds_rigid_body(
        m, &(nsds_rigid_body_def){.mass = 1.0,
                                  .inertia = inertia,
                                  .v0 = (double[]){0, 0, 0, twist ? w : 0, twist ? 0 : w, 0}})};
    if (!world)
      ds[1] = nsds_rigid_body(
          m, &(nsds_rigid_body_def){.mass = 1e9,
                                    .inertia = (double[]){1e9, 0, 0, 0, 1e9, 0, 0, 0, 1e9}});
    nsds_joint_def ball = {.kind = NSDS_JOINT_BALL, .ds = {ds[0], ds[1]}};
    nsds_connect(m, nsds_joint(m, &ball), nsds_equality(m), world ? 1 : 2, ds);
    nsds_joint_actions act;
    assert_ok(m, nsds_joint_act(
                     m,
                     &(nsds_joint_act_def){.coordinate = {.kind = twist ? NSDS_COORDINATE_TWIST
                                                                        : NSDS_COORDINATE_SWING,
                                                          .ds = {ds[0], ds[1]},
                                                          .axis = {1, 0, 0}},
                                           .lower = twist ? -0.5 : 0.0,
                                           .upper = stop,
                                           .restitution = e},
                     &act));
    assert_true(twist == (act.lower != NULL));
    const double t1 = stop / w + 0.4, h = 1e-4;
    nsds_simulation *s = events
                             ? nsds_event_driven(m, &(nsds_event_driven_def){.t1 = t1})
                             : nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = t1, .h = h});
    assert_status(m, nsds_run(s), NSDS_END);
    nsds_joint_motion at;
    assert_ok(m, nsds_joint_read(act.upper, &at));
    assert_near(at.angle, stop - e * w * 0.4, events ? 1e-7 : 2.0 * w * h);
    assert_near(at.angular_velocity, -e * w, 1e-7);
    nsds_model_destroy(m);
  }
}

/* A universal joint at the angle beta turns its second shaft by tan(out) = tan(in) / cos(beta). */
static void universal_joint_of_two_shafts(void **state) {
  (void)state;
  const double beta = 0.6, rate = 2.0, J[9] = {0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1};
  const double axis[2][3] = {{1, 0, 0},
                             {0.825335614909678, 0.564642473395035, 0}}; /* cos, sin beta */
  for (int events = 0; events < 2; ++events) {
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds[2];
    nsds_interaction *bearing[2];
    for (int k = 0; k < 2; ++k) {
      double v[6] = {0}, start = k ? cos(beta) : 1.0; /* where the first axis of the cross is z */
      for (int i = 0; i < 3; ++i) v[3 + i] = rate * start * axis[k][i];
      ds[k] = nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1.0, .inertia = J, .v0 = v});
      nsds_joint_def def = {.kind = NSDS_JOINT_HINGE, .ds = {ds[k]}};
      memcpy(def.axis, axis[k], sizeof def.axis);
      bearing[k] = nsds_connect(m, nsds_joint(m, &def), nsds_equality(m), 1, &ds[k]);
    }
    /* the cross: an axis fixed to the first shaft, across it; one fixed to the second, across both */
    nsds_joint_def cross = {.kind = NSDS_JOINT_UNIVERSAL,
                            .ds = {ds[0], ds[1]},
                            .axis = {0, 0, 1},
                            .other_axis = {-axis[1][1], axis[1][0], 0},
                            .D = events ? 0.0 : 1e-9};
    nsds_interaction *tie = nsds_connect(m, nsds_joint(m, &cross), nsds_equality(m), 2, ds);
    assert_int_equal(nsds_interaction_size(tie), 4);
    nsds_simulation *s =
        events ? nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 1.4, .output_period = 0.1})
               : nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.4, .h = 1e-3});
    assert_sound(m);
    nsds_status status;
    while ((status = nsds_step(s)) == NSDS_OK) {
      nsds_joint_motion in, out;
      assert_ok(m, nsds_joint_read(bearing[0], &in));
      assert_ok(m, nsds_joint_read(bearing[1], &out));
      assert_near(tan(out.angle), tan(in.angle) * cos(beta), events ? 1e-6 : 2e-3);
    }
    assert_status(m, status, NSDS_END);
    nsds_model_destroy(m);
  }
}

/* A planar joint leaves motion in its plane: a free body in it keeps its velocity and rate. */
static void planar_joint_leaves_its_plane_free(void **state) {
  (void)state;
  uint64_t seed = 7;
  for (int k = 0; k < 8; ++k) {
    nsds_model *m = nsds_model_create(NULL);
    const double J[9] = {0.3, 0, 0, 0, 0.2, 0, 0, 0, 0.4};
    double u = random_in(&seed, -2.0, 2.0), v = random_in(&seed, -2.0, 2.0),
           w = random_in(&seed, -5.0, 5.0);
    nsds_ds *ds = nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 2.0,
                                                            .inertia = J,
                                                            .gravity = {0, 0, -9.81},
                                                            .v0 = (double[]){u, v, 0, 0, 0, w}});
    nsds_joint_def planar = {
        .kind = NSDS_JOINT_PLANAR, .ds = {ds}, .axis = {0, 0, 1}, .point = {0.3, 0.1, 0}};
    nsds_interaction *joint = nsds_connect(m, nsds_joint(m, &planar), nsds_equality(m), 1, &ds);
    assert_sound(m);
    nsds_simulation *s =
        k & 1 ? nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 2.0})
              : nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 2.0, .h = 1e-2});
    assert_status(m, nsds_run(s), NSDS_END);
    const double right[3] = {2.0 * u, 2.0 * v, 0.0};
    for (int i = 0; i < 3; ++i) assert_near(nsds_q(ds)[i], right[i], 1e-7);
    assert_near(nsds_v(ds)[5], w, 1e-8);
    assert_near(nsds_lambda(joint)[0], 2.0 * 9.81, 1e-5);
    nsds_model_destroy(m);
  }
}

/* ---- refusals ---- */

static void wrong_actions_are_refused(void **state) {
  (void)state;
  static const struct {
    nsds_joint_act_def def;
    const char *word[2];
  } wrong[] = {
      {{.stiffness = -1.0}, {"stiffness", "-1"}},
      {{.friction = NAN}, {"friction"}},
      {{.lower = 2.0, .upper = 1.0}, {"lower is 2", "upper is 1"}},
      {{.lower = -1.0, .upper = 1.0, .restitution = 1.5}, {"restitution", "1.5"}},
      {{.lower = -1.0, .upper = 1.0, .restitution = 0.5, .stop_stiffness = 10.0}, {"soft stop"}},
      {{.driven = true, .target = INFINITY}, {"target"}},
      {{.armature = -2.0}, {"armature", "-2"}},
      {{.drive_stiffness = 10.0}, {"drive_stiffness is 10", "driven"}},
      {{.most = 3.0}, {"most is 3", "driven"}},
      {{.integrated = true}, {"integrated is 1", "driven"}},
      {{.driven = true, .target_upper = 3.0}, {"target_upper is 3", "integrated"}},
      {{.driven = true, .integrated = true, .target_lower = 3.0},
       {"target_lower is 3", "lower < "}},
      {{.stop_stiffness = 5.0}, {"stop_stiffness is 5", "lower or upper"}},
      {{.coordinate.D = 1.0, .driven = true}, {"coordinate.D"}},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    nsds_model *m = nsds_model_create(NULL);
    nsds_joint_act_def def = wrong[k].def;
    double D = def.coordinate.D;
    def.coordinate = about(add_rotor(m, k & 1, 1.0, 0.0));
    def.coordinate.D = D;
    def.damping = def.coordinate.D > 0.0 ? 0.0 : 1.0; /* made before the fault is seen */
    int before = nsds_interaction_count(m), systems = nsds_ds_count(m);
    nsds_joint_actions made = {.drive = nsds_interaction_at(m, 0)};
    assert_int_not_equal(nsds_joint_act(m, &def, &made), NSDS_OK);
    assert_words(nsds_error_message(nsds_model_context(m)), wrong[k].word, 2);
    assert_int_equal(nsds_interaction_count(m), before);
    assert_int_equal(nsds_ds_count(m), systems);
    assert_null(made.drive);
    nsds_model_destroy(m);
  }
}

/* The slip of a swing jumps at 0: a motion through 0 ended in 100000 events. */
static void friction_of_a_swing_is_refused_in_events(void **state) {
  (void)state;
  for (int twist = 0; twist < 2; ++twist) {
    const double inertia[9] = {0.2, 0, 0, 0, 0.2, 0, 0, 0, 0.2};
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds = nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1.0, .inertia = inertia});
    nsds_joint_def ball = {.kind = NSDS_JOINT_BALL, .ds = {ds}};
    nsds_connect(m, nsds_joint(m, &ball), nsds_equality(m), 1, &ds);
    nsds_joint_act_def def = {
        .coordinate = {.kind = twist ? NSDS_COORDINATE_TWIST : NSDS_COORDINATE_SWING,
                       .ds = {ds},
                       .axis = {1, 0, 0}},
        .friction = 0.1};
    assert_ok(m, nsds_joint_act(m, &def, NULL));
    nsds_simulation *s = nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 0.1});
    nsds_status status = s ? nsds_run(s) : nsds_error(nsds_model_context(m));
    const char *words[] = {"swing", "time stepping"};
    assert_int_equal(status, twist ? NSDS_END : NSDS_ERROR_UNSUPPORTED);
    if (!twist) assert_words(nsds_error_message(nsds_model_context(m)), words, 2);
    nsds_model_destroy(m);
  }
}

static void wrong_joints_are_refused(void **state) {
  (void)state;
  for (int k = 0; k < 4; ++k) {
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds = add_rotor(m, true, 1.0, 0.0);
    nsds_joint_coordinate_def c = about(ds);
    nsds_joint_term term = {.coordinate = c, .weight = 1.0};
    nsds_joint_def cross = {
        .kind = NSDS_JOINT_UNIVERSAL, .ds = {ds}, .axis = {1, 0, 0}, .other_axis = {1, 1, 0}};
    static const char *const word[4][1] = {
        {"other_axis is (1, 1, 0)"}, {"D is 0.1"}, {"take no swing"}, {"is not a drive"}};
    c.kind = term.coordinate.kind = NSDS_COORDINATE_SWING;
    c.D = 0.1;
    if (k == 0) assert_null(nsds_joint(m, &cross));
    if (k == 1) assert_null(nsds_joint_coordinate(m, &c));
    if (k == 2)
      assert_null(nsds_joint_couple(m, &(nsds_joint_couple_def){.nterm = 1, .term = &term}));
    if (k == 3)
      assert_int_equal(nsds_joint_drive_set(nsds_interaction_at(m, 0), 0.0, 0.0, 0.0),
                       NSDS_ERROR_ARGUMENT);
    assert_words(nsds_error_message(nsds_model_context(m)), word[k], 1);
    nsds_model_destroy(m);
  }
}

static void wrong_couplers_are_refused(void **state) {
  (void)state;
  for (int k = 0; k < 5; ++k) {
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds[2] = {add_rotor(m, true, 1.0, 0.0), add_rotor(m, true, 1.0, 0.0)};
    nsds_joint_term term[2] = {{.coordinate = about(ds[0]), .weight = 1.0},
                               {.coordinate = about(ds[1]),
                                .weight = k == 0   ? 0.0
                                          : k == 1 ? pi
                                                   : 2.0}};
    if (k == 2)
      term[1] = (nsds_joint_term){.coordinate = {.kind = NSDS_COORDINATE_OF_SYSTEM, .ds = {ds[1]}},
                                  .weight = 1.0};
    if (k == 3) term[1].coordinate.D = 0.1;
    static const char *const word[5][1] = {{"weight of term 1 is 0"},
                                           {"ratio of whole numbers"},
                                           {"no coordinate of its own"},
                                           {"coordinate.D"},
                                           {"nterm"}};
    assert_null(
        nsds_joint_couple(m, &(nsds_joint_couple_def){.nterm = k == 4 ? 9 : 2, .term = term}));
    assert_words(nsds_error_message(nsds_model_context(m)), word[k], 1);
    nsds_model_destroy(m);
  }
}

/* ---- saved states, memory, failures ---- */

static nsds_simulation *start_machine(nsds_model *m, bool events) {
  return events ? nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 10.0, .output_period = 0.01})
                : nsds_time_stepping(
                      m, &(nsds_time_stepping_def){
                             .t1 = 10.0, .h = 2e-3, .projection.kind = NSDS_PROJECTION_DIRECT});
}

/* The report of a step after a presolve once had numbers of the stack. */
static void check_report(const nsds_simulation *s) {
  const nsds_solver_info *info = &nsds_simulation_info(s)->solver;
  unsigned char truth;
  memcpy(&truth, &info->within_q_error, 1);
  assert_true(truth <= 1);
  assert_between(info->violation, 0.0, 1.0);
  assert_between(info->proof_reach, 0.0, 1e300);
}

static uint64_t go(nsds_model *m, nsds_simulation *s, int steps) {
  uint64_t hash = 1;
  for (int k = 0; k < steps; ++k) {
    assert_ok(m, nsds_step(s));
    check_report(s);
    hash = state_hash(m, hash);
  }
  return hash;
}

/* Snapshots have targets, counts of turns and rotors: from a snapshot, another machine makes the same bits. */
static void snapshots_continue_with_the_same_bits(void **state) {
  (void)state;
  for (int events = 0; events < 2; ++events) {
    int steps = events ? 40 : 200;
    nsds_model *m[2];
    nsds_simulation *s[2];
    acting_arm a[2];
    for (int k = 0; k < 2; ++k) {
      m[k] = nsds_model_create(NULL);
      a[k] = acting_make(m[k]);
      assert_sound(m[k]);
      s[k] = start_machine(m[k], events);
      assert_sound(m[k]);
    }
    go(m[0], s[0], steps);
    assert_ok(m[0], nsds_joint_drive_set(a[0].elbow.drive, -0.3, 0.1, 2.0));
    go(m[0], s[0], steps);
    nsds_snapshot *saved = nsds_snapshot_take(s[0]);
    assert_non_null(saved);
    assert_ok(m[0], nsds_simulation_save(s[0]));
    uint64_t right = go(m[0], s[0], steps);
    assert_ok(m[0], nsds_simulation_restore(s[0]));
    assert_true(go(m[0], s[0], steps) == right);
    assert_ok(m[1], nsds_snapshot_restore(s[1], saved));
    nsds_joint_drive_motion drive;
    assert_ok(m[1], nsds_joint_drive_read(a[1].elbow.drive, &drive));
    assert_near(drive.target, -0.3, 0.0);
    assert_true(go(m[1], s[1], steps) == right);
    nsds_snapshot_destroy(saved);
    for (int k = 0; k < 2; ++k) nsds_model_destroy(m[k]);
  }
}

/* Every allocation of nsds_joint_act() and nsds_joint_couple() fails once: the model is as before, and no memory is
 * lost. */
static void allocations_that_fail_undo_all(void **state) {
  (void)state;
  for (long at = 1;; ++at) {
    meter memory = {0};
    nsds_context *context = meter_context(&memory);
    nsds_model *m = nsds_model_create(context);
    nsds_ds *ds = add_rotor(m, true, 1.0, 0.5);
    int interactions = nsds_interaction_count(m), systems = nsds_ds_count(m);
    memory.fail_at = memory.calls + at;
    nsds_status status = nsds_joint_act(m,
                                        &(nsds_joint_act_def){.coordinate = about(ds),
                                                              .stiffness = 1.0,
                                                              .friction = 1.0,
                                                              .armature = 0.1,
                                                              .lower = -1.0,
                                                              .upper = 1.0,
                                                              .stop_stiffness = at % 2 ? 5.0 : 0.0,
                                                              .driven = true,
                                                              .most = 3.0},
                                        NULL);
    bool failed = memory.failed;
    memory.fail_at = 0;
    assert_int_equal(status, failed ? NSDS_ERROR_MEMORY : NSDS_OK);
    if (failed) {
      assert_int_equal(nsds_interaction_count(m), interactions);
      assert_int_equal(nsds_ds_count(m), systems);
    }
    nsds_model_destroy(m);
    nsds_context_destroy(context);
    assert_int_equal(memory.live, 0);
    if (!failed) break;
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dry_friction_stops_and_holds),
      cmocka_unit_test(rigid_stops_over_turns),
      cmocka_unit_test(soft_stop_is_a_spring),
      cmocka_unit_test(armature_adds_inertia),
      cmocka_unit_test(largest_force_of_a_drive),
      cmocka_unit_test(programs_set_targets),
      cmocka_unit_test(integrated_targets_follow_their_rates),
      cmocka_unit_test(snapshots_have_integrated_targets),
      cmocka_unit_test(targets_over_turns),
      cmocka_unit_test(springs_keep_energy),
      cmocka_unit_test(drives_come_to_rest_in_events),
      cmocka_unit_test(mimic_against_closed_form),
      cmocka_unit_test(screw_against_closed_form),
      cmocka_unit_test(differential_against_closed_form),
      cmocka_unit_test(swing_and_twist_have_their_rates),
      cmocka_unit_test(cones_and_twists_are_stops),
      cmocka_unit_test(universal_joint_of_two_shafts),
      cmocka_unit_test(planar_joint_leaves_its_plane_free),
      cmocka_unit_test(wrong_actions_are_refused),
      cmocka_unit_test(friction_of_a_swing_is_refused_in_events),
      cmocka_unit_test(wrong_joints_are_refused),
      cmocka_unit_test(wrong_couplers_are_refused),
      cmocka_unit_test(snapshots_continue_with_the_same_bits),
      cmocka_unit_test(allocations_that_fail_undo_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
