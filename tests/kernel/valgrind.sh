#!/bin/sh
# Runs a program under valgrind with the kernels of OpenBLAS asked for; valgrind knows no AVX-512.
#
#   valgrind.sh VALGRIND PROGRAM
case $(printf '%s' "${OPENBLAS_CORETYPE-}" | tr '[:upper:]' '[:lower:]') in
  skylakex | cooperlake | sapphirerapids)
    echo "skipped: valgrind has no instructions of $OPENBLAS_CORETYPE"
    exit 77
    ;;
esac
exec "$1" --quiet --error-exitcode=1 --leak-check=full "$2"
