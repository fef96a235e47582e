#!/bin/sh
# Robots of examples/robots against MuJoCo's loading of the same MJCF; the URDF of a robot has the same
# numbers. NSDS_MUJOCO names mujoco.js of the npm package @mujoco/mujoco.
#   robots_mujoco.sh PROGRAM SOURCES FOLDER
program=$1 sources=$2 folder=$3
[ -n "$NSDS_MUJOCO" ] && [ -f "$NSDS_MUJOCO" ] && command -v node >/dev/null || exit 77
mkdir -p "$folder"
for robot in arm quadruped four_bar; do
  path=$sources/examples/robots/$robot
  node "$sources/tests/run/robots_mujoco.mjs" "$NSDS_MUJOCO" "$path.xml" 1000 >"$folder/$robot" || exit 1
  for ending in xml urdf; do
    [ ! -f "$path.$ending" ] || "$program" "$path.$ending" <"$folder/$robot" || exit 1
  done
done
