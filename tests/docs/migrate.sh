#!/bin/sh
# migrate.sh SCRIPT FOLDER: script/migrate-0.2 turns old lines into new ones, names what needs an eye with file and
# line, and leaves the new lines alone when it runs again.
set -eu
script=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
failed=0

# becomes OLD NEW: OLD is rewritten to NEW, without a note.
becomes() {
  printf '%s\n' "$1" >old.c
  printf '%s\n' "$2" >new.c
  said=$(python3 "$script" old.c)
  cmp -s old.c new.c || { echo "$1 became: $(cat old.c)" && failed=1; }
  [ -z "$said" ] || { echo "$1: unexpected note: $said" && failed=1; }
  python3 "$script" new.c >/dev/null
  cmp -s old.c new.c || { echo "$2 does not stay, it became: $(cat new.c)" && failed=1; }
}

# notes OLD WORDS: a note with these words is printed for line 2 of the file.
notes() {
  printf '\n%s\n' "$1" >old.c
  python3 "$script" old.c | grep -F "old.c:2: " | grep -qF "$2" || { echo "no note \"$2\" for: $1" && failed=1; }
}

becomes 'nsds_global_solver *s = nsds_global_solver_create(context, NULL);' \
  'nsds_solver *s = nsds_solver_create(context, "global");'
becomes 'x = nsds_global_solver_create(f(a, ")"), "auto");' 'x = nsds_solver_create(f(a, ")"), "global");'
becomes 'x = nsds_global_solver_create(context, "admm");' 'x = nsds_solver_create(context, "global_admm");'
becomes 'nsds_global_solver_set(s, "tolerance", nsds_global_solver_get(s, "tolerance"));' \
  'nsds_solver_set(s, "tolerance", nsds_solver_get(s, "tolerance"));'
becomes 'nsds_global_solver_destroy(s); nsds_global_solver_set_progress(s, NULL, NULL);' \
  'nsds_solver_destroy(s); nsds_solver_set_progress(s, NULL, NULL);'
becomes 'nsds_solver_set(nsds_global_solver_inner(s), "relaxation", 1.2);' \
  'nsds_solver_set(nsds_solver_inner(s), "relaxation", 1.2);'
becomes 'row = nsds_global_solver_get_row(s);' 'row = nsds_solver_get_row(s);'
notes 'x = nsds_global_solver_create(context, name);' 'names of global methods'
notes 'nsds_global_solver_set_inner(s, "nsgs");' 'nsds_solver_create(context, "global_reduction/nsgs")'
notes 'row = nsds_global_table(k);' 'nsds_solver_table() lists all solvers'
becomes 'file = nsds_problem_read(context, path);' 'file = nsds_problem_read(context, path, NSDS_FORMAT_AUTO);'
becomes 'file = nsds_problem_read_as(context, path(1, 2), NSDS_FORMAT_LCP);' \
  'file = nsds_problem_read(context, path(1, 2), NSDS_FORMAT_LCP);'
becomes 'nsds_problem_write(context, &problem, "a,b.dat", format);' \
  'nsds_problem_write(context, &problem, NULL, "a,b.dat", format);'
becomes 'nsds_global_write(context, &problem, path, format);' 'nsds_global_write(context, &problem, NULL, path, format);'
becomes 'nsds_problem_write_with(context, &problem, notes, path, format);' \
  'nsds_problem_write(context, &problem, notes, path, format);'
becomes 'nsds_global_write_with(context, &problem, &(nsds_notes){.name = "a"}, path, format);' \
  'nsds_global_write(context, &problem, &(nsds_notes){.name = "a"}, path, format);'
exit $failed
