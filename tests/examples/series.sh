#!/bin/sh
# series.sh PYTHON FOLDER PROGRAM [ARGUMENT...]: runs an example and reads its series back.
set -eu
python=$1 folder=$2 program=$3
shift 3
name=$(basename "$program")
rm -rf "$folder/$name"
mkdir -p "$folder/$name"
"$program" "$folder/$name/table.csv" "$@" >/dev/null
exec "$python" "$(dirname "$0")/series.py" "$folder/$name/table.csv"
