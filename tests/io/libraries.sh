#!/bin/sh
# libraries.sh NSDS PRELOAD HDF5: the command loads at most 30 shared libraries to solve a text (the last six read models
# and write pages: nsds-jobs, yaml, expat, png, qhull_r, z). libhdf5 is loaded only where an HDF5 file is written; its absence
# is told. PRELOAD is no_hdf5.c, HDF5 1 or 0.
set -u
export LC_ALL=C
nsds=$1 preload=$2 hdf5=$3
failed=0
rm -rf libraries && mkdir libraries && cd libraries || exit 1
printf 'nsds 1 blocks coulomb 2 mu 0.5 M dense 1 0 0 1 q -1 0 end\n' >contact.nsds

LD_DEBUG=files LD_DEBUG_OUTPUT=loaded "$nsds" solve contact.nsds >out || failed=1
cat loaded.* | sed -n 's/.*calling init: //p' | sort -u >names
count=$(wc -l <names)
[ "$count" -gt 3 ] || { echo "skipped: the loader does not say what it loads"; exit 0; }
[ "$count" -le 30 ] && ! grep -q hdf5 names || { echo "$count libraries:"; cat names; failed=1; }

says() { # FILE PATTERN
  grep -q -e "$2" "$1" && return
  echo "no line '$2' in:"
  cat "$1"
  failed=1
}
if [ "$hdf5" = 1 ]; then
  with() { # HOW WORD...
    how=$1
    shift
    NSDS_TEST_HDF5=$how LD_PRELOAD=$preload "$nsds" "$@" >out 2>err
  }
  with as_it_is convert contact.nsds contact.hdf5 || { cat err; failed=1; }
  says err '^loads libhdf5'
  with absent solve contact.hdf5 || { cat err; failed=1; } # is read all the same
  ! grep -q loads err || { cat err; failed=1; }
  with absent convert contact.nsds absent.hdf5 && { echo "was written without libhdf5"; failed=1; }
  says err 'absent.hdf5: HDF5 files are written with libhdf5, and libhdf5.* cannot be loaded (.*no_such_lib'
  says err 'install the package that has it, or write text (the format nsds, CSV)'
  with other convert contact.nsds other.hdf5 && { echo "was written without libhdf5"; failed=1; }
  says err 'cannot be loaded (H5'
  [ ! -e absent.hdf5 ] && [ ! -e other.hdf5 ] || { ls; failed=1; }
fi
cd .. && rm -rf libraries
exit $failed
