#!/bin/sh
# finds_names.sh ROOT WORK PYTHON: plants a second function of a name that is there, static and public, in a
# copy of the sources, and expects script/structure to name both places.
set -eu
root=$1 work=$2 python=$3
rm -rf "$work"
mkdir -p "$work"
cp -R "$root/src" "$work/"
failed=0
for name in lemke_solve nsds_solver_run; do
  printf 'static int %s(int a) {\n  return a;\n}\n' $name >"$work/src/base/planted.c"
  if "$python" "$root/script/structure" --check "$work" >"$work/found.txt" ||
    ! grep -q "^$name() is defined in src/base/planted.c and " "$work/found.txt"; then
    echo "not found: a second $name()"
    failed=1
  fi
done
rm "$work/src/base/planted.c"
"$python" "$root/script/structure" --check "$work" || failed=1
exit $failed
