# The linkage at eight instants of a turn with the curve of its coupler point; the driving moment.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "1000" "560" ARG2 ARG3
csv = ARG1
base = 350.0
turn = 0.2 * pi # s
at(k) = int(floor(0.5 + (0.125 * k * turn) / 2e-3)) # row of the instant

set multiplot
set size 0.58,1.0
set origin 0,0
set title "The linkage at eight instants, and what its coupler point draws"
set size ratio -1
set xlabel "x [mm]"
set ylabel "y [mm]"
set xrange [-130:460]
set yrange [-130:380]
set key top left
set label 1 at 0,0 "" point pointtype 9 pointsize 1.5 linecolor rgb "#303030"
set label 2 at base,0 "" point pointtype 9 pointsize 1.5 linecolor rgb "#303030"
pins(k) = sprintf("< awk -F, 'NR == %d { print 0, 0; print 1e3*$2, 1e3*$3; print 1e3*$4, 1e3*$5; print %g, 0 }' '%s'", at(k) + 2, base, csv)
plate(k) = sprintf("< awk -F, 'NR == %d { print 1e3*$2, 1e3*$3; print 1e3*$6, 1e3*$7; print 1e3*$4, 1e3*$5 }' '%s'", at(k) + 2, csv)
set datafile separator whitespace
shade(k) = k == 0 ? "#303030" : "#b0bcc8"
plot for [k=7:0:-1] plate(k) using 1:2 with lines linewidth 0.8 linecolor rgb (k == 0 ? "#c4432b" : "#e3b7ae") notitle, \
     for [k=7:0:-1] pins(k) using 1:2 with linespoints pointtype 7 pointsize 0.6 linewidth (k == 0 ? 2 : 1) linecolor rgb shade(k) notitle, \
     sprintf("< awk -F, 'NR > 1 { print 1e3*$6, 1e3*$7 }' '%s'", csv) using 1:2 with lines linecolor rgb red title "coupler point", \
     NaN with linespoints pointtype 7 linecolor rgb "#303030" title "crank, coupler, rocker at the start"
unset label
set datafile separator ","
set size noratio
set autoscale
set size 0.42,0.5
set origin 0.58,0.5
set title "Moment that turns the crank"
set xlabel "time [s]"
set ylabel "moment [N m]"
set yrange [-2:3]
plot csv skip 1 using 1:10 with lines linewidth 5 linecolor rgb "#b8cfe6" title "by closure of the loop", \
     csv skip 1 using 1:9 with lines linecolor rgb blue title "model"
set autoscale y
set size 0.42,0.5
set origin 0.58,0
set title "How far the coupler point is off"
set ylabel "distance [m]"
set logscale y
set format y "10^{%L}"
unset key
plot csv skip 1 using 1:($8 > 1e-18 ? $8 : 1e-18) with lines linecolor rgb red
unset multiplot
