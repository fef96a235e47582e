/*
 * Snapshots in which one word is another, with the checksum made right again: each word of six runs
 * in turn (runs.h), seventeen values each. A run either goes on from it, soundly, or refuses it and
 * is, bit by bit, as before.
 *
 *   kernel_snapshot_words          some of them
 *   kernel_snapshot_words --all    each; the last line has the counts
 */
#include "runs.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { head = 40, values = 17, word = 8 };

static long altered, refused, sound, findings;

typedef struct work {
  const run_scene *scene;
  nsds_model *model;
  nsds_simulation *simulation;
  nsds_snapshot *whole; /* what is altered */
  unsigned char *image; /* a copy of its bytes */
  size_t size, at;      /* the word in question */
  int value;            /* which */
} work;

static nsds_context *context_of(const work *w) { return nsds_model_context(w->model); }

static void finding(const work *w, const char *what) {
  ++findings;
  printf("%s: word %zu of %zu, value %d: %s (%s)\n", w->scene->name, w->at / word, w->size / word,
         w->value, what, nsds_error_message(context_of(w)));
}

/* ---- words ---- */

static uint64_t get(const unsigned char *from) {
  uint64_t x = 0;
  for (int k = 0; k < word; ++k) x |= (uint64_t)from[k] << 8 * k;
  return x;
}

static void put(unsigned char *to, uint64_t x) {
  for (int k = 0; k < word; ++k) to[k] = (unsigned char)(x >> 8 * k);
}

static uint64_t bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static double number_of(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static uint64_t other(uint64_t x, int value) {
  const uint64_t one = 1;
  const uint64_t list[values] = {bits_of(NAN),
                                 bits_of(INFINITY),
                                 bits_of(-INFINITY),
                                 0,
                                 bits_of(1.0),
                                 bits_of(-1.0),
                                 UINT64_MAX,
                                 bits_of(1e308),
                                 bits_of(-1e308),
                                 bits_of(1e-308),
                                 x ^ one,
                                 x ^ one << 63,
                                 x ^ one << 52,
                                 x + 1,
                                 x - 1,
                                 (one << 62) + 4711,
                                 bits_of(-number_of(x) * 1.5)};
  return list[value];
}

/* FNV-1a of what is behind the head. */
static void seal(unsigned char *image, size_t size) {
  uint64_t sum = UINT64_C(14695981039346656037);
  for (size_t k = head; k < size; ++k) sum = (sum ^ image[k]) * UINT64_C(1099511628211);
  put(image + head - word, sum);
}

/* ---- what is sound ---- */

static bool all_finite(const double *x, int n) {
  for (int k = 0; x && k < n; ++k)
    if (!isfinite(x[k])) return false;
  return true;
}

static bool is_sound(const nsds_model *model) {
  for (int k = 0; k < nsds_ds_count(model); ++k) {
    const nsds_ds *ds = nsds_ds_at(model, k);
    if (!all_finite(nsds_q(ds), nsds_nq(ds)) || !all_finite(nsds_v(ds), nsds_nv(ds)) ||
        !all_finite(nsds_p(ds), nsds_nv(ds)) ||
        !all_finite(nsds_prescribed_force(ds), nsds_nv(ds)) ||
        !all_finite(nsds_x(ds), nsds_nx(ds)) || !all_finite(nsds_r(ds), nsds_nx(ds)))
      return false;
    const double *p = nsds_nq(ds) == 7 ? nsds_q(ds) + 3 : NULL;
    if (p && fabs(sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]) - 1.0) > 1e-5)
      return false;
  }
  for (int k = 0; k < nsds_interaction_count(model); ++k) {
    const nsds_interaction *ia = nsds_interaction_at(model, k);
    int m = nsds_interaction_size(ia);
    if (!all_finite(nsds_y(ia), m) || !all_finite(nsds_ydot(ia), m) ||
        (nsds_impulse(ia) && !all_finite(nsds_impulse(ia), m)))
      return false;
  }
  return true;
}

/* Steps end with a status; time does not run backwards; a good status has a sound state. */
static void go_on(work *w) {
  enum { some = 3 };
  for (int k = 0; k < some; ++k) {
    double t = nsds_time(w->simulation);
    nsds_status status = nsds_step(w->simulation);
    if (!(nsds_time(w->simulation) >= t)) finding(w, "time runs backwards");
    if (status >= 0 && !is_sound(w->model)) finding(w, "a step is fine, its state is not");
    if (status != NSDS_OK) return;
  }
}

static bool is_unchanged(const work *w, const unsigned char *before, size_t size) {
  size_t now;
  nsds_snapshot *after = nsds_snapshot_take(w->simulation);
  const void *bytes = nsds_snapshot_bytes(after, &now);
  bool same = bytes && now == size && memcmp(bytes, before, size) == 0;
  nsds_snapshot_destroy(after);
  return same;
}

/* ---- one word, one value ---- */

static void try_value(work *w) {
  uint64_t x = get(w->image + w->at), y = other(x, w->value);
  if (x == y) return;
  ++altered;
  put(w->image + w->at, y);
  if (w->at != head - word) seal(w->image, w->size);
  nsds_snapshot *forged = nsds_snapshot_from_bytes(context_of(w), w->image, w->size);
  nsds_status status = forged ? nsds_snapshot_restore(w->simulation, forged) : NSDS_ERROR_FORMAT;
  if (status > 0) finding(w, "a load has a status of its own");
  if (status == NSDS_OK) {
    ++sound;
    if (!is_sound(w->model)) finding(w, "a state that is none was taken");
    go_on(w);
  } else {
    ++refused;
    size_t size;
    const unsigned char *before = nsds_snapshot_bytes(w->whole, &size);
    if (!is_unchanged(w, before, size)) finding(w, "refused, and something is another");
  }
  nsds_error_clear(context_of(w));
  nsds_snapshot_destroy(forged);
  put(w->image + w->at, x);
  if (status == NSDS_OK && nsds_snapshot_restore(w->simulation, w->whole) != NSDS_OK)
    finding(w, "the whole snapshot is refused afterwards");
}

/* ---- a run ---- */

static bool open_work(work *w) {
  w->model = nsds_model_create(NULL);
  w->simulation = w->scene->make(w->model);
  nsds_status status = w->simulation ? NSDS_OK : NSDS_ERROR_STATE;
  for (int k = 0; k < w->scene->steps / 2 && status >= 0; ++k) status = nsds_step(w->simulation);
  w->whole = status >= 0 ? nsds_snapshot_take(w->simulation) : NULL;
  const void *bytes = nsds_snapshot_bytes(w->whole, &w->size);
  w->image = bytes ? malloc(w->size) : NULL;
  if (w->image) memcpy(w->image, bytes, w->size);
  /* as the others find it: a run that has come back */
  bool ready = w->image && nsds_snapshot_restore(w->simulation, w->whole) == NSDS_OK;
  if (!ready) finding(w, "the run cannot be made");
  return ready;
}

static void close_work(work *w) {
  free(w->image);
  nsds_snapshot_destroy(w->whole);
  nsds_model_destroy(w->model);
}

int main(int argc, char **argv) {
  bool all = argc == 2 && strcmp(argv[1], "--all") == 0;
  if (argc > 1 && !all) {
    fprintf(stderr, "usage: %s [--all]\n", argv[0]);
    return 2;
  }
  const run_scene *scene;
  for (int k = 0; (scene = run_scene_at(k)) != NULL; ++k) {
    if (!scene->words) continue;
    work w = {.scene = scene};
    size_t turn = 0;
    for (bool ready = open_work(&w); ready && w.at + word <= w.size; w.at += word)
      for (w.value = 0; w.value < values; ++w.value)
        if (all || ++turn % 11 == 0) try_value(&w);
    close_work(&w);
  }
  printf("snapshot words: %ld altered, %ld refused, %ld sound, %ld findings\n", altered, refused,
         sound, findings);
  return findings > 0 || sound == 0 || refused == 0;
}
