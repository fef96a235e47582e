#!/bin/sh
# A sweep writes the same bytes alone, by two processes, under MPI, and killed and resumed: from the
# results it had, also where the last of them was written in part. Another sweep does not take them.
#
#   sweep.sh CAM_SWEEP FOLDER [MPIEXEC CAM_SWEEP_MPI]
set -eu
program=$1 folder=$2
mpiexec=${3:-} program_mpi=${4:-}
count=40 turns=100

fail() {
  printf 'sweep.sh: %s\n' "$*" >&2
  exit 1
}
same() { cmp "$folder/alone.csv" "$folder/$1.csv" || fail "$1: other bytes than alone"; }
results() { # whole ones in FILE.part; a line of the table has commas
  if [ -f "$1" ]; then grep -c '^[0-9]* [0-9]* [0-9a-f]*$' "$1" || :; else echo 0; fi
}

rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

"$program" -t $turns -n $count -j 1 alone.csv
[ "$(grep -c , alone.csv)" -gt $count ] || fail "alone: fewer impacts than speeds"
"$program" -t $turns -n $count -j 2 two.csv
same two
[ ! -e two.csv.part ] || fail "two: the part is still there"

if [ -n "$mpiexec" ]; then
  # MPI's own leaks are not looked for
  ASAN_OPTIONS=detect_leaks=0 OMPI_MCA_rmaps_base_oversubscribe=1 \
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
    "$mpiexec" -n 3 "$program_mpi" -t $turns -n $count mpi.csv
  same mpi
fi

# Killed with some results done, alone and with workers.
for processes in 1 2; do
  killed=killed$processes
  "$program" -t $turns -n $count -j $processes $killed.csv &
  leader=$!
  while [ "$(results $killed.csv.part)" -lt 3 ] && kill -0 $leader 2>/dev/null; do sleep 0.01; done
  kill -9 $leader 2>/dev/null || fail "$killed: ended before it could be killed"
  wait $leader 2>/dev/null || :
  [ ! -e $killed.csv ] || fail "$killed: was done before it was killed"
  had=$(results $killed.csv.part)
  if [ "$had" -lt 3 ] || [ "$had" -ge $count ]; then fail "$killed: $had results"; fi
  cp $killed.csv.part kept
  "$program" -t $turns -n $count -j $processes $killed.csv
  same $killed
done

# From a part whose last result is torn, and one whose bytes have changed.
for damage in torn changed; do
  size=$(wc -c <kept)
  if [ $damage = torn ]; then head -c $((size - 7)) kept >$damage.csv.part
  else sed '$s/[0-9]/x/' kept >$damage.csv.part
  fi
  "$program" -t $turns -n $count -j 2 $damage.csv
  same $damage
done

cp kept other.csv.part
if "$program" -t $turns -n $((count + 1)) other.csv 2>message; then fail "took the results of another sweep"; fi
grep -q "another sweep" message || fail "does not say that the part is another sweep's"
cmp kept other.csv.part || fail "changed the results of another sweep"
