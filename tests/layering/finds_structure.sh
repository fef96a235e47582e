#!/bin/sh
# finds_structure.sh ROOT WORK PYTHON: plants what script/structure counts, one at a time, in a copy of the
# sources: a function of a name that is there, circles of calls and of includes. Expects --check to say which count is above its limit; the copy without any must pass.
# The limits of the copy are its own counts, so that a count which has fallen below its limit is seen too.
set -eu
root=$1 work=$2 python=$3
rm -rf "$work"
mkdir -p "$work"
cp -R "$root/src" "$root/include" "$work/"
base=$work/src/base
failed=0

counts() { "$python" "$root/script/structure" --counts "$work"; }
counts >"$work/before.txt"

# expect COUNT: what was planted in src/base raises it.
expect() {
  if "$python" "$root/script/structure" --check "$work" "$work/before.txt" >"$work/found.txt" ||
    ! grep -q "^$1: [0-9]*, at most " "$work/found.txt"; then
    echo "not found: $1, planted as"
    cat "$base"/planted*
    cat "$work/found.txt"
    failed=1
  fi
  rm "$base"/planted*
}
plant() { printf '%s\n' "$2" >"$base/$1"; }

for name in lemke_solve nsds_solver_run; do
  plant planted.h ''
  plant planted.c "static int $name(int a) {
  return a;
}"
  expect 'names in two files'
done

for k in 1 2; do
  plant planted$k.h "int nsds_planted_$k(int a);"
  plant planted$k.c "int nsds_planted_$k(int a) {
  return a > 0 ? nsds_planted_$((3 - k))(a - 1) : 0;
}"
done
expect "circles of calls"

# The same by an inline function of a header, and by a macro.
plant planted.h '#define nsds_planted_macro(a) \
  nsds_planted_inline(a)
static inline int nsds_planted_inline(int a) { return nsds_planted_2(a); }'
plant planted1.h 'int nsds_planted_1(int a);'
plant planted2.h 'int nsds_planted_2(int a);'
plant planted1.c 'int nsds_planted_1(int a) {
  return nsds_planted_macro(a);
}'
plant planted2.c 'int nsds_planted_2(int a) {
  return nsds_planted_1(a);
}'
expect "circles of calls"

# Three headers in a ring, and a source in C++ in it; two would be a pair.
plant planted1.h '#include "base/planted2.h"'
plant planted2.h '#include "base/planted3.h"'
plant planted3.h 'int nsds_planted_3(int a);'
plant planted3.cpp '#include "base/planted1.h"'
expect 'circles of includes'

# Strings and comments are no code.
plant planted1.h 'int nsds_planted_1(int a);'
plant planted2.h 'int nsds_planted_2(int a);'
plant planted1.c 'int nsds_planted_1(int a) {
  return nsds_planted_2(a);
}'
plant planted2.c '/* nsds_planted_1() */
int nsds_planted_2(int a) {
  return a + sizeof "nsds_planted_1()";
}'
counts | cmp - "$work/before.txt" || failed=1
rm "$base"/planted*
"$python" "$root/script/structure" --check "$work" || failed=1
exit $failed
