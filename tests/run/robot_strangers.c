/*
 * Robots of strangers: bombs of entities, files without end, paths out of the folder, meshes that are huge or hold no
 * numbers, bodies without mass, circles. Each is refused with its place, within the bounds of the untrusted mode.
 * Then what forces do over time: ropes, and the largest turn of a ball joint.
 */
#define _XOPEN_SOURCE 700 /* mkdtemp(), symlink() */
#include "run_test.h"

#include <sys/stat.h>
#include <unistd.h>

#define FREE_MESH(file)                                                                            \
  "<mujoco><asset><mesh name=\"m\" file=\"" file "\"/></asset><worldbody><body><freejoint/>"       \
  "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/><geom type=\"mesh\" mesh=\"m\"/>"     \
  "</body></worldbody></mujoco>"

/* ---- a folder with files ----------------------------------------------------------------------- */

static char folder[200], outside[200];

static int make_folders(void **unused) {
  (void)unused;
  const char *base = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%s/nsds_robot_XXXXXX", base ? base : "/tmp");
  snprintf(outside, sizeof outside, "%s/nsds_other_XXXXXX", base ? base : "/tmp");
  return !mkdtemp(folder) || !mkdtemp(outside);
}

static int remove_folders(void **unused) {
  static const char *const names[] = {"robot.xml",   "m.stl",      "m.obj",     "m.png",
                                      "m.bin",       "link.obj",   "inner.xml", "p/m.obj",
                                      "p/inner.xml", "p/deep.xml", "p"};
  char path[300];
  (void)unused;
  for (size_t k = 0; k < 2 * sizeof names / sizeof *names; ++k) {
    const char *name = names[k / 2];
    snprintf(path, sizeof path, "%s/%s", k % 2 ? outside : folder, name);
    remove(path);
  }
  return rmdir(folder) || rmdir(outside);
}

static void write_bytes(const char *where, const char *name, const char *bytes, size_t size) {
  char path[300];
  snprintf(path, sizeof path, "%s/%s", where, name);
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

static void write_text(const char *where, const char *name, const char *text) {
  write_bytes(where, name, text, strlen(text));
}

static nsds_job *open_robot(nsds_context *context, const char *text, const char *folders) {
  char path[300];
  write_text(folder, "robot.xml", text);
  snprintf(path, sizeof path, "%s/robot.xml", folder);
  return nsds_job_create(context,
                         &(nsds_job_def){.file = path, .untrusted = true, .folders = folders});
}

static void refuse(const char *text, const char *expected) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = open_robot(context, text, NULL);
  if (job) fail_msg("%.300s is accepted", text);
  if (!strstr(nsds_error_message(context), expected))
    fail_msg("%.300s\n%s\nexpected: %s", text, nsds_error_message(context), expected);
  nsds_context_destroy(context);
}

static void accept(const char *text, const char *folders) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = open_robot(context, text, folders);
  if (!job) fail_msg("%.300s\n%s", text, nsds_error_message(context));
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

static const char tetrahedron[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                                  "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

/* ---- XML --------------------------------------------------------------------------------------- */

static void entity_bombs(void **unused) {
  (void)unused;
  refuse("<!DOCTYPE lolz [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;\"><!ENTITY c "
         "\"&b;&b;&b;&b;\">]><mujoco model=\"&c;\"/>",
         "a document type (<!DOCTYPE ...>) stands here");
  refuse("<!DOCTYPE r SYSTEM \"file:///etc/passwd\"><mujoco/>", "a document type");
  refuse("<!DOCTYPE r [<!ENTITY % p SYSTEM \"http://example.org/p\">%p;]><mujoco/>",
         "a document type");
  refuse("<mujoco model=\"&nothing;\"/>", "undefined entity");
  accept("<mujoco model=\"a &amp; b &#65;\"><worldbody><body><freejoint/><inertial pos=\"0 0 0\" "
         "mass=\"1\" diaginertia=\"1 1 1\"/></body></worldbody></mujoco>",
         NULL);
}

/* A text of repeated words. */
static char *repeated(const char *begin, const char *word, int count, const char *end) {
  size_t size = strlen(begin) + (size_t)count * strlen(word) + strlen(end) + 1;
  char *text = malloc(size), *at = text;
  assert_non_null(text);
  at += sprintf(at, "%s", begin);
  for (int k = 0; k < count; ++k) at += sprintf(at, "%s", word);
  sprintf(at, "%s", end);
  return text;
}

static void files_without_end(void **unused) {
  (void)unused;
  char *deep = repeated("<mujoco>", "<body>", 101, "");
  char *many = repeated("<mujoco>", "<a/>", 200001, "</mujoco>");
  char *long_name = repeated("<mujoco model=\"", "abcdefgh", 1 << 21, "\"/>");
  char *attributes = malloc(2000), *at = attributes;
  assert_non_null(attributes);
  at += sprintf(at, "<mujoco");
  for (int k = 0; k < 65; ++k) at += sprintf(at, " a%d=\"\"", k);
  sprintf(at, "/>");
  refuse(deep, "elements are nested deeper than 100");
  refuse(many, "the file has more than 200000 elements");
  refuse(long_name, "the most are 16777216");
  refuse(attributes, "an element has 65 attributes; the most are 64");
  free(deep);
  free(many);
  free(long_name);
  free(attributes);
}

/* ---- paths ------------------------------------------------------------------------------------- */

static void paths_out_of_the_folder(void **unused) {
  (void)unused;
  char text[1000], other[300], link[300];
  write_text(outside, "m.obj", tetrahedron);
  snprintf(other, sizeof other, "%s/m.obj", outside);
  snprintf(text, sizeof text, FREE_MESH("%s"), other);
  refuse(text, "cannot be read: it is outside of the folder");
  snprintf(text, sizeof text, FREE_MESH("..%s"), other + 4); /* from /tmp on */
  refuse(text, "cannot be read: it is outside of the folder");
  snprintf(link, sizeof link, "%s/link.obj", folder);
  assert_int_equal(symlink(other, link), 0);
  refuse(FREE_MESH("link.obj"), "it is outside of the folder");
  snprintf(text, sizeof text, "<mujoco><include file=\"%s\"/></mujoco>", other);
  refuse(text, "it is outside of the folder");
  refuse("<mujoco><include file=\"/etc/passwd\"/></mujoco>", "it is outside of the folder");
  refuse(FREE_MESH("/dev/zero.obj"), "cannot be read");
  refuse("<mujoco><include file=\"robot.xml\"/></mujoco>", "is included for the second time");
}

/* Search folders are open to untrusted files too, and nothing beside them. */
static void search_folders(void **unused) {
  (void)unused;
  char path[300];
  snprintf(path, sizeof path, "%s/p", outside);
  mkdir(path, 0700);
  write_text(outside, "p/m.obj", tetrahedron);
  const char *package = FREE_MESH("package://p/m.obj"), *plain = FREE_MESH("p/m.obj");
  refuse(package, "name the folder of the package by --folders");
  snprintf(path, sizeof path, "/nowhere:%s", outside);
  accept(package, path);
  accept(plain, path);
  snprintf(path, sizeof path, "%s/p", outside); /* the package itself */
  accept(package, path);
  refuse(plain, "cannot be read");
}

/* Paths of included files count from the folder of the file that is read, or from their own. */
static void folders_of_includes(void **unused) {
  (void)unused;
  char path[300];
  snprintf(path, sizeof path, "%s/p", folder);
  mkdir(path, 0700);
  write_text(folder, "p/m.obj", tetrahedron);
  write_text(folder, "p/inner.xml",
             "<mujoco><include file=\"p/deep.xml\"/><include file=\"deep.xml\"/></mujoco>");
  write_text(folder, "p/deep.xml",
             "<mujoco><asset><mesh name=\"m\" file=\"m.obj\"/></asset></mujoco>");
  const char *twice = "is included for the second time";
  refuse("<mujoco><include file=\"p/inner.xml\"/></mujoco>", twice);
  for (int k = 0; k < 2; ++k) {
    write_text(folder, "p/inner.xml",
               k ? "<mujoco><include file=\"p/deep.xml\"/></mujoco>"
                 : "<mujoco><include file=\"deep.xml\"/></mujoco>");
    accept("<mujoco><compiler meshdir=\"p\"/><include "
           "file=\"p/inner.xml\"/><worldbody><body><freejoint/>"
           "<geom type=\"mesh\" mesh=\"m\"/></body></worldbody></mujoco>",
           NULL);
  }
}

/* ---- meshes ------------------------------------------------------------------------------------ */

/* An STL file in bytes with `count` equal faces, whose head tells another number. */
static void write_stl(unsigned told, int count, const float corner[9]) {
  size_t size = 84 + 50 * (size_t)count;
  char *bytes = calloc(size, 1);
  assert_non_null(bytes);
  for (int i = 0; i < 4; ++i) bytes[80 + i] = (char)(told >> 8 * i & 255);
  for (int k = 0; k < count; ++k) memcpy(bytes + 84 + 50 * k + 12, corner, 9 * sizeof *corner);
  write_bytes(folder, "m.stl", bytes, size);
  free(bytes);
}

static void huge_meshes(void **unused) {
  (void)unused;
  const float corner[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  write_stl(4294967295u, 4, corner);
  refuse(FREE_MESH("m.stl"), "the mesh is no STL file");
  write_stl(1000001u, 4, corner);
  refuse(FREE_MESH("m.stl"), "up to 1000000, and it has 284");
  char *text = repeated("", "v 0 0 0\n", 1 << 23, "");
  write_text(folder, "m.obj", text);
  free(text);
  refuse(FREE_MESH("m.obj"), "it has more than");
  write_text(folder, "m.obj", "v 0 0 0\nf 1 2 3\n");
  refuse(FREE_MESH("m.obj"), "line 2 of the OBJ mesh has a face of a point that is not there");
  write_text(folder, "m.obj", "v 0 0 0\nf 1 1 1\n");
  refuse(FREE_MESH("m.obj"), "has 1 points; valid are 4 or more");
}

/* ---- height fields ------------------------------------------------------------------------------ */

/* A PNG of 8 or 16 bits a channel, without compression. */
typedef struct drawn_png {
  size_t size;
  unsigned char byte[70000];
} drawn_png;

static void add_word(drawn_png *p, unsigned word) {
  for (int k = 3; k >= 0; --k) p->byte[p->size++] = (unsigned char)(word >> (8 * k));
}

static void add_chunk(drawn_png *p, const char *type, const unsigned char *data, size_t size) {
  unsigned crc = 0xffffffffu;
  add_word(p, (unsigned)size);
  size_t from = p->size;
  memcpy(p->byte + from, type, 4);
  if (size > 0) memcpy(p->byte + from + 4, data, size);
  p->size += 4 + size;
  for (size_t k = from; k < p->size; ++k) {
    crc ^= p->byte[k];
    for (int i = 0; i < 8; ++i) crc = crc & 1u ? crc >> 1 ^ 0xedb88320u : crc >> 1;
  }
  add_word(p, ~crc);
}

/* `pixel` has all rows; a row has `wide` bytes. color: 0 grey, 2 red, green and blue. */
static void draw_png(drawn_png *p, unsigned columns, unsigned rows, unsigned char bits,
                     unsigned char color, const unsigned char *pixel, size_t wide) {
  static unsigned char data[60000];
  unsigned a = 1, b = 0;
  size_t n = 0, length = rows * (wide + 1);
  p->size = 0;
  memcpy(p->byte, "\x89PNG\r\n\x1a\n", 8);
  p->size = 8;
  const unsigned char head[13] = {(unsigned char)(columns >> 24),
                                  (unsigned char)(columns >> 16),
                                  (unsigned char)(columns >> 8),
                                  (unsigned char)columns,
                                  (unsigned char)(rows >> 24),
                                  (unsigned char)(rows >> 16),
                                  (unsigned char)(rows >> 8),
                                  (unsigned char)rows,
                                  bits,
                                  color};
  add_chunk(p, "IHDR", head, sizeof head);
  assert_true(length < 60000);
  data[n++] = 0x78, data[n++] = 1, data[n++] = 1;
  data[n++] = (unsigned char)length, data[n++] = (unsigned char)(length >> 8);
  data[n++] = (unsigned char)~length, data[n++] = (unsigned char)(~length >> 8);
  for (unsigned r = 0; r < rows; ++r)
    for (size_t k = 0; k <= wide; ++k) {
      data[n] = k == 0 ? 0 : pixel[r * wide + k - 1];
      a = (a + data[n++]) % 65521;
      b = (b + a) % 65521;
    }
  data[n++] = (unsigned char)(b >> 8), data[n++] = (unsigned char)b;
  data[n++] = (unsigned char)(a >> 8), data[n++] = (unsigned char)a;
  add_chunk(p, "IDAT", data, n);
  add_chunk(p, "IEND", NULL, 0);
}

#define FIELD(file)                                                                                \
  "<mujoco><asset><hfield name=\"h\" file=\"" file "\" size=\"3 2 1 0.1\"/></asset><worldbody>"    \
  "<geom type=\"hfield\" hfield=\"h\"/><body><freejoint/><geom size=\"1\"/></body></worldbody>"    \
  "</mujoco>"

/* The field has the heights 0, 0.5, 1 below and 1, 0, 0 above. */
static void expect_field(const char *name) {
  char text[500];
  nsds_context *context = nsds_context_create(NULL);
  snprintf(text, sizeof text, FIELD("%s"), name);
  nsds_job *job = open_robot(context, text, NULL);
  if (!job) fail_msg("%s", nsds_error_message(context));
  nsds_model *model = nsds_job_model(job);
  nsds_contact_set *set = nsds_model_contact_set_at(model, 0);
  static const double height[2][3] = {{0.0, 0.5, 1.0}, {1.0, 0.0, 0.0}};
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < 3; ++c) {
      const nsds_ray down = {.origin = {2.999 * (c - 1), 1.999 * (2 * r - 1), 9.0},
                             .direction = {0, 0, -1}};
      nsds_shape_hit hit;
      assert_int_equal(nsds_shapes_cast(set, 1, &down, &hit), NSDS_OK);
      assert_true(fabs(9.0 - hit.distance - height[r][c]) < 2e-3);
    }
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

static void height_fields_of_files(void **unused) {
  (void)unused;
  const float numbers[6] = {10, 15, 20, 20, 10, 10};
  const unsigned size[2] = {2, 3};
  char bytes[8 + sizeof numbers], text[500];
  memcpy(bytes, size, sizeof size);
  memcpy(bytes + 8, numbers, sizeof numbers);
  write_bytes(folder, "m.bin", bytes, sizeof bytes);
  expect_field("m.bin");
  write_bytes(folder, "m.bin", bytes, sizeof bytes - 1);
  refuse(FIELD("m.bin"),
         "m.bin has 31 bytes; with 2 rows and 3 columns of heights of 4 bytes valid are 32");
  write_bytes(folder, "m.bin", bytes, 7);
  refuse(FIELD("m.bin"), "m.bin has 7 bytes; valid are PNG");
  const float nan = NAN;
  memcpy(bytes + 12, &nan, sizeof nan);
  write_bytes(folder, "m.bin", bytes, sizeof bytes);
  refuse(FIELD("m.bin"), "height 2 of m.bin is nan");
  const unsigned huge[2] = {4000000000u, 3};
  memcpy(bytes, huge, sizeof huge);
  write_bytes(folder, "m.bin", bytes, sizeof bytes);
  refuse(FIELD("m.bin"), "the height field has 4e+09 rows and 3 columns; valid are 2 to 1000");
  snprintf(text, sizeof text, FIELD("../%s/m.bin"), strrchr(outside, '/') + 1);
  write_bytes(outside, "m.bin", bytes, sizeof bytes);
  refuse(text, "it is outside of the folder");
  refuse(FIELD("/etc/passwd"), "it is outside of the folder");
  drawn_png p;
  static const unsigned char grey[6] = {200, 0, 0, 0, 100, 200},
                             grey16[12] = {200, 9, 0, 9, 0, 9, 0, 9, 100, 9, 200, 9},
                             color[18] = {200, 1, 2, 0,   1, 2, 0,   1, 2,
                                          0,   1, 2, 100, 1, 2, 200, 1, 2};
  draw_png(&p, 3, 2, 8, 0, grey, 3);
  write_bytes(folder, "m.png", (const char *)p.byte, p.size);
#if NSDS_HAVE_PNG
  expect_field("m.png");
  for (size_t cut = 8; cut < p.size - 12; cut += 7) { /* the chunk IEND may be missing */
    write_bytes(folder, "m.png", (const char *)p.byte, cut);
    refuse(FIELD("m.png"), "m.png cannot be read: ");
  }
  draw_png(&p, 3, 2, 16, 0, grey16, 6);
  write_bytes(folder, "m.png", (const char *)p.byte, p.size);
  expect_field("m.png");
  draw_png(&p, 3, 2, 8, 2, color, 9);
  write_bytes(folder, "m.png", (const char *)p.byte, p.size);
  expect_field("m.png");
  draw_png(&p, 2000000000u, 2, 8, 0, grey, 3);
  write_bytes(folder, "m.png", (const char *)p.byte, p.size);
  refuse(FIELD("m.png"), "m.png cannot be read: ");
  draw_png(&p, 3, 1, 8, 0, grey, 3);
  write_bytes(folder, "m.png", (const char *)p.byte, p.size);
  refuse(FIELD("m.png"), "the height field has 1 rows and 3 columns");
#else
  refuse(FIELD("m.png"), "this library was built without libpng");
#endif
}

static void meshes_without_numbers(void **unused) {
  (void)unused;
  float corner[9] = {0, 0, 0, 1, 0, 0, 0, (float)NAN, 0};
  write_stl(4, 4, corner);
  refuse(FREE_MESH("m.stl"), "a point of the mesh \"m.stl\" is not finite");
  corner[7] = (float)INFINITY;
  write_stl(4, 4, corner);
  refuse(FREE_MESH("m.stl"), "a point of the mesh \"m.stl\" is not finite");
  write_text(folder, "m.obj", "v 0 0 nan\nv 1 0 0\nv 0 1 0\nv 0 0 1\n");
  refuse(FREE_MESH("m.obj"), "line 1 of the OBJ mesh is no row of three numbers");
  write_text(folder, "m.obj", "v 0 0 1e999\nv 1 0 0\nv 0 1 0\nv 0 0 1\n");
  refuse(FREE_MESH("m.obj"), "is not finite");
}

/* A cube with 5,992 points inside has the hull of its 8 corners, exactly with libqhull. */
static void hulls_of_many_points(void **unused) {
  (void)unused;
  int number = 0;
  char *text = malloc(6000 * 40), *at = text;
  assert_non_null(text);
  for (int k = 0; k < 6000; ++k) {
    double x[3];
    for (int i = 0; i < 3; ++i)
      x[i] = k % 750 ? 0.99 * sin(++number) : k / 750 >> i & 1 ? 1.0 : -1.0;
    at += sprintf(at, "v %.9f %.9f %.9f\n", x[0], x[1], x[2]);
  }
  write_text(folder, "m.obj", text);
  free(text);
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = open_robot(context, FREE_MESH("m.obj"), NULL);
  if (!job) fail_msg("%s", nsds_error_message(context));
  nsds_shape_info info;
  const nsds_contact_set *set = nsds_model_contact_set_at(nsds_job_model(job), 0);
  assert_int_equal(nsds_shapes_at(set, 0, &info), NSDS_OK);
  assert_int_equal(info.nvertex, 8);
  for (int k = 0; k < 24; ++k) assert_close("a corner", fabs(info.vertex[k]), 1.0, 1e-12);
  assert_int_equal(nsds_job_warning_count(job), 0);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

/* ---- masses and circles ------------------------------------------------------------------------ */

static void bodies_without_mass(void **unused) {
  (void)unused;
  refuse("<mujoco><worldbody><body><freejoint/></body></worldbody></mujoco>",
         "the body moves and has no mass");
  refuse(
      "<mujoco><worldbody><body><joint/><inertial pos=\"0 0 0\" mass=\"0\" diaginertia=\"0 0 0\"/>"
      "</body></worldbody></mujoco>",
      "the body moves and has no mass");
  refuse(
      "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><joint name=\"j\" type=\"continuous\">"
      "<parent link=\"a\"/><child link=\"b\"/></joint></robot>",
      "the link moves and has the mass 0");
}

static void circles_of_parents(void **unused) {
  (void)unused;
  refuse("<robot name=\"r\"><link name=\"a\"/><joint name=\"j\" type=\"continuous\"><parent "
         "link=\"a\"/><child link=\"a\"/></joint></robot>",
         "the joints go round in a circle");
  refuse("<robot name=\"r\"><link name=\"w\"/><link name=\"a\"/><link name=\"b\"/>"
         "<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/></joint>"
         "<joint name=\"k\" type=\"fixed\"><parent link=\"b\"/><child link=\"a\"/></joint></robot>",
         "hangs on a circle of joints");
}

/* ---- over time --------------------------------------------------------------------------------- */

static nsds_job *started(nsds_context *context, const char *text) {
  nsds_job *job = nsds_job_create(
      context, &(nsds_job_def){.file = "test.xml", .text = text, .kind = NSDS_JOB_ROBOT});
  if (!job) fail_msg("%s", nsds_error_message(context));
  return job;
}

/* A ball of 2 kg falls on a rope of 1.5 m, hangs still at its end, and pulls with its weight. */
static void ropes_hold(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = started(
      context,
      "<mujoco><option timestep=\"0.001\" gravity=\"0 0 -10\"/><worldbody><site "
      "name=\"hook\" pos=\"0 0 3\"/><body name=\"ball\" pos=\"0 0 2\"><freejoint/><inertial "
      "pos=\"0 0 0\" mass=\"2\" diaginertia=\"1 1 1\"/><site name=\"eye\"/></body></worldbody>"
      "<tendon><spatial name=\"rope\" range=\"0 1.5\"><site site=\"hook\"/><site "
      "site=\"eye\"/></spatial></tendon></mujoco>");
  nsds_model *model = nsds_job_model(job);
  job_to_the_end(context, job);
  assert_close("the height", nsds_q(nsds_ds_at(model, 0))[2], 1.5, 1e-6);
  assert_close("the pull", nsds_lambda(nsds_interaction_at(model, 0))[0], 20.0, 1e-6);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

/* Two boxes slide on the ground: friction 1 stops one after v^2 / 2 g, and that of its pair the other. */
static void pairs_have_their_own_friction(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  nsds_job_setting setting = {"keyframe", "slide"};
  const char *text =
      "<mujoco><option timestep=\"0.0005\" gravity=\"0 0 -10\"/><worldbody><geom name=\"ground\" "
      "type=\"plane\" size=\"9 9 1\"/><body name=\"a\" pos=\"0 0 0.1\"><freejoint/><geom "
      "name=\"g\" type=\"box\" size=\"0.4 0.4 0.1\"/></body><body name=\"b\" pos=\"0 3 "
      "0.1\"><freejoint/><geom name=\"h\" type=\"box\" size=\"0.4 0.4 0.1\"/></body></worldbody>"
      "<contact><pair geom1=\"h\" geom2=\"ground\" friction=\"0.25\"/></contact><keyframe><key "
      "name=\"slide\" qvel=\"1 0 0 0 0 0 1 0 0 0 0 0\"/></keyframe></mujoco>";
  nsds_job *job = nsds_job_create(context, &(nsds_job_def){.file = "test.xml",
                                                           .text = text,
                                                           .kind = NSDS_JOB_ROBOT,
                                                           .nsettings = 1,
                                                           .settings = &setting});
  if (!job) fail_msg("%s", nsds_error_message(context));
  job_to_the_end(context, job);
  const nsds_model *model = nsds_job_model(job);
  assert_close("friction 1", nsds_q(nsds_ds_at(model, 0))[0], 0.05, 1e-3);
  assert_close("of the pair", nsds_q(nsds_ds_at(model, 1))[0], 0.2, 1e-3);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

/* The angle of a relative turn never exceeds the range, whatever the axis; it comes to rest there. */
static void ball_joints_stop(void **unused) {
  (void)unused;
  const double pi = 3.14159265358979323846;
  for (int k = 0; k < 6; ++k) {
    char text[1500];
    double most = 0.0, angle = 0.0;
    nsds_context *context = nsds_context_create(NULL);
    snprintf(text, sizeof text,
             "<mujoco><option timestep=\"0.001\" gravity=\"%g %g %g\"/><worldbody><body "
             "name=\"arm\" pos=\"1 2 3\" euler=\"20 30 40\"><joint name=\"ball\" type=\"ball\" "
             "range=\"0 40\"/><inertial pos=\"%g %g %g\" mass=\"2\" diaginertia=\"1 1.2 "
             "1.4\"/></body></worldbody><sensor><ballquat name=\"turn\" "
             "joint=\"ball\"/></sensor></mujoco>",
             10.0 * cos(k), 10.0 * sin(k), -3.0 * k, 0.3 - 0.1 * k, 0.2, 0.1 * k);
    nsds_job *job = started(context, text);
    while (nsds_job_step(job) == NSDS_OK) {
      angle = 2.0 * acos(fmin(1.0, fabs(nsds_job_row(job)[1])));
      most = fmax(most, angle);
    }
    assert_int_equal(nsds_error(context), NSDS_OK);
    if (!(most < 40.0 * pi / 180.0 + 0.01)) fail_msg("case %d turns by %g", k, most);
    assert_true(most > 39.0 * pi / 180.0);
    nsds_job_destroy(job);
    nsds_context_destroy(context);
  }
}

/* The color of a geom reaches the contact set, from which pages are drawn; other numbers are refused. */
/* ---- meshes that are drawn -------------------------------------------------------------------- */

enum { around = 120, across = 80 };

/* A ring of 19,200 triangles, which is not convex. */
static void write_ring(const char *name) {
  const double turn = 8.0 * atan(1.0);
  char *text = malloc(80 * 3 * around * across), *at = text;
  assert_non_null(text);
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) {
      double a = turn * i / around, b = turn * j / across, r = 1.0 + 0.3 * cos(b);
      at += sprintf(at, "v %.9f %.9f %.9f\n", r * cos(a), r * sin(a), 0.3 * sin(b));
    }
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) {
      int k = (i + 1) % around, l = (j + 1) % across;
      at += sprintf(at, "f %d %d %d %d\n", 1 + across * i + j, 1 + across * k + j,
                    1 + across * k + l, 1 + across * i + l);
    }
  write_text(folder, name, text);
  free(text);
}

static const nsds_shape_def *drawn_shape(const nsds_job *job, nsds_shape_kind kind) {
  int count;
  const nsds_shape_def *shape = nsds_job_shapes(job, &count);
  for (int k = 0; k < count; ++k)
    if (shape[k].kind == kind) return &shape[k];
  fail_msg("of %d drawn shapes none is of the kind %d", count, (int)kind);
  return NULL;
}

/* The area of triangles; each side of a closed mesh is a side of another face, the other way round. */
static double area_of(const nsds_shape_def *s) {
  double area = 0.0, sum[3] = {0.0};
  for (int f = 0; f < s->nface; ++f) {
    const double *a = s->vertex + 3 * s->face[3 * f], *b = s->vertex + 3 * s->face[3 * f + 1],
                 *c = s->vertex + 3 * s->face[3 * f + 2];
    double n[3];
    for (int i = 0; i < 3; ++i) {
      int j = (i + 1) % 3, k = (i + 2) % 3;
      n[i] = 0.5 * ((b[j] - a[j]) * (c[k] - a[k]) - (b[k] - a[k]) * (c[j] - a[j]));
      sum[i] += n[i];
    }
    area += sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  }
  for (int i = 0; i < 3; ++i) assert_close("the sum of all faces", sum[i], 0.0, 1e-3);
  return area;
}

/* A fine mesh is drawn by fewer faces of nearly the same area. The shape of contacts is hidden; the body and the
 * world have drawn shapes. Pages draw triangles on bodies. */
static void meshes_are_drawn(void **unused) {
  (void)unused;
  const double pi = 4.0 * atan(1.0);
  nsds_context *context = nsds_context_create(NULL);
  write_ring("m.obj");
  nsds_job *job = open_robot(
      context,
      "<robot name=\"r\"><link name=\"w\"><visual><geometry><mesh filename=\"m.obj\" scale=\"2 2 "
      "2\"/></geometry></visual></link><link name=\"b\"><inertial><mass value=\"1\"/><inertia "
      "ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial><visual>"
      "<geometry><mesh filename=\"m.obj\"/></geometry></visual><collision><geometry><sphere "
      "radius=\"1\"/></geometry></collision></link><joint name=\"f\" type=\"floating\"><parent "
      "link=\"w\"/><child link=\"b\"/></joint></robot>",
      NULL);
  if (!job) fail_msg("%s", nsds_error_message(context));
  assert_non_null(strstr(nsds_job_warning(job, 0), "the mesh has 19200 faces; it is drawn by"));
  int count;
  const nsds_shape_def *all = nsds_job_shapes(job, &count);
  assert_int_equal(count, 2);
  for (int k = 0; k < count; ++k) {
    double size = all[k].ds ? 1.0 : 4.0;
    assert_int_equal(all[k].kind, NSDS_TRIANGLES);
    assert_in_range(all[k].nface, 2000, 4000);
    assert_close("the area", area_of(&all[k]), size * 1.2 * pi * pi, size * 0.12 * pi * pi);
  }
  nsds_shape_info info;
  assert_int_equal(nsds_shapes_at(nsds_model_contact_set_at(nsds_job_model(job), 0), 0, &info),
                   NSDS_OK);
  assert_true(info.kind == NSDS_SPHERE && info.hidden);
  nsds_scene_def def = {.nshape = count, .shape = all};
  nsds_scene *scene = nsds_scene_create(context, nsds_job_model(job), &def);
  if (!scene) fail_msg("%s", nsds_error_message(context));
  nsds_scene_destroy(scene);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

/* MuJoCo's contacts see the hull of a mesh, and its pictures see the mesh. */
static void meshes_of_geoms_are_drawn(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  write_ring("m.obj");
  nsds_job *job = open_robot(context, FREE_MESH("m.obj"), NULL);
  if (!job) fail_msg("%s", nsds_error_message(context));
  nsds_shape_info info;
  assert_int_equal(nsds_shapes_at(nsds_model_contact_set_at(nsds_job_model(job), 0), 0, &info),
                   NSDS_OK);
  assert_true(info.kind == NSDS_HULL && info.hidden);
  assert_true(drawn_shape(job, NSDS_TRIANGLES)->ds == nsds_ds_at(nsds_job_model(job), 0));
  nsds_job_destroy(job);
  write_text(folder, "m.obj", tetrahedron); /* the hull of a convex mesh is drawn itself */
  job = open_robot(context, FREE_MESH("m.obj"), NULL);
  assert_int_equal(nsds_shapes_at(nsds_model_contact_set_at(nsds_job_model(job), 0), 0, &info),
                   NSDS_OK);
  assert_true(info.kind == NSDS_HULL && !info.hidden);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

/* Sweeps of robots write the last row of each run, and look for meshes in the search folders. */
static void sweeps_find_meshes(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  const char *const axes[] = {"g=1,10"};
  char path[300];
  write_text(outside, "link.obj", tetrahedron);
  write_text(folder, "robot.xml", FREE_MESH("link.obj"));
  snprintf(path, sizeof path, "%s/robot.xml", folder);
  nsds_sweep_def def = {.file = path, .naxes = 1, .axes = axes, .untrusted = true};
  assert_null(nsds_sweep_create(context, &def));
  assert_non_null(strstr(nsds_error_message(context), "link.obj\" cannot be read"));
  nsds_error_clear(context);
  def.folders = outside;
  nsds_sweep *sweep = nsds_sweep_create(context, &def);
  if (!sweep) fail_msg("%s", nsds_error_message(context));
  assert_int_equal(nsds_sweep_measure_count(sweep), 3);
  assert_string_equal(nsds_sweep_measure_name(sweep, 2), "body_1.q[2]");
  for (int k = 0; k < 2; ++k) {
    double row[3];
    assert_int_equal(nsds_sweep_run(sweep, k, row, path, sizeof path), NSDS_OK);
    assert_close("a fall of a second", row[2], k ? -5.0 : -0.5, 1e-9);
  }
  nsds_sweep_destroy(sweep);
  nsds_context_destroy(context);
}

static void colors_arrive(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = started(
      context,
      "<mujoco><default><geom rgba=\"0 0.5 1 1\"/></default><worldbody><body><freejoint/><geom "
      "size=\"1\"/><geom size=\"1\" pos=\"1 0 0\" rgba=\"0.25 0.5 0.75 "
      "0.1\"/></body></worldbody></mujoco>");
  nsds_contact_set *set = nsds_model_contact_set_at(nsds_job_model(job), 0);
  const double expected[2][3] = {{1e-3, 0.5, 1.0}, {0.25, 0.5, 0.75}}; /* black is no color */
  for (int k = 0; k < 2; ++k) {
    nsds_shape_info info;
    assert_int_equal(nsds_shapes_at(set, k, &info), NSDS_OK);
    for (int i = 0; i < 3; ++i) assert_close("a color", info.color[i], expected[k][i], 0.0);
  }
  nsds_shape_def bad = {.kind = NSDS_SPHERE, .radius = 1.0, .color = {0.0, 2.0, 0.0}};
  assert_int_equal(nsds_shapes_add(set, &bad), -1);
  assert_non_null(
      strstr(nsds_error_message(context), "color[1] is 2; valid are numbers in [0, 1]"));
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(entity_bombs),
    cmocka_unit_test(files_without_end),
    cmocka_unit_test(paths_out_of_the_folder),
    cmocka_unit_test(search_folders),
    cmocka_unit_test(height_fields_of_files),
    cmocka_unit_test(folders_of_includes),
    cmocka_unit_test(huge_meshes),
    cmocka_unit_test(meshes_without_numbers),
    cmocka_unit_test(bodies_without_mass),
#if NSDS_HAVE_QHULL
    cmocka_unit_test(hulls_of_many_points),
#endif

    cmocka_unit_test(circles_of_parents),
    cmocka_unit_test(ropes_hold),
    cmocka_unit_test(pairs_have_their_own_friction),
    cmocka_unit_test(ball_joints_stop),
    cmocka_unit_test(meshes_are_drawn),
    cmocka_unit_test(sweeps_find_meshes),
    cmocka_unit_test(meshes_of_geoms_are_drawn),
    cmocka_unit_test(colors_arrive)
  };
  return cmocka_run_group_tests(tests, make_folders, remove_folders);
}
