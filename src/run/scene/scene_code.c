/*
 * Frames of a scene as few bytes. Numbers are whole numbers of quanta, as nsds_bytes_whole() writes
 * them. The page has the difference from a prediction that the reader can make as well, so errors
 * do not add up.
 *
 *     pose      x y z k a b c: position; the component k of the quaternion that is left out, since
 *               it is positive and large; the others. Prediction: the value before, plus the last
 *               difference d if |d| > 1, plus then the last difference e of d if |e| > 4; of k the
 *               value before. A frame has x of all bodies, then y of all bodies, ...
 *     contacts  A frame has, for each contact of the frame before, 0: it has gone, or 1: it stays.
 *               Then the number of new contacts. These stand behind those that stay. Then x of all
 *               contacts, y, z, m, u, v: the point; 12 log2 |f| above 2^-20 of the strongest force;
 *               the direction of f, on the octahedron |x| + |y| + |z| = 1 laid flat. Prediction:
 *               the value before, of new contacts that of the contact in front.
 *
 * Source of the octahedron: Q. Meyer, J. Suessmuth, G. Sussner, M. Stamminger, G. Greiner, On
 * floating-point normal vectors, Computer Graphics Forum 29 (2010).
 */
#include "run/scene/scene_code.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int64_t quanta(double value) {
  return isfinite(value) && fabs(value) < 1e15 ? (int64_t)floor(value + 0.5) : 0;
}

nsds_scene_grid nsds_scene_find_grid(const nsds_scene *s) {
  nsds_scene_grid grid = {.strongest = 0.0};
  double size = 2.0 * s->reach;
  for (int i = 0; i < 3; ++i) {
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < s->nframe * s->nbody; ++k) {
      low = fmin(low, (double)s->pose[k].x[i]);
      high = fmax(high, (double)s->pose[k].x[i]);
    }
    if (!(low <= high)) continue;
    grid.origin[i] = low;
    size = fmax(size, high - low);
  }
  grid.quantum = (size > 0.0 ? size : 1.0) / nsds_scene_steps;
  for (int k = 0; k < s->nforce; ++k) {
    const float *f = s->force[k].force;
    grid.strongest =
        fmax(grid.strongest, sqrt((double)f[0] * (double)f[0] + (double)f[1] * (double)f[1] +
                                  (double)f[2] * (double)f[2]));
  }
  return grid;
}

/* ---- poses ---- */

enum { pose_parts = 7, pose_left_out = 3 };

typedef struct pose_past {
  int64_t last[3][pose_parts]; /* of the last three frames, the latest first */
} pose_past;

/* The component that is left out stays while it is large enough. */
static int left_out(const float *turn, int64_t last) {
  int most = (int)last;
  if (fabsf(turn[most]) > 0.45f) return most;
  for (int i = 0; i < 4; ++i)
    if (fabsf(turn[i]) > fabsf(turn[most])) most = i;
  return most;
}

static void quanta_of_pose(const nsds_scene_pose *pose, const nsds_scene_grid *grid, int64_t last,
                           int64_t *part) {
  for (int i = 0; i < 3; ++i)
    part[i] = quanta(((double)pose->x[i] - grid->origin[i]) / grid->quantum);
  int k = left_out(pose->turn, last), at = pose_left_out;
  part[at++] = k;
  double sign = pose->turn[k] < 0.0f ? -1.0 : 1.0;
  for (int i = 0; i < 4; ++i)
    if (i != k) part[at++] = quanta(sign * (double)pose->turn[i] * nsds_scene_turn_steps);
}

static int64_t pose_difference(pose_past *past, int part, int64_t now) {
  int64_t a = past->last[0][part], b = past->last[1][part], c = past->last[2][part];
  int64_t step = a - b, bend = a - 2 * b + c;
  if (part == pose_left_out || (step >= -1 && step <= 1)) step = bend = 0;
  if (bend >= -4 && bend <= 4) bend = 0;
  past->last[2][part] = b;
  past->last[1][part] = a;
  past->last[0][part] = now;
  return now - a - step - bend;
}

static void code_frame(const nsds_scene *s, const nsds_scene_grid *grid,
                       const nsds_scene_pose *pose, pose_past *past, int64_t *now,
                       nsds_bytes *out) {
  for (int k = 0; k < s->nbody; ++k)
    quanta_of_pose(&pose[k], grid, past[k].last[0][pose_left_out], now + pose_parts * k);
  for (int part = 0; part < pose_parts; ++part)
    for (int k = 0; k < s->nbody; ++k)
      nsds_bytes_whole(out, pose_difference(&past[k], part, now[pose_parts * k + part]));
}

nsds_status nsds_scene_code_poses(const nsds_scene *s, const nsds_scene_grid *grid,
                                  nsds_bytes *out) {
  pose_past *past = nsds_alloc(s->context, "a page", (size_t)s->nbody + 1, sizeof *past);
  int64_t *now = nsds_alloc(s->context, "a page", (size_t)s->nbody + 1, pose_parts * sizeof *now);
  bool fine = past && now;
  for (int f = 0; f < s->nframe && fine; ++f)
    code_frame(s, grid, s->pose + (size_t)f * (size_t)s->nbody, past, now, out);
  nsds_free(past);
  nsds_free(now);
  return fine && !out->failed ? NSDS_OK : NSDS_ERROR_MEMORY;
}

/* ---- contacts ---- */

enum { force_parts = 6 };

typedef struct force_row {
  uint64_t key;
  int64_t part[force_parts];
  bool taken;
} force_row;

static int64_t coarse_length(double length, double strongest) {
  double above = nsds_scene_octaves + log2(length / strongest);
  return above > 0.0 ? quanta(nsds_scene_octave * above) : 0;
}

static void quanta_of_force(const nsds_scene_force *force, const nsds_scene_grid *grid,
                            int64_t *part) {
  double f[3], sum = 0.0, length = 0.0;
  for (int i = 0; i < 3; ++i) {
    part[i] = quanta(((double)force->point[i] - grid->origin[i]) / (4.0 * grid->quantum));
    f[i] = (double)force->force[i];
    sum += fabs(f[i]);
    length += f[i] * f[i];
  }
  part[3] = coarse_length(sqrt(length), grid->strongest);
  double u = sum > 0.0 ? f[0] / sum : 0.0, v = sum > 0.0 ? f[1] / sum : 0.0;
  if (f[2] < 0.0) {
    double turned = copysign(1.0 - fabs(v), u);
    v = copysign(1.0 - fabs(u), v);
    u = turned;
  }
  part[4] = quanta(nsds_scene_slope * u);
  part[5] = quanta(nsds_scene_slope * v);
}

static int compare_rows(const void *a, const void *b) {
  const force_row *first = a, *second = b;
  return (first->key > second->key) - (first->key < second->key);
}

/* Returns the first row of a key that is not taken; NULL if there is none. Rows are sorted by
 * key. */
static force_row *find_force_row(force_row *row, int count, uint64_t key) {
  int low = 0, high = count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (row[middle].key < key) low = middle + 1;
    else high = middle;
  }
  while (low < count && row[low].key == key && row[low].taken) ++low;
  return low < count && row[low].key == key ? &row[low] : NULL;
}

/* Orders the rows of a frame as they are written: those that stay, in the order of the frame
 * before, then new ones. Each has the row that predicts it in `base`. */
static void order_force_rows(force_row *row, int count, const force_row *old, int nold,
                             force_row *ordered, force_row *base, nsds_bytes *out) {
  int stay = 0;
  for (int k = 0; k < nold; ++k) {
    force_row *found = find_force_row(row, count, old[k].key);
    nsds_bytes_whole(out, found != NULL);
    if (!found) continue;
    found->taken = true;
    base[stay] = old[k];
    ordered[stay++] = *found;
  }
  int all = stay;
  for (int k = 0; k < count; ++k) {
    if (row[k].taken) continue;
    base[all] = all > stay ? ordered[all - 1] : (force_row){0};
    ordered[all++] = row[k];
  }
  nsds_bytes_whole(out, all - stay);
}

typedef struct force_room {
  force_row *row, *old, *ordered, *base;
} force_room;

static void code_forces(const nsds_scene_force *force, int count, const nsds_scene_grid *grid,
                        force_room *room, int *nold, nsds_bytes *out) {
  for (int k = 0; k < count; ++k) {
    room->row[k] = (force_row){.key = force[k].key};
    quanta_of_force(&force[k], grid, room->row[k].part);
  }
  if (count > 1) qsort(room->row, (size_t)count, sizeof *room->row, compare_rows);
  order_force_rows(room->row, count, room->old, *nold, room->ordered, room->base, out);
  for (int part = 0; part < force_parts; ++part)
    for (int k = 0; k < count; ++k)
      nsds_bytes_whole(out, room->ordered[k].part[part] - room->base[k].part[part]);
  force_row *spare = room->old;
  room->old = room->ordered;
  room->ordered = spare;
  *nold = count;
}

static int most_forces(const nsds_scene *s) {
  int most = 0;
  for (int f = 0, begin = 0; f < s->nframe; begin = s->frame[f++].end)
    if (s->frame[f].end - begin > most) most = s->frame[f].end - begin;
  return most;
}

nsds_status nsds_scene_code_forces(const nsds_scene *s, const nsds_scene_grid *grid,
                                   nsds_bytes *out) {
  size_t most = (size_t)most_forces(s) + 1;
  force_row *all = nsds_alloc(s->context, "a page", 4 * most, sizeof *all);
  if (!all) return NSDS_ERROR_MEMORY;
  force_room room = {all, all + most, all + 2 * most, all + 3 * most};
  int nold = 0;
  for (int f = 0, begin = 0; f < s->nframe; begin = s->frame[f++].end)
    code_forces(s->force + begin, s->frame[f].end - begin, grid, &room, &nold, out);
  nsds_free(all);
  return out->failed ? NSDS_ERROR_MEMORY : NSDS_OK;
}
