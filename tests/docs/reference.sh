#!/bin/sh
# reference.sh PAGE FOLDER PROGRAM TABLE REFERENCE COLUMNS SKIP TOLERANCE [ARGUMENT...]
#
# Runs PROGRAM in FOLDER. The line that it prints must be on PAGE, line breaks aside. The first COLUMNS columns
# of the TABLE that it writes must agree to TOLERANCE with those of REFERENCE behind its first SKIP lines. Without
# the file REFERENCE the table is not compared, and a line beginning with "skipped:" says so.
set -eu
page=$1 folder=$2 program=$3 table=$4 reference=$5 columns=$6 skip=$7 tolerance=$8
shift 8
mkdir -p "$folder"
cd "$folder"
rm -f "$table"
said=$("$program" "$@")
echo "$said"
tr -s ' \n' ' ' <"$page" | grep -Fq "\`$said\`" || { echo "$page does not say \`$said\`"; exit 1; }
[ "$reference" != none ] || exit 0
[ -f "$reference" ] || { echo "skipped: no reference data"; exit 0; }

tail -n +$((skip + 1)) "$reference" >reference.txt
awk -v columns="$columns" -v tolerance="$tolerance" '
  NR == FNR { for (k = 1; k <= columns; ++k) expected[FNR, k] = $k; rows = FNR; next }
  { for (k = 1; k <= columns; ++k) {
      d = $k - expected[FNR, k]
      if (d < 0) d = -d
      if (!(d <= largest)) { largest = d; row = FNR; column = k }
    }
    got = FNR }
  END {
    printf "%d rows, largest difference %g in row %d, column %d; allowed %g\n", got, largest, row, column, tolerance
    exit !(got == rows && got > 0 && largest <= tolerance)
  }' reference.txt "$table"
