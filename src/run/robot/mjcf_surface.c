/*
 * Surfaces of MJCF, see mjcf_surface.h. Two geoms meet with the larger condim, the larger numbers of
 * friction, and the mean of solref by the weights solmix. If one has a higher priority, this geom decides
 * alone. A <pair> has numbers of its own for its two geoms. Contacts of the model take the larger
 * coefficients of two surfaces; where MJCF has others, the robot gets them for these two. The softness of
 * contacts becomes a coefficient of restitution: that of an oscillator with its damping ratio.
 */
#include "run/robot/mjcf_surface.h"

#include "base/text/words.h"
#include "run/robot/mjcf_default.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* ---- rules ---- */

/* The ratio of the speeds after and before half a period of an oscillator. */
static double restitution_of(const double solref[2]) {
  double ratio = solref[1];
  if (solref[0] < 0.0 && solref[1] < 0.0) ratio = -solref[1] / (2.0 * sqrt(-solref[0]));
  return ratio >= 1.0 || ratio < 0.0 ? 0.0 : exp(-pi * ratio / sqrt(1.0 - ratio * ratio));
}

static nsds_robot_coefficients coefficients_of(const nsds_mjcf_surface *s) {
  return (nsds_robot_coefficients){.mu = s->condim < 2.0 ? 0.0 : s->friction[0],
                                   .mu_rolling = s->condim > 5.0 ? s->friction[2] : 0.0,
                                   .restitution = restitution_of(s->solref)};
}

static double mjcf_weight(const nsds_mjcf_surface *a, const nsds_mjcf_surface *b) {
  const double least = 1e-15;
  if (a->solmix >= least && b->solmix >= least) return a->solmix / (a->solmix + b->solmix);
  return a->solmix < least && b->solmix < least ? 0.5 : a->solmix < least ? 0.0 : 1.0;
}

static nsds_mjcf_surface meeting_of(const nsds_mjcf_surface *a, const nsds_mjcf_surface *b) {
  if (a->priority != b->priority) return a->priority > b->priority ? *a : *b;
  nsds_mjcf_surface both = *a;
  double weight = mjcf_weight(a, b);
  bool positive = a->solref[0] > 0.0 && b->solref[0] > 0.0;
  both.condim = fmax(a->condim, b->condim);
  for (int i = 0; i < 3; ++i) both.friction[i] = fmax(a->friction[i], b->friction[i]);
  for (int i = 0; i < 2; ++i)
    both.solref[i] = positive ? weight * a->solref[i] + (1.0 - weight) * b->solref[i]
                              : fmin(a->solref[i], b->solref[i]);
  return both;
}

/* ---- geoms ---- */

static bool are_equal(int n, const double *a, const double *b) {
  bool equal = true;
  for (int k = 0; k < n; ++k) equal = equal && a[k] == b[k];
  return equal;
}

static bool same_surface(const nsds_mjcf_surface *a, const nsds_mjcf_surface *b) {
  return !a->alone && !b->alone && a->condim == b->condim && a->priority == b->priority &&
         a->solmix == b->solmix && are_equal(3, a->friction, b->friction) &&
         are_equal(2, a->solref, b->solref);
}

/* Number of a surface from 1; 0 after a failure. */
static int list_surface(nsds_mjcf *m, const nsds_mjcf_surface *s) {
  nsds_robot *r = m->robot;
  for (int k = 0; k < m->nsurface; ++k)
    if (same_surface(&m->surface[k], s)) return k + 1;
  nsds_robot_took(r,
                  nsds_room(r->context, &m->surface, &m->surface_room, m->nsurface + 1, sizeof *s));
  if (r->failed) return 0;
  m->surface[m->nsurface++] = *s;
  return m->nsurface;
}

static bool check_friction(const nsds_mjcf_view *v, double slide, double roll) {
  return (slide >= 0.0 && roll >= 0.0) ||
         nsds_robot_fail(v->m->robot, v->at,
                         "friction has the numbers %g and %g; valid are numbers >= 0", slide, roll);
}

void nsds_mjcf_read_surface(const nsds_mjcf_view *v, nsds_robot_shape *s) {
  nsds_mjcf_surface own = {
      .condim = 3.0, .friction = {1.0, 0.005, 1e-4}, .solref = {0.02, 1.0}, .solmix = 1.0};
  nsds_mjcf_numbers(v, "friction", 1, 3, own.friction);
  nsds_mjcf_numbers(v, "solref", 1, 2, own.solref);
  nsds_mjcf_get(v, "solimp");
  nsds_mjcf_number(v, "condim", &own.condim);
  nsds_mjcf_number(v, "priority", &own.priority);
  nsds_mjcf_number(v, "solmix", &own.solmix);
  if (!check_friction(v, own.friction[0], own.friction[2])) return;
  if (own.condim == 4.0 && s->meets)
    nsds_robot_note(v->m->robot, v->at, "condim is 4: friction against spin is left out");
  s->surface = list_surface(v->m, &own);
  s->of = coefficients_of(&own);
}

/* ---- pairs ---- */

/* A geom of a pair has a surface that no other geom has. */
static int surface_alone(nsds_mjcf *m, int shape) {
  nsds_robot_shape *s = &m->robot->shape[shape];
  if (m->robot->failed || s->surface == 0 || m->surface[s->surface - 1].alone) return s->surface;
  nsds_mjcf_surface own = m->surface[s->surface - 1];
  own.alone = true;
  s->surface = list_surface(m, &own);
  return s->surface;
}

void nsds_mjcf_pair_surface(const nsds_mjcf_view *v, nsds_mjcf_pair *pair) {
  nsds_mjcf *m = v->m;
  double friction[5] = {0.0, 0.0, 0.005, 1e-4, 1e-4};
  int a = surface_alone(m, pair->a), b = surface_alone(m, pair->b);
  if (m->robot->failed) return;
  nsds_mjcf_surface both = meeting_of(&m->surface[a - 1], &m->surface[b - 1]);
  int count = nsds_mjcf_numbers(v, "friction", 1, 5, friction);
  nsds_mjcf_numbers(v, "solref", 1, 2, both.solref);
  nsds_mjcf_get(v, "solimp");
  nsds_mjcf_number(v, "condim", &both.condim);
  if (count > 0 && !check_friction(v, friction[0], friction[3])) return;
  if (count > 1 && friction[1] != friction[0])
    nsds_robot_note(m->robot, v->at,
                    "friction of the pair has two directions; the first number holds in both");
  if (count > 0) both.friction[0] = friction[0], both.friction[2] = friction[3];
  pair->of = coefficients_of(&both);
}

/* ---- what differs from the larger coefficients ---- */

static const nsds_mjcf_pair *pair_of(const nsds_mjcf *m, int a, int b) {
  const nsds_robot_shape *shape = m->robot->shape;
  for (int k = 0; k < m->npair; ++k) {
    const nsds_mjcf_pair *p = &m->pair[k];
    int one = shape[p->a].surface, two = shape[p->b].surface;
    if ((one == a && two == b) || (one == b && two == a)) return p;
  }
  return NULL;
}

void nsds_mjcf_surfaces(nsds_mjcf *m) {
  nsds_robot *r = m->robot;
  if (m->nsurface > 256) {
    nsds_robot_note(r, r->root,
                    "the file has more than 256 different surfaces; two geoms meet with the larger "
                    "coefficients of both");
    return;
  }
  for (int i = 1; i <= m->nsurface; ++i)
    for (int j = i + 1; j <= m->nsurface && !r->failed; ++j) {
      const nsds_mjcf_pair *p = pair_of(m, i, j);
      nsds_robot_coefficients a = coefficients_of(&m->surface[i - 1]);
      nsds_robot_coefficients b = coefficients_of(&m->surface[j - 1]);
      nsds_mjcf_surface both = meeting_of(&m->surface[i - 1], &m->surface[j - 1]);
      nsds_robot_coefficients of = p ? p->of : coefficients_of(&both);
      if (of.mu != fmax(a.mu, b.mu) || of.mu_rolling != fmax(a.mu_rolling, b.mu_rolling) ||
          of.restitution != fmax(a.restitution, b.restitution))
        nsds_robot_add_meeting(r, &(nsds_robot_meeting){i, j, of});
    }
}
