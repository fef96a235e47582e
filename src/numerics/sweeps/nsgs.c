/*
 * Nonsmooth block Gauss-Seidel (Jean: Comput. Methods Appl. Mech. Engrg. 177, 1999; Jourdan, Alart
 * & Jean: ibid. 155, 1998; for its place among others Acary, Bremond & Huber 2018). A sweep goes
 * block by block and meets the law of a block exactly while the other blocks are held,
 *
 *     z_a <- solution of -(M_aa z_a + q_a + sum_{b != a} M_ab z_b) in N(z_a)
 *
 * with De Saxce's shift if the law has it. Rows of equality, nonnegative and box blocks go one by
 * one: for them the method is projected Gauss-Seidel.
 *
 * The sweep is a fixed-point map G. Three ways to go beyond it take turns:
 *
 * - Anderson acceleration, from the last sweeps.
 * - Momentum (Nesterov 1983), from the ends of the last two sweeps:
 *
 *     x_k = G(z_k),   z_k+1 = x_k + (t_k - 1) / t_k+1 (x_k - x_k-1),
 *     t_k+1 = min((1 + sqrt(1 + 4 t_k^2)) / 2, t_max).
 *
 * t falls back to 1 when the sweep turns against the momentum (O'Donoghue & Candes 2015), that is
 * when z_k - x_k has a component along x_k - x_k-1. So it does when z_k - x_k has grown.
 *
 * - Proximal problems (proximal.h), whose sweeps have a little momentum.
 *
 * Points are projected on the sets.
 *
 * The residual is certified when the changes of a sweep have become small in its units, and every
 * now and then. The solver returns the point with the least residual.
 */
#include "numerics/sweeps/sweeps.h"

#include "base/base.h"
#include "base/parallel.h"
#include "numerics/method_list.h"
#include "numerics/sets/blockwise.h"
#include "numerics/solver_internal.h"
#include "numerics/solver_tools.h"
#include "numerics/store.h"
#include "numerics/sweeps/anderson.h"
#include "numerics/sweeps/momentum.h"
#include "numerics/sweeps/nsgs_open.h"
#include "numerics/sweeps/nsgs_operator.h"
#include "numerics/sweeps/nsgs_packed.h"
#include "numerics/sweeps/nsgs_wide.h"
#include "numerics/sweeps/proximal.h"
#include "numerics/watch.h"

#include <limits.h>

enum {
  OPTION_LOCAL = OPTION_FIRST_OWN,
  OPTION_RELAXATION,
  OPTION_ORDER,
  OPTION_REGULARIZATION,
  OPTION_ACCELERATION = nsds_nsgs_acceleration,
  OPTION_MOMENTUM,
  OPTION_PROXIMAL,
  OPTION_PLAIN
};
_Static_assert(OPTION_ACCELERATION == OPTION_REGULARIZATION + 1, "in the order of the table");

enum { ORDER_AUTOMATIC, ORDER_SYMMETRIC, ORDER_RANDOM, ORDER_FORWARD, ORDER_COLOURED };

enum {
  first_check = 5,         /* sweeps before the first certificate */
  first_check_packed = 40, /* a certificate costs as much as several sweeps of packed contacts */
  default_sweeps = 10000,
  many_contacts = 1000, /* from this number on: colors, and only proximal problems */
  wide_contacts = 8000, /* from this number on momentum comes before those, */
  momentum_sweeps = 6   /* for this many sweeps times the contacts along an edge of a cube */
};

enum { AUTOMATIC = -1 };
static const double usual_memory = 10.0, usual_limit = 40.0;

/* The ways of sweeps to go beyond themselves, with their numbers of sweeps. Accelerations win if
 * answers must be accurate, proximal problems if many contacts slide. Proximal problems therefore
 * come once in a round. */
typedef enum turn_kind { TURN_PLAIN, TURN_ANDERSON, TURN_MOMENTUM, TURN_PROXIMAL } turn_kind;
static const struct {
  turn_kind kind;
  int sweeps;
} turns[] = {{TURN_ANDERSON, 100}, {TURN_MOMENTUM, 300}, {TURN_PROXIMAL, 400}, {TURN_ANDERSON, 100},
             {TURN_MOMENTUM, 300}, {TURN_ANDERSON, 100}, {TURN_MOMENTUM, 300}};
enum { nturn = sizeof turns / sizeof *turns };

/* A residual is looked at if it is likely to be below this many tolerances. The residual of one
 * contact goes up and down by that much while all others come down. */
static const double likely = 10.0;

/* Future sweeps of a paced solve may gain this many times the digits of the last sweeps. */
static const double hoped = 2.0;

/* The limit of momentum within a proximal problem; more is too much for such regular problems. */
static const double proximal_limit = 15.0;

typedef struct nsgs_state {
  nsds_sweeps sweeps;
  nsds_anderson anderson;
  int *shuffled;        /* nitem: the order of random sweeps */
  double memory, limit; /* of Anderson's acceleration and of momentum */
  int first;            /* sweeps of a first turn with momentum alone; 0: none */
} nsgs_state;

typedef struct nsgs {
  nsds_solver *solver;
  const nsds_problem *problem;
  nsgs_state *state;
  nsds_local_kind local;
  double omega;
  uint64_t random;
  double *z, *y, *before; /* iterate, its y, the iterate before the sweep */
  int turn, left;         /* the present turn, and its sweeps still to come */
  int opening;            /* sweeps of the first turn, if that is not one of the round */
  turn_kind kind;
  bool first; /* the next sweep is the first of its turn */
  nsds_momentum momentum;
  nsds_proximal proximal;
  double *weight; /* n: square roots of the diagonal, the unit of Anderson's residual */
  double *scale;  /* nitem, in the order of a sweep: change of z_a to residual */
  double change;  /* largest scaled change of the sweep */
  double part_change[nsds_most_parts]; /* its square, by parts of a color */
} nsgs;

/* ---- one sweep ---- */

static inline void raise(double *most, double square) {
  if (!(square <= *most) && !isnan(*most)) *most = square;
}

/* Updates item number k of the order; returns its scaled change squared. */
static inline double update(nsgs *t, int k) {
  const nsds_sweeps *s = &t->state->sweeps;
  int i = s->order[k];
  double size = i >= 0 ? nsds_pack_update(s, i, t->local, t->omega, t->z, t->y)
                       : nsds_unit_update(s, ~i, t->local, t->omega, t->z, t->y);
  return size * (t->scale[k] * t->scale[k]);
}

static void update_run(void *self, int begin, int end, int part) {
  nsgs *t = self;
  const nsds_sweeps *s = &t->state->sweeps;
  double most = 0.0;
  if (s->wide) most = nsds_wide_update(s, begin, end, t->local, t->omega, t->scale, t->z, t->y);
  for (int k = begin; !s->wide && k < end; ++k) raise(&most, update(t, k));
  raise(&t->part_change[part], most);
}

/* xorshift64 (Marsaglia 2003) */
static uint64_t next_random(nsgs *t) {
  t->random ^= t->random << 13;
  t->random ^= t->random >> 7;
  t->random ^= t->random << 17;
  return t->random;
}

static void shuffle(nsgs *t) {
  int *place = t->state->shuffled;
  for (int k = t->state->sweeps.nitem - 1; k > 0; --k) {
    int other = (int)(next_random(t) % (uint64_t)(k + 1)), kept = place[k];
    place[k] = place[other];
    place[other] = kept;
  }
}

static void nsgs_sweep(nsgs *t) {
  const nsds_sweeps *s = &t->state->sweeps;
  int kind = (int)t->solver->value[OPTION_ORDER];
  double most = 0.0;
  for (int part = 0; part < nsds_most_parts; ++part) t->part_change[part] = 0.0;
  if (kind == ORDER_RANDOM) {
    shuffle(t);
    for (int k = 0; k < s->nitem; ++k) raise(&most, update(t, t->state->shuffled[k]));
  } else nsds_sweeps_run(s, update_run, t);
  for (int k = s->nitem - 1; kind == ORDER_SYMMETRIC && k >= 0; --k) raise(&most, update(t, k));
  for (int part = 0; part < nsds_most_parts; ++part) raise(&most, t->part_change[part]);
  t->change = sqrt(most);
}

/* ---- beyond a sweep ---- */

static bool nsgs_takes_part(const nsgs *t, turn_kind kind) {
  switch (kind) {
  case TURN_ANDERSON: return t->state->memory > 0.0;
  case TURN_MOMENTUM: return t->state->limit > 0.0;
  default: return t->proximal.weight > 0.0;
  }
}

/* Goes to the next turn that the options ask for. */
static void next_turn(nsgs *t) {
  t->kind = TURN_PLAIN;
  t->left = INT_MAX;
  for (int k = 1; t->kind == TURN_PLAIN && k <= nturn; ++k) {
    int turn = (t->turn + k) % nturn;
    if (!nsgs_takes_part(t, turns[turn].kind)) continue;
    t->turn = turn;
    t->kind = turns[turn].kind;
    t->left = turns[turn].sweeps;
  }
  if (t->opening > 0) {
    t->kind = TURN_MOMENTUM;
    t->left = t->opening;
    t->turn = nturn - 1;
  }
  t->first = true;
  t->momentum.limit = t->opening > 0             ? usual_limit
                      : t->kind == TURN_PROXIMAL ? proximal_limit
                                                 : t->state->limit;
  t->opening = 0;
  if (t->kind == TURN_ANDERSON) nsds_anderson_restart(&t->state->anderson);
  if (t->kind != TURN_PROXIMAL)
    nsds_proximal_close(&t->proximal, t->solver->value[OPTION_REGULARIZATION]);
}

static void begin_step(nsgs *t) {
  if (t->left == 0) next_turn(t);
  --t->left;
  if (t->kind == TURN_PROXIMAL) nsds_proximal_begin(&t->proximal, t->first, t->z);
  if (t->kind != TURN_PLAIN) nsds_copy_shared(t->solver->context, t->before, t->z, t->problem->n);
}

/* Returns true if the sweep has ended a proximal problem, at a point worth looking at. */
static bool end_sweep(nsgs *t) {
  if (t->kind != TURN_MOMENTUM && t->kind != TURN_PROXIMAL) return false;
  nsds_momentum_look(&t->momentum, t->weight, t->before, t->z);
  return t->kind == TURN_PROXIMAL && nsds_proximal_ends(&t->proximal, t->momentum.change);
}

/* In piles the point stays where momentum leads. The next sweep puts it into the sets again, and a
 * projection of all contacts costs as much as a sweep. */
static void end_step(nsgs *t, bool ended) {
  const nsds_sweeps *s = &t->state->sweeps;
  bool moved = false;
  switch (t->kind) {
  case TURN_PLAIN: break;
  case TURN_ANDERSON:
    moved = nsds_anderson_step(&t->state->anderson, t->weight, t->before, t->z, t->y);
    break;
  case TURN_PROXIMAL: t->first = t->proximal.sweep == 1; /* fall through */
  case TURN_MOMENTUM:
    if (ended) nsds_proximal_move(&t->proximal, t->z, t->y);
    else moved = nsds_momentum_step(&t->momentum, t->first, t->z, t->y) && !s->wide;
  }
  t->first = false;
  if (moved) nsds_sweeps_project(s, t->z, t->y);
}

/* ---- the iteration ---- */

/* Computes the scales of changes. */
static void scale_run(void *self, int begin, int end, int part) {
  nsgs *t = self;
  const nsds_sweeps *sweeps = &t->state->sweeps;
  const double *s = t->solver->toolbox->certify_work + t->problem->n, *d = s + t->problem->n;
  (void)part;
  for (int k = begin; k < end; ++k) {
    int row = nsds_item_row(sweeps, sweeps->order[k]);
    int last = row + nsds_item_size(sweeps, sweeps->order[k]);
    double size = 0.0, largest = 0.0;
    for (int i = row; i < last; ++i) {
      size += s[i] * s[i];
      largest = d[i] > largest ? d[i] : largest;
    }
    t->scale[k] = size > 0.0 ? largest / sqrt(size) : 0.0;
  }
}

/* Certifies z. The scales come from sums that the certifier leaves. */
static double nsgs_certify(nsgs *t, nsds_solver_info *info) {
  double residual = nsds_watch_residual(t->solver, t->problem, t->z, &info->worst_block);
  nsds_sweeps_run(&t->state->sweeps, scale_run, t);
  return residual;
}

/* Puts z into the sets and certifies it. */
static double nsgs_open(nsgs *t, nsds_solver_info *info) {
  nsds_project(t->problem, t->z, t->z);
  nsds_sweeps_refresh(&t->state->sweeps, t->z, t->y);
  return nsgs_certify(t, info);
}

/* Sets the start. A start that cannot be judged is replaced by z = 0. If z = 0 cannot be judged
 * either, M or q is not finite. */
static double nsgs_start(nsgs *t, const double *z, nsds_solver_info *info) {
  for (int i = 0; i < t->problem->n; ++i) t->z[i] = isfinite(z[i]) ? z[i] : 0.0;
  double residual = nsgs_open(t, info);
  if (NSDS_UNLIKELY(isinf(residual))) {
    nsds_zero_doubles(t->z, (size_t)t->problem->n);
    residual = nsgs_open(t, info);
  }
  const double *d = t->solver->toolbox->certify_work + 2 * (size_t)t->problem->n;
  for (int i = 0; i < t->problem->n; ++i) t->weight[i] = d[i] > 0.0 ? sqrt(d[i]) : 1.0;
  return residual;
}

/* An earlier sweep and its residual. */
typedef struct pace {
  int sweep;
  double residual; /* the best so far */
} pace;

/* From a quarter of the sweeps on, returns true if the remaining sweeps are too few. Each of these
 * may gain twice the digits that sweeps since an eighth have gained. */
static bool is_too_slow(pace *p, int k, const nsds_watch *watch, double tolerance) {
  if (p->sweep == 0 && k >= watch->limit / 8) *p = (pace){k, watch->best};
  if (k < watch->limit / 4 || k == p->sweep) return false;
  double gained = log(p->residual / watch->best) / (k - p->sweep);
  return log(watch->best / tolerance) > hoped * gained * (watch->limit - k);
}

static nsds_status nsgs_iterate(nsgs *t, double *z, nsds_solver_info *info) {
  size_t bytes = (size_t)t->problem->n * sizeof *z;
  double tolerance = t->solver->value[OPTION_TOLERANCE];
  double promising = 2.0 * tolerance; /* a sweep goes about twice as far as the residual says */
  double hopeful = INFINITY;          /* the same for the first sweep of a proximal problem */
  nsds_watch watch;
  nsds_watch_count(&watch, t->solver, default_sweeps);
  watch.best = nsgs_start(t, z, info);
  const nsds_sweeps *sweeps = &t->state->sweeps;
  int check = sweeps->npack > 0 ? first_check_packed : first_check;
  if (sweeps->nitem == 1) check = 1; /* a single item is solved exactly */
  pace earlier = {0};
  memcpy(z, t->z, bytes);
  for (int k = 1; watch.best > tolerance && watch.best < INFINITY; ++k) {
    info->outcome = nsds_watch_allows(&watch, k - 1);
    if (info->outcome != NSDS_SOLVED) return NSDS_OK;
    begin_step(t);
    nsgs_sweep(t);
    info->iterations = k;
    if (isnan(t->change)) break;                                 /* overflow: diverged */
    bool ended = end_sweep(t), tells = t->kind != TURN_PROXIMAL; /* about the residual */
    bool looked = (ended && t->proximal.first <= hopeful) || k >= check || k == watch.limit ||
                  (tells && t->change <= promising);
    if (looked) {
      double change = t->change, residual = nsgs_certify(t, info);
      check = 2 * k;
      if (residual > tolerance && tells) promising = 0.9 * tolerance * (change / residual);
      if (ended) hopeful = likely * tolerance * (t->proximal.first / residual);
      if (residual < watch.best) {
        watch.best = residual;
        nsds_copy_shared(t->solver->context, z, t->z, t->problem->n);
      }
    }
    if (watch.best <= tolerance) break;
    if (looked && t->solver->paced && is_too_slow(&earlier, k, &watch, tolerance)) break;
    if (looked && !ended) nsds_sweeps_refresh(sweeps, t->z, t->y);
    end_step(t, ended);
  }
  info->outcome = watch.best <= tolerance ? NSDS_SOLVED : NSDS_NOT_CONVERGED;
  if (info->outcome != NSDS_SOLVED) return NSDS_OK;
  info->residual = watch.best; /* of the point certified last */
  nsds_toolbox_vouch(t->solver->toolbox, true);
  return NSDS_OK;
}

static nsds_status nsgs_solve(nsds_solver *solver, const nsds_problem *problem, double *z,
                              nsds_solver_info *info) {
  nsgs_state *s = solver->state;
  size_t n = (size_t)problem->n;
  if (n == 0) return NSDS_OK;
  bool plain = solver->value[OPTION_PLAIN] > 0.0;
  nsgs t = {.solver = solver,
            .problem = problem,
            .state = s,
            .local = (nsds_local_kind)solver->value[OPTION_LOCAL],
            .omega = solver->value[OPTION_RELAXATION],
            .turn = nturn - 1, /* before the first one */
            .opening = s->first,
            .random = 88172645463325252u};
  t.z = solver->toolbox->scratch;
  t.before = t.z + n;
  t.y = t.before + 2 * n;
  t.scale = t.y + 2 * (size_t)s->sweeps.ny;
  t.proximal = (nsds_proximal){.sweeps = &s->sweeps,
                               .weight = plain ? 0.0 : solver->value[OPTION_PROXIMAL],
                               .centre = t.scale + s->sweeps.nitem,
                               .q = t.scale + s->sweeps.nitem + n};
  t.weight = t.proximal.q + n;
  t.momentum = (nsds_momentum){.context = solver->context,
                               .n = problem->n,
                               .ny = s->sweeps.ny,
                               .last = t.before + n,
                               .y_last = t.y + s->sweeps.ny};
  bool random = solver->value[OPTION_ORDER] == ORDER_RANDOM;
  for (int k = 0; random && k < s->sweeps.nitem; ++k) s->shuffled[k] = k;
  return nsgs_iterate(&t, z, info);
}

/* Returns true if all items are contacts in space, and many. */
static bool is_pile(const nsds_problem *problem) {
  bool many = problem->nblock >= many_contacts;
  for (int a = 0; many && a < problem->nblock; ++a)
    many = problem->block[a].set == NSDS_SET_COULOMB && problem->block[a].size == 3;
  return many;
}

/* The order of a pile's rows is not worth keeping. */
static nsds_arrangement arrangement(const nsds_solver *solver, bool pile) {
  int kind = (int)solver->value[OPTION_ORDER];
  if (solver->value[OPTION_PLAIN] > 0.0) pile = false;
  bool coloured = kind == ORDER_COLOURED || (kind == ORDER_AUTOMATIC && pile);
  return coloured ? NSDS_SWEEP_COLOURED : NSDS_SWEEP_NATURAL;
}

static nsds_status nsgs_reserve(nsds_solver *solver, const nsds_problem *problem) {
  nsgs_state *s = solver->state;
  bool pile = is_pile(problem);
  if (problem->n == 0) return NSDS_OK; /* nobody knows yet what it will be */
  double memory = solver->value[OPTION_ACCELERATION], limit = solver->value[OPTION_MOMENTUM];
  bool plain = solver->value[OPTION_PLAIN] > 0.0;
  s->memory = plain ? 0.0 : memory != AUTOMATIC ? memory : pile ? 0.0 : usual_memory;
  s->limit = plain ? 0.0 : limit != AUTOMATIC ? limit : pile ? 0.0 : usual_limit;
  bool wide = pile && !plain && limit == AUTOMATIC && problem->nblock >= wide_contacts;
  s->first = wide ? (int)(momentum_sweeps * cbrt(problem->nblock)) : 0;
  nsds_status status = nsds_sweeps_open(
      &s->sweeps, solver, problem, arrangement(solver, pile && problem->M.storage == NSDS_FACTORED),
      solver->value[OPTION_REGULARIZATION]);
  size_t n = (size_t)problem->n, nitem = (size_t)s->sweeps.nitem;
  if (!status && solver->value[OPTION_ORDER] == ORDER_RANDOM)
    status = NSDS_HOLD_ONE(&solver->store, s->shuffled, nitem);
  if (!status)
    status = nsds_anderson_reserve(&s->anderson, &solver->store, problem->n, s->sweeps.ny,
                                   (int)s->memory);
  if (status) return status;
  return nsds_solver_scratch(solver, 6 * n + 2 * (size_t)s->sweeps.ny + nitem);
}

static const nsds_option options[] = {
    NSDS_COMMON_OPTIONS(0.0, "largest number of sweeps; 0: 10000"),
    {"local", "1",
     "problem of a block: 0 exact (quartic for Coulomb in 3D), 1 one projection, 2 iterated "
     "projection, 3 Newton (Alart-Curnier)",
     0.0, 0.0, 3.0},
    {"relaxation", "1", "1 Gauss-Seidel, above over-relaxation", 1.0, 1e-6, 1.999999},
    {"order", "integer",
     "of a sweep: 0 by colours where there are 1000 contacts with friction in space and more and "
     "nothing else, in factored storage, else forward; 1 forward and back; 2 random, the same each "
     "time; 3 forward; 4 by colours, which threads share, in factored storage",
     ORDER_AUTOMATIC, 0.0, 4.0},
    {"regularization", "1",
     "part of the largest diagonal entry of a block added to the diagonal of its problem", 0.0, 0.0,
     1e6},
    {"acceleration", "integer",
     "steps that Anderson acceleration remembers; 0: none; -1: 10, or none where there are 1000 "
     "contacts with friction in space and more and nothing else",
     AUTOMATIC, AUTOMATIC, nsds_anderson_most},
    {"momentum", "1",
     "largest t of Nesterov's momentum, which goes (t - 1) / t of the last step again after each "
     "sweep, in turns with Anderson's; 0: none; -1: 40, or none as there",
     AUTOMATIC, AUTOMATIC, 1e6},
    {"proximal", "1",
     "weight, in units of the diagonal of M, of the proximal problems that take the third turn; 0: "
     "none",
     2.5e-3, 0.0, 1e6},
    {"plain", "integer",
     "1: sweeps alone, in the order of the rows unless `order` says otherwise, whatever the last "
     "three options say",
     0.0, 0.0, 1.0},
    {0}};

const nsds_method nsds_method_nsgs = {
    .row = {.name = "nsgs",
            .summary =
                "Block Gauss-Seidel, each block's law met exactly, with Anderson acceleration, "
                "momentum and proximal problems in turns; matrix-free on the factored operator. "
                "For friction.",
            .reference = "Jean: Comput. Methods Appl. Mech. Engrg. 177 (1999); Bonnefon, Daviet: "
                         "INRIA RT-400 (2011); Walker, Ni: SIAM J. Numer. Anal. 49 (2011); "
                         "O'Donoghue, Candes: Found. Comput. Math. 15 (2015)",
            .sets = nsds_all_sets,
            .storages = nsds_all_storages,
            .option = options},
    .state_size = sizeof(nsgs_state),
    .reserve = nsgs_reserve,
    .solve = nsgs_solve,
};
