# Where the piston is, the pressures on both its sides, and what opens where the valve has closed.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "900" "820" ARG2 ARG3
csv = ARG1

set multiplot layout 3,1 margins 0.09,0.97,0.07,0.95 spacing 0.07
set title "A cylinder with two stops, and a valve that closes on the way"
set ylabel "piston [m]"
set yrange [-0.02:0.42]
set arrow from graph 0, first 0 to graph 1, first 0 nohead linewidth 3 linecolor rgb gray
set arrow from graph 0, first 0.4 to graph 1, first 0.4 nohead linewidth 3 linecolor rgb gray
plot csv skip 1 using 1:2 with lines linewidth 2 linecolor rgb blue title "place", \
     csv skip 1 using 1:(0.2+0.1*$6) with lines linewidth 0.8 linecolor rgb gray title "valve: up, closed (0.2), down"
unset title
unset arrow
set autoscale
set ylabel "pressure [MPa]"
set yrange [-1:23]
plot csv skip 1 using 1:4 with lines linecolor rgb red title "below the piston", \
     csv skip 1 using 1:5 with lines linecolor rgb blue title "above"
set autoscale
set xlabel "time [s]"
set xrange [2.398:2.418]
set ylabel "flow [l/s]"
plot csv skip 1 using 1:9 with lines linecolor rgb red title "relief below", \
     csv skip 1 using 1:8 with lines linecolor rgb blue title "suction above"
unset multiplot
