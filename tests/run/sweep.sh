#!/bin/sh
# sweep.sh NSDS FOLDER H5_CSV [MPIRUN]: one table, however a sweep is run: alone, by threads, killed twice and resumed, as
# four shards, and by two processes of mpirun. HDF5 has the contents of CSV, unless H5_CSV is "", in a build without it.
set -eu
nsds=$1 folder=$2 h5_csv=$3 mpirun=${4-}
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
cat >ball.yaml <<'END'
nsds: 1
name: ball
parameters: {e: 0.5, g: 9.81}
systems:
  ball: {type: lagrangian_linear, q0: 1, mass: 1, fext: [-g]}
interactions:
  floor:
    systems: ball
    relation: {type: lagrangian_linear, H: 1}
    law: {type: newton_impact, e: e}
simulation: {type: time_stepping, t1: 2, h: 1e-4}
outputs: {columns: [ball.q1]}
measures:
  end: {kind: final, of: ball.q1}
  top: {kind: max, of: ball.q1, from: 0.6}
END
version=$("$nsds" --version | cut -d " " -f 1-2)
over="--over e=0.1:1.1:101 --over g=9.81,1.62"
points=202

fail() {
  echo "$*"
  exit 1
}
same() { cmp -s alone.csv "$1.csv" || fail "$1.csv differs from alone.csv"; [ ! -e "$1.csv.part" ] || fail "$1 left records"; }

"$nsds" sweep ball.yaml $over -o alone.csv -j 1 2>alone.log
[ "$(wc -l <alone.csv)" -eq $((points + 2)) ] || fail "the table has $(wc -l <alone.csv) lines"
[ "$(head -1 alone.csv)" = "# nsds ${version#nsds }, file ball.yaml, sampling grid, seed 0" ] ||
  fail "facts: $(head -1 alone.csv)"
[ "$(sed -n 2p alone.csv)" = e,g,end,top,error ] || fail "head: $(sed -n 2p alone.csv)"
# e > 1 is refused: 10 values of e, twice; the others have numbers and no message
[ "$(grep -c 'nan,nan,".*valid are numbers in \[0, 1\]"$' alone.csv)" -eq 20 ] || fail "failures are not rows"
[ "$(grep -c ',$' alone.csv)" -eq $((points - 20)) ] || fail "points without a message"
grep -q '20 of 202 points failed' alone.log || fail "failures are not counted"
[ "$(tail -1 alone.log)" = "202 points in alone.csv" ] || fail "the end is not told: $(tail -1 alone.log)"
# steps of 0.01 are decimals: 0.11, not 0.11000000000000001
sed 1,2d alone.csv | cut -d, -f1 | uniq | tr '\n' ' ' >values
seq 10 110 | awk '{ printf "%g ", $1 / 100 }' >decimals
cmp -s values decimals || fail "values: $(cat values)"
! grep -q '\[#' alone.log || fail "a progress bar in a log"

# the first point of a sweep may be invalid, and the first and the last: the rows of the others are there
"$nsds" sweep ball.yaml --over e=1.5:0.5:3 -o falling.csv 2>log
[ "$(grep -c ',$' falling.csv)" -eq 2 ] || fail "a sweep whose first point is invalid: $(cat falling.csv)"
"$nsds" sweep ball.yaml --over e=-1,0.5,1.5 -o middle.csv 2>log
[ "$(grep -c ',$' middle.csv)" -eq 1 ] || fail "a sweep whose ends are invalid: $(cat middle.csv)"
"$nsds" sweep ball.yaml --over e=1.5:1.6:20 -o none.csv 2>log && fail "a sweep without a valid point"
grep -q 'e is 1.5; valid are numbers in' log || fail "a sweep without a valid point says $(cat log)"

"$nsds" sweep ball.yaml $over -o threads.csv -j 4 2>log
same threads

# killed at some point, twice
for k in 1 2; do
  "$nsds" sweep ball.yaml $over -o killed.csv -j 2 2>log &
  pid=$!
  lines=0
  while [ $lines -lt $((k * 60)) ] && kill -0 $pid 2>/dev/null; do
    lines=$( { wc -l <killed.csv.part; } 2>/dev/null || echo 0)
  done
  kill -9 $pid 2>/dev/null || true
  wait $pid 2>/dev/null || true
  [ ! -e killed.csv.part ] || printf '17\tdead' >>killed.csv.part # a line without its end
done
"$nsds" sweep ball.yaml $over -o killed.csv 2>log
same killed

for k in 2 0 3 1; do "$nsds" sweep ball.yaml $over -o shards.csv --shard $k/4 2>log; done
"$nsds" merge shards.csv
same shards
[ -z "$(ls | grep part || true)" ] || fail "records are left: $(ls)"

SLURM_ARRAY_TASK_ID=5 SLURM_ARRAY_TASK_MIN=5 SLURM_ARRAY_TASK_COUNT=2 "$nsds" sweep ball.yaml $over -o slurm.csv 2>log
"$nsds" merge slurm.csv 2>log && fail "half of an array was merged"
SLURM_ARRAY_TASK_ID=6 SLURM_ARRAY_TASK_MIN=5 SLURM_ARRAY_TASK_COUNT=2 "$nsds" sweep ball.yaml $over -o slurm.csv 2>log
"$nsds" merge slurm.csv
same slurm

# records of another sweep are refused
printf 'nsds sweep records 2 0000000000000001 202\nnsds\t0\ne\n' >other.csv.part
"$nsds" sweep ball.yaml $over -o other.csv 2>log && fail "records of another sweep were taken"
grep -q 'records of another sweep' log || fail "$(cat log)"

# random points: the seed decides; a Latin hypercube has one point in each part of each axis
"$nsds" sweep ball.yaml --over e=0:1 --over g=1:10 --random 20 --seed 3 -o random.csv
"$nsds" sweep ball.yaml --over e=0:1 --over g=1:10 --random 20 --seed 3 -o again.csv -j 1
cmp -s random.csv again.csv || fail "one seed gives two tables"
"$nsds" sweep ball.yaml --over e=0:1 --over g=1:10 --random 20 --seed 4 -o other_seed.csv
cmp -s random.csv other_seed.csv && fail "two seeds give one table"
"$nsds" sweep ball.yaml --over e=0:1 --over g=1:11 --latin 20 --seed 3 -o latin.csv
parts=$(awk -F, 'NR > 2 { e[int($1 * 20)]; g[int(($2 - 1) * 2)] } END { print length(e), length(g) }' latin.csv)
[ "$parts" = "20 20" ] || fail "the hypercube has $parts of 20 20 parts"

for bad in '--over e' '--over e=1:2' '--over e=a:2:3' '--over e=1:2:0' '--over e=1:2:3:lin' '--over e=0:1:3:log' \
  '--over x=1,2' '--over e=1:2:3 --shard 4/4' '--over e=1:2:3 --random 0' '--over e=1,2 --latin 3' ''; do
  "$nsds" sweep ball.yaml $bad -o bad.csv 2>log && fail "taken: $bad"
  [ -s log ] || fail "no message: $bad"
done

"$nsds" sweep ball.yaml --over g=9.81,1.62 --set e=0.25 -o set.csv
head -1 set.csv | grep -q ', set e=0.25$' || fail "settings: $(head -1 set.csv)"

[ -n "$mpirun" ] || { echo "no mpirun (see packages.txt)"; exit 0; }
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "$mpirun" --oversubscribe -n 2 "$nsds" sweep ball.yaml $over -o mpi.csv 2>log
same mpi

[ -n "$h5_csv" ] || exit 0
over="--over e=0.7:1.1:5 --over g=9.81,1.62"
"$nsds" sweep ball.yaml $over -o few.csv 2>log
"$nsds" sweep ball.yaml $over -o few.h5 2>log
"$h5_csv" few.h5 nsds file sampling seed >few_h5.csv
cmp few_h5.csv few.csv || fail "HDF5 and CSV differ"
for k in 1 0; do "$nsds" sweep ball.yaml $over -o few_shards.h5 --shard $k/2 2>log; done
head -5 few_shards.h5.part-0-of-2 >few_killed.h5.part # as a killed process leaves it
"$nsds" merge few_shards.h5
"$nsds" sweep ball.yaml $over -o few_killed.h5 2>log
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "$mpirun" --oversubscribe -n 2 "$nsds" sweep ball.yaml $over -o few_mpi.hdf5 2>log
for k in few_shards.h5 few_killed.h5 few_mpi.hdf5; do cmp few.h5 $k || fail "$k differs from few.h5"; done
[ -z "$(ls few* | grep part || true)" ] || fail "records are left: $(ls)"
