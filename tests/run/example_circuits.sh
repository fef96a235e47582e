#!/bin/sh
# example_circuits.sh NSDS FOLDER: each netlist of examples/circuits runs, and its measures are those of closed forms.
#
# flyback            Vin D / (1 - D) sqrt(L2 / L1)
# boost              Vin (1 + sqrt(1 + 4 D^2 / K)) / 2, K = 2 L f / R
# three_phase_bridge 3 sqrt(3) / pi V / (1 + 3 w L / (pi R))
# llc                half of the source over the ratio of the transformer
# full_bridge        10 A (1 - x) / (1 + x), x = exp(-half period R / L)
# half_wave_battery  V (cos a - cos b) - E (b - a) over w L, at b = pi - a
# others             the reference voltage, the clamp voltages, twice the amplitude less the discharge
set -eu
nsds=$1 folder=$2
failed=0
expect() { # FILE MEASURE VALUE TOLERANCE
  value=$("$nsds" run "$folder/$1.cir" --measures | sed -n "s/^$2 = //p")
  awk -v a="$value" -v b="$3" -v e="$4" 'BEGIN { exit !(a != "" && a - b <= e && b - a <= e) }' ||
    { echo "$1: $2 is $value, not $3 within $4"; failed=1; }
  tested="$tested $1.cir"
}
tested=
expect flyback vout 10.6667 0.05
expect boost vout 33.7228 0.05
expect three_phase_bridge vd 156.03 0.3
expect llc vo 100 0.5
expect full_bridge top 9.8661 0.02
expect half_wave_battery peak 2.1803 0.003
expect hysteresis_buck vout 12 0.1
expect zener_clamp high 5.1 0.002
expect zener_clamp low -0.7 0.002
expect voltage_doubler vout 19.7 0.1
expect pwl_charger top 10.085 0.01 # 5 mC in 470 uF, less what 50 Ohm take in 3 ms
for file in "$folder"/*.cir; do
  case $tested in *" ${file##*/}"*) ;; *) echo "${file##*/} has no line in this test"; failed=1 ;; esac
done
exit $failed
