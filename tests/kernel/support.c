#include "support.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- assertions ---- */

void check_near(double actual, double expected, double tolerance, const char *text,
                const char *file, int line) {
  if (fabs(actual - expected) <= tolerance) return;
  print_error("%s is %.17g, expected %.17g +- %g (off by %g)\n", text, actual, expected, tolerance,
              actual - expected);
  _fail(file, line);
}

void check_between(double actual, double low, double high, const char *text, const char *file,
                   int line) {
  if (actual >= low && actual <= high) return;
  print_error("%s is %.17g, expected a value in [%g, %g]\n", text, actual, low, high);
  _fail(file, line);
}

void check_status(nsds_context *context, nsds_status status, nsds_status expected, const char *text,
                  const char *file, int line) {
  if (status == expected) return;
  print_error("%s gave %d (%s), expected %d (%s); first error: \"%s\", last message: \"%s\"\n",
              text, status, nsds_status_text(status), expected, nsds_status_text(expected),
              nsds_error_message(context), nsds_last_message(context));
  _fail(file, line);
}

void check_words(const char *message, const char *const *words, int count, const char *file,
                 int line) {
  for (int k = 0; k < count; ++k) {
    if (!words[k] || strstr(message, words[k])) continue;
    print_error("the message \"%s\" does not contain \"%s\"\n", message, words[k]);
    _fail(file, line);
  }
}

nsds_simulation *run(nsds_model *model, const nsds_time_stepping_def *def, long steps) {
  nsds_simulation *simulation = nsds_time_stepping(model, def);
  assert_sound(model);
  assert_non_null(simulation);
  if (steps == 0) assert_status(model, nsds_run(simulation), NSDS_END);
  for (long k = 0; k < steps; ++k) assert_ok(model, nsds_step(simulation));
  return simulation;
}

double order_of(double coarse, double fine) { return log2(coarse / fine); }

double worse(double a, double b) { return isnan(a) || a > b ? a : b; }

/* ---- reference tables ---- */

table table_read(const char *name) {
  char path[1024];
  snprintf(path, sizeof path, "%s/reference/%s.ref", NSDS_TEST_DATA, name);
  FILE *file = NSDS_TEST_DATA[0] ? fopen(path, "r") : NULL;
  if (!file) {
    printf("skipped: reference data not present\n");
    fflush(stdout);
    skip();
  }
  table t = {0};
  assert_int_equal(fscanf(file, "%d %d", &t.rows, &t.cols), 2);
  assert_true(t.rows > 0 && t.cols > 0 && t.cols <= table_max_columns);
  size_t count = (size_t)t.rows * (size_t)t.cols;
  t.x = malloc(count * sizeof *t.x);
  assert_non_null(t.x);
  for (size_t k = 0; k < count; ++k) assert_int_equal(fscanf(file, "%lf", &t.x[k]), 1);
  fclose(file);
  return t;
}

void table_free(table *t) {
  free(t->x);
  *t = (table){0};
}

void deviation_note(deviation *d, int row, int col, double value) {
  assert_true(row < d->reference->rows && col < d->reference->cols);
  d->largest[col] = worse(fabs(value - table_at(d->reference, row, col)), d->largest[col]);
}

void deviation_check(const deviation *d, const char *what, int first, int last, int stride,
                     double allowed) {
  double largest = 0.0;
  int column = first;
  for (int c = first; c <= last; c += stride)
    if (!(d->largest[c] <= largest)) {
      largest = d->largest[c];
      column = c;
    }
  print_message("             %-28s max diff %8.2g (column %d), allowed %g\n", what, largest,
                column, allowed);
  assert_between(largest, 0.0, allowed);
}

/* ---- the whole state of a model ---- */

static size_t put(double *x, size_t at, const double *values, int n) {
  if (x && n > 0) memcpy(x + at, values, (size_t)n * sizeof *x);
  return at + (size_t)n;
}

static size_t gather(const nsds_model *model, double *x) {
  size_t at = 0;
  for (int k = 0; k < nsds_ds_count(model); ++k) {
    const nsds_ds *ds = nsds_ds_at(model, k);
    at = put(x, at, nsds_q(ds), nsds_nq(ds));
    at = put(x, at, nsds_v(ds), nsds_nv(ds));
    at = put(x, at, nsds_p(ds), nsds_nv(ds));
    at = put(x, at, nsds_prescribed_force(ds), nsds_nv(ds));
    at = put(x, at, nsds_x(ds), nsds_nx(ds));
    at = put(x, at, nsds_r(ds), nsds_nx(ds));
  }
  for (int k = 0; k < nsds_interaction_count(model); ++k) {
    const nsds_interaction *ia = nsds_interaction_at(model, k);
    double active = nsds_is_active(ia) ? 1.0 : 0.0;
    at = put(x, at, nsds_y(ia), nsds_interaction_size(ia));
    at = put(x, at, nsds_ydot(ia), nsds_interaction_size(ia));
    at = put(x, at, nsds_impulse(ia) ? nsds_impulse(ia) : nsds_lambda(ia),
             nsds_interaction_size(ia));
    at = put(x, at, &active, 1);
  }
  return at;
}

snapshot snapshot_take(const nsds_model *model) {
  snapshot s = {.count = gather(model, NULL)};
  s.x = malloc((s.count + 1) * sizeof *s.x);
  assert_non_null(s.x);
  gather(model, s.x);
  return s;
}

void snapshot_free(snapshot *s) {
  free(s->x);
  *s = (snapshot){0};
}

void snapshot_check(const snapshot *s, const nsds_model *model, const char *occasion) {
  snapshot now = snapshot_take(model);
  assert_int_equal(now.count, s->count);
  for (size_t k = 0; k < s->count; ++k)
    if (memcmp(&now.x[k], &s->x[k], sizeof *s->x) != 0) {
      print_error("%s: entry %zu of the model's state was %.17g and is %.17g\n", occasion, k,
                  s->x[k], now.x[k]);
      snapshot_free(&now);
      fail();
    }
  snapshot_free(&now);
}

uint64_t state_hash(const nsds_model *model, uint64_t seed) {
  snapshot now = snapshot_take(model);
  const unsigned char *byte = (const unsigned char *)now.x;
  uint64_t hash = seed ^ 14695981039346656037u; /* FNV-1a */
  for (size_t k = 0; k < now.count * sizeof *now.x; ++k) hash = (hash ^ byte[k]) * 1099511628211u;
  snapshot_free(&now);
  return hash;
}

/* ---- memory ---- */

enum { header = 16 }; /* holds the size, keeps 16-byte alignment */

static void *meter_alloc(size_t size, void *user) {
  meter *m = user;
  ++m->calls;
  if (m->fail_at > 0 && (m->calls == m->fail_at || (m->fail_on && m->calls > m->fail_at))) {
    m->failed = true;
    return NULL;
  }
  unsigned char *memory = malloc(size + header);
  if (!memory) return NULL;
  memcpy(memory, &size, sizeof size);
  memset(memory + header, 0xa5, size); /* the library may not count on zeroes */
  ++m->live;
  m->bytes += size;
  if (m->bytes > m->peak) m->peak = m->bytes;
  return memory + header;
}

static void meter_release(void *memory, void *user) {
  meter *m = user;
  if (!memory) return;
  unsigned char *start = (unsigned char *)memory - header;
  size_t size;
  memcpy(&size, start, sizeof size);
  --m->live;
  m->bytes -= size;
  free(start);
}

nsds_context *meter_context(meter *m) {
  return nsds_context_create(
      &(nsds_context_def){.alloc = meter_alloc, .release = meter_release, .alloc_user = m});
}

/* ---- random numbers ---- */

double random_in(uint64_t *state, double low, double high) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15u); /* splitmix64 */
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return low + (high - low) * (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}
