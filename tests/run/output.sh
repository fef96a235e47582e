#!/bin/sh
# output.sh NSDS FOLDER H5_CSV: what nsds run writes. HDF5 has the contents of CSV; H5_CSV "" means a build without it.
set -eu
nsds=$1 folder=$2 h5_csv=$3
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
cat >rc.cir <<'END'
* charging a capacitor
.param r=1k
V1 in 0 DC 10
R1 in out {r}
C1 out 0 1u
.tran 10u 1m
.print tran v(out) v(in,out) i(v1)
.measure tran top max v(out)
END

fail() {
  echo "$*"
  exit 1
}

"$nsds" run rc.cir --set r=2k -o rc.csv 2>measures
version=$("$nsds" --version | cut -d " " -f 1-2)
[ "$(head -1 rc.csv)" = "# $version, file rc.cir, set r=2k" ] || fail "facts: $(head -1 rc.csv)"
[ "$(sed -n 2p rc.csv)" = 't [s],v(out) [V],"v(in,out) [V]",i(v1) [A]' ] || fail "names: $(sed -n 2p rc.csv)"
grep -q '^1e-05,' rc.csv || fail "numbers: $(sed -n 4p rc.csv)"
"$nsds" run rc.cir --set r=2k >out 2>measures
cmp out rc.csv

# an output never takes the place of the file that is read, however it is named, nor of another output
cp rc.cir kept.cir
ln -s rc.cir link.cir
for words in "run rc.cir -o rc.cir" "run rc.cir -o ./rc.cir" "run rc.cir -o link.cir" "run rc.cir --html rc.cir" \
  "view rc.cir --no-open -o rc.cir" "view rc.cir --movie rc.cir" "sweep rc.cir --over r=1k,2k -o rc.cir"; do
  "$nsds" $words 2>log && fail "$words was done"
  grep -q 'is the file that is run' log || fail "$words: $(cat log)"
  cmp rc.cir kept.cir
done
"$nsds" run rc.cir --vtk rc.pvd 2>log && fail "a circuit in VTK files"
grep -q 'rc.cir has no bodies' log || fail "VTK: $(cat log)"
[ ! -e rc.pvd ] || fail "VTK: there is a file"
"$nsds" run rc.cir -o both.csv --html both.csv 2>log && fail "two outputs in one file"
grep -q 'both.csv is to hold two outputs' log || fail "two outputs: $(cat log)"
grep -q '^top = ' measures

# warnings that come while a run goes on reach the terminal, once
cat >coil.cir <<'END'
A coil without a way
V1 a 0 8
S1 a b SWI PULSE(0 1 0 0 0 4u 8u)
L1 b c 100u
R1 c 0 1
.model SWI SW(ideal=1 vt=0.5)
.tran 1u 40u uic
END
"$nsds" run coil.cir -o coil.csv 2>log
[ "$(grep -c 'nsds: warning: coil.cir:4:1: l1: its current jumps' log)" -eq 1 ] || fail "a warning of a run: $(cat log)"

# lists with suffixes are numbers in a table
"$nsds" sweep rc.cir --over r=1k,2.2k -o list.csv 2>log
[ "$(sed -n '3,$p' list.csv | cut -d , -f 1 | tr '\n' ' ')" = "1000 2200 " ] || fail "a list: $(cat list.csv)"

if [ -z "$h5_csv" ]; then
  "$nsds" run rc.cir -o rc.h5 2>log && fail "HDF5 was written without HDF5"
  grep -q 'rc.h5: HDF5 files are written with libhdf5' log || fail "$(cat log)"
  "$nsds" sweep rc.cir --over r=1k,2k -o sweep.h5 2>log && fail "HDF5 was written without HDF5"
  grep -q 'built without HDF5; give a name that ends in .csv' log || fail "$(cat log)"
  exit 0
fi
for name in rc.h5 rc.hdf5; do
  "$nsds" run rc.cir --set r=2k -o $name 2>again
  cmp again measures
  "$h5_csv" $name nsds file set >back.csv
  cmp back.csv rc.csv
done
cmp rc.h5 rc.hdf5
"$nsds" run rc.cir -o no_folder/rc.h5 >out 2>log && fail "a path without folder"
grep -q 'no_folder/rc.h5' log || fail "$(cat log)"
[ ! -s out ] || fail "a table on standard output"
for text in --measures --expand --describe; do
  "$nsds" run rc.cir $text -o text.h5 2>log && fail "$text as HDF5"
  grep -q 'HDF5 holds tables' log || fail "$(cat log)"
done
[ ! -e text.h5 ]
