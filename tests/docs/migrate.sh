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
# Fields of systems that are assigned: the declaration tells whose they are; without it there is a note.
becomes 'nsds_lagrangian_def D = {0}; D.prescribed = idx; D.nprescribed = 1; D.prescribed_fn = f;' \
  'nsds_lagrangian_def D = {0}; D.prescribed.index = idx; D.prescribed.n = 1; D.prescribed.fn = f;'
becomes 'nsds_rigid_body_def a = {.mass = 1}, *D = &a; D->force_fn = push; D->force_in_body = true;' \
  'nsds_rigid_body_def a = {.mass = 1}, *D = &a; D->force.fn = push; D->force.in_body = true;'
becomes 'nsds_rigid_body_2d_def D = {0}; D.force_fn = push;' 'nsds_rigid_body_2d_def D = {0}; D.force_fn = push;'
becomes 'nsds_lagrangian_def D = {0}, d = {0}; D.prescribed = d.prescribed;' \
  'nsds_lagrangian_def D = {0}, d = {0}; D.prescribed = d.prescribed;'
notes 'nsds_make(&mine); mine.prescribed = idx;' 'prescribed is prescribed.index now'
notes 'nsds_make(&mine); mine->force_fn = push;' 'force_fn is force.fn now; bodies in the plane keep force_fn'
# Schemes: with one order of systems in the file its own field alone, else both with the same theta.
second='nsds_model_create(NULL); nsds_lagrangian_linear(m, &d); '
first='nsds_model_create(NULL); nsds_first_order(m, &d); '
becomes "$second"'s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1, .theta = 0.7});' \
  "$second"'s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1, .second_order = nsds_moreau_jean(0.7, 1.0)});'
becomes "$first"'nsds_time_stepping_def d = {.scheme = NSDS_THETA_GAMMA, .gamma = 0.6, .initial_lambda = true, .h = 0.1};' \
  "$first"'nsds_time_stepping_def d = {.first_order = nsds_with_initial_lambda(nsds_theta_gamma(0.5, 0.6)), .h = 0.1};'
becomes 'nsds_time_stepping_def d = {.h = 0.1, .theta = NSDS_ZERO};' \
  'nsds_time_stepping_def d = {.h = 0.1, .first_order = nsds_euler_moreau(0.0), .second_order = nsds_moreau_jean(0.0, 1.0)};'
becomes 'nsds_time_stepping_def d = {.h = 0.1, .gamma_mass = 0.5, .predict_once = true, .newton_accept = true};' \
  'nsds_time_stepping_def d = {.h = 0.1, .second_order = nsds_with_predict_once(nsds_with_gamma_mass(nsds_moreau_jean(0.5, 1.0), 0.5)), .newton = {.accept = true}};'
becomes 'd[] = (nsds_time_stepping_def[]){{.h = f(1, 2), .second_order_scheme = NSDS_D1_MINUS}, {.h = 0.2}};' \
  'd[] = (nsds_time_stepping_def[]){{.h = f(1, 2), .second_order = nsds_d1_minus()}, {.h = 0.2}};'
becomes 'nsds_time_stepping_def d = {.h = 0.1, .activation_tolerance = NSDS_ZERO, .max_halvings = -1};' \
  'nsds_time_stepping_def d = {.h = 0.1, .activation = nsds_activation(0.5, 0.0), .max_halvings = NSDS_HALVE_NEVER};'
becomes 'nsds_event_driven_def d = {.t1 = 1.0, .h = 0.1, .accumulation = NSDS_ZERO};' \
  'nsds_event_driven_def d = {.t1 = 1.0, .output_period = 0.1, .accumulation = NSDS_ACCUMULATE_NEVER};'
becomes 'nsds_ds_discretise(ds, NULL);' 'nsds_ds_discretise(ds, (nsds_discretisation){0});'
notes 'nsds_time_stepping_def d = {.theta = x};' '0 was the default, and is 0 now'
notes 'nsds_time_stepping_def *d; d->theta = x;' 'give .first_order or .second_order'
notes 'static const nsds_time_stepping_def d = {.theta = 1.0};' 'd is a function now'
notes 'nsds_ds_discretise(ds, &(nsds_discretisation){.theta = 1.0});' 'by value'
exit $failed
