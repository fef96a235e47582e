#!/bin/sh
# Robots of examples/robots against MuJoCo's loading of the same MJCF: states, sensors and actuators, free
# motion. The URDF of a robot has the same states. NSDS_MUJOCO names mujoco.js of the npm package
# @mujoco/mujoco.
#   robots_mujoco.sh PROGRAM SOURCES FOLDER
program=$1 sources=$2 folder=$3
[ -n "$NSDS_MUJOCO" ] && [ -f "$NSDS_MUJOCO" ] && command -v node >/dev/null || exit 77
mkdir -p "$folder"
mujoco() { node "$sources/tests/run/robots_mujoco.mjs" "$NSDS_MUJOCO" "$@"; }
mujoco keys "$sources/tests/run/robots_forces.xml" 100 "$folder/forces.xml" >"$folder/forces" &&
  "$program" keys "$folder/forces.xml" <"$folder/forces" &&
  "$program" forces "$folder/forces.xml" <"$folder/forces" || exit 1
for robot in arm quadruped four_bar humanoid wheeled; do
  path=$sources/examples/robots/$robot
  mujoco states "$path.xml" 1000 >"$folder/$robot" || exit 1
  for ending in xml urdf; do
    [ ! -f "$path.$ending" ] || "$program" states "$path.$ending" <"$folder/$robot" || exit 1
  done
  mujoco keys "$path.xml" 40 "$folder/${robot}_keys.xml" >"$folder/${robot}_keys" &&
    "$program" keys "$folder/${robot}_keys.xml" <"$folder/${robot}_keys" || exit 1
  mujoco motion "$path.xml" 4000 "$folder/${robot}_free.xml" >"$folder/${robot}_free" &&
    "$program" motion "$folder/${robot}_free.xml" <"$folder/${robot}_free" || exit 1
done
