/*
 * Any bytes as a model file, or with NSDS_FUZZ_ROBOT as a robot in XML, which is run for a few steps where it is read. Entry point of libFuzzer (script/fuzz),
 * and of model_mutation.c. Plugins are refused. An expansion of a good file has to be good, and a file that is
 * refused has a message with its place.
 */
#include <nsds/nsds.h>
#include <nsds/run.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* An allocator with a bound, so that large models end as out of memory. */
enum { most_bytes = 1 << 28, head = 16 };

static void *bounded_alloc(size_t size, void *user) {
  size_t *used = user;
  if (size > most_bytes || *used + size > most_bytes) return NULL;
  char *memory = malloc(size + head);
  if (!memory) return NULL;
  memcpy(memory, &size, sizeof size);
  *used += size;
  return memory + head;
}

static void bounded_release(void *memory, void *user) {
  size_t size, *used = user;
  if (!memory) return;
  memcpy(&size, (char *)memory - head, sizeof size);
  *used -= size;
  free((char *)memory - head);
}

typedef struct expansion {
  size_t size, room;
  char *text;
} expansion;

static void collect(const char *piece, void *user) {
  expansion *e = user;
  size_t length = strlen(piece);
  if (e->size + length + 1 > e->room) {
    e->room = 2 * (e->size + length + 1);
    e->text = realloc(e->text, e->room);
    if (!e->text) abort();
  }
  memcpy(e->text + e->size, piece, length + 1);
  e->size += length;
}

#ifdef NSDS_FUZZ_ROBOT
static const nsds_job_kind kind = NSDS_JOB_ROBOT;
#else
static const nsds_job_kind kind = NSDS_JOB_MODEL_FILE;
#endif

static nsds_job *read(nsds_context *context, const char *text, nsds_job_kind as) {
  return nsds_job_create(context, &(nsds_job_def){.file = "fuzz.yaml",
                                                  .text = text,
                                                  .kind = as,
                                                  .refuse_plugins = true,
                                                  .untrusted = as == NSDS_JOB_ROBOT});
}

static void judge_expansion(nsds_context *context, const nsds_job *job) {
  expansion e = {0};
  if (nsds_job_expand(job, collect, &e)) abort();
  nsds_job *again = read(context, e.text, NSDS_JOB_MODEL_FILE);
  nsds_status status = nsds_error(context);
  if (!again && status != NSDS_ERROR_MEMORY) {
    fprintf(stderr, "the expansion is refused: %s\n%s", nsds_error_message(context), e.text);
    abort();
  }
  nsds_job_destroy(again);
  nsds_error_clear(context);
  free(e.text);
}

static void judge_message(nsds_context *context) {
  int line, column;
  const char *message = nsds_error_message(context);
  nsds_status status = nsds_error(context);
  bool placed =
      sscanf(message, "fuzz.yaml:%d:%d: ", &line, &column) == 2 && line >= 1 && column >= 1;
  if (status == NSDS_ERROR_MEMORY || placed) return;
  fprintf(stderr, "no place in: %s\n", message);
  abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  size_t used = 0;
  if (memchr(data, '\0', size)) return 0;
  char *text = malloc(size + 1);
  memcpy(text, data, size);
  text[size] = '\0';
  nsds_context *context = nsds_context_create(
      &(nsds_context_def){.alloc = bounded_alloc, .release = bounded_release, .alloc_user = &used});
  nsds_job *job = read(context, text, kind);
  if (!job) judge_message(context);
  else judge_expansion(context, job);
  /* an event may be a long way off, and many bodies in one place take long */
  bool short_steps = job && !nsds_simulation_event(nsds_job_simulation(job)) &&
                     nsds_ds_count(nsds_job_model(job)) < 20;
  for (int k = 0; short_steps && k < 2; ++k) /* not all those of a row */
    if (nsds_step(nsds_job_simulation(job))) break;
  nsds_job_destroy(job);
  nsds_context_destroy(context);
  free(text);
  return 0;
}
