#!/bin/sh
# 200 drawn trees against MuJoCo. NSDS_MUJOCO names mujoco.js of the npm package @mujoco/mujoco.
#   trees_mujoco.sh PROGRAM SOURCES FOLDER
program=$1 sources=$2 folder=$3
[ -n "$NSDS_MUJOCO" ] && [ -f "$NSDS_MUJOCO" ] && command -v node >/dev/null || exit 77
mkdir -p "$folder"
"$program" 200 "$folder" >"$folder/numbers" &&
  node "$sources/tests/kernel/tree/trees_mujoco.mjs" "$NSDS_MUJOCO" <"$folder/numbers"
