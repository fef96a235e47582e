/*
 * Bits of motions. Every scene runs a fixed number of steps; one line of output says its name, its
 * steps and the FNV-1a hash (64 bit) of all states, reactions and multipliers of all steps.
 *
 *   kernel_golden                   print the line of every scene; to compare two builds by `diff`
 *   kernel_golden NAME...           of these scenes alone
 *   kernel_golden --check FILE      compare with a stored table; names the scenes that differ
 *   kernel_golden --write FILE      write that table
 *   kernel_golden --resumed FILE    halves of all scenes after a snapshot in that file: of the run
 *                                   that has written it, and of another that has read it
 *
 * The table leaves out scenes whose last bits depend on the machine. A change of the library that
 * means to change results, or their rounding, renews it with --write.
 */
#include "golden.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static uint64_t mix(uint64_t hash, const double *x, int n) {
  for (int k = 0; x && k < n; ++k) {
    unsigned char byte[sizeof *x];
    memcpy(byte, &x[k], sizeof byte);
    for (size_t b = 0; b < sizeof byte; ++b) hash = (hash ^ byte[b]) * UINT64_C(1099511628211);
  }
  return hash;
}

static uint64_t mix_model(uint64_t hash, const nsds_model *model) {
  for (int k = 0; k < nsds_ds_count(model); ++k) {
    const nsds_ds *ds = nsds_ds_at(model, k);
    hash = mix(hash, nsds_q(ds), nsds_nq(ds));
    hash = mix(hash, nsds_v(ds), nsds_nv(ds));
    hash = mix(hash, nsds_p(ds), nsds_nv(ds));
    hash = mix(hash, nsds_reaction(ds), nsds_nv(ds));
    hash = mix(hash, nsds_x(ds), nsds_nx(ds));
    hash = mix(hash, nsds_r(ds), nsds_nx(ds));
  }
  for (int k = 0; k < nsds_interaction_count(model); ++k) {
    const nsds_interaction *interaction = nsds_interaction_at(model, k);
    int m = nsds_interaction_size(interaction);
    double active = nsds_is_active(interaction);
    hash = mix(hash, nsds_y(interaction), m);
    hash = mix(hash, nsds_ydot(interaction), m);
    hash = mix(hash, nsds_impulse(interaction), m);
    hash = mix(hash, &active, 1);
  }
  return hash;
}

typedef enum part { WHOLE, SECOND_HALF, AFTER_SAVING, AFTER_LOADING } part;

/* What comes before the second half: a snapshot in `path` is written, or read after what the program
 * has done so far. */
static nsds_status prepare(const golden *scene, nsds_model *model, nsds_simulation *simulation,
                           part which, const char *path) {
  nsds_status status = NSDS_OK;
  long half = scene->steps / 2;
  for (long k = 0; k < half && status == NSDS_OK; ++k) {
    if (scene->before) status = scene->before(model, simulation, k);
    if (which != AFTER_LOADING && status == NSDS_OK) status = nsds_step(simulation);
  }
  if (status || which == SECOND_HALF) return status;
  return which == AFTER_SAVING ? nsds_snapshot_save(simulation, path)
                               : nsds_snapshot_load(simulation, path);
}

/* The hash of a scene, or of its second half; false, with a message, when a step fails. */
static bool run(const golden *scene, part which, const char *path, uint64_t *hash) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_simulation *simulation = scene->make(model, scene);
  nsds_status status = simulation ? NSDS_OK : nsds_error(nsds_model_context(model));
  *hash = UINT64_C(14695981039346656037);
  long step = which == WHOLE ? 0 : scene->steps / 2;
  if (step > 0 && status == NSDS_OK) status = prepare(scene, model, simulation, which, path);
  for (; step < scene->steps && status == NSDS_OK; ++step) {
    if (scene->before) status = scene->before(model, simulation, step);
    if (status == NSDS_OK) status = nsds_step(simulation);
    if (status == NSDS_OK) *hash = mix_model(*hash, model);
  }
  bool fine = simulation && status == NSDS_OK;
  if (!fine)
    printf("%s: step %ld of %ld: %s: %s\n", scene->name, step, scene->steps,
           nsds_status_text(status), nsds_error_message(nsds_model_context(model)));
  if (scene->done) scene->done();
  nsds_model_destroy(model);
  return fine;
}

/* Scene k of all; NULL past the last. */
static const golden *scene_at(int k) {
  const golden *const group[] = {golden_bundled, golden_second, golden_first};
  const int count[] = {golden_bundled_count, golden_second_count, golden_first_count};
  for (int g = 0; g < 3; k -= count[g++])
    if (k < count[g]) return &group[g][k];
  return NULL;
}

static bool named(const golden *scene, int count, char **names) {
  for (int k = 0; k < count; ++k)
    if (strcmp(names[k], scene->name) == 0) return true;
  return count == 0;
}

/* The lines of all scenes, or of those that are named or stored, to `out`. */
static int print_scenes(FILE *out, bool stored_only, int count, char **names) {
  int failed = 0, printed = 0;
  const golden *scene;
  for (int k = 0; (scene = scene_at(k)) != NULL; ++k) {
    uint64_t hash;
    if ((stored_only && scene->unstored) || !named(scene, count, names)) continue;
    ++printed;
    if (!run(scene, WHOLE, NULL, &hash)) ++failed;
    else fprintf(out, "%-26s %5ld %016" PRIx64 "\n", scene->name, scene->steps, hash);
  }
  if (printed == 0) fprintf(stderr, "there is no such scene\n");
  return failed || printed == 0;
}

typedef struct line {
  char name[64];
  long steps;
  uint64_t hash;
  bool seen;
} line;

static int check(FILE *table) {
  static line stored[128];
  int count = 0, wrong = 0, same = 0;
  while (count < 128 && fscanf(table, "%63s %ld %" SCNx64, stored[count].name, &stored[count].steps,
                               &stored[count].hash) == 3)
    ++count;
  const golden *scene;
  for (int k = 0; (scene = scene_at(k)) != NULL; ++k) {
    if (scene->unstored) continue;
    line *expected = NULL;
    for (int i = 0; i < count && !expected; ++i)
      if (strcmp(stored[i].name, scene->name) == 0) expected = &stored[i];
    uint64_t hash;
    bool fine = run(scene, WHOLE, NULL, &hash);
    wrong += !fine;
    if (expected) expected->seen = true;
    if (!fine) continue; /* told by run() */
    if (expected && expected->steps == scene->steps && expected->hash == hash) {
      ++same;
      continue;
    }
    ++wrong;
    if (!expected) printf("%s: not in the table\n", scene->name);
    else if (expected->steps != scene->steps)
      printf("%s: %ld steps, %ld in the table\n", scene->name, scene->steps, expected->steps);
    else printf("%s: other bits than in the table\n", scene->name);
  }
  for (int i = 0; i < count; ++i)
    if (!stored[i].seen) {
      printf("%s: in the table, but there is no such scene\n", stored[i].name);
      ++wrong;
    }
  printf("%d scenes as stored, %d not\n", same, wrong);
  return wrong || same == 0;
}

/* Whether a run that goes on from a snapshot has the bits of the one that has written it. */
static int compare_resumed(const char *path) {
  const golden *scene;
  int wrong = 0, same = 0;
  for (int k = 0; (scene = scene_at(k)) != NULL; ++k) {
    uint64_t one, other, undisturbed;
    bool fine = run(scene, SECOND_HALF, path, &undisturbed) &&
                run(scene, AFTER_SAVING, path, &one) && run(scene, AFTER_LOADING, path, &other);
    if (fine && one != undisturbed) printf("%s: other bits after saving\n", scene->name);
    if (fine && other != undisturbed) printf("%s: other bits after loading\n", scene->name);
    if (fine && one == undisturbed && other == undisturbed) ++same;
    else ++wrong;
  }
  remove(path);
  printf("%d scenes go on with the same bits, %d do not\n", same, wrong);
  return wrong || same == 0;
}

int main(int argc, char **argv) {
  if (argc == 3 && strcmp(argv[1], "--resumed") == 0) return compare_resumed(argv[2]);
  bool writes = argc == 3 && strcmp(argv[1], "--write") == 0;
  bool checks = argc == 3 && strcmp(argv[1], "--check") == 0;
  if (!writes && !checks) {
    if (argc > 1 && argv[1][0] == '-') {
      fprintf(stderr, "usage: %s [NAME... | --check FILE | --write FILE | --resumed FILE]\n",
              argv[0]);
      return 2;
    }
    return print_scenes(stdout, false, argc - 1, argv + 1);
  }
  FILE *file = fopen(argv[2], writes ? "w" : "r");
  if (!file) {
    perror(argv[2]);
    return 2;
  }
  int status = writes ? print_scenes(file, true, 0, NULL) : check(file);
  if (fclose(file) != 0) status = 2;
  return status;
}
