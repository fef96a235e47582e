#!/bin/sh
# documents.sh ROOT: the C programs shown in documents are files that other tests build and run, and
# every relative link leads to a file.
set -eu
cd "$1"
failed=0

# shows DOCUMENT SOURCE...: the document's C blocks, from ```c to ```, are the sources
shows() {
  document=$1
  shift
  block=$(awk '/^```$/ { inside = 0 } inside; /^```c$/ { inside = 1 }' "$document"; echo .)
  [ "$block" = "$(cat "$@"; echo .)" ] || { echo "the programs in $document are not $*"; failed=1; }
}
shows README.md docs/first.c
shows docs/plugins.md docs/plugin.c
shows docs/numerics.md docs/solve.c docs/nonlinear.c
shows docs/global.md docs/global.c
shows docs/bodies.md docs/bodies.c
shows docs/events.md docs/events.c
shows docs/guide.md docs/guide_bead.c docs/guide_bridge.c
shows docs/mechanics.md docs/mechanics.c
shows docs/control.md docs/control.c

# shows_netlist DOCUMENT FILE: the document's netlists, from ```spice to ```, are the file
shows_netlist() {
  block=$(awk '/^```$/ { inside = 0 } inside; /^```spice$/ { inside = 1 }' "$1"; echo .)
  [ "$block" = "$(cat "$2"; echo .)" ] || { echo "the netlists in $1 are not $2"; failed=1; }
}
shows_netlist docs/circuits.md docs/buck.cir
shows_netlist README.md docs/rectifier.cir

links=0
for document in *.md docs/*.md; do
  folder=$(dirname "$document")
  for link in $(grep -o ']([^)# ]*' "$document" | sed 's/^](//'); do
    case $link in http*) continue ;; esac
    links=$((links + 1))
    [ -e "$folder/$link" ] || { echo "$document: no file $link"; failed=1; }
  done
done
[ $links -ge 5 ] || { echo "only $links links found in the documents"; failed=1; }
exit $failed
