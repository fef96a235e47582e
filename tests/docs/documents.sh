#!/bin/sh
# documents.sh ROOT: the C programs shown in documents are files that other tests build and run, and the sources that
# docs/architecture.md names are there.
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
shows docs/from_siconos.md docs/siconos_ball.c docs/siconos_bridge.c docs/siconos_beads.c
shows docs/from_mujoco.md docs/mujoco.c

# shows_file DOCUMENT LANGUAGE FILE: the document's blocks of this language are the file
shows_file() {
  block=$(awk -v begin="\`\`\`$2" '/^```$/ { inside = 0 } inside; $0 == begin { inside = 1 }' "$1"; echo .)
  [ "$block" = "$(cat "$3"; echo .)" ] || { echo "the blocks in $1 are not $3"; failed=1; }
}
shows_file docs/circuits.md spice docs/buck.cir
shows_file README.md spice docs/rectifier.cir
shows_file README.md yaml docs/ball.yaml

find src include tools tests examples docs bench python -name '*.[ch]' | sed 's,.*/,,' | sort -u >"${TMPDIR:-/tmp}/sources.$$"
for name in $(grep -o '[a-z][a-z_0-9]*\(\.[a-z_0-9]*\)*\.[ch]\b' docs/architecture.md | sort -u); do
  case $name in foo.c | foo.h | _*) continue ;; esac
  grep -qx -e "$name" "${TMPDIR:-/tmp}/sources.$$" || { echo "docs/architecture.md names $name, which is not there"; failed=1; }
done
rm -f "${TMPDIR:-/tmp}/sources.$$"

exit $failed
