#!/bin/sh
# Robots of examples/robots against MuJoCo's loading of the same MJCF: states, sensors and actuators, free
# motion. Files of robots_mujoco/ combine features: classes, frames, attitudes, inertias. The URDF of a robot has the same states. NSDS_MUJOCO names mujoco.js of the npm package
# @mujoco/mujoco.
#   robots_mujoco.sh PROGRAM SOURCES FOLDER
program=$1 sources=$2 folder=$3
[ -n "$NSDS_MUJOCO" ] && [ -f "$NSDS_MUJOCO" ] && command -v node >/dev/null || exit 77
mkdir -p "$folder"
mujoco() { node "$sources/tests/run/robots_mujoco.mjs" "$NSDS_MUJOCO" "$@"; }
for what in forces springs balls; do
  mujoco keys "$sources/tests/run/robots_$what.xml" 100 "$folder/$what.xml" >"$folder/$what" &&
    "$program" keys "$folder/$what.xml" <"$folder/$what" &&
    "$program" forces "$folder/$what.xml" <"$folder/$what" || exit 1
done
for what in touch heights; do
  mujoco rest "$sources/tests/run/robots_$what.xml" 2000 >"$folder/$what" &&
    "$program" rest "$sources/tests/run/robots_$what.xml" <"$folder/$what" || exit 1
done
for file in "$sources"/tests/run/robots_mujoco/*.xml; do
  name=$(basename "$file" .xml)
  mujoco states "$file" 200 >"$folder/$name" && "$program" states "$file" <"$folder/$name" || exit 1
  grep -q -e '<sensor>' -e '<actuator>' "$file" || continue
  mujoco keys "$file" 40 "$folder/${name}_keys.xml" >"$folder/${name}_keys" &&
    "$program" keys "$folder/${name}_keys.xml" <"$folder/${name}_keys" || exit 1
done
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
