/*
 * Recorded scenes: the data of a page are decoded here, as src/run/scene_code.c describes them, and compared with what
 * was recorded: positions to half a quantum, attitudes, times and quantities, contacts with their forces.
 */
#include "run_test.h"

#include <nsds/nsds.h>

#include <zlib.h>

enum { most_frames = 400, most_forces = 64, body_count = 4 };

typedef struct kept_force {
  double point[3], force[3];
} kept_force;

typedef struct kept_frame {
  double t, x[3 * body_count], turn[4 * body_count];
  int count;
  kept_force force[most_forces];
} kept_frame;

typedef struct kept_run {
  int count;
  kept_frame frame[most_frames];
} kept_run;

/* ---- the page ---- */

typedef struct page {
  char *text;
  unsigned char *data;
  size_t size;
  const unsigned char *at; /* next number */
} page;

static char *read_page(const char *path) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char *text = calloc((size_t)size + 1, 1);
  assert_int_equal(fread(text, 1, (size_t)size, file), size);
  fclose(file);
  return text;
}

static int digit_value(char c) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const char *at = c ? strchr(digits, c) : NULL;
  return at ? (int)(at - digits) : -1;
}

static size_t decode_base64(const char *text, unsigned char *out) {
  size_t size = 0;
  unsigned bits = 0;
  int held = 0;
  for (; *text != '<'; ++text) {
    int value = digit_value(*text);
    if (value < 0) continue;
    bits = bits << 6 | (unsigned)value;
    if ((held += 6) < 8) continue;
    held -= 8;
    out[size++] = (unsigned char)(bits >> held & 255);
  }
  return size;
}

static page open_page(const char *path) {
  page p = {.text = read_page(path)};
  const char *mark = "id=\"scene\">", *at = strstr(p.text, mark);
  assert_non_null(at);
  unsigned char *packed = malloc(strlen(at));
  size_t size = decode_base64(at + strlen(mark), packed);
  uLongf room = 64u << 20;
  p.data = malloc(room);
  assert_int_equal(uncompress(p.data, &room, packed, (uLong)size), Z_OK);
  p.size = room;
  free(packed);
  return p;
}

static void close_page(page *p) {
  free(p->text);
  free(p->data);
}

/* Number k of the list of a name in the JSON. */
static double head_number(const page *p, const char *name, int k) {
  char mark[40];
  snprintf(mark, sizeof mark, "\"%s\":", name);
  const char *at = strstr((const char *)p->data, mark);
  assert_non_null(at);
  at += strlen(mark);
  at += *at == '[';
  for (; k > 0; --k) at = strchr(at, ',') + 1;
  return strtod(at, NULL);
}

/* Start of part k: times, columns, poses, contacts. */
static const unsigned char *part_of(const page *p, int k) {
  size_t at = (size_t)((const unsigned char *)memchr(p->data, '\n', p->size) - p->data) + 1;
  for (int i = 0; i < k; ++i) at += (size_t)head_number(p, "bytes", i);
  return p->data + at;
}

static int64_t next_whole(page *p) {
  uint64_t value = 0;
  int shift = 0;
  do value |= (uint64_t)(*p->at & 127) << shift, shift += 7;
  while (*p->at++ & 128);
  return value & 1 ? -(int64_t)(value >> 1) - 1 : (int64_t)(value >> 1);
}

/* ---- a model ---- */

typedef struct scene_world {
  nsds_context *context;
  nsds_model *model;
  nsds_simulation *simulation;
  nsds_ds *body[body_count];
} scene_world;

static const double corners[15] = {0.3,  0, -0.1, -0.2, 0.25, -0.1, -0.2, -0.25,
                                   -0.1, 0, 0,    0.3,  0.1,  0.1,  0.25};

static nsds_ds *throw_body(nsds_model *model, int k) {
  static const double inertia[9] = {0.02, 0, 0, 0, 0.03, 0, 0, 0, 0.025};
  char name[16];
  snprintf(name, sizeof name, "body \"%d\"", k);
  return nsds_rigid_body(
      model, &(nsds_rigid_body_def){.name = name,
                                    .mass = 1.0 + k,
                                    .inertia = inertia,
                                    .q0 = (double[]){1.5 * k, 0.1, 0.6 + 0.3 * k, 1, 0, 0, 0},
                                    .v0 = (double[]){0.5, -0.3, 1, 5, 3 - k, 2},
                                    .gravity = {0, 0, -9.81}});
}

static scene_world make_world(void) {
  scene_world w = {.context = nsds_context_create(NULL)};
  w.model = nsds_model_create(w.context);
  for (int k = 0; k < body_count; ++k) w.body[k] = throw_body(w.model, k);
  const nsds_shape_def shape[] = {
      {.kind = NSDS_BOX, .ds = w.body[0], .half = {0.2, 0.15, 0.1}},
      {.kind = NSDS_SPHERE, .ds = w.body[1], .radius = 0.2},
      {.kind = NSDS_HULL, .ds = w.body[2], .nvertex = 5, .vertex = corners},
      {.kind = NSDS_HALF_SPACE, .plane = {.normal = {0, 0, 1}}}}; /* body 3 has none */
  nsds_shapes(w.model, &(nsds_shapes_def){.nmaterial = 1,
                                          .material = &(nsds_material){.mu = 0.5, .e_n = 0.4},
                                          .nshape = 4,
                                          .shape = shape});
  w.simulation = nsds_time_stepping(w.model, &(nsds_time_stepping_def){.t1 = 10, .h = 4e-3});
  if (!w.simulation) fail_msg("%s", nsds_error_message(w.context));
  return w;
}

static void end_world(scene_world *w) {
  nsds_model_destroy(w->model);
  nsds_context_destroy(w->context);
}

static void keep_frame(const scene_world *w, kept_run *run, double t) {
  kept_frame *f = &run->frame[run->count++];
  f->t = t;
  for (int k = 0; k < body_count; ++k) {
    memcpy(f->x + 3 * k, nsds_q(w->body[k]), 3 * sizeof(double));
    memcpy(f->turn + 4 * k, nsds_q(w->body[k]) + 3, 4 * sizeof(double));
  }
  nsds_contact_info c;
  nsds_contact_iterator at = nsds_model_contacts(w->model);
  while (nsds_next_contact(&at, &c)) {
    if (c.world_force[0] == 0 && c.world_force[1] == 0 && c.world_force[2] == 0) continue;
    assert_true(f->count < most_forces);
    memcpy(f->force[f->count].point, c.point, sizeof c.point);
    memcpy(f->force[f->count++].force, c.world_force, sizeof c.world_force);
  }
}

static const char *const quantity_names[] = {"height", "twice <time>"};
static const char *const quantity_units[] = {"m", "s"};

static nsds_scene *record_run(const scene_world *w, kept_run *run, bool without_forces) {
  nsds_scene *scene = nsds_scene_create(w->context, w->model,
                                        &(nsds_scene_def){.title = "three </script> \"bodies\"",
                                                          .nquantities = 2,
                                                          .names = quantity_names,
                                                          .units = quantity_units,
                                                          .without_forces = without_forces});
  assert_non_null(scene);
  do {
    double t = nsds_time(w->simulation), values[2] = {nsds_q(w->body[1])[2], 2 * t};
    keep_frame(w, run, t);
    assert_int_equal(nsds_scene_record(scene, t, values), NSDS_OK);
  } while (run->count < most_frames && nsds_step(w->simulation) == NSDS_OK);
  assert_int_equal(run->count, most_frames);
  return scene;
}

/* ---- comparisons ---- */

static void compare_poses(page *p, const kept_run *run) {
  int64_t last[body_count][7] = {{0}}, before[body_count][7] = {{0}}, first[body_count][7] = {{0}};
  double quantum = head_number(p, "quantum", 0), most = 0.0, most_turn = 0.0;
  p->at = part_of(p, 2);
  for (int f = 0; f < run->count; ++f) {
    for (int part = 0; part < 7; ++part)
      for (int k = 0; k < body_count; ++k) {
        int64_t step = last[k][part] - before[k][part],
                bend = step - (before[k][part] - first[k][part]);
        if (part == 3 || llabs(step) <= 1) step = bend = 0;
        int64_t now = next_whole(p) + last[k][part] + step + (llabs(bend) > 4 ? bend : 0);
        first[k][part] = before[k][part];
        before[k][part] = last[k][part];
        last[k][part] = now;
      }
    for (int k = 0; k < body_count; ++k) {
      for (int i = 0; i < 3; ++i) {
        double x = head_number(p, "origin", i) + quantum * (double)last[k][i];
        most = fmax(most, fabs(x - run->frame[f].x[3 * k + i]));
      }
      double turn[4], sum = 0.0, product = 0.0;
      int at = 4, left = (int)last[k][3];
      for (int i = 0; i < 4; ++i)
        if (i != left) sum += pow(turn[i] = (double)last[k][at++] / 4095.0, 2);
      turn[left] = sqrt(1.0 - sum);
      for (int i = 0; i < 4; ++i) product += turn[i] * run->frame[f].turn[4 * k + i];
      most_turn = fmax(most_turn, 2.0 * acos(fmin(1.0, fabs(product))));
    }
  }
  assert_true(quantum > 1e-6 && quantum < 1e-3);
  assert_true(most <= 0.501 * quantum + 1e-6 &&
              most > 0.1 * quantum); /* the numbers are not all alike */
  assert_true(most_turn < 1e-3);
  assert_ptr_equal(p->at, part_of(p, 3));
}

/* The error of the nearest unused contact of the frame in point; its force must be near too. */
static void match_force(const double *point, const double *force, kept_frame *f, double quantum,
                        double least_force) {
  int best = -1;
  double least = INFINITY;
  for (int k = 0; k < f->count; ++k) {
    const kept_force *c = &f->force[k];
    double away = fmax(fmax(fabs(c->point[0] - point[0]), fabs(c->point[1] - point[1])),
                       fabs(c->point[2] - point[2]));
    double size =
        sqrt(c->force[0] * c->force[0] + c->force[1] * c->force[1] + c->force[2] * c->force[2]);
    for (int i = 0; i < 3; ++i)
      if (fabs(c->force[i] - force[i]) > 0.08 * size + least_force) away = INFINITY;
    if (away < least) least = away, best = k;
  }
  if (best < 0 || least > 2.01 * quantum + 1e-6)
    fail_msg("no contact was recorded at %g %g %g with the force %g %g %g: the nearest is %g away",
             point[0], point[1], point[2], force[0], force[1], force[2], least);
  f->force[best] = f->force[--f->count];
}

static void place_force(const page *p, const int64_t *part, double *point, double *force) {
  double u = (double)part[4] / 31.0, v = (double)part[5] / 31.0, w = 1.0 - fabs(u) - fabs(v);
  for (int i = 0; i < 3; ++i)
    point[i] = head_number(p, "origin", i) + 4 * head_number(p, "quantum", 0) * (double)part[i];
  if (w < 0) {
    double turned = copysign(1 - fabs(v), u);
    v = copysign(1 - fabs(u), v);
    u = turned;
  }
  double size = (part[3] > 0 ? 1 : 0) * head_number(p, "strongest", 0) *
                exp2((double)part[3] / 12.0 - 20.0) / sqrt(u * u + v * v + w * w);
  force[0] = size * u, force[1] = size * v, force[2] = size * w;
}

static int compare_forces(page *p, kept_run *run) {
  static int64_t row[most_forces][6];
  int count = 0, seen = 0;
  double quantum = head_number(p, "quantum", 0);
  p->at = part_of(p, 3);
  for (int f = 0; f < run->count; ++f) {
    int stay = 0;
    for (int k = 0; k < count; ++k)
      if (next_whole(p) == 1) memmove(row[stay++], row[k], sizeof row[k]);
    count = stay + (int)next_whole(p);
    assert_int_equal(count, run->frame[f].count);
    for (int part = 0; part < 6; ++part)
      for (int k = 0; k < count; ++k)
        row[k][part] = next_whole(p) + (k < stay ? row[k][part] : k > stay ? row[k - 1][part] : 0);
    for (int k = 0; k < count; ++k) {
      double point[3], force[3];
      place_force(p, row[k], point, force);
      match_force(point, force, &run->frame[f], quantum,
                  exp2(-20) * head_number(p, "strongest", 0));
      ++seen;
    }
  }
  assert_ptr_equal(p->at, p->data + p->size);
  return seen;
}

static void compare_numbers(const page *p, const kept_run *run) {
  assert_int_equal((int)head_number(p, "frames", 0), run->count);
  for (int f = 0; f < run->count; ++f) { /* on machines that store the lowest byte first */
    double t;
    float height, twice;
    memcpy(&t, part_of(p, 0) + 8 * f, 8);
    memcpy(&height, part_of(p, 1) + 4 * f, 4);
    memcpy(&twice, part_of(p, 1) + 4 * (run->count + f), 4);
    assert_true(t == run->frame[f].t);
    assert_true(height == (float)run->frame[f].x[5]);
    assert_true(twice == (float)(2 * t));
  }
}

/* ---- tests ---- */

/* The page has nothing that loads: addresses stand in comments of shaders alone. */
static void assert_no_network(const char *text) {
  static const char *const loads[] = {"<link",  " src=",          ".src=",         "href=",  "url(",
                                      "fetch(", "XMLHttpRequest", "importScripts", "import("};
  for (size_t k = 0; k < sizeof loads / sizeof *loads; ++k) assert_null(strstr(text, loads[k]));
}

static void the_page_holds_the_recording(void **state) {
  (void)state;
  kept_run *run = calloc(1, sizeof *run);
  scene_world w = make_world();
  nsds_scene *scene = record_run(&w, run, false);
  assert_int_equal(nsds_scene_write_html(scene, "scene_test.html"), NSDS_OK);
  page p = open_page("scene_test.html");
  compare_numbers(&p, run);
  compare_poses(&p, run);
  assert_true(compare_forces(&p, run) > 500);
  assert_non_null(strstr((char *)p.data, "\"title\":\"three </script> \\\"bodies\\\"\""));
  assert_non_null(strstr((char *)p.data, "\"bodies\":[\"body \\\"0\\\"\","));
  assert_non_null(strstr((char *)p.data, "\"kind\":\"stick\",\"body\":3"));
  assert_null(strstr(p.text, "three </script>")); /* titles stay in the data */
  assert_no_network(p.text);
  close_page(&p);
  nsds_scene_destroy(scene);
  end_world(&w);
  free(run);
}

static void forces_may_stay_out(void **state) {
  (void)state;
  kept_run *run = calloc(1, sizeof *run);
  scene_world w = make_world();
  nsds_scene *scene = record_run(&w, run, true);
  assert_int_equal(nsds_scene_write_html(scene, "scene_test.html"), NSDS_OK);
  page p = open_page("scene_test.html");
  compare_poses(&p, run);
  assert_int_equal((int)head_number(&p, "bytes", 3),
                   run->count); /* no new contact, in each frame */
  close_page(&p);
  nsds_scene_destroy(scene);
  end_world(&w);
  free(run);
}

static void count_messages(nsds_log_level level, const char *message, void *user) {
  (void)level, (void)message;
  ++*(int *)user;
}

/* The search for joints meets a contact, which is none. */
static void a_scene_logs_nothing(void **state) {
  (void)state;
  int messages = 0;
  nsds_context *context =
      nsds_context_create(&(nsds_context_def){.log = count_messages, .log_user = &messages});
  nsds_model *model = nsds_model_create(context);
  nsds_ds *body = throw_body(model, 0);
  nsds_relation *gap = nsds_sphere_plane_relation(
      model, &(nsds_sphere_plane_relation_def){
                 .dimension = 3, .rows = 1, .radius = 0.1, .normal = {0, 0, 1}});
  assert_non_null(nsds_connect(model, gap, nsds_newton_impact(model, 0.5), 1, &body));
  nsds_scene *scene = nsds_scene_create(context, model, &(nsds_scene_def){0});
  assert_non_null(scene);
  assert_int_equal(messages, 0);
  assert_int_equal(nsds_error(context), NSDS_OK);
  assert_null(nsds_scene_create(context, model, NULL)); /* the handler is back */
  assert_int_equal(messages, 1);
  nsds_scene_destroy(scene);
  nsds_model_destroy(model);
  nsds_context_destroy(context);
}

static void wrong_calls_are_refused(void **state) {
  (void)state;
  scene_world w = make_world();
  const nsds_scene_def unnamed = {.nquantities = 1}, reserved = {.reserved = {1}};
  assert_null(nsds_scene_create(NULL, w.model, &(nsds_scene_def){0}));
  assert_null(nsds_scene_create(w.context, w.model, NULL));
  assert_null(nsds_scene_create(w.context, w.model, &unnamed));
  assert_null(nsds_scene_create(w.context, w.model, &reserved));
  nsds_scene *scene = nsds_scene_create(
      w.context, w.model, &(nsds_scene_def){.nquantities = 1, .names = quantity_names});
  const double one = 1.0;
  assert_int_equal(nsds_scene_record(NULL, 0, NULL), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_scene_record(scene, 0, NULL), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_scene_record(scene, NAN, &one), NSDS_ERROR_VALUE);
  assert_int_equal(nsds_scene_record(scene, 1, &one), NSDS_OK);
  assert_int_equal(nsds_scene_record(scene, 0.5, &one), NSDS_ERROR_VALUE);
  assert_int_equal(nsds_scene_write_html(scene, NULL), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_scene_write_html(NULL, "x.html"), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_scene_write_html(scene, "no/such/folder/x.html"), NSDS_ERROR_IO);
  throw_body(w.model, 9);
  assert_int_equal(nsds_scene_record(scene, 2, &one), NSDS_ERROR_STATE);
  nsds_scene_destroy(scene);
  nsds_scene_destroy(NULL);
  end_world(&w);
}

static void graphs_need_no_model(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(NULL);
  nsds_scene *scene = nsds_scene_create(
      context, NULL,
      &(nsds_scene_def){.title = "numbers", .nquantities = 2, .names = quantity_names});
  for (int k = 0; k < 10; ++k)
    assert_int_equal(nsds_scene_record(scene, k, (double[]){k * k, -k}), NSDS_OK);
  assert_int_equal(nsds_scene_write_html(scene, "scene_test.html"), NSDS_OK);
  page p = open_page("scene_test.html");
  float nine;
  memcpy(&nine, part_of(&p, 1) + 4 * 3, 4);
  assert_true(nine == 9.0f);
  assert_non_null(strstr((char *)p.data, "\"shapes\":[]"));
  close_page(&p);
  nsds_scene_destroy(scene);
  nsds_context_destroy(context);
}

/* Names of programs may have any bytes; the page shows plain text. */
static void names_are_plain(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(NULL);
  nsds_model *model = nsds_model_create(context);
  nsds_ds *body = throw_body(model, 0);
  nsds_ds_set_name(body, "a\x1b[31m\n\"b\\");
  nsds_scene *scene = nsds_scene_create(context, model,
                                        &(nsds_scene_def){.title = "</script>\r\n\xe2\x80\xae\xff",
                                                          .nquantities = 1,
                                                          .names = (const char *const[]){"x\ty"},
                                                          .units = (const char *const[]){"\x7f"}});
  assert_non_null(scene);
  assert_int_equal(nsds_scene_record(scene, 0, (double[]){1}), NSDS_OK);
  assert_int_equal(nsds_scene_write_html(scene, "scene_names.html"), NSDS_OK);
  page p = open_page("scene_names.html");
  assert_non_null(strstr((char *)p.data, "\"title\":\"</script>     ?\""));
  assert_non_null(strstr((char *)p.data, "\"bodies\":[\"a [31m \\\"b\\\\\"]"));
  assert_non_null(strstr((char *)p.data, "{\"name\":\"x y\",\"unit\":\" \"}"));
  close_page(&p);
  nsds_scene_destroy(scene);
  nsds_model_destroy(model);
  nsds_context_destroy(context);
}

/* Shapes in no contact set are drawn, checked as those of a set, and leave the model as it was. */
static void shapes_need_no_contact_set(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(NULL);
  nsds_model *model = nsds_model_create(context), *other = nsds_model_create(context);
  nsds_ds *body = throw_body(model, 0), *foreign = throw_body(other, 1);
  nsds_ds *flat = nsds_rigid_body_2d(model, &(nsds_rigid_body_2d_def){.mass = 1, .inertia = 1});
  nsds_shape_def shape[] = {
      {.kind = NSDS_BOX, .ds = body, .half = {0.2, 0.15, 0.1}, .position = {0, 0, 0.5}},
      {.kind = NSDS_HULL, .ds = body, .nvertex = 5, .vertex = corners, .material = 7, .group = 3},
      {.kind = NSDS_CAPSULE, .ds = flat, .half = {0.25}, .radius = 0.125, .angle = 0.5},
      {.kind = NSDS_HALF_SPACE, .plane = {.normal = {0, 0, 1}}}};
  nsds_scene *scene =
      nsds_scene_create(context, model, &(nsds_scene_def){.nshape = 4, .shape = shape});
  assert_non_null(scene);
  assert_int_equal(nsds_model_contact_set_count(model), 0);
  assert_int_equal(nsds_ds_count(model), 2);
  assert_int_equal(nsds_scene_record(scene, 0, NULL), NSDS_OK);
  assert_int_equal(nsds_scene_write_html(scene, "scene_shapes.html"), NSDS_OK);
  page p = open_page("scene_shapes.html");
  const char *data = (const char *)p.data;
  assert_non_null(strstr(data, "{\"kind\":\"capsule\",\"body\":1,\"radius\":[0.125]"));
  assert_non_null(
      strstr(data, "{\"kind\":\"box\",\"body\":0,\"radius\":[0],\"position\":[0,0,0.5]"));
  assert_non_null(strstr(data, "{\"kind\":\"hull\",\"body\":0"));
  assert_non_null(strstr(data, "{\"kind\":\"plane\",\"body\":-1"));
  assert_null(strstr(data, "stick"));
  close_page(&p);
  nsds_scene_destroy(scene);
  shape[1].nvertex = 3;
  assert_null(nsds_scene_create(context, model, &(nsds_scene_def){.nshape = 2, .shape = shape}));
  assert_non_null(strstr(nsds_error_message(context), "nsds_shapes_add"));
  nsds_error_clear(context);
  shape[0].ds = foreign;
  assert_null(nsds_scene_create(context, model, &(nsds_scene_def){.nshape = 1, .shape = shape}));
  assert_non_null(strstr(nsds_error_message(context), "shape[0]"));
  assert_null(nsds_scene_create(context, model, &(nsds_scene_def){.nshape = 1}));
  nsds_model_destroy(model);
  nsds_model_destroy(other);
  nsds_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_page_holds_the_recording), cmocka_unit_test(forces_may_stay_out),
      cmocka_unit_test(a_scene_logs_nothing),         cmocka_unit_test(wrong_calls_are_refused),
      cmocka_unit_test(graphs_need_no_model),         cmocka_unit_test(names_are_plain),
      cmocka_unit_test(shapes_need_no_contact_set),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
