#!/bin/sh
# series.sh PYTHON FOLDER CORNERS PROGRAM [ARGUMENT...]: runs an example and reads its series back.
set -eu
python=$1 folder=$2 corners=$3 program=$4
shift 4
name=$(basename "$program")
rm -rf "$folder/$name"
mkdir -p "$folder/$name"
"$program" "$folder/$name/table.csv" "$@" >/dev/null
exec "$python" "$(dirname "$0")/series.py" "$folder/$name/table.csv" "$corners"
