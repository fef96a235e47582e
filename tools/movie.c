/*
 * A movie: the browser opens the page, which draws its frames at once and appends them to its text as JPEG in base64.
 * The browser prints that text, the frames are decoded into one file, and ffmpeg makes the movie of them. All of this is
 * in a folder of its own, which is removed at the end. The complete movie is then copied beside the old one, and takes
 * its place as every output does.
 */
#define _XOPEN_SOURCE 700 /* nftw(), mkdtemp(), posix_spawnp() */

#include "movie.h"

#include "command.h"

#include <nsds/extend.h>

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { frames_a_second = 25, no_program = 127 };

/* Copies a file to the path of the movie; without a file it only tries whether the path can be written. */
static bool movie_put(const movie *film, const char *from) {
  nsds_context *context = nsds_context_create(&(nsds_context_def){.log = print_warning});
  nsds_output *output;
  size_t size = 0;
  char *all = NULL;
  nsds_status status = nsds_output_open(context, "nsds view: --movie", film->path, &output);
  if (!status) {
    all = from ? read_bytes(from, &size) : NULL;
    if (all) fwrite(all, 1, size, nsds_output_stream(output));
    status = nsds_output_close(output, all != NULL);
  }
  if (status) complain("%s", nsds_error_message(context));
  free(all);
  nsds_context_destroy(context);
  return !status && (all || !from);
}

bool movie_begin(movie *film) {
  if (!movie_put(film, NULL)) return false;
  const char *place = getenv("TMPDIR");
  if (!place || !place[0] || strlen(place) > 40) place = "/tmp";
  snprintf(film->folder, sizeof film->folder, "%s/nsds_movie_XXXXXX", place);
  if (!mkdtemp(film->folder)) {
    complain("nsds view: --movie: the folder %s cannot be made: %s; valid is a folder TMPDIR "
             "that you may write to",
             film->folder, strerror(errno));
    film->folder[0] = '\0';
    return false;
  }
  snprintf(film->page, sizeof film->page, "%s/page.html", film->folder);
  return true;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place) {
  (void)status, (void)kind, (void)place;
  remove(path);
  return 0;
}

void movie_end(movie *film) {
  if (film->folder[0]) nftw(film->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  film->folder[0] = '\0';
}

/* Runs a program found in PATH, with its output and messages in files. Returns its exit code; no_program: not found. */
static int run_program(const char *const *words, const char *output, const char *messages) {
  const int flags = O_WRONLY | O_CREAT | O_TRUNC;
  int code = no_program, status;
  pid_t child;
  posix_spawn_file_actions_t files;
  if (posix_spawn_file_actions_init(&files) != 0) return code;
  if (posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0) == 0 &&
      posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output, flags, 0600) == 0 &&
      posix_spawn_file_actions_addopen(&files, STDERR_FILENO, messages, flags, 0600) == 0 &&
      posix_spawnp(&child, words[0], &files, NULL, (char *const *)words, environ) == 0 &&
      waitpid(child, &status, 0) == child && WIFEXITED(status))
    code = WEXITSTATUS(status);
  posix_spawn_file_actions_destroy(&files);
  return code;
}

/* The text of the page after it has drawn its frames. */
static bool draw_frames(const movie *film, const char *text, const char *messages) {
  static const char *const browsers[] = {"chromium", "chromium-browser", "google-chrome"};
  char profile[96], page[160];
  snprintf(profile, sizeof profile, "--user-data-dir=%s/profile", film->folder);
  snprintf(page, sizeof page, "file://%s#movie=%d&speed=%.17g", film->page, frames_a_second,
           film->speed);
  for (size_t k = 0; k < sizeof browsers / sizeof *browsers; ++k) {
    const char *const words[] = {browsers[k],
                                 "--headless",
                                 "--use-angle=swiftshader",
                                 "--enable-unsafe-swiftshader",
                                 "--ignore-gpu-blocklist",
                                 "--disable-quic",
                                 "--no-first-run",
                                 "--disable-background-networking",
                                 "--disable-component-update",
                                 "--disable-sync",
                                 "--virtual-time-budget=10000",
                                 "--window-size=1280,900",
                                 "--dump-dom",
                                 profile,
                                 geteuid() == 0 ? "--no-sandbox" : "--mute-audio",
                                 page,
                                 NULL};
    int code = run_program(words, text, messages);
    if (code == 0) return true;
    if (code == no_program) continue;
    complain("nsds view: --movie %s: %s could not draw the page (exit code %d); "
             "valid is a chromium that starts with --headless",
             film->path, browsers[k], code);
    return false;
  }
  complain("nsds view: --movie %s: there is no browser; install chromium", film->path);
  return false;
}

static int digit_of(int c) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const char *found = c > 0 ? strchr(digits, c) : NULL;
  return found ? (int)(found - digits) : -1;
}

/* Decodes base64 to its end. */
static const char *decode_frame(const char *text, FILE *out) {
  unsigned bits = 0;
  int count = 0, digit;
  for (; (digit = digit_of((unsigned char)*text)) >= 0; ++text) {
    bits = bits << 6 | (unsigned)digit;
    if ((count += 6) < 8) continue;
    count -= 8;
    fputc((int)(bits >> count & 255u), out);
  }
  return text;
}

/* The frames of the page's text, one behind the other in a file. Returns their number. */
static int collect_frames(const char *text, const char *path) {
  static const char mark[] = "data:image/jpeg;base64,";
  size_t size;
  char *all = read_bytes(text, &size);
  FILE *out = all ? fopen(path, "wb") : NULL;
  int count = 0;
  if (out) {
    const char *at = strstr(all, "<pre id=\"movie\"");
    while (at && (at = strstr(at, mark))) {
      at = decode_frame(at + strlen(mark), out);
      ++count;
    }
    bool written = !ferror(out);
    if (fclose(out) != 0 || !written) count = 0;
  }
  free(all);
  return count;
}

/* The ending of the movie's name, which tells ffmpeg the format; "" where it has none. */
static const char *movie_ending(const movie *film) {
  const char *slash = strrchr(film->path, '/'), *dot = strrchr(film->path, '.');
  return dot && (!slash || dot > slash) && strlen(dot) < 16 ? dot : "";
}

bool movie_write(const movie *film) {
  char text[80], frames[80], messages[80], made[100], rate[16];
  snprintf(made, sizeof made, "%s/movie%s", film->folder, movie_ending(film));
  snprintf(text, sizeof text, "%s/text", film->folder);
  snprintf(frames, sizeof frames, "%s/frames", film->folder);
  snprintf(messages, sizeof messages, "%s/messages", film->folder);
  snprintf(rate, sizeof rate, "%d", frames_a_second);
  if (isatty(STDERR_FILENO))
    fprintf(stderr, "nsds view: a browser draws %s, which takes a minute or two\n", film->path);
  if (!draw_frames(film, text, messages)) return false;
  if (collect_frames(text, frames) == 0) {
    complain("nsds view: --movie %s: the page has drawn nothing; a movie needs a model with bodies",
             film->path);
    return false;
  }
  const char *const words[] = {"ffmpeg", "-y",   "-f",       "mjpeg",   "-framerate", rate,
                               "-i",     frames, "-pix_fmt", "yuv420p", made,         NULL};
  int code = run_program(words, text, messages);
  if (code == no_program)
    complain("nsds view: --movie %s: there is no ffmpeg; install it", film->path);
  else if (code != 0)
    complain("nsds view: --movie %s: ffmpeg could not write it (exit code %d); give a name that "
             "ends in .mp4 or .webm",
             film->path, code);
  return code == 0 && movie_put(film, made);
}
