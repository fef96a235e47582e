# Motions of the two genes in their plane, with the thresholds.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "760" "700" ARG2 ARG3
csv = ARG1

set title "Two genes that inhibit each other and themselves: two stable states"
set xlabel "concentration of a"
set ylabel "concentration of b"
set xrange [0:10]
set yrange [0:10]
set size ratio -1
set bmargin 4
set arrow from 4,0 to 4,10 nohead dashtype (8,6) linecolor rgb gray
set arrow from 8,0 to 8,10 nohead dashtype (8,6) linecolor rgb gray
set arrow from 0,4 to 10,4 nohead dashtype (8,6) linecolor rgb gray
set arrow from 0,8 to 10,8 nohead dashtype (8,6) linecolor rgb gray
unset key
plot csv skip 1 using 3:4 with lines linecolor rgb blue, \
     csv skip 1 using 3:($2 == 0 ? $4 : NaN) with points pointtype 6 pointsize 0.8 linecolor rgb blue, \
     "-" using 1:2 with points pointtype 7 pointsize 1.4 linecolor rgb red
0,8
8,0
e
