/*
 * Rigid body in 3D, Newton-Euler equations with the angular velocity W in the body:
 *
 *   F = (m g + f, n - W x J W),   M = diag(m, m, m, J),   p' = p (x) exp(step / 2) / |.|
 *
 * f is R f_b if given in the body, n is R^T n_w if given in the world. A move (dx, dW) along T
 * turns frames: d(R f) = R df - R (f x dW), d(R^T n) = R^T dn + (R^T n) x dW. Therefore
 *
 *   C = -[R] df/dv  + in the rotational block [W]x J - [J W]x,
 *   K = -[R] df/dq T + R [f]x,   and   -[R^T] dn/dq T - [R^T n]x.
 *
 * Source: Hairer, Lubich, Wanner, Geometric Numerical Integration (2006), VII.5.
 */
#include "kernel/modeling/rigid_body.h"

#include "base/context.h"
#include "base/text/field_rows.h"
#include "kernel/modeling/body.h"
#include "kernel/modeling/body_load.h"
#include "kernel/modeling/body_check.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/mass_check.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/operator.h"
#include "kernel/modeling/operator_data.h"
#include "kernel/modeling/system_create.h"

#include <nsds/plugin.h>

#include <nsds/rigid_body.h>

static const char call[] = "nsds_rigid_body";

enum { nq = nsds_body_nq, nv = nsds_body_nv };

/* A force or a moment: its function and the turn of its components. */
typedef struct load {
  const char *name, *name_q, *name_v;
  nsds_operator fn, jac_q, jac_v;
  int row;           /* of F */
  bool turned, back; /* by R, or by R^T */
} load;

/* The functions of a body and the data for their calls. */
typedef struct calls {
  nsds_caller caller;
  load load[2];
  nsds_prescribed prescribed;
  void *user;
} calls;

typedef struct body {
  nsds_context *context;
  double mass, inertia[9], gravity[3];
  nsds_body_load given;
  bool start;    /* forces and moments are always taken at the start of a step */
  bool diagonal; /* M is handed over on the pattern of the identity */
  calls *calls;  /* NULL: no functions, as in many bodies */
} body;

static const int identity_p[nv + 1] = {0, 1, 2, 3, 4, 5, 6}, *const identity_i = identity_p;

static nsds_status rigid_body_mass(void *self, const nsds_arguments *in, double *M) {
  const body *s = self;
  (void)in;
  for (int k = 0; s->diagonal && k < 3; ++k) {
    M[k] = s->mass;
    M[3 + k] = s->inertia[4 * k];
  }
  if (s->diagonal) return NSDS_OK;
  for (int k = 0; k < nv * nv; ++k) M[k] = 0.0;
  for (int k = 0; k < 3; ++k) M[k * (nv + 1)] = s->mass;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) M[(3 + i) + nv * (3 + j)] = s->inertia[i + 3 * j];
  return NSDS_OK;
}

/* Turns a into the components of F. */
static void turn_load(const load *l, const double *R, double *a) {
  double given[3] = {a[0], a[1], a[2]};
  if (l->turned && l->back) nsds_turn_back(R, given, a);
  else if (l->turned) nsds_turn(R, given, a);
}

/* Adds the set load: f and R^T n in the world frame, R f and n in the body frame. */
static void add_given(const body *s, const double *R, double *F) {
  const nsds_body_load *l = &s->given;
  bool fixed = l->frame == NSDS_FRAME_BODY;
  double turned[3];
  if (fixed) nsds_turn(R, l->force, turned);
  else nsds_turn_back(R, l->moment, turned);
  for (int k = 0; k < 3; ++k) {
    F[k] += fixed ? turned[k] : l->force[k];
    F[3 + k] += fixed ? l->moment[k] : turned[k];
  }
}

static nsds_status rigid_body_force(void *self, const nsds_arguments *in, double *F) {
  body *s = self;
  const double *W = in->v + 3;
  double momentum[3], torque[3], R[9];
  nsds_turn(s->inertia, W, momentum);
  nsds_cross(momentum, W, torque);
  for (int k = 0; k < 3; ++k) {
    F[k] = s->mass * s->gravity[k];
    F[3 + k] = torque[k];
  }
  nsds_rotation_matrix(in->q + 3, R);
  if (s->given.acts) add_given(s, R, F);
  for (int i = 0; s->calls && i < 2; ++i) {
    const load *l = &s->calls->load[i];
    if (!l->fn) continue;
    double a[3];
    nsds_status status = nsds_call(&s->calls->caller, l->name, l->fn, in, a, 3, s->calls->user);
    if (status) return status;
    turn_load(l, R, a);
    for (int k = 0; k < 3; ++k) F[l->row + k] += a[k];
  }
  return NSDS_OK;
}

static bool rigid_body_varies(nsds_operator jacobian) { return jacobian && jacobian != nsds_zero; }

static nsds_jacobian_pair rigid_body_pair_of(const calls *s, const load *l,
                                             nsds_variable variable) {
  bool of_q = variable == NSDS_WRT_Q;
  return (nsds_jacobian_pair){.name = of_q ? l->name_q : l->name_v,
                              .function = l->fn,
                              .jacobian = of_q ? l->jac_q : l->jac_v,
                              .variable = variable,
                              .rows = 3,
                              .user = s->user};
}

static nsds_status rigid_body_damping(void *self, const nsds_arguments *in, double *C) {
  body *s = self;
  const double *W = in->v + 3;
  double momentum[3], R[9];
  nsds_turn(s->inertia, W, momentum);
  for (int k = 0; k < nv * nv; ++k) C[k] = 0.0;
  for (int j = 0; j < 3; ++j) {
    double axis[3] = {j == 0, j == 1, j == 2}, first[3], second[3];
    nsds_cross(W, s->inertia + 3 * j, first);
    nsds_cross(axis, momentum, second);
    for (int i = 0; i < 3; ++i) C[(3 + i) + nv * (3 + j)] = first[i] + second[i];
  }
  nsds_rotation_matrix(in->q + 3, R);
  for (int i = 0; s->calls && i < 2; ++i) {
    const load *l = &s->calls->load[i];
    if (!l->fn || !rigid_body_varies(l->jac_v)) continue;
    nsds_jacobian_pair pair = rigid_body_pair_of(s->calls, l, NSDS_WRT_V);
    double jacobian[3 * nv];
    nsds_status status = nsds_call_jacobian(&s->calls->caller, &pair, in, jacobian);
    if (status) return status;
    for (int j = 0; j < nv; ++j) {
      turn_load(l, R, jacobian + 3 * j);
      for (int k = 0; k < 3; ++k) C[l->row + k + nv * j] -= jacobian[k + 3 * j];
    }
  }
  return NSDS_OK;
}

/* Computes dp = 1/2 p (x) (0, e_k), the change of the quaternion in a turn about body axis k. */
static void turn_about(const double *p, int k, double *dp) {
  double axis[4] = {0.0, 0.5 * (k == 0), 0.5 * (k == 1), 0.5 * (k == 2)};
  nsds_quaternion_product(p, axis, dp);
}

/* Subtracts turned (da/dq T) from K. */
static void add_along_t(const load *l, const double *jacobian, const double *p, const double *R,
                        double *K) {
  for (int j = 0; j < nv; ++j) {
    double column[3] = {0.0}, dp[4];
    if (j >= 3) turn_about(p, j - 3, dp);
    for (int k = 0; k < 3; ++k)
      if (j < 3) column[k] = jacobian[k + 3 * j];
      else
        for (int i = 0; i < 4; ++i) column[k] += jacobian[k + 3 * (3 + i)] * dp[i];
    turn_load(l, R, column);
    for (int k = 0; k < 3; ++k) K[l->row + k + nv * j] -= column[k];
  }
}

/* Adds the share of a load that turns with the frame to K: R [a]x, and -[R^T a]x. */
static nsds_status add_turning(calls *s, const load *l, const nsds_arguments *in, const double *R,
                               double *K) {
  double a[3];
  nsds_status status = nsds_call(&s->caller, l->name, l->fn, in, a, 3, s->user);
  if (l->back) turn_load(l, R, a);
  for (int j = 0; !status && j < 3; ++j) {
    double axis[3] = {j == 0, j == 1, j == 2}, column[3];
    if (l->back) nsds_cross(axis, a, column);
    else nsds_cross(a, axis, column);
    if (!l->back) turn_load(l, R, column);
    for (int k = 0; k < 3; ++k) K[l->row + k + nv * (3 + j)] += column[k];
  }
  return status;
}

/* Adds the share of the set load that turns with the frame to K. */
static void add_given_turning(const body *s, const double *R, double *K) {
  const nsds_body_load *l = &s->given;
  bool fixed = l->frame == NSDS_FRAME_BODY;
  double a[3], turned[3];
  nsds_turn_back(R, l->moment, a);
  for (int j = 0; j < 3; ++j) {
    double axis[3] = {j == 0, j == 1, j == 2}, column[3];
    if (fixed) {
      nsds_cross(l->force, axis, column);
      nsds_turn(R, column, turned);
    } else {
      nsds_cross(axis, a, turned);
    }
    for (int k = 0; k < 3; ++k) K[(fixed ? 0 : 3) + k + nv * (3 + j)] += turned[k];
  }
}

static nsds_status rigid_body_stiffness(void *self, const nsds_arguments *in, double *K) {
  body *s = self;
  double R[9];
  nsds_rotation_matrix(in->q + 3, R);
  for (int k = 0; k < nv * nv; ++k) K[k] = 0.0;
  if (s->given.turns) add_given_turning(s, R, K);
  for (int i = 0; s->calls && i < 2; ++i) {
    const load *l = &s->calls->load[i];
    nsds_status status = NSDS_OK;
    if (l->fn && rigid_body_varies(l->jac_q)) {
      nsds_jacobian_pair pair = rigid_body_pair_of(s->calls, l, NSDS_WRT_Q);
      double jacobian[3 * nq];
      status = nsds_call_jacobian(&s->calls->caller, &pair, in, jacobian);
      if (!status) add_along_t(l, jacobian, in->q + 3, R, K);
    }
    if (!status && l->fn && l->turned) status = add_turning(s->calls, l, in, R, K);
    if (status) return status;
  }
  return NSDS_OK;
}

static nsds_status velocity_map(void *self, const nsds_arguments *in, double *T) {
  (void)self;
  for (int k = 0; k < nq * nv; ++k) T[k] = 0.0;
  for (int k = 0; k < 3; ++k) {
    T[k + nq * k] = 1.0;
    turn_about(in->q + 3, k, T + 3 + nq * (3 + k));
  }
  return NSDS_OK;
}

/* Adds the step to the position and multiplies the quaternion by exp(step / 2). Normalises the
 * quaternion, because rounding of the product would add up over the steps. q may be in->q. */
static nsds_status rigid_body_advance(void *self, const nsds_arguments *in, const double *step,
                                      double *q) {
  (void)self;
  const double *w = step + 3;
  double angle = 0.5 * nsds_length(w);
  double s = 0.5 * (angle > 1e-4 ? sin(angle) / angle : 1.0 - angle * angle / 6.0);
  double turn[4] = {cos(angle), s * w[0], s * w[1], s * w[2]}, p[4];
  nsds_quaternion_product(in->q + 3, turn, p);
  double length = sqrt(p[0] * p[0] + nsds_dot(p + 1, p + 1));
  for (int k = 0; k < 3; ++k) q[k] = in->q[k] + step[k];
  for (int k = 0; k < 4; ++k) q[3 + k] = p[k] / length;
  return NSDS_OK;
}

static nsds_status rigid_body_prescribed(void *self, const nsds_arguments *in, double *v) {
  calls *s = ((body *)self)->calls;
  return nsds_call(&s->caller, "prescribed.fn", s->prescribed.fn, in, v, s->prescribed.n, s->user);
}

static bool rigid_body_jacobian_pair(void *self, int k, nsds_jacobian_pair *pair) {
  const calls *s = ((const body *)self)->calls;
  for (int i = 0; s && i < 4; ++i) {
    const load *l = &s->load[i / 2];
    nsds_jacobian_pair one = rigid_body_pair_of(s, l, i % 2 ? NSDS_WRT_V : NSDS_WRT_Q);
    if (!l->fn || !one.jacobian || k-- > 0) continue;
    *pair = one;
    return true;
  }
  return false;
}

static void rigid_body_destroy(void *self) {
  body *s = self;
  nsds_context *context = s->context;
  if (s->calls) nsds_caller_release(&s->calls->caller);
  nsds_release(context, s->calls);
  nsds_release(context, s);
}

static const nsds_second_order_ops ops = {.type = call,
                                          .mass = rigid_body_mass,
                                          .force = rigid_body_force,
                                          .damping = rigid_body_damping,
                                          .stiffness = rigid_body_stiffness,
                                          .velocity_map = velocity_map,
                                          .advance = rigid_body_advance,
                                          .prescribed = rigid_body_prescribed,
                                          .jacobian_pair = rigid_body_jacobian_pair,
                                          .destroy = rigid_body_destroy};

/* ---- creation -------------------------------------------------------------------------------- */

static bool check_load(nsds_context *context, const char *label, const load *l, bool needed) {
  const char *text = NULL;
  if (l->fn && needed && (!l->jac_q || !l->jac_v))
    text = "is given without its Jacobians; give the functions, nsds_zero where one vanishes, or "
           "nsds_differences";
  if (!l->fn && (l->jac_q || l->jac_v)) text = "is NULL, but a Jacobian of it is given";
  if (!l->fn && l->turned) text = "is NULL, but a frame for it is chosen";
  if (text)
    nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: %s: %s %s (%s, %s)", call, label, l->name, text,
              l->name_q, l->name_v);
  return !text;
}

static bool rigid_body_check_prescribed(nsds_context *context, const char *label,
                                        const nsds_rigid_body_def *d) {
  const char *text = NULL;
  if (d->prescribed.n > 0 && !d->prescribed.fn)
    text = "velocities are prescribed, but prescribed.fn is NULL";
  if (d->prescribed.n == 0 && (d->prescribed.index || d->prescribed.fn))
    text = "prescribed.index or prescribed.fn is given, but prescribed.n is 0";
  if (text) nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: %s: %s", call, label, text);
  return !text;
}

static bool rigid_body_check(nsds_context *context, const char *label,
                             const nsds_rigid_body_def *d) {
  if (!d->inertia) {
    nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: %s: inertia is NULL; give 3 x 3 entries", call,
              label);
    return false;
  }
  return nsds_check_mass_entry(context, call, label, "mass", d->mass) &&
         nsds_check_finite(context, call, "inertia", d->inertia, 9) &&
         nsds_check_inertia(context, call, label, d->inertia) &&
         nsds_check_finite(context, call, "q0", d->q0, nq) &&
         nsds_check_finite(context, call, "v0", d->v0, nv) &&
         rigid_body_check_prescribed(context, label, d);
}

/* Takes a quaternion within 1e-6 of length 1 and normalizes it in `to`. A quaternion that is off by
 * rounding only stays, so that a state can be read and set again unchanged. */
static bool take_attitude(nsds_context *context, const char *function, const char *label,
                          const char *field, const double *q, double *to) {
  const double *p = q + 3;
  double length = sqrt(p[0] * p[0] + nsds_dot(p + 1, p + 1));
  if (!(fabs(length - 1.0) <= 1e-6)) {
    nsds_fail(
        context, NSDS_ERROR_VALUE,
        "%s: %s: the quaternion %s[3..6] = (%g, %g, %g, %g) has norm %.9g; valid is 1, off by "
        "at most 1e-6",
        function, label, field, p[0], p[1], p[2], p[3], length);
    return false;
  }
  bool is_unit = fabs(length - 1.0) <= 1e-14;
  if (!is_unit)
    nsds_log(context, NSDS_LOG_WARNING, "%s: %s: a quaternion of norm %.17g was normalised",
             function, label, length);
  for (int k = 0; k < nq; ++k) to[k] = k < 3 || is_unit ? q[k] : q[k] / length;
  return true;
}

static bool rigid_body_is_diagonal(const double *J) {
  for (int k = 0; k < 9; ++k)
    if (k % 4 != 0 && J[k] != 0.0) return false;
  return true;
}

/* Takes the functions of a definition. Returns false with a message if one is invalid. */
static bool take_functions(nsds_context *context, const char *label, const nsds_rigid_body_def *d,
                           calls *s) {
  *s = (calls){.caller = {.context = context}, .prescribed = d->prescribed, .user = d->user};
  memcpy(s->caller.label, label, nsds_label_size);
  s->load[0] = (load){.name = "force.fn",
                      .name_q = "force.jac_q_fn",
                      .name_v = "force.jac_v_fn",
                      .fn = d->force.fn,
                      .jac_q = d->force.jac_q_fn,
                      .jac_v = d->force.jac_v_fn,
                      .turned = d->force.in_body};
  s->load[1] = (load){.name = "moment.fn",
                      .name_q = "moment.jac_q_fn",
                      .name_v = "moment.jac_v_fn",
                      .fn = d->moment.fn,
                      .jac_q = d->moment.jac_q_fn,
                      .jac_v = d->moment.jac_v_fn,
                      .row = 3,
                      .turned = d->moment.in_world,
                      .back = true};
  bool needed = !d->explicit_gyroscopic, wrong = d->force.in_world || d->moment.in_body;
  if (wrong)
    nsds_fail(context, NSDS_ERROR_ARGUMENT,
              "%s: %s: force.in_world or moment.in_body is given; a force is in the world unless "
              "in_body, a moment in the body unless in_world",
              call, label);
  return !wrong && check_load(context, label, &s->load[0], needed) &&
         check_load(context, label, &s->load[1], needed);
}

static body *rigid_body_create(nsds_context *context, const nsds_rigid_body_def *d,
                               const calls *given) {
  body *s = NSDS_NEW(context, body);
  if (!s) return NULL;
  s->context = context;
  s->mass = d->mass;
  memcpy(s->inertia, d->inertia, sizeof s->inertia);
  memcpy(s->gravity, d->gravity, sizeof s->gravity);
  bool loaded = d->force.fn || d->moment.fn;
  if (!loaded && d->prescribed.n == 0 && d->ndata == 0 && !d->data) return s;
  s->calls = nsds_copy(context, given, 1, sizeof *given);
  if (s->calls &&
      nsds_caller_take(&s->calls->caller, d->ndata, d->data,
                       NSDS_FUNCTIONS(d->force.fn, d->force.jac_q_fn, d->force.jac_v_fn,
                                      d->moment.fn, d->moment.jac_q_fn, d->moment.jac_v_fn,
                                      d->prescribed.fn)) &&
      (!loaded || !nsds_caller_reserve(&s->calls->caller, 3, nq)))
    return s;
  rigid_body_destroy(s);
  return NULL;
}

/* Returns true if J = j I, so that W x J W vanishes. */
static bool is_spherical(const double *J) {
  return rigid_body_is_diagonal(J) && J[4] == J[0] && J[8] == J[0];
}

/* Properties of a body's integration, from its functions and its load. */
typedef struct manner {
  bool calls; /* functions for forces or moments */
  bool one_pass, diagonal, stiff;
} manner;

static manner manner_of(const body *s) {
  const load *f = s->calls ? &s->calls->load[0] : NULL, *n = s->calls ? &s->calls->load[1] : NULL;
  manner m = {.calls = f && (f->fn || n->fn)};
  m.one_pass = s->start || (is_spherical(s->inertia) && !m.calls && !s->given.turns);
  m.diagonal = m.one_pass && rigid_body_is_diagonal(s->inertia);
  m.stiff =
      s->given.turns ||
      (f && (rigid_body_varies(f->jac_q) || rigid_body_varies(n->jac_q) || f->turned || n->turned));
  return m;
}

static nsds_body_load *rigid_body_load(void *self) { return &((body *)self)->given; }

static void rigid_body_loaded(nsds_ds *ds) {
  body *s = ds->self;
  if (!nsds_body_load_settle(&s->given, false)) return;
  const manner m = manner_of(s);
  s->diagonal = m.diagonal;
  ds->mass.p = m.diagonal ? identity_p : NULL;
  ds->mass.i = m.diagonal ? identity_i : NULL;
  ds->damping = (nsds_matrix_shape){.present = !m.one_pass};
  ds->stiffness = (nsds_matrix_shape){.present = m.stiff && !m.one_pass};
  ds->explicit_force = m.one_pass;
  nsds_ds_set_alone(ds, m.one_pass && !m.calls && ds->prescribed.n == 0);
  nsds_note_systems(ds->model);
}

bool nsds_rigid_body_read(const nsds_ds *ds, double *mass, double *inertia, double *gravity) {
  if (ds->ops != &ops) return false;
  const body *s = ds->self;
  *mass = s->mass;
  memcpy(inertia, s->inertia, sizeof s->inertia);
  memcpy(gravity, s->gravity, sizeof s->gravity);
  return true;
}

MAKER(nsds_rigid_body, nsds_rigid_body_def)

#define DEF nsds_rigid_body_def
const nsds_type nsds_system_rigid_body = {
    .type = "rigid_body",
    .help =
        "A rigid body in space: q = center and quaternion (w, x, y, z), v = velocity and angular "
        "velocity.",
    .field =
        (const nsds_field[]){
            NUMBER_OF(DEF, mass, "kg", "> 0", "auto", "Mass; auto: from shapes and density."),
            TABLE_OF(DEF, inertia, "3 x 3", "kg m^2", "auto",
                     "Moments of inertia about the center; auto: from shapes and density."),
            NUMBER("density", "kg/m^3", "> 0", "auto",
                   "Density of the shapes, in place of mass and inertia."),
            ARRAY_OF(DEF, q0, "7", "m, 1", "zero",
                     "Initial coordinates; zero: at the origin, axes of the world."),
            ARRAY_OF(DEF, v0, "6", "m/s, rad/s", "zero", "Initial velocities."),
            VECTOR_OF(DEF, gravity, "3", "m/s^2", "zero", "Acceleration of gravity."),
            FUNCTION_OF("force", DEF, force.fn, "3", "N", "tqvz", NSDS_KIND_NONE, "zero",
                        "Force through the center.", VARIES),
            FUNCTION_OF(
                "jac_force_q", DEF, force.jac_q_fn, "3 x 7", "N/m", "tqvz", NSDS_KIND_NONE, "auto",
                "Its derivative; auto: exact, or by differences of a plugin, zero where the "
                "force does not use q.",
                SLOPE_OF("force q")),
            FUNCTION_OF("jac_force_v", DEF, force.jac_v_fn, "3 x 6", "N s/m", "tqvz",
                        NSDS_KIND_NONE, "auto", "Its derivative; auto likewise.",
                        SLOPE_OF("force v")),
            TRUTH_AS("force_in_body", DEF, force.in_body, "false",
                     "The force has components along the axes of the body."),
            FUNCTION_OF("moment", DEF, moment.fn, "3", "N m", "tqvz", NSDS_KIND_NONE, "zero",
                        "Moment about the center, along the axes of the body.", VARIES),
            FUNCTION_OF("jac_moment_q", DEF, moment.jac_q_fn, "3 x 7", "N", "tqvz", NSDS_KIND_NONE,
                        "auto", "Its derivative; auto likewise.", SLOPE_OF("moment q")),
            FUNCTION_OF("jac_moment_v", DEF, moment.jac_v_fn, "3 x 6", "N s", "tqvz",
                        NSDS_KIND_NONE, "auto", "Its derivative; auto likewise.",
                        SLOPE_OF("moment v")),
            TRUTH_AS("moment_in_world", DEF, moment.in_world, "false",
                     "The moment has components along the axes of the world."),
            TRUTH_OF(DEF, explicit_gyroscopic, "false",
                     "Gyroscopic terms, forces and moments are taken at the start of a step."),
            OBJECT("shapes", NSDS_FIELD_LIST, "shape", "zero",
                   "Shapes of the body, for contact sets and for density."),
            PRESCRIBED, SYSTEM_KEYS(DEF), END},
    .call = call,
    SYSTEM(DEF),
    PRESCRIBES(DEF),
    .make = make_nsds_rigid_body};

nsds_ds *nsds_rigid_body(nsds_model *model, const nsds_rigid_body_def *told) {
  nsds_rigid_body_def own;
  char label[nsds_label_size];
  const nsds_rigid_body_def *def = &own;
  if (!nsds_take_system(model, &nsds_system_rigid_body, told, &own, label)) return NULL;
  nsds_context *context = model->context;
  double q0[nq] = {[3] = 1.0};
  if (!rigid_body_check(context, label, def)) return NULL;
  if (def->q0) memcpy(q0, def->q0, sizeof q0);
  if (!take_attitude(context, call, label, "q0", q0, q0)) return NULL;
  calls given;
  if (!take_functions(context, label, def, &given)) return NULL;
  body *s = rigid_body_create(context, def, &given);
  if (!s) return NULL;
  s->start = def->explicit_gyroscopic;
  const manner m = manner_of(s);
  s->diagonal = m.diagonal;
  nsds_ds *ds = nsds_make_second_order(
      model,
      &(nsds_custom_second_order_def){.ops = &ops,
                                      .self = s,
                                      .name = def->name,
                                      .ndof = nv,
                                      .nq = nq,
                                      .q0 = q0,
                                      .v0 = def->v0,
                                      .mass = {.constant = true,
                                               .p = s->diagonal ? identity_p : NULL,
                                               .i = s->diagonal ? identity_i : NULL},
                                      .damping = {.present = !m.one_pass},
                                      .stiffness = {.present = m.stiff && !m.one_pass},
                                      .explicit_force = m.one_pass,
                                      .prescribed.n = def->prescribed.n,
                                      .prescribed.index = def->prescribed.index,
                                      .nz = def->nz,
                                      .z = def->z},
      false);
  if (!ds) return NULL;
  nsds_ds_set_alone(ds, m.one_pass && !m.calls && def->prescribed.n == 0);
  ds->type.take_q = take_attitude;
  ds->type.load = rigid_body_load;
  ds->type.loaded = rigid_body_loaded;
  return nsds_ds_called_by(ds, s->calls ? &s->calls->caller : NULL);
}
