# The relay over time, with its sliding phases, and the attractor in the plane of x1 and x2.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "900" "820" ARG2 ARG3
csv = ARG1

set multiplot
set title "Relay feedback with an unstable focus: sliding in every turn"
set lmargin at screen 0.09; set rmargin at screen 0.97
set tmargin at screen 0.94; set bmargin at screen 0.70
set xrange [90:100]
set yrange [-1.2:1.2]
set xlabel "time [s]"
set ylabel "relay"
plot csv skip 1 using 1:5 with lines linecolor rgb red notitle
unset title
set tmargin at screen 0.60; set bmargin at screen 0.08
set rmargin at screen 0.49
set autoscale
set xlabel "x1"
set xtics 0.05
set ylabel "x2"
plot csv skip 1 using 2:3 with lines linewidth 0.4 linecolor rgb blue notitle
set lmargin at screen 0.58; set rmargin at screen 0.97
set xlabel "x2"
set xtics 0.5
set ylabel "x3"
plot csv skip 1 using 3:4 with lines linewidth 0.4 linecolor rgb blue notitle
unset multiplot
