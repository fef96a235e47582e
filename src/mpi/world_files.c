/*
 * Snapshots of a world. Each process writes its bodies and contacts into a file of its own, PATH.STEPS.RANK:
 *
 *     magic, version, steps, bodies, contacts, numbers of the scenery
 *     scenery: q and v of its bodies
 *     each body: id, kind, size, q, v;  each contact: a, b, key, impulse
 *     sum_of_words (FNV-1a)
 *
 * all as 64 bits, lowest byte first. Then rank 0 writes the manifest PATH, a text, and puts it in the place
 * of the old one. So PATH names complete files at any time; files of the manifest before are removed
 * last.
 */
#define _POSIX_C_SOURCE 200809L /* fsync() */
#include "mpi/world.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <nsds/extend.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { longest_path = 3800, path_size = 4096, head_words = 6, body_words = 16, touch_words = 6 };
enum { state_words = 13, version = 1 };
static const uint64_t magic = UINT64_C(0x6C726F577364736E); /* "nsdsWorl" */

/* The contents of a manifest. */
typedef struct manifest {
  int ranks;
  long steps;
  double t0, h, reach, skin;
} manifest;

/* ---- words ---- */

static uint64_t word_of(double x) {
  uint64_t word;
  memcpy(&word, &x, sizeof word);
  return word;
}

static double number_of(uint64_t word) {
  double x;
  memcpy(&x, &word, sizeof x);
  return x;
}

static uint64_t sum_of_words(const uint64_t *word, size_t count) {
  uint64_t sum = UINT64_C(0xCBF29CE484222325);
  for (size_t k = 0; k < count; ++k)
    for (int byte = 0; byte < 8; ++byte)
      sum = (sum ^ (word[k] >> 8 * byte & 0xFF)) * UINT64_C(0x100000001B3);
  return sum;
}

static nsds_status file_fails(nsds_mpi *mpi, const char *call, const char *path, const char *what) {
  int reason = errno;
  return nsds_report(mpi->context, NSDS_ERROR_IO, "%s: %s: %s: %s", call, path, what,
                     strerror(reason));
}

static void name_part(char *name, const char *path, long steps, int rank) {
  snprintf(name, path_size, "%.*s.%ld.%d", longest_path, path, steps, rank);
}

static nsds_status check_path(nsds_mpi_world *w, const char *path, const char *call) {
  size_t length = path ? strlen(path) : 0;
  if (length > 0 && length <= longest_path) return NSDS_OK;
  return nsds_report(w->mpi->context, NSDS_ERROR_ARGUMENT,
                     "%s: path has %zu characters; give 1 to %d", call, length, longest_path);
}

/* ---- writing ---- */

static size_t words_of_world(const nsds_mpi_world *w) {
  return head_words + state_words * (size_t)w->here->nscenery + body_words * (size_t)w->here->nown +
         touch_words * (size_t)w->ntouch + 1;
}

static void fill_words(const nsds_mpi_world *w, uint64_t *word, size_t count) {
  const nsds_here *here = w->here;
  uint64_t *to = word;
  const uint64_t head[head_words] = {magic,
                                     version,
                                     (uint64_t)w->info.steps,
                                     (uint64_t)here->nown,
                                     (uint64_t)w->ntouch,
                                     (uint64_t)here->nscenery};
  for (int k = 0; k < head_words; ++k) *to++ = head[k];
  for (int k = 0; k < here->nscenery; ++k) {
    for (int i = 0; i < 7; ++i) *to++ = word_of(nsds_q(here->ds[k])[i]);
    for (int i = 0; i < 6; ++i) *to++ = word_of(nsds_v(here->ds[k])[i]);
  }
  for (int k = 0; k < here->nown; ++k) {
    const nsds_member *m = &here->member[here->own[k]];
    const nsds_ds *ds = here->ds[here->nscenery + here->own[k]];
    *to++ = (uint64_t)m->body.id;
    *to++ = (uint64_t)m->body.kind;
    *to++ = word_of(m->body.size);
    for (int i = 0; i < 7; ++i) *to++ = word_of(nsds_q(ds)[i]);
    for (int i = 0; i < 6; ++i) *to++ = word_of(nsds_v(ds)[i]);
  }
  for (int k = 0; k < w->ntouch; ++k) {
    *to++ = (uint64_t)w->touch[k].a;
    *to++ = (uint64_t)w->touch[k].b;
    *to++ = w->touch[k].key;
    for (int i = 0; i < nsds_world_rows; ++i) *to++ = word_of(w->touch[k].z[i]);
  }
  *to = sum_of_words(word, count - 1);
}

/* Writes bytes into a file and to the disk. */
static nsds_status write_to_disk(nsds_mpi *mpi, const char *path, const void *bytes, size_t size) {
  static const char call[] = "nsds_mpi_world_save";
  FILE *file = fopen(path, "wb");
  if (!file) return file_fails(mpi, call, path, "cannot be opened");
  bool fine = fwrite(bytes, 1, size, file) == size && fflush(file) == 0 && fsync(fileno(file)) == 0;
  int reason = errno;
  if (fclose(file) != 0 && fine) fine = false, reason = errno;
  errno = reason;
  return fine ? NSDS_OK : file_fails(mpi, call, path, "cannot be written");
}

static nsds_status write_world_part(nsds_mpi_world *w, const char *path) {
  char name[path_size];
  size_t count = words_of_world(w);
  uint64_t *word = nsds_alloc(w->mpi->context, "a snapshot", count, sizeof *word);
  if (!word) return NSDS_ERROR_MEMORY;
  fill_words(w, word, count);
  for (size_t k = 0; k < count; ++k) {
    unsigned char byte[8];
    for (int b = 0; b < 8; ++b) byte[b] = (unsigned char)(word[k] >> 8 * b);
    memcpy(&word[k], byte, sizeof byte);
  }
  name_part(name, path, w->info.steps, w->mpi->rank);
  nsds_status status = write_to_disk(w->mpi, name, word, count * sizeof *word);
  nsds_free(word);
  return status;
}

static nsds_status write_manifest(nsds_mpi_world *w, const char *path) {
  char name[path_size], text[512];
  snprintf(name, sizeof name, "%.*s.new", longest_path, path);
  int size = snprintf(
      text, sizeof text, "nsds world %d\nranks %d\nsteps %ld\nt0 %a\nh %a\nreach %a\nskin %a\n",
      version, w->mpi->size, w->info.steps, w->def.t0, w->def.h, w->reach, w->def.skin);
  nsds_status status = write_to_disk(w->mpi, name, text, (size_t)size);
  if (status) return status;
  if (rename(name, path) == 0) return NSDS_OK;
  return file_fails(w->mpi, "nsds_mpi_world_save", path, "cannot be replaced");
}

/* Reads a manifest. Returns false if it is none. */
static bool read_manifest(const char *path, manifest *m) {
  char text[512];
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  size_t size = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[size] = '\0';
  errno = 0;
  int form = 0, end = 0;
  int found =
      sscanf(text, "nsds world %d\nranks %d\nsteps %ld\nt0 %la\nh %la\nreach %la\nskin %la\n%n",
             &form, &m->ranks, &m->steps, &m->t0, &m->h, &m->reach, &m->skin, &end);
  return found == 7 && form == version && m->ranks > 0 && m->steps >= 0 && isfinite(m->t0) &&
         m->h > 0.0 && m->reach > 0.0 && m->skin > 0.0 && isfinite(m->reach) && isfinite(m->skin);
}

nsds_status nsds_mpi_world_save(nsds_mpi_world *w, const char *path) {
  static const char call[] = "nsds_mpi_world_save";
  if (!w) return nsds_report(NULL, NSDS_ERROR_ARGUMENT, "%s: world is NULL", call);
  nsds_mpi *mpi = w->mpi;
  nsds_status status = nsds_mpi_agree(mpi, check_path(w, path, call));
  if (status) return status;
  manifest before;
  char name[path_size];
  bool old = mpi->rank == 0 && read_manifest(path, &before);
  bool again = old && before.steps == w->info.steps && before.ranks == mpi->size;
  status = nsds_mpi_agree(mpi, write_world_part(w, path));
  if (!status) {
    if (mpi->rank == 0) status = write_manifest(w, path);
    status = nsds_mpi_agree(mpi, status);
  } else {
    name_part(name, path, w->info.steps, mpi->rank);
    remove(name);
  }
  for (int r = 0; !status && old && !again && r < before.ranks; ++r) {
    name_part(name, path, before.steps, r);
    if (before.steps != w->info.steps || r >= mpi->size) remove(name);
  }
  if (!status) {
    w->stale = true;
    w->gathered = false;
  }
  return status;
}

/* ---- reading ---- */

/* The bodies and contacts that a process has read. */
typedef struct reading {
  nsds_mpi_world *w;
  const char *path;
  manifest is;
  nsds_member *own;
  nsds_touch *touch;
  int nown, ntouch;
  size_t own_room, touch_room;
  double *scenery; /* of rank 0 */
} reading;

static nsds_status refuse_part(const reading *t, const char *name, const char *what) {
  return nsds_report(t->w->mpi->context, NSDS_ERROR_FORMAT, "nsds_mpi_world_load: %s: %s", name,
                     what);
}

/* Gives an array room for n items and keeps what is in it. */
static bool widen_list(nsds_context *context, void *array, size_t *room, size_t n, size_t size) {
  void *old, *grown;
  memcpy(&old, array, sizeof old);
  if (old && n <= *room) return true;
  grown = nsds_alloc(context, "bodies of a snapshot", 2 * n + 16, size);
  if (!grown) return false;
  if (old) memcpy(grown, old, *room * size);
  nsds_free(old);
  memcpy(array, &grown, sizeof grown);
  *room = 2 * n + 16;
  return true;
}

static nsds_status take_body(reading *t, const char *name, const uint64_t *word) {
  nsds_mpi_body b = {.id = (long long)word[0], .kind = (int)word[1], .size = number_of(word[2])};
  bool fine = b.id >= 0 && b.id < NSDS_MPI_BODIES && word[1] < (uint64_t)t->w->def.nkind;
  for (int i = 0; i < 7; ++i) b.q[i] = number_of(word[3 + i]);
  for (int i = 0; i < 6; ++i) b.v[i] = number_of(word[10 + i]);
  for (int i = 0; i < 13; ++i) fine = fine && isfinite(number_of(word[3 + i]));
  if (!fine || !(b.size > 0.0 && isfinite(b.size)))
    return refuse_part(t, name, "a body has a wrong number; give the kinds of the saved world");
  if (!widen_list(t->w->mpi->context, &t->own, &t->own_room, (size_t)t->nown + 1, sizeof *t->own))
    return NSDS_ERROR_MEMORY;
  t->own[t->nown++] = (nsds_member){.body = b,
                                    .owner = t->w->mpi->rank,
                                    .around = b.size * nsds_world_around(&t->w->def.kind[b.kind]),
                                    .weight = 1.0};
  return NSDS_OK;
}

static nsds_status take_touch(reading *t, const char *name, const uint64_t *word) {
  nsds_touch touch = {.a = (long long)word[0], .b = (long long)word[1], .key = word[2]};
  bool fine = true;
  for (int i = 0; i < nsds_world_rows; ++i) {
    touch.z[i] = number_of(word[3 + i]);
    fine = fine && isfinite(touch.z[i]);
  }
  if (!fine) return refuse_part(t, name, "an impulse is not finite");
  if (!widen_list(t->w->mpi->context, &t->touch, &t->touch_room, (size_t)t->ntouch + 1,
                  sizeof *t->touch))
    return NSDS_ERROR_MEMORY;
  t->touch[t->ntouch++] = touch;
  return NSDS_OK;
}

/* Takes the contents of a file. */
static nsds_status take_words(reading *t, const char *name, const uint64_t *word, size_t count) {
  bool fine = count > head_words && word[0] == magic && word[1] == version &&
              word[count - 1] == sum_of_words(word, count - 1);
  if (!fine) return refuse_part(t, name, "this is no part of a snapshot of a world, or damaged");
  uint64_t bodies = word[3], touches = word[4], scenery = word[5], limit = count;
  fine =
      bodies < limit && touches < limit && scenery < limit &&
      head_words + state_words * scenery + body_words * bodies + touch_words * touches + 1 == count;
  if (!fine || word[2] != (uint64_t)t->is.steps)
    return refuse_part(t, name, "the part belongs to another manifest");
  if (scenery != (uint64_t)t->w->here->nscenery)
    return refuse_part(t, name, "the saved world has another number of bodies in its scenery");
  const uint64_t *at = word + head_words;
  for (uint64_t k = 0; k < state_words * scenery; ++k) t->scenery[k] = number_of(*at++);
  nsds_status status = NSDS_OK;
  for (uint64_t k = 0; !status && k < bodies; ++k, at += body_words)
    status = take_body(t, name, at);
  for (uint64_t k = 0; !status && k < touches; ++k, at += touch_words)
    status = take_touch(t, name, at);
  return status;
}

static nsds_status read_world_part(reading *t, int rank) {
  char name[path_size];
  nsds_mpi *mpi = t->w->mpi;
  name_part(name, t->path, t->is.steps, rank);
  FILE *file = fopen(name, "rb");
  if (!file) return file_fails(mpi, "nsds_mpi_world_load", name, "cannot be opened");
  long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  size_t count = size > 0 ? (size_t)size / 8 : 0;
  uint64_t *word = nsds_alloc(mpi->context, "a snapshot", count + 1, sizeof *word);
  nsds_status status = word ? NSDS_OK : NSDS_ERROR_MEMORY;
  rewind(file);
  if (word && fread(word, 8, count, file) != count)
    status = file_fails(mpi, "nsds_mpi_world_load", name, "cannot be read");
  fclose(file);
  for (size_t k = 0; !status && k < count; ++k) {
    unsigned char byte[8];
    memcpy(byte, &word[k], sizeof byte);
    word[k] = 0;
    for (int b = 0; b < 8; ++b) word[k] |= (uint64_t)byte[b] << 8 * b;
  }
  if (!status) status = take_words(t, name, word, count);
  nsds_free(word);
  return status;
}

static nsds_status check_manifest(const reading *t, bool there) {
  nsds_context *context = t->w->mpi->context;
  static const char call[] = "nsds_mpi_world_load";
  const nsds_mpi_world_def *def = &t->w->def;
  if (!there)
    return nsds_report(
        context, NSDS_ERROR_FORMAT,
        "%s: %s: no manifest of a world there; give the path of nsds_mpi_world_save()", call,
        t->path);
  if (t->is.t0 == def->t0 && t->is.h == def->h) return NSDS_OK;
  return nsds_report(
      context, NSDS_ERROR_ARGUMENT,
      "%s: %s: the saved world has t0 = %g and h = %g, this one %g and %g; give the same", call,
      t->path, t->is.t0, t->is.h, def->t0, def->h);
}

static int compare_members_by_id(const void *a, const void *b) {
  long long x = ((const nsds_member *)a)->body.id, y = ((const nsds_member *)b)->body.id;
  return (x > y) - (x < y);
}

/* Drops contacts without their first body, which no world writes. */
static void drop_lost_touches(reading *t) {
  int kept = 0;
  for (int k = 0, b = 0; k < t->ntouch; ++k) {
    while (b < t->nown && t->own[b].body.id < t->touch[k].a) ++b;
    if (b < t->nown && t->own[b].body.id == t->touch[k].a) t->touch[kept++] = t->touch[k];
  }
  t->ntouch = kept;
}

/* Goes on from what was read. */
static nsds_status take_reading(reading *t) {
  nsds_mpi_world *w = t->w;
  nsds_touch *touch = w->touch;
  int ntouch = w->ntouch;
  double reach = w->reach, skin = w->def.skin, time = w->t;
  if (t->nown > 0) qsort(t->own, (size_t)t->nown, sizeof *t->own, compare_members_by_id);
  if (t->ntouch > 0) qsort(t->touch, (size_t)t->ntouch, sizeof *t->touch, nsds_compare_touches);
  drop_lost_touches(t);
  w->touch = t->touch, w->ntouch = t->ntouch;
  w->reach = t->is.reach, w->def.skin = t->is.skin;
  w->t = t->is.t0 + t->is.h * (double)t->is.steps;
  nsds_status status = nsds_world_renew(w, t->own, t->nown);
  if (status) {
    w->touch = touch, w->ntouch = ntouch;
    w->reach = reach, w->def.skin = skin, w->t = time;
    return status;
  }
  t->touch = touch; /* renewing has freed the other list */
  w->info.steps = t->is.steps;
  w->gathered = false;
  for (int k = 0; !status && k < w->here->nscenery; ++k)
    status = nsds_set_state(w->here->ds[k], t->scenery + state_words * k,
                            t->scenery + state_words * k + 7);
  return nsds_mpi_agree(w->mpi, status);
}

nsds_status nsds_mpi_world_load(nsds_mpi_world *w, const char *path) {
  static const char call[] = "nsds_mpi_world_load";
  if (!w) return nsds_report(NULL, NSDS_ERROR_ARGUMENT, "%s: world is NULL", call);
  nsds_mpi *mpi = w->mpi;
  reading t = {.w = w, .path = path};
  nsds_status status = nsds_mpi_agree(mpi, check_path(w, path, call));
  if (status) return status;
  int there = mpi->rank == 0 && read_manifest(path, &t.is);
  MPI_Bcast(&there, 1, MPI_INT, 0, mpi->comm);
  MPI_Bcast(&t.is, sizeof t.is, MPI_BYTE, 0, mpi->comm);
  int numbers = state_words * w->here->nscenery;
  t.scenery = nsds_mpi_numbers(mpi, (size_t)numbers + 1);
  status = check_manifest(&t, there);
  if (!status && !t.scenery) status = NSDS_ERROR_MEMORY;
  status = nsds_mpi_agree(mpi, status);
  nsds_status own = status;
  for (int r = mpi->rank; !own && r < t.is.ranks; r += mpi->size) own = read_world_part(&t, r);
  if (!status) status = nsds_mpi_agree(mpi, own);
  if (!status) {
    MPI_Bcast(t.scenery, numbers, MPI_DOUBLE, 0, mpi->comm);
    status = take_reading(&t);
  }
  nsds_free(t.own), nsds_free(t.touch), nsds_free(t.scenery);
  return status;
}
