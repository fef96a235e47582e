# Where the load is and should be, the relay, and the surface on which it slides.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "900" "820" ARG2 ARG3
csv = ARG1

set multiplot layout 3,1 margins 0.09,0.97,0.07,0.95 spacing 0.07
set title "A load led to its place by a valve that only knows open and reversed"
set ylabel "piston [m]"
set yrange [0.08:0.33]
plot csv skip 1 using 1:3 with lines linecolor rgb gray title "reference", \
     csv skip 1 using 1:2 with lines linewidth 2 linecolor rgb blue title "place"
unset title
set autoscale
set ylabel "relay"
set yrange [-1.15:1.15]
plot csv skip 1 using 1:7 with lines linecolor rgb red notitle
set autoscale
set xlabel "time [s]"
set ylabel "surface [mm]"
plot csv skip 1 using 1:(1e3*$8) with lines linecolor rgb blue notitle
unset multiplot
