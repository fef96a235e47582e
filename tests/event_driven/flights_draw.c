/* Draws the strands of flights.h. */
#include "flights.h"

void scene_draw_strand(scene *c, strand *s) {
  double scales[] = {1.0, 1.0, 1.0, 1.0, 1e-3, 1e3};
  double l = scales[(int)in(c, 0.0, 6.0) % 6];
  *s = (strand){.kind = (strand_kind)((int)in(c, 0.0, strand_kinds) % strand_kinds), .n = 1};
  if (s->kind >= STRAND_SPHERE) l = 1.0;
  s->scale = l;
  s->g = in(c, 2.0, 20.0) * l;
  s->e = one_of(c, 3) ? 0.0 : in(c, 0.0, 0.9);
  s->mu = one_of(c, 3) ? 0.0 : in(c, 0.0, 0.8);
  s->floor = one_of(c, 3) ? 0.0 : in(c, -2.0, 2.0) * l;
  s->gain = in(c, 0.5, 2.0);
  s->z[0] = s->floor + (one_of(c, 8) ? 0.0 : in(c, 0.02, 1.0) * l);
  s->v[0] = one_of(c, 3) ? 0.0 : in(c, -2.0, 2.0) * l;
  for (int k = 0; k < strand_most; ++k) s->mass[k] = pow(10.0, in(c, -1.0, 1.0));
  s->w = in(c, 2.0, 10.0);
  s->phase = in(c, 0.0, 6.0);
  s->a = in(c, 0.1, 0.8) * s->g / (s->w * s->w);
  switch (s->kind) {
  case STRAND_RELAY:
    s->up = in(c, 0.05, 0.8) * s->g;
    s->down = one_of(c, 4) ? 1.5 * s->g : one_of(c, 2) ? s->up : in(c, 0.05, 0.8) * s->g;
    break;
  case STRAND_OVERLAP:
    s->z[0] = s->floor - pow(10.0, in(c, -5.0, -2.0)) * l;
    if (one_of(c, 2)) s->v[0] = 0.0;
    else s->v[0] = copysign(in(c, 1.0, 2.0) * l, s->v[0]);
    if (s->v[0] < 0.0)
      s->e = one_of(c, 2) ? 0.0 : in(c, 0.7, 0.9); /* rests, or leaves the overlap */
    break;
  case STRAND_PLANE:
  case STRAND_SPACE:
    s->n = s->kind == STRAND_PLANE ? 2 : 3;
    s->mass[2] = s->mass[1] = s->mass[0];
    for (int k = 1; k < s->n; ++k) s->z[k] = in(c, -1.0, 1.0) * l, s->v[k] = in(c, -1.0, 1.0) * l;
    if (s->n == 2 && one_of(c, 2))
      s->load[1] = s->mass[0] * s->g * (s->mu > 0.0 ? s->mu * in(c, -1.8, 1.8) : in(c, -0.5, 0.5));
    break;
  case STRAND_COLUMN:
    s->n = 2 + one_of(c, 2);
    for (int k = 1; k < s->n; ++k) s->z[k] = s->z[k - 1] + in(c, 0.1, 1.0) * l, s->v[k] = s->v[0];
    break;
  case STRAND_FEET:
    s->n = 2;
    s->feet = 2 + (int)in(c, 0.0, 3.0) % 3;
    for (int k = 0; k < s->feet; ++k) s->foot[k] = in(c, -1.0, 1.0);
    s->foot[0] = in(c, -1.0, -0.3);
    s->foot[s->feet - 1] = in(c, 0.3, 1.0);
    break;
  case STRAND_HELD:
    s->v[0] = 0.0;
    s->floor = s->z[0] - in(c, 0.3, 2.0) * l; /* the gap is gain (z - floor) */
    break;
  case STRAND_LED:
    s->v[0] = one_of(c, 2) ? s->a * s->w * cos(s->phase) : s->v[0];
    s->floor = s->z[0] - in(c, 0.3, 2.0) * l;
    break;
  case STRAND_MOVING: break;
  case STRAND_PAIR:
    s->n = 2;
    s->z[1] = s->z[0] + in(c, 0.05, 1.0) * l;
    s->v[1] = in(c, -3.0, 1.0) * l;
    break;
  case STRAND_SWITCH:
    s->g = in(c, -1.0, 1.0) * l;
    s->push = in(c, 0.3, 2.0) * l;
    break;
  case STRAND_SPHERE:
    s->n = 3;
    s->radius = in(c, 0.1, 0.5);
    s->e = c->e;
    s->mu = c->mu;
    s->z[0] += s->radius - s->floor;
    s->floor = s->radius;
    for (int k = 1; k < 3; ++k) s->v[k] = in(c, -1.0, 1.0);
    if (one_of(c, 4))
      s->z[0] = s->floor - pow(10.0, in(c, -4.0, -2.5)), s->v[0] = s->v[1] = s->v[2] = 0.0;
    break;
  case STRAND_HELD_SPHERE: s->n = 3, s->v[0] = 0.0, s->v[1] = in(c, -1.0, 1.0); break;
  default: break;
  }
  s->load[0] = -s->mass[0] * s->g;
  if (s->kind == STRAND_PAIR || s->kind == STRAND_COLUMN)
    for (int k = 0; k < s->n; ++k) s->load[k] = -s->mass[k] * s->g;
}
