# Filippov's centre from event to event and by time stepping: the plane, and the way to the limit.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "1000" "480" ARG2 ARG3
csv = ARG1

set multiplot layout 1,2 margins 0.07,0.98,0.14,0.90 spacing 0.12
set title "Filippov's centre"
set xlabel "x1"
set ylabel "x2"
set xrange [-0.6:0.6]
set yrange [-0.4:0.8]
set size ratio -1
set key bottom left
plot csv index 0 skip 1 using 2:3 with lines linecolor rgb blue title "event-driven", \
     csv index 1 skip 1 using 2:3 with points pointtype 6 pointsize 0.4 linecolor rgb red \
       title "time stepping, 5 ms"
set size noratio
set title "changes of the relays before half a second"
set xlabel "time before the limit [s]"
set ylabel "|x1| + |x2|"
set logscale xy
set format xy "10^{%T}"
set xrange [1:1e-12]
set yrange [1e-12:2]
set key bottom left
plot csv index 0 skip 1 using ($5 == 1 && $1 < 0.5 ? 0.5 - $1 : NaN):4 with points pointtype 7 \
       pointsize 0.7 linecolor rgb blue title "event-driven: events", \
     csv index 1 skip 1 using ($1 < 0.5 ? 0.5 - $1 : NaN):4 with points pointtype 6 \
       pointsize 0.5 linecolor rgb red title "time stepping, 5 ms", \
     2 * x with lines dashtype (6,6) linecolor rgb gray title "2 (1/2 - t)"
unset multiplot
