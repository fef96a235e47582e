/*
 * The page of a scene is that of src/run/view. Two texts take the place of words. One text is the
 * data of the scene, the other the script that plays the data. Both are base64 of deflate (zlib,
 * RFC 1950); the script becomes a third of its size. The data are
 *
 *     JSON, a newline, times, columns, poses, contacts
 *
 * Times are 8 bytes each, columns 4 bytes a number, all of a column in turn. scene_code.c describes
 * the rest. The JSON has the bytes of each part.
 */
#include "run/scene/scene_page.h"

#include "run/scene/scene_code.h"

#include <nsds/extend.h>

#include <stdio.h>
#include <string.h>

#if NSDS_HAVE_ZLIB
#include <zlib.h>
#endif

typedef struct page_parts {
  nsds_bytes times, columns, poses, forces;
} page_parts;

static nsds_status fill_parts(const nsds_scene *s, const nsds_scene_grid *grid, page_parts *p) {
  for (int f = 0; f < s->nframe; ++f) nsds_bytes_double(&p->times, s->frame[f].t);
  for (int k = 0; k < s->columns.count; ++k)
    for (int f = 0; f < s->nframe; ++f)
      nsds_bytes_single(&p->columns, s->value[f * s->columns.count + k]);
  if (p->times.failed || p->columns.failed) return NSDS_ERROR_MEMORY;
  nsds_status status = nsds_scene_code_poses(s, grid, &p->poses);
  return status ? status : nsds_scene_code_forces(s, grid, &p->forces);
}

static void put_names(const nsds_scene *s, nsds_bytes *out) {
  nsds_bytes_print(out, "\"bodies\":[");
  for (int k = 0; k < s->nbody; ++k) {
    if (k > 0) nsds_bytes_put(out, ",", 1);
    nsds_bytes_string(out, nsds_ds_name(s->body[k].ds));
  }
  nsds_bytes_print(out, "],\"columns\":[");
  for (int k = 0; k < s->columns.count; ++k) {
    nsds_bytes_print(out, "%s{\"name\":", k ? "," : "");
    nsds_bytes_string(out, s->columns.item[k].name);
    nsds_bytes_print(out, ",\"unit\":");
    nsds_bytes_string(out, s->columns.item[k].unit);
    nsds_bytes_put(out, "}", 1);
  }
  nsds_bytes_print(out, "],");
}

static void page_put_head(const nsds_scene *s, const nsds_scene_grid *grid, const page_parts *p,
                          nsds_bytes *out) {
  nsds_bytes_print(out, "{\"format\":2,\"title\":");
  nsds_bytes_string(out, s->title);
  nsds_bytes_print(out, ",\"frames\":%d,", s->nframe);
  put_names(s, out);
  nsds_bytes_list(out, "origin", grid->origin, 3);
  nsds_bytes_list(out, "quantum", &grid->quantum, 1);
  nsds_bytes_list(out, "strongest", &grid->strongest, 1);
  nsds_bytes_print(out,
                   "\"steps\":{\"turn\":%d,\"octave\":%d,\"octaves\":%d,\"slope\":%d},"
                   "\"bytes\":[%zu,%zu,%zu,%zu],\"shapes\":",
                   nsds_scene_turn_steps, nsds_scene_octave, nsds_scene_octaves, nsds_scene_slope,
                   p->times.count, p->columns.count, p->poses.count, p->forces.count);
  nsds_bytes_put(out, s->shapes.item, s->shapes.count);
  nsds_bytes_print(out, ",\"ties\":");
  nsds_bytes_put(out, s->ties.item, s->ties.count);
  nsds_bytes_print(out, "}\n");
}

static nsds_status page_deflate(const nsds_bytes *raw, nsds_bytes *out) {
#if NSDS_HAVE_ZLIB
  uLong most = compressBound((uLong)raw->count);
  out->item = nsds_alloc(out->context, "a page", most, 1);
  if (!out->item) return NSDS_ERROR_MEMORY;
  out->capacity = most;
  if (compress2(out->item, &most, raw->item, (uLong)raw->count, 9) != Z_OK)
    return NSDS_ERROR_MEMORY;
  out->count = most;
  return NSDS_OK;
#else
  (void)raw, (void)out;
  return NSDS_ERROR_UNSUPPORTED;
#endif
}

static void page_free_parts(page_parts *p) {
  nsds_bytes_free(&p->times);
  nsds_bytes_free(&p->columns);
  nsds_bytes_free(&p->poses);
  nsds_bytes_free(&p->forces);
}

static nsds_status page_data(const nsds_scene *s, nsds_bytes *out) {
  nsds_bytes none = {.context = s->context}, raw = none;
  page_parts parts = {none, none, none, none};
  nsds_scene_grid grid = nsds_scene_find_grid(s);
  nsds_status status = fill_parts(s, &grid, &parts);
  if (!status) {
    page_put_head(s, &grid, &parts, &raw);
    const nsds_bytes *const order[] = {&parts.times, &parts.columns, &parts.poses, &parts.forces};
    for (int k = 0; k < 4; ++k) nsds_bytes_put(&raw, order[k]->item, order[k]->count);
    status = raw.failed ? NSDS_ERROR_MEMORY : page_deflate(&raw, out);
  }
  page_free_parts(&parts);
  nsds_bytes_free(&raw);
  return status;
}

static void write_base64(FILE *file, const nsds_bytes *data) {
  static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t k = 0; k < data->count; k += 3) {
    size_t left = data->count - k;
    unsigned bits = (unsigned)data->item[k] << 16;
    if (left > 1) bits |= (unsigned)data->item[k + 1] << 8;
    if (left > 2) bits |= data->item[k + 2];
    const char text[4] = {digit[bits >> 18], digit[bits >> 12 & 63],
                          left > 1 ? digit[bits >> 6 & 63] : '=',
                          left > 2 ? digit[bits & 63] : '='};
    fwrite(text, 1, 4, file);
    if (k % 90 == 87) fputc('\n', file);
  }
}

/* Writes the page up to a word, and the data in its place. Returns the text behind the word. */
static const char *write_part(FILE *file, const char *page, const char *word,
                              const nsds_bytes *data) {
  const char *at = strstr(page, word);
  fwrite(page, 1, (size_t)(at - page), file);
  write_base64(file, data);
  return at + strlen(word);
}

static nsds_status write_file(const nsds_scene *s, const char *call, const char *path,
                              const nsds_bytes *data, const nsds_bytes *script) {
  nsds_output *output;
  nsds_status status = nsds_output_open(s->context, call, path, &output);
  if (status) return status;
  FILE *file = nsds_output_stream(output);
  const char *page = (const char *)nsds_scene_template;
  page = write_part(file, page, "@NSDS_SCENE@", data);
  page = write_part(file, page, "@NSDS_PLAYER@", script);
  fwrite(page, 1, strlen(page), file);
  return nsds_output_close(output, true);
}

nsds_status nsds_scene_write_page(const nsds_scene *s, const char *call, const char *path) {
  nsds_bytes data = {.context = s->context}, script = data;
  const nsds_bytes player = {.item = (unsigned char *)(uintptr_t)nsds_scene_player,
                             .count = nsds_scene_player_size};
  if (nsds_scene_template_size == 0)
    return nsds_report(s->context, NSDS_ERROR_UNSUPPORTED,
                       "%s: this library was built without pages; install esbuild and npm, run "
                       "script/fetch-view, and build the library anew",
                       call);
  nsds_status status = page_data(s, &data);
  if (!status) status = page_deflate(&player, &script);
  if (status == NSDS_ERROR_UNSUPPORTED)
    nsds_report(s->context, status, "%s: this build has no zlib (NSDS_WITH_ZLIB)", call);
  else if (status) nsds_report(s->context, status, "%s: %s", call, nsds_status_text(status));
  else status = write_file(s, call, path, &data, &script);
  nsds_bytes_free(&data);
  nsds_bytes_free(&script);
  return status;
}
