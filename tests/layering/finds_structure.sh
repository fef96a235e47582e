#!/bin/sh
# finds_structure.sh ROOT WORK PYTHON: plants what script/structure counts, one at a time, in a copy of the
# sources: a function of a name that is there, a declaration in a foreign header, a circle between two
# sources, and more. Expects --check to say which count is above its limit; the copy without any must pass.
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

plant planted.c 'static int planted_one(int a) {
  return a;
}'
expect 'without a header'

plant planted.h 'void nsds_factor_destroy(nsds_factor *factor);'
expect 'foreign declarations'

for k in 1 2; do
  plant planted$k.h "int nsds_planted_$k(int a);"
  plant planted$k.c "int nsds_planted_$k(int a) {
  return a > 0 ? nsds_planted_$((3 - k))(a - 1) : 0;
}"
done
expect circles

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
expect circles

for k in 1 2; do
  plant planted$k.h 'struct planted;'
  plant planted$k.c "static void plant_$k(struct planted *p) {
  p->planted_flag = true;
}"
done
plant planted.h 'struct planted {
  bool planted_flag;
};'
expect 'bools of two files'

fields=$(printf 'int f%s; ' $(seq 1 200))
plant planted.h "struct planted { $fields };"
expect 'fields of four structs'
fields=$(printf 'int f%s; ' $(seq 1 60))
for k in 1 2 3 4 5; do plant planted$k.h "struct planted$k { $fields };"; done
expect 'fields of any other'

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
