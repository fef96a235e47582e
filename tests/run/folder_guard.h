/* Watches which files a library opens: only regular files of one folder, only to read them; no shared objects, no commands. */
#ifndef NSDS_TESTS_FOLDER_GUARD_H
#define NSDS_TESTS_FOLDER_GUARD_H

/* From here on calls are watched; `folder` is a real path. */
void folder_guard_begin(const char *folder);
/* No longer. Returns what was done against the rules, "" for nothing. */
const char *folder_guard_end(void);

#endif
