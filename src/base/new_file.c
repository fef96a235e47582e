/* Files that replace others when they are complete, see new_file.h. */
#define _XOPEN_SOURCE 700 /* realpath(), fsync(), lstat(), ftruncate() */
#include "base/new_file.h"

#include "base/context.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

static const char new_ending[] = ".new";

/* Fails with the reason from the system, which stands alone if `what` is NULL. */
static nsds_status new_file_fail(const nsds_new_file *f, const char *path, const char *what) {
  int reason = errno;
  return nsds_fail(f->context, NSDS_ERROR_IO, "%s%s%s: %s: %s", f->call ? f->call : "",
                   f->call ? ": " : "", path, what, strerror(reason));
}

static const char *kind_of_file(mode_t mode) {
  return S_ISDIR(mode)    ? "a folder"
         : S_ISFIFO(mode) ? "a pipe"
         : S_ISCHR(mode)  ? "a device"
         : S_ISBLK(mode)  ? "a device"
         : S_ISSOCK(mode) ? "a socket"
                          : "no regular file";
}

static nsds_status new_file_refuse(const nsds_new_file *f, const char *path, mode_t mode) {
  return nsds_fail(f->context, NSDS_ERROR_IO,
                   "%s%s%s: cannot be written: it is %s; valid is a regular file, or a name that "
                   "is free",
                   f->call ? f->call : "", f->call ? ": " : "", path, kind_of_file(mode));
}

/* Finds the place of the new file: behind links, at a regular file or at none. */
static nsds_status new_file_find(nsds_new_file *f) {
  struct stat found;
  char resolved[PATH_MAX];
  const char *target = f->path;
  if (lstat(f->path, &found) == 0) {
    if (S_ISLNK(found.st_mode)) {
      target = realpath(f->path, resolved);
      if (!target || stat(target, &found) != 0)
        return new_file_fail(f, f->path, "the symbolic link leads nowhere");
    }
    f->in_place = f->anywhere && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode);
    if (!f->in_place && !S_ISREG(found.st_mode)) return new_file_refuse(f, f->path, found.st_mode);
    f->mode = (unsigned)(found.st_mode & 07777);
  } else if (errno != ENOENT) {
    return new_file_fail(f, f->path, "cannot be written");
  }
  size_t length = strlen(target);
  f->target = nsds_alloc(f->context, "name of a file", length + 1, 1);
  f->beside = nsds_alloc(f->context, "name of a file", length + sizeof new_ending, 1);
  if (!f->target || !f->beside) return NSDS_ERROR_MEMORY;
  memcpy(f->target, target, length + 1);
  memcpy(f->beside, target, length);
  memcpy(f->beside + length, new_ending, sizeof new_ending);
  return NSDS_OK;
}

/* Removes the file of a killed process. Any other file is not ours. */
static nsds_status new_file_make(nsds_new_file *f) {
  struct stat found;
  if (lstat(f->beside, &found) == 0) {
    if (!S_ISREG(found.st_mode)) return new_file_refuse(f, f->beside, found.st_mode);
    unlink(f->beside);
  }
  int descriptor = open(f->beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) return new_file_fail(f, f->beside, "cannot be opened for writing");
  if (f->mode != 0) (void)!fchmod(descriptor, (mode_t)f->mode);
  f->file = fdopen(descriptor, "wb");
  if (f->file) return NSDS_OK;
  nsds_status status = new_file_fail(f, f->beside, "cannot be opened for writing");
  close(descriptor);
  unlink(f->beside);
  return status;
}

static void new_file_release(nsds_new_file *f) {
  nsds_release(f->context, f->target);
  nsds_release(f->context, f->beside);
  f->target = f->beside = NULL;
  f->file = NULL;
}

static nsds_status new_file_begin(nsds_new_file *f) {
  nsds_status status = new_file_find(f);
  if (!status && !f->in_place) status = new_file_make(f);
  else if (!status && !(f->file = fopen(f->target, "wb")))
    status = new_file_fail(f, f->path, "cannot be opened for writing");
  if (status) new_file_release(f);
  return status;
}

nsds_status nsds_new_file_open(nsds_new_file *f, nsds_context *context, const char *call,
                               const char *path) {
  *f = (nsds_new_file){.context = context, .call = call, .path = path};
  return new_file_begin(f);
}

nsds_status nsds_new_file_open_anywhere(nsds_new_file *f, nsds_context *context, const char *call,
                                        const char *path) {
  *f = (nsds_new_file){.context = context, .call = call, .path = path, .anywhere = true};
  return new_file_begin(f);
}

/* Writes the entry of the folder to the disk too, as far as the system does that. */
static void new_file_settle(const nsds_new_file *f) {
  char *slash = strrchr(f->target, '/');
  if (slash) slash[slash == f->target] = '\0';
  int folder = open(slash ? f->target : ".", O_RDONLY | O_CLOEXEC);
  if (folder < 0) return;
  (void)!fsync(folder);
  close(folder);
}

static nsds_status new_file_close_in_place(nsds_new_file *f) {
  bool written = !ferror(f->file) && fflush(f->file) == 0;
  nsds_status status = written ? NSDS_OK : new_file_fail(f, f->path, "cannot be written");
  if (fclose(f->file) != 0 && !status) status = new_file_fail(f, f->path, "cannot be written");
  new_file_release(f);
  return status;
}

nsds_status nsds_new_file_close(nsds_new_file *f, bool complete) {
  nsds_status status = NSDS_OK;
  if (f->in_place) return new_file_close_in_place(f);
  bool written =
      !ferror(f->file) && fflush(f->file) == 0 && (f->in_haste || fsync(fileno(f->file)) == 0);
  if (complete && !written) status = new_file_fail(f, f->path, "cannot be written");
  bool closed = fclose(f->file) == 0;
  if (complete && !status && !closed) status = new_file_fail(f, f->path, "cannot be written");
  bool takes = complete && !status;
  if (takes && rename(f->beside, f->target) != 0)
    status = new_file_fail(f, f->path, "cannot take the place of what is there");
  if (!takes || status) unlink(f->beside);
  else if (!f->in_haste) new_file_settle(f);
  new_file_release(f);
  return status;
}
