#!/bin/sh
# command.sh NSDS HDF5 SAMPLE [DATA]: exit codes and output of the command NSDS, in the present
# folder; HDF5 is 1 or 0, SAMPLE a program that writes a global problem to the file named, DATA the
# folder of the problem collection.
set -u
export LC_ALL=C
nsds=$1 hdf5=$2 sample=$3 data=${4:-}
failed=0
rm -rf inputs && mkdir inputs && cd inputs || exit 1

printf '2\n0\n2\n2\n2 2\n2 1\n1 2\n-5 -6\n' >good.dat    # z = (4/3, 7/3)
printf '1\n0\n1\n1\n1 1\n0\n-1\n' >unsolvable.dat        # 0 z - 1 >= 0
printf '2\n0\n2\n2\n2 2\n2 1\n1 two\n-5 -6\n' >broken.dat
printf '3\n1\n0\n3\n3\n3 3\n2 0 0\n0 1 0\n0 0 1\n-1 0.25 0\n0.5\n' >contact.dat
# two contacts that close on one body
printf '2\n2\n0\n4\n4\n4 4\n1 0 -1 0\n0 1 0 1\n-1 0 1 0\n0 1 0 1\n-1 0.1 -1 0.1\n0.3 0.3\n' >jam.dat
mkdir folder folder/inner empty
cp good.dat folder/b.dat
cp good.dat folder/a.dat
cp broken.dat folder/.hidden
cp good.dat folder/inner/c.dat

# run CODE WORD...: nsds WORD... has to end with CODE; output in out, errors in err
run() {
  code=$1
  shift
  "$nsds" "$@" >out 2>err
  got=$?
  [ $got -eq "$code" ] && return
  echo "nsds $*: exit code $got, not $code"
  cat out err
  failed=1
}

# says FILE PATTERN: a line of the file matches
says() {
  grep -q -e "$2" "$1" && return
  echo "no line '$2' in:"
  cat "$1"
  failed=1
}

lines() { # FILE COUNT
  [ "$(wc -l <"$1")" -eq "$2" ] || { echo "not $2 lines:"; cat "$1"; failed=1; }
}

# a proof is told, in the text, as one field of a table, and written
run 1 solve jam.dat
says out 'proved unsolvable'
run 1 solve --csv jam.dat
says out ',proved unsolvable,'
run 1 solve --solutions proved jam.dat
says proved/jam.dat.json '"proof"'

# the command line
run 0 --version
says out '^nsds [0-9]*\.[0-9]*\.[0-9]* (UMFPACK: '
run 0 --help
says out 'nsds solve'
says out '^Exit code: 0'
for command in solve certify solvers convert; do
  run 0 $command --help
  says out "^  nsds $command"
  says out '^Exit code: 0'
  ! grep -q -e '--version' out || failed=1
done
run 0 solve good.dat --help
run 2
says err 'solve, certify, solvers or convert'
says err '^Try: nsds --help'
run 2 sovle
says err 'no command "sovle"'
run 2 solve
says err '^Try: nsds solve --help'
says err 'no file named'
run 2 solve --tolerance 1 good.dat
says err 'no option --tolerance; there are --solver, --tol'
run 2 solve good.dat --tol
says err '\-\-tol needs a value'
run 2 solve --tol small good.dat
says err '\-\-tol is "small"; valid is a number from 0'
run 2 solve --tol 3 good.dat
says err 'valid is 0..1'
run 2 solve --format xml good.dat
says err 'valid are text, csv and json'
run 2 solve --solver newton good.dat
says err 'no solver "newton"; known are auto, '
run 2 solve --tol -1 good.dat
says err 'valid is a number from 0'
run 2 solve --tol 1e999 good.dat
run 2 solve --tol '' good.dat
for option in --solver --option --format --solutions --max-iter --time-limit --total-limit; do
  run 2 solve good.dat $option
  says err "^nsds solve: $option needs a value"
done
run 2 solve --an-option-longer-than-all-there-are=5 good.dat
says err 'no option --an-option-longer-than-all-the;'
run 2 solve --csv=1 good.dat
says err 'nsds solve: --csv takes no value'
run 2 solve -x good.dat
says err 'no option -x;'
run 2 solve --option a_name_that_is_longer_than_any_of_these=1 good.dat
says err 'valid is NAME=VALUE'
run 2 solve --option tolerance=inf good.dat
run 2 solve --option tolerance= good.dat
many=
for k in 1 2 3 4 5 6 7 8 9 10 11; do
  many="$many --option tolerance=1e-8 --option tolerance=1e-9 --option max_iterations=5$k"
done
run 2 solve $many good.dat
says err 'more than 32 times'
run 0 solve ${many% --option *} good.dat
run 1 solve -- --json -- good.dat # behind "--" all words are files
says err '^nsds solve: --json: cannot be opened'
says err '^nsds solve: --: cannot be opened'
for words in -h 'solve -h' 'certify -h' 'solvers -h' 'convert -h'; do
  run 0 $words
  says out '^Exit code: 0'
done
run 2 solvers all
run 2 solvers -h more
run 2 convert good.dat b.dat --to
says err '\-\-to needs a value'
run 2 convert good.dat b.dat --csv
says err 'no option --csv; there are --from and --to'
run 2 convert good.dat dat
run 2 convert good.dat
run 2 convert good.dat a.dat b.dat
run 2 convert --into lcp good.dat a.dat
says err 'no option --into, did you mean "--to"?; there are --from and --to'
run 1 convert --from fclib good.dat a.dat
run 2 convert good.dat good.txt
says err 'what is good.txt to be?'
run 2 convert good.dat b.dat --to html
says err 'valid are nsds, lcp, mlcp, relay, friction, rolling, global and fclib'

# solve
run 0 solve good.dat
lines out 2
says out '^good.dat  *lcp  *2  *1  .* solved '
run 1 solve good.dat unsolvable.dat
lines out 3
says out '^good.dat .* solved '
says out '^unsolvable.dat '
run 1 solve broken.dat good.dat
says out '^broken.dat  *unreadable$'
says out '^good.dat .* solved '
says err 'broken.dat: line 7, column 3: expected finite number 4 of the 4 of M, found "two"'
run 1 solve missing.dat
says err 'missing.dat: cannot be opened: '
run 0 solve --solver lemke --tol=1e-8 --max-iter 50 --time-limit 10 -- good.dat
says out ' lemke '
run 0 solve --solver lemke --option max_iterations=50 --option tolerance=1e-8 good.dat
says out ' lemke .* solved '
run 2 solve --solver lemke --option momentum=15 good.dat
says err "lemke.*momentum"
run 2 solve --option tolerance good.dat
says err '"tolerance"; valid is NAME=VALUE'
run 2 solve --option =1 good.dat
run 2 solve --option tolerance=1e-8x good.dat
many=$(for k in 1 2 3 4 5 6 7 8 9 10 11; do echo "--option a=1 --option b=2 --option c=3"; done)
run 2 solve $many good.dat
says err '\-\-option comes more than 32 times'
run 0 solve --format csv folder good.dat
lines out 5
says out '^file,kind,rows,blocks,solver,outcome,iterations,residual,standard,seconds,methods$'
[ "$(sed -n 2,4p out | cut -d, -f1 | tr '\n' ' ')" = "folder/a.dat folder/b.dat folder/inner/c.dat " ] ||
  { echo "files of the folder:"; cat out; failed=1; }
cp good.dat 'a "b", c.dat'
run 0 solve --format csv 'a "b", c.dat'
says out '^"a ""b"", c.dat",lcp,2,1,'
run 0 solve --format json 'a "b", c.dat'
lines out 1
says out '^{"file": "a \\"b\\", c.dat", "kind": "lcp", "rows": 2, "blocks": 1, "solver": "[a-z_]*", "outcome": "solved", "iterations": [0-9]*, "residual": [0-9.e-]*, "standard": [0-9.e-]*, "seconds": [0-9.e-]*, "methods": "[a-z_]*:solved"}$'
name=$(printf 'a\tb\nc.dat')
cp good.dat "$name"
run 0 solve --format json "$name"
says out '^{"file": "a.u0009b.u000ac.dat", '
run 0 solve --csv "$name"
says out '^c.dat",lcp,2,1,'
rm "$name"
run 1 solve --format json broken.dat
says out '"outcome": "unreadable", "iterations": null, "residual": null'
run 0 solve --json good.dat
says out '^{"file": "good.dat"'
run 0 solve --csv good.dat folder
lines out 5
run 2 solve --xml good.dat
says err 'no option --xml'
run 0 solve --total-limit 100 --time-limit 50 good.dat folder
lines out 5
run 0 solve --total-limit 0 good.dat # none
run 1 solve --total-limit 1e-9 --csv good.dat folder
lines out 5
says out '^folder/b.dat,,,,,out of time,,,,,$'
run 1 solve --solutions found good.dat ./folder unsolvable.dat
ls found | tr '\n' ' ' >out
says out '^folder_a.dat.json folder_b.dat.json folder_inner_c.dat.json good.dat.json unsolvable.dat.json $'
says found/good.dat.json '^{"file": "good.dat", "kind": "lcp", "solver": "[a-z_]*", "outcome": "solved"'
says found/good.dat.json '^"z": \[1.33333333333333[0-9]*, 2.33333333333333[0-9]*\],$'
says found/good.dat.json '^"w": \[[0-9.e-]*, [0-9.e-]*\]}$'
mkdir -p taken/good.dat.json
run 1 solve --solutions taken good.dat
says err 'taken/good.dat.json: cannot be written'
run 1 solve --solutions good.dat good.dat
says err 'good.dat: no such folder can be made'
run 1 solve empty
says err 'no files in it'
run 0 solve --csv folder/
says out '^folder/a.dat,'
run 0 solve --solutions found .././inputs/good.dat "$PWD/folder/a.dat"
ls found/.._._inputs_good.dat.json >/dev/null || failed=1
grep -q '"file": "/' found/*inputs_folder_a.dat.json || failed=1
run 1 solve --csv --solver global_reduction good.dat
says out '^good.dat,lcp,2,1,global_reduction,refused,,,,,$'
run 2 solve --solver reduction good.dat
says err 'there is no solver "reduction" any more; use "global_reduction"'
run 0 solve --total-limit 50 --time-limit 100 good.dat
run 0 solve --total-limit 50 --time-limit 0 good.dat
run 1 solve --solver enumeration --csv contact.dat # no method of cones
says out '^contact.dat,fc3d,3,1,enumeration,refused,,,,,$'

# solvers
run 0 solvers
says out '^auto$'
says out '^lemke$'
says out '^global_reduction (global problems)$'
says out '^  sets: equality, nonnegative'
says out '^    tolerance  *1e-10 '

# convert
run 0 convert contact.dat other.dat
cmp -s contact.dat other.dat || { echo "contact.dat came out as:"; cat other.dat; failed=1; }
run 0 convert good.dat as_mlcp --to mlcp
run 0 solve --format csv as_mlcp
says out '^as_mlcp,mlcp,2,1,'
run 0 convert --from mlcp --to lcp as_mlcp back.dat
cmp -s good.dat back.dat || { echo "good.dat came back as:"; cat back.dat; failed=1; }
printf 'nsds 1 "named"\nblocks coulomb 2 mu 0.5 "foot" equality 1 coulomb 2 mu 1\nM dense
2 0 1 0 0  0 2 1 0 0  1 1 3 0 0  0 0 0 1 0  0 0 0 0 1\nq -1 0 1 -1 0\nguess z 1 0 0 1 0\nend\n' >mixed.nsds
run 0 convert mixed.nsds again.nsds
run 0 convert again.nsds back.nsds
cmp -s again.nsds back.nsds || { echo "mixed.nsds came back as:"; cat back.nsds; failed=1; }
says back.nsds '^nsds 1 "named"$'
says back.nsds '^  coulomb 2 mu 0.5 "foot"$'
says back.nsds '^z 1 0 0 1 0$'
run 0 solve mixed.nsds
run 1 convert broken.dat other.dat
says err 'broken.dat: line 7'
run 1 convert good.dat other.dat --to friction
says err 'block\[0\] is NONNEGATIVE'
run 1 convert good.dat no/such/folder.dat
says err 'cannot be opened for writing'

# several at a time, the lines in order; a link back to the folder is not followed
ln -s .. folder/inner/back
for k in 1 2 3 4 5 6 7 8 9; do cp good.dat folder/inner/d$k.dat; cp broken.dat folder/inner/e$k.dat; done
run 1 solve --csv folder jam.dat
cut -d, -f1-9,11 out >one && cp err one_err
for words in '-j 4' -j4 --jobs=40 '--jobs 2'; do
  run 1 solve $words --csv folder jam.dat
  cut -d, -f1-9,11 out >several
  cmp -s one several && cmp -s one_err err || { echo "$words:"; cat out err; failed=1; }
done
lines out 23
rm -r folder/inner
for number in 0 1.5 1025 -1 x; do
  run 2 solve -j $number good.dat
  says err 'nsds solve: -j is '
done

# standard input
run 0 solve - <good.dat
says out '^-  *lcp  *2 '
cat good.dat | "$nsds" solve --solutions found - >out 2>err || failed=1
says found/stdin.json '"file": "-"'
run 1 solve - <broken.dat
says err 'standard input: line 7, column 3: expected finite number 4'
run 1 solve - <&-
says err 'standard input'

# a guess that is the answer is kept; methods are told
printf 'nsds 1\nblocks coulomb 3 mu 0.5 "foot"\nM dense 2 0 0 0 1 0 0 0 1\nq -1 0.25 0\n' >start.nsds
{ cat start.nsds; echo 'guess z 0.5 -0.25 0 end'; } >guess.nsds
{ cat start.nsds; echo 'solution z 0.5 -0.25 0 end'; } >solution.nsds
{ cat start.nsds; echo end; } >none.nsds
run 0 solve --solver nsgs --json guess.nsds
says out '"outcome": "solved", "iterations": 0, .*"methods": "nsgs:solved"'
run 0 solve --solver nsgs --csv guess.nsds --from-zero
says out '^guess.nsds,fc3d,3,1,nsgs,solved,[1-9]'
printf '3\n1\n0\n3\n3\n3 3\n2 0 0\n0 1 0\n0 0 1\n-1 0.25 0\n0.5\n0.1\n' >planar.dat
run 1 solve planar.dat
says err 'plasticity'
run 0 solve --from rolling planar.dat
says out ' rolling 2d '
run 2 solve --from html planar.dat
says err 'valid are nsds, lcp'

# answers found elsewhere
run 0 certify solution.nsds
says out '^solution.nsds (fc3d): certified$'
says out '^residual  [0-9.e-]*, valid is up to 1e-10$'
says out '^worst     block 0 "foot", row 0: error '
run 0 solve --solutions found none.nsds
run 0 certify none.nsds found/none.nsds.json
says out '^none.nsds (fc3d) with found/none.nsds.json: certified$'
echo '0.5, -0.25 # tangential: 0
  0' >answer.txt
run 0 certify --json none.nsds answer.txt
says out '^{"file": "none.nsds", "answer": "answer.txt", "kind": "fc3d", "certified": true, "residual": '
run 0 certify none.nsds - <answer.txt
run 0 certify - answer.txt <none.nsds
echo 0.5 -0.2 0 >answer.txt
run 1 certify none.nsds answer.txt
says out ': not certified$'
run 0 certify --tol 0.5 none.nsds answer.txt
run 1 certify none.nsds
says err 'there is no solution in it; give a file with z'
echo 0.5 -0.2 >answer.txt
run 1 certify none.nsds answer.txt
says err 'answer.txt: 2 numbers; expected are the 3 of z'
echo 0.5 -0.2 0 1 >answer.txt
run 1 certify none.nsds answer.txt
says err 'answer.txt: 4 numbers; expected are the 3 of z'
echo 0.5 nan 0 >answer.txt
run 1 certify none.nsds answer.txt
says err 'answer.txt: expected number 2 of the 3 of z, found "nan"'
echo '{"w": [1], "z" : [0.5, null, 0]}' >answer.txt
run 1 certify none.nsds answer.txt
says err 'expected number 2 of the 3 of z, found "null'
echo '{"y": [1]}' >answer.txt
run 1 certify none.nsds answer.txt
says err 'there is no array "z"; it needs 3 numbers'
run 1 certify none.nsds absent.txt
says err 'absent.txt: cannot be read: '
run 1 certify broken.dat
says err 'broken.dat: line 7'
run 2 certify
says err 'give a problem'
run 2 certify a b c
says err 'a third file named: c'
run 2 certify - -
says err 'standard input cannot be both'
run 2 certify --csv none.nsds
says err 'there are --tol, --from and --json'

# relays, rolling friction and global problems as text
printf '1\n0\n1\n1\n1 1\n1\n-5\n-2\n3\n' >relay.dat
run 0 solve --json --solutions found relay.dat
says out '"kind": "relay"'
says found/relay.dat.json '^"z": \[3\],$'
run 0 convert relay.dat other.dat
cmp -s relay.dat other.dat || { echo "relay.dat came out as:"; cat other.dat; failed=1; }
printf '2\n1\n0\n2\n2\n2 2\n1 0\n0 1\n0\n2\n2\n2 2\n1 0\n0 1\n-1 0.25\n0 0\n0.5\n' >global.dat
run 0 solve --solutions found global.dat
says out '^global.dat  *global friction '
says found/global.dat.json '^"v": '
says found/global.dat.json '^"lambda": \[\]}'
run 0 certify global.dat found/global.dat.json
says out '^parts     dynamics '
run 1 certify global.dat
says err 'no solution with velocities v in it; give a file with v, r and lambda'
run 0 convert global.dat other.dat
run 0 convert other.dat again.dat
cmp -s other.dat again.dat || { echo "global.dat came out as:"; cat again.dat; failed=1; }
printf '1 0 1\n2\n-1\n' >lines.dat
run 0 convert --from mlcp_lines lines.dat square.dat
run 1 convert good.dat lines.out --to mlcp_lines
says err 'mlcp_lines is only read'
if [ "$hdf5" = 1 ]; then
  run 0 convert contact.dat contact.hdf5
  run 0 convert contact.hdf5 again.dat
  says again.dat '^-1 0.25 0$'

  # global problems
  "$sample" global.hdf5
  run 0 solve global.hdf5
  says out '^global.hdf5  *global friction  *2  *1  *global  *solved '
  run 0 solve --solver admm global.hdf5
  says out '  global_admm  *solved '
  run 0 solve --solver nonsmooth_newton global.hdf5
  says out '  global_nonsmooth_newton  *solved '
  run 0 solve --solver nsgs --format csv global.hdf5
  says out '^global.hdf5,global friction,2,1,global,solved,'
  run 0 solve --solver global_factored/nsgs --option relaxation=1 global.hdf5
  says out '  global_factored  *solved '
  run 1 solve --solver global_reduction global.hdf5 good.dat
  says out '^global.hdf5 .*  global_reduction  *solved '
  says out '^good.dat .*  global_reduction  *refused '
  run 0 convert global.hdf5 same.hdf5
  cmp -s global.hdf5 same.hdf5 || { echo "global.hdf5 came out otherwise"; failed=1; }
  run 1 convert global.hdf5 global.dat --to global
  says err 'global.dat: p is 1; the format global holds no equality rows; nsds and fclib'
  run 1 convert global.hdf5 global.dat --to friction
  says err 'the format friction has no place for a global'
else
  run 1 convert contact.dat contact.hdf5
  says err 'libhdf5-dev'
fi

# pipes are read, a full disk is noticed, solutions do not replace each other
mkfifo pipe && { cat good.dat >pipe & }
run 0 solve pipe
says out '  enumeration  *solved '
if [ -c /dev/full ]; then
  ln -s /dev/full found/full.dat.json
  cp good.dat full.dat
  run 1 solve --solutions found full.dat
  says err '^nsds solve: found/full.dat.json: cannot be written: No space'
  for words in "solve --json good.dat" solvers --version; do
    "$nsds" $words >/dev/full 2>err && { echo "nsds $words: a full disk was not noticed"; failed=1; }
    says err 'standard output cannot be written'
  done
fi
cp good.dat folder_a.dat
run 2 solve --solutions found folder/a.dat folder_a.dat
says err 'folder_a.dat.json; solve them apart'

# the collection: each file is read; whether it is solved is not for this test, but for the LCPs
if [ -n "$data" ] && [ -d "$data/problems" ]; then
  run 0 solve --tol 1e-8 "$data/problems/lcp"
  lines out 10
  "$nsds" solve --format csv --time-limit 1 "$data/problems/mlcp" "$data/problems/fc2d" >out 2>err
  lines out 11
  ! grep unreadable out || failed=1
fi
cd .. && rm -rf inputs
exit $failed
