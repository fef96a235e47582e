/*
 * Snapshots in memory, several at once, which outlive their model; runs that save themselves; and
 * where files may go: in the place of a regular file or none, whole or not at all.
 */
#define _XOPEN_SOURCE 700
#include "runs.h"
#include "support.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const char file[] = "kept.nsds", part[] = "kept.nsds.new";

typedef struct kept_run {
  nsds_model *model;
  nsds_simulation *simulation;
} kept_run;

static kept_run start(const char *name, nsds_context *context) {
  const run_scene *scene;
  kept_run r = {.model = nsds_model_create(context)};
  for (int k = 0; (scene = run_scene_at(k)) != NULL; ++k)
    if (strcmp(scene->name, name) == 0) r.simulation = scene->make(r.model);
  assert_sound(r.model);
  assert_non_null(r.simulation);
  return r;
}

static uint64_t advance(const kept_run *r, int n) {
  uint64_t hash = 0;
  for (int k = 0; k < n; ++k) {
    assert_ok(r->model, nsds_step(r->simulation));
    hash = state_hash(r->model, hash);
  }
  return hash;
}

/* ---- memory ---- */

/* Three of one run, restored in another order, also into a run made anew from the bytes alone. */
static void several_at_once(void **state) {
  (void)state;
  enum { count = 3, steps = 9 };
  const char *const names[] = {"spheres, events", "boxes, steps", "controlled ball, events"};
  for (size_t s = 0; s < sizeof names / sizeof *names; ++s) {
    kept_run r = start(names[s], NULL), other = start(names[s], NULL);
    nsds_snapshot *taken[count];
    uint64_t bits[count];
    for (int k = 0; k < count; ++k) {
      advance(&r, 7);
      taken[k] = nsds_snapshot_take(r.simulation);
      assert_non_null(taken[k]);
      bits[k] = advance(&r, steps);
    }
    for (int k = count - 1; k >= 0; --k) {
      assert_ok(r.model, nsds_snapshot_restore(r.simulation, taken[k]));
      assert_true(advance(&r, steps) == bits[k]);
    }
    nsds_model_destroy(r.model); /* they stay */
    for (int k = 0; k < count; ++k) {
      size_t size;
      const void *bytes = nsds_snapshot_bytes(taken[k], &size);
      nsds_snapshot *copy = nsds_snapshot_from_bytes(nsds_model_context(other.model), bytes, size);
      assert_non_null(copy);
      nsds_snapshot_destroy(taken[k]);
      assert_ok(other.model, nsds_snapshot_restore(other.simulation, copy));
      assert_true(advance(&other, steps) == bits[k]);
      nsds_snapshot_destroy(copy);
    }
    nsds_model_destroy(other.model);
  }
}

static void bytes_are_those_of_a_file(void **state) {
  (void)state;
  kept_run r = start("relay, steps", NULL);
  advance(&r, 5);
  nsds_snapshot *taken = nsds_snapshot_take(r.simulation);
  size_t size, length;
  const unsigned char *bytes = nsds_snapshot_bytes(taken, &size);
  assert_ok(r.model, nsds_snapshot_save(r.simulation, file));
  FILE *f = fopen(file, "rb");
  assert_non_null(f);
  unsigned char *read = malloc(size + 1);
  assert_non_null(read);
  length = fread(read, 1, size + 1, f);
  fclose(f);
  assert_int_equal(length, size);
  assert_memory_equal(read, bytes, size);
  nsds_context *context = nsds_model_context(r.model);
  for (size_t k = 0; k < size; k += 5) { /* damaged, or not all there */
    read[k] ^= 0x20;
    assert_null(nsds_snapshot_from_bytes(context, read, size));
    assert_int_equal(nsds_error(context), NSDS_ERROR_FORMAT);
    nsds_error_clear(context);
    read[k] ^= 0x20;
    assert_null(nsds_snapshot_from_bytes(context, read, k));
    nsds_error_clear(context);
  }
  assert_null(nsds_snapshot_bytes(NULL, &length));
  assert_int_equal(length, 0);
  nsds_snapshot_destroy(NULL);
  assert_int_equal(nsds_snapshot_restore(r.simulation, NULL), NSDS_ERROR_ARGUMENT);
  free(read);
  nsds_snapshot_destroy(taken);
  nsds_model_destroy(r.model);
  remove(file);
}

/* ---- by itself ---- */

static bool is_there(const char *path) { return access(path, F_OK) == 0; }

static void every_so_many_steps_or_seconds(void **state) {
  (void)state;
  const nsds_snapshot_every_def def[] = {{.path = file, .steps = 4},
                                         {.path = file, .seconds = 0.1},
                                         {.path = file, .steps = 7, .seconds = 0.2}};
  const char *const names[] = {"boxes, steps", "swing, steps", "block and ball, events"};
  for (int s = 0; s < 3; ++s)
    for (int d = 0; d < 3; ++d) {
      kept_run quiet = start(names[s], NULL), r = start(names[s], NULL);
      assert_ok(r.model, nsds_snapshot_every(r.simulation, &def[d]));
      int saved = 0;
      for (int k = 1; k <= 50; ++k) {
        double before = nsds_time(r.simulation);
        remove(file);
        assert_true(advance(&r, 1) == advance(&quiet, 1)); /* leaves no trace */
        double now = nsds_time(r.simulation), each = def[d].seconds;
        bool due = def[d].steps > 0 && k % def[d].steps == 0;
        due = due || (each > 0.0 && floor(now / each + 1e-9) > floor(before / each + 1e-9));
        assert_int_equal(is_there(file), due);
        assert_int_equal(nsds_simulation_info(r.simulation)->snapshot, NSDS_OK);
        saved += due;
        if (!due) continue;
        kept_run again = start(names[s], NULL);
        assert_ok(again.model, nsds_snapshot_load(again.simulation, file));
        assert_true(nsds_time(again.simulation) == now);
        nsds_model_destroy(again.model);
      }
      assert_true(saved > 0);
      remove(file);
      assert_ok(r.model, nsds_snapshot_every(r.simulation, NULL));
      advance(&r, 8);
      assert_false(is_there(file));
      nsds_model_destroy(r.model);
      nsds_model_destroy(quiet.model);
    }
}

static int warnings;

static void listen(nsds_log_level level, const char *message, void *user) {
  (void)user;
  if (level == NSDS_LOG_WARNING && strstr(message, "no/such/folder")) ++warnings;
}

/* The step stays, and with it the context without an error. */
static void what_cannot_be_written_is_told(void **state) {
  (void)state;
  nsds_context *context =
      nsds_context_create(&(nsds_context_def){.log = listen, .log_level = NSDS_LOG_WARNING});
  kept_run r = start("boxes, steps", context);
  assert_ok(r.model, nsds_snapshot_every(r.simulation, &(nsds_snapshot_every_def){
                                                           .path = "no/such/folder", .steps = 2}));
  for (int k = 1; k <= 4; ++k) {
    assert_ok(r.model, nsds_step(r.simulation));
    assert_int_equal(nsds_simulation_info(r.simulation)->snapshot, k % 2 ? NSDS_OK : NSDS_ERROR_IO);
    assert_int_equal(nsds_error(context), NSDS_OK);
  }
  assert_int_equal(nsds_step_count(r.simulation), 4);
  assert_true(warnings > 0);
  nsds_model_destroy(r.model);
  nsds_context_destroy(context);
}

static void settings_that_are_none(void **state) {
  (void)state;
  kept_run r = start("boxes, steps", NULL);
  nsds_context *context = nsds_model_context(r.model);
  const nsds_snapshot_every_def wrong[] = {{.path = file},
                                           {.path = file, .steps = -1},
                                           {.path = file, .seconds = -1.0},
                                           {.path = file, .seconds = NAN},
                                           {.path = file, .seconds = INFINITY, .steps = 1}};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    assert_int_equal(nsds_snapshot_every(r.simulation, &wrong[k]), NSDS_ERROR_VALUE);
    nsds_error_clear(context);
  }
  assert_int_equal(nsds_snapshot_every(r.simulation, &(nsds_snapshot_every_def){.steps = 1}),
                   NSDS_ERROR_ARGUMENT);
  nsds_error_clear(context);
  advance(&r, 3);
  assert_false(is_there(file));
  nsds_model_destroy(r.model);
}

/* ---- where files may go ---- */

typedef nsds_status (*writes)(const kept_run *r, const char *path);

static nsds_status write_snapshot(const kept_run *r, const char *path) {
  return nsds_snapshot_save(r->simulation, path);
}

static const double M[4] = {2.0, 1.0, 1.0, 3.0}, b[2] = {-1.0, 1.0};
static const nsds_block rows = {.set = NSDS_SET_NONNEGATIVE, .size = 2};
static const nsds_problem problem = {
    .n = 2, .M = {.storage = NSDS_DENSE, .n = 2, .x = M}, .q = b, .nblock = 1, .block = &rows};

static nsds_status write_problem(const kept_run *r, const char *path) {
  return nsds_problem_write(nsds_model_context(r->model), &problem, NULL, path, NSDS_FORMAT_LCP);
}

static const writes writers[] = {write_snapshot, write_problem};
enum { writer_count = sizeof writers / sizeof *writers };

static mode_t kind_of(const char *path) {
  struct stat found;
  return lstat(path, &found) == 0 ? found.st_mode & S_IFMT : 0;
}

static void refused(const kept_run *r, writes write, const char *path, const char *word) {
  nsds_context *context = nsds_model_context(r->model);
  mode_t before = kind_of(path);
  assert_int_equal(write(r, path), NSDS_ERROR_IO);
  const char *const words[] = {path, word};
  assert_words(nsds_error_message(context), words, 2);
  nsds_error_clear(context);
  assert_int_equal(kind_of(path), before);
  char beside[64];
  snprintf(beside, sizeof beside, "%s.new", path);
  assert_int_equal(kind_of(beside), 0);
}

/* What a run that was ended on the way has left. */
static void clear_places(void) {
  unlink("kept.pipe");
  unlink("kept.link");
  rmdir("kept.folder");
}

static void devices_pipes_and_folders_stay(void **state) {
  (void)state;
  clear_places();
  kept_run r = start("relay, steps", NULL);
  for (int w = 0; w < writer_count; ++w) {
    assert_int_equal(mkfifo("kept.pipe", 0600), 0);
    refused(&r, writers[w], "kept.pipe", "a pipe");
    assert_int_equal(unlink("kept.pipe"), 0);
    assert_int_equal(mkdir("kept.folder", 0700), 0);
    refused(&r, writers[w], "kept.folder", "a folder");
    assert_int_equal(rmdir("kept.folder"), 0);
    refused(&r, writers[w], "/dev/null", "a device");
    if (kind_of("/dev/full")) refused(&r, writers[w], "/dev/full", "a device");
    assert_int_equal(symlink("/dev/null", "kept.link"), 0);
    refused(&r, writers[w], "kept.link", "a device");
    assert_int_equal(unlink("kept.link"), 0);
  }
  nsds_model_destroy(r.model);
}

/* The file that a link leads to is replaced, with the permissions that it has; the link stays. */
static void links_are_followed(void **state) {
  (void)state;
  clear_places();
  kept_run r = start("relay, steps", NULL);
  assert_ok(r.model, nsds_snapshot_save(r.simulation, file));
  assert_int_equal(chmod(file, 0640), 0);
  assert_int_equal(symlink(file, "kept.link"), 0);
  advance(&r, 3);
  assert_ok(r.model, nsds_snapshot_save(r.simulation, "kept.link"));
  assert_int_equal(kind_of("kept.link"), S_IFLNK);
  struct stat found;
  assert_int_equal(stat(file, &found), 0);
  assert_int_equal(found.st_mode & 0777, 0640);
  kept_run other = start("relay, steps", NULL);
  assert_ok(other.model, nsds_snapshot_load(other.simulation, file));
  assert_int_equal(nsds_step_count(other.simulation), 3);
  assert_int_equal(unlink(file), 0);
  refused(&r, write_snapshot, "kept.link", "leads nowhere");
  assert_int_equal(unlink("kept.link"), 0);
  nsds_model_destroy(r.model);
  nsds_model_destroy(other.model);
}

static size_t size_of(const char *path) {
  struct stat found;
  return stat(path, &found) == 0 ? (size_t)found.st_size : 0;
}

/* At each byte: the old file stays, nothing is left beside it, and the next attempt goes well. */
static void a_full_disk_leaves_the_old_file(void **state) {
  (void)state;
  struct rlimit limit;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
  signal(SIGXFSZ, SIG_IGN);
  for (int w = 0; w < writer_count; ++w) {
    kept_run r = start("relay, steps", NULL);
    nsds_context *context = nsds_model_context(r.model);
    assert_ok(r.model, writers[w](&r, file));
    size_t size = size_of(file);
    advance(&r, 2);
    for (size_t most = 0; most < size; ++most) {
      struct rlimit less = {.rlim_cur = most, .rlim_max = limit.rlim_max};
      assert_int_equal(setrlimit(RLIMIT_FSIZE, &less), 0);
      nsds_status status = writers[w](&r, file);
      assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
      assert_int_equal(status, NSDS_ERROR_IO);
      nsds_error_clear(context);
      assert_int_equal(size_of(file), size);
      assert_false(is_there(part));
    }
    if (w == 0) {
      kept_run other = start("relay, steps", NULL);
      assert_ok(other.model, nsds_snapshot_load(other.simulation, file));
      assert_int_equal(nsds_step_count(other.simulation), 0); /* the old one */
      nsds_model_destroy(other.model);
    }
    assert_ok(r.model, writers[w](&r, file));
    nsds_model_destroy(r.model);
    remove(file);
  }
  signal(SIGXFSZ, SIG_DFL);
}

/* A process that was killed has left a part: it goes; what is no file of ours stays. */
static void parts_of_others(void **state) {
  (void)state;
  kept_run r = start("relay, steps", NULL);
  FILE *f = fopen(part, "wb");
  assert_non_null(f);
  fputs("half a snap", f);
  fclose(f);
  assert_ok(r.model, nsds_snapshot_save(r.simulation, file));
  assert_false(is_there(part));
  assert_int_equal(mkfifo(part, 0600), 0);
  assert_int_equal(nsds_snapshot_save(r.simulation, file), NSDS_ERROR_IO);
  nsds_error_clear(nsds_model_context(r.model));
  assert_int_equal(kind_of(part), S_IFIFO);
  assert_int_equal(unlink(part), 0);
  nsds_model_destroy(r.model);
  remove(file);
}

/* ---- what was accepted once ---- */

/* A box before a half space, put where squares overflow: the step is refused, the state stays. */
static void bodies_beyond_all_places(void **state) {
  (void)state;
  const char *const names[] = {"boxes, steps", "boxes, events", "spheres, steps",
                               "spheres, events"};
  for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
    kept_run r = start(names[k], NULL);
    nsds_context *context = nsds_model_context(r.model);
    nsds_ds *ds = nsds_ds_at(r.model, 0);
    advance(&r, 3);
    for (int i = 0; i < 3; ++i) {
      double q[7];
      memcpy(q, nsds_q(ds), sizeof q);
      q[i] = i == 1 ? -1e308 : 1e308;
      assert_ok(r.model, nsds_set_state(ds, q, NULL));
      snapshot before = snapshot_take(r.model);
      nsds_status status = nsds_step(r.simulation);
      assert_int_equal(status, NSDS_ERROR_VALUE);
      const char *const words[] = {"1e+308", "within 1e+100"};
      assert_words(nsds_error_message(context), words, 2);
      nsds_error_clear(context);
      snapshot_check(&before, r.model, "beyond all places");
      snapshot_free(&before);
      q[i] = 0.3;
      assert_ok(r.model, nsds_set_state(ds, q, NULL));
    }
    nsds_model_destroy(r.model);
  }
}

/* ---- events ---- */

static int noted;

static int note(nsds_simulation *simulation, void *user) {
  (void)simulation, (void)user;
  ++noted;
  return 0;
}

/* Events before a saved state may return with it. A snapshot that is read ends the saved state; then
 * an event that was called is gone. */
static void events_that_were_called_are_freed_behind_a_snapshot(void **state) {
  (void)state;
  enum { events = 40 };
  meter m = {0};
  nsds_context *context = meter_context(&m);
  kept_run r = start("relay, steps", context);
  noted = 0;
  for (int k = 0; k < events; ++k) {
    double time = nsds_time(r.simulation) + 1e-3 * (k + 1);
    assert_ok(r.model,
              nsds_simulation_at(r.simulation, &(nsds_event_def){.time = time, .call = note}));
  }
  assert_ok(r.model, nsds_simulation_save(r.simulation));
  assert_ok(r.model, nsds_snapshot_save(r.simulation, file));
  assert_ok(r.model, nsds_snapshot_load(r.simulation, file));
  assert_ok(r.model, nsds_step(r.simulation));
  long before = m.live + noted;
  while (noted < events) assert_ok(r.model, nsds_step(r.simulation));
  assert_true(m.live <= before - events);
  remove(file);
  nsds_model_destroy(r.model);
  nsds_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(several_at_once),
      cmocka_unit_test(bytes_are_those_of_a_file),
      cmocka_unit_test(every_so_many_steps_or_seconds),
      cmocka_unit_test(what_cannot_be_written_is_told),
      cmocka_unit_test(settings_that_are_none),
      cmocka_unit_test(devices_pipes_and_folders_stay),
      cmocka_unit_test(links_are_followed),
      cmocka_unit_test(a_full_disk_leaves_the_old_file),
      cmocka_unit_test(parts_of_others),
      cmocka_unit_test(bodies_beyond_all_places),
      cmocka_unit_test(events_that_were_called_are_freed_behind_a_snapshot)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
