#!/bin/sh
# finds_violations.sh ROOT WORK NM CC: plants violations, one at a time, in a copy of the sources and
# expects rooms.sh to name each; the copy without any must pass.
set -eu
root=$1 work=$2 nm=$3 cc=$4
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$work"
mkdir -p "$work/copy"
for folder in include src tools examples bench; do
  [ ! -d "$root/$folder" ] || cp -R "$root/$folder" "$work/copy/"
done
failed=0

sh "$here/rooms.sh" "$work/copy" || { echo "the copy without violations does not pass"; failed=1; }

# plant FILE INCLUDE
plant() {
  printf '#include %s\n' "$2" >"$work/copy/$1"
  if sh "$here/rooms.sh" "$work/copy" >"$work/found.txt"; then
    echo "not found: $2 in $1"
    failed=1
  elif ! grep -q "^$1: " "$work/found.txt"; then
    echo "$2 in $1: found something else:"
    cat "$work/found.txt"
    failed=1
  fi
  rm "$work/copy/$1"
}
plant src/base/planted.c '"numerics/linear/factor.h"'
plant src/base/planted.c '<nsds/problem.h>'
plant src/numerics/planted.c '"kernel/modeling/modeling.h"'
plant src/numerics/planted.h '<nsds/model.h>'
plant src/kernel/modeling/planted.c '"kernel/simulation/simulation.h"'
plant src/kernel/modeling/planted.c '"kernel/assembly/plan.h"'
plant src/kernel/assembly/planted.c '"kernel/integrators/moreau_jean.h"'
plant src/kernel/integrators/planted.c '"kernel/simulation/queue.h"'
plant src/kernel/modeling/planted.c '<nsds/nsds.h>'
plant src/kernel/simulation/planted.c '"kernel/stepping/time_stepping_driver.h"'
plant src/kernel/stepping/planted.c '"kernel/events/event_rows.h"'
plant src/run/job/planted.c '"base/base.h"'
plant src/run/job/planted.c '"run/circuit/elements.h"'
plant src/run/circuit/planted.c '"run/model/yaml_tree.h"'
plant src/run/scene/planted.c '"run/expression/expression_tree.h"'
plant src/run/planted.h '<nsds/run.h>'
plant src/base/text/planted.c '<nsds/run.h>'
plant src/io/planted.c '<nsds/run.h>'
plant src/io/planted.c '<nsds/mpi.h>'
plant src/mpi/planted.c '"kernel/modeling/modeling.h"'
plant examples/planted.c '"base/base.h"'
plant examples/scenes/planted.c '"../../src/numerics/linear/factor.h"'
plant include/nsds/planted.h '"base/base.h"'
plant src/planted.h '<math.h>'

# symbols: an object of numerics that calls the kernel, declared by hand
objects=$work/objects/src
mkdir -p "$objects/numerics" "$objects/kernel/modeling"
printf 'int nsds_far(void);\nint nsds_near(void);\nint nsds_near(void) { return nsds_far(); }\n' \
  >"$work/near.c"
printf 'int nsds_far(void);\nint nsds_far(void) { return 1; }\n' >"$work/far.c"
for k in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do # enough to be taken seriously
  printf 'int use_%s(void);\nint call_%s(void);\nint call_%s(void) { return use_%s(); }\n' \
    $k $k $k $k >>"$work/near.c"
done
"$cc" -c "$work/near.c" -o "$objects/numerics/near.o"
"$cc" -c "$work/far.c" -o "$objects/kernel/modeling/far.o"
printf '%s\n' "$objects/numerics/near.o" "$objects/kernel/modeling/far.o" >"$work/list.txt"
if sh "$here/rooms.sh" "$work/copy" "$work/list.txt" "$nm" >"$work/found.txt" ||
  ! grep -q 'near.o: calls nsds_far of' "$work/found.txt"; then
  echo "not found: a call from numerics into modeling"
  failed=1
fi
exit $failed
