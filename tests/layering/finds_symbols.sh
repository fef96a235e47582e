#!/bin/sh
# finds_symbols.sh ROOT FOLDER LIBRARY ABI NM OBJDUMP: symbols.sh has to find a declaration without a function, a
# function without a declaration, another version, and an object that the library does not hide.
set -eu
root=$1 folder=$2 library=$3 abi=$4 nm=$5 objdump=$6
rm -rf "$folder"
mkdir -p "$folder"
cp -r "$root/include" "$folder/include"

# finds WORDS [ABI]: the script fails and says so.
finds() {
  if sh "$root/tests/layering/symbols.sh" "$folder/include" "$library" "${2:-$abi}" "$nm" "$objdump" >"$folder/said"; then
    echo "not found: $1"
    exit 1
  fi
  grep -q "$1" "$folder/said" || { echo "expected: $1; said:" && cat "$folder/said" && exit 1; }
}

finds 'declared, not exported: nsds_solve@@LIBNSDS_9.9' 9.9
finds "SONAME is .*, not one that ends in .so.9.9" 9.9
echo 'NSDS_API nsds_status nsds_planted(int k);' >>"$folder/include/nsds/base.h"
finds 'declared, not exported: nsds_planted@@'
cp "$root/include/nsds/base.h" "$folder/include/nsds/base.h"
sed 's/NSDS_API const char \*nsds_version/const char *nsds_version/' "$root/include/nsds/base.h" >"$folder/include/nsds/base.h"
finds 'exported, not declared: nsds_version@@'
