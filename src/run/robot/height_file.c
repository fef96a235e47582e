/*
 * Height fields of MJCF from files, see height_file.h. A PNG gives the first channel of its pixels in 8 bits,
 * from the top row down. MuJoCo's own format has the numbers of rows and columns, as integers of 32 bits.
 * Heights follow as floats of 32 bits, from the bottom row up. The lowest byte of a number comes first.
 */
#include "run/robot/height_file.h"
#include "run/robot/robot_open.h"

#include <nsds/extend.h>

#include <math.h>
#include <stdint.h>
#include <string.h>

#if NSDS_HAVE_PNG
#include <png.h>
#endif

bool nsds_heights_begin(nsds_robot *robot, const nsds_xml *at, double rows, double columns,
                        nsds_heights *heights) {
  const double most = nsds_most_height_rows;
  bool fine = rows >= 2.0 && columns >= 2.0 && rows <= most && columns <= most;
  if (!fine || rows != floor(rows) || columns != floor(columns))
    return nsds_robot_fail(robot, at,
                           "the height field has %g rows and %g columns; valid are 2 to %d each",
                           rows, columns, nsds_most_height_rows);
  *heights = (nsds_heights){.rows = (int)rows, .columns = (int)columns};
  heights->value = nsds_robot_memory(robot, (size_t)rows * (size_t)columns, sizeof(double));
  return heights->value != NULL;
}

/* ---- MuJoCo's format ---- */

static uint32_t word_at(const char *text, size_t k) {
  const unsigned char *u = (const unsigned char *)text + 4 * k;
  return u[0] | (uint32_t)u[1] << 8 | (uint32_t)u[2] << 16 | (uint32_t)u[3] << 24;
}

static bool read_mujoco_heights(nsds_robot *robot, const nsds_xml *at, const char *name,
                                const char *text, size_t size, nsds_heights *heights) {
  if (size < 8)
    return nsds_robot_fail(robot, at,
                           "%.200s has %zu bytes; valid are PNG, or rows and columns of 4 bytes "
                           "each and heights of 4 bytes",
                           name, size);
  if (!nsds_heights_begin(robot, at, word_at(text, 0), word_at(text, 1), heights)) return false;
  size_t count = (size_t)heights->rows * (size_t)heights->columns;
  if (size != 8 + 4 * count)
    return nsds_robot_fail(robot, at,
                           "%.200s has %zu bytes; with %d rows and %d columns of heights of 4 "
                           "bytes valid are %zu",
                           name, size, heights->rows, heights->columns, 8 + 4 * count);
  for (size_t k = 0; k < count; ++k) {
    uint32_t word = word_at(text, 2 + k);
    float height;
    memcpy(&height, &word, sizeof height);
    if (!isfinite(height))
      return nsds_robot_fail(robot, at, "height %zu of %.200s is %g; valid are finite numbers",
                             k + 1, name, (double)height);
    heights->value[k] = (double)height;
  }
  return true;
}

/* ---- PNG ---- */

static const char png_mark[] = "\x89PNG\r\n\x1a\n";

#if NSDS_HAVE_PNG
/* The rest of a file, and the reason of a failure. */
typedef struct png_source {
  const char *next;
  size_t left;
  char reason[120];
} png_source;

static void png_give(png_structp png, png_bytep to, size_t count) {
  png_source *source = png_get_io_ptr(png);
  if (count > source->left) png_error(png, "the file ends too early");
  memcpy(to, source->next, count);
  source->next += count;
  source->left -= count;
}

static void png_fail(png_structp png, png_const_charp reason) {
  png_source *source = png_get_error_ptr(png);
  strncat(source->reason, reason, sizeof source->reason - 1);
  png_longjmp(png, 1);
}

static void png_warn(png_structp png, png_const_charp reason) { (void)png, (void)reason; }

/* Reads the pixels; png_fail() returns to here. */
static bool png_pixels(png_structp png, png_infop info) {
  const int transforms = PNG_TRANSFORM_STRIP_16 | PNG_TRANSFORM_EXPAND | PNG_TRANSFORM_STRIP_ALPHA;
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_user_limits(png, nsds_most_height_rows, nsds_most_height_rows);
  png_read_png(png, info, transforms, NULL);
  return true;
}

static bool take_pixels(nsds_robot *robot, const nsds_xml *at, png_structp png, png_infop info,
                        nsds_heights *heights) {
  double rows = png_get_image_height(png, info), columns = png_get_image_width(png, info);
  png_bytepp row = png_get_rows(png, info);
  size_t channels = png_get_channels(png, info);
  if (!nsds_heights_begin(robot, at, rows, columns, heights)) return false;
  for (int i = 0; i < heights->rows; ++i)
    for (int k = 0; k < heights->columns; ++k)
      heights->value[(heights->rows - 1 - i) * heights->columns + k] = row[i][(size_t)k * channels];
  return true;
}
#endif

static bool read_png(nsds_robot *robot, const nsds_xml *at, const char *name, const char *text,
                     size_t size, nsds_heights *heights) {
#if NSDS_HAVE_PNG
  png_source source = {.next = text, .left = size};
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &source, png_fail, png_warn);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  bool fine = info != NULL;
  if (!info)
    nsds_robot_took(
        robot, nsds_report(robot->context, NSDS_ERROR_MEMORY, "out of memory for %.200s", name));
  if (fine) png_set_read_fn(png, &source, png_give);
  if (fine && !png_pixels(png, info))
    fine = nsds_robot_fail(robot, at,
                           "%.200s cannot be read: %s; valid are PNG files of 2 to %d "
                           "rows and columns",
                           name, source.reason, nsds_most_height_rows);
  fine = fine && take_pixels(robot, at, png, info, heights);
  png_destroy_read_struct(&png, &info, NULL);
  return fine;
#else
  (void)text, (void)size, (void)heights;
  return nsds_robot_fail(robot, at,
                         "%.200s is a PNG, and this library was built without libpng; valid are "
                         "elevation, and files in MuJoCo's own format",
                         name);
#endif
}

bool nsds_heights_read(nsds_robot *robot, const nsds_xml *at, const char *name,
                       nsds_heights *heights) {
  char reason[200] = "";
  size_t size = 0;
  char *text = nsds_robot_open(robot, at, name, &size, reason);
  if (robot->failed) return false;
  if (!text)
    return nsds_robot_fail(robot, at, "the height field %.200s cannot be read: %s", name, reason);
  bool png = size >= 8 && memcmp(text, png_mark, 8) == 0;
  bool fine = png ? read_png(robot, at, name, text, size, heights)
                  : read_mujoco_heights(robot, at, name, text, size, heights);
  nsds_free(text);
  return fine;
}
