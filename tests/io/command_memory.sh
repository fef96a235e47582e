#!/bin/sh
# command_memory.sh NSDS PRELOAD: each allocation of the command fails in turn; it then says that memory
# is short and ends with 1, and without a failure it ends with 0.
set -u
export LC_ALL=C
nsds=$1 preload=$2
failed=0
rm -rf memory && mkdir memory && cd memory || exit 1

printf '2\n0\n2\n2\n2 2\n2 1\n1 2\n-5 -6\n' >good.dat
printf '2\n1\n0\n2\n2\n2 2\n1 0\n0 1\n0\n2\n2\n2 2\n1 0\n0 1\n-1 0.25\n0 0\n0.5\n' >global.dat
mkdir folder
cp good.dat folder/a.dat
cp global.dat folder/b.dat

# sweep LEAST WORD...: nsds WORD... with each allocation failing, of which there are at least LEAST
sweep() {
  least=$1 k=1
  shift
  while :; do
    NSDS_TEST_FAIL_AT=$k LD_PRELOAD=$preload "$nsds" "$@" >out 2>err
    got=$?
    grep -q '^an allocation has failed$' err || break
    if [ $got -ne 1 ] || ! grep -q 'out of memory\|Cannot allocate memory' err; then
      echo "nsds $*: allocation $k failed: exit code $got"
      cat out err
      failed=1
    fi
    k=$((k + 1))
  done
  if [ $got -ne 0 ] || [ $k -le "$least" ]; then
    echo "nsds $*: $((k - 1)) allocations failed; without a failure the exit code is $got"
    failed=1
  fi
}

sweep 20 solve good.dat
sweep 20 solve --solver lemke --json good.dat
sweep 40 solve --solutions found --csv folder good.dat
sweep 20 solve --solver nsgs global.dat
sweep 20 solve -j 3 --csv folder
sweep 10 certify good.dat found/folder_a.dat.json
sweep 5 certify global.dat found/folder_b.dat.json
sweep 5 convert good.dat other.dat --to mlcp
sweep 5 convert global.dat other.dat
cd .. && rm -rf memory
exit $failed
