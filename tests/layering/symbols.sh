#!/bin/sh
# symbols.sh INCLUDE LIBRARY ABI NM OBJDUMP [run|mpi]: fails, and prints the difference, where the symbols that the shared
# library exports are not the functions that the public headers declare, each under the version LIBNSDS_ABI, or
# where the SONAME does not end in ABI. With "run" the library is nsds-jobs, whose header is run.h alone and whose
# version is LIBNSDS_JOBS_ABI. With "mpi" it is nsds-mpi, with mpi.h, mpi_world.h and LIBNSDS_MPI_ABI.
set -eu
include=$1 library=$2 abi=$3 nm=$4 objdump=$5
case ${6:-} in
run) node=LIBNSDS_JOBS headers=$include/nsds/run.h ;;
mpi) node=LIBNSDS_MPI headers="$include/nsds/mpi.h $include/nsds/mpi_world.h" ;;
*) node=LIBNSDS headers=$(find "$include/nsds" -name '*.h' ! -name run.h ! -name mpi.h ! -name mpi_world.h) ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A declaration is "NSDS_API TYPE NAME(": comments and lines of the preprocessor apart, up to the semicolon.
cat $headers | grep -v '^#' | tr '\n' ' ' | sed 's@/\*@\n/*@g; s@\*/@*/\n@g' | grep -v '^/\*' | tr '\n' ' ' |
  grep -o 'NSDS_API [^;]*;' | sed -E 's/^NSDS_API ([^(]*[ *])?(nsds_[a-z0-9_]+) ?\(.*/\2/' | sort >"$work/declared"
"$nm" -D --defined-only --with-symbol-versions "$library" | awk '$2 != "A" { print $3 }' | sort >"$work/exported"
sed "s/\$/@@${node}_$abi/" "$work/declared" >"$work/expected"

failed=0
[ -s "$work/declared" ] || { echo "no declarations in $include/nsds" && failed=1; }
comm -23 "$work/expected" "$work/exported" | sed 's/^/declared, not exported: /' >"$work/missing"
comm -13 "$work/expected" "$work/exported" | sed 's/^/exported, not declared: /' >"$work/other"
cat "$work/missing" "$work/other"
[ ! -s "$work/missing" ] && [ ! -s "$work/other" ] || failed=1
soname=$("$objdump" -p "$library" | awk '$1 == "SONAME" { print $2 }')
case $soname in
*.so."$abi") ;;
*) echo "SONAME is $soname, not one that ends in .so.$abi" && failed=1 ;;
esac
exit $failed
