# The sampled sine, what the capacitor holds, and the current through the switch.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "900" "640" ARG2 ARG3
csv = ARG1

set multiplot layout 2,1 margins 0.10,0.97,0.10,0.93 spacing 0.06
set xrange [0:20]
set format x ""
set title "Sample and hold: an ideal switch, closed for 0.1 ms of each millisecond"
set ylabel "voltage [V]"
set yrange [-1.2:1.5]
set key top right horizontal
plot csv skip 1 using (1e3*$1):2 with lines linecolor rgb gray title "source", \
     csv skip 1 using (1e3*$1):3 with lines linecolor rgb blue title "capacitor"
unset title
set ylabel "switch current [mA]"
set xlabel "time [ms]"
set format x "%g"
set yrange [-25:25]
plot csv skip 1 using (1e3*$1):(1e3*$5) with lines linecolor rgb red notitle
unset multiplot
