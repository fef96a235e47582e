#!/bin/sh
# newcomers.sh NSDS FOLDER: what people new to the command met in their first hour gets an answer that helps.
set -eu
nsds=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

# says WORDS COMMAND...: the command prints the words, whatever its status.
says() {
  words=$1
  shift
  "$@" >said 2>&1 </dev/null || true
  grep -qF -e "$words" said || { echo "$*: does not say \"$words\" but:" && cat said && exit 1; }
}
# silent WORDS COMMAND...: the command does not print them.
silent() {
  words=$1
  shift
  "$@" >said 2>&1 </dev/null || { cat said && exit 1; }
  if grep -qF -e "$words" said; then echo "$*: says \"$words\":" && cat said && exit 1; fi
}

cat >rc.cir <<'END'
an RC circuit
.param duty=0.5 r=1k
V1 a 0 {duty}
R1 a b {r}
C1 b 0 1u
.tran 1u 1m
.print tran v(b)
.measure tran late mean v(b) from=2m to=3m
.end
END
point="a number has a decimal point, not a comma"
says "$point" "$nsds" run rc.cir --set duty=0,25
says "$point" "$nsds" sweep rc.cir --over duty=0,25 -o table.csv
silent "$point" "$nsds" sweep rc.cir --over duty=1,25 -o table.csv
sed 's/duty=0.5/duty=0,5/' rc.cir >comma.cir
says "$point" "$nsds" run comma.cir
says "measure late looks from t = 0.002 to 0.003, outside of the run from 0 to 0.001" "$nsds" run rc.cir
"$nsds" check rc.cir --set duty=0.3 --set r=2k 2>/dev/null
says 'did you mean "duty"' "$nsds" check --set dut=0.25 rc.cir

cat >sine.cir <<'END'
a sine, and measures that have less than they want
V1 a 0 SIN(0 1 1k)
R1 a 0 1k
.tran 10u 2.2m
.print tran v(a)
.measure tran late mean v(a) from=1m to=3m
.measure tran none period v(a) level=2
.measure tran one period v(a) level=0.5 from=1.5m
.measure tran two period v(a) level=0.5
.end
END
says "measure late looks to t = 0.003, and the run ends at 0.0022: it counts up to there" "$nsds" run sine.cir
says "measure none: its value never rises through the level 2" "$nsds" run sine.cir
says "measure one: its value rises only once through the level 0.5" "$nsds" run sine.cir
silent "measure two" "$nsds" run sine.cir

cat >series.cir <<'END'
a current source in series with an inductor
I1 0 a 1
L1 a b 1m IC=0.25
R1 b 0 1
.tran 1u 100u uic
.print tran i(L1)
.end
END
says "whose sum is 0.75 A: currents jump at the start; with IC=1 of l1 they do not" "$nsds" run series.cir
[ "$(grep -c warning said)" = 1 ] || { cat said && exit 1; }
sed 's/IC=0.25/IC=1/' series.cir >series1.cir
silent "currents jump" "$nsds" run series1.cir

cat >follows.cir <<'END'
a switch that moves its own control from 5 V to nearly 0
V1 in 0 10
R1 in a 1k
R2 a 0 1k
S1 a 0 a 0 SWI
.model SWI SW(ron=1 vt=3 vh=0.5)
.tran 20u 1m
.print tran v(a)
.end
END
says "a hysteresis (VH) of at least half the jump of its control" "$nsds" run follows.cir
sed 's/vh=0.5/vh=2.5/' follows.cir >wide.cir
silent "without end" "$nsds" run wide.cir
sed 's/^R2.*/&\nC1 a 0 100n/' follows.cir >slow.cir
silent "without end;" "$nsds" run slow.cir

cat >letters.cir <<'END'
letters behind numbers
V1 a 0 1
R1 a b 1M
R2 b 0 10m
R3 b 0 1MEG
C1 b 0 1F
C2 b 0 10f
.tran 1u 10u
.print tran v(b)
.end
END
"$nsds" check letters.cir >said 2>&1
[ "$(grep -c warning said)" = 2 ] || { cat said && exit 1; }
grep -q 'r1: 1M is 0.001 ohm: M is milli' said
grep -q 'c1: 1F is 1e-15 F: F is femto' said

echo '{"cells": [], "nbformat": 4}' >notes.ipynb
says "it is a notebook" "$nsds" run notes.ipynb

cat >wheels.yaml <<'END'
nsds: 1
systems:
  wheel:
    type: rigid_body_2d
    repeat: 2
    mass: 1.5
    inertia: 1
    q0: [i, 0.2, 0]
    gravity: [0, -9.81]
    shapes: [{type: sphere, radius: 0.1}]
contacts:
  ground:
    type: shapes
    bodies: "wheel[*]"
    dimension: 2
    materials: [{mu: 0.5}]
    scenery: [{type: half_space, normal: [0, 1]}]
simulation: {type: time_stepping, t1: 1, h: 0.01}
measures: {low: {kind: min, of: "wheel[1].q2", from: 0.9}}
END
silent warning "$nsds" run wheels.yaml
grep -q 'low = 0.09999\|low = 0.1$' said || { cat said && exit 1; }
sed 's/1\.5/"1,5"/' wheels.yaml >comma.yaml
says "$point" "$nsds" run comma.yaml
sed 's/0\.2, 0\]/0.05, 0]/' wheels.yaml >deep.yaml
says "overlaps by 0.05 at the start" "$nsds" run deep.yaml
cat >chain.yaml <<'END'
nsds: 1
systems:
  link:
    type: rigid_body
    repeat: 2
    density: 1000
    q0: [0.2*i, 0, 3, 1, 0, 0, 0]
    shapes: [{type: capsule, half: 0.08, radius: 0.02}]
interactions:
  joint:
    systems: ["link[0]", "link[1]"]
    relation: {type: ball, point: [0.1, 0, 3]}
contacts:
  all: {type: shapes, materials: [{mu: 0.4}]}
simulation: {type: time_stepping, t1: 0.01, h: 1e-3}
END
says "touch at the start, and interaction 'joint' holds them together" "$nsds" run chain.yaml
sed 's/radius: 0.02/radius: 0.02, group: 1/' chain.yaml >group.yaml
silent warning "$nsds" run group.yaml
echo newcomers: right
