/*
 * Writing a file fails at every byte: a limit on the size of files stands for a full disk. The call
 * fails and names the file; the old file stays as it was, and nothing lies beside it.
 *
 *   reliability_files [--all]
 */
#include "../io/texts.h"
#include "support.h"

#include <nsds/io.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

typedef struct bytes {
  char *data;
  size_t size;
} bytes;

static bytes read_bytes(const char *path) {
  bytes b = {NULL, 0};
  FILE *file = fopen(path, "rb");
  if (!file) return b;
  fseek(file, 0, SEEK_END);
  b.size = (size_t)ftell(file);
  rewind(file);
  b.data = malloc(b.size + 1);
  if (!b.data || fread(b.data, 1, b.size, file) != b.size) b.size = 0;
  fclose(file);
  return b;
}

static bool same_bytes(bytes a, bytes b) {
  return a.data && b.data && a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

static bool put_text(const char *path, const char *text) {
  FILE *file = fopen(path, "wb");
  bool fine = file && fputs(text, file) >= 0;
  return file && fclose(file) == 0 && fine;
}

/* ---- what is written: a problem, a global one, a run ---- */

typedef struct subject {
  nsds_context *context;
  nsds_problem_file *file;
  nsds_model *model;
  nsds_simulation *simulation;
} subject;

static nsds_status write_subject(const subject *s, const char *path) {
  if (s->simulation) return nsds_snapshot_save(s->simulation, path);
  const nsds_problem *problem = nsds_problem_file_problem(s->file);
  if (problem) return nsds_problem_write(s->context, problem, NULL, path, NSDS_FORMAT_AUTO);
  return nsds_global_write(s->context, nsds_problem_file_global(s->file), NULL, path,
                           NSDS_FORMAT_AUTO);
}

static subject of_text(const char *text) {
  subject s = {.context = nsds_context_create(NULL)};
  put_text("files_source.dat", text);
  s.file = nsds_problem_read(s.context, "files_source.dat", NSDS_FORMAT_AUTO);
  remove("files_source.dat");
  return s;
}

static subject of_run(void) {
  subject s = {.model = nsds_model_create(NULL)};
  s.context = nsds_model_context(s.model);
  nsds_ds *ds[8];
  const double mass = 1.0, weight = -9.81;
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      s.model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = &mass});
  nsds_law *law = nsds_newton_impact(s.model, 0.5);
  for (int k = 0; k < 8; ++k) {
    const double q0 = 0.01 * k;
    ds[k] = nsds_lagrangian_linear(
        s.model,
        &(nsds_lagrangian_linear_def){.ndof = 1, .q0 = &q0, .mass = &mass, .fext = &weight});
    nsds_connect(s.model, gap, law, 1, &ds[k]);
  }
  s.simulation = nsds_time_stepping(s.model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 5e-3});
  for (int k = 0; k < 12; ++k) nsds_step(s.simulation);
  return s;
}

static void drop_subject(subject *s) {
  nsds_problem_file_destroy(s->file);
  if (s->model) nsds_model_destroy(s->model);
  else nsds_context_destroy(s->context);
}

/* ---- the campaign ---- */

static struct {
  long points, lost, unsaid, left;
  int writers;
} sum;

/* Writes with files no longer than `most` bytes. */
static nsds_status write_within(const subject *s, const char *path, rlim_t most) {
  struct rlimit limit;
  getrlimit(RLIMIT_FSIZE, &limit);
  rlim_t before = limit.rlim_cur;
  limit.rlim_cur = most;
  setrlimit(RLIMIT_FSIZE, &limit);
  nsds_status status = write_subject(s, path);
  limit.rlim_cur = before;
  setrlimit(RLIMIT_FSIZE, &limit);
  return status;
}

static void fail_at_byte(const subject *s, const char *path, bytes old, size_t most) {
  char part[128];
  snprintf(part, sizeof part, "%s.new", path);
  nsds_status status = write_within(s, path, (rlim_t)most);
  ++sum.points;
  bool said = status == NSDS_ERROR_IO && strstr(nsds_error_message(s->context), path) != NULL;
  if (!said) {
    ++sum.unsaid;
    printf("%s, at byte %zu: status %d, \"%s\"\n", path, most, status,
           nsds_error_message(s->context));
  }
  nsds_error_clear(s->context);
  bytes now = read_bytes(path);
  if (!same_bytes(now, old)) {
    ++sum.lost;
    printf("%s, at byte %zu: the old file is not as it was\n", path, most);
  }
  free(now.data);
  if (access(part, F_OK) == 0) {
    ++sum.left;
    printf("%s, at byte %zu: %s is left\n", path, most, part);
    remove(part);
  }
}

static void fail_everywhere(subject s, const char *path, size_t points) {
  put_text(path, "what was there before\n");
  bytes old = read_bytes(path);
  nsds_status status = write_subject(&s, path);
  bytes whole = read_bytes(path);
  if (status || whole.size == 0) {
    ++sum.unsaid;
    printf("%s: cannot be written at all: %s\n", path, nsds_error_message(s.context));
  }
  put_text(path, "what was there before\n");
  size_t stride = points > 0 && whole.size > points ? whole.size / points : 1;
  for (size_t most = 0; most < whole.size; most += stride) fail_at_byte(&s, path, old, most);
  status = write_subject(&s, path); /* there is room again */
  bytes again = read_bytes(path);
  if (status || !same_bytes(again, whole)) {
    ++sum.lost;
    printf("%s: cannot be written once there is room\n", path);
  }
  ++sum.writers;
  remove(path);
  free(old.data);
  free(whole.data);
  free(again.data);
  drop_subject(&s);
}

int main(int argc, char **argv) {
  bool all = argc == 2 && strcmp(argv[1], "--all") == 0;
  if (argc > 1 && !all) {
    fprintf(stderr, "usage: %s [--all]\n", argv[0]);
    return 2;
  }
  size_t points = all ? 0 : 20;
  signal(SIGXFSZ, SIG_IGN);
  for (size_t k = 0; k < sizeof good_texts / sizeof *good_texts; ++k)
    fail_everywhere(of_text(good_texts[k]), "files_written.dat", points);
#if NSDS_HAVE_HDF5
  for (size_t k = 0; k < sizeof good_texts / sizeof *good_texts; ++k) {
    subject s = of_text(good_texts[k]);
    const char *kind = nsds_problem_file_kind(s.file);
    if (kind[0] == 'f' || kind[0] == 'g') fail_everywhere(s, "files_written.hdf5", points);
    else drop_subject(&s);
  }
#endif
  fail_everywhere(of_run(), "files_written.nsds", points);
  printf("files: %ld bytes in %d files, %ld old files lost, %ld messages wrong, %ld parts left\n",
         sum.points, sum.writers, sum.lost, sum.unsaid, sum.left);
  return sum.lost || sum.unsaid || sum.left || sum.points == 0;
}
