/*
 * Every law with every method of the solver table that accepts its set, on two sizes of one falling
 * column: all methods give the same motion, laws that mean the same give the same bits, one
 * interaction of as many rows moves as those of one row, a method that cannot take the problem
 * refuses the step and leaves the state alone.
 */
#include "support.h"

static const double g = 9.81;

/* ---- laws of one's own ---- */

typedef struct own {
  nsds_set_kind set;
  double e;
  const double *lower, *upper; /* box */
} own;

static void own_block(void *self, nsds_block *block) {
  const own *s = self;
  block->set = s->set;
  block->lower = s->lower;
  block->upper = s->upper;
}

static bool own_active(void *self, const double *y, const double *ydot, double tau, double slack) {
  (void)self;
  return y[0] + tau * ydot[0] <= slack;
}

static void own_restitution(void *self, const double *ydot, double *q) {
  q[0] += ((const own *)self)->e * ydot[0];
}

static const nsds_law_ops own_contact = {.type = "own contact",
                                         .block = own_block,
                                         .active = own_active,
                                         .restitution = own_restitution};
static const nsds_law_ops own_plain = {.type = "own", .block = own_block};

static own nonnegative = {.set = NSDS_SET_NONNEGATIVE, .e = 0.7};
static own equality = {.set = NSDS_SET_EQUALITY};

/* ---- the column: a law for the floor, one for the pairs ---- */

static nsds_law *impact_0(nsds_model *m) { return nsds_newton_impact(m, 0.0); }
static nsds_law *impact_7(nsds_model *m) { return nsds_newton_impact(m, 0.7); }
static nsds_law *own_impact(nsds_model *m) {
  return nsds_custom_law(
      m, &(nsds_custom_law_def){.ops = &own_contact, .self = &nonnegative, .size = 1});
}
static nsds_law *own_equality(nsds_model *m) {
  return nsds_custom_law(m, &(nsds_custom_law_def){.ops = &own_plain, .self = &equality});
}

typedef struct choice {
  const char *name;
  nsds_law *(*floor)(nsds_model *model);
  nsds_law *(*pair)(nsds_model *model);
  unsigned sets;
  int same_as; /* earlier choice that means the same, -1: none */
} choice;

enum { both = NSDS_SET_NONNEGATIVE | NSDS_SET_EQUALITY };

static const choice choices[] = {
    {"impact e = 0", impact_0, impact_0, NSDS_SET_NONNEGATIVE, -1},
    {"complementarity", nsds_complementarity, nsds_complementarity, NSDS_SET_NONNEGATIVE, 0},
    {"impact e = 0.7", impact_7, impact_7, NSDS_SET_NONNEGATIVE, -1},
    {"own law with e = 0.7", own_impact, own_impact, NSDS_SET_NONNEGATIVE, 2},
    {"impact and equality", impact_7, nsds_equality, both, -1},
    {"own impact and own equality", own_impact, own_equality, both, 4},
    {"equality", nsds_equality, nsds_equality, NSDS_SET_EQUALITY, -1},
};

enum { choice_count = sizeof choices / sizeof *choices, most_beads = 8, steps = 250 };

typedef struct column {
  nsds_model *model;
  nsds_simulation *simulation;
} column;

/* The column's rows as one interaction over all beads. */
static void join(nsds_model *m, nsds_law *law, int n, nsds_ds **bead) {
  double H[most_beads * most_beads] = {0}, b[most_beads] = {0};
  for (int i = 0; i < n; ++i) {
    H[i + n * i] = 1.0;
    if (i > 0) H[i + n * (i - 1)] = -1.0;
    if (i > 0) b[i] = -0.1;
  }
  nsds_relation *all = nsds_lagrangian_linear_relation(
      m, &(nsds_lagrangian_linear_relation_def){.ny = n, .nq = n, .H = H, .b = b});
  nsds_connect(m, all, law, n, bead);
}

static column build(const choice *c, int n, const char *solver, bool joined) {
  column w = {.model = nsds_model_create(NULL)};
  nsds_model *m = w.model;
  nsds_relation *one = nsds_lagrangian_linear_relation(
      m, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
  nsds_relation *two = nsds_lagrangian_linear_relation(
      m, &(nsds_lagrangian_linear_relation_def){
             .ny = 1, .nq = 2, .H = (double[]){-1.0, 1.0}, .b = (double[]){-0.1}});
  nsds_law *floor = c->floor(m), *pair = c->pair(m);
  nsds_ds *bead[most_beads];
  for (int i = 0; i < n; ++i) {
    double mass = 0.5 + 0.1 * i, q = 0.05 + 0.12 * i, v = 0.3 * i;
    double force = -mass * g + 0.3 * (i % 3); /* not proportional to the mass: glued beads pull */
    bead[i] = nsds_lagrangian_linear(
        m, &(nsds_lagrangian_linear_def){
               .ndof = 1, .q0 = &q, .v0 = &v, .mass = &mass, .fext = &force});
    if (!joined)
      nsds_connect(m, i == 0 ? one : two, i == 0 ? floor : pair, i == 0 ? 1 : 2,
                   i == 0 ? bead : &bead[i - 1]);
  }
  if (joined) join(m, floor, n, bead);
  w.simulation = nsds_time_stepping(
      m, &(nsds_time_stepping_def){.t1 = 10.0, .h = 2e-3, .solver = solver, .tolerance = 1e-13});
  assert_sound(m);
  assert_string_equal(nsds_solver_get_row(nsds_simulation_solver(w.simulation))->name, solver);
  assert_near(nsds_solver_get(nsds_simulation_solver(w.simulation), "tolerance"), 1e-13, 0.0);
  assert_ok(m, nsds_solver_set(nsds_simulation_solver(w.simulation), "max_iterations", 1e6));
  return w;
}

/* The run's q, v, P after every step into `out`; false when the method refused a step. */
static bool record(const choice *c, int n, const nsds_solver_row *row, bool joined, double *out) {
  column w = build(c, n, row->name, joined);
  bool refused = false;
  double impulse = 0.0;
  for (int s = 0; s < steps && !refused; ++s) {
    snapshot before = snapshot_take(w.model);
    nsds_status status = nsds_step(w.simulation);
    const nsds_step_info *info = nsds_simulation_info(w.simulation);
    refused = status == NSDS_ERROR_SOLVER && info->solver.outcome == NSDS_REFUSED;
    if (refused) {
      const char *words[] = {"does not take", row->name, "rows"};
      assert_words(nsds_error_message(nsds_model_context(w.model)), words, 3);
      snapshot_check(&before, w.model, "a refused step");
    } else {
      assert_ok(w.model, status);
      if (info->solver.solver) assert_true(info->solver.residual <= 1e-13);
      for (int i = 0; i < n; ++i) {
        *out++ = nsds_q(nsds_ds_at(w.model, i))[0];
        *out++ = nsds_v(nsds_ds_at(w.model, i))[0];
        *out++ = nsds_impulse(nsds_interaction_at(w.model, joined ? 0 : i))[joined ? i : 0];
        impulse += fabs(out[-1]);
      }
    }
    snapshot_free(&before);
  }
  if (!refused) assert_true(impulse > 1.0);
  nsds_model_destroy(w.model);
  return !refused;
}

static void all_solvers_agree(int n, const char *may_refuse) {
  static double base[choice_count][steps * most_beads * 3], x[steps * most_beads * 3];
  size_t count = (size_t)steps * (size_t)n * 3;
  for (int k = 0; nsds_solver_table(k) && !nsds_solver_table(k)->global; ++k) {
    const nsds_solver_row *row = nsds_solver_table(k);
    double largest = 0.0, apart = 0.0;
    int ran = 0;
    static double of_choice[choice_count][steps * most_beads * 3];
    for (int c = 0; c < choice_count; ++c) {
      if (choices[c].sets & ~row->sets || !(row->storages & NSDS_FACTORED)) continue;
      if (!record(&choices[c], n, row, false, x)) {
        assert_true(may_refuse && strcmp(row->name, may_refuse) == 0);
        continue;
      }
      ++ran;
      memcpy(of_choice[c], x, count * sizeof *x);
      if (k == 0) memcpy(base[c], x, count * sizeof *x);
      for (size_t i = 0; i < count; ++i) largest = worse(fabs(x[i] - base[c][i]), largest);
      if (choices[c].same_as >= 0)
        assert_memory_equal(x, of_choice[choices[c].same_as], count * sizeof *x);
      if (choices[c].floor != choices[c].pair) continue;
      assert_true(record(&choices[c], n, row, true, x));
      for (size_t i = 0; i < count; ++i) apart = worse(fabs(x[i] - of_choice[c][i]), apart);
    }
    print_message("             %d beads by %-20s %d laws, max diff to auto %.1e, of copies %.1e\n",
                  n, row->name, ran, largest, apart);
    assert_true(ran > 0 || may_refuse);
    assert_between(apart, 0.0, 1e-9);
    assert_between(largest, 0.0, 1e-9);
  }
}

static void three_beads(void **state) {
  (void)state;
  all_solvers_agree(3, NULL);
}

static void eight_beads(void **state) {
  (void)state;
  all_solvers_agree(most_beads, NULL);
}

/*
 * Glued beads that move with one velocity: nothing pulls on the glue, q = 0 to the last bit, and
 * the solution is z = 0, whatever the impulses of the step before. (By a residual relative to z
 * alone, an iterate on its way to zero is never good enough.)
 */
static void unloaded_equalities(void **state) {
  (void)state;
  for (int k = 0; nsds_solver_table(k) && !nsds_solver_table(k)->global; ++k) {
    const nsds_solver_row *row = nsds_solver_table(k);
    nsds_model *m = nsds_model_create(NULL);
    nsds_relation *two = nsds_lagrangian_linear_relation(
        m, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 2, .H = (double[]){-1.0, 1.0}});
    nsds_law *glue = nsds_equality(m);
    enum { beads = 6 };
    nsds_ds *bead[beads];
    for (int i = 0; i < beads; ++i) {
      bead[i] = nsds_lagrangian_linear(m, &(nsds_lagrangian_linear_def){.ndof = 1,
                                                                        .v0 = (double[]){i - 1.5},
                                                                        .mass = (double[]){1.0}});
      if (i > 0) nsds_connect(m, two, glue, 2, &bead[i - 1]);
    }
    nsds_simulation *simulation =
        nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1, .solver = row->name});
    assert_sound(m);
    /* the direct method enumerates at most three rows and refuses these five */
    if (nsds_step(simulation) == NSDS_OK) {
      assert_true(fabs(nsds_impulse(nsds_interaction_at(m, 0))[0]) > 0.1);
      for (int i = 0; i < beads; ++i) assert_ok(m, nsds_set_state(bead[i], NULL, (double[]){1.0}));
      assert_ok(m, nsds_step(simulation));
      for (int i = 0; i < beads; ++i) assert_near(nsds_v(bead[i])[0], 1.0, 1e-12);
    }
    nsds_model_destroy(m);
  }
}

/* ---- dry friction with known thresholds: a block of its own kind in the problem ---- */

/* Blocks between springs, each rubbing with the threshold F: the law is a box for the impulse. */
enum { blocks = 5 };
static const double friction = 0.8, step = 1e-3;
static const double upper[1] = {0.8 * 1e-3}, lower[1] = {-0.8 * 1e-3};
static own rubbing = {.set = NSDS_SET_BOX, .lower = lower, .upper = upper};

static void slide(const nsds_solver_row *row, int n, double stiffness, double *last) {
  nsds_model *m = nsds_model_create(NULL);
  nsds_relation *slip = nsds_lagrangian_linear_relation(
      m, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
  nsds_law *law = nsds_custom_law(m, &(nsds_custom_law_def){.ops = &own_plain, .self = &rubbing});
  nsds_ds *ds[blocks];
  nsds_interaction *contact[blocks];
  for (int i = 0; i < n; ++i) {
    ds[i] = nsds_lagrangian_linear(m, &(nsds_lagrangian_linear_def){.ndof = 1,
                                                                    .v0 = (double[]){1.0 + i},
                                                                    .mass = (double[]){2.0},
                                                                    .stiffness = &stiffness});
    contact[i] = nsds_connect(m, slip, law, 1, &ds[i]);
  }
  nsds_simulation *simulation =
      nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 6.0, .h = step, .solver = row->name});
  assert_sound(m);
  nsds_status status;
  while ((status = nsds_step(simulation)) == NSDS_OK) {
    double t = nsds_time(simulation);
    if (stiffness == 0.0) { /* uniform deceleration F / m, then rest */
      assert_near(nsds_v(ds[0])[0], fmax(0.0, 1.0 - friction / 2.0 * t), friction * step);
      assert_near(nsds_impulse(contact[0])[0],
                  t < 2.5 - step   ? -friction * step
                  : t > 2.5 + step ? 0.0
                                   : nsds_impulse(contact[0])[0],
                  1e-12);
    }
    for (int i = 0; i < n; ++i)
      assert_between(nsds_impulse(contact[i])[0], lower[0] - 1e-15, upper[0] + 1e-15);
  }
  assert_status(m, status, NSDS_END);
  for (int i = 0; i < n; ++i) last[i] = nsds_q(ds[i])[0];
  nsds_model_destroy(m);
}

static void dry_friction_as_a_box(void **state) {
  (void)state;
  double base[blocks], x[blocks];
  int accepting = 0;
  for (int k = 0; nsds_solver_table(k) && !nsds_solver_table(k)->global; ++k) {
    const nsds_solver_row *row = nsds_solver_table(k);
    if (!(row->sets & NSDS_SET_BOX) || !(row->storages & NSDS_FACTORED)) continue;
    slide(row, 1, 0.0, x);
    assert_near(x[0], 1.25, 1e-2); /* v0^2 m / 2F */
    slide(row, blocks, 5.0, x);
    for (int i = 0; i < blocks; ++i) {
      if (accepting == 0) base[i] = x[i];
      assert_near(x[i], base[i], 1e-8);
      /* stuck where the spring is weaker than friction */
      assert_between(fabs(5.0 * x[i]), 0.0, friction * (1.0 + 1e-9));
    }
    ++accepting;
  }
  print_message("             boxes are accepted by %d methods\n", accepting);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(three_beads),
      cmocka_unit_test(eight_beads),
      cmocka_unit_test(unloaded_equalities),
      cmocka_unit_test(dry_friction_as_a_box),
  };
  return cmocka_run_group_tests_name("kernel.conformance_laws", tests, NULL, NULL);
}
