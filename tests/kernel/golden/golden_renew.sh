#!/bin/sh
# kernel_golden --renew takes new values of the scenes it is given, refuses another motion, and keeps the
# reason where it is given one.
#
#   golden_renew.sh PROGRAM TABLE SCRATCH
set -eu
program=$1 scratch=$3
mkdir -p "$scratch"
whole=$scratch/whole.txt table=$scratch/table.txt out=$scratch/out.txt
scene=halving other=dense_1

die() {
  echo "golden_renew: $*" >&2
  cat "$out" >&2
  exit 1
}
expect() { # STATUS WORDS COMMAND...
  status=0 wanted=$1 words=$2
  shift 2
  "$@" >"$out" 2>&1 || status=$?
  [ "$status" = "$wanted" ] || die "status $status in place of $wanted: $*"
  grep -q -e "$words" "$out" || die "no word of '$words': $*"
}

# The two scenes alone, of this build; FIELD of scene NAME replaced.
rm -f "$whole"
expect 0 '2 scenes renewed' "$program" --renew "$whole" "$scene" "$other"
plant() { # NAME FIELD VALUE
  awk -v name="$1" -v field="$2" -v value="$3" '$1 == name { $field = value } 1' "$whole" >"$table"
}

plant $scene 4 0123456789abcdef
expect 1 "$scene: other values than in the table, the same motion" \
  "$program" --check "$table" $scene $other
expect 0 '1 scenes as stored' "$program" --check "$table" $other
expect 0 '1 scenes renewed' "$program" --renew "$table" $scene
cmp "$whole" "$table" || die "renewed values are not those of the scene"

plant $scene 3 0123456789abcdef
cp "$table" "$table.before"
expect 1 "$scene: another motion than in the table" "$program" --check "$table" $scene
expect 1 "$scene: its motion is another one" "$program" --renew "$table" $scene $other
cmp "$table" "$table.before" || die "a refused renewal has changed the table"
expect 2 usage "$program" --renew "$table" --motion
expect 2 usage "$program" --renew "$table"
expect 0 '1 scenes renewed' "$program" --renew "$table" --motion 'rounds once less' $scene
expect 0 '2 scenes as stored' "$program" --check "$table" $scene $other
grep -qx "# $scene: rounds once less" "$table" || die "the reason is not in the table"
expect 1 'there is no such scene' "$program" --renew "$table" no_such_scene

# Another machine: what does not depend on it is compared.
sed 's/^machine .*/machine 0123456789abcdef/' "$whole" >"$table"
expect 0 '1 scenes as stored' "$program" --check "$table" $scene
machine=tumbling
sed -n "s/^machine .*/machine 0123456789abcdef/p; /^$machine /p" "$2" >"$table"
expect 1 '1 scenes not compared' "$program" --check "$table" $machine
expect 1 'depends on libm or BLAS' "$program" --renew "$table" $machine
rm -r "$scratch"
