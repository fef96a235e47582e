#!/bin/sh
# tutorial.sh NSDS NETLIST FOLDER: the commands of docs/circuits.md in an empty folder.
set -eu
nsds=$1 netlist=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
cp "$netlist" buck.cir

fails() {
  echo "$1"
  exit 1
}

[ -z "$("$nsds" check buck.cir 2>&1)" ] || fails "nsds check says something"
"$nsds" run buck.cir -o buck.csv 2>measures
sed -n 2p buck.csv | grep -qx 't \[s\],v(out) \[V\],i(l1) \[A\]' || fails "head: $(head -n 2 buck.csv)"
[ "$(wc -l <buck.csv)" -eq 3003 ] || fails "$(wc -l <buck.csv) lines, not 3003"
grep -Eq '^vout = 1(1\.9|2\.0)' measures || fails "measures: $(cat measures)"
grep -Eq '^ripple = 0\.(5[89]|60|61)' measures || fails "measures: $(cat measures)"
"$nsds" run buck.cir --set duty=0.25 --measures | grep -Eq '^vout = (5\.9|6\.0)' || fails "duty=0.25 does not halve vout"
sed 's/D1 0 sw DIODE/D1 0 sw DIOD/; s/^.print tran v(out)/.print tran v(oot)/' buck.cir >wrong.cir
"$nsds" check wrong.cir 2>said && fails "a wrong file is accepted"
grep -qx 'wrong.cir:5:9: d1: there is no .model diod, did you mean "diode"?; there are switch, diode' said || fails "said: $(cat said)"
grep -qx 'wrong.cir:12:15: .print: there is no node oot, did you mean "out"?; there are in, sw, out' said || fails "said: $(cat said)"
[ "$(wc -l <said)" -eq 2 ] || fails "said: $(cat said)"
"$nsds" run wrong.cir 2>said && fails "a wrong file is run"
grep -qx 'nsds run: 1 more fault; use nsds check wrong.cir to see all' said || fails "said: $(cat said)"
if command -v gnuplot >/dev/null; then
  "$nsds" run buck.cir --plot buck.png 2>/dev/null
  [ -s buck.png ] || fails "no picture"
fi
"$nsds" run buck.cir --plot buck.txt 2>said && fails "a picture with the ending .txt"
grep -q 'must end in .png, .svg or .pdf' said || fails "said: $(cat said)"
"$nsds" run buck.cir --set speed=3 2>said && fails "a parameter that is not there is set"
grep -q 'there is no .param speed' said || fails "said: $(cat said)"
"$nsds" run 2>said && fails "no file"
"$nsds" run buck.cir other.cir 2>said && fails "two files"
"$nsds" run --speed buck.cir 2>said && fails "an option that is not there"
"$nsds" run --set buck.cir 2>said && fails "--set without ="
"$nsds" run /nowhere.cir 2>said && fails "a file that is not there"
"$nsds" run buck.cir -o /nowhere/out.csv 2>said && fails "a folder that is not there"
"$nsds" check 2>said && fails "nothing to check"
"$nsds" run --help | grep -q -- --plot || fails "no help"
exit 0
