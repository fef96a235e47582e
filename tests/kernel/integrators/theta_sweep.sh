#!/bin/sh
# theta_sweep.sh SOURCE WORK LIBRARY INCLUDE...: compiles and runs SOURCE as C11 and as C++20, by each of gcc and clang
# that is there. A warning is an error.
set -eu
source=$1 work=$2 library=$3
shift 3
includes=
for folder in "$@"; do includes="$includes -I$folder"; done
mkdir -p "$work"

# try COMPILER FLAGS: 0 also where there is no such compiler
count=0
try() {
  compiler=$1
  shift
  command -v "$compiler" >/dev/null || { echo "no $compiler"; return 0; }
  echo "$compiler $*"
  # shellcheck disable=SC2086
  "$compiler" "$@" -Wall -Wextra -pedantic -Werror $includes "$source" -x none "$library" -lm \
    -Wl,-rpath,"$(dirname "$library")" -o "$work/$compiler"
  "$work/$compiler"
  count=$((count + 1))
}

try gcc -std=c11 -x c
try clang -std=c11 -x c
try g++ -std=c++20 -x c++
try clang++ -std=c++20 -x c++
[ "$count" -gt 0 ] || echo "skipped: no compiler"
